// What values are compiled into upsweep::cuda to be sorted with keys, which are of all types of library/table.hpp.
#pragma once
#include <cstdint>

#include <upsweep/library/table.hpp>

//! ROW(a type, its bytes): for all values of its size and alignment, whose bytes are moved.
#define UPSWEEP_LIBRARY_VALUES(ROW) ROW(std::uint32_t, "4") ROW(std::uint64_t, "8")

#define UPSWEEP_LIBRARY_VALUE_BYTES(type, bytes) " " bytes
//! What the error of a sort says that is not compiled in.
#define UPSWEEP_LIBRARY_HAS_SORTS                                                       \
  "It has radix_sort and radix_sort_by_key, of keys of type" UPSWEEP_LIBRARY_TYPE_NAMES \
  " with values of" UPSWEEP_LIBRARY_VALUES(UPSWEEP_LIBRARY_VALUE_BYTES) " bytes"

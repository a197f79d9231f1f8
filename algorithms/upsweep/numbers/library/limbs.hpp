// Of which limbs big_add and its like are compiled into upsweep::cuda.
#pragma once
#include <cstdint>

#include <upsweep/library/table.hpp>

//! ROW(limb, its name). CMake reads these lines too: a unit of the library for each.
#define UPSWEEP_LIBRARY_LIMBS(ROW) ROW(std::uint32_t, "uint32") ROW(std::uint64_t, "uint64")

#define UPSWEEP_LIBRARY_BIG_NUMBERS "big_add, big_subtract and big_negate"
//! What the error of a call with big numbers says that is not compiled in.
#define UPSWEEP_LIBRARY_HAS_BIG_NUMBERS                                            \
  "It has " UPSWEEP_LIBRARY_BIG_NUMBERS " of limbs of type" UPSWEEP_LIBRARY_LIMBS( \
      UPSWEEP_LIBRARY_LIMB_NAME) ", of one number and of rows, with carries of one byte"
#define UPSWEEP_LIBRARY_LIMB_NAME(limb, name) " " name

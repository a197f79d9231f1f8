// What tables of levels may hold that are compiled into upsweep::cuda.
#pragma once
#include <cstdint>

#include <upsweep/library/table.hpp>

//! ROW(a type, its bytes): it stands for all types of its size and alignment.
#define UPSWEEP_LIBRARY_TABLE_ENTRIES(ROW) \
  ROW(std::uint8_t, "1") ROW(std::uint16_t, "2") ROW(std::uint32_t, "4") ROW(std::uint64_t, "8")

#define UPSWEEP_LIBRARY_ENTRY_BYTES(type, bytes) " " bytes
//! What the error of apply_table says that is not compiled in.
#define UPSWEEP_LIBRARY_HAS_TABLES                                                  \
  "It has apply_table, by tables whose entries have" UPSWEEP_LIBRARY_TABLE_ENTRIES( \
      UPSWEEP_LIBRARY_ENTRY_BYTES) " bytes, and are aligned to them"

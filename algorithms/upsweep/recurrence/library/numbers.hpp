// What recurrences are compiled into upsweep::cuda, of order 1 and 2.
#pragma once
#include <cstdint>

#include <upsweep/library/table.hpp>

//! ROW(type of all their ranges, its name). CMake reads these lines too: units of the library for each.
#define UPSWEEP_LIBRARY_RECURRENCES(ROW) ROW(float, "float") ROW(double, "double")
//! ROW(type of offsets of segments, its name)
#define UPSWEEP_LIBRARY_RECURRENCE_OFFSETS(OFFSETS) OFFSETS(std::int32_t, "int32") OFFSETS(std::int64_t, "int64")

//! What the error of a recurrence says that is not compiled in.
#define UPSWEEP_LIBRARY_HAS_RECURRENCES \
  "It has linear_recurrence of ranges of one type," UPSWEEP_LIBRARY_RECURRENCES(UPSWEEP_LIBRARY_NAME_OF_TWO) ", by " \
  "rows and by offsets of type" UPSWEEP_LIBRARY_RECURRENCE_OFFSETS(UPSWEEP_LIBRARY_NAME_OF_TWO)
#define UPSWEEP_LIBRARY_NAME_OF_TWO(type, name) " " name

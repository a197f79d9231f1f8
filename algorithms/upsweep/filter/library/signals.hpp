// What signals are compiled into upsweep::cuda to be filtered: all that filters take.
#pragma once
#include <cstdint>

#include <upsweep/library/table.hpp>

//! ROW(type of samples that are read, of those that are written, their names). CMake reads these lines too: units of
//! the library for each.
#define UPSWEEP_LIBRARY_SIGNALS(ROW)         \
  ROW(float, float, "float")                 \
  ROW(double, double, "double")              \
  ROW(std::int16_t, std::int16_t, "int16")   \
  ROW(std::int16_t, float, "int16_to_float") \
  ROW(float, std::int16_t, "float_to_int16")
//! ROW(type of offsets of segments, its name)
#define UPSWEEP_LIBRARY_FILTER_OFFSETS(ROW) UPSWEEP_LIBRARY_OFFSETS(ROW)

// Passes of filters over a signal that are none of whole calls (filter/library/signals.hpp): of more than eight
// sections samples are double between passes.
#pragma once
#include <cstdint>

//! ROW(type of samples that are read, of those that are written, their names). CMake reads these lines too.
#define UPSWEEP_FILTER_PASSES(ROW)             \
  ROW(float, double, "float_to_double")        \
  ROW(double, float, "double_to_float")        \
  ROW(std::int16_t, double, "int16_to_double") \
  ROW(double, std::int16_t, "double_to_int16")

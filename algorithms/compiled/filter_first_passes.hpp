// First passes of filters of more than eight sections: eight of them, to samples that are double between passes.
#pragma once
#include <cstdint>

//! ROW(type of samples that are read, of those that are written, their names). CMake reads these lines too.
#define UPSWEEP_FILTER_FIRST_PASSES(ROW) \
  ROW(float, double, "float_to_double")  \
  ROW(std::int16_t, double, "int16_to_double")

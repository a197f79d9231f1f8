// Last passes of filters of more than eight sections: 4 or 8 of them.
#pragma once
#include <cstdint>

//! ROW(type of samples that are read, of those that are written, their names). CMake reads these lines too.
#define UPSWEEP_FILTER_LAST_PASSES(ROW) \
  ROW(double, float, "double_to_float") \
  ROW(double, std::int16_t, "double_to_int16")

// Types that have units where it does not matter whether integers have a sign: unsigned ones stand for signed ones.
#pragma once
#include <cstdint>

//! ROW(type, its name). CMake reads these lines.
#define UPSWEEP_LIBRARY_NUMBERS(ROW) \
  ROW(std::uint32_t, "uint32")       \
  ROW(std::uint64_t, "uint64")       \
  ROW(float, "float")                \
  ROW(double, "double")

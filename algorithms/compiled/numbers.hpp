// Types that have units: unsigned integers stand for signed ones where a sign does not matter, and where it does their
// unit has both.
#pragma once
#include <cstdint>

//! ROW(type, its name). CMake reads these lines.
#define UPSWEEP_LIBRARY_NUMBERS(ROW) \
  ROW(std::uint32_t, "uint32")       \
  ROW(std::uint64_t, "uint64")       \
  ROW(float, "float")                \
  ROW(double, "double")

// Those of numbers.hpp for keys, which may be small.
#pragma once
#include <cstdint>

//! ROW(type, its name). CMake reads these lines.
#define UPSWEEP_LIBRARY_SMALL_NUMBERS(ROW) \
  ROW(std::uint8_t, "uint8")               \
  ROW(std::uint16_t, "uint16")

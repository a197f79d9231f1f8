// Of which heights lines of sight are compiled into upsweep::cuda.
#pragma once
#include <cstdint>

#include <upsweep/library/table.hpp>

//! ROW(type of heights, its name). CMake reads these lines too: a unit of the library for each.
#define UPSWEEP_LIBRARY_HEIGHTS(ROW) \
  ROW(std::int16_t, "int16")         \
  ROW(std::uint16_t, "uint16")       \
  ROW(float, "float")                \
  ROW(double, "double")

//! What the error of a line of sight says that is not compiled in.
#define UPSWEEP_LIBRARY_HAS_SIGHT                                                            \
  "It has line_of_sight, of rows and of maps, from heights of type" UPSWEEP_LIBRARY_HEIGHTS( \
      UPSWEEP_LIBRARY_HEIGHT_NAME) " to flags of one byte"
#define UPSWEEP_LIBRARY_HEIGHT_NAME(type, name) " " name

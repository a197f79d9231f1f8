// What the tests of sections and of their designs share: how near numbers must be, and what is refused.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include <upsweep/filter_response.hpp>
#include <upsweep/sections.hpp>

#include "support.hpp"

namespace test::sections {
using upsweep::section;

inline constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
inline constexpr double infinite = std::numeric_limits<double>::infinity();

template <class F>
std::string refused(const F& f) {
  return message_of<std::invalid_argument>(f);
}

inline void check_near(double value, double expected, double tolerance) {
  INFO("differs by " << value - expected << ", may by " << tolerance);
  CHECK(std::abs(value - expected) <= tolerance);
}
inline void check_near(std::span<const double> values, std::span<const double> expected, double tolerance) {
  REQUIRE(values.size() == expected.size());
  for (std::size_t i = 0; i < values.size(); i++) {
    INFO("item " << i);
    check_near(values[i], expected[i], tolerance);
  }
}

// The denominators are of size 1. The numerators of a section have one size, which may be far from it.
inline void check_section(const section& s, const section& expected, double relative) {
  const double size = std::max({std::abs(expected.b0), std::abs(expected.b1), std::abs(expected.b2)});
  check_near(std::vector{s.b0, s.b1, s.b2}, std::vector{expected.b0, expected.b1, expected.b2}, relative * size);
  check_near(std::vector{s.a1, s.a2}, std::vector{expected.a1, expected.a2}, relative);
  CHECK(s.a0 == 1);
}
inline double gain(std::span<const section> filter, double frequency, double sample_rate = 1) {
  return std::abs(upsweep::frequency_response(filter, frequency, sample_rate));
}
}  // namespace test::sections

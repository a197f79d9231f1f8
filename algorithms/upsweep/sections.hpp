// Recursive filters as second-order sections: their coefficients, a check of them, and the state of a constant input.
// Host code in double. filter_design.hpp makes sections, filter_response.hpp tells what they do.
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include <upsweep/config.hpp>
#include <upsweep/require.hpp>
#include <upsweep/stages.hpp>

namespace UPSWEEP_NAMESPACE {

//! One section of a filter, SciPy's row of six: H(z) = (b0 + b1·z⁻¹ + b2·z⁻²) / (a0 + a1·z⁻¹ + a2·z⁻²), where a0
//! must be 1. A default one passes everything. A filter is a range of sections, each fed with what the one before
//! gives.
//!   upsweep::section smooth{.b0 = 0.1, .a1 = -0.9};   // y[i] = 0.1·x[i] + 0.9·y[i-1]
struct section {
  double b0 = 1, b1 = 0, b2 = 0, a0 = 1, a1 = 0, a2 = 0;
  friend bool operator==(const section&, const section&) = default;
};

namespace detail {
inline void check_finite(const char* name, double value) {
  require(std::isfinite(value), name, "is ", value, ", must be finite");
}
inline void check_positive(const char* name, double value) {
  require(value > 0 && std::isfinite(value), name, "is ", value, ", must be above 0 and finite");
}
inline void check_polynomial(const char* name, std::span<const double> coefficients) {
  require(!coefficients.empty(), name, "is empty, needs at least one coefficient");
  for (std::size_t k = 0; k < coefficients.size(); k++)
    require(std::isfinite(coefficients[k]), name, "[", k, "] is ", coefficients[k], ", must be finite");
}
}  // namespace detail

//! Throws std::invalid_argument unless there are sections, their coefficients are finite, and every a0 is 1 (as SciPy
//! asks). The error names the first wrong section, counted from 0, and the coefficient.
inline void check_sections(std::span<const section> sections) {
  detail::require(!sections.empty(), "sections", "is empty, needs at least one section");
  for (std::size_t k = 0; k < sections.size(); k++) {
    const section& s = sections[k];
    const std::pair<const char*, double> coefficients[] = {{"b0", s.b0}, {"b1", s.b1}, {"b2", s.b2},
                                                           {"a0", s.a0}, {"a1", s.a1}, {"a2", s.a2}};
    for (const auto& [name, value] : coefficients)
      detail::require(std::isfinite(value), "section", k, ": ", name, " is ", value, ", must be finite");
    detail::require(s.a0 == 1, "section", k, ": a0 is ", s.a0, ", must be 1");
  }
}

//! The sections that stand one behind another in `rows`: SciPy's `sos`, six numbers a section. Throws
//! std::invalid_argument when the size is no multiple of 6; check_sections looks at the numbers.
//!   const auto filter = upsweep::to_sections(std::vector{0.1, 0., 0., 1., -0.9, 0.});
inline std::vector<section> to_sections(std::span<const double> rows) {
  detail::require(rows.size() % 6 == 0, "sections", "has ", rows.size(), " numbers, must be a multiple of 6");
  std::vector<section> sections;
  for (std::size_t i = 0; i < rows.size(); i += 6)
    sections.push_back(
        {.b0 = rows[i], .b1 = rows[i + 1], .b2 = rows[i + 2], .a0 = rows[i + 3], .a1 = rows[i + 4], .a2 = rows[i + 5]});
  return sections;
}

//! The same of rows of six numbers, as SciPy's `sos` is shaped.
//!   const auto filter = upsweep::to_sections(std::vector<std::array<double, 6>>{{0.1, 0, 0, 1, -0.9, 0}});
template <contiguous_range Rows>
  requires(std::is_same_v<element_t<const Rows>, std::array<double, 6>>)
std::vector<section> to_sections(const Rows& rows) {
  std::vector<section> sections;
  for (const auto& r : std::span<const std::array<double, 6>>(std::data(rows), std::size(rows)))
    sections.push_back({.b0 = r[0], .b1 = r[1], .b2 = r[2], .a0 = r[3], .a1 = r[4], .a2 = r[5]});
  return sections;
}

//! The state that a filter settles in when its input is 1 for ever: two numbers a section, SciPy's sosfilt_zi. Times
//! the first sample it lets a filter start without a jump. Throws std::invalid_argument for what check_sections
//! refuses, and for a section that settles nowhere since it has a pole at z = 1.
inline std::vector<double> sosfilt_zi(std::span<const section> sections) {
  check_sections(sections);
  std::vector<double> state;
  double input = 1;
  for (std::size_t k = 0; k < sections.size(); k++) {
    const section& s = sections[k];
    const double sum = 1 + s.a1 + s.a2;
    detail::require(sum != 0, "section", k, ": a pole at z = 1, a constant input has no state");
    const double output = input * (s.b0 + s.b1 + s.b2) / sum;
    const double second = s.b2 * input - s.a2 * output;
    state.push_back(s.b1 * input - s.a1 * output + second);
    state.push_back(second);
    input = output;
  }
  return state;
}

//! The same for a filter of polynomials in z⁻¹: max(size of b, size of a) − 1 numbers, SciPy's lfilter_zi. Throws
//! std::invalid_argument when b or a is empty or not finite, a[0] is 0, or the filter has a pole at z = 1.
inline std::vector<double> lfilter_zi(std::span<const double> b, std::span<const double> a) {
  detail::check_polynomial("b", b);
  detail::check_polynomial("a", a);
  detail::require(a[0] != 0, "a", "[0] is 0, must not be");
  double sum_b = 0, sum_a = 0;
  for (const double coefficient : b) sum_b += coefficient;
  for (const double coefficient : a) sum_a += coefficient / a[0];
  detail::require(sum_a != 0, "a", "has a pole at z = 1, a constant input has no state");
  const double output = sum_b / a[0] / sum_a;
  std::vector<double> state(std::max(b.size(), a.size()) - 1);
  double after = 0;  // the states behind one another: each is fed by the next
  for (std::size_t k = state.size(); k > 0; k--) {
    if (k < b.size()) after += b[k] / a[0];
    if (k < a.size()) after -= a[k] / a[0] * output;
    state[k - 1] = after;
  }
  return state;
}

}  // namespace UPSWEEP_NAMESPACE

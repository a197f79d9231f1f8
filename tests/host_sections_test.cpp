// Second-order sections, against SciPy (filter_values.hpp): states, responses, poles, pairing, bad input.
#include <cmath>
#include <complex>
#include <cstddef>
#include <numbers>
#include <span>
#include <vector>

#include <upsweep/filter_design.hpp>
#include <upsweep/sections.hpp>

#include "filter_values.hpp"
#include "sections_support.hpp"

using test::sections::check_near;
using test::sections::check_section;
using test::sections::gain;
using test::sections::infinite;
using test::sections::not_a_number;
using test::sections::refused;
using upsweep::section;

TEST_CASE("check_sections names the first wrong section") {
  const auto told = [](const std::vector<section>& sections) {
    return refused([&] { upsweep::check_sections(sections); });
  };
  CHECK(told({{}, {.b0 = 0, .a2 = 5}}) == "(no exception)");
  CHECK(told({}) == "sections is empty, needs at least one section");
  CHECK(told({{}, {.a0 = 0.5}, {.a0 = 2}}) == "section 1: a0 is 0.5, must be 1");
  CHECK(told({{.a0 = 1.0000000001}}) == "section 0: a0 is 1.0000000001, must be 1");
  CHECK(told({{.a0 = not_a_number}}) == "section 0: a0 is nan, must be finite");
  CHECK(told({{.b0 = infinite}}) == "section 0: b0 is inf, must be finite");
  CHECK(told({{.b1 = -infinite}}) == "section 0: b1 is -inf, must be finite");
  CHECK(told({{}, {}, {.b2 = not_a_number, .a1 = infinite}}) == "section 2: b2 is nan, must be finite");
  CHECK(told({{.a1 = not_a_number}}) == "section 0: a1 is nan, must be finite");
  CHECK(told({{.a2 = not_a_number}}) == "section 0: a2 is nan, must be finite");
}

TEST_CASE("to_sections takes rows of six") {
  const std::vector<double> rows = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
  CHECK(upsweep::to_sections(rows) == std::vector<section>{{1, 2, 3, 4, 5, 6}, {7, 8, 9, 10, 11, 12}});
  CHECK(upsweep::to_sections({}).empty());
  CHECK(refused([&] { upsweep::to_sections(std::span(rows).first(7)); }) ==
        "sections has 7 numbers, must be a multiple of 6");
}

namespace {
double constant_gain(const section& s) { return (s.b0 + s.b1 + s.b2) / (1 + s.a1 + s.a2); }
double sum_of_sizes(const section& s) { return std::abs(s.b0) + std::abs(s.b1) + std::abs(s.b2); }
}  // namespace

TEST_CASE("sosfilt_zi is the state that a constant input leaves alone") {
  for (const auto& d : filter_values::designs) {
    INFO(d.kind << " of order " << d.order << ", " << d.low << " " << d.high << " of " << d.sample_rate);
    const auto filter = upsweep::to_sections(d.sos);
    const auto state = upsweep::sosfilt_zi(filter);
    REQUIRE(state.size() == 2 * filter.size());
    double x = 1;
    for (std::size_t k = 0; k < filter.size(); k++) {
      const section& s = filter[k];
      const double s1 = state[2 * k], s2 = state[2 * k + 1], output = x * constant_gain(s);
      const double rounding = 4e-16 * (x * sum_of_sizes(s) + 4 * output);
      const double y = s.b0 * x + s1;
      check_near(y, output, rounding);
      check_near(s.b1 * x - s.a1 * y + s2, s1, 4 * rounding);
      check_near(s.b2 * x - s.a2 * y, s2, 4 * rounding);
      x = output;
    }
  }
}

TEST_CASE("sosfilt_zi is SciPy's") {
  int compared = 0;
  for (const auto& d : filter_values::designs) {
    if (d.zi.empty()) continue;
    compared++;
    INFO(d.kind << " of order " << d.order << ", " << d.low << " " << d.high << " of " << d.sample_rate);
    const auto filter = upsweep::to_sections(d.sos);
    const auto state = upsweep::sosfilt_zi(filter);
    REQUIRE(state.size() == d.zi.size());
    // SciPy's solver divides by 1 + a1 + a2 with an error of 1e-16, and every section hands its error on.
    double error = 1e-15, x = 1;
    for (std::size_t k = 0; k < filter.size(); k++) {
      const double output = x * constant_gain(filter[k]);
      error += 1e-15 / std::abs(1 + filter[k].a1 + filter[k].a2);
      const double size = x * sum_of_sizes(filter[k]) + output;
      check_near(std::span(state).subspan(2 * k, 2), d.zi.subspan(2 * k, 2), error * size);
      x = output;
    }
  }
  CHECK(compared > 20);
}

TEST_CASE("sosfilt_zi refuses a pole at 1") {
  const std::vector<section> filter = {{}, {.a1 = -1}};
  CHECK(refused([&] { upsweep::sosfilt_zi(filter); }) == "section 1: a pole at z = 1, a constant input has no state");
  CHECK(refused([&] { upsweep::sosfilt_zi(std::vector<section>{{.a1 = -1.5, .a2 = 0.5}}); }) ==
        "section 0: a pole at z = 1, a constant input has no state");
  CHECK(refused([&] { upsweep::sosfilt_zi({}); }) == "sections is empty, needs at least one section");
}

TEST_CASE("lfilter_zi is SciPy's") {
  for (const auto& c : filter_values::lfilter_cases) {
    INFO(c.name);
    double sum = 0, size = 0;
    for (const double a : c.a) sum += a;
    for (const double a : c.a) size += std::abs(a);
    // The sum of the coefficients of a is what is left of much larger ones.
    const double error = 1e-15 * size / std::abs(sum);
    check_near(upsweep::lfilter_zi(c.b, c.a), c.zi, error * size / std::abs(c.a[0]));
  }
}

TEST_CASE("lfilter_zi has a state for any two lengths, and for none") {
  CHECK(upsweep::lfilter_zi(std::vector{3.}, std::vector{2.}).empty());
  CHECK(upsweep::lfilter_zi(std::vector{1., 2., 4.}, std::vector{2.}) == std::vector{3., 2.});
  // y[i] = x[i] − y[i-1]/4 − y[i-2]/4 settles at 2/3.
  check_near(upsweep::lfilter_zi(std::vector{4.}, std::vector{4., 1., 1.}), std::vector{-1 / 3., -1 / 6.}, 1e-16);
}

TEST_CASE("lfilter_zi refuses bad coefficients by name") {
  const auto told = [](const std::vector<double>& b, const std::vector<double>& a) {
    return refused([&] { upsweep::lfilter_zi(b, a); });
  };
  CHECK(told({}, {1}) == "b is empty, needs at least one coefficient");
  CHECK(told({1}, {}) == "a is empty, needs at least one coefficient");
  CHECK(told({1, not_a_number}, {1}) == "b[1] is nan, must be finite");
  CHECK(told({1}, {1, 2, infinite}) == "a[2] is inf, must be finite");
  CHECK(told({1}, {0, 1}) == "a[0] is 0, must not be");
  CHECK(told({1}, {2, -1, -1}) == "a has a pole at z = 1, a constant input has no state");
}

TEST_CASE("frequency_response is SciPy's") {
  for (const auto& r : filter_values::responses) {
    const auto filter = upsweep::to_sections(r.sos);
    for (std::size_t i = 0; i < r.rows.size(); i += 3) {
      INFO("at " << r.rows[i] << " of " << r.sample_rate);
      const auto response = upsweep::frequency_response(filter, r.rows[i], r.sample_rate);
      // SciPy's numerators have errors of 1e-16 next to rests down to the square of the angle, 4e-5.
      const std::complex<double> expected(r.rows[i + 1], r.rows[i + 2]);
      check_near(std::abs(response - expected), 0, 1e-11 * std::abs(expected) + 1e-30);
      const auto mirrored = upsweep::frequency_response(filter, -r.rows[i], r.sample_rate);
      check_near(std::abs(mirrored - std::conj(response)), 0, 1e-15);
      const auto turned = upsweep::frequency_response(filter, r.rows[i] + 2 * r.sample_rate, r.sample_rate);
      check_near(std::abs(turned - response), 0,
                 1e-11 * std::abs(expected) + 1e-30);  // the sum of frequencies is rounded
    }
  }
}

TEST_CASE("frequency_response and largest_pole refuse bad input by name") {
  const std::vector<section> filter(1);
  const auto told = [&](double frequency, double sample_rate) {
    return refused([&] { upsweep::frequency_response(filter, frequency, sample_rate); });
  };
  CHECK(told(infinite, 1) == "frequency is inf, must be finite");
  CHECK(told(1, 0) == "sample_rate is 0, must be above 0 and finite");
  CHECK(told(1, -8.5) == "sample_rate is -8.5, must be above 0 and finite");
  CHECK(told(1, infinite) == "sample_rate is inf, must be above 0 and finite");
  CHECK(told(1, not_a_number) == "sample_rate is nan, must be above 0 and finite");
  CHECK(refused([&] { upsweep::frequency_response({}, 1, 2); }) == "sections is empty, needs at least one section");
  CHECK(refused([&] { upsweep::largest_pole({}); }) == "sections is empty, needs at least one section");
}

TEST_CASE("largest_pole finds the largest, real or not") {
  const auto largest = [](const std::vector<section>& sections) { return upsweep::largest_pole(sections); };
  CHECK(largest({{}}) == 0);
  CHECK(largest({{.a1 = -0.5}}) == 0.5);
  CHECK(largest({{.a1 = 0.75, .a2 = 0.125}}) == 0.5);
  CHECK(largest({{.a2 = 0.25}, {.a1 = -1}, {.a1 = 0.5}}) == 1);
  CHECK(largest({{.a1 = 1, .a2 = 4}}) == 2);
  CHECK(largest({{.a1 = -2, .a2 = 1}}) == 1);
  CHECK(largest({{.a2 = -4}}) == 2);
  // (z − p)² + d²: a square of a1 that is rounded would give p + 1e-9.
  const double p = 1 - 0x1p-28;
  CHECK(largest({{.a1 = -2 * p, .a2 = 1 - 0x1p-27}}) == p + 0x1p-28);
}

TEST_CASE("frequency_response loses nothing next to z = 1, and little next to z = -1") {
  // 1/(1 − p·z⁻¹)² and its mirror image, whose coefficients are exact.
  const double p = 1 - 0x1p-20, turn = 0x1p-21, sine = std::sin(std::numbers::pi * turn);
  const double expected = 1 / ((1 - p) * (1 - p) + 4 * p * sine * sine);
  const section low{.a1 = -2 * p, .a2 = p * p}, high{.a1 = 2 * p, .a2 = p * p};
  CHECK(gain({&low, 1}, turn) == Approx(expected).epsilon(1e-14));
  CHECK(gain({&high, 1}, 0.5 - turn) == Approx(expected).epsilon(1e-9));  // π/2 less an angle is rounded
}

TEST_CASE("zeros and poles come in SciPy's pairs") {
  const auto roots = [](std::span<const double> rows) {
    std::vector<std::complex<double>> all;
    for (std::size_t i = 0; i < rows.size(); i += 2) all.emplace_back(rows[i], rows[i + 1]);
    return all;
  };
  for (const auto& c : filter_values::pairings) {
    const auto filter = upsweep::detail::paired_sections(roots(c.zeros), roots(c.poles), c.gain);
    const auto expected = upsweep::to_sections(c.sos);
    REQUIRE(filter.size() == expected.size());
    for (std::size_t k = 0; k < filter.size(); k++) {
      INFO("section " << k);
      check_section(filter[k], expected[k], 4e-15);
    }
  }
}

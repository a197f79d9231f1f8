// Designs of second-order sections, against SciPy (filter_values.hpp) and against what such filters must do.
#include <algorithm>
#include <cmath>
#include <complex>
#include <cstddef>
#include <limits>
#include <numbers>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
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

namespace {
std::vector<section> designed(const filter_values::design& d) {
  const std::string_view kind = d.kind;
  if (kind == "lowpass") return upsweep::butterworth_lowpass(d.order, d.low, d.sample_rate);
  if (kind == "highpass") return upsweep::butterworth_highpass(d.order, d.low, d.sample_rate);
  if (kind == "bandpass") return upsweep::butterworth_bandpass(d.order, d.low, d.high, d.sample_rate);
  REQUIRE(kind == "bandstop");
  return upsweep::butterworth_bandstop(d.order, d.low, d.high, d.sample_rate);
}
section designed(const filter_values::biquad& b) {
  const std::string_view kind = b.kind;
  if (kind == "low_shelf") return upsweep::low_shelf(b.frequency, b.gain_db, b.q, b.sample_rate);
  if (kind == "high_shelf") return upsweep::high_shelf(b.frequency, b.gain_db, b.q, b.sample_rate);
  if (kind == "peak") return upsweep::peak(b.frequency, b.gain_db, b.q, b.sample_rate);
  REQUIRE(kind == "notch");
  return upsweep::notch(b.frequency, b.q, b.sample_rate);
}

double gain_db(const section& s, double frequency, double sample_rate) {
  return 20 * std::log10(gain({&s, 1}, frequency, sample_rate));
}
}  // namespace

// ---------------------------------------------------------------- Butterworth
TEST_CASE("Butterworth designs are SciPy's, section by section") {
  for (const auto& d : filter_values::designs) {
    INFO(d.kind << " of order " << d.order << ", " << d.low << " " << d.high << " of " << d.sample_rate);
    const auto filter = designed(d);
    const auto expected = upsweep::to_sections(d.sos);
    REQUIRE(filter.size() == expected.size());
    // Coefficients are a few roundings from SciPy's. The gain is a product of `order` factors; SciPy has the width of
    // a band, which is in each, from a difference of tangents.
    const double narrow = d.high > 0 ? std::max(1., d.low / (d.high - d.low)) : 1;
    for (std::size_t k = 0; k < filter.size(); k++) {
      INFO("section " << k);
      check_section(filter[k], expected[k], k == 0 ? 4e-15 * narrow * d.order : 4e-15);
    }
  }
}

TEST_CASE("bands around a quarter of the sample rate have SciPy's sections in an order of ours") {
  for (const auto& d : filter_values::symmetric_designs) {
    INFO(d.kind << " of order " << d.order << ", " << d.low << " " << d.high);
    auto filter = designed(d);
    auto expected = upsweep::to_sections(d.sos);
    REQUIRE(filter.size() == expected.size());
    CHECK(filter.back().a1 > 0.01);  // the pole on the left comes last
    // The gain is in the first, whichever it is.
    for (auto* sections : {&filter, &expected}) {
      section& first = sections->front();
      check_near(std::log(first.b0 / expected.front().b0), 0, 1e-13);
      for (double* b : {&first.b2, &first.b1, &first.b0}) *b /= first.b0;
      std::sort(sections->begin(), sections->end(), [](const section& a, const section& b) {
        return std::abs(a.a2 - b.a2) > 1e-9 ? a.a2 < b.a2 : a.a1 < b.a1;
      });
    }
    for (std::size_t k = 0; k < filter.size(); k++) check_near(filter[k].a1, expected[k].a1, 1e-14);
    for (std::size_t k = 0; k < filter.size(); k++) check_near(filter[k].a2, expected[k].a2, 1e-14);
    for (const double f : {0.13, 0.2, 0.24, 0.3, 0.41})
      check_near(gain(filter, f), gain(expected, f), 1e-12 * gain(filter, f));
  }
}

namespace {
// Coefficients are rounded to 1e-16, and low ones leave of a denominator no more than the square of the angle.
double response_error(int order, double lowest) { return 1e-15 * order * (1 + 1 / (lowest * lowest)); }
constexpr double half_power = 1 / std::numbers::sqrt2;
}  // namespace

TEST_CASE("a Butterworth filter has half the power at its cut-off, and poles inside the circle") {
  for (const int order : {1, 2, 3, 4, 7, 12, 25, 50, 100})
    for (const double cutoff : {1e-4, 0.01, 0.1, 0.25, 0.4}) {
      INFO("order " << order << ", cut-off " << cutoff);
      const double error = response_error(order, cutoff);
      const auto highpass = upsweep::butterworth_highpass(order, cutoff, 1);
      CHECK(highpass.size() == static_cast<std::size_t>((order + 1) / 2));
      check_near(gain(highpass, cutoff), half_power, error);
      check_near(gain(highpass, 0.5), 1, error);
      CHECK(gain(highpass, 0) == 0);
      CHECK(upsweep::largest_pole(highpass) < 1);
      if (order * std::log10(cutoff) < -250) continue;  // its gain would underflow
      const auto lowpass = upsweep::butterworth_lowpass(order, cutoff, 1);
      CHECK(lowpass.size() == highpass.size());
      check_near(gain(lowpass, cutoff), half_power, error);
      check_near(gain(lowpass, 0), 1, error);
      check_near(std::norm(gain(lowpass, 0.3)) + std::norm(gain(highpass, 0.3)), 1, error);
      CHECK(upsweep::largest_pole(lowpass) < 1);
    }
}

TEST_CASE("a Butterworth band has half the power at both of its edges") {
  for (const int order : {1, 2, 3, 4, 7, 12, 50, 100})
    for (const auto& [low, high] :
         {std::pair{0.001, 0.002}, {0.01, 0.4}, {0.1, 0.2}, {0.2, 0.3}, {0.24, 0.25}, {0.4, 0.49}}) {
      INFO("order " << order << ", from " << low << " to " << high);
      const double error = response_error(order, std::min(low, 0.5 - high)) + response_error(order, high - low);
      const auto stop = upsweep::butterworth_bandstop(order, low, high, 1);
      CHECK(stop.size() == static_cast<std::size_t>(order));
      check_near(gain(stop, low), half_power, error);
      check_near(gain(stop, high), half_power, error);
      check_near(gain(stop, 0), 1, error);
      check_near(gain(stop, 0.5), 1, error);
      CHECK(upsweep::largest_pole(stop) < 1);
      if (order * std::log10(std::tan(std::numbers::pi * (high - low))) < -250) continue;  // its gain would underflow
      const auto pass = upsweep::butterworth_bandpass(order, low, high, 1);
      CHECK(pass.size() == stop.size());
      const double pi = std::numbers::pi;
      const double middle = std::atan(std::sqrt(std::tan(pi * low) * std::tan(pi * high))) / pi;
      check_near(gain(pass, low), half_power, error);
      check_near(gain(pass, high), half_power, error);
      check_near(gain(pass, middle), 1, error);
      check_near(gain(stop, middle), 0, error);
      CHECK(upsweep::largest_pole(pass) < 1);
    }
}

TEST_CASE("Butterworth filters refuse bad input by name") {
  using namespace upsweep;
  for (const auto& filter : {butterworth_lowpass, butterworth_highpass}) {
    const auto told = [&](int order, double cutoff, double rate) {
      return refused([&] { filter(order, cutoff, rate); });
    };
    CHECK(told(0, 1, 8) == "order is 0, must be in [1, 1000]");
    CHECK(told(-3, 1, 8) == "order is -3, must be in [1, 1000]");
    CHECK(told(1001, 1, 8) == "order is 1001, must be in [1, 1000]");
    CHECK(told(1, 0, 8) == "cutoff is 0, must be above 0 and below 4, half of sample_rate");
    CHECK(told(1, -1, 8) == "cutoff is -1, must be above 0 and below 4, half of sample_rate");
    CHECK(told(1, 4, 8) == "cutoff is 4, must be above 0 and below 4, half of sample_rate");
    CHECK(told(1, not_a_number, 1) == "cutoff is nan, must be above 0 and below 0.5, half of sample_rate");
    CHECK(told(1, infinite, 1) == "cutoff is inf, must be above 0 and below 0.5, half of sample_rate");
    CHECK(told(1, 1, 0) == "sample_rate is 0, must be above 0 and finite");
    CHECK(told(1, 1, infinite) == "sample_rate is inf, must be above 0 and finite");
    CHECK(told(1, 1, not_a_number) == "sample_rate is nan, must be above 0 and finite");
  }
  for (const auto& filter : {butterworth_bandpass, butterworth_bandstop}) {
    const auto told = [&](int order, double low, double high, double rate = 8) {
      return refused([&] { filter(order, low, high, rate); });
    };
    CHECK(told(0, 1, 2) == "order is 0, must be in [1, 1000]");
    CHECK(told(1, 0, 2) == "low is 0, must be above 0 and below 4, half of sample_rate");
    CHECK(told(1, not_a_number, 2) == "low is nan, must be above 0 and below 4, half of sample_rate");
    CHECK(told(1, 1, 4.5) == "high is 4.5, must be above 0 and below 4, half of sample_rate");
    CHECK(told(1, 1, infinite) == "high is inf, must be above 0 and below 4, half of sample_rate");
    CHECK(told(1, 2, 2) == "low is 2, must be below high, 2");
    CHECK(told(1, 2.5, 1) == "low is 2.5, must be below high, 1");
    CHECK(told(1, 1, 2, -1) == "sample_rate is -1, must be above 0 and finite");
  }
}

TEST_CASE("Butterworth filters refuse what double cannot hold") {
  using namespace upsweep;
  const std::string underflow = "order is too high for such frequencies: the gain of the first section underflows";
  const std::string rounded =
      "frequencies are too low, too high or too close: a pole reaches the unit circle when rounded to double";
  CHECK(refused([] { butterworth_lowpass(100, 1e-4, 1); }) == underflow);
  CHECK(refused([] { butterworth_bandpass(100, 0.1, 0.1001, 1); }) == underflow);
  CHECK(refused([] { butterworth_bandpass(1000, 0.1, 0.2, 1); }) == underflow);
  CHECK(butterworth_lowpass(70, 1e-4, 1).front().b0 > 0);  // 1e-246
  for (const double lowest : {1e-10, 1e-17, 1e-30, 1e-300, 5e-324}) {
    INFO(lowest);
    CHECK(refused([&] { butterworth_highpass(8, lowest, 1); }) == rounded);
    CHECK(refused([&] { butterworth_bandstop(8, lowest, 2 * lowest, 1); }) == rounded);
    CHECK(refused([&] { butterworth_bandstop(8, lowest, 0.1, 1); }) == rounded);
    CHECK(refused([&] { butterworth_lowpass(2, 0.5 - 0x1p-54, 1); }) == rounded);
  }
  CHECK(refused([] { butterworth_bandstop(2, 0x1.e5p-829, 0x1.58p-45, 1); }) == rounded);  // pairs become real
  for (double cutoff = 1e-3; cutoff > 1e-18; cutoff *= 0.7)
    for (const int order : {1, 2, 5, 8}) {  // whatever comes out is stable
      const auto message = refused([&] {
        const auto filter = butterworth_lowpass(order, cutoff, 1);
        CHECK(largest_pole(filter) < 1);
      });
      CHECK((message == rounded || (message == "(no exception)" && cutoff > 1e-17)));
      if (cutoff > 1e-7) CHECK(message == "(no exception)");
    }
}

// ---------------------------------------------------------------- audio
TEST_CASE("audio sections are their analog prototypes' and SciPy's notch") {
  for (const auto& b : filter_values::biquads) {
    INFO(b.kind << " at " << b.frequency << " of " << b.sample_rate);
    check_section(designed(b), upsweep::to_sections(b.sos).at(0), 1e-14);
  }
}

TEST_CASE("shelves, peaks and notches do what their arguments say") {
  const double rate = 48000;
  for (const double db : {-24., -3., 0., 0.5, 12., 60.})
    for (const double q : {0.3, 0.7, 5.})
      for (const double f : {30., 1000., 15000.}) {
        INFO(db << " dB, q " << q << ", at " << f);
        const double error = 2e-8;  // decibels; at 30 Hz and 60 dB sums of coefficients are down to 1e-7
        const section low = upsweep::low_shelf(f, db, q, rate), high = upsweep::high_shelf(f, db, q, rate);
        const section peak = upsweep::peak(f, db, q, rate);
        check_near(gain_db(low, 0, rate), db, error);
        check_near(gain_db(low, f, rate), db / 2, error);
        check_near(gain_db(low, rate / 2, rate), 0, error);
        check_near(gain_db(high, 0, rate), 0, error);
        check_near(gain_db(high, f, rate), db / 2, error);
        check_near(gain_db(high, rate / 2, rate), db, error);
        check_near(gain_db(peak, 0, rate), 0, error);
        check_near(gain_db(peak, f, rate), db, error);
        check_near(gain_db(peak, rate / 2, rate), 0, error);
        for (const section& s : {low, high, peak}) CHECK(upsweep::largest_pole({&s, 1}) < 1);
      }
  const section notch = upsweep::notch(1000, 4, 8000);  // 250 Hz wide
  CHECK(gain({&notch, 1}, 1000, 8000) < 1e-14);
  CHECK(gain({&notch, 1}, 0, 8000) == Approx(1).epsilon(1e-14));
  double low = 500, high = 1000;
  for (int i = 0; i < 60; i++) (gain({&notch, 1}, (low + high) / 2, 8000) > half_power ? low : high) = (low + high) / 2;
  double from = 1000, to = 2000;
  for (int i = 0; i < 60; i++) (gain({&notch, 1}, (from + to) / 2, 8000) < half_power ? from : to) = (from + to) / 2;
  check_near(to - high, 250, 1e-9);
}

TEST_CASE("audio sections refuse bad input by name") {
  using namespace upsweep;
  for (const auto& filter : {low_shelf, high_shelf, peak}) {
    const auto told = [&](double f, double db, double q, double rate = 8) {
      return refused([&] { filter(f, db, q, rate); });
    };
    CHECK(told(0, 0, 1) == "frequency is 0, must be above 0 and below 4, half of sample_rate");
    CHECK(told(4, 0, 1) == "frequency is 4, must be above 0 and below 4, half of sample_rate");
    CHECK(told(not_a_number, 0, 1) == "frequency is nan, must be above 0 and below 4, half of sample_rate");
    CHECK(told(1, 0, 1, 0) == "sample_rate is 0, must be above 0 and finite");
    CHECK(told(1, 301, 1) == "gain_db is 301, must be in [-300, 300]");
    CHECK(told(1, -infinite, 1) == "gain_db is -inf, must be in [-300, 300]");
    CHECK(told(1, not_a_number, 1) == "gain_db is nan, must be in [-300, 300]");
    CHECK(told(1, 0, 0) == "q is 0, must be above 0 and finite");
    CHECK(told(1, 0, -1) == "q is -1, must be above 0 and finite");
    CHECK(told(1, 0, infinite) == "q is inf, must be above 0 and finite");
    CHECK(told(1, 1, 1e-310) == "q is too low: the coefficients overflow");
    CHECK(told(1, 1, 1e20) == "q is too high, or frequency too low: a pole reaches the unit circle when rounded");
  }
  const auto told = [&](double f, double q, double rate = 8) { return refused([&] { notch(f, q, rate); }); };
  CHECK(told(4, 1) == "frequency is 4, must be above 0 and below 4, half of sample_rate");
  CHECK(told(1, 1, -1) == "sample_rate is -1, must be above 0 and finite");
  CHECK(told(1, 0.25) == "q is 0.25, must be finite and above 0.25, twice frequency over sample_rate");
  CHECK(told(1, infinite) == "q is inf, must be finite and above 0.25, twice frequency over sample_rate");
  CHECK(told(1, not_a_number) == "q is nan, must be finite and above 0.25, twice frequency over sample_rate");
  CHECK(told(1, 1e20) == "q is too high, or frequency too low: a pole reaches the unit circle when rounded");
  CHECK(told(1, 0.26) == "(no exception)");
}

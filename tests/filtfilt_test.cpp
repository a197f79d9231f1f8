// sosfiltfilt and filtfilt against SciPy's numbers and the serial oracle.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include <upsweep/filter_design.hpp>
#include <upsweep/filtfilt.hpp>

#include "filter_support.hpp"
#include "filter_values.hpp"
#include "support.hpp"

using test::check_near;
using test::check_same_bits;
using test::filter;
using test::guarded;
using upsweep::index_t;

namespace {
std::vector<double> to_vector(filter_values::values v) { return {v.begin(), v.end()}; }

index_t padding_of(const filter& f) {
  return f.sections.empty() ? oracle::padding_of(f.b, f.a) : oracle::padding_of(f.sections);
}
template <class T>
oracle::reals serial_both(const filter& f, const std::vector<T>& in) {
  const auto serial = f.sections.empty() ? oracle::serial_filter<>(f.b, f.a) : oracle::serial_filter<>(f.sections);
  return oracle::forth_and_back(serial, padding_of(f), std::span<const T>(in));
}
template <class Executor, class In, class Out>
void both_ways(Executor& executor, const filter& f, std::span<const In> in, std::span<Out> out) {
  if (f.sections.empty()) upsweep::filtfilt(executor, f.b, f.a, in, out);
  else upsweep::sosfiltfilt(executor, f.sections, in, out);
}
template <class T, class Executor>
std::vector<T> run_both(Executor& executor, const filter& f, const std::vector<T>& in, index_t shift = 0,
                        bool in_place = false) {
  guarded<T> from(executor, in, shift), to(executor, from.size(), shift / 2);
  both_ways(executor, f, std::span<const T>(from.range()), in_place ? from.range() : to.range());
  if (!in_place) check_same_bits(from.items(executor), in);
  return (in_place ? from : to).items(executor);
}
template <class Case>
void check_scipy(const filter& f, const Case& expected) {
  INFO(expected.name);
  std::vector<double> in;
  for (int i = 0; i < filter_values::samples; i++) in.push_back(filter_values::input(i));
  const std::vector<float> floats(in.begin(), in.end());
  test::on_executors([&](auto& executor) {
    check_near(run_both(executor, f, in), expected.y_both, 1e-11L);
    check_near(run_both(executor, f, floats), expected.y_both, 1e-11L);
  });
}
std::vector<filter> some_filters() {
  std::vector<filter> all;
  for (const int sections : {1, 2, 3, 8, 9, 17}) all.push_back(test::random_cascade(sections));
  for (const int order : {1, 2, 3, 6, 8}) all.push_back(test::random_polynomials(order, order % 2 ? 2 : 1));
  all.push_back({upsweep::butterworth_bandpass(3, 0.01, 0.2, 1.), {}, {}});
  all.push_back({{{.b0 = 0.2, .a1 = -0.8}, {.b0 = 0.5, .b1 = 0.5}}, {}, {}});  // b2 and a2 are zeros
  all.push_back({{}, {0.25, 0.5, 0.25}, {1}});
  all.push_back({{}, {2}, {4}});
  return all;
}
}  // namespace

TEST_CASE("sosfiltfilt and filtfilt give SciPy's outputs") {
  for (const auto& expected : filter_values::sosfilt_cases)
    check_scipy({upsweep::to_sections(expected.sos), {}, {}}, expected);
  int left_out = 0;
  for (const auto& expected : filter_values::lfilter_cases) {
    const filter f{{}, to_vector(expected.b), to_vector(expected.a)};
    if (f.entries() <= 8) check_scipy(f, expected);
    else left_out++;
  }
  CHECK(left_out == 1);
}

TEST_CASE("both ways equals the serial filter at every size above the padding") {
  if (test::without_executors()) return;
  for (const filter& f : some_filters()) {
    INFO(f.name());
    const index_t least = padding_of(f) + 1;
    for (const index_t n : {least, least + 1, index_t{1000}, index_t{4608}, index_t{20'001}, index_t{150'000}}) {
      INFO("n = " << n);
      const auto in = test::noise<double>(n);
      const std::vector<float> floats(in.begin(), in.end());
      const auto expected = serial_both(f, in);
      const auto check = [&](auto& executor) {
        const auto y = run_both(executor, f, in, test::shift_of(n));
        check_near(y, expected, 1e-11L);
        check_same_bits(run_both(executor, f, in, 1, true), y);
        check_near(run_both(executor, f, floats, test::shift_of(n)), expected, 1e-11L);
      };
      test::on_host(3, check);
      test::on_device(check);
    }
  }
}

TEST_CASE("channels are filtered both ways each alone, in planes and interleaved") {
  const auto check = [](auto& executor, const filter& f, index_t channels, index_t length) {
    INFO(f.name() << ", " << channels << " channels of " << length);
    const index_t pitch = length + 3;
    const auto in = test::noise<float>(channels * pitch);
    std::vector<float> turned;
    for (index_t t = 0; t < length; t++)
      for (index_t c = 0; c < channels; c++) turned.push_back(in[oracle::at(c * pitch + t)]);
    guarded<float> from(executor, in, 1), to(executor, channels * pitch, 2), turned_from(executor, turned),
        turned_to(executor, channels * length, 3);
    const upsweep::planar planes{channels, length, pitch};
    const auto run = [&](const auto& source, auto result, const auto& layout) {
      const std::span<const float> samples(source);
      if (f.sections.empty()) upsweep::filtfilt(executor, f.b, f.a, samples, result, layout);
      else upsweep::sosfiltfilt(executor, f.sections, samples, result, layout);
    };
    const auto before = to.items(executor);
    run(from.range(), to.range(), planes);
    run(turned_from.range(), turned_to.range(), upsweep::interleaved{channels});
    const auto y = to.items(executor), of_turned = turned_to.items(executor);
    run(from.range(), from.range(), planes);
    const auto in_place = from.items(executor);
    for (index_t c = 0; c < channels; c++) {
      INFO("channel " << c);
      const auto own = [&](const auto& all) { return test::part_of(all, c * pitch, length); };
      check_near(own(y), serial_both(f, own(in)), 1e-11L);
      check_same_bits(own(in_place), own(y));
      std::vector<float> same;
      for (index_t t = 0; t < length; t++) same.push_back(of_turned[oracle::at(t * channels + c)]);
      check_same_bits(same, own(y));
      for (index_t i = c * pitch + length; i < (c + 1) * pitch; i++) {
        REQUIRE(in_place[oracle::at(i)] == in[oracle::at(i)]);
        if (c + 1 < channels) check_same_bits(std::vector{y[oracle::at(i)]}, std::vector{before[oracle::at(i)]});
      }
    }
  };
  for (const filter& f :
       {test::random_cascade(1), test::random_cascade(3), test::random_cascade(9), test::random_polynomials(3)})
    test::on_executors([&](auto& executor) {
      check(executor, f, 1, 500);
      check(executor, f, 2, 5001);
      check(executor, f, 5, 130);
      check(executor, f, 70, 300);
      check(executor, f, 800, 61);  // a GPU filters so many by a warp each, in both directions
    });
  test::on_device([&](auto& executor) {
    check(executor, test::random_cascade(2), 6, 40'003);
    check(executor, test::random_cascade(4), 790, 1500);
  });
}

TEST_CASE("both ways gives the same bits for any number of threads") {
  if (test::without_executors()) return;
  for (const filter& f : some_filters()) {
    INFO(f.name());
    const auto in = test::noise<double>(200'003);
    upsweep::host one(1);
    const auto expected = run_both(one, f, in);
    test::on_hosts([&](auto& executor) { check_same_bits(run_both(executor, f, in), expected); });
  }
}

TEST_CASE("nothing is delayed: turned signals give turned results, a line stays a line") {
  const filter f{upsweep::butterworth_lowpass(5, 0.03, 1.), {}, {}};
  const index_t n = 30'000;
  std::vector<double> line;
  for (index_t i = 0; i < n; i++) line.push_back(3 - 0.001 * static_cast<double>(i));
  std::vector<double> bump(oracle::at(n));
  bump[10'000] = 1;
  test::on_executors([&](auto& executor) {
    // Away from the ends, where a settled start knows of constants only.
    const auto y = run_both(executor, f, line);
    const std::vector<double> inner(y.begin() + 5000, y.end() - 5000);
    check_near(inner, std::span<const double>(line).subspan(5000, oracle::at(n - 10'000)), 1e-9L);
    const auto response = run_both(executor, f, bump);
    const auto top = std::max_element(response.begin(), response.end()) - response.begin();
    CHECK(top == 10'000);
    for (std::size_t k = 0; k < 300; k++)
      REQUIRE(std::abs(response[10'000 + k] - response[10'000 - k]) <= 1e-12 * response[10'000]);
    // A constant is what it was times the gain, from the first sample to the last.
    const std::vector<double> constant(oracle::at(n), -2.5);
    check_near(run_both(executor, f, constant), std::span<const double>(constant), 1e-10L);
    test::check_equal(run_both(executor, f, std::vector<double>(500)), std::vector<double>(500));
  });
}

TEST_CASE("both ways: int16 in and out") {
  const filter f{upsweep::butterworth_highpass(2, 0.1, 1.), {}, {}};
  const auto in = test::random_integers<std::int16_t>(10'000);
  const auto expected = serial_both(f, in);
  test::on_executors([&](auto& executor) {
    const auto y = run_both(executor, f, in);
    for (std::size_t i = 0; i < y.size(); i++) {
      const long double held = std::min(32767.L, std::max(-32768.L, expected[i]));
      if (std::abs(y[i] - held) > 0.5L + 1e-6L) FAIL("item " << i << " is " << y[i]);
    }
  });
}

TEST_CASE("wrong calls of both ways are refused by name, and nothing is written") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  test::on_executors([&](auto& executor) {
    guarded<double> in(executor, test::noise<double>(30)), out(executor, 30);
    const auto refused = [&](const std::string& part, const filter& f, index_t size, index_t to_size = 30) {
      const std::string message = test::message_of<std::invalid_argument>([&] {
        const std::span<const double> from(in.data(), oracle::at(size));
        if (f.b.empty() && f.a.empty()) upsweep::sosfiltfilt(executor, f.sections, from, out.first(to_size));
        else upsweep::filtfilt(executor, f.b, f.a, from, out.first(to_size));
      });
      INFO(message << " | expected: " << part);
      CHECK(test::contains(message, part));
      CHECK(out.untouched_from(executor));
    };
    const filter two = test::random_cascade(2), three = test::random_polynomials(3);
    refused("in has 15 samples, needs more than the padding of 15", two, 15);
    refused("in has 0 samples", two, 0);
    const auto of_channels = [&](const std::string& part, const upsweep::planar& layout) {
      const auto message = test::message_of<std::invalid_argument>([&] {
        upsweep::sosfiltfilt(executor, two.sections, std::span<const double>(in.range()), out.range(), layout);
      });
      INFO(message << " | expected: " << part);
      CHECK(test::contains(message, part));
      CHECK(out.untouched_from(executor));
    };
    of_channels("in has 15 samples a channel, needs more than the padding of 15", {.channels = 2});
    of_channels("in has 30 items, which is no multiple of the 4 channels", {.channels = 4});
    of_channels("channels is 0, must be at least 1", {.channels = 0});
    refused("in has 12 samples, needs more than the padding of 12", three, 12);
    refused("out has 29 items, needs 30", two, 30, 29);
    refused("out has 29 items, needs 30", three, 30, 29);
    refused("sections is empty", {}, 30);
    refused("section 0: a0 is 3, must be 1", {{{.a0 = 3}}, {}, {}}, 30);
    refused("section 0: b0 is nan, must be finite", {{{.b0 = nan}}, {}, {}}, 30);
    refused("a pole at z = 1", {{{.a1 = -1}}, {}, {}}, 30);
    refused("a has a pole at z = 1", {{}, {1}, {1, -1}}, 30);
    refused("a[0] is 0, must not be", {{}, {1}, {0, 1}}, 30);
    refused("b[0] is nan, must be finite", {{}, {nan}, {1}}, 30);
    refused("a is empty", {{}, {1}, {}}, 30);
    refused("b and a make a filter of order 9, at most 8 here", {{}, std::vector<double>(10, 1.), {1}}, 30);
    const auto overlap = test::message_of<std::invalid_argument>(
        [&] { upsweep::sosfiltfilt(executor, two.sections, out.first(29), std::span<double>(out.data() + 1, 29)); });
    CHECK(test::contains(overlap, "out overlaps in: it must be the same range or a disjoint one"));
    CHECK(out.untouched_from(executor));
  });
}

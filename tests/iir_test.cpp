// sosfilt and lfilter of float and double: against SciPy's numbers and the serial oracle, in pieces, in place. Special
// signals and filters: iir_signals_test.cpp; channels in planes: iir_channels_test.cpp; other samples and layouts:
// iir_layouts_test.cpp.
#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <vector>

#include <upsweep/filter_design.hpp>
#include <upsweep/iir.hpp>

#include "filter_support.hpp"
#include "filter_values.hpp"
#include "support.hpp"

using test::check_near;
using test::check_same_bits;
using test::filter;
using test::guarded;
using test::run_filter;
using test::serial_filter;
using upsweep::filter_block;
using upsweep::index_t;

namespace {
std::vector<double> to_vector(filter_values::values v) { return {v.begin(), v.end()}; }

template <class T>
std::vector<T> scipy_input() {
  std::vector<T> x;
  for (int i = 0; i < filter_values::samples; i++) x.push_back(static_cast<T>(filter_values::input(i)));
  return x;
}
template <class T, class Case>
void check_scipy(const filter& f, const Case& expected) {
  INFO(expected.name);
  const auto in = scipy_input<T>();
  std::vector<double> settled = to_vector(expected.zi);
  for (double& entry : settled) entry *= static_cast<double>(in[0]);
  REQUIRE(static_cast<index_t>(settled.size()) == f.entries());
  constexpr long double tolerance = 1e-11L;  // 3e-12 was seen on an H200, of poles near 1
  test::on_executors([&](auto& executor) {
    const auto silent = run_filter<T>(executor, f, in, std::vector<double>(settled.size()));
    check_near(silent.y, expected.y, tolerance);
    check_near(silent.state, expected.zf, tolerance);
    const auto started = run_filter<T>(executor, f, in, settled);
    check_near(started.y, expected.y_zi, tolerance);
    check_near(started.state, expected.zf_zi, tolerance);
    // Without a state the same as from silence.
    guarded<T> from(executor, in, 3), to(executor, from.size(), 5);
    if (f.sections.empty()) upsweep::lfilter(executor, f.b, f.a, from.range(), to.range());
    else upsweep::sosfilt(executor, f.sections, from.range(), to.range());
    check_same_bits(to.items(executor), silent.y);
  });
}

//! Sizes around lanes, warps, tiles and blocks of both engines.
std::vector<index_t> filter_sizes() {
  std::vector<index_t> all = {0, 1, 2, 3, 7};
  for (const index_t edge : {18,   24,   36,   40,   128,  576,   768,   1024,  1152,   1280,
                             2304, 3072, 4608, 5120, 9216, 16384, 32768, 98304, 147456, 163840})
    for (const index_t n : {edge - 1, edge, edge + 1}) all.push_back(n);
  test::generator random(77);
  for (const std::uint64_t bound : {100u, 3000u, 20000u, 300000u})
    for (int k = 0; k < 2; k++) all.push_back(static_cast<index_t>(random.below(bound)));
  std::sort(all.begin(), all.end());
  return test::some_if_sanitized(3, all);
}
//! Within `tolerance`, which was seen, and within what the method allows.
template <class T>
void check_sizes(const filter& f, long double tolerance, const std::vector<index_t>& sizes) {
  INFO(f.name());
  const double error = test::error_of(f, 1, 1);
  const auto all = test::noise<T>(sizes.back());
  const std::vector<double> start = test::some_state(f.entries());
  serial_filter serial(f, start);
  oracle::reals y, states;
  std::vector<oracle::reals> behind;
  for (const index_t n : sizes) {
    while (oracle::size(y) < n) y.push_back(serial(static_cast<long double>(all[y.size()])));
    behind.push_back(serial.state());
  }
  const auto check = [&](auto& executor) {
    for (std::size_t k = 0; k < sizes.size(); k++) {
      INFO("n = " << sizes[k]);
      const std::vector<T> in(all.begin(), all.begin() + sizes[k]);
      const auto whole = run_filter<T>(executor, f, in, start, {}, test::shift_of(sizes[k]));
      const oracle::reals expected(y.begin(), y.begin() + sizes[k]);
      check_near(whole.y, expected, tolerance);
      test::check_within(whole.y, expected, error);
      check_near(whole.state, behind[k], tolerance);
    }
  };
  test::on_host(3, check);  // others give the same bits, see below
  test::on_device(check);
}
}  // namespace

TEST_CASE("sosfilt gives SciPy's outputs and states") {
  for (const auto& expected : filter_values::sosfilt_cases) {
    const filter f{upsweep::to_sections(expected.sos), {}, {}};
    check_scipy<double>(f, expected);
    check_scipy<float>(f, expected);
    // Rows of six numbers are sections, too.
    upsweep::host executor;
    const auto in = scipy_input<double>();
    std::vector<double> out(in.size());
    upsweep::sosfilt(executor, expected.sos, in, out);
    check_near(out, expected.y, 1e-12L);
  }
}

TEST_CASE("lfilter gives SciPy's outputs and states") {
  for (const auto& expected : filter_values::lfilter_cases) {
    const filter f{{}, to_vector(expected.b), to_vector(expected.a)};
    check_scipy<double>(f, expected);
    check_scipy<float>(f, expected);
  }
}

TEST_CASE("coefficients of lfilter are numbers of any type") {
  const std::vector<double> in = test::random_floats<double>(1000);
  test::on_host(2, [&](auto& executor) {
    std::vector<double> by_doubles(in.size()), by_others(in.size());
    upsweep::lfilter(executor, std::array{1., 2.}, std::array{2., -0.5}, in, by_doubles);
    upsweep::lfilter(executor, std::array<int, 2>{1, 2}, std::vector{2.f, -0.5f}, in, by_others);
    test::check_same_bits(by_others, by_doubles);
  });
}

TEST_CASE("cascades of 1 to 10 sections equal the serial filter at every size and from any state") {
  if (test::without_executors()) return;
  for (int sections = 1; sections <= 10; sections++)
    check_sizes<double>(test::random_cascade(sections), 1e-13L, filter_sizes());
  for (const int sections : {1, 2, 3, 5, 9}) check_sizes<float>(test::random_cascade(sections), 1e-13L, filter_sizes());
  check_sizes<double>(test::random_cascade(17), 1e-13L, {1, 1000, 40'000});
}

TEST_CASE("polynomials of orders 1 to 8, and higher ones sample by sample, equal the serial filter") {
  for (int order = 1; order <= 8; order++)
    check_sizes<double>(test::random_polynomials(order, order % 2 ? 1 : -2.5), 1e-12L, filter_sizes());
  for (const int order : {1, 3, 8}) check_sizes<float>(test::random_polynomials(order), 1e-12L, filter_sizes());
  for (const int order : {9, 12, 20, 64}) check_sizes<double>(test::random_polynomials(order), 1e-12L, {1, 127, 3001});
  check_sizes<float>(test::random_polynomials(12), 1e-12L, {1, 127, 3001});
  check_sizes<double>({{}, {0.5, -1, 0.25}, {1}}, 1e-15L, {1, 2, 3, 5000});
  check_sizes<double>({{}, {3}, {2, -1, 0.5, 0.1, 0.2}}, 1e-14L, {1, 2, 3, 5000});
  check_sizes<double>({{}, {3}, {2}}, 1e-15L, {1, 2, 3, 5000});  // a gain: no state at all
}

TEST_CASE("the error of a float signal is its own rounding, down to cut-offs of 1e-4") {
  if (test::without_executors()) return;
  const index_t n = 1 << 20;
  const auto in = test::generate(n, [](test::generator& random) {  // close to normal, of variance 1
    double sum = -6;
    for (int k = 0; k < 12; k++) sum += random.unit();
    return static_cast<float>(sum);
  });
  const std::vector<double> in_double(in.begin(), in.end());
  const auto rms = [](const auto& of) {
    long double sum = 0;
    for (std::size_t i = 0; i < oracle::at(n); i++) sum += of(i) * of(i);
    return static_cast<double>(std::sqrt(sum / n));
  };
  // Seen on the host, as fractions of the output (2026-11-21): 2.5e-8 of float at every cut-off, which is what rounding
  // the exact result gives; of double 1.7e-16, 4.4e-15, 1.2e-12, 1.2e-10: it goes with the square of the period. On an
  // H200 the same of float, and of double up to 1.0e-11 and 1.5e-8: its powers span more samples, and their entries, as
  // large as the period, cancel.
  for (const double cut : {1e-1, 1e-2, 1e-3, 1e-4}) {
    const filter f{upsweep::butterworth_lowpass(2, cut, 1.), {}, {}};
    const auto expected = serial_filter(f)(in);
    const double signal = rms([&](std::size_t i) { return expected[i]; });
    const auto check = [&](auto& executor) {
      const bool on_host = std::is_same_v<std::remove_cvref_t<decltype(executor)>, upsweep::host>;
      const auto y = run_filter<float>(executor, f, in, {0, 0}).y;
      const auto y_double = run_filter<double>(executor, f, in_double, {0, 0}).y;
      const double error = rms([&](std::size_t i) { return y[i] - expected[i]; });
      const double error_double = rms([&](std::size_t i) { return y_double[i] - expected[i]; });
      INFO("cut-off " << cut << ", rms of the output " << signal << ", of its error " << error << " (float), "
                      << error_double << " (double)");
      CHECK(error <= 1e-6);
      CHECK(error <= 3e-8 * signal);
      CHECK(error_double <= (on_host ? 1e-17 : 3e-16) / (cut * cut) * signal);
    };
    test::on_host(3, check);
    test::on_device(check);
  }
}

TEST_CASE("pieces of whole blocks give the bits of the whole, states too") {
  const auto check = [](auto& executor, const auto& in, const std::vector<index_t>& lengths) {
    using T = std::decay_t<decltype(in[0])>;
    for (const filter& f : test::some_filters()) {
      INFO(f.name());
      const auto start = test::some_state(f.entries());
      const auto whole = run_filter<T>(executor, f, in, start);
      for (const index_t length : lengths) {
        INFO("pieces of " << length);
        const auto pieces = test::run_in_pieces<T>(executor, f, in, start, length);
        check_same_bits(pieces.y, whole.y);
        check_same_bits(pieces.state, whole.state);
      }
    }
  };
  for (const index_t n : test::some_if_sanitized(2, std::vector<index_t>{128 * 300 + 77, 128 * 1100})) {
    const auto floats = test::noise<float>(n);
    const auto doubles = test::noise<double>(n);
    const auto lengths = test::some_if_sanitized(2, std::vector<index_t>{128, 384, 1024, 8192, 32768 + 128, 65536});
    test::on_host(3, [&](auto& host) {
      check(host, floats, lengths);
      check(host, doubles, lengths);
    });
  }
  test::on_device([&](auto& executor) {
    const auto blocks = [&]<class T>(T, index_t n, std::initializer_list<int> counts) {
      std::vector<index_t> lengths;
      for (const int count : counts) lengths.push_back(count * filter_block<T>);
      check(executor, test::noise<T>(n), lengths);
    };
    blocks(float{}, 4 * filter_block<float>, {1, 3});
    blocks(float{}, 2 * filter_block<float> + 4321, {1, 2});
    blocks(double{}, 10 * filter_block<double>, {1, 3, 9});
    blocks(double{}, 2 * filter_block<double> - 1, {1});
  });
}

TEST_CASE("pieces of any lengths give the whole to rounding") {
  for (const filter& f : test::some_filters()) {
    INFO(f.name());
    const auto start = test::some_state(f.entries());
    for (const index_t length : {1, 7, 1000, 4097}) {
      INFO("pieces of " << length);
      const index_t n = length == 1 ? 700 : 23'456;
      const auto in = test::noise<double>(n);
      serial_filter serial(f, start);
      const auto expected = serial(in);
      const auto check = [&](auto& executor) {
        if (length == 7 && n > 7000) {
          const std::vector<double> some(in.begin(), in.begin() + 5000);
          check_near(test::run_in_pieces<double>(executor, f, some, start, length).y,
                     std::span<const long double>(expected).first(5000), 1e-13L);
          return;
        }
        const auto pieces = test::run_in_pieces<double>(executor, f, in, start, length);
        check_near(pieces.y, expected, 1e-13L);
        check_near(pieces.state, serial.state(), 1e-13L);
      };
      test::on_host(3, check);
      test::on_device(check);
    }
  }
}

TEST_CASE("the same bits for any number of threads, in place, and wherever memory begins") {
  const auto check = [](auto sample, index_t n) {
    using T = decltype(sample);
    const auto in = test::noise<T>(n);
    for (const filter& f : test::some_filters()) {
      INFO(f.name() << ", n = " << n);
      const auto start = test::some_state(f.entries());
      const auto same = [&](auto& executor, const test::filtered<T>& expected, index_t shift, bool in_place) {
        INFO("shift " << shift << (in_place ? ", in place" : ""));
        const auto again = run_filter<T>(executor, f, in, start, {}, shift, in_place);
        check_same_bits(again.y, expected.y);
        check_same_bits(again.state, expected.state);
      };
      test::filtered<T> of_one;
      test::on_host(1, [&](auto& executor) { of_one = run_filter<T>(executor, f, in, start); });
      test::on_hosts([&](auto& executor) {
        same(executor, of_one, 1, false);
        same(executor, of_one, 2, true);
      });
      test::on_device([&](auto& executor) {
        const auto on_device = run_filter<T>(executor, f, in, start);
        for (const index_t shift : {0, 1, 2, 3, 4, 13})
          for (const bool in_place : {false, true}) same(executor, on_device, shift, in_place);
      });
    }
  };
  for (const index_t n : {1000, 9216 * 3, 400'003}) check(float{}, n);
  for (const index_t n : {1001, 270'011}) check(double{}, n);
  if (test::has_device()) check(float{}, 3'000'017);
}

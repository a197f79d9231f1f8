// sosfilt and lfilter of float and double, channels in planes: against SciPy's numbers and the serial oracle, in
// pieces, in place; what is special in signals and filters; errors. Other samples and layouts: iir_layouts_test.cpp.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include <upsweep/filter_design.hpp>
#include <upsweep/iir.hpp>

#include "filter_oracle.hpp"
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
  for (const index_t edge : {18, 36, 128, 576, 1024, 1152, 2304, 4608, 9216, 16384, 32768, 73728, 147456, 294912})
    for (const index_t n : {edge - 1, edge, edge + 1}) all.push_back(n);
  test::generator random(77);
  for (const std::uint64_t bound : {100u, 3000u, 20000u, 300000u})
    for (int k = 0; k < 2; k++) all.push_back(static_cast<index_t>(random.below(bound)));
  std::sort(all.begin(), all.end());
  return all;
}
template <class T>
void check_sizes(const filter& f, long double tolerance, const std::vector<index_t>& sizes) {
  INFO(f.name());
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
      check_near(whole.y, std::span<const long double>(y).first(in.size()), tolerance);
      check_near(whole.state, behind[k], tolerance);
    }
  };
  upsweep::host executor(3);  // others give the same bits, see below
  check(executor);
  test::on_device(check);
}
std::vector<filter> some_filters() {
  return {test::random_cascade(1),        test::random_cascade(2),    test::random_cascade(4),
          test::random_cascade(5),        test::random_cascade(9),    test::random_polynomials(1),
          test::random_polynomials(3, 2), test::random_polynomials(7)};
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

TEST_CASE("cascades of 1 to 10 sections equal the serial filter at every size and from any state") {
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
    upsweep::host executor(3);
    check(executor);
    test::on_device(check);
  }
}

TEST_CASE("pieces of whole blocks give the bits of the whole, states too") {
  const auto check = [](auto& executor, const auto& in, const std::vector<index_t>& lengths) {
    using T = std::decay_t<decltype(in[0])>;
    for (const filter& f : some_filters()) {
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
  for (const index_t n : {128 * 1100, 128 * 300 + 77}) {
    const auto floats = test::noise<float>(n);
    const auto doubles = test::noise<double>(n);
    const std::vector<index_t> lengths = {128, 384, 1024, 8192, 32768 + 128, 65536};
    upsweep::host executor(3);
    check(executor, floats, lengths);
    check(executor, doubles, lengths);
  }
  test::on_device([&](auto& executor) {
    const auto blocks = [&]<class T>(T, index_t n, std::initializer_list<int> counts) {
      std::vector<index_t> lengths;
      for (const int count : counts) lengths.push_back(count * filter_block<T>);
      check(executor, test::noise<T>(n), lengths);
    };
    blocks(float{}, 20 * filter_block<float>, {1, 3, 9, 12});
    blocks(float{}, 9 * filter_block<float> + 4321, {1, 2, 8});
    blocks(double{}, 20 * filter_block<double>, {1, 5, 17});
    blocks(double{}, 2 * filter_block<double> - 1, {1});
  });
}

TEST_CASE("pieces of any lengths give the whole to rounding") {
  for (const filter& f : some_filters()) {
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
      upsweep::host executor(3);
      check(executor);
      test::on_device(check);
    }
  }
}

TEST_CASE("the same bits for any number of threads, in place, and wherever memory begins") {
  const auto check = [](auto sample, index_t n) {
    using T = decltype(sample);
    const auto in = test::noise<T>(n);
    for (const filter& f : some_filters()) {
      INFO(f.name() << ", n = " << n);
      const auto start = test::some_state(f.entries());
      const auto same = [&](auto& executor, const test::filtered<T>& expected, index_t shift, bool in_place) {
        INFO("shift " << shift << (in_place ? ", in place" : ""));
        const auto again = run_filter<T>(executor, f, in, start, {}, shift, in_place);
        check_same_bits(again.y, expected.y);
        check_same_bits(again.state, expected.state);
      };
      upsweep::host one(1);
      const auto expected = run_filter<T>(one, f, in, start);
      test::on_hosts([&](auto& executor) {
        same(executor, expected, 1, false);
        same(executor, expected, 2, true);
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

TEST_CASE("channels in planes: each is filtered alone, and what lies between them stays") {
  const auto check = [](auto& executor, const filter& f, index_t channels, index_t length, index_t pitch,
                        bool in_place) {
    INFO(f.name() << ", " << channels << " channels of " << length << ", pitch " << pitch);
    const index_t extent = (channels - 1) * pitch + length;
    const auto in = test::noise<float>(extent + 9);
    guarded<float> from(executor, in, 1), to(executor, extent + 9, 2);
    std::vector<double> state(oracle::at(f.entries() * channels));
    std::vector<std::vector<double>> starts;
    for (index_t c = 0; c < channels; c++) {
      starts.push_back(test::some_state(f.entries()));
      for (index_t k = 0; k < f.entries(); k++) {
        starts.back()[oracle::at(k)] *= static_cast<double>(c + 1);
        state[f.place(k, c, channels)] = starts.back()[oracle::at(k)];
      }
    }
    guarded<double> kept(executor, state);
    guarded<float>& written = in_place ? from : to;
    const std::vector<float> before = written.items(executor);
    f(executor, std::span<const float>(from.range()), written.range(), kept.range(),
      upsweep::planar{channels, length, pitch});
    const std::vector<float> after = written.items(executor);
    const std::vector<double> states = kept.items(executor);
    for (index_t c = 0; c < channels; c++) {
      INFO("channel " << c);
      const auto first = in.begin() + c * pitch;
      serial_filter serial(f, starts[oracle::at(c)]);
      const auto expected = serial(std::vector<float>(first, first + length));
      check_near(std::vector<float>(after.begin() + c * pitch, after.begin() + c * pitch + length), expected, 1e-13L);
      std::vector<double> own;
      for (index_t k = 0; k < f.entries(); k++) own.push_back(states[f.place(k, c, channels)]);
      check_near(own, serial.state(), 1e-13L);
      const index_t gap = c + 1 < channels ? pitch - length : 9;
      const auto between = [&](const std::vector<float>& all) {
        return std::vector<float>(all.begin() + c * pitch + length, all.begin() + c * pitch + length + gap);
      };
      check_same_bits(between(after), between(before));
    }
  };
  for (const filter& f : {test::random_cascade(1), test::random_cascade(3), test::random_cascade(9),
                          test::random_polynomials(4), test::random_polynomials(10)})
    test::on_executors([&](auto& executor) {
      check(executor, f, 1, 5000, 5000, false);
      check(executor, f, 2, 1000, 1003, true);
      check(executor, f, 7, 129, 130, false);
      check(executor, f, 40, 300, 300, true);
      check(executor, f, 3, 10'000, 10'001, false);
      check(executor, f, 64, 1, 1, true);  // from 64 on a GPU takes all at once
      check(executor, f, 67, 37, 40, false);
      check(executor, f, 66, 1152, 1155, true);
      check(executor, f, 65, 2500, 2500, false);
    });
}

TEST_CASE("pieces of many channels, of whole blocks, give the bits of the whole") {
  const auto check = [](auto& executor, auto sample, const filter& f, index_t length, index_t piece) {
    using T = decltype(sample);
    INFO(f.name() << ", 65 channels of " << length << " in pieces of " << piece);
    const index_t channels = 65;
    const auto in = test::noise<T>(channels * length);
    const auto start = test::some_state(f.entries() * channels);
    const auto whole = run_filter<T>(executor, f, in, start, upsweep::planar{channels});
    guarded<T> from(executor, in);
    guarded<double> state(executor, start);
    for (index_t first = 0; first < length; first += piece) {
      const auto size = oracle::at(channels * length - first);
      const std::span<T> rest(from.data() + first, size);
      f(executor, std::span<const T>(rest), rest, state.range(),
        upsweep::planar{channels, std::min(piece, length - first), length});
    }
    check_same_bits(from.items(executor), whole.y);
    check_same_bits(state.items(executor), whole.state);
  };
  for (const filter& f : {test::random_cascade(1), test::random_cascade(9), test::random_polynomials(8)}) {
    upsweep::host executor(3);
    check(executor, float{}, f, 1000, 128);
    check(executor, double{}, f, 128 * 11, 384);
    test::on_device([&](auto& on_device) {
      check(on_device, float{}, f, 2 * filter_block<float> + 1000, filter_block<float>);
      check(on_device, double{}, f, 3 * filter_block<double>, filter_block<double>);
    });
  }
}

TEST_CASE("planar gives length and pitch from the range and from one another") {
  upsweep::host executor;
  const filter f = test::random_cascade(1);
  const auto in = test::noise<float>(60);
  const auto run = [&](const upsweep::planar& layout, index_t out_size) {
    std::vector<float> out(oracle::at(out_size), 99.f);
    upsweep::sosfilt(executor, f.sections, in, out, upsweep::no_state, layout);
    return out;
  };
  const auto thirds = run({.channels = 3, .length = 20, .pitch = 20}, 60);
  check_same_bits(run({.channels = 3}, 60), thirds);
  check_same_bits(run({.channels = 3, .length = 20}, 60), thirds);
  check_same_bits(run({.channels = 3, .pitch = 20}, 60), thirds);
  const auto first = run({.length = 20}, 60);
  for (std::size_t i = 0; i < 60; i++) CHECK(first[i] == (i < 20 ? thirds[i] : 99.f));
  // Nothing is filtered and nothing changed.
  std::vector<float> none;
  std::vector<double> state{1, 2};
  upsweep::sosfilt(executor, f.sections, none, none, state);
  CHECK(state == std::vector<double>{1, 2});
}

// ---------------------------------------------------------------- special signals and filters
TEST_CASE("impulse and step") {
  for (const filter& f : some_filters()) {
    INFO(f.name());
    const std::vector<double> silent(oracle::at(f.entries()));
    for (const index_t n : {200, 30'000}) {
      std::vector<double> impulse(oracle::at(n)), step(oracle::at(n), 1.);
      impulse[0] = 1;
      const auto response = serial_filter(f)(impulse), rise = serial_filter(f)(step);
      test::on_executors([&](auto& executor) {
        check_near(run_filter<double>(executor, f, impulse, silent).y, response, 1e-14L);
        check_near(run_filter<double>(executor, f, step, silent).y, rise, 1e-13L);
      });
      // A settled state lets a step begin without a jump.
      if (f.sections.empty() || f.sections.size() > 5) continue;
      const auto zi = upsweep::sosfilt_zi(f.sections);
      double gain = 1;
      for (const auto& s : f.sections) gain *= (s.b0 + s.b1 + s.b2) / (1 + s.a1 + s.a2);
      const oracle::reals flat(oracle::at(n), gain);
      test::on_executors(
          [&](auto& executor) { check_near(run_filter<double>(executor, f, step, zi).y, flat, 1e-12L); });
    }
  }
}

TEST_CASE("silence stays exactly silent, also through filters without bounds") {
  auto filters = some_filters();
  filters.push_back({{{.b0 = 1, .b1 = 0.3, .a1 = -1.001}}, {}, {}});
  filters.push_back({{{.b0 = 1e30, .b1 = 1, .b2 = 1, .a1 = -3, .a2 = 2.5}, {.a1 = -7}}, {}, {}});
  filters.push_back({{}, {1, 2, 3, 4, 5}, {1, -9, 8, -7, 6}});
  const auto check = [](auto& executor, const filter& f, index_t n) {
    INFO(f.name());
    const std::vector<double> silent(oracle::at(f.entries()));
    const auto floats = run_filter<float>(executor, f, std::vector<float>(oracle::at(n)), silent);
    test::check_equal(floats.y, std::vector<float>(oracle::at(n)));
    test::check_equal(floats.state, silent);
    const auto doubles = run_filter<double>(executor, f, std::vector<double>(oracle::at(n)), silent);
    test::check_equal(doubles.y, std::vector<double>(oracle::at(n)));
    test::check_equal(doubles.state, silent);
  };
  for (const filter& f : filters) {
    test::on_hosts([&](auto& executor) { check(executor, f, 50'001); });
    test::on_device([&](auto& executor) {
      check(executor, f, 50'001);
      check(executor, f, 3'500'000);
    });
  }
}

TEST_CASE("denormal samples are samples") {
  for (const filter& f : {test::random_cascade(1), test::random_cascade(4), test::random_polynomials(4)}) {
    INFO(f.name());
    const std::vector<double> silent(oracle::at(f.entries()));
    std::vector<float> floats = test::noise<float>(20'000);
    for (float& x : floats) x *= 1e-40f;
    std::vector<double> doubles = test::noise<double>(20'000);
    for (double& x : doubles) x *= 1e-312;
    const auto expected = serial_filter(f)(floats), expected_doubles = serial_filter(f)(doubles);
    test::on_executors([&](auto& executor) {
      check_near(run_filter<float>(executor, f, floats, silent).y, expected, 1e-13L);
      // 4e-9 of the largest is some 1000 times the least denormal: each product rounds to one.
      check_near(run_filter<double>(executor, f, doubles, silent).y, expected_doubles, 4e-9L);
    });
  }
}

TEST_CASE("huge gains, and results that are too large for a float") {
  filter f = test::random_cascade(3);
  f.sections[1].b0 = 1e30;
  const auto in = test::noise<float>(30'000);
  const std::vector<double> in_double(in.begin(), in.end());
  const std::vector<double> silent(oracle::at(f.entries()));
  const auto expected = serial_filter(f)(in);
  filter large = f;
  large.sections[2].b0 = 1e12;
  const auto beyond = serial_filter(large)(in);
  test::on_executors([&](auto& executor) {
    check_near(run_filter<float>(executor, f, in, silent).y, expected, 1e-13L);
    check_near(run_filter<double>(executor, f, in_double, silent).y, expected, 1e-13L);
    const auto y = run_filter<float>(executor, large, in, silent).y;
    std::vector<float> held(y.size());
    for (std::size_t i = 0; i < y.size(); i++) held[i] = static_cast<float>(static_cast<double>(beyond[i]));
    test::check_items(y, held, [](float a, float b) { return a == b || std::abs(a / b - 1) < 1e-6f; });
    REQUIRE(std::count_if(y.begin(), y.end(), [](float v) { return std::isinf(v); }) > 1000);
  });
}

TEST_CASE("a NaN or an infinity stays in its channel, and in front of it nothing changes") {
  const index_t length = 25'000;
  const auto check = [&](auto& executor, const filter& f, double wrong, index_t at, index_t samples,
                         index_t channels = 3) {
    const upsweep::planar layout{.channels = channels};
    INFO(channels << " channels, " << f.name() << ", " << wrong << " at sample " << at << " of " << samples);
    auto in = test::noise<float>(channels * samples);
    const std::vector<double> start(oracle::at(f.entries() * channels), 0.25);
    const auto clean = run_filter<float>(executor, f, in, start, layout);
    in[oracle::at(samples + at)] = static_cast<float>(wrong);
    auto y = run_filter<float>(executor, f, in, start, layout);
    for (index_t i = samples + at; i < 2 * samples; i++) {
      REQUIRE(!std::isfinite(y.y[oracle::at(i)]));
      y.y[oracle::at(i)] = clean.y[oracle::at(i)];
    }
    check_same_bits(y.y, clean.y);
    for (index_t k = 0; k < f.entries(); k++) {
      auto& entry = y.state[f.place(k, 1, channels)];
      CHECK(!std::isfinite(entry));
      entry = clean.state[f.place(k, 1, channels)];
    }
    check_same_bits(y.state, clean.state);
  };
  for (const filter& f : {test::random_cascade(2), test::random_polynomials(4), test::random_cascade(9)})
    for (const double wrong : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
      test::on_hosts([&](auto& executor) {
        for (const index_t at : {0, 1000, 1024, 24'999}) check(executor, f, wrong, at, length);
      });
      test::on_device([&](auto& executor) {
        for (const index_t at : {0, 35, 1151, 1152, 9215, 9216, 20'000, 24'999}) check(executor, f, wrong, at, length);
        for (const index_t at : {0, 35, 36, 1151, 1152, 2999}) check(executor, f, wrong, at, 3000, 66);
        for (const index_t at : {0, 294'911, 294'912, 1'000'000}) check(executor, f, wrong, at, 1'200'000);
      });
    }
  // A whole pipeline of the device behind it.
  test::on_device([&](auto& executor) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    for (const index_t at : {0, 2'000'000, 3'999'999}) check(executor, test::random_cascade(1), nan, at, 4'000'000);
  });
}

TEST_CASE("filters that grow without bound are right as long as numbers hold it") {
  const auto check = [](const filter& f, index_t n) {
    INFO(f.name() << ", a1 = " << (f.sections.empty() ? f.a[1] : f.sections[0].a1) << ", n = " << n);
    const auto in = test::noise<double>(n);
    const std::vector<double> silent(oracle::at(f.entries()));
    const auto expected = serial_filter(f)(in);
    test::on_executors([&](auto& executor) {
      const auto y = run_filter<double>(executor, f, in, silent).y;
      long double largest = 0, worst = 0;  // an error against the largest so far
      for (std::size_t i = 0; i < y.size(); i++) {
        largest = std::max(largest, std::abs(expected[i]));
        const long double error = std::abs(y[i] - expected[i]);
        worst = error <= worst * largest ? worst : error / largest;
      }
      // On a device the entries of powers that span tiles cancel (twice on the circle they grow with their span).
      const bool on_host = std::is_same_v<std::remove_cvref_t<decltype(executor)>, upsweep::host>;
      CHECK(static_cast<double>(worst) <= (on_host ? 1e-9 : 1e-7));
    });
  };
  check({{{.b0 = 1e-6, .a1 = -1.001}}, {}, {}}, 20'000);
  check({{{.b0 = 0.5, .b1 = 0.25, .a1 = -1.9, .a2 = 1.0002}}, {}, {}}, 200'000);      // a pair
  check({{{.b0 = 1, .a1 = -1.1}, {.b0 = 1, .b1 = 0.5, .a1 = -0.5}}, {}, {}}, 6'000);  // up to 1e248
  check({{{.b0 = 1, .a1 = 3}}, {}, {}}, 600);
  check({{{.b0 = 1, .b1 = 0.1, .a1 = -2, .a2 = 1}}, {}, {}}, 100'000);  // twice on the circle
  check({{}, {1, 0.5}, {1, -1.0005, 0.3, -0.2996}}, 50'000);
}

TEST_CASE("leaky_integrator and exponential_moving_average") {
  const index_t n = 300'007;
  const auto numbers = test::random_integers<std::uint8_t>(n);
  const std::vector<double> doubles(numbers.begin(), numbers.end());
  std::vector<double> sums(doubles.size());
  std::partial_sum(doubles.begin(), doubles.end(), sums.begin());
  const auto in = test::noise<float>(n);
  test::on_executors([&](auto& executor) {
    guarded<double> from(executor, doubles), to(executor, n), state(executor, std::vector<double>(2));
    upsweep::leaky_integrator(executor, 1, from.range(), to.range());
    test::check_equal(to.items(executor), sums);  // of integers, so exact
    upsweep::leaky_integrator(executor, 0, from.range(), to.range());
    test::check_equal(to.items(executor), doubles);
    guarded<float> signal(executor, in), smooth(executor, n);
    upsweep::exponential_moving_average(executor, 1, signal.range(), smooth.range());
    test::check_equal(smooth.items(executor), in);
    for (const double weight : {0.5, 0.01, 1e-6}) {
      INFO("weight " << weight);
      oracle::reals average(oracle::at(n)), leaky(oracle::at(n));
      long double y = 0, z = 0;
      for (std::size_t i = 0; i < average.size(); i++) {
        average[i] = y = weight * static_cast<long double>(in[i]) + (1 - static_cast<long double>(weight)) * y;
        leaky[i] = z = in[i] + static_cast<long double>(1 - weight) * z;
      }
      upsweep::exponential_moving_average(executor, weight, signal.range(), smooth.range());
      check_near(smooth.items(executor), average, 1e-12L);
      upsweep::leaky_integrator(executor, 1 - weight, signal.range(), smooth.range());
      check_near(smooth.items(executor), leaky, 1e-12L);
      // In two pieces, and what the state is: (1 - weight)·y.
      executor.copy(state.data(), std::vector<double>(2).data(), 2 * sizeof(double));
      const index_t half = 1234;
      upsweep::exponential_moving_average(executor, weight, signal.first(half), smooth.first(half), state.range());
      CHECK(state.items(executor)[0] ==
            Approx(static_cast<double>(average[oracle::at(half - 1)]) * (1 - weight)).epsilon(1e-12));
      const std::span<float> rest(signal.data() + half, oracle::at(n - half));
      upsweep::exponential_moving_average(executor, weight, rest, rest, state.range());
      const auto second = signal.items(executor);
      check_near(std::vector<float>(second.begin() + half, second.end()),
                 std::span<const long double>(average).subspan(oracle::at(half)), 1e-12L);
      executor.copy(signal.data(), in.data(), in.size() * sizeof(float));
    }
  });
}

// ---------------------------------------------------------------- errors
TEST_CASE("wrong calls are refused by name, and nothing is written") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  test::on_executors([&](auto& executor) {
    guarded<float> in(executor, test::noise<float>(60)), out(executor, 60), both(executor, std::vector<float>(60));
    guarded<double> state(executor, 12), doubles(executor, 60);
    using text = std::string;
    const auto refused = [&](const text& part, const auto& call) {
      const text message = test::message_of<std::invalid_argument>(call);
      INFO(message << " | expected: " << part);
      CHECK(test::contains(message, part));
      CHECK(out.untouched_from(executor));
      CHECK(state.untouched_from(executor));
    };
    const std::vector<upsweep::section> one(1), two(2);
    const auto from = in.range();
    const auto sos = [&](const text& part, const auto& sections) {
      refused(part, [&] { upsweep::sosfilt(executor, sections, from, out.range(), state.first(2)); });
    };
    sos("sections is empty", std::vector<upsweep::section>{});
    sos("sections is empty", std::vector<double>{});
    sos("sections has 7 numbers, must be a multiple of 6", std::vector<double>(7, 1.));
    sos("section 0: a0 is 2, must be 1", std::array{upsweep::section{.a0 = 2}});
    sos("section 1: a0 is 0, must be 1", std::array{upsweep::section{}, upsweep::section{.a0 = 0}});
    sos("section 1: b2 is nan, must be finite", std::array{upsweep::section{}, upsweep::section{.b2 = nan}});
    sos("section 0: a1 is inf, must be finite", std::array{upsweep::section{.a1 = HUGE_VAL}});
    sos("section 1: a0 is 0.5, must be 1", std::vector<double>{1, 0, 0, 1, 0, 0, 1, 0, 0, 0.5, 0, 0});

    const auto lfilter = [&](const text& part, const std::vector<double>& b, const std::vector<double>& a,
                             index_t entries = 2) {
      refused(part, [&] { upsweep::lfilter(executor, b, a, from, out.range(), state.first(entries)); });
    };
    lfilter("b is empty", {}, {1});
    lfilter("a is empty", {1}, {});
    lfilter("a[0] is 0, must not be", {1}, {0, 1});
    lfilter("b[1] is nan, must be finite", {1, nan}, {1});
    lfilter("a[2] is -inf, must be finite", {1}, {1, 0, -HUGE_VAL});
    lfilter("b / a[0] is inf, must be finite", {1e300}, {1e-300});
    lfilter("a / a[0] is -inf, must be finite", {0}, {1e-300, -1e300});
    lfilter("the filter is of order 65, the most is 64", std::vector<double>(66, 1.), {1});
    lfilter("the filter is of order 65, the most is 64", {1}, std::vector<double>(66, 1.));
    lfilter("state has 2 entries, needs 3 for each of 1 channel", {1}, {1, 2, 3, 4});
    lfilter("state has 2 entries, needs 12 for each of 1 channel", {1}, std::vector<double>(13, 1.));

    const auto call = [&](const text& part, const auto& to, const auto& kept, const upsweep::planar& layout = {}) {
      refused(part, [&] { upsweep::sosfilt(executor, two, from, to, kept, layout); });
    };
    call("state has 3 entries, needs 4 for each of 1 channel", out.range(), state.first(3));
    call("state has 5 entries, needs 4 for each of 1 channel", out.range(), state.first(5));
    call("state has 4 entries, needs 4 for each of 3 channels", out.range(), state.first(4), {.channels = 3});
    call("state has 0 entries", out.range(), state.first(0));
    call("state is a null pointer with a size", out.range(), std::span<double>(static_cast<double*>(nullptr), 4));
    call("out has 59 items, needs 60", out.first(59), state.first(4));
    call("out is a null pointer with a size", std::span<float>(static_cast<float*>(nullptr), 60), state.first(4));
    call("in has 60 items, needs 61", out.range(), state.first(4), {.length = 61});
    call("in has 60 items, needs 61", out.range(), state.first(8), {.channels = 2, .length = 30, .pitch = 31});
    call("out has 49 items, needs 50", out.first(49), state.first(8), {.channels = 2, .length = 20, .pitch = 30});
    call("pitch is 9, less than the length 10", out.range(), state.first(4), {.length = 10, .pitch = 9});
    call("channels is 0, must be at least 1", out.range(), state.first(4), {.channels = 0});
    call("channels is -2, must be at least 1", out.range(), state.first(4), {.channels = -2, .length = 2});
    call("length is -1, must be at least 0", out.range(), state.first(4), {.length = -1});
    call("pitch is -1, must be at least 0", out.range(), state.first(4), {.pitch = -1});
    call("in has 60 items, which is no multiple of the 7 channels", out.range(), state.first(4), {.channels = 7});
    refused("in is a null pointer with a size", [&] {
      upsweep::sosfilt(executor, one, std::span<const float>(static_cast<const float*>(nullptr), 60), out.range());
    });

    refused("out overlaps in: it must be the same range or a disjoint one", [&] {
      upsweep::sosfilt(executor, one, both.first(50), std::span<float>(both.data() + 1, 50), state.first(2));
    });
    refused("state overlaps in",
            [&] { upsweep::sosfilt(executor, one, state.first(12), doubles.first(12), state.first(2)); });
    refused("state overlaps out",
            [&] { upsweep::sosfilt(executor, one, doubles.first(12), state.first(12), state.first(2)); });
    test::check_equal(both.items(executor), std::vector<float>(60));

    for (const double wrong : {0., -0.5, 1.5, nan})
      refused("weight is ",
              [&] { upsweep::exponential_moving_average(executor, wrong, from, out.range(), state.first(2)); });
    for (const double wrong : {-0.5, 1.5, nan})
      refused("leak is ", [&] { upsweep::leaky_integrator(executor, wrong, from, out.range(), state.first(2)); });
  });
}

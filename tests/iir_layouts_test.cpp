// Filters of integer samples, and of interleaved channels: against the serial oracle.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <span>
#include <string>
#include <vector>

#include <upsweep/iir.hpp>

#include "filter_support.hpp"
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
using int16 = std::int16_t;

//! Rounded, halves to even, and held to the range. Near a half, double may come out on the other side of it.
void check_rounded(const std::vector<int16>& actual, const oracle::reals& expected) {
  REQUIRE(actual.size() == expected.size());
  std::size_t i = 0;
  for (; i < actual.size(); i++) {
    const long double held = std::min(32767.L, std::max(-32768.L, expected[i]));
    if (std::abs(actual[i] - held) > 0.5L + 1e-7L) break;
  }
  if (i == actual.size()) return;
  INFO("item " << i << " is " << actual[i] << ", not " << static_cast<double>(expected[i]));
  REQUIRE(i == actual.size());
}

const std::vector<index_t> some_sizes = {1,       2,       39,      40,      41,      127,    128,    129,
                                         1279,    1280,    1281,    5120,    10'239,  10'240, 10'241, 65'537,
                                         131'071, 163'840, 327'679, 327'680, 327'681, 400'003};
}  // namespace

TEST_CASE("int16 samples are filtered in double, then rounded and held to their range") {
  if (test::without_executors()) return;
  for (const int sections : {1, 2, 3, 5, 9}) {
    filter f = test::random_cascade(sections);
    f.sections[0].b0 = 2;  // loud: many results are out of range
    INFO(f.name());
    const auto start = test::some_state(f.entries());
    const auto all = test::random_integers<int16>(some_sizes.back());
    const auto expected = serial_filter(f, start)(all);
    const auto check = [&](auto& executor) {
      // Sanitized, a cascade takes a third of the sizes, the next one others.
      for (std::size_t i = test::takes_fewer_cases() ? oracle::at(sections % 3) : 0; i < some_sizes.size();
           i += static_cast<std::size_t>(test::sanitized_step(3))) {
        const index_t n = some_sizes[i];
        INFO("n = " << n);
        const std::vector<int16> in(all.begin(), all.begin() + n);
        const oracle::reals y(expected.begin(), expected.begin() + n);
        serial_filter serial(f, start);
        if (n <= 10'241) serial(in);
        const auto integers = run_filter<int16>(executor, f, in, start, {}, test::shift_of(n));
        check_rounded(integers.y, y);
        check_same_bits(run_filter<int16>(executor, f, in, start, {}, 3, true).y, integers.y);
        const auto floats = run_filter<float>(executor, f, in, start, {}, test::shift_of(n, 2));
        check_near(floats.y, y, 1e-13L);
        check_same_bits(floats.state, integers.state);
        if (n <= 10'241) check_near(integers.state, serial.state(), 1e-13L);
      }
    };
    test::on_host(3, check);
    test::on_device(check);
  }
}

TEST_CASE("many channels of int16") {
  const index_t channels = 70, length = 2600, pitch = 2603;
  for (const int sections : {1, 4, 9}) {
    const filter f = test::random_cascade(sections);
    INFO(f.name());
    const auto in = test::random_integers<int16>((channels - 1) * pitch + length);
    const std::vector<double> silent(oracle::at(f.entries() * channels));
    const upsweep::planar layout{channels, length, pitch};
    test::on_executors([&](auto& executor) {
      const auto integers = run_filter<int16>(executor, f, in, silent, layout, 1, true);
      const auto floats = run_filter<float>(executor, f, in, silent, layout, 3);
      check_same_bits(floats.state, integers.state);
      for (index_t c = 0; c < channels; c++) {
        INFO("channel " << c);
        const auto own = [&](const auto& all) { return test::part_of(all, c * pitch, length); };
        const auto expected = serial_filter(f)(own(in));
        check_rounded(own(integers.y), expected);
        check_near(own(floats.y), expected, 1e-13L);
        for (index_t i = c * pitch + length; i < pitch * (c + 1) && c + 1 < channels; i++)
          REQUIRE(integers.y[oracle::at(i)] == in[oracle::at(i)]);
      }
    });
  }
}

TEST_CASE("rounding to int16: halves to even, the ends of the range, not a number as 0") {
  std::vector<int16> all(65'536);
  std::iota(all.begin(), all.end(), int16{-32768});
  const std::array half{upsweep::section{.b0 = 0.5}}, huge{upsweep::section{.b0 = 1e30}};
  std::vector<int16> halves, held;
  for (const int16 x : all) {
    halves.push_back(static_cast<int16>(std::nearbyint(x / 2.)));
    held.push_back(x > 0 ? int16{32767} : x < 0 ? int16{-32768} : int16{0});
  }
  CHECK(halves[32768 + 3] == 2);
  CHECK(halves[32768 + 1] == 0);
  test::on_executors([&](auto& executor) {
    guarded<int16> in(executor, all), out(executor, 65'536);
    upsweep::sosfilt(executor, half, in.range(), out.range());
    test::check_equal(out.items(executor), halves);
    upsweep::sosfilt(executor, huge, in.range(), out.range());
    test::check_equal(out.items(executor), held);
    upsweep::leaky_integrator(executor, in.range(), out.range(), 0);
    test::check_equal(out.items(executor), all);
  });
  const auto rounded = [](double y) { return int{upsweep::detail::to_sample<int16>(y)}; };
  CHECK(rounded(std::numeric_limits<double>::quiet_NaN()) == 0);
  CHECK(rounded(HUGE_VAL) == 32767);
  CHECK(rounded(-HUGE_VAL) == -32768);
  CHECK(rounded(32766.5) == 32766);
  CHECK(rounded(32767.4) == 32767);
  CHECK(rounded(-32767.5) == -32768);
  CHECK(rounded(-0.5) == 0);
  CHECK(rounded(-1.5) == -2);
}

TEST_CASE("int16 and interleaved pieces of whole blocks give the bits of the whole") {
  for (const int sections : {1, 3, 9}) {
    const filter f = test::random_cascade(sections);
    INFO(f.name());
    const auto check = [&](auto& executor, index_t n, index_t length) {
      INFO(n << " in pieces of " << length);
      const auto start = test::some_state(f.entries());
      const auto in = test::random_integers<int16>(n);
      const auto whole = run_filter<float>(executor, f, in, start);
      const auto pieces = test::run_in_pieces<float>(executor, f, in, start, length);
      check_same_bits(pieces.y, whole.y);
      check_same_bits(pieces.state, whole.state);
    };
    const auto check_interleaved = [&](auto& executor, index_t n, index_t length, index_t channels = 2) {
      INFO(n << " moments of " << channels << " channels in pieces of " << length);
      const upsweep::interleaved layout{channels};
      std::vector<double> start(oracle::at(channels * f.entries()));
      for (std::size_t k = 0; k < start.size(); k++) start[k] = 1. / static_cast<double>(k + 2);
      const auto in = test::noise<float>(channels * n);
      const auto whole = run_filter<float>(executor, f, in, start, layout);
      guarded<float> from(executor, in), to(executor, channels * n);
      guarded<double> state(executor, start);
      for (index_t first = 0; first < n; first += length) {
        const auto count = oracle::at(channels * std::min(length, n - first));
        f(executor, std::span<const float>(from.data() + channels * first, count),
          std::span(to.data() + channels * first, count), state.range(), layout);
      }
      check_same_bits(to.items(executor), whole.y);
      check_same_bits(state.items(executor), whole.state);
    };
    test::on_host(3, [&](auto& host) {
      for (const index_t length : {128, 1280, 32'768 + 128}) {
        check(host, 128 * 1000 + 5, length);
        check_interleaved(host, 128 * 500 + 5, length);
      }
    });
    test::on_device([&](auto& on_device) {
      // Passes behind the first one are of double (see filter_block).
      const index_t block = filter_block<int16> * (sections > 8 ? 9 : 1);
      check(on_device, 12 * filter_block<int16> + 77, block);
      if (sections <= 8) check(on_device, 12 * block, 5 * block);
      check_interleaved(on_device, filter_block<float> + 77, filter_block<float>);
      check_interleaved(on_device, 3 * filter_block<float>, 2 * filter_block<float>);
      if (sections == 1) check_interleaved(on_device, filter_block<float> + 77, filter_block<float>, 5);
    });
  }
}

namespace {
template <class Executor>
void check_interleaved(Executor& executor, const filter& f, index_t channels, index_t length) {
  INFO(f.name() << ", " << channels << " channels of " << length);
  const auto in = test::noise<float>(channels * length);
  std::vector<double> state(oracle::at(f.entries() * channels));
  for (std::size_t k = 0; k < state.size(); k++) state[k] = 0.5 - std::cos(static_cast<double>(k));
  const upsweep::interleaved layout{channels};
  const auto all = run_filter<float>(executor, f, in, state, layout, test::shift_of(length));
  const auto in_place = run_filter<float>(executor, f, in, state, layout, 3, true);
  check_same_bits(in_place.y, all.y);
  check_same_bits(in_place.state, all.state);
  for (index_t c = 0; c < channels; c++) {
    INFO("channel " << c);
    std::vector<double> start, behind;
    for (index_t k = 0; k < f.entries(); k++) {
      start.push_back(state[f.place(k, c, channels)]);
      behind.push_back(all.state[f.place(k, c, channels)]);
    }
    std::vector<float> own, y;
    for (index_t t = 0; t < length; t++) {
      own.push_back(in[oracle::at(t * channels + c)]);
      y.push_back(all.y[oracle::at(t * channels + c)]);
    }
    serial_filter serial(f, start);
    const auto expected = serial(own);
    check_near(y, expected, 1e-13L);
    check_near(behind, serial.state(), 1e-13L);
  }
}
}  // namespace

TEST_CASE("interleaved channels are filtered each alone, with SciPy's state [section][channel][2]") {
  int turn = 0;
  // Sanitized, a cascade takes a third of the numbers of channels, the next one others.
  const auto is_left_out = [&] { return turn++ % test::sanitized_step(3) != 0; };
  for (const int sections : {1, 2, 3, 9}) {
    const filter f = test::random_cascade(sections);
    for (const index_t channels : {1, 2, 3, 5, 8, 20}) {
      if (is_left_out()) continue;
      test::on_executors([&](auto& executor) {
        for (const index_t length : {1, 129, 1023, 9217}) check_interleaved(executor, f, channels, length);
      });
      test::on_device([&](auto& executor) { check_interleaved(executor, f, channels, 300'001); });
    }
    // Around a tile's channels, and as many as a GPU filters by a warp each.
    for (const index_t channels : {15, 16, 17, 31, 32, 33, 63, 64, 65, 129, 800}) {
      if (is_left_out()) continue;
      test::on_executors([&](auto& executor) {
        for (const index_t length : {1, 63, 130}) check_interleaved(executor, f, channels, length);
      });
    }
  }
}

// Planar channels may be filtered another way: what is in double can differ by rounding.
TEST_CASE("interleaved channels of other types are filtered each alone, and as planar ones but for rounding") {
  const filter f = test::random_cascade(2);
  constexpr double loudest = 500;
  const double error = test::error_of(f, loudest);
  const auto check = [&](auto in_type, auto out_type, index_t channels, index_t length) {
    INFO(channels << " channels of " << length);
    using In = decltype(in_type);
    using Out = decltype(out_type);
    std::vector<In> planar_in(oracle::at(channels * length)), in(planar_in.size());
    test::generator random(7);
    for (index_t c = 0; c < channels; c++)
      for (index_t t = 0; t < length; t++)
        in[oracle::at(t * channels + c)] = planar_in[oracle::at(c * length + t)] =
            static_cast<In>(2 * loudest * (random.unit() - 0.5));
    std::vector<oracle::reals> right;
    for (index_t c = 0; c < channels; c++)
      right.push_back(serial_filter(f)(test::part_of(planar_in, c * length, length)));
    test::on_executors([&](auto& executor) {
      guarded<In> from(executor, in, 1), planar_from(executor, planar_in);
      guarded<Out> to(executor, channels * length, 2), planar_to(executor, channels * length);
      upsweep::sosfilt(executor, f.sections, std::span<const In>(from.range()), to.range(), upsweep::no_state,
                       upsweep::interleaved{channels});
      upsweep::sosfilt(executor, f.sections, std::span<const In>(planar_from.range()), planar_to.range(),
                       upsweep::no_state, upsweep::planar{channels});
      const auto y = to.items(executor), planar = planar_to.items(executor);
      for (index_t c = 0; c < channels; c++) {
        INFO("channel " << c);
        std::vector<Out> own;
        for (index_t t = 0; t < length; t++) own.push_back(y[oracle::at(t * channels + c)]);
        test::check_within(own, right[oracle::at(c)], error);
        const auto own_plane = test::part_of(planar, c * length, length);
        test::check_within(own_plane, right[oracle::at(c)], error);
      }
    });
  };
  for (const index_t channels : {2, 5}) {
    check(double{}, double{}, channels, 3001);
    check(int16{}, int16{}, channels, 30'001);
    check(int16{}, float{}, channels, 30'001);
  }
  // Lanes of a host that no channel fills, and more channels than fill one vector.
  for (const index_t channels : {2, 3, 8, 9, 64, 67, 200}) check(float{}, float{}, channels, 1500);
  check(float{}, float{}, 6, 50'003);
  check(float{}, float{}, 66, 1024);
}

// Around a vector's channels and around a thread's share, which has up to seven more; signals shorter than a step, of
// one, and of many. (Eight sections: 128 channels a share, 1024 of one.)
TEST_CASE("interleaved channels give the same bits on any number of threads, in place, and beside any other channels") {
  const auto check = [](int sections, index_t channels, index_t length) {
    const filter f = test::random_cascade(sections);
    INFO(f.name() << ", " << channels << " channels of " << length);
    const upsweep::interleaved layout{channels};
    const auto in = test::noise<float>(channels * length);
    const auto start = test::some_state(f.entries() * channels);
    test::filtered<float> first;
    test::on_hosts([&](auto& executor) {
      const auto all = run_filter<float>(executor, f, in, start, layout, test::shift_of(length));
      if (first.y.empty()) first = all;
      check_same_bits(all.y, first.y);
      check_same_bits(all.state, first.state);
      const auto in_place = run_filter<float>(executor, f, in, start, layout, 1, true);
      check_same_bits(in_place.y, first.y);
      check_same_bits(in_place.state, first.state);
    });
    // The last one with the first one alone.
    test::on_host(1, [&](auto& executor) {
      std::vector<float> pair, own, expected;
      std::vector<double> state(oracle::at(2 * f.entries())), behind(state.size());
      for (index_t t = 0; t < length; t++)
        for (const index_t c : {index_t{0}, channels - 1}) {
          pair.push_back(in[oracle::at(t * channels + c)]);
          expected.push_back(first.y[oracle::at(t * channels + c)]);
        }
      for (index_t k = 0; k < f.entries(); k++)
        for (const index_t c : {0, 1}) {
          state[f.place(k, c, 2)] = start[f.place(k, c * (channels - 1), channels)];
          behind[f.place(k, c, 2)] = first.state[f.place(k, c * (channels - 1), channels)];
        }
      const auto two = run_filter<float>(executor, f, pair, state, upsweep::interleaved{2});
      check_same_bits(two.y, expected);
      check_same_bits(two.state, behind);
    });
  };
  for (const int sections : {1, 2, 8})
    for (const index_t channels : {2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 63, 64, 65})
      for (const index_t length : {1, 2, 7, 8, 9, 33, 255, 256, 257, 1025}) check(sections, channels, length);
  for (const index_t channels : {1023, 1024, 1031, 1032, 2055}) check(1, channels, 130);
  for (const index_t channels : {128, 135, 136, 263, 300}) check(8, channels, 130);
}

TEST_CASE("a NaN in an interleaved channel stays in it, behind its place") {
  const index_t length = 12'000;
  for (const int sections : {1, 3})
    for (const index_t channels : {2, 3, 20}) {
      const filter f = test::random_cascade(sections);
      INFO(f.name() << ", " << channels << " channels");
      const std::vector<double> silent(oracle::at(f.entries() * channels));
      const auto in = test::noise<float>(channels * length);
      test::on_executors([&](auto& executor) {
        const auto clean = run_filter<float>(executor, f, in, silent, upsweep::interleaved{channels});
        for (const index_t at : {0, 1151, 9216, 11'999}) {
          auto wrong = in;
          wrong[oracle::at(at * channels + 1)] = std::numeric_limits<float>::quiet_NaN();
          auto y = run_filter<float>(executor, f, wrong, silent, upsweep::interleaved{channels}).y;
          for (index_t t = at; t < length; t++) {
            REQUIRE(std::isnan(y[oracle::at(t * channels + 1)]));
            y[oracle::at(t * channels + 1)] = clean.y[oracle::at(t * channels + 1)];
          }
          check_same_bits(y, clean.y);
        }
      });
    }
}

TEST_CASE("wrong interleaved calls are refused by name") {
  test::on_executors([&](auto& executor) {
    const filter f = test::random_cascade(2);
    guarded<float> in(executor, test::noise<float>(60)), out(executor, 60);
    guarded<double> state(executor, 12);
    const auto refused = [&](const std::string& part, index_t to, index_t kept, index_t channels) {
      const auto call = [&] {
        upsweep::sosfilt(executor, f.sections, in.range(), out.first(to), state.first(kept),
                         upsweep::interleaved{channels});
      };
      test::check_refused(call, "", part);
      CHECK(out.untouched_from(executor));
      CHECK(state.untouched_from(executor));
    };
    refused("in has 60 items, which is no multiple of the 7 channels", 60, 4, 7);
    refused("channels is 0, must be at least 1", 60, 4, 0);
    refused("state has 4 entries, needs 8: 4 for each of 2 channels", 60, 4, 2);
    refused("out has 59 items, needs 60", 59, 8, 2);
  });
}

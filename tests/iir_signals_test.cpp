// sosfilt and lfilter: signals and filters that are special in some way, the smoothers, and errors.
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
using upsweep::index_t;
using upsweep::section;

TEST_CASE("impulse and step") {
  for (const filter& f : test::some_filters()) {
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
  auto filters = test::some_filters();
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
        for (const index_t at : {0, 35, 39, 40, 95, 1151, 1152, 1279, 1280, 5119, 5120, 9215, 9216, 20'000, 24'999})
          check(executor, f, wrong, at, length);
        for (const index_t at : {0, 35, 36, 1151, 1152, 1280, 1300, 2999}) check(executor, f, wrong, at, 3000, 66);
        for (const index_t at : {0, 294'911, 294'912, 1'000'000}) check(executor, f, wrong, at, 1'200'000);
      });
    }
  // A whole pipeline of the device behind it.
  test::on_device([&](auto& executor) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    for (const index_t at : {0, 2'000'000, 3'999'999})
      for (const int sections : {1, 4, 8}) check(executor, test::random_cascade(sections), nan, at, 4'000'000);
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

TEST_CASE("sections are also rows of six, in arrays or one behind another") {
  using row = std::array<double, 6>;
  const std::vector<section> sections{{.b0 = 0.5, .b1 = 0.25, .b2 = 1, .a1 = -0.5, .a2 = 0.125},
                                      {.b0 = 0.1, .a1 = -0.9}};
  std::vector<row> rows;
  std::vector<double> flat;
  for (const section& s : sections) {
    rows.push_back({s.b0, s.b1, s.b2, s.a0, s.a1, s.a2});
    flat.insert(flat.end(), rows.back().begin(), rows.back().end());
  }
  CHECK(upsweep::to_sections(rows) == sections);
  const auto items = test::noise<float>(2000);
  test::on_executors([&](auto& executor) {
    guarded<float> in(executor, items), out(executor, 2000);
    const auto filtered = [&](const auto& filter, const upsweep::planar& layout = {}) {
      upsweep::sosfilt(executor, filter, in.range(), out.range(), upsweep::no_state, layout);
      return out.items(executor);
    };
    const auto expected = filtered(sections);
    test::check_equal(filtered(rows), expected);
    test::check_equal(filtered(flat), expected);
    test::check_equal(filtered(std::array{rows[0], rows[1]}), expected);
    test::check_equal(filtered(upsweep::per_channel(rows), {.channels = 2}),
                      filtered(upsweep::per_channel(sections), {.channels = 2}));
    CHECK(test::message_of<std::invalid_argument>([&] {
            filtered(std::vector<row>{{1, 0, 0, 2, 0, 0}});
          }) == "section 0: a0 is 2, must be 1");
    CHECK(test::message_of<std::invalid_argument>([&] { filtered(std::vector<row>{}); }) ==
          "sections is empty, needs at least one section");
  });
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
    upsweep::leaky_integrator(executor, from.range(), to.range(), 1);
    test::check_equal(to.items(executor), sums);  // of integers, so exact
    upsweep::leaky_integrator(executor, from.range(), to.range(), 0);
    test::check_equal(to.items(executor), doubles);
    guarded<float> signal(executor, in), smooth(executor, n);
    upsweep::exponential_moving_average(executor, signal.range(), smooth.range(), 1);
    test::check_equal(smooth.items(executor), in);
    for (const double weight : {0.5, 0.01, 1e-6}) {
      INFO("weight " << weight);
      oracle::reals average(oracle::at(n)), leaky(oracle::at(n));
      long double y = 0, z = 0;
      for (std::size_t i = 0; i < average.size(); i++) {
        average[i] = y = weight * static_cast<long double>(in[i]) + (1 - static_cast<long double>(weight)) * y;
        leaky[i] = z = in[i] + static_cast<long double>(1 - weight) * z;
      }
      upsweep::exponential_moving_average(executor, signal.range(), smooth.range(), weight);
      check_near(smooth.items(executor), average, 1e-12L);
      upsweep::leaky_integrator(executor, signal.range(), smooth.range(), 1 - weight);
      check_near(smooth.items(executor), leaky, 1e-12L);
      // In two pieces, and what the state is: (1 - weight)·y.
      executor.copy(state.data(), std::vector<double>(2).data(), 2 * sizeof(double));
      const index_t half = 1234;
      upsweep::exponential_moving_average(executor, signal.first(half), smooth.first(half), weight, state.range());
      CHECK(state.items(executor)[0] ==
            Approx(static_cast<double>(average[oracle::at(half - 1)]) * (1 - weight)).epsilon(1e-12));
      const std::span<float> rest(signal.data() + half, oracle::at(n - half));
      upsweep::exponential_moving_average(executor, rest, rest, weight, state.range());
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
      test::check_refused(call, "", part);
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
    lfilter("b and a make a filter of order 65, at most 64", std::vector<double>(66, 1.), {1});
    lfilter("b and a make a filter of order 65, at most 64", {1}, std::vector<double>(66, 1.));
    lfilter("state has 2 entries, needs 3: 3 for each of 1 channel", {1}, {1, 2, 3, 4});
    lfilter("state has 2 entries, needs 12: 12 for each of 1 channel", {1}, std::vector<double>(13, 1.));

    const auto call = [&](const text& part, const auto& to, const auto& kept, const upsweep::planar& layout = {}) {
      refused(part, [&] { upsweep::sosfilt(executor, two, from, to, kept, layout); });
    };
    call("state has 3 entries, needs 4: 4 for each of 1 channel", out.range(), state.first(3));
    call("state has 5 entries, needs 4: 4 for each of 1 channel", out.range(), state.first(5));
    call("state has 4 entries, needs 12: 4 for each of 3 channels", out.range(), state.first(4), {.channels = 3});
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
              [&] { upsweep::exponential_moving_average(executor, from, out.range(), wrong, state.first(2)); });
    for (const double wrong : {-0.5, 1.5, nan})
      refused("leak is ", [&] { upsweep::leaky_integrator(executor, from, out.range(), wrong, state.first(2)); });
  });
}

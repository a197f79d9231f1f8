// Filters along segments by offsets, against a serial filter a segment: ways of the host, and the device's sweeps on
// every executor; states, and nothing of one segment in another.
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include <upsweep/iir.hpp>

#include "filter_support.hpp"
#include "ragged.hpp"
#include "support.hpp"

using test::check_near;
using test::filter;
using test::guarded;
using upsweep::index_t;
using upsweep::section;

namespace {
//! Every piece filtered on its own, and the states behind the segments, in the order of a call's.
struct expectation {
  oracle::reals y;
  std::vector<double> state;
};
template <class T>
expectation serial(const filter& f, const std::vector<T>& in, const std::vector<test::piece>& pieces,
                   const std::vector<double>& state) {
  const auto segments = static_cast<index_t>(pieces.size()) - 2;
  expectation e{{}, state};
  for (const auto& [s, begin, end] : pieces) {
    std::vector<double> own;
    for (index_t k = 0; k < f.entries() && s >= 0 && !state.empty(); k++) own.push_back(state[f.place(k, s, segments)]);
    test::serial_filter by(f, own);
    const auto y = by(test::part_of(in, begin, end - begin));
    e.y.insert(e.y.end(), y.begin(), y.end());
    const auto left = by.state();
    for (index_t k = 0; k < oracle::size(own); k++)
      e.state[f.place(k, s, segments)] = static_cast<double>(left[oracle::at(k)]);
  }
  return e;
}
template <class Executor, class In, class Out, class State, class Offset>
void call(Executor& executor, const filter& f, const In& in, Out out, State&& state, const Offset& offsets) {
  if (f.sections.empty()) upsweep::lfilter(executor, f.b, f.a, in, out, state, upsweep::offsets(offsets));
  else upsweep::sosfilt(executor, f.sections, in, out, state, upsweep::offsets(offsets));
}

template <class T, class Offset>
void check_filter(const filter& f, index_t n, index_t length, long double tolerance) {
  INFO(f.name() << " of " << n << " samples, segments of about " << length);
  const auto in = test::noise<T>(n);
  const auto offsets = test::ragged_offsets<Offset>(n, length);
  const auto pieces = test::pieces_of(n, offsets);
  const auto state = test::some_state(f.entries() * (oracle::size(offsets) - 1));
  const auto expected = serial(f, in, pieces, state), from_silence = serial(f, in, pieces, {});
  test::on_executors(n, [&](auto& executor) {
    guarded<T> from(executor, in, 1), to(executor, n, 2);
    guarded<double> kept(executor, state);
    guarded<Offset> bounds(executor, offsets, 1);
    call(executor, f, from.range(), to.range(), upsweep::no_state, bounds.range());
    check_near(to.items(executor), from_silence.y, tolerance);
    call(executor, f, from.range(), to.range(), kept.range(), bounds.range());
    check_near(to.items(executor), expected.y, tolerance);
    check_near(kept.items(executor), expected.state, tolerance + 1e-14L);
    call(executor, f, from.range(), from.range(), upsweep::no_state, bounds.range());  // in place
    check_near(from.items(executor), from_silence.y, tolerance);
    CHECK(bounds.items(executor) == offsets);
    // A device's way is right wherever it runs.
    if (f.sections.empty()) return;
    guarded<double> again(executor, state);
    guarded<T> source(executor, in);
    upsweep::detail::sweep_segments(executor, std::span<const section>(f.sections),
                                    upsweep::detail::segmented_signal<T, T, Offset>{
                                        source.data(), to.data(), n, bounds.data(), bounds.size(), again.data()});
    check_near(to.items(executor), expected.y, tolerance);
    check_near(again.items(executor), expected.state, tolerance + 1e-14L);
  });
}
}  // namespace

TEST_CASE("filters along segments are serial filters of each") {
  if (test::without_executors()) return;
  for (const filter& f : test::some_filters())
    for (const index_t length : {1, 20, 3000}) {
      check_filter<float, std::int32_t>(f, 20'000, length, 1e-9L);
      if (length == 20)
        for (const index_t n : {0, 1, 5, 1000}) check_filter<double, std::int64_t>(f, n, length, 1e-12L);
    }
  check_filter<double, std::int32_t>(test::random_cascade(2), 50'000, 9000, 1e-12L);
  check_filter<double, std::int32_t>(test::random_polynomials(12), 5000, 300, 1e-12L);
}

TEST_CASE("long segments are filtered by all threads") {
  if (test::without_executors()) return;
  for (const filter& f : {test::random_cascade(1), test::random_cascade(9), test::random_polynomials(5)}) {
    check_filter<float, std::int32_t>(f, 300'000, 60'000, 1e-9L);
  }
}

TEST_CASE("integers are rounded and held along segments, too") {
  const std::vector<std::int16_t> in{30000, 30000, 30000, -5, 7};
  test::on_executors([&](auto& executor) {
    guarded<std::int16_t> from(executor, in), to(executor, 5);
    guarded<std::int32_t> bounds(executor, std::vector<std::int32_t>{0, 3, 3, 5});
    upsweep::leaky_integrator(executor, from.range(), to.range(), 0.5, upsweep::offsets(bounds.range()));
    test::check_equal(to.items(executor), std::vector<std::int16_t>{30000, 32767, 32767, -5, 4});  // 4.5 to even
  });
}

TEST_CASE("averages and sums by ragged groups") {
  const index_t n = 10'000;
  const auto in = test::noise<float>(n);
  const auto offsets = test::ragged_offsets<std::int32_t>(n, 50);
  const auto pieces = test::pieces_of(n, offsets);
  const filter average{{{.b0 = 0.1, .a1 = 0.1 - 1}}, {}, {}}, sum{{{.b0 = 1, .a1 = -0.75}}, {}, {}};
  test::on_executors([&](auto& executor) {
    guarded<float> from(executor, in), to(executor, n);
    guarded<std::int32_t> bounds(executor, offsets);
    const auto by = upsweep::offsets(bounds.range());
    upsweep::exponential_moving_average(executor, from.range(), to.range(), 0.1, by);
    check_near(to.items(executor), serial(average, in, pieces, {}).y, 1e-9L);
    upsweep::leaky_integrator(executor, from.range(), to.range(), 0.75, by);
    check_near(to.items(executor), serial(sum, in, pieces, {}).y, 1e-9L);
  });
  auto chosen = upsweep::any_executor::named("host");
  const std::vector<int> bounds{0, 2, 4};
  std::vector<float> out(4);
  upsweep::exponential_moving_average(chosen, std::vector<float>{1, 1, 2, 2}, out, 0.5, upsweep::offsets(bounds));
  CHECK(out == std::vector<float>{0.5f, 0.75f, 1, 1.5f});
}

TEST_CASE("what is infinite or not a number stays in its segment") {
  const index_t n = 20'000;
  auto in = test::noise<float>(n);
  const auto offsets = test::ragged_offsets<std::int32_t>(n, 300);
  const auto pieces = test::pieces_of(n, offsets);
  const auto clean = in;
  std::vector<bool> is_bad(in.size());
  for (std::size_t p = 0; p < pieces.size(); p += 2) {
    const auto [s, begin, end] = pieces[p];
    if (end - begin < 2) continue;
    in[oracle::at(begin)] = std::numeric_limits<float>::infinity();
    in[oracle::at(end - 1)] = std::numeric_limits<float>::quiet_NaN();
    for (index_t i = begin; i < end; i++) is_bad[oracle::at(i)] = true;
  }
  for (const filter& f : {test::random_cascade(2), test::random_polynomials(2), test::random_polynomials(5)}) {
    INFO(f.name());
    auto expected = serial(f, clean, pieces, {}).y;
    for (std::size_t i = 0; i < expected.size(); i++)
      if (is_bad[i]) expected[i] = 0;  // whatever it is
    const double error = test::error_of(f, 1);
    test::on_executors([&](auto& executor) {
      guarded<float> from(executor, in), to(executor, n);
      guarded<std::int32_t> bounds(executor, offsets);
      const auto check = [&] {
        auto found = to.items(executor);
        for (std::size_t i = 0; i < found.size(); i++)
          if (is_bad[i]) found[i] = 0;
        test::check_within(found, expected, error);
      };
      call(executor, f, from.range(), to.range(), upsweep::no_state, bounds.range());
      check();
      if (f.sections.empty()) return;
      upsweep::detail::sweep_segments(executor, std::span<const section>(f.sections),
                                      upsweep::detail::segmented_signal<float, float, std::int32_t>{
                                          from.data(), to.data(), n, bounds.data(), bounds.size(), nullptr});
      check();
    });
  }
}

TEST_CASE("wrong offsets of a filter stay in bounds, and errors name them") {
  const std::vector<section> two{{.b0 = 0.5, .a1 = -0.5}, {.b0 = 0.5, .b1 = 0.5}};
  const std::vector<double> b(4, 0.25), a{1, -0.5};
  test::on_executors([&](auto& executor) {
    guarded<float> in(executor, test::noise<float>(1000)), out(executor, 1000), untouched(executor, 1000);
    guarded<double> state(executor, std::vector<double>(16));
    for (const std::vector<std::int32_t>& wrong : {std::vector<std::int32_t>{900, 20, -7, 5000, 3},
                                                   {-2147483647, 2147483647, 0, 1000, -1},
                                                   {2000, 3000, 4000, 5000, 6000}}) {
      guarded<std::int32_t> bounds(executor, wrong);
      const auto by = upsweep::offsets(bounds.range());
      upsweep::sosfilt(executor, two, in.range(), out.range(), state.range(), by);
      upsweep::lfilter(executor, b, a, in.range(), out.range(), state.first(12), by);
      out.items(executor);
      state.items(executor);
    }
    guarded<std::int32_t> bounds(executor, std::vector<std::int32_t>{0, 500, 1000});
    const auto refuse = [&](const char* start, const char* part, auto&& kept, const auto& positions) {
      const auto by = upsweep::offsets(positions);
      test::check_refused([&] { upsweep::sosfilt(executor, two, in.range(), untouched.range(), kept, by); }, start,
                          part);
      CHECK(untouched.untouched_from(executor));
    };
    refuse("offsets is empty", "one entry more", upsweep::no_state, bounds.first(0));
    refuse("offsets is a null pointer", "with a size", upsweep::no_state,
           std::span<const std::int32_t>(static_cast<const std::int32_t*>(nullptr), 3));
    refuse("out overlaps offsets", "disjoint", upsweep::no_state,
           std::span<const std::int32_t>(reinterpret_cast<const std::int32_t*>(untouched.data()), 3));
    refuse("state has 4 entries", "needs 8: 4 for each of 2 segments", state.first(4), bounds.range());
    refuse("state has 8 entries", "needs 4: 4 for each of 1 segment", state.first(8), bounds.first(2));
    refuse("state overlaps offsets", "disjoint", state.first(8),
           std::span<const std::int32_t>(reinterpret_cast<const std::int32_t*>(state.data()), 3));
    const auto by = upsweep::offsets(bounds.range());
    test::check_refused([&] { upsweep::exponential_moving_average(executor, in.range(), untouched.range(), 0, by); },
                        "weight is 0", "above 0");
    test::check_refused([&] { upsweep::leaky_integrator(executor, in.range(), untouched.range(), 1.5, by); },
                        "leak is 1.5", "from 0 to 1");
    test::check_refused(
        [&] { upsweep::sosfilt(executor, two, in.range(), untouched.first(999), upsweep::no_state, by); },
        "out has 999 items", "needs 1000");
    CHECK(untouched.untouched_from(executor));
  });
}

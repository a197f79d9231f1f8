// What the tests of filters share: filters to try, the serial oracle of each, a comparison that allows for rounding,
// and one way to call sosfilt and lfilter.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "../oracles/filters.hpp"
#include "filter_instances.hpp"
#include "oracle.hpp"
#include "support.hpp"

namespace test {

//! A cascade of sections, or polynomials when there are none.
struct filter {
  std::vector<upsweep::section> sections;
  std::vector<double> b, a;

  index_t entries() const {  // of a channel's state
    return static_cast<index_t>(sections.empty() ? std::max(b.size(), a.size()) - 1 : 2 * sections.size());
  }
  std::string name() const {
    if (sections.empty()) return "lfilter of order " + std::to_string(entries());
    return "sosfilt of " + std::to_string(sections.size()) + " sections";
  }
  //! Where a channel's entry is in a call's state.
  std::size_t place(index_t entry, index_t channel, index_t channels) const {
    if (sections.empty()) return oracle::at(channel * entries() + entry);
    return oracle::at((entry / 2 * channels + channel) * 2 + entry % 2);
  }
  template <class Executor, class In, class Out, class Layout = upsweep::planar>
  void operator()(Executor& executor, std::span<const In> in, std::span<Out> out, std::span<double> state,
                  const Layout& layout = {}) const {
    if constexpr (std::is_same_v<In, Out> && std::is_floating_point_v<In> && std::is_same_v<Layout, upsweep::planar>)
      if (sections.empty()) return upsweep::lfilter(executor, b, a, in, out, state, layout);
    upsweep::sosfilt(executor, sections, in, out, state, layout);
  }
};

//! The same by the oracle, from a state on.
class serial_filter {
 public:
  serial_filter(const filter& f, const std::vector<double>& state = {})
      : one_(f.sections.empty() ? oracle::serial_filter<>(f.b, f.a) : oracle::serial_filter<>(f.sections)) {
    std::size_t k = 0;
    for (auto& part : one_.parts())
      for (long double& entry : part.state()) entry = k < state.size() ? state[k++] : 0;
  }
  template <class T>
  oracle::reals operator()(const std::vector<T>& x) {
    oracle::reals y(x.size());
    for (std::size_t i = 0; i < x.size(); i++) y[i] = one_(static_cast<long double>(x[i]));
    return y;
  }
  long double operator()(long double x) { return one_(x); }
  oracle::reals state() {
    oracle::reals all;
    for (auto& part : one_.parts()) all.insert(all.end(), part.state().begin(), part.state().end());
    return all;
  }

 private:
  oracle::serial_filter<> one_;
};

// ---------------------------------------------------------------- filters
//! A section with a pair of poles of that magnitude at most, now and then of first order; all coefficients differ.
inline upsweep::section random_section(generator& random, double largest, bool first_order = false) {
  const double r = largest * (0.4 + 0.6 * random.unit()), angle = std::numbers::pi * random.unit();
  const auto zero = [&] { return 1.6 * random.unit() - 0.8; };
  if (first_order) return {.b0 = 0.7, .b1 = zero(), .a1 = -r};
  return {.b0 = 0.5 + 0.5 * random.unit(), .b1 = zero(), .b2 = zero(), .a1 = -2 * r * std::cos(angle), .a2 = r * r};
}
inline filter random_cascade(int sections, double largest = 0.97) {
  generator random(static_cast<std::uint64_t>(sections) + 1000);
  filter f;
  for (int s = 0; s < sections; s++) f.sections.push_back(random_section(random, largest, s % 3 == 2));
  return f;
}
//! Polynomials with poles of magnitudes up to 0.8, times `scale`.
inline filter random_polynomials(int order, double scale = 1) {
  generator random(static_cast<std::uint64_t>(order) + 2000);
  filter f{{}, {1}, {scale}};
  const auto times = [](const std::vector<double>& p, std::vector<double> q) {
    std::vector<double> product(p.size() + q.size() - 1);
    for (std::size_t i = 0; i < p.size(); i++)
      for (std::size_t k = 0; k < q.size(); k++) product[i + k] += p[i] * q[k];
    return product;
  };
  for (int left = order; left > 0; left -= 2) {
    const upsweep::section s = random_section(random, 0.8, left == 1);
    f.b = times(f.b, left == 1 ? std::vector{s.b0, s.b1} : std::vector{s.b0, s.b1, s.b2});
    f.a = times(f.a, left == 1 ? std::vector{1., s.a1} : std::vector{1., s.a1, s.a2});
  }
  return f;
}
//! Some of each kind.
inline std::vector<filter> some_filters() {
  return {random_cascade(1), random_cascade(2),     random_cascade(4),        random_cascade(5),
          random_cascade(9), random_polynomials(1), random_polynomials(3, 2), random_polynomials(7)};
}

//! Numbers between -1 and 1, exact in float.
template <class T>
std::vector<T> noise(index_t n, std::uint64_t stream = 0) {
  return generate(
      n, [](generator& random) { return static_cast<T>(static_cast<float>(2 * random.unit() - 1)); }, stream);
}

// ---------------------------------------------------------------- comparison
//! How far off a filter's outputs may be by the method, which rounds doubles, for samples of up to that magnitude from
//! states of up to that.
inline double error_of(const filter& f, double samples, double state = 0) {
  const auto parts =
      f.sections.empty() ? std::vector<oracle::polynomials>{{f.b, f.a}} : oracle::polynomials_of(f.sections);
  return oracle::error_of_scan(oracle::magnitudes_of(std::span<const oracle::polynomials>(parts), samples, state));
}
//! Equal but for the rounding of the samples' type, integers held to their range, and for `error`.
template <class T>
void check_within(const std::vector<T>& actual, const oracle::reals& expected, long double error) {
  REQUIRE(actual.size() == expected.size());
  std::size_t at = 0;
  for (; at < actual.size(); at++) {
    long double right = expected[at], rounding = 0.5L;
    if constexpr (std::is_integral_v<T>)
      right = std::clamp<long double>(right, std::numeric_limits<T>::min(), std::numeric_limits<T>::max());
    else
      rounding = std::abs(right) * std::numeric_limits<T>::epsilon() / 2 +
                 static_cast<long double>(std::numeric_limits<T>::denorm_min());
    if (!(std::abs(static_cast<long double>(actual[at]) - right) <= rounding + error)) break;
  }
  if (at == actual.size()) return;
  INFO("item " << at << " of " << actual.size() << " is " << actual[at] << ", not " << static_cast<double>(expected[at])
               << " to " << static_cast<double>(error));
  REQUIRE(at == actual.size());
}
//! Equal but for the rounding of the samples' type, and for `tolerance` times the largest of the expected: a few times
//! what has been seen, so that what becomes worse is found. What the method allows is error_of.
template <class T>
void check_near(const std::vector<T>& actual, std::span<const long double> expected, long double tolerance) {
  REQUIRE(actual.size() == expected.size());
  long double scale = 0, worst = 0;
  for (const long double e : expected) scale = std::max(scale, std::abs(e));
  std::size_t at = actual.size();
  for (std::size_t i = actual.size(); i-- > 0;) {
    const long double error = std::abs(static_cast<long double>(actual[i]) - expected[i]);
    const long double half = std::abs(expected[i]) * std::numeric_limits<T>::epsilon() / 2 +
                             static_cast<long double>(std::numeric_limits<T>::denorm_min());
    if (error <= half + tolerance * scale) continue;
    at = i;  // the first one in the end; a NaN is one
    worst = std::max(worst, error);
  }
  if (at == actual.size()) return;
  INFO("item " << at << " of " << actual.size() << " is " << actual[at] << ", not " << static_cast<double>(expected[at])
               << "; the largest error is " << static_cast<double>(worst / scale) << " of the largest item");
  REQUIRE(at == actual.size());
}
template <class T>
void check_near(const std::vector<T>& actual, std::span<const double> expected, long double tolerance) {
  check_near(actual, oracle::reals(expected.begin(), expected.end()), tolerance);
}
template <class T>
void check_near(const std::vector<T>& actual, const oracle::reals& expected, long double tolerance) {
  check_near(actual, std::span<const long double>(expected), tolerance);
}

//! What a call gives.
template <class T>
struct filtered {
  std::vector<T> y;
  std::vector<double> state;
};
//! Filters `in` out of place, or in place, from `state`.
template <class Out, class Executor, class In, class Layout = upsweep::planar>
filtered<Out> run_filter(Executor& executor, const filter& f, const std::vector<In>& in,
                         const std::vector<double>& state, const Layout& layout = {}, index_t shift = 0,
                         bool in_place = false) {
  guarded<In> from(executor, in, shift);
  guarded<double> kept(executor, state);
  if constexpr (std::is_same_v<In, Out>) {
    if (in_place) {
      f(executor, std::span<const In>(from.range()), from.range(), kept.range(), layout);
      return {from.items(executor), kept.items(executor)};
    }
  }
  guarded<Out> to(executor, static_cast<index_t>(in.size()), shift_of(static_cast<index_t>(in.size()) + shift, 1));
  f(executor, std::span<const In>(from.range()), to.range(), kept.range(), layout);
  check_same_bits(from.items(executor), in);
  return {to.items(executor), kept.items(executor)};
}
//! Filters one channel in pieces of `length`, with its state.
template <class Out, class Executor, class In>
filtered<Out> run_in_pieces(Executor& executor, const filter& f, const std::vector<In>& in,
                            const std::vector<double>& state, index_t length) {
  guarded<In> from(executor, in);
  guarded<Out> to(executor, static_cast<index_t>(in.size()));
  guarded<double> kept(executor, state);
  for (index_t first = 0; first < from.size(); first += length) {
    const auto count = oracle::at(std::min(length, from.size() - first));
    f(executor, std::span<const In>(from.data() + first, count), std::span<Out>(to.data() + first, count),
      kept.range());
  }
  return {to.items(executor), kept.items(executor)};
}
//! Items first … first + count − 1: a channel's, say.
template <class T>
std::vector<T> part_of(const std::vector<T>& all, index_t first, index_t count) {
  return {all.begin() + first, all.begin() + first + count};
}
//! Entries of a state that no two are alike.
inline std::vector<double> some_state(index_t entries) {
  std::vector<double> state;
  for (index_t k = 0; k < entries; k++) state.push_back(0.5 - 0.3 * std::sin(static_cast<double>(3 * k + 1)));
  return state;
}

}  // namespace test

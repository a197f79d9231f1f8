// Recurrences whose rows are segments by offsets, against a serial one a segment: empty segments, segments of one item
// and of several tiles; items in front of and behind all segments; nothing of one comes into another.
#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <cstdint>
#include <limits>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include <upsweep/linear_recurrence.hpp>

#include "oracle.hpp"
#include "ragged.hpp"
#include "support.hpp"

using test::check_equal;
using test::guarded;
using upsweep::index_t;

namespace {
//! The recurrence of each piece in turn. `before`: values for all pieces, or some for each segment and 0 for the
//! others.
template <class Wide, class T>
std::vector<Wide> serial(const std::vector<std::vector<T>>& a, const std::vector<T>& b, const std::vector<T>& before,
                         const std::vector<test::piece>& pieces, bool each) {
  std::vector<Wide> x;
  const auto order = oracle::size(a);
  for (const auto& [s, begin, end] : pieces) {
    const auto part = [&, from = begin, to = end](const std::vector<T>& all) {
      return std::vector<T>(all.begin() + from, all.begin() + to);
    };
    std::vector<std::vector<T>> factors;
    for (const auto& some : a) factors.push_back(part(some));
    std::vector<T> own(before.begin(), before.begin() + order);
    if (each) {
      if (s < 0) own.assign(oracle::at(order), T{});
      else own.assign(before.begin() + s * order, before.begin() + (s + 1) * order);
    }
    const auto some = oracle::linear_recurrence<Wide>(factors, part(b), own, end - begin);
    x.insert(x.end(), some.begin(), some.end());
  }
  return x;
}

template <class T, int Order, class Executor, class Before, class Offsets>
void recur(Executor& executor, std::vector<guarded<T>>& a, std::span<const T> b, std::span<T> x, const Before& before,
           const Offsets& offsets) {
  if constexpr (Order == 1) upsweep::linear_recurrence(executor, a[0].range(), b, x, before, upsweep::offsets(offsets));
  else
    upsweep::linear_recurrence(executor, upsweep::coefficients(a[0].range(), a[1].range()), b, x, before,
                               upsweep::offsets(offsets));
}
//! Results are compared with what the serial loop gives in Wide.
template <class Wide, int Order, class T, class Offset, class Compare>
void check_order(index_t n, const std::vector<Offset>& offsets, const std::vector<std::vector<T>>& a,
                 const std::vector<T>& b, const std::vector<T>& before, const Compare& compare) {
  if (test::without_executors()) return;
  const auto pieces = test::pieces_of(n, offsets);
  const std::vector<T> same(before.begin(), before.begin() + Order);
  const auto from_own = serial<Wide>(a, b, before, pieces, true), from_same = serial<Wide>(a, b, same, pieces, false);
  test::on_executors(n, [&](auto& executor) {
    std::vector<guarded<T>> factors;
    for (const auto& each : a) factors.emplace_back(executor, each, 1);
    guarded<T> terms(executor, b, 3), own(executor, before), x(executor, n);
    guarded<Offset> bounds(executor, offsets, 1);
    recur<T, Order>(executor, factors, std::span<const T>(terms.range()), x.range(), own.range(), bounds.range());
    compare(x.items(executor), from_own);
    if constexpr (Order == 1)
      recur<T, 1>(executor, factors, std::span<const T>(terms.range()), x.range(), same[0], bounds.range());
    else
      recur<T, 2>(executor, factors, std::span<const T>(terms.range()), x.range(), std::array{same[0], same[1]},
                  bounds.range());
    compare(x.items(executor), from_same);
    recur<T, Order>(executor, factors, std::span<const T>(terms.range()), terms.range(), own.range(), bounds.range());
    compare(terms.items(executor), from_own);  // in place
    check_equal(bounds.items(executor), offsets);
  });
}

template <int Order, class Offset>
void check_integers(index_t n, index_t length) {
  using T = std::uint32_t;
  const auto any = [](test::generator& random) { return static_cast<T>(random()); };
  const auto offsets = test::ragged_offsets<Offset>(n, length);
  std::vector<std::vector<T>> a;
  for (int k = 0; k < Order; k++) a.push_back(test::generate(n, any, 12 + static_cast<std::uint64_t>(k)));
  const auto b = test::generate(n, any, 11);
  const auto before = test::generate(Order * (oracle::size(offsets) - 1), any, 14);
  check_order<T, Order>(n, offsets, a, b, before,
                        [](const auto& found, const auto& expected) { check_equal(found, expected); });
}
template <class T, int Order>
void check_reals(index_t n, index_t length) {
  const T bound = static_cast<T>(Order == 1 ? 0.97 : 0.49);
  const auto unit = [](test::generator& random) { return static_cast<T>(2 * random.unit() - 1); };
  const auto offsets = test::ragged_offsets<std::int32_t>(n, length);
  std::vector<std::vector<T>> a;
  for (int k = 0; k < Order; k++)
    a.push_back(test::generate(
        n, [&](test::generator& random) { return unit(random) * bound; }, 12 + static_cast<std::uint64_t>(k)));
  const auto b = test::generate(n, unit, 11), before = test::generate(Order * (oracle::size(offsets) - 1), unit, 14);
  check_order<long double, Order>(n, offsets, a, b, before, [](const auto& found, const auto& expected) {
    double worst = 0;
    for (std::size_t i = 0; i < expected.size(); i++)
      worst = std::max(worst, static_cast<double>(std::abs(static_cast<long double>(found[i]) - expected[i])));
    CHECK(worst <= 60 * static_cast<double>(std::numeric_limits<T>::epsilon()));
  });
}
}  // namespace

TEST_CASE("recurrences of integers along segments are exact") {
  for (const index_t n : {0, 1, 2, 33, 5000, 70'001})
    for (const index_t length : {1, 20, 9000}) {
      INFO("segments of about " << length);
      check_integers<1, std::int32_t>(n, length);
      check_integers<2, std::int64_t>(n, length);
    }
}

TEST_CASE("recurrences of floats along segments") {
  for (const index_t length : {1, 20, 9000}) {
    check_reals<float, 1>(70'001, length);
    check_reals<double, 1>(5000, length);
    check_reals<float, 2>(70'001, length);
    check_reals<double, 2>(5000, length);
  }
}

TEST_CASE("complex recurrences along segments") {
  using complex = std::complex<float>;
  test::on_hosts([](auto& executor) {
    const std::vector<complex> a(4, {0, 1}), b(4, {1, 0});
    const std::vector<int> bounds{1, 3};
    std::vector<complex> x(4);
    upsweep::linear_recurrence(executor, a, b, x, complex(2, 0), upsweep::offsets(bounds));
    CHECK(x == std::vector<complex>{{1, 2}, {1, 2}, {-1, 1}, {1, 2}});
    upsweep::linear_recurrence(executor, a, b, x, std::vector<complex>{{0, 2}}, upsweep::offsets(bounds));
    CHECK(x == std::vector<complex>{{1, 0}, {-1, 0}, {1, -1}, {1, 0}});
  });
}

TEST_CASE("nothing of a segment comes into another, whatever it is") {
  const index_t n = 30'000;
  const float inf = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();
  const auto offsets = test::ragged_offsets<std::int32_t>(n, 700);
  const auto pieces = test::pieces_of(n, offsets);
  const auto ones = std::vector<float>(oracle::at(n), 1);
  std::vector<float> factors(oracle::at(n), 0.5f), terms = ones;
  std::vector<float> expected(oracle::at(n));
  index_t number = 0;
  for (const auto& [s, begin, end] : pieces) {
    const bool is_bad = number++ % 2 == 0;
    if (is_bad && end > begin) {
      factors[oracle::at(begin + (end - begin) / 2)] = inf;
      terms[oracle::at(end - 1)] = nan;
      factors[oracle::at(end - 1)] = nan;
    }
    float x = 0;
    for (index_t i = begin; i < end; i++)
      expected[oracle::at(i)] = x = is_bad ? nan : 0.5f * x + 1;  // exact: bits of a sum of powers of 2 round alike
  }
  test::on_executors(n, [&](auto& executor) {
    guarded<float> a(executor, factors), b(executor, terms), x(executor, n),
        zeros(executor, std::vector<float>(oracle::at(n)));
    guarded<std::int32_t> bounds(executor, offsets);
    const auto check = [&] {
      const auto found = x.items(executor);
      index_t wrong = 0;
      for (std::size_t i = 0; i < found.size(); i++)
        if (!std::isnan(expected[i])) wrong += !(std::abs(found[i] - expected[i]) <= 1e-6f);
      CHECK(wrong == 0);
    };
    upsweep::linear_recurrence(executor, a.range(), b.range(), x.range(), 0.f, upsweep::offsets(bounds.range()));
    check();
    upsweep::linear_recurrence(executor, upsweep::coefficients(a.range(), zeros.range()), b.range(), x.range(),
                               {0.f, 0.f}, upsweep::offsets(bounds.range()));
    check();
  });
}

TEST_CASE("offsets of a recurrence may be any numbers") {
  using limits = std::numeric_limits<std::int64_t>;
  const std::vector<float> a(1000, 0.5f), b(1000, 1);
  const std::vector<std::int64_t> wrong{limits::min(), limits::max(), 300, limits::min(), 900, limits::max()};
  std::vector<float> x(1000, 7), own(5, 1);
  test::on_hosts([&](auto& executor) {
    upsweep::linear_recurrence(executor, a, b, x, own, upsweep::offsets(wrong));
    CHECK(std::count(x.begin(), x.end(), 7.f) == 0);
  });
}

TEST_CASE("wrong offsets of a recurrence stay in bounds, and errors name them") {
  const std::vector<float> a(1000, 0.5f), b(1000, 1);
  test::on_executors([&](auto& executor) {
    guarded<float> factors(executor, a), terms(executor, b), x(executor, 1000), own(executor, std::vector<float>(8));
    for (const std::vector<std::int32_t>& wrong : {std::vector<std::int32_t>{900, 20, -7, 5000, 3},
                                                   {-2147483647, 2147483647, 0, 1000, -1},
                                                   {2000, 3000, 4000, 5000, 6000}}) {
      guarded<std::int32_t> bounds(executor, wrong);
      const auto by = upsweep::offsets(bounds.range());
      upsweep::linear_recurrence(executor, factors.range(), terms.range(), x.range(), own.first(4), by);
      upsweep::linear_recurrence(executor, upsweep::coefficients(factors.range(), factors.range()), terms.range(),
                                 x.range(), own.range(), by);
      x.items(executor);
    }
    guarded<std::int32_t> bounds(executor, std::vector<std::int32_t>{0, 500, 1000});
    guarded<float> untouched(executor, 1000);
    const auto refuse = [&](const char* start, const char* part, const auto& before, const auto& positions) {
      test::check_refused(
          [&] {
            upsweep::linear_recurrence(executor, factors.range(), terms.range(), untouched.range(), before,
                                       upsweep::offsets(positions));
          },
          start, part);
      CHECK(untouched.untouched_from(executor));
    };
    refuse("offsets is empty", "one entry more", 0.f, bounds.first(0));
    refuse("x_before has 3 items", "needs 2: one a segment", own.first(3), bounds.range());
    refuse("offsets is a null pointer", "with a size", 0.f,
           std::span<const std::int32_t>(static_cast<const std::int32_t*>(nullptr), 3));
    refuse("x overlaps offsets", "disjoint", 0.f,
           std::span<const std::int32_t>(reinterpret_cast<const std::int32_t*>(untouched.data()), 3));
  });
}

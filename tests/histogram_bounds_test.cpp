// histogram_even and histogram_range against serial ones: bounds and edges of all types, real ones of integers.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include <upsweep/histogram.hpp>

#include "image_support.hpp"
#include "vector_widths.hpp"

using test::check_equal;
using test::guarded;
using upsweep::image_layout;
using upsweep::index_t;

namespace {
//! histogram_even and histogram_range of one type, against `bin`.
template <class T, class Bound, class Bin>
void check_bins(const std::vector<T>& items, Bound low, Bound high, index_t bins, const Bin& bin) {
  const image_layout row{.width = oracle::size(items)};
  const auto expected = oracle::histogram(items, row, bins, bin);
  test::on_executors([&](auto& executor) {
    guarded<T> in(executor, items, 1);
    guarded<std::uint64_t> counts(executor, bins);
    upsweep::histogram_even(executor, in.range(), counts.range(), low, high);
    const auto found = counts.items(executor);
    check_equal(std::vector<index_t>(found.begin(), found.end()), expected);
  });
}
template <class T, class Edge>
void check_edges(const std::vector<T>& items, const std::vector<Edge>& edges) {
  const image_layout row{.width = oracle::size(items)};
  const index_t bins = oracle::size(edges) - 1;
  const auto bin = [&](T x) {
    index_t b = -1;
    if (!(x == x)) return b;
    while (b < bins && static_cast<long double>(edges[oracle::at(b + 1)]) <= static_cast<long double>(x)) b++;
    return b < bins ? b : -1;
  };
  const auto expected = oracle::histogram(items, row, bins, bin);
  test::on_executors([&](auto& executor) {
    guarded<T> in(executor, items, 1);
    guarded<index_t> counts(executor, bins);
    upsweep::histogram_range(executor, in.range(), counts.range(), edges);
    check_equal(counts.items(executor), expected);
  });
}
template <class T>
struct even_bin {
  __extension__ typedef __int128 wide;
  wide low, high, bins;
  index_t operator()(T x) const {
    if (x < low || x >= high) return -1;
    return static_cast<index_t>((x - low) * bins / (high - low));
  }
};
template <class T>
struct even_float_bin {
  T low, high;
  index_t bins;
  index_t operator()(T x) const {
    if (!(x >= low && x < high)) return -1;
    const T scale = static_cast<T>(bins) / (high - low);
    return std::min(bins - 1, static_cast<index_t>((x - low) * scale));
  }
};
template <class T>
void check_integers(index_t n) {
  using limits = std::numeric_limits<T>;
  using bound = upsweep::detail::bound_t<T>;
  const auto items = test::any_bits<T>(n);
  constexpr auto low = static_cast<bound>(limits::min()), high = static_cast<bound>(limits::max());
  for (const index_t bins : {1, 2, 7, 256, 1000, 20'000}) {
    if constexpr (sizeof(T) < 8) {
      check_bins(items, low, static_cast<bound>(high + 1), bins,
                 even_bin<T>{low, static_cast<typename even_bin<T>::wide>(high) + 1, bins});
    } else {
      const bound half = high / 2;  // at most 2^63 below high
      check_bins(items, half, high, bins, even_bin<T>{half, high, bins});
    }
    check_bins(items, bound{1}, bound{100}, bins, even_bin<T>{1, 100, bins});
  }
  check_edges(items, std::vector<T>{0, 1, 17, 100});
  check_edges(items, std::vector<double>{-1e10, -3.5, 0.0, 0.5, 17, 99.999, 100.0001, 1e5, 1e15});
  check_edges(items, std::vector<std::int64_t>{-70'000, -1, 0, 1, 100, 70'000});
}
template <class T>
void check_floats(index_t n) {
  auto items = test::random_floats<T>(n);
  const auto odd = test::any_bits<T>(n / 3, 1);
  std::copy(odd.begin(), odd.end(), items.begin());
  for (const T x : {T(0), T(-0.0), T(1), std::numeric_limits<T>::infinity(), -std::numeric_limits<T>::infinity(),
                    std::numeric_limits<T>::quiet_NaN(), std::nextafter(T(1), T(0)), T(-1e-30)})
    items.push_back(x);
  for (const index_t bins : {1, 3, 256, 1000, 100'000}) {
    check_bins(items, T(0), T(1), bins, even_float_bin<T>{0, 1, bins});
    check_bins(items, T(-0.3), T(0.7), bins, even_float_bin<T>{T(-0.3), T(0.7), bins});
    check_bins(items, T(-1), T(0), bins, even_float_bin<T>{-1, 0, bins});  // -1e-30 + 1 is 1: rounded up to the end
  }
  check_edges(items, std::vector<T>{T(-1), T(0), T(0.1), T(0.5), T(0.999), T(1)});
  check_edges(items, std::vector<double>{-1e300, -0.1, 0.1, 0.3, 1.0, 1e300});
  check_edges(items, std::vector<int>{-3, 0, 1, 7});
  std::vector<double> many;
  for (int k = 0; k <= 5000; k++) many.push_back(k * k / 25e6);
  check_edges(items, many);
}
}  // namespace

TEST_CASE("even bins and edges of integers are exact") {
  check_integers<std::uint8_t>(40'000);
  check_integers<std::int8_t>(40'000);
  check_integers<std::uint16_t>(40'000);
  check_integers<std::int16_t>(40'000);
  check_integers<std::int32_t>(40'000);
  check_integers<std::uint32_t>(40'000);
  check_integers<std::int64_t>(40'000);
  check_integers<std::uint64_t>(40'000);
}
TEST_CASE("even bins and edges of floats; NaNs and what lies outside are not counted") {
  if (test::without_executors()) return;
  check_floats<float>(50'000);
  check_floats<double>(50'000);
}

namespace {
//! Bins of integers between real bounds, by fractions of 2^-12.
template <class T>
void check_real_bounds(const std::vector<T>& items, double low, double high, index_t bins) {
  INFO(bins << " bins over [" << low << ", " << high << ")");
  using wide = typename even_bin<T>::wide;
  const auto scaled = [](double x) { return static_cast<wide>(x * 4096); };
  check_bins(items, low, high, bins, [&](T x) {
    const wide at = static_cast<wide>(x) * 4096;
    if (at < scaled(low) || at >= scaled(high)) return index_t{-1};
    return static_cast<index_t>((at - scaled(low)) * bins / (scaled(high) - scaled(low)));
  });
}
template <class T>
void check_real_bounds() {
  const auto items = test::any_bits<T>(5000);
  std::vector<T> small;
  for (const T x : items) small.push_back(static_cast<T>(static_cast<std::uint64_t>(x) % 32));
  for (const index_t bins : {1, 2, 3, 4, 7, 256}) {
    check_real_bounds(small, -0.5, 3.5, bins);
    check_real_bounds(small, 0., 32., bins);
    check_real_bounds(small, 0.25, 30.75, bins);
    check_real_bounds(small, 3.25, 3.75, bins);  // between two integers
    check_real_bounds(small, -1e6, 1e6 + 0.5, bins);
    check_real_bounds(items, -0.5, 255.5, bins);
    check_real_bounds(items, -100.125, 100.0625, bins);
  }
}
}  // namespace

TEST_CASE("real bounds of integers are not rounded") {
  const std::vector<std::uint8_t> few{0, 0, 0, 1, 2, 2, 3, 4};
  upsweep::host executor;
  std::vector<index_t> counts(4);
  upsweep::histogram_even(executor, few, counts, -0.5, 3.5);
  check_equal(counts, std::vector<index_t>{3, 1, 2, 1});  // from 0 to 3, as truncated: 3 1 2 0, or worse
  upsweep::histogram_even(executor, few, counts, -0.5f, 4);
  check_equal(counts, std::vector<index_t>{3, 1, 2, 1});
  upsweep::histogram_even(executor, few, counts, 0.1, 4.1);
  check_equal(counts, std::vector<index_t>{1, 2, 1, 1});
  upsweep::histogram_even(executor, few, counts, -1, 3);
  check_equal(counts, std::vector<index_t>{0, 3, 1, 2});
  check_real_bounds<std::uint8_t>();
  check_real_bounds<std::int8_t>();
  check_real_bounds<std::uint16_t>();
  check_real_bounds<std::int32_t>();
  check_real_bounds<std::int64_t>();
  check_real_bounds<std::uint64_t>();
  // Unsigned items of 64 bits, and bounds on either side of them.
  const std::vector<std::uint64_t> large{0, 5, ~std::uint64_t{0} - 1};
  std::vector<index_t> two(2);
  upsweep::histogram_even(executor, large, two, -10, 10);
  check_equal(two, std::vector<index_t>{0, 2});
}
namespace {
template <class T>
void check_with_any_vectors(index_t n) {
  using limits = std::numeric_limits<T>;
  const T odd[] = {limits::quiet_NaN(),
                   limits::infinity(),
                   -limits::infinity(),
                   T{0},
                   -T{0},
                   T{1},
                   std::nextafter(T{1}, T{0}),
                   std::nextafter(T{0}, T{-1}),
                   limits::max(),
                   limits::lowest()};
  const auto bits = test::random_integers<std::uint16_t>(n);
  const auto mask = test::random_integers<std::uint8_t>(n, 3, 5);
  std::vector<T> items;
  for (index_t i = 0; i < n; i++)
    items.push_back(i % 7 == 3 ? odd[bits[oracle::at(i)] % 10] : static_cast<T>(bits[oracle::at(i)]) / 50'000);
  for (const index_t bins : {1, 10, 3000}) {
    INFO(n << " items, " << bins << " bins");
    const auto bin = [&](T x) {
      if (!(x >= 0 && x < 1)) return index_t{-1};
      return std::min(static_cast<index_t>(x * static_cast<T>(bins)), bins - 1);
    };
    const auto expected = oracle::histogram(items, {.width = n}, bins, bin);
    const auto masked = oracle::histogram(items, {.width = n}, bins, bin, mask);
    std::vector<index_t> counts(oracle::at(bins));
    test::with_any_vectors([&] {
      upsweep::histogram_even(upsweep::host(1), items, counts, T{0}, T{1});
      check_equal(counts, expected);
      upsweep::histogram_even(upsweep::host(1), upsweep::masked(items, mask), counts, T{0}, T{1});
      check_equal(counts, masked);
    });
  }
}
}  // namespace
TEST_CASE("even bins of floats are found alike with vectors of any width, with a mask and without") {
  for (const index_t n : {1, 7, 1023, 1024, 1025, 5000}) {
    check_with_any_vectors<float>(n);
    check_with_any_vectors<double>(n);
  }
}

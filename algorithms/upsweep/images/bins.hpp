// Which bin of a histogram counts an item. A bin functor gives 0 … bins - 1, or `bins` for what is counted nowhere.
//   level_bins    the item's own value
//   even_bins     bins of one width over [low, high)
//   edge_bins     bins between edges that increase
#pragma once
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

#include <upsweep/config.hpp>
#include <upsweep/require.hpp>
#include <upsweep/stages.hpp>

namespace UPSWEEP_NAMESPACE {

namespace detail {
template <class T>
concept countable = std::is_arithmetic_v<T> && !std::is_same_v<T, long double>;

//! What bounds of bins are given in: floats as they are, integers so wide that the end behind their last value is one
//! too (but for those of 64 bits).
template <class T>
using bound_t =
    std::conditional_t<std::is_floating_point_v<T>, T,
                       std::conditional_t<sizeof(T) == 8 && std::is_unsigned_v<T>, std::uint64_t, std::int64_t>>;

UPSWEEP_HD inline std::uint64_t high_product(std::uint64_t a, std::uint64_t b) {
#if defined(__CUDA_ARCH__)
  return __umul64hi(a, b);
#else
  return static_cast<std::uint64_t>((static_cast<wide_product>(a) * b) >> 64);
#endif
}

struct level_bins {
  std::uint32_t bins;
  template <class T>
  UPSWEEP_HD std::uint32_t operator()(T item) const {
    const auto level = static_cast<std::uint32_t>(item);
    return level < bins ? level : bins;
  }
};

//! Bins of one width. Of floats: (x - low)·(bins / (high - low)), rounded down, in the items' type.
template <class T, bool IsFloat = std::is_floating_point_v<T>>
struct even_bins {
  std::uint32_t bins;
  T low, high, scale;
  even_bins(std::uint32_t count, T from, T to)
      : bins(count), low(from), high(to), scale(static_cast<T>(count) / (to - from)) {}
  UPSWEEP_HD std::uint32_t operator()(T x) const {
    // Without a jump, so that compilers make vectors of it; NaN becomes `low`, as all does that is outside.
    const T above = x >= low ? x : low, inside = above < high ? above : low;
    const auto bin = static_cast<std::uint32_t>((inside - low) * scale);
    const std::uint32_t of_inside = bin < bins ? bin : bins - 1;  // rounded up to the end
    return inside == x ? of_inside : bins;
  }
};
//! Of integers: exactly (x - low)·bins / (high - low), rounded down. The quotient comes from a reciprocal rounded down
//! and is at most one too small: the rest tells.
template <class T>
struct even_bins<T, false> {
  std::uint32_t bins;
  std::uint64_t low, width, whole, fraction;  // bins / width = whole + fraction / 2^64, rounded down
  even_bins(std::uint32_t count, bound_t<T> from, bound_t<T> to)
      : bins(count), low(static_cast<std::uint64_t>(from)), width(static_cast<std::uint64_t>(to) - low) {
    whole = count / width;
    fraction = static_cast<std::uint64_t>((static_cast<wide_product>(count % width) << 64) / width);
  }
  UPSWEEP_HD std::uint32_t operator()(T item) const {
    const std::uint64_t x = static_cast<std::uint64_t>(static_cast<bound_t<T>>(item)) - low;
    if (x >= width) return bins;
    const std::uint64_t bin = x * whole + high_product(x, fraction);
    return static_cast<std::uint32_t>(bin + (x * bins - bin * width >= width));
  }
};

//! Bins [edges[k], edges[k + 1]), found by halving.
template <class T>
struct edge_bins {
  std::uint32_t bins;
  const bound_t<T>* edges;
  UPSWEEP_HD std::uint32_t operator()(T item) const {
    std::uint32_t found[1];
    find({item}, found);
    return found[0];
  }
  //! Several items in step: their loads do not wait for each other.
  template <int N>
  UPSWEEP_HD void find(const T (&items)[N], std::uint32_t (&found)[N]) const {
    for (int i = 0; i < N; i++) found[i] = 0;
    std::uint32_t step = 1;
    while (2 * step < bins) step *= 2;
    for (; step > 0; step /= 2)  // the last edge that is not above an item is among edges[found, found + 2·step)
      for (int i = 0; i < N; i++) {
        const std::uint32_t at = found[i] + step;
        if (at < bins && edges[at] <= static_cast<bound_t<T>>(items[i])) found[i] = at;
      }
    const bound_t<T> low = edges[0], high = edges[bins];
    for (int i = 0; i < N; i++) {
      const auto x = static_cast<bound_t<T>>(items[i]);
      if (!(x >= low && x < high)) found[i] = bins;  // nor is NaN counted
    }
  }
};

template <class T>
struct is_edge_bins : std::false_type {};
template <class T>
struct is_edge_bins<edge_bins<T>> : std::true_type {};

template <class Bin, class T, int N>
UPSWEEP_HD void find_bins(const Bin& bin, const T (&items)[N], std::uint32_t (&found)[N]) {
  if constexpr (is_edge_bins<Bin>::value) bin.find(items, found);
  else
    for (int i = 0; i < N; i++) found[i] = bin(items[i]);
}

// ---------------------------------------------------------------- checks, and edges in the items' own terms
template <class T>
void check_bounds(bound_t<T> low, bound_t<T> high, [[maybe_unused]] index_t bins) {
  if constexpr (std::is_floating_point_v<T>) {
    require(std::isfinite(low), "low", "is ", low, ", must be finite");
    require(std::isfinite(high), "high", "is ", high, ", must be finite");
  }
  require(low < high, "low", "is ", low, ", must be less than high, ", high);
  if constexpr (std::is_floating_point_v<T>) {
    require(std::isfinite(high - low), "high - low", "is too large for the items' type");
    require(std::isfinite(static_cast<T>(bins) / (high - low)), "high - low", "is too small for so many bins");
  } else {
    require(static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low) <= std::uint64_t{1} << 63, "high - low",
            "is more than 2^63");
  }
}

__extension__ typedef __int128 wide_integer;  // NOLINT(modernize-use-using): nvcc takes no __extension__ using

//! A bound as number·2^exponent, exactly; the number is odd, or 0.
struct exact_bound {
  wide_integer number = 0;
  int exponent = 0;
  template <class B>
  exact_bound(const char* name, B bound) {
    if constexpr (std::is_floating_point_v<B>) {
      require(std::isfinite(bound), name, "is ", bound, ", must be finite");
      constexpr int digits = std::numeric_limits<double>::digits;
      number = static_cast<std::int64_t>(std::ldexp(std::frexp(static_cast<double>(bound), &exponent), digits));
      exponent -= digits;
    } else {
      number = bound;
    }
    if (number == 0) exponent = 0;
    for (; number != 0 && number % 2 == 0; exponent++) number /= 2;
  }
  //! Bits of the bound in units of 2^-fraction_bits.
  int bits(int fraction_bits) const {
    int size = exponent + fraction_bits;
    for (wide_integer rest = number; rest != 0; rest /= 2) size++;
    return size;
  }
  wide_integer in_units(int fraction_bits) const {
    return number * (wide_integer{1} << (number == 0 ? 0 : exponent + fraction_bits));
  }
};

//! Bounds of even bins of integers, exactly, whatever type they came in: two integers; or, where real bounds make other
//! bins than any integers do, the smallest integer of each bin, and the end of the last one.
template <class T>
struct integer_bounds {
  bound_t<T> low{}, high{};
  std::vector<bound_t<T>> edges;

  template <class Low, class High>
  integer_bounds(Low from, High to, index_t bins) {
    const exact_bound a("low", from), b("high", to);
    const int fraction_bits = std::max({0, -a.exponent, -b.exponent});
    constexpr int most_bits = 124;  // of what is computed here
    const int room = most_bits - static_cast<int>(std::bit_width(static_cast<std::uint64_t>(bins)));
    require(std::max({a.bits(fraction_bits), b.bits(fraction_bits), fraction_bits}) <= room, "low", "is ", from,
            " and high ", to, ": bins of integers are exact, and these cannot be told in 128 bits");
    const wide_integer begin = a.in_units(fraction_bits), width = b.in_units(fraction_bits) - begin;
    require(width > 0, "low", "is ", from, ", must be less than high, ", to);
    if (fraction_bits == 0 && fits(begin) && fits(begin + width)) {
      low = static_cast<bound_t<T>>(begin);
      high = static_cast<bound_t<T>>(begin + width);
      check_bounds<T>(low, high, bins);
      return;
    }
    // An edge is a number of T's type, so that none can lie behind the largest of 64 bits.
    require(sizeof(T) < 8 || begin + width <= wide_integer{limits::max()} << fraction_bits, "high", "is ", to,
            ", must be at most the largest item, ", limits::max());
    const wide_integer unit = wide_integer{bins} << fraction_bits;
    const auto edge = [&](index_t k) { return quotient_up(begin * bins + width * k, unit); };
    const wide_integer first = edge(0), last = edge(bins);
    bool is_even = first < last && last - first <= wide_integer{1} << 63 && fits(first) && fits(last);
    for (index_t k = 0; k <= bins; k++) {
      const wide_integer at = edge(k);
      is_even = is_even && at == quotient_up(first * bins + (last - first) * k, bins);
      edges.push_back(fits(at) ? static_cast<bound_t<T>>(at) : at < 0 ? limits::min() : limits::max());
    }
    if (!is_even) return;
    low = static_cast<bound_t<T>>(first);
    high = static_cast<bound_t<T>>(last);
    edges.clear();
  }

 private:
  using limits = std::numeric_limits<bound_t<T>>;
  static bool fits(wide_integer x) { return x >= limits::min() && x <= limits::max(); }
  static wide_integer quotient_up(wide_integer x, wide_integer by) { return x / by + (x % by > 0 ? 1 : 0); }
};

//! The smallest bound b of T with: x >= edge exactly if x >= b, for all items x.
template <class T, class Edge>
bound_t<T> bound_of_edge(Edge edge) {
  using B = bound_t<T>;
  if constexpr (std::is_floating_point_v<T>) {
    if constexpr (std::is_integral_v<Edge> && sizeof(Edge) >= sizeof(B)) {
      B b = static_cast<B>(edge);  // may have been rounded down
      if (static_cast<long double>(b) < static_cast<long double>(edge))
        b = std::nextafter(b, std::numeric_limits<B>::infinity());
      return b;
    } else {
      B b = static_cast<B>(edge);
      if (static_cast<Edge>(b) < edge) b = std::nextafter(b, std::numeric_limits<B>::infinity());
      return b;
    }
  } else {
    using limits = std::numeric_limits<B>;
    if constexpr (std::is_floating_point_v<Edge>) {
      const Edge up = std::ceil(edge);
      if (up <= static_cast<Edge>(limits::min())) return limits::min();
      if (up >= static_cast<Edge>(limits::max())) return limits::max();
      return static_cast<B>(up);
    } else {
      if (std::is_unsigned_v<B> && std::is_signed_v<Edge> && edge < Edge{}) return 0;
      if (!std::is_unsigned_v<B> && std::is_unsigned_v<Edge> &&
          static_cast<std::uint64_t>(edge) > static_cast<std::uint64_t>(limits::max()))
        return limits::max();
      return static_cast<B>(edge);
    }
  }
}
//! Throws unless the edges increase.
template <class T, class Edge>
std::vector<bound_t<T>> bounds_of_edges(const named_range<const Edge>& edges) {
  require(edges.size >= 2, edges.name, "has ", edges.size, " items, needs one more than there are bins");
  require(edges.data != nullptr, edges.name, "is a null pointer with a size");
  std::vector<bound_t<T>> bounds(static_cast<std::size_t>(edges.size));
  for (index_t k = 0; k < edges.size; k++) {
    const Edge edge = edges.data[k];
    if constexpr (std::is_floating_point_v<Edge>)
      require(!std::isnan(edge), edges.name, ": item ", k, " is ", edge, ", not a number");
    require(k == 0 || edges.data[k - 1] < edge, edges.name, ": item ", k, " is ", edge,
            ", must be more than the one before");
    bounds[static_cast<std::size_t>(k)] = bound_of_edge<T>(edge);
  }
  return bounds;
}
}  // namespace detail

}  // namespace UPSWEEP_NAMESPACE

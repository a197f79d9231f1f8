// The serial oracle of all tests: every call of the library as a plain loop. Segments are given by their bounds,
// ascending indices that begin with 0 and end with n.
#pragma once
#include <algorithm>
#include <cmath>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include <upsweep/config.hpp>

#include "number_order.hpp"

namespace oracle {
using upsweep::index_t;

inline std::size_t at(index_t i) { return static_cast<std::size_t>(i); }
template <class T>
index_t size(const std::vector<T>& items) {
  return static_cast<index_t>(items.size());
}

// ---------------------------------------------------------------- segments
using bounds = std::vector<index_t>;

inline bounds whole(index_t n) { return n ? bounds{0, n} : bounds{0}; }

//! A segment starts at 0 and wherever is_start(i).
template <class F>
bounds segments(index_t n, const F& is_start) {
  bounds result{0};
  for (index_t i = 1; i < n; i++)
    if (is_start(i)) result.push_back(i);
  if (n) result.push_back(n);
  return result;
}
template <class Flag>
bounds segments_of_heads(const std::vector<Flag>& heads) {
  return segments(size(heads), [&](index_t i) { return heads[at(i)] != 0; });
}
template <class Key>
bounds segments_of_keys(const std::vector<Key>& keys) {
  return segments(size(keys), [&](index_t i) { return !(keys[at(i - 1)] == keys[at(i)]); });
}
inline bounds segments_of_rows(index_t n, index_t length) {
  return segments(n, [=](index_t i) { return i % length == 0; });
}
template <class Offset>
bounds segments_of_offsets(index_t n, const std::vector<Offset>& offsets) {
  std::vector<bool> start(at(n + 1));
  for (const Offset offset : offsets) start[at(static_cast<index_t>(offset))] = true;
  return segments(n, [&](index_t i) { return start[at(i)]; });
}

// ---------------------------------------------------------------- scans
//! Calls visit(i, what lies before i in its segment (or nothing), that and item i).
template <class T, class M, class F>
void for_each_prefix(const std::vector<T>& in, const bounds& segments, const M& m, bool reversed, const F& visit) {
  using V = typename M::value_type;
  for (std::size_t s = 0; s + 1 < segments.size(); s++) {
    const index_t begin = segments[s], end = segments[s + 1];
    std::optional<V> before;
    for (index_t k = 0; k < end - begin; k++) {
      const index_t i = reversed ? end - 1 - k : begin + k;
      const V item = static_cast<V>(in[at(i)]);
      const V inclusive = before ? m(*before, item) : item;
      visit(i, before, inclusive);
      before = inclusive;
    }
  }
}

template <class T, class M>
std::vector<typename M::value_type> inclusive_scan(const std::vector<T>& in, const M& m, const bounds& segments,
                                                   bool reversed = false) {
  std::vector<typename M::value_type> out(in.size());
  for_each_prefix(in, segments, m, reversed,
                  [&](index_t i, const auto&, const auto& inclusive) { out[at(i)] = inclusive; });
  return out;
}
template <class T, class M>
std::vector<typename M::value_type> inclusive_scan(const std::vector<T>& in, const M& m, bool reversed = false) {
  return inclusive_scan(in, m, whole(size(in)), reversed);
}

//! Without init, a segment's first item gets the identity.
template <class T, class M>
std::vector<typename M::value_type> exclusive_scan(const std::vector<T>& in, const M& m, const bounds& segments,
                                                   std::optional<typename M::value_type> init = {},
                                                   bool reversed = false) {
  using V = typename M::value_type;
  std::vector<V> out(in.size());
  for_each_prefix(in, segments, m, reversed, [&](index_t i, const std::optional<V>& before, const V&) {
    if (before) {
      out[at(i)] = init ? m(*init, *before) : *before;
    } else {
      out[at(i)] = init ? *init : m.identity();
    }
  });
  return out;
}
template <class T, class M>
std::vector<typename M::value_type> exclusive_scan(const std::vector<T>& in, const M& m,
                                                   std::optional<typename M::value_type> init = {},
                                                   bool reversed = false) {
  return exclusive_scan(in, m, whole(size(in)), init, reversed);
}

//! x[i] = a[i]·x[i−1] + b[i]
template <class T>
std::vector<T> linear_recurrence(const std::vector<T>& a, const std::vector<T>& b, T before = {}) {
  std::vector<T> x(a.size());
  for (std::size_t i = 0; i < a.size(); i++) x[i] = before = static_cast<T>(a[i] * before + b[i]);
  return x;
}

//! x[i] = a[0][i]·x[i−1] + a[1][i]·x[i−2] + … + b[i] in a wider type, every row of `length` items on its own. What
//! stands before a row (reversed, behind it) is one value a coefficient, as it would lie in memory; the same for all
//! rows, or one after another.
template <class Wide, class T>
std::vector<Wide> linear_recurrence(const std::vector<std::vector<T>>& a, const std::vector<T>& b,
                                    const std::vector<T>& before, index_t length, bool reversed = false) {
  std::vector<Wide> x(b.size());
  const index_t order = size(a);
  for (index_t begin = 0, row = 0; begin < size(b); begin += length, row++) {
    std::vector<Wide> last(at(order));  // the nearest first
    for (index_t k = 0; k < order; k++)
      last[at(k)] = before[at((size(before) == order ? 0 : row * order) + (reversed ? k : order - 1 - k))];
    for (index_t step = 0; step < length; step++) {
      const index_t i = reversed ? begin + length - 1 - step : begin + step;
      Wide sum = b[at(i)];
      for (index_t k = 0; k < order; k++) sum += static_cast<Wide>(a[at(k)][at(i)]) * last[at(k)];
      std::rotate(last.begin(), last.end() - 1, last.end());
      x[at(i)] = last[0] = sum;
    }
  }
  return x;
}

// ---------------------------------------------------------------- reductions
//! in[begin] ∘ … ∘ in[end−1]; the identity when there is none.
template <class T, class M>
typename M::value_type reduce(const std::vector<T>& in, const M& m, index_t begin, index_t end) {
  using V = typename M::value_type;
  if (begin >= end) return m.identity();
  V sum = static_cast<V>(in[at(begin)]);
  for (index_t i = begin + 1; i < end; i++) sum = m(sum, static_cast<V>(in[at(i)]));
  return sum;
}
template <class T, class M>
typename M::value_type reduce(const std::vector<T>& in, const M& m) {
  return reduce(in, m, 0, size(in));
}
template <class T, class Offset, class M>
std::vector<typename M::value_type> segmented_reduce(const std::vector<T>& in, const std::vector<Offset>& offsets,
                                                     const M& m) {
  std::vector<typename M::value_type> sums;
  for (std::size_t s = 0; s + 1 < offsets.size(); s++)
    sums.push_back(reduce(in, m, static_cast<index_t>(offsets[s]), static_cast<index_t>(offsets[s + 1])));
  return sums;
}
//! The runs' keys, and their sums.
template <class Key, class T, class M>
std::pair<std::vector<Key>, std::vector<typename M::value_type>> reduce_by_key(const std::vector<Key>& keys,
                                                                               const std::vector<T>& in, const M& m) {
  const bounds runs = segments_of_keys(keys);
  std::pair<std::vector<Key>, std::vector<typename M::value_type>> result;
  for (std::size_t run = 0; run + 1 < runs.size(); run++) {
    result.first.push_back(keys[at(runs[run])]);
    result.second.push_back(reduce(in, m, runs[run], runs[run + 1]));
  }
  return result;
}

// ---------------------------------------------------------------- compaction
//! The items whose index is_kept.
template <class T, class F>
std::vector<T> compact(const std::vector<T>& in, const F& is_kept) {
  std::vector<T> kept;
  for (std::size_t i = 0; i < in.size(); i++)
    if (is_kept(i)) kept.push_back(in[i]);
  return kept;
}
template <class T, class Predicate>
std::vector<T> copy_if(const std::vector<T>& in, const Predicate& predicate) {
  return compact(in, [&](std::size_t i) { return predicate(in[i]); });
}
template <class T, class Flag>
std::vector<T> copy_flagged(const std::vector<T>& in, const std::vector<Flag>& flags) {
  return compact(in, [&](std::size_t i) { return flags[i] != 0; });
}
template <class Index, class Flag>
std::vector<Index> nonzero(const std::vector<Flag>& flags) {
  std::vector<Index> indices;
  for (std::size_t i = 0; i < flags.size(); i++)
    if (flags[i] != 0) indices.push_back(static_cast<Index>(i));
  return indices;
}
template <class T>
std::vector<T> unique_copy(const std::vector<T>& in) {
  return compact(in, [&](std::size_t i) { return i == 0 || !(in[i - 1] == in[i]); });
}
//! The runs' values, and their lengths.
template <class Length, class T>
std::pair<std::vector<T>, std::vector<Length>> run_length_encode(const std::vector<T>& in) {
  const bounds runs = segments_of_keys(in);
  std::pair<std::vector<T>, std::vector<Length>> result;
  for (std::size_t run = 0; run + 1 < runs.size(); run++) {
    result.first.push_back(in[at(runs[run])]);
    result.second.push_back(static_cast<Length>(runs[run + 1] - runs[run]));
  }
  return result;
}

// ---------------------------------------------------------------- sorting
//! The order of keys: IEEE's total order for floats.
struct is_less {
  template <class T>
  bool operator()(const T& a, const T& b) const {
    if constexpr (std::is_floating_point_v<T>) {
      return std::is_lt(std::strong_order(a, b));
    } else {
      return a < b;
    }
  }
};
struct is_greater {
  template <class T>
  bool operator()(const T& a, const T& b) const {
    return is_less{}(b, a);
  }
};

namespace detail {
//! Puts places of keys into the order of a stable sort by before(a, b).
template <class Key, class Before>
void sort_places(index_t* places, std::size_t n, const std::vector<Key>& keys, const Before& before) {
  if constexpr (ascends<Key, Before> || descends<Key, Before>) {
    oracle::sort_places(places, n, keys.data(), number_type_of<Key>, descends<Key, Before>);
  } else {
    std::stable_sort(places, places + n, [&](index_t a, index_t b) { return before(keys[at(a)], keys[at(b)]); });
  }
}
}  // namespace detail
//! Where the keys stand, in the order of a stable sort by before(a, b).
template <class Key, class Before>
std::vector<index_t> argsort(const std::vector<Key>& keys, const Before& before) {
  std::vector<index_t> order(keys.size());
  std::iota(order.begin(), order.end(), index_t{0});
  detail::sort_places(order.data(), order.size(), keys, before);
  return order;
}
//! The items that stand there.
template <class T>
std::vector<T> gather(const std::vector<T>& items, const std::vector<index_t>& order) {
  std::vector<T> result;
  result.reserve(order.size());
  for (const index_t i : order) result.push_back(items[at(i)]);
  return result;
}
template <class T, class Before>
std::vector<T> stable_sort(std::vector<T> items, const Before& before) {
  if constexpr (ascends<T, Before> || descends<T, Before>) {
    sort_numbers(items.data(), items.size(), number_type_of<T>,
                 descends<T, Before>);  // equal ones cannot be told apart
  } else {
    std::stable_sort(items.begin(), items.end(), before);
  }
  return items;
}
//! argsort of every segment by itself; what is in no segment stays.
template <class Key, class Offset, class Before>
std::vector<index_t> segmented_argsort(const std::vector<Key>& keys, const std::vector<Offset>& offsets,
                                       const Before& before) {
  std::vector<index_t> order(keys.size());
  std::iota(order.begin(), order.end(), index_t{0});
  for (std::size_t s = 0; s + 1 < offsets.size(); s++)
    detail::sort_places(order.data() + offsets[s], static_cast<std::size_t>(offsets[s + 1] - offsets[s]), keys, before);
  return order;
}

// ---------------------------------------------------------------- partition
//! The items that satisfy the predicate, and the others.
template <class T, class Predicate>
std::pair<std::vector<T>, std::vector<T>> partition_copy(const std::vector<T>& in, const Predicate& predicate) {
  return {copy_if(in, predicate), copy_if(in, [&](const T& x) { return !predicate(x); })};
}
template <class T, class Predicate>
std::vector<T> stable_partition(std::vector<T> items, const Predicate& predicate) {
  std::stable_partition(items.begin(), items.end(), predicate);
  return items;
}
//! The items, every segment split, and where its second side begins.
template <class T, class Offset, class BelongsLeft>
std::pair<std::vector<T>, std::vector<Offset>> segmented_partition(std::vector<T> items,
                                                                   const std::vector<Offset>& offsets,
                                                                   const BelongsLeft& belongs_left) {
  std::vector<Offset> splits;
  for (std::size_t s = 0; s + 1 < offsets.size(); s++) {
    const auto split = std::stable_partition(items.begin() + offsets[s], items.begin() + offsets[s + 1],
                                             [&](const T& x) { return belongs_left(x, static_cast<index_t>(s)); });
    splits.push_back(static_cast<Offset>(split - items.begin()));
  }
  return {items, splits};
}

// ---------------------------------------------------------------- products by semirings (others: ../oracles)
template <class Matrix, class X, class Multiply, class M>
std::vector<typename M::value_type> semiring_spmv(const Matrix& a, const std::vector<X>& x, const Multiply& multiply,
                                                  const M& m) {
  std::vector<typename M::value_type> y(at(a.rows), m.identity());
  for (index_t r = 0; r < a.rows; r++)
    for (auto k = at(a.offsets[at(r)]); k < at(a.offsets[at(r + 1)]); k++) {
      const typename M::value_type product = multiply(a.values[k], x[at(a.column_indices[k])]);
      y[at(r)] = k == at(a.offsets[at(r)]) ? product : m(y[at(r)], product);
    }
  return y;
}

// ---------------------------------------------------------------- items by their counts, segments by their numbers
template <class T, class Count>
std::vector<T> repeat(const std::vector<T>& in, const std::vector<Count>& counts) {
  std::vector<T> out;
  for (std::size_t i = 0; i < in.size(); i++) out.insert(out.end(), static_cast<std::size_t>(counts[i]), in[i]);
  return out;
}
template <class Id, class Offset>
std::vector<Id> segment_ids(index_t n, const std::vector<Offset>& offsets) {
  std::vector<Id> ids(at(n));
  for (index_t i = 0; i < n; i++)
    ids[at(i)] =
        static_cast<Id>(std::upper_bound(offsets.begin(), offsets.end(), static_cast<Offset>(i)) - offsets.begin() - 1);
  return ids;
}

}  // namespace oracle

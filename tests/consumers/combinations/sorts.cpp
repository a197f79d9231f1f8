// Sorts: algorithms/upsweep/sort/library/has.hpp.
#include <algorithm>
#include <functional>
#include <numeric>

#include <upsweep/library/bytes.hpp>
#include <upsweep/quicksort.hpp>
#include <upsweep/radix_sort.hpp>

#include "check.hpp"
#include "compares.hpp"

namespace {

//! Where the keys of [begin, end) stand that a stable sort by their bits from `begin_bit` on makes the first, the
//! second, …
template <class Key>
void add_order(std::vector<std::size_t>& order, const std::vector<Key>& keys, std::size_t begin, std::size_t end,
               const upsweep::radix_options& options) {
  const auto first = static_cast<std::ptrdiff_t>(order.size());
  for (std::size_t i = begin; i < end; i++) order.push_back(i);
  const auto bits = [&](std::size_t i) { return upsweep::radix_key<Key>::image(keys[i]) >> options.begin_bit; };
  std::stable_sort(order.begin() + first, order.end(), [&](std::size_t a, std::size_t b) {
    return options.order == upsweep::sort_order::ascending ? bits(a) < bits(b) : bits(a) > bits(b);
  });
}
//! Segments of some 0 to 29 items, which leave out the first item and the last ones.
template <class Offset>
std::vector<Offset> segments_of(upsweep::index_t n) {
  std::vector<Offset> offsets;
  for (upsweep::index_t at = 1, s = 0; at < n; at += s++ * 7 % 30) offsets.push_back(static_cast<Offset>(at));
  if (offsets.empty()) offsets.push_back(0);
  return offsets;
}

template <class Key>
class sorts {
 public:
  sorts(tested& executor, const std::vector<Key>& in, const upsweep::radix_options& how, const std::string& what)
      : exec(executor), keys(in), n(std::ssize(in)), options(how), of(what) {
    add_order(whole_, keys, 0, keys.size(), options);
  }

  void check_keys() const {
    compare(exec, keys, in_order(keys, whole_), "radix_sort, " + of,
            [&](const auto& x, auto& y) { upsweep::radix_sort(exec, x, y, options); });
  }
  template <class V>
  void check_pairs() const {
    const std::vector<V> values = any_values<V>(n);
    compare(exec, values, in_order(values, whole_), "radix_sort_by_key, " + of, [&](const auto& x, auto& y) {
      upsweep::buffer<Key> beside(exec, keys);
      upsweep::radix_sort_by_key(exec, beside, x, beside, y, options);
      check(same_bits(beside.to_vector(exec), in_order(keys, whole_)), "keys of radix_sort_by_key, " + of);
    });
  }
  template <class Index>
  void check_indices() const {
    const upsweep::buffer<Key> from(exec, keys);
    upsweep::buffer<Index> to(exec, n);
    upsweep::radix_argsort(exec, from, to, options);
    check(to.to_vector(exec) == std::vector<Index>(whole_.begin(), whole_.end()), "radix_argsort, " + of);
  }
  template <class Offset>
  void check_segments() {
    const std::vector<Offset> offsets = segments_of<Offset>(n);
    const upsweep::buffer<Offset> bounds(exec, offsets);
    segmented_.clear();
    const auto as_they_stand = [&](std::size_t end) {
      while (segmented_.size() < end) segmented_.push_back(segmented_.size());
    };
    as_they_stand(static_cast<std::size_t>(offsets.front()));
    for (std::size_t s = 0; s + 1 < offsets.size(); s++)
      add_order(segmented_, keys, static_cast<std::size_t>(offsets[s]), static_cast<std::size_t>(offsets[s + 1]),
                options);
    as_they_stand(keys.size());
    upsweep::buffer<Key> items(exec, keys);
    upsweep::segmented_radix_sort(exec, items, bounds, options);
    check(same_bits(items.to_vector(exec), in_order(keys, segmented_)), "segmented_radix_sort, " + of);
#define UPSWEEP_ROW(value, bytes, code) check_pairs_of_segments<value>(bounds);
    UPSWEEP_LIBRARY_VALUES(UPSWEEP_ROW)
#undef UPSWEEP_ROW
  }

 private:
  tested& exec;
  const std::vector<Key>& keys;
  upsweep::index_t n;
  upsweep::radix_options options;
  std::string of;
  std::vector<std::size_t> whole_, segmented_;

  template <class T>
  static std::vector<T> in_order(const std::vector<T>& x, const std::vector<std::size_t>& order) {
    std::vector<T> taken;
    for (const std::size_t i : order) taken.push_back(x[i]);
    return taken;
  }
  template <class V, class Offset>
  void check_pairs_of_segments(const upsweep::buffer<Offset>& bounds) const {
    const std::vector<V> values = any_values<V>(n);
    upsweep::buffer<Key> items(exec, keys);
    upsweep::buffer<V> beside(exec, values);
    upsweep::segmented_radix_sort_by_key(exec, items, beside, bounds, options);
    check(same_bits(items.to_vector(exec), in_order(keys, segmented_)), "keys of segmented_radix_sort_by_key, " + of);
    check(same_bits(beside.to_vector(exec), in_order(values, segmented_)), "segmented_radix_sort_by_key, " + of);
  }
};

//! Numbers by < and >: those that are equal, as zeros are, stay in order.
template <class T>
void check_quicksort(tested& exec, const std::vector<T>& in, const std::string& of) {
  const auto by = [&](const auto& less, const std::string& name) {
    std::vector<T> expected = in;
    std::stable_sort(expected.begin(), expected.end(), less);
    upsweep::buffer<T> items(exec, in), sorted(exec, static_cast<upsweep::index_t>(in.size()));
    upsweep::quicksort(exec, items, sorted, less);
    check(same_bits(sorted.to_vector(exec), expected), "quicksort into another range by " + name + ", " + of);
    upsweep::quicksort(exec, items, less);
    check(same_bits(items.to_vector(exec), expected), "quicksort by " + name + ", " + of);
  };
  by(upsweep::less_than{}, "<");
  by(std::greater<>{}, ">");
}
//! Without NaNs, which have no order.
template <class T>
std::vector<T> numbers(upsweep::index_t n) {
  std::vector<T> x = special_items<T>(n);
  for (T& one : x)
    if (!(one == one)) one = T{};
  return x;
}

template <class Key>
void check_type(tested& exec, const std::vector<Key>& keys, const std::string& of) {
  for (const auto order : {upsweep::sort_order::ascending, upsweep::sort_order::descending}) {
    for (const int begin_bit : {0, 3}) {
      if (begin_bit == 0 && keys.size() > 1'000'000) continue;  // std::stable_sort takes its time
      sorts<Key> all(exec, keys, {.order = order, .begin_bit = begin_bit}, of);
      all.check_keys();
#define UPSWEEP_ROW(value, bytes, code) all.template check_pairs<value>();
      UPSWEEP_LIBRARY_VALUES(UPSWEEP_ROW)
#undef UPSWEEP_ROW
      all.template check_indices<std::int32_t>();
      all.template check_indices<std::uint64_t>();
      all.template check_segments<std::int32_t>();
      all.template check_segments<std::int64_t>();
    }
  }
}

}  // namespace

void check_sorts(tested& exec, upsweep::index_t n) {
#define UPSWEEP_ROW(type, name, code)                                                                      \
  check_type<type>(exec, items<type>(n, false), counted(name, n));                                         \
  if (n < 1'000'000) check_type<type>(exec, special_items<type>(n), counted(name ", special numbers", n)); \
  check_quicksort<type>(exec, items<type>(n, false), counted(name, n));                                    \
  check_quicksort<type>(exec, numbers<type>(n), counted(name ", special numbers", n));
  UPSWEEP_LIBRARY_TYPES(UPSWEEP_ROW)
  UPSWEEP_LIBRARY_SMALL_TYPES(UPSWEEP_ROW)
#undef UPSWEEP_ROW
}

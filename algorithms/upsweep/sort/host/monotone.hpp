// Keys that are in order as they come, or in the reverse order.
#pragma once
#include <algorithm>

#include <upsweep/config.hpp>
#include <upsweep/host/versions.hpp>
#include <upsweep/sort/host/digits.hpp>

namespace UPSWEEP_NAMESPACE::detail {

//! Does no key (of an item, by key_of) stand on the wrong side of the one before it? Costs a few comparisons where one
//! does early.
template <bool Descending, class Item, class KeyOf>
bool are_monotone(const Item* items, index_t n, const KeyOf& key_of) {
  bool monotone = true;
  with_vectors<true>([&](auto) UPSWEEP_LAMBDA_INLINE {
    index_t length = 8;
    for (index_t begin = 1; begin < n && monotone; begin += length, length = std::min<index_t>(2 * length, 512)) {
      const Item* from = items + begin;
      const index_t count = std::min(length, n - begin);
      unsigned wrong = 0;
      for (index_t k = 0; k < count; k++) {  // without a branch an item
        const auto earlier = key_of(from[k - 1]), later = key_of(from[k]);
        wrong |= Descending ? earlier < later : later < earlier;
      }
      monotone = wrong == 0;
    }
  });
  return monotone;
}

template <class T>
void reverse_to(T* to, const T* from, index_t n) {
  if (to == from) return std::reverse(to, to + n);
  with_vectors<true>([&](auto) UPSWEEP_LAMBDA_INLINE {
    for (index_t i = 0; i < n; i++) to[i] = from[n - 1 - i];
  });
}

//! Reverses every run of equal keys.
template <class Item, class Value, class KeyOf>
void turn_equal_back(const sort_buffer<Item, Value>& items, index_t n, const KeyOf& key_of) {
  const auto same_as_next = [&](index_t i)
                                UPSWEEP_LAMBDA_INLINE { return key_of(items.items[i]) == key_of(items.items[i + 1]); };
  constexpr index_t several = 64;
  for (index_t begin = 0; begin < n - 1;) {  // where a run begins
    const index_t next = std::min(begin + several, n - 1);
    bool any = false;
    for (index_t i = begin; i < next; i++) any |= same_as_next(i);
    if (!any) begin = next;
    while (begin < next) {
      index_t end = begin + 1;
      while (end < n && same_as_next(end - 1)) end++;
      if (end - begin > 1) {
        std::reverse(items.items + begin, items.items + end);
        if constexpr (sort_buffer<Item, Value>::has_values) std::reverse(items.values + begin, items.values + end);
      }
      begin = end;
    }
  }
}

//! Sorts items whose keys descend, with their values: reverses all, and turns those of equal keys back.
template <class Item, class ValuesIn, class Value, class KeyOf>
void sort_descending(const sort_source<Item, ValuesIn>& source, index_t n, const sort_buffer<Item, Value>& out,
                     const KeyOf& key_of) {
  constexpr bool has_values = sort_buffer<Item, Value>::has_values;
  reverse_to(out.items, source.items, n);
  if constexpr (std::is_same_v<ValuesIn, values_of<Value>>) {
    reverse_to(out.values, source.values.values, n);
  } else if constexpr (has_values) {
    for (index_t i = 0; i < n; i++) out.values[n - 1 - i] = source.values(i);
  }
  turn_equal_back(out, n, key_of);
}

}  // namespace UPSWEEP_NAMESPACE::detail

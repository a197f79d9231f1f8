// Keys that are in order as they come, or in the reverse order.
#pragma once
#include <algorithm>
#include <cstddef>
#include <utility>

#include <upsweep/atomic.hpp>
#include <upsweep/config.hpp>
#include <upsweep/executor.hpp>
#include <upsweep/host/versions.hpp>
#include <upsweep/sort/host/digits.hpp>
#include <upsweep/sort/host/parts.hpp>

namespace UPSWEEP_NAMESPACE::detail {

//! Does none of the keys (of items, by key_of) in [begin, end) stand on the wrong side of the one before it? Costs a
//! few comparisons where one does early.
template <class Item, class KeyOf>
bool are_monotone(const Item* items, index_t begin, index_t end, const KeyOf& key_of, bool descending) {
  bool monotone = true;
  with_vectors<true>([&](auto) UPSWEEP_LAMBDA_INLINE {
    index_t length = 8;
    for (; begin < end && monotone; begin += length, length = std::min<index_t>(2 * length, 512)) {
      const Item* from = items + begin;
      const index_t count = std::min(length, end - begin);
      constexpr index_t line = sizeof(Item) < 64 ? 64 / sizeof(Item) : 1;
      for (index_t k = 0; k < count; k += line)  // never what may be no memory
        __builtin_prefetch(items + std::min(begin + k + 32 * line, end - 1));
      const Item *const greater = descending ? from - 1 : from, *const less = descending ? from : from - 1;
      unsigned wrong = 0;
      for (index_t k = 0; k < count; k++) wrong |= key_of(greater[k]) < key_of(less[k]);  // without a branch an item
      monotone = wrong == 0;
    }
  });
  return monotone;
}
//! The same of n keys, by all threads where the first ones are in order.
template <class Item, class KeyOf>
bool are_monotone(const host& executor, const Item* items, index_t n, const KeyOf& key_of, bool descending) {
  const index_t first = std::min<index_t>(n, 8192);
  if (!are_monotone(items, 1, first, key_of, descending)) return false;
  if (first == n) return true;
  atomic<bool> monotone(true);
  for_each_part(executor, n - first, sizeof(Item), [&](index_t begin, index_t end) {
    if (!are_monotone(items, first + begin, first + end, key_of, descending)) monotone.set(false);
  });
  return monotone.get();
}

//! Copies n items with their values, by all threads where values are not made as they are read.
template <class Item, class ValuesIn, class Value>
void copy_all(const host& executor, const sort_source<Item, ValuesIn>& source, index_t n,
              const sort_buffer<Item, Value>& to) {
  constexpr bool in_memory = !sort_buffer<Item, Value>::has_values || std::is_same_v<ValuesIn, values_of<Value>>;
  if constexpr (!in_memory) return copy_items(source, n, to);
  for_each_part(executor, n, sizeof(Item),
                [&](index_t begin, index_t end) { copy_items(source.from(begin), end - begin, to.from(begin)); });
}

//! Of n items, those of [begin, end) where all are reversed.
template <class T>
void reverse_to(T* to, const T* from, index_t n, index_t begin, index_t end) {
  with_vectors<true>([&](auto) UPSWEEP_LAMBDA_INLINE {
    for (index_t i = begin; i < end; i++) to[i] = from[n - 1 - i];
  });
}
//! Swaps items [begin, end) of n with those that stand as far from the end; at most half of them.
template <class T>
void reverse_within(T* items, index_t n, index_t begin, index_t end) {
  constexpr index_t several = 16;
  with_vectors<true>([&](auto) UPSWEEP_LAMBDA_INLINE {
    for (; begin + several <= end; begin += several) {
      T *const front = items + begin, *const back = items + (n - begin - several);
      T low[several], high[several];
      for (index_t k = 0; k < several; k++) low[k] = front[several - 1 - k];
      for (index_t k = 0; k < several; k++) high[k] = back[several - 1 - k];
      std::copy_n(high, several, front);
      std::copy_n(low, several, back);
    }
  });
  for (; begin < end; begin++) std::swap(items[begin], items[n - 1 - begin]);
}
//! Reverses n items, which may stay in their memory.
template <class T>
void reverse_to(const host& executor, T* to, const T* from, index_t n) {
  const bool in_place = to == from;
  for_each_part(executor, in_place ? n / 2 : n, sizeof(T), [&](index_t begin, index_t end) {
    if (in_place) reverse_within(to, n, begin, end);
    else reverse_to(to, from, n, begin, end);
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
void sort_descending(const host& executor, const sort_source<Item, ValuesIn>& source, index_t n,
                     const sort_buffer<Item, Value>& out, const KeyOf& key_of) {
  constexpr bool has_values = sort_buffer<Item, Value>::has_values;
  reverse_to(executor, out.items, source.items, n);
  if constexpr (std::is_same_v<ValuesIn, values_of<Value>>) {
    reverse_to(executor, out.values, source.values.values, n);
  } else if constexpr (has_values) {
    for (index_t i = 0; i < n; i++) out.values[n - 1 - i] = source.values(i);
  }
  turn_equal_back(out, n, key_of);
}

}  // namespace UPSWEEP_NAMESPACE::detail

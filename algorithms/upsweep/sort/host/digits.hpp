// The digits of a radix sort on the host, and the loops over items that are in cache.
//   sort_source, sort_buffer   what is sorted, and where it goes: items and their values
//   digit                      some bits of an item's key
//   digit_plan                 the digits that hold all bits in which keys differ
#pragma once
#include <bit>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include <upsweep/config.hpp>
#include <upsweep/host/versions.hpp>
#include <upsweep/monoid.hpp>
#include <upsweep/sort/sort_task.hpp>

namespace UPSWEEP_NAMESPACE::detail {

//! Are keys as large as their bits, and can be made of them? Whole ones of 4 and 8 bytes are sorted by vectors, where
//! there are such (word_sort.hpp), small ones by counting (counting_sort.hpp).
template <class Item, class Bits>
inline constexpr bool are_their_bits = Bits::invertible && sizeof(Item) == sizeof(typename Bits::bits_type);
template <class Item, class Bits>
inline constexpr bool are_words = UPSWEEP_X86_VERSIONS && are_their_bits<Item, Bits> && sizeof(Item) >= 4;
template <class Item, class Bits>
inline constexpr bool are_small = are_their_bits<Item, Bits> && sizeof(Item) <= 2;

//! Items to be read, and their values.
template <class Item, class ValuesIn>
struct sort_source {
  const Item* items;
  ValuesIn values;

  sort_source from(index_t i) const {
    if constexpr (requires { values.values; }) {
      return {items + i, {values.values + i}};
    } else {
      return {items + i, values};
    }
  }
};

//! Memory for items and their values.
template <class Item, class Value>
struct sort_buffer {
  static constexpr bool has_values = !std::is_same_v<Value, nothing>;
  Item* items = nullptr;
  Value* values = nullptr;

  explicit operator bool() const { return items != nullptr; }
  sort_buffer from(index_t i) const {
    if constexpr (has_values) {
      return {items + i, values + i};
    } else {
      return {items + i, nullptr};
    }
  }
  auto source() const {
    if constexpr (has_values) {
      return sort_source<Item, values_of<Value>>{items, {values}};
    } else {
      return sort_source<Item, no_values>{items, {}};
    }
  }
  template <class ValuesIn>
  UPSWEEP_INLINE void put(index_t k, const sort_source<Item, ValuesIn>& source, index_t i) const {
    items[k] = source.items[i];
    if constexpr (has_values) values[k] = source.values(i);
  }
};

//! Does writing to a buffer overwrite the source, or a part of it?
template <class Item, class ValuesIn, class Value>
bool lies_in(const sort_source<Item, ValuesIn>& source, const sort_buffer<Item, Value>& buffer) {
  if constexpr (std::is_same_v<ValuesIn, values_of<Value>>) {
    if (source.values.values == buffer.values) return true;
  }
  return source.items == buffer.items;
}

//! Copies n items with their values.
template <class Item, class ValuesIn, class Value>
void copy_items(const sort_source<Item, ValuesIn>& source, index_t n, const sort_buffer<Item, Value>& to) {
  if (to.items != source.items) std::memcpy(to.items, source.items, static_cast<std::size_t>(n) * sizeof(Item));
  if constexpr (std::is_same_v<ValuesIn, values_of<Value>>) {
    if (to.values != source.values.values)
      std::memcpy(to.values, source.values.values, static_cast<std::size_t>(n) * sizeof(Value));
  } else if constexpr (sort_buffer<Item, Value>::has_values) {
    for (index_t i = 0; i < n; i++) to.values[i] = source.values(i);
  }
}

//! `width` bits of what `bits` makes of an item.
template <class Bits>
struct digit {
  using U = typename Bits::bits_type;
  Bits bits;
  int shift, width;

  index_t count() const { return index_t{1} << width; }
  UPSWEEP_INLINE std::size_t of(U key) const {
    return static_cast<std::size_t>(key >> shift) & ((std::size_t{1} << width) - 1);
  }
  template <class Item>
  UPSWEEP_INLINE std::size_t operator()(const Item& item) const {
    return of(bits(item));
  }
};

//! The bits [begin, end) of an integer.
template <class U>
U bits_between(int begin, int end) {
  const int left_out = 8 * static_cast<int>(sizeof(U)) - (end - begin);
  return static_cast<U>(static_cast<U>(static_cast<U>(~U{0}) >> left_out) << begin);
}

//! In which bits keys differ: those that are not the same in all of them.
template <class Item, class Bits>
typename Bits::bits_type differing_bits(const Item* items, index_t n, const Bits& bits) {
  using U = typename Bits::bits_type;
  const U first = bits(items[0]);
  U differing{};
  for (index_t i = 1; i < n; i++) differing = static_cast<U>(differing | (bits(items[i]) ^ first));
  return differing;
}

//! Do n items, of which digit_of(i) < 512 is a digit, have many different ones? As if pieces had been split in two six
//! times, each of which halves the chance that two items stay together.
template <class DigitOf>
bool are_worth_six_splits(index_t n, const DigitOf& digit_of) {
  constexpr index_t samples = 128, pairs = samples * (samples - 1) / 2;
  std::uint8_t seen[512] = {};
  index_t together = 0;
  for (index_t k = 0; k < samples; k++) together += seen[digit_of((n - 1) / samples * k)]++;
  return together << 6 < pairs;
}

//! Digits that hold all bits in which keys differ, from the lowest: few wide ones for many items, of at most 8 bits for
//! few, whose counters would cost more than their passes. (A pass of 8 bits takes 0.9 ns a key of 32 bits in cache, one
//! of 11 bits 1.0; AMD EPYC, family 26, 2026-11-21.)
struct digit_plan {
  static constexpr index_t few_items = 2048;
  static constexpr int wide = 11, narrow = 8, most = 8;
  static constexpr index_t counters = index_t{6} << wide;  // of all digits at most
  int shift[most];
  int width = 0, passes = 0;

  digit_plan(std::uint64_t differing, index_t n) {
    if (differing == 0) return;
    const int bits = static_cast<int>(std::bit_width(differing)) - std::countr_zero(differing);
    const int limit = n < few_items ? narrow : wide;
    const int digits = (bits + limit - 1) / limit;
    width = (bits + digits - 1) / digits;
    for (int at = 0; at < 64 && (differing >> at) != 0; at += width) {
      at += std::countr_zero(differing >> at);
      shift[passes++] = at;
    }
  }
};

}  // namespace UPSWEEP_NAMESPACE::detail

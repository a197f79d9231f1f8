// Where the keys and payloads of a radix sort on the device come from, and where they go.
#pragma once
#include <cstdint>
#include <cstring>

#include <upsweep/config.hpp>
#include <upsweep/segments.hpp>
#include <upsweep/sort/sort_task.hpp>

namespace UPSWEEP_NAMESPACE::gpu {

//! Where results may be written: everywhere, or between the first offset and the last.
struct all_places {
  __device__ bool operator()(index_t) const { return true; }
};
template <class Offset>
struct places_of_segments {
  const Offset* offsets;
  index_t segments;
  __device__ bool operator()(index_t i) const {
    return static_cast<index_t>(offsets[0]) <= i && i < static_cast<index_t>(offsets[segments]);
  }
};

//! The item that is sorted as i: item i, or the one that an earlier sort left there.
template <class P>
__device__ index_t item_at(const P* index, index_t i) {
  return index ? static_cast<index_t>(index[i]) : i;
}
template <class Item, class Bits, class P>
struct keys_of_items {  // keys that may be less than their items
  static constexpr bool computes = true, are_items = false;
  using U = typename Bits::bits_type;
  const Item* items;
  Bits bits;
  const P* index;
  UPSWEEP_CALLS_USER
  __device__ U raw(index_t i) const { return bits(items[item_at(index, i)]); }
  __device__ U encode(U key) const { return key; }
};
template <class Offset>
struct segment_of_item {  // 1 + its number; 0 before the first segment
  const Offset* offsets;
  index_t count;
  __device__ std::uint64_t operator()(index_t i) const {
    return static_cast<std::uint64_t>(detail::lower_bound(offsets, count, i + 1));
  }
};
template <class Item, class Bits, class Offset, class P>
struct keys_in_segments {  // the segment's number, and behind it `width` bits of the key
  static constexpr bool computes = true, are_items = false;
  using U = std::uint64_t;
  const Item* items;
  Bits bits;
  segment_of_item<Offset> number;
  int begin_bit, width;
  const P* index;
  UPSWEEP_CALLS_USER
  __device__ U raw(index_t i) const {
    const index_t at = item_at(index, i);
    return number(at) << width | (U{bits(items[at])} >> begin_bit & detail::lowest_bits<U>(width));
  }
  __device__ U encode(U key) const { return key; }
};
//! Keys that have been computed.
template <class Key>
struct keys_in_memory {
  static constexpr bool computes = false, are_items = false;
  using U = Key;
  const U* keys;
  __device__ U raw(index_t i) const { return keys[i]; }
  __device__ U encode(U key) const { return key; }
};
template <class Offset, class P>
struct number_as_key {
  static constexpr bool computes = true, are_items = false;
  using U = std::uint64_t;
  segment_of_item<Offset> number;
  const P* index;
  __device__ U raw(index_t i) const { return number(item_at(index, i)); }
  __device__ U encode(U key) const { return key; }
};
template <class Item, class Bits>
struct items_as_keys {  // keys as large as their items, which can be moved first and understood later
  static constexpr bool computes = false, are_items = true;
  using U = typename Bits::bits_type;
  const Item* items;
  Bits bits;
  __device__ U raw(index_t i) const { return reinterpret_cast<const U*>(items)[i]; }
  __device__ U encode(U raw) const {
    Item item;
    memcpy(&item, &raw, sizeof item);
    return bits.unmasked(item);
  }
};
template <class Item, class Bits>
struct items_of_keys {
  Item* items;  // null: not wanted
  Bits bits;
  __device__ void operator()(index_t i, typename Bits::bits_type key) const {
    if (items) items[i] = bits.item(key);
  }
  __device__ bool takes(index_t) const { return true; }
};
template <class Item, class Bits, class Offset>
struct items_of_segments {
  Item* items;  // null: not wanted
  Bits bits;
  places_of_segments<Offset> places;
  __device__ void operator()(index_t i, std::uint64_t key) const {
    if (items && takes(i)) items[i] = bits.item(static_cast<typename Bits::bits_type>(key));
  }
  __device__ bool takes(index_t i) const { return places(i); }
};
struct keys_not_wanted {
  template <class U>
  __device__ void operator()(index_t, U) const {}
  __device__ bool takes(index_t) const { return true; }
};
template <class P>
struct payload_index {
  const P* index;
  __device__ P operator()(index_t i) const { return static_cast<P>(item_at(index, i)); }
};

}  // namespace UPSWEEP_NAMESPACE::gpu

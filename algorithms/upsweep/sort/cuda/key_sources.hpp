// Where the keys and payloads of a radix sort on the device come from, and where they go.
#pragma once
#include <cstdint>
#include <cstring>

#include <upsweep/config.hpp>
#include <upsweep/sort/sort_task.hpp>

namespace UPSWEEP_NAMESPACE::gpu {

//! What is sorted, and so where results are written: everything, or what lies in segments between offsets.
struct all_places {
  __device__ bool operator()(index_t) const { return true; }
};
template <class Offset>
struct places_of_segments {
  const Offset* offsets;
  index_t count, n;  // of segments, of all places
  //! Where segment s begins; its end is where the next one does. Not outside the n places, if offsets are wrong.
  __device__ index_t begin(index_t s) const { return max(index_t{0}, min(static_cast<index_t>(offsets[s]), n)); }
  __device__ bool operator()(index_t i) const { return begin(0) <= i && i < begin(count); }
};

template <class Item, class Bits>
struct keys_of_items {  // keys that may be less than their items
  static constexpr bool computes = true, are_items = false;
  using U = typename Bits::bits_type;
  const Item* items;
  Bits bits;
  UPSWEEP_CALLS_USER
  __device__ U raw(index_t i) const { return bits(items[i]); }
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
};
struct keys_not_wanted {
  template <class U>
  __device__ void operator()(index_t, U) const {}
};

}  // namespace UPSWEEP_NAMESPACE::gpu

// How a tile's items get into its windows in shared memory (tile.hpp): which bytes, and the copy that waits for them.
#pragma once
#include <cstddef>

#include <upsweep/config.hpp>
#include <upsweep/cuda/async.hpp>
#include <upsweep/cuda/tile.hpp>
#include <upsweep/cuda/warp.hpp>

namespace UPSWEEP_NAMESPACE::gpu {

//! The part of a window that is copied: whole 16-byte granules inside the range, and the bytes at its ends, which are
//! never read as granules (their granule may reach beyond the allocation).
struct window_copy {
  const std::byte* source;  // address of the window's byte 0; may lie outside the range
  int from, to;             // bytes wanted
  int granules_from, granules_to;
};
template <class G, bit_column C, bool Reversed>
__device__ window_copy plan_window(const C& column, const span_of_items<Reversed>& items, bool) {
  const int shift = bit_shift(items), first = (shift + items.skipped()) / 128 * 16,
            last = (shift + items.skipped() + items.count) / 128 * 16;  // the bit behind the last item's, too
  const auto* const source = reinterpret_cast<const std::byte*>(column.words) + (items.lowest() - shift) / 8;
  return {.source = source, .from = first, .to = last + 16, .granules_from = first, .granules_to = last + 16};
}
//! `inner`: the window is taken to lie far from the range's ends.
template <class G, class C, bool Reversed>
__device__ window_copy plan_window(const C& column, const span_of_items<Reversed>& items, bool inner) {
  using T = typename C::memory_type;
  constexpr int item = static_cast<int>(sizeof(T));
  const int shift = window_shift<G>(column, items);
  const auto* begin = reinterpret_cast<const std::byte*>(column.range.data);
  window_copy copy;
  copy.source = begin + items.lowest() * item - shift;
  copy.from = shift + items.skipped() * item;
  copy.to = copy.from + items.count * item;
  if (C::has_previous && (inner || items.first > 0)) {
    if (Reversed) copy.to += item;
    else copy.from -= item;
  }
  copy.granules_from = copy.from / 16 * 16;
  copy.granules_to = (copy.to + 15) / 16 * 16;
  if (inner) return copy;
  if (copy.granules_from < begin - copy.source) copy.granules_from += 16;
  if (copy.granules_to > begin + items.n * item - copy.source) copy.granules_to -= 16;
  if (copy.granules_to < copy.granules_from) copy.granules_from = copy.granules_to = copy.to;
  return copy;
}
//! Copies the bytes of a window that no granule holds. Called by all of a group.
template <class Group>
__device__ void copy_ends(std::byte* window, const window_copy& copy, const Group& group) {
  for (int k = copy.from + group.lane(); k < copy.granules_from; k += group.size()) window[k] = copy.source[k];
  for (int k = copy.granules_to + group.lane(); k < copy.to; k += group.size()) window[k] = copy.source[k];
}
//! Copies a window; for sm_80 past the registers, for older GPUs so that `AtOnce` granules a thread are on their way
//! together. Called by all of a group.
template <int AtOnce = 1, class Group>
__device__ void copy_window(std::byte* window, const window_copy& copy, const Group& group) {
  const int begin = copy.granules_from + 16 * group.lane(), stride = 16 * group.size();
  const auto granule = [&](int k) { return reinterpret_cast<const uint4*>(copy.source + k); };
  const auto place = [&](int k) { return reinterpret_cast<uint4*>(window + k); };
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800 && __CUDA_ARCH__ < 900
  for (int k = begin; k < copy.granules_to; k += stride) copy_async<true>(place(k), granule(k));
  wait_for_async_copies();
#else
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
  constexpr int at_once = AtOnce;
#else
  constexpr int at_once = 1;
#endif
  if constexpr (at_once == 1) {
#pragma unroll 5
    for (int k = begin; k < copy.granules_to; k += stride) *place(k) = *granule(k);
  } else {
    for (int first = begin; first < copy.granules_to; first += at_once * stride) {
      uint4 held[at_once];
#pragma unroll
      for (int v = 0; v < at_once; v++)
        if (const int k = first + v * stride; k < copy.granules_to) held[v] = *granule(k);
#pragma unroll
      for (int v = 0; v < at_once; v++)
        if (const int k = first + v * stride; k < copy.granules_to) *place(k) = held[v];
    }
  }
#endif
  copy_ends(window, copy, group);
}

//! Writes the items of a computed column that lie in the `part`-th of `Parts` parts of the tile. Called by a whole
//! warp.
template <class G, int Parts, class C, bool Reversed>
__device__ void compute_part(std::byte* window, const C& column, const span_of_items<Reversed>& items, int part) {
  using T = typename C::item_type;
  constexpr int size = G::tile / Parts;
  const int from = max(part * size, items.skipped()), to = min((part + 1) * size, items.skipped() + items.count);
  T* out = reinterpret_cast<T*>(window);
#pragma unroll 4
  for (int k = from + lane_id(); k < to; k += warp_size) out[k] = column(items.lowest() + k);
}

}  // namespace UPSWEEP_NAMESPACE::gpu

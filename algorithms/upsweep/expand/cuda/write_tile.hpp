// A tile of runs, as marks where they begin: the items that they stand for, written by a warp in full lines.
#pragma once
#include <cstdint>

#include <upsweep/config.hpp>
#include <upsweep/cuda/warp.hpp>

namespace UPSWEEP_NAMESPACE::gpu {

//! How items lie in vectors, and these in lines.
template <class T>
struct run_vectors {
  static constexpr bool has_some = sizeof(T) <= 16 && (sizeof(T) & (sizeof(T) - 1)) == 0;
  static constexpr int of_lane = !has_some ? 1 : sizeof(T) <= 4 ? 4 : 16 / sizeof(T), of_row = of_lane * warp_size;
  struct alignas(has_some ? of_lane * sizeof(T) : alignof(T)) vector {
    T at[of_lane];
  };
  static constexpr int line = has_some ? 128 / static_cast<int>(sizeof(T)) : 1;
  //! Items from the beginning of a line on to `to`.
  __device__ static int lead(const T* to) {
    return has_some ? static_cast<int>(reinterpret_cast<std::uintptr_t>(to) % 128 / sizeof(T)) : 0;
  }
  __device__ static bool is_aligned(const T* to) { return reinterpret_cast<std::uintptr_t>(to) % sizeof(vector) == 0; }
};

//! Of the lanes in `which`, what the last has; `otherwise` when it is none.
template <class Mark>
__device__ Mark from_last(std::uint32_t which, Mark of_lane, Mark otherwise) {
  const Mark found = from_lane(of_lane, 31 - __clz(static_cast<int>(which)));
  return which != 0 ? found : otherwise;
}

//! Writes the items [low, high) of a tile of `Tile`, item(mark) of running maxima of marks; by a warp.
template <int Tile, bool Whole, class T, class Mark, class Item>
__device__ void write_items(T* to, int low, int high, const Mark* marks, Mark before, const Item& item) {
  using vectors = run_vectors<T>;
  constexpr int of_lane = vectors::of_lane;
  struct alignas(of_lane * sizeof(Mark) < 16 ? of_lane * sizeof(Mark) : 16) lane_marks {
    Mark at[of_lane];
  };
  const bool aligned = Whole || of_lane == 1 || vectors::is_aligned(to);
  const std::uint32_t lanes_below = (1u << lane_id()) - 1;
  constexpr int unrolled = Whole && sizeof(T) <= 16 ? 8 : 1;
#pragma unroll unrolled
  for (int row = 0; row < (Whole ? Tile : high); row += vectors::of_row) {
    const int at = row + of_lane * lane_id();
    lane_marks mine = *reinterpret_cast<const lane_marks*>(marks + at);
#pragma unroll
    for (int k = 1; k < of_lane; k++) mine.at[k] = max(mine.at[k], mine.at[k - 1]);
    const Mark last = mine.at[of_lane - 1];
    // No row waits for what the row before it computes: of marks, the last is the largest.
    const std::uint32_t marked = __ballot_sync(~0u, last != 0);
    const Mark earlier = from_last(marked & lanes_below, last, before);
    before = from_last(marked, last, before);
#pragma unroll
    for (int k = 0; k < of_lane; k++) mine.at[k] = max(mine.at[k], earlier);
    if (Whole || (aligned && at >= low && at + of_lane <= high)) {
      typename vectors::vector all;
#pragma unroll
      for (int k = 0; k < of_lane; k++) all.at[k] = item(mine.at[k]);
      reinterpret_cast<typename vectors::vector*>(to)[at / of_lane] = all;
    } else {
#pragma unroll
      for (int k = 0; k < of_lane; k++)
        if (at + k >= low && at + k < high) to[at + k] = item(mine.at[k]);
    }
  }
}

}  // namespace UPSWEEP_NAMESPACE::gpu

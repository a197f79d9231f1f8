// Windows of consecutive segments and their keys, cut by the number of both: what a CTA sorts (sort_segments.hpp).
#pragma once
#include <cstdint>

#include <upsweep/config.hpp>
#include <upsweep/cuda/warp.hpp>
#include <upsweep/sort/cuda/key_sources.hpp>
#include <upsweep/sort/cuda/split_memory.hpp>
#include <upsweep/sort/cuda/tuning.hpp>

namespace UPSWEEP_NAMESPACE::gpu {

//! Segments and keys of a window: less than a tile, so that a last segment which reaches out of it is often held too.
template <class Shape>
inline constexpr int window_length = Shape::tile / 4 * 3;

//! Units that windows of n keys may leave: last segments that reach far out, and long ones.
template <class Shape>
index_t most_left(index_t n) {
  return n / (Shape::tile - window_length<Shape>)+n / tuning::most_ranked;
}

//! A window's first segment; where that begins, and where the one before does.
struct window_start {
  index_t segment, begin, before;
};
//! Finds where windows start. Also begins what they leave.
template <class Shape, class Offset, class Known>
struct window_starts {
  places_of_segments<Offset> segments;
  window_start* starts;
  split_memory<Known> memory;
  __device__ void operator()(index_t w) const {
    if (w == 0) memory.start();
    const index_t from = lane_partition_point(
        segments.count, [&](index_t s) { return s + segments.begin(s) < w * window_length<Shape>; });
    starts[w] = {from, segments.begin(from), from > 0 ? segments.begin(from - 1) : 0};
  }
};

//! What a window has: looked up where it is wanted, as registers are what networks lack.
struct window_held {
  index_t from, begin;   // its first segment, and where that begins
  int segments, length;  // how many, and their keys; -1 segments: none, or wrong offsets
  index_t left;          // keys of a last segment that reaches too far out, behind them
  unsigned int number;
};

//! Of this window and the next; of starts, also of the one after that. Then which places segments have.
template <class Shape>
struct window_state {
  static constexpr int words = Shape::tile / warp_size;
  window_start starts[2][2];
  window_held held[2];
  std::uint16_t firsts[window_length<Shape> + 1];  // where segments begin, and where the last one ends
  std::uint32_t heads[words];                      // a bit where a segment begins that is not empty
  std::uint16_t before[words];                     // the last of them before a word's places
  union {
    std::uint16_t ends[Shape::tile];     // where a segment ends, by where it begins
    std::uint16_t sources[Shape::tile];  // of a window of short segments: where a key stood
  };
};

}  // namespace UPSWEEP_NAMESPACE::gpu

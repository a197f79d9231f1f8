// The tuning table of recurrences.
#pragma once
#include <upsweep/config.hpp>
#include <upsweep/cuda/tuning.hpp>

namespace UPSWEEP_NAMESPACE::gpu::tuning {

// H200, 2026-11-24, as fractions of a copy's bandwidth in the same run. Order 1 in rows of 64 and of 777, 2^27 floats;
// order 2 of 2^26 floats and of 2^25 doubles:
//   0.67 0.68 0.14 0.12  scans of maps (of order 2 a CTA a tile): an item finds out by a 64-bit product, in fold and
//                        walk, whether it begins a row, and is composed with what stands before it
//   0.90 0.91 0.64 0.48  items folded step by step, walked along by values; 12 floats a lane, of order 2, or 6 doubles
//             0.25 0.19  4 floats or 2 doubles a lane: more tiles in flight, but each has a time of its own
//   0.94 0.95            what stands before warps by a scan of lanes, before blocks by values alone
//             0.84       and 20 floats a lane, three tiles in flight; where values before rows are loaded, it spills
//             0.83 0.63  6 warps a tile, which leaves more registers; 10 doubles a lane
//             0.86       as it is: floats staged apart, so that a tile's slot is free before its results have left
//             0.82 0.64  4 warps, 28 floats or 14 doubles a lane
// Shapes with as many bytes in flight are equally fast: what is left of order 2 is the time that a tile is in its slot.

//! Maps of up to this many bytes go through the pipeline: a lane's values take few registers, however wide they are.
inline constexpr int recurrence_value_bytes = 48;

//! Where rows begin among a lane's items is told by a word's bits.
constexpr int recurrence_lane_bytes(int bytes, int item_bytes) {
  return bytes < 32 * item_bytes ? bytes : 32 * item_bytes;
}
constexpr pipeline_shape recurrence_pipeline(int item_bytes, int value_bytes) {
  pipeline_shape shape = {8, {164, 132, 100, 68, 36}, 16, 3, 140 << 10, 8 << 20};
  if (value_bytes > 16) shape = {6, {244, 164, 100, 68, 36}, 16, 3, 140 << 10, 8 << 20};
  for (int& bytes : shape.lane_bytes) bytes = recurrence_lane_bytes(bytes, item_bytes);
  return shape;
}
//! In the pipeline's tiles of wide maps; where items are wider, it would cost a tile in flight.
constexpr bool recurrence_stages_apart(int warps, int item_bytes) { return warps == 6 && item_bytes <= 12; }
// One CTA a tile. H200, 2026-11-24, without the pipeline, order 1 in rows of 64, order 2 of floats:
//   0.23 0.14  scans of maps, in the shapes of core's table
//   0.25       items walked along, 4 a lane
//   0.51 0.31  12 a lane; of order 2 folded from registers, which leaves two CTAs a multiprocessor
//   0.71 0.20  20 a lane, three CTAs; of order 2 four a lane
//   0.72 0.43  of order 2 12, read a few at a time, three CTAs. But then integers spill registers where values before
//              rows are loaded (nvcc 13.0): it takes two.
constexpr tilewise_shape recurrence_tiles(int item_bytes, int value_bytes) {
  return {8, recurrence_lane_bytes(164, item_bytes), value_bytes > 16 ? 2 : 3};
}
constexpr tilewise_shape recurrence_small_tiles(int item_bytes, int value_bytes) {
  // Order 2 of bytes spills with two CTAs of 16 warps a multiprocessor.
  if (item_bytes < 4 || value_bytes > 16) return recurrence_tiles(item_bytes, value_bytes);
  return small_tiles(item_bytes, value_bytes);
}

}  // namespace UPSWEEP_NAMESPACE::gpu::tuning

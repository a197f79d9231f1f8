// The tuning table: what shape a tile has, by backend path, architecture and the size of items and values. No tuning
// constant stands anywhere else. Each row says where, when and what it measured.
#pragma once
#include <upsweep/config.hpp>

namespace upsweep::inline UPSWEEP_ABI::gpu::tuning {

//! One CTA a tile.
struct tilewise_shape {
  int warps;
  int lane_bytes;  // a lane's share of a tile, of all columns together
  int min_ctas;    // that one multiprocessor should hold: caps the registers
};
//! Warps with roles: `warps` to reduce and as many to scan, beside those that load and look ahead.
struct pipeline_shape {
  int warps;
  int lane_bytes[3];  // a lane's share, the first of these that leaves enough tiles in flight
  int max_stages;     // tiles in flight; fewer where shared memory ends
  int min_stages;
  int min_bytes;  // in flight
};

// One CTA a tile. 5 vectors of 16 bytes a lane: odd, see items_per_lane. H200, 2026-11-20, int32 sums: 2^10 items 8.4
// µs, 2^20 13.0 µs (CUB's DeviceScan 9.3 and 13.4 in the same run).
constexpr tilewise_shape tilewise(int /*item_bytes*/, int value_bytes) {
  if (value_bytes > 64) return {4, 64, 1};
  if (value_bytes > 16) return {8, 80, 1};
  return {8, 80, 2};
}

// The pipeline: 9 vectors a lane and 6 tiles in flight for 4-byte items, fewer where values need the registers. H200, 2026-11-20, int32 sum of 2^28 items, as a fraction of cudaMemcpyAsync in the same run:
//   0.96  as it is; 0.97 is a ring that only loads and stores, 0.93 that ring at a fixed stride without tickets
//   0.95  without bringing the slots of later tiles into L2 (board::prepare)
//   0.94  one warp that looks in and before blocks for every third tile, reading aggregates alone: two hops
//   0.91  slots written by stores instead of exchanges (write_word)
//   0.88  both of these, the first pipeline; there a ticket drawn ahead of its slot gave 0.86, whole tiles stored by
//         one warp 0.84, windows that lie to 16-byte granules instead of 128-byte lines 0.81
// Of 24,600 cycles that a tile spends in its slot (0.95), the load takes 12,300, its reduction 250, the look in its
// block 3,800 and before it 3,000, the scan 1,300, the store 2,200. Loads wait in the memory's queues, as the ring is
// full: with 2 slots left to load and store the ring that only copies falls to 0.90, with 3 it reaches 0.98.
constexpr pipeline_shape pipeline(int value_bytes) {
  if (value_bytes > 8) return {8, {132, 100, 84}, 8, 5, 160 << 10};
  return {8, {164, 132, 100}, 8, 5, 160 << 10};
}

//! The pipeline takes values of up to this many bytes: wider ones do not fit its registers.
inline constexpr int pipeline_value_bytes = 16;
//! Inputs of at least this many bytes go through the pipeline. (16 MiB with one CTA a tile: 25 µs, CUB 20.)
inline constexpr long long pipeline_from_bytes = 12ll << 20;

}  // namespace upsweep::inline UPSWEEP_ABI::gpu::tuning

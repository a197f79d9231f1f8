// Looking ahead (protocol.hpp): what stands before a tile in its block, and before the block.
#pragma once
#include <upsweep/config.hpp>
#include <upsweep/cuda/protocol.hpp>
#include <upsweep/cuda/warp.hpp>

namespace UPSWEEP_NAMESPACE::gpu {

//! What stands before and after a tile. `before` is there unless the tile is the first.
template <class V>
struct prefixes {
  maybe<V> before, after;
};

//! Waits for the tiles of `tile`'s block that stand before it; each is then in the lane of its place, `own` in that of
//! the tile's. Called by a warp.
template <class V>
__device__ maybe<V> wait_in_block(board<V> slots, index_t tile, std::uint32_t tag, const V& own) {
  const int lane = lane_id(), place = place_in_block(tile);
  tagged<V> seen;
  for (bool there = lane >= place;;) {
    there |= slots.read_unless(there, seen, slots.tile_slot(tile - place + lane), tag);
    if (__all_sync(~0u, there)) break;
    __nanosleep(20);
  }
  maybe<V> result(own);
  if (lane < place) result.value = seen.value();
  return result;
}

//! A warp that looks ahead at blocks: finds the prefixes of one block after another, in increasing order. All lanes
//! call. Combiner (by_lanes.hpp): fold_block(tile) of the tiles of a block, one a lane, and behind(prefix, block).
//! `prefixes_come`: every block's prefix is going to be published, which saves the fold of all blocks before the first.
//! `nearest`: blocks of which the tiles are read, too; none where registers are few.
template <class V>
inline constexpr int nearest_blocks = tagged<V>::words <= 1   ? 3
                                      : tagged<V>::words <= 2 ? 2
                                                              : 0;
template <class V, class Combiner, int nearest = nearest_blocks<V>>
class look_at_blocks {
 public:
  __device__ look_at_blocks(const board<V>& slots, const Combiner& by, bool prefixes_come)
      : slots_(slots), by_(by), prefixes_come_(prefixes_come) {}

  //! A state stands before block 0.
  __device__ void start(const V& state) {
    prefix_.value = state;
    started_ = true;
  }
  //! The same before block 0 of another range, whose slots are those.
  __device__ void start_anew(const board<V>& slots, const V& state) {
    slots_ = slots;
    known_ = 0;
    start(state);
  }
  //! Waits for what stands before `block`; nothing does before block 0. The result is in all lanes.
  __device__ const maybe<V>& operator()(index_t block, std::uint32_t tag) {
    while (known_ < block) advance(block, tag);
    return prefix_;
  }
  //! Comes nearer to `block` when it is far away, without waiting.
  __device__ void follow(index_t block, std::uint32_t tag) {
    if (block >= known_ + warp_size / 2) advance(block, tag);
  }

 private:
  //! One round towards `block`, by what is published now.
  __device__ void advance(index_t block, std::uint32_t tag) {
    // A round reads, all in flight together: of up to 32 blocks the aggregate and the prefix behind it, and the tiles
    // of the last of them, whose aggregates come a hop later than they.
    const index_t base = prefixes_come_ ? max(known_, block - warp_size) : known_;
    const int lane = lane_id(), count = static_cast<int>(min(block - base, index_t{warp_size}));
    tagged<V> aggregate, prefix, tiles[nearest + 1];
    bool has_tiles[nearest + 1];
    const bool none = lane >= count;
    constexpr bool together = tagged<V>::words <= 3;               // or they would take too many registers
    int done = static_cast<int>(max(known_ - base, index_t{-1}));  // blocks from base on; −1: base is not known
    const auto take_newest = [&](bool is_there) {
      const unsigned prefixes = __ballot_sync(~0u, is_there);
      if (prefixes == 0) return;
      const int newest = last_lane(prefixes);
      prefix_.value = from_lane(prefix.value(), newest);
      done = newest + 1;
    };
    const auto read_prefixes = [&] {
      return slots_.read_unless(none, prefix, slots_.prefix_slot(base + lane + 1), tag) & !none;
    };
    if constexpr (!together) take_newest(read_prefixes());
    const bool has_aggregate = slots_.read_unless(none, aggregate, slots_.aggregate_slot(base + lane), tag) & !none;
    const bool has_prefix = together ? read_prefixes() : false;
#pragma unroll
    for (int k = 0; k < nearest; k++)
      has_tiles[k] = slots_.read_unless(count + k < nearest, tiles[k],
                                        slots_.tile_slot((base + count - nearest + k) * tiles_per_block + lane), tag);
    const unsigned aggregates = __ballot_sync(~0u, has_aggregate);
    if constexpr (together) take_newest(has_prefix);
    if (done < 0) return;
    const V mine = aggregate.value();
    bool any = base + done > 0 || started_;
    const auto take = [&](const V& next) {
      prefix_.value = any ? by_.behind(prefix_.value, next) : next;
      any = true;
      done++;
    };
#pragma unroll 1
    while (done < count && aggregates >> done & 1) take(from_lane(mine, done));
#pragma unroll
    for (int k = 0; k < nearest; k++)
      if (done == count - nearest + k && __all_sync(~0u, has_tiles[k])) take(by_.fold_block(tiles[k].value()));
    known_ = base + done;
  }

  board<V> slots_;
  Combiner by_;
  bool prefixes_come_, started_ = false;
  index_t known_ = 0;  // the block whose prefix is known
  maybe<V> prefix_;    // nothing for block 0 unless it was started
};

}  // namespace UPSWEEP_NAMESPACE::gpu

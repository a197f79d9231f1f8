// Looking ahead (protocol.hpp) where runs are combined by matrices: a warp holds one state in rows, two entries a lane.
//     before(t) = what 32 runs leave: nothing, prefix(t / 32), and the tiles before t in its block
//     prefix(b + 1) = prefix(b), a block later, + aggregate(b),   aggregate(b) = what the 32 tiles of block b leave
#pragma once
#include <upsweep/config.hpp>
#include <upsweep/cuda/protocol.hpp>
#include <upsweep/filter/cuda/power_tables.hpp>
#include <upsweep/filter/cuda/run_factors.hpp>

namespace UPSWEEP_NAMESPACE::gpu {

//! A warp that finds what stands before tiles.
template <class M, int Warps>
class tile_looker {
 public:
  using V = typename M::value_type;
  using rows = rows_of_states<M>;
  __device__ tile_looker(const board<V>& slots, const run_factors<M>& factors, look_room<M>& room)
      : slots_(slots), factors_(factors), room_(room) {}

  //! Waits for the tiles of `tile`'s block that stand before it. The last tile of a block publishes the block's
  //! aggregate, without waiting for another block.
  __device__ void wait(index_t tile, std::uint32_t tag, const V& own) {
    const int lane = lane_id(), place = place_in_block(tile);
    const maybe<V> seen = wait_in_block(slots_, tile, tag, V{});
    room_.put((lane - place + warp_size) % warp_size, seen.value);  // those that are there come last
    __syncwarp();
    if (!ends_block(tile)) return;
    V& aggregate = room_.aggregate;
    rows sum = rows::of(own);
    factors_.add_later(sum, level, factors_.fold(level, room_.states));
    if (row_of_lane() == 7) sum.write(aggregate);
    __syncwarp();
    if (lane == 0) slots_.publish(slots_.aggregate_slot(tile / tiles_per_block), aggregate, tag);
  }
  //! What stands around the tile that was waited for; `before` may be where before_block is. There is an `after` if the
  //! tile ends a block or is the last.
  __device__ void find(index_t tile, const V& own, const V& before_block, V& before, V& after) {
    rows block = rows::of(before_block);
    if (row_of_lane() == 0) block.write(room_.states[warp_size - 1 - place_in_block(tile)]);
    __syncwarp();
    const rows sum = factors_.fold(level, room_.states);
    if (row_of_lane() == 7) sum.write(before);
    if (!ends_block(tile) && !slots_.is_last(tile)) return;
    rows end = rows::of(ends_block(tile) ? room_.aggregate : own);
    if (ends_block(tile)) factors_.add_later(end, level + 5, block);
    else factors_.add_later(end, level, sum);
    if (row_of_lane() == 7) end.write(after);
  }

 private:
  static constexpr int level = tile_level<Warps>;
  board<V> slots_;
  const run_factors<M>& factors_;
  look_room<M>& room_;
};

//! A warp that goes along with the blocks: all rows hold what stands before the block that is known. `Reads`: from the
//! newest prefix that is published.
template <class M, int Warps, bool Reads>
class block_looker {
 public:
  using V = typename M::value_type;
  using rows = rows_of_states<M>;
  __device__ block_looker(const board<V>& slots, const run_factors<M>& factors, look_room<M>& room, const V& start)
      : slots_(slots), factors_(factors), room_(room), before_(rows::of(start)) {}

  //! Waits for what stands before `block`; blocks come in increasing order.
  __device__ const rows& operator()(index_t block, std::uint32_t tag) {
    while (known_ < block) advance(block, tag);
    return before_;
  }

 private:
  __device__ void advance(index_t block, std::uint32_t tag) {
    const int lane = lane_id();
    if constexpr (Reads) read_prefix(max(known_ + 1, block - warp_size + 1), block, tag);
    const int count = static_cast<int>(min(block - known_, index_t{warp_size}));
    tagged<V> aggregate;
    const bool there = slots_.read_unless(lane >= count, aggregate, slots_.aggregate_slot(known_ + lane), tag);
    const unsigned missing = ~__ballot_sync(~0u, there && lane < count);
    const int done = missing ? __ffs(static_cast<int>(missing)) - 1 : warp_size;
    if (lane < done) room_.put(lane, aggregate.value());
    __syncwarp();
#pragma unroll 1
    for (int k = 0; k < done; k++) {
      rows next;
      next.read(room_.states[k]);
      factors_.add_later(next, tile_level<Warps> + 5, before_);
      before_ = next;
    }
    __syncwarp();
    known_ += done;
  }

  //! Takes the newest prefix that is there of the blocks in [from, to].
  __device__ void read_prefix(index_t from, index_t to, std::uint32_t tag) {
    const int lane = lane_id();
    tagged<V> prefix;
    const bool none = from + lane > to;
    const unsigned there =
        __ballot_sync(~0u, slots_.read_unless(none, prefix, slots_.prefix_slot(from + lane), tag) && !none);
    if (there == 0) return;
    const int newest = last_lane(there);
    if (lane == newest) room_.put(0, prefix.value());
    __syncwarp();
    before_.read(room_.states[0]);
    __syncwarp();
    known_ = from + newest;
  }

  board<V> slots_;
  const run_factors<M>& factors_;
  look_room<M>& room_;
  rows before_;
  index_t known_ = 0;
};

}  // namespace UPSWEEP_NAMESPACE::gpu

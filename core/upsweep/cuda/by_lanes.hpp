// What combining policies share whose lanes fold items of their own: monoids', and others of small values. Runs of
// items combine at four levels, lanes of a warp, warps of a tile, tiles of a block, blocks; a combiner does it:
//   scan_lanes(value, live)               the inclusive scan over the first `live` lanes
//   fold_warps(totals, warps, before)     what stands before each warp: before[w] for 0 < w <= warps
//   look_in_block(slots, tile, tag, own)  what stands around a tile in its block, for lane place_in_block(tile);
//                                         the last tile of a block publishes the block's aggregate
//   fold_block(value)                     the fold of the tiles of a whole block, one a lane
//   behind(before, block)                 what stands behind a block
//   join(tile, last, before_block,        what stands around a tile, made of what stands before its block and around it
//        in_block, around)                in the block
#pragma once
#include <upsweep/config.hpp>
#include <upsweep/cuda/combining.hpp>
#include <upsweep/cuda/pipeline_lanes.hpp>

namespace UPSWEEP_NAMESPACE::gpu {

//! P adds: lane, combiner_of, starts, reads_all, fold_lanes<Whole>(a, by, items, part, own), read, place, walk.
//! It may have a leave(own, lanes) of its own, with the recall that goes with it.
template <class P, class G, class Args, class V = typename Args::value_type>
struct by_lanes {
  using geometry = G;
  using args_type = Args;
  using value_type = V;
  using part_type = live_part<G, Args::reversed>;
  using maybe_value = maybe<value_type>;
  //! A wide value would take too many registers of every thread, and every warp would join it anew.
  static constexpr bool around_is_shared = sizeof(value_type) > 16;
  static constexpr int scan_groups = 1;
  using kept = nothing;
  struct lanes {
    maybe<short_form<value_type>> before[warp_size];
  };

  template <bool Whole>
  __device__ static void fold(const auto& a, const auto& by, const std::byte* items, const part_type& part, auto& own,
                              kept&, maybe_value& total) {
    const maybe_value sum = P::template fold_lanes<Whole>(a, by, items, part, own);
    if (lane_id() == part.lanes - 1) total = sum;
    own.before.value = from_below(sum.value, 1);
  }
  //! A tile's own total, published unless the tile is alone.
  __device__ static maybe_value hand_on(const auto& by, const board<value_type>& slots, bool single, index_t tile,
                                        std::uint32_t tag, int warps, const maybe_value* totals,
                                        maybe_value* warps_before) {
    by.fold_warps(totals, warps, warps_before);
    __syncwarp();
    const maybe_value total = warps_before[warps];
    if (lane_id() == 0 && !single) slots.publish(slots.tile_slot(tile), total.value, tag);
    return total;
  }
  __device__ static void look_in_block(const auto& by, const board<value_type>& slots, bool single, index_t tile,
                                       std::uint32_t tag, int warps, const maybe_value* totals,
                                       maybe_value* warps_before, prefixes<value_type>& in_block) {
    const maybe_value total = hand_on(by, slots, single, tile, tag, warps, totals, warps_before);
    if (single) {
      if (lane_id() != 0) return;
      if constexpr (P::starts) in_block.before.value = {};
      in_block.after = total;
    } else {
      const prefixes<value_type> found = by.look_in_block(slots, tile, tag, total.value);
      if (lane_id() == place_in_block(tile)) in_block = found;
    }
  }
  __device__ static void look_before(const auto& by, const board<value_type>& slots, index_t tile, std::uint32_t tag,
                                     maybe_value& before_block) {
    look_at_blocks look(slots, by, true);
    if constexpr (P::starts) look.start(before_block.value);
    const auto& prefix = look(tile / tiles_per_block, tag);
    __syncwarp();  // all lanes have read the start
    if (lane_id() == 0) before_block = prefix;
  }
  __device__ static void find_around(const auto& by, const board<value_type>& slots, index_t tile, const maybe_value&,
                                     const maybe_value& before_block, const prefixes<value_type>& in_block,
                                     prefixes<value_type>& around) {
    if (!P::around_is_shared || threadIdx.x == 0) by.join(tile, slots.is_last(tile), before_block, in_block, around);
  }
  //! What besides a lane's walk needs of its fold: nothing, unless a policy has it otherwise.
  __device__ static void leave(const auto&, const lanes&) {}
  __device__ static void recall(auto& own, const lanes& left) {
    own.before.value = left.before[lane_id()].value.whole();
  }

  //! The pipeline's last warp that looks ahead does before blocks, the others do in blocks: a look there waits for the
  //! tiles of other CTAs, and the next tile's can begin meanwhile.
  template <int Stages>
  __device__ static void look(const Args& a, const auto& by, auto* state, const board<value_type>& slots, int looker,
                              const maybe_value& start) {
    constexpr int in_blocks = roles<P>::lookers - 1;
    if (looker < in_blocks) look_in_blocks<P, Stages>(a, by, state, slots, looker, in_blocks);
    else look_before_blocks<P, Stages>(a, by, state, slots, 0, 1, start);
  }
  template <int Stages>
  __device__ static void reduce(const Args& a, const auto& by, std::byte* ring, auto* state,
                                const board<value_type>& slots, int warp) {
    reduce_tiles<P, Stages>(a, by, ring, state, slots, warp / G::warps, warp % G::warps);
  }
};

}  // namespace UPSWEEP_NAMESPACE::gpu

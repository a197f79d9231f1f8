// The pipeline's warps that look ahead and that reduce, for policies whose lanes fold items of their own
// (by_lanes.hpp).
#pragma once
#include <cstddef>
#include <cstdint>

#include <upsweep/config.hpp>
#include <upsweep/cuda/lane.hpp>
#include <upsweep/cuda/lookahead.hpp>
#include <upsweep/cuda/pipeline_ring.hpp>
#include <upsweep/cuda/protocol.hpp>
#include <upsweep/cuda/warp.hpp>

namespace UPSWEEP_NAMESPACE::gpu {

//! Finds what stands before each tile in its block, of those whose turn is this one's of so many warps; publishes the
//! blocks' aggregates.
template <class P, int Stages, class Args = typename P::args_type>
__device__ void look_in_blocks(const Args& a, const auto& by, slot_state<P>* state,
                               const board<typename P::value_type>& slots, int warp, int warps) {
  using G = typename P::geometry;
  ring_position<Stages> at;
  for (int turn = 0;; at.advance(), turn = turn + 1 == warps ? 0 : turn + 1) {
    auto& slot = state[at.slot];
    if (turn != warp) continue;
    if (warps > 1) slot.ticketed.wait(at.parity);  // as reduce_tiles does, whose turns change slots, too
    slot.full.wait(at.parity);
    const index_t tile = slot.tile;
    if (tile < 0) return;
    slot.reduced.wait(at.parity);
    const std::uint32_t tag = slot.tag;
    const auto own_slots = board_of<P>(slots, slot);
    const maybe<typename P::value_type> own = slot.warps_before[live_part<G, Args::reversed>(a.n, tile, 0).warps];
    __syncwarp();
    if (roles<P>::stores || tile == a.tiles - 1) {
      const auto found = by.look_in_block(own_slots, tile, tag, own.value);
      if (lane_id() == place_in_block(tile)) slot.in_block = found;
      __syncwarp();
      if (lane_id() == 0) slot.seen.arrive();
    } else {  // nobody waits for what stands before it
      if (lane_id() == 0) {
        slot.seen.arrive();
        slot.empty.arrive();
      }
      if (ends_block(tile)) by.look_in_block(own_slots, tile, tag, own.value);
    }
  }
}

//! Finds what stands before the blocks of the tiles whose turn is this one's of so many warps, and with it what stands
//! around them.
template <class P, int Stages, class Args = typename P::args_type>
__device__ void look_before_blocks(const Args& a, const auto& by, slot_state<P>* state,
                                   const board<typename P::value_type>& slots, int warp, int warps,
                                   const maybe<typename P::value_type>& start) {
  using R = roles<P>;
  look_at_blocks look(slots, by, R::stores);
  if constexpr (P::starts && !Args::batched) look.start(start.value);
  int channel = -1;  // of a batch, at which it looks
  ring_position<Stages> at;
  for (int turn = 0;; at.advance(), turn = turn + 1 == warps ? 0 : turn + 1) {
    auto& slot = state[at.slot];
    if (turn != warp) continue;
    slot.ticketed.wait(at.parity);
    const index_t tile = slot.tile, block = tile / tiles_per_block;
    if (tile < 0) return;
    const std::uint32_t tag = slot.tag;
    __syncwarp();
    if constexpr (Args::batched)
      if (channel != slot.channel) {
        channel = slot.channel;
        look.start_anew(board_of<P>(slots, slot), slot.start.value);
      }
    if (!R::stores && tile != a.tiles - 1) {  // nobody waits for what stands before it
      if (lane_id() == 0) slot.empty.arrive();
      look.follow(block, tag);
      continue;
    }
    const auto& before_block = look(block, tag);
    slot.seen.wait(at.parity);
    if (lane_id() == 0) {
      by.join(tile, tile == a.tiles - 1, before_block, slot.in_block, slot.around);
      const maybe<typename P::value_type> after = slot.around.after;  // the slot may be taken again
      if constexpr (R::stores) {
        slot.known.arrive();
        if (ends_block(tile)) board_of<P>(slots, slot).publish_prefix(tile, after.value, tag);
      } else {
        args_of(a, slot.channel).finish(nothing{}, after.value);
      }
    }
    __syncwarp();
  }
}

//! Folds the warps' totals and publishes the tile's aggregate: the work of the reduce warp that finishes last.
template <class P>
__device__ void publish_tile(const auto& by, slot_state<P>& slot, board<typename P::value_type> slots, int warps) {
  by.fold_warps(slot.warp_totals, warps, slot.warps_before);
  __syncwarp();
  if (lane_id() == 0) {
    slots.publish(slots.tile_slot(slot.tile), slot.warps_before[warps].value, slot.tag);
    slot.reduced.arrive();
  }
}

//! Groups take turns at tiles. Where a slot's turn changes from group to group, one has not waited for what the other
//! had in it, and a parity alone could not tell that tile, still on its way, from its own. (Copies arrive in any order,
//! tickets do not.) So it waits for its tile's ticket first, which is drawn when the slot is empty.
template <class P, int Stages, class Args = typename P::args_type>
__device__ void reduce_tiles(const Args& a, const auto& by, std::byte* ring, slot_state<P>* state,
                             const board<typename P::value_type>& slots, int group, int warp) {
  using G = typename P::geometry;
  using R = roles<P>;
  ring_position<Stages> at;
  for (int turn = 0;; at.advance(), turn = (turn + 1) % R::reduce_groups) {
    auto& slot = state[at.slot];
    if (turn != group) continue;
    if constexpr (Stages % R::reduce_groups != 0) slot.ticketed.wait(at.parity);
    slot.full.wait(at.parity);
    const index_t tile = slot.tile;
    if (tile < 0) return;
    const live_part<G, Args::reversed> part(a.n, tile, warp);
    typename P::lane own;
    const auto sum = P::template fold_lanes<true>(args_of(a, slot.channel), by, ring + at.slot * G::slot, part, own);
    if (R::stores && lane_id() + 1 < part.lanes) slot.lanes[warp].before[lane_id() + 1].value = short_form(sum.value);
    P::leave(own, slot.lanes[warp]);
    __syncwarp();
    int finished = 0;
    if (lane_id() == max(part.lanes - 1, 0)) {
      if (part.lanes > 0) slot.warp_totals[warp] = sum;
      __threadfence_block();
      finished = atomicAdd(&slot.reduced_warps, 1) + 1;
    }
    if (__any_sync(~0u, finished == G::warps)) {
      if (lane_id() == 0) slot.reduced_warps = 0;
      __threadfence_block();
      publish_tile<P>(by, slot, board_of<P>(slots, slot), part.warps);
    }
    __syncwarp();
    if (!R::stores && lane_id() == 0) slot.empty.arrive();
  }
}

}  // namespace UPSWEEP_NAMESPACE::gpu

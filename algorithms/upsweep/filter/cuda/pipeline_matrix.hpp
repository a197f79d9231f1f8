// The pipeline's roles where runs are combined by matrices: look before blocks, look before tiles, reduce and publish.
#pragma once
#include <upsweep/config.hpp>
#include <upsweep/cuda/pipeline_ring.hpp>
#include <upsweep/cuda/protocol.hpp>
#include <upsweep/filter/cuda/run_matrix.hpp>
#include <upsweep/filter/cuda/tile_matrix.hpp>

namespace UPSWEEP_NAMESPACE::gpu {

//! Finds what stands before the block of each tile.
template <class P, int Stages, class M>
__device__ void look_before_blocks(const run_factors<M>& factors, look_room<M>& room, slot_state<P>* state,
                                   const board<typename M::value_type>& slots, const typename M::value_type& start) {
  block_looker<M, P::geometry::warps, false> look(slots, factors, room, start);
  for (ring_position<Stages> at;; at.advance()) {
    auto& slot = state[at.slot];
    slot.ticketed.wait(at.parity);
    const index_t tile = slot.tile;
    if (tile < 0) return;
    const auto& before = look(tile / tiles_per_block, slot.tag);
    if (row_of_lane() == 0) before.write(slot.around.before.value);
    __syncwarp();
    if (lane_id() == 0) slot.seen.arrive();
  }
}
//! Finds what stands before the tiles whose turn is this warp's.
template <class P, int Stages, class Args, class M>
__device__ void look_before_tiles(const Args& a, const run_factors<M>& factors, look_room<M>& room,
                                  slot_state<P>* state, const board<typename M::value_type>& slots, int warp) {
  using G = typename P::geometry;
  tile_looker<M, G::warps> look(slots, factors, room);
  ring_position<Stages> at;
  for (int turn = 0;; at.advance(), turn = (turn + 1) % (roles<P>::lookers - 1)) {
    auto& slot = state[at.slot];
    if (turn != warp) continue;
    slot.full.wait(at.parity);
    const index_t tile = slot.tile;
    if (tile < 0) return;
    slot.reduced.wait(at.parity);
    const auto& own = slot.warps_before[live_part<G, Args::reversed>(a.n, tile, 0).warps].value;
    look.wait(tile, slot.tag, own);
    slot.seen.wait(at.parity);
    look.find(tile, own, slot.around.before.value, slot.around.before.value, slot.around.after.value);
    __syncwarp();
    if (lane_id() == 0) slot.known.arrive();
  }
}

//! Folds the tiles. The warps take turns to publish, each its tile as soon as all have folded it; but what waits to be
//! folded goes first. (Where who finished last published, and was late for the next tile, too, 8 % slower.)
template <class P, int Stages, class Args, class M>
__device__ void fold_and_publish(const Args& a, const run_factors<M>& factors, std::byte* ring, slot_state<P>* state,
                                 const board<typename M::value_type>& slots, int warp) {
  using G = typename P::geometry;
  static_assert(Stages > 2);  // who is late may hold two slots while a tile before them wants to be published
  const auto publish = [&](slot_state<P>& slot, std::uint32_t parity) {
    slot.folded.wait(parity);
    const int warps = live_part<G, Args::reversed>(a.n, slot.tile, 0).warps;
    fold_totals(factors, slot.warp_totals, warps, slot.warps_before);
    __syncwarp();
    if (lane_id() == 0) {
      slots.publish(slots.tile_slot(slot.tile), slot.warps_before[warps].value, slot.tag);
      slot.reduced.arrive();
    }
    __syncwarp();
  };
  ring_position<Stages> at, mine;
  bool late = false;  // with the tile at `mine`
  for (int turn = 0;; turn = (turn + 1) % G::warps) {
    auto& slot = state[at.slot];
    slot.full.wait(at.parity);
    const index_t tile = slot.tile;
    if (tile >= 0) {
      const live_part<G, Args::reversed> part(a.n, tile, warp);
      if (part.lanes > 0)
        fold_matrices<G>(a, factors, ring + at.slot * G::slot, part, slot.lanes[warp], slot.warp_totals[warp].value);
      __syncwarp();
      if (lane_id() == 0) slot.folded.arrive();
    }
    if (late) publish(state[mine.slot], mine.parity);
    if (tile < 0) return;
    late = turn == warp;
    if (late) mine = at;
    at.advance();
    if (late && !__any_sync(~0u, state[at.slot].full.passed(at.parity))) {
      publish(slot, mine.parity);
      late = false;
    }
  }
}

}  // namespace UPSWEEP_NAMESPACE::gpu

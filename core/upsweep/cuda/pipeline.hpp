// Large inputs on Hopper: a persistent CTA a multiprocessor whose warps have one role each and meet at mbarriers; no
// barrier stops the whole CTA. A ring of tiles in shared memory is filled by the copy engine; a tile is read twice
// there (to reduce it, to scan it) and once from memory. Roles: load, look in blocks, look before blocks, reduce and
// publish, scan and store.
#pragma once
#include <upsweep/config.hpp>
#include <upsweep/cuda/async.hpp>
#include <upsweep/cuda/emit.hpp>
#include <upsweep/cuda/lane.hpp>
#include <upsweep/cuda/pipeline_matrix.hpp>
#include <upsweep/cuda/pipeline_ring.hpp>
#include <upsweep/cuda/protocol.hpp>
#include <upsweep/cuda/run_lane.hpp>
#include <upsweep/cuda/run_matrix.hpp>
#include <upsweep/cuda/tile.hpp>

namespace upsweep::inline UPSWEEP_ABI::gpu {

//! The bulk copies of a tile, one a column. Away from the ranges' ends (`inner`) they are the same in every tile, a
//! constant stride on.
template <class G, class Load, bool Reversed>
struct tile_copies {
  window_copy columns[G::width];

  __device__ tile_copies(const Load& load, const span_of_items<Reversed>& items, bool inner) {
    for_each_column<G::width>([&](auto c) {
      if constexpr (Load::template column_type<c>::in_memory)
        columns[c] = plan_window<G>(get<c>(load.columns), items, inner);
    });
  }
  //! Called by one lane.
  __device__ void issue(index_t tiles_on, std::byte* slot, mbarrier& arrived) const {
    std::uint32_t bytes = 0;
    for_each_column<G::width>([&](auto c) {
      if constexpr (Load::template column_type<c>::in_memory)
        bytes += static_cast<std::uint32_t>(columns[c].granules_to - columns[c].granules_from);
    });
    arrived.arrive_expecting(bytes);
    for_each_column<G::width>([&](auto c) {
      using C = typename Load::template column_type<c>;
      if constexpr (C::in_memory) {
        constexpr index_t stride =
            (Reversed ? -1 : 1) * static_cast<index_t>(G::tile * sizeof(typename C::memory_type));
        const window_copy& copy = columns[c];
        if (copy.granules_to > copy.granules_from)
          bulk_load(slot + G::template column_offset<c> + copy.granules_from,
                    copy.source + tiles_on * stride + copy.granules_from,
                    static_cast<std::uint32_t>(copy.granules_to - copy.granules_from), arrived);
      }
    });
  }
};

//! The load role of one warp. The first draws the tickets and has the copy engine load; all share out what is computed.
template <class G, int Stages, class Args, class State>
__device__ void load_tiles(const Args& a, std::byte* ring, State* state, board<typename Args::value_type> slots,
                           int loader) {
  using Load = typename Args::load_type;
  using R = roles_of<G, Args>;
  const tile_copies<G, Load, Args::reversed> inner(a.load, {0, a.n, G::tile, G::tile}, true);
  ring_position<Stages> at;
  int ends = 0;
  for (index_t round = 0;; round++, at.advance()) {
    auto& slot = state[at.slot];
    std::byte* items = ring + at.slot * G::slot;
    if (round >= Stages) slot.empty.wait(at.parity ^ 1);
    if (loader == 0 && lane_id() == 0) {
      // Drawn only now: a ticket that waits for its slot would keep all tiles behind it waiting.
      const ticket drawn = slots.take();
      slot.tile = drawn.tile() < a.tiles ? drawn.tile() : -1;
      slot.tag = drawn.tag();
      slots.prepare(drawn.tile());
      slot.ticketed.arrive();
    }
    if (loader > 0) slot.ticketed.wait(at.parity);
    __syncwarp();
    const index_t tile = slot.tile;
    if (tile < 0) {  // the end, told to each who takes turns in a slot of its own
      if (lane_id() == 0) slot.full.arrive();
      if (++ends == R::turns) return;
      continue;
    }
    if constexpr (G::any_computed) {
      const live_part<G, Args::reversed> part(a.n, tile, 0);
      for_each_column<G::width>([&](auto c) {
        if constexpr (is_computed<typename Load::template column_type<c>>)
          compute_part<G, R::loaders>(items + G::template column_offset<c>, get<c>(a.load.columns), part.items, loader);
      });
      __syncwarp();
    }
    if (loader > 0) {
      if (lane_id() == 0) slot.full.arrive();
    } else if (tile == 0 || tile >= a.tiles - 2) {  // at an end of the ranges
      const live_part<G, Args::reversed> part(a.n, tile, 0);
      const tile_copies<G, Load, Args::reversed> outer(a.load, part.items, false);
      for_each_column<G::width>([&](auto c) {
        if constexpr (Load::template column_type<c>::in_memory)
          copy_ends(items + G::template column_offset<c>, outer.columns[c], warp_group{});
      });
      __syncwarp();
      if (lane_id() == 0) outer.issue(0, items, slot.full);
    } else if (lane_id() == 0) {
      inner.issue(tile, items, slot.full);
    }
  }
}

//! Folds the warps' totals and publishes the tile's aggregate: the work of the reduce warp that finishes last.
template <int Warps, class Args, class Lanes, class State>
__device__ void publish_tile(const Lanes& lanes, State& slot, board<typename Args::value_type> slots, int warps) {
  fold_warps<Warps>(lanes, slot.warp_totals, warps, slot.warps_before);
  __syncwarp();
  if (lane_id() == 0) {
    slots.publish(slots.tile_slot(slot.tile), slot.warps_before[warps].value, slot.tag);
    slot.reduced.arrive();
  }
}

//! Finds what stands before each tile in its block; publishes the blocks' aggregates.
template <class G, int Stages, class Args, class Tiles, class State>
__device__ void look_in_blocks(const Args& a, const Tiles& m, State* state,
                               const board<typename Args::value_type>& slots) {
  constexpr bool stores = roles_of<G, Args>::stores;
  for (ring_position<Stages> at;; at.advance()) {
    auto& slot = state[at.slot];
    slot.full.wait(at.parity);
    const index_t tile = slot.tile;
    if (tile < 0) return;
    slot.reduced.wait(at.parity);
    const std::uint32_t tag = slot.tag;
    const maybe<typename Args::value_type> own = slot.warps_before[live_part<G, Args::reversed>(a.n, tile, 0).warps];
    __syncwarp();
    if (stores || tile == a.tiles - 1) {
      const auto found = look_in_block(slots, m, tile, tag, own.value);
      if (lane_id() == place_in_block(tile)) slot.in_block = found;
      __syncwarp();
      if (lane_id() == 0) slot.seen.arrive();
    } else {  // nobody waits for what stands before it
      if (lane_id() == 0) {
        slot.seen.arrive();
        slot.empty.arrive();
      }
      if (ends_block(tile)) look_in_block(slots, m, tile, tag, own.value);
    }
  }
}

//! Finds what stands before the blocks of the tiles whose turn is this warp's, and with it what stands around them.
template <class G, int Stages, class Args, class Tiles, class State>
__device__ void look_before_blocks(const Args& a, const Tiles& m, State* state,
                                   const board<typename Args::value_type>& slots, int warp,
                                   const maybe<typename Args::value_type>& start) {
  using R = roles_of<G, Args>;
  look_at_blocks look(slots, m, R::stores);
  if constexpr (spans_runs<typename Args::monoid_type>) look.start(start.value);
  ring_position<Stages> at;
  for (int turn = 0;; at.advance(), turn = (turn + 1) % R::lookers) {
    auto& slot = state[at.slot];
    if (turn != warp) continue;
    slot.ticketed.wait(at.parity);
    const index_t tile = slot.tile, block = tile / tiles_per_block;
    if (tile < 0) return;
    const std::uint32_t tag = slot.tag;
    __syncwarp();
    if (!R::stores && tile != a.tiles - 1) {  // nobody waits for what stands before it
      if (lane_id() == 0) slot.empty.arrive();
      look.follow(block, tag);
      continue;
    }
    const auto& before_block = look(block, tag);
    slot.seen.wait(at.parity);
    if (lane_id() == 0) {
      join(m, tile, tile == a.tiles - 1, before_block, slot.in_block, slot.around);
      const maybe<typename Args::value_type> after = slot.around.after;  // the slot may be taken again
      if constexpr (R::stores) {
        slot.known.arrive();
        if (ends_block(tile)) slots.publish_prefix(tile, after.value, tag);
      } else {
        a.finish(nothing{}, after.value);
      }
    }
    __syncwarp();
  }
}

template <class G, int Stages, class Args, class State>
__device__ void reduce_tiles(const Args& a, const typename Args::monoid_type& m, std::byte* ring, State* state,
                             const board<typename Args::value_type>& slots, int group, int warp) {
  const auto& lanes = over_lanes(m);
  constexpr int groups = roles_of<G, Args>::reduce_groups;
  ring_position<Stages> at;
  for (int turn = 0;; at.advance(), turn = (turn + 1) % groups) {
    auto& slot = state[at.slot];
    if (turn != group) continue;
    slot.full.wait(at.parity);
    const index_t tile = slot.tile;
    if (tile < 0) return;
    const live_part<G, Args::reversed> part(a.n, tile, warp);
    const std::byte* items = ring + at.slot * G::slot;
    maybe<typename Args::value_type> sum;
    if constexpr (spans_runs<typename Args::monoid_type>) {
      if (part.full) sum.value = fold_runs<G, true>(a, m, items, part);
      else if (lane_id() < part.lanes) sum.value = fold_runs<G, false>(a, m, items, part);
    } else {
      lane_items<G, typename Args::load_type, Args::reversed> held;
      held.read(a.load, items, part.items, warp);
      if (part.full) sum.value = fold_lane<G, true>(a, held, part);
      else if (lane_id() < part.lanes) sum.value = fold_lane<G, false>(a, held, part);
    }
    __syncwarp();
    sum.value = warp_scan(sum.value, part.lanes, lanes);
    if (roles_of<G, Args>::stores && lane_id() + 1 < part.lanes) slot.lanes[warp].before[lane_id() + 1] = sum;
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
      publish_tile<G::warps, Args>(lanes, slot, slots, part.warps);
    }
    __syncwarp();
    if (!roles_of<G, Args>::stores && lane_id() == 0) slot.empty.arrive();
  }
}

template <class G, int Stages, class Args, class State>
__device__ void scan_tiles(const Args& a, const typename Args::monoid_type& m,
                           const level_tables<typename Args::monoid_type, G::warps>& tables, std::byte* ring,
                           std::byte* own_stage, State* state, int group, int warp) {
  using V = typename Args::value_type;
  using Store = typename Args::store_type;
  constexpr bool spans = spans_runs<typename Args::monoid_type>;
  constexpr int groups = roles_of<G, Args>::scan_groups;
  constexpr bool stages_in_slot = !staging<G, Store>::own && !stages_nothing<Store>;
  constexpr bool reads_first = !spans && !stages_in_slot;  // then the slot is free before the results leave
  int leaving = -1;  // the slot whose results the copy engine may still be reading
  ring_position<Stages> at;
  for (int turn = 0;; at.advance(), turn = (turn + 1) % groups) {
    auto& slot = state[at.slot];
    if (turn != group) continue;
    slot.full.wait(at.parity);
    const index_t tile = slot.tile;
    if (tile < 0) break;
    const live_part<G, Args::reversed> part(a.n, tile, warp);
    std::byte* items = ring + at.slot * G::slot;
    lane_items<G, typename Args::load_type, Args::reversed> held;
    if constexpr (!spans) held.read(a.load, items, part.items, warp);
    if (leaving >= 0 && lane_id() == 0) {  // by now the copy engine has read the results of the tile before
      bulk_store_wait_read<0>();
      if (stages_in_slot) state[leaving].empty.arrive();
    }
    slot.known.wait(at.parity);
    __syncwarp();  // all lanes have read: results may be staged where the items lay
    lane_prefix<V> prefix;
    if constexpr (!spans)
      if (part.lanes > 0)
        prefix = place_lane<G>(a.m, part, slot.lanes[warp].before[lane_id()], slot.warps_before, slot.around);
    const auto release = [&](bool now) {
      fence_async();  // the copy engine writes here next
      __syncwarp();
      if (now && lane_id() == 0) slot.empty.arrive();
    };
    if (reads_first) release(true);
    bool async = false;
    if (part.lanes > 0) {
      std::byte* stage = staging<G, Store>::of(a.load, part, items, own_stage);
      auto& lanes = slot.lanes[warp];
      if constexpr (by_matrices<typename Args::monoid_type>) {
        async = walk_warp<G, true>(a, m, tables, items, stage, part, lanes, slot.warps_before, slot.around);
      } else if constexpr (spans) {
        const V& before = lanes.before[lane_id()].value;
        async = walk_warp<G, true>(a, m, tables, items, stage, part, before, slot.warps_before, slot.around);
      } else if (part.full) {
        async = emit<G, true, true>(a, held, stage, part, prefix);
      } else {
        async = emit<G, false, true>(a, held, stage, part, prefix);
      }
    }
    if (!reads_first) release(!async || !stages_in_slot);
    leaving = async ? at.slot : -1;
    __syncwarp();
  }
  if (lane_id() == 0) bulk_store_wait();
}

template <class G, int Stages, class Args>
__global__ void __launch_bounds__(roles_of<G, Args>::warps* warp_size, 1)
    sweep_pipeline(const __grid_constant__ Args a) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
  using V = typename Args::value_type;
  using M = typename Args::monoid_type;
  using R = roles_of<G, Args>;
  using Memory = pipeline_memory<G, typename Args::store_type, M>;
  extern __shared__ __align__(128) std::byte shared[];
  std::byte* stages = shared + Stages * G::slot;
  auto* state = reinterpret_cast<slot_state<M, G::warps>*>(stages + Memory::stage_bytes);
  auto& tables = *reinterpret_cast<level_tables<M, G::warps>*>(state + Stages);
  const int warp = static_cast<int>(threadIdx.x) / warp_size;
  __shared__ raw_memory<maybe<V>> start;
  tables.fill(a.m, warp);
  if (threadIdx.x == 0) {
    if constexpr (spans_runs<typename Args::monoid_type>) start.get().value = a.finish.start();
    for (int k = 0; k < Stages; k++) {
      auto& slot = state[k];
      slot.ticketed.init(1);
      slot.full.init(R::loaders);
      slot.folded.init(G::warps);
      slot.reduced.init(1);
      slot.reduced_warps = 0;
      slot.seen.init(1);
      slot.known.init(1);
      slot.empty.init(R::users);
    }
    fence_barrier_init();
  }
  __syncthreads();
  const board<V> slots(a.workspace, a.tiles);
  const auto& m = tables.monoid(a.m);
  if (warp < R::loaders) load_tiles<G, Stages>(a, shared, state, slots, warp);
  else if (warp < R::reducers) {
    const int looker = warp - R::loaders;
    if constexpr (by_matrices<M>) {
      if (looker == 0) look_before_blocks<G, Stages>(tables.factors, tables.rooms[0], state, slots, start.get().value);
      else look_before_tiles<G, Stages>(a, tables.factors, tables.rooms[looker], state, slots, looker - 1);
    } else {
      if (looker == 0) look_in_blocks<G, Stages>(a, over_tiles(m, tables), state, slots);
      else look_before_blocks<G, Stages>(a, over_tiles(m, tables), state, slots, looker - 1, start.get());
    }
  } else if (warp < R::scanners) {
    if constexpr (by_matrices<M>) {
      fold_and_publish<G, Stages>(a, tables.factors, shared, state, slots, warp - R::reducers);
    } else {
      reduce_tiles<G, Stages>(a, m, shared, state, slots, (warp - R::reducers) / G::warps,
                              (warp - R::reducers) % G::warps);
    }
  } else if constexpr (R::stores) {
    const int group = R::scan_groups > 1 ? (warp - R::scanners) / G::warps : 0;
    scan_tiles<G, Stages>(a, m, tables, shared, stages + group * Memory::group_stage, state, group,
                          warp - R::scanners - group * G::warps);
  }
  __syncthreads();
  if (threadIdx.x == 0) board<V>(a.workspace, a.tiles).leave(state[0].tag);
#endif
}

}  // namespace upsweep::inline UPSWEEP_ABI::gpu

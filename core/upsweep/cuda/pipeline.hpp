// Large inputs on Hopper: a persistent CTA a multiprocessor whose warps have one role each and meet at mbarriers; no
// barrier stops the whole CTA. A ring of tiles in shared memory is filled by the copy engine; a tile is read twice
// there (to reduce it, to scan it) and once from memory. Roles: load, look ahead, reduce and publish, scan and store.
#pragma once
#include <cstddef>

#include <upsweep/config.hpp>
#include <upsweep/cuda/async.hpp>
#include <upsweep/cuda/combining.hpp>
#include <upsweep/cuda/emit.hpp>
#include <upsweep/cuda/pipeline_load.hpp>
#include <upsweep/cuda/pipeline_ring.hpp>
#include <upsweep/cuda/protocol.hpp>

namespace UPSWEEP_NAMESPACE::gpu {

template <class P, int Stages, class Args = typename P::args_type>
__device__ void scan_tiles(const Args& all, const auto& by, std::byte* ring, std::byte* own_stage, slot_state<P>* state,
                           int group, int warp) {
  using G = typename P::geometry;
  using Store = typename Args::store_type;
  constexpr bool stages_in_slot = !staging<G, Store>::own && !stages_nothing<Store>;
  constexpr bool reads_first = P::reads_all && !stages_in_slot;  // then the slot is free before the results leave
  int leaving = -1;  // the slot whose results the copy engine may still be reading
  ring_position<Stages> at;
  for (int turn = 0;; at.advance(), turn = (turn + 1) % P::scan_groups) {
    auto& slot = state[at.slot];
    if (turn != group) continue;
    slot.full.wait(at.parity);
    const index_t tile = slot.tile;
    if (tile < 0) break;
    const live_part<G, Args::reversed> part(all.n, tile, warp);
    const auto& a = args_of(all, slot.channel);
    std::byte* items = ring + at.slot * G::slot;
    typename P::lane own;
    P::read(a, items, part, own);
    if (leaving >= 0 && lane_id() == 0) {  // by now the copy engine has read the results of the tile before
      bulk_store_wait_read<0>();
      if (stages_in_slot) state[leaving].empty.arrive();
    }
    slot.known.wait(at.parity);
    __syncwarp();  // all lanes have read: results may be staged where the items lay
    auto& lanes = slot.lanes[warp];
    if (part.lanes > 0) {
      P::recall(own, lanes);
      P::place(a, by, part, lanes, slot.warps_before, slot.around, own);
    }
    const auto release = [&](bool now) {
      fence_async();  // the copy engine writes here next
      __syncwarp();
      if (now && lane_id() == 0) slot.empty.arrive();
    };
    if (reads_first) release(true);
    bool async = false;
    if (part.lanes > 0) {
      std::byte* stage = staging<G, Store>::of(a.load, part, items, own_stage);
      async = P::template walk<true, true>(a, by, items, stage, part, lanes, slot.around, own);
    }
    if (!reads_first) release(!async || !stages_in_slot);
    leaving = async ? at.slot : -1;
    __syncwarp();
  }
  if (lane_id() == 0) bulk_store_wait();
}

template <class P, int Stages>
__global__ void __launch_bounds__(roles<P>::warps* warp_size, 1)
    sweep_pipeline(const __grid_constant__ typename P::args_type a) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
  static_assert(combining_policy<P>);
  using G = typename P::geometry;
  using V = typename P::value_type;
  using R = roles<P>;
  using Memory = pipeline_memory<P>;
  extern __shared__ __align__(128) std::byte shared[];
  std::byte* stages = shared + Stages * G::slot;
  auto* state = reinterpret_cast<slot_state<P>*>(stages + Memory::stage_bytes);
  auto& tables = *reinterpret_cast<typename P::tables*>(state + Stages);
  const int warp = static_cast<int>(threadIdx.x) / warp_size;
  __shared__ raw_memory<maybe<V>> start;
  if (threadIdx.x == 0) {
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
  if (warp < R::loaders) {
    load_tiles<P, Stages>(a, shared, state, slots, warp);
    __syncthreads();
    if (threadIdx.x == 0) board<V>(a.workspace, a.tiles).leave(state[0].tag);
    return;
  }
  // While the first tiles are on their way. (A start is read before anything is published: the last tile's finish may
  // overwrite it. Of a batch's channels it comes with their tiles.)
  if constexpr (P::starts && !P::args_type::batched) {
    static_assert(gives_start<decltype(a.finish), V>);
    if (warp == R::loaders && lane_id() == 0) start.get().value = a.finish.start();
  }
  tables.fill(a.m, warp - R::loaders, R::warps - R::loaders);
  if constexpr (P::starts || !std::is_empty_v<typename P::tables>) meet_warps((R::warps - R::loaders) * warp_size);
  const auto by = P::combiner_of(a.m, tables);
  if (warp < R::reducers) {
    P::template look<Stages>(a, by, state, slots, warp - R::loaders, start.get());
  } else if (warp < R::scanners) {
    P::template reduce<Stages>(a, by, shared, state, slots, warp - R::reducers);
  } else if constexpr (R::stores) {
    const int group = P::scan_groups > 1 ? (warp - R::scanners) / G::warps : 0;
    scan_tiles<P, Stages>(a, by, shared, stages + group * Memory::group_stage, state, group,
                          warp - R::scanners - group * G::warps);
  }
  __syncthreads();
#endif
}

}  // namespace UPSWEEP_NAMESPACE::gpu

// A lane's share of a tile in a filter's sweep: what it leaves, where it starts, and the walk
// along it. Items are read from shared memory a vector at a time, in short loops: states want the registers, and one
// pass over a tile is too short to fetch long code for.
#pragma once
#include <upsweep/config.hpp>
#include <upsweep/cuda/emit.hpp>
#include <upsweep/cuda/lane.hpp>
#include <upsweep/cuda/tile.hpp>
#include <upsweep/filter/cuda/power_tables.hpp>
#include <upsweep/filter/cuda/run_factors.hpp>
#include <upsweep/filter/cuda/sample_store.hpp>
#include <upsweep/filter/powers.hpp>

namespace UPSWEEP_NAMESPACE::gpu {

//! Items of a vector of the widest column. A lane's share is whole vectors.
template <class G>
inline constexpr int slice_items = G::widest_bytes >= 16 ? 1 : 16 / G::widest_bytes;

//! Slices that a loop takes at once. By matrices, a lane walks rarely (run_matrix.hpp). A tile that is not full is the
//! only one of a short signal, and fetches its code for that: one slice of four items and more. (100 floats through one
//! section: 14.2 to 12.3 us, 60 channels of 1,024: 14.6 to 13.0. Of two doubles it was up to 8 % slower. H100,
//! 2026-11-25.)
template <class G, bool Full, class M>
inline constexpr int slices_at_once = for_matrices<M> || (!Full && slice_items<G> >= 4) ? 1
                                      : lane_tables<M>::copies                          ? 3
                                                                                        : 9;

//! What a lane's items leave behind them, nothing in front; a share that ends early counts as if zeros followed.
//! weights.weigh(sum, k, number) adds what the k-th item does.
template <class G, bool Full, class Args, class Weights>
__device__ typename Args::value_type fold_runs(const Args& a, const Weights& weights, const std::byte* slot,
                                               const live_part<G, Args::reversed>& part) {
  using M = typename Args::monoid_type;
  constexpr int slice = slice_items<G>;
  static_assert(G::per_lane % slice == 0);
  typename M::value_type sum{};
  const int count = Full ? G::per_lane : part.lane_count();
#pragma unroll(slices_at_once<G, Full, M>)
  for (int first = 0; first < count; first += slice) {
    lane_items<G, typename Args::load_type, Args::reversed, slice> held;
    held.read(a.load, slot, part.items, part.warp, first);
#pragma unroll
    for (int k = 0; k < slice; k++) {
      if (!Full && first + k >= count) break;
      const index_t logical = part.items.first + part.lane_first() + first + k;
      weights.weigh(sum, first + k,
                    a.lift(held.item(a.load, k, logical, Args::reversed ? part.items.n - 1 - logical : logical)));
    }
  }
  return sum;
}

//! Puts a lane's results into shared memory, a slice at a time.
template <class T, class G, bool Reversed>
struct slice_writer {
  static constexpr int slice = slice_items<G>, bytes = slice * static_cast<int>(sizeof(T));
  std::byte* to;  // of the lane
  bool aligned;

  __device__ explicit slice_writer(std::byte* stage)
      : to(stage + (Reversed ? warp_size - 1 - lane_id() : lane_id()) * G::per_lane * static_cast<int>(sizeof(T))),
        aligned(shared_address(stage) % 16 == 0) {}
  __device__ void put(int first, const T (&results)[slice]) const {
    std::byte* at = to + (Reversed ? G::per_lane - slice - first : first) * static_cast<int>(sizeof(T));
    if constexpr (bytes % 16 == 0 && G::per_lane * sizeof(T) % 16 == 0) {
      if (aligned) {
        uint4 vectors[bytes / 16];
        memcpy(vectors, results, bytes);
#pragma unroll
        for (int k = 0; k < bytes / 16; k++) reinterpret_cast<uint4*>(at)[k] = vectors[k];
        return;
      }
    }
#pragma unroll
    for (int k = 0; k < slice; k++) reinterpret_cast<T*>(at)[k] = results[k];
  }
};

//! Calls take(first, results) with slices of what store(output) gives for a lane's items, and takes `state` from in
//! front of them to behind them.
template <class T, class G, bool Full, class Args, class Store, class Take>
__device__ void walk_runs(const Args& a, const typename Args::monoid_type& m, const std::byte* slot,
                          const live_part<G, Args::reversed>& part, typename Args::value_type& state,
                          const Store& store, const Take& take) {
  using M = typename Args::monoid_type;
  constexpr int slice = slice_items<G>;
  const int count = Full ? G::per_lane : part.lane_count();
  const M* rule = &m;
#pragma unroll(slices_at_once<G, Full, M>)
  for (int first = 0; first < count; first += slice) {
    lane_items<G, typename Args::load_type, Args::reversed, slice> held;
    held.read(a.load, slot, part.items, part.warp, first);
    T results[slice];
#pragma unroll
    for (int k = 0; k < slice; k++) {
      if (!Full && first + k >= count) break;
      // Then rule and state stay in memory: others want the registers.
      if constexpr (for_matrices<M> && has_matrix_units()) asm volatile("" : "+l"(rule)::"memory");
      const index_t logical = part.items.first + part.lane_first() + first + k;
      const index_t i = Args::reversed ? part.items.n - 1 - logical : logical;
      const auto item = held.item(a.load, k, logical, i);
      results[Args::reversed ? slice - 1 - k : k] = store(rule->advance(state, a.lift(item)));
    }
    take(first, results);
  }
}

//! Walks along a warp's items from the states in front of its lanes, and sends off its results. What stands behind a
//! full tile that is the last one is `after`, what the next tile would start from. True: the copy engine is still
//! reading the stage.
template <class G, bool Full, bool Bulk, class Args>
__device__ bool emit_runs(const Args& a, const typename Args::monoid_type& m, const std::byte* slot, std::byte* stage,
                          const live_part<G, Args::reversed>& part, typename Args::value_type& state,
                          const typename Args::value_type& after) {
  using T = typename Args::store_type::value_type;
  const slice_writer<T, G, Args::reversed> writer(stage);
  walk_runs<T, G, Full>(a, m, slot, part, state, detail::sample_of_number<T>{},
                        [&](int first, const auto& results) { writer.put(first, results); });
  const bool async = send_dense<G, Full, Bulk>(a, stage, part);
  const index_t end = part.items.first + part.lane_first() + (Full ? G::per_lane : part.lane_count());
  if (end == part.items.n && part.lane_count() > 0) a.finish(nothing{}, Full ? after : state);
  return async;
}

}  // namespace UPSWEEP_NAMESPACE::gpu

// The combining policy of filters of many state entries (core's cuda/combining.hpp): states of runs in the rows of
// matrices (run_matrix.hpp).
#pragma once
#include <upsweep/config.hpp>
#include <upsweep/cuda/lookahead.hpp>
#include <upsweep/cuda/pipeline_ring.hpp>
#include <upsweep/filter/cuda/pipeline_matrix.hpp>
#include <upsweep/filter/cuda/run_matrix.hpp>
#include <upsweep/filter/cuda/tile_matrix.hpp>

namespace UPSWEEP_NAMESPACE::gpu {

template <class M>
struct matrix_tables : lane_tables<M> {
  look_room<M> rooms[3];  // of the warps that look ahead
};
template <class M>
struct matrix_combiner {
  const run_factors<M>& factors;
  look_room<M>* rooms;
};

template <class G, class Args>
struct by_matrices {
  using geometry = G;
  using args_type = Args;
  using value_type = typename Args::value_type;
  using V = value_type;
  using M = typename Args::monoid_type;
  using part_type = live_part<G, Args::reversed>;
  using tables = matrix_tables<M>;
  using combiner = matrix_combiner<M>;
  using lanes = lane_states<M>;
  using kept = lane_states<M>;
  struct lane {
    bool finite;  // items, and the states in front of them
  };
  static constexpr bool starts = true, reads_all = false, around_is_shared = true;
  //! States of more than 64 bytes want the registers of a second group.
  static constexpr int scan_groups =
      sizeof(V) <= 64 && !G::any_computed && !staging<G, typename Args::store_type>::own ? 2 : 1;

  __device__ static combiner combiner_of(const M&, tables& all) { return {all.factors, all.rooms}; }

  template <bool Whole>
  __device__ static void fold(const auto& a, const combiner& by, std::byte* items, const part_type& part, lane&,
                              kept& left, maybe<V>& total) {
    fold_matrices<G>(a, by.factors, items, part, left, total.value);
  }
  __device__ static void look_in_block(const combiner& by, const board<V>& slots, bool single, index_t tile,
                                       std::uint32_t tag, int warps, const maybe<V>* totals, maybe<V>* warps_before,
                                       prefixes<V>&) {
    const V& own = warps_before[warps].value;
    fold_totals(by.factors, totals, warps, warps_before);
    __syncwarp();
    if (lane_id() == 0 && !single) slots.publish(slots.tile_slot(tile), own, tag);
    looker(by, slots).wait(tile, tag, own);
  }
  __device__ static void look_before(const combiner& by, const board<V>& slots, index_t tile, std::uint32_t tag,
                                     maybe<V>& before_block) {
    block_looker<M, G::warps, true> blocks(slots, by.factors, by.rooms[1], before_block.value);
    const auto& prefix = blocks(tile / tiles_per_block, tag);
    __syncwarp();
    if (row_of_lane() == 0) prefix.write(before_block.value);
  }
  __device__ static void find_around(const combiner& by, const board<V>& slots, index_t tile, const maybe<V>& own,
                                     const maybe<V>& before_block, const prefixes<V>&, prefixes<V>& around) {
    if (threadIdx.x < warp_size)
      looker(by, slots).find(tile, own.value, before_block.value, around.before.value, around.after.value);
  }
  __device__ static void recall(lane&, const lanes&) {}
  __device__ static void read(const auto&, const std::byte*, const part_type&, lane&) {}
  __device__ static void place(const auto&, const combiner& by, const part_type& part, lanes& left,
                               const maybe<V>* warps_before, const prefixes<V>& around, lane& own) {
    constexpr int bits = tile_level<G::warps> - warp_level;
    const auto before = state_of_warp<bits>(by.factors, part.warp, around.before.value, warps_before);
    own.finite = place_matrices(by.factors, before, left);
  }
  template <bool Whole, bool Bulk>
  __device__ static bool walk(const auto& a, const combiner& by, std::byte* items, std::byte* stage,
                              const part_type& part, lanes& left, const prefixes<V>& around, lane& own) {
    return walk_matrices<G, Bulk>(a, by.factors, items, stage, part, left, own.finite, around.after.value);
  }

  //! The pipeline's first warp that looks ahead does before blocks, the others do before tiles.
  template <int Stages>
  __device__ static void look(const Args& a, const combiner& by, auto* state, const board<V>& slots, int looker,
                              const maybe<V>& start) {
    using P = by_matrices;
    if (looker == 0) look_before_blocks<P, Stages>(by.factors, by.rooms[0], state, slots, start.value);
    else look_before_tiles<P, Stages>(a, by.factors, by.rooms[looker], state, slots, looker - 1);
  }
  template <int Stages>
  __device__ static void reduce(const Args& a, const combiner& by, std::byte* ring, auto* state, const board<V>& slots,
                                int warp) {
    fold_and_publish<by_matrices, Stages>(a, by.factors, ring, state, slots, warp);
  }

 private:
  __device__ static tile_looker<M, G::warps> looker(const combiner& by, const board<V>& slots) {
    return {slots, by.factors, by.rooms[0]};
  }
};

}  // namespace UPSWEEP_NAMESPACE::gpu

// The combining policy of filters of few state entries (core's cuda/combining.hpp): states of runs, joined by powers.
#pragma once
#include <upsweep/config.hpp>
#include <upsweep/cuda/by_lanes.hpp>
#include <upsweep/cuda/lookahead.hpp>
#include <upsweep/cuda/warp.hpp>
#include <upsweep/filter/cuda/power_tables.hpp>
#include <upsweep/filter/cuda/run_lane.hpp>

namespace UPSWEEP_NAMESPACE::gpu {

//! The tables of all levels. A warp has 2^log_runs runs of a channel.
template <class M, int Warps>
struct level_tables : lane_tables<M> {
  forward_by<M, Warps> warps;
  forward_by<M, warp_size> tiles;

  //! Called by all of `of` warps. (Each table is begun by another.)
  __device__ void fill(const M& argument, int warp, int of, int log_runs = warp_level) {
    lane_tables<M>::fill(argument, warp, of);
    warps.fill(argument, log_runs, (warp + of - M::size % of) % of, of);
    tiles.fill(argument, log_runs + tile_level<Warps> - warp_level, (warp + of - 2 * M::size % of) % of, of);
  }
};
//! How many runs of a channel a warp has, where a lane's is one of them: a constant.
struct run_a_lane {
  __device__ constexpr operator int() const { return warp_level; }
};

template <class M, int Warps, class LogRuns = run_a_lane>
struct power_combiner {
  using V = typename M::value_type;
  const M& m;
  const level_tables<M, Warps>& tables;
  LogRuns log_runs = {};

  __device__ V scan_lanes(const V& value, int live) const { return scan_runs(lane_level, value, live, m); }
  __device__ void fold_warps(const maybe<V>* totals, int warps, maybe<V>* before) const {
    V sum{};
    if (lane_id() < warps) sum = totals[lane_id()].value;
    sum = scan_runs<Warps>(log_runs, sum, warps, m);
    if (lane_id() < warps) before[lane_id() + 1].value = sum;
  }
  //! The result is in all lanes, `after` if the tile ends a block or is the last.
  __device__ prefixes<V> look_in_block(const board<V>& slots, index_t tile, std::uint32_t tag, const V& own) const {
    const int place = place_in_block(tile);
    const maybe<V> seen = wait_in_block(slots, tile, tag, own);
    prefixes<V> result;
    result.before.value = fold_tiles(seen.value, place);
    if (ends_block(tile) || slots.is_last(tile)) result.after.value = fold_tiles(seen.value, place + 1);
    if (ends_block(tile) && lane_id() == 0)
      slots.publish(slots.aggregate_slot(tile / tiles_per_block), result.after.value, tag);
    return result;
  }
  __device__ V fold_block(const V& value) const { return fold_tiles(value, warp_size); }
  __device__ V behind(const V& before, const V& block) const {
    return m.join(log_runs + tile_level<Warps> - warp_level + 5, before, block);
  }
  //! A state always stands before a tile. `after` is there if the tile ends a block or is the last.
  __device__ void join(index_t tile, bool last, const maybe<V>& before_block, const prefixes<V>& in_block,
                       prefixes<V>& around) const {
    const int place = place_in_block(tile);
    const maybe<V> after = in_block.after;  // may lie where the results do
    around.before.value = sum_of(tables.tiles(place, before_block.value), in_block.before.value);
    if (ends_block(tile)) around.after.value = behind(before_block.value, after.value);
    else if (last) around.after.value = sum_of(tables.tiles(place + 1, before_block.value), after.value);
  }

 private:
  //! What the first `count` lanes' tiles leave behind the last of them: each brought forward by the tiles behind it,
  //! all added up, in all lanes.
  __device__ V fold_tiles(const V& value, int count) const {
    V sum{};
    if (lane_id() < count) sum = tables.tiles(count - 1 - lane_id(), value);
#pragma unroll
    for (int distance = warp_size / 2; distance > 0; distance /= 2)
      sum = sum_of(sum, by_words(sum, [=](std::uint32_t w) { return __shfl_xor_sync(~0u, w, distance); }));
    return sum;
  }
};

template <class G, class Args>
struct by_powers : by_lanes<by_powers<G, Args>, G, Args> {
  using base = by_lanes<by_powers<G, Args>, G, Args>;
  using typename base::part_type;
  using V = typename Args::value_type;
  using M = typename Args::monoid_type;
  using combiner = power_combiner<M, G::warps>;
  using tables = level_tables<M, G::warps>;
  static constexpr bool starts = true, reads_all = false, around_is_shared = true;

  struct lane {
    maybe<V> before;  // what stands before it in its warp
    V state;
  };
  //! The pipeline's first warp that looks ahead does before blocks, the others do in blocks, which takes longer.
  template <int Stages>
  __device__ static void look(const Args& a, const auto& by, auto* state, const board<V>& slots, int looker,
                              const maybe<V>& start) {
    using P = by_powers;
    if (looker == 0) look_before_blocks<P, Stages>(a, by, state, slots, 0, 1, start);
    else look_in_blocks<P, Stages>(a, by, state, slots, looker - 1, roles<P>::lookers - 1);
  }
  __device__ static combiner combiner_of(const M& argument, const tables& all) { return {all.monoid(argument), all}; }

  __device__ static void read(const auto&, const std::byte*, const part_type&, lane&) {}
  template <bool Whole>
  __device__ static maybe<V> fold_lanes(const auto& a, const combiner& by, const std::byte* items,
                                        const part_type& part, lane&) {
    maybe<V> sum;
    if (part.full) sum.value = fold_runs<G, true>(a, by.m, items, part);
    else if (lane_id() < part.lanes) sum.value = fold_runs<G, false>(a, by.m, items, part);
    __syncwarp();
    sum.value = by.scan_lanes(sum.value, part.lanes);
    return sum;
  }
  //! The state in front of a lane's first item: the tile's, brought to the warp, then to the lane.
  __device__ static void place(const auto&, const combiner& by, const part_type& part, const auto&,
                               const maybe<V>* warps_before, const prefixes<V>& around, lane& own) {
    own.state = by.tables.warps(part.warp, around.before.value);
    if (part.warp > 0) own.state = sum_of(own.state, warps_before[part.warp].value);
    own.state = by.tables.lanes(lane_id(), own.state);
    if (lane_id() > 0) own.state = sum_of(own.state, own.before.value);
  }
  template <bool Whole, bool Bulk>
  __device__ static bool walk(const auto& a, const combiner& by, const std::byte* items, std::byte* stage,
                              const part_type& part, const auto&, const prefixes<V>& around, lane& own) {
    if (part.full) return emit_runs<G, true, Bulk>(a, by.m, items, stage, part, own.state, around.after.value);
    return emit_runs<G, false, Bulk>(a, by.m, items, stage, part, own.state, around.after.value);
  }
};

}  // namespace UPSWEEP_NAMESPACE::gpu

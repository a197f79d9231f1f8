// The combining policy of scans (combining.hpp): one operator at all levels.
#pragma once
#include <upsweep/config.hpp>
#include <upsweep/cuda/by_lanes.hpp>
#include <upsweep/cuda/emit.hpp>
#include <upsweep/cuda/lane.hpp>
#include <upsweep/cuda/lookahead.hpp>
#include <upsweep/cuda/warp.hpp>

namespace UPSWEEP_NAMESPACE::gpu {

template <class M, int Warps, class HeldM = const M&>
struct monoid_combiner {
  using V = typename M::value_type;
  HeldM m;

  __device__ V scan_lanes(const V& value, int live) const { return warp_scan(value, live, m); }
  //! Left folds of the warps' totals.
  __device__ void fold_warps(const maybe<V>* totals, int warps, maybe<V>* before) const {
    static_assert(Warps < warp_size);
    maybe<V> sum;
    for (int w = 0; w < warps; w++)
      if (lane_id() > w) sum.value = w == 0 ? totals[0].value : m(sum.value, totals[w].value);
    if (0 < lane_id() && lane_id() <= warps) before[lane_id()] = sum;
  }
  //! Counted from the block's start, in the lane of the tile's place; nothing stands before the block's first tile.
  __device__ prefixes<V> look_in_block(const board<V>& slots, index_t tile, std::uint32_t tag, const V& own) const {
    const int lane = lane_id(), place = place_in_block(tile);
    maybe<V> sum = wait_in_block(slots, tile, tag, own);
    sum.value = warp_scan(sum.value, place + 1, m);
    if (ends_block(tile) && lane == place) slots.publish(slots.aggregate_slot(tile / tiles_per_block), sum.value, tag);
    return {maybe<V>(from_below(sum.value, 1)), sum};
  }
  __device__ V fold_block(const V& value) const { return from_lane(warp_scan(value, warp_size, m), warp_size - 1); }
  __device__ V behind(const V& before, const V& block) const { return m(before, block); }
  __device__ void join(index_t tile, bool, const maybe<V>& before_block, const prefixes<V>& in_block,
                       prefixes<V>& around) const {
    prefixes<V> result = in_block;
    if (tile >= tiles_per_block) {
      if (place_in_block(tile) > 0) result.before.value = m(before_block.value, in_block.before.value);
      else result.before = before_block;
      result.after.value = m(before_block.value, in_block.after.value);
    }
    around = result;
  }
};

template <class G, class Args>
struct by_monoid : by_lanes<by_monoid<G, Args>, G, Args> {
  using base = by_lanes<by_monoid<G, Args>, G, Args>;
  using typename base::part_type;
  using V = typename Args::value_type;
  using M = typename Args::monoid_type;
  using combiner = monoid_combiner<M, G::warps>;
  static constexpr bool starts = false, reads_all = true;

  struct tables {
    __device__ void fill(const M&, int, int) {}
  };
  struct lane {
    lane_items<G, typename Args::load_type, Args::reversed> items;
    maybe<V> before;  // in its warp
    lane_prefix<V> prefix;
  };
  __device__ static combiner combiner_of(const M& m, const tables&) { return {m}; }

  __device__ static void read(const auto& a, const std::byte* items, const part_type& part, lane& own) {
    own.items.read(a.load, items, part.items, part.warp);
  }
  template <bool Whole>
  __device__ static maybe<V> fold_lanes(const auto& a, const combiner& by, const std::byte* items,
                                        const part_type& part, lane& own) {
    read(a, items, part, own);
    maybe<V> sum;
    if (Whole && part.full) sum.value = fold_lane<G, Whole>(a, own.items, part);
    else if (lane_id() < part.lanes) sum.value = fold_lane<G, false>(a, own.items, part);
    __syncwarp();
    sum.value = by.scan_lanes(sum.value, part.lanes);
    return sum;
  }
  __device__ static void place(const auto&, const combiner& by, const part_type& part, const auto&,
                               const maybe<V>* warps_before, const prefixes<V>& around, lane& own) {
    own.prefix = place_lane<G>(by.m, part, own.before, warps_before, around);
  }
  template <bool Whole, bool Bulk>
  __device__ static bool walk(const auto& a, const combiner&, const std::byte*, std::byte* stage, const part_type& part,
                              const auto&, const prefixes<V>&, lane& own) {
    if (Whole && part.full) return emit<G, Whole, Bulk>(a, own.items, stage, part, own.prefix);
    return emit<G, false, Bulk>(a, own.items, stage, part, own.prefix);
  }
};

}  // namespace UPSWEEP_NAMESPACE::gpu

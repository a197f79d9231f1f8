// A lane's share of a tile: folded, placed among what stands before it, and walked through with every item's prefixes.
#pragma once
#include <upsweep/config.hpp>
#include <upsweep/cuda/lookahead.hpp>
#include <upsweep/cuda/tile.hpp>
#include <upsweep/cuda/warp.hpp>
#include <upsweep/stages.hpp>

namespace UPSWEEP_NAMESPACE::gpu {

//! How many items of a tile, and of one of its warps, there are; all in a full tile.
template <class G, bool Reversed>
struct live_part {
  span_of_items<Reversed> items;  // of the whole tile
  int warp;
  int warps;  // how many warps have items
  int lanes;  // how many lanes of this warp have items
  bool full;  // is the tile full?

  __device__ live_part(index_t n, index_t tile, int of_warp) : warp(of_warp) {
    const index_t first = tile * G::tile, rest = n - first;
    full = rest >= G::tile;
    items = {first, n, full ? G::tile : static_cast<int>(rest), G::tile};
    warps = (items.count + G::part_items - 1) / G::part_items;
    const int in_warp = min(max(items.count - warp * G::part_items, 0), G::part_items);
    lanes = (in_warp + G::per_lane - 1) / G::per_lane;
  }
  //! This lane's first item, counted in the tile, and how many it has.
  __device__ int lane_first() const { return (warp * warp_size + lane_id()) * G::per_lane; }
  __device__ int lane_count() const { return min(max(items.count - lane_first(), 0), G::per_lane); }
};

//! What a packed store's sweep carries: how many streams it counts, and whether it scans values beside.
template <class V>
inline constexpr int counted_streams = 0;
template <class V, int K>
inline constexpr int counted_streams<counted<V, K>> = K;
template <class V>
inline constexpr bool only_counts = false;
template <int K>
inline constexpr bool only_counts<counted<nothing, K>> = true;

//! Calls f(k, logical index, position) for a lane's items; k is a constant after unrolling. Full: all are there.
template <class G, bool Full, bool Reversed, class F>
__device__ void for_each_item(const live_part<G, Reversed>& part, const F& f) {
  const index_t first = part.items.first + part.lane_first(), n = part.items.n;
  const int count = Full ? G::per_lane : part.lane_count();
#pragma unroll
  for (int k = 0; k < G::per_lane; k++)
    if (Full || k < count) f(k, first + k, Reversed ? n - 1 - (first + k) : first + k);
}

//! The fold of a lane's items, left to right; must have one. (A lane's counts fit 32 bits.)
template <class G, bool Full, class Args>
__device__ typename Args::value_type fold_lane(const Args& a,
                                               const lane_items<G, typename Args::load_type, Args::reversed>& held,
                                               const live_part<G, Args::reversed>& part) {
  using V = typename Args::value_type;
  constexpr int streams = counted_streams<V>;
  maybe<V> sum;
  if constexpr (streams > 0) {
    int counts[streams] = {};
    for_each_item<G, Full>(part, [&](int k, index_t logical, index_t position) {
      const auto item = held.item(a.load, k, logical, position);
      const int stream = static_cast<int>(a.lift.classify(item));
#pragma unroll
      for (int s = 0; s < streams; s++) counts[s] += stream == s;
      if constexpr (!only_counts<V>) {
        const auto x = a.lift.lift(item);
        sum.value.value = k == 0 ? x : a.m.inner(sum.value.value, x);
      }
    });
#pragma unroll
    for (int s = 0; s < streams; s++) sum.value.counts[s] = counts[s];
  } else if constexpr (detail::lifts_in_front<decltype(a.lift), typename Args::load_type, V>) {
    const index_t first = part.items.first + part.lane_first();
    const int count = Full ? G::per_lane : part.lane_count();
#pragma unroll
    for (int k = G::per_lane - 1; k >= 0; k--) {
      if (!Full && k >= count) continue;
      const index_t logical = first + k;
      const auto item = held.item(a.load, k, logical, Args::reversed ? a.n - 1 - logical : logical);
      sum.value = k == count - 1 ? a.lift(item) : a.lift.in_front(item, sum.value);
    }
  } else {
    for_each_item<G, Full>(part, [&](int k, index_t logical, index_t position) {
      const V x = a.lift(held.item(a.load, k, logical, position));
      sum.value = k == 0 ? x : a.m(sum.value, x);
    });
  }
  return sum.value;
}

//! What stands before a lane's first item, and the inclusive prefix of its last. With P the tile's prefix, W the fold
//! of the warps before and E of the lanes before: before = P∘(W∘E), and `last` is the `before` of the next lane, bit
//! for bit. The tile's last lane takes what the next tile will compute.
template <class V>
struct lane_prefix {
  maybe<V> before, last;
  bool has_before;
};
template <class G, class V, class M, bool Reversed>
__device__ lane_prefix<V> place_lane(const M& m, const live_part<G, Reversed>& part, const maybe<V>& lanes_before,
                                     const maybe<V>* warps_before, const prefixes<V>& around) {
  const int lane = lane_id(), warp = part.warp;
  lane_prefix<V> result;
  result.has_before = part.items.first > 0 || warp > 0 || lane > 0;
  if (lane < part.lanes) {
    if (lane > 0) result.before.value = warp > 0 ? m(warps_before[warp].value, lanes_before.value) : lanes_before.value;
    else if (warp > 0) result.before = warps_before[warp];
    if (part.items.first > 0)
      result.before.value = warp > 0 || lane > 0 ? m(around.before.value, result.before.value) : around.before.value;
  }
  result.last.value = from_above(result.before.value, 1);
  if (lane == part.lanes - 1) {
    if (warp == part.warps - 1) result.last = around.after;
    else if (part.items.first > 0) result.last.value = m(around.before.value, warps_before[warp + 1].value);
    else result.last = warps_before[warp + 1];
  }
  return result;
}

//! Calls visit(k, logical, position, item, exclusive, inclusive) for a lane's items. `lift` and `m` may be those of a
//! part of what the sweep carries, `prefix` that part's.
template <class G, bool Full, class Load, class Lift, class M, bool Reversed, class Visit>
__device__ void walk_lane(const Load& load, const Lift& lift, const M& m, const lane_items<G, Load, Reversed>& held,
                          const live_part<G, Reversed>& part, lane_prefix<typename M::value_type> prefix,
                          const Visit& visit) {
  using V = typename M::value_type;
  const int count = Full ? G::per_lane : part.lane_count();
  maybe<V> local, exclusive;  // local: the fold of this lane's items that is combined with what stands before it
  if (prefix.has_before) exclusive = prefix.before;
  else exclusive.value = m.identity();
  for_each_item<G, Full>(part, [&](int k, index_t logical, index_t position) {
    const auto item = held.item(load, k, logical, position);
    maybe<V> inclusive;
    if (Full ? k == G::per_lane - 1 : k == count - 1) {
      inclusive = prefix.last;
    } else if (k == 0 && !prefix.has_before) {  // the very first item: what stands before the others
      inclusive.value = lift(item);
      prefix.before = inclusive;
    } else {
      const V x = lift(item);
      local.value = k == 0 || (k == 1 && !prefix.has_before) ? x : m(local.value, x);
      inclusive.value = m(prefix.before.value, local.value);
    }
    visit(k, logical, position, item, exclusive.value, inclusive.value);
    exclusive = inclusive;
  });
}

//! Is this a lane's last item and the last of all?
template <class G, bool Full>
__device__ bool is_last_item(int k, index_t logical, index_t n) {
  return (!Full || k == G::per_lane - 1) && logical == n - 1;
}

}  // namespace UPSWEEP_NAMESPACE::gpu

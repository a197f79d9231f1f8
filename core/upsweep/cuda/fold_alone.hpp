// Reductions of few items: one CTA, whose lanes take their items from memory themselves. What a tile costs besides,
// room in shared memory and meetings on the way there, would be most of the time.
#pragma once
#include <cstddef>
#include <type_traits>
#include <utility>

#include <upsweep/config.hpp>
#include <upsweep/cuda/warp.hpp>
#include <upsweep/monoid.hpp>
#include <upsweep/stages.hpp>
#include <upsweep/tuple.hpp>

namespace UPSWEEP_NAMESPACE::gpu {

// H200, 2026-11-23, int32 sums of 2^0, 2^4, 2^8, 2^10, 2^12 items, one call in µs: 6.5, 6.3, 6.7, 7.0, 7.6; by
// tiles 7.3, 7.2, 7.1, 7.8, 8.3; CUB 6.3, 5.8, 6.0, 6.6, 6.0; a copy 5.9, 5.4, 5.9, 5.9, 5.7. With 512 threads, not
// 256, and eight items in flight, not four (H100, 2026-11-25, nothing in L2): 2^12 5.1 to 4.5, of doubles 6.3 to 5.2,
// fewer as before. Without divisions, and with no more warps than items (H100, 2026-11-26, likewise): 2^0, 2^8, 2^10
// 4.2, 4.3, 4.5 to 4.0, 4.0, 4.2, CUB 3.8, 3.9, 4.7; 2^12 4.8 to 4.5, CUB 4.1.
inline constexpr int lone_threads = 512, lone_per_lane = 8, lone_items = lone_threads * lone_per_lane;

//! No more warps than there are items for.
inline int threads_of_fold(index_t items) {
  return static_cast<int>(items < lone_threads ? (items + warp_size - 1) / warp_size * warp_size : lone_threads);
}

template <class Args>
inline constexpr bool folds_alone =
    std::is_same_v<typename Args::store_type, discard_t> && sizeof(typename Args::value_type) <= 16 &&
    sizeof(typename Args::load_type::item_type) <= 16;

//! A column's item at a position, of which `before` is the one before it in the scan's order.
template <class C>
__device__ typename C::item_type item_in_memory(const C& column, index_t position, index_t before, bool first) {
  if constexpr (!C::in_memory) return column(position);
  else if constexpr (C::has_previous)
    return {column.range.data[position], column.range.data[first ? position : before], first};
  else return column.range.data[position];
}
template <class Load, std::size_t... I>
__device__ auto row_in_memory(const Load& load, index_t position, index_t before, bool first,
                              std::index_sequence<I...>) {
  return Load::assemble(item_in_memory(get<I>(load.columns), position, before, first)...);
}

template <class V>
inline constexpr int items_of_row = warp_size * (sizeof(V) <= 8 ? 8 : 4);

//! Folds item(0) … item(n − 1) by a warp, n > 0, whose lanes take them in turn: a read of a warp is 128 bytes side by
//! side, and lanes meet once. Lane 0 has the result.
template <class V, class Item, class M>
__device__ V fold_in_turns(int n, const Item& item, const M& m) {
  constexpr int row = items_of_row<V>, per_lane = row / warp_size;
  maybe<V> own;
#pragma unroll 1
  for (int from = lane_id(); from < n; from += row) {
    maybe<V> fetched[per_lane];
#pragma unroll
    for (int k = 0; k < per_lane; k++)
      if (from + k * warp_size < n) fetched[k].value = item(from + k * warp_size);
    own.value = from == lane_id() ? fetched[0].value : m(own.value, fetched[0].value);
#pragma unroll
    for (int k = 1; k < per_lane; k++)
      if (from + k * warp_size < n) own.value = m(own.value, fetched[k].value);
  }
  return warp_fold(own.value, n, m);
}

//! Folds item(0) … item(n − 1) by a warp, n > 0, of which is said if it is no more than a row. Lanes read their
//! neighbours from memory themselves, few at a time so that a warp's reads lie close together, and the next ones are on
//! their way meanwhile. There is no division, and little code: what of it is in no cache is fetched first. Lane 0 has
//! the result.
template <class V, bool OneRow, class Item, class M>
__device__ V fold_in_order(int n, const Item& item, const M& m) {
  constexpr int row = items_of_row<V>, per_lane = row / warp_size;
  maybe<V> fetched[per_lane], sum;
  const auto share_of = [&](int from) { return (min(n - from, row) + warp_size - 1) / warp_size; };
  const auto fetch = [&](int from) {
    const int share = share_of(from), first = from + lane_id() * share;
#pragma unroll
    for (int k = 0; k < per_lane; k++)
      if (k < share && first + k < n) fetched[k].value = item(first + k);
  };
  fetch(0);
  for (int from = 0;; from += row) {
    const int share = share_of(from), first = from + lane_id() * share,
              lanes = __popc(__ballot_sync(~0u, first < min(n, from + row)));
    maybe<V> own = fetched[0];
#pragma unroll
    for (int k = 1; k < per_lane; k++)
      if (k < share && first + k < n) own.value = m(own.value, fetched[k].value);
    const bool goes_on = !OneRow && from + row < n;
    if (goes_on) fetch(from + row);
    const V folded = from_lane(warp_scan(own.value, lanes, m), lanes - 1);
    sum.value = from == 0 ? folded : m(sum.value, folded);
    if (!goes_on) return sum.value;
  }
}
template <class V, bool OneRow, class Item, class M>
__device__ V fold_by_warp(int n, const Item& item, const M& m) {
  if constexpr (is_commutative<M>) return fold_in_turns<V>(n, item, m);
  else return fold_in_order<V, OneRow>(n, item, m);
}
//! Folds item(0) … item(n − 1) by a CTA of at most `Warps`, n > 0, where a CTA has fewer for no more than Warps · 32
//! items: each warp takes a part. Only lane 0 of warp 0 has the result.
template <class V, bool OneRow, int Warps, class Item, class M>
__device__ V fold_by_cta(int n, const Item& item, const M& m, maybe<V> (&totals)[Warps]) {
  const int part = (n + Warps * warp_size - 1) / (Warps * warp_size) * warp_size,
            warp = static_cast<int>(threadIdx.x) / warp_size, begin = warp * part;
  if (begin < n) {
    const V folded = fold_by_warp<V, OneRow>(
        min(part, n - begin), [&](int k) { return item(begin + k); }, m);
    if (lane_id() == 0) totals[warp].value = folded;
  }
  __syncthreads();
  const int parts = __popc(__ballot_sync(~0u, lane_id() < Warps && lane_id() * part < n));
  const V own = totals[min(lane_id(), parts - 1)].value;
  if constexpr (is_commutative<M>) return warp_fold<Warps>(own, parts, m);
  else return from_lane(warp_scan<Warps>(own, parts, m), parts - 1);
}

template <class Args>
__global__ void __launch_bounds__(lone_threads) fold_alone(const __grid_constant__ Args a) {
  using V = typename Args::value_type;
  constexpr int warps = lone_threads / warp_size;
  constexpr bool fits = lone_items <= warps * items_of_row<V>;
  __shared__ raw_memory<maybe<V>[warps]> totals;
  const int n = static_cast<int>(a.n);
  const auto item = [&](int logical) -> V {
    const index_t step = Args::reversed ? -1 : 1, position = Args::reversed ? n - 1 - logical : logical;
    return a.lift(row_in_memory(a.load, position, position - step, logical == 0,
                                std::make_index_sequence<Args::load_type::width>{}));
  };
  const V total = fold_by_cta<V, fits>(n, item, a.m, totals.get());
  if (threadIdx.x == 0) a.finish(nothing{}, total);
}

}  // namespace UPSWEEP_NAMESPACE::gpu

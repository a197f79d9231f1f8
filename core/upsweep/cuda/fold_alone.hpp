// Reductions of few items: one CTA, whose lanes take their items from memory themselves. What a tile costs besides,
// room in shared memory and meetings on the way there, would be most of the time.
#pragma once
#include <cstddef>
#include <type_traits>
#include <utility>

#include <upsweep/config.hpp>
#include <upsweep/cuda/warp.hpp>
#include <upsweep/stages.hpp>
#include <upsweep/tuple.hpp>

namespace UPSWEEP_NAMESPACE::gpu {

// H200, 2026-11-23, int32 sums of 2^0, 2^4, 2^8, 2^10, 2^12 items, one call in µs: 6.5, 6.3, 6.7, 7.0, 7.6; by
// tiles 7.3, 7.2, 7.1, 7.8, 8.3; CUB 6.3, 5.8, 6.0, 6.6, 6.0; a copy 5.9, 5.4, 5.9, 5.9, 5.7. With 512 threads, not
// 256, and eight items in flight, not four (H100, 2026-11-25, nothing in L2): 2^12 5.1 to 4.5, of doubles 6.3 to 5.2,
// fewer as before.
inline constexpr int lone_threads = 512, lone_per_lane = 8, lone_items = lone_threads * lone_per_lane;

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

template <class Args>
__global__ void __launch_bounds__(lone_threads) fold_alone(const __grid_constant__ Args a) {
  using V = typename Args::value_type;
  constexpr int warps = lone_threads / warp_size;
  __shared__ raw_memory<maybe<V>[warps]> totals_memory;
  auto& totals = totals_memory.get();
  const int n = static_cast<int>(a.n), thread = static_cast<int>(threadIdx.x), warp = thread / warp_size;
  const int per_lane = (n + lone_threads - 1) / lone_threads, lanes = (n + per_lane - 1) / per_lane;
  const int first = thread * per_lane, count = min(per_lane, n - first);
  maybe<V> sum;
#pragma unroll 8
  for (int k = 0; k < count; k++) {
    const index_t logical = first + k, step = Args::reversed ? -1 : 1,
                  position = Args::reversed ? n - 1 - logical : logical;
    const V x = a.lift(row_in_memory(a.load, position, position - step, logical == 0,
                                     std::make_index_sequence<Args::load_type::width>{}));
    sum.value = k == 0 ? x : a.m(sum.value, x);
  }
  const int live = min(lanes - warp * warp_size, warp_size);
  if (live > 0) {
    const V up_to = warp_scan(sum.value, live, a.m);
    if (lane_id() == live - 1) totals[warp].value = up_to;
  }
  __syncthreads();
  if (thread > 0) return;
  V total = totals[0].value;
  for (int w = 1; w * warp_size < lanes; w++) total = a.m(total, totals[w].value);
  a.finish(nothing{}, total);
}

}  // namespace UPSWEEP_NAMESPACE::gpu

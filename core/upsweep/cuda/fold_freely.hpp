// Reductions by a monoid whose order does not matter to the bit, and which folds a stretch of items by itself
// (monoid.hpp): every lane folds items from all over the range, a CTA its lanes, and a sweep the CTAs.
#pragma once
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <upsweep/config.hpp>
#include <upsweep/cuda/device.hpp>
#include <upsweep/cuda/launch.hpp>
#include <upsweep/cuda/warp.hpp>
#include <upsweep/lifts.hpp>
#include <upsweep/loads.hpp>
#include <upsweep/ranges.hpp>
#include <upsweep/scratch.hpp>
#include <upsweep/stores.hpp>

namespace UPSWEEP_NAMESPACE::gpu {

template <class Load, class Lift, class M, class Store>
inline constexpr bool folds_freely = false;
template <class T, class V, class M>
  requires(16 % sizeof(T) == 0) && requires(typename M::lane_fold& fold, const T (&items)[1]) { fold.add(items); }
inline constexpr bool folds_freely<load_stage<range_column<T>>, lift_to<V>, M, discard_t> = true;

inline constexpr int free_fold_threads = 256;

// A lane has 64 bytes under way at a time.
template <class M, class T>
__global__ void __launch_bounds__(free_fold_threads)
    free_fold_kernel(const T* items, index_t n, M m, typename M::value_type* of_ctas) {
  using V = typename M::value_type;
  constexpr int of_vector = 16 / sizeof(T), vectors = 4, warps = free_fold_threads / warp_size;
  struct alignas(16) vector {
    T at[of_vector];
  };
  const index_t lanes = static_cast<index_t>(gridDim.x) * blockDim.x,
                lane = static_cast<index_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  const auto misaligned = static_cast<index_t>(reinterpret_cast<std::uintptr_t>(items) % 16 / sizeof(T));
  const index_t head = min(misaligned == 0 ? 0 : of_vector - misaligned, n), whole = (n - head) / of_vector,
                tail = head + whole * of_vector;
  typename M::lane_fold fold;
  const auto add_alone = [&](index_t i) {
    const T one[] = {items[i]};
    fold.add(one);
  };
  if (lane < head) add_alone(lane);
  if (lane < n - tail) add_alone(tail + lane);
  const vector* const from = reinterpret_cast<const vector*>(items + head);
  index_t next = lane;
  for (; next + (vectors - 1) * lanes < whole; next += vectors * lanes) {
    vector held[vectors];
#pragma unroll
    for (int v = 0; v < vectors; v++) held[v] = from[next + v * lanes];
    T all[vectors * of_vector];
#pragma unroll
    for (int k = 0; k < vectors * of_vector; k++) all[k] = held[k / of_vector].at[k % of_vector];
    fold.add(all);
  }
  for (; next < whole; next += lanes) {
    const vector held = from[next];
    fold.add(held.at);
  }

  V sum = fold.total();
  const auto add_lanes = [&] {
#pragma unroll
    for (int distance = warp_size / 2; distance > 0; distance /= 2) sum = m(sum, from_above(sum, distance));
  };
  __shared__ raw_memory<V> of_warps[warps];
  const int warp = static_cast<int>(threadIdx.x) / warp_size;
  add_lanes();
  if (lane_id() == 0) of_warps[warp].get() = sum;
  __syncthreads();
  if (warp > 0) return;
  sum = lane_id() < warps ? of_warps[lane_id()].get() : static_cast<V>(m.identity());
  add_lanes();
  if (lane_id() == 0) of_ctas[blockIdx.x] = sum;
}

//! A few values, in scratch memory, that are all of the items together: of as many CTAs as run at once, none of which
//! has too little to do.
template <class M, class T>
named_range<const typename M::value_type> fold_freely(device& executor, const T* items, index_t n, const M& m) {
  using V = typename M::value_type;
  constexpr auto kernel = &free_fold_kernel<M, T>;
  constexpr index_t worthwhile = 64 * free_fold_threads / sizeof(T);
  const index_t most = resident_ctas<kernel>(executor, free_fold_threads, 0);
  const index_t ctas = n < worthwhile ? 1 : n / worthwhile < most ? n / worthwhile : most;
  V* of_ctas = nullptr;
  detail::in_scratch(executor, [&](detail::scratch_cutter& cut) { of_ctas = cut.take<V>(ctas); });
  launch<kernel>(executor, ctas, free_fold_threads, 0, items, n, m, of_ctas);
  return {of_ctas, ctas, "of_ctas"};
}

}  // namespace UPSWEEP_NAMESPACE::gpu

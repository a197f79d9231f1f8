// Scans in shared memory by an access pattern: a CTA takes a block through the steps of pattern_sweeps.hpp. Beside the
// patterns stands the way of today, for comparison: lanes of a warp hand values to one another in registers.
#pragma once
#include <algorithm>
#include <cstddef>
#include <limits>

#include <upsweep/classic/access_patterns.hpp>
#include <upsweep/classic/pattern_task.hpp>
#include <upsweep/config.hpp>
#include <upsweep/cuda/device.hpp>
#include <upsweep/cuda/launch.hpp>
#include <upsweep/cuda/warp.hpp>
#include <upsweep/require.hpp>

namespace UPSWEEP_NAMESPACE::classic {

//! On a GPU in the place of a pattern: Kogge and Stone's steps by shuffles in each warp, and over the warps' totals.
//! The items still come from shared memory, neighbours by neighbouring lanes.
struct warp_shuffles {
  static constexpr bool leaves_inclusive = true;
  static UPSWEEP_HD constexpr warp_shuffles over(int) { return {}; }
  UPSWEEP_HD constexpr index_t slot(index_t i) const { return i; }
};

}  // namespace UPSWEEP_NAMESPACE::classic

namespace UPSWEEP_NAMESPACE::gpu {

inline constexpr int most_pattern_threads = 1024;

//! The lanes of a CTA, which meet after every step.
struct cta_lanes {
  template <class Step>
  __device__ void step(index_t count, const Step& f) const {
    for (index_t i = threadIdx.x; i < count; i += blockDim.x) f(i);
    __syncthreads();
  }
  //! In place: a lane writes behind what the ones before it read, so that those of the highest numbers come first. (A
  //! CTA has a power of two of threads.)
  template <class Step>
  __device__ void exchange(index_t count, const Step& f) const {
    const index_t at_once = blockDim.x;
    for (index_t first = (count - 1) & -at_once; first >= 0; first -= at_once) {
      const index_t i = first + threadIdx.x;
      maybe<decltype(f.read(i))> value;
      if (i < count) value.value = f.read(i);
      __syncthreads();
      if (i < count) f.write(i, value.value);
      __syncthreads();
    }
  }
};

template <class V, class M>
__device__ void sweep_block(const classic::warp_shuffles&, const detail::plain_memory<V>& memory, int levels,
                            const M& m, const cta_lanes&) {
  __shared__ raw_memory<V> totals[warp_size];
  const int warp = static_cast<int>(threadIdx.x) / warp_size, warps = static_cast<int>(blockDim.x) / warp_size;
  const index_t width = index_t{1} << levels;
  V before = m.identity();
  for (index_t first = 0; first < width; first += blockDim.x) {
    const index_t i = first + threadIdx.x;
    V value = warp_scan(i < width ? memory.load(i) : m.identity(), warp_size, m);
    if (lane_id() == warp_size - 1) totals[warp].get() = value;
    __syncthreads();
    if (warp == 0) {
      const V total = lane_id() < warps ? totals[lane_id()].get() : m.identity();
      totals[lane_id()].get() = warp_scan(total, warp_size, m);
    }
    __syncthreads();
    value = m(warp > 0 ? m(before, totals[warp - 1].get()) : before, value);
    if (i < width) memory.store(i, value);
    before = m(before, totals[warps - 1].get());
    __syncthreads();
  }
}

template <class Pattern, class Task>
__global__ void __launch_bounds__(most_pattern_threads) scan_blocks_kernel(Task task) {
  using V = typename Task::value_type;
  extern __shared__ __align__(16) std::byte slots[];
  const detail::plain_memory<V> memory{reinterpret_cast<V*>(slots)};
  constexpr Pattern pattern = Pattern::over(classic::banks_of_items(sizeof(V)));
  const index_t block = blockIdx.x, first = block * task.block, count = task.count(block);
  for (index_t i = threadIdx.x; i < task.width(); i += blockDim.x)
    memory.store(pattern.slot(i), i < count ? task.item(first + i) : task.m.identity());
  __syncthreads();
  const cta_lanes lanes;
  sweep_block(pattern, memory, task.levels, task.m, lanes);
  for (index_t i = threadIdx.x; i < count; i += blockDim.x) task.finish(pattern, memory, block, i);
}

template <class Task>
__global__ void add_totals_kernel(Task task) {
  const index_t block = index_t{blockIdx.x} + 1;
  for (index_t i = threadIdx.x; i < task.count(block); i += blockDim.x) task.add(block, i);
}

//! What a CTA of the device may have, besides the totals of a CTA's warps.
template <class V>
int most_shared_bytes(const device& executor) {
  return shared_bytes(executor) - static_cast<int>(warp_size * sizeof(raw_memory<V>));
}
template <class Pattern, class V>
index_t largest_block(const device& executor) {
  constexpr Pattern pattern = Pattern::over(classic::banks_of_items(sizeof(V)));
  const index_t slots = most_shared_bytes<V>(executor) / static_cast<index_t>(sizeof(V));
  index_t block = 1;
  while (pattern.slot(2 * block - 1) < slots) block *= 2;
  return block;
}

template <class Pattern, class Task>
void scan_blocks(device& executor, const Task& task) {
  using V = typename Task::value_type;
  const current_device here(executor.ordinal());
  const index_t most = largest_block<Pattern, V>(executor);
  detail::require(task.block <= most, "block", "is ", task.block, ", and the shared memory of this GPU holds ", most,
                  " such items");
  detail::require(task.blocks() <= std::numeric_limits<int>::max(), "block", "is ", task.block, ", too small for ",
                  task.n, " items: a launch has ", std::numeric_limits<int>::max(), " CTAs at most");
  constexpr auto kernel = &scan_blocks_kernel<Pattern, Task>;
  allow_shared<kernel>(executor, most_shared_bytes<V>(executor));
  constexpr Pattern pattern = Pattern::over(classic::banks_of_items(sizeof(V)));
  const index_t lanes = Pattern::leaves_inclusive ? task.width() : task.width() / 2;
  const auto threads = static_cast<int>(std::clamp<index_t>(lanes, warp_size, most_pattern_threads));
  launch<kernel>(executor, task.blocks(), threads, static_cast<int>(task.slots(pattern) * index_t{sizeof(V)}), task);
}

template <class U, class M>
void add_totals(device& executor, const detail::totals_task<U, M>& task) {
  const current_device here(executor.ordinal());
  const auto threads = static_cast<int>(std::clamp<index_t>(task.block / warp_size * warp_size, warp_size, 256));
  launch<&add_totals_kernel<detail::totals_task<U, M>>>(executor, task.blocks() - 1, threads, 0, task);
}

}  // namespace UPSWEEP_NAMESPACE::gpu

// The first read of counts: where runs begin, how many items they are, and their lengths in four bits.
#pragma once
#include <algorithm>
#include <cstdint>
#include <type_traits>

#include <upsweep/config.hpp>
#include <upsweep/cuda/device.hpp>
#include <upsweep/cuda/launch.hpp>
#include <upsweep/cuda/protocol.hpp>
#include <upsweep/cuda/warp.hpp>
#include <upsweep/expand/cuda/counted_runs.hpp>
#include <upsweep/expand/cuda/tuning.hpp>
#include <upsweep/expand/sum_or_none.hpp>
#include <upsweep/ranges.hpp>
#include <upsweep/scratch.hpp>

namespace UPSWEEP_NAMESPACE::gpu {

//! The sum over a warp, in all of its lanes; −1 as sum_or_none has it.
__device__ inline index_t warp_sum_or_none(index_t sum) {
#pragma unroll
  for (int distance = 1; distance < warp_size; distance *= 2)
    sum = detail::sum_or_none{}(sum, by_words(sum, [=](std::uint32_t w) { return __shfl_xor_sync(~0u, w, distance); }));
  return sum;
}
template <class Count>
__device__ index_t warp_total(const lane_counts<Count>& counts) {
  constexpr std::uint64_t small = std::uint64_t{1} << 31;  // of which a group's, together, fit 32 bits
  if (__all_sync(~0u, counts.bits() < small / counted_runs<Count>::in_group))
    return warp_sum(counts.template folded<std::uint32_t>(plus<std::uint32_t>{}));
  return warp_sum_or_none(counts.template folded<index_t>(detail::sum_or_none{}));
}

//! Four neighbouring parts' sums, of a lane.
struct lane_parts {
  static constexpr int count = 4;
  index_t at[count];
  __device__ static lane_parts read(const index_t* parts, index_t first, index_t end) {
    lane_parts all;
#pragma unroll
    for (int k = 0; k < count; k++) all.at[k] = first + k < end ? __ldcg(parts + first + k) : 0;
    return all;
  }
  __device__ index_t sum() const {
    const detail::sum_or_none add;
    return add(add(at[0], at[1]), add(at[2], at[3]));
  }
};
//! Parts' sums become their sums before, by a CTA of so many warps; returns the total. A warp takes neighbours.
template <int Warps>
__device__ index_t scan_parts(index_t* parts, index_t count) {
  constexpr int step = warp_size * lane_parts::count;
  const detail::sum_or_none add;
  __shared__ index_t of_warps[Warps];
  const int warp = static_cast<int>(threadIdx.x) / warp_size;
  const index_t share = (count + Warps * step - 1) / (Warps * step) * step, first = share * warp,
                end = min(first + share, count);
  index_t sum = 0;
#pragma unroll 4
  for (index_t at = first; at < end; at += step)
    sum = add(sum, lane_parts::read(parts, at + lane_parts::count * lane_id(), end).sum());
  sum = warp_sum_or_none(sum);
  if (lane_id() == 0) of_warps[warp] = sum;
  __syncthreads();
  index_t before = 0, total = 0;
  for (int w = 0; w < Warps; w++) {
    if (w == warp) before = total;
    total = add(total, of_warps[w]);
  }
  for (index_t at = first; at < end; at += step) {
    const index_t mine = at + lane_parts::count * lane_id();
    const lane_parts own = lane_parts::read(parts, mine, end);
    const index_t up_to = add(before, warp_scan(own.sum(), warp_size, add));
    index_t here = from_below(up_to, 1);
    if (lane_id() == 0) here = before;
#pragma unroll
    for (int k = 0; k < lane_parts::count; k++) {
      if (mine + k < end) parts[mine + k] = here;
      here = add(here, own.at[k]);
    }
    before = from_lane(up_to, warp_size - 1);
  }
  return total;
}

template <class Count>
inline constexpr int groups_ahead = tuning::groups_ahead(sizeof(Count));
template <class Count>
inline constexpr int count_runs_warps = counted_runs<Count>::groups_in_part / groups_ahead<Count>;

//! CTAs take parts in turn, and the last one out the parts' sums.
template <class Count>
__global__ void __launch_bounds__(count_runs_warps<Count>* warp_size)
    count_runs_kernel(counted_runs<Count> runs, progress* head, index_t* total) {
  using R = counted_runs<Count>;
  constexpr int ahead = groups_ahead<Count>;
  __shared__ index_t sums[2][R::groups_in_part];  // of a part while the next one's are made
  __shared__ bool is_last;
  const int warp = static_cast<int>(threadIdx.x) / warp_size;
  const index_t groups = runs.groups(), parts = runs.number_of_parts();
  bool odd = false;
  for (index_t part = blockIdx.x; part < parts; part += gridDim.x, odd = !odd) {
    const index_t first = R::groups_in_part * part + ahead * warp;
    lane_counts<Count> held[ahead];
#pragma unroll
    for (int g = 0; g < ahead; g++) held[g] = runs.counts_of(first + g);
#pragma unroll
    for (int g = 0; g < ahead; g++) {
      const index_t sum = warp_total(held[g]);
      if (lane_id() == 0) sums[odd][ahead * warp + g] = sum;
      if (first + g < groups) runs.codes[warp_size * (first + g) + lane_id()] = lane_codes(held[g]);
    }
    __syncthreads();
    if (warp == 0) {
      const index_t group = R::groups_in_part * part + lane_id(),
                    up_to = warp_scan(sums[odd][lane_id()], warp_size, detail::sum_or_none{}),
                    before = from_below(up_to, 1);
      if (group < groups) runs.begins[group] = lane_id() == 0 ? 0 : before;
      if (lane_id() == warp_size - 1) runs.parts[part] = up_to;
    }
  }
  if (threadIdx.x == warp_size - 1) {
    __threadfence();
    is_last = atomicAdd(&head->ctas_out, 1u) == gridDim.x - 1;
    __threadfence();
  }
  __syncthreads();
  if (!is_last) return;
  const index_t sum = scan_parts<count_runs_warps<Count>>(runs.parts, parts);
  if (threadIdx.x == 0) {
    head->ctas_out = 0;
    *runs.total = *total = sum;
  }
}

//! The runs of counts, what is known of them in scratch memory; *total is the items they have, −1 as sum_or_none has
//! it.
template <class Count, class Runs = counted_runs<std::remove_const_t<Count>>>
Runs find_runs(device& executor, const named_range<Count>& counts, index_t* total) {
  Runs runs{};
  runs.counts = counts.data;
  runs.n = counts.size;
  detail::in_scratch(executor, [&](detail::scratch_cutter& cut) {
    runs.parts = cut.take<index_t>(runs.number_of_parts());
    runs.begins = cut.take<index_t>(runs.groups());
    runs.codes = cut.take<lane_codes>(warp_size * runs.groups());
    runs.total = cut.take<index_t>(1);
  });
  const auto head = reinterpret_cast<progress*>(executor.workspace(sizeof(progress)).data);
  constexpr auto kernel = &count_runs_kernel<std::remove_const_t<Count>>;
  constexpr int threads = count_runs_warps<std::remove_const_t<Count>> * warp_size;
  launch<kernel>(executor, std::min<index_t>(runs.number_of_parts(), resident_ctas<kernel>(executor, threads, 0)),
                 threads, 0, runs, head, total);
  return runs;
}

}  // namespace UPSWEEP_NAMESPACE::gpu

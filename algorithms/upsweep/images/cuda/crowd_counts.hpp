// Common bins, found while counting: those that a fair part of a warp's items are in. Their items are compared with
// them and counted in registers, so they do not wait for each other at a counter; what is rare is left to counters.
#pragma once
#include <cstdint>

#include <upsweep/config.hpp>
#include <upsweep/cuda/warp.hpp>

namespace UPSWEEP_NAMESPACE::gpu {

//! The bin of what does not count, or was counted.
inline constexpr std::uint32_t nowhere = ~0u;

//! Up to four common bins of a warp. All of it is called by whole warps; results go to `counts` in global memory.
template <class Count>
class crowd_counts {
 public:
  static constexpr int most = 4, crowd = 4;

  __device__ explicit crowd_counts(Count* counts) : counts_(counts) {
#pragma unroll
    for (int j = 0; j < most; j++) {
      bin_[j] = none;
      count_[j] = 0;
    }
  }
  //! Counts items in common bins and sets their bins to `nowhere`. Is any other left in the warp?
  template <int N>
  __device__ bool take(std::uint32_t (&bins)[N]) {
    look_for_crowd(bins);
#pragma unroll
    for (int j = 0; j < most; j++) {
      if (bin_[j] == none) continue;
      std::uint32_t hits = 0;
#pragma unroll
      for (int i = 0; i < N; i++) {
        const bool hit = bins[i] == bin_[j];
        hits += hit;
        bins[i] = hit ? nowhere : bins[i];
      }
      count_[j] += hits;
      if (__popc(__ballot_sync(~0u, hits > 0)) < crowd) drop(j);  // common no longer
    }
    std::uint32_t left = nowhere;
#pragma unroll
    for (int i = 0; i < N; i++) left &= bins[i];
    return __any_sync(~0u, left != nowhere);
  }
  __device__ void flush() {
#pragma unroll
    for (int j = 0; j < most; j++)
      if (bin_[j] != none) drop(j);
  }

 private:
  static constexpr std::uint32_t none = nowhere - 1;

  // Every lane shows one item, a different one from lane to lane. If a few show the same as the lane whose turn it is,
  // that one's bin is common.
  template <int N>
  __device__ void look_for_crowd(const std::uint32_t (&bins)[N]) {
    std::uint32_t shown[N];
#pragma unroll
    for (int i = 0; i < N; i++) shown[i] = bins[i];
#pragma unroll
    for (int half = N / 2; half > 0; half /= 2)
#pragma unroll
      for (int i = 0; i < half; i++) shown[i] = lane_id() & half ? shown[i + half] : shown[i];
    const std::uint32_t sample = shown[0], common = __shfl_sync(~0u, sample, static_cast<int>(turn_++ % warp_size));
    if (common == nowhere || __popc(__ballot_sync(~0u, sample == common)) < crowd) return;
    bool is_known = false;
#pragma unroll
    for (int j = 0; j < most; j++) is_known |= bin_[j] == common;
    if (is_known) return;
    int slot = static_cast<int>(turn_ % most);
#pragma unroll
    for (int j = 0; j < most; j++)
      if (bin_[j] == none) slot = j;
#pragma unroll
    for (int j = 0; j < most; j++)
      if (j == slot) {
        if (bin_[j] != none) drop(j);
        bin_[j] = common;
      }
  }
  __device__ void drop(int j) {
    const std::uint32_t all = warp_sum(count_[j]);
    if (lane_id() == 0) atomicAdd(counts_ + bin_[j], static_cast<Count>(all));
    bin_[j] = none;
    count_[j] = 0;
  }

  std::uint32_t bin_[most], count_[most];
  std::uint32_t turn_ = 0;
  Count* counts_;
};

}  // namespace UPSWEEP_NAMESPACE::gpu

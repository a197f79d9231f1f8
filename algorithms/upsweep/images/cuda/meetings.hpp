// How the CTAs that share an image meet.
//   grid_counts       all of them add to counts that need no launch to be zeroed
//   is_last_out       the last of them sees what all have written
//   meet_grid_after   all wait until the last has done what they go on with
#pragma once
#include <cstdint>

#include <upsweep/config.hpp>
#include <upsweep/cuda/protocol.hpp>
#include <upsweep/cuda/warp.hpp>
#include <upsweep/images/cuda/byte_counts.hpp>

namespace UPSWEEP_NAMESPACE::gpu {

//! Is this CTA the last of its launch to come here? What the others wrote before, its threads see. All threads call.
__device__ inline bool is_last_out(progress* head, bool& flag) {
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    flag = atomicAdd(&head->arrived, 1u) == gridDim.x - 1;
    if (flag) head->arrived = 0;
    __threadfence();
  }
  __syncthreads();
  return flag;
}

//! Counts in memory that all CTAs of a launch add to. The first CTA to come zeroes them, so there is no launch more,
//! and no last CTA for whose sum of what each has counted the others wait.
//!   construct; zero(); add(); then leave(), or another meeting, and forget() by one of the CTAs behind it
class grid_counts {
  static constexpr unsigned int are_zero = 1u << 31;  // in head->ctas_out, beside how many have come

 public:
  //! No head: the launch has one CTA for each image, and counts nothing here.
  __device__ grid_counts(progress* head, unsigned long long* counts)
      : head_(head), counts_(counts), before_(head && threadIdx.x == 0 ? atomicAdd(&head->ctas_out, 1u) : 0) {}
  //! All threads call.
  __device__ void zero() const {
    if (!head_ || threadIdx.x >= warp_size || __shfl_sync(~0u, before_, 0) != 0) return;
    for (int k = lane_id(); k < byte_values; k += warp_size) counts_[k] = 0;
    __syncwarp();
    if (lane_id() > 0) return;
    __threadfence();
    atomicOr(&head_->ctas_out, are_zero);
  }
  //! All threads call.
  __device__ void add(const std::uint32_t* sums) const {
    if (threadIdx.x == 0) {
      volatile unsigned int* const state = &head_->ctas_out;
      while (!(*state & are_zero)) continue;
      __threadfence();
    }
    __syncthreads();
    for (int v = static_cast<int>(threadIdx.x); v < byte_values; v += static_cast<int>(blockDim.x))
      if (sums[v]) atomicAdd(counts_ + v, static_cast<unsigned long long>(sums[v]));
  }
  //! What all have added, behind a meeting.
  __device__ void read(std::uint64_t* to) const {
    for (int v = static_cast<int>(threadIdx.x); v < byte_values; v += static_cast<int>(blockDim.x))
      to[v] = __ldcg(counts_ + v);
    __syncthreads();
  }
  __device__ void leave() const {
    if (threadIdx.x > 0 || atomicAdd(&head_->arrived, 1u) < gridDim.x - 1) return;
    head_->arrived = 0;
    forget();
  }
  __device__ void forget() const {
    if (threadIdx.x == 0) head_->ctas_out = 0;
  }

 private:
  progress* head_;
  unsigned long long* counts_;
  unsigned int before_;
};

//! All CTAs of a cooperative launch meet; the last to come calls work() with all its threads before the others go on,
//! who then see what it wrote.
template <class Work>
__device__ void meet_grid_after(progress* head, bool& flag, const Work& work) {
  volatile unsigned int* const meetings = &head->meetings;
  unsigned int before = 0;
  __syncthreads();
  if (threadIdx.x == 0) {
    before = *meetings;
    __threadfence();
    flag = atomicAdd(&head->arrived, 1u) == gridDim.x - 1;
    __threadfence();
  }
  __syncthreads();
  if (flag) {
    work();
    __syncthreads();
    if (threadIdx.x == 0) {
      head->arrived = 0;
      __threadfence();
      *meetings = before + 1;
    }
  } else if (threadIdx.x == 0) {
    while (*meetings == before) __nanosleep(20);
    __threadfence();
  }
  __syncthreads();
}

}  // namespace UPSWEEP_NAMESPACE::gpu

// A GPU's teams (classic/team.hpp): the threads of a block, which meet at a barrier, and those of the whole grid.
#pragma once
#include <algorithm>

#include <upsweep/classic/team.hpp>
#include <upsweep/config.hpp>
#include <upsweep/cuda/device.hpp>
#include <upsweep/cuda/launch.hpp>
#include <upsweep/cuda/protocol.hpp>
#include <upsweep/cuda/warp.hpp>

namespace UPSWEEP_NAMESPACE::gpu {

//! A warp's row: a value a lane, in registers.
template <class T>
class row_of_lanes {
 public:
  __device__ explicit row_of_lanes(const T* values) : value_(values[lane_id()]) {}
  template <class M>
  __device__ void join_below(int distance, const M& m) {
    const T below = from_below(value_, distance);
    if (lane_id() >= distance) value_ = m(below, value_);
  }
  template <class M>
  __device__ void join_above(int distance, const M& m) {
    const T above = from_above(value_, distance);
    if (lane_id() + distance < warp_size) value_ = m(value_, above);
  }
  __device__ void store(T* to) const { to[lane_id()] = value_; }
  __device__ void store_first(T* to) const {
    if (lane_id() == 0) *to = value_;
  }
  __device__ void store_last(T* to) const {
    if (lane_id() == warp_size - 1) *to = value_;
  }

 private:
  T value_;
};

class block_team {
 public:
  template <class F>
  __device__ void for_all(index_t count, const F& f) const {
    for (index_t k = threadIdx.x; k < count; k += blockDim.x) f(k);
    __syncthreads();
  }
  template <class F>
  __device__ void once(const F& f) const {
    if (threadIdx.x == 0) f();
    __syncthreads();
  }
  __device__ bool leads() const { return threadIdx.x == 0; }
  __device__ void meet() const { __syncthreads(); }
  template <class F>
  __device__ void for_all_rows(index_t count, const F& f) const {
    for (index_t k = threadIdx.x / warp_size; k < count; k += blockDim.x / warp_size) f(k);
    __syncthreads();
  }
  template <class T>
  __device__ row_of_lanes<T> row(T* values) const {
    return row_of_lanes<T>(values);
  }
  template <class Values>
  __device__ void show(const char*, index_t, const Values&, index_t) const {}
  __device__ index_t draw(index_t* ticket) const {
    return static_cast<index_t>(atomicAdd(reinterpret_cast<unsigned long long*>(ticket), 1ull));
  }
  __device__ void raise(int* flag, int to) const {
    __threadfence();
    *static_cast<volatile int*>(flag) = to;
  }
  __device__ int wait(int* flag, int least) const {
    int seen;
    while ((seen = *static_cast<volatile int*>(flag)) < least) __nanosleep(20);
    __threadfence();
    return seen;
  }
};

//! All blocks run at once, and meet after every step.
class grid_team {
 public:
  __device__ explicit grid_team(progress* head) : head_(head) {}
  template <class F>
  __device__ void for_all(index_t count, const F& f) const {
    const index_t threads = static_cast<index_t>(gridDim.x) * blockDim.x;
    // Several steps of 64-bit indices at once do not fit the registers of so many threads.
    UPSWEEP_ROLLED
    for (index_t k = static_cast<index_t>(blockIdx.x) * blockDim.x + threadIdx.x; k < count; k += threads) f(k);
    meet_grid(head_);
  }
  template <class F>
  __device__ void once(const F& f) const {
    if (blockIdx.x == 0 && threadIdx.x == 0) f();
    meet_grid(head_);
  }
  template <class Values>
  __device__ void show(const char*, index_t, const Values&, index_t) const {}

 private:
  progress* head_;
};

inline constexpr int classic_threads = 512;

template <class Work>
__global__ void __launch_bounds__(classic_threads) by_the_grid(Work work, progress* head) {
  const grid_team team(head);
  work(team);
}
template <class Work>
__global__ void __launch_bounds__(classic_threads) by_blocks(Work work) {
  extern __shared__ __align__(16) std::byte memory[];
  const block_team team;
  work(team, static_cast<index_t>(blockIdx.x), reinterpret_cast<typename Work::shared*>(memory));
}

//! work(team) by the whole grid, in one launch; no more blocks than `count` things to do at once keep busy.
template <class Work>
void run_by_grid(device& executor, index_t count, const Work& work) {
  constexpr auto kernel = &by_the_grid<Work>;
  const index_t needed = (count + classic_threads - 1) / classic_threads;
  const index_t ctas = std::clamp<index_t>(needed, 1, resident_ctas<kernel>(executor, classic_threads, 0));
  const auto head = reinterpret_cast<progress*>(executor.workspace(sizeof(progress)).data);
  launch_together<kernel>(executor, ctas, classic_threads, 0, work, head);
}
//! work(team, b, shared memory) by a block for each b < blocks.
template <class Work>
void run_by_blocks(device& executor, index_t blocks, const Work& work) {
  launch<&by_blocks<Work>>(executor, blocks, classic_threads, static_cast<int>(sizeof(typename Work::shared)), work);
}

}  // namespace UPSWEEP_NAMESPACE::gpu

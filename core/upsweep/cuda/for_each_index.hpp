// f(i) for every index, neighbouring ones by neighbouring lanes: what is no sweep.
#pragma once
#include <upsweep/config.hpp>
#include <upsweep/cuda/device.hpp>
#include <upsweep/cuda/launch.hpp>

namespace UPSWEEP_NAMESPACE::gpu {

template <class F>
__global__ void for_each_index_kernel(index_t n, F f) {
  const index_t step = static_cast<index_t>(gridDim.x) * blockDim.x;
  for (index_t i = static_cast<index_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += step) f(i);
}
//! Calls f(i) for 0 <= i < n, which must not be 0.
template <class F>
void for_each_index(device& executor, index_t n, const F& f) {
  constexpr int threads = 256;
  const index_t most = index_t{32} * executor.multiprocessors(), wanted = (n + threads - 1) / threads;
  const index_t ctas = wanted < most ? wanted : most;
  launch<&for_each_index_kernel<F>>(executor, ctas, threads, 0, n, f);
}

}  // namespace UPSWEEP_NAMESPACE::gpu

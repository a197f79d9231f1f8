// Launching kernels: alone, all CTAs at once, or as one cluster. Includes no engine.
#pragma once
#include <cstddef>
#include <limits>

#include <upsweep/atomic.hpp>
#include <upsweep/config.hpp>
#include <upsweep/cuda/checked.hpp>
#include <upsweep/cuda/device.hpp>

namespace UPSWEEP_NAMESPACE::gpu {

//! As much shared memory as a CTA may have on this device, `most` at most.
inline int shared_bytes(const device& executor, int most = std::numeric_limits<int>::max()) {
  int bytes = 0;
  UPSWEEP_CUDA_CHECK(cudaDeviceGetAttribute(&bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, executor.ordinal()));
  return bytes < most ? bytes : most;
}

//! Allows `Kernel` so many bytes of dynamic shared memory: on the first call on each device.
template <auto Kernel>
void allow_shared(device& executor, int bytes) {
  static detail::atomic<unsigned long long> allowed{0};  // a bit a device
  const unsigned long long bit = 1ull << (executor.ordinal() % 64);
  if (bytes == 0 || (allowed.get() & bit)) return;
  UPSWEEP_CUDA_CHECK(cudaFuncSetAttribute(Kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
  allowed.add_bits(bit);
}
//! CTAs of a kernel that the device holds at once.
template <auto Kernel>
int resident_ctas(device& executor, int threads, int shared) {
  static detail::atomic<int> of_device[64];
  detail::atomic<int>& known = of_device[executor.ordinal() % 64];
  if (known.get() == 0) {
    allow_shared<Kernel>(executor, shared);
    int ctas = 0;
    UPSWEEP_CUDA_CHECK(
        cudaOccupancyMaxActiveBlocksPerMultiprocessor(&ctas, Kernel, threads, static_cast<std::size_t>(shared)));
    known.set(ctas * executor.multiprocessors());
  }
  return known.get();
}
template <auto Kernel, class Launch, class... Args>
void launch_by(Launch launch, device& executor, index_t ctas, int threads, int shared, const Args&... args) {
  allow_shared<Kernel>(executor, shared);
  const void* pointers[] = {&args...};
  launch(reinterpret_cast<const void*>(Kernel), dim3(static_cast<unsigned>(ctas)), dim3(static_cast<unsigned>(threads)),
         const_cast<void**>(pointers), static_cast<std::size_t>(shared), executor.stream());
}
//! Launches `Kernel` with `shared` bytes of dynamic shared memory, the same in every launch.
template <auto Kernel, class... Args>
void launch(device& executor, index_t ctas, int threads, int shared, const Args&... args) {
  launch_by<Kernel>([](auto... all) { UPSWEEP_CUDA_CHECK(cudaLaunchKernel(all...)); }, executor, ctas, threads, shared,
                    args...);
}
//! All CTAs run at once, so that they can meet.
template <auto Kernel, class... Args>
void launch_together(device& executor, index_t ctas, int threads, int shared, const Args&... args) {
  launch_by<Kernel>([](auto... all) { UPSWEEP_CUDA_CHECK(cudaLaunchCooperativeKernel(all...)); }, executor, ctas,
                    threads, shared, args...);
}

//! A launch of CTAs that are one cluster.
struct cluster_config {
  cudaLaunchAttribute cluster{};
  cudaLaunchConfig_t config{};
  cluster_config(const device& executor, int ctas, int threads, int shared) {
    cluster.id = cudaLaunchAttributeClusterDimension;
    cluster.val.clusterDim = {static_cast<unsigned>(ctas), 1, 1};
    config.gridDim = dim3(static_cast<unsigned>(ctas));
    config.blockDim = dim3(static_cast<unsigned>(threads));
    config.dynamicSmemBytes = static_cast<std::size_t>(shared);
    config.stream = executor.stream();
    config.attrs = &cluster;
    config.numAttrs = 1;
  }
  cluster_config(const cluster_config&) = delete;
};
//! Has the device clusters of so many CTAs of the kernel, the same in every call? Only where has_hopper_code().
template <auto Kernel>
bool has_clusters(device& executor, int ctas, int threads, int shared) {
  static detail::atomic<unsigned> known[64];  // 0: not asked yet
  enum { no = 1, yes };
  detail::atomic<unsigned>& answer = known[executor.ordinal() % 64];
  if (answer.get() == 0) {
    UPSWEEP_CUDA_CHECK(cudaFuncSetAttribute(Kernel, cudaFuncAttributeNonPortableClusterSizeAllowed, 1));
    allow_shared<Kernel>(executor, shared);
    int clusters = 0;
    const cluster_config asked(executor, ctas, threads, shared);
    if (cudaOccupancyMaxActiveClusters(&clusters, Kernel, &asked.config) != cudaSuccess)
      static_cast<void>(cudaGetLastError());
    answer.set(clusters > 0 ? yes : no);
  }
  return answer.get() == yes;
}
//! All CTAs are one cluster: they run at once, and read each other's shared memory. False, and nothing done, where the
//! device has none so large. Only where has_hopper_code().
template <auto Kernel, class... Args>
bool launch_cluster(device& executor, int ctas, int threads, int shared, const Args&... args) {
  if (!has_clusters<Kernel>(executor, ctas, threads, shared)) return false;
  const cluster_config asked(executor, ctas, threads, shared);
  const auto launch = [&](const void* kernel, dim3, dim3, void** pointers, std::size_t, cudaStream_t) {
    UPSWEEP_CUDA_CHECK(cudaLaunchKernelExC(&asked.config, kernel, pointers));
  };
  launch_by<Kernel>(launch, executor, ctas, threads, shared, args...);
  return true;
}

//! Was this file compiled for an architecture that runs on the device and has the pipeline's instructions? (Otherwise
//! the driver compiles an older one's code, where the pipeline is empty.)
inline bool has_hopper_code(int compute_capability) {
  for (const int architecture : {__CUDA_ARCH_LIST__})
    if (architecture >= 900 && architecture <= 10 * compute_capability) return true;
  return false;
}

}  // namespace UPSWEEP_NAMESPACE::gpu

// The GPU's side of the harness: memory, the clock, the plain copy.
#pragma once
#include <algorithm>
#include <cstddef>
#include <functional>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <cub/version.cuh>
#include <cuda_runtime.h>

#include <upsweep/executor.hpp>

#include "contender.hpp"
#include "data.hpp"
#include "workplace.hpp"

namespace bench {

template <class T, class F>
__global__ void fill_kernel(T* items, index_t n, F f) {
  const index_t step = static_cast<index_t>(gridDim.x) * blockDim.x;
  for (index_t i = static_cast<index_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += step) items[i] = f(i);
}
template <class T, class U, class Tolerance>
__global__ void difference_kernel(const T* a, const U* b, index_t n, Tolerance tolerance, unsigned long long* first) {
  const index_t step = static_cast<index_t>(gridDim.x) * blockDim.x;
  for (index_t i = static_cast<index_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += step)
    if (!close(a[i], b[i], tolerance(i))) atomicMin(first, static_cast<unsigned long long>(i));
}
static __global__ void read_kernel(const int4* items, index_t n, int* never) {
  const index_t step = static_cast<index_t>(gridDim.x) * blockDim.x;
  int mix = 0;
  for (index_t i = static_cast<index_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += step) {
    const int4 v = items[i];
    mix |= v.x | v.y | v.z | v.w;
  }
  if (mix == 1) *never = mix;  // the buffer holds zeros
}

static __global__ void hash_kernel(const std::byte* bytes, index_t n, unsigned long long* hash) {
  const index_t step = static_cast<index_t>(gridDim.x) * blockDim.x;
  unsigned long long sum = 0;
  for (index_t i = static_cast<index_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += step)
    sum += random_bits(static_cast<std::uint64_t>(bytes[i]), i);
  atomicAdd(hash, sum);
}

//! Where one row runs. `mode` says what a sample is:
//!   cold    device time alone: L2 flushed by a kernel that still runs while the call is being enqueued
//!   warm    one call from an idle stream, launch latency included, its data in L2 as far as it fits
//!   chain   20 calls back to back, the time of one
class bed : public workplace<upsweep::device, upsweep::gpu::pool_memory_resource> {
 public:
  static constexpr const char* side = "cuda";
  static constexpr int shift = 0;
  static constexpr int calls_for_bits = 100;
  static constexpr int sweep_to = 28;
  static std::vector<std::string> large_modes() { return {"cold"}; }
  static std::vector<std::string> sweep_modes() { return {"warm", "cold", "chain"}; }
  static int rounds(const std::string& group) { return group == "sizes" || group == "small" ? 31 : 15; }

  explicit bed(const std::string& mode) : workplace([](auto* from) { return upsweep::device(from); }), mode_(mode) {
    UPSWEEP_CUDA_CHECK(cudaEventCreate(&before_));
    UPSWEEP_CUDA_CHECK(cudaEventCreate(&after_));
  }
  bed(const bed&) = delete;
  ~bed() {
    static_cast<void>(cudaStreamSynchronize(exec.stream()));
    static_cast<void>(cudaEventDestroy(before_));
    static_cast<void>(cudaEventDestroy(after_));
  }

  //! Items f(i).
  template <class T, class F>
  void fill(std::span<T> items, F f) {
    const auto n = static_cast<index_t>(items.size());
    if (n > 0) fill_kernel<<<blocks(n), threads, 0, exec.stream()>>>(items.data(), n, f);
    UPSWEEP_CUDA_CHECK(cudaGetLastError());
  }
  //! n items f(i).
  template <class T, class F>
  std::span<T> filled(index_t n, F f) {
    const std::span<T> items = scratch<T>(n, off_by_one ? 1 : 0);
    fill(items, f);
    return items;
  }
  //! Overwrites all outputs, so that what is not written shows.
  void poison() {
    for (const auto output : outputs())
      UPSWEEP_CUDA_CHECK(cudaMemsetAsync(output.data(), 0xa5, output.size(), exec.stream()));
  }
  //! The index of the first item that differs by more than tolerance(i), `n` when there is none. Results that are not
  //! numbers differ.
  template <class T, class U, class Tolerance>
  index_t first_difference(const T* a, const U* b, index_t n, const Tolerance& tolerance) {
    const auto first = filled<unsigned long long>(1, constant<unsigned long long>{static_cast<unsigned long long>(n)});
    difference_kernel<<<blocks(n), threads, 0, exec.stream()>>>(a, b, n, tolerance, first.data());
    UPSWEEP_CUDA_CHECK(cudaGetLastError());
    return static_cast<index_t>(read(first.data()));
  }
  //! A number that all bytes of all outputs go into.
  std::uint64_t hash_of_outputs() {
    const auto hash = filled<unsigned long long>(1, constant<unsigned long long>{});
    for (const auto output : outputs()) {
      const auto n = static_cast<index_t>(output.size());
      hash_kernel<<<blocks(n), threads, 0, exec.stream()>>>(output.data(), n, hash.data());
    }
    UPSWEEP_CUDA_CHECK(cudaGetLastError());
    return read(hash.data());
  }
  //! While this lives, other work competes with ours: kernels of another stream that read memory.
  auto competition() {
    struct busy_stream {
      explicit busy_stream(bed& of) {
        of.flush();
        of.exec.synchronize();
        UPSWEEP_CUDA_CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
        for (int k = 0; k < 300; k++)
          read_kernel<<<40, threads, 0, stream>>>(of.flushing_.data(), static_cast<index_t>(of.flushing_.size()),
                                                  &of.flushing_.data()->x);
        UPSWEEP_CUDA_CHECK(cudaGetLastError());
      }
      busy_stream(const busy_stream&) = delete;
      ~busy_stream() {
        static_cast<void>(cudaStreamSynchronize(stream));
        static_cast<void>(cudaStreamDestroy(stream));
      }
      cudaStream_t stream = nullptr;
    };
    return std::make_unique<busy_stream>(*this);
  }
  //! Kernels, copies and fills that a call enqueues; -1 for one that waits, which cannot be counted. The last that is
  //! done with a bed.
  int launches(const std::function<void()>& call) {
    exec.synchronize();
    cudaGraph_t graph = nullptr;
    std::size_t nodes = 0;
    bool waits = false;
    UPSWEEP_CUDA_CHECK(cudaStreamBeginCapture(exec.stream(), cudaStreamCaptureModeRelaxed));
    try {
      call();
    } catch (const std::exception&) {
      waits = true;
    }
    if (cudaStreamEndCapture(exec.stream(), &graph) != cudaSuccess || !graph) {
      static_cast<void>(cudaGetLastError());
      return -1;
    }
    UPSWEEP_CUDA_CHECK(cudaGraphGetNodes(graph, nullptr, &nodes));
    UPSWEEP_CUDA_CHECK(cudaGraphDestroy(graph));
    return waits ? -1 : static_cast<int>(nodes);
  }
  template <class T>
  T read(const T* item) {
    T value;
    exec.copy(&value, item, sizeof value);
    return value;
  }

  //! The plain copy that reads and writes `bytes` in all.
  contender copy(double bytes) {
    const auto half = static_cast<index_t>(bytes / 2);
    const auto from = filled<std::uint8_t>(half, uniform<std::uint8_t>{0}), to = scratch<std::uint8_t>(half);
    return {
        "cudaMemcpyAsync", [=, stream = exec.stream()] {
          UPSWEEP_CUDA_CHECK(cudaMemcpyAsync(to.data(), from.data(), from.size(), cudaMemcpyDeviceToDevice, stream));
        }};
  }

  //! One sample: seconds a call.
  double seconds(const contender& c) {
    const int calls = mode_ == "chain" ? 20 : 1;
    if (mode_ == "cold") {
      flush();
    } else {
      c.call();
      UPSWEEP_CUDA_CHECK(cudaStreamSynchronize(exec.stream()));
    }
    UPSWEEP_CUDA_CHECK(cudaEventRecord(before_, exec.stream()));
    for (int k = 0; k < calls; k++) c.call();
    UPSWEEP_CUDA_CHECK(cudaEventRecord(after_, exec.stream()));
    UPSWEEP_CUDA_CHECK(cudaEventSynchronize(after_));
    float milliseconds = 0;
    UPSWEEP_CUDA_CHECK(cudaEventElapsedTime(&milliseconds, before_, after_));
    return 1e-3 * static_cast<double>(milliseconds) / calls;
  }

  static void describe(const std::function<void(const char*, const std::string&)>& say) {
    cudaDeviceProp device{};
    if (cudaGetDeviceProperties(&device, 0) != cudaSuccess) {
      static_cast<void>(cudaGetLastError());
      return say("device", "none");
    }
    say("device", device.name);
    say("multiprocessors", std::to_string(device.multiProcessorCount));
    say("l2_bytes", std::to_string(device.l2CacheSize));
    int driver = 0;
    UPSWEEP_CUDA_CHECK(cudaDriverGetVersion(&driver));
    say("driver_cuda", version(driver / 1000, driver % 1000 / 10));
    say("cuda", version(CUDART_VERSION / 1000, CUDART_VERSION % 1000 / 10));
    // Code that was made for an older GPU, and compiled when it was loaded, is another subject.
    cudaFuncAttributes code{};
    UPSWEEP_CUDA_CHECK(cudaFuncGetAttributes(&code, read_kernel));
    if (code.ptxVersion / 10 != device.major) say("code_for", "sm_" + std::to_string(code.ptxVersion));
    say("nvcc", version(__CUDACC_VER_MAJOR__, __CUDACC_VER_MINOR__) + "." + std::to_string(__CUDACC_VER_BUILD__));
    say("peer_version",
        "CUB " + version(CUB_MAJOR_VERSION, CUB_MINOR_VERSION) + "." + std::to_string(CUB_SUBMINOR_VERSION));
  }

 private:
  static constexpr int threads = 256;
  static int blocks(index_t n) {
    return static_cast<int>(std::clamp<index_t>((n + threads - 1) / threads, 1, 1 << 16));
  }
  static std::string version(int major, int minor) { return std::to_string(major) + "." + std::to_string(minor); }

  // Reads four times what L2 holds. Reading leaves no dirty lines, whose way to memory the next call would pay for.
  void flush() {
    if (flushing_.empty()) {
      int l2 = 0;
      UPSWEEP_CUDA_CHECK(cudaDeviceGetAttribute(&l2, cudaDevAttrL2CacheSize, exec.ordinal()));
      flushing_ = filled<int4>(index_t{4} * l2 / static_cast<index_t>(sizeof(int4)), constant<int4>{});
    }
    read_kernel<<<1024, threads, 0, exec.stream()>>>(flushing_.data(), static_cast<index_t>(flushing_.size()),
                                                     &flushing_.data()->x);
    UPSWEEP_CUDA_CHECK(cudaGetLastError());
  }

  std::string mode_;
  cudaEvent_t before_ = nullptr, after_ = nullptr;
  std::span<int4> flushing_;
};

//! A peer of CUB's: call(temporary storage, its bytes, stream) as CUB has it. The storage is allocated here, outside
//! all timing.
template <class F>
contender cub_call(bed& b, const std::string& name, F call) {
  std::size_t bytes = 0;
  UPSWEEP_CUDA_CHECK(call(nullptr, bytes, b.exec.stream()));
  const auto storage = b.scratch<std::byte>(static_cast<index_t>(bytes));
  return {"cub::" + name, [=, stream = b.exec.stream()] {
            std::size_t size = storage.size();
            UPSWEEP_CUDA_CHECK(call(storage.data(), size, stream));
          }};
}

//! The same by n of int and of int64_t, of which the better one counts: call(storage, its bytes, n, stream).
template <class F>
std::vector<contender> cub_calls(bed& b, const std::string& name, index_t n, F call) {
  std::vector<contender> ways;
  const auto add = [&](const char* type, auto count) {
    ways.push_back(cub_call(b, name + ", n of " + type, [=](void* storage, std::size_t& bytes, cudaStream_t stream) {
      return call(storage, bytes, count, stream);
    }));
  };
  if (n <= std::numeric_limits<int>::max()) add("int", static_cast<int>(n));
  add("int64_t", static_cast<std::int64_t>(n));
  return ways;
}
//! What CUB does not offer, and we composed of its calls.
inline std::vector<contender> composed(std::vector<contender> ways) {
  for (contender& way : ways) way.name = "composed of CUB calls: " + way.name.substr(way.name.find("::") + 2);
  return ways;
}

}  // namespace bench

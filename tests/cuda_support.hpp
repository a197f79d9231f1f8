// What tests of the GPU alone need: streams, small kernels that check or keep multiprocessors busy, a time limit.
#pragma once
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include <cuda_runtime.h>

#include <upsweep/buffer.hpp>
#include <upsweep/executor.hpp>

#include "support.hpp"

//! A CUDA call of a test's own that must succeed.
#define MUST(call) REQUIRE(cudaSuccess == (call))

namespace test {

//! A stream that does not wait for the default one.
class stream {
 public:
  explicit stream(int priority = 0) { MUST(cudaStreamCreateWithPriority(&stream_, cudaStreamNonBlocking, priority)); }
  stream(const stream&) = delete;
  stream& operator=(const stream&) = delete;
  ~stream() { cudaStreamDestroy(stream_); }
  operator cudaStream_t() const { return stream_; }

 private:
  cudaStream_t stream_ = nullptr;
};

//! What is recorded on a stream between its making and finish().
class graph {
 public:
  explicit graph(cudaStream_t stream) : stream_(stream) {
    MUST(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
  }
  graph(const graph&) = delete;
  graph& operator=(const graph&) = delete;
  ~graph() {
    if (instance_) cudaGraphExecDestroy(instance_);
    if (graph_) cudaGraphDestroy(graph_);
  }
  void finish() {
    MUST(cudaStreamEndCapture(stream_, &graph_));
    REQUIRE(graph_ != nullptr);
    MUST(cudaGraphInstantiate(&instance_, graph_, 0));
  }
  void replay() { MUST(cudaGraphLaunch(instance_, stream_)); }
  //! The types of all that was recorded.
  std::vector<cudaGraphNodeType> nodes() const {
    std::size_t count = 0;
    MUST(cudaGraphGetNodes(graph_, nullptr, &count));
    std::vector<cudaGraphNode_t> recorded(count);
    MUST(cudaGraphGetNodes(graph_, recorded.data(), &count));
    std::vector<cudaGraphNodeType> types(count);
    for (std::size_t k = 0; k < count; k++) MUST(cudaGraphNodeGetType(recorded[k], &types[k]));
    return types;
  }

 private:
  cudaStream_t stream_;
  cudaGraph_t graph_ = nullptr;
  cudaGraphExec_t instance_ = nullptr;
};

//! Replays what was captured on three random inputs, one after another; after each comes check(input).
template <class Check>
void replay_on_random(graph& captured, upsweep::device& executor, guarded<std::uint32_t>& in, index_t n,
                      const Check& check) {
  for (std::uint64_t replay = 0; replay < 3; replay++) {
    const auto items = random_integers<std::uint32_t>(n, 0, replay);
    executor.copy(in.data(), items.data(), items.size() * sizeof(items[0]));
    captured.replay();
    executor.synchronize();
    check(items);
  }
}

//! Free device memory. Earlier frees have happened.
inline std::size_t free_memory() {
  MUST(cudaDeviceSynchronize());
  std::size_t free = 0, total = 0;
  MUST(cudaMemGetInfo(&free, &total));
  return free;
}

//! Skips the rest of a test where less is free:  if (without_memory_of(13)) return;
inline bool without_memory_of(std::size_t gibibytes) {
  const bool is_missing = free_memory() < gibibytes << 30;
  if (is_missing) skip_check(std::to_string(gibibytes) + " GiB of device memory");
  return is_missing;
}

//! Waits until a stream has finished. A stream that never does cannot be recovered from: the program ends.
inline void wait_at_most(cudaStream_t stream, std::chrono::seconds limit, const char* what) {
  const auto deadline = std::chrono::steady_clock::now() + limit;
  while (cudaStreamQuery(stream) == cudaErrorNotReady) {
    if (std::chrono::steady_clock::now() > deadline) {
      std::fprintf(stderr, "%s: not finished after %lld s\n", what, static_cast<long long>(limit.count()));
      std::_Exit(1);
    }
    std::this_thread::sleep_for(std::chrono::microseconds(200));
  }
  MUST(cudaStreamSynchronize(stream));
}

// ---------------------------------------------------------------- kernels
namespace kernels {
//! Holds a multiprocessor (when it asks for all of its shared memory) for so long.
template <class = void>
__global__ void hold(long long nanoseconds) {
  long long begin, now;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(begin));
  do asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  while (now - begin < nanoseconds);
}
//! items[i] = make(i)
template <class T, class Make>
__global__ void fill(T* items, index_t n, Make make) {
  for (index_t i = blockIdx.x * index_t{blockDim.x} + threadIdx.x; i < n; i += index_t{blockDim.x} * gridDim.x)
    items[i] = make(i);
}
//! Counts the items that are not expected(i), and keeps the index of one.
template <class T, class Expected>
__global__ void compare(const T* items, index_t n, Expected expected, unsigned long long* wrong, index_t* where) {
  for (index_t i = blockIdx.x * index_t{blockDim.x} + threadIdx.x; i < n; i += index_t{blockDim.x} * gridDim.x) {
    if (items[i] == expected(i)) continue;
    atomicAdd(wrong, 1ull);
    *where = i;
  }
}
}  // namespace kernels

//! For what GPU our kernels are, and which one runs them: code of an older one is compiled anew when it is loaded.
inline std::string about_code() {
  cudaDeviceProp device{};
  cudaFuncAttributes code{};
  if (cudaGetDeviceProperties(&device, 0) != cudaSuccess ||
      cudaFuncGetAttributes(&code, kernels::hold<>) != cudaSuccess)
    return {};
  const auto version = [](int major, int minor) { return std::to_string(major) + '.' + std::to_string(minor); };
  return "for compute capability " + version(code.ptxVersion / 10, code.ptxVersion % 10) + ", on " + device.name +
         " of " + version(device.major, device.minor);
}
inline const bool tells_code = (code_that_runs = about_code) != nullptr;

template <class T, class Make>
void fill(cudaStream_t stream, T* items, index_t n, const Make& make) {
  kernels::fill<<<1024, 256, 0, stream>>>(items, n, make);
  MUST(cudaGetLastError());
}
//! Checks on the device that items[i] is expected(i).
template <class T, class Expected>
void check_on_device(upsweep::device& executor, const T* items, index_t n, const Expected& expected) {
  upsweep::buffer<unsigned long long> wrong(executor, std::vector{0ull});
  upsweep::buffer<index_t> where(executor, std::vector{index_t{-1}});
  kernels::compare<<<1024, 256, 0, executor.stream()>>>(items, n, expected, wrong.data(), where.data());
  MUST(cudaGetLastError());
  INFO("one of the wrong items is number " << where.to_vector(executor)[0]);
  REQUIRE(wrong.to_vector(executor)[0] == 0);
}
//! Expected are the items of another range.
template <class T>
struct items_of {
  const T* items;
  UPSWEEP_HD T operator()(index_t i) const { return items[i]; }
};

//! Keeps so many multiprocessors from other work for a while.
inline void hold_multiprocessors(cudaStream_t stream, int count, long long nanoseconds) {
  int device = 0, shared = 0;
  MUST(cudaGetDevice(&device));
  MUST(cudaDeviceGetAttribute(&shared, cudaDevAttrMaxSharedMemoryPerBlockOptin, device));
  MUST(cudaFuncSetAttribute(kernels::hold<>, cudaFuncAttributeMaxDynamicSharedMemorySize, shared));
  kernels::hold<><<<static_cast<unsigned>(count), 32, static_cast<std::size_t>(shared), stream>>>(nanoseconds);
  MUST(cudaGetLastError());
}

}  // namespace test

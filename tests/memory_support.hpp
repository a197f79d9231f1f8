// A memory resource that tells what was taken and given back, and fails when told to; executors that have one.
#pragma once
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <thread>
#include <vector>

#include <upsweep/executor.hpp>
#include <upsweep/memory.hpp>

#include "support.hpp"

#if UPSWEEP_HAS_CUDA
#include <cuda_runtime.h>

#include "cuda_support.hpp"
#endif

namespace test {

struct exhausted {};  // no std::exception

//! Keeps books of another resource. Its functions may be called by any thread, but should be by the one that made it.
class counting_resource : public upsweep::memory_resource {
 public:
  explicit counting_resource(upsweep::memory_resource* upstream, std::size_t alignment)
      : upstream_(upstream), alignment_(alignment) {}

  void* allocate(std::size_t bytes, CUstream_st* stream) override {
    const std::lock_guard lock(threads_);
    wrong_ += bytes == 0 || std::this_thread::get_id() != maker_;
    if (until_failure_ > 0 && --until_failure_ == 0) throw exhausted{};
    void* const p = upstream_->allocate(bytes, stream);
    wrong_ += reinterpret_cast<std::uintptr_t>(p) % alignment_ != 0;
    wrong_ += !blocks_.emplace(p, block{bytes, stream}).second;
    taken_++;
    bytes_ += bytes;
    return p;
  }
  void deallocate(void* p, std::size_t bytes, CUstream_st* stream) noexcept override {
    const std::lock_guard lock(threads_);
    const auto at = blocks_.find(p);
    if (at == blocks_.end()) {
      wrong_++;
      return;
    }
    wrong_ += at->second.bytes != bytes || at->second.stream != stream;
    bytes_ -= bytes;
    blocks_.erase(at);
    upstream_->deallocate(p, bytes, stream);
  }

  int taken() const { return taken_; }          // blocks, from the beginning on
  std::size_t bytes() const { return bytes_; }  // that are out
  std::size_t blocks() const { return blocks_.size(); }
  int wrong() const { return wrong_; }               // breaches of the contract
  void fail_at(int call) { until_failure_ = call; }  // the call of this number from now on; 0: none
  CUstream_st* stream_of(const void* p) const { return blocks_.at(const_cast<void*>(p)).stream; }

 private:
  struct block {
    std::size_t bytes;
    CUstream_st* stream;
  };
  upsweep::memory_resource* upstream_;
  std::size_t alignment_;
  std::thread::id maker_ = std::this_thread::get_id();
  std::mutex threads_;
  std::map<void*, block> blocks_;
  std::size_t bytes_ = 0;
  int taken_ = 0, wrong_ = 0, until_failure_ = 0;
};

#if UPSWEEP_HAS_CUDA
//! The plainest resource of a device: cudaMalloc, and cudaFree, which waits for the device.
class malloc_resource : public upsweep::memory_resource {
 public:
  void* allocate(std::size_t bytes, CUstream_st*) override {
    void* p = nullptr;
    if (cudaMalloc(&p, bytes) != cudaSuccess) throw exhausted{};
    return p;
  }
  void deallocate(void* p, std::size_t, CUstream_st*) noexcept override { static_cast<void>(cudaFree(p)); }
};
#endif

//! Other work, which an executor's calls must share a host or a GPU with: from more() on.
#if UPSWEEP_HAS_CUDA
class other_work {  // half of the multiprocessors, for a millisecond
 public:
  explicit other_work(const upsweep::device& device) : held_(device.multiprocessors() / 2) {}
  void more() { hold_multiprocessors(stream_, held_, 1'000'000); }

 private:
  int held_;
  stream stream_;
};
#else
class other_work {  // threads that never rest, one a core, for as long as this lives
 public:
  explicit other_work(const upsweep::host&) {}
  void more() {
    while (threads_.size() < std::thread::hardware_concurrency())
      threads_.emplace_back([](const std::stop_token& stop) {
        while (!stop.stop_requested()) continue;
      });
  }

 private:
  std::vector<std::jthread> threads_;
};
#endif

//! Calls f(resource, make) for each executor under test, where make() is an executor that has the resource.
template <class F>
void on_resources(const F& f) {
  for (const int threads : thread_counts) {
    if (threads == 2 || threads == 5) continue;  // who take their memory as three do
    on_host(threads, [&](auto&) {
      counting_resource memory(upsweep::default_host_memory(), 64);
      f(memory, [&memory, threads] { return upsweep::host(threads, &memory); });
      CHECK(memory.blocks() == 0);
      CHECK(memory.wrong() == 0);
    });
  }
#if UPSWEEP_HAS_CUDA
  on_device([&](auto&) {
    malloc_resource plain;
    counting_resource memory(&plain, 256);
    f(memory, [&memory] { return upsweep::device(&memory); });
    CHECK(memory.blocks() == 0);
    CHECK(memory.wrong() == 0);
  });
#endif
}

}  // namespace test

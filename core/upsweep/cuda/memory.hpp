// Device memory: the stream-ordered pool, which a device takes by default, and what a device and its buffers share.
#pragma once
#include <cstddef>
#include <stdexcept>

#include <upsweep/config.hpp>
#include <upsweep/cuda/checked.hpp>
#include <upsweep/memory.hpp>

namespace UPSWEEP_NAMESPACE::gpu {

//! Makes a device current for as long as it lives.
class current_device {
 public:
  explicit current_device(int ordinal) {
    UPSWEEP_CUDA_CHECK(cudaGetDevice(&before_));
    if (before_ == ordinal) before_ = -1;
    else UPSWEEP_CUDA_CHECK(cudaSetDevice(ordinal));
  }
  current_device(const current_device&) = delete;
  ~current_device() {
    if (before_ >= 0) static_cast<void>(cudaSetDevice(before_));
  }

 private:
  int before_ = -1;
};

inline bool is_capturing(CUstream_st* stream) {
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  UPSWEEP_CUDA_CHECK(cudaStreamIsCapturing(stream, &status));
  return status == cudaStreamCaptureStatusActive;
}

//! The current device's pool: cudaMallocAsync and cudaFreeAsync. A pool keeps what comes back only until the program
//! next waits for the device; cudaMemPoolSetAttribute with cudaMemPoolAttrReleaseThreshold lets it keep more.
class pool_memory_resource final : public memory_resource {
 public:
  void* allocate(std::size_t bytes, CUstream_st* stream) override {
    void* p = nullptr;
    UPSWEEP_CUDA_CHECK(cudaMallocAsync(&p, bytes, stream));
    return p;
  }
  void deallocate(void* p, std::size_t, CUstream_st* stream) noexcept override {
    if (cudaFreeAsync(p, stream) != cudaSuccess) static_cast<void>(cudaGetLastError());
  }
};
inline memory_resource* default_memory() {
  static memory_resource* const one = new pool_memory_resource;  // never destroyed: global buffers may go last
  return one;
}

//! A device's stream, and the resource called with that device current. The executor shares it with its buffers: a
//! stream of its own lives until the last of them has gone.
class place final : public detail::shared_resource {
 public:
  //! `own`: makes a stream, and takes none. A null upstream stands for the default resource.
  place(int ordinal, CUstream_st* stream, bool own, memory_resource* upstream)
      : upstream_(upstream ? upstream : default_memory()), stream_(stream), ordinal_(ordinal), owns_stream_(own) {
    if (own) UPSWEEP_CUDA_CHECK(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
  }
  place(const place&) = delete;
  place& operator=(const place&) = delete;
  ~place() override {
    if (owns_stream_) static_cast<void>(cudaStreamDestroy(stream_));
  }
  int ordinal() const noexcept { return ordinal_; }
  CUstream_st* stream() const noexcept { return stream_; }

  //! While a graph is being captured the memory would be the graph's own: refused.
  void* allocate(std::size_t bytes, CUstream_st* stream) override {
    if (is_capturing(stream)) throw std::runtime_error("memory cannot be allocated while a graph is being captured");
    const current_device here(ordinal_);
    return upstream_->allocate(bytes, stream);
  }
  void deallocate(void* p, std::size_t bytes, CUstream_st* stream) noexcept override {
    int before = ordinal_;
    static_cast<void>(cudaGetDevice(&before));
    if (before != ordinal_) static_cast<void>(cudaSetDevice(ordinal_));
    upstream_->deallocate(p, bytes, stream);
    if (before != ordinal_) static_cast<void>(cudaSetDevice(before));
  }

 private:
  memory_resource* upstream_;
  CUstream_st* stream_;
  int ordinal_;
  bool owns_stream_;
};

}  // namespace UPSWEEP_NAMESPACE::gpu

// The GPU executor: a stream, the workspace that sweeps on it share, and scratch memory for calls of several sweeps.
#pragma once
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <upsweep/atomic.hpp>
#include <upsweep/config.hpp>
#include <upsweep/cuda/checked.hpp>
#include <upsweep/cuda/find_device.hpp>
#include <upsweep/cuda/memory.hpp>
#include <upsweep/memory.hpp>
#include <upsweep/require.hpp>

namespace UPSWEEP_NAMESPACE {

namespace gpu {
//! Is p memory that only a GPU reaches?
inline bool is_device_only(const void* p) {
  cudaPointerAttributes attributes{};
  if (cudaPointerGetAttributes(&attributes, p) != cudaSuccess) {
    static_cast<void>(cudaGetLastError());
    return false;
  }
  return attributes.type == cudaMemoryTypeDevice;
}

//! A piece of device memory. As a workspace it is the state of the progress protocol (protocol.hpp), zeroed when made.
struct memory_piece {
  std::byte* data = nullptr;
  std::size_t bytes = 0;
};
}  // namespace gpu

//! The GPU backend. Work is ordered on the executor's stream; only a call that returns a value waits for it. Two
//! executors may run at once. A captured graph uses the executor's workspace: its replays must be ordered with the
//! executor's own work, and the executor must outlive it.
class device {
 public:
  //! On the current device, with a stream of its own. Throws no_device, which says why, when there is none. Memory
  //! comes from `resource`, which must outlive the executor and its buffers; null: the device's stream-ordered pool.
  device() : device(nullptr, nullptr, true) {}
  explicit device(memory_resource* resource) : device(nullptr, resource, true) {}
  //! On the caller's stream (a cudaStream_t; it must outlive the executor and its buffers).
  explicit device(CUstream_st* stream, memory_resource* resource = nullptr) : device(stream, resource, false) {}
  explicit device(std::nullptr_t) : device(nullptr, nullptr, false) {}  // the default stream
  device(device&& other) noexcept { swap(other); }
  device& operator=(device&& other) noexcept {
    device taken(std::move(other));
    swap(taken);
    return *this;
  }
  ~device() {
    if (ordinal_ < 0) return;
    int before = 0;
    static_cast<void>(cudaGetDevice(&before));
    static_cast<void>(cudaSetDevice(ordinal_));
    static_cast<void>(cudaStreamSynchronize(stream_));
    for (const auto& old : workspaces_) give_back(old);
    for (const auto& old : scratch_of_graphs_) give_back(old);
    give_back(scratch_);
    if (result_) static_cast<void>(cudaFreeHost(result_));
    static_cast<void>(cudaSetDevice(before));
  }

  //! Are there a driver and a GPU? (Whether the program has code for it, the constructor asks.)
  static bool available() noexcept {
    int count = 0;
    return gpu::count_devices(count) == cudaSuccess;
  }
  //! Has this program made any device executor? (Then pointers are worth asking CUDA about.)
  static bool any_made() noexcept { return made().get(); }

  CUstream_st* stream() const noexcept { return stream_; }
  int ordinal() const noexcept { return ordinal_; }
  int multiprocessors() const noexcept { return multiprocessors_; }
  int compute_capability() const noexcept { return compute_capability_; }  // 90 for sm_90
  void synchronize() {
    refuse_capture("synchronize");
    const gpu::current_device here(ordinal_);  // whose default stream it may be
    UPSWEEP_CUDA_CHECK(cudaStreamSynchronize(stream_));
  }

  //! Where buffers get their memory, and the executor its own.
  detail::memory_source memory() const { return {place_.get(), stream_, place_}; }
  //! Copies between any two kinds of memory, ordered on the stream, and waits.
  void copy(void* to, const void* from, std::size_t bytes) {
    if (bytes == 0) return;
    refuse_capture("copy");
    const gpu::current_device here(ordinal_);
    UPSWEEP_CUDA_CHECK(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, stream_));
    UPSWEEP_CUDA_CHECK(cudaStreamSynchronize(stream_));
  }
  //! Throws std::invalid_argument that names the range unless the device reaches its memory.
  void check_memory(const void* p, const char* name) const {
    cudaPointerAttributes attributes{};
    UPSWEEP_CUDA_CHECK(cudaPointerGetAttributes(&attributes, p));
    detail::require(attributes.type != cudaMemoryTypeUnregistered, name, "is host memory, but the executor is device");
    detail::require(attributes.type != cudaMemoryTypeDevice || attributes.device == ordinal_, name,
                    "is memory of device ", attributes.device, ", but the executor is on device ", ordinal_);
  }

  //! What `launch(R*)` writes to its argument, through pinned memory that the kernel reaches; waits for it.
  template <class R, class F>
  R returned(F&& launch) {
    static_assert(sizeof(R) <= result_bytes, "a result this large must go to device memory");
    launch(static_cast<R*>(result_memory()));
    const gpu::current_device here(ordinal_);
    UPSWEEP_CUDA_CHECK(cudaStreamSynchronize(stream_));
    return *static_cast<const R*>(result_);
  }
  //! Where a kernel may write the result of a call that waits; the library's own.
  static constexpr std::size_t result_bytes = 1024;
  void* result_memory() const {
    refuse_capture("a call that returns a value (use the one that writes its result to device memory)");
    return result_;
  }

  //! Grows the workspace to at least `bytes`, so that sweeps can be captured into a graph. A sweep needs less than 1 %
  //! of the bytes that it loads and stores, and 4 KiB (a batch of many short sweeps up to 4 %); an error while
  //! capturing names the bytes that it asked for.
  void reserve(std::size_t bytes) { static_cast<void>(workspace(bytes)); }
  //! The workspace, of at least `bytes`; the engine's own.
  gpu::memory_piece workspace(std::size_t bytes) {
    workspace_in_graph_ |= is_capturing();
    if (!workspaces_.empty() && workspaces_.back().bytes >= bytes) return workspaces_.back();
    if (is_capturing()) refuse_growth("workspace", "reserve", bytes);
    const gpu::current_device here(ordinal_);
    const std::size_t doubled = workspaces_.empty() ? first_workspace : 2 * workspaces_.back().bytes;
    workspaces_.reserve(workspaces_.size() + 1);
    const gpu::memory_piece piece = take(bytes > doubled ? bytes : doubled);
    workspaces_.push_back(piece);  // older ones stay: captured graphs may point to them
    try {
      UPSWEEP_CUDA_CHECK(cudaMemsetAsync(piece.data, 0, piece.bytes, stream_));
    } catch (...) {  // a workspace that is not zeroed must not be used
      workspaces_.pop_back();
      give_back(piece);
      throw;
    }
    return piece;
  }

  //! Gives back the workspace and the scratch memory, in the order of the stream; the next calls take them anew. What
  //! captured graphs use stays, and so does all while a graph is being captured.
  void trim() {
    if (is_capturing()) return;
    if (!scratch_in_graph_) give_back(std::exchange(scratch_, {}));
    if (workspace_in_graph_) return;
    for (const auto& piece : workspaces_) give_back(piece);
    workspaces_.clear();
  }

  //! Grows the scratch memory to at least `bytes`, so that calls that use it can be captured into a graph.
  void reserve_scratch(std::size_t bytes) { grow_scratch(bytes); }
  //! At least `bytes` of device memory, not initialized, aligned to 256: what the sweeps of a call hand to one another.
  //! The next call of scratch() gives the same memory again, or frees it to make a larger one.
  std::byte* scratch(std::size_t bytes) {
    grow_scratch(bytes);
    scratch_in_graph_ |= is_capturing();
    return scratch_.data;
  }

 private:
  static constexpr std::size_t first_workspace = std::size_t{1} << 20;
  static constexpr std::size_t scratch_granule = std::size_t{1} << 20;

  device(CUstream_st* stream, memory_resource* resource, bool own) {
    if (const std::string why = gpu::why_not_usable(); !why.empty())
      throw no_device("device: no CUDA device was found: " + why);
    UPSWEEP_CUDA_CHECK(cudaGetDevice(&ordinal_));
    place_ = detail::share_of<gpu::place>(new gpu::place(ordinal_, stream, own, resource));
    stream_ = place_->stream();
    multiprocessors_ = attribute(cudaDevAttrMultiProcessorCount);
    compute_capability_ =
        10 * attribute(cudaDevAttrComputeCapabilityMajor) + attribute(cudaDevAttrComputeCapabilityMinor);
    UPSWEEP_CUDA_CHECK(cudaHostAlloc(&result_, result_bytes, cudaHostAllocMapped | cudaHostAllocPortable));
    made().set(true);
  }
  static detail::atomic<bool>& made() noexcept {
    static detail::atomic<bool> flag{false};
    return flag;
  }
  int attribute(cudaDeviceAttr which) const {
    int value = 0;
    UPSWEEP_CUDA_CHECK(cudaDeviceGetAttribute(&value, which, ordinal_));
    return value;
  }
  bool is_capturing() const { return gpu::is_capturing(stream_); }
  gpu::memory_piece take(std::size_t bytes) {
    return {static_cast<std::byte*>(place_->allocate(bytes, stream_)), bytes};
  }
  void give_back(const gpu::memory_piece& piece) noexcept {
    if (piece.data) place_->deallocate(piece.data, piece.bytes, stream_);
  }
  void grow_scratch(std::size_t bytes) {
    if (scratch_.bytes >= bytes) return;
    if (is_capturing()) refuse_growth("scratch memory", "reserve_scratch", bytes);
    if (scratch_in_graph_) scratch_of_graphs_.push_back(scratch_);  // which may still be replayed
    else give_back(scratch_);
    scratch_ = {};
    scratch_in_graph_ = false;
    scratch_ = take((bytes + scratch_granule - 1) / scratch_granule * scratch_granule);
  }
  [[noreturn, gnu::noinline]] static void refuse_growth(const char* what, const char* call, std::size_t bytes) {
    throw std::runtime_error(std::string("the ") + what + " cannot grow while a graph is being captured: call " + call +
                             "(" + std::to_string(bytes) + ") on the executor before");
  }
  void refuse_capture(const char* what) const {
    if (is_capturing())
      throw std::runtime_error(std::string(what) + " must wait, which a stream that is being captured cannot");
  }
  void swap(device& other) noexcept {
    std::swap(place_, other.place_);
    std::swap(stream_, other.stream_);
    std::swap(ordinal_, other.ordinal_);
    std::swap(multiprocessors_, other.multiprocessors_);
    std::swap(compute_capability_, other.compute_capability_);
    std::swap(result_, other.result_);
    std::swap(workspaces_, other.workspaces_);
    std::swap(scratch_, other.scratch_);
    std::swap(scratch_in_graph_, other.scratch_in_graph_);
    std::swap(workspace_in_graph_, other.workspace_in_graph_);
    std::swap(scratch_of_graphs_, other.scratch_of_graphs_);
  }

  detail::share_of<gpu::place> place_;
  CUstream_st* stream_ = nullptr;
  int ordinal_ = -1;  // −1 when it was moved from
  int multiprocessors_ = 0, compute_capability_ = 0;
  void* result_ = nullptr;
  std::vector<gpu::memory_piece> workspaces_;
  gpu::memory_piece scratch_;
  bool scratch_in_graph_ = false, workspace_in_graph_ = false;  // were they handed out during a capture?
  std::vector<gpu::memory_piece> scratch_of_graphs_;
};

}  // namespace UPSWEEP_NAMESPACE

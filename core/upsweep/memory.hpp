// Where executors and buffers get their memory.
//   memory_resource        what a program brings to have it from elsewhere: two functions
//   default_host_memory    what a host takes otherwise (a device: the stream-ordered pool, cuda/memory.hpp)
#pragma once
#include <concepts>
#include <cstddef>
#include <new>
#include <type_traits>
#include <utility>
#include <vector>
#if __has_include(<sys/mman.h>)
#include <sys/mman.h>
#endif

#include <upsweep/atomic.hpp>
#include <upsweep/config.hpp>
#include <upsweep/scratch.hpp>

struct CUstream_st;  // cudaStream_t is a pointer to it

// One type for translation units with CUDA and without, as exceptions are: a resource may serve both.
namespace upsweep {

//! Memory for executors and buffers: all that they take for items, workspace, scratch and temporaries of the size of an
//! input. Give `host{threads, &resource}` or `device{stream, &resource}` one; the executor's buffers use it too. It
//! must outlive the executors and the buffers made with them. Not asked: a host's copies of sections, coefficients and
//! edges, containers of a few numbers a thread, and the 1 KiB of pinned host memory by which a device hands results
//! back, which no device resource gives.
//!
//! An executor calls its resource from the thread that calls the executor, never from threads of its own: a resource
//! needs locks only when executors of several threads share it, or buffers go in other threads.
//!
//! RAPIDS' rmm: any of its resources, a pool, an arena, a limit (from 25.12 on: allocate(s, bytes) and
//! deallocate(s, p, bytes)).
//!   struct from_rmm : upsweep::memory_resource {
//!     explicit from_rmm(rmm::mr::device_memory_resource* r) : mr(r) {}
//!     void* allocate(std::size_t n, cudaStream_t s) override { return mr->allocate_async(n, s); }
//!     void deallocate(void* p, std::size_t n, cudaStream_t s) noexcept override {
//!       mr->deallocate_async(p, n, s);
//!     }
//!     rmm::mr::device_memory_resource* mr;
//!   };
//! The standard's, for a host:
//!   struct from_pmr : upsweep::memory_resource {
//!     explicit from_pmr(std::pmr::memory_resource* r) : pmr(r) {}
//!     void* allocate(std::size_t bytes, CUstream_st*) override { return pmr->allocate(bytes, 64); }
//!     void deallocate(void* p, std::size_t bytes, CUstream_st*) noexcept override { pmr->deallocate(p, bytes, 64); }
//!     std::pmr::memory_resource* pmr;
//!   };
class memory_resource {
 public:
  virtual ~memory_resource() = default;
  //! `bytes` > 0 of memory, aligned to 64 on a host and to 256 on a device. On a device it need be free only for what
  //! `stream` does from now on, and that device is current; on a host `stream` is null. What this throws reaches the
  //! caller of the algorithm or of the buffer's constructor; nothing has been written then, and nothing is lost.
  virtual void* allocate(std::size_t bytes, CUstream_st* stream) = 0;
  //! Takes back what allocate(bytes, stream) gave: the same bytes, the same stream, the same device current. What the
  //! stream was given to do before may still use it.
  virtual void deallocate(void* p, std::size_t bytes, CUstream_st* stream) noexcept = 0;
};

//! Aligned operator new; it throws std::bad_alloc. A large piece asks for large pages: fresh small ones cost more than
//! a pass over them.
class host_memory_resource final : public memory_resource {
 public:
  void* allocate(std::size_t bytes, CUstream_st*) override {
    void* const p = ::operator new(bytes, alignment(bytes));
#if defined(MADV_HUGEPAGE)
    if (bytes >= large_page) static_cast<void>(madvise(p, bytes / large_page * large_page, MADV_HUGEPAGE));
#endif
    return p;
  }
  void deallocate(void* p, std::size_t bytes, CUstream_st*) noexcept override {
    ::operator delete(p, alignment(bytes));
  }

 private:
  static constexpr std::size_t large_page = std::size_t{2} << 20;
  static std::align_val_t alignment(std::size_t bytes) {
    return std::align_val_t{bytes >= large_page ? large_page : 64};
  }
};

//! What a host takes that was given no resource. It is never destroyed: global buffers may give back to it last.
inline memory_resource* default_host_memory() {
  static memory_resource* const one = new host_memory_resource;
  return one;
}

}  // namespace upsweep

namespace UPSWEEP_NAMESPACE::detail {

//! A resource that goes with the last of those who have a share of it. (<memory>, for its shared_ptr, takes nvcc half a
//! second.)
class shared_resource : public memory_resource {
  template <class Resource>
  friend class share_of;
  atomic<int> shares_{0};
};
template <class Resource>
class share_of {
 public:
  share_of() = default;
  explicit share_of(Resource* its) noexcept : its_(its) {
    if (its_) its_->shared_resource::shares_.add(1);
  }
  share_of(const share_of& other) noexcept : share_of(other.its_) {}
  template <std::derived_from<Resource> Other>
  share_of(const share_of<Other>& other) noexcept : share_of(other.get()) {}
  share_of(share_of&& other) noexcept : its_(std::exchange(other.its_, nullptr)) {}
  share_of& operator=(share_of other) noexcept {
    std::swap(its_, other.its_);
    return *this;
  }
  ~share_of() {
    if (its_ && its_->shared_resource::shares_.less(1) == 0) delete its_;
  }
  Resource* get() const noexcept { return its_; }
  Resource* operator->() const noexcept { return its_; }

 private:
  Resource* its_ = nullptr;
};

//! What an executor allocates by, and its buffers after it: a resource and the stream that it is called with.
struct memory_source {
  memory_resource* resource = nullptr;
  CUstream_st* stream = nullptr;
  share_of<shared_resource> owner{};  // keeps resource and stream alive where they are a device's own

  void* allocate(std::size_t bytes) const { return resource->allocate(bytes, stream); }
  void deallocate(void* p, std::size_t bytes) const noexcept { resource->deallocate(p, bytes, stream); }
};

//! A piece of a host's memory, which grows by being replaced.
class host_piece {
 public:
  host_piece() = default;
  host_piece(host_piece&& other) noexcept { swap(other); }
  host_piece& operator=(host_piece&& other) noexcept {
    host_piece taken(std::move(other));
    swap(taken);
    return *this;
  }
  ~host_piece() { free(); }

  std::byte* data() const { return data_; }
  //! At least so many bytes, not initialized; what was there is lost when they are more than there were.
  std::byte* at_least(std::size_t bytes, memory_resource& resource) {
    if (bytes <= bytes_) return data_;
    free();
    data_ = static_cast<std::byte*>(resource.allocate(bytes, nullptr));
    bytes_ = bytes;
    resource_ = &resource;
    return data_;
  }

 private:
  void free() noexcept {
    if (data_) resource_->deallocate(std::exchange(data_, nullptr), std::exchange(bytes_, 0), nullptr);
  }
  void swap(host_piece& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(bytes_, other.bytes_);
    std::swap(resource_, other.resource_);
  }
  std::byte* data_ = nullptr;
  std::size_t bytes_ = 0;
  memory_resource* resource_ = nullptr;
};

//! The memory that a host's calls work in. What is lent comes back in reverse order (lent_memory), and stays for the
//! next call: a call that is repeated finds pieces of its sizes. For the executor's own thread: what its other threads
//! need is lent before they start.
class host_memory {
 public:
  explicit host_memory(memory_resource* resource) : resource_(resource ? resource : default_host_memory()) {}
  memory_resource& resource() const { return *resource_; }
  //! Apart from what is lent: kept from call to call of this.
  std::byte* scratch(std::size_t bytes) { return scratch_.at_least(bytes, *resource_); }
  //! Gives back what is not lent.
  void trim() {
    scratch_ = {};
    pieces_.resize(lent_);
  }

 private:
  friend class lent_memory;
  memory_resource* resource_;
  host_piece scratch_;
  std::vector<host_piece> pieces_;
  std::size_t lent_ = 0;
};

//! A piece lent by a host for as long as this lives.
class lent_memory {
 public:
  //! With the pieces that cut(scratch_cutter&) takes.
  template <std::invocable<scratch_cutter&> Cut>
  lent_memory(host_memory& from, const Cut& cut) : lent_memory(from) {
    scratch_cutter sum(nullptr, scratch_cutter::cache_line);
    cut(sum);
    scratch_cutter pieces(at_least(sum.bytes()), scratch_cutter::cache_line);
    cut(pieces);
  }
  explicit lent_memory(host_memory& from, std::size_t bytes = 0) : from_(from), number_(from.lent_) {
    if (from_.pieces_.size() == number_) from_.pieces_.emplace_back();
    at_least(bytes);
    from_.lent_++;
  }
  lent_memory(const lent_memory&) = delete;
  lent_memory& operator=(const lent_memory&) = delete;
  ~lent_memory() { from_.lent_--; }

  std::byte* data() const { return from_.pieces_[number_].data(); }
  //! More of it; what was there may be lost.
  std::byte* at_least(std::size_t bytes) { return from_.pieces_[number_].at_least(bytes, *from_.resource_); }

 private:
  host_memory& from_;
  std::size_t number_;
};

//! So many items, not initialized, in a piece that is lent.
template <class T>
class lent_items {
  static_assert(std::is_trivially_copyable_v<T> && alignof(T) <= 64);

 public:
  lent_items(host_memory& from, index_t count)
      : memory_(from, static_cast<std::size_t>(count) * sizeof(T)), count_(count) {}
  T* data() const { return reinterpret_cast<T*>(memory_.data()); }
  index_t size() const { return count_; }
  T& operator[](index_t k) const { return data()[k]; }

 private:
  lent_memory memory_;
  index_t count_;
};

}  // namespace UPSWEEP_NAMESPACE::detail

// Memory where an executor works, freed when the buffer goes.
#pragma once
#include <limits>
#include <new>
#include <type_traits>
#include <utility>
#include <vector>

#include <upsweep/config.hpp>
#include <upsweep/executor.hpp>
#include <upsweep/memory.hpp>
#include <upsweep/stages.hpp>

namespace upsweep::inline UPSWEEP_ABI {

//! A contiguous range of `size()` items in the memory of an executor's kind, by the executor's memory resource.
//! Move-only; does not need the executor to live on.
//!
//! On a device, memory comes and goes in the order of the stream of the executor that the buffer was made with. That
//! executor's work needs no care: what it was given before a buffer goes may still use it. Work on another stream that
//! uses the buffer must begin after the making has been reached (a constructor that copies has waited for it), and
//! before the buffer goes it must have ended, or the buffer's stream have been made to wait for it by an event. A
//! device's own stream lives as long as its buffers; a caller's stream must outlive them. A buffer is neither made nor
//! freed while its stream is being captured into a graph.
//!   upsweep::buffer<float> x(exec, std::vector{1.f, 2.f});   auto y = x.to_vector(exec);
template <class T>
class buffer {
  static_assert(std::is_trivially_copyable_v<T>, "a buffer holds trivially copyable items");

 public:
  buffer() = default;
  //! Memory for n items, not initialized. Does not wait. Throws std::bad_alloc, cuda_error, what the executor's memory
  //! resource throws, and std::runtime_error while a graph is being captured.
  template <executor Executor>
  buffer(Executor&& executor, index_t n) : size_(n) {
    if (n < 0) throw std::invalid_argument("buffer: n is " + std::to_string(n) + ", must not be negative");
    if (static_cast<std::size_t>(n) > std::numeric_limits<std::size_t>::max() / sizeof(T) / 2)
      throw std::bad_array_new_length();
    source_ = executor.memory();
    if (n) data_ = static_cast<T*>(source_.allocate(bytes()));
  }
  //! A copy of a range of host memory.
  template <executor Executor, contiguous_range R>
    requires(std::is_same_v<element_t<const R>, T>)
  buffer(Executor&& executor, const R& range) : buffer(executor, static_cast<index_t>(std::size(range))) {
    copy_from(executor, range);
  }
  buffer(buffer&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)),
        size_(std::exchange(other.size_, 0)),
        source_(std::move(other.source_)) {}
  buffer& operator=(buffer&& other) noexcept {
    buffer taken(std::move(other));
    std::swap(data_, taken.data_);
    std::swap(size_, taken.size_);
    std::swap(source_, taken.source_);
    return *this;
  }
  ~buffer() {
    if (data_) source_.deallocate(data_, bytes());
  }

  T* data() noexcept { return data_; }
  const T* data() const noexcept { return data_; }
  index_t size() const noexcept { return size_; }

  //! Copies a range of host memory of the same size in, and waits.
  template <executor Executor, contiguous_range R>
  void copy_from(Executor&& executor, const R& range) {
    check_size(std::size(range));
    executor.copy(data_, std::data(range), bytes());
  }
  //! Copies the items out to a range of host memory of the same size, and waits.
  template <executor Executor, contiguous_range R>
  void copy_to(Executor&& executor, R&& range) const {
    check_size(std::size(range));
    executor.copy(std::data(range), data_, bytes());
  }
  template <executor Executor>
  std::vector<T> to_vector(Executor&& executor) const {
    std::vector<T> items(static_cast<std::size_t>(size_));
    executor.copy(items.data(), data_, bytes());
    return items;
  }

 private:
  std::size_t bytes() const noexcept { return static_cast<std::size_t>(size_) * sizeof(T); }
  void check_size(std::size_t other) const {
    if (static_cast<index_t>(other) != size_)
      throw std::invalid_argument("buffer: range has " + std::to_string(other) + " items, the buffer " +
                                  std::to_string(size_));
  }

  T* data_ = nullptr;
  index_t size_ = 0;
  detail::memory_source source_;
};

}  // namespace upsweep::inline UPSWEEP_ABI

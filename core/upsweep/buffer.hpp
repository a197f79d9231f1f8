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
#include <upsweep/require.hpp>
#include <upsweep/stages.hpp>

namespace UPSWEEP_NAMESPACE {

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
    detail::require(n >= 0, "buffer", ": n is ", n, ", must not be negative");
    if (static_cast<std::size_t>(n) > std::numeric_limits<std::size_t>::max() / sizeof(T) / 2)
      throw std::bad_array_new_length();
    source_ = executor.memory();
    if (n) data_ = static_cast<T*>(source_.allocate(bytes()));
  }
  //! A copy of a range of host memory.
  template <executor Executor, class R>
    requires(detail::is_range_of<R, T>)
  buffer(Executor&& executor, const R& range) : buffer(executor, static_cast<index_t>(std::size(range))) {
    copy_from(executor, range);
  }
  //! Wrong arguments, for which this says what the right ones are.
  template <executor Executor, class Items>
    requires(!std::is_convertible_v<const Items&, index_t> && !detail::is_range_of<Items, T>)
  buffer(Executor&&, const Items&) {
    static_assert(
        std::is_void_v<Items>,
        "upsweep: a buffer<T> is made of an executor and a number of items, or of an executor and a range of T");
  }
  template <class First, class... Rest>
    requires(!executor<First> && !std::is_same_v<std::remove_cvref_t<First>, buffer>)
  explicit buffer(First&&, const Rest&...) {
    static_assert(executor<First>,
                  "upsweep: a buffer is made by an executor, which stands in front: "
                  "buffer<T>(executor, n). (It is a host, device or any_executor that is not const)");
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
    UPSWEEP_CHECK_OUTPUT(range);
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
    detail::require(static_cast<index_t>(other) == size_, "buffer", ": range has ", other, " items, the buffer ",
                    size_);
  }

  T* data_ = nullptr;
  index_t size_ = 0;
  detail::memory_source source_;
};
template <executor Executor, contiguous_range R>
buffer(Executor&&, const R&) -> buffer<element_t<const R>>;

}  // namespace UPSWEEP_NAMESPACE

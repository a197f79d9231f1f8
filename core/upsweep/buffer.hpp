// Memory where an executor works, freed when the buffer goes.
#pragma once
#include <limits>
#include <new>
#include <type_traits>
#include <utility>
#include <vector>

#include <upsweep/config.hpp>
#include <upsweep/executor.hpp>
#include <upsweep/stages.hpp>

namespace upsweep::inline UPSWEEP_ABI {

//! A contiguous range of `size()` items in the memory of an executor's kind. Move-only; does not need the executor to
//! live on.
//!   upsweep::buffer<float> x(exec, std::vector{1.f, 2.f});   auto y = x.to_vector(exec);
template <class T>
class buffer {
  static_assert(std::is_trivially_copyable_v<T>, "a buffer holds trivially copyable items");

 public:
  buffer() = default;
  //! Memory for n items, not initialized. Throws std::bad_alloc or cuda_error.
  template <class Executor>
  buffer(Executor& executor, index_t n) : size_(n) {
    if (n < 0) throw std::invalid_argument("buffer: n is " + std::to_string(n) + ", must not be negative");
    if (static_cast<std::size_t>(n) > std::numeric_limits<std::size_t>::max() / sizeof(T) / 2)
      throw std::bad_array_new_length();
    if (n) data_ = static_cast<T*>(executor.allocate(bytes()));
    free_ = detail::run_on_backend(executor, [](auto& chosen) -> deallocate_function {
      return &std::remove_reference_t<decltype(chosen)>::deallocate;
    });
  }
  //! A copy of a range of host memory.
  template <class Executor, contiguous_range R>
    requires(std::is_same_v<element_t<const R>, T>)
  buffer(Executor& executor, const R& range) : buffer(executor, static_cast<index_t>(std::size(range))) {
    copy_from(executor, range);
  }
  buffer(buffer&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)), free_(other.free_) {}
  buffer& operator=(buffer&& other) noexcept {
    buffer taken(std::move(other));
    std::swap(data_, taken.data_);
    std::swap(size_, taken.size_);
    std::swap(free_, taken.free_);
    return *this;
  }
  ~buffer() {
    if (data_) free_(data_);
  }

  T* data() noexcept { return data_; }
  const T* data() const noexcept { return data_; }
  index_t size() const noexcept { return size_; }

  //! Copies a range of host memory of the same size in, and waits.
  template <class Executor, contiguous_range R>
  void copy_from(Executor& executor, const R& range) {
    check_size(std::size(range));
    executor.copy(data_, std::data(range), bytes());
  }
  //! Copies the items out to a range of host memory of the same size, and waits.
  template <class Executor, contiguous_range R>
  void copy_to(Executor& executor, R&& range) const {
    check_size(std::size(range));
    executor.copy(std::data(range), data_, bytes());
  }
  template <class Executor>
  std::vector<T> to_vector(Executor& executor) const {
    std::vector<T> items(static_cast<std::size_t>(size_));
    executor.copy(items.data(), data_, bytes());
    return items;
  }

 private:
  using deallocate_function = void (*)(void*) noexcept;
  std::size_t bytes() const noexcept { return static_cast<std::size_t>(size_) * sizeof(T); }
  void check_size(std::size_t other) const {
    if (static_cast<index_t>(other) != size_)
      throw std::invalid_argument("buffer: range has " + std::to_string(other) + " items, the buffer " +
                                  std::to_string(size_));
  }

  T* data_ = nullptr;
  index_t size_ = 0;
  deallocate_function free_ = nullptr;
};

}  // namespace upsweep::inline UPSWEEP_ABI

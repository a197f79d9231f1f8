// What both sides of the harness have: an executor, and the memory that a row's trials use on it.
#pragma once
#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include <upsweep/buffer.hpp>
#include <upsweep/memory.hpp>

#include "data.hpp"

namespace bench {

//! Counts what is taken from another resource.
template <class Resource>
class counting_resource final : public upsweep::memory_resource {
 public:
  void* allocate(std::size_t bytes, CUstream_st* stream) override {
    void* const p = upstream_.allocate(bytes, stream);
    calls++;
    live += bytes;
    peak = std::max(peak, live);
    return p;
  }
  void deallocate(void* p, std::size_t bytes, CUstream_st* stream) noexcept override {
    live -= bytes;
    upstream_.deallocate(p, bytes, stream);
  }
  std::size_t calls = 0, live = 0, peak = 0;

 private:
  Resource upstream_;
};

//! Made by make(resource).
template <class Executor, class Resource>
class workplace {
 public:
  counting_resource<Resource> memory;
  Executor exec;
  //! Inputs begin one item into their memory and outputs two, so that no access of 16 bytes is aligned, and both are
  //! not so in different ways.
  bool off_by_one = false;

  //! Memory for n items, not initialized.
  template <class T>
  std::span<T> scratch(index_t n, index_t skipped = 0) {
    auto& items = buffers_.emplace_back(exec, (n + skipped) * static_cast<index_t>(sizeof(T)));
    return {reinterpret_cast<T*>(items.data()) + skipped, static_cast<std::size_t>(n)};
  }
  //! Room for n items of output.
  template <class T>
  std::span<T> room(index_t n) {
    const std::span<T> items = scratch<T>(n, off_by_one ? 2 : 0);
    outputs_.push_back(std::as_writable_bytes(items));
    return items;
  }

 protected:
  template <class Make>
  explicit workplace(const Make& make) : exec(make(&memory)) {}
  const std::vector<std::span<std::byte>>& outputs() const { return outputs_; }

 private:
  std::vector<upsweep::buffer<std::byte>> buffers_;
  std::vector<std::span<std::byte>> outputs_;
};

}  // namespace bench

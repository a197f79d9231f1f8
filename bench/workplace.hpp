// What both sides of the harness have: an executor, and the memory that a row's trials use on it.
#pragma once
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include <upsweep/buffer.hpp>

#include "data.hpp"

namespace bench {

template <class Executor>
class workplace {
 public:
  Executor exec;

  //! Memory for n items, not initialized.
  template <class T>
  std::span<T> scratch(index_t n) {
    auto& memory = memory_.emplace_back(exec, n * static_cast<index_t>(sizeof(T)));
    return {reinterpret_cast<T*>(memory.data()), static_cast<std::size_t>(n)};
  }
  //! Room for n items of output.
  template <class T>
  std::span<T> room(index_t n) {
    const std::span<T> items = scratch<T>(n);
    outputs_.push_back(std::as_writable_bytes(items));
    return items;
  }

 protected:
  explicit workplace(Executor executor) : exec(std::move(executor)) {}
  const std::vector<std::span<std::byte>>& outputs() const { return outputs_; }

 private:
  std::vector<upsweep::buffer<std::byte>> memory_;
  std::vector<std::span<std::byte>> outputs_;
};

}  // namespace bench

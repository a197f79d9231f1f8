// The memory that a call works in, cut from one piece of its executor's. What is cut is described once: the same code
// adds up how much that is and says where the pieces lie.
#pragma once
#include <cstddef>

#include <upsweep/config.hpp>

namespace UPSWEEP_NAMESPACE::detail {

class scratch_cutter {
 public:
  static constexpr std::size_t cache_line = 64;
  //! What a piece of `count` items takes.
  template <class T>
  static constexpr std::size_t bytes_of(index_t count, std::size_t line = cache_line) {
    return (static_cast<std::size_t>(count) * sizeof(T) + line - 1) / line * line;
  }

  //! With nothing to cut it only adds up. Pieces are aligned to `line`, if the whole is.
  constexpr explicit scratch_cutter(std::byte* whole = nullptr, std::size_t line = 256) : whole_(whole), line_(line) {}

  //! Room for `count` items, not initialized; the one behind the first `skip` of them.
  template <class T>
  constexpr T* take(index_t count, index_t skip = 0) {
    T* const piece = whole_ ? reinterpret_cast<T*>(whole_ + bytes_) + skip : nullptr;
    bytes_ += bytes_of<T>(count, line_);
    return piece;
  }
  constexpr std::size_t bytes() const { return bytes_; }

 private:
  std::byte* whole_;
  std::size_t line_, bytes_ = 0;
};

//! cut(scratch_cutter&) takes the pieces that a call needs. It is called twice. They last until the executor's next
//! call of scratch().
template <class Executor, class Cut>
void in_scratch(Executor& executor, const Cut& cut) {
  scratch_cutter sum;
  cut(sum);
  if (sum.bytes() == 0) return;
  scratch_cutter pieces(executor.scratch(sum.bytes()));
  cut(pieces);
}

// Of a thread of a host: a struct whose cut(scratch_cutter&, capacity) takes its pieces for so many items.
template <class Scratch>
constexpr std::size_t scratch_bytes(index_t capacity) {
  scratch_cutter sum(nullptr, scratch_cutter::cache_line);
  Scratch{}.cut(sum, capacity);
  return sum.bytes();
}
template <class Scratch>
Scratch cut_scratch(std::byte* whole, index_t capacity) {
  scratch_cutter pieces(whole, scratch_cutter::cache_line);
  Scratch scratch{};
  scratch.cut(pieces, capacity);
  return scratch;
}

}  // namespace UPSWEEP_NAMESPACE::detail

// Texts: ranges of items of one byte, taken as bytes.
#pragma once
#include <cstdint>

#include <upsweep/checks.hpp>
#include <upsweep/config.hpp>
#include <upsweep/ranges.hpp>

namespace UPSWEEP_NAMESPACE::detail {

template <class R>
concept text_of_bytes = contiguous_range<R> && sizeof(element_t<R>) == 1;
using text_range = named_range<const std::uint8_t>;

template <class R>
text_range text_of(const R& text) {
  const auto range = input("text", text);
  return {reinterpret_cast<const std::uint8_t*>(range.data), range.size, range.name};
}
//! Eight bytes of a text, the first one the lowest, wherever they lie. (A GPU would copy them one by one.)
UPSWEEP_HD inline std::uint64_t eight_bytes(const std::uint8_t* from) {
#if defined(__CUDA_ARCH__)
  if (reinterpret_cast<std::uintptr_t>(from) % 8 == 0) {
    typedef std::uint64_t aliasing_word __attribute__((may_alias));
    return *reinterpret_cast<const aliasing_word*>(from);
  }
#endif
  std::uint64_t eight;
  __builtin_memcpy(&eight, from, 8);
  return eight;
}
//! Throws std::invalid_argument unless a range has room for an item of each byte, apart from the text.
template <class Executor, class T>
void check_text_output(const Executor& executor, const text_range& text, const named_range<T>& out) {
  check_range(executor, out, text.size);
  check_disjoint(text, text.size, out, text.size);
}

}  // namespace UPSWEEP_NAMESPACE::detail

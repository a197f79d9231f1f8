// Where segments begin, as bits: a GPU writes them before a sweep, whose lanes make marks of them. (Searching the
// offsets for every tile kept the warps that load busy: int32 sums of segments of 10 stood at 0.21 of a copy, of 10,000
// at 0.51. Where these warps made a byte of every bit it was 0.61 and 0.67. H200, 2026-11-23.)
#pragma once
#include <cstdint>

#include <upsweep/config.hpp>
#include <upsweep/cuda/device.hpp>
#include <upsweep/cuda/for_each_index.hpp>
#include <upsweep/segments.hpp>
#include <upsweep/stages.hpp>

namespace UPSWEEP_NAMESPACE {

namespace gpu {
//! marks_column's marks, of bits: bit i says that a segment begins at item i, and so that one ends with item i − 1.
struct bit_marks_column {
  using item_type = std::uint8_t;
  struct bits_of_an_item {};  // its own and the next one's (tile.hpp)
  static constexpr bool in_memory = false, has_previous = false;
  const std::uint32_t* words;
  __device__ static std::uint8_t item(std::uint32_t bits) { return static_cast<std::uint8_t>(bits); }
  static_assert(detail::segment_start == 1 && detail::segment_end == 2);
};

struct clear_words {
  uint4* words;
  __device__ void operator()(index_t k) const { words[k] = uint4{}; }
};
//! Sets the bits of a few neighbouring offsets, a word at a time.
template <class Offset>
struct set_bits {
  static constexpr int at_once = 8;
  const Offset* offsets;
  index_t count, n;
  std::uint32_t* words;
  __device__ void operator()(index_t group) const {
    const index_t first = at_once * group;
    index_t previous = first > 0 ? static_cast<index_t>(offsets[first - 1]) : -1, word = 0;
    std::uint32_t bits = 0;
    const auto flush = [&] {
      if (bits != 0) atomicOr(words + word, bits);
      bits = 0;
    };
#pragma unroll
    for (int k = 0; k < at_once; k++) {
      const index_t at = first + k < count ? static_cast<index_t>(offsets[first + k]) : -1;
      if (at < 0 || at > n || at == previous) continue;  // a crowd of empty segments writes once
      previous = at;
      if (at / 32 != word) flush();
      word = at / 32;
      bits |= std::uint32_t{1} << at % 32;
    }
    flush();
  }
};
}  // namespace gpu

namespace detail {
//! Of scratch memory: n + 1 bits, in whole granules.
inline index_t mark_words(const device&, index_t n) { return (n / 128 + 1) * 4; }
template <class T>
load_stage<gpu::bit_marks_column> segment_marks(device& executor, const named_range<T>& offsets, index_t n,
                                                std::uint32_t* words) {
  const gpu::current_device here(executor.ordinal());
  gpu::for_each_index(executor, mark_words(executor, n) / 4, gpu::clear_words{reinterpret_cast<uint4*>(words)});
  using Bits = gpu::set_bits<std::remove_const_t<T>>;
  gpu::for_each_index(executor, (offsets.size + Bits::at_once - 1) / Bits::at_once,
                      Bits{offsets.data, offsets.size, n, words});
  return {{{words}}};
}
}  // namespace detail

}  // namespace UPSWEEP_NAMESPACE

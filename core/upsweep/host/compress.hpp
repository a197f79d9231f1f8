// Picking the items of one stream out of a run of items, without a branch an item.
//   list_positions   where a stream's items stand
//   compress_items   the items themselves: of 1 to 8 bytes several at a time, where the processor can (AVX2, AVX-512)
#pragma once
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <tuple>

#include <upsweep/config.hpp>
#include <upsweep/host/columns.hpp>
#include <upsweep/host/compress_vectors.hpp>
#include <upsweep/host/memory.hpp>
#include <upsweep/host/versions.hpp>

namespace UPSWEEP_NAMESPACE::detail {

//! What may be read behind the stream numbers, and written behind the positions.
inline constexpr index_t compress_slack = 64;
//! Bytes of an item that is worth moving whether it is of the stream or not.
inline constexpr std::size_t most_compressed = 16;
//! Where few rows are of the stream, their items are fetched one by one from where they stand, unless they are moved
//! fastest (one thread of a Zen 4, 2^16 items, ns an item, fetched and moved: 1 byte, 1 in 1000 of the stream, 0.09 and
//! 0.20, 9 in 10 0.58 and 0.20; 8 bytes 0.18 and 0.26, 0.63 and 0.42; 4 bytes, 1 in 10, 0.16 and 0.13; columns of 4, 4
//! and 1 bytes, 1 in 10, 0.24 and 0.40).
template <std::size_t RowBytes>
bool repays_compression(index_t found, index_t count) {
  return RowBytes == 2 || RowBytes == 4 || found >= count / 8;
}
//! Items of a round: of those that are moved, as many as the first-level cache has room for twice.
inline constexpr index_t most_in_round = 4096;
template <std::size_t ItemBytes>
inline constexpr index_t compressed_round = ItemBytes <= 4 ? most_in_round : index_t{16384 / ItemBytes};

// Every item is written, and the next one over it unless it is of the stream.
template <class Item>
UPSWEEP_INLINE index_t compress_by_copies(const std::uint8_t* streams, std::uint8_t stream, index_t count,
                                          const Item* from, Item* to) {
  constexpr index_t of_a_line = sizeof(Item) < 64 ? 64 / sizeof(Item) : 1;
  index_t found = 0;
  const auto copy = [&](index_t k) UPSWEEP_LAMBDA_INLINE {
    __builtin_memcpy(static_cast<void*>(to + found), from + k, sizeof(Item));
    found += streams[k] == stream;
  };
  index_t k = 0;
  for (; count - k >= of_a_line; k += of_a_line) {
    prefetch_items(from, k + count, of_a_line);  // the next run
    for (index_t j = 0; j < of_a_line; j++) copy(k + j);
  }
  for (; k < count; k++) copy(k);
  return found;
}

#if UPSWEEP_X86_VERSIONS
template <class Word>
index_t compress_words(const std::uint8_t* streams, std::uint8_t stream, index_t count, const Word* from, Word* to) {
  if constexpr (sizeof(Word) == 1) {
    return compress_bytes(streams, stream, count, from, to);
  } else {
    if (widest_vectors() == 64) return compress_words_avx512(streams, stream, count, from, to);
    if constexpr (sizeof(Word) <= 8) return compress_words_avx2(streams, stream, count, from, to);
    else return compress_by_copies(streams, stream, count, from, to);
  }
}
#endif

//! Copies the items of `stream` from a run of `count`; returns their number. Writes up to compress_slack bytes, or an
//! item, behind those that are kept.
template <class Item>
index_t compress_items(const std::uint8_t* streams, std::uint8_t stream, index_t count, const Item* from, Item* to) {
#if UPSWEEP_X86_VERSIONS
  if constexpr (std::has_single_bit(sizeof(Item)) && sizeof(Item) <= 16) {
    using word =
        std::tuple_element_t<std::countr_zero(sizeof(Item)), std::tuple<std::uint8_t, std::uint16_t, std::uint32_t,
                                                                        std::uint64_t, std::array<std::uint64_t, 2>>>;
    if (has_vectors_of(32))
      return compress_words(streams, stream, count, reinterpret_cast<const word*>(from), reinterpret_cast<word*>(to));
  }
#endif
  return compress_by_copies(streams, stream, count, from, to);
}

//! The same to where they stay, by way of `staged`.
template <class Item>
index_t move_items(const std::uint8_t* streams, std::uint8_t stream, index_t count, const Item* from, Item* staged,
                   Item* to, bool streaming) {
  const index_t found = compress_items(streams, stream, count, from, staged);
  copy_out(to, staged, static_cast<std::size_t>(found) * sizeof(Item), streaming);
  return found;
}

//! Writes where in [0, count) the items of `stream` stand; returns their number.
inline index_t list_positions(const std::uint8_t* streams, std::uint8_t stream, index_t count,
                              std::uint32_t* positions) {
#if UPSWEEP_X86_VERSIONS
  if (widest_vectors() == 64) return list_positions_avx512(streams, stream, count, positions);
  if (widest_vectors() == 32) return list_positions_avx2(streams, stream, count, positions);
#endif
  index_t found = 0;
  for (index_t k = 0; k < count; k++) {
    positions[found] = static_cast<std::uint32_t>(k);
    found += streams[k] == stream;
  }
  return found;
}

}  // namespace UPSWEEP_NAMESPACE::detail

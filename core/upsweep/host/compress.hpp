// Picking the items of one stream out of a run of items, without a branch an item.
//   list_positions   where a stream's items stand
//   compress_items   the items themselves: several at a time where the processor can (compress_vectors.hpp)
#pragma once
#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

#include <upsweep/config.hpp>
#include <upsweep/host/columns.hpp>
#include <upsweep/host/compress_vectors.hpp>
#include <upsweep/host/memory.hpp>
#include <upsweep/host/versions.hpp>

namespace UPSWEEP_NAMESPACE::detail {

//! What may be read behind the stream numbers, in bytes, and written behind the positions and items that are staged, in
//! those: more than any way needs.
inline constexpr index_t compress_slack = 64;
//! Bytes of an item that is worth moving whether it is of the stream or not.
inline constexpr std::size_t most_compressed = 16;
//! Are so many rows of a stream moved faster than they are fetched, one by one, from where they stand? (One thread of a
//! Zen 4, 2^16 items, ns an item, fetched and moved: 1 byte, 1 in 1000 of the stream, 0.09 and 0.10, 9 in 10 0.58 and
//! 0.11; 8 bytes 0.18 and 0.26, 0.63 and 0.42; 4 bytes, 1 in 10, 0.16 and 0.13; columns of 4, 4 and 1 bytes 0.24 and
//! 0.40. By AVX2 two columns of 4, 1 in 20, 0.15 and 0.46; without vectors 0.49 and 1.4, three of 2, half of the
//! rows, 1.0 and 2.4.)
template <std::size_t RowBytes, index_t Columns>
bool repays_compression(index_t found, index_t count) {
  if (!has_vectors_of(32)) return Columns == 1 && found >= count / 2;
  const bool is_cheap = Columns == 1 && (RowBytes == 4 || (RowBytes <= 2 && has_vectors_of(64)));
  return is_cheap || found >= count * Columns / 8;
}
//! Items of a round: of those that are moved, as many as the first-level cache has room for twice, and a thread's stack
//! for all that is kept of each, `ScratchBytes`.
inline constexpr index_t most_in_round = 4096;
template <std::size_t RowBytes, std::size_t ScratchBytes>
inline constexpr index_t compressed_round =
    std::max(index_t{128}, std::min({most_in_round, index_t{16384 / RowBytes}, index_t{57344 / ScratchBytes}}));

// Every item is written, and the next one over it unless it is of the stream.
template <class Item>
UPSWEEP_INLINE compressed_items compress_by_copies(const run_stream& run, const Item* from, Item* to, index_t room) {
  const auto [streams, stream, count, ahead] = run;
  constexpr index_t of_a_line = sizeof(Item) < 64 ? 64 / sizeof(Item) : 1;
  index_t k = 0, found = 0;
  const auto copy = [&](index_t at) UPSWEEP_LAMBDA_INLINE {
    __builtin_memcpy(static_cast<void*>(to + found), from + at, sizeof(Item));
    found += run.streams[at] == run.stream;
  };
  for (; count - k >= of_a_line && room - found >= of_a_line; k += of_a_line) {
    prefetch_items(from, k + ahead, of_a_line);
    for (index_t j = 0; j < of_a_line; j++) copy(k + j);
  }
  for (; k < count && found < room; k++) copy(k);
  return {k, found};
}

//! Copies the items of a stream from a run, until the run ends or those behind what was kept may have no room, since
//! what is dropped is written too: up to 15 more than it will keep. Says how many it took and kept.
template <class Item>
compressed_items compress_items(const run_stream& run, const Item* from, Item* to, index_t room) {
#if UPSWEEP_X86_VERSIONS
  if constexpr (std::has_single_bit(sizeof(Item)) && sizeof(Item) <= 16) {
    const auto* const bytes = reinterpret_cast<const loose_item<sizeof(Item)>*>(from);
    auto* const target = reinterpret_cast<loose_item<sizeof(Item)>*>(to);
    if (widest_vectors() == 64) return compress_avx512(run, bytes, target, room);
    if constexpr (sizeof(Item) <= 8)
      if (widest_vectors() == 32) return compress_avx2(run, bytes, target, room);
  }
#endif
  return compress_by_copies(run, from, to, room);
}
//! Copies the items of a stream from a run to where they stay; returns their number. `room`: how many of
//! them the part has yet, this run's included; nothing behind them is written. So the last ones go by way of `staged`,
//! and all where the part has few left, and what leaves past the caches. (One thread of a Zen 4, 2^16 items, ns an
//! item, all staged and now: 8 bytes, 9 of 10 kept, 0.38 and 0.28, partition 0.51 and 0.40, of 16 bytes 0.92 and 0.70.)
template <class Item>
index_t move_items(const run_stream& run, const Item* from, Item* staged, Item* to, index_t room, bool streaming) {
  compressed_items first{0, 0};
  const bool are_few = room < run.count / 4;
  if (!streaming && !are_few) first = compress_items(run, from, to, room);
  if (first.taken == run.count) return first.found;
  const run_stream left = run.behind(first.taken);
  const compressed_items rest = compress_items(left, from + first.taken, staged, left.count + compress_slack);
  copy_out(to + first.found, staged, static_cast<std::size_t>(rest.found) * sizeof(Item), streaming);
  return first.found + rest.found;
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

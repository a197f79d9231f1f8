// Picking the items of one stream out of a run of items, without a branch an item.
//   list_positions   where a stream's items stand
//   compress_words   the items themselves, 4 or 8 bytes each, where the processor can (AVX2, AVX-512)
#pragma once
#include <cstdint>

#include <upsweep/config.hpp>
#include <upsweep/host/lane_orders.hpp>
#include <upsweep/host/versions.hpp>

namespace UPSWEEP_NAMESPACE::detail {

inline constexpr index_t compress_slack =
    64;  // what may be read behind the stream numbers, and written behind the positions

#if UPSWEEP_X86_VERSIONS
// Of 16 stream numbers, the ones that are `stream`; the first `count` only.
UPSWEEP_INLINE unsigned stream_mask(const std::uint8_t* streams, std::uint8_t stream, index_t count) {
  typedef char bytes16 __attribute__((vector_size(16)));
  bytes16 numbers;
  __builtin_memcpy(&numbers, streams, 16);
  const auto same = reinterpret_cast<bytes16>(numbers == (bytes16{} + static_cast<char>(stream)));
  const auto mask = static_cast<unsigned>(__builtin_ia32_pmovmskb128(same));
  return count < 16 ? mask & ((1u << count) - 1) : mask;
}

UPSWEEP_AVX2 inline index_t list_positions_avx2(const std::uint8_t* streams, std::uint8_t stream, index_t count,
                                                std::uint32_t* positions) {
  index_t found = 0;
  for (index_t k = 0; k < count; k += 16) {
    const unsigned mask = stream_mask(streams + k, stream, count - k);
    for (unsigned half = 0; half < 16; half += 8) {
      const unsigned kept = mask >> half & 255;
      const lanes8 places = (lane_order<8>(kept) & 7) + (static_cast<unsigned>(k) + half);
      __builtin_memcpy(positions + found, &places, 32);
      found += __builtin_popcount(kept);
    }
  }
  return found;
}
// AVX2 has no compression, but takes lanes in any order. Reads only the run's items; writes up to compress_slack bytes
// behind those that are kept.
template <class Word>
UPSWEEP_AVX2 inline index_t compress_words_avx2(const std::uint8_t* streams, std::uint8_t stream, index_t count,
                                                const Word* from, Word* to) {
  constexpr int lanes = 32 / sizeof(Word);
  index_t found = 0;
  for (index_t k = 0; k < count; k += 16) {
    const unsigned mask = stream_mask(streams + k, stream, count - k);
    for (int first = 0; first < 16; first += lanes) {
      lanes8 items{};
      const index_t left = count - k - first;
      if (left >= lanes) {
        __builtin_memcpy(&items, from + k + first, 32);
      } else if (left > 0) {
        __builtin_memcpy(&items, from + k + first, static_cast<std::size_t>(left) * sizeof(Word));
      }
      __builtin_prefetch(from + k + first + count, 0, 2);  // the next run
      const unsigned kept = mask >> first & ((1u << lanes) - 1);
      const lanes8 picked = named_lanes_first<lanes>(items, kept);
      __builtin_memcpy(to + found, &picked, 32);
      found += __builtin_popcount(kept);
    }
  }
  return found;
}

UPSWEEP_AVX512 inline index_t list_positions_avx512(const std::uint8_t* streams, std::uint8_t stream, index_t count,
                                                    std::uint32_t* positions) {
  typedef int ints16 __attribute__((vector_size(64)));
  ints16 at = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
  index_t found = 0;
  for (index_t k = 0; k < count; k += 16, at += 16) {
    const unsigned mask = stream_mask(streams + k, stream, count - k);
    const ints16 picked = __builtin_ia32_compresssi512_mask(at, ints16{}, static_cast<unsigned short>(mask));
    __builtin_memcpy(positions + found, &picked, 64);
    found += __builtin_popcount(mask);
  }
  return found;
}
// Reads only what belongs to the stream; writes up to compress_slack bytes behind it.
UPSWEEP_AVX512 inline index_t compress_words_avx512(const std::uint8_t* streams, std::uint8_t stream, index_t count,
                                                    const std::uint32_t* from, std::uint32_t* to) {
  typedef int ints16 __attribute__((vector_size(64)));
  index_t found = 0;
  for (index_t k = 0; k < count; k += 16) {
    const auto mask = static_cast<unsigned short>(stream_mask(streams + k, stream, count - k));
    ints16 items;
    if (count - k >= 16) {
      __builtin_memcpy(&items, from + k, 64);
    } else {
      items = __builtin_ia32_loaddqusi512_mask(reinterpret_cast<const int*>(from + k), ints16{}, mask);
    }
    __builtin_prefetch(from + k + count, 0, 2);  // the next run
    const ints16 picked = __builtin_ia32_compresssi512_mask(items, ints16{}, mask);
    __builtin_memcpy(to + found, &picked, 64);
    found += __builtin_popcount(mask);
  }
  return found;
}
UPSWEEP_AVX512 inline index_t compress_words_avx512(const std::uint8_t* streams, std::uint8_t stream, index_t count,
                                                    const std::uint64_t* from, std::uint64_t* to) {
  typedef long long longs8 __attribute__((vector_size(64)));
  index_t found = 0;
  for (index_t k = 0; k < count; k += 8) {
    const auto mask = static_cast<unsigned char>(stream_mask(streams + k, stream, count - k < 8 ? count - k : 8));
    longs8 items;
    if (count - k >= 8) {
      __builtin_memcpy(&items, from + k, 64);
    } else {
      items = __builtin_ia32_loaddqudi512_mask(reinterpret_cast<const long long*>(from + k), longs8{}, mask);
    }
    __builtin_prefetch(from + k + count, 0, 2);
    const longs8 picked = __builtin_ia32_compressdi512_mask(items, longs8{}, mask);
    __builtin_memcpy(to + found, &picked, 64);
    found += __builtin_popcount(mask);
  }
  return found;
}
#endif

template <class Word>
using compression = index_t (*)(const std::uint8_t*, std::uint8_t, index_t, const Word*, Word*);
//! Copies the items of `stream` from a run of `count`; returns their number. Only where has_vectors_of(32).
template <class Word>
index_t compress_words([[maybe_unused]] const std::uint8_t* streams, [[maybe_unused]] std::uint8_t stream,
                       [[maybe_unused]] index_t count, [[maybe_unused]] const void* from, [[maybe_unused]] void* to) {
#if UPSWEEP_X86_VERSIONS
  const auto compress =
      widest_vectors() == 64 ? static_cast<compression<Word>>(&compress_words_avx512) : &compress_words_avx2<Word>;
  return compress(streams, stream, count, static_cast<const Word*>(from), static_cast<Word*>(to));
#else
  return 0;
#endif
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

// Picking the items of one stream out of a run of items by vectors (compress.hpp): AVX2 and BMI2, AVX-512. All read
// nothing behind the run, whose stream numbers may be read past, and write up to 64 bytes behind what they find.
#pragma once
#include <cstddef>
#include <cstdint>

#include <upsweep/config.hpp>
#include <upsweep/host/lane_orders.hpp>
#include <upsweep/host/versions.hpp>

#if UPSWEEP_X86_VERSIONS
namespace UPSWEEP_NAMESPACE::detail {

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

// Bytes are taken out of words of eight (BMI2).
UPSWEEP_AVX2 inline index_t compress_bytes(const std::uint8_t* streams, std::uint8_t stream, index_t count,
                                           const std::uint8_t* from, std::uint8_t* to) {
  constexpr std::uint64_t ones = ~std::uint64_t{0} / 255;
  index_t found = 0;
  for (index_t k = 0; k < count; k += 8) {
    std::uint64_t numbers, word = 0;
    __builtin_memcpy(&numbers, streams + k, 8);
    // Numbers, which are below 128, less the one that is wanted: what is not 0 carries into its byte's highest bit.
    std::uint64_t kept = ~((numbers ^ ones * stream) + ones * 127) >> 7 & ones;
    if (count - k >= 8) {
      __builtin_memcpy(&word, from + k, 8);
    } else {
      __builtin_memcpy(&word, from + k, static_cast<std::size_t>(count - k));
      kept &= (std::uint64_t{1} << 8 * (count - k)) - 1;
    }
    word = __builtin_ia32_pext_di(word, kept * 255);
    __builtin_memcpy(to + found, &word, 8);
    found += __builtin_popcountll(kept);
  }
  return found;
}
// Items of 2 bytes are compressed as words of 4.
UPSWEEP_AVX2 inline index_t compress_words_avx2(const std::uint8_t* streams, std::uint8_t stream, index_t count,
                                                const std::uint16_t* from, std::uint16_t* to) {
  typedef std::uint16_t halves8 __attribute__((vector_size(16)));
  index_t found = 0;
  for (index_t k = 0; k < count; k += 16) {
    const unsigned mask = stream_mask(streams + k, stream, count - k);
    for (int first = 0; first < 16; first += 8) {
      halves8 items{};
      const index_t left = count - k - first;
      if (left >= 8) {
        __builtin_memcpy(&items, from + k + first, 16);
      } else if (left > 0) {
        __builtin_memcpy(&items, from + k + first, static_cast<std::size_t>(left) * 2);
      }
      const unsigned kept = mask >> first & 255;
      const halves8 picked =
          __builtin_convertvector(named_lanes_first<8>(__builtin_convertvector(items, lanes8), kept), halves8);
      __builtin_memcpy(to + found, &picked, 16);
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
                                                    const std::uint16_t* from, std::uint16_t* to) {
  typedef std::uint16_t halves16 __attribute__((vector_size(32)));
  typedef int ints16 __attribute__((vector_size(64)));
  index_t found = 0;
  for (index_t k = 0; k < count; k += 16) {
    const auto mask = static_cast<unsigned short>(stream_mask(streams + k, stream, count - k));
    halves16 items{};
    if (count - k >= 16) __builtin_memcpy(&items, from + k, 32);
    else __builtin_memcpy(&items, from + k, static_cast<std::size_t>(count - k) * 2);
    const ints16 picked = __builtin_ia32_compresssi512_mask(__builtin_convertvector(items, ints16), ints16{}, mask);
    items = __builtin_convertvector(picked, halves16);
    __builtin_memcpy(to + found, &items, 32);
    found += __builtin_popcount(mask);
  }
  return found;
}
// Of 8 bytes, or of 16, which are two lanes.
template <class Word>
UPSWEEP_AVX512 inline index_t compress_words_avx512(const std::uint8_t* streams, std::uint8_t stream, index_t count,
                                                    const Word* from, Word* to) {
  typedef long long longs8 __attribute__((vector_size(64)));
  constexpr int of_a_vector = 64 / sizeof(Word);
  index_t found = 0;
  for (index_t k = 0; k < count; k += 16) {
    const unsigned mask = stream_mask(streams + k, stream, count - k);
    for (int first = 0; first < 16; first += of_a_vector) {
      const Word* at = from + k + first;
      __builtin_prefetch(at + count, 0, 2);
      const unsigned kept = mask >> first & ((1u << of_a_vector) - 1);
      const auto lanes = static_cast<unsigned char>(sizeof(Word) == 8 ? kept : __builtin_ia32_pdep_si(kept, 0x55) * 3);
      const longs8 items = __builtin_ia32_loaddqudi512_mask(reinterpret_cast<const long long*>(at), longs8{}, lanes);
      const longs8 picked = __builtin_ia32_compressdi512_mask(items, longs8{}, lanes);
      __builtin_memcpy(static_cast<void*>(to + found), &picked, 64);
      found += __builtin_popcount(kept);
    }
  }
  return found;
}

}  // namespace UPSWEEP_NAMESPACE::detail
#endif

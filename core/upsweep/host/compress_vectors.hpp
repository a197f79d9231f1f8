// Picking the items of one stream out of a run of items by vectors (compress.hpp): AVX2 and AVX-512. All read nothing
// behind the run, whose stream numbers may be read past. Items are taken 16 at a time, and as many may be written
// whatever is kept of them: where no 16 have room it ends. Positions have 64 bytes of room behind what is found.
#pragma once
#include <cstddef>
#include <cstdint>

#include <upsweep/config.hpp>
#include <upsweep/host/lane_orders.hpp>
#include <upsweep/host/versions.hpp>

namespace UPSWEEP_NAMESPACE::detail {

//! The items of a stream in a run of `count`: those whose number in `streams` is `stream`. Meanwhile those so far ahead
//! are asked for: of the next run, or `ahead` is 0. (Asking for what is no memory takes as long as ten items: the
//! processor looks for it anew each time.)
struct run_stream {
  const std::uint8_t* streams;
  std::uint8_t stream;
  index_t count, ahead;
  run_stream behind(index_t taken) const { return {streams + taken, stream, count - taken, ahead}; }
};
//! How many items of a run were taken, and how many of them kept.
struct compressed_items {
  index_t taken, found;
};

#if UPSWEEP_X86_VERSIONS
//! An item of whatever type, aligned anyhow.
template <std::size_t Bytes>
struct loose_item {
  unsigned char bytes[Bytes];
};

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
// Items of less than 4 bytes become words of 4: eight and sixteen of them as they stand.
template <std::size_t Bytes>
struct narrow_items;
template <>
struct narrow_items<1> {
  using of_8 = std::uint64_t;
  typedef std::uint8_t of_16 __attribute__((vector_size(16)));
};
template <>
struct narrow_items<2> {
  typedef std::uint16_t of_8 __attribute__((vector_size(16)));
  typedef std::uint16_t of_16 __attribute__((vector_size(32)));
};
// (Of __builtin_convertvector of bytes g++ 12 makes many steps.)
UPSWEEP_AVX2 UPSWEEP_INLINE lanes8 widened(const narrow_items<2>::of_8& items) {
  return __builtin_convertvector(items, lanes8);
}
UPSWEEP_AVX2 UPSWEEP_INLINE lanes8 widened(std::uint64_t bytes) {
  typedef char bytes16 __attribute__((vector_size(16)));
  typedef std::uint64_t words2 __attribute__((vector_size(16)));
  const auto lower = reinterpret_cast<bytes16>(words2{bytes, 0});
#if defined(__clang__)
  typedef std::uint8_t bytes8 __attribute__((vector_size(8)));
  return __builtin_convertvector(
      reinterpret_cast<bytes8>(__builtin_shufflevector(lower, lower, 0, 1, 2, 3, 4, 5, 6, 7)), lanes8);
#else
  return reinterpret_cast<lanes8>(__builtin_ia32_pmovzxbd256(lower));
#endif
}
UPSWEEP_AVX2 UPSWEEP_INLINE narrow_items<2>::of_8 narrowed(const lanes8& items, const narrow_items<2>::of_8&) {
  return __builtin_convertvector(items, narrow_items<2>::of_8);
}
UPSWEEP_AVX2 UPSWEEP_INLINE std::uint64_t narrowed(const lanes8& items, std::uint64_t) {
  typedef char bytes32 __attribute__((vector_size(32)));
  constexpr bytes32 lowest = {0, 4, 8, 12, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1,
                              0, 4, 8, 12, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1};
  const auto fours = reinterpret_cast<lanes8>(__builtin_ia32_pshufb256(reinterpret_cast<bytes32>(items), lowest));
  return fours[0] | static_cast<std::uint64_t>(fours[4]) << 32;
}
// AVX2 has no compression, but takes lanes in any order.
template <std::size_t Bytes>
UPSWEEP_AVX2 compressed_items compress_avx2(const run_stream& run, const loose_item<Bytes>* from, loose_item<Bytes>* to,
                                            index_t room) {
  const auto [streams, stream, count, ahead] = run;
  constexpr int of_a_vector = Bytes <= 4 ? 8 : 4;
  constexpr std::size_t bytes = of_a_vector * Bytes;
  index_t k = 0, found = 0;
  for (; k < count && room - found >= 16; k += 16) {
    const unsigned mask = stream_mask(streams + k, stream, count - k);
    for (int first = 0; first < 16; first += of_a_vector) {
      const loose_item<Bytes>* const at = from + k + first;
      const index_t left = count - k - first;
      const auto fetch = [&](auto& items) UPSWEEP_LAMBDA_INLINE {
        if (left >= of_a_vector) __builtin_memcpy(&items, at, bytes);
        else if (left > 0) __builtin_memcpy(&items, at, static_cast<std::size_t>(left) * Bytes);
      };
      __builtin_prefetch(from + ahead + (k + first < count ? k + first : k), 0, 2);  // never behind the run
      const unsigned kept = mask >> first & ((1u << of_a_vector) - 1);
      if constexpr (Bytes < 4) {
        typename narrow_items<Bytes>::of_8 items{};
        fetch(items);
        items = narrowed(named_lanes_first<8>(widened(items), kept), items);
        __builtin_memcpy(static_cast<void*>(to + found), &items, bytes);
      } else {
        lanes8 items{};
        fetch(items);
        items = named_lanes_first<of_a_vector>(items, kept);
        __builtin_memcpy(static_cast<void*>(to + found), &items, bytes);
      }
      found += __builtin_popcount(kept);
    }
  }
  return {k < count ? k : count, found};
}

typedef int ints16 __attribute__((vector_size(64)));
typedef long long longs8 __attribute__((vector_size(64)));
UPSWEEP_AVX512 inline index_t list_positions_avx512(const std::uint8_t* streams, std::uint8_t stream, index_t count,
                                                    std::uint32_t* positions) {
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
// (g++ 12 has no single instruction for __builtin_convertvector of bytes.)
template <class Narrow>
UPSWEEP_AVX512 UPSWEEP_INLINE ints16 widened(const Narrow& items) {
#if !defined(__clang__)
  if constexpr (sizeof(Narrow) == 16) {
    typedef char bytes16 __attribute__((vector_size(16)));
    return __builtin_ia32_pmovzxbd512_mask(reinterpret_cast<bytes16>(items), ints16{}, 0xffff);
  }
#endif
  return __builtin_convertvector(items, ints16);
}
template <class Narrow>
UPSWEEP_AVX512 UPSWEEP_INLINE Narrow narrowed(const ints16& items, const Narrow&) {
  if constexpr (sizeof(Narrow) == 16) {
    typedef char bytes16 __attribute__((vector_size(16)));
    return reinterpret_cast<Narrow>(__builtin_ia32_pmovdb512_mask(items, bytes16{}, 0xffff));
  } else {
    typedef short halves16 __attribute__((vector_size(32)));
    return reinterpret_cast<Narrow>(__builtin_ia32_pmovdw512_mask(items, halves16{}, 0xffff));
  }
}
// Of up to 4 bytes, as words of 4.
template <std::size_t Bytes>
  requires(Bytes <= 4)
UPSWEEP_AVX512 compressed_items compress_avx512(const run_stream& run, const loose_item<Bytes>* from,
                                                loose_item<Bytes>* to, index_t room) {
  const auto [streams, stream, count, ahead] = run;
  index_t k = 0, found = 0;
  for (; k < count && room - found >= 16; k += 16) {
    const auto mask = static_cast<unsigned short>(stream_mask(streams + k, stream, count - k));
    __builtin_prefetch(from + k + ahead, 0, 2);
    if constexpr (Bytes == 4) {
      ints16 items;
      if (count - k >= 16) __builtin_memcpy(&items, from + k, 64);
      else items = __builtin_ia32_loaddqusi512_mask(reinterpret_cast<const int*>(from + k), ints16{}, mask);
      items = __builtin_ia32_compresssi512_mask(items, ints16{}, mask);
      __builtin_memcpy(static_cast<void*>(to + found), &items, 64);
    } else {
      typename narrow_items<Bytes>::of_16 items{};
      if (count - k >= 16) __builtin_memcpy(&items, from + k, sizeof items);
      else __builtin_memcpy(&items, from + k, static_cast<std::size_t>(count - k) * Bytes);
      const ints16 picked = __builtin_ia32_compresssi512_mask(widened(items), ints16{}, mask);
      items = narrowed(picked, items);
      __builtin_memcpy(static_cast<void*>(to + found), &items, sizeof items);
    }
    found += __builtin_popcount(mask);
  }
  return {k < count ? k : count, found};
}
// Of 8 bytes, or of 16, which are two lanes. Reads only what belongs to the stream.
template <std::size_t Bytes>
  requires(Bytes > 4)
UPSWEEP_AVX512 compressed_items compress_avx512(const run_stream& run, const loose_item<Bytes>* from,
                                                loose_item<Bytes>* to, index_t room) {
  const auto [streams, stream, count, ahead] = run;
  constexpr std::uint8_t pairs[] = {0,   3,   12,  15,  48,  51,  60,  63,
                                    192, 195, 204, 207, 240, 243, 252, 255};  // of four items
  constexpr int of_a_vector = 64 / Bytes;
  index_t k = 0, found = 0;
  for (; k < count && room - found >= 16; k += 16) {
    const unsigned mask = stream_mask(streams + k, stream, count - k);
    for (int first = 0; first < 16; first += of_a_vector) {
      const loose_item<Bytes>* const at = from + k + first;
      __builtin_prefetch(from + ahead + (k + first < count ? k + first : k), 0, 2);  // never behind the run
      const unsigned kept = mask >> first & ((1u << of_a_vector) - 1);
      const auto lanes = static_cast<unsigned char>(Bytes == 8 ? kept : pairs[kept & 15]);
      const longs8 items = __builtin_ia32_loaddqudi512_mask(reinterpret_cast<const long long*>(at), longs8{}, lanes);
      const longs8 picked = __builtin_ia32_compressdi512_mask(items, longs8{}, lanes);
      __builtin_memcpy(static_cast<void*>(to + found), &picked, 64);
      found += __builtin_popcount(kept);
    }
  }
  return {k < count ? k : count, found};
}

#endif

}  // namespace UPSWEEP_NAMESPACE::detail

// Splits words around a pivot by vector instructions (AVX2, AVX-512): those up to it go to one buffer, the others to
// another. One of both may be where they come from: streams are written from their beginnings on, never further than
// has been read. So whole registers are stored, of which the first lanes count.
#pragma once
#include <cstring>
#include <type_traits>

#include <upsweep/config.hpp>
#include <upsweep/host/lane_orders.hpp>
#include <upsweep/host/versions.hpp>
#include <upsweep/sort/host/vector_network.hpp>

#if UPSWEEP_X86_VERSIONS
namespace UPSWEEP_NAMESPACE::detail {

//! Where the next word of each stream goes.
template <class Word>
struct split_ends {
  Word *lower, *upper;
};

//! Whole registers, of so many bytes, of words: those below `bound` are lower. (Both loops are written out, since
//! instructions of a target cannot be inlined into a loop that has none.)
template <class Word, int Bytes>
struct register_split;

template <class Word>
struct register_split<Word, 32> {
  using network = vector_network<Word, 32>;
  using words = typename network::words;
  static constexpr int lanes = network::lanes;

  UPSWEEP_AVX2 static split_ends<Word> place(const Word* from, const Word* end, Word bound, split_ends<Word> to) {
    const words bounds = words{} + bound;
#pragma GCC unroll 4
    for (; from < end; from += lanes) {
      words w;
      network::load(w, from);
      const unsigned is_lower = mask_of(w < bounds);
      network::store(named_lanes_first<lanes>(w, is_lower), to.lower);
      network::store(named_lanes_first<lanes>(w, is_lower ^ ((1u << lanes) - 1)), to.upper);
      const int count = __builtin_popcount(is_lower);
      to = {to.lower + count, to.upper + (lanes - count)};
    }
    return to;
  }
  // Which lanes are set: what a comparison says.
  UPSWEEP_AVX2 static UPSWEEP_INLINE unsigned mask_of(const words& set) {
    if constexpr (lanes == 8) {
      typedef float floats __attribute__((vector_size(32)));
      return static_cast<unsigned>(__builtin_ia32_movmskps256(reinterpret_cast<floats>(set)));
    } else {
      typedef double doubles __attribute__((vector_size(32)));
      return static_cast<unsigned>(__builtin_ia32_movmskpd256(reinterpret_cast<doubles>(set)));
    }
  }
};

template <class Word>
struct register_split<Word, 64> {
  using network = vector_network<Word, 64>;
  using words = typename network::words;
  static constexpr int lanes = network::lanes;

  UPSWEEP_AVX512 static split_ends<Word> place(const Word* from, const Word* end, Word bound, split_ends<Word> to) {
    const words bounds = words{} + bound;
    // Beyond the caches that are near a split takes 0.27 to 0.32 ns a word of 4 bytes for 0.31 to 0.46 if lines are
    // asked for (Intel Xeon, L2 2 MiB, 2026-11-25). Not so of a few words: where they end memory may.
    constexpr index_t few = (index_t{1} << 18) / sizeof(Word), line = 64 / sizeof(Word);
    const index_t ahead = end - from > few ? 16 * line : 0;
#pragma GCC unroll 4
    for (; from < end; from += lanes) {
      words w;
      __builtin_prefetch(from + 2 * ahead);
      __builtin_prefetch(to.lower + ahead, 1);
      __builtin_prefetch(to.upper + ahead, 1);
      network::load(w, from);
      const mask is_lower = below(w, bounds);
      pick(w, is_lower, to.lower);
      pick(w, static_cast<mask>(~is_lower), to.upper);
      const int count = __builtin_popcount(is_lower);
      to = {to.lower + count, to.upper + (lanes - count)};
    }
    return to;
  }

  using mask = std::conditional_t<lanes == 16, unsigned short, unsigned char>;
  typedef int ints __attribute__((vector_size(64)));
  typedef long long longs __attribute__((vector_size(64)));
  UPSWEEP_AVX512 static UPSWEEP_INLINE mask below(const words& w, const words& bounds) {
    constexpr int less = 1;
    if constexpr (lanes == 16)
      return __builtin_ia32_cmpd512_mask(reinterpret_cast<ints>(w), reinterpret_cast<ints>(bounds), less, 0xffff);
    else return __builtin_ia32_cmpq512_mask(reinterpret_cast<longs>(w), reinterpret_cast<longs>(bounds), less, 0xff);
  }
  UPSWEEP_AVX512 static UPSWEEP_INLINE void pick(const words& w, mask named, Word* to) {
    if constexpr (lanes == 16) {
      const ints picked = __builtin_ia32_compresssi512_mask(reinterpret_cast<ints>(w), ints{}, named);
      std::memcpy(to, &picked, sizeof(picked));
    } else {
      const longs picked = __builtin_ia32_compressdi512_mask(reinterpret_cast<longs>(w), longs{}, named);
      std::memcpy(to, &picked, sizeof(picked));
    }
  }
};

//! Splits n words around a pivot that is less than the most that a word can be. Both streams have room for n.
template <int Bytes, class Word>
split_ends<Word> split_words(const Word* from, index_t n, Word pivot, split_ends<Word> to) {
  constexpr index_t lanes = register_split<Word, Bytes>::lanes;
  const Word *const end = from + n, *const registers_end = from + n / lanes * lanes;
  to = register_split<Word, Bytes>::place(from, registers_end, static_cast<Word>(pivot + 1), to);
  for (from = registers_end; from < end; from++) {
    Word word;
    std::memcpy(&word, from, sizeof(Word));
    std::memcpy(to.lower, &word, sizeof(Word));
    std::memcpy(to.upper, &word, sizeof(Word));
    const bool is_lower = word <= pivot;
    to = {to.lower + is_lower, to.upper + !is_lower};
  }
  return to;
}

}  // namespace UPSWEEP_NAMESPACE::detail
#endif

// Numbers as signed words of the same order, and back, a register at a time. Of integers some bits are flipped; of
// negative floats all others are, too. (In loops over keys of any type 16 of 4 bytes took 1.25 times as long to sort,
// 2^22 of them 1.05. An Intel Xeon with AVX-512, 2026-11-26.)
#pragma once
#include <algorithm>
#include <cstring>
#include <type_traits>

#include <upsweep/config.hpp>
#include <upsweep/host/versions.hpp>
#include <upsweep/sort/host/vector_network.hpp>
#include <upsweep/sort/sort_task.hpp>

#if UPSWEEP_X86_VERSIONS
namespace UPSWEEP_NAMESPACE::detail {

//! Are keys numbers, of bits whose order is theirs or the opposite, of 4 or 8 bytes?
template <class Item, class Bits>
inline constexpr bool are_number_keys = std::is_arithmetic_v<Item> && (sizeof(Item) == 4 || sizeof(Item) == 8) &&
                                        std::is_same_v<Bits, ordered_bits<key_image<Item>, typename Bits::bits_type>>;

template <class Word>
struct word_range {
  Word least, most;
};

template <class Word, bool Floats>
class number_words {
 public:
  //! By the word of a zero.
  explicit number_words(Word of_zero) : flipped_(of_zero) {}

  //! Both may be the same memory, of which either is numbers.
  void encode(const Word* from, index_t n, Word* to) const { translate<true, false>(from, n, to); }
  void decode(const Word* from, index_t n, Word* to) const { translate<false, false>(from, n, to); }
  //! The same, and says between what the words are.
  word_range<Word> encode_in_range(const Word* from, index_t n, Word* to) const {
    return translate<true, true>(from, n, to);
  }

 private:
  static constexpr Word most_word = static_cast<Word>(static_cast<std::make_unsigned_t<Word>>(~Word{}) >> 1);

  template <bool Encodes, bool Ranged>
  word_range<Word> translate(const Word* from, index_t n, Word* to) const {
    word_range<Word> range{most_word, static_cast<Word>(-most_word - 1)};
    if (widest_vectors() == 64) translate_by<Encodes, Ranged, 64>(from, n, to, range);
    else translate_by<Encodes, Ranged, 32>(from, n, to, range);
    return range;
  }
  template <bool Encodes, bool Ranged, int Bytes>
  void translate_by(const Word* from, index_t n, Word* to, word_range<Word>& range) const {
    using network = vector_network<Word, Bytes>;
    using words = typename network::words;
    constexpr index_t ahead = 4096 / sizeof(Word);
    with_vectors_of<Bytes>([&, own = *this](auto) UPSWEEP_LAMBDA_INLINE {
      words least = words{} + range.least, most = words{} + range.most;
      index_t i = 0;
#pragma GCC unroll 4
      for (; i + network::lanes <= n; i += network::lanes) {
        words w;
        // What a stream's next words are made of: 2^22 take 3.65 for 3.8 ns each. (As vector_sort::streamed_from.)
        // Never what may be no memory, which the processor would look for each time.
        __builtin_prefetch(from + std::min(i + ahead, n - 1));
        network::load(w, from + i);
        own.template flip<Encodes>(w);
        network::store(w, to + i);
        if constexpr (Ranged) {
          least = w < least ? w : least;
          most = w < most ? most : w;
        }
      }
      Word of_lanes[2][network::lanes];
      network::store(least, of_lanes[0]);
      network::store(most, of_lanes[1]);
      const auto widen = [&](Word low, Word high) UPSWEEP_LAMBDA_INLINE {
        range = {std::min(range.least, low), std::max(range.most, high)};
      };
      for (int l = 0; l < network::lanes && Ranged; l++) widen(of_lanes[0][l], of_lanes[1][l]);
      for (; i < n; i++) {
        Word w;
        std::memcpy(&w, from + i, sizeof(Word));
        own.template flip<Encodes>(w);
        std::memcpy(to + i, &w, sizeof(Word));
        if constexpr (Ranged) widen(w, w);
      }
    });
  }
  // A word, or a register of them.
  template <bool Encodes, class Words>
  UPSWEEP_INLINE void flip(Words& w) const {
    if constexpr (!Encodes) w ^= flipped_;
    if constexpr (Floats) w ^= (w >> (8 * static_cast<int>(sizeof(Word)) - 1)) & most_word;
    if constexpr (Encodes) w ^= flipped_;
  }

  Word flipped_;
};

}  // namespace UPSWEEP_NAMESPACE::detail
#endif

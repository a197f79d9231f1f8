// Whole keys as words that vectors sort, and back.
#pragma once
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

#include <upsweep/config.hpp>
#include <upsweep/host/versions.hpp>
#include <upsweep/sort/host/number_words.hpp>
#include <upsweep/sort/host/vector_steps.hpp>
#include <upsweep/sort/sort_task.hpp>

#if UPSWEEP_X86_VERSIONS
namespace UPSWEEP_NAMESPACE::detail {

//! Words whose signed order is that of the keys' bits.
template <class Item, class Bits>
class word_translation {
  using U = std::conditional_t<sizeof(Item) == 8, std::uint64_t, std::uint32_t>;

 public:
  using Word = std::make_signed_t<U>;
  using range = word_range<Word>;
  static constexpr range none{std::numeric_limits<Word>::max(), std::numeric_limits<Word>::min()};
  static UPSWEEP_INLINE range wider(const range& a, const range& b) {
    return {std::min(a.least, b.least), std::max(a.most, b.most)};
  }

  explicit word_translation(const Bits& bits) : bits_(bits) {}

  //! `words` may be the keys' memory.
  void to_words(const Item* keys, index_t n, Word* words) const {
    if constexpr (are_number_keys<Item, Bits>) numbers().encode(reinterpret_cast<const Word*>(keys), n, words);
    else others_to_words(keys, n, words);
  }
  //! The same, and says between what the words are.
  range to_words_in_range(const Item* keys, index_t n, Word* words) const {
    if constexpr (are_number_keys<Item, Bits>)
      return numbers().encode_in_range(reinterpret_cast<const Word*>(keys), n, words);
    else return others_to_words(keys, n, words);
  }
  Word word_of(const Item& key) const { return static_cast<Word>(U{bits_(key)} ^ sign_bit<U>); }
  //! Writes the key of a word n times.
  void fill(Item* keys, index_t n, Word word) const {
    const Item key = bits_.item(static_cast<typename Bits::bits_type>(static_cast<U>(word) ^ sign_bit<U>));
    if constexpr (sizeof(Item) == sizeof(Word))
      vector_steps<Word>().fill(reinterpret_cast<Word*>(keys), n, __builtin_bit_cast(Word, key));
    else std::fill_n(keys, n, key);
  }
  void to_keys(const Word* words, index_t n, Item* keys) const {
    if constexpr (are_number_keys<Item, Bits>) numbers().decode(words, n, reinterpret_cast<Word*>(keys));
    else words_to_others(words, n, keys);
  }

 private:
  auto numbers() const { return number_words<Word, std::is_floating_point_v<Item>>(word_of(Item{})); }
  range others_to_words(const Item* keys, index_t n, Word* words) const {
    range all = none;
    for_each_stretch(n, [&, bits = bits_](index_t first, index_t count) UPSWEEP_LAMBDA_INLINE {
      Word stretch[stretch_size];
      for (index_t k = 0; k < count; k++) stretch[k] = static_cast<Word>(U{bits(keys[first + k])} ^ sign_bit<U>);
      std::memcpy(words + first, stretch, static_cast<std::size_t>(count) * sizeof(Word));
      range of_stretch = all;
      for (index_t k = 0; k < count; k++) of_stretch = wider(of_stretch, {stretch[k], stretch[k]});
      all = of_stretch;
    });
    return all;
  }
  void words_to_others(const Word* words, index_t n, Item* keys) const {
    for_each_stretch(n, [&, bits = bits_](index_t first, index_t count) UPSWEEP_LAMBDA_INLINE {
      U stretch[stretch_size];
      std::memcpy(stretch, words + first, static_cast<std::size_t>(count) * sizeof(U));
      Item translated[stretch_size];
      for (index_t k = 0; k < count; k++)
        translated[k] = bits.item(static_cast<typename Bits::bits_type>(stretch[k] ^ sign_bit<U>));
      std::memcpy(keys + first, translated, static_cast<std::size_t>(count) * sizeof(Item));
    });
  }
  // Compilers know that a stretch is nowhere else in memory.
  static constexpr index_t stretch_size = 64;
  template <class Translate>
  static void for_each_stretch(index_t n, const Translate& translate) {
    const auto loop = [&](auto) UPSWEEP_LAMBDA_INLINE {
      index_t i = 0;
      for (; i + stretch_size <= n; i += stretch_size) translate(i, stretch_size);
      if (i < n) translate(i, n - i);
    };
    if (widest_vectors() == 64) with_vectors_of<64>(loop);
    else with_vectors_of<32>(loop);
  }

  Bits bits_;
};

}  // namespace UPSWEEP_NAMESPACE::detail
#endif

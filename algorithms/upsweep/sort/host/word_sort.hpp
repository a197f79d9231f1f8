// Whole keys of 4 and 8 bytes, sorted as signed words where the processor has vector instructions for it.
#pragma once
#include <algorithm>
#include <cstring>
#include <limits>
#include <type_traits>
#include <vector>

#include <upsweep/config.hpp>
#include <upsweep/executor.hpp>
#include <upsweep/host/share_out.hpp>
#include <upsweep/host/versions.hpp>
#include <upsweep/sort/host/vector_sort.hpp>
#include <upsweep/sort/sort_task.hpp>

namespace UPSWEEP_NAMESPACE::detail {

#if UPSWEEP_X86_VERSIONS
//! Words whose signed order is that of the keys' bits.
template <class Item, class Bits>
class word_translation {
 public:
  using U = typename Bits::bits_type;
  using Word = std::make_signed_t<U>;
  struct range {
    Word least = std::numeric_limits<Word>::max(), most = std::numeric_limits<Word>::min();
    void widen(const range& other) {
      least = std::min(least, other.least);
      most = std::max(most, other.most);
    }
  };

  explicit word_translation(const Bits& bits) : bits_(bits) {}

  //! `words` may be the keys' memory.
  range to_words(const Item* keys, index_t n, Word* words) const {
    range all;
    for_each_stretch(n, [&, bits = bits_](index_t first, index_t count) UPSWEEP_LAMBDA_INLINE {
      Word stretch[stretch_size];
      for (index_t k = 0; k < count; k++) stretch[k] = static_cast<Word>(bits(keys[first + k]) ^ sign_bit<U>);
      std::memcpy(words + first, stretch, static_cast<std::size_t>(count) * sizeof(Word));
      range of_stretch = all;
      for (index_t k = 0; k < count; k++) of_stretch.widen({stretch[k], stretch[k]});
      all = of_stretch;
    });
    return all;
  }
  void to_keys(const Word* words, index_t n, Item* keys) const {
    for_each_stretch(n, [&, bits = bits_](index_t first, index_t count) UPSWEEP_LAMBDA_INLINE {
      U stretch[stretch_size];
      std::memcpy(stretch, words + first, static_cast<std::size_t>(count) * sizeof(U));
      Item translated[stretch_size];
      for (index_t k = 0; k < count; k++) translated[k] = bits.item(static_cast<U>(stretch[k] ^ sign_bit<U>));
      std::memcpy(keys + first, translated, static_cast<std::size_t>(count) * sizeof(Item));
    });
  }

 private:
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
#endif

//! Sorts n > 0 keys into `out`; that and `spare` may be where they stand.
template <class Item, class Bits>
void sort_by_vectors([[maybe_unused]] const Item* keys, [[maybe_unused]] index_t n, [[maybe_unused]] const Bits& bits,
                     [[maybe_unused]] Item* out, [[maybe_unused]] Item* spare, [[maybe_unused]] int threads) {
#if UPSWEEP_X86_VERSIONS
  using translation = word_translation<Item, Bits>;
  using Word = typename translation::Word;
  using sorter_type = vector_sort<Word>;
  using piece = typename sorter_type::piece;
  const translation translate(bits);
  const sorter_type sorter;
  const bool moved = keys == spare;
  auto* const words = reinterpret_cast<Word*>(moved ? spare : out);
  auto* const other = reinterpret_cast<Word*>(moved ? out : spare);
  auto* const sorted = reinterpret_cast<Word*>(out);
  const auto finish = [&](const piece& p) { translate.to_keys(p.sorted(), p.n, out + (p.sorted() - sorted)); };
  if (threads == 1 && n >= sorter.made_from) {
    const auto make = [&](index_t i, index_t count, Word* to) { translate.to_words(keys + i, count, to); };
    return sorter.sort_made(n, make, sorted, moved ? words : other, &finish);
  }
  if (threads == 1) {
    const auto values = translate.to_words(keys, n, words);
    return sorter.sort({words, other, n, moved, values.least, values.most}, &finish);
  }

  // One piece is split until there are two for each thread, or what is left is too little.
  constexpr std::size_t least_bytes = std::size_t{32} << 10;
  const std::size_t wanted =
      std::min(2 * static_cast<std::size_t>(threads), static_cast<std::size_t>(n) * sizeof(Word) / least_bytes + 1);
  std::vector<typename translation::range> of_parts(static_cast<std::size_t>(threads));
  share_out(threads, threads, [&](index_t part) {
    const index_t begin = n * part / threads, end = n * (part + 1) / threads;
    of_parts[static_cast<std::size_t>(part)] = translate.to_words(keys + begin, end - begin, words + begin);
  });
  typename translation::range values;
  for (const auto& of_part : of_parts) values.widen(of_part);
  const std::vector<piece> pieces = sorter.split(
      {.words = words, .other = other, .n = n, .moved = moved, .least = values.least, .most = values.most}, wanted);
  share_out(threads, static_cast<index_t>(pieces.size()), [&](index_t k) {
    if (pieces[static_cast<std::size_t>(k)].n > 0) sorter.sort(pieces[static_cast<std::size_t>(k)], &finish);
  });
#endif
}

}  // namespace UPSWEEP_NAMESPACE::detail

// Whole keys, sorted as signed words of 4 and 8 bytes where the processor has vector instructions for it.
#pragma once
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>
#include <utility>
#include <vector>

#include <upsweep/config.hpp>
#include <upsweep/executor.hpp>
#include <upsweep/host/share_out.hpp>
#include <upsweep/host/versions.hpp>
#include <upsweep/memory.hpp>
#include <upsweep/sort/host/shared_split.hpp>
#include <upsweep/sort/host/vector_sort.hpp>
#include <upsweep/sort/sort_task.hpp>

namespace UPSWEEP_NAMESPACE::detail {

#if UPSWEEP_X86_VERSIONS
//! Words whose signed order is that of the keys' bits.
template <class Item, class Bits>
class word_translation {
  using U = std::conditional_t<sizeof(Item) == 8, std::uint64_t, std::uint32_t>;

 public:
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
      // What a stream's next words are made of: 2^22 take 3.65 for 3.8 ns each. (As vector_sort::streamed_from.)
      for (index_t k = 0; k < stretch_size; k += 64 / sizeof(Item))
        __builtin_prefetch(keys + first + k + 4096 / sizeof(Item));
      Word stretch[stretch_size];
      for (index_t k = 0; k < count; k++) stretch[k] = static_cast<Word>(U{bits(keys[first + k])} ^ sign_bit<U>);
      std::memcpy(words + first, stretch, static_cast<std::size_t>(count) * sizeof(Word));
      range of_stretch = all;
      for (index_t k = 0; k < count; k++) of_stretch.widen({stretch[k], stretch[k]});
      all = of_stretch;
    });
    return all;
  }
  Item key_of(Word word) const {
    return bits_.item(static_cast<typename Bits::bits_type>(static_cast<U>(word) ^ sign_bit<U>));
  }
  void to_keys(const Word* words, index_t n, Item* keys) const {
    for_each_stretch(n, [&, bits = bits_](index_t first, index_t count) UPSWEEP_LAMBDA_INLINE {
      U stretch[stretch_size];
      std::memcpy(stretch, words + first, static_cast<std::size_t>(count) * sizeof(U));
      Item translated[stretch_size];
      for (index_t k = 0; k < count; k++)
        translated[k] = bits.item(static_cast<typename Bits::bits_type>(stretch[k] ^ sign_bit<U>));
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

//! Sorts keys that a network sorts in registers into `out`, which may be where they stand; false if there are more.
template <class Item, class Bits>
bool sort_few_by_vectors([[maybe_unused]] const Item* keys, [[maybe_unused]] index_t n,
                         [[maybe_unused]] const Bits& bits, [[maybe_unused]] Item* out) {
#if UPSWEEP_X86_VERSIONS
  using translation = word_translation<Item, Bits>;
  using Word = typename translation::Word;
  const vector_steps<Word> steps;
  if (n > steps.few) return false;
  Word words[vector_steps<Word>::most_few];
  const translation translate(bits);
  translate.to_words(keys, n, words);
  steps.sort_few(words, n, words);
  translate.to_keys(words, n, out);
  return true;
#else
  return false;
#endif
}

#if UPSWEEP_X86_VERSIONS
//! Two buffers of words for n keys; they end in the first one, and the keys in `out`, in the same order.
template <class Item, class Bits>
struct word_buffers {
  using Word = typename word_translation<Item, Bits>::Word;
  Word *sorted, *other;
  Item* out;
};

//! Sorts n > 0 keys, which may stand in either buffer, or in `out`.
template <class Item, class Bits>
void sort_words(const Item* keys, index_t n, const Bits& bits, const word_buffers<Item, Bits>& to, int threads) {
  using translation = word_translation<Item, Bits>;
  using Word = typename translation::Word;
  using sorter_type = vector_sort<Word>;
  using piece = typename sorter_type::piece;
  const translation translate(bits);
  const sorter_type sorter;
  const auto to_keys = [&](const piece& p) {
    Item* const keys_of_piece = to.out + (p.sorted() - to.sorted);
    if (p.least == p.most) std::fill_n(keys_of_piece, p.n, translate.key_of(p.least));
    else translate.to_keys(p.sorted(), p.n, keys_of_piece);
  };
  const typename sorter_type::finisher finish = to_keys;
  const bool moved = static_cast<const void*>(keys) == to.other;
  piece whole{.words = to.sorted,
              .other = to.other,
              .n = n,
              .moved = moved,
              .least = std::numeric_limits<Word>::min(),
              .most = std::numeric_limits<Word>::max()};
  if (threads == 1 && n >= sorter.streamed_from && !moved) {
    const auto make = [&](index_t i, index_t count, Word* words) { translate.to_words(keys + i, count, words); };
    sorter.sort_by_streams(whole, make, &finish);
    return;
  }
  if (moved) std::swap(whole.words, whole.other);
  const auto set_range = [&](const auto& values) { whole.least = values.least, whole.most = values.most; };
  if (threads == 1) {
    set_range(translate.to_words(keys, n, whole.words));
    return sorter.sort(whole, &finish);
  }

  // One piece is split until there are two for each thread, or what is left is too little.
  constexpr std::size_t least_bytes = std::size_t{32} << 10;
  const std::size_t wanted =
      std::min(2 * static_cast<std::size_t>(threads), static_cast<std::size_t>(n) * sizeof(Word) / least_bytes + 1);
  std::vector<typename translation::range> of_parts(static_cast<std::size_t>(threads));
  share_out(threads, threads, [&](index_t part) {
    const index_t begin = n * part / threads, end = n * (part + 1) / threads;
    of_parts[static_cast<std::size_t>(part)] = translate.to_words(keys + begin, end - begin, whole.words + begin);
  });
  typename translation::range values;
  for (const auto& of_part : of_parts) values.widen(of_part);
  set_range(values);
  const std::vector<piece> pieces = shared_split<Word>(sorter, threads).pieces_of(whole, wanted);
  share_out(threads, static_cast<index_t>(pieces.size()), [&](index_t k) {
    if (pieces[static_cast<std::size_t>(k)].n > 0) sorter.sort(pieces[static_cast<std::size_t>(k)], &finish);
  });
}
#endif

//! Sorts n > 0 keys of 4 or 8 bytes into `out`; that and `spare` may be where they stand.
template <class Item, class Bits>
void sort_by_vectors([[maybe_unused]] const Item* keys, [[maybe_unused]] index_t n, [[maybe_unused]] const Bits& bits,
                     [[maybe_unused]] Item* out, [[maybe_unused]] Item* spare, [[maybe_unused]] int threads) {
#if UPSWEEP_X86_VERSIONS
  using Word = typename word_translation<Item, Bits>::Word;
  sort_words<Item, Bits>(keys, n, bits, {reinterpret_cast<Word*>(out), reinterpret_cast<Word*>(spare), out}, threads);
#endif
}

//! Sorts n > 0 keys of 2 bytes into `out`, which may be where they stand, as words of 4 in memory of their own.
template <class Item, class Bits>
void sort_widened([[maybe_unused]] host& executor, [[maybe_unused]] const Item* keys, [[maybe_unused]] index_t n,
                  [[maybe_unused]] const Bits& bits, [[maybe_unused]] Item* out) {
#if UPSWEEP_X86_VERSIONS
  const lent_items<std::int32_t> words(executor.lender(), 2 * n);
  sort_words<Item, Bits>(keys, n, bits, {words.data(), words.data() + n, out}, 1);
#endif
}

}  // namespace UPSWEEP_NAMESPACE::detail

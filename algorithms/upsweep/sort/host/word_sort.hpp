// Whole keys, sorted as signed words of 4 and 8 bytes where the processor has vector instructions for it.
#pragma once
#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include <upsweep/config.hpp>
#include <upsweep/executor.hpp>
#include <upsweep/host/share_out.hpp>
#include <upsweep/host/versions.hpp>
#include <upsweep/memory.hpp>
#include <upsweep/sort/host/shared_split.hpp>
#include <upsweep/sort/host/vector_sort.hpp>
#include <upsweep/sort/host/word_translation.hpp>
#include <upsweep/sort/sort_task.hpp>

namespace UPSWEEP_NAMESPACE::detail {

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
    if (p.least == p.most) translate.fill(keys_of_piece, p.n, p.least);
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
  const auto make = [&](index_t i, index_t count, Word* words) { translate.to_words(keys + i, count, words); };
  const bool has_streams = n >= sorter.streamed_from && !moved;
  if (threads == 1 && !moved && (has_streams || sorter.makes_and_splits(n))) {
    sorter.sort_by_streams(whole, make, &finish);
    return;
  }
  if (moved) std::swap(whole.words, whole.other);
  const auto set_range = [&](const auto& values) { whole.least = values.least, whole.most = values.most; };
  if (threads == 1) {
    if (sorter.wants_range()) set_range(translate.to_words_in_range(keys, n, whole.words));
    else translate.to_words(keys, n, whole.words);
    return sorter.sort(whole, &finish);
  }

  const shared_split<Word> split(sorter, threads);
  std::vector<piece> pieces;
  if (!has_streams || !split.make_streams(whole, make, pieces)) {
    std::vector<typename translation::range> of_parts(static_cast<std::size_t>(threads));
    share_out(threads, threads, [&](index_t part) {
      const index_t begin = n * part / threads, end = n * (part + 1) / threads;
      of_parts[static_cast<std::size_t>(part)] =
          translate.to_words_in_range(keys + begin, end - begin, whole.words + begin);
    });
    auto values = translation::none;
    for (const auto& of_part : of_parts) values = translation::wider(values, of_part);
    set_range(values);
  }
  if (pieces.empty()) {
    // One piece is split until there are two for each thread, or what is left is too little.
    constexpr std::size_t least_bytes = std::size_t{32} << 10;
    const std::size_t wanted =
        std::min(2 * static_cast<std::size_t>(threads), static_cast<std::size_t>(n) * sizeof(Word) / least_bytes + 1);
    pieces = split.pieces_of(whole, wanted);
  }
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

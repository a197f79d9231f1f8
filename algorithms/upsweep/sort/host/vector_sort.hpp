// Sorts signed words by vector instructions (vector_steps.hpp): a quicksort between two buffers, down to what a network
// sorts in registers. Many are first split into eight streams (word_streams.hpp). By AVX2, where many digits of the
// words are in use, one pass of a radix sort takes the place of many splits.
#pragma once
#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>
#include <utility>

#include <upsweep/config.hpp>
#include <upsweep/host/crew.hpp>
#include <upsweep/host/versions.hpp>
#include <upsweep/sort/host/digits.hpp>
#include <upsweep/sort/host/parts.hpp>
#include <upsweep/sort/host/vector_steps.hpp>
#include <upsweep/sort/host/word_streams.hpp>

#if UPSWEEP_X86_VERSIONS
namespace UPSWEEP_NAMESPACE::detail {

//! Memory of the words may hold something else (floats, say): they are read and written by memcpy alone.
template <class Word>
class vector_sort {
 public:
  //! Words in a range of values, and memory for as many; they end there if `moved`.
  struct piece {
    Word *words, *other;
    index_t n;
    bool moved;
    Word least, most;
    int chances = most_chances;

    Word* sorted() const { return moved ? other : words; }
    Word* unsorted() const { return moved ? words : other; }
    //! Words [begin, end) after they went to `other`.
    piece part(index_t begin, index_t end, Word lowest, Word highest) const {
      return {.words = other + begin,
              .other = words + begin,
              .n = end - begin,
              .moved = !moved,
              .least = lowest,
              .most = highest,
              .chances = chances};
    }
  };

  using finisher = function_view<const piece&>;

  //! Calls (*finish)(p) for every piece that is sorted, while it is in the nearest cache where that can be; null: none.
  //! Where its words are known by their range, as all are equal, they need not be there.
  void sort(const piece& p, const finisher* finish) const {
    if (p.least == p.most) return settle(p.sorted(), p.n, p.least, finish);
    if (finish && p.n <= finished) {
      sort(p, nullptr);
      return (*finish)(p);
    }
    if (p.n <= steps_.few) return steps_.sort_few(p.words, p.n, p.sorted());
    if (steps_.are_equal(p.words, p.n)) return settle(p.sorted(), p.n, word_at(p.words), finish);
    if (is_worth_counting(p.n)) {
      std::vector<equal_words<Word>> all;
      if (steps_.count_few(p.words, p.n, all)) return settle(p.sorted(), all, finish);
    }
    if (is_worth_scattering(p.n)) {
      const digit d(p, steps_.few);
      if (are_worth_six_splits(p.n, [&](index_t i) { return d(word_at(p.words + i)); }))
        return sort_by_digit(p, d, finish);
    }
    const auto read = [&](index_t i, index_t count, Word* to) {
      if (to != p.words + i) std::memcpy(to, p.words + i, static_cast<std::size_t>(count) * sizeof(Word));
    };
    if (p.n >= streamed_from && !p.moved && p.chances == most_chances && sort_by_streams(p, read, finish, false))
      return;
    const auto [front, back] = halves(p);
    sort(front, finish);
    sort(back, finish);
  }

  //! Of 4 MiB and more: less is in reach when it is split by halves. (Streams from 0.5, 4 and 8 MiB on, ns a key of 4
  //! bytes: 2^18 2.8, 2.6 and 2.6, 2^20 3.0, 2.95 and 3.2, 2^22 3.9, 3.65 and 3.7. One thread of an Intel Xeon with
  //! AVX-512, L2 2 MiB, 2026-11-25.)
  static constexpr index_t streamed_from = (index_t{4} << 20) / sizeof(Word);
  //! The same of a piece that has not moved, whose words are made as they are split for the first time, and may be made
  //! of what stands in its place. False, and nothing done, if too many are equal and two streams will not do.
  bool sort_by_streams(const piece& p, const word_maker<Word>& make, const finisher* finish,
                       bool two_will_do = true) const {
    auto streams = streams_of(p);
    if (!set_bounds(streams, p, make, two_will_do)) return false;
    const index_t placed = streams.place(p.n, make, p.words, p.other);
    piece next = p;
    next.chances--;  // if the samples were not like the others
    if (placed < p.n) {
      streams.join();
      make(placed, p.n - placed, p.words + placed);
      sort(next, finish);
      return true;
    }
    // Before the first stream gets the other buffer, the others leave it.
    index_t end = p.n;
    for (int s = streams.count() - 1; s >= 0; s--) {
      next.n = streams.size(s);
      end -= next.n;
      next.words = streams.begin(s);
      next.other = s == 0 ? p.other : p.words + end;
      next.moved = s != 0;
      next.least = streams.lowest(s);
      next.most = streams.highest(s);
      next.chances = next.n > (streams.count() == 2 ? p.n - p.n / 8 : p.n / 2) ? p.chances - 1 : p.chances;
      sort(next, finish);
    }
    return true;
  }

  static constexpr index_t made_from = (index_t{1} << 20) / sizeof(Word);
  //! Are so many words, fewer than have streams, better made as they are split in two than before? From 1 MiB on: 2^18
  //! doubles take 5.6 ns each for 6.0, 2^18 words of 4 bytes of a few thousand values 1.36 for 1.52, but 2^16 2.6 for
  //! 2.5. (One thread of an Intel Xeon with AVX-512, L2 2 MiB, 2026-11-26.)
  bool makes_and_splits(index_t n) const { return !wants_range() && n >= made_from; }
  //! Is it worth knowing between what all words are? Digits are cut from that.
  bool wants_range() const { return !steps_.wide; }

  word_streams<Word> streams_of(const piece& p) const { return {steps_, p.least, p.most}; }
  //! Streams of equal parts of samples from all over, which the other buffer has room for.
  bool set_bounds(word_streams<Word>& streams, const piece& p, const word_maker<Word>& make, bool two_will_do) const {
    if (p.n < streamed_from) return set_two(streams, p, make);
    constexpr index_t together = 8;
    const index_t samples = std::min(p.n / 32 / together * together, word_streams<Word>::most_samples);
    for (index_t k = 0; k < samples; k += together) make((p.n - together) / samples * k, together, p.other + k);
    sort({p.other, p.other + samples, samples, false, p.least, p.most}, nullptr);
    if (streams.set_eight(p.other, samples)) return true;
    if (two_will_do) streams.set_two(p.other, samples);
    return two_will_do;
  }

  // ---------------------------------------------------------------- splits
  //! The second piece may be empty.
  std::pair<piece, piece> split_in_two(const piece& p) const {
    if (!is_worth_splitting(p)) return {p, {p.words + p.n, p.other + p.n, 0, p.moved, p.least, p.most}};
    return halves(p);
  }
  bool is_worth_splitting(const piece& p) const { return p.n > steps_.few && !are_equal(p); }
  Word pivot_of(const piece& p) const {
    const Word wanted = p.chances > 0 ? steps_.sampled_median(p.words, p.n) : middle(p.least, p.most);
    return std::min(wanted, static_cast<Word>(p.most - 1));
  }
  //! Words [begin, end) of a piece: those up to the pivot stay where they are in the buffer in which all will end,
  //! those above in the other one. Says how many are lower.
  index_t split(const piece& p, Word pivot, index_t begin, index_t end) const {
    Word* const lower = p.sorted() + begin;
    return steps_.split(p.words + begin, end - begin, pivot, {lower, p.unsorted() + begin}).lower - lower;
  }
  //! Both parts, where `lower` words stand at the beginning of one buffer and the others at that of the other. Each
  //! gets what the other leaves free.
  static std::pair<piece, piece> parts_of(const piece& p, Word pivot, index_t lower) {
    const index_t upper = p.n - lower;
    const int chances = std::min(lower, upper) < p.n / 8 ? std::max(p.chances - 1, 0) : p.chances;
    return {{p.sorted(), p.unsorted() + upper, lower, false, p.least, pivot, chances},
            {p.unsorted(), p.sorted() + lower, upper, true, static_cast<Word>(pivot + 1), p.most, chances}};
  }

 private:
  using U = std::make_unsigned_t<Word>;
  static constexpr index_t finished = 4096;
  // How often a split may leave less than an eighth on one side before pivots are no longer sampled, but halve the
  // range of values: so every word is moved once for each of its bits, at worst.
  static constexpr int most_chances = 4;

  vector_steps<Word> steps_;

  static Word word_at(const Word* from) {
    Word word;
    std::memcpy(&word, from, sizeof(Word));
    return word;
  }
  static Word middle(Word least, Word most) {
    const auto distance = static_cast<U>(static_cast<U>(most) - static_cast<U>(least));
    return static_cast<Word>(static_cast<U>(least) + distance / 2);
  }

  bool are_equal(const piece& p) const { return p.least == p.most || steps_.are_equal(p.words, p.n); }
  void settle(Word* sorted, index_t n, Word value, const finisher* finish) const {
    if (finish) return (*finish)({sorted, nullptr, n, false, value, value});
    steps_.fill(sorted, n, value);
  }
  void settle(Word* sorted, std::vector<equal_words<Word>>& all, const finisher* finish) const {
    sort_by_value(all);
    for (const auto& [value, count] : all) {
      settle(sorted, count, value, finish);
      sorted += count;
    }
  }
  // From so many words on a look at 64 of them costs little, and by AVX-512 counting less than the splits: once they
  // are out of the caches that are near.
  bool is_worth_counting(index_t n) const { return n >= (steps_.wide ? 1 << 18 : 8192); }

  bool set_two(word_streams<Word>& streams, const piece& p, const word_maker<Word>& make) const {
    Word some[vector_steps<Word>::most_few];
    const index_t lanes = steps_.lanes, step = (p.n - lanes) / 8;
    for (index_t k = 0; k < 9; k++) make(step * k, lanes, some + lanes * k);
    streams.set_two(steps_.sampled_median(some, 9 * lanes));
    return true;
  }
  std::pair<piece, piece> halves(const piece& p) const {
    const Word pivot = pivot_of(p);
    return parts_of(p, pivot, split(p, pivot, 0, p.n));
  }

  // ---------------------------------------------------------------- digits
  // A pass by digits costs what six splits do by AVX2, from about 2^13 words on (2^11 of 8 bytes), as long as the lines
  // and pages that it writes to stay in reach. (AMD EPYC of family 25, 2026-11-22.)
  static constexpr int widest = 9;
  bool is_worth_scattering(index_t n) const {
    return !steps_.wide && (sizeof(Word) == 4 ? 8192 : 2048) <= n && n <= index_t{1} << 17;
  }

  struct digit {
    U least;
    int shift, count;

    // As many digits as leave what the network sorts.
    digit(const piece& p, index_t few) : least(static_cast<U>(p.least)) {
      const auto distance = static_cast<U>(static_cast<U>(p.most) - least);
      const int wanted = std::min(static_cast<int>(std::bit_width(static_cast<std::uint64_t>(2 * p.n / few))), widest);
      shift = std::max(static_cast<int>(std::bit_width(distance)) - wanted, 0);
      count = static_cast<int>(distance >> shift) + 1;
    }
    UPSWEEP_INLINE std::size_t operator()(Word word) const {
      return static_cast<std::size_t>(static_cast<U>(static_cast<U>(word) - least) >> shift);
    }
    Word lowest(int d) const { return static_cast<Word>(least + (static_cast<U>(d) << shift)); }
  };

  void sort_by_digit(const piece& p, const digit d, const finisher* finish) const {
    std::uint32_t at[2][1 << widest];
    for (auto& of_half : at) std::memset(of_half, 0, static_cast<std::size_t>(d.count) * sizeof(std::uint32_t));
    const Word* const in = p.words;
    Word* const to = p.other;
    for_each_of_halves(0, p.n / 2, p.n,
                       [&](index_t i, int side) UPSWEEP_LAMBDA_INLINE { at[side][d(word_at(in + i))]++; });
    std::uint32_t sum = 0;
    for (int k = 0; k < d.count; k++)
      for (auto& of_half : at) sum += std::exchange(of_half[k], sum);
    for_each_of_halves(0, p.n / 2, p.n, [&](index_t i, int side) UPSWEEP_LAMBDA_INLINE {
      const Word word = word_at(in + i);
      std::memcpy(to + at[side][d(word)]++, &word, sizeof(Word));
    });
    index_t begin = 0;
    for (int k = 0; k < d.count; k++) {
      const index_t end = at[1][k];
      const Word highest = k + 1 == d.count ? p.most : static_cast<Word>(d.lowest(k + 1) - 1);
      if (begin < end) sort(p.part(begin, end, d.lowest(k), highest), finish);
      begin = end;
    }
  }
};

}  // namespace UPSWEEP_NAMESPACE::detail
#endif

// Sorts signed words by vector instructions (vector_steps.hpp): a quicksort between two buffers, down to what a network
// sorts in registers. By AVX2, where many digits of the words are in use, one pass of a radix sort takes the place of
// many splits.
#pragma once
#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>
#include <utility>
#include <vector>

#include <upsweep/config.hpp>
#include <upsweep/host/versions.hpp>
#include <upsweep/sort/host/digits.hpp>
#include <upsweep/sort/host/parts.hpp>
#include <upsweep/sort/host/vector_steps.hpp>

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

  //! Calls (*finish)(p) for every piece that is sorted, while it is in the nearest cache where that can be; null: none.
  template <class Finish>
  void sort(const piece& p, const Finish* finish) const {
    if (finish && p.n <= finished) return sort<Finish>(p, nullptr), (*finish)(p);
    if (p.n <= steps_.few) return steps_.sort_few(p.words, p.n, p.sorted());
    if (is_settled(p) || (is_worth_counting(p.n) && steps_.sort_few_values(p.words, p.n, p.sorted()))) {
      if (finish) (*finish)(p);
      return;
    }
    if (is_worth_scattering(p.n)) {
      const digit d(p, steps_.few);
      if (are_worth_six_splits(p.n, [&](index_t i) { return d(word_at(p.words + i)); }))
        return sort_by_digit(p, d, finish);
    }
    const auto [front, back] = halves(p);
    sort(front, finish);
    sort(back, finish);
  }

  //! The same of n words that are made as they are split for the first time: make(i, count, to) writes some of them,
  //! from the i-th on. They may be made of what stands in either buffer.
  template <class Make, class Finish>
  void sort_made(index_t n, const Make& make, Word* sorted, Word* other, const Finish* finish) const {
    constexpr Word least = std::numeric_limits<Word>::min(), most = std::numeric_limits<Word>::max();
    constexpr index_t at_once = 1024;
    Word some[at_once];
    static_assert(at_once >= vector_steps<Word>::most_sampled);
    for (index_t k = 0; k < 9; k++) make((n - steps_.lanes) / 8 * k, steps_.lanes, some + k * steps_.lanes);
    const Word pivot = std::min(steps_.sampled_median(some, 9 * steps_.lanes), static_cast<Word>(most - 1));
    const split_ends<Word> begins{sorted, other};
    split_ends<Word> ends = begins;
    for (index_t i = 0; i < n; i += at_once) {
      const index_t count = std::min(at_once, n - i);
      make(i, count, some);
      ends = steps_.split(some, count, pivot, ends);
    }
    const auto [front, back] = halves_of({sorted, other, n, false, least, most}, pivot, begins, ends);
    sort(front, finish);
    sort(back, finish);
  }
  //! Fewer words are in reach when they are split, and better known by the range of their values.
  static constexpr index_t made_from = (index_t{1} << 17) + 1;

  //! So many pieces of one, to be sorted in any order: the largest first, the last ones may be empty.
  std::vector<piece> split(const piece& whole, std::size_t wanted) const {
    std::vector<piece> pieces{whole};
    pieces.reserve(wanted);
    const auto smaller = [](const piece& a, const piece& b) { return a.n < b.n; };
    while (pieces.size() < wanted) {
      const auto largest = std::max_element(pieces.begin(), pieces.end(), smaller);
      const auto [front, back] = split_in_two(*largest);
      *largest = front;
      pieces.push_back(back);
    }
    std::sort(pieces.rbegin(), pieces.rend(), smaller);
    return pieces;
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
  // Are all words equal? Then they go where they end.
  bool is_settled(const piece& p) const {
    if (!are_equal(p)) return false;
    if (p.moved) std::memcpy(p.other, p.words, static_cast<std::size_t>(p.n) * sizeof(Word));
    return true;
  }
  // From so many words on a look at 64 of them costs little, and by AVX-512 counting less than the splits: once they
  // are out of the caches that are near. A lane's count of up to 2^33 fits in four bytes.
  bool is_worth_counting(index_t n) const { return (steps_.wide ? 1 << 18 : 8192) <= n && n <= index_t{1} << 33; }

  // ---------------------------------------------------------------- splits
  // The second piece may be empty.
  std::pair<piece, piece> split_in_two(const piece& p) const {
    if (p.n > steps_.few && !are_equal(p)) return halves(p);
    return {p, {p.words + p.n, p.other + p.n, 0, p.moved, p.least, p.most}};
  }
  std::pair<piece, piece> halves(const piece& p) const {
    const Word wanted = p.chances > 0 ? steps_.sampled_median(p.words, p.n) : middle(p.least, p.most);
    const Word pivot = std::min(wanted, static_cast<Word>(p.most - 1));
    const split_ends<Word> begins{p.sorted(), p.moved ? p.words : p.other};
    return halves_of(p, pivot, begins, steps_.split(p.words, p.n, pivot, begins));
  }
  // Words up to a pivot are at the beginning of where all end, those above at the beginning of the other buffer. Each
  // part gets what the other leaves free.
  static std::pair<piece, piece> halves_of(const piece& p, Word pivot, const split_ends<Word>& begins,
                                           const split_ends<Word>& ends) {
    const index_t lower = ends.lower - begins.lower, upper = ends.upper - begins.upper;
    const int chances = std::min(lower, upper) < p.n / 8 ? std::max(p.chances - 1, 0) : p.chances;
    return {{begins.lower, begins.upper + upper, lower, false, p.least, pivot, chances},
            {begins.upper, begins.lower + lower, upper, true, static_cast<Word>(pivot + 1), p.most, chances}};
  }

  // ---------------------------------------------------------------- digits
  // A pass by digits costs what six splits do by AVX2, from about 2^13 words on (2^11 of 8 bytes), as long as the lines
  // and pages that it writes to stay in reach. (AMD EPYC of family 25, 2026-11-22.)
  static constexpr int widest = 9;
  bool is_worth_scattering(index_t n) const {
    return !steps_.wide && (sizeof(Word) == 4 ? 8192 : 2048) <= n && n < made_from;
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

  template <class Finish>
  void sort_by_digit(const piece& p, const digit d, const Finish* finish) const {
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

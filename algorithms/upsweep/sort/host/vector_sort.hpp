// Sorts signed words by vector instructions (AVX2): a quicksort that moves words from one buffer to the other, down to
// what a network sorts in registers. Where many digits of the words are in use, one pass of a radix sort takes the
// place of many splits.
#pragma once
#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>
#include <vector>

#include <upsweep/config.hpp>
#include <upsweep/host/lane_orders.hpp>
#include <upsweep/host/versions.hpp>
#include <upsweep/sort/host/digits.hpp>
#include <upsweep/sort/host/few_values.hpp>
#include <upsweep/sort/host/parts.hpp>
#include <upsweep/sort/host/vector_network.hpp>

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

  static void sort(const piece& p) {
    if (p.n <= few) return sort_few(p);
    if (is_settled(p)) return settle(p);
    if (counted_from <= p.n && p.n <= counted_to && sort_few_values(p)) return;
    if (scattered_from <= p.n && p.n <= scattered_to) {
      const digit d(p);
      if (are_worth_six_splits(p.n, [&](index_t i) { return d(word_at(p.words + i)); })) return sort_by_digit(p, d);
    }
    const auto [front, back] = halves(p);
    sort(front);
    sort(back);
  }

  //! So many pieces of one, to be sorted in any order: the largest first, the last ones may be empty.
  static std::vector<piece> split(const piece& whole, std::size_t wanted) {
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
  using network = vector_network<Word>;
  using words = typename network::words;
  static constexpr int lanes = network::lanes;
  static constexpr index_t few = index_t{16} * lanes;
  // How often a split may leave less than an eighth on one side before pivots are no longer sampled, but halve the
  // range of values: so every word is moved once for each of its bits, at worst.
  static constexpr int most_chances = 4;

  static Word word_at(const Word* from) {
    Word word;
    std::memcpy(&word, from, sizeof(Word));
    return word;
  }
  static Word middle(Word least, Word most) {
    const auto distance = static_cast<U>(static_cast<U>(most) - static_cast<U>(least));
    return static_cast<Word>(static_cast<U>(least) + distance / 2);
  }

  // Are all words equal?
  UPSWEEP_AVX2 static bool is_settled(const piece& p) {
    if (p.least == p.most) return true;
    const words first = words{} + word_at(p.words);
    for (index_t i = 0; i + lanes <= p.n; i += lanes)
      if (network::mask_of(network::load(p.words + i) != first) != 0) return false;
    return network::mask_of(network::load(p.words + p.n - lanes) != first) == 0;
  }
  static void settle(const piece& p) {
    if (p.moved) std::memcpy(p.other, p.words, static_cast<std::size_t>(p.n) * sizeof(Word));
  }

  // ---------------------------------------------------------------- a few values
  // From so many words on a look at 64 of them costs little; a lane's count of up to so many fits in four bytes.
  static constexpr index_t counted_from = 8192, counted_to = index_t{1} << 33;

  static bool sort_few_values(const piece& p) {
    few_values<Word> values;
    if (!values.found_in_some(p.words, p.n) || !values.count(p.words, p.n)) return false;
    values.write(p.sorted());
    return true;
  }

  // ---------------------------------------------------------------- splits
  // The second piece may be empty.
  static std::pair<piece, piece> split_in_two(const piece& p) {
    if (p.n > few && !is_settled(p)) return halves(p);
    return {p, {p.words + p.n, p.other + p.n, 0, p.moved, p.least, p.most}};
  }
  // Words up to a pivot go to the front of the other buffer, all others behind them.
  static std::pair<piece, piece> halves(const piece& p) {
    const Word wanted = p.chances > 0 ? sampled_median(p.words, p.n) : middle(p.least, p.most);
    const Word pivot = std::min(wanted, static_cast<Word>(p.most - 1));
    const index_t front = move_words(p.words, p.n, pivot, p.other);
    piece tried = p;
    if (std::min(front, p.n - front) < p.n / 8) tried.chances = std::max(p.chances - 1, 0);
    return {tried.part(0, front, p.least, pivot), tried.part(front, p.n, static_cast<Word>(pivot + 1), p.most)};
  }

  // As many words are to be placed as there is room between both ends, so a whole register may be stored at each.
  UPSWEEP_AVX2 static index_t move_words(const Word* in, index_t n, Word pivot, Word* to) {
    Word* front = to;
    index_t room = n;
    for (; room % lanes != 0; room--) {
      const Word word = word_at(in++);
      const bool above = word > pivot;
      std::memcpy(above ? front + room - 1 : front, &word, sizeof(Word));
      front += !above;
    }
    const words all_above = words{} + static_cast<Word>(pivot + 1);  // the pivot is less than the most of its piece
#pragma GCC unroll 4
    for (; room > 0; room -= lanes, in += lanes) {
      const words w = network::load(in);
      const unsigned upto = network::mask_of(w < all_above);
      const words parted = named_lanes_first<lanes>(w, upto);
      network::store(parted, front);
      network::store(parted, front + room - lanes);
      front += __builtin_popcount(upto);
    }
    return front - to;
  }

  // The median of three medians of three, in each lane, and of these the one in the middle.
  UPSWEEP_AVX2 static Word sampled_median(const Word* in, index_t n) {
    const index_t step = (n - lanes) / 8;
    words of_three[3];
    for (index_t k = 0; k < 3; k++)
      of_three[k] = network::median(network::load(in + 3 * k * step), network::load(in + (3 * k + 1) * step),
                                    network::load(in + (3 * k + 2) * step));
    words w = network::median(of_three[0], of_three[1], of_three[2]);
    network::template sort<1>(&w);
    return w[lanes / 2 - 1];
  }

  // ---------------------------------------------------------------- digits
  // A pass by digits costs what six splits do, from about 2^13 words on (2^11 of 8 bytes), as long as the lines and
  // pages that it writes to stay in reach. (AMD EPYC of family 25, 2026-11-22.)
  static constexpr index_t scattered_from = lanes == 8 ? 8192 : 2048, scattered_to = index_t{1} << 17;
  static constexpr int widest = 9;

  struct digit {
    U least;
    int shift, count;

    // As many digits as leave what the network sorts.
    explicit digit(const piece& p) : least(static_cast<U>(p.least)) {
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

  static void sort_by_digit(const piece& p, const digit d) {
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
      if (begin < end) sort(p.part(begin, end, d.lowest(k), highest));
      begin = end;
    }
  }

  // ---------------------------------------------------------------- a few words
  static void sort_few(const piece& p) {
    if (p.n <= few / 2) return sort_rows<8>(p.words, p.n, p.sorted());
    sort_rows<16>(p.words, p.n, p.sorted());
  }
  template <int Rows>
  UPSWEEP_AVX2 static void sort_rows(const Word* in, index_t n, Word* out) {
    const auto bytes = static_cast<std::size_t>(n) * sizeof(Word);
    alignas(32) Word sorted[Rows * lanes];
    const words last = words{} + static_cast<Word>(static_cast<U>(~U{0}) >> 1);
    for (int r = 0; r < Rows; r++) network::store(last, sorted + r * lanes);
    std::memcpy(sorted, in, bytes);
    words w[Rows];
#pragma GCC unroll 16
    for (int r = 0; r < Rows; r++) w[r] = network::load(sorted + r * lanes);
    network::template sort<Rows>(w);
#pragma GCC unroll 4
    for (int block = 0; block < Rows; block += lanes) {
      network::transpose(w + block);
#pragma GCC unroll 8
      for (int lane = 0; lane < lanes; lane++) network::store(w[block + lane], sorted + lane * Rows + block);
    }
    std::memcpy(out, sorted, bytes);
  }
};

}  // namespace UPSWEEP_NAMESPACE::detail
#endif

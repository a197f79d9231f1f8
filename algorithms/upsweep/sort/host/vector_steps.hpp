// The steps of vector_sort that go by registers: of 64 bytes where the processor has such (AVX-512), else of 32 (AVX2).
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstring>
#include <type_traits>
#include <vector>

#include <upsweep/config.hpp>
#include <upsweep/host/versions.hpp>
#include <upsweep/sort/host/few_values.hpp>
#include <upsweep/sort/host/vector_network.hpp>
#include <upsweep/sort/host/vector_split.hpp>

#if UPSWEEP_X86_VERSIONS
namespace UPSWEEP_NAMESPACE::detail {

//! Memory of the words may hold something else (floats, say): they are read and written by memcpy alone.
template <class Word>
class vector_steps {
 public:
  //! Has this processor the wide registers? And how many words fit one.
  const bool wide = widest_vectors() == 64;
  const index_t lanes = (wide ? 64 : 32) / static_cast<index_t>(sizeof(Word));
  //! So many words are sorted in registers.
  const index_t few = 16 * lanes;
  static constexpr index_t most_few = index_t{16} * 64 / sizeof(Word);

  //! Sorts up to `few` words.
  void sort_few(const Word* in, index_t n, Word* out) const {
    if (n <= 2 * lanes) return wide ? sort_one_or_two_rows<64>(in, n, out) : sort_one_or_two_rows<32>(in, n, out);
    if (!wide) return n <= 8 * lanes ? sort_rows<32, 8>(in, n, out) : sort_rows<32, 16>(in, n, out);
    if (n <= 4 * lanes) return sort_rows<64, 4>(in, n, out);
    return n <= 8 * lanes ? sort_rows<64, 8>(in, n, out) : sort_rows<64, 16>(in, n, out);
  }

  split_ends<Word> split(const Word* from, index_t n, Word pivot, split_ends<Word> to) const {
    return wide ? split_words<64>(from, n, pivot, to) : split_words<32>(from, n, pivot, to);
  }

  //! The median of three medians of three, in each lane, and of these the one in the middle, of nine registers or more.
  Word sampled_median(const Word* in, index_t n) const {
    return wide ? median_of_nine<64>(in, n) : median_of_nine<32>(in, n);
  }

  bool are_equal(const Word* in, index_t n) const {
    Word first, word;
    std::memcpy(&first, in, sizeof(Word));
    for (const index_t at : {n / 2, n - 1}) {
      std::memcpy(&word, in + at, sizeof(Word));
      if (word != first) return false;
    }
    return wide ? all_are<64>(in, n, first) : all_are<32>(in, n, first);
  }

  void fill(Word* to, index_t n, Word value) const {
    wide ? few_values<Word, 64>::fill(to, n, value) : few_values<Word, 32>::fill(to, n, value);
  }
  //! Have 64 of the words a few values only? Then it may be that all have.
  bool have_few(const Word* in, index_t n) const {
    return wide ? few_values<Word, 64>().found_in_some(in, n) : few_values<Word, 32>().found_in_some(in, n);
  }
  //! Appends each value of words that have only a few, and how often it is there, in no order. False if there are more.
  bool count_few(const Word* in, index_t n, std::vector<equal_words<Word>>& all) const {
    return wide ? count_values<64>(in, n, all) : count_values<32>(in, n, all);
  }

 private:
  template <int Bytes>
  static void sort_one_or_two_rows(const Word* in, index_t n, Word* out) {
    n <= vector_network<Word, Bytes>::lanes ? sort_rows<Bytes, 1>(in, n, out) : sort_rows<Bytes, 2>(in, n, out);
  }
  template <int Bytes, int Rows>
  static void sort_rows(const Word* in, index_t n, Word* out) {
    using network = vector_network<Word, Bytes>;
    using words = typename network::words;
    using U = std::make_unsigned_t<Word>;
    constexpr int across = network::lanes;
    const auto bytes = static_cast<std::size_t>(n) * sizeof(Word);
    with_vectors_of<Bytes>([=](auto) UPSWEEP_LAMBDA_INLINE {
      alignas(Bytes) Word sorted[Rows * across];
      words w[Rows];
      const words last = words{} + static_cast<Word>(static_cast<U>(~U{0}) >> 1);
#pragma GCC unroll 16
      for (int r = 0; r < Rows; r++) network::store(last, sorted + r * across);
      std::memcpy(sorted, in, bytes);
#pragma GCC unroll 16
      for (int r = 0; r < Rows; r++) network::load(w[r], sorted + r * across);
      network::template sort<Rows>(w);
      network::template store_columns<Rows>(w, sorted);
      std::memcpy(out, sorted, bytes);
    });
  }

  template <int Bytes>
  static Word median_of_nine(const Word* in, index_t n) {
    using network = vector_network<Word, Bytes>;
    const index_t step = (n - network::lanes) / 8;
    Word median{};
    with_vectors_of<Bytes>([&](auto) UPSWEEP_LAMBDA_INLINE {
      typename network::words w[9];
#pragma GCC unroll 9
      for (int k = 0; k < 9; k++) network::load(w[k], in + k * step);
#pragma GCC unroll 3
      for (int k = 0; k < 9; k += 3) network::find_median(w[k], w[k + 1], w[k + 2]);
      network::find_median(w[1], w[4], w[7]);
      network::template sort<1>(w + 4);
      median = w[4][network::lanes / 2 - 1];
    });
    return median;
  }

  template <int Bytes>
  static bool all_are(const Word* in, index_t n, Word value) {
    constexpr index_t at_once = 256;
    bool equal = true;
    with_vectors_of<Bytes>([&](auto) UPSWEEP_LAMBDA_INLINE {
      for (index_t begin = 0; begin < n && equal; begin += at_once) {
        const index_t end = std::min(begin + at_once, n);
        Word differing = 0, word;
        for (index_t i = begin; i < end; i++) {
          std::memcpy(&word, in + i, sizeof(Word));
          differing = static_cast<Word>(differing | (word ^ value));
        }
        equal = differing == 0;
      }
    });
    return equal;
  }

  template <int Bytes>
  static bool count_values(const Word* in, index_t n, std::vector<equal_words<Word>>& all) {
    constexpr index_t most = index_t{1} << 33;  // a lane's count of so many words fits in four bytes
    few_values<Word, Bytes> values;
    const bool few = n <= most && values.found_in_some(in, n) && values.count(in, n);
    if (few) values.append_to(all);
    return few;
  }
};

}  // namespace UPSWEEP_NAMESPACE::detail
#endif

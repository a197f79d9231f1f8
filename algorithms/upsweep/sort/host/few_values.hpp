// Words of a few values, counted by vector instructions. The values are learned as they come.
#pragma once
#include <algorithm>
#include <cstring>
#include <vector>

#include <upsweep/config.hpp>
#include <upsweep/host/versions.hpp>
#include <upsweep/sort/host/shell_sort.hpp>
#include <upsweep/sort/host/vector_network.hpp>

#if UPSWEEP_X86_VERSIONS
namespace UPSWEEP_NAMESPACE::detail {

//! So many words of one value.
template <class Word>
struct equal_words {
  Word value;
  index_t count;
};
template <class Word>
void sort_by_value(std::vector<equal_words<Word>>& all) {
  shell_sort(all, all.size(), [](const auto& a, const auto& b) { return a.value < b.value; });
}

//! The values of words, which are read and written by memcpy alone, in registers of so many bytes.
template <class Word, int Bytes>
class few_values {
 public:
  static constexpr int most = Bytes == 64 ? 32 : 16;

  //! Have 64 of n words no more than `most` values? Then it may be that all have.
  bool found_in_some(const Word* in, index_t n) {
    constexpr index_t some = 64;
    const index_t step = (n - 1) / (some - 1);
    std::fill_n(values_, most, word_at(in));  // those that are no value yet repeat one
    std::fill_n(in_lanes_[0], lanes, word_at(in));
    different_ = 1;
    bool few = true;
    for (index_t k = 1; k < some && few; k++) few = learn(word_at(in + step * k));
    return few;
  }
  //! Counts the words of each value, and finds more values. False if they are too many.
  bool count(const Word* in, index_t n) {
    const index_t whole = n / lanes * lanes;
    bool few = true;
    with_vectors_of<Bytes>([&](auto) UPSWEEP_LAMBDA_INLINE {
      for (index_t begin = 0; begin < whole && few; begin += stretch)
        few = count_stretch(in + begin, std::min(stretch, whole - begin));
    });
    for (index_t i = whole; i < n && few; i++) {
      const Word word = word_at(in + i);
      few = learn(word);
      further_[std::find(values_, values_ + most - 1, word) - values_] += few;
    }
    return few;
  }
  //! Each value that was found, and how often, in no order.
  void append_to(std::vector<equal_words<Word>>& all) const {
    for (int v = 0; v < different_; v++) {
      index_t sum = further_[v];
      for (const Word of_lane : negative_[v]) sum -= of_lane;
      all.push_back({values_[v], sum});
    }
  }

  //! Lines are asked for before they are written: 16 MiB take 1.1 ms so, for 1.9 (an Intel Xeon, L2 2 MiB, 2026-11-26).
  static void fill(Word* to, index_t n, Word value) {
    with_vectors_of<Bytes>([=](auto) UPSWEEP_LAMBDA_INLINE {
      const words several = words{} + value;
      index_t i = 0;
      for (; i + lanes <= n; i += lanes) {
        __builtin_prefetch(to + std::min(i + ahead / 4, n - 1), 1);
        network::store(several, to + i);
      }
      for (; i < n; i++) std::memcpy(to + i, &value, sizeof(Word));
    });
  }

 private:
  using network = vector_network<Word, Bytes>;
  using words = typename network::words;
  static constexpr int lanes = network::lanes;
  static constexpr index_t stretch = 16384 / sizeof(Word);  // stays in the nearest cache while it is read again
  static constexpr int at_once = 4;
  static constexpr index_t ahead = 4096 / sizeof(Word);  // is asked for, but never what may be no memory

  static UPSWEEP_INLINE Word word_at(const Word* from) {
    Word word;
    std::memcpy(&word, from, sizeof(Word));
    return word;
  }
  // Is a value known, or is there room for it? In a function of its own, to be compiled once.
  bool learn(Word word) {
    bool known = false;
    with_vectors_of<Bytes>([&, word](auto) UPSWEEP_LAMBDA_INLINE {
      bool any = false;
      for (int v = 0; v < most; v++) any |= values_[v] == word;
      known = any;
    });
    if (known) return true;
    if (different_ == most) return false;
    std::fill_n(in_lanes_[different_], lanes, word);
    values_[different_++] = word;
    return true;
  }
  //! Of n words, a multiple of the lanes.
  UPSWEEP_INLINE bool count_stretch(const Word* in, index_t n) {
    const auto registers = static_cast<Word>(n / lanes);
    words found = {};
    for (int counted = 0;;) {
      for (; counted < different_; counted = std::min(counted + at_once, different_)) count_some(in, n, counted, found);
      Word missing = 0, of_lane[lanes];
      network::store(found, of_lane);
      for (int l = 0; l < lanes; l++) missing = static_cast<Word>(missing | (of_lane[l] + registers));
      if (missing == 0) return true;
      if (!learn_all(in, n)) return false;
    }
  }
  // The words of `at_once` values from the first on. What a comparison says is −1.
  UPSWEEP_INLINE void count_some(const Word* in, index_t n, int first, words& found) {
    words value[at_once], sums[at_once] = {};
#pragma GCC unroll 4
    for (int v = 0; v < at_once; v++) network::load(value[v], in_lanes_[std::min(first + v, different_ - 1)]);
#pragma GCC unroll 2
    for (index_t i = 0; i < n; i += lanes) {
      words w;
      __builtin_prefetch(in + std::min(i + ahead, n - 1));
      network::load(w, in + i);
#pragma GCC unroll 4
      for (int v = 0; v < at_once; v++) {
        if constexpr (Bytes == 64) sums[v] = w == value[v] ? sums[v] - 1 : sums[v];  // by a mask
        else sums[v] += w == value[v];
      }
    }
#pragma GCC unroll 4
    for (int v = 0; v < at_once; v++) {
      if (first + v >= different_) break;
      words before;
      network::load(before, negative_[first + v]);
      network::store(before + sums[v], negative_[first + v]);
      found += sums[v];
    }
  }
  UPSWEEP_INLINE bool learn_all(const Word* in, index_t n) {
    bool few = true;
    for (index_t i = 0; i < n && few; i += lanes) {
      words w, known = {};
      network::load(w, in + i);
      for (int v = 0; v < different_; v++) known |= w == values_[v];
      Word all = -1, of_lane[lanes];
      network::store(known, of_lane);
      for (int l = 0; l < lanes; l++) all &= of_lane[l];
      for (int l = 0; l < lanes && all == 0 && few; l++) few = learn(word_at(in + i + l));
    }
    return few;
  }

  int different_ = 0;
  Word values_[most], in_lanes_[most][lanes];
  index_t further_[most] = {};       // behind the last register
  Word negative_[most][lanes] = {};  // of each lane
};

}  // namespace UPSWEEP_NAMESPACE::detail
#endif

// Words of a few values, sorted by counting them, by vector instructions.
#pragma once
#include <algorithm>
#include <cstring>

#include <upsweep/config.hpp>
#include <upsweep/host/versions.hpp>
#include <upsweep/sort/host/vector_network.hpp>

#if UPSWEEP_X86_VERSIONS
namespace UPSWEEP_NAMESPACE::detail {

//! The values of words, which are read and written by memcpy alone, in registers of so many bytes.
template <class Word, int Bytes>
class few_values {
 public:
  static constexpr int most = 8;

  //! Have 64 of n words no more than `most` values? Then it may be that all have.
  bool found_in_some(const Word* in, index_t n) {
    constexpr index_t some = 64;
    for (index_t k = 0; k < some; k++) {
      Word word;
      std::memcpy(&word, in + (n - 1) / (some - 1) * k, sizeof(Word));
      const auto at = static_cast<int>(std::lower_bound(values_, values_ + different_, word) - values_);
      if (at < different_ && values_[at] == word) continue;
      if (different_ == most) return false;
      // In a loop of its own: GCC 13 warns of the bounds of std::copy_backward here.
      for (int v = different_++; v > at; v--) values_[v] = values_[v - 1];
      values_[at] = word;
    }
    return true;
  }
  //! Counts the words of each value. Are those all?
  bool count(const Word* in, index_t n) {
    const index_t whole = n / lanes * lanes;
    Word negative[most][lanes];  // what a comparison says is −1
    with_vectors_of<Bytes>([&](auto) UPSWEEP_LAMBDA_INLINE {
      words w, value[most], sums[most] = {};
#pragma GCC unroll 8
      for (int v = 0; v < most; v++) value[v] = words{} + values_[v];
      for (index_t i = 0; i < whole; i += lanes) {
        network::load(w, in + i);
#pragma GCC unroll 8
        for (int v = 0; v < most; v++) sums[v] += w == value[v];
      }
      std::memcpy(negative, sums, sizeof(sums));
    });
    index_t all = 0;
    for (int v = 0; v < different_; v++) {
      for (const Word of_lane : negative[v]) counts_[v] -= of_lane;
      for (index_t k = whole; k < n; k++) counts_[v] += std::memcmp(in + k, values_ + v, sizeof(Word)) == 0;
      all += counts_[v];
    }
    return all == n;
  }
  //! Calls take(value, count) for each, the least first.
  template <class Take>
  void for_each(const Take& take) const {
    for (int v = 0; v < different_; v++) take(values_[v], counts_[v]);
  }

 private:
  using network = vector_network<Word, Bytes>;
  using words = typename network::words;
  static constexpr int lanes = network::lanes;

  Word values_[most] = {};
  index_t counts_[most] = {};
  int different_ = 0;
};

}  // namespace UPSWEEP_NAMESPACE::detail
#endif

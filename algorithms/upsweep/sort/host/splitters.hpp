// Splitters of a sample sort: some items in order, the buckets between them, and which of those an item belongs to.
// (Sanders and Winkel 2004: a search tree without branches. Axtmann et al. 2017: buckets of items that are equal.)
#pragma once
#include <algorithm>
#include <bit>
#include <cstdint>

#include <upsweep/config.hpp>
#include <upsweep/sort/host/merging.hpp>
#include <upsweep/sort/sampling.hpp>

namespace UPSWEEP_NAMESPACE::detail {

//! Up to 2^most_levels buckets, or twice as many when a sample shows that many items are equal: those equal to a
//! splitter then have a bucket of their own. A bucket's number is one byte.
template <class T>
class splitters {
 public:
  static constexpr int most_levels = 7;
  static constexpr index_t most_buckets = index_t{2} << most_levels;

  //! Of n items, for 2^levels buckets. `memory` holds 2 * sample_size(levels) items, and is free afterwards.
  template <class Less>
  splitters(const T* items, index_t n, int levels, T* memory, const Less& less) {
    const index_t samples = sample_size(levels), wanted = (index_t{1} << levels) - 1;
    for (index_t k = 0; k < samples; k++) memory[k] = items[sampled_position(k, samples, n)];
    merge_sort(memory, samples, memory, memory + samples, less);
    index_t distinct = 0;
    for (index_t k = 1; k <= wanted; k++) {
      const T& splitter = memory[k * per_bucket];
      if (distinct == 0 || less(memory[distinct - 1], splitter)) memory[distinct++] = splitter;
    }
    has_equal_ = distinct < wanted;
    levels_ = static_cast<int>(std::bit_width(static_cast<std::uint64_t>(distinct)));
    for (index_t k = 0; k < (index_t{1} << levels_); k++)
      place(k, memory[std::min(k, distinct - 1)], memory[std::clamp(k - 1, index_t{0}, distinct - 1)]);
  }
  static constexpr index_t sample_size(int levels) { return per_bucket << levels; }

  index_t buckets() const { return index_t{has_equal_ ? 2 : 1} << levels_; }
  //! Are the items of a bucket equal to one another?
  bool are_equal(index_t bucket) const { return has_equal_ && bucket > 0 && bucket % 2 == 0; }

  //! Writes each item's bucket, and counts.
  template <class Less>
  void classify(const T* items, index_t n, const Less& less, std::uint8_t* buckets, std::uint32_t* counts) const {
    if (has_equal_) return classify_by<true>(items, n, less, buckets, counts);
    classify_by<false>(items, n, less, buckets, counts);
  }

 private:
  // A splitter is one of 16 samples: buckets of random items differ by a factor of about 2.
  static constexpr index_t per_bucket = 16;

  // Splitter k in order goes to its node: those of one level lie side by side, node i above nodes 2i and 2i + 1.
  void place(index_t k, const T& splitter, const T& below) {
    const index_t nodes = index_t{1} << levels_;
    if (k + 1 < nodes) {
      const int up = std::countr_zero(static_cast<std::uint64_t>(k + 1));
      tree()[(nodes + k + 1) >> (up + 1)] = splitter;
    }
    lower()[k] = below;
  }
  template <bool HasEqual, class Less>
  void classify_by(const T* items, index_t n, const Less& less, std::uint8_t* buckets, std::uint32_t* counts) const {
    constexpr index_t together = 8;  // their chains of comparisons overlap
    index_t i = 0;
    for (; i + together <= n; i += together) classify_some<HasEqual, together>(items + i, less, buckets + i, counts);
    for (; i < n; i++) classify_some<HasEqual, 1>(items + i, less, buckets + i, counts);
  }
  template <bool HasEqual, index_t Count, class Less>
  UPSWEEP_INLINE void classify_some(const T* items, const Less& less, std::uint8_t* buckets,
                                    std::uint32_t* counts) const {
    const T* const nodes = tree();
    std::size_t node[Count];
    for (index_t j = 0; j < Count; j++) node[j] = 1;
    for (int level = 0; level < levels_; level++)
      for (index_t j = 0; j < Count; j++) node[j] = 2 * node[j] + !less(items[j], nodes[node[j]]);
    for (index_t j = 0; j < Count; j++) {
      std::size_t bucket = node[j] - (std::size_t{1} << levels_);
      if constexpr (HasEqual) bucket = 2 * bucket + less(lower()[bucket], items[j]);
      buckets[j] = static_cast<std::uint8_t>(bucket);
      counts[bucket]++;
    }
  }

  static constexpr std::size_t room = sizeof(T) << most_levels;
  T* tree() { return reinterpret_cast<T*>(tree_); }
  T* lower() { return reinterpret_cast<T*>(lower_); }
  const T* tree() const { return reinterpret_cast<const T*>(tree_); }
  const T* lower() const { return reinterpret_cast<const T*>(lower_); }

  int levels_;
  bool has_equal_;
  alignas(T) unsigned char tree_[room];   // node 0 is not used
  alignas(T) unsigned char lower_[room];  // the splitter that a bucket begins with
};

}  // namespace UPSWEEP_NAMESPACE::detail

// Quicksort on the host: a stable sample sort. Items are split around many sampled pivots at once, bucket by bucket
// until they fit a cache, where they are merged. Whatever the comparator says, nothing is written out of bounds, every
// item stays, and the sort ends: an item's bucket is kept, merges check themselves, and buckets that do not shrink are
// merged too.
#pragma once
#include <algorithm>
#include <bit>
#include <cstdint>

#include <upsweep/config.hpp>
#include <upsweep/executor.hpp>
#include <upsweep/host/job.hpp>
#include <upsweep/host/memory.hpp>
#include <upsweep/sort/host/buckets.hpp>
#include <upsweep/sort/host/merging.hpp>
#include <upsweep/sort/host/parts.hpp>
#include <upsweep/sort/host/sample_split.hpp>
#include <upsweep/sort/host/splitters.hpp>

namespace UPSWEEP_NAMESPACE::detail {

//! Is a range in order, or strictly in reverse order? Then sorts it; costs a few comparisons otherwise.
template <class T, class Less>
bool sort_if_in_order(T* items, index_t n, const Less& less) {
  index_t i = 1;
  if (less(items[1], items[0])) {
    while (i < n && less(items[i], items[i - 1])) i++;
    if (i == n) std::reverse(items, items + n);
  } else {
    while (i < n && !less(items[i], items[i - 1])) i++;
  }
  return i == n;
}

template <class T, class Less>
class host_quicksort {
 public:
  //! `combiners`: combiner_bytes(n) of the largest sort for each of the executor's threads.
  host_quicksort(host& executor, const Less& less, unsigned char* combiners, std::size_t combiner_bytes)
      : executor_(executor), less_(less), combiners_(combiners), combiner_bytes_(combiner_bytes) {}

  // 256, 512, 1024 and 2048: 2^23 words take 21.2, 22.2, 19.8 and 20.3 ns each, 2^18 items of 64 bytes 47, 45, 44 and
  // 58 (one thread of an AMD EPYC of family 26, 2026-11-21).
  static constexpr index_t merged = 1024;

  //! Items, as much memory again, and a byte for each item.
  struct place {
    T* items;
    T* other;
    std::uint8_t* buckets;

    //! The same from item i on, after a split into `other`.
    place split_from(index_t i) const { return {other + i, items + i, buckets + i}; }
  };

  //! Sorts n items; they end in `other` if `moved`. `thread`: all_threads, or this one's number.
  void sort(const place& p, index_t n, bool moved, int thread, int chances = most_chances) {
    if (n <= merged || chances == 0) {
      merge_sort(p.items, n, moved ? p.other : p.items, moved ? p.items : p.other, less_);
    } else if (!sort_if_in_order(p.items, n, less_)) {
      sort_by_buckets(p, n, moved, thread, chances);
    } else if (moved) {
      copy_run(p.items, n, p.other);
    }
  }

 private:
  // How often a bucket may hold more than half of what was split, on the way to what is merged.
  static constexpr int most_chances = 2;

  void sort_by_buckets(const place& p, index_t n, bool moved, int thread, int chances) {
    const splitters<T> by(p.items, n, levels(n), p.other, less_);
    const bool alone = thread != all_threads;
    host one(1);  // whose scans of counts take no memory
    unsigned char* const combiners = combiners_ + (alone ? static_cast<std::size_t>(thread) * combiner_bytes_ : 0);
    const auto bounds =
        sample_split<T, Less>(alone ? one : executor_, by, less_, combiners)(p.items, n, p.other, p.buckets);
    const auto bucket_size = [&](index_t b) { return bounds[b + 1] - bounds[b]; };
    const auto sort_bucket = [&](index_t b, int by_thread) {
      const place bucket = p.split_from(bounds[b]);
      const index_t size = bucket_size(b);
      if (!by.are_equal(b)) {
        sort(bucket, size, !moved, by_thread, size > n / 2 ? chances - 1 : chances);
      } else if (!moved) {
        copy_run(bucket.items, size, bucket.other);
      }
    };
    if (alone) {
      for (index_t b = 0; b < by.buckets(); b++)
        if (bucket_size(b) > 0) sort_bucket(b, thread);
    } else {
      const auto giant = [&](index_t size) { return is_giant(size, n); };
      for_each_bucket(executor_, bounds, giant, sort_bucket);
    }
  }

  // Splits of about as many buckets each, down to what is merged.
  static int levels(index_t n) {
    const int all = static_cast<int>(std::bit_width(static_cast<std::uint64_t>(2 * (n - 1) / merged)));
    const int splits = (all + splitters<T>::most_levels - 1) / splitters<T>::most_levels;
    return std::max(least_levels, (all + splits - 1) / splits);
  }
  static constexpr int least_levels = 3;

  bool is_giant(index_t size, index_t all) const {
    return static_cast<std::size_t>(size) * sizeof(T) >= parallel_bytes &&
           size > all / (index_t{2} * executor_.threads());
  }

  host& executor_;
  const Less& less_;
  unsigned char* combiners_;
  std::size_t combiner_bytes_;
};

//! `in` may be `out`; if it is not, it is copied: the items move between two ranges that are written, both.
template <class T, class Less>
void sort_by_less(host& executor, const T* in, T* out, index_t n, const Less& less) {
  using sorter = host_quicksort<T, Less>;
  constexpr index_t on_stack = 4096 / sizeof(T);
  if (n <= on_stack) {
    alignas(T) unsigned char spare[on_stack * sizeof(T)];
    return merge_sort(in, n, out, reinterpret_cast<T*>(spare), less);
  }
  const std::size_t bytes = static_cast<std::size_t>(n) * sizeof(T);
  const bool alone = executor.threads() == 1 || bytes < parallel_bytes;
  const index_t threads = alone ? 1 : executor.threads();
  const std::size_t combiner_bytes = sample_split<T, Less>::combiner_bytes(n);
  T* other = nullptr;
  std::uint8_t* buckets = nullptr;
  unsigned char* combiners = nullptr;
  const lent_memory memory(executor.lender(), [&](scratch_cutter& scratch) {
    other = scratch.take<T>(n);
    buckets = scratch.take<std::uint8_t>(n);
    combiners = scratch.take<unsigned char>(threads * static_cast<index_t>(combiner_bytes));
  });
  if (!alone)
    thread_pieces(executor.lender(), executor.threads(), tile_bytes);  // for scans of counts: none fails later
  if (in != out)
    for_each_part(executor, n, sizeof(T),
                  [&](index_t begin, index_t end) { copy_run(in + begin, end - begin, out + begin); });
  sorter(executor, less, combiners, combiner_bytes).sort({out, other, buckets}, n, false, alone ? 0 : all_threads);
}

}  // namespace UPSWEEP_NAMESPACE::detail

// Buckets of a sort as the work of a host's threads.
#pragma once
#include <algorithm>
#include <cstddef>
#include <numeric>
#include <utility>

#include <upsweep/config.hpp>
#include <upsweep/executor.hpp>
#include <upsweep/host/job.hpp>
#include <upsweep/host/share_out.hpp>
#include <upsweep/sort/host/shell_sort.hpp>

namespace UPSWEEP_NAMESPACE::detail {

//! Where up to 2^Bits buckets begin, and the last one ends.
template <int Bits>
struct bucket_bounds {
  index_t count;
  index_t at[(index_t{1} << Bits) + 1];
  index_t operator[](index_t b) const { return at[b]; }
};

//! Turns counts of a bucket's parts, bucket by bucket, into what stands before each. `at` gets where the buckets begin,
//! and the sum of all. (exclusive_scan would take a sixth of the time to compile a sort.)
inline void counts_to_starts(const host& executor, index_t* counts, index_t buckets, index_t parts, index_t* at) {
  constexpr index_t at_once = 64;
  const int threads = threads_for(static_cast<std::size_t>(buckets * parts) * sizeof(index_t), executor.threads());
  const auto for_each = [&](const function_view<index_t*, index_t&>& f) {
    share_out(threads, (buckets + at_once - 1) / at_once, [&](index_t group) {
      const index_t end = std::min(buckets, (group + 1) * at_once);
      for (index_t b = group * at_once; b < end; b++) f(counts + b * parts, at[b]);
    });
  };
  for_each(
      [=](const index_t* of_bucket, index_t& sum) { sum = std::accumulate(of_bucket, of_bucket + parts, index_t{0}); });
  index_t all = 0;
  for (index_t b = 0; b < buckets; b++) all += std::exchange(at[b], all);
  at[buckets] = all;
  for_each([=](index_t* of_bucket, index_t begin) {
    for (index_t p = 0; p < parts; p++) begin += std::exchange(of_bucket[p], begin);
  });
}

//! The numbers of buckets [at[b], at[b + 1]), from that of the largest on.
inline void put_largest_first(const index_t* at, index_t buckets, index_t* order) {
  std::iota(order, order + buckets, index_t{0});
  shell_sort(order, static_cast<std::size_t>(buckets),
             [&](index_t a, index_t b) { return at[a + 1] - at[a] > at[b + 1] - at[b]; });
}

//! Who works on a bucket: the thread of this number, or
inline constexpr int all_threads = -1;

//! Calls sort_bucket(b, thread) for every bucket [bounds[b], bounds[b + 1]) that is not empty. First, one after
//! another, with all_threads, those that is_giant(size) calls work for all; then the others, a thread each. The largest
//! go first, so that no thread ends long after the others.
template <int Bits, class IsGiant, class SortBucket>
void for_each_bucket(const host& executor, const bucket_bounds<Bits>& bounds, const IsGiant& is_giant,
                     const SortBucket& sort_bucket) {
  const auto size_of = [&](index_t b) { return bounds[b + 1] - bounds[b]; };
  const index_t buckets = bounds.count;
  index_t order[index_t{1} << Bits];
  put_largest_first(bounds.at, buckets, order);
  index_t giants = 0;
  while (giants < buckets && is_giant(size_of(order[giants]))) sort_bucket(order[giants++], all_threads);
  share_out(executor.threads(), buckets - giants, [&](index_t k, int thread) {
    const index_t b = order[giants + k];
    if (size_of(b) > 0) sort_bucket(b, thread);
  });
}

}  // namespace UPSWEEP_NAMESPACE::detail

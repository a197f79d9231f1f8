// Buckets of a sort as the work of a host's threads.
#pragma once
#include <algorithm>
#include <numeric>
#include <vector>

#include <upsweep/config.hpp>
#include <upsweep/executor.hpp>
#include <upsweep/host/share_out.hpp>

namespace upsweep::inline UPSWEEP_ABI::detail {

//! Who works on a bucket: the thread of this number, or
inline constexpr int all_threads = -1;

//! Calls sort_bucket(b, thread) for every bucket [bounds[b], bounds[b + 1]) that is not empty. First, one after
//! another, with all_threads, those that is_giant(size) calls work for all; then the others, a thread each. The largest
//! go first, so that no thread ends long after the others.
template <class IsGiant, class SortBucket>
void for_each_bucket(const host& executor, const std::vector<index_t>& bounds, const IsGiant& is_giant,
                     const SortBucket& sort_bucket) {
  const auto size_of = [&](index_t b) {
    return bounds[static_cast<std::size_t>(b) + 1] - bounds[static_cast<std::size_t>(b)];
  };
  std::vector<index_t> order(bounds.size() - 1);
  std::iota(order.begin(), order.end(), index_t{0});
  std::sort(order.begin(), order.end(), [&](index_t a, index_t b) { return size_of(a) > size_of(b); });
  const auto buckets = static_cast<index_t>(order.size());
  index_t giants = 0;
  while (giants < buckets && is_giant(size_of(order[static_cast<std::size_t>(giants)])))
    sort_bucket(order[static_cast<std::size_t>(giants++)], all_threads);
  share_out(executor.threads(), buckets - giants, [&](index_t k, int thread) {
    const index_t b = order[static_cast<std::size_t>(giants + k)];
    if (size_of(b) > 0) sort_bucket(b, thread);
  });
}

}  // namespace upsweep::inline UPSWEEP_ABI::detail

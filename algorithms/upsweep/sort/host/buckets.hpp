// Buckets of a sort as the work of a host's threads.
#pragma once
#include <algorithm>
#include <numeric>

#include <upsweep/config.hpp>
#include <upsweep/executor.hpp>
#include <upsweep/host/share_out.hpp>

namespace UPSWEEP_NAMESPACE::detail {

//! Where up to 2^Bits buckets begin, and the last one ends.
template <int Bits>
struct bucket_bounds {
  index_t count;
  index_t at[(index_t{1} << Bits) + 1];
  index_t operator[](index_t b) const { return at[b]; }
};

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
  std::iota(order, order + buckets, index_t{0});
  std::sort(order, order + buckets, [&](index_t a, index_t b) { return size_of(a) > size_of(b); });
  index_t giants = 0;
  while (giants < buckets && is_giant(size_of(order[giants]))) sort_bucket(order[giants++], all_threads);
  share_out(executor.threads(), buckets - giants, [&](index_t k, int thread) {
    const index_t b = order[giants + k];
    if (size_of(b) > 0) sort_bucket(b, thread);
  });
}

}  // namespace UPSWEEP_NAMESPACE::detail

// One pass of a sample sort on the host: every item goes to the bucket that splitters name, in order. Counts a part and
// a bucket, what stands before each, and stores that combine to lines.
#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

#include <upsweep/config.hpp>
#include <upsweep/executor.hpp>
#include <upsweep/host/memory.hpp>
#include <upsweep/sort/host/buckets.hpp>
#include <upsweep/sort/host/parts.hpp>
#include <upsweep/sort/host/splitters.hpp>
#include <upsweep/sort/host/write_combining.hpp>

namespace UPSWEEP_NAMESPACE::detail {

//! Moves n items to `to`, bucket by bucket. An item is compared once, and its bucket kept in `buckets`: a comparator
//! that then says something else moves no item past the end of a bucket. Returns where buckets start, and n.
template <class T, class Less>
class sample_split {
 public:
  //! Memory for a thread to combine the stores of n items in.
  static constexpr std::size_t combiner_bytes(index_t n) {
    return combines(n) ? write_combiner<T>::bytes(splitters<T>::most_buckets) : 0;
  }

  //! `combiners`: combiner_bytes(n), or more, for each of the executor's threads.
  sample_split(host& executor, const splitters<T>& by, const Less& less, unsigned char* combiners)
      : executor_(executor), by_(by), less_(less), combiners_(combiners) {}

  bucket_bounds<splitters<T>::most_levels + 1> operator()(const T* items, index_t n, T* to, std::uint8_t* buckets) {
    const parts shared(executor_, n);
    parts_ = shared.count();
    starts_.resize(static_cast<std::size_t>(parts_ * by_.buckets()));
    shared.for_each([&](index_t part, index_t begin, index_t end, int) {
      std::uint32_t counts[splitters<T>::most_buckets] = {};
      by_.classify(items + begin, end - begin, less_, buckets + begin, counts);
      for (index_t b = 0; b < by_.buckets(); b++) start(b, part) = counts[b];
    });
    bucket_bounds<splitters<T>::most_levels + 1> bounds;
    bounds.count = by_.buckets();
    counts_to_starts(executor_, starts_.data(), bounds.count, parts_, bounds.at);
    shared.for_each([&](index_t part, index_t begin, index_t end, int thread) {
      unsigned char* const lines = combiners_ + static_cast<std::size_t>(thread) * combiner_bytes(n);
      move_part(part, items + begin, buckets + begin, end - begin, to, n, lines);
    });
    return bounds;
  }

 private:
  static constexpr bool combines(index_t n) { return static_cast<std::size_t>(n) * sizeof(T) >= std::size_t{1} << 20; }

  index_t& start(index_t b, index_t part) { return starts_[static_cast<std::size_t>(b * parts_ + part)]; }

  void move_part(index_t part, const T* items, const std::uint8_t* buckets, index_t n, T* to, index_t all,
                 unsigned char* lines) {
    index_t starts[splitters<T>::most_buckets], at[splitters<T>::most_buckets];
    for (index_t b = 0; b < by_.buckets(); b++) starts[b] = at[b] = start(b, part);
    if (!combines(all)) {
      for (index_t i = 0; i < n; i++) to[at[buckets[i]]++] = items[i];
      return;
    }
    write_combiner<T> combined(lines, to, static_cast<std::size_t>(all) * sizeof(T) >= streaming_bytes);
    for (index_t i = 0; i < n; i++) combined.put(buckets[i], at[buckets[i]]++, starts, items[i]);
    for (index_t b = 0; b < by_.buckets(); b++) combined.finish(static_cast<std::size_t>(b), at[b], starts[b]);
  }

  host& executor_;
  const splitters<T>& by_;
  const Less& less_;
  unsigned char* combiners_;
  index_t parts_ = 1;
  std::vector<index_t> starts_;  // of bucket b in part p: [b * parts + p]
};

}  // namespace UPSWEEP_NAMESPACE::detail

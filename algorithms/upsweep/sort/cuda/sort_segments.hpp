// Sorts segments between offsets, as far as a CTA holds them. Windows of consecutive segments and their keys, cut by
// the number of both, go to a CTA each: millions of empty segments are no more work than as many keys.
//
// Keys of a window are ranked among those of their own segment that lie in their bucket: a segment has as many buckets
// as keys, which cut the range of the window's keys. Short segments need none. Where keys crowd in a bucket, they are
// ranked in their whole segment if it is not long; long ones are left to be sorted as units (sort_units.hpp). So is a
// last segment that the window does not hold, or a split takes it (split.hpp).
#pragma once
#include <cstddef>
#include <cstdint>

#include <upsweep/config.hpp>
#include <upsweep/cuda/warp.hpp>
#include <upsweep/sort/cuda/by_digits.hpp>
#include <upsweep/sort/cuda/key_sources.hpp>
#include <upsweep/sort/cuda/sort_units.hpp>
#include <upsweep/sort/cuda/split_memory.hpp>
#include <upsweep/sort/cuda/tuning.hpp>

namespace UPSWEEP_NAMESPACE::gpu {

//! Segments and keys of a window: less than a tile, so that a last segment which reaches out of it is often held too.
template <class Shape>
inline constexpr int window_length = Shape::tile / 4 * 3;

//! Units that windows of n keys may leave: last segments that reach far out, and long ones.
template <class Shape>
index_t most_left(index_t n) {
  return n / (Shape::tile - window_length<Shape>)+n / tuning::most_ranked;
}

//! A window's first segment; where that begins, and where the one before does.
struct window_start {
  index_t segment, begin, before;
};
//! Finds where windows start. Also begins what they leave.
template <class Shape, class Offset, class Known>
struct window_starts {
  places_of_segments<Offset> segments;
  window_start* starts;
  split_memory<Known> memory;
  __device__ void operator()(index_t w) const {
    if (w == 0) memory.start();
    const index_t from = lane_partition_point(
        segments.count, [&](index_t s) { return s + segments.begin(s) < w * window_length<Shape>; });
    starts[w] = {from, segments.begin(from), from > 0 ? segments.begin(from - 1) : 0};
  }
};

template <class Job, class Offset, class Known>
struct segments_args {
  unit_args<Job> units;
  places_of_segments<Offset> segments;
  const window_start* starts;
  unsigned int windows;
  split_memory<Known> memory;
};

//! Of a window: which places segments have.
template <class Shape>
struct window_state {
  static constexpr int words = Shape::tile / warp_size;
  std::uint32_t heads[words];       // a bit where a segment begins that is not empty
  std::uint16_t before[words];      // the last of them before a word's places
  std::uint16_t ends[Shape::tile];  // where a segment ends, by where it begins
  bool is_wrong, has_longer;        // are its offsets wrong; are there segments that are not short
};

template <class Job, class Rule, class Shape, class SplitShape, bool Ordered, class Offset>
class segment_sorter : protected unit_sorter<Job, Shape, Ordered> {
  using units = unit_sorter<Job, Shape, Ordered>;
  using U = typename Job::key_type;
  using Payload = typename Job::payload_type;
  using typename units::place_range;
  using units::m, units::rest_, units::rows, units::threads, units::place, units::live, units::put, units::counted;
  using units::places_of_bucket, units::lowest_, units::highest_, units::fraction;
  static constexpr int length_of_window = window_length<Shape>, short_segment = warp_size,
                       long_segment = tuning::most_ranked;

 public:
  using typename units::shared_memory, typename units::shared_state;
  using args_type = segments_args<Job, Offset, typename Rule::known>;
  __device__ segment_sorter(const args_type& args, shared_memory& memory, shared_state& state,
                            window_state<Shape>& shared)
      : units(args.units, memory, state), args_(args), w_(shared) {}

  __device__ void sort_window(unsigned int number) {
    const window_start first = args_.starts[number], next = args_.starts[number + 1];
    const index_t begin = first.begin, last = next.before, end = next.begin;
    if (first.segment >= next.segment) return;
    const bool holds_last = end - last <= Shape::tile - length_of_window;
    const index_t length = (holds_last ? end : last) - begin;
    const bool fits = 0 <= length && length <= Shape::tile && last <= end;
    unit_to_sort all{begin, fits ? static_cast<int>(length) : 0, 0};
    rest_ = all.length - static_cast<int>(threadIdx.x);
    U keys[rows];
    forget(keys);
    args_.units.job.template fetch<rows, threads>(keys, 0, begin + threadIdx.x, rest_);
    read_segments(first.segment, next.segment, all, fits);
    args_.units.job.encode(keys, 0);
    this->put_as_they_stand(keys);
    __syncthreads();
    if (w_.is_wrong) {
      if (threadIdx.x == 0) args_.memory.state->is_done = true;
      return;
    }
    if (threadIdx.x == 0 && !holds_last) leave(last, end - last);
    if (!sort_together(keys, all)) leave_long_ones(first.segment, next.segment, all);
  }

 private:
  const args_type& args_;
  window_state<Shape>& w_;

  //! Notes the segments [from, to) in the window's state, as far as they are sorted together.
  __device__ void read_segments(index_t from, index_t to, const unit_to_sort& all, bool fits) {
    for (int k = static_cast<int>(threadIdx.x); k < window_state<Shape>::words; k += threads) w_.heads[k] = 0;
    if (threadIdx.x == 0) w_.is_wrong = w_.has_longer = false;
    __syncthreads();
    if (!fits) w_.is_wrong = true;
#pragma unroll 4
    for (index_t s = from + threadIdx.x; s < to; s += threads) {
      const index_t start = args_.segments.begin(s) - all.begin, end = args_.segments.begin(s + 1) - all.begin;
      const bool is_outside = end > all.length;
      if (start < 0 || end < start || (is_outside && s < to - 1)) w_.is_wrong = true;
      else if (start < end && !is_outside) {
        const int at = static_cast<int>(start);
        atomicOr(&w_.heads[at / warp_size], 1u << at % warp_size);
        w_.ends[at] = static_cast<std::uint16_t>(end);
        if (end - start > short_segment) w_.has_longer = true;
      }
    }
  }
  //! For each word of heads, the last one before it: longer segments begin there.
  __device__ void look_back() {
    if (threadIdx.x >= window_state<Shape>::words) return;
    int word = static_cast<int>(threadIdx.x) - 1;
    while (word >= 0 && w_.heads[word] == 0) word--;
    if (word >= 0) w_.before[threadIdx.x] = static_cast<std::uint16_t>(last_head(word, w_.heads[word]));
  }
  //! Leaves a segment to the kernels of units, or of splits.
  __device__ void leave(index_t begin, index_t length) const {
    if (length <= args_.memory.unit_length) args_.memory.note_unit({begin, static_cast<int>(length), 0});
    else args_.memory.template push<SplitShape::tile>(begin, length, 0, Rule{args_.units.job}.known_of_all());
  }
  __device__ void leave_long_ones(index_t from, index_t to, const unit_to_sort& all) const {
    for (index_t s = from + threadIdx.x; s < to; s += threads) {
      const index_t begin = args_.segments.begin(s), end = args_.segments.begin(s + 1);
      if (end - begin > long_segment && end <= all.begin + all.length) leave(begin, end - begin);
    }
  }
  __device__ static int last_head(int word, std::uint32_t heads) { return word * warp_size + last_lane(heads); }
  //! The places of the segment that has this place. Are all Short? Then they begin in this word or the one before.
  template <bool Short>
  __device__ place_range segment_at(int at) const {
    const int word = at / warp_size;
    const std::uint32_t heads = w_.heads[word] & ~0u >> (warp_size - 1 - at % warp_size);
    const int first = heads   ? last_head(word, heads)
                      : Short ? last_head(word - 1, w_.heads[word - 1])
                              : static_cast<int>(w_.before[word]);
    return {first, w_.ends[first]};
  }
  //! The bucket of a key that stands in that segment.
  __device__ int bucket_in(const place_range& segment, U key) const {
    return segment.first +
           static_cast<int>(__umulhi(2 * fraction(key), static_cast<std::uint32_t>(segment.end - segment.first)));
  }

  //! Sorts the segments of a window. False: all but the long ones.
  __device__ bool sort_together(const U (&keys)[rows], const unit_to_sort& all) {
    bool all_sorted = true;
    if (!w_.has_longer) {
      rank_in_segments<true>(keys);
    } else {
      look_back();
      this->find_range(keys);
      if (lowest_ != highest_) {
        if (to_buckets(keys)) {
          this->rank_among([&](int at, U key) { return places_of_bucket(bucket_in(segment_at<false>(at), key)); });
        } else {
          all_sorted = false;
          rank_in_segments<false>(keys);
        }
      }
    }
    maybe<Payload> payloads[Job::has_payload ? rows : 1];
    if constexpr (Job::has_payload) {
      forget(payloads);  // later than for a unit: beside ranks they would spill
      args_.units.job.template fetch_payloads<rows, threads>(payloads, 0, all.begin + threadIdx.x, rest_);
    }
    __syncthreads();
    this->store_keys(all);
    if constexpr (Job::has_payload) {
      __syncthreads();
      this->store_payloads(all, payloads);
    }
    return all_sorted;
  }
  //! Puts the keys into the buckets of their segments, unless they crowd in few.
  __device__ bool to_buckets(const U (&keys)[rows]) {
    this->find_scale();
    std::uint32_t at[rows];
    forget(at);
    this->count(at, [&](int k) { return bucket_in(segment_at<false>(place(k)), keys[k]); });
    const auto own = this->look_at_own();
    if (__syncthreads_or(own.most > most_in_bucket)) return false;
    this->find_starts(own);
    __syncthreads();
    this->template put_into_buckets<false>(keys, at);
    return true;
  }
  static constexpr int most_in_bucket = Ordered ? tuning::most_ranked_in_order : tuning::most_ranked;

  //! Every key goes behind those of its segment that come before it. Long segments stay as they are.
  template <bool Short>
  __device__ void rank_in_segments(const U (&keys)[rows]) {
    std::uint32_t to[rows];
    forget(to);
#pragma unroll
    for (int k = 0; k < rows; k++)
      if (live(k)) {
        const int mine = place(k);
        const auto [first, end] = segment_at<Short>(mine);
        const bool is_ranked = Short || end - first <= long_segment;
        to[k] = static_cast<std::uint32_t>(
            is_ranked ? this->rank(counted(keys[k]), first, end, mine, [](int other) { return other; }) : mine);
      }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < rows; k++)
      if (live(k)) put(static_cast<int>(to[k]), keys[k], place(k));
  }
};

template <class Job, class Rule, class Shape, class SplitShape, bool Ordered, class Offset>
__global__ void __launch_bounds__(Shape::threads, Shape::ctas)
    sort_segments_kernel(const __grid_constant__ segments_args<Job, Offset, typename Rule::known> a) {
  using S = segment_sorter<Job, Rule, Shape, SplitShape, Ordered, Offset>;
  extern __shared__ __align__(16) std::byte memory[];
  __shared__ typename S::shared_state state;
  __shared__ window_state<Shape> window;
  S sorter(a, *reinterpret_cast<typename S::shared_memory*>(memory), state, window);
  for (unsigned int number = blockIdx.x; number < a.windows; number += gridDim.x) {
    sorter.sort_window(number);
    __syncthreads();
  }
}

}  // namespace UPSWEEP_NAMESPACE::gpu

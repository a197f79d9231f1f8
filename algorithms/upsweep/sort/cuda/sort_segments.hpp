// Sorts segments between offsets, as far as a CTA holds them. Windows of consecutive segments and their keys, cut by
// the number of both, go to a CTA each: millions of empty segments are no more work than as many keys.
//
// Short segments are sorted in registers (sort_short_segments.hpp), where a window has no others. Else its keys are
// ranked among those of their own segment that lie in their bucket: a segment has as many buckets as keys, which cut
// the range of the window's keys. Where keys crowd in a bucket, they are ranked in their whole segment if it is not
// long; long ones are left to be sorted as units (sort_units.hpp). So is a last segment that the window does not hold,
// or a split takes it (split.hpp).
#pragma once
#include <cstddef>
#include <cstdint>

#include <upsweep/config.hpp>
#include <upsweep/cuda/warp.hpp>
#include <upsweep/sort/cuda/by_digits.hpp>
#include <upsweep/sort/cuda/segment_windows.hpp>
#include <upsweep/sort/cuda/sort_short_segments.hpp>
#include <upsweep/sort/cuda/sort_units.hpp>
#include <upsweep/sort/cuda/split_memory.hpp>
#include <upsweep/sort/cuda/tuning.hpp>
#include <upsweep/sort/cuda/unit_order.hpp>

namespace UPSWEEP_NAMESPACE::gpu {

template <class Job, class Offset, class Known>
struct segments_args {
  unit_args<Job> units;
  places_of_segments<Offset> segments;
  const window_start* starts;
  unsigned int windows;
  split_memory<Known> memory;
};

template <class Job, class Rule, class Shape, class SplitShape, bool Ordered, class Offset>
class segment_sorter : protected unit_order<typename Job::key_type, Shape, Ordered> {
  using U = typename Job::key_type;
  using units = unit_order<U, Shape, Ordered>;
  using Payload = typename Job::payload_type;
  using units::m, units::memory, units::rest_, units::rows, units::threads, units::place, units::live;
  using units::places_of_bucket, units::lowest_, units::highest_, units::fraction;
  static constexpr int long_segment = tuning::most_ranked;

 public:
  using typename units::shared_memory, typename units::shared_state;
  using args_type = segments_args<Job, Offset, typename Rule::known>;
  __device__ segment_sorter(const args_type& args, shared_memory& shared, shared_state& state,
                            window_state<Shape>& window)
      : units(shared, state, args.units.counted), args_(args), w_(window) {}

  __device__ void sort_windows() {
    read_starts(blockIdx.x, 0);
    __syncthreads();
    hold(blockIdx.x, 0);
    read_starts(blockIdx.x + gridDim.x, 1);
    for (__syncthreads(); held().number < args_.windows; __syncthreads()) {
      sort_window();
      slot_ ^= 1;
    }
  }

 private:
  const args_type& args_;
  window_state<Shape>& w_;
  int slot_ = 0;  // of this window; the other is that of the one after

  __device__ const window_held& held() const { return w_.held[slot_]; }
  //! While keys are on their way: what the next window holds, of starts that were read meanwhile before this one, and
  //! the starts of the window after that. Both are for behind the next barrier, and what they replace was for before
  //! the last.
  __device__ void look_ahead() const {
    const unsigned int next = held().number + gridDim.x;
    read_starts(next + gridDim.x, slot_);
    hold(next, 1 - slot_);
  }
  __device__ void read_starts(unsigned int number, int slot) const {
    constexpr int words = 2 * sizeof(window_start) / sizeof(index_t);
    const int word = static_cast<int>(threadIdx.x);
    if (word < words && number < args_.windows)
      reinterpret_cast<index_t*>(w_.starts[slot])[word] = reinterpret_cast<const index_t*>(args_.starts + number)[word];
  }
  //! What a window holds, from its start and the next one's. A last segment may reach too far out.
  __device__ void hold(unsigned int number, int slot) const {
    if (threadIdx.x != threads - 1) return;
    window_held& all = w_.held[slot];
    all.number = number;
    if (number >= args_.windows) return;
    const window_start &start = w_.starts[slot][0], &behind = w_.starts[slot][1];
    const index_t last = behind.begin - behind.before;
    const bool has_last = last <= Shape::tile - window_length<Shape>;
    const index_t segments = behind.segment - start.segment - !has_last;
    const index_t length = (has_last ? behind.begin : behind.before) - start.begin;
    all = {start.segment,       start.begin, static_cast<int>(segments), static_cast<int>(length),
           has_last ? 0 : last, number};
    if (start.segment >= behind.segment) {
      all.segments = -1;
    } else if (segments > window_length<Shape> || length < 0 || length > Shape::tile || last < 0) {
      all.segments = -1;
      give_up();
    }
  }

  __device__ void sort_window() {
    const window_held& all = held();
    if (all.segments < 0) return look_ahead();
    rest_ = all.length - static_cast<int>(threadIdx.x);
    U keys[rows];
    forget(keys);
    args_.units.job.template fetch<rows, threads>(keys, 0, all.begin + threadIdx.x, rest_);
    look_ahead();
    const kinds own = look_at();
    args_.units.job.encode(keys, 0);
    this->put_as_they_stand(keys);
    const bool all_short = !__syncthreads_or(own.wrong || own.longest > tuning::of_two_lanes);
    bool sorted = true;
    if (all_short) {
      sort_short_ones(own.longest);
    } else {
      if (__syncthreads_or(own.wrong)) return give_up();
      note_places();
      sorted = sort_together(keys);
    }
    leave_others(!sorted);
    store(all_short);
  }

  //! Nothing is sorted on, as offsets are wrong.
  __device__ void give_up() const { args_.memory.state->is_done = true; }
  //! Are a thread's segments wrong; how long is the longest? Notes where they begin.
  struct kinds {
    bool wrong;
    int longest;
  };
  __device__ kinds look_at() const {
    const window_held& all = held();
    kinds own{};
#pragma unroll 1
    for (int s = static_cast<int>(threadIdx.x); s < all.segments; s += threads) {
      const index_t first = args_.segments.begin(all.from + s) - all.begin;
      const index_t end = args_.segments.begin(all.from + s + 1) - all.begin;
      own.wrong |= first < 0 || end < first || end > all.length;
      own.longest = max(own.longest, static_cast<int>(end - first));
      w_.firsts[s] = static_cast<std::uint16_t>(first);
      if (s + 1 == all.segments) w_.firsts[s + 1] = static_cast<std::uint16_t>(end);
    }
    return own;
  }
  //! The places of a segment in its window.
  __device__ place_range places_of(int s) const { return {w_.firsts[s], w_.firsts[s + 1]}; }

  __device__ void sort_short_ones(int longest) {
    const U counted_bits = Ordered ? args_.units.counted : static_cast<U>(~U{0});
    const short_segments<U, finds_sources> all(m.sorted.keys, sources(), counted_bits);
    const auto places = [&](int s) { return places_of(s); };
    if (__syncthreads_or(longest > tuning::of_one_lane)) all.template sort<2, threads>(held().segments, places);
    else all.template sort<1, threads>(held().segments, places);
  }
  static constexpr bool finds_sources = Ordered || sizeof(U) > 4;
  __device__ std::uint16_t* sources() const {
    if constexpr (Ordered) return memory.sources;
    else return w_.sources;
  }

  //! Notes where segments lie.
  __device__ void note_places() {
    for (int k = static_cast<int>(threadIdx.x); k < window_state<Shape>::words; k += threads) w_.heads[k] = 0;
    __syncthreads();
    for (int s = static_cast<int>(threadIdx.x); s < held().segments; s += threads) {
      const auto [first, end] = places_of(s);
      if (first == end) continue;
      atomicOr(&w_.heads[first / warp_size], 1u << first % warp_size);
      w_.ends[first] = static_cast<std::uint16_t>(end);
    }
    __syncthreads();
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
  //! Leaves the last segment if it is not held, and long ones if they are not sorted.
  __device__ void leave_others(bool long_ones) const {
    const window_held& all = held();
    for (int s = static_cast<int>(threadIdx.x) + (long_ones ? 0 : all.segments); s <= all.segments; s += threads) {
      const bool is_held = s < all.segments;
      const auto [first, end] = is_held ? places_of(s) : place_range{all.length, all.length};
      const index_t length = is_held ? end - first : all.left;
      if (length > long_segment) leave(all.begin + first, length);
    }
  }
  __device__ static int last_head(int word, std::uint32_t heads) { return word * warp_size + last_lane(heads); }
  //! The places of the segment that has this place.
  __device__ place_range segment_at(int at) const {
    const int word = at / warp_size;
    const std::uint32_t heads = w_.heads[word] & ~0u >> (warp_size - 1 - at % warp_size);
    const int first = heads ? last_head(word, heads) : static_cast<int>(w_.before[word]);
    return {first, w_.ends[first]};
  }
  //! The bucket of a key that stands in that segment.
  __device__ int bucket_in(const place_range& segment, U key) const {
    return segment.first +
           static_cast<int>(__umulhi(2 * fraction(key), static_cast<std::uint32_t>(segment.end - segment.first)));
  }

  //! Sorts all segments of a window. False: all but the long ones.
  __device__ bool sort_together(const U (&keys)[rows]) {
    this->find_range(keys);
    if (lowest_ == highest_) return true;
    const bool in_buckets = to_buckets(keys);
    this->rank_among([&](int at, U key) {
      const place_range segment = segment_at(at);
      if (in_buckets) return places_of_bucket(bucket_in(segment, key));
      return segment.end - segment.first > long_segment ? place_range{at, at} : segment;
    });
    return in_buckets;
  }
  //! Puts the keys into the buckets of their segments, unless they crowd in few.
  __device__ bool to_buckets(const U (&keys)[rows]) {
    this->find_scale();
    std::uint32_t at[rows];
    forget(at);
    this->count(at, [&](int k) { return bucket_in(segment_at(place(k)), keys[k]); });
    const auto own = this->look_at_own();
    if (__syncthreads_or(own.most > most_in_bucket)) return false;
    this->find_starts(own);
    __syncthreads();
    this->template put_into_buckets<false>(keys, at);
    return true;
  }
  static constexpr int most_in_bucket = Ordered ? tuning::most_ranked_in_order : tuning::most_ranked;

  //! Writes the window out.
  __device__ void store(bool all_short) {
    __syncthreads();
    rest_ = held().length - static_cast<int>(threadIdx.x);  // anew: kept through a network it would spill
    const index_t begin = held().begin;
    maybe<Payload> payloads[Job::has_payload ? rows : 1];
    if constexpr (Job::has_payload) {  // neighbours come from near each other
      forget(payloads);
#pragma unroll
      for (int k = 0; k < rows; k++)
        if (live(k)) payloads[k].value = args_.units.job.payload_in(begin + memory.sources[place(k)]);
    }
    if (finds_sources && all_short) {
#pragma unroll
      for (int k = 0; k < rows; k++)
        if (live(k)) args_.units.job.key_out(begin + place(k), m.sorted.keys[sources()[place(k)]]);
    } else {
      this->store_keys(args_.units.job.key_out, begin);
    }
    if constexpr (Job::has_payload) {
      __syncthreads();  // they may lie where the others come from
#pragma unroll
      for (int k = 0; k < rows; k++)
        if (live(k)) args_.units.job.payload_out[begin + place(k)] = payloads[k].value;
    }
  }
};

template <class Job, class Rule, class Shape, class SplitShape, bool Ordered, class Offset>
__global__ void __launch_bounds__(Shape::threads, Shape::ctas)
    sort_segments_kernel(const __grid_constant__ segments_args<Job, Offset, typename Rule::known> a) {
  using S = segment_sorter<Job, Rule, Shape, SplitShape, Ordered, Offset>;
  extern __shared__ __align__(16) std::byte memory[];
  __shared__ typename S::shared_state state;
  __shared__ window_state<Shape> window;
  S(a, *reinterpret_cast<typename S::shared_memory*>(memory), state, window).sort_windows();
}

}  // namespace UPSWEEP_NAMESPACE::gpu

// Sorts segments between offsets, as far as a CTA holds them. Windows of consecutive segments and their keys, cut by
// the number of both, go to a CTA each: millions of empty segments are no more work than as many keys.
//
// Short segments are sorted each by a thread (sorting_network.hpp), where a window has no others. Else its keys are
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
#include <upsweep/sort/cuda/sort_units.hpp>
#include <upsweep/sort/cuda/sorting_network.hpp>
#include <upsweep/sort/cuda/split_memory.hpp>
#include <upsweep/sort/cuda/tuning.hpp>

namespace UPSWEEP_NAMESPACE::gpu {

template <class Job, class Offset, class Known>
struct segments_args {
  unit_args<Job> units;
  places_of_segments<Offset> segments;
  const window_start* starts;
  unsigned int windows;
  split_memory<Known> memory;
};

//! Where this window and the one after start, and those behind them; then which places segments have.
template <class Shape>
struct window_state {
  static constexpr int words = Shape::tile / warp_size;
  window_start starts[2][2];
  std::uint32_t heads[words];   // a bit where a segment begins that is not empty
  std::uint16_t before[words];  // the last of them before a word's places
  union {
    std::uint16_t ends[Shape::tile];     // where a segment ends, by where it begins
    std::uint16_t sources[Shape::tile];  // of a window of short segments: where a key stood
  };
};

template <class Job, class Rule, class Shape, class SplitShape, bool Ordered, class Offset>
class segment_sorter : protected unit_sorter<Job, Shape, Ordered> {
  using units = unit_sorter<Job, Shape, Ordered>;
  using U = typename Job::key_type;
  using Payload = typename Job::payload_type;
  using typename units::place_range;
  using units::m, units::memory, units::rest_, units::rows, units::threads, units::place, units::live, units::put;
  using units::places_of_bucket, units::lowest_, units::highest_, units::fraction, units::counted;
  static constexpr int long_segment = tuning::most_ranked;

 public:
  using typename units::shared_memory, typename units::shared_state;
  using args_type = segments_args<Job, Offset, typename Rule::known>;
  __device__ segment_sorter(const args_type& args, shared_memory& shared, shared_state& state,
                            window_state<Shape>& window)
      : units(args.units, shared, state), args_(args), w_(window) {}

  __device__ void sort_windows() {
    read_starts(blockIdx.x);
    for (unsigned int number = blockIdx.x; number < args_.windows; number += gridDim.x) {
      __syncthreads();
      slot_ ^= 1;
      sort_window(number + gridDim.x);
    }
  }

 private:
  const args_type& args_;
  window_state<Shape>& w_;
  int slot_ = 1;  // of the starts, this window's; the other is that of the window after

  // What a window holds is looked up where it is wanted: registers are what a network lacks.
  __device__ const window_start& start() const { return w_.starts[slot_][0]; }
  __device__ const window_start& behind() const { return w_.starts[slot_][1]; }
  //! A last segment may reach too far out.
  __device__ bool holds_last() const { return behind().begin - behind().before <= Shape::tile - window_length<Shape>; }
  //! Its segments, and their keys.
  struct window_held {
    index_t from, to;
    index_t begin, length;
  };
  __device__ window_held held() const {
    const bool last = holds_last();
    return {start().segment, behind().segment - !last, start().begin,
            (last ? behind().begin : behind().before) - start().begin};
  }
  //! For the window after this one. A barrier must stand behind.
  __device__ void read_starts(unsigned int number) const {
    constexpr int words = 2 * sizeof(window_start) / sizeof(index_t);
    const int word = static_cast<int>(threadIdx.x);
    if (word < words && number < args_.windows)
      reinterpret_cast<index_t*>(w_.starts[1 - slot_])[word] =
          reinterpret_cast<const index_t*>(args_.starts + number)[word];
  }

  __device__ void sort_window(unsigned int after) {
    read_starts(after);
    if (start().segment >= behind().segment) return;
    const window_held all = held();
    if (all.length < 0 || all.length > Shape::tile || behind().before > behind().begin) return give_up();
    rest_ = static_cast<int>(all.length) - static_cast<int>(threadIdx.x);
    U keys[rows];
    forget(keys);
    args_.units.job.template fetch<rows, threads>(keys, 0, all.begin + threadIdx.x, rest_);
    const kinds own = look_at(all);
    args_.units.job.encode(keys, 0);
    this->put_as_they_stand(keys);
    const bool all_short = !__syncthreads_or(own.wrong || own.longer);
    if (all_short) {
      sort_short_ones();
    } else {
      if (__syncthreads_or(own.wrong)) return give_up();
      note_places();
      if (!sort_together(keys)) leave_long_ones();
    }
    if (threadIdx.x == 0 && !holds_last()) leave(behind().before, behind().begin - behind().before);
    store(all_short);
  }

  //! Nothing is sorted on, as offsets are wrong.
  __device__ void give_up() const {
    if (threadIdx.x == 0) args_.memory.state->is_done = true;
  }
  //! The places of a segment in its window.
  __device__ place_range places_of(index_t s) const {
    return {static_cast<int>(args_.segments.begin(s) - start().begin),
            static_cast<int>(args_.segments.begin(s + 1) - start().begin)};
  }
  //! Are a thread's segments wrong; are there any that are not short?
  struct kinds {
    bool wrong, longer;
  };
  __device__ kinds look_at(const window_held& all) const {
    kinds own{};
#pragma unroll 1
    for (index_t s = all.from + threadIdx.x; s < all.to; s += threads) {
      const index_t start = args_.segments.begin(s), end = args_.segments.begin(s + 1);
      own.wrong |= start < all.begin || end < start || end > all.begin + all.length;
      own.longer |= end - start > tuning::short_segment;
    }
    return own;
  }

  //! Every thread sorts segments of its own, in registers.
  __device__ void sort_short_ones() {
#pragma unroll 1
    for (int round = 0; round < segments_held(); round += threads) {
      const int s = round + static_cast<int>(threadIdx.x);
      sort_up_to<least_network>(s < segments_held() ? places_of(start().segment + s) : place_range{0, 0});
    }
  }
  __device__ int segments_held() const {
    const window_held all = held();
    return static_cast<int>(all.to - all.from);
  }
  static constexpr int least_network = 8, network_step = 4;
  //! By the least network that is enough for all lanes.
  template <int Count>
  __device__ void sort_up_to(const place_range& segment) {
    if constexpr (Count < tuning::short_segment) {
      if (__any_sync(~0u, segment.end - segment.first > Count)) return sort_up_to<Count + network_step>(segment);
    }
    if constexpr (finds_sources) find_sources<Count>(segment.first, segment.end - segment.first);
    else sort_keys<Count>(segment.first, segment.end - segment.first);
  }
  static constexpr bool finds_sources = Ordered || sizeof(U) > 4;

  template <int Count>
  __device__ void sort_keys(int first, int length) {
    U keys[Count];
#pragma unroll
    for (int k = 0; k < Count; k++) {
      keys[k] = static_cast<U>(~U{0});
      if (k < length) keys[k] = m.sorted.keys[first + k];
    }
    sort_registers(keys);
#pragma unroll
    for (int k = 0; k < Count; k++)
      if (k < length) m.sorted.keys[first + k] = keys[k];
  }
  //! Sorts numbers of 32 bits, a key's highest bits in which keys of the segment differ and its source behind them.
  template <int Count>
  __device__ void find_sources(int first, int length) {
    constexpr int source_bits = 5;
    static_assert(Count <= 1 << source_bits);
    const U* const keys = m.sorted.keys + first;  // they stay there
    U lowest = static_cast<U>(~U{0}), highest = 0;
#pragma unroll
    for (int k = 0; k < Count; k++)
      if (k < length) {
        lowest = min(lowest, counted(keys[k]));
        highest = max(highest, counted(keys[k]));
      }
    const auto range = static_cast<unsigned long long>(static_cast<U>(highest - lowest));
    const int shift = length > 0 ? max(0, 64 - __clzll(static_cast<long long>(range)) - (32 - source_bits)) : 0;
    std::uint32_t numbers[Count];
#pragma unroll
    for (int k = 0; k < Count; k++) {
      numbers[k] = ~0u;
      if (k < length)
        numbers[k] = static_cast<std::uint32_t>(static_cast<U>(counted(keys[k]) - lowest) >> shift) << source_bits |
                     static_cast<std::uint32_t>(k);
    }
    sort_registers(numbers);
    bool crowd = false;  // keys whose numbers do not tell their order
    U before = 0;
#pragma unroll
    for (int k = 0; k < Count; k++)
      if (k < length) {
        const int source = static_cast<int>(numbers[k] & ((1u << source_bits) - 1));
        sources()[first + k] = static_cast<std::uint16_t>(first + source);
        const U key = counted(keys[source]);
        crowd |= key < before;
        before = key;
      }
    if (crowd) insert_sources(first, first + length);
  }
  //! Brings sources in the order of their keys. Those of equal ones are in order.
  __device__ void insert_sources(int first, int end) {
    for (int k = first + 1; k < end; k++) {
      const std::uint16_t source = sources()[k];
      const U key = counted(m.sorted.keys[source]);
      int to = k;
      for (; to > first && key < counted(m.sorted.keys[sources()[to - 1]]); to--) sources()[to] = sources()[to - 1];
      sources()[to] = source;
    }
  }
  __device__ std::uint16_t* sources() const {
    if constexpr (Ordered) return memory.sources;
    else return w_.sources;
  }

  //! Notes where segments lie.
  __device__ void note_places() {
    for (int k = static_cast<int>(threadIdx.x); k < window_state<Shape>::words; k += threads) w_.heads[k] = 0;
    __syncthreads();
    const window_held all = held();
    for (index_t s = all.from + threadIdx.x; s < all.to; s += threads) {
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
  __device__ void leave_long_ones() const {
    const window_held all = held();
    for (index_t s = all.from + threadIdx.x; s < all.to; s += threads) {
      const index_t begin = args_.segments.begin(s), length = args_.segments.begin(s + 1) - begin;
      if (length > long_segment) leave(begin, length);
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
    if (to_buckets(keys)) {
      this->rank_among([&](int at, U key) { return places_of_bucket(bucket_in(segment_at(at), key)); });
      return true;
    }
    rank_in_segments(keys);
    return false;
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

  //! Every key goes behind those of its segment that come before it. Long segments stay as they are.
  __device__ void rank_in_segments(const U (&keys)[rows]) {
    std::uint32_t to[rows];
    forget(to);
#pragma unroll
    for (int k = 0; k < rows; k++)
      if (live(k)) {
        const int mine = place(k);
        const auto [first, end] = segment_at(mine);
        to[k] = static_cast<std::uint32_t>(end - first > long_segment ? mine
                                                                      : this->rank(counted(keys[k]), first, end, mine,
                                                                                   [](int other) { return other; }));
      }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < rows; k++)
      if (live(k)) put(static_cast<int>(to[k]), keys[k], place(k));
  }

  //! Writes the window out.
  __device__ void store(bool all_short) {
    __syncthreads();
    const window_held window = held();
    const unit_to_sort all{window.begin, static_cast<int>(window.length), 0};
    maybe<Payload> payloads[Job::has_payload ? rows : 1];
    if constexpr (Job::has_payload) {  // neighbours come from near each other
      forget(payloads);
#pragma unroll
      for (int k = 0; k < rows; k++)
        if (live(k)) payloads[k].value = args_.units.job.payload_in(all.begin + memory.sources[place(k)]);
    }
    if (finds_sources && all_short) {
#pragma unroll
      for (int k = 0; k < rows; k++)
        if (live(k)) args_.units.job.key_out(all.begin + place(k), m.sorted.keys[sources()[place(k)]]);
    } else {
      this->store_keys(all);
    }
    if constexpr (Job::has_payload) {
      __syncthreads();  // they may lie where the others come from
#pragma unroll
      for (int k = 0; k < rows; k++)
        if (live(k)) args_.units.job.payload_out[all.begin + place(k)] = payloads[k].value;
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

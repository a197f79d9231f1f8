// How many keys of a segment have each value above its lowest, of up to 16 bits: counters in shared memory, two a word,
// in rows of 64 values. Where keys might count to more than 2^16, counts of 2^15 are taken off them now and then.
#pragma once
#include <cstdint>

#include <upsweep/config.hpp>
#include <upsweep/cuda/warp.hpp>
#include <upsweep/monoid.hpp>
#include <upsweep/sort/cuda/digits.hpp>
#include <upsweep/sort/cuda/split_memory.hpp>

namespace UPSWEEP_NAMESPACE::gpu {

//! The counters of a CTA; all of its threads call.
template <class Job>
class value_counters {
  using U = typename Job::key_type;

 public:
  static constexpr int warps = warp_size, threads = warps * warp_size;

 protected:
  static constexpr int row_values = 2 * warp_size, most_rows = (1 << counting_bits) / row_values;
  static_assert(most_rows <= threads);
  static constexpr int row_room = warp_size + 1;  // words, so that rows begin in all banks
  static constexpr int of_batch = 8;              // keys a thread
  static constexpr int marks_of_thread = 8, piece_length = marks_of_thread * threads;
  static constexpr index_t batch = of_batch * threads;
  static constexpr std::uint32_t lift_by = counting_step;

 public:
  //! What can be written of a long segment at once: so many keys, 16 bits have room for their counts.
  static constexpr index_t most_written = 7 * piece_length;

  struct shared_memory {
    alignas(16) std::uint32_t counts[most_rows * row_room];
    alignas(16) std::uint16_t marks[piece_length];
    std::uint32_t starts[threads + 1];  // of the keys of rows
  };
  struct shared_state {
    std::uint32_t folds[warps];
    int lifted;
    std::uint16_t lifted_values[most_counting_part / lift_by];
  };

  __device__ value_counters(const Job& of, shared_memory& shared, shared_state& state) : job(of), m(shared), s(state) {}

  //! Counts keys [first, first + length) of a segment. What counters have no room for is added to long_counts, or, if
  //! that is null, remembered.
  __device__ void count(const counted_segment& g, index_t first, index_t length, std::uint32_t* long_counts) {
    const auto lowest = static_cast<U>(g.lowest);
    U keys[of_batch], next[of_batch];
    const auto fetch = [&](index_t from) {
      const auto rest = static_cast<int>(min(length - from, batch)) - thread();
      job.template fetch<of_batch, threads>(next, g.place, g.begin + first + from + thread(), rest);
    };
    forget(next);
    fetch(0);
    set_rows(g.bits);
    for (int k = thread(); 4 * k < rows_ * row_room; k += threads) reinterpret_cast<uint4*>(m.counts)[k] = {};
    __syncthreads();
    for (index_t at = 0; at < length; at += batch) {
      job.encode(next, g.place);
#pragma unroll
      for (int k = 0; k < of_batch; k++) keys[k] = next[k];
      if (at + batch < length) fetch(at + batch);
      if (at == 0) common_ = __shfl_sync(~0u, static_cast<std::uint32_t>(keys[0] - lowest), 0);
      add(keys, lowest, static_cast<int>(min(length - at, batch)) - thread());
      if (length < 2 * counting_step || (at + batch) % counting_step != 0) continue;
      __syncthreads();
      lift(long_counts);
      __syncthreads();
    }
    __syncthreads();
  }
  //! How many keys of a value are counted.
  __device__ std::uint32_t count_of(std::uint32_t value) const {
    const std::uint32_t pair = m.counts[word_of(static_cast<int>(value / 2))];
    std::uint32_t count = value % 2 ? pair >> 16 : pair & 0xffff;
    for (int k = 0; k < s.lifted; k++) count += s.lifted_values[k] == value ? lift_by : 0u;
    return count;
  }
  //! Adds all that is counted.
  __device__ void add_to(std::uint32_t* long_counts) const {
    for (int w = thread(); w < words(); w += threads) {
      const std::uint32_t pair = m.counts[word_of(w)];
      if (pair & 0xffff) atomicAdd(long_counts + 2 * w, pair & 0xffff);
      if (pair >> 16) atomicAdd(long_counts + 2 * w + 1, pair >> 16);
    }
  }
  //! Takes over what the keys [first, first + length) of a long segment in order count to.
  __device__ void take_from(const std::uint32_t* long_counts, int bits, index_t first, index_t length) {
    set_rows(bits);
    const auto pair_of = [&](int row) {
      return __ldcg(reinterpret_cast<const uint2*>(long_counts) + row * warp_size + lane_id());
    };
#pragma unroll 8
    for (int row = warp(); row < rows_; row += warps) {
      const uint2 pair = pair_of(row);
      const std::uint32_t sum = warp_sum(pair.x + pair.y);
      if (lane_id() == 0) m.starts[row] = sum;
    }
    __syncthreads();
    find_starts(has_row() ? m.starts[thread()] : 0);
    for (int row = warp(); row < rows_; row += warps) {
      std::uint32_t pair = 0;
      if (m.starts[row] < first + length && m.starts[row + 1] > first) {
        const uint2 counts = pair_of(row);
        const std::uint32_t sum = counts.x + counts.y;
        const index_t begin = index_t{m.starts[row]} + warp_scan(sum, warp_size, sum_of{}) - sum - first;
        const auto inside = [&](index_t from, std::uint32_t count) {
          return static_cast<std::uint32_t>(max(min(from + count, length) - max(from, index_t{0}), index_t{0}));
        };
        pair = inside(begin, counts.x) | inside(begin + counts.x, counts.y) << 16;
      }
      m.counts[row * row_room + lane_id()] = pair;
    }
    __syncthreads();
  }

 protected:
  const Job& job;
  shared_memory& m;
  shared_state& s;
  int rows_;
  std::uint32_t common_;  // a value that many of the warp's keys have, perhaps
  bool is_lifted_;        // is a counter of the thread's row?

  using sum_of = plus<std::uint32_t>;
  __device__ static int thread() { return static_cast<int>(threadIdx.x); }
  __device__ static int warp() { return thread() / warp_size; }
  __device__ int words() const { return rows_ * warp_size; }
  __device__ static int word_of(int word) { return word + word / warp_size; }
  __device__ const std::uint32_t* row(int number) const { return &m.counts[number * row_room]; }
  __device__ bool has_row() const { return thread() < rows_; }

  //! How many keys have the values of a thread's row.
  __device__ std::uint32_t sum_of_row() {
    std::uint32_t lower = 0, upper = 0;
    is_lifted_ = false;
    if (!has_row()) return 0;
#pragma unroll 8
    for (int k = 0; k < warp_size; k++) {
      const std::uint32_t pair = row(thread())[k];
      lower += pair & 0xffff;
      upper += pair >> 16;
    }
    for (int k = 0; k < s.lifted; k++)
      if (s.lifted_values[k] / row_values == thread()) {
        lower += lift_by;
        is_lifted_ = true;
      }
    return lower + upper;
  }
  //! Finds where rows' keys start, from how many a thread's row has.
  __device__ void find_starts(std::uint32_t sum) {
    const std::uint32_t before = fold_before(sum, sum_of{});
    m.starts[thread()] = before;
    if (thread() == threads - 1) m.starts[threads] = before + sum;
    __syncthreads();
  }
  //! The fold of what the threads before have, by a commutative function with 0 as its identity. (That of digits.hpp,
  //! of any function, looks at one warp after the other, and here are 32.)
  template <class F>
  __device__ std::uint32_t fold_before(std::uint32_t value, const F& f) {
    const std::uint32_t inclusive = warp_scan(value, warp_size, f), below = from_below(inclusive, 1);
    if (lane_id() == warp_size - 1) s.folds[warp()] = inclusive;
    __syncthreads();
    std::uint32_t before = lane_id() < warp() ? s.folds[lane_id()] : 0;
#pragma unroll
    for (int distance = warp_size / 2; distance > 0; distance /= 2)
      before = f(before, __shfl_xor_sync(~0u, before, distance));
    return lane_id() == 0 ? before : f(before, below);
  }

 private:
  //! As many as values of so many bits want; no counter is lifted. A barrier must stand behind.
  __device__ void set_rows(int bits) {
    rows_ = max((1 << bits) / row_values, 1);
    if (thread() == 0) s.lifted = 0;
  }
  //! Where more than a few lanes have the common value, one adds for all of them. If they have not, another becomes it.
  __device__ void add(const U (&keys)[of_batch], U lowest, int rest) {
    constexpr int few = 4;
    std::uint32_t values[of_batch], alike[of_batch];
#pragma unroll
    for (int k = 0; k < of_batch; k++) {
      values[k] = static_cast<std::uint32_t>(keys[k] - lowest);
      alike[k] = __ballot_sync(~0u, k * threads < rest && values[k] == common_);
    }
#pragma unroll
    for (int k = 0; k < of_batch; k++) {
      const int count = __popc(alike[k]);
      std::uint32_t adds = k * threads < rest;
      if (count > few && values[k] == common_)
        adds = (alike[k] & ((2u << lane_id()) - 1)) == 1u << lane_id() ? count : 0;
      if (adds > 0) atomicAdd(&m.counts[word_of(static_cast<int>(values[k] / 2))], adds << 16 * (values[k] % 2));
    }
    if (__popc(alike[0]) <= few) common_ = __shfl_sync(~0u, values[0], 0);
  }
  //! Takes 2^15 off counters that have come as far.
  __device__ void lift(std::uint32_t* long_counts) {
    const auto lift_value = [&](int value) {
      if (long_counts) atomicAdd(long_counts + value, lift_by);
      else s.lifted_values[atomicAdd(&s.lifted, 1)] = static_cast<std::uint16_t>(value);
    };
    constexpr int together = 8;
#pragma unroll 1
    for (int first = thread(); first < words(); first += together * threads) {
      std::uint32_t pairs[together];
#pragma unroll
      for (int k = 0; k < together; k++)
        pairs[k] = first + k * threads < words() ? m.counts[word_of(first + k * threads)] : 0;
#pragma unroll
      for (int k = 0; k < together; k++) {
        const int w = first + k * threads;
        const std::uint32_t high = pairs[k] & 0x80008000;
        if (high == 0) continue;
        m.counts[word_of(w)] = pairs[k] - high;
        if (high & 0x8000) lift_value(2 * w);
        if (high >> 16) lift_value(2 * w + 1);
      }
    }
  }
};

}  // namespace UPSWEEP_NAMESPACE::gpu

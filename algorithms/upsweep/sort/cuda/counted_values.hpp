// The keys of a segment in order, written from how many have each value of their last bits (value_counters.hpp): in
// pieces, in which a value is marked where its keys begin, and filled in from there.
#pragma once
#include <cstdint>
#include <cstring>

#include <upsweep/config.hpp>
#include <upsweep/cuda/warp.hpp>
#include <upsweep/monoid.hpp>
#include <upsweep/sort/cuda/split_memory.hpp>
#include <upsweep/sort/cuda/value_counters.hpp>

namespace UPSWEEP_NAMESPACE::gpu {

//! Values that are counted and written by a CTA; all of its threads call.
template <class Job>
class counted_values : public value_counters<Job> {
  using counters = value_counters<Job>;
  using U = typename Job::key_type;
  using counters::job, counters::m, counters::s, counters::is_lifted_;
  using counters::marks_of_thread, counters::piece_length, counters::row_values, counters::lift_by;
  using counters::thread, counters::row, counters::find_starts, counters::sum_of_row, counters::fold_before;
  using typename counters::sum_of;

 public:
  using counters::threads, counters::value_counters;

  //! The value of a segment's first key.
  __device__ std::uint32_t first_value(const counted_segment& g) const {
    return static_cast<std::uint32_t>(job.key(g.place, g.begin) - static_cast<U>(g.lowest));
  }
  //! Writes what is counted, in order, as keys [first, first + length) of a segment's result.
  __device__ void write(const counted_segment& g, index_t first, index_t length) {
    const auto lowest = static_cast<U>(g.lowest);
    find_starts(sum_of_row());
    const auto all = static_cast<int>(length);
    for (int piece = 0; piece < all; piece += piece_length) {
      reinterpret_cast<uint4*>(m.marks)[thread()] = {};
      __syncthreads();
      const bool is_mixed = __syncthreads_or(mark(piece));
      if (is_mixed) {
        fill_marks();
        __syncthreads();
      }
      const int rest = min(all - piece, piece_length) - thread();
      const index_t to = g.begin + first + piece + thread();
#pragma unroll
      for (int k = 0; k < marks_of_thread; k++)
        if (k * threads < rest)
          job.key_out(to + k * threads, static_cast<U>(lowest + m.marks[is_mixed ? thread() + k * threads : 0]));
      __syncthreads();
    }
  }

 private:
  //! Marks where values begin in a piece, or what it begins with. Threads go along their rows; rows that begin before
  //! the piece or have lifted counters are left to whole warps, as are few.
  __device__ bool mark(int piece) {
    constexpr int few = 4;
    const auto start = static_cast<int>(m.starts[thread()]), end = static_cast<int>(m.starts[thread() + 1]);
    const bool is_met = end > max(start, piece) && start < piece + piece_length;
    const bool is_plain = is_met && start >= piece && !is_lifted_;
    std::uint32_t others = __ballot_sync(~0u, is_met && !is_plain);
    const std::uint32_t plain = __ballot_sync(~0u, is_plain);
    bool is_mixed = __popc(plain) > few;
    if (!is_mixed) others |= plain;
    else if (is_plain) mark_row(start - piece);
    for (; others != 0; others &= others - 1)
      is_mixed |= mark_row_together(thread() - lane_id() + __ffs(static_cast<int>(others)) - 1, piece);
    return is_mixed;
  }
  //! Of this thread's row; `at`: where its keys begin.
  __device__ void mark_row(int at) {
    constexpr int together = 8;
    const auto note = [&](int count, int value) {
      if (count > 0 && at < piece_length) m.marks[at] = static_cast<std::uint16_t>(value);
      at += count;
    };
#pragma unroll 1
    for (int first = 0; first < warp_size; first += together) {
      std::uint32_t pairs[together];  // read before any mark is set, which the compiler would wait for
#pragma unroll
      for (int k = 0; k < together; k++) pairs[k] = row(thread())[first + k];
#pragma unroll
      for (int k = 0; k < together; k++) {
        const int value = thread() * row_values + 2 * (first + k);
        note(static_cast<int>(pairs[k] & 0xffff), value);
        note(static_cast<int>(pairs[k] >> 16), value + 1);
      }
    }
  }
  //! A warp, of one row: a word a lane.
  __device__ bool mark_row_together(int number, int piece) {
    const std::uint32_t pair = row(number)[lane_id()];
    const int value = number * row_values + 2 * lane_id();
    std::uint32_t lower = pair & 0xffff, upper = pair >> 16;
    for (int k = 0; k < s.lifted; k++) {
      lower += s.lifted_values[k] == value ? lift_by : 0u;
      upper += s.lifted_values[k] == value + 1 ? lift_by : 0u;
    }
    const std::uint32_t sum = lower + upper, before = warp_scan(sum, warp_size, sum_of{}) - sum;
    const int at = static_cast<int>(m.starts[number] + before) - piece;
    const auto note = [&](int begin, std::uint32_t counted, int its) {
      const auto count = static_cast<int>(counted);
      const bool is_met = count > 0 && begin < piece_length && begin + count > 0;
      if (is_met) m.marks[max(begin, 0)] = static_cast<std::uint16_t>(its);
      return is_met && begin > 0;
    };
    const bool lower_is_within = note(at, lower, value);
    return note(at + static_cast<int>(lower), upper, value + 1) || lower_is_within;
  }
  //! Puts the value before it where there is none.
  __device__ void fill_marks() {
    uint4& own = reinterpret_cast<uint4*>(m.marks)[thread()];
    std::uint16_t marks[marks_of_thread];
    uint4 eight = own;
    memcpy(marks, &eight, 16);
#pragma unroll
    for (int k = 1; k < marks_of_thread; k++) marks[k] = max(marks[k], marks[k - 1]);
    const std::uint32_t before = fold_before(marks[marks_of_thread - 1], maximum<std::uint32_t>{});
#pragma unroll
    for (int k = 0; k < marks_of_thread; k++)
      marks[k] = static_cast<std::uint16_t>(max(std::uint32_t{marks[k]}, before));
    memcpy(&eight, marks, 16);
    own = eight;
  }
};

}  // namespace UPSWEEP_NAMESPACE::gpu

// Splits ranges of items up to 256 ways, round after round, until what is left fits a CTA: one cooperative kernel for
// all rounds. A rule says where an item goes: by its next digit (by_digits.hpp), by a table of samples
// (by_samples.hpp) or by pivots (by_pivots.hpp).
//
// A round takes segments from a queue, and cuts them into tiles.
//   prepare  if the rule wants it, each segment: its pivots or its table.
//   count    each CTA counts the digits of consecutive tiles; it has parts of a few segments. It leaves, for each tile,
//            how many items of each digit stand before it in its part.
//   plan     for each segment, where each part's items of each digit go (split_plan.hpp). Its children are queued, or
//            noted as units for a CTA to sort, small neighbours together.
//   scatter  the CTAs take tiles in turn: rank, stage and write the items. Tiles that are neighbours are written at
//            about the same time, so that their runs meet in L2.
//   fill     if the rule `fills`, segments whose items their digits tell: the result is written from the counts alone.
// Every item is read twice and written once a round. Stable if the rule is `ordered`; without it items of a tile that
// have the same digit are left in any order, for keys that cannot be told apart when they are equal.
//
// A rule knows
//   known, known_of_all()    what is known of a segment, and of the whole
//   prepare(segment, ...)    before a segment is counted, if the rule `prepares`
//   takes_segments           may the first segments be in the queue already, by another kernel? (Asked at run time of
//                            every rule, it made ptxas spill registers of those that never have such.)
//   is_declined(all)         if it `declines`: is the whole left to another rule? Asked once it is prepared
//   fetch_table, await_table, are_of_one_table, labels_of_tile    if it `has_tables`: labels in shared memory, copied
//                            while the tile before leaves, unless that had the same
//   counted_item; fetch, settle, begin_count, for_each_digit, end_count    the digits of a part's items
//   held, late               what a thread fetches of a tile that it scatters: while the one before leaves, when it is
//                            ranked
//   staged, target           a tile in order in shared memory, where its items go
//   splits(segment)          or do its items all stay where they are? Then
//   goes_on(segment), next(segment)    is it queued again, and with what known of it
//   child(segment, digit, length)    what becomes of a child that is larger than a unit
//   leaves_units(segment)    or are all its children finished?
//   counts                   are segments noted that can be sorted by counting, where there is memory for it? Then
//                            all of a key's bits count, nobody sees the order of equal keys, and there is
//   counted(known), counting_place(place)    what keys may be, and what their place is to the counting sort
//   digits_tell(segment), fill(segment, k, digit)    if the rule `fills`. Such a segment does not split.
#pragma once
#include <cstddef>
#include <cstdint>

#include <upsweep/config.hpp>
#include <upsweep/cuda/warp.hpp>
#include <upsweep/sort/cuda/digits.hpp>
#include <upsweep/sort/cuda/split_plan.hpp>

namespace UPSWEEP_NAMESPACE::gpu {

template <class Rule>
struct split_args {
  Rule rule;
  split_memory<typename Rule::known> memory;
};

template <class Rule, class Shape>
class splitter : split_planner<Rule, Shape> {
  using planner = split_planner<Rule, Shape>;
  using planner::a, planner::m, planner::rule, planner::s;
  using planner::find_children, planner::plan, planner::plan_large;
  using typename planner::segment_type;
  using held = typename Rule::template held<Shape::rows>;
  static constexpr int rows = Shape::rows;

 public:
  using typename planner::shared_memory, typename planner::shared_state;
  using tile_job = typename shared_state::tile_job;

  __device__ splitter(const split_args<Rule>& args, shared_memory& memory, shared_state& shared)
      : planner(args.rule, args.memory, memory, shared) {}

  __device__ void run() {
    index_t head = 0;
    clear_totals(0,
                 Rule::takes_segments && a.is_queued ? static_cast<index_t>(a.state->queued >> tile_number_bits) : 1);
    meet();
    for (int turn = 0; begin_round(head); turn ^= 1) {
      const split_round& round = s.round;
      clear_totals(turn ^ 1, round.queued - round.tail + digit_values * (round.tail - round.head));
      if constexpr (Rule::prepares) {
        for (index_t number = round.head + blockIdx.x; number < round.tail; number += gridDim.x)
          rule.template prepare<Shape>(a.segment(number), number - round.head, m.preparation);
        meet();
      }
      if constexpr (Rule::declines) {
        if (round.head == 0) {
          if (rule.is_declined(a.segment(0))) return;
          if (blockIdx.x == 0 && threadIdx.x == 0) a.state->is_done = true;
        }
      }
      for_each_part([&](index_t number, index_t tile, index_t end) { count_part(turn, number, tile, end); });
      meet();
      for (index_t number = round.head + blockIdx.x; number < round.tail; number += gridDim.x) plan(turn, number);
      plan_large(turn);
      meet();
      if (is_in_round(a.state->last_split)) {
        scatter(turn);
        meet();
      }
      if constexpr (Rule::fills) {
        if (is_in_round(a.state->last_filled)) {
          fill_parts(turn);
          meet();
        }
      }
      head = round.tail;
    }
  }

 private:
  __device__ void meet() const { meet_grid(a.head); }

  //! Zeroes the totals that as many segments of a turn will need.
  __device__ void clear_totals(int turn, index_t segments) {
    if (blockIdx.x == 0 && threadIdx.x == 0) a.state->drawn[turn] = 0;
    const index_t entries = min(segments, index_t{a.most_segments}) * digit_values;
    for (index_t k = index_t{blockIdx.x} * Shape::threads + threadIdx.x; k < entries;
         k += index_t{gridDim.x} * Shape::threads)
      a.totals[turn][k] = 0;
  }
  //! Finds the round from segment `head` on; false when there is none.
  __device__ bool begin_round(index_t head) {
    __syncthreads();
    const unsigned long long queued = *static_cast<volatile unsigned long long*>(&a.state->queued);
    const auto segments = static_cast<index_t>(queued >> tile_number_bits);
    if (head == segments) return false;
    if (threadIdx.x == 0) {
      split_round& round = s.round;
      round.head = head;
      round.queued = segments;
      round.tail = min(segments, head + a.most_segments);
      round.first_tile = a.segment(head).first_tile;
      const index_t end = round.tail < segments ? a.segment(round.tail).first_tile
                                                : static_cast<index_t>(queued & ((1ull << tile_number_bits) - 1));
      round.share_out(static_cast<std::uint32_t>(end - round.first_tile));
    }
    __syncthreads();
    return true;
  }

  //! Is a segment, which another CTA may have named, of this round?
  __device__ bool is_in_round(const index_t& number) const {
    return *static_cast<const volatile index_t*>(&number) >= s.round.head;
  }
  //! Calls f(number, tile, end) for this CTA's parts: the tiles [tile, end) of s.segment.
  template <class F>
  __device__ void for_each_part(const F& f) {
    const int cta = static_cast<int>(blockIdx.x);
    if (cta >= s.round.ctas) return;
    const index_t end = s.round.first_tile_of(cta + 1);
    index_t tile = s.round.first_tile_of(cta), number = s.round.head, count = s.round.tail - number;
    while (count > 1) {  // the last segment that starts at or before the tile
      const index_t half = count / 2;
      if (a.segment(number + half).first_tile <= tile) {
        number += half;
        count -= half;
      } else {
        count = half;
      }
    }
    for (; tile < end; number++) {
      __syncthreads();
      if (threadIdx.x == 0) s.segment = a.segment(number);
      __syncthreads();
      const index_t segment_end = s.segment.first_tile + tiles_of(s.segment.length, Shape::tile);
      const index_t part_end = min(end, segment_end);
      f(number, tile, part_end);
      tile = part_end;
    }
  }

  // ---------------------------------------------------------------- count
  //! Counts the tiles [tile, end) of s.segment.
  __device__ void count_part(int turn, index_t number, index_t tile, index_t end) {
    const int d = static_cast<int>(threadIdx.x), place = s.segment.place;
    auto counting = rule.begin_count(s.segment, number - s.round.head, s.rule);
    typename Rule::counted_item next[rows], now[rows];  // items of the tile after
    const auto rest_of = [&](index_t of_tile) {         // the segment's items from this thread's first in the tile on
      const index_t rest = s.segment.length - (of_tile - s.segment.first_tile) * Shape::tile;
      return static_cast<int>(min(rest, index_t{Shape::tile})) - d;
    };
    const auto first_of = [&](index_t of_tile) {
      return s.segment.begin + (of_tile - s.segment.first_tile) * Shape::tile + d;
    };
    const auto fetch = [&](index_t of_tile) {
      rule.template fetch<Shape::threads>(next, place, first_of(of_tile), rest_of(of_tile));
    };
    if (d < digit_values) m.counts[0][d] = m.counts[1][d] = 0;
    fetch(tile);
    __syncthreads();
    const int part = s.round.part(number, static_cast<int>(blockIdx.x));
    std::uint32_t before = 0;
    for (int half = 0; tile < end; tile++, half ^= 1) {
#pragma unroll
      for (int k = 0; k < rows; k++) now[k] = next[k];  // (as a struct, all at once, it makes ptxas spill)
      rule.settle(now, place);
      const int rest = rest_of(tile);
      if (tile + 1 < end) fetch(tile + 1);
      rule.template for_each_digit<Shape::threads>(counting, now, first_of(tile), rest,
                                                   [&](std::uint32_t digit) { atomicAdd(&m.counts[half][digit], 1u); });
      __syncthreads();
      const index_t in_round = tile - s.round.first_tile;
      if (d < digit_values) {
        a.before_tile[in_round * digit_values + d] = before;
        before += m.counts[half][d];
        m.counts[half][d] = 0;
      }
      if (d == 0) a.owners[in_round] = {static_cast<int>(number - s.round.head), part};
    }
    if (d < digit_values) {
      a.part_counts[index_t{part} * digit_values + d] = before;
      if (before > 0) atomicAdd(&a.totals[turn][(number - s.round.head) * digit_values + d], before);
    }
    rule.end_count(counting, a.segment(number), s.rule);
  }

  // ---------------------------------------------------------------- scatter
  //! The number of the next tile of the round that no CTA has: the first ones are for each its own. In turn, not at
  //! fixed distances: CTAs that run ahead would write what neighbours write much later (see tuning.hpp).
  __device__ std::uint32_t draw(int turn) const { return gridDim.x + atomicAdd(&a.state->drawn[turn], 1u); }
  __device__ void take(int half, std::uint32_t tile) {
    s.next[half] = tile;
    if (tile < s.round.tiles) s.jobs[half] = find_job(tile);
  }

  //! What is to be done with a tile; nothing if its segment is not split.
  __device__ tile_job find_job(index_t tile) const {
    const tile_owner owner = a.owners[tile];
    const segment_type g = a.segment(s.round.head + owner.segment);
    const index_t first = (s.round.first_tile + tile - g.first_tile) * Shape::tile;
    tile_job job;
    job.labels = rule.labels_of(g);
    job.begin = g.begin + first;
    job.count = rule.splits(g) ? static_cast<int>(min(index_t{Shape::tile}, g.length - first)) : 0;
    job.place = g.place;
    job.before = a.before_tile + tile * digit_values;
    job.part = a.part_places + index_t{owner.part} * digit_values;
    return job;
  }

  // Two CTAs hide the wait for both, and want the register: 4.7 ms, not 5.6, for 2^28 keys (uint32). One CTA does not:
  // 6.2 ms, not 5.5, to split them by pivots (H200, 2026-11-21).
  static constexpr bool adds_early = Shape::ctas > 1;

  //! What a thread holds of a tile.
  struct tile_items {
    held items;
    // Of the first item of the digit that the thread speaks for: the place of its part's, and how many stand before it.
    index_t place;
    std::uint32_t before;
  };

  __device__ void scatter(int turn) {
    if (blockIdx.x >= s.round.tiles) return;
    const bool draws = threadIdx.x == Shape::threads - 1;
    std::uint32_t tile = 0;  // of the job after the next: known early
    if (draws) {
      take(0, blockIdx.x);
      tile = draw(turn);
    }
    m.ranks.clear();
    __syncthreads();
    tile_items items;
    fetch<true>(items, s.jobs[0]);
    if constexpr (Rule::has_tables) {
      rule.await_table();
      __syncthreads();
    }
    for (int half = 0;; half ^= 1) {
      if (draws) {
        take(half ^ 1, tile);
        tile = draw(turn);
      }
      stage_tile(s.jobs[half], items);
      m.ranks.clear();
      const bool more = s.next[half ^ 1] < s.round.tiles;
      if (more) fetch<false>(items, s.jobs[half ^ 1]);  // on its way while this tile leaves
      write_tile(s.jobs[half]);
      if (!more) return;
      if constexpr (Rule::has_tables) rule.await_table();
      __syncthreads();
    }
  }

  //! This lane's first item in a tile.
  __device__ static int first_of_lane() {
    return static_cast<int>(threadIdx.x) / warp_size * (rows * warp_size) + lane_id();
  }
  __device__ auto labels_of(const tile_job& job) const {
    if constexpr (Rule::has_tables) return rule.labels_of_tile(job.labels, s.rule);
    else return job.labels;
  }
  template <bool IsFirst>
  __device__ void fetch(tile_items& items, const tile_job& job) const {
    if constexpr (Rule::has_tables) {
      if (IsFirst || !rule.are_of_one_table(s.jobs[0].labels, s.jobs[1].labels)) rule.fetch_table(job.labels, s.rule);
    }
    items.items.fetch(rule, job.place, job.begin + first_of_lane(), job.count - first_of_lane());
    const bool speaks = threadIdx.x < digit_values && job.count > 0;
    const index_t place = speaks ? job.part[threadIdx.x] : 0;
    const std::uint32_t before = speaks ? job.before[threadIdx.x] : 0;
    items.place = adds_early ? place + before : place;
    if constexpr (!adds_early) items.before = before;
  }

  //! Puts a tile's items in order in shared memory, and finds where each digit's go.
  __device__ void stage_tile(const tile_job& job, tile_items& tile) {
    const auto labels = labels_of(job);
    const int rest = job.count - first_of_lane();
    const auto live = [&](int k) { return k * warp_size < rest; };
    typename Rule::template late<rows> late;
    tile.items.settle(rule, job.place, labels);
    typename decltype(m.ranks)::template places<rows> at;
    m.ranks.rank(
        at, rows, [&](int k) { return tile.items.digit(k, labels); }, live);
    late.fetch(rule, job.place, job.begin + first_of_lane(), rest);
    __syncthreads();
    const digit_span found = m.ranks.place();
    if (threadIdx.x < digit_values) s.place[threadIdx.x] = tile.place + (adds_early ? 0 : tile.before) - found.start;
    __syncthreads();
#pragma unroll
    for (int k = 0; k < rows; k++)
      if (live(k)) {
        const int to = m.ranks.position(tile.items.digit(k, labels), at[k]);
        tile.items.stage(m.staged, k, to);
        late.stage(m.staged, k, to);
      }
    __syncthreads();
  }

  __device__ void write_tile(const tile_job& job) const {
    const auto labels = labels_of(job);
    const int mine = static_cast<int>(threadIdx.x), count = job.count - mine;
    const auto target = rule.target(next_place(job.place)) + mine;
#pragma unroll
    for (int k = 0; k < rows; k++)
      if (k * Shape::threads < count) {
        const int at = mine + k * Shape::threads;
        m.staged.write(at, target + (s.place[m.staged.digit(at, labels)] + k * Shape::threads));
      }
  }

  // ---------------------------------------------------------------- fill
  __device__ void fill_parts(int turn) {
    for_each_part([&](index_t number, index_t tile, index_t end) {
      const segment_type g = s.segment;
      if (!rule.digits_tell(g)) return;
      find_children(turn, number, g.length);
      const index_t part_end = min((end - g.first_tile) * Shape::tile, g.length);
      int child = 0;
      index_t child_end = 0;
      for (index_t k = (tile - g.first_tile) * Shape::tile + threadIdx.x; k < part_end; k += Shape::threads) {
        if (k >= child_end) {
          child = child_at(k);
          child_end = s.start[child + 1];
        }
        rule.fill(g, k, static_cast<std::uint32_t>(child));
      }
    });
  }
  //! Whose place k of a segment is.
  __device__ int child_at(index_t k) const {
    int child = 0;
    for (int step = digit_values / 2; step > 0; step /= 2)
      if (s.start[child + step] <= k) child += step;
    return child;
  }
};

template <class Rule, class Shape>
__global__ void __launch_bounds__(Shape::threads, Shape::ctas)
    split_kernel(const __grid_constant__ split_args<Rule> a) {
  using S = splitter<Rule, Shape>;
  extern __shared__ __align__(16) std::byte memory[];
  __shared__ typename S::shared_state state;
  const bool is_queued = Rule::takes_segments && a.memory.is_queued;
  if ((a.memory.is_second || is_queued) && a.memory.state->is_done) return;
  if (!is_queued && blockIdx.x == 0 && threadIdx.x == 0) {  // the whole is the first segment
    a.memory.start();
    a.memory.template push<Shape::tile>(0, a.rule.size(), 0, a.rule.known_of_all());
  }
  S(a, *reinterpret_cast<typename S::shared_memory*>(memory), state).run();
}

}  // namespace UPSWEEP_NAMESPACE::gpu

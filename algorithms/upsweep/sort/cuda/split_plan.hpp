// The plan of a round of a split (split.hpp): of each segment where its children start, where its parts' items of each
// digit go, and which children are queued, which are units or finished.
#pragma once
#include <cstdint>

#include <upsweep/config.hpp>
#include <upsweep/cuda/warp.hpp>
#include <upsweep/sort/cuda/digits.hpp>
#include <upsweep/sort/cuda/split_memory.hpp>

namespace UPSWEEP_NAMESPACE::gpu {

//! What becomes of a child: it is split again, or in order already.
template <class Known>
struct child_to_split {
  bool is_finished;
  Known known;
};

template <class Rule, class Shape>
class split_planner {
 protected:
  using known = typename Rule::known;
  using segment_type = segment_to_split<known>;
  using shared_memory = split_shared_memory<Rule, Shape>;
  using shared_state = split_shared_state<Rule, Shape>;

  __device__ split_planner(const Rule& by, const split_memory<known>& memory, shared_memory& shared,
                           shared_state& state)
      : rule(by), a(memory), m(shared), s(state) {}

  const Rule& rule;
  const split_memory<known>& a;
  shared_memory& m;
  shared_state& s;

  //! A segment's children, and where its parts go.
  __device__ void plan(int turn, index_t number) {
    __syncthreads();
    if (threadIdx.x == 0) s.segment = a.segment(number);
    __syncthreads();
    const segment_type& g = s.segment;
    if constexpr (Rule::fills) {
      if (rule.digits_tell(g)) {
        if (threadIdx.x == 0) a.state->last_filled = number;
        return;
      }
    }
    if (!rule.splits(g)) {
      if (rule.goes_on(g)) {
        if (threadIdx.x == 0 && !is_counted(rule.next(g), g.begin, g.length, g.place))
          a.template push<Shape::tile>(g.begin, g.length, g.place, rule.next(g));
      } else {
        note_finished(g.begin, g.length, g.place);
      }
      return;
    }
    if (threadIdx.x == 0) a.state->last_split = number;
    find_children(turn, number, g.length);
    const part_range parts = parts_of(g, number);
    if (parts.count <= few_parts) place_parts<digit_values>(g.begin, 0, parts);
    if (rule.leaves_units(g)) plan_children(g, next_place(g.place));
    else note_finished(g.begin, g.length, next_place(g.place));
  }

  //! Where the parts go of segments that have many: one CTA for 32 of the digits. Every few_parts-th CTA of those that
  //! counted names a segment that may be one.
  __device__ void plan_large(int turn) {
    constexpr int blocks = digit_values / warp_size;
    const int candidates = (s.round.ctas + few_parts - 1) / few_parts;
    for (int k = static_cast<int>(blockIdx.x); k < blocks * candidates; k += static_cast<int>(gridDim.x)) {
      const int cta = k / blocks * few_parts;
      const index_t number = s.round.head + a.owners[s.round.first_tile_of(cta) - s.round.first_tile].segment;
      const segment_type g = a.segment(number);
      const part_range parts = parts_of(g, number);
      if (parts.count <= few_parts || !rule.splits(g)) continue;
      if (cta >= few_parts && s.round.first_tile_of(cta - few_parts) >= g.first_tile) continue;  // named before
      __syncthreads();
      find_children(turn, number, g.length);
      place_parts<warp_size>(g.begin, k % blocks * warp_size, parts);
    }
  }
  //! s.start: where the children of a segment start in it.
  __device__ void find_children(int turn, index_t number, index_t length) {
    const int d = static_cast<int>(threadIdx.x);
    const auto count = d < digit_values
                           ? static_cast<index_t>(a.totals[turn][(number - s.round.head) * digit_values + d])
                           : index_t{0};
    const index_t start = sum_before<Shape::warps>(count, s.sums);
    if (d < digit_values) s.start[d] = start;
    if (d == 0) s.start[digit_values] = length;
    __syncthreads();
  }

 private:
  struct part_range {
    int first, count;
  };
  static constexpr int few_parts = 24;
  __device__ part_range parts_of(const segment_type& g, index_t number) const {
    const index_t last_tile = g.first_tile + tiles_of(g.length, Shape::tile) - 1;
    const int first = s.round.cta_of(g.first_tile), last = s.round.cta_of(last_tile);
    return {s.round.part(number, first), last - first + 1};
  }
  //! Of `Digits` digits from `first_digit` on; the threads share out the parts in groups.
  template <int Digits>
  __device__ void place_parts(index_t begin, int first_digit, const part_range& parts) {
    constexpr int groups = Shape::threads / Digits, unroll = 4;
    const int d = first_digit + static_cast<int>(threadIdx.x) % Digits, group = static_cast<int>(threadIdx.x) / Digits;
    const std::uint32_t* counts = a.part_counts + index_t{parts.first} * digit_values + d;
    index_t* places = a.part_places + index_t{parts.first} * digit_values + d;
    const int first = parts.count * group / groups, end = group < groups ? parts.count * (group + 1) / groups : 0;
    index_t mine = 0;
#pragma unroll unroll
    for (int k = first; k < end; k++) mine += counts[k * digit_values];
    m.group_sums[threadIdx.x] = mine;
    __syncthreads();
    index_t before = begin + s.start[d];
    for (int other = 0; other < group; other++) before += m.group_sums[other * Digits + d - first_digit];
#pragma unroll unroll
    for (int k = first; k < end; k++) {
      const std::uint32_t count = counts[k * digit_values];
      places[k * digit_values] = before;
      before += count;
    }
  }

  //! Items that need no further order: units, which are only moved home, unless they are there. All threads.
  __device__ void note_finished(index_t begin, index_t length, int place) {
    if (rule.at_home(place)) return;
    const index_t pieces = tiles_of(length, a.unit_length);
    if (threadIdx.x == 0) s.sums[0] = atomicAdd(&a.state->units, static_cast<unsigned int>(pieces));
    __syncthreads();
    for (index_t k = threadIdx.x; k < pieces; k += Shape::threads)
      a.units[s.sums[0] + k] = {begin + k * a.unit_length,
                                static_cast<int>(min(index_t{a.unit_length}, length - k * a.unit_length)), place};
    __syncthreads();
  }

  //! A child of more than a unit is queued, or finished. Smaller ones are units, as many neighbours together as fit.
  __device__ void plan_children(const segment_type& g, int place) {
    const int d = static_cast<int>(threadIdx.x);
    const index_t start = d < digit_values ? s.start[d] : 0, length = d < digit_values ? s.start[d + 1] - start : 0;
    bool is_finished = false;
    if (length > a.unit_length) {
      const child_to_split<known> child = rule.child(g, d, length);
      is_finished = child.is_finished;
      if (!is_finished && !is_counted(child.known, g.begin + start, length, place))
        a.template push<Shape::tile>(g.begin + start, length, place, child.known);
    }
    if constexpr (Rule::finishes_children) note_finished_children(g, place, is_finished);
    __syncthreads();
    int last = d;  // child of a unit that starts with this one
    for (int step = digit_values / 2; step > 0; step /= 2)
      if (last + step < digit_values && s.start[last + step + 1] - start <= a.unit_length) last += step;
    const index_t joined = d < digit_values ? s.start[last + 1] - start : 0;
    const bool leads = is_reached(last + 1 < digit_values ? last + 1 : d);
    if (leads && joined > 0 && joined <= a.unit_length) a.note_unit({g.begin + start, static_cast<int>(joined), place});
  }
  //! Are items sorted by counting? They are noted, then.
  __device__ bool is_counted(const known& items, index_t begin, index_t length, int place) const {
    if constexpr (Rule::counts) {
      const counted_range keys = rule.counted(items);
      return keys.bits <= counting_bits &&
             a.note_counted({begin, length, keys.lowest, rule.counting_place(place), keys.bits});
    } else {
      return false;
    }
  }
  //! Is the thread's child reached from the first one, by steps from a child to its `next`? By jumps of 1, 2, 4… steps.
  //! The last is its own next. All threads call.
  __device__ bool is_reached(int next) {
    auto& [jumps, marks] = m.joining;
    const int d = static_cast<int>(threadIdx.x);
    bool reached = d == 0;
    int half = 0;
    jumps[half][d] = static_cast<std::uint16_t>(next);
    marks[0][d] = marks[1][d] = false;
    __syncthreads();
    for (int steps = 1; steps < digit_values; steps *= 2, half ^= 1) {
      const int to = jumps[half][d];
      reached |= marks[half][d];
      jumps[half ^ 1][d] = jumps[half][to];
      if (reached) marks[half ^ 1][to] = true;
      __syncthreads();
    }
    return reached || marks[half][d];
  }
  //! All threads call; each says whether the child of its digit is finished.
  __device__ void note_finished_children(const segment_type& g, int place, bool is_finished) {
    __syncthreads();
    if (threadIdx.x < digit_values / warp_size) m.counts[0][threadIdx.x] = 0;
    __syncthreads();
    const std::uint32_t finished = __ballot_sync(~0u, is_finished);
    if (finished && lane_id() == 0) m.counts[0][threadIdx.x / warp_size] = finished;
    __syncthreads();
    for (int w = 0; w < digit_values / warp_size; w++)
      for (std::uint32_t left = m.counts[0][w]; left; left &= left - 1) {
        const int d = w * warp_size + __ffs(left) - 1;
        note_finished(g.begin + s.start[d], s.start[d + 1] - s.start[d], place);
      }
  }
};

}  // namespace UPSWEEP_NAMESPACE::gpu

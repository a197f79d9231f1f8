// What the rounds of a split keep: in device memory the queue of segments, the units that are left, counts and places;
// and what a CTA has in shared memory.
#pragma once
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <upsweep/config.hpp>
#include <upsweep/cuda/protocol.hpp>
#include <upsweep/cuda/warp.hpp>
#include <upsweep/sort/cuda/digits.hpp>

namespace UPSWEEP_NAMESPACE::gpu {

//! A tile: `rows` items a lane; `ctas` of a multiprocessor. Its buckets, where it has such (unit_buckets.hpp).
template <int Warps, int Rows, int Ctas>
struct tile_shape {
  static constexpr int warps = Warps, rows = Rows, ctas = Ctas;
  static constexpr int threads = Warps * warp_size, tile = threads * Rows, bucket_bits = tile > 4096 ? 13 : 12;
  static constexpr bool cuts_in_order = false;
};

//! Items of [begin, begin + length) that lie in memory `place`, with what the rule of the split knows of them. Place 0
//! is the input, the first round writes 1, the next 2, then 1 again.
template <class Known>
struct segment_to_split {
  index_t begin, length;
  index_t first_tile;  // counted over all segments ever queued
  int place;
  Known known;
};
UPSWEEP_HD constexpr int next_place(int place) { return place == 1 ? 2 : 1; }

//! Items for one CTA to sort: at most a unit's length of them.
struct unit_to_sort {
  index_t begin;
  int length, place;
};

//! From the lowest that keys may be on, what is below 2^bits more.
struct counted_range {
  unsigned long long lowest;
  int bits;
};
//! A segment whose keys are sorted by counting (counting_sort.hpp): none is less than `lowest`, nor more than that by
//! 2^bits, of 1 to 16 bits.
struct counted_segment {
  index_t begin, length;
  unsigned long long lowest;
  int place, bits;
};
//! What is known of a long one, besides how many keys of each value.
struct long_segment_counts {
  unsigned int parts_counted;
  std::uint32_t value;  // of one of its keys
};
//! Segments to be counted: what a CTA counts alone, and longer ones, as many as there is room for their counts. The
//! larger of the former come first, so that the last CTA is not late.
struct counted_memory {
  enum size { in_parts, large, small, sizes };
  counted_segment* segments[sizes];  // null: none is counted
  index_t most[sizes];
  long_segment_counts* long_known;  // of those in parts
  std::uint32_t* counts;            // 2^16 each
  index_t part;                     // what a CTA counts alone: steps, up to 16

  UPSWEEP_HD size size_of(index_t length) const { return length > part ? in_parts : length < 1 << 16 ? small : large; }
};
inline constexpr int counting_bits = 16;
inline constexpr index_t counting_step = index_t{1} << 15, most_counting_part = 16 * counting_step;

//! What the kernels of one sort share.
struct split_state {
  unsigned long long queued;  // segments so far in the upper 24 bits, their tiles in the lower 40
  unsigned int units;
  unsigned int counted[counted_memory::sizes], counted_drawn;  // segments to be counted; what CTAs drew of that
  unsigned int drawn[2];            // tiles that CTAs drew to scatter, besides each its first; for alternate rounds
  bool is_done;                     // by the rule that may decline, or not to be done: offsets are wrong
  index_t last_split, last_filled;  // a segment of the last round that splits any, that fills any
};
inline constexpr int tile_number_bits = 40;

//! Whose a tile is: a segment's number, less that of the round's first, and a part's.
struct tile_owner {
  int segment, part;
};

//! What a split works in.
template <class Known>
struct split_memory {
  progress* head;  // the grid meets here
  split_state* state;
  segment_to_split<Known>* queue;  // a ring
  unit_to_sort* units;
  tile_owner* owners;             // of the round's tiles
  std::uint32_t* before_tile;     // 256 a tile: items of each digit in the tiles of its part before it
  std::uint32_t* part_counts;     // 256 a part: items of each digit
  index_t* part_places;           // 256 a part: where the first of them goes
  unsigned long long* totals[2];  // 256 a segment: items of each digit; for alternate rounds
  counted_memory counting;
  index_t queue_mask;  // its size less one; a power of two
  index_t most_units;
  int most_segments;  // of a round
  int unit_length;    // what is no longer is a unit
  bool is_second;     // another rule may have done it
  bool is_queued;     // the first segments are in the queue, by another kernel; of a rule that `takes_segments`

  //! The same memory for another rule, of which less is known.
  template <class Other>
  split_memory<Other> for_second() const {
    static_assert(sizeof(segment_to_split<Other>) <= sizeof(segment_to_split<Known>));
    return {head,          state,       reinterpret_cast<segment_to_split<Other>*>(queue),
            units,         owners,      before_tile,
            part_counts,   part_places, {totals[0], totals[1]},
            counting,      queue_mask,  most_units,
            most_segments, unit_length, true,
            false};
  }
  //! Nothing is queued, and there are no units.
  __device__ void start() const {
    *state = {};
    state->last_split = state->last_filled = -1;
  }
  __device__ void note_unit(const unit_to_sort& unit) const {
    const unsigned int k = atomicAdd(&state->units, 1u);
    if (k < most_units) units[k] = unit;  // more only if a caller's offsets are wrong
  }
  //! Notes a segment to be counted, if there is room for it.
  __device__ bool note_counted(const counted_segment& segment) const {
    const counted_memory::size size = counting.size_of(segment.length);
    if (!counting.segments[size] || segment.length >= index_t{1} << 32) return false;
    const unsigned int k = atomicAdd(&state->counted[size], 1u);
    if (k >= counting.most[size]) return false;
    counting.segments[size][k] = segment;
    if (size == counted_memory::in_parts) counting.long_known[k].parts_counted = 0;
    return true;
  }
  template <int Tile>
  __device__ void push(index_t begin, index_t length, int place, const Known& known) const {
    const auto tiles = static_cast<unsigned long long>(tiles_of(length, Tile));
    const unsigned long long one = 1ull << tile_number_bits, at = atomicAdd(&state->queued, one | tiles);
    segment(static_cast<index_t>(at >> tile_number_bits)) = {begin, length, static_cast<index_t>(at & (one - 1)), place,
                                                             known};
  }
  //! The segment that was queued as so many before it.
  __device__ segment_to_split<Known>& segment(index_t number) const { return queue[number & queue_mask]; }
};

//! One round: which segments, and how their tiles are shared out: the first `more` CTAs have one more than the others.
struct split_round {
  index_t head, tail, queued;  // segments, counted over all ever queued: of the round, and all
  index_t first_tile;
  std::uint32_t tiles, each, more;
  int ctas;  // that have tiles
  __device__ void share_out(std::uint32_t all_tiles) {
    tiles = all_tiles;
    ctas = static_cast<int>(min(gridDim.x, tiles));
    each = tiles / static_cast<std::uint32_t>(ctas);
    more = tiles % static_cast<std::uint32_t>(ctas);
  }
  __device__ index_t first_tile_of(int cta) const {
    const auto c = static_cast<std::uint32_t>(cta);
    return first_tile + (each * c + min(c, more));
  }
  __device__ int cta_of(index_t tile) const {
    const auto t = static_cast<std::uint32_t>(tile - first_tile), of_larger = (each + 1) * more;
    return static_cast<int>(t < of_larger ? t / (each + 1) : more + (t - of_larger) / each);
  }
  //! Parts are numbered along the tiles: no two have the same number, and those of a segment follow one another.
  __device__ int part(index_t segment, int cta) const { return static_cast<int>(segment - head) + cta; }
};

//! What a CTA has in shared memory: for one step of a round after the other.
template <class Rule, class Shape>
struct split_shared_memory {
  union {
    typename Rule::template staged<Shape::tile> staged;
    typename Rule::template preparation<Shape> preparation;
    std::uint32_t counts[2][digit_values];
    index_t group_sums[Shape::threads];
    struct {
      std::uint16_t jumps[2][Shape::threads];
      bool marks[2][Shape::threads];
    } joining;
  };
  // Beside tables keys of 8 bytes leave no registers for a rank each.
  static constexpr bool packs_ranks = [] {
    if constexpr (Rule::has_tables) return Rule::item_bytes > 4;
    else return false;
  }();
  std::conditional_t<Rule::ordered, ordered_ranks<Shape::warps>, unordered_ranks<Shape::warps, packs_ranks>> ranks;
};
//! And what stays there for all of them.
template <class Rule, class Shape>
struct split_shared_state {
  //! A tile to scatter.
  struct tile_job {
    index_t begin;  // of its items
    int count, place;
    typename Rule::labels labels;
    const std::uint32_t* before;
    const index_t* part;
  };

  split_round round;
  segment_to_split<typename Rule::known> segment;
  tile_job jobs[2];
  std::uint32_t next[2];            // the tiles of these jobs, counted in the round
  index_t place[digit_values];      // of the next item of each digit, less its place in the tile
  index_t start[digit_values + 1];  // of the segment's children, in the segment
  index_t sums[Shape::warps];
  typename Rule::shared_state rule;
};

}  // namespace UPSWEEP_NAMESPACE::gpu

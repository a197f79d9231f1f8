// Splits ranges of items 256 ways by their next digit, round after round, until what is left fits a CTA: one
// cooperative kernel for all rounds, whatever the keys.
//
// A round takes segments from a queue, and cuts them into tiles.
//   count    each CTA counts the digits of consecutive tiles; it has parts of a few segments. It leaves, for each tile,
//            how many items of each digit stand before it in its part, and collects which bits vary in each segment.
//   plan     for each segment, where each part's items of each digit go. Its children are queued, or noted as units for
//            a CTA to sort (sort_units.hpp), small neighbours together.
//   scatter  the CTAs take tiles in turn: rank, stage and write the items. Tiles that are neighbours are written at
//            about the same time, so that their runs meet in L2.
// A segment whose items all have the same digit is not moved; it is queued again by the highest bit that varies. So
// there are at most as many rounds as digits, and a round touches only what it must. Every item is read twice and
// written once a round. Stable if `Ordered`; without it items of a tile that have the same digit are left in any order,
// for keys that cannot be told apart when they are equal.
#pragma once
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <upsweep/config.hpp>
#include <upsweep/cuda/digits.hpp>
#include <upsweep/cuda/protocol.hpp>
#include <upsweep/cuda/warp.hpp>
#include <upsweep/stages.hpp>

namespace upsweep::inline UPSWEEP_ABI::gpu {

//! One sort as the kernels see it: unsigned keys, each with a payload or with `nothing`.
//!   KeyIn       raw(i), what lies in the input, and encode(raw) -> U. Apart, so that nobody waits for what is fetched
//!   KeyOut      key_out(i, key) takes the result's keys; where takes(i), payload_out its payloads
//!   PayloadIn   payload_in(i) -> P, of the input
template <class U, class P, class KeyIn, class PayloadIn, class KeyOut>
struct sort_job {
  using key_type = U;
  using payload_type = P;
  static constexpr bool has_payload = !std::is_same_v<P, nothing>;
  static constexpr int item_bytes = sizeof(U) + (has_payload ? sizeof(P) : 0);
  KeyIn key_in;
  PayloadIn payload_in;
  KeyOut key_out;
  P* payload_out;
  index_t n;
  int begin_bit, end_bit;  // the bits that decide on the order
  // Between the rounds: place 0 is the input, the first round writes 1, the next 2, then 1 again.
  U* keys[3];
  P* payloads[3];
  bool at_home[3];  // what lies here in order is the result already

  __device__ static int next(int place) { return place == 1 ? 2 : 1; }
  //! Keys first + k·step, as they lie, for k < Count as long as k·step < rest.
  template <int Count, int Step>
  __device__ void fetch(U (&raw)[Count], int place, index_t first, int rest) const {
    if (place == 0) {
#pragma unroll
      for (int k = 0; k < Count; k++)
        if (k * Step < rest) raw[k] = key_in.raw(first + k * Step);
    } else {
      const U* from = keys[place] + first;
#pragma unroll
      for (int k = 0; k < Count; k++)
        if (k * Step < rest) raw[k] = from[k * Step];
    }
  }
  template <int Count>
  __device__ void encode(U (&raw)[Count], int place) const {
    if (place != 0) return;
#pragma unroll
    for (int k = 0; k < Count; k++) raw[k] = key_in.encode(raw[k]);
  }
  __device__ U key(int place, index_t i) const { return place == 0 ? key_in.encode(key_in.raw(i)) : keys[place][i]; }
  template <int Count, int Step>
  __device__ void fetch_payloads(maybe<P> (&values)[Count], int place, index_t first, int rest) const {
    if (place == 0) {
#pragma unroll
      for (int k = 0; k < Count; k++)
        if (k * Step < rest) values[k].value = payload_in(first + k * Step);
    } else {
      const P* from = payloads[place] + first;
#pragma unroll
      for (int k = 0; k < Count; k++)
        if (k * Step < rest) values[k].value = from[k * Step];
    }
  }
  __device__ P payload(int place, index_t i) const { return place == 0 ? payload_in(i) : payloads[place][i]; }
};

//! A tile: `rows` items a lane; `ctas` of a multiprocessor.
template <int Warps, int Rows, int Ctas>
struct tile_shape {
  static constexpr int warps = Warps, rows = Rows, ctas = Ctas;
  static constexpr int threads = Warps * warp_size, tile = threads * Rows;
};

//! Items of [begin, begin + length) that lie in memory `place` and agree in all bits from `end_bit` on.
struct segment_to_split {
  index_t begin, length;
  index_t first_tile;          // counted over all segments ever queued
  unsigned long long varying;  // bits that are not the same in all items
  int place, end_bit;
};
//! Items for one CTA to sort: at most a tile of them.
struct unit_to_sort {
  index_t begin;
  int length, place;
};

//! What the kernels of one sort share in device memory.
struct split_state {
  unsigned long long queued;  // segments so far in the upper 24 bits, their tiles in the lower 40
  unsigned int units;
};
inline constexpr int tile_number_bits = 40;

//! Whose a tile is: a segment's number, less that of the round's first, and a part's.
struct tile_owner {
  int segment, part;
};

template <class Job>
struct split_args {
  Job job;
  progress* head;  // the grid meets here
  split_state* state;
  segment_to_split* queue;  // a ring
  unit_to_sort* units;
  tile_owner* owners;             // of the round's tiles
  std::uint32_t* before_tile;     // 256 a tile: items of each digit in the tiles of its part before it
  std::uint32_t* part_counts;     // 256 a part: items of each digit
  index_t* part_places;           // 256 a part: where the first of them goes
  unsigned long long* totals[2];  // 256 a segment: items of each digit; for alternate rounds
  index_t queue_mask;             // its size less one; a power of two
  int most_segments;              // of a round
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

template <class Job, class Shape, int UnitLength, bool Ordered>
class splitter {
  using U = typename Job::key_type;
  using Payload = typename Job::payload_type;
  static constexpr int rows = Shape::rows;

 public:
  struct shared_memory {
    union {
      struct {
        U keys[Shape::tile];
        Payload payloads[Job::has_payload ? Shape::tile : 1];
      };
      std::uint32_t counts[2][digit_values];
      index_t group_sums[Shape::threads];
    };
    std::conditional_t<Ordered, ordered_ranks<Shape::warps>, unordered_ranks<Shape::warps>> ranks;
  };
  //! A tile to scatter.
  struct tile_job {
    index_t begin;  // of its items
    int count, place;
    digit_field digit;
    const std::uint32_t* before;
    const index_t* part;
  };
  struct shared_state {
    split_round round;
    segment_to_split segment;
    tile_job jobs[2];
    index_t place[digit_values];      // of the next item of each digit, less its place in the tile
    index_t start[digit_values + 1];  // of the segment's children, in the segment
    index_t sums[Shape::warps];
    unsigned long long varying;
  };

  __device__ splitter(const split_args<Job>& args, shared_memory& memory, shared_state& shared)
      : a(args), m(memory), s(shared) {}

  __device__ void run() {
    index_t head = 0;
    clear_totals(0, 1);
    meet();
    for (int turn = 0; begin_round(head); turn ^= 1) {
      const split_round& round = s.round;
      clear_totals(turn ^ 1, round.queued - round.tail + digit_values * (round.tail - round.head));
      count_parts(turn);
      meet();
      for (index_t number = round.head + blockIdx.x; number < round.tail; number += gridDim.x) plan(turn, number);
      plan_large(turn);
      meet();
      scatter();
      meet();
      head = round.tail;
    }
  }

 private:
  const split_args<Job>& a;
  shared_memory& m;
  shared_state& s;

  __device__ segment_to_split& queue(index_t number) const { return a.queue[number & a.queue_mask]; }
  __device__ void meet() const { meet_grid(a.head); }
  __device__ digit_field digit_of(int end_bit) const {
    const int shift = max(end_bit - digit_bits, a.job.begin_bit);
    return {shift, end_bit - shift};
  }
  __device__ unsigned long long varying_bits(const segment_to_split& g) const {
    const unsigned long long below = g.end_bit == 64 ? ~0ull : (1ull << g.end_bit) - 1;
    return g.varying & (below >> a.job.begin_bit << a.job.begin_bit);
  }

  //! Zeroes the totals that as many segments of a turn will need.
  __device__ void clear_totals(int turn, index_t segments) {
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
      round.first_tile = queue(head).first_tile;
      const index_t end = round.tail < segments ? queue(round.tail).first_tile
                                                : static_cast<index_t>(queued & ((1ull << tile_number_bits) - 1));
      round.share_out(static_cast<std::uint32_t>(end - round.first_tile));
    }
    __syncthreads();
    return true;
  }

  //! Counts this CTA's parts.
  __device__ void count_parts(int turn) {
    const int cta = static_cast<int>(blockIdx.x);
    if (cta >= s.round.ctas) return;
    const index_t end = s.round.first_tile_of(cta + 1);
    index_t tile = s.round.first_tile_of(cta), number = s.round.head, count = s.round.tail - number;
    while (count > 1) {  // the last segment that starts at or before the tile
      const index_t half = count / 2;
      if (queue(number + half).first_tile <= tile) {
        number += half;
        count -= half;
      } else {
        count = half;
      }
    }
    for (; tile < end; number++) {
      __syncthreads();
      if (threadIdx.x == 0) {
        s.segment = queue(number);
        s.varying = 0;
      }
      __syncthreads();
      const index_t segment_end = s.segment.first_tile + (s.segment.length + Shape::tile - 1) / Shape::tile;
      const index_t part_end = min(end, segment_end);
      count_part(turn, number, tile, part_end);
      tile = part_end;
    }
  }

  //! Counts the tiles [tile, end) of s.segment.
  __device__ void count_part(int turn, index_t number, index_t tile, index_t end) {
    const int d = static_cast<int>(threadIdx.x);
    const digit_field digit = digit_of(s.segment.end_bit);
    const int place = s.segment.place;
    const U reference = a.job.key(place, s.segment.begin);
    U varying = 0, next[rows];                   // next: keys of the tile after
    const auto rest_of = [&](index_t of_tile) {  // the segment's keys from this thread's first in the tile on
      const index_t rest = s.segment.length - (of_tile - s.segment.first_tile) * Shape::tile;
      return static_cast<int>(min(rest, index_t{Shape::tile})) - d;
    };
    const auto fetch = [&](index_t of_tile) {
      const index_t first = s.segment.begin + (of_tile - s.segment.first_tile) * Shape::tile;
      a.job.template fetch<rows, Shape::threads>(next, place, first + d, rest_of(of_tile));
    };
    if (d < digit_values) m.counts[0][d] = m.counts[1][d] = 0;
    fetch(tile);
    __syncthreads();
    const int part = s.round.part(number, static_cast<int>(blockIdx.x));
    std::uint32_t before = 0;
    for (int half = 0; tile < end; tile++, half ^= 1) {
      U now[rows];
#pragma unroll
      for (int k = 0; k < rows; k++) now[k] = next[k];
      a.job.encode(now, place);
      const int rest = rest_of(tile);
      if (tile + 1 < end) fetch(tile + 1);
#pragma unroll
      for (int k = 0; k < rows; k++)
        if (k * Shape::threads < rest) {
          varying |= now[k] ^ reference;
          atomicAdd(&m.counts[half][digit(now[k])], 1u);
        }
      __syncthreads();
      const index_t in_round = tile - s.round.first_tile;
      if (d < digit_values) {
        a.before_tile[in_round * digit_values + d] = before;
        before += m.counts[half][d];
        m.counts[half][d] = 0;
      }
      if (d == 0) a.owners[in_round] = {static_cast<int>(number - s.round.head), part};
    }
    unsigned long long all = varying;
    for (int distance = warp_size / 2; distance > 0; distance /= 2) all |= __shfl_xor_sync(~0u, all, distance);
    if (lane_id() == 0) atomicOr(&s.varying, all);
    __syncthreads();
    if (d < digit_values) {
      a.part_counts[index_t{part} * digit_values + d] = before;
      if (before > 0) atomicAdd(&a.totals[turn][(number - s.round.head) * digit_values + d], before);
    }
    if (d == 0) atomicOr(&queue(number).varying, s.varying);
  }

  //! A segment's children, and where its parts go.
  __device__ void plan(int turn, index_t number) {
    __syncthreads();
    const segment_to_split g = queue(number);
    const unsigned long long varying = varying_bits(g);
    const digit_field digit = digit_of(g.end_bit);
    if (varying >> digit.shift == 0) {  // they agree in this digit: they stay where they are
      if (varying && threadIdx.x == 0) push(g.begin, g.length, g.place, 64 - __clzll(static_cast<long long>(varying)));
      if (!varying && !a.job.at_home[g.place]) note_pieces(g.begin, g.length, g.place);
      return;
    }
    find_children(turn, number, g.length);
    const part_range parts = parts_of(g, number);
    if (parts.count <= few_parts) place_parts<digit_values>(g.begin, 0, parts);
    const int place = Job::next(g.place);
    if (digit.shift > a.job.begin_bit) plan_children(g, place, digit.shift);
    else if (!a.job.at_home[place]) note_pieces(g.begin, g.length, place);
  }

  struct part_range {
    int first, count;
  };
  static constexpr int few_parts = 24;
  __device__ part_range parts_of(const segment_to_split& g, index_t number) const {
    const index_t tiles = (g.length + Shape::tile - 1) / Shape::tile;
    const int first = s.round.cta_of(g.first_tile), last = s.round.cta_of(g.first_tile + tiles - 1);
    return {s.round.part(number, first), last - first + 1};
  }
  //! Where the parts go of segments that have many: one CTA for 32 of the digits. Every few_parts-th CTA of those that
  //! counted names a segment that may be one.
  __device__ void plan_large(int turn) {
    constexpr int blocks = digit_values / warp_size;
    const int candidates = (s.round.ctas + few_parts - 1) / few_parts;
    for (int k = static_cast<int>(blockIdx.x); k < blocks * candidates; k += static_cast<int>(gridDim.x)) {
      const int cta = k / blocks * few_parts;
      const index_t number = s.round.head + a.owners[s.round.first_tile_of(cta) - s.round.first_tile].segment;
      const segment_to_split g = queue(number);
      const part_range parts = parts_of(g, number);
      if (parts.count <= few_parts || varying_bits(g) >> digit_of(g.end_bit).shift == 0) continue;
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

  __device__ void push(index_t begin, index_t length, int place, int end_bit) {
    const index_t tiles = (length + Shape::tile - 1) / Shape::tile;
    const unsigned long long one = 1ull << tile_number_bits;
    const unsigned long long at = atomicAdd(&a.state->queued, one | static_cast<unsigned long long>(tiles));
    queue(static_cast<index_t>(at >> tile_number_bits)) = {begin, length, static_cast<index_t>(at & (one - 1)),
                                                           0,     place,  end_bit};
  }
  //! Notes a range as units, in pieces; for ranges that need no order among the pieces. All threads.
  __device__ void note_pieces(index_t begin, index_t length, int place) {
    const index_t pieces = (length + UnitLength - 1) / UnitLength;
    if (threadIdx.x == 0) s.sums[0] = atomicAdd(&a.state->units, static_cast<unsigned int>(pieces));
    __syncthreads();
    for (index_t k = threadIdx.x; k < pieces; k += Shape::threads)
      a.units[s.sums[0] + k] = {begin + k * UnitLength,
                                static_cast<int>(min(index_t{UnitLength}, length - k * UnitLength)), place};
    __syncthreads();
  }

  //! A child of more than a tile is queued. Smaller ones are units; those of up to a quarter of a tile are joined with
  //! their neighbours: with all that start in the same three quarters, up to the next larger one.
  __device__ void plan_children(const segment_to_split& g, int place, int shift) {
    constexpr int joined = UnitLength / 4, window = UnitLength - joined;
    const int d = static_cast<int>(threadIdx.x);
    const index_t start = d < digit_values ? s.start[d] : 0, length = d < digit_values ? s.start[d + 1] - start : 0;
    if (length > UnitLength) push(g.begin + start, length, place, shift);
    const bool alone = length > joined;
    __syncthreads();
    const index_t larger_before = sum_before<Shape::warps>(index_t{alone}, s.sums);
    // What children that are joined have in common; it grows with d.
    const index_t group = length > 0 ? (start / window + 1) * digit_values * 2 + larger_before : 0;
    const index_t group_before = highest_before(group);
    const bool leads = alone || (length > 0 && group != group_before);
    __syncthreads();
    const index_t rank = sum_before<Shape::warps>(index_t{leads}, s.sums);
    __syncthreads();
    if (leads) s.start[rank] = start;
    if (d == Shape::threads - 1) s.start[rank + leads] = g.length;
    __syncthreads();
    if (leads && length <= UnitLength)
      a.units[atomicAdd(&a.state->units, 1u)] = {g.begin + start, static_cast<int>(s.start[rank + 1] - start), place};
  }
  //! The highest value of the threads before this one, none below 0.
  __device__ index_t highest_before(index_t value) {
    index_t highest = value;
#pragma unroll
    for (int distance = 1; distance < warp_size; distance *= 2) {
      const index_t earlier = __shfl_up_sync(~0u, highest, distance);
      if (lane_id() >= distance) highest = max(highest, earlier);
    }
    const int warp = d_warp();
    __syncthreads();
    if (lane_id() == warp_size - 1) s.sums[warp] = highest;
    highest = __shfl_up_sync(~0u, highest, 1);
    if (lane_id() == 0) highest = 0;
    __syncthreads();
    for (int w = 0; w < warp; w++) highest = max(highest, s.sums[w]);
    return highest;
  }
  __device__ static int d_warp() { return static_cast<int>(threadIdx.x) / warp_size; }

  //! The tile's place among all of the round that its CTA takes in its k-th turn.
  __device__ index_t tile_of_turn(index_t k) const { return k * gridDim.x + blockIdx.x; }

  //! What is to be done with a tile; nothing if its segment is not split.
  __device__ tile_job find_job(index_t tile) const {
    const tile_owner owner = a.owners[tile];
    const segment_to_split g = queue(s.round.head + owner.segment);
    const index_t first = (s.round.first_tile + tile - g.first_tile) * Shape::tile;
    tile_job job;
    job.digit = digit_of(g.end_bit);
    job.begin = g.begin + first;
    job.count =
        varying_bits(g) >> job.digit.shift == 0 ? 0 : static_cast<int>(min(index_t{Shape::tile}, g.length - first));
    job.place = g.place;
    job.before = a.before_tile + tile * digit_values;
    job.part = a.part_places + index_t{owner.part} * digit_values;
    return job;
  }

  //! What a thread holds of a tile.
  struct tile_items {
    U keys[rows];
    maybe<Payload> payloads[Job::has_payload ? rows : 1];
    index_t place;  // of the first item of the digit that the thread speaks for
  };

  __device__ void scatter() {
    const index_t tiles = s.round.tiles;
    if (blockIdx.x >= tiles) return;
    if (threadIdx.x == 0) s.jobs[0] = find_job(tile_of_turn(0));
    m.ranks.clear();
    __syncthreads();
    tile_items items;
    fetch(items, s.jobs[0]);
    for (index_t k = 0; tile_of_turn(k) < tiles; k++) {
      const bool more = tile_of_turn(k + 1) < tiles;
      if (more && threadIdx.x == Shape::threads - 1) s.jobs[(k + 1) % 2] = find_job(tile_of_turn(k + 1));
      stage_tile(s.jobs[k % 2], items);
      m.ranks.clear();
      if (more) fetch(items, s.jobs[(k + 1) % 2]);  // on its way while this tile leaves
      write_tile(s.jobs[k % 2]);
      __syncthreads();
    }
  }

  //! This lane's first item in a tile.
  __device__ static int first_of_lane() {
    return static_cast<int>(threadIdx.x) / warp_size * (rows * warp_size) + lane_id();
  }
  __device__ void fetch(tile_items& items, const tile_job& job) const {
    const index_t first = job.begin + first_of_lane();
    const int rest = job.count - first_of_lane();
    a.job.template fetch<rows, warp_size>(items.keys, job.place, first, rest);
    if constexpr (Job::has_payload)
      a.job.template fetch_payloads<rows, warp_size>(items.payloads, job.place, first, rest);
    items.place = threadIdx.x < digit_values && job.count > 0 ? job.part[threadIdx.x] + job.before[threadIdx.x] : 0;
  }

  //! Puts a tile's items in order in shared memory, and finds where each digit's go.
  __device__ void stage_tile(const tile_job& job, tile_items& items) {
    const digit_field digit = job.digit;
    const int rest = job.count - first_of_lane();
    const auto live = [&](int k) { return k * warp_size < rest; };
    a.job.encode(items.keys, job.place);
    int at[rows];
    m.ranks.rank(
        at, rows, [&](int k) { return digit(items.keys[k]); }, live);
    __syncthreads();
    const digit_span found = m.ranks.place();
    if (threadIdx.x < digit_values) s.place[threadIdx.x] = items.place - found.start;
    __syncthreads();
#pragma unroll
    for (int k = 0; k < rows; k++)
      if (live(k)) {
        const int place = m.ranks.position(digit(items.keys[k]), at[k]);
        m.keys[place] = items.keys[k];
        if constexpr (Job::has_payload) m.payloads[place] = items.payloads[k].value;
      }
    __syncthreads();
  }

  __device__ void write_tile(const tile_job& job) const {
    const digit_field digit = job.digit;
    const int mine = static_cast<int>(threadIdx.x), count = job.count - mine, target = Job::next(job.place);
    U* keys = a.job.keys[target] + mine;
    Payload* payloads = a.job.payloads[target] + mine;
#pragma unroll
    for (int k = 0; k < rows; k++)
      if (k * Shape::threads < count) {
        const U key = m.keys[mine + k * Shape::threads];
        const index_t place = s.place[digit(key)] + k * Shape::threads;
        keys[place] = key;
        if constexpr (Job::has_payload) payloads[place] = m.payloads[mine + k * Shape::threads];
      }
  }
};

template <class Job, class Shape, int UnitLength, bool Ordered>
__global__ void __launch_bounds__(Shape::threads, Shape::ctas) split_kernel(const __grid_constant__ split_args<Job> a) {
  using S = splitter<Job, Shape, UnitLength, Ordered>;
  extern __shared__ __align__(16) std::byte memory[];
  __shared__ typename S::shared_state state;
  if (blockIdx.x == 0 && threadIdx.x == 0) {  // the whole is the first segment
    const index_t tiles = (a.job.n + Shape::tile - 1) / Shape::tile;
    a.queue[0] = {0, a.job.n, 0, 0, 0, a.job.end_bit};
    a.state->queued = 1ull << tile_number_bits | static_cast<unsigned long long>(tiles);
    a.state->units = 0;
  }
  S(a, *reinterpret_cast<typename S::shared_memory*>(memory), state).run();
}

}  // namespace upsweep::inline UPSWEEP_ABI::gpu

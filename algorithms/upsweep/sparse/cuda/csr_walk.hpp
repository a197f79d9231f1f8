// A warp's walk along the rows and non-zeros of a sparse matrix, a tile at a time (csr_fold.hpp).
//   ends      of the next rows, as far as they lie in the tile
//   products  of the tile's non-zeros, each of which waits for its own item of x alone, into shared memory
//   sums      a few lanes to a row, as many as the tile has for each; rows that are far longer than others wait, and
//             have the warp to themselves
// The next tile is on its way while sums are made. What a tile leaves of an unfinished row goes on to the next one.
//
// Wrong contents stay in bounds: offsets and columns are brought into them, and a walk that no longer advances ends.
#pragma once
#include <cstdint>
#include <type_traits>

#include <upsweep/config.hpp>
#include <upsweep/cuda/device.hpp>
#include <upsweep/cuda/segment_path.hpp>
#include <upsweep/cuda/walks.hpp>
#include <upsweep/cuda/warp.hpp>
#include <upsweep/sparse/cuda/csr_path.hpp>

namespace UPSWEEP_NAMESPACE::gpu {

//! Rows of a matrix, what their products are made of, and where their folds go. x[column] is what a non-zero meets.
template <class Value, class Column, class Offset, class X, class Multiply, class M, class Store>
struct csr_fold_args {
  using value_type = typename M::value_type;
  using matrix_value = Value;
  using column_type = std::make_unsigned_t<Column>;
  using offset_type = std::make_unsigned_t<Offset>;
  segment_path<Offset> path;
  const Column* column_indices;
  const Value* values;
  X x;
  column_type last_column;
  Multiply multiply;
  M m;
  Store store;
  int part_steps;             // steps of a warp
  int rows_a_tile;            // at most
  const index_t* first_rows;  // of parts, or null
  memory_piece workspace;
};

//! A warp's tile: so many non-zeros and ends of rows a lane, at most; so many CTAs of a multiprocessor, at least.
template <int Warps, int PerLane, int RowsPerLane, int Ctas>
struct csr_tile {
  static constexpr int warps = Warps, threads = Warps * warp_size, per_lane = PerLane, rows_per_lane = RowsPerLane,
                       ctas = Ctas;
  static constexpr int items = warp_size * PerLane, rows = warp_size * RowsPerLane;
  static_assert(warp_size % PerLane == 0);
};

//! What a warp keeps of its tile.
template <class V, class Tile>
struct csr_tile_memory {
  //! Lanes begin a power of two apart: without gaps they would all read the same bank.
  UPSWEEP_HD static constexpr unsigned spread(unsigned at) { return at + at / warp_size; }
  maybe<V> products[spread(Tile::items)];
  maybe<V> carry[2];      // for alternate tiles, of the row that a tile begins in
  maybe<V> head;          // what the walk has of the row that it began in
  index_t first_segment;  // the row that it began in
  std::uint16_t ends[Tile::rows];
};

//! Reads memory that nobody reads again: it need not stay in the caches.
template <class T>
__device__ T read_once(const T* from) {
  if constexpr (requires { __ldcs(from); }) return __ldcs(from);
  else return *from;
}

template <class Args, class Tile>
class csr_walker {
  using V = typename Args::value_type;
  using Column = typename Args::column_type;
  using Offset = typename Args::offset_type;
  static constexpr int per_lane = Tile::per_lane, rows_per_lane = Tile::rows_per_lane;
  static constexpr int few = 32;  // items of a lane, of rows that do not wait

 public:
  using args_type = Args;
  using memory_type = csr_tile_memory<V, Tile>;
  static constexpr int warps = Tile::warps, least_ctas = Tile::ctas;

  //! Walks along a part. All lanes call, here and below.
  __device__ csr_walker(const Args& args, memory_type& memory, index_t part) : a(args), s(memory) {
    const index_t begin = part * a.part_steps;
    left_ = static_cast<int>(max(min(index_t{a.part_steps}, a.path.steps() - begin), index_t{0}));
    row_ = left_ == 0 ? a.path.segments : a.first_rows ? a.first_rows[part] : a.path.ends_before(begin);
    at_ = begin - row_;
    rows_left_ = static_cast<int>(min(a.path.segments - row_, index_t{left_}));
    items_left_ = static_cast<int>(max(min(a.path.items - at_, index_t{left_}), index_t{0}));
    if (left_ > 0) fetch();
    inside_ = row_ < a.path.segments && (row_ > 0 ? a.path.end_of(row_ - 1) : 0) < at_;
    if (lane_id() == 0) s.first_segment = row_;
  }
  __device__ void walk() {
    while (left_ > 0 && fold_tile()) turn_ ^= 1;
    __syncwarp();
  }
  __device__ walk_rest<V> rest() const { return {s.carry[turn_], has_carry_, inside_}; }
  //! Has it finished a row that began before it? Then s.head is what it has of it, if it has anything.
  __device__ bool finished_another() const { return finished_another_; }
  __device__ bool has_head() const { return has_head_; }

 private:
  const Args& a;
  memory_type& s;
  index_t row_, at_;                   // the next row that ends, the next non-zero
  int left_, rows_left_, items_left_;  // steps of the path, and how many of each kind there may be
  int most_, rows_;                    // non-zeros and rows that the tile may have
  int turn_ = 0;
  bool inside_;             // a row that began before the walk
  bool has_carry_ = false;  // s.carry[turn_] is of the row in which the tile begins
  bool finished_another_ = false, has_head_ = false;
  maybe<typename Args::matrix_value> values_[per_lane];
  Column columns_[per_lane];
  Offset ends_[rows_per_lane];

  //! Has the next tile on its way.
  __device__ void fetch() {
    const int lane = lane_id();
    const int whole = Tile::items - (static_cast<int>(at_) & (warp_size - 1));  // the one after begins with a line
    most_ = min(whole, items_left_);
    rows_ = min(a.rows_a_tile, rows_left_);
    const auto* const ends = a.path.ends + row_ + lane;
#pragma unroll
    for (int k = 0; k < rows_per_lane; k++)
      if (lane + k * warp_size < rows_) ends_[k] = static_cast<Offset>(ends[k * warp_size]);
    if (most_ == Tile::items) fetch_items<true>(lane);
    else fetch_items<false>(lane);
  }
  template <bool Full>
  __device__ void fetch_items(int lane) {
    const auto* const columns = a.column_indices + at_ + lane;
    const auto* const values = a.values + at_ + lane;
#pragma unroll
    for (int k = 0; k < per_lane; k++)
      if (Full || lane + k * warp_size < most_) columns_[k] = static_cast<Column>(read_once(columns + k * warp_size));
#pragma unroll
    for (int k = 0; k < per_lane; k++)
      if (Full || lane + k * warp_size < most_) values_[k].value = read_once(values + k * warp_size);
  }

  //! False if it cannot go on.
  __device__ bool fold_tile() {
    const int finished = take_ends();
    const int count = finished == rows_ && finished > 0 ? s.ends[finished - 1] : min(most_, left_ - finished);
    if (finished == 0 && count <= 0) return false;
    if (count == Tile::items) multiply<true>(count);
    else multiply<false>(count);
    const index_t row = row_;
    row_ += finished;
    at_ += count;
    left_ -= finished + count;
    rows_left_ -= finished;
    items_left_ -= count;
    if (left_ > 0) fetch();
    __syncwarp();
    if (finished == 0 && count == Tile::items) sum_whole();
    else if (finished < warp_size / 2) sum_rows<false>(row, finished, count, __clz(finished) - 27);
    else sum_rows<true>(row, finished, count, 0);
    if (inside_ && finished > 0) {
      has_head_ = has_carry_ || s.ends[0] > 0;
      finished_another_ = true;
      inside_ = false;
    }
    has_carry_ = finished == 0 || s.ends[finished - 1] < count;
    __syncwarp();
    return true;
  }
  //! Puts the ends of rows where all lanes find them; returns how many lie in the tile.
  __device__ int take_ends() {
    int finished = 0;
#pragma unroll
    for (int k = 0; k < rows_per_lane; k++) {
      if (k * warp_size >= rows_) break;
      const int number = lane_id() + k * warp_size;
      const Offset end = ends_[k] - static_cast<Offset>(at_),
                   most = static_cast<Offset>(most_);  // a wrong end is high: unsigned
      const int in_tile = static_cast<int>(end < most ? end : most);
      const bool is_row = number < rows_;
      if (is_row) s.ends[number] = static_cast<std::uint16_t>(in_tile);
      finished += __popc(__ballot_sync(~0u, is_row && end <= most && in_tile + number < left_));
    }
    __syncwarp();
    return finished;
  }
  template <bool Full>
  __device__ void multiply(int count) {
    const int lane = lane_id();
    maybe<V>* const to = s.products + lane;
#pragma unroll
    for (int k = 0; k < per_lane; k++)
      if (Full || lane + k * warp_size < count)
        to[s.spread(k * warp_size)].value =
            static_cast<V>(a.multiply(values_[k].value, a.x[min(columns_[k], a.last_column)]));
  }

  //! Sums a tile that lies inside one row.
  __device__ void sum_whole() {
    const maybe<V>* const from = s.products + s.spread(static_cast<unsigned>(lane_id() * per_lane));
    maybe<V> sum = from[0];
#pragma unroll
    for (int k = 1; k < per_lane; k++) sum.value = a.m(sum.value, from[k].value);
    sum = join_lanes(sum, lane_id(), warp_size, warp_size);
    if (lane_id() == 0) take(0, 0, sum, true, 0);
  }
  //! Sums the first `finished` rows of a tile of `count` non-zeros, and what there is of the next. A row has 2^bits
  //! lanes.
  template <bool OneLane>
  __device__ void sum_rows(index_t row, int finished, int count, int bits) {
    for (int first = 0; first <= finished; first += warp_size >> bits) {
      const int k = first + (OneLane ? lane_id() : lane_id() >> bits);
      const bool is_row = k <= finished;
      const int begin = is_row && k > 0 ? s.ends[k - 1] : 0, end = k < finished ? s.ends[k] : is_row ? count : 0;
      const bool waits = end - begin > few << bits;
      if constexpr (OneLane) {
        if (is_row && !waits) take(row, k, sum_share(begin, end), begin < end, finished);
      } else {
        sum_row(row, k, begin, waits ? 0 : end - begin, bits, is_row && !waits, finished);
      }
      const bool speaks = OneLane || (lane_id() & ((1 << bits) - 1)) == 0;
      const std::uint32_t waiting = __ballot_sync(~0u, waits && speaks);
      if (waiting) sum_waiting_rows(row, first, bits, begin, end, waiting, finished);
    }
  }
  //! Rows that have waited, each named by a lane that knows where it begins and ends: the warp to one, half of it to
  //! each of two, a quarter to each of more.
  __device__ void sum_waiting_rows(index_t row, int first, int bits, int begin, int end, std::uint32_t waiting,
                                   int finished) {
    while (waiting) {
      const int count = __popc(waiting), lanes = count == 1 ? 5 : count == 2 ? 4 : 3, group = lane_id() >> lanes;
      std::uint32_t mine = 0;
#pragma unroll
      for (int g = 0; g < 4; g++) {
        if (g == group) mine = waiting;
        if (g < warp_size >> lanes) waiting &= waiting - 1;
      }
      const int speaker = mine ? __ffs(static_cast<int>(mine)) - 1 : 0;
      const int its_begin = __shfl_sync(~0u, begin, speaker), its_end = __shfl_sync(~0u, end, speaker);
      sum_row(row, first + (speaker >> bits), its_begin, mine ? its_end - its_begin : 0, lanes, mine != 0, finished);
    }
  }
  //! Each of 2^bits lanes sums a share of a row; then they are joined.
  __device__ void sum_row(index_t row, int k, int begin, int length, int bits, bool is_row, int finished) {
    const int width = 1 << bits, lane = lane_id() & (width - 1), share = length >> bits,
              more = length - (share << bits);
    const int at = begin + lane * share + min(lane, more);
    const maybe<V> sum = join_lanes(sum_share(at, at + share + (lane < more)), lane, width, min(width, length));
    if (is_row && lane == 0) take(row, k, sum, length > 0, finished);
  }
  //! The joined sums of the first `live` of `width` lanes, in the first of them.
  __device__ maybe<V> join_lanes(maybe<V> sum, int lane, int width, int live) const {
    for (int distance = 1; distance < width; distance *= 2) {
      const V later = from_above(sum.value, distance);
      if ((lane & (2 * distance - 1)) == 0 && lane + distance < live) sum.value = a.m(sum.value, later);
    }
    return sum;
  }
  __device__ maybe<V> sum_share(int begin, int end) const {
    const auto product = [&](int at) -> const V& { return s.products[s.spread(static_cast<unsigned>(at))].value; };
    maybe<V> sum;
    if (begin >= end) return sum;
    sum.value = product(begin);
    int at = begin + 1;
#pragma unroll 1
    for (; at + 3 < end; at += 4)
      sum.value = a.m(a.m(a.m(a.m(sum.value, product(at)), product(at + 1)), product(at + 2)), product(at + 3));
#pragma unroll 1
    for (; at < end; at++) sum.value = a.m(sum.value, product(at));
    return sum;
  }
  //! Takes the sum of the tile's k-th row, if it has any non-zeros there: stores it, or keeps it for what follows.
  __device__ void take(index_t row, int k, maybe<V> sum, bool is_there, int finished) {
    if (k == 0 && has_carry_) {
      if (is_there) sum.value = a.m(s.carry[turn_].value, sum.value);
      else sum = s.carry[turn_];
      is_there = true;
    }
    if (k == finished) s.carry[turn_ ^ 1] = sum;
    else if (k == 0 && inside_) s.head = sum;
    else a.store(row + k, is_there ? sum.value : static_cast<V>(a.m.identity()));
  }
};

}  // namespace UPSWEEP_NAMESPACE::gpu

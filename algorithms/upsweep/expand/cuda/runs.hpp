// Runs of equal items, written on a GPU: run s is value(s), as often as counts or offsets say. A warp writes tiles of
// the output. It searches the group of runs that reaches into the first, marks where each run begins with the run's
// number, and a running maximum of the marks says which run an item is of. So all tiles are equally long whatever the
// runs are (the load-balancing search of Baxter's moderngpu, 2013, by marks), and no warp waits for another.
#pragma once
#include <algorithm>
#include <cstdint>
#include <limits>

#include <upsweep/config.hpp>
#include <upsweep/cuda/device.hpp>
#include <upsweep/cuda/launch.hpp>
#include <upsweep/cuda/warp.hpp>
#include <upsweep/expand/cuda/tuning.hpp>
#include <upsweep/expand/cuda/write_tile.hpp>
#include <upsweep/ranges.hpp>

namespace UPSWEEP_NAMESPACE::gpu {

//! Runs between offsets, and the one behind the last of them; what lies before the first is run −1.
template <class Offset>
struct offset_runs {
  static constexpr int in_lane = 4, in_group = in_lane * warp_size;
  static constexpr int margin = 1, run_bytes = 2 * sizeof(Offset);  // read of a run
  struct lane_type {};

  const Offset* offsets;
  index_t n, size;  // how many offsets; how many items

  __device__ index_t groups() const { return (n + in_group - 1) / in_group; }
  __device__ index_t items() const { return size; }
  __device__ index_t offset(index_t run) const { return run < n ? static_cast<index_t>(offsets[run]) : size; }
  __device__ index_t begin(index_t group) const { return offset(in_group * group); }
  __device__ lane_type read(index_t, int) const { return {}; }
  template <class F>
  __device__ void for_each(lane_type, index_t group, bool, int, index_t first, int count, const F& f) const {
    const index_t run = in_group * group + in_lane * lane_id();
#pragma unroll
    for (int k = 0; k < in_lane; k++)
      if (run + k < n) {
        const index_t begin = max(offset(run + k) - first, index_t{-1}), end = offset(run + k + 1) - first;
        f(end > max(begin, index_t{0}) && begin < count, k, static_cast<int>(begin));
      }
  }
};

//! Neighbouring groups of runs, one a lane; the last lane's is where the others end. So most tiles look at nothing new,
//! and a crowd of empty runs costs little.
template <class Runs>
struct group_window {
  static constexpr int count = warp_size - 1;
  index_t first;  // group
  index_t begin;  // of the lane's, in the output

  __device__ static group_window of(const Runs& runs, index_t first) {
    return {first, runs.begin(min(first + lane_id(), runs.groups()))};
  }
  //! From the group on that holds item `at`.
  __device__ static group_window around(const Runs& runs, index_t at, index_t from = 0) {
    const index_t behind =
        warp_group{}.partition_point(from, runs.groups(), [&](index_t group) { return runs.begin(group) <= at; });
    return of(runs, max(behind - 1, index_t{0}));
  }
  //! Of the group that holds item `at`, if it lies here.
  __device__ int place_of(index_t at) const { return min(__popc(__ballot_sync(~0u, begin <= at)), count) - 1; }
  //! What follows; if it `is_empty`, behind all that are empty like it.
  __device__ group_window next(const Runs& runs, bool is_empty) const {
    return is_empty ? around(runs, from_lane(begin, count), first + count) : of(runs, first + count);
  }
};

//! Marks in a tile of `count` items from item `first` on where runs begin, those of groups in `window` and behind it;
//! put(place, mark). `ahead` was read of the first group that reaches into the tile. The window moves on to the tile's
//! end.
template <class Mark, class Runs, class Put>
__device__ void mark_runs(const Runs& runs, group_window<Runs>& window, typename Runs::lane_type ahead, index_t first,
                          int count, const Put& put) {
  constexpr index_t longest = 1 << 30;  // of a group whose places fit 32 bits
  const auto first_of = [](std::uint32_t lanes) { return __ffs(static_cast<int>(lanes)) - 1; };
  for (Mark base = 0;;) {
    const index_t begin = window.begin - first, end = from_above(begin, 1);
    const std::uint32_t are_short = __ballot_sync(~0u, end - begin <= longest);
    std::uint32_t left = __ballot_sync(~0u, lane_id() < window.count && begin < count && end > max(begin, index_t{0}));
    const bool is_empty = left == 0;
    if (!is_empty && base != 0) ahead = runs.read(window.first, first_of(left));
    while (left != 0) {
      const int lane = first_of(left);
      const auto now = ahead;
      left &= left - 1;
      if (left != 0) ahead = runs.read(window.first, first_of(left));  // is under way meanwhile
      const Mark mark = base + static_cast<Mark>(Runs::in_group * lane + Runs::in_lane * lane_id() + 1);
      runs.for_each(now, window.first + lane, (are_short >> lane & 1) != 0, from_lane(static_cast<int>(begin), lane),
                    first, count, [&](bool has_items, int k, int place) {
                      if (has_items) put(place, mark + static_cast<Mark>(k));
                    });
    }
    if (from_lane(begin, window.count) >= count) return;
    const index_t before = window.first;
    window = window.next(runs, is_empty);
    base += static_cast<Mark>(Runs::in_group * (window.first - before));
  }
}

template <class Mark, class Runs, class T, class Value>
__global__ void __launch_bounds__(tuning::run_tile_warps* warp_size,
                                  tuning::run_tile_ctas(sizeof(Mark), Runs::run_bytes, sizeof(T)))
    write_runs_kernel(Runs runs, T* out, index_t size, int tiles_in_turn, Value value) {
  constexpr int warps = tuning::run_tile_warps, tile = tuning::run_tile_bytes / sizeof(Mark),
                margin = (Runs::margin + 31) / 32 * 32, room = margin + tile + margin;
  __shared__ alignas(16) Mark memory[warps * room];
  int own = static_cast<int>(threadIdx.x) / warp_size * room + margin;
  asm volatile("" : "+r"(own));  // else it is made anew for each mark
  // Tiles begin where lines do.
  const index_t lead = run_vectors<T>::lead(out), number = static_cast<index_t>(blockIdx.x) * warps + own / room,
                n = min(size, runs.items());
  index_t first = tile * tiles_in_turn * number - lead;
  const index_t last = min(first + tile * tiles_in_turn, n);
  if (first >= last) return;
  auto window = group_window<Runs>::around(runs, max(first, index_t{0}));
  auto ahead = runs.read(window.first, 0);
  for (; first < last; first += tile) {
    const int count = static_cast<int>(min(last - first, index_t{tile})),
              low = static_cast<int>(max(-first, index_t{0}));
    Mark* const marks = memory + own;
    marks[lane_id() - warp_size] = 0;
#pragma unroll
    for (int v = 0; v < tile * static_cast<int>(sizeof(Mark)) / 16; v += warp_size)
      reinterpret_cast<uint4*>(marks)[v + lane_id()] = {};
    __syncwarp();
    const index_t run_before = Runs::in_group * window.first - 1;
    mark_runs<Mark>(runs, window, ahead, first, count, [&](int place, Mark mark) { memory[own + place] = mark; });
    __syncwarp();
    if (first + tile < last) ahead = runs.read(window.first, max(window.place_of(first + tile), 0));
    const Mark nearest = marks[lane_id() - warp_size],
               before = from_last(__ballot_sync(~0u, nearest != 0), nearest, Mark{0});
    const auto item = [&](Mark mark) { return value(run_before + static_cast<index_t>(mark)); };
    if (count == tile && low == 0 && run_vectors<T>::is_aligned(out + first))
      write_items<tile, true>(out + first, low, count, marks, before, item);
    else write_items<tile, false>(out + first, low, count, marks, before, item);
    __syncwarp();
  }
}

//! out[i] = value(the run that item i belongs to), for as many items as there are and out has room for.
template <class Runs, class T, class Value>
void write_runs(device& executor, const Runs& runs, const named_range<T>& out, const Value& value) {
  if (out.size == 0) return;
  const auto write = [&]<class Mark>(Mark) {
    constexpr int warps = tuning::run_tile_warps, tile = tuning::run_tile_bytes / sizeof(Mark);
    const index_t tiles = (out.size + run_vectors<T>::line - 1 + tile - 1) / tile;
    const index_t waves = tiles / (index_t{warps} * tuning::run_tile_ctas(sizeof(Mark), Runs::run_bytes, sizeof(T)) *
                                   executor.multiprocessors());
    const auto in_turn = static_cast<int>(std::clamp<index_t>(waves, 1, tuning::run_tiles_in_turn));
    launch<&write_runs_kernel<Mark, Runs, T, Value>>(executor, (tiles + warps * in_turn - 1) / (warps * in_turn),
                                                     warps * warp_size, 0, runs, out.data, out.size, in_turn, value);
  };
  if (runs.n < std::numeric_limits<std::uint32_t>::max() - Runs::in_group) write(std::uint32_t{});
  else write(std::uint64_t{});
}

}  // namespace UPSWEEP_NAMESPACE::gpu

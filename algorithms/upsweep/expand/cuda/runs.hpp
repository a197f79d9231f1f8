// Runs of equal items, written on a GPU: run s is value(s), as often as counts or offsets say. A CTA writes a tile of
// the output. It searches the first and the last group of runs that reach into the tile, marks where each of their runs
// begins with the run's number, and a running maximum of the marks says which run an item is of. So all tiles are
// equally long whatever the runs are (the load-balancing search of Baxter's moderngpu, 2013, by marks).
#pragma once
#include <algorithm>
#include <cstdint>
#include <limits>
#include <type_traits>

#include <upsweep/config.hpp>
#include <upsweep/cuda/device.hpp>
#include <upsweep/cuda/launch.hpp>
#include <upsweep/cuda/warp.hpp>
#include <upsweep/ranges.hpp>

namespace UPSWEEP_NAMESPACE::gpu {

//! Runs that a warp takes at once, and of a lane.
inline constexpr int runs_in_group = 128, runs_of_lane = runs_in_group / warp_size;
constexpr index_t groups_of(index_t runs) { return (runs + runs_in_group - 1) / runs_in_group; }

//! Runs that are counted, in groups of which is known where they begin in the output.
template <class Count>
struct counted_runs {
  const Count* counts;
  index_t n;
  const index_t* begins;  // of groups() groups
  const index_t* total;   // −1 when there is none

  __device__ index_t groups() const { return (n + runs_in_group - 1) / runs_in_group; }
  __device__ index_t items() const { return max(*total, index_t{0}); }
  __device__ index_t begin(index_t group) const { return begins[group]; }
  __device__ index_t end(index_t group) const { return group + 1 < groups() ? begins[group + 1] : *total; }
  //! Calls f(run, begin, end) for a group's runs; by a warp.
  template <class F>
  __device__ void for_each(index_t group, const F& f) const {
    const index_t first = runs_in_group * group + runs_of_lane * lane_id();
    index_t length[runs_of_lane], sum = 0;
    for (int k = 0; k < runs_of_lane; k++) {
      length[k] = first + k < n ? static_cast<index_t>(counts[first + k]) : 0;
      sum += length[k];
    }
    const index_t before = warp_scan(sum, warp_size, [](index_t a, index_t b) { return a + b; }) - sum;
    index_t at = begins[group] + before;
    for (int k = 0; k < runs_of_lane; k++) {
      f(first + k, at, at + length[k]);
      at += length[k];
    }
  }
};

//! Runs between offsets, and the one behind the last of them; what lies before the first is run −1.
template <class Offset>
struct offset_runs {
  const Offset* offsets;
  index_t n, size;  // how many offsets; how many items

  __device__ index_t groups() const { return (n + runs_in_group - 1) / runs_in_group; }
  __device__ index_t items() const { return size; }
  __device__ index_t offset(index_t run) const { return run < n ? static_cast<index_t>(offsets[run]) : size; }
  __device__ index_t begin(index_t group) const { return offset(runs_in_group * group); }
  __device__ index_t end(index_t group) const { return offset(runs_in_group * (group + 1)); }
  template <class F>
  __device__ void for_each(index_t group, const F& f) const {
    UPSWEEP_ROLLED
    for (int k = lane_id(); k < runs_in_group; k += warp_size) {
      const index_t run = runs_in_group * group + k;
      if (run < n) f(run, offset(run), offset(run + 1));
    }
  }
};

// A lane's share of a tile is an odd number of vectors of four marks, so that the lanes' shares start in different
// banks.
inline constexpr int run_tile_threads = 256, run_tile_per_lane = 20, run_tile = run_tile_threads * run_tile_per_lane;

//! Marks become running maxima; by a CTA.
template <class Mark>
__device__ void scan_marks(Mark* marks) {
  constexpr int warps = run_tile_threads / warp_size;
  __shared__ Mark of_warps[warps];
  const auto larger = [](Mark a, Mark b) { return a > b ? a : b; };
  const int warp = static_cast<int>(threadIdx.x) / warp_size;
  struct alignas(4 * sizeof(Mark)) four_marks {
    Mark at[4];
  };
  auto* const mine = reinterpret_cast<four_marks*>(marks + run_tile_per_lane * threadIdx.x);
  four_marks held[run_tile_per_lane / 4];
  Mark most = 0;
#pragma unroll
  for (int v = 0; v < run_tile_per_lane / 4; v++) {
    held[v] = mine[v];
#pragma unroll
    for (int k = 0; k < 4; k++) held[v].at[k] = most = larger(most, held[v].at[k]);
  }
  const Mark up_to = warp_scan(most, warp_size, larger);
  if (lane_id() == warp_size - 1) of_warps[warp] = up_to;
  __syncthreads();
  Mark before = from_below(up_to, 1);
  if (lane_id() == 0) before = 0;
  for (int w = 0; w < warp; w++) before = larger(before, of_warps[w]);
#pragma unroll
  for (int v = 0; v < run_tile_per_lane / 4; v++) {
#pragma unroll
    for (int k = 0; k < 4; k++) held[v].at[k] = larger(before, held[v].at[k]);
    mine[v] = held[v];
  }
  __syncthreads();
}

//! Writes items of a tile: item(k) to to[k], by vectors where memory is aligned to them.
template <class T, class Item>
__device__ void write_tile(T* to, int count, const Item& item) {
  constexpr int vector = 16 / sizeof(T) * sizeof(T) == 16 ? static_cast<int>(16 / sizeof(T)) : 1;
  struct alignas(16) items {
    T at[vector];
  };
  const bool aligned = vector > 1 && reinterpret_cast<std::uintptr_t>(to) % 16 == 0;
  const int vectors = aligned ? count / vector : 0;
  for (int v = static_cast<int>(threadIdx.x); v < vectors; v += run_tile_threads) {
    items all;
#pragma unroll
    for (int k = 0; k < vector; k++) all.at[k] = item(vector * v + k);
    *reinterpret_cast<items*>(to + vector * v) = all;
  }
  for (int k = vector * vectors + static_cast<int>(threadIdx.x); k < count; k += run_tile_threads) to[k] = item(k);
}

template <class Mark, class Runs, class T, class Value>
__global__ void __launch_bounds__(run_tile_threads) write_runs_kernel(Runs runs, T* out, index_t size, Value value) {
  constexpr int warps = run_tile_threads / warp_size;
  __shared__ alignas(16) Mark marks[run_tile];
  __shared__ index_t window[2];
  const index_t n = min(size, runs.items()), first = run_tile * static_cast<index_t>(blockIdx.x);
  if (first >= n) return;
  const index_t end = min(first + run_tile, n);
  for (int k = static_cast<int>(threadIdx.x); k < run_tile; k += run_tile_threads) marks[k] = 0;
  const int warp = static_cast<int>(threadIdx.x) / warp_size;
  if (warp < 2) {
    const index_t limit = warp == 0 ? first + 1 : end;
    const index_t found =
        warp_group{}.partition_point(0, runs.groups(), [&](index_t g) { return runs.begin(g) < limit; });
    if (lane_id() == 0) window[warp] = warp == 0 ? max(found - 1, index_t{0}) : found;
  }
  __syncthreads();
  // A warp looks which of 32 groups have runs at all, so that a crowd of empty ones costs little.
  const index_t from = window[0], to = window[1], runs_before = runs_in_group * from;
  for (index_t next = from + warp; next < to; next += run_tile_threads) {
    const index_t mine = next + warps * lane_id();
    std::uint32_t left = __ballot_sync(~0u, mine < to && runs.begin(mine) < runs.end(mine));
    for (; left != 0; left &= left - 1)
      runs.for_each(next + warps * (__ffs(static_cast<int>(left)) - 1),
                    [&](index_t run, index_t begin, index_t behind) {
                      const index_t at = max(begin, first);
                      if (at < min(behind, end)) marks[at - first] = static_cast<Mark>(run - runs_before + 1);
                    });
  }
  __syncthreads();
  scan_marks(marks);
  write_tile(out + first, static_cast<int>(end - first),
             [&](int k) { return value(runs_before + static_cast<index_t>(marks[k]) - 1); });
}

//! out[i] = value(the run that item i belongs to), for as many items as there are and out has room for.
template <class Runs, class T, class Value>
void write_runs(device& executor, const Runs& runs, const named_range<T>& out, const Value& value) {
  if (out.size == 0) return;
  const index_t tiles = (out.size + run_tile - 1) / run_tile;
  if (runs.n < std::numeric_limits<std::uint32_t>::max() - runs_in_group)
    launch<&write_runs_kernel<std::uint32_t, Runs, T, Value>>(executor, tiles, run_tile_threads, 0, runs, out.data,
                                                              out.size, value);
  else
    launch<&write_runs_kernel<std::uint64_t, Runs, T, Value>>(executor, tiles, run_tile_threads, 0, runs, out.data,
                                                              out.size, value);
}

}  // namespace UPSWEEP_NAMESPACE::gpu

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
  //! Calls f(k, begin, end) for the lane's k-th run of a group, counted from `first` on; of a warp. The group is
  //! [begin, end): seldom so long that its runs' places do not fit 32 bits.
  template <class F>
  __device__ void for_each(index_t group, index_t begin, index_t end, index_t first, const F& f) const {
    const lane_runs mine = read(runs_in_group * group + runs_of_lane * lane_id());
    if (end - begin <= int{~0u >> 1}) place(mine, static_cast<std::int32_t>(begin - first), f);
    else place(mine, begin - first, f);
  }

 private:
  struct alignas(runs_of_lane * sizeof(Count)) lane_runs {
    Count length[runs_of_lane];
  };
  __device__ lane_runs read(index_t run) const {
    const Count* const from = counts + run;
    if (run + runs_of_lane <= n && reinterpret_cast<std::uintptr_t>(from) % sizeof(lane_runs) == 0)
      return *reinterpret_cast<const lane_runs*>(from);
    lane_runs mine;
#pragma unroll
    for (int k = 0; k < runs_of_lane; k++) mine.length[k] = run + k < n ? from[k] : Count{};
    return mine;
  }
  template <class Place, class F>
  __device__ static void place(const lane_runs& mine, Place at, const F& f) {
    Place sum = 0;
#pragma unroll
    for (int k = 0; k < runs_of_lane; k++) sum += static_cast<Place>(mine.length[k]);
    at += warp_scan(sum, warp_size, [](Place a, Place b) { return a + b; }) - sum;
#pragma unroll
    for (int k = 0; k < runs_of_lane; k++) {
      const Place end = at + static_cast<Place>(mine.length[k]);
      f(k, at, end);
      at = end;
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
  __device__ void for_each(index_t group, index_t, index_t, index_t first, const F& f) const {
    const index_t run = runs_in_group * group + runs_of_lane * lane_id();
#pragma unroll
    for (int k = 0; k < runs_of_lane; k++)
      if (run + k < n) f(k, offset(run + k) - first, offset(run + k + 1) - first);
  }
};

// A lane's share of a tile is an odd number of vectors of four marks, so that the lanes' shares start in different
// banks.
inline constexpr int run_tile_threads = 256, run_tile_per_lane = 20, run_tile = run_tile_threads * run_tile_per_lane;
//! CTAs that a multiprocessor should hold, which caps the registers. (H200, 2026-11-24, 2^28 counts of 1, this kernel
//! alone: 746 µs; with lengths of four groups read ahead 782 with 5 CTAs, 1,021 with 4. A guess of where a tile's
//! groups lie before they are searched gained an eighth, and lost a quarter where one run is all.)
template <class Mark>
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
inline constexpr int run_tile_ctas = sizeof(Mark) == 4 ? 4 : 3;  // Turing's multiprocessors hold 1,024 threads
#else
inline constexpr int run_tile_ctas = sizeof(Mark) == 4 ? 6 : 3;
#endif

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

//! Writes a tile's items, item(mark) for each of the marks, by vectors where memory is aligned to them.
template <class T, class Mark, class Item>
__device__ void write_tile(T* to, int count, const Mark* marks, const Item& item) {
  constexpr int vector = 16 / sizeof(T) * sizeof(T) == 16 ? static_cast<int>(16 / sizeof(T)) : 1;
  struct alignas(16) items {
    T at[vector];
  };
  struct alignas(vector * sizeof(Mark) < 16 ? vector * sizeof(Mark) : 16) their_marks {
    Mark at[vector];
  };
  const bool aligned = vector > 1 && reinterpret_cast<std::uintptr_t>(to) % 16 == 0;
  const int vectors = aligned ? count / vector : 0;
  for (int v = static_cast<int>(threadIdx.x); v < vectors; v += run_tile_threads) {
    const their_marks held = reinterpret_cast<const their_marks*>(marks)[v];
    items all;
#pragma unroll
    for (int k = 0; k < vector; k++) all.at[k] = item(held.at[k]);
    reinterpret_cast<items*>(to)[v] = all;
  }
  for (int k = vector * vectors + static_cast<int>(threadIdx.x); k < count; k += run_tile_threads)
    to[k] = item(marks[k]);
}

template <class Mark, class Runs, class T, class Value>
__global__ void __launch_bounds__(run_tile_threads, run_tile_ctas<Mark>)
    write_runs_kernel(Runs runs, T* out, index_t size, Value value) {
  constexpr int warps = run_tile_threads / warp_size;
  __shared__ alignas(16) Mark marks[run_tile];
  __shared__ index_t window[2];
  const index_t n = min(size, runs.items()), first = run_tile * static_cast<index_t>(blockIdx.x);
  if (first >= n) return;
  const int count = static_cast<int>(min(n - first, index_t{run_tile}));
  for (int k = static_cast<int>(threadIdx.x); k < run_tile * static_cast<int>(sizeof(Mark)) / 16; k += run_tile_threads)
    reinterpret_cast<uint4*>(marks)[k] = {};
  const int warp = static_cast<int>(threadIdx.x) / warp_size;
  if (warp < 2) {
    const index_t limit = first + (warp == 0 ? 1 : count);
    const index_t found =
        warp_group{}.partition_point(0, runs.groups(), [&](index_t g) { return runs.begin(g) < limit; });
    if (lane_id() == 0) window[warp] = warp == 0 ? max(found - 1, index_t{0}) : found;
  }
  __syncthreads();
  // A warp looks which of 32 groups have runs at all, so that a crowd of empty ones costs little.
  const index_t from = window[0], to = window[1];
  for (index_t next = from + warp; next < to; next += run_tile_threads) {
    const index_t mine = next + warps * lane_id();
    const index_t begin = mine < to ? runs.begin(mine) : 0, end = mine < to ? runs.end(mine) : 0;
    std::uint32_t left = __ballot_sync(~0u, begin < end);
    for (; left != 0; left &= left - 1) {
      const int lane = __ffs(static_cast<int>(left)) - 1;
      const index_t group = next + warps * lane;
      const auto mark = static_cast<Mark>(runs_in_group * (group - from) + runs_of_lane * lane_id() + 1);
      runs.for_each(group, from_lane(begin, lane), from_lane(end, lane), first, [&](int k, auto begins, auto ends) {
        const auto at = max(begins, decltype(begins){0});
        if (at < min(ends, decltype(ends){count})) marks[at] = mark + static_cast<Mark>(k);
      });
    }
  }
  __syncthreads();
  scan_marks(marks);
  const index_t run_before = runs_in_group * from - 1;
  write_tile(out + first, count, marks, [&](Mark mark) { return value(run_before + static_cast<index_t>(mark)); });
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

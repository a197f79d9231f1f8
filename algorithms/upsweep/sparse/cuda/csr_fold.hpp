// Folds the rows of a sparse matrix on the device, balanced over rows and non-zeros, in one launch.
//
// Rows and non-zeros lie on one path, which is cut into a part for each warp (csr_path.hpp). The warp walks along it
// (csr_walk.hpp). What the warps of a CTA leave of an unfinished row is published; whoever finishes the row waits for
// the CTAs before, in which it began (the protocol's tickets say that these are running), and joins them left to right.
// So a row's sum depends on the lengths of all rows and on types alone.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <upsweep/config.hpp>
#include <upsweep/csr.hpp>
#include <upsweep/cuda/launch.hpp>
#include <upsweep/cuda/protocol.hpp>
#include <upsweep/cuda/warp.hpp>
#include <upsweep/sparse/cuda/csr_path.hpp>
#include <upsweep/sparse/cuda/csr_walk.hpp>
#include <upsweep/sparse/cuda/tuning.hpp>
#include <upsweep/sparse/spmv_task.hpp>

namespace UPSWEEP_NAMESPACE::gpu {

//! Rests of walks that follow one another, one a lane: those of lanes [first, count) come before `sum`, if there is
//! one. Only the first may be nothing. Called by a warp; the result is in all lanes.
template <class V, class M>
__device__ void join_rests(const walk_rest<V>& rest, int first, int count, const M& m, maybe<V>& sum, bool& is_there) {
  if (!__shfl_sync(~0u, rest.is_there, first)) first++;
  if (first >= count) return;
  const V mine = warp_scan(from_lane(rest.value.value, (lane_id() + first) % warp_size), count - first, m);
  const V before = from_lane(mine, count - first - 1);
  sum.value = is_there ? m(before, sum.value) : before;
  is_there = true;
}
//! The last of some lanes; -1 if there is none.
__device__ inline int last_lane(std::uint32_t lanes) { return warp_size - 1 - __clz(static_cast<int>(lanes)); }

//! Waits for what the CTAs before this one have left of a row that began in one of them, and joins it. Called by a
//! warp.
template <class V, class M>
__device__ void join_ctas(const board<walk_rest<V>>& slots, index_t cta, std::uint32_t tag, const M& m, maybe<V>& sum,
                          bool& is_there) {
  const int lane = lane_id();
  for (bool began = false; cta > 0 && !began;) {
    const int count = static_cast<int>(min(cta, index_t{warp_size}));
    cta -= count;
    tagged<walk_rest<V>> seen;
    int first = 0;
    for (bool there = false;;) {
      there |= lane < count && slots.read_unless(there, seen, cta + lane, tag);
      const std::uint32_t begins = __ballot_sync(~0u, there && !seen.value().passes);
      const std::uint32_t missing = __ballot_sync(~0u, !there && lane < count);
      began = begins != 0;
      first = max(last_lane(begins), 0);
      if (missing >> first == 0) break;
      __nanosleep(20);
    }
    join_rests(seen.value(), first, count, m, sum, is_there);
  }
}

template <class Args, class Tile>
struct csr_fold_memory {
  using V = typename Args::value_type;
  csr_tile_memory<V, Tile> tiles[Tile::warps];
  walk_rest<V> rests[Tile::warps];
  ticket mine;
};

template <class Args, class Tile, int Ctas>
__global__ void __launch_bounds__(Tile::threads, Ctas) csr_fold_kernel(const __grid_constant__ Args a) {
  using V = typename Args::value_type;
  extern __shared__ __align__(16) std::byte memory[];
  auto& s = *reinterpret_cast<csr_fold_memory<Args, Tile>*>(memory);
  const int warp = static_cast<int>(threadIdx.x) / warp_size, lane = lane_id();
  const bool alone = gridDim.x == 1;  // then there is no state to share
  board<walk_rest<V>> slots(a.workspace, gridDim.x);
  if (threadIdx.x == 0 && !alone) s.mine = slots.take();
  __syncthreads();
  const index_t cta = alone ? 0 : s.mine.tile();
  csr_walker<Args, Tile> walker(a, s.tiles[warp], cta * Tile::warps + warp);
  walker.walk();
  if (lane == 0) s.rests[warp] = walker.rest();
  __syncthreads();

  const walk_rest<V> rest = s.rests[lane % Tile::warps];
  const std::uint32_t begins = __ballot_sync(~0u, lane < Tile::warps && !rest.passes);
  if (warp == 0 && !alone) {
    maybe<V> sum;
    bool is_there = false;
    join_rests(rest, max(last_lane(begins), 0), Tile::warps, a.m, sum, is_there);
    if (lane == 0) slots.publish(cta, walk_rest<V>{sum, is_there, begins == 0}, s.mine.tag());
  }
  if (walker.finished_another()) {
    const int first = last_lane(begins & ((1u << warp) - 1));
    maybe<V> sum = s.tiles[warp].head;
    bool is_there = walker.has_head();
    if (warp > 0) join_rests(rest, max(first, 0), warp, a.m, sum, is_there);
    if (first < 0) join_ctas(slots, cta, s.mine.tag(), a.m, sum, is_there);
    if (lane == 0) a.store(s.tiles[warp].first_row, is_there ? sum.value : static_cast<V>(a.m.identity()));
  }
  if (alone) return;
  __syncthreads();
  if (threadIdx.x == 0) slots.leave(s.mine.tag());
}

//! Folds all rows of a matrix: store(row, the fold of multiply(value, x[column])). `known` saves a search if it fits.
template <class Value, class Column, class Offset, class X, class Multiply, class M, class Store>
void fold_rows(device& executor, const csr_view<Value, Column, Offset>& a, const X& x, const Multiply& multiply,
               const M& m, const Store& store, const csr_warp_parts& known = {}) {
  using V = typename M::value_type;
  static_assert(!std::is_same_v<V, long double>, "a GPU has no long double");
  using Args = csr_fold_args<Value, Column, Offset, X, Multiply, M, Store>;
  constexpr tuning::csr_shape shape = csr_shape_of<M, Value, Column, Offset>;
  using Tile = csr_tile<shape.warps, shape.per_lane, shape.rows_per_lane>;
  static_assert(sizeof(csr_fold_memory<Args, Tile>) <= 227 * 1024, "a tile's products do not fit shared memory");
  if (a.rows == 0) return;
  const current_device here(executor.ordinal());
  const auto path = path_of(a);
  const index_t steps = path.rows + path.nonzeros;
  const int part_steps = steps_of_part(shape, steps);
  const index_t all_warps = (steps + part_steps - 1) / part_steps, ctas = (all_warps + Tile::warps - 1) / Tile::warps;
  // As many rows as a tile has on average, and a few more.
  const auto rows = 5 * Tile::items * a.rows / (4 * std::max<index_t>(path.nonzeros, 1));
  const Args args{.path = path,
                  .column_indices = a.column_indices.data(),
                  .values = a.values.data(),
                  .x = x,
                  .last_column = static_cast<std::make_unsigned_t<Column>>(a.columns > 0 ? a.columns - 1 : 0),
                  .multiply = multiply,
                  .m = m,
                  .store = store,
                  .part_steps = part_steps,
                  .rows_a_tile = static_cast<int>(std::min<index_t>((rows / warp_size + 1) * warp_size, Tile::rows)),
                  .first_rows = known.rows_of(executor, part_steps),
                  .workspace = ctas > 1 ? executor.workspace(workspace_bytes<walk_rest<V>>(ctas)) : memory_piece{}};
  launch<&csr_fold_kernel<Args, Tile, shape.ctas>>(executor, ctas, Tile::threads, sizeof(csr_fold_memory<Args, Tile>),
                                                   args);
}

}  // namespace UPSWEEP_NAMESPACE::gpu

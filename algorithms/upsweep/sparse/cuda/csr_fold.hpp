// Folds the rows of a sparse matrix on the device, balanced over rows and non-zeros, in one launch.
// (csr_walk.hpp; what walks leave is joined by walks.hpp.)
#pragma once
#include <algorithm>
#include <type_traits>

#include <upsweep/config.hpp>
#include <upsweep/csr.hpp>
#include <upsweep/cuda/launch.hpp>
#include <upsweep/cuda/protocol.hpp>
#include <upsweep/cuda/walks.hpp>
#include <upsweep/cuda/warp.hpp>
#include <upsweep/sparse/cuda/csr_path.hpp>
#include <upsweep/sparse/cuda/csr_walk.hpp>
#include <upsweep/sparse/cuda/tuning.hpp>
#include <upsweep/sparse/spmv_task.hpp>

namespace UPSWEEP_NAMESPACE::gpu {

//! Folds all rows of a matrix: store(row, the fold of multiply(value, x[column])). `known` saves a search if it fits.
template <class Value, class Column, class Offset, class X, class Multiply, class M, class Store>
void fold_rows(device& executor, const csr_view<Value, Column, Offset>& a, const X& x, const Multiply& multiply,
               const M& m, const Store& store, const csr_warp_parts& known = {}) {
  using V = typename M::value_type;
  static_assert(!std::is_same_v<V, long double>, "a GPU has no long double");
  using Args = csr_fold_args<Value, Column, Offset, X, Multiply, M, Store>;
  constexpr tuning::csr_shape shape = csr_shape_of<M, Value, Column, Offset>;
  using Tile = csr_tile<shape.warps, shape.per_lane, shape.rows_per_lane, shape.ctas>;
  using Walker = csr_walker<Args, Tile>;
  static_assert(sizeof(walk_memory<Walker>) <= 227 * 1024, "a tile's products do not fit shared memory");
  if (a.rows == 0) return;
  const current_device here(executor.ordinal());
  const auto path = path_of(a);
  const int part_steps = steps_of_part(shape, path.steps());
  const index_t all_warps = (path.steps() + part_steps - 1) / part_steps,
                ctas = (all_warps + Tile::warps - 1) / Tile::warps;
  // As many rows as a tile has on average, and a few more.
  const auto rows = 5 * Tile::items * a.rows / (4 * std::max<index_t>(path.items, 1));
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
  launch<&walk_kernel<Walker>>(executor, ctas, Tile::threads, sizeof(walk_memory<Walker>), args);
}

}  // namespace UPSWEEP_NAMESPACE::gpu

// The path along the rows and non-zeros of a sparse matrix: a row's non-zeros, then its end (merge path, Merrill and
// Garland 2016). It is cut into parts of a length that sizes and types alone decide, one for each warp of a product.
// The row in which a part begins is searched for, or kept by a plan.
#pragma once
#include <algorithm>
#include <type_traits>

#include <upsweep/buffer.hpp>
#include <upsweep/config.hpp>
#include <upsweep/csr.hpp>
#include <upsweep/cuda/launch.hpp>
#include <upsweep/cuda/segment_path.hpp>
#include <upsweep/cuda/warp.hpp>
#include <upsweep/sparse/cuda/tuning.hpp>
#include <upsweep/sparse/spmv_task.hpp>

namespace UPSWEEP_NAMESPACE::gpu {

template <class Value, class Column, class Offset>
segment_path<Offset> path_of(const csr_view<Value, Column, Offset>& a) {
  return {a.offsets.data() + 1, a.rows, a.columns > 0 ? a.nonzeros() : 0};
}

//! The shape of a product's kernel, for sums by M.
template <class M, class Value, class Column, class Offset, class V = typename M::value_type>
inline constexpr tuning::csr_shape csr_shape_of =
    tuning::csr_tiles(sizeof(V), sizeof(Value) + sizeof(Column) + sizeof(Offset), std::is_same_v<M, detail::sum<float>>,
                      std::is_arithmetic_v<V> || detail::is_complex_v<V>);

//! Steps of a part. There are waves of as many warps as a large GPU holds, whatever the device: so that sums are the
//! same on all.
inline int steps_of_part(const tuning::csr_shape& shape, index_t steps) {
  const index_t wave = index_t{tuning::csr_multiprocessors} * shape.ctas * shape.warps;
  const index_t waves = steps / (wave * tuning::csr_part) + 1;
  return static_cast<int>(std::max(index_t{warp_size} * shape.per_lane, steps / (wave * waves) + 1));
}

// ---------------------------------------------------------------- plans
//! The rows in which parts of so many steps begin, in the memory of a device.
struct csr_warp_parts {
  int steps = 0, ordinal = -1;
  buffer<index_t> rows;
  //! Null unless these are parts of such a length on this device.
  const index_t* rows_of(const device& executor, int part_steps) const {
    return steps == part_steps && ordinal == executor.ordinal() ? rows.data() : nullptr;
  }
};

template <class Offset>
__global__ void find_warp_parts_kernel(segment_path<Offset> path, int steps, index_t* rows, index_t count) {
  const index_t part = (index_t{blockIdx.x} * blockDim.x + threadIdx.x) / warp_size;
  if (part >= count) return;
  const index_t row = path.ends_before(part * steps);
  if (lane_id() == 0) rows[part] = row;
}

//! The parts of products into a y of A's own type. Waits.
template <class Value, class Column, class Offset>
csr_warp_parts find_warp_parts(device& executor, const csr_view<Value, Column, Offset>& a) {
  if (a.rows == 0) return {};
  constexpr int warps = 8;
  const auto path = path_of(a);
  const index_t all = path.steps();
  const int steps = steps_of_part(csr_shape_of<detail::sum<detail::sum_type_t<Value>>, Value, Column, Offset>, all);
  const index_t count = (all + steps - 1) / steps;
  csr_warp_parts parts{steps, executor.ordinal(), buffer<index_t>(executor, count)};
  const current_device here(executor.ordinal());
  launch<&find_warp_parts_kernel<Offset>>(executor, (count + warps - 1) / warps, warps * warp_size, 0, path, steps,
                                          parts.rows.data(), count);
  executor.synchronize();
  return parts;
}

}  // namespace UPSWEEP_NAMESPACE::gpu

// Products of sparse matrices on the device: rows folded by csr_fold.hpp. Several dense columns are folded four, two or
// one at a time.
#pragma once
#include <type_traits>

#include <upsweep/config.hpp>
#include <upsweep/sparse/cuda/csr_fold.hpp>
#include <upsweep/sparse/cuda/csr_path.hpp>
#include <upsweep/sparse/spmv_task.hpp>

namespace UPSWEEP_NAMESPACE::gpu {

//! Items of neighbouring dense columns.
template <class T, int Count>
struct items_of_columns {
  T items[Count];
};
//! x[i] is row i of a dense matrix, from one column on.
template <class X, int Count>
struct dense_columns {
  const X* first;
  index_t width;
  __device__ items_of_columns<X, Count> operator[](index_t i) const {
    items_of_columns<X, Count> row;
#pragma unroll
    for (int k = 0; k < Count; k++) row.items[k] = first[i * width + k];
    return row;
  }
};
template <class S, int Count>
struct multiply_columns {
  template <class Value, class X>
  __device__ items_of_columns<S, Count> operator()(const Value& value, const items_of_columns<X, Count>& x) const {
    items_of_columns<S, Count> products;
#pragma unroll
    for (int k = 0; k < Count; k++) products.items[k] = detail::product_of<S>(value, x.items[k]);
    return products;
  }
};
template <class S, int Count>
struct sum_columns {
  using value_type = items_of_columns<S, Count>;
  __device__ value_type identity() const {
    value_type nothing;
#pragma unroll
    for (int k = 0; k < Count; k++) nothing.items[k] = detail::sum<S>{}.identity();
    return nothing;
  }
  __device__ value_type operator()(value_type earlier, const value_type& later) const {
#pragma unroll
    for (int k = 0; k < Count; k++) earlier.items[k] = detail::sum_of(earlier.items[k], later.items[k]);
    return earlier;
  }
};
template <class Store, int Count>
struct store_columns {
  Store store;
  index_t width, first;
  template <class S>
  __device__ void operator()(index_t row, const items_of_columns<S, Count>& sums) const {
#pragma unroll
    for (int k = 0; k < Count; k++) store(row * width + first + k, sums.items[k]);
  }
};

}  // namespace UPSWEEP_NAMESPACE::gpu

namespace UPSWEEP_NAMESPACE::detail {

using device_plan = gpu::csr_warp_parts;
//! Looks at all of the matrix as validate does, and finds what its products can share. Waits.
template <class Value, class Column, class Offset>
void plan_products(device& executor, const csr_view<Value, Column, Offset>& a, device_plan& plan) {
  validate(executor, a);
  plan = gpu::find_warp_parts(executor, a);
}

template <class Value, class Column, class Offset, class X, class Y>
void run_product(device& executor, const product_task<Value, Column, Offset, X, Y>& task,
                 const device_plan& known = {}) {
  using S = sum_type_t<Y>;
  gpu::fold_rows(executor, task.a, task.x, multiply_as<S>{}, sum<S>{}, task.store, known);
}
template <class Value, class Column, class Offset, class X, class Y, class Multiply, class M>
void run_semiring(device& executor, const semiring_task<Value, Column, Offset, X, Y, Multiply, M>& task) {
  gpu::fold_rows(executor, task.a, task.x, task.multiply, task.monoid, task.store);
}
template <class Value, class Column, class Offset, class X, class Y>
void run_dense(device& executor, const dense_task<Value, Column, Offset, X, Y>& task) {
  using S = sum_type_t<Y>;
  const auto fold = [&]<int Count>(index_t first, std::integral_constant<int, Count>) {
    gpu::fold_rows(executor, task.a, gpu::dense_columns<X, Count>{task.x + first, task.width},
                   gpu::multiply_columns<S, Count>{}, gpu::sum_columns<S, Count>{},
                   gpu::store_columns<scaled_store<Y>, Count>{task.store, task.width, first});
    return first + Count;
  };
  for (index_t first = 0; first < task.width;) {
    const index_t left = task.width - first;
    if (left >= 4) first = fold(first, std::integral_constant<int, 4>{});
    else if (left >= 2) first = fold(first, std::integral_constant<int, 2>{});
    else first = fold(first, std::integral_constant<int, 1>{});
  }
}

}  // namespace UPSWEEP_NAMESPACE::detail

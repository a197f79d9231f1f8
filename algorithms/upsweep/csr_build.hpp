// Matrices in compressed rows out of others: from coordinates, and transposed. Stable radix sorts, sweeps between them.
#pragma once
#include <cstdint>

#include <upsweep/config.hpp>
#include <upsweep/csr.hpp>
#include <upsweep/executor.hpp>
#include <upsweep/sparse/build.hpp>
#include <upsweep/spmv.hpp>
#include <upsweep/stages.hpp>
#if UPSWEEP_HAS_LIBRARY
#include <upsweep/sparse/library/csr_build.hpp>
#endif

namespace UPSWEEP_NAMESPACE {

//! The matrix whose entries (row_indices[i], column_indices[i]) are values[i], in any order; entries of one place are
//! summed in the order of the input. Columns of a row ascend in the result, which lies in the
//! executor's memory. All three ranges are equally long; rows' and columns' types are 4- or 8-byte signed integers, the
//! offsets' is the one named first. Costs a check of the indices, a sort of keys of the bits that rows and columns
//! have together with the values, and four sweeps; needs as much memory again as the entries twice, in keys of 4 or 8
//! bytes. Waits. Throws std::invalid_argument, also for an index outside the matrix (the first one is named),
//! std::bad_alloc, cuda_error. Method: stable radix sort, then reduction by key.
//!   auto A = upsweep::coo_to_csr(exec, rows, columns, row_indices, column_indices, values);
template <csr_index Offset = std::int32_t, executor Executor, contiguous_range Rows, contiguous_range Columns,
          contiguous_range Values>
auto coo_to_csr(Executor&& executor, index_t rows, index_t columns, const Rows& row_indices,
                const Columns& column_indices, const Values& values) {
  using Row = element_t<const Rows>;
  using Column = element_t<const Columns>;
  static_assert(csr_index<Row> && csr_index<Column>, "indices are signed integers of 4 or 8 bytes");
  using Value = element_t<const Values>;
  const detail::coordinates<Value, Row, Column, Offset> entries{
      .rows = rows,
      .columns = columns,
      .row_indices = detail::input("row_indices", row_indices),
      .column_indices = detail::input("column_indices", column_indices),
      .values = detail::input("values", values)};
  detail::check_entries(executor, entries);
  csr_matrix<Value, Column, Offset> a;
  detail::run_on_backend(executor, [&](auto& chosen) { detail::build_csr(chosen, entries, a); });
  return a;
}

//! The transposed matrix, in the executor's memory. Non-zeros of a column become a row in the order of their rows, and
//! those of one place keep their order. Its columns are counted in the same type as A's. Costs what validate does, a
//! stable radix sort of the non-zeros by the bits that columns have, and five sweeps; needs as much memory again as
//! the result and its rows' numbers three times. Waits. Throws what validate does, std::bad_alloc, cuda_error.
//!   const auto T = upsweep::csr_transpose(exec, A);   upsweep::spmv(exec, T, x, y);
template <executor Executor, csr_like A>
auto csr_transpose(Executor&& executor, const A& matrix) {
  const csr_view_of<A> a = detail::csr_of(matrix);
  using Value = typename csr_view_of<A>::value_type;
  using Column = typename csr_view_of<A>::column_type;
  using Offset = typename csr_view_of<A>::offset_type;
  static_assert(sizeof(detail::placed<Offset, Value>) <= 64, "values have at most 56 bytes");
  csr_matrix<Value, Column, Offset> transposed;
  detail::run_on_backend(executor, [&](auto& chosen) { detail::transpose(chosen, a, transposed); });
  return transposed;
}

//! y = alpha·Aᵀ·x + beta·y: x has as many items as A has rows, y as many as A has columns. Transposes A (csr_transpose)
//! and multiplies: the transposition costs many times the product, and memory as said there. Who needs it often keeps
//! csr_transpose's result. The same bits for any number of threads. Otherwise as spmv.
//!   upsweep::spmv_transposed(exec, A, x, y);
template <executor Executor, csr_like A, contiguous_range X, contiguous_range Y>
void spmv_transposed(Executor&& executor, const A& matrix, const X& x, Y&& y,
                     const element_t<Y>& alpha = element_t<Y>(1), const element_t<Y>& beta = element_t<Y>(0)) {
  const csr_view_of<A> a = detail::csr_of(matrix);
  const auto from = detail::input("x", x);
  const auto to = UPSWEEP_OUTPUT(y);
  detail::check_csr(executor, a);
  detail::check_product(executor, a, from, a.rows, "as many as the matrix has rows", to, a.columns,
                        "as many as the matrix has columns");
  const auto transposed = csr_transpose(executor, a);
  spmv(executor, transposed, x, y, alpha, beta);
}

}  // namespace UPSWEEP_NAMESPACE

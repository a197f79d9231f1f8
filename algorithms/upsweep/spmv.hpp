// Products of a sparse matrix (csr.hpp) with a dense vector, with a few of them, and over a semiring.
// Not a scan but a reduction of rows, balanced over rows and non-zeros (sparse/host/spmv.hpp,
// sparse/cuda/csr_fold.hpp).
#pragma once
#include <type_traits>

#include <upsweep/checks.hpp>
#include <upsweep/config.hpp>
#include <upsweep/csr.hpp>
#include <upsweep/executor.hpp>
#include <upsweep/explain.hpp>
#include <upsweep/require.hpp>
#include <upsweep/sparse/host/semiring_spmv.hpp>
#include <upsweep/sparse/host/spmm.hpp>
#include <upsweep/sparse/host/spmv.hpp>
#include <upsweep/sparse/spmv_task.hpp>
#include <upsweep/stages.hpp>
#include <upsweep/user_functions.hpp>
#if UPSWEEP_HAS_CUDA
#include <upsweep/sparse/cuda/spmv.hpp>
#elif UPSWEEP_HAS_LIBRARY
#include <upsweep/sparse/library/spmv.hpp>
#endif

namespace UPSWEEP_NAMESPACE {

namespace detail {
template <class T>
void check_length(const named_range<T>& range, index_t needed, const char* why) {
  require(range.size == needed, range.name, "has ", range.size, " items, needs ", needed, ", ", why);
}
// x and y are so long, and y, which is written, apart from all that is read.
template <class Executor, class Value, class Column, class Offset, class X, class Y>
void check_product(const Executor& executor, const csr_view<Value, Column, Offset>& a, const named_range<X>& x,
                   index_t x_size, const char* x_why, const named_range<Y>& y, index_t y_size, const char* y_why) {
  check_length(x, x_size, x_why);
  check_length(y, y_size, y_why);
  check_range(executor, x, x.size);
  check_range(executor, y, y.size);
  const auto apart_from_y = [&](const auto& read) { check_disjoint(read, read.size, y, y.size); };
  apart_from_y(x);
  apart_from_y(input("offsets", a.offsets));
  apart_from_y(input("column_indices", a.column_indices));
  apart_from_y(input("values", a.values));
}
template <class Executor, class Value, class Column, class Offset, class X, class Y>
void check_vectors(const Executor& executor, const csr_view<Value, Column, Offset>& a, const named_range<X>& x,
                   const named_range<Y>& y) {
  check_csr(executor, a);
  check_product(executor, a, x, a.columns, "as many as the matrix has columns", y, a.rows,
                "as many as the matrix has rows");
}
template <class Y>
scaled_store<Y> store_of(Y* y, const Y& alpha, const Y& beta) {
  using S = sum_type_t<Y>;
  static_assert(std::is_arithmetic_v<S> || is_complex_v<S>, "y holds numbers; for all else there is semiring_spmv");
  return {y, static_cast<S>(alpha), static_cast<S>(beta), !(static_cast<S>(beta) == S{})};
}
}  // namespace detail

//! y = alpha·A·x + beta·y. A is a csr_view, a csr_matrix, or with eigen.hpp a row-major sparse matrix of Eigen's, as it
//! is. x has as many items as A has columns, y as many as A has rows; y must be disjoint from all else, and is not read
//! when beta is 0. Values, x and y are float, double, std::complex of both or integers, and under
//! nvcc __half and __nv_bfloat16, in any mix that converts to y's type, in which products are made and summed (of 16
//! bits in float; integers wrap; complex numbers are multiplied by the formula). The result is the same, bit for bit,
//! from run to run and for any number of threads: on the host a row's sum depends on the row alone, on a GPU on the
//! lengths of all rows and on the types. Its error is at most that of a serial sum: gamma_n·Σ|a·x| for n non-zeros.
//! Costs one read of A, one write of y (a read too, with beta), and x as often as the caches lose it: 8 bytes a
//! non-zero and 12 a row in float. Nothing is prepared before, and no row is slow: neither empty ones nor a giant.
//! Wrong contents (validate) give unspecified results but stay in bounds. The host checks columns before it uses them,
//! which cannot be measured where two threads wait for the memory, and takes a tenth of the time of one thread or of a
//! matrix in the cache (AMD EPYC, family 26, 2026-11-21); a plan leaves it out. Offsets that are so wrong that every
//! row seems to hold all non-zeros are read that often there. Throws std::invalid_argument, std::bad_alloc, cuda_error.
//! Device work is enqueued, in one launch; the host has finished when it returns. Method: cut by rows and non-zeros
//! together (merge path, Merrill and Garland 2016); products first, then rows summed in fixed lanes
//! (sparse/host/lanes.hpp, sparse/cuda/csr_walk.hpp).
//!   upsweep::csr_view A{rows, columns, offsets, column_indices, values};   upsweep::spmv(exec, A, x, y);
template <executor Executor, csr_like A, contiguous_range X, contiguous_range Y>
void spmv(Executor&& executor, const A& matrix, const X& x, Y&& y, const element_t<Y>& alpha = element_t<Y>(1),
          const element_t<Y>& beta = element_t<Y>(0)) {
  const csr_view_of<A> a = detail::csr_of(matrix);
  const auto from = detail::input("x", x);
  const auto to = UPSWEEP_OUTPUT(y);
  detail::check_vectors(executor, a, from, to);
  detail::run_on_backend(executor, [&](auto& chosen) {
    run_product(chosen, detail::product_by(a, from.data, detail::store_of(to.data, alpha, beta)));
  });
}

//! What products by one matrix can share. Looks at all of it once, as validate does and with its errors, and waits;
//! then it finds where the parts of threads and warps begin. Results are the same bits as without. On the host it costs
//! about two products; a product by it leaves the checks of columns and the search of parts out, which saves a tenth of
//! its time on one thread and nothing that could be measured when two wait for the memory. On a GPU it costs a launch
//! after validate's two, and 8 bytes for every 128 to 4096 rows and non-zeros; a product whose y has the type of A's
//! values leaves its warps' search out, others may. (H200, 2026-11-21: planning 40 to 300 µs; a product 0.92 of its
//! time without for 2,000 rows, 0.88 for 2^20 of a band, 0.97 to 0.99 for larger ones.) With the other backend, or
//! another GPU, a plan is of no use and does no harm. Move-only. The matrix is not copied: its memory must stay, and a
//! captured graph needs the plan too. Values may change. Offsets and columns must not: a host does not check them
//! again, a GPU stays in bounds.
//!   upsweep::spmv_plan plan(exec, A);   upsweep::spmv(exec, plan, x, y);
template <class Value, class Column, class Offset>
class spmv_plan {
 public:
  template <executor Executor, csr_like A>
    requires(std::is_same_v<csr_view_of<A>, csr_view<Value, Column, Offset>>)
  spmv_plan(Executor&& executor, const A& a) : a_(detail::csr_of(a)) {
    detail::run_on_backend(executor, [&](auto& chosen) { find_parts(chosen); });
  }
  const csr_view<Value, Column, Offset>& matrix() const { return a_; }
  //! What it has found for a backend; the library's own.
  const detail::csr_places& of(const host&) const { return places_; }
#if UPSWEEP_HAS_DEVICE
  const detail::device_plan& of(const device&) const { return on_device_; }
#endif

 private:
  void find_parts(host& executor) {
    validate(executor, a_);
    places_ = detail::places_of(executor, detail::csr_rows<Value, Column, Offset>(a_));
  }
#if UPSWEEP_HAS_DEVICE
  void find_parts(device& executor) { detail::plan_products(executor, a_, on_device_); }
#endif

  csr_view<Value, Column, Offset> a_;
  detail::csr_places places_;
#if UPSWEEP_HAS_DEVICE
  detail::device_plan on_device_;
#endif
};
template <executor Executor, csr_like A>
spmv_plan(Executor&&, const A&) -> spmv_plan<typename csr_view_of<A>::value_type, typename csr_view_of<A>::column_type,
                                             typename csr_view_of<A>::offset_type>;

//! y = alpha·A·x + beta·y by a plan of A. Otherwise as spmv of A.
template <executor Executor, class Value, class Column, class Offset, contiguous_range X, contiguous_range Y>
void spmv(Executor&& executor, const spmv_plan<Value, Column, Offset>& plan, const X& x, Y&& y,
          const element_t<Y>& alpha = element_t<Y>(1), const element_t<Y>& beta = element_t<Y>(0)) {
  const auto from = detail::input("x", x);
  const auto to = UPSWEEP_OUTPUT(y);
  detail::check_vectors(executor, plan.matrix(), from, to);
  detail::run_on_backend(executor, [&](auto& chosen) {
    run_product(chosen, detail::product_by(plan.matrix(), from.data, detail::store_of(to.data, alpha, beta)),
                plan.of(chosen));
  });
}

//! y[r] = the fold of multiply(value, x[column]) over the non-zeros of row r in their order, the identity for a row
//! without any: shortest paths with (plus, minimum), reachability with (and, or). The monoid need not be commutative;
//! its value type accumulates, and any types that multiply takes will do. Only real products are combined. Both
//! functions are called from several threads at once; what they throw on the host reaches the caller, and y is then
//! unspecified. Otherwise as spmv.
//!   upsweep::semiring_spmv(exec, A, distance, next, upsweep::plus<float>{}, upsweep::minimum<float>{});
template <executor Executor, csr_like A, contiguous_range X, contiguous_range Y, class Multiply, monoid M>
void semiring_spmv(Executor&& executor, const A& matrix, const X& x, Y&& y, Multiply multiply, const M& m) {
  static_assert(detail::result_type_is_known<Multiply>(), "write the return type of this __device__ lambda");
  detail::check_runs_on<Executor, Multiply, typename csr_view_of<A>::value_type, element_t<const X>>();
  detail::check_monoid_runs_on<Executor, M>();
  const csr_view_of<A> a = detail::csr_of(matrix);
  const auto from = detail::input("x", x);
  const auto to = UPSWEEP_OUTPUT(y);
  detail::check_vectors(executor, a, from, to);
  detail::run_on_backend(
      executor, [&](auto& chosen) { run_semiring(chosen, detail::semiring_by(a, from.data, to.data, multiply, m)); });
}

//! Y = alpha·A·X + beta·Y for `width` dense columns, 1 to 32. X and Y are row-major: item (i, j) is at i·width + j; X
//! has A.columns·width items, Y has A.rows·width. The host reads A once for all columns; a GPU goes by four, two or
//! one of them at a time, in a launch each. With one column the result is spmv's, to the bit. Otherwise as spmv.
//!   upsweep::spmm(exec, A, X, Y, 8);
template <executor Executor, csr_like A, contiguous_range X, contiguous_range Y>
void spmm(Executor&& executor, const A& matrix, const X& x, Y&& y, index_t width,
          const element_t<Y>& alpha = element_t<Y>(1), const element_t<Y>& beta = element_t<Y>(0)) {
  const csr_view_of<A> a = detail::csr_of(matrix);
  const auto from = detail::input("x", x);
  const auto to = UPSWEEP_OUTPUT(y);
  detail::require(1 <= width && width <= detail::most_dense_columns, "width", "is ", width, ", must be 1 to 32");
  detail::check_csr(executor, a);
  detail::check_product(executor, a, from, a.columns * width, "width for each column of the matrix", to, a.rows * width,
                        "width for each row of the matrix");
  const auto store = detail::store_of(to.data, alpha, beta);
  detail::run_on_backend(executor, [&](auto& chosen) {
    if (width == 1) {
      run_product(chosen, detail::product_by(a, from.data, store));
    } else {
      run_dense(chosen, detail::dense_by(a, from.data, width, store));
    }
  });
}
UPSWEEP_EXPLAIN(spmv,
                "spmv(executor, A, x, y, alpha, beta), of which A is a csr_view, a csr_matrix, a plan, or with "
                "eigen.hpp a matrix of Eigen's that is stored by rows")
UPSWEEP_EXPLAIN(spmm, "spmm(executor, A, X, Y, width, alpha, beta)")
UPSWEEP_EXPLAIN(semiring_spmv, "semiring_spmv(executor, A, x, y, multiply, monoid)" UPSWEEP_A_MONOID_IS)

}  // namespace UPSWEEP_NAMESPACE

// Sparse matrices in compressed rows (CSR): a view of three arrays, an owner of them, and a check of their contents.
//   csr_view, csr_matrix   what every call takes as a matrix, and with eigen.hpp Eigen's sparse matrices too
#pragma once
#include <concepts>
#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>

#include <upsweep/buffer.hpp>
#include <upsweep/checks.hpp>
#include <upsweep/config.hpp>
#include <upsweep/executor.hpp>
#include <upsweep/require.hpp>
#include <upsweep/sparse/contents.hpp>
#include <upsweep/stages.hpp>
#if UPSWEEP_HAS_LIBRARY
#include <upsweep/sparse/library/contents.hpp>
#endif

namespace UPSWEEP_NAMESPACE {

//! What columns and offsets are counted in.
template <class T>
concept csr_index = std::signed_integral<T> && (sizeof(T) == 4 || sizeof(T) == 8);

//! A matrix of `rows` × `columns` in somebody else's memory. Row r's non-zeros are [offsets[r], offsets[r + 1]): their
//! columns in column_indices, what stands there in values. There are rows + 1 offsets, from 0 to the number of
//! non-zeros. Columns of a row may stand in any order, and more than once: they then count together. All three arrays
//! are host memory for `host` and device memory for `device`; nothing of them is read when a view is made.
//! A csr_view<const float, const int, const int> is a csr_view<float, int, int>: a view never writes.
//!   upsweep::csr_view A{2, 3, offsets, column_indices, values};
template <class Value, csr_index Column = std::int32_t, csr_index Offset = std::int32_t>
struct csr_view {
  using value_type = Value;
  using column_type = Column;
  using offset_type = Offset;
  index_t rows = 0, columns = 0;
  std::span<const Offset> offsets;
  std::span<const Column> column_indices;
  std::span<const Value> values;

  csr_view() = default;
  template <contiguous_range Offsets, contiguous_range Columns, contiguous_range Values>
  csr_view(index_t row_count, index_t column_count, Offsets&& row_offsets, Columns&& columns_of_values,
           Values&& all_values)
      : rows(row_count),
        columns(column_count),
        offsets(as_span(row_offsets)),
        column_indices(as_span(columns_of_values)),
        values(as_span(all_values)) {
    UPSWEEP_CHECK_SHOWN(Offsets, "csr_view");
    UPSWEEP_CHECK_SHOWN(Columns, "csr_view");
    UPSWEEP_CHECK_SHOWN(Values, "csr_view");
  }

  //! The number of stored values, which the host knows whatever memory they are in.
  index_t nonzeros() const { return static_cast<index_t>(values.size()); }

 private:
  template <class R>
  static std::span<const element_t<const R>> as_span(const R& range) {
    return {std::data(range), static_cast<std::size_t>(std::size(range))};
  }
};
template <class Offsets, class Columns, class Values>
csr_view(index_t, index_t, Offsets&&, Columns&&, Values&&)
    -> csr_view<element_t<const Values>, element_t<const Columns>, element_t<const Offsets>>;
template <class Value, csr_index Column, csr_index Offset>
  requires(std::is_const_v<Value> || std::is_const_v<Column> || std::is_const_v<Offset>)
struct csr_view<Value, Column, Offset>
    : csr_view<std::remove_const_t<Value>, std::remove_const_t<Column>, std::remove_const_t<Offset>> {
  using seen = csr_view<std::remove_const_t<Value>, std::remove_const_t<Column>, std::remove_const_t<Offset>>;
  using seen::seen;
  csr_view() = default;
  csr_view(const seen& view) : seen(view) {}
};

template <class Value, csr_index Column = std::int32_t, csr_index Offset = std::int32_t>
struct csr_matrix;

//! How a matrix of type A is seen as one in compressed rows: csr_access<A>::view(a) gives its csr_view. Specialize it
//! for a type of your own that is not derived from csr_view, and every call here takes it (eigen.hpp does so for
//! Eigen's).
template <class A>
struct csr_access;
template <class Value, class Column, class Offset>
struct csr_access<csr_view<Value, Column, Offset>> {
  using seen = csr_view<std::remove_const_t<Value>, std::remove_const_t<Column>, std::remove_const_t<Offset>>;
  static seen view(const csr_view<Value, Column, Offset>& a) { return a; }
};
namespace detail {
template <class Value, class Column, class Offset>
csr_view<Value, Column, Offset> base_view(const csr_view<Value, Column, Offset>& a) {
  return a;
}
}  // namespace detail
template <class A>
  requires requires(const A& a) { detail::base_view(a); }
struct csr_access<A> {  // a type derived from a view
  static auto view(const A& a) { return detail::base_view(a); }
};
template <class Value, class Column, class Offset>
struct csr_access<csr_matrix<Value, Column, Offset>> {
  static csr_view<Value, Column, Offset> view(const csr_matrix<Value, Column, Offset>& a) { return a.view(); }
};
//! A matrix in compressed rows: csr_view, csr_matrix, or what csr_access knows besides.
template <class A>
concept csr_like = requires(const A& a) { csr_access<A>::view(a); };
//! The csr_view of such a matrix.
template <csr_like A>
using csr_view_of = std::remove_cvref_t<decltype(csr_access<A>::view(std::declval<const A&>()))>;

//! The owner of such a matrix, in the memory of an executor's kind. Move-only.
//!   upsweep::csr_matrix A(exec, view_of_host_memory);   upsweep::spmv(exec, A, x, y);
template <class Value, csr_index Column, csr_index Offset>
struct csr_matrix {
  index_t rows = 0, columns = 0;
  buffer<Offset> offsets;
  buffer<Column> column_indices;
  buffer<Value> values;

  csr_matrix() = default;
  //! Memory for `nonzeros` of them, not initialized.
  template <executor Executor>
  csr_matrix(Executor&& executor, index_t row_count, index_t column_count, index_t nonzeros)
      : rows(row_count),
        columns(column_count),
        offsets(executor, row_count + 1),
        column_indices(executor, nonzeros),
        values(executor, nonzeros) {}
  //! A copy of a matrix in host memory: a view, or anything that csr_like is. Waits.
  template <executor Executor, csr_like A>
    requires(std::is_same_v<csr_view_of<A>, csr_view<Value, Column, Offset>>)
  csr_matrix(Executor&& executor, const A& from) : csr_matrix(copied{}, executor, csr_access<A>::view(from)) {}

  csr_view<Value, Column, Offset> view() const& { return {rows, columns, offsets, column_indices, values}; }
  template <class Value_ = Value>
  csr_view<Value_, Column, Offset> view() && {
    static_assert(std::is_void_v<Value_>,
                  "upsweep: view() would refer to a temporary that is gone: keep the matrix in a variable");
    return {};
  }

 private:
  struct copied {};
  template <executor Executor>
  csr_matrix(copied, Executor&& executor, const csr_view<Value, Column, Offset>& from)
      : rows(from.rows),
        columns(from.columns),
        offsets(executor, from.offsets),
        column_indices(executor, from.column_indices),
        values(executor, from.values) {}
};
template <executor Executor, csr_like A>
csr_matrix(Executor&&, const A&)
    -> csr_matrix<typename csr_view_of<A>::value_type, typename csr_view_of<A>::column_type,
                  typename csr_view_of<A>::offset_type>;

namespace detail {
//! The csr_view of what a call was given.
template <csr_like A>
csr_view_of<A> csr_of(const A& a) {
  return csr_access<A>::view(a);
}

inline void check_shape(index_t rows, index_t columns) {
  require(rows >= 0, "rows", "is ", rows, ", must not be negative");
  require(columns >= 0, "columns", "is ", columns, ", must not be negative");
}

// What the host can tell of a matrix without reading it.
template <class Executor, class Value, class Column, class Offset>
void check_csr(const Executor& executor, const csr_view<Value, Column, Offset>& a) {
  check_shape(a.rows, a.columns);
  const auto offsets = input("offsets", a.offsets);
  const auto columns = input("column_indices", a.column_indices);
  const auto values = input("values", a.values);
  require(offsets.size == a.rows + 1, "offsets", "has ", offsets.size, " items, needs ", a.rows + 1,
          ", one more than rows");
  check_same_size(columns, values);
  require(can_hold<Offset>(values.size), "offsets", ": its type cannot hold the number of non-zeros, ", values.size);
  require(a.columns == 0 || can_hold<Column>(a.columns - 1), "column_indices", ": its type cannot hold the column ",
          a.columns - 1);
  check_range(executor, offsets, offsets.size);
  check_range(executor, columns, columns.size);
  check_range(executor, values, values.size);
}
}  // namespace detail

//! Reads a whole matrix and throws std::invalid_argument that names the first wrong row and what is wrong with it:
//! offsets that decrease, do not begin with 0 or do not end with the number of non-zeros; a column outside the matrix.
//! Also what every product refuses: lengths that do not match, types too small for the sizes. Costs one read of offsets
//! and column_indices; waits. Products need no validate before them: what they do with wrong contents is unspecified,
//! but stays in bounds.
//!   upsweep::validate(exec, A);
template <executor Executor, csr_like A>
void validate(Executor&& executor, const A& matrix) {
  const csr_view_of<A> a = detail::csr_of(matrix);
  detail::check_csr(executor, a);
  const detail::csr_contents<typename csr_view_of<A>::column_type, typename csr_view_of<A>::offset_type> contents{
      .rows = a.rows,
      .columns = a.columns,
      .nonzeros = a.nonzeros(),
      .offsets = a.offsets.data(),
      .column_indices = a.column_indices.data()};
  detail::run_on_backend(executor, [&](auto& chosen) { check_contents(chosen, contents); });
}

}  // namespace UPSWEEP_NAMESPACE

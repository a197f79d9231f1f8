// Matrices in compressed rows out of others: from coordinates, and transposed. Stable radix sorts, sweeps between them.
#pragma once
#include <bit>
#include <cstdint>
#include <span>
#include <type_traits>

#include <upsweep/buffer.hpp>
#include <upsweep/checks.hpp>
#include <upsweep/config.hpp>
#include <upsweep/csr.hpp>
#include <upsweep/expand/number_segments.hpp>
#include <upsweep/expand/offsets_of_keys.hpp>
#include <upsweep/radix_sort.hpp>
#include <upsweep/reduce.hpp>
#include <upsweep/require.hpp>
#include <upsweep/scan.hpp>
#include <upsweep/segments.hpp>
#include <upsweep/spmv.hpp>
#include <upsweep/transform.hpp>

namespace UPSWEEP_NAMESPACE {

namespace detail {
//! Bits that hold 0 … n − 1.
inline int bits_below(index_t n) {
  return n > 1 ? static_cast<int>(std::bit_width(static_cast<std::uint64_t>(n - 1))) : 0;
}

template <class Key>
inline constexpr int key_bits = 8 * static_cast<int>(sizeof(Key));

//! A row and a column as one key: the row above the column's bits.
template <class Key>
struct place_key {
  int column_bits;
  template <class Item>
  UPSWEEP_HD Key operator()(const Item& item) const {
    const auto row = static_cast<Key>(get<0>(item));
    return static_cast<Key>((column_bits < key_bits<Key> ? row << column_bits : Key{}) |
                            static_cast<Key>(get<1>(item)));
  }
};
template <class Key, class Column>
struct column_of_key {
  Key mask;
  UPSWEEP_HD Column operator()(const Key& key) const { return static_cast<Column>(key & mask); }
};
template <class Executor, class Index>
void check_coordinates(Executor& executor, const named_range<const Index>& range, index_t bound) {
  const index_t at = first_found(executor, range.size, wrong_column<Index>{range.data, bound, range.size});
  if (at < range.size)
    refuse(range.name, ": item ", at, " is ", read_item(executor, range.data + at), ", must be in [0, ", bound, ")");
}

template <class T>
std::span<const T> as_span(const named_range<const T>& range) {
  return {range.data, static_cast<std::size_t>(range.size)};
}
template <class T>
named_range<const T> first_items(const buffer<T>& items, index_t n) {
  return {items.data(), n, "items"};
}

template <class Key, class Offset, class Executor, class Row, class Column, class Value>
csr_matrix<Value, Column, Offset> csr_by_keys(Executor& executor, index_t rows, index_t columns,
                                              const named_range<const Row>& row_indices,
                                              const named_range<const Column>& column_indices,
                                              const named_range<const Value>& values) {
  const index_t n = values.size;
  const int column_bits = bits_below(columns), bits = column_bits + bits_below(rows);
  buffer<Key> keys(executor, n), places(executor, n);
  buffer<Value> sorted(executor, n), sums(executor, n);
  transform(executor, contiguous(row_indices, column_indices), keys, place_key<Key>{column_bits});
  radix_sort_by_key(executor, keys, as_span(values), keys, sorted, {.end_bit = bits});
  const index_t count = reduce_by_key(executor, keys, sorted, places, sums, sum<Value>{});
  require(can_hold<Offset>(count), "offsets", ": their type cannot hold the number of non-zeros, ", count);
  csr_matrix<Value, Column, Offset> a(executor, rows, columns, count);
  const auto in_row = static_cast<Key>(column_bits > 0 ? static_cast<Key>(~Key{}) >> (key_bits<Key> - column_bits) : 0);
  transform(executor, contiguous(first_items(places, count)), a.column_indices, column_of_key<Key, Column>{in_row});
  transform(executor, contiguous(first_items(sums, count)), a.values, lift_to<Value>{});
  write_offsets(executor, first_items(places, count), column_bits, output("offsets", a.offsets));
  executor.synchronize();
  return a;
}

//! A value and the row that it comes from.
template <class Index, class Value>
struct placed {
  Index row;
  Value value;
};
struct place_in_row {
  template <class Value, class Number>
  UPSWEEP_HD auto operator()(const tuple<Value, Number>& item) const {
    return placed<Number, Value>{get<1>(item), get<0>(item)};
  }
};
template <class Column>
struct row_of_placed {
  template <class Item>
  UPSWEEP_HD Column operator()(const Item& item) const {
    return static_cast<Column>(item.row);
  }
};
template <class Value>
struct value_of_placed {
  template <class Item>
  UPSWEEP_HD Value operator()(const Item& item) const {
    return item.value;
  }
};
}  // namespace detail

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
  const auto from_rows = detail::input("row_indices", row_indices);
  const auto from_columns = detail::input("column_indices", column_indices);
  const auto from_values = detail::input("values", values);
  detail::check_shape(rows, columns);
  detail::check_same_size(from_rows, from_values);
  detail::check_same_size(from_columns, from_values);
  detail::check_range(executor, from_rows, from_rows.size);
  detail::check_range(executor, from_columns, from_columns.size);
  detail::check_range(executor, from_values, from_values.size);
  const int bits = detail::bits_below(rows) + detail::bits_below(columns);
  detail::require(bits <= 64, "rows and columns", ": places of ", bits, " bits, at most 64 are sorted");
  detail::check_coordinates(executor, from_rows, rows);
  detail::check_coordinates(executor, from_columns, columns);
  if (bits <= 32)
    return detail::csr_by_keys<std::uint32_t, Offset>(executor, rows, columns, from_rows, from_columns, from_values);
  return detail::csr_by_keys<std::uint64_t, Offset>(executor, rows, columns, from_rows, from_columns, from_values);
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
  using placed = detail::placed<Offset, Value>;
  static_assert(sizeof(placed) <= 64, "values have at most 56 bytes");
  validate(executor, a);
  detail::require(a.rows == 0 || detail::can_hold<Column>(a.rows - 1), "column_indices",
                  ": its type cannot hold the row ", a.rows - 1);
  detail::require(detail::can_hold<Offset>(a.rows + 1), "offsets", ": its type cannot number the rows, ", a.rows);
  const index_t n = a.nonzeros();
  csr_matrix<Value, Column, Offset> transposed(executor, a.columns, a.rows, n);
  buffer<placed> items(executor, n), sorted(executor, n);
  buffer<Column> columns(executor, n);
  {
    buffer<Offset> rows(executor, n);
    detail::number_segments<0>(executor, detail::input("offsets", a.offsets), detail::output("rows", rows));
    transform(executor, contiguous(detail::input("values", a.values), rows), items, detail::place_in_row{});
  }
  radix_sort_by_key(executor, a.column_indices, items, columns, sorted, {.end_bit = detail::bits_below(a.columns)});
  transform(executor, contiguous(sorted), transposed.column_indices, detail::row_of_placed<Column>{});
  transform(executor, contiguous(sorted), transposed.values, detail::value_of_placed<Value>{});
  detail::write_offsets(executor, detail::first_items(columns, n), 0, detail::output("offsets", transposed.offsets));
  executor.synchronize();
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

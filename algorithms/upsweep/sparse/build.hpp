// Matrices in compressed rows built of entries or of another matrix: the inside of csr_build.hpp. The memory of what is
// built comes of the caller, as soon as its size is known.
#pragma once
#include <bit>
#include <cstdint>
#include <span>

#include <upsweep/buffer.hpp>
#include <upsweep/checks.hpp>
#include <upsweep/config.hpp>
#include <upsweep/csr.hpp>
#include <upsweep/executor.hpp>
#include <upsweep/expand/number_segments.hpp>
#include <upsweep/expand/offsets_of_keys.hpp>
#include <upsweep/library/refuse.hpp>
#include <upsweep/lifts.hpp>
#include <upsweep/radix_sort.hpp>
#include <upsweep/reduce.hpp>
#include <upsweep/require.hpp>
#include <upsweep/sparse/contents.hpp>
#include <upsweep/sparse/spmv_task.hpp>
#include <upsweep/stages.hpp>
#include <upsweep/transform.hpp>
#include <upsweep/tuple.hpp>

namespace UPSWEEP_NAMESPACE::detail {

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
std::span<T> as_span(buffer<T>& items) {
  return {items.data(), static_cast<std::size_t>(items.size())};
}
template <class T>
named_range<const T> first_items(const buffer<T>& items, index_t n) {
  return {items.data(), n, "items"};
}

//! Where a matrix is written to.
template <class Value, class Column, class Offset>
struct csr_arrays {
  std::span<Offset> offsets;
  std::span<Column> column_indices;
  std::span<Value> values;
};
//! A new matrix `a`, to be written.
template <class Executor, class Value, class Column, class Offset>
csr_arrays<Value, Column, Offset> make_matrix(Executor& executor, index_t rows, index_t columns, index_t nonzeros,
                                              csr_matrix<Value, Column, Offset>& a) {
  a = csr_matrix<Value, Column, Offset>(executor, rows, columns, nonzeros);
  return {as_span(a.offsets), as_span(a.column_indices), as_span(a.values)};
}

//! Entries of a matrix by coordinates, and what its offsets will be counted in.
template <class Value, class Row, class Column, class Offset>
struct coordinates {
  index_t rows, columns;
  named_range<const Row> row_indices;
  named_range<const Column> column_indices;
  named_range<const Value> values;
  int bits() const { return bits_below(rows) + bits_below(columns); }
};
//! What can be told of them without reading them.
template <class Executor, class Value, class Row, class Column, class Offset>
void check_entries(const Executor& executor, const coordinates<Value, Row, Column, Offset>& of) {
  check_shape(of.rows, of.columns);
  check_same_size(of.row_indices, of.values);
  check_same_size(of.column_indices, of.values);
  check_range(executor, of.row_indices, of.row_indices.size);
  check_range(executor, of.column_indices, of.column_indices.size);
  check_range(executor, of.values, of.values.size);
  require(of.bits() <= 64, "rows and columns", ": places of ", of.bits(), " bits, at most 64 are sorted");
}

template <class Key, class Executor, class Value, class Row, class Column, class Offset, class Make>
void write_by_keys(Executor& executor, const coordinates<Value, Row, Column, Offset>& of, const Make& make) {
  const index_t n = of.values.size;
  const int column_bits = bits_below(of.columns);
  buffer<Key> keys(executor, n), places(executor, n);
  buffer<Value> sorted(executor, n), sums(executor, n);
  transform(executor, contiguous(of.row_indices, of.column_indices), keys, place_key<Key>{column_bits});
  radix_sort_by_key(executor, keys, as_span(of.values), keys, sorted, {.end_bit = of.bits()});
  const index_t count = reduce_by_key(executor, keys, sorted, places, sums, sum<Value>{});
  require(can_hold<Offset>(count), "offsets", ": their type cannot hold the number of non-zeros, ", count);
  const csr_arrays<Value, Column, Offset> a = make(count);
  const auto in_row = static_cast<Key>(column_bits > 0 ? static_cast<Key>(~Key{}) >> (key_bits<Key> - column_bits) : 0);
  transform(executor, contiguous(first_items(places, count)), a.column_indices, column_of_key<Key, Column>{in_row});
  transform(executor, contiguous(first_items(sums, count)), a.values, lift_to<Value>{});
  write_offsets(executor, first_items(places, count), column_bits, output("offsets", a.offsets));
  executor.synchronize();
}
//! Reads the entries, and writes the matrix to what make(its number of non-zeros) gives. Waits.
template <class Executor, class Value, class Row, class Column, class Offset, class Make>
void write_csr(Executor& executor, const coordinates<Value, Row, Column, Offset>& of, const Make& make) {
  check_coordinates(executor, of.row_indices, of.rows);
  check_coordinates(executor, of.column_indices, of.columns);
  if (of.bits() <= 32) write_by_keys<std::uint32_t>(executor, of, make);
  else write_by_keys<std::uint64_t>(executor, of, make);
}
template <compiled_here Executor, class Value, class Row, class Column, class Offset>
void build_csr(Executor& executor, const coordinates<Value, Row, Column, Offset>& of,
               csr_matrix<Value, Column, Offset>& a) {
  write_csr(executor, of, [&](index_t count) { return make_matrix(executor, of.rows, of.columns, count, a); });
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

//! Reads a matrix, and writes the transposed one to what make() gives. Waits.
template <class Executor, class Value, class Column, class Offset, class Make>
void write_transposed(Executor& executor, const csr_view<Value, Column, Offset>& a, const Make& make) {
  using item = placed<Offset, Value>;
  validate(executor, a);
  require(a.rows == 0 || can_hold<Column>(a.rows - 1), "column_indices", ": its type cannot hold the row ", a.rows - 1);
  require(can_hold<Offset>(a.rows + 1), "offsets", ": its type cannot number the rows, ", a.rows);
  const index_t n = a.nonzeros();
  const csr_arrays<Value, Column, Offset> transposed = make();
  buffer<item> items(executor, n), sorted(executor, n);
  buffer<Column> columns(executor, n);
  {
    buffer<Offset> rows(executor, n);
    number_segments<0>(executor, input("offsets", a.offsets), output("rows", rows));
    transform(executor, contiguous(input("values", a.values), rows), items, place_in_row{});
  }
  radix_sort_by_key(executor, a.column_indices, items, columns, sorted, {.end_bit = bits_below(a.columns)});
  transform(executor, contiguous(sorted), transposed.column_indices, row_of_placed<Column>{});
  transform(executor, contiguous(sorted), transposed.values, value_of_placed<Value>{});
  write_offsets(executor, first_items(columns, n), 0, output("offsets", transposed.offsets));
  executor.synchronize();
}
template <compiled_here Executor, class Value, class Column, class Offset>
void transpose(Executor& executor, const csr_view<Value, Column, Offset>& a, csr_matrix<Value, Column, Offset>& to) {
  write_transposed(executor, a, [&] { return make_matrix(executor, a.columns, a.rows, a.nonzeros(), to); });
}

}  // namespace UPSWEEP_NAMESPACE::detail

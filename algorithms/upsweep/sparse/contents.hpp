// What stands in a sparse matrix in compressed rows, read and judged: the inside of validate.
#pragma once
#include <algorithm>

#include <upsweep/config.hpp>
#include <upsweep/executor.hpp>
#include <upsweep/library/refuse.hpp>
#include <upsweep/monoid.hpp>
#include <upsweep/require.hpp>
#include <upsweep/scan.hpp>
#include <upsweep/stages.hpp>

namespace UPSWEEP_NAMESPACE::detail {

// The position of what is wrong, or `count`.
template <class Offset>
struct wrong_row {
  const Offset* offsets;
  index_t rows, nonzeros;
  UPSWEEP_HD index_t operator()(index_t r) const {
    const auto begin = static_cast<index_t>(offsets[r]), end = static_cast<index_t>(offsets[r + 1]);
    const bool right =
        0 <= begin && begin <= end && end <= nonzeros && (r > 0 || begin == 0) && (r < rows - 1 || end == nonzeros);
    return right ? rows : r;
  }
};
template <class Column>
struct wrong_column {
  const Column* column_indices;
  index_t columns, nonzeros;
  UPSWEEP_HD index_t operator()(index_t k) const {
    const auto column = static_cast<index_t>(column_indices[k]);
    return 0 <= column && column < columns ? nonzeros : k;
  }
};
// The smallest f(i), i in [0, n), at most n. Waits.
template <class Executor, class F>
index_t first_found(Executor& executor, index_t n, const F& f) {
  const index_t found = scan(executor, n, computed<index_t>(f), lift_to<index_t>{}, minimum<index_t>{}, discard);
  return std::min(found, n);
}
template <class Executor, class T>
T read_item(Executor& executor, const T* item) {
  T value;
  executor.copy(&value, item, sizeof value);
  return value;
}

//! A matrix without its values, which are `nonzeros`.
template <class Column, class Offset>
struct csr_contents {
  index_t rows, columns, nonzeros;
  const Offset* offsets;
  const Column* column_indices;
};

//! Throws std::invalid_argument that names the first wrong row. Waits.
template <compiled_here Executor, class Column, class Offset>
void check_contents(Executor& executor, const csr_contents<Column, Offset>& a) {
  const index_t nonzeros = a.nonzeros;
  const auto offset = [&](index_t r) { return static_cast<index_t>(read_item(executor, a.offsets + r)); };
  const index_t row = first_found(executor, a.rows, wrong_row<Offset>{a.offsets, a.rows, nonzeros});
  if (row < a.rows) {
    const index_t begin = offset(row), end = offset(row + 1);
    require(row > 0 || begin == 0, "row", row, ": offsets begin with ", begin, ", must begin with 0");
    require(end >= begin, "row", row, ": offsets decrease from ", begin, " to ", end);
    refuse("row", row, end > nonzeros ? ": offsets reach " : ": offsets end with ", end, ", the matrix has ", nonzeros,
           " non-zeros");
  }
  if (a.rows == 0) {
    const index_t begin = offset(0);
    require(begin == 0, "offsets", "begin with ", begin, ", must begin with 0");
    require(nonzeros == 0, "values", "has ", nonzeros, " items, the matrix no row");
  }
  const index_t at = first_found(executor, nonzeros, wrong_column<Column>{a.column_indices, a.columns, nonzeros});
  if (at < nonzeros) {
    index_t low = 0, high = a.rows;  // the last row that starts at or before it
    while (high - low > 1) {
      const index_t middle = low + (high - low) / 2;
      (offset(middle) <= at ? low : high) = middle;
    }
    const auto column = read_item(executor, a.column_indices + at);
    require(column >= 0, "row", low, ": column ", column, " of non-zero ", at, " is negative");
    refuse("row", low, ": column ", column, " of non-zero ", at, " is not below ", a.columns);
  }
}

}  // namespace UPSWEEP_NAMESPACE::detail

// Products of sparse matrices, and what builds them: algorithms/upsweep/sparse/library/matrices.hpp.
#include <algorithm>
#include <cstddef>
#include <utility>

#include <upsweep/csr.hpp>
#include <upsweep/csr_build.hpp>
#include <upsweep/sparse/library/matrices.hpp>
#include <upsweep/spmv.hpp>

#include "check.hpp"

namespace {

//! Arrays of a matrix of n rows and columns, rows of 0 to 12 non-zeros, of small integers.
template <class Value, class Column, class Offset>
struct matrix {
  explicit matrix(upsweep::index_t n) : size(n) {
    for (upsweep::index_t r = 0; r < n; r++) {
      for (upsweep::index_t k = 0; k < r * 7 % 13; k++) {
        rows.push_back(static_cast<Column>(r));
        columns.push_back(static_cast<Column>((r * 31 + k * 1009) % n));
      }
      offsets.push_back(static_cast<Offset>(columns.size()));
    }
    values = items<Value>(std::ssize(columns), false);
  }
  auto view() const { return upsweep::csr_view(size, size, offsets, columns, values); }
  //! f(row, column, value) of all, row by row.
  template <class F>
  void for_each(const F& f) const {
    for (std::size_t k = 0; k < values.size(); k++)
      f(static_cast<std::size_t>(rows[k]), static_cast<std::size_t>(columns[k]), values[k]);
  }

  upsweep::index_t size;
  std::vector<Offset> offsets{0};
  std::vector<Column> rows, columns;
  std::vector<Value> values;
};

//! 2·A·X + 3·Y of `width` columns; of the transposed matrix, if so asked.
template <class Value, class Matrix>
std::vector<Value> serial_product(const Matrix& a, const std::vector<Value>& x, const std::vector<Value>& y,
                                  std::size_t width, bool transposed) {
  std::vector<Value> sums(y.size());
  a.for_each([&](std::size_t row, std::size_t column, Value value) {
    if (transposed) std::swap(row, column);
    for (std::size_t j = 0; j < width; j++) sums[row * width + j] += value * x[column * width + j];
  });
  for (std::size_t i = 0; i < sums.size(); i++) sums[i] = 2 * sums[i] + 3 * y[i];
  return sums;
}

template <class Value, class Matrix>
void check_products_by(tested& exec, const Matrix& a, const std::string& of) {
  const upsweep::csr_matrix on_executor(exec, a.view());
  const auto by = [&](upsweep::index_t width, bool transposed, const std::string& what, const auto& multiply) {
    const std::vector<Value> x = items<Value>(a.size * width, false), y = items<Value>(a.size * width, true);
    const upsweep::buffer<Value> from(exec, x);
    upsweep::buffer<Value> to(exec, y);
    multiply(from, to);
    check(to.to_vector(exec) == serial_product(a, x, y, static_cast<std::size_t>(width), transposed), what + ", " + of);
  };
  by(1, false, "spmv", [&](const auto& x, auto& y) { upsweep::spmv(exec, on_executor, x, y, Value{2}, Value{3}); });
  by(1, false, "spmv by a plan", [&](const auto& x, auto& y) {
    const upsweep::spmv_plan plan(exec, on_executor);
    upsweep::spmv(exec, plan, x, y, Value{2}, Value{3});
  });
  by(1, true, "spmv_transposed",
     [&](const auto& x, auto& y) { upsweep::spmv_transposed(exec, on_executor, x, y, Value{2}, Value{3}); });
  for (const upsweep::index_t width : {1, 2, 7}) {
    by(width, false, "spmm of " + std::to_string(width),
       [&](const auto& x, auto& y) { upsweep::spmm(exec, on_executor, x, y, width, Value{2}, Value{3}); });
  }
}

template <class Value, class Column, class Offset>
void check_arrays(tested& exec, const upsweep::csr_matrix<Value, Column, Offset>& a,
                  const matrix<Value, Column, Offset>& expected, const std::string& what) {
  check(a.rows == expected.size && a.columns == expected.size, "shape of " + what);
  check(a.offsets.to_vector(exec) == expected.offsets, "offsets of " + what);
  check(a.column_indices.to_vector(exec) == expected.columns, "columns of " + what);
  check(a.values.to_vector(exec) == expected.values, "values of " + what);
}

//! Appends entry k of another matrix, as it is or transposed, behind what is in its row.
template <class Matrix>
void append(Matrix& to, const Matrix& from, std::size_t k, bool transposed) {
  to.rows.push_back((transposed ? from.columns : from.rows)[k]);
  to.columns.push_back((transposed ? from.rows : from.columns)[k]);
  to.values.push_back(from.values[k]);
}
//! Offsets of rows that have been appended in their order.
template <class Offset, class Matrix>
void count_rows(Matrix& a, upsweep::index_t rows) {
  a.size = rows;
  a.offsets.assign(static_cast<std::size_t>(rows) + 1, 0);
  for (const auto row : a.rows) a.offsets[static_cast<std::size_t>(row) + 1]++;
  for (std::size_t r = 1; r < a.offsets.size(); r++)
    a.offsets[r] = static_cast<Offset>(a.offsets[r] + a.offsets[r - 1]);
}
template <class Value, class Column, class Offset>
matrix<Value, Column, Offset> transposed_serially(const matrix<Value, Column, Offset>& a) {
  std::vector<std::vector<std::size_t>> of_column(static_cast<std::size_t>(a.size));
  for (std::size_t k = 0; k < a.values.size(); k++) of_column[static_cast<std::size_t>(a.columns[k])].push_back(k);
  matrix<Value, Column, Offset> b(0);
  for (const auto& entries : of_column)
    for (const std::size_t k : entries) append(b, a, k, true);
  count_rows<Offset>(b, a.size);
  return b;
}
//! Of entries in the order of their rows: by columns in a row, those of one place summed.
template <class Value, class Column, class Offset>
matrix<Value, Column, Offset> summed_serially(const matrix<Value, Column, Offset>& a) {
  matrix<Value, Column, Offset> b(0);
  std::vector<std::size_t> of_row;
  for (std::size_t begin = 0; begin < a.values.size(); begin += of_row.size()) {
    of_row.clear();
    for (std::size_t k = begin; k < a.values.size() && a.rows[k] == a.rows[begin]; k++) of_row.push_back(k);
    std::stable_sort(of_row.begin(), of_row.end(),
                     [&](std::size_t i, std::size_t j) { return a.columns[i] < a.columns[j]; });
    for (std::size_t i = 0; i < of_row.size(); i++) {
      if (i > 0 && a.columns[of_row[i]] == a.columns[of_row[i - 1]]) b.values.back() += a.values[of_row[i]];
      else append(b, a, of_row[i], false);
    }
  }
  count_rows<Offset>(b, a.size);
  return b;
}

template <class Value, class Column, class Offset>
void check_matrix(tested& exec, upsweep::index_t n, const std::string& of) {
  const matrix<Value, Column, Offset> a(n);
  check_products_by<Value>(exec, a, of);
  const upsweep::csr_matrix on_executor(exec, a.view());
  upsweep::validate(exec, on_executor);
  check_arrays(exec, upsweep::csr_transpose(exec, on_executor), transposed_serially(a), "csr_transpose, " + of);

  // Twice the last entry, so that the result has fewer non-zeros.
  matrix<Value, Column, Offset> entries = a;
  for (int twice = 0; twice < 2 && n > 1; twice++) {
    entries.rows.push_back(static_cast<Column>(n - 1));
    entries.columns.push_back(1);
    entries.values.push_back(1);
  }
  const upsweep::buffer<Column> rows(exec, entries.rows), columns(exec, entries.columns);
  const upsweep::buffer<Value> values(exec, entries.values);
  check_arrays(exec, upsweep::coo_to_csr<Offset>(exec, n, n, rows, columns, values), summed_serially(entries),
               "coo_to_csr, " + of);
}

}  // namespace

void check_products(tested& exec, upsweep::index_t n) {
  n = std::min<upsweep::index_t>(n, 1'000'000);  // of which a GPU is full
#define UPSWEEP_ROW(value, column, offset, name) check_matrix<value, column, offset>(exec, n, counted(name, n));
  UPSWEEP_LIBRARY_MATRICES(UPSWEEP_ROW)
#undef UPSWEEP_ROW
}

// Products of a sparse matrix: algorithms/upsweep/sparse/library/matrices.hpp.
#include <upsweep/csr.hpp>
#include <upsweep/sparse/library/matrices.hpp>
#include <upsweep/spmv.hpp>

#include "check.hpp"

namespace {

//! y = 2·A·x + 3·y of a matrix with rows of 0 to 12 non-zeros, of small integers.
template <class Value, class Column, class Offset>
void check_product(upsweep::any_executor& exec, upsweep::index_t n, const std::string& of) {
  std::vector<Offset> offsets{0};
  std::vector<Column> columns;
  for (upsweep::index_t r = 0; r < n; r++) {
    for (upsweep::index_t k = 0; k < r * 7 % 13; k++) columns.push_back(static_cast<Column>((r * 31 + k * 1009) % n));
    offsets.push_back(static_cast<Offset>(columns.size()));
  }
  const std::vector<Value> values = items<Value>(std::ssize(columns), false), x = items<Value>(n, false);
  std::vector<Value> expected = items<Value>(n, true);
  const upsweep::buffer<Offset> a_offsets(exec, offsets);
  const upsweep::buffer<Column> a_columns(exec, columns);
  const upsweep::buffer<Value> a_values(exec, values), from(exec, x);
  upsweep::buffer<Value> to(exec, expected);
  upsweep::spmv(exec, upsweep::csr_view(n, n, a_offsets, a_columns, a_values), from, to, Value{2}, Value{3});
  for (std::size_t r = 0; r < expected.size(); r++) {
    Value sum{};
    for (auto k = static_cast<std::size_t>(offsets[r]); k < static_cast<std::size_t>(offsets[r + 1]); k++)
      sum += values[k] * x[static_cast<std::size_t>(columns[k])];
    expected[r] = 2 * sum + 3 * expected[r];
  }
  check(to.to_vector(exec) == expected, "spmv, " + of);
}

}  // namespace

void check_products(upsweep::any_executor& exec, upsweep::index_t n) {
#define UPSWEEP_ROW(value, column, offset, name) check_product<value, column, offset>(exec, n, counted(name, n));
  UPSWEEP_LIBRARY_MATRICES(UPSWEEP_ROW)
#undef UPSWEEP_ROW
}

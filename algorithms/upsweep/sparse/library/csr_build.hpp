// The matrices that upsweep::cuda builds: a backend beside what is compiled here.
#pragma once
#include <cstddef>
#include <cstdint>
#include <utility>

#include <upsweep/buffer.hpp>
#include <upsweep/c/csr.h>
#include <upsweep/config.hpp>
#include <upsweep/csr.hpp>
#include <upsweep/executor.hpp>
#include <upsweep/library/errors.hpp>
#include <upsweep/library/refuse.hpp>
#include <upsweep/library/scan.hpp>
#include <upsweep/sparse/build.hpp>
#include <upsweep/sparse/library/arguments.hpp>
#include <upsweep/sparse/library/matrices.hpp>

namespace UPSWEEP_NAMESPACE::library {

//! Gives memory back that is more than n items take.
template <class T>
void shorten(device& executor, buffer<T>& items, index_t n) {
  if (n == items.size()) return;
  buffer<T> fewer(executor, n);
  executor.copy(fewer.data(), items.data(), static_cast<std::size_t>(n) * sizeof(T));
  items = std::move(fewer);
}

}  // namespace UPSWEEP_NAMESPACE::library

namespace UPSWEEP_NAMESPACE::detail {

//! Entries of one place make fewer non-zeros than there are entries: how many, the library says at the end.
template <class Value, class Row, class Column, class Offset>
  requires(library::has_matrix<Value, Column, Offset>() && library::is_same_number<Row, Column>)
void build_csr(device& executor, const coordinates<Value, Row, Column, Offset>& of,
               csr_matrix<Value, Column, Offset>& a) {
  const upsweep_coo entries{.rows = of.rows,
                            .columns = of.columns,
                            .row_indices = library::input_of(of.row_indices.data, of.row_indices.size),
                            .column_indices = library::input_of(of.column_indices.data, of.column_indices.size),
                            .values = library::input_of(of.values.data, of.values.size)};
  csr_matrix<Value, Column, Offset> built(executor, of.rows, of.columns, of.values.size);
  const upsweep_csr_output to = library::csr_output_of(built);
  std::int64_t nonzeros = 0;
  library::check(upsweep_coo_to_csr(executor.handle(), &entries, &to, &nonzeros));
  library::shorten(executor, built.column_indices, nonzeros);
  library::shorten(executor, built.values, nonzeros);
  a = std::move(built);
}
UPSWEEP_NOT_IN_LIBRARY(build_csr, UPSWEEP_LIBRARY_HAS_MATRICES)

template <class Value, class Column, class Offset>
  requires(library::has_matrix<Value, Column, Offset>())
void transpose(device& executor, const csr_view<Value, Column, Offset>& a, csr_matrix<Value, Column, Offset>& to) {
  check_csr(executor, a);
  csr_matrix<Value, Column, Offset> transposed(executor, a.columns, a.rows, a.nonzeros());
  const upsweep_csr from = library::csr_of(a);
  const upsweep_csr_output written = library::csr_output_of(transposed);
  library::check(upsweep_csr_transpose(executor.handle(), &from, &written));
  to = std::move(transposed);
}
UPSWEEP_NOT_IN_LIBRARY(transpose, UPSWEEP_LIBRARY_HAS_MATRICES)

}  // namespace UPSWEEP_NAMESPACE::detail

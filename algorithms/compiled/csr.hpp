// Sparse matrices as the C interface takes them.
#pragma once
#include <cstdint>
#include <string>

#include <upsweep/c/csr.h>
#include <upsweep/config.hpp>
#include <upsweep/csr.hpp>
#include <upsweep/cuda/device.hpp>
#include <upsweep/require.hpp>
#include <upsweep/sparse/contents.hpp>
#include <upsweep/sparse/library/matrices.hpp>

#include "scan.hpp"

namespace UPSWEEP_NAMESPACE::compiled {

template <class Value, class Column, class Offset>
csr_view<Value, Column, Offset> view_of(const upsweep_csr& a) {
  return {a.rows, a.columns, items_of<Offset>(a.offsets), items_of<Column>(a.column_indices),
          items_of<Value>(a.values)};
}

//! f.operator()<Value, Column, Offset>() of a matrix with such types. `name` is the argument's.
template <class F>
void with_matrix(const char* name, int value_type, int column_type, int offset_type, const F& f) {
#define UPSWEEP_ROW(value, column, offset, row_name)                                          \
  if (value_type == library::type_code<value> && column_type == library::type_code<column> && \
      offset_type == library::type_code<offset>)                                              \
    return f.template operator()<value, column, offset>();
  UPSWEEP_LIBRARY_MATRICES(UPSWEEP_ROW)
#undef UPSWEEP_ROW
  throw not_compiled(std::string(name) +
                     ": a matrix of these types of values, columns and offsets is not in the library");
}
template <class F>
void with_matrix(const upsweep_csr& a, const F& f) {
  with_matrix("a", a.values.type, a.column_indices.type, a.offsets.type, f);
}

//! What an argument points to, which must be there.
template <class T>
const T& given(const T* argument, const char* name) {
  detail::require(argument != nullptr, name, "is a null pointer");
  return *argument;
}

}  // namespace UPSWEEP_NAMESPACE::compiled

// Compiled once, in csr.cu.
namespace UPSWEEP_NAMESPACE::detail {
extern template index_t first_found(device&, index_t, const wrong_row<std::int32_t>&);
extern template index_t first_found(device&, index_t, const wrong_row<std::int64_t>&);
extern template index_t first_found(device&, index_t, const wrong_column<std::int32_t>&);
}  // namespace UPSWEEP_NAMESPACE::detail

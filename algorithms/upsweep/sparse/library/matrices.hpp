// What sparse matrices are compiled into upsweep::cuda, with vectors of their values' type.
#pragma once
#include <cstdint>

#include <upsweep/library/table.hpp>

//! ROW(type of values, of columns, of offsets, their names)
#define UPSWEEP_LIBRARY_MATRICES(ROW)                               \
  ROW(float, std::int32_t, std::int32_t, "(float, int32, int32)")   \
  ROW(float, std::int32_t, std::int64_t, "(float, int32, int64)")   \
  ROW(double, std::int32_t, std::int32_t, "(double, int32, int32)") \
  ROW(double, std::int32_t, std::int64_t, "(double, int32, int64)")

#define UPSWEEP_LIBRARY_MATRIX_NAME(value, column, offset, name) " " name
#define UPSWEEP_LIBRARY_PRODUCTS "spmv, spmv_plan and spmm"
#define UPSWEEP_LIBRARY_MATRIX_CALLS "spmv_transposed, csr_transpose, validate and coo_to_csr"
//! What the error of a call says that is not compiled in.
#define UPSWEEP_LIBRARY_HAS_MATRICES                                                                              \
  "It has " UPSWEEP_LIBRARY_PRODUCTS ", for x and y of the type of the values, and " UPSWEEP_LIBRARY_MATRIX_CALLS \
  ", of rows and columns of the same type; of matrices of (values, columns, offsets) of "                         \
  "types" UPSWEEP_LIBRARY_MATRICES(UPSWEEP_LIBRARY_MATRIX_NAME)

namespace UPSWEEP_NAMESPACE::library {
//! Is a matrix of such types in the table?
template <class Value, class Column, class Offset>
constexpr bool has_matrix() {
#define UPSWEEP_ROW(value, column, offset, name) \
  if (is_same_number<Value, value> && is_same_number<Column, column> && is_same_number<Offset, offset>) return true;
  UPSWEEP_LIBRARY_MATRICES(UPSWEEP_ROW)
#undef UPSWEEP_ROW
  return false;
}
//! Is one of such columns and offsets?
template <class Column, class Offset>
constexpr bool has_indices() {
#define UPSWEEP_ROW(value, column, offset, name) \
  if (is_same_number<Column, column> && is_same_number<Offset, offset>) return true;
  UPSWEEP_LIBRARY_MATRICES(UPSWEEP_ROW)
#undef UPSWEEP_ROW
  return false;
}
}  // namespace UPSWEEP_NAMESPACE::library

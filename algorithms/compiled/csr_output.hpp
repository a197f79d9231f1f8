// Where sparse matrices are written to, as the C interface takes it.
#pragma once
#include <span>

#include <upsweep/c/csr.h>
#include <upsweep/checks.hpp>
#include <upsweep/config.hpp>
#include <upsweep/csr.hpp>
#include <upsweep/cuda/device.hpp>
#include <upsweep/sparse/build.hpp>

#include "boundary.hpp"
#include "scan.hpp"

namespace UPSWEEP_NAMESPACE::compiled {

inline void check_types_of_output(const upsweep_csr_output& to, int value_type, int column_type, int offset_type) {
  if (to.values.type != value_type) throw not_compiled("values: their type is not that of the input's");
  if (to.column_indices.type != column_type)
    throw not_compiled("column_indices: their type is not that of the input's");
  if (to.offsets.type != offset_type) throw not_compiled("offsets: their type is not that of the input's");
}
template <class Value, class Column, class Offset>
detail::csr_arrays<Value, Column, Offset> arrays_of(const upsweep_csr_output& to) {
  return {items_of<Offset>(to.offsets), items_of<Column>(to.column_indices), items_of<Value>(to.values)};
}

//! Throws std::invalid_argument unless there is room for a matrix of so many rows and non-zeros.
template <class Value, class Column, class Offset>
void check_output(const device& executor, const detail::csr_arrays<Value, Column, Offset>& to, index_t rows,
                  index_t nonzeros) {
  detail::check_range(executor, detail::output("the written offsets", to.offsets), rows + 1);
  detail::check_range(executor, detail::output("the written column_indices", to.column_indices), nonzeros);
  detail::check_range(executor, detail::output("the written values", to.values), nonzeros);
}

//! The same of `nonzeros`, which there is room for.
template <class Value, class Column, class Offset>
detail::csr_arrays<Value, Column, Offset> first_of(const detail::csr_arrays<Value, Column, Offset>& to, index_t rows,
                                                   index_t nonzeros) {
  return {to.offsets.first(static_cast<std::size_t>(rows + 1)),
          to.column_indices.first(static_cast<std::size_t>(nonzeros)),
          to.values.first(static_cast<std::size_t>(nonzeros))};
}

}  // namespace UPSWEEP_NAMESPACE::compiled

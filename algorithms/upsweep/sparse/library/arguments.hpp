// Sparse matrices as the C interface takes them.
#pragma once

#include <upsweep/c/csr.h>
#include <upsweep/config.hpp>
#include <upsweep/csr.hpp>
#include <upsweep/library/scan.hpp>

namespace UPSWEEP_NAMESPACE::library {

template <class Value, class Column, class Offset>
upsweep_csr csr_of(const csr_view<Value, Column, Offset>& a) {
  return {.rows = a.rows,
          .columns = a.columns,
          .offsets = input_of(a.offsets.data(), std::ssize(a.offsets)),
          .column_indices = input_of(a.column_indices.data(), std::ssize(a.column_indices)),
          .values = input_of(a.values.data(), std::ssize(a.values))};
}
template <class Value, class Column, class Offset>
upsweep_csr_output csr_output_of(csr_matrix<Value, Column, Offset>& a) {
  return {.offsets = output_of(a.offsets.data(), a.offsets.size()),
          .column_indices = output_of(a.column_indices.data(), a.column_indices.size()),
          .values = output_of(a.values.data(), a.values.size())};
}

}  // namespace UPSWEEP_NAMESPACE::library

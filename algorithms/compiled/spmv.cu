// The C interface of sparse products, and their instances.
#include <upsweep/c/spmv.h>
#include <upsweep/config.hpp>
#include <upsweep/csr.hpp>
#include <upsweep/sparse/library/matrices.hpp>
#include <upsweep/spmv.hpp>

#include "boundary.hpp"
#include "scan.hpp"

namespace UPSWEEP_NAMESPACE::compiled {
namespace {

template <class Value, class Column, class Offset>
void multiply(device& executor, const upsweep_csr& a, const upsweep_input& x, const upsweep_output& y,
              const void* alpha, const void* beta) {
  const csr_view<Value, Column, Offset> matrix(a.rows, a.columns, items_of<Offset>(a.offsets),
                                               items_of<Column>(a.column_indices), items_of<Value>(a.values));
  spmv(executor, matrix, items_of<Value>(x), items_of<Value>(y), alpha ? *static_cast<const Value*>(alpha) : Value{1},
       beta ? *static_cast<const Value*>(beta) : Value{0});
}

void multiply_by_types(device& executor, const upsweep_csr& a, const upsweep_input& x, const upsweep_output& y,
                       const void* alpha, const void* beta) {
  if (x.type != a.values.type) throw not_compiled("x: its type is not that of the values");
  if (y.type != a.values.type) throw not_compiled("y: its type is not that of the values");
#define UPSWEEP_ROW(value, column, offset, name)                                                           \
  if (a.values.type == library::type_code<value> && a.column_indices.type == library::type_code<column> && \
      a.offsets.type == library::type_code<offset>)                                                        \
    return multiply<value, column, offset>(executor, a, x, y, alpha, beta);
  UPSWEEP_LIBRARY_MATRICES(UPSWEEP_ROW)
#undef UPSWEEP_ROW
  throw not_compiled("a: a matrix of these types of values, columns and offsets is not in the library");
}

}  // namespace
}  // namespace UPSWEEP_NAMESPACE::compiled

using namespace upsweep::compiled;

extern "C" int upsweep_spmv(upsweep_device* device, const upsweep_csr* a, upsweep_input x, upsweep_output y,
                            const void* alpha, const void* beta) {
  return guarded([&] {
    upsweep::detail::require(a != nullptr, "a", "is a null pointer");
    multiply_by_types(executor_of(device), *a, x, y, alpha, beta);
  });
}

// The C interface of the transposition of sparse matrices, and its instances.
#include <upsweep/csr_build.hpp>

#include "boundary.hpp"
#include "csr.hpp"
#include "csr_output.hpp"

namespace UPSWEEP_NAMESPACE::compiled {
namespace {

void transpose_by_types(device& executor, const upsweep_csr& a, const upsweep_csr_output& to) {
  check_types_of_output(to, a.values.type, a.column_indices.type, a.offsets.type);
  with_matrix(a, [&]<class Value, class Column, class Offset>() {
    const auto from = view_of<Value, Column, Offset>(a);
    detail::check_csr(executor, from);
    const auto arrays = arrays_of<Value, Column, Offset>(to);
    check_output(executor, arrays, a.columns, a.values.size);
    detail::write_transposed(executor, from, [&] { return first_of(arrays, a.columns, a.values.size); });
  });
}

}  // namespace
}  // namespace UPSWEEP_NAMESPACE::compiled

using namespace upsweep::compiled;

extern "C" int upsweep_csr_transpose(upsweep_device* device, const upsweep_csr* a,
                                     const upsweep_csr_output* transposed) {
  return guarded([&] { transpose_by_types(executor_of(device), given(a, "a"), given(transposed, "transposed")); });
}

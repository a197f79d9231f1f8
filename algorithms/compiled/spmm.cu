// The C interface of products of a sparse matrix with dense columns, and their instances.
#include <upsweep/spmv.hpp>

#include "spmv.hpp"

namespace UPSWEEP_NAMESPACE::compiled {
namespace {

void multiply_columns(const upsweep_csr& a, index_t width, const product_request& request) {
  request.check_types(a.values.type);
  with_matrix(a, [&]<class Value, class Column, class Offset>() {
    spmm(request.executor, view_of<Value, Column, Offset>(a), items_of<Value>(request.x), items_of<Value>(request.y),
         width, request.alpha_of<Value>(), request.beta_of<Value>());
  });
}

}  // namespace
}  // namespace UPSWEEP_NAMESPACE::compiled

using namespace upsweep::compiled;

extern "C" int upsweep_spmm(upsweep_device* device, const upsweep_csr* a, upsweep_input x, upsweep_output y,
                            int64_t width, const void* alpha, const void* beta) {
  return guarded([&] { multiply_columns(given(a, "a"), width, {executor_of(device), x, y, alpha, beta}); });
}

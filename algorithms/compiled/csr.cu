// The C interface of the check of matrices, and its instances.
#include <span>

#include "boundary.hpp"
#include "csr.hpp"

namespace UPSWEEP_NAMESPACE::detail {
template index_t first_found(device&, index_t, const wrong_row<std::int32_t>&);
template index_t first_found(device&, index_t, const wrong_row<std::int64_t>&);
template index_t first_found(device&, index_t, const wrong_column<std::int32_t>&);
}  // namespace UPSWEEP_NAMESPACE::detail

namespace UPSWEEP_NAMESPACE::compiled {
namespace {

//! As many values as there are columns: of any type, for they are not looked at.
template <class Column>
std::span<const Column> values_of(const upsweep_csr& a) {
  return {static_cast<const Column*>(a.column_indices.data), static_cast<std::size_t>(a.values.size)};
}
void validate_by_types(device& executor, const upsweep_csr& a) {
#define UPSWEEP_ROW(value, column, offset, name)                                                           \
  if (a.column_indices.type == library::type_code<column> && a.offsets.type == library::type_code<offset>) \
    return validate(executor, csr_view(a.rows, a.columns, items_of<offset>(a.offsets),                     \
                                       items_of<column>(a.column_indices), values_of<column>(a)));
  UPSWEEP_LIBRARY_MATRICES(UPSWEEP_ROW)
#undef UPSWEEP_ROW
  throw not_compiled("a: a matrix of these types of columns and offsets is not in the library");
}

}  // namespace
}  // namespace UPSWEEP_NAMESPACE::compiled

using namespace upsweep::compiled;

extern "C" int upsweep_csr_validate(upsweep_device* device, const upsweep_csr* a) {
  return guarded([&] { validate_by_types(executor_of(device), given(a, "a")); });
}

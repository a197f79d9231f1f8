// The C interface of matrices of entries by coordinates, and their instances.
#include <upsweep/csr_build.hpp>

#include "boundary.hpp"
#include "csr.hpp"
#include "csr_output.hpp"

namespace UPSWEEP_NAMESPACE::compiled {
namespace {

template <class Value, class Column, class Offset>
index_t build(device& executor, const upsweep_coo& entries, const upsweep_csr_output& to) {
  const detail::coordinates<Value, Column, Column, Offset> from{
      .rows = entries.rows,
      .columns = entries.columns,
      .row_indices = detail::input("row_indices", items_of<Column>(entries.row_indices)),
      .column_indices = detail::input("column_indices", items_of<Column>(entries.column_indices)),
      .values = detail::input("values", items_of<Value>(entries.values))};
  detail::check_entries(executor, from);
  const auto arrays = arrays_of<Value, Column, Offset>(to);
  check_output(executor, arrays, entries.rows, entries.values.size);
  index_t nonzeros = 0;
  detail::write_csr(executor, from, [&](index_t count) {
    nonzeros = count;
    return first_of(arrays, entries.rows, count);
  });
  return nonzeros;
}

index_t build_by_types(device& executor, const upsweep_coo& entries, const upsweep_csr_output& to) {
  if (entries.row_indices.type != entries.column_indices.type)
    throw not_compiled("row_indices: their type is not that of the column_indices");
  check_types_of_output(to, entries.values.type, entries.column_indices.type, to.offsets.type);
  index_t nonzeros = 0;
  with_matrix("entries", entries.values.type, entries.column_indices.type, to.offsets.type,
              [&]<class Value, class Column, class Offset>() {
                nonzeros = build<Value, Column, Offset>(executor, entries, to);
              });
  return nonzeros;
}

}  // namespace
}  // namespace UPSWEEP_NAMESPACE::compiled

using namespace upsweep::compiled;

extern "C" int upsweep_coo_to_csr(upsweep_device* device, const upsweep_coo* entries, const upsweep_csr_output* to,
                                  int64_t* nonzeros) {
  return guarded([&] {
    std::int64_t& count = result_of(nonzeros, "nonzeros");
    count = build_by_types(executor_of(device), given(entries, "entries"), given(to, "to"));
  });
}

// Matrices whose contents upsweep::cuda checks: a backend beside the check that is compiled here.
#pragma once
#include <upsweep/c/csr.h>
#include <upsweep/config.hpp>
#include <upsweep/executor.hpp>
#include <upsweep/library/errors.hpp>
#include <upsweep/library/refuse.hpp>
#include <upsweep/library/scan.hpp>
#include <upsweep/sparse/contents.hpp>
#include <upsweep/sparse/library/matrices.hpp>

namespace UPSWEEP_NAMESPACE::detail {

template <class Column, class Offset>
  requires(library::has_indices<Column, Offset>())
void check_contents(device& executor, const csr_contents<Column, Offset>& a) {
  const upsweep_csr matrix{.rows = a.rows,
                           .columns = a.columns,
                           .offsets = library::input_of(a.offsets, a.rows + 1),
                           .column_indices = library::input_of(a.column_indices, a.nonzeros),
                           .values = {.data = nullptr, .size = a.nonzeros, .type = 0}};
  library::check(upsweep_csr_validate(executor.handle(), &matrix));
}
UPSWEEP_NOT_IN_LIBRARY(check_contents, UPSWEEP_LIBRARY_HAS_MATRICES)

}  // namespace UPSWEEP_NAMESPACE::detail

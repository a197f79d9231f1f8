// The sparse products that are compiled into upsweep::cuda: a backend beside those of host/ and cuda/.
#pragma once
#include <span>

#include <upsweep/c/spmv.h>
#include <upsweep/config.hpp>
#include <upsweep/executor.hpp>
#include <upsweep/library/errors.hpp>
#include <upsweep/library/refuse.hpp>
#include <upsweep/library/scan.hpp>
#include <upsweep/sparse/library/matrices.hpp>
#include <upsweep/sparse/spmv_task.hpp>

namespace UPSWEEP_NAMESPACE::detail {

template <class Value, class Column, class Offset>
  requires(library::multiplies_matrix<Value, Column, Offset>())
void run_product(device& executor, const product_task<Value, Column, Offset, Value, Value>& task) {
  const auto input_of = [](const auto& items) { return library::input_of(items.data(), std::ssize(items)); };
  const upsweep_csr a{.rows = task.a.rows,
                      .columns = task.a.columns,
                      .offsets = input_of(task.a.offsets),
                      .column_indices = input_of(task.a.column_indices),
                      .values = input_of(task.a.values)};
  library::check(upsweep_spmv(executor.handle(), &a, library::input_of(task.x, a.columns),
                              library::output_of(task.store.y, a.rows), &task.store.alpha, &task.store.beta));
}
UPSWEEP_NOT_IN_LIBRARY(run_product, UPSWEEP_LIBRARY_HAS_PRODUCTS)
UPSWEEP_NOT_IN_LIBRARY(run_semiring, UPSWEEP_LIBRARY_HAS_PRODUCTS)
UPSWEEP_NOT_IN_LIBRARY(run_dense, UPSWEEP_LIBRARY_HAS_PRODUCTS)

}  // namespace UPSWEEP_NAMESPACE::detail

// The sparse products that are compiled into upsweep::cuda: a backend beside those of host/ and cuda/.
#pragma once
#include <memory>

#include <upsweep/c/spmv.h>
#include <upsweep/config.hpp>
#include <upsweep/csr.hpp>
#include <upsweep/executor.hpp>
#include <upsweep/library/errors.hpp>
#include <upsweep/library/refuse.hpp>
#include <upsweep/library/scan.hpp>
#include <upsweep/sparse/library/arguments.hpp>
#include <upsweep/sparse/library/matrices.hpp>
#include <upsweep/sparse/spmv_task.hpp>

namespace UPSWEEP_NAMESPACE::detail {

//! What a plan has found for a device: the library keeps it.
class device_plan {
 public:
  upsweep_spmv_plan* handle() const { return handle_.get(); }
  void reset(upsweep_spmv_plan* made) { handle_.reset(made); }

 private:
  struct destroy {
    void operator()(upsweep_spmv_plan* plan) const noexcept { upsweep_spmv_plan_destroy(plan); }
  };
  std::unique_ptr<upsweep_spmv_plan, destroy> handle_;
};
template <class Value, class Column, class Offset>
  requires(library::has_matrix<Value, Column, Offset>())
void plan_products(device& executor, const csr_view<Value, Column, Offset>& a, device_plan& plan) {
  const upsweep_csr matrix = library::csr_of(a);
  upsweep_spmv_plan* made = nullptr;
  library::check(upsweep_spmv_plan_create(executor.handle(), &matrix, &made));
  plan.reset(made);
}
UPSWEEP_NOT_IN_LIBRARY(plan_products, UPSWEEP_LIBRARY_HAS_MATRICES)

template <class Value, class Column, class Offset>
  requires(library::has_matrix<Value, Column, Offset>())
void run_product(device& executor, const product_task<Value, Column, Offset, Value, Value>& task) {
  const upsweep_csr a = library::csr_of(task.a);
  library::check(upsweep_spmv(executor.handle(), &a, library::input_of(task.x, a.columns),
                              library::output_of(task.store.y, a.rows), &task.store.alpha, &task.store.beta));
}
template <class Value, class Column, class Offset>
  requires(library::has_matrix<Value, Column, Offset>())
void run_product(device& executor, const product_task<Value, Column, Offset, Value, Value>& task,
                 const device_plan& plan) {
  if (!plan.handle()) return run_product(executor, task);  // made for a host
  library::check(upsweep_spmv_planned(executor.handle(), plan.handle(), library::input_of(task.x, task.a.columns),
                                      library::output_of(task.store.y, task.a.rows), &task.store.alpha,
                                      &task.store.beta));
}
template <class Value, class Column, class Offset>
  requires(library::has_matrix<Value, Column, Offset>())
void run_dense(device& executor, const dense_task<Value, Column, Offset, Value, Value>& task) {
  const upsweep_csr a = library::csr_of(task.a);
  library::check(upsweep_spmm(executor.handle(), &a, library::input_of(task.x, a.columns * task.width),
                              library::output_of(task.store.y, a.rows * task.width), task.width, &task.store.alpha,
                              &task.store.beta));
}
UPSWEEP_NOT_IN_LIBRARY(run_product, UPSWEEP_LIBRARY_HAS_MATRICES)
UPSWEEP_NOT_IN_LIBRARY(run_dense, UPSWEEP_LIBRARY_HAS_MATRICES)
UPSWEEP_NOT_IN_LIBRARY(run_semiring, UPSWEEP_LIBRARY_HAS_MATRICES)

}  // namespace UPSWEEP_NAMESPACE::detail

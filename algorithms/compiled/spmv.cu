// The C interface of products of a sparse matrix with a vector, and their instances.
#include <memory>
#include <utility>

#include <upsweep/spmv.hpp>

#include "spmv.hpp"

using namespace upsweep::compiled;

//! A plan of a matrix of whatever types.
struct upsweep_spmv_plan {
  explicit upsweep_spmv_plan(std::shared_ptr<given_memory> memory) : given(std::move(memory)) {}
  upsweep_spmv_plan(const upsweep_spmv_plan&) = delete;
  upsweep_spmv_plan& operator=(const upsweep_spmv_plan&) = delete;
  virtual ~upsweep_spmv_plan() = default;
  virtual void multiply(const product_request& request) const = 0;

  std::shared_ptr<given_memory> given;  // outlives what the plan has of it
};

namespace UPSWEEP_NAMESPACE::compiled {
namespace {

template <class Value, class A>
void multiply(const A& a, const product_request& request) {
  spmv(request.executor, a, items_of<Value>(request.x), items_of<Value>(request.y), request.alpha_of<Value>(),
       request.beta_of<Value>());
}

template <class Value, class Column, class Offset>
struct plan_of_types final : upsweep_spmv_plan {
  plan_of_types(upsweep_device& device, const upsweep_csr& a)
      : upsweep_spmv_plan(device.given), plan(device.executor, view_of<Value, Column, Offset>(a)) {}
  void multiply(const product_request& request) const override {
    request.check_types(library::type_code<Value>);
    compiled::multiply<Value>(plan, request);
  }
  spmv_plan<Value, Column, Offset> plan;
};

void multiply_by_matrix(const upsweep_csr& a, const product_request& request) {
  request.check_types(a.values.type);
  with_matrix(a, [&]<class Value, class Column, class Offset>() {
    multiply<Value>(view_of<Value, Column, Offset>(a), request);
  });
}
upsweep_spmv_plan* make_plan(upsweep_device& device, const upsweep_csr& a) {
  std::unique_ptr<upsweep_spmv_plan> plan;
  with_matrix(a, [&]<class Value, class Column, class Offset>() {
    plan = std::make_unique<plan_of_types<Value, Column, Offset>>(device, a);
  });
  return plan.release();
}

}  // namespace
}  // namespace UPSWEEP_NAMESPACE::compiled

extern "C" {

int upsweep_spmv(upsweep_device* device, const upsweep_csr* a, upsweep_input x, upsweep_output y, const void* alpha,
                 const void* beta) {
  return guarded([&] { multiply_by_matrix(given(a, "a"), {executor_of(device), x, y, alpha, beta}); });
}
int upsweep_spmv_plan_create(upsweep_device* device, const upsweep_csr* a, upsweep_spmv_plan** plan) {
  return guarded([&] {
    executor_of(device);
    result_of(plan, "plan") = make_plan(*device, given(a, "a"));
  });
}
void upsweep_spmv_plan_destroy(upsweep_spmv_plan* plan) { delete plan; }
int upsweep_spmv_planned(upsweep_device* device, const upsweep_spmv_plan* plan, upsweep_input x, upsweep_output y,
                         const void* alpha, const void* beta) {
  return guarded([&] { given(plan, "plan").multiply({executor_of(device), x, y, alpha, beta}); });
}

}  // extern "C"

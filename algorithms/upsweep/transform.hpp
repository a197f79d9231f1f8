// A sweep that scans nothing: every item of a range is a function of one item of a load.
#pragma once
#include <upsweep/config.hpp>
#include <upsweep/item_functions.hpp>
#include <upsweep/scan.hpp>
#include <upsweep/stages.hpp>

namespace UPSWEEP_NAMESPACE {

namespace detail {
// f(item) as a store of a sweep calls it.
template <class F>
struct of_item {
  F f;
  UPSWEEP_CALLS_USER
  template <class Item>
  UPSWEEP_HD auto operator()(index_t, const Item& item, nothing, nothing) const {
    return call_with(f, item);
  }
};
}  // namespace detail

//! out[i] = f(item i of `load`) for all of out; a load is one of stages.hpp, and f takes its item, one of each column
//! where there are several (or an upsweep::tuple of them), or is a pointer to a member. `out` may be exactly a range of
//! the load. Costs what the load reads and one write of out; does not wait. Throws std::invalid_argument, cuda_error.
//!   upsweep::transform(exec, upsweep::contiguous(a, b), quotients, divide{});
template <executor Executor, class Load, contiguous_range Out, class F>
  requires(detail::is_load<Load>::value)
void transform(Executor&& executor, const Load& load, Out&& out, const F& f) {
  static_assert(detail::result_type_is_known<F>(), "write the return type of this __device__ lambda");
  detail::check_runs_on<Executor, F, typename Load::item_type>();
  const auto to = UPSWEEP_OUTPUT(out);
  detail::scan_then(executor, to.size, load, detail::lift_nothing{}, nothing{}, dense(to, detail::of_item<F>{f}),
                    no_total);
}
UPSWEEP_EXPLAIN(transform,
                "transform(executor, load, out, f), of which load is contiguous(ranges...) or another one of "
                "stages.hpp")

}  // namespace UPSWEEP_NAMESPACE

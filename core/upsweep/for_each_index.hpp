// f(i) for every index, on either backend: for what moves items and scans nothing.
#pragma once
#include <upsweep/checks.hpp>
#include <upsweep/config.hpp>
#include <upsweep/executor.hpp>
#include <upsweep/explain.hpp>
#include <upsweep/host/share_out.hpp>
#include <upsweep/library/refuse.hpp>
#include <upsweep/require.hpp>
#include <upsweep/user_functions.hpp>
#if UPSWEEP_HAS_CUDA
#include <upsweep/cuda/for_each_index.hpp>
#endif

namespace UPSWEEP_NAMESPACE {

namespace detail {
template <class F>
void call_with_indices(host& executor, index_t n, const F& f, index_t at_once) {
  share_out(executor.threads(), (n + at_once - 1) / at_once, [&](index_t k) {
    const index_t end = n - k * at_once < at_once ? n : (k + 1) * at_once;
    for (index_t i = k * at_once; i < end; i++) f(i);
  });
}
#if UPSWEEP_HAS_CUDA
template <class F>
void call_with_indices(device& executor, index_t n, const F& f, index_t) {
  const gpu::current_device here(executor.ordinal());
  gpu::for_each_index(executor, n, f);
}
#endif
UPSWEEP_NOT_IN_LIBRARY(call_with_indices, "It has no functions but its own")
}  // namespace detail

//! Calls f(i) for 0 <= i < n, once each, in no particular order, from several threads. `at_once`: so many consecutive
//! calls are one thread's of a host; 1 for functions that take long. Does not wait on a device: one launch. What f
//! throws on a host reaches the caller. Throws std::invalid_argument, cuda_error.
//!   upsweep::for_each_index(exec, n, [=](std::int64_t i) { y[i] += a * x[i]; });
template <executor Executor, class F>
void for_each_index(Executor&& executor, index_t n, const F& f, index_t at_once = index_t{1} << 16) {
  detail::check_runs_on<Executor, F, index_t>();
  detail::require(n >= 0, "n", "is ", n, ", must not be negative");
  detail::require(at_once > 0, "at_once", "is ", at_once, ", must be positive");
  if (n == 0) return;
  detail::run_on_backend(executor, [&](auto& chosen) { detail::call_with_indices(chosen, n, f, at_once); });
}
UPSWEEP_EXPLAIN(for_each_index, "for_each_index(executor, n, f, at_once)")

}  // namespace UPSWEEP_NAMESPACE

// f(i) for every index, on either backend: for what moves items and scans nothing.
#pragma once
#include <algorithm>

#include <upsweep/config.hpp>
#include <upsweep/executor.hpp>
#include <upsweep/host/share_out.hpp>
#if UPSWEEP_HAS_CUDA
#include <upsweep/cuda/for_each_index.hpp>
#endif

namespace upsweep::inline UPSWEEP_ABI::detail {

template <class F>
void for_each_index(host& executor, index_t n, const F& f) {
  constexpr index_t piece = index_t{1} << 16;
  share_out(executor.threads(), (n + piece - 1) / piece, [&](index_t k) {
    for (index_t i = k * piece; i < std::min(n, (k + 1) * piece); i++) f(i);
  });
}
#if UPSWEEP_HAS_CUDA
template <class F>
void for_each_index(device& executor, index_t n, const F& f) {
  if (n == 0) return;
  const gpu::current_device here(executor.ordinal());
  gpu::for_each_index(executor, n, f);
}
#endif
//! Calls f(i) for 0 <= i < n, in no particular order, from several threads. On a device it does not wait.
template <class F>
void for_each_index(any_executor& executor, index_t n, const F& f) {
  executor.visit([&](auto& chosen) { for_each_index(chosen, n, f); });
}

}  // namespace upsweep::inline UPSWEEP_ABI::detail

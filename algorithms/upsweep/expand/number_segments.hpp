// Which segment an item is of, written down for every item.
#pragma once
#include <algorithm>
#include <type_traits>

#include <upsweep/config.hpp>
#include <upsweep/executor.hpp>
#include <upsweep/expand/host/runs.hpp>
#include <upsweep/ranges.hpp>
#if UPSWEEP_HAS_CUDA
#include <upsweep/expand/cuda/runs.hpp>
#endif

namespace UPSWEEP_NAMESPACE::detail {

//! What a run is made of: its number, counted from `First`.
template <class T, int First = 0>
struct number_of_run {
  static constexpr bool run_after_run = true;  // the next run's is one more
  UPSWEEP_HD T operator()(index_t run) const { return static_cast<T>(run + First); }
};

template <class Offset, class T, class Value>
void write_segments(host& executor, const named_range<Offset>& offsets, const named_range<T>& out, const Value& value) {
  write_runs(executor, out, out.size, out.size / std::max<index_t>(offsets.size, 1) + 1,
             offset_runs<std::remove_const_t<Offset>>{offsets.data, offsets.size, out.size}, value);
}
#if UPSWEEP_HAS_CUDA
template <class Offset, class T, class Value>
void write_segments(device& executor, const named_range<Offset>& offsets, const named_range<T>& out,
                    const Value& value) {
  using runs = gpu::offset_runs<std::remove_const_t<Offset>>;
  gpu::write_runs(executor, runs{offsets.data, offsets.size, out.size}, out, value);
}
#endif

//! numbers[i] = the segment that item i lies in, as offsets have it, counted from `First`; in front of the first one it
//! is one less, behind the last one more.
template <int First, class Executor, class Offset, class T>
void number_segments(Executor& executor, const named_range<Offset>& offsets, const named_range<T>& numbers) {
  run_on_backend(executor, [&](auto& chosen) { write_segments(chosen, offsets, numbers, number_of_run<T, First>{}); });
}

}  // namespace UPSWEEP_NAMESPACE::detail

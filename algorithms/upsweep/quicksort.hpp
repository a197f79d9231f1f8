// Quicksort: sorts items of any type by any comparator.
// Not a scan but a partition by many pivots at once (sort/host/quicksort.hpp, sort/cuda/quicksort.hpp); numbers by < or
// > are a radix sort's work (sort/host/number_sort.hpp, sort/cuda/number_sort.hpp).
#pragma once
#include <type_traits>

#include <upsweep/checks.hpp>
#include <upsweep/comparisons.hpp>
#include <upsweep/config.hpp>
#include <upsweep/executor.hpp>
#include <upsweep/explain.hpp>
#include <upsweep/sort/checks.hpp>
#include <upsweep/sort/host/number_sort.hpp>
#include <upsweep/sort/host/quicksort.hpp>
#include <upsweep/sort/number_task.hpp>
#include <upsweep/stages.hpp>
#include <upsweep/user_functions.hpp>
#if UPSWEEP_HAS_CUDA
#include <upsweep/sort/cuda/number_sort.hpp>
#include <upsweep/sort/cuda/quicksort.hpp>
#elif UPSWEEP_HAS_LIBRARY
#include <upsweep/sort/library/quicksort.hpp>
#endif

namespace UPSWEEP_NAMESPACE {

namespace detail {
// What a comparator returns may be anything that converts to bool.
template <class Less>
struct is_before {
  static_assert(result_type_is_known<Less>(), "write the return type of this __device__ lambda (-> bool)");
  Less less;
  UPSWEEP_CALLS_USER
  template <class T>
  UPSWEEP_HD bool operator()(const T& a, const T& b) const {
    return static_cast<bool>(less(a, b));
  }
};
template <class Executor, class T, class Less>
void sort_into(Executor& executor, const named_range<const T>& in, const named_range<T>& out, const Less& less) {
  if constexpr (!sorts_as_number<Less, T>) {
    check_runs_on<Executor, Less, T, T>();
    if constexpr (std::is_same_v<Less, less_than<>>) check_order_runs_on<Executor, T>();
  }
  check_pair(executor, in, out, in.size);
  if (in.size == 0 || (in.size == 1 && in.data == out.data)) return;
  run_on_backend(executor, [&](auto& chosen) {
    if constexpr (sorts_as_number<Less, T>) sort_numbers(chosen, in.data, out.data, in.size, is_descending<Less, T>);
    else sort_by_less(chosen, in.data, out.data, in.size, is_before<Less>{less});
  });
}
}  // namespace detail

//! Sorts n items of any trivially copyable type, up to 64 bytes, into `out`, which must hold n and may be exactly `in`:
//! less(a, b) tells whether a comes before b. Stable, so there is one result, for any number of threads, on the host
//! and on a GPU. O(n log n) comparisons on average, O(n log² n) at worst, O(n) when few items differ; on the host O(n)
//! too when all are in order. Reads the items twice and writes them once for every split into up to 128 buckets (GPU:
//! 256); a host copies them first if `out` is not `in`. Needs as much memory again as the items, and a byte an item; a
//! GPU 10 % more, or for up to a million items half as much again and 70 KB. `less` is called from many threads at
//! once. What it throws on the host reaches the caller; the items of `out` are then unspecified. If it is no strict
//! weak order (`<` of floats among NaNs, say) the items come out in an unspecified order, but all of them, and nothing
//! else is written. Device work is enqueued, two launches (one up to a million items of 4 bytes, or 20,000 of 64); the
//! host has finished when it returns. Throws std::invalid_argument, std::bad_alloc, cuda_error. Method: sample sort, a
//! quicksort by many pivots (Frazer and McKellar 1970). Numbers by less_than{}, std::less or std::greater are sorted as
//! radix_sort sorts keys, in as many launches and with as much memory as that.
//!   upsweep::quicksort(exec, orders, by_price, [](const order& a, const order& b) { return a.price < b.price; });
template <executor Executor, contiguous_range In, contiguous_range Out, class Less = less_than<>>
void quicksort(Executor&& executor, const In& in, Out&& out, Less less = {}) {
  detail::sort_into(executor, detail::input("in", in), UPSWEEP_OUTPUT(out), less);
}
//! Sorts items in place.
//!   upsweep::quicksort(exec, orders, [](const order& a, const order& b) { return a.price < b.price; });
template <executor Executor, contiguous_range Items, class Less = less_than<>>
  requires(!contiguous_range<const Less>)  // nor is it a range to sort into
void quicksort(Executor&& executor, Items&& items, Less less = {}) {
  const auto range = UPSWEEP_OUTPUT(items);
  detail::sort_into(executor, detail::as_input(range), range, less);
}
UPSWEEP_EXPLAIN(quicksort, "quicksort(executor, items, less) or quicksort(executor, in, out, less)")

}  // namespace UPSWEEP_NAMESPACE

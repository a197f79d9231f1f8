// The sweeps that are compiled into upsweep::cuda: a backend beside host/ and cuda/. What the named scans and
// reductions ask a backend for is told to the C interface as the call that it was; for other sweeps there is none.
#pragma once
#include <type_traits>

#include <upsweep/c/scan.h>
#include <upsweep/config.hpp>
#include <upsweep/executor.hpp>
#include <upsweep/item_functions.hpp>
#include <upsweep/library/errors.hpp>
#include <upsweep/library/refuse.hpp>
#include <upsweep/library/table.hpp>
#include <upsweep/lifts.hpp>
#include <upsweep/monoid.hpp>
#include <upsweep/segments.hpp>
#include <upsweep/stages.hpp>

namespace UPSWEEP_NAMESPACE::library {

template <class T>
upsweep_input input_of(const T* data, index_t n) {
  return {.data = data, .size = n, .type = item_code<T>};
}
template <class T>
upsweep_output output_of(T* data, index_t n) {
  return {.data = data, .size = n, .type = item_code<T>};
}
//! The same of what M combines.
template <class M, class T>
upsweep_input input_by(const T* data, index_t n) {
  return {.data = data, .size = n, .type = code_of_items<T, M>};
}
template <class M, class T>
upsweep_output output_by(T* data, index_t n) {
  return {.data = data, .size = n, .type = code_of_items<T, M>};
}

//! A scan over one range to another one.
struct scan_call {
  device& executor;
  upsweep_input in;
  upsweep_output out;
  int monoid;
  upsweep_along along;

  // By what takes the prefixes.
  void operator()(const take_inclusive&) const {
    check(upsweep_inclusive_scan(executor.handle(), in, out, monoid, along));
  }
  void operator()(const detail::segment_inclusive&) const { (*this)(take_inclusive{}); }
  void operator()(const take_exclusive&) const { exclusive(nullptr); }
  template <class M>
  void operator()(const detail::after_init<M>& take) const {
    exclusive(&take.init);
  }
  template <class M, bool HasInit>
  void operator()(const detail::segment_exclusive<M, detail::lift_row, HasInit>& take) const {
    exclusive(HasInit ? &take.init : nullptr);
  }
  void exclusive(const void* init) const {
    check(upsweep_exclusive_scan(executor.handle(), in, out, monoid, init, along));
  }
};
template <class P>
concept takes_prefixes = std::is_invocable_v<const scan_call&, const P&>;

}  // namespace UPSWEEP_NAMESPACE::library

namespace UPSWEEP_NAMESPACE::detail {

template <class T, class M, class P, class D>
  requires(library::scanned_by<T, M> && library::takes_prefixes<P>)
void sweep(device& executor, index_t n, const load_stage<range_column<T>>& load, const lift_to<T>&, const M&,
           const dense_store<T, P>& store, const no_total_t&, D) {
  const library::scan_call call{.executor = executor,
                                .in = library::input_of(get<0>(load.columns).range.data, n),
                                .out = library::output_of(store.range.data, n),
                                .monoid = library::monoid_code<M>,
                                .along = {.row_length = 0, .reversed = D::reversed}};
  call(store.project);
}

template <class T, class M, class P, class D>
  requires(library::scanned_by<T, M> && library::takes_prefixes<P>)
void sweep(device& executor, index_t n, const load_stage<range_column<T>, index_column>& load,
           const lift_segmented<M, lift_row>& rows, const segmented<M>&, const dense_store<T, P>& store,
           const no_total_t&, D) {
  const auto length = static_cast<index_t>(rows.heads.row_length.divisor());
  const library::scan_call call{.executor = executor,
                                .in = library::input_of(get<0>(load.columns).range.data, n),
                                .out = library::output_of(store.range.data, n),
                                .monoid = library::monoid_code<M>,
                                .along = {.row_length = length, .reversed = D::reversed}};
  call(store.project);
}

template <class T, class M>
  requires(library::reduced_by<T, M>)
void sweep(device& executor, index_t n, const load_stage<range_column<T>>& load, const lift_to<typename M::value_type>&,
           const M&, const discard_t&, const write_total<typename M::value_type>& total, forward_t) {
  library::check(upsweep_reduce_to(executor.handle(), library::input_by<M>(get<0>(load.columns).range.data, n),
                                   library::monoid_code<M>, total.out));
}
//! Of items and their indices.
template <class T, class M>
  requires(library::placed_by<T, M>)
void sweep(device& executor, index_t n, const load_stage<range_column<T>, index_column>& load,
           const item_function<lift_indexed>&, const M&, const discard_t&, const write_total<indexed<T>>& total,
           forward_t) {
  library::check(upsweep_reduce_to(executor.handle(), library::input_of(get<0>(load.columns).range.data, n),
                                   library::monoid_code<M>, total.out));
}

UPSWEEP_NOT_IN_LIBRARY(sweep, UPSWEEP_LIBRARY_HAS_SCANS)

}  // namespace UPSWEEP_NAMESPACE::detail

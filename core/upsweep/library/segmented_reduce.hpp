// The reductions of segments and of runs of equal keys that are compiled into upsweep::cuda.
#pragma once
#include <type_traits>

#include <upsweep/c/segments.h>
#include <upsweep/config.hpp>
#include <upsweep/counts.hpp>
#include <upsweep/executor.hpp>
#include <upsweep/library/errors.hpp>
#include <upsweep/library/refuse.hpp>
#include <upsweep/library/scan.hpp>
#include <upsweep/library/segments.hpp>
#include <upsweep/library/table.hpp>
#include <upsweep/lifts.hpp>
#include <upsweep/monoid.hpp>
#include <upsweep/runs.hpp>
#include <upsweep/stages.hpp>

namespace UPSWEEP_NAMESPACE::detail {

template <class T, class Offset, class Out, class M>
  requires(library::reduced_by<T, M> && library::reduced_by<Out, M> && library::counts_offsets<Offset>())
void reduce_segments(device& executor, const named_range<const T>& in, const named_range<const Offset>& offsets,
                     const named_range<Out>& out, const M&) {
  library::check(upsweep_segmented_reduce(executor.handle(), library::input_by<M>(in.data, in.size),
                                          library::input_of(offsets.data, offsets.size),
                                          library::output_by<M>(out.data, out.size), library::monoid_code<M>));
}
UPSWEEP_NOT_IN_LIBRARY(reduce_segments, UPSWEEP_LIBRARY_HAS_SCANS)

//! Of runs of keys that are equal by ==.
template <class T, class Key, class Out, class M, class Classify, class V, class Store>
  requires(library::reduced_by<T, M> && library::reduced_by<Out, M> && library::is_key<Key>())
void sweep(device& executor, index_t n, const load_stage<range_column<T>, previous_column<Key>>& load,
           const counting_lift<lift_segmented<M, head_of_run<equal_to<>>>, Classify, V, 1>&,
           const counting<segmented<M>, 1>&, const Store&, const last_run<Key, Out>& last, forward_t) {
  constexpr int type = library::type_code<library::key_word<Key>>;
  library::check(upsweep_reduce_by_key_to(executor.handle(), library::keys_of(get<1>(load.columns).range),
                                          library::input_by<M>(get<0>(load.columns).range.data, n),
                                          {.data = last.keys, .size = n, .type = type},
                                          library::output_by<M>(last.out, n), library::monoid_code<M>, last.count));
}

}  // namespace UPSWEEP_NAMESPACE::detail

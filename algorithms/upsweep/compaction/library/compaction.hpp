// The compactions and partitions that are compiled into upsweep::cuda: their sweeps, told to the C interface as the
// calls that they were (library/scan.hpp does so with scans).
#pragma once
#include <type_traits>

#include <upsweep/c/compaction.h>
#include <upsweep/columns.hpp>
#include <upsweep/compaction/library/has.hpp>
#include <upsweep/compaction/streams.hpp>
#include <upsweep/comparisons.hpp>
#include <upsweep/config.hpp>
#include <upsweep/executor.hpp>
#include <upsweep/library/bytes.hpp>
#include <upsweep/library/errors.hpp>
#include <upsweep/library/intervals.hpp>
#include <upsweep/library/refuse.hpp>
#include <upsweep/library/scan.hpp>
#include <upsweep/runs.hpp>
#include <upsweep/stages.hpp>

namespace UPSWEEP_NAMESPACE::library {

//! What sweeps the items of one range and packs them: sides, each a range of items as they are read.
template <int Counts, class T, class Classify, class... Sides>
using packing = packed_store<Counts, T, Classify, take_item, Sides...>;
//! What it lifts: counts alone.
template <int Counts, class Classify>
using counted_streams = detail::counting_lift<detail::lift_nothing, Classify, nothing, Counts>;

template <class Equal>
inline constexpr bool is_equality =
    std::is_same_v<Equal, equal_to<>> || std::is_same_v<Equal, detail::same_in_all_columns>;
template <class L>
concept index_of_table = std::is_integral_v<L> && sizeof(L) >= 4;

template <class T>
const T* data_of(const load_stage<range_column<T>>& load) {
  return get<0>(load.columns).range.data;
}

}  // namespace UPSWEEP_NAMESPACE::library

namespace UPSWEEP_NAMESPACE::detail {

// ---------------------------------------------------------------- by comparisons
template <class T, library::comparison_of<T> C>
void sweep(device& executor, index_t n, const load_stage<range_column<T>>& load,
           const library::counted_streams<1, keep_if<C>>&, const counting<nothing, 1>&,
           const library::packing<1, T, keep_if<C>, T>& store, const write_counts<1>& finish, forward_t) {
  const auto kept = library::interval_of<T>(store.classify.predicate);
  library::check(upsweep_copy_if(executor.handle(), library::input_of(library::data_of(load), n),
                                 library::output_of(get<0>(store.ranges).data, n), library::told(kept), finish.counts));
}
template <class T, library::comparison_of<T> C>
void sweep(device& executor, index_t n, const load_stage<range_column<T>>& load,
           const library::counted_streams<1, keep_if<C>>&, const counting<nothing, 1>&,
           const library::packing<1, T, keep_if<C>, T, T>& store, const write_counts<1>& finish, forward_t) {
  const auto selected = library::interval_of<T>(store.classify.predicate);
  library::check(upsweep_partition_copy(
      executor.handle(), library::input_of(library::data_of(load), n), library::output_of(get<0>(store.ranges).data, n),
      library::output_of(get<1>(store.ranges).data, n), library::told(selected), finish.counts));
}
template <class T, library::comparison_of<T> A, library::comparison_of<T> B>
void sweep(device& executor, index_t n, const load_stage<range_column<T>>& load,
           const library::counted_streams<2, to_stream<first_of<A, B>>>&, const counting<nothing, 2>&,
           const library::packing<2, T, to_stream<first_of<A, B>>, T, T, T>& store, const write_counts<2>& finish,
           forward_t) {
  const auto out = [&]<int I>(std::integral_constant<int, I>) {
    return library::output_of(get<I>(store.ranges).data, n);
  };
  const auto first = library::interval_of<T>(store.classify.classify.first);
  const auto second = library::interval_of<T>(store.classify.classify.second);
  library::check(upsweep_three_way_partition(
      executor.handle(), library::input_of(library::data_of(load), n), out(std::integral_constant<int, 0>{}),
      out(std::integral_constant<int, 1>{}), out(std::integral_constant<int, 2>{}), library::told(first),
      library::told(second), finish.counts));
}

// ---------------------------------------------------------------- by flags
template <library::moved_as_bytes T, library::byte_flag Flag>
void sweep(device& executor, index_t n, const load_stage<range_column<T>, range_column<Flag>>& load,
           const library::counted_streams<1, keep_flagged>&, const counting<nothing, 1>&,
           const packed_store<1, T, keep_flagged, take_columns<T>, T>& store, const write_counts<1>& finish,
           forward_t) {
  library::check(upsweep_copy_flagged(executor.handle(), library::bytes_of(get<0>(load.columns).range.data, n),
                                      library::flags_of(get<1>(load.columns).range.data, n),
                                      library::bytes_to(get<0>(store.ranges).data, n), finish.counts));
}
template <library::moved_as_bytes T, library::byte_flag Flag>
void sweep(device& executor, index_t n, const load_stage<range_column<T>, range_column<Flag>>& load,
           const library::counted_streams<1, keep_flagged>&, const counting<nothing, 1>&,
           const packed_store<1, T, keep_flagged, take_columns<T>, T, T>& store, const write_counts<1>& finish,
           forward_t) {
  library::check(upsweep_partition_flagged(executor.handle(), library::bytes_of(get<0>(load.columns).range.data, n),
                                           library::flags_of(get<1>(load.columns).range.data, n),
                                           library::bytes_to(get<0>(store.ranges).data, n),
                                           library::bytes_to(get<1>(store.ranges).data, n), finish.counts));
}
template <library::byte_flag Flag, library::index_of_table Index>
void sweep(device& executor, index_t n, const load_stage<range_column<Flag>>& load,
           const library::counted_streams<1, keep_if<is_set>>&, const counting<nothing, 1>&,
           const packed_store<1, Index, keep_if<is_set>, take_index, Index>& store, const write_counts<1>& finish,
           forward_t) {
  library::check(upsweep_nonzero(executor.handle(), library::flags_of(library::data_of(load), n),
                                 library::output_of(get<0>(store.ranges).data, n), finish.counts));
}

// ---------------------------------------------------------------- runs
template <class T, class Equal>
  requires(library::type_code<T> != 0 && library::is_equality<Equal>)
void sweep(device& executor, index_t n, const load_stage<previous_column<T>>& load,
           const library::counted_streams<1, keep_if<first_of_run<Equal>>>&, const counting<nothing, 1>&,
           const packed_store<1, T, keep_if<first_of_run<Equal>>, take_value, T>& store, const write_counts<1>& finish,
           forward_t) {
  library::check(upsweep_unique_copy(executor.handle(), library::input_of(get<0>(load.columns).range.data, n),
                                     library::output_of(get<0>(store.ranges).data, n), finish.counts));
}
// Reductions of ones.
template <class Length, class T, class Lift, class M, class Equal, class Project>
  requires(library::type_code<T> != 0 && library::index_of_table<Length> && library::is_equality<Equal>)
void sweep(device& executor, index_t n, const load_stage<constant_column<Length>, previous_column<T>>& load,
           const Lift&, const M&,
           const packed_store<1, tuple<T, Length>, next_run<Equal, constant_column<Length>>, Project, T, Length>& store,
           const last_run<T, Length>& finish, forward_t) {
  library::check(upsweep_run_length_encode(executor.handle(), library::input_of(get<1>(load.columns).range.data, n),
                                           library::output_of(get<0>(store.ranges).data, n),
                                           library::output_of(get<1>(store.ranges).data, n), finish.count));
}

// ---------------------------------------------------------------- others of these calls
template <class Load, int K, class Classify, class Store, class D>
void sweep(device&, index_t, const Load&, const library::counted_streams<K, Classify>&, const counting<nothing, K>&,
           const Store&, const write_counts<K>&, D) {
  static_assert(sizeof(Load) == 0, UPSWEEP_NOT_COMPILED_IN(UPSWEEP_LIBRARY_HAS_COMPACTION));
}
template <class Length, class T, class Lift, class M, class Store, class K, class D>
void sweep(device&, index_t, const load_stage<constant_column<Length>, previous_column<T>>&, const Lift&, const M&,
           const Store&, const last_run<K, Length>&, D) {
  static_assert(sizeof(T) == 0, UPSWEEP_NOT_COMPILED_IN(UPSWEEP_LIBRARY_HAS_COMPACTION));
}

}  // namespace UPSWEEP_NAMESPACE::detail

// The sweeps over segments that are compiled into upsweep::cuda: scans by heads, offsets and keys, told to the C
// interface as the calls that they were.
#pragma once
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <upsweep/c/segments.h>
#include <upsweep/config.hpp>
#include <upsweep/executor.hpp>
#include <upsweep/library/errors.hpp>
#include <upsweep/library/scan.hpp>
#include <upsweep/library/table.hpp>
#include <upsweep/lifts.hpp>
#include <upsweep/monoid.hpp>
#include <upsweep/segments.hpp>
#include <upsweep/stages.hpp>

namespace UPSWEEP_NAMESPACE::library {

template <class Flag>
upsweep_segments heads_of(const named_range<const Flag>& heads) {
  return {.kind = UPSWEEP_HEADS, .marks = {.data = heads.data, .size = heads.size, .type = 0}};
}
//! An integer of a key's size.
template <class Key>
using key_word = std::conditional_t<sizeof(Key) == 4, std::uint32_t, std::uint64_t>;
template <class Key>
upsweep_input keys_of(const named_range<const Key>& keys) {
  return {.data = keys.data, .size = keys.size, .type = type_code<key_word<Key>>};
}

// What a column beside the items says of their segments, and what reads it.
template <byte_flag Flag>
upsweep_segments segments_of(const range_column<Flag>& heads, const detail::lift_flagged&) {
  return heads_of(heads.range);
}
template <byte_flag Flag>
upsweep_segments segments_of(const previous_column<Flag>& heads, const detail::lift_flagged&) {
  return heads_of(heads.range);
}
template <class Key>
  requires(is_key<Key>())
upsweep_segments segments_of(const previous_column<Key>& keys, const detail::lift_keyed&) {
  return {.kind = UPSWEEP_KEYS, .marks = keys_of(keys.range)};
}
template <class Offset, bool Reversed>
  requires(counts_offsets<Offset>())
upsweep_segments segments_of(const detail::marks_column<Offset>& marks, const detail::lift_marked<Reversed>&) {
  return {.kind = UPSWEEP_OFFSETS, .marks = input_of(marks.offsets, marks.count)};
}
template <class Column, class Heads>
concept cuts_segments = requires(const Column& column, const Heads& heads) { segments_of(column, heads); };

//! Which prefixes a projection takes.
enum class prefixes { none, inclusive, exclusive };
template <class P>
inline constexpr prefixes prefixes_of = prefixes::none;
template <>
inline constexpr prefixes prefixes_of<detail::segment_inclusive> = prefixes::inclusive;
template <class M, class Heads>
inline constexpr prefixes prefixes_of<detail::segment_exclusive<M, Heads, false>> = prefixes::exclusive;

}  // namespace UPSWEEP_NAMESPACE::library

namespace UPSWEEP_NAMESPACE::detail {

template <class T, class Column, class M, class Heads, class P, class D>
  requires(library::scanned_by<T, M> && library::cuts_segments<Column, Heads> &&
           library::prefixes_of<P> != library::prefixes::none)
void sweep(device& executor, index_t n, const load_stage<range_column<T>, Column>& load,
           const lift_segmented<M, Heads>& lift, const segmented<M>&, const dense_store<T, P>& store, const no_total_t&,
           D) {
  constexpr bool is_inclusive = library::prefixes_of<P> == library::prefixes::inclusive;
  const auto scan = is_inclusive ? &upsweep_inclusive_segmented_scan : &upsweep_exclusive_segmented_scan;
  library::check(scan(executor.handle(), library::input_of(get<0>(load.columns).range.data, n),
                      library::segments_of(get<1>(load.columns), lift.heads), library::output_of(store.range.data, n),
                      library::monoid_code<M>, D::reversed));
}

}  // namespace UPSWEEP_NAMESPACE::detail

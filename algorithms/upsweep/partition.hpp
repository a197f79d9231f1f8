// Partition: a range, or several columns in step (columns.hpp), split into two or three, or every segment of a range
// into two. Every side keeps its order.
#pragma once
#include <array>
#include <cstdint>
#include <type_traits>
#include <utility>

#include <upsweep/columns.hpp>
#include <upsweep/compaction.hpp>
#include <upsweep/compaction/streams.hpp>
#include <upsweep/config.hpp>
#include <upsweep/expand/number_segments.hpp>
#include <upsweep/explain.hpp>
#include <upsweep/for_each_index.hpp>
#include <upsweep/item_functions.hpp>
#include <upsweep/library/refuse.hpp>
#include <upsweep/require.hpp>
#include <upsweep/scan.hpp>
#include <upsweep/scratch.hpp>
#include <upsweep/search.hpp>
#include <upsweep/segments.hpp>
#if UPSWEEP_HAS_LIBRARY
#include <upsweep/compaction/library/partition.hpp>
#endif

namespace UPSWEEP_NAMESPACE {

namespace detail {
// Rows to their streams; `store` is one of rows. Counts are those of all streams but the last.
template <class Executor, class Load, class Store>
void distribute(Executor& executor, index_t n, const Load& load, const Store& store, const char* name,
                index_t* counts) {
  check_range(executor, named_range<index_t>{counts, Store::counts, name}, Store::counts);
  scan_then(executor, n, load, lift_nothing{}, nothing{}, store, write_counts<Store::counts>{counts});
}
// The first `Columns` columns of a load's rows, each to a side.
template <int Columns, class Load, class Classify, class... Ts, class... Rest>
auto sides(const Load&, const Classify& classify, const tuple<named_range<Ts>...>& first, const Rest&... rest) {
  return distributed_rows(classify, row_projection<Columns, Load>(first), first, rest...);
}
}  // namespace detail

//! Copies the items for which predicate(item) is true to the front of `selected` and the others to the front of
//! `rejected`, both in order; *count is the number of the first, in the executor's memory. `in` is a range, or several
//! columns, contiguous(a, b, …): then `selected` and `rejected` are tuples of as many ranges, and predicate takes
//! (a, b, …) or an upsweep::tuple. Each output must hold n; one of the two may be exactly `in`. Costs one read of in
//! and one write of n items. Does not wait. What lies behind an output's items is untouched, or unspecified when in
//! place. Throws std::invalid_argument, cuda_error. One sweep (Merrill and Garland 2016), which stages both sides in
//! order. (On a device the columns of a row take at most 400 bytes.)
template <executor Executor, row_source In, row_target Selected, row_target Rejected, class Predicate>
void partition_copy(Executor&& executor, const In& in, Selected&& selected, Rejected&& rejected, Predicate predicate,
                    index_t* count) {
  UPSWEEP_CHECK_OUTPUT(selected);
  UPSWEEP_CHECK_OUTPUT(rejected);
  const auto from = detail::rows_from<"in">(in);
  detail::check_runs_on<Executor, Predicate, typename decltype(from)::item_type>();
  detail::distribute(
      executor, detail::row_count(from), from,
      detail::sides<from.width>(from, detail::keep_if<Predicate>{predicate}, detail::columns_to<"selected">(selected),
                                detail::columns_to<"rejected">(rejected)),
      "count", count);
}
//! The same; returns the count, and waits for it.
//!   std::int64_t positives = upsweep::partition_copy(exec, in, positive, others, is_positive{});
template <executor Executor, row_source In, row_target Selected, row_target Rejected, class Predicate>
index_t partition_copy(Executor&& executor, const In& in, Selected&& selected, Rejected&& rejected,
                       Predicate predicate) {
  return executor.template returned<index_t>([&](index_t* count) {
    partition_copy(executor, in, std::forward<Selected>(selected), std::forward<Rejected>(rejected), predicate, count);
  });
}

//! Selects the items whose flag is not zero. `flags` has as many items as `in`. Otherwise as partition_copy.
template <executor Executor, row_source In, contiguous_range Flags, row_target Selected, row_target Rejected>
void partition_flagged(Executor&& executor, const In& in, const Flags& flags, Selected&& selected, Rejected&& rejected,
                       index_t* count) {
  UPSWEEP_CHECK_OUTPUT(selected);
  UPSWEEP_CHECK_OUTPUT(rejected);
  const auto from = detail::rows_from<"in">(in);
  const auto flagged = contiguous(from, detail::input("flags", flags));
  detail::distribute(
      executor, detail::row_count(flagged), flagged,
      detail::sides<from.width>(flagged, detail::keep_flagged{}, detail::columns_to<"selected">(selected),
                                detail::columns_to<"rejected">(rejected)),
      "count", count);
}
template <executor Executor, row_source In, contiguous_range Flags, row_target Selected, row_target Rejected>
index_t partition_flagged(Executor&& executor, const In& in, const Flags& flags, Selected&& selected,
                          Rejected&& rejected) {
  return executor.template returned<index_t>([&](index_t* count) {
    partition_flagged(executor, in, flags, std::forward<Selected>(selected), std::forward<Rejected>(rejected), count);
  });
}

//! Copies the items that classify(item) calls 0 to out0, 1 to out1, and all others to out2, each in order; counts[0]
//! and counts[1] are the numbers of the first two. Otherwise as partition_copy.
template <executor Executor, row_source In, row_target Out0, row_target Out1, row_target Out2, class Classify>
void three_way_partition(Executor&& executor, const In& in, Out0&& out0, Out1&& out1, Out2&& out2, Classify classify,
                         index_t* counts) {
  UPSWEEP_CHECK_OUTPUT(out0);
  UPSWEEP_CHECK_OUTPUT(out1);
  UPSWEEP_CHECK_OUTPUT(out2);
  const auto from = detail::rows_from<"in">(in);
  detail::check_runs_on<Executor, Classify, typename decltype(from)::item_type>();
  detail::distribute(
      executor, detail::row_count(from), from,
      detail::sides<from.width>(from, detail::to_stream<Classify>{classify}, detail::columns_to<"out0">(out0),
                                detail::columns_to<"out1">(out1), detail::columns_to<"out2">(out2)),
      "counts", counts);
}
//! The same; returns both counts, and waits for them.
//!   const auto [below, equal] = upsweep::three_way_partition(exec, in, a, b, c, compare_with{pivot});
template <executor Executor, row_source In, row_target Out0, row_target Out1, row_target Out2, class Classify>
std::array<index_t, 2> three_way_partition(Executor&& executor, const In& in, Out0&& out0, Out1&& out1, Out2&& out2,
                                           Classify classify) {
  using counts_type = std::array<index_t, 2>;
  return executor.template returned<counts_type>([&](counts_type* counts) {
    three_way_partition(executor, in, std::forward<Out0>(out0), std::forward<Out1>(out1), std::forward<Out2>(out2),
                        classify, counts->data());
  });
}

namespace detail {
// The rejected rows behind the selected ones, in the same columns.
template <compiled_here Executor, class Load, class Predicate, class... Ts>
void partition_behind(Executor& executor, const Load& from, const tuple<named_range<Ts>...>& to,
                      const Predicate& predicate, index_t* count) {
  const index_t n = row_count(from);
  auto store = sides<Load::width>(from, keep_if<Predicate>{predicate}, to, to);
  index_t* selected = nullptr;
  in_scratch(executor, [&](scratch_cutter& scratch) { selected = scratch.take<index_t>(1); });
  store.lengths = selected;
  check_sweep(executor, n, from, store);  // of both sweeps, before the first writes
  count_if(executor, from, predicate, selected);
  distribute(executor, n, from, store, "count", count);
}
}  // namespace detail

//! Copies the items for which predicate(item) is true to the front of out and the others behind them, both in order;
//! *count is the number of the first. Of several columns as partition_copy. `out` must hold n and lie apart from `in`.
//! Two sweeps: one counts, one distributes; they read in twice and write out once, and call the predicate in both. Does
//! not wait. Throws std::invalid_argument, cuda_error.
template <executor Executor, row_source In, row_target Out, class Predicate>
void stable_partition_copy(Executor&& executor, const In& in, Out&& out, Predicate predicate, index_t* count) {
  UPSWEEP_CHECK_OUTPUT(out);
  const auto from = detail::rows_from<"in">(in);
  detail::check_runs_on<Executor, Predicate, typename decltype(from)::item_type>();
  const auto to = detail::columns_to<"out">(out);
  detail::run_on_backend(executor, [&](auto& chosen) { detail::partition_behind(chosen, from, to, predicate, count); });
}
//! The same; returns the count, and waits for it.
//!   std::int64_t selected = upsweep::stable_partition_copy(exec, in, out, is_positive{});
template <executor Executor, row_source In, row_target Out, class Predicate>
index_t stable_partition_copy(Executor&& executor, const In& in, Out&& out, Predicate predicate) {
  return executor.template returned<index_t>(
      [&](index_t* count) { stable_partition_copy(executor, in, std::forward<Out>(out), predicate, count); });
}

namespace detail {
// A count to where the caller wants it, and to where the next launch reads it.
struct write_count_twice {
  index_t *count, *copy;
  template <class Item>
  UPSWEEP_HD void operator()(const Item&, const counted<nothing, 1>& total) const {
    empty(total);
  }
  UPSWEEP_HD void empty(const counted<nothing, 1>& total) const { *count = *copy = total.counts[0]; }
};
// The rejected items, back to behind the selected ones.
template <class T>
struct put_behind {
  T* items;
  const T* rejected;
  const index_t* selected;
  index_t n;
  UPSWEEP_HD void operator()(index_t i) const {
    if (i < n - *selected) items[*selected + i] = rejected[i];
  }
};
template <class... Ts>
load_stage<range_column<Ts>...> as_load(const tuple<named_range<Ts>...>& columns) {
  return [&]<std::size_t... I>(std::index_sequence<I...>) {
    return load_of(
        upsweep::make_tuple(range_column<Ts>{{get<I>(columns).data, get<I>(columns).size, get<I>(columns).name}}...));
  }(std::index_sequence_for<Ts...>{});
}
// Room for a count and n items of every column.
template <class... Ts>
struct set_aside {
  template <class Executor>
  set_aside(Executor& executor, index_t n) {
    in_scratch(executor, [&](scratch_cutter& scratch) {
      count = scratch.take<index_t>(1);
      columns = upsweep::make_tuple(named_range<Ts>{scratch.take<Ts>(n), n, "scratch memory"}...);
    });
  }
  index_t* count;
  tuple<named_range<Ts>...> columns;
};

template <compiled_here Executor, class Predicate, class... Ts>
void partition_in_place(Executor& executor, const tuple<named_range<Ts>...>& items, const Predicate& predicate,
                        index_t* count) {
  check_range(executor, named_range<index_t>{count, 1, "count"}, 1);
  const auto load = as_load(items);
  check_runs_on<Executor, Predicate, typename decltype(load)::item_type>();
  const index_t n = row_count(load);
  for_each_element(items, [&](const auto& column) { check_range(executor, column, n); });
  const set_aside<Ts...> rejected(executor, n);
  scan_then(executor, n, load, lift_nothing{}, nothing{},
            sides<sizeof...(Ts)>(load, keep_if<Predicate>{predicate}, items, rejected.columns),
            write_count_twice{count, rejected.count});
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    (for_each_index(executor, n, put_behind<Ts>{get<I>(items).data, get<I>(rejected.columns).data, rejected.count, n}),
     ...);
  }(std::index_sequence_for<Ts...>{});
}
}  // namespace detail

//! Moves the items for which predicate(item) is true to the front and the others behind them, both in order, in place;
//! *count is the number of the first, in the executor's memory. `items` is a range, or columns, std::tie(a, b, …): then
//! predicate takes (a, b, …) or an upsweep::tuple. The predicate is called once an item
//! on a host, twice on a device. Costs one read and one write of all items,
//! and a second one of those that are not selected, which are set aside in scratch memory of n items. Does not wait.
//! Throws std::invalid_argument, std::bad_alloc, cuda_error.
template <executor Executor, row_target Items, class Predicate>
void stable_partition(Executor&& executor, Items&& items, Predicate predicate, index_t* count) {
  UPSWEEP_CHECK_OUTPUT(items);
  detail::run_on_backend(executor, [&](auto& chosen) {
    detail::partition_in_place(chosen, detail::columns_to<"items">(items), predicate, count);
  });
}
//! The same; returns the count, and waits for it.
//!   std::int64_t selected = upsweep::stable_partition(exec, items, is_positive{});
template <executor Executor, row_target Items, class Predicate>
index_t stable_partition(Executor&& executor, Items&& items, Predicate predicate) {
  return executor.template returned<index_t>(
      [&](index_t* count) { stable_partition(executor, std::forward<Items>(items), predicate, count); });
}

// ---------------------------------------------------------------- segments
namespace detail {
// An item of the segmented sweeps: (value, 1 + its segment's number, its position).
template <class T, class Offset>
using numbered = tuple<T, Offset, index_t>;

template <class Offset, class BelongsLeft>
struct segment_sides {
  static_assert(std::is_integral_v<Offset> && sizeof(Offset) >= 4, "offsets are 4- or 8-byte integers");
  static_assert(result_type_is_known<BelongsLeft>(), "write the return type of this __device__ lambda (-> bool)");
  using count_type = std::make_unsigned_t<Offset>;
  const Offset* offsets;
  index_t segments;
  BelongsLeft belongs_left;

  template <class T>
  UPSWEEP_HD bool is_inside(const numbered<T, Offset>& item) const {
    return 0 < get<1>(item) && static_cast<index_t>(get<1>(item)) <= segments;
  }
  template <class T>
  UPSWEEP_HD index_t segment(const numbered<T, Offset>& item) const {
    return static_cast<index_t>(get<1>(item)) - 1;
  }
  UPSWEEP_CALLS_USER
  template <class T>
  UPSWEEP_HD bool is_left(const numbered<T, Offset>& item) const {
    return belongs_left(get<0>(item), segment(item));
  }
  // Counts the left items of a segment.
  UPSWEEP_CALLS_USER
  template <class T>
  UPSWEEP_HD typename segmented<plus<count_type>>::value_type operator()(const numbered<T, Offset>& item) const {
    if (!is_inside(item)) return {0, false};
    return {is_left(item) ? count_type{1} : count_type{0},
            static_cast<index_t>(offsets[segment(item)]) == get<2>(item)};
  }
};

// Where an empty segment splits. The others are overwritten.
template <class Offset, class Split>
struct store_begin {
  const Offset* offsets;
  Split* splits;
  UPSWEEP_HD void operator()(index_t s) const { splits[s] = static_cast<Split>(offsets[s]); }
};
// The last item of a segment knows where it splits.
template <class Sides, class Split>
struct store_split {
  Sides sides;
  Split* splits;
  template <class Item, class V>
  UPSWEEP_HD void operator()(index_t i, const Item& item, const V&, const V& inclusive) const {
    if (!sides.is_inside(item)) return;
    const index_t s = sides.segment(item);
    if (static_cast<index_t>(sides.offsets[s + 1]) == i + 1)
      splits[s] = static_cast<Split>(static_cast<index_t>(sides.offsets[s]) + static_cast<index_t>(inclusive.value));
  }
};
template <class Sides, class Split, class T>
struct scatter_sides {
  Sides sides;
  const Split* splits;
  named_range<T> out;
  UPSWEEP_CALLS_USER
  template <class Item, class V>
  UPSWEEP_HD void operator()(index_t i, const Item& item, const V&, const V& inclusive) const {
    index_t to = i;
    if (sides.is_inside(item)) {
      const index_t s = sides.segment(item), left = static_cast<index_t>(inclusive.value);  // up to this item
      const auto begin = static_cast<index_t>(sides.offsets[s]);
      to = sides.is_left(item) ? begin + left - 1 : static_cast<index_t>(splits[s]) + (i - begin) - left;
    }
    if (0 <= to && to < out.size) out.data[to] = static_cast<T>(get<0>(item));  // offsets may hold anything
  }
};

template <class Executor, class T, class Offset, class Out, class Split>
void check_segments(const Executor& executor, const named_range<T>& in, const named_range<Offset>& offsets,
                    const named_range<Out>& out, const named_range<Split>& splits) {
  check_offsets(offsets);
  require(can_hold<std::remove_const_t<Offset>>(offsets.size), "offsets", ": its type cannot number its ", offsets.size,
          " entries");
  check_one_each(offsets, splits);
  check_range(executor, in, in.size);
  check_range(executor, offsets, offsets.size);
  check_range(executor, out, in.size);
  check_range(executor, splits, splits.size);
  check_disjoint(in, in.size, out, in.size);
  check_disjoint(offsets, offsets.size, out, in.size);
  check_disjoint(in, in.size, splits, splits.size);
  check_disjoint(offsets, offsets.size, splits, splits.size);
  check_disjoint(out, in.size, splits, splits.size, ": outputs must be disjoint");
}
}  // namespace detail

//! Splits every segment s, the items [offsets[s], offsets[s + 1]), on its own: those for which belongs_left(item, s) is
//! true come first, both sides in order, in the same positions of `out`; splits[s] is where the second side begins.
//! `offsets` (4- or 8-byte integers that do not decrease) has one entry more than splits. Items outside of all segments
//! are copied as they stand. `out` must hold n and lie apart from `in`. Every item's segment is written down first, in
//! scratch memory of an offset's size an item; then two sweeps, a segmented scan that counts and one that scatters,
//! read that and in twice, write out once, and call belongs_left up to five times an item. Wrong contents of offsets
//! never read or write out of bounds. Does not wait. Throws std::invalid_argument, cuda_error. (Blelloch 1990: the
//! split of data-parallel quicksort.)
//!   upsweep::segmented_partition(exec, in, offsets, out, splits, is_below_pivot_of{pivots.data()});
template <executor Executor, contiguous_range In, offset_positions Offsets, contiguous_range Out,
          contiguous_range Splits, class BelongsLeft>
void segmented_partition(Executor&& executor, const In& in, const Offsets& offsets, Out&& out, Splits&& splits,
                         BelongsLeft belongs_left) {
  detail::check_runs_on<Executor, BelongsLeft, element_t<const In>, index_t>();
  const auto bounds = detail::positions_of(offsets);
  using Offset = std::remove_const_t<std::remove_pointer_t<decltype(bounds.data)>>;
  using Sides = detail::segment_sides<Offset, BelongsLeft>;
  using M = segmented<plus<typename Sides::count_type>>;
  using Split = element_t<Splits>;
  const auto from = detail::input("in", in);
  const auto to = UPSWEEP_OUTPUT(out);
  const auto places = UPSWEEP_OUTPUT(splits);
  detail::check_segments(executor, from, bounds, to, places);
  const Sides sides{bounds.data, places.size, belongs_left};
  named_range<Offset> numbers{nullptr, from.size, "numbers"};
  detail::in_scratch(executor, [&](detail::scratch_cutter& cut) { numbers.data = cut.take<Offset>(from.size); });
  detail::number_segments<1>(executor, bounds, numbers);
  const auto items = contiguous(from, numbers, indices());
  for_each_index(executor, places.size, detail::store_begin<Offset, Split>{bounds.data, places.data});
  detail::scan_then(executor, from.size, items, sides, M{}, each(detail::store_split<Sides, Split>{sides, places.data}),
                    no_total);
  detail::scan_then(
      executor, from.size, items, sides, M{},
      each(detail::scatter_sides<Sides, Split, element_t<Out>>{sides, places.data, {to.data, from.size, to.name}}),
      no_total);
}
UPSWEEP_EXPLAIN(partition_copy,
                "partition_copy(executor, in, selected, rejected, predicate), or with a pointer of type index_t* "
                "behind for the count")
UPSWEEP_EXPLAIN(partition_flagged,
                "partition_flagged(executor, in, flags, selected, rejected), or with a pointer of type index_t* behind "
                "for the count")
UPSWEEP_EXPLAIN(three_way_partition,
                "three_way_partition(executor, in, out0, out1, out2, classify), or with a pointer to two index_t "
                "behind for the counts")
UPSWEEP_EXPLAIN(
    stable_partition_copy,
    "stable_partition_copy(executor, in, out, predicate), or with a pointer of type index_t* behind for the count")
UPSWEEP_EXPLAIN(
    stable_partition,
    "stable_partition(executor, items, predicate), in place, or with a pointer of type index_t* behind for the count")
UPSWEEP_EXPLAIN(segmented_partition, "segmented_partition(executor, in, offsets, out, splits, belongs_left)")

}  // namespace UPSWEEP_NAMESPACE

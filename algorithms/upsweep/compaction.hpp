// Stream compaction: scans that count, behind stores that pack. All are stable.
//
// What is filtered is a range, or several columns in step, which go to as many ranges (columns.hpp):
//   upsweep::copy_if(exec, upsweep::contiguous(ids, values), std::tie(ids_out, values_out), is_heavy{});
// A function of yours then takes an item of each, f(id, value), or an upsweep::tuple, which has structured bindings:
//   bool operator()(const upsweep::tuple<int, float>& row) const { const auto& [id, value] = row; return value > 1; }
#pragma once
#include <type_traits>
#include <utility>

#include <upsweep/columns.hpp>
#include <upsweep/compaction/streams.hpp>
#include <upsweep/comparisons.hpp>
#include <upsweep/config.hpp>
#include <upsweep/explain.hpp>
#include <upsweep/item_functions.hpp>
#include <upsweep/reduce.hpp>
#include <upsweep/require.hpp>
#include <upsweep/scan.hpp>
#if UPSWEEP_HAS_LIBRARY
#include <upsweep/compaction/library/compaction.hpp>
#endif

namespace UPSWEEP_NAMESPACE {

namespace detail {
// equal(previous, item), of an item of a range or of all columns' items.
template <class In>
struct row_of {
  using type = element_t<const In>;
};
template <class... Cs>
struct row_of<load_stage<Cs...>> {
  using type = row_of_t<typename Cs::item_type...>;
};
template <class Equal, class In>
concept equality_of =
    std::is_invocable_v<const Equal&, const typename row_of<In>::type&, const typename row_of<In>::type&>;
// Ranges, each item with the one before it.
template <class... Cs>
auto with_neighbours(const load_stage<Cs...>& load) {
  static_assert((Cs::in_memory && ...), "upsweep: every column of unique_copy is a range");
  return [&]<std::size_t... I>(std::index_sequence<I...>) {
    return contiguous(with_previous(get<I>(load.columns).range)...);
  }(std::index_sequence_for<Cs...>{});
}
// Keeps what `classify` puts in stream 0, as `project` gives it; every call below is this one.
template <class Executor, class Load, class Classify, class Project, class... Ts>
void compact(Executor& executor, index_t n, const Load& load, const Classify& classify, const Project& project,
             const tuple<named_range<Ts>...>& out, index_t* count) {
  check_result(executor, "count", count);
  scan_then(executor, n, load, lift_nothing{}, nothing{}, kept_rows(classify, project, out), write_counts<1>{count});
}
// The first `Columns` columns of the rows that are kept.
template <int Columns, class Executor, class Load, class Classify, class... Ts>
void compact_rows(Executor& executor, const Load& load, const Classify& classify, const tuple<named_range<Ts>...>& out,
                  index_t* count) {
  compact(executor, row_count(load), load, classify, row_projection<Columns, Load>(out), out, count);
}
}  // namespace detail

//! Copies the items for which predicate(item) is true to the front of out, in order; *count is their number, in the
//! executor's memory. `in` is a range, or several columns, contiguous(a, b, …): then `out` is a tuple of as many
//! ranges, std::tie(a_out, b_out, …), and predicate takes (a, b, …) or an upsweep::tuple. A pointer to a member is one.
//! `out` must hold n and may be exactly `in`, column by column. Costs one read of in and one write of what is kept.
//! Does not wait. Throws std::invalid_argument, cuda_error. What lies behind the kept items is unspecified when in
//! place, untouched otherwise. (On a device the columns of a row take at most 400 bytes.)
//!   upsweep::copy_if(exec, upsweep::contiguous(ids, values), std::tie(ids_out, values_out), is_heavy{}, count);
template <executor Executor, row_source In, row_target Out, class Predicate>
void copy_if(Executor&& executor, const In& in, Out&& out, Predicate predicate, index_t* count) {
  UPSWEEP_CHECK_OUTPUT(out);
  const auto from = detail::rows_from<"in">(in);
  detail::check_runs_on<Executor, Predicate, typename decltype(from)::item_type>();
  detail::compact_rows<from.width>(executor, from, detail::keep_if<Predicate>{predicate},
                                   detail::columns_to<"out">(out), count);
}
//! The same; returns the count, and waits for it.
//!   std::int64_t kept = upsweep::copy_if(exec, in, out, is_positive{});
template <executor Executor, row_source In, row_target Out, class Predicate>
index_t copy_if(Executor&& executor, const In& in, Out&& out, Predicate predicate) {
  return executor.template returned<index_t>(
      [&](index_t* count) { copy_if(executor, in, std::forward<Out>(out), predicate, count); });
}

//! Copies the items whose flag is not zero. `flags` has as many items as `in`. `out` may be exactly `in`. Otherwise as
//! copy_if, of several columns too.
//!   std::int64_t kept = upsweep::copy_flagged(exec, in, flags, out);
template <executor Executor, row_source In, contiguous_range Flags, row_target Out>
void copy_flagged(Executor&& executor, const In& in, const Flags& flags, Out&& out, index_t* count) {
  UPSWEEP_CHECK_OUTPUT(out);
  const auto from = detail::rows_from<"in">(in);
  detail::compact_rows<from.width>(executor, contiguous(from, detail::input("flags", flags)), detail::keep_flagged{},
                                   detail::columns_to<"out">(out), count);
}
template <executor Executor, row_source In, contiguous_range Flags, row_target Out>
index_t copy_flagged(Executor&& executor, const In& in, const Flags& flags, Out&& out) {
  return executor.template returned<index_t>(
      [&](index_t* count) { copy_flagged(executor, in, flags, std::forward<Out>(out), count); });
}

//! Writes the positions of the flags that are not zero. `indices` (4- or 8-byte integers that can hold n) must hold as
//! many as flags.
template <executor Executor, contiguous_range Flags, contiguous_range Indices>
void nonzero(Executor&& executor, const Flags& flags, Indices&& indices, index_t* count) {
  const auto from = detail::input("flags", flags);
  const auto to = UPSWEEP_OUTPUT(indices);
  using Index = element_t<Indices>;
  detail::require(from.size == 0 || detail::can_hold<Index>(from.size - 1), "indices",
                  ": its type cannot hold the position ", from.size - 1);
  detail::compact(executor, from.size, contiguous(from), detail::keep_if<detail::is_set>{}, detail::take_index{},
                  upsweep::make_tuple(to), count);
}
template <executor Executor, contiguous_range Flags, contiguous_range Indices>
index_t nonzero(Executor&& executor, const Flags& flags, Indices&& indices) {
  return executor.template returned<index_t>(
      [&](index_t* count) { nonzero(executor, flags, std::forward<Indices>(indices), count); });
}

//! Copies the first item of every run of neighbours of which equal(previous, item) is true (==, of rows in all
//! columns). `out` may be exactly `in`. Otherwise as copy_if; an equality of several columns takes two upsweep::tuples.
template <executor Executor, row_source In, row_target Out, detail::equality_of<In> Equal>
void unique_copy(Executor&& executor, const In& in, Out&& out, Equal equal, index_t* count) {
  UPSWEEP_CHECK_OUTPUT(out);
  using Row = typename detail::row_of<In>::type;
  detail::check_runs_on<Executor, Equal, Row, Row>();
  if constexpr (std::is_same_v<Equal, detail::same_in_all_columns>) detail::check_equality_runs_on<Executor, Row>();
  const auto from = detail::with_neighbours(detail::rows_from<"in">(in));
  detail::compact_rows<from.width>(executor, from, detail::keep_if<detail::first_of_run<Equal>>{{equal}},
                                   detail::columns_to<"out">(out), count);
}
template <executor Executor, row_source In, row_target Out>
void unique_copy(Executor&& executor, const In& in, Out&& out, index_t* count) {
  unique_copy(executor, in, std::forward<Out>(out), detail::same_in_all_columns{}, count);
}
//! The same; returns the count, and waits for it.
//!   std::int64_t kept = upsweep::unique_copy(exec, words, out, same_letters{});
template <executor Executor, row_source In, row_target Out, detail::equality_of<In> Equal = detail::same_in_all_columns>
index_t unique_copy(Executor&& executor, const In& in, Out&& out, Equal equal = {}) {
  return executor.template returned<index_t>(
      [&](index_t* count) { unique_copy(executor, in, std::forward<Out>(out), equal, count); });
}

//! The runs of neighbours of which equal(previous, item) is true (==): values[j] and lengths[j] are the last item of
//! the j-th run and its length, *count the number of runs, in the executor's memory. (Equal items may differ, as −0 and
//! 0 do.) Both must hold n; `values` may be exactly `in`. Costs one read of in and one write of the runs. Does not
//! wait. Throws std::invalid_argument, cuda_error.
template <executor Executor, contiguous_range In, contiguous_range Values, contiguous_range Lengths,
          detail::equality_of<In> Equal>
void run_length_encode(Executor&& executor, const In& in, Values&& values, Lengths&& lengths, Equal equal,
                       index_t* count) {
  using length = element_t<Lengths>;
  using Item = element_t<const In>;
  detail::check_runs_on<Executor, Equal, Item, Item>();
  if constexpr (std::is_same_v<Equal, equal_to<>>) detail::check_equality_runs_on<Executor, Item>();
  detail::reduce_runs(executor, detail::input("in", in), constant(length{1}), UPSWEEP_OUTPUT(values),
                      UPSWEEP_OUTPUT(lengths), plus<length>{}, count, equal);
}
template <executor Executor, contiguous_range In, contiguous_range Values, contiguous_range Lengths>
void run_length_encode(Executor&& executor, const In& in, Values&& values, Lengths&& lengths, index_t* count) {
  run_length_encode(executor, in, std::forward<Values>(values), std::forward<Lengths>(lengths), equal_to<>{}, count);
}
//! The same; returns the number of runs, and waits for it.
//!   std::int64_t runs = upsweep::run_length_encode(exec, in, values, lengths);
template <executor Executor, contiguous_range In, contiguous_range Values, contiguous_range Lengths,
          detail::equality_of<In> Equal = equal_to<>>
index_t run_length_encode(Executor&& executor, const In& in, Values&& values, Lengths&& lengths, Equal equal = {}) {
  return executor.template returned<index_t>([&](index_t* count) {
    run_length_encode(executor, in, std::forward<Values>(values), std::forward<Lengths>(lengths), equal, count);
  });
}
UPSWEEP_EXPLAIN(copy_if,
                "copy_if(executor, in, out, predicate), or with a pointer of type index_t* behind for the count")
UPSWEEP_EXPLAIN(copy_flagged,
                "copy_flagged(executor, in, flags, out), or with a pointer of type index_t* behind for the count")
UPSWEEP_EXPLAIN(nonzero, "nonzero(executor, flags, indices), or with a pointer of type index_t* behind for the count")
UPSWEEP_EXPLAIN(unique_copy,
                "unique_copy(executor, in, out, equal), or with a pointer of type index_t* behind for the count")
UPSWEEP_EXPLAIN(
    run_length_encode,
    "run_length_encode(executor, in, values, lengths, equal), or with a pointer of type index_t* behind for the count")

}  // namespace UPSWEEP_NAMESPACE

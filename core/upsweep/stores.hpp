// Where the results of a sweep go: dense(range, f), packed<K>(classify, ranges…), partitioned(classify, f, ranges…),
// packed_rows(classify, f, columns…), several<Most>(rows, columns…), each(f), discard. Like loads, stores only
// describe.
#pragma once
#include <cstddef>
#include <type_traits>
#include <utility>

#include <upsweep/config.hpp>
#include <upsweep/counts.hpp>
#include <upsweep/loads.hpp>
#include <upsweep/monoid.hpp>
#include <upsweep/ranges.hpp>
#include <upsweep/tuple.hpp>

namespace UPSWEEP_NAMESPACE {

//! Projections for dense stores: f(i, item, exclusive, inclusive) -> what is written.
struct take_inclusive {
  template <class Item, class V>
  UPSWEEP_HD V operator()(index_t, const Item&, const V&, const V& inclusive) const {
    return inclusive;
  }
};
struct take_exclusive {
  template <class Item, class V>
  UPSWEEP_HD V operator()(index_t, const Item&, const V& exclusive, const V&) const {
    return exclusive;
  }
};
struct take_item {
  static constexpr int leading_columns = 1;  // a row is these columns' items as they stand
  template <class Item, class V>
  UPSWEEP_HD Item operator()(index_t, const Item& item, const V&, const V&) const {
    return item;
  }
};

//! A function of yours that takes what it needs: f(inclusive), f(item, inclusive), f(item, exclusive, inclusive) or
//! f(i, item, exclusive, inclusive).
template <class F>
struct projection {
  F f;
  UPSWEEP_CALLS_USER
  template <class Item, class V>
  UPSWEEP_HD constexpr decltype(auto) operator()([[maybe_unused]] index_t i, [[maybe_unused]] const Item& item,
                                                 [[maybe_unused]] const V& exclusive, const V& inclusive) const {
    if constexpr (std::is_invocable_v<const F&, index_t, const Item&, const V&, const V&>) {
      return f(i, item, exclusive, inclusive);
    } else if constexpr (std::is_invocable_v<const F&, const Item&, const V&, const V&>) {
      return f(item, exclusive, inclusive);
    } else if constexpr (std::is_invocable_v<const F&, const Item&, const V&>) {
      return f(item, inclusive);
    } else {
      static_assert(std::is_invocable_v<const F&, const V&>,
                    "upsweep: a store's function is f(inclusive), f(item, inclusive), f(item, exclusive, inclusive) "
                    "or f(i, item, exclusive, inclusive)");
      return f(inclusive);
    }
  }
};
namespace detail {
template <class F>
inline constexpr bool is_own_projection =
    std::is_same_v<F, take_inclusive> || std::is_same_v<F, take_exclusive> || std::is_same_v<F, take_item>;
template <class F>
auto projection_of(const F& f) {
  static_assert(result_type_is_known<F>(), "upsweep: write the return type of this __device__ lambda (-> T)");
  if constexpr (is_own_projection<F>) return f;
  else return projection<F>{f};
}
}  // namespace detail

namespace detail {
//! Outputs without names of their own: refuses constants and temporaries.
template <class... Rs>
constexpr void check_outputs() {
  static_assert((... && is_writable<std::remove_reference_t<Rs>>::value),
                "upsweep: a range is const, but it is written");
  static_assert((... && lives_on<Rs>),
                "upsweep: a range that is written is a temporary, with which the result would "
                "be lost: pass a variable, or a std::span of one");
}

//! Can a projection walk on by itself? Then from(i, exclusive) is a walker from item i on, and walker(item), called in
//! turn for items that follow one another, gives what f would: a device need not scan inside a lane's share.
template <class F, class V>
concept walks_on = requires(const F& f, const V& exclusive) { f.from(index_t{}, exclusive); };
}  // namespace detail

//! Writes f(i, item, exclusive, inclusive) to range[i]. Staged; leaves in full lines.
template <class T, class F>
struct dense_store {
  using value_type = T;
  named_range<T> range;
  F project;
};
template <class T, class F = take_inclusive>
dense_store<T, F> dense(const named_range<T>& range, F project = {}) {
  return {range, project};
}
//! The same for a range, and a function that takes what it needs (projection).
//!   upsweep::dense(out, [](float item, float inclusive) { return inclusive - item; })
template <detail::shown_range R, class F = take_inclusive>
auto dense(R&& range, F project = {}) {
  UPSWEEP_CHECK_OUTPUT(range);
  return dense(detail::output("the range of dense()", range), detail::projection_of(project));
}

namespace detail {
// A row is one element of a range, or a tuple of one of each column's.
template <class Row, class First>
inline constexpr int row_columns = 1;
template <class... Cs, class First>
inline constexpr int row_columns<tuple<Cs...>, First> =
    std::is_same_v<tuple<Cs...>, First> ? 1 : static_cast<int>(sizeof...(Cs));
//! Column `C` of a row.
template <int C, int Columns, class Row>
UPSWEEP_HD constexpr const auto& column_of(const Row& row) {
  if constexpr (Columns == 1) {
    return row;
  } else {
    return get<C>(row);
  }
}
}  // namespace detail

//! Distributes items over streams, each in order. classify(item) in [0, K) names the stream. Other items are dropped;
//! or, with a stream more than K, they are that one, whose length needs no counting. A stream's rows lie in one range,
//! or in several (columns); `ranges` are the first stream's, then the second's, and so on. Each must hold n.
template <int K, class Row, class Classify, class F, class... Ts>
struct packed_store {
  static constexpr int counts = K;  // that a sweep carries
  static constexpr int columns = detail::row_columns<Row, typename detail::nth<0, Ts...>::type>;
  static constexpr int streams = static_cast<int>(sizeof...(Ts)) / columns;
  static constexpr bool keeps_all = streams == K + 1;
  static_assert(1 <= K && K <= 4 && (keeps_all || streams == K) &&
                streams * columns == static_cast<int>(sizeof...(Ts)));
  using row_type = Row;  // an element of a stream; a tuple when there are several columns
  tuple<named_range<Ts>...> ranges;
  Classify classify;
  F project;
  //! The K lengths, known before, in the executor's memory: all streams then lie in the same ranges, and each begins
  //! where the one before it ends. Null otherwise.
  const index_t* lengths = nullptr;

  //! Where in its range a stream begins.
  UPSWEEP_HD index_t begin([[maybe_unused]] int stream) const {
    index_t at = 0;
    if constexpr (keeps_all)
      if (lengths)
        for (int s = 0; s < stream; s++) at += lengths[s];
    return at;
  }
};

template <int K, class Classify, class T, class... Ts>
  requires(K == 1 + sizeof...(Ts) && (std::is_same_v<T, Ts> && ...))
packed_store<K, T, Classify, take_item, T, Ts...> packed(Classify classify, const named_range<T>& first,
                                                         const named_range<Ts>&... rest) {
  return {upsweep::make_tuple(first, rest...), classify, {}, nullptr};
}
template <int K, class Classify, contiguous_range... Rs>
auto packed(Classify classify, Rs&&... ranges) {
  detail::check_outputs<Rs...>();
  return detail::with_bare_ranges<"packed()">([&](const auto&... named) { return packed<K>(classify, named...); },
                                              ranges...);
}

namespace detail {
template <class... Ts>
using row_of_t = std::conditional_t<sizeof...(Ts) == 1, typename nth<0, Ts...>::type, tuple<Ts...>>;

// A store of `Streams` streams of rows, of which K are counted.
template <int K, int Streams, class Row, class Classify, class F, class... Ts>
auto store_rows(const Classify& classify, const F& project, const tuple<named_range<Ts>...>& ranges) {
  using store = packed_store<K, Row, Classify, F, Ts...>;
  static_assert(store::streams == Streams);
  return store{ranges, classify, project, nullptr};
}
// Several streams, each a tuple of its columns, that take all items.
template <class Classify, class F, class... Ts, class... Rest>
auto distributed_rows(const Classify& classify, const F& project, const tuple<named_range<Ts>...>& first,
                      const Rest&... rest) {
  static_assert((std::is_same_v<Rest, tuple<named_range<Ts>...>> && ...),
                "all sides of a partition have the same type");
  return store_rows<sizeof...(Rest), 1 + sizeof...(Rest), row_of_t<Ts...>>(classify, project, join_all(first, rest...));
}
// One stream, a tuple of its columns; other items are dropped.
template <class Classify, class F, class... Ts>
auto kept_rows(const Classify& classify, const F& project, const tuple<named_range<Ts>...>& columns) {
  return store_rows<1, 1, row_of_t<Ts...>>(classify, project, columns);
}
}  // namespace detail

//! Distributes all items: K + 1 ranges of rows f(i, item, exclusive, inclusive); what classify(item) does not put into
//! one of the first K goes to the last.
template <class Classify, class F, class T, class... Ts>
  requires(sizeof...(Ts) > 0 && (std::is_same_v<T, Ts> && ...))
packed_store<sizeof...(Ts), T, Classify, F, T, Ts...> partitioned(Classify classify, F project,
                                                                  const named_range<T>& first,
                                                                  const named_range<Ts>&... rest) {
  return {upsweep::make_tuple(first, rest...), classify, project, nullptr};
}
template <class Classify, class F, contiguous_range... Rs>
auto partitioned(Classify classify, F project, Rs&&... ranges) {
  detail::check_outputs<Rs...>();
  return detail::with_bare_ranges<"partitioned()">(
      [&](const auto&... named) { return partitioned(classify, detail::projection_of(project), named...); }, ranges...);
}

//! One stream of rows f(i, item, exclusive, inclusive), one column of a row to each range (a tuple when there are
//! several).
template <class Classify, class F, class... Ts>
auto packed_rows(Classify classify, F project, const named_range<Ts>&... columns) {
  return detail::kept_rows(classify, project, upsweep::make_tuple(columns...));
}
template <class Classify, class F, contiguous_range... Rs>
auto packed_rows(Classify classify, F project, Rs&&... ranges) {
  detail::check_outputs<Rs...>();
  return detail::with_bare_ranges<"packed_rows()">(
      [&](const auto&... named) { return packed_rows(classify, detail::projection_of(project), named...); }, ranges...);
}

//! Calls f (a projection, which returns nothing) exactly once an item, in no particular order, from several threads.
template <class F>
struct each_store {
  F f;
};
template <class F>
auto each(F f) {
  return each_store<projection<F>>{{f}};
}

namespace detail {
// How the rows of an item are written one by one.
template <class Rows, class... Ts>
struct write_rows {
  Rows rows;
  tuple<named_range<Ts>...> ranges;
  template <class Item, class V>
  UPSWEEP_HD void operator()(index_t i, const Item& item, const V& exclusive, const V&) const {
    index_t at = rows.number(exclusive);
    const auto span = rows.from(i, exclusive);
    auto walker = span.walker(0, exclusive);
    walker(item, [&](const auto& row) { put(at++, span.columns(row), std::index_sequence_for<Ts...>{}); });
  }
  template <class Row, std::size_t... I>
  UPSWEEP_HD void put(index_t at, const Row& columns, std::index_sequence<I...>) const {
    ((get<I>(ranges).data[at] = static_cast<Ts>(get<I>(columns))), ...);
  }
};
}  // namespace detail

//! Several rows an item, `Most` at most, one behind another. `Rows` says of a prefix, which must count them, how many
//! rows it has; and of a span of items, given the first and the prefix before it, what they are:
//!   rows.number(prefix)
//!   rows.from(i, prefix) -> span             the items from i on, at most Rows::most_items
//!   span.walker(k, prefix) -> walker         from its k-th item on, before which `prefix` stands
//!   walker(item, put)                        calls put(row) for each of the rows of the next item
//!   span.columns(row) -> a tuple             of a row, which is a Rows::row_type, what is written of it
//! A device stages rows; what is written of them leaves in full lines. The ranges must hold them all, which nobody
//! checks.
template <int Most, class Rows, class... Ts>
struct several_store {
  detail::write_rows<Rows, Ts...> f;
};
template <int Most, class Rows, class... Ts>
several_store<Most, Rows, Ts...> several(const Rows& rows, const named_range<Ts>&... columns) {
  return {{rows, upsweep::make_tuple(columns...)}};
}

//! Stores nothing: a reduction.
struct discard_t {};
inline constexpr discard_t discard{};

namespace detail {
template <class S>
struct is_packed : std::false_type {};
template <int K, class Row, class C, class F, class... Ts>
struct is_packed<packed_store<K, Row, C, F, Ts...>> : std::true_type {};
template <class S>
struct is_dense : std::false_type {};
template <class T, class F>
struct is_dense<dense_store<T, F>> : std::true_type {};
template <class S>
inline constexpr bool is_store = is_packed<S>::value || is_dense<S>::value || std::is_same_v<S, discard_t>;
template <class F>
inline constexpr bool is_store<each_store<F>> = true;
template <int Most, class Rows, class... Ts>
inline constexpr bool is_store<several_store<Most, Rows, Ts...>> = true;
template <class S>
inline constexpr bool is_several_v = false;
template <int Most, class Rows, class... Ts>
inline constexpr bool is_several_v<several_store<Most, Rows, Ts...>> = true;
template <class S>
inline constexpr bool is_packed_v = is_packed<S>::value;
template <class S>
inline constexpr bool is_dense_v = is_dense<S>::value;
}  // namespace detail

}  // namespace UPSWEEP_NAMESPACE

// The ends of a sweep: what is loaded in front of a scan, and where its results go. Stages only describe; the engines
// (host/, cuda/) are fast because they know these shapes.
//   loads:  contiguous(ranges…), with_previous(range), indices(), constant(x), computed<T>(f)
//   stores: dense(range, f), packed<K>(classify, ranges…), partitioned(classify, f, ranges…),
//           packed_rows(classify, f, columns…), each(f), discard
#pragma once
#include <cstddef>
#include <iterator>
#include <memory>
#include <ranges>
#include <type_traits>
#include <utility>

#include <upsweep/config.hpp>
#include <upsweep/monoid.hpp>
#include <upsweep/tuple.hpp>

namespace upsweep::inline UPSWEEP_ABI {

// ---------------------------------------------------------------- ranges and their names
//! A range of memory and the name that errors call it by. `T` is const for what is only read.
template <class T>
struct named_range {
  T* data;
  index_t size;
  const char* name;
};

template <class R>
concept contiguous_range = requires(R& r) {
  { std::data(r) } -> std::convertible_to<const volatile void*>;
  { std::size(r) } -> std::convertible_to<std::size_t>;
};
template <class R>
using element_t = std::remove_cv_t<std::remove_pointer_t<decltype(std::data(std::declval<R&>()))>>;

//! Names a range for reading / for writing. Public calls name their arguments; a bare range is called by its stage.
template <contiguous_range R>
named_range<const element_t<const R>> input(const char* name, const R& range) {
  return {std::data(range), static_cast<index_t>(std::size(range)), name};
}
template <contiguous_range R>
auto output(const char* name, R&& range) {
  using T = std::remove_pointer_t<decltype(std::data(range))>;
  static_assert(!std::is_const_v<T>, "an output range must be writable");
  return named_range<T>{std::data(range), static_cast<index_t>(std::size(range)), name};
}

// ---------------------------------------------------------------- columns: the parts of a load
//! An item and the one before it (after it, when the scan is reversed). `first`: there is none; `previous` is then
//! `value`.
template <class T>
struct neighbours {
  T value, previous;
  bool first;
};

//! A range, read as it stands.
template <class T>
struct range_column {
  using memory_type = T;
  using item_type = T;
  static constexpr bool in_memory = true, has_previous = false;
  named_range<const T> range;
};
//! A range, read with each item's predecessor.
template <class T>
struct previous_column {
  using memory_type = T;
  using item_type = neighbours<T>;
  static constexpr bool in_memory = true, has_previous = true;
  named_range<const T> range;
};
//! The item's index; costs no memory.
struct index_column {
  using item_type = index_t;
  static constexpr bool in_memory = false, has_previous = false;
  UPSWEEP_HD index_t operator()(index_t i) const { return i; }
};
//! The same value for every item; costs no memory.
template <class T>
struct constant_column {
  using item_type = T;
  static constexpr bool in_memory = false, has_previous = false;
  T value;
  UPSWEEP_HD T operator()(index_t) const { return value; }
};
//! f(i), called exactly once an item.
template <class T, class F>
struct computed_column {
  using item_type = T;
  static constexpr bool in_memory = false, has_previous = false;
  F f;
  UPSWEEP_CALLS_USER
  UPSWEEP_HD T operator()(index_t i) const { return f(i); }
};

//! Several columns in step. Its item is the column's item, or a tuple of them when there are several.
template <class... Columns>
struct load_stage {
  static constexpr int width = sizeof...(Columns);
  using item_type = std::conditional_t<width == 1, typename detail::nth<0, Columns...>::type::item_type,
                                       tuple<typename Columns::item_type...>>;
  tuple<Columns...> columns;
  template <int I>
  using column_type = typename detail::nth<I, Columns...>::type;

  //! Puts an item together from its columns' items.
  UPSWEEP_HD static constexpr item_type assemble(const typename Columns::item_type&... parts) {
    if constexpr (width == 1) {
      return item_type(parts...);
    } else {
      return upsweep::make_tuple(parts...);
    }
  }
};

namespace detail {
template <class T>
struct is_load : std::false_type {};
template <class... Cs>
struct is_load<load_stage<Cs...>> : std::true_type {};

template <class... Cs>
tuple<Cs...> columns_of(const load_stage<Cs...>& load) {
  return load.columns;
}
template <class T>
tuple<range_column<std::remove_const_t<T>>> columns_of(const named_range<T>& range) {
  return {{{range.data, range.size, range.name}}};
}
// What a range without a name is called; a call that takes a load gives its columns better ones.
inline constexpr char bare_range[] = "a range of contiguous()", bare_previous[] = "the range of with_previous()";
template <contiguous_range R>
auto columns_of(const R& range) {
  return columns_of(input(bare_range, range));
}

template <class... As, class... Bs, std::size_t... I, std::size_t... J>
tuple<As..., Bs...> join(const tuple<As...>& a, const tuple<Bs...>& b, std::index_sequence<I...>,
                         std::index_sequence<J...>) {
  return upsweep::make_tuple(get<I>(a)..., get<J>(b)...);
}
template <class... As>
tuple<As...> join_all(const tuple<As...>& a) {
  return a;
}
template <class... As, class... Bs, class... Rest>
auto join_all(const tuple<As...>& a, const tuple<Bs...>& b, const Rest&... rest) {
  return join_all(join(a, b, std::index_sequence_for<As...>{}, std::index_sequence_for<Bs...>{}), rest...);
}
template <class... Cs>
load_stage<Cs...> load_of(const tuple<Cs...>& columns) {
  return {columns};
}
}  // namespace detail

//! Loads one or several ranges in step. Takes ranges, and other loads to stand beside them (zip).
//!   contiguous(in)                         items of in
//!   contiguous(in, with_previous(keys))    tuples (value, neighbours of keys)
template <class... Parts>
auto contiguous(const Parts&... parts) {
  return detail::load_of(detail::join_all(detail::columns_of(parts)...));
}

//! Loads each item with the one before it. The range may be the output of a packed store, not of a dense one: the item
//! before a tile could already be overwritten (std::invalid_argument).
template <class T>
load_stage<previous_column<std::remove_const_t<T>>> with_previous(const named_range<T>& range) {
  return {{{{range.data, range.size, range.name}}}};
}
template <contiguous_range R>
auto with_previous(const R& range) {
  return with_previous(input(detail::bare_previous, range));
}

//! Loads the item's own index.
inline load_stage<index_column> indices() { return {}; }

//! Loads the same value for every item.
template <class T>
load_stage<constant_column<T>> constant(T value) {
  return {{{value}}};
}

//! Loads T(f(i)), calling f exactly once an item.
template <class T, class F>
load_stage<computed_column<T, F>> computed(F f) {
  static_assert(std::is_trivially_copyable_v<T>, "an item must be trivially copyable");
  return {{{f}}};
}
template <class F>
auto computed(F f) {
  static_assert(detail::result_type_is_known<F>(),
                "write the return type of this __device__ lambda (-> T) or call computed<T>(f): nvcc would silently "
                "take it for int");
  return computed<std::remove_cvref_t<std::invoke_result_t<F, index_t>>>(f);
}

// ---------------------------------------------------------------- stores
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
template <contiguous_range R, class F = take_inclusive>
auto dense(R&& range, F project = {}) {
  return dense(output("the range of dense()", range), detail::projection_of(project));
}

//! Counts of `K` streams beside a value: what a scan with a packed store carries, and what it returns.
template <class V, int K>
struct counted {
  V value;
  index_t counts[K];
};
template <int K>
struct counted<nothing, K> {
  static constexpr nothing value{};
  index_t counts[K];
};

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
  return packed<K>(classify, output("a range of packed()", ranges)...);
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
  return partitioned(classify, detail::projection_of(project), output("a range of partitioned()", ranges)...);
}

//! One stream of rows f(i, item, exclusive, inclusive), one column of a row to each range (a tuple when there are
//! several).
template <class Classify, class F, class... Ts>
auto packed_rows(Classify classify, F project, const named_range<Ts>&... columns) {
  return detail::kept_rows(classify, project, upsweep::make_tuple(columns...));
}
template <class Classify, class F, contiguous_range... Rs>
auto packed_rows(Classify classify, F project, Rs&&... ranges) {
  return packed_rows(classify, detail::projection_of(project), output("a range of packed_rows()", ranges)...);
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
inline constexpr bool is_packed_v = is_packed<S>::value;
template <class S>
inline constexpr bool is_dense_v = is_dense<S>::value;

// A packed store counts: its streams' lengths are scanned beside the caller's values.
template <class M, int K>
struct counting {
  using value_type = counted<typename M::value_type, K>;
  M inner;
  UPSWEEP_CALLS_USER
  UPSWEEP_HD constexpr value_type identity() const {
    if constexpr (std::is_same_v<M, nothing>) return {};
    else return {inner.identity(), {}};
  }
  UPSWEEP_CALLS_USER
  UPSWEEP_HD constexpr value_type operator()(const value_type& earlier, const value_type& later) const {
    if constexpr (std::is_same_v<M, nothing>) return summed({}, earlier, later);
    else return summed({inner(earlier.value, later.value), {}}, earlier, later);
  }

 private:
  UPSWEEP_HD static constexpr value_type summed(value_type sum, const value_type& earlier, const value_type& later) {
    for (int k = 0; k < K; k++) sum.counts[k] = earlier.counts[k] + later.counts[k];
    return sum;
  }
};
template <class Lift, class Classify, class V, int K>
struct counting_lift {
  Lift lift;
  Classify classify;
  UPSWEEP_CALLS_USER
  template <class Item>
  UPSWEEP_HD constexpr counted<V, K> operator()(const Item& item) const {
    if constexpr (std::is_same_v<V, nothing>) return marked({}, static_cast<int>(classify(item)));
    else return marked({lift(item), {}}, static_cast<int>(classify(item)));
  }

 private:
  UPSWEEP_HD static constexpr counted<V, K> marked(counted<V, K> one, int stream) {
    for (int k = 0; k < K; k++) one.counts[k] = stream == k;
    return one;
  }
};
}  // namespace detail

// ---------------------------------------------------------------- results
//! In the place of a total's pointer: nobody asks for it.
struct no_total_t {
  template <class Item, class V>
  UPSWEEP_HD void operator()(const Item&, const V&) const {}
  template <class V>
  UPSWEEP_HD void empty(const V&) const {}
};
inline constexpr no_total_t no_total{};

namespace detail {
//! What is done once with a scan's total, where the executor works: f(last item, total), or f.empty(identity) when n is
//! 0. write_total writes it to *out unless out is null.
template <class V>
struct write_total {
  V* out;
  template <class Item>
  UPSWEEP_HD void operator()(const Item&, const V& total) const {
    if (out) *out = total;
  }
  UPSWEEP_HD void empty(const V& identity) const {
    if (out) *out = identity;
  }
};
//! Writes a packed store's counts to counts[0…K).
template <int K>
struct write_counts {
  index_t* counts;
  template <class Item, class V>
  UPSWEEP_HD void operator()(const Item&, const counted<V, K>& total) const {
    empty(total);
  }
  template <class V>
  UPSWEEP_HD void empty(const counted<V, K>& total) const {
    if (counts)
      for (int k = 0; k < K; k++) counts[k] = total.counts[k];
  }
};
}  // namespace detail

// ---------------------------------------------------------------- direction
//! Which way a scan runs. Indices that stages see are always positions in the ranges; reversed, "earlier" means
//! "further right".
struct forward_t {
  static constexpr bool reversed = false;
};
struct reversed_t {
  static constexpr bool reversed = true;
};
inline constexpr forward_t forward{};
inline constexpr reversed_t reversed{};

}  // namespace upsweep::inline UPSWEEP_ABI

// What a sweep loads: contiguous(ranges…), with_previous(range), indices(), constant(x), computed<T>(f). Loads only
// describe; the engines (host/, cuda/) are fast because they know these shapes.
#pragma once
#include <cstddef>
#include <type_traits>
#include <utility>

#include <upsweep/config.hpp>
#include <upsweep/monoid.hpp>
#include <upsweep/ranges.hpp>
#include <upsweep/tuple.hpp>

namespace UPSWEEP_NAMESPACE {

// ---- columns: what a load is made of
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
  UPSWEEP_HD static constexpr item_type assemble(const typename Columns::item_type&... items) {
    if constexpr (width == 1) {
      return item_type(items...);
    } else {
      return upsweep::make_tuple(items...);
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
//! The columns of source `I` of contiguous().
template <std::size_t I, class Source>
auto columns_of_source(const Source& source) {
  if constexpr (contiguous_range<const Source>) return columns_of(input(bare_range<"contiguous()", I>(), source));
  else return columns_of(source);
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
template <std::size_t... I, class... Sources>
auto load_of_sources(std::index_sequence<I...>, const Sources&... sources) {
  return load_of(join_all(columns_of_source<I>(sources)...));
}
}  // namespace detail

//! Loads one or several ranges in step. Takes ranges, and other loads to stand beside them (zip).
//!   contiguous(in)                         items of in
//!   contiguous(in, with_previous(keys))    tuples (value, neighbours of keys)
template <class... Sources>
auto contiguous(Sources&&... sources) {
  static_assert(!(... || detail::is_vector_of_bool<std::remove_cvref_t<Sources>>), UPSWEEP_BITS_ARE_NO_ITEMS);
  static_assert((... && (detail::lives_on<Sources> || !contiguous_range<Sources>)),
                "upsweep: contiguous() would refer to a temporary that is gone: keep the range in a variable");
  return detail::load_of_sources(std::index_sequence_for<Sources...>{}, sources...);
}

//! Loads each item with the one before it. The range may be the output of a packed store, not of a dense one: the item
//! before a tile could already be overwritten (std::invalid_argument).
template <class T>
load_stage<previous_column<std::remove_const_t<T>>> with_previous(const named_range<T>& range) {
  return {{{{range.data, range.size, range.name}}}};
}
template <detail::shown_range R>
auto with_previous(R&& range) {
  UPSWEEP_CHECK_SHOWN(R, "with_previous()");
  return with_previous(detail::input("the range of with_previous()", range));
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

}  // namespace UPSWEEP_NAMESPACE

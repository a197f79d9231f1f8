// Rows of one or several columns: what compaction and partition read and write.
//   read:  a range, or a load whose columns go in step: contiguous(ids, values, weights)
//   write: a range, or a tuple of as many: std::tie(ids2, values2, weights2), std::tuple(span1, span2, span3)
#pragma once
#include <cstddef>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

#include <upsweep/checks.hpp>
#include <upsweep/config.hpp>
#include <upsweep/stages.hpp>
#include <upsweep/tuple.hpp>

namespace UPSWEEP_NAMESPACE {

namespace detail {
template <class T>
inline constexpr bool is_range_tuple = false;
template <class... Rs>
inline constexpr bool is_range_tuple<std::tuple<Rs...>> = (contiguous_range<Rs> && ...);
template <class... Rs>
inline constexpr bool is_range_tuple<tuple<Rs...>> = (contiguous_range<Rs> && ...);

// A tuple that is passed by value lives on in what it refers to: std::tie, spans. std::make_tuple copies.
template <class... Rs>
inline constexpr bool is_borrowed<std::tuple<Rs...>> = (lives_on<Rs> && ...);
template <class... Rs>
inline constexpr bool is_borrowed<tuple<Rs...>> = (lives_on<Rs> && ...);
template <class... Rs>
struct is_writable<std::tuple<Rs...>> : std::conjunction<is_writable<std::remove_reference_t<Rs>>...> {};
template <class... Rs>
struct is_writable<const std::tuple<Rs...>> : std::conjunction<is_writable<std::remove_reference_t<const Rs>>...> {};
}  // namespace detail

//! A range, or a load of several columns.
template <class R>
concept row_source = contiguous_range<R> || detail::is_load<R>::value;
//! A range, or a tuple of ranges (std::tuple of references or spans, or upsweep::tuple of spans).
template <class R>
concept row_target = contiguous_range<R> || detail::is_range_tuple<std::remove_cvref_t<R>>;

namespace detail {
// ---------------------------------------------------------------- names
template <text_constant Argument>
inline constexpr auto whole_name = Argument;
//! "column 2 of in"
template <text_constant Argument, std::size_t I>
const char* column_name() {
  return numbered_name<"column", static_cast<int>(I) + 1, Argument>.data();
}

// ---------------------------------------------------------------- columns that are read
// A column with a name of its own keeps it; a bare one is called after its stage, "range 1 of contiguous()".
template <class Column>
Column named_column(Column column, const char* name) {
  if constexpr (Column::in_memory) {
    if (std::string_view(column.range.name).ends_with("()")) column.range.name = name;
  }
  return column;
}
template <text_constant Argument, class... Cs, std::size_t... I>
load_stage<Cs...> named_columns(const load_stage<Cs...>& load, std::index_sequence<I...>) {
  if constexpr (sizeof...(Cs) == 1) {
    return {{named_column(load.columns.head, whole_name<Argument>.text)}};
  } else {
    return {upsweep::make_tuple(named_column(get<I>(load.columns), column_name<Argument, I>())...)};
  }
}
//! What is read, as a load whose ranges are named after the argument.
template <text_constant Argument, contiguous_range R>
auto rows_from(const R& range) {
  return contiguous(input(whole_name<Argument>.text, range));
}
template <text_constant Argument, class... Cs>
load_stage<Cs...> rows_from(const load_stage<Cs...>& load) {
  return named_columns<Argument>(load, std::index_sequence_for<Cs...>{});
}

// ---------------------------------------------------------------- columns that are written
template <text_constant Argument, class Out, std::size_t... I>
auto columns_of_tuple(Out& out, std::index_sequence<I...>) {
  using std::get;
  return upsweep::make_tuple(output(column_name<Argument, I>(), get<I>(out))...);
}
//! What is written, as a tuple of ranges named after the argument.
template <text_constant Argument, class Out>
auto columns_to(Out& out) {
  if constexpr (contiguous_range<Out>) {
    return upsweep::make_tuple(output(whole_name<Argument>.text, out));
  } else {
    return columns_of_tuple<Argument>(out, std::make_index_sequence<std::tuple_size_v<std::remove_const_t<Out>>>{});
  }
}

// ---------------------------------------------------------------- rows
template <class T>
UPSWEEP_HD const T& value_of(const T& item) {
  return item;
}
template <class T>
UPSWEEP_HD const T& value_of(const neighbours<T>& item) {
  return item.value;
}
//! The first columns of an item, as their ranges hold them.
template <class... Ts>
struct take_columns {
  static constexpr int leading_columns = sizeof...(Ts);
  template <class Item, class V>
  UPSWEEP_HD row_of_t<Ts...> operator()(index_t, const Item& item, const V&, const V&) const {
    return row(item, std::index_sequence_for<Ts...>{});
  }

 private:
  template <class Item, std::size_t... I>
  UPSWEEP_HD static row_of_t<Ts...> row(const Item& item, std::index_sequence<I...>) {
    if constexpr (sizeof...(Ts) == 1) {
      return static_cast<row_of_t<Ts...>>(value_of(get<0>(item)));
    } else {
      return tuple_of<Ts...>(static_cast<Ts>(value_of(get<I>(item)))...);
    }
  }
};
struct take_value {
  static constexpr int leading_columns = 1;
  template <class T, class V>
  UPSWEEP_HD T operator()(index_t, const neighbours<T>& item, const V&, const V&) const {
    return item.value;
  }
};
// How rows for these columns are put together from a load's items, of which the first `Columns` columns are written.
template <int Columns, class Load, class... Ts>
auto row_projection(const tuple<named_range<Ts>...>&) {
  static_assert(
      sizeof...(Ts) == Columns,
      "upsweep: an output takes as many columns as are read: contiguous(a, b) goes to std::tie(a_out, b_out)");
  if constexpr (Load::width > 1) {
    return take_columns<Ts...>{};
  } else if constexpr (Load::template column_type<0>::has_previous) {
    return take_value{};
  } else {
    return take_item{};
  }
}
}  // namespace detail

}  // namespace UPSWEEP_NAMESPACE

// A small aggregate tuple for items that come from several ranges: trivially copyable, usable in device code, and light
// to compile (std::tuple is neither of the first two, cuda::std::tuple not the last). Works with structured bindings.
#pragma once
#include <cstddef>
#include <type_traits>
#include <utility>

#include <upsweep/config.hpp>

namespace UPSWEEP_NAMESPACE {

template <class... Ts>
struct tuple;

template <>
struct tuple<> {};

template <class T>
struct tuple<T> {
  T head;
  friend bool operator==(const tuple&, const tuple&) = default;
};

template <class T, class... Rest>
struct tuple<T, Rest...> {
  T head;
  tuple<Rest...> tail;
  friend bool operator==(const tuple&, const tuple&) = default;
};

//! The element number `I` of a tuple.
template <std::size_t I, class... Ts>
UPSWEEP_HD constexpr auto& get(tuple<Ts...>& t) {
  if constexpr (I == 0) {
    return t.head;
  } else {
    return get<I - 1>(t.tail);
  }
}
template <std::size_t I, class... Ts>
UPSWEEP_HD constexpr const auto& get(const tuple<Ts...>& t) {
  if constexpr (I == 0) {
    return t.head;
  } else {
    return get<I - 1>(t.tail);
  }
}

namespace detail {
template <std::size_t I, class T, class... Rest>
struct nth {
  using type = typename nth<I - 1, Rest...>::type;
};
template <class T, class... Rest>
struct nth<0, T, Rest...> {
  using type = T;
};

template <class T>
UPSWEEP_HD constexpr tuple<T> tuple_of(T value) {
  return {value};
}
template <class T, class... Rest>
  requires(sizeof...(Rest) > 0)
UPSWEEP_HD constexpr tuple<T, Rest...> tuple_of(T value, Rest... rest) {
  return {value, tuple_of<Rest...>(rest...)};
}
}  // namespace detail

//! A tuple of these values. Call it by its full name: of std::complex and the like, std::make_tuple is found too.
template <class... Ts>
UPSWEEP_HD constexpr tuple<Ts...> make_tuple(Ts... values) {
  return detail::tuple_of<Ts...>(values...);
}

}  // namespace UPSWEEP_NAMESPACE

//! @cond
template <class... Ts>
struct std::tuple_size<upsweep::tuple<Ts...>> : std::integral_constant<std::size_t, sizeof...(Ts)> {};
template <std::size_t I, class... Ts>
struct std::tuple_element<I, upsweep::tuple<Ts...>> {
  using type = typename upsweep::detail::nth<I, Ts...>::type;
};
//! @endcond

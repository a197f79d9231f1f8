// How a function of yours is called with an item: f(item); with an item of several columns, contiguous(a, b, …), f(a,
// b, …) too; and a pointer to a member stands for a function that gives it.
#pragma once
#include <cstddef>
#include <type_traits>
#include <utility>

#include <upsweep/config.hpp>
#include <upsweep/tuple.hpp>

namespace UPSWEEP_NAMESPACE::detail {

template <class F, class Item>
inline constexpr bool takes_columns = false;
template <class F, class... Ts>
inline constexpr bool takes_columns<F, tuple<Ts...>> = std::is_invocable_v<const F&, const Ts&...>;

UPSWEEP_CALLS_USER
template <class F, class... Ts, std::size_t... I>
UPSWEEP_HD constexpr decltype(auto) call_with_columns(const F& f, const tuple<Ts...>& row, std::index_sequence<I...>) {
  return f(get<I>(row)...);
}

//! f(item), whatever f is. What is chosen here must not be seen in a type: the host takes a __device__ lambda for one
//! that takes everything.
UPSWEEP_CALLS_USER
template <class F, class Item>
UPSWEEP_HD constexpr decltype(auto) call_with(const F& f, const Item& item) {
  if constexpr (std::is_member_object_pointer_v<F>) {
    return item.*f;
  } else if constexpr (std::is_member_function_pointer_v<F>) {
    return (item.*f)();
  } else if constexpr (std::is_invocable_v<const F&, const Item&>) {
    return f(item);
  } else {
    static_assert(takes_columns<F, Item>,
                  "upsweep: a function takes an item, f(item), or those of the columns in step, f(a, b, ...)");
    return call_with_columns(f, item, std::make_index_sequence<std::tuple_size_v<Item>>{});
  }
}

template <class F>
struct item_function {
  F f;
  UPSWEEP_CALLS_USER
  template <class Item>
  UPSWEEP_HD constexpr decltype(auto) operator()(const Item& item) const {
    return call_with(f, item);
  }
};

//! A lift as the engines call it.
template <class Load, class Lift>
auto lift_of(const Lift& lift) {
  if constexpr (Load::width > 1 || std::is_member_pointer_v<Lift>) return item_function<Lift>{lift};
  else return lift;
}

}  // namespace UPSWEEP_NAMESPACE::detail

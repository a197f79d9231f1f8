// Comparisons with a number, as functions of an item: what a file for a plain C++ compiler can name too, when the GPU's
// code is linked (upsweep::cuda).
//   upsweep::copy_if(exec, in, out, upsweep::less_than(0.5f));
// Without a number, less_than{} and equal_to{} compare two items, as std::less{} and std::equal_to{} do.
//
// Integers compare by their values, whatever their signs: no unsigned item is less than −1. Otherwise both sides become
// of one type as the language has it. A NaN is in no order and equals nothing, itself included: of one only
// not_equal_to(v) is true.
#pragma once
#include <type_traits>

#include <upsweep/config.hpp>

namespace UPSWEEP_NAMESPACE {

namespace detail {
template <class A, class B>
inline constexpr bool differ_in_sign =
    std::is_integral_v<A> && std::is_integral_v<B> && std::is_signed_v<A> != std::is_signed_v<B>;
template <class A, class B>
inline constexpr bool are_numbers = std::is_arithmetic_v<A> && std::is_arithmetic_v<B>;

//! a < b
template <class A, class B>
UPSWEEP_HD constexpr bool is_below(const A& a, const B& b) {
  if constexpr (differ_in_sign<A, B>) {
    if constexpr (std::is_signed_v<A>) return a < 0 || static_cast<std::make_unsigned_t<A>>(a) < b;
    else return b >= 0 && a < static_cast<std::make_unsigned_t<B>>(b);
  } else if constexpr (are_numbers<A, B>) {
    using C = std::common_type_t<A, B>;
    return static_cast<C>(a) < static_cast<C>(b);
  } else {
    return static_cast<bool>(a < b);
  }
}
//! a <= b, which is not !(b < a) where there are NaNs.
template <class A, class B>
UPSWEEP_HD constexpr bool is_at_most(const A& a, const B& b) {
  if constexpr (differ_in_sign<A, B>) {
    return !is_below(b, a);
  } else if constexpr (are_numbers<A, B>) {
    using C = std::common_type_t<A, B>;
    return static_cast<C>(a) <= static_cast<C>(b);
  } else {
    return static_cast<bool>(a <= b);
  }
}
//! a == b
template <class A, class B>
UPSWEEP_HD constexpr bool is_same_value(const A& a, const B& b) {
  if constexpr (differ_in_sign<A, B>) {
    return !is_below(a, b) && !is_below(b, a);
  } else if constexpr (are_numbers<A, B>) {
    using C = std::common_type_t<A, B>;
    return static_cast<C>(a) == static_cast<C>(b);
  } else {
    return static_cast<bool>(a == b);
  }
}
}  // namespace detail

//! item < v
//!   std::int64_t few = upsweep::count_if(exec, counts, upsweep::less_than(10));
template <class T = void>
struct less_than {
  T value;
  UPSWEEP_HD constexpr explicit less_than(const T& v) : value(v) {}
  template <class Item>
  UPSWEEP_HD constexpr bool operator()(const Item& item) const {
    return detail::is_below(item, value);
  }
};
//! a < b, of two items: the order of sorts.
template <>
struct less_than<void> {
  template <class T>
  UPSWEEP_HD bool operator()(const T& a, const T& b) const {
    return a < b;
  }
};
less_than() -> less_than<>;

//! item <= v
template <class T>
struct less_equal {
  T value;
  UPSWEEP_HD constexpr explicit less_equal(const T& v) : value(v) {}
  template <class Item>
  UPSWEEP_HD constexpr bool operator()(const Item& item) const {
    return detail::is_at_most(item, value);
  }
};

//! item > v
template <class T>
struct greater_than {
  T value;
  UPSWEEP_HD constexpr explicit greater_than(const T& v) : value(v) {}
  template <class Item>
  UPSWEEP_HD constexpr bool operator()(const Item& item) const {
    return detail::is_below(value, item);
  }
};

//! item >= v
template <class T>
struct greater_equal {
  T value;
  UPSWEEP_HD constexpr explicit greater_equal(const T& v) : value(v) {}
  template <class Item>
  UPSWEEP_HD constexpr bool operator()(const Item& item) const {
    return detail::is_at_most(value, item);
  }
};

//! a <= item and item <= b: both ends are among them. None are when b < a.
template <class T>
struct between {
  T lowest, highest;
  UPSWEEP_HD constexpr between(const T& a, const T& b) : lowest(a), highest(b) {}
  template <class Item>
  UPSWEEP_HD constexpr bool operator()(const Item& item) const {
    return detail::is_at_most(lowest, item) && detail::is_at_most(item, highest);
  }
};

//! item == v
template <class T = void>
struct equal_to {
  T value;
  UPSWEEP_HD constexpr explicit equal_to(const T& v) : value(v) {}
  template <class Item>
  UPSWEEP_HD constexpr bool operator()(const Item& item) const {
    return detail::is_same_value(item, value);
  }
};
//! a == b, of two items: what makes runs.
template <>
struct equal_to<void> {
  template <class T>
  UPSWEEP_HD bool operator()(const T& a, const T& b) const {
    return a == b;
  }
};
equal_to() -> equal_to<>;

//! item != v
template <class T>
struct not_equal_to {
  T value;
  UPSWEEP_HD constexpr explicit not_equal_to(const T& v) : value(v) {}
  template <class Item>
  UPSWEEP_HD constexpr bool operator()(const Item& item) const {
    return !detail::is_same_value(item, value);
  }
};

//! The item is a number. (Of integers: always.)
struct not_nan_t {
  template <class Item>
  UPSWEEP_HD constexpr bool operator()(const Item& item) const {
    return item == item;
  }
};
inline constexpr not_nan_t not_nan{};

//! The number of the first of two functions that holds of an item, 0 or 1; 2 where neither does.
//!   const auto [low, high] = upsweep::three_way_partition(exec, in, a, b, c, upsweep::first_of(upsweep::less_than(1),
//!                                                         upsweep::greater_than(9)));
template <class First, class Second>
struct first_of {
  First first;
  Second second;
  UPSWEEP_HD constexpr first_of(const First& a, const Second& b) : first(a), second(b) {}
  template <class Item>
  UPSWEEP_HD constexpr int operator()(const Item& item) const {
    return first(item) ? 0 : second(item) ? 1 : 2;
  }
};

}  // namespace UPSWEEP_NAMESPACE

// What comparisons are compiled into upsweep::cuda, by the intervals that they stand for: there is one test, of an
// interval, for all of them. The ends are items' own numbers, found so that no item is judged otherwise than by the
// comparison itself.
#pragma once
#include <cmath>
#include <limits>
#include <optional>
#include <type_traits>

#include <upsweep/c/interval.h>
#include <upsweep/comparisons.hpp>
#include <upsweep/config.hpp>
#include <upsweep/library/table.hpp>

//! ROW(a comparison with numbers v, a and b)
#define UPSWEEP_LIBRARY_COMPARISONS(ROW) \
  ROW(less_than(v))                      \
  ROW(less_equal(v))                     \
  ROW(greater_than(v))                   \
  ROW(greater_equal(v))                  \
  ROW(between(a, b))                     \
  ROW(equal_to(v))                       \
  ROW(not_equal_to(v))                   \
  ROW(not_nan)
#define UPSWEEP_LIBRARY_COMPARISON_NAME(comparison) " " #comparison
//! What the errors of calls by comparisons say.
#define UPSWEEP_LIBRARY_COMPARISON_NAMES \
  "by" UPSWEEP_LIBRARY_COMPARISONS(UPSWEEP_LIBRARY_COMPARISON_NAME) " (of integers with integers)"

namespace UPSWEEP_NAMESPACE::library {

//! The items x with lowest <= x <= highest; or all others. None when lowest > highest.
template <class T>
struct interval {
  T lowest, highest;
  bool outside;
};
template <class T>
upsweep_interval told(const interval<T>& i) {
  return {.lowest = &i.lowest, .highest = &i.highest, .outside = i.outside};
}

template <class T>
inline constexpr T least_item =
    std::is_floating_point_v<T> ? -std::numeric_limits<T>::infinity() : std::numeric_limits<T>::lowest();
template <class T>
inline constexpr T greatest_item =
    std::is_floating_point_v<T> ? std::numeric_limits<T>::infinity() : std::numeric_limits<T>::max();

//! The next item below, or above.
template <class T>
T next_below(T x) {
  if constexpr (std::is_floating_point_v<T>) return std::nextafter(x, least_item<T>);
  else return static_cast<T>(x - 1);
}
template <class T>
T next_above(T x) {
  if constexpr (std::is_floating_point_v<T>) return std::nextafter(x, greatest_item<T>);
  else return static_cast<T>(x + 1);
}

//! v as an item, rounded to one nearby; v <= rounded and v >= rounded may both be false, of a NaN.
template <class T, class V>
T rounded(const V& v) {
  if constexpr (std::is_integral_v<T>) {
    if (detail::is_below(v, least_item<T>)) return least_item<T>;
    if (detail::is_below(greatest_item<T>, v)) return greatest_item<T>;
  }
  return static_cast<T>(v);
}
//! The greatest item x with x <= v, and with x < v. None: there is no such item.
template <class T, class V>
std::optional<T> greatest_up_to(const V& v) {
  const T x = rounded<T>(v);
  if (detail::is_at_most(x, v)) return x;
  if (!detail::is_below(v, x) || x == least_item<T>) return {};
  return next_below(x);
}
template <class T, class V>
std::optional<T> greatest_below(const V& v) {
  const std::optional<T> x = greatest_up_to<T>(v);
  if (!x || detail::is_below(*x, v)) return x;
  if (*x == least_item<T>) return {};
  return next_below(*x);
}
//! The least item x with x >= v, and with x > v.
template <class T, class V>
std::optional<T> least_from(const V& v) {
  const T x = rounded<T>(v);
  if (detail::is_at_most(v, x)) return x;
  if (!detail::is_below(x, v) || x == greatest_item<T>) return {};
  return next_above(x);
}
template <class T, class V>
std::optional<T> least_above(const V& v) {
  const std::optional<T> x = least_from<T>(v);
  if (!x || detail::is_below(v, *x)) return x;
  if (*x == greatest_item<T>) return {};
  return next_above(*x);
}
template <class T>
interval<T> from_to(const std::optional<T>& lowest, const std::optional<T>& highest, bool outside = false) {
  if (!lowest || !highest) return {greatest_item<T>, least_item<T>, outside};
  return {*lowest, *highest, outside};
}

//! Numbers that items of type T are compared with exactly, or as converted to T. An integer with a fraction is not.
template <class V, class T>
concept number_beside = std::is_arithmetic_v<V> && (std::is_floating_point_v<T> || std::is_integral_v<V>);

template <class T, number_beside<T> V>
interval<T> interval_of(const less_than<V>& c) {
  return from_to<T>(least_item<T>, greatest_below<T>(c.value));
}
template <class T, number_beside<T> V>
interval<T> interval_of(const less_equal<V>& c) {
  return from_to<T>(least_item<T>, greatest_up_to<T>(c.value));
}
template <class T, number_beside<T> V>
interval<T> interval_of(const greater_than<V>& c) {
  return from_to<T>(least_above<T>(c.value), greatest_item<T>);
}
template <class T, number_beside<T> V>
interval<T> interval_of(const greater_equal<V>& c) {
  return from_to<T>(least_from<T>(c.value), greatest_item<T>);
}
template <class T, number_beside<T> V>
interval<T> interval_of(const between<V>& c) {
  return from_to<T>(least_from<T>(c.lowest), greatest_up_to<T>(c.highest));
}
template <class T, number_beside<T> V>
interval<T> interval_of(const equal_to<V>& c) {
  return from_to<T>(least_from<T>(c.value), greatest_up_to<T>(c.value));
}
template <class T, number_beside<T> V>
interval<T> interval_of(const not_equal_to<V>& c) {
  return from_to<T>(least_from<T>(c.value), greatest_up_to<T>(c.value), true);
}
template <class T>
interval<T> interval_of(const not_nan_t&) {
  return {least_item<T>, greatest_item<T>, false};
}

//! Are items of type T compared so?
template <class C, class T>
concept comparison_of = type_code<T> != 0 && requires(const C& c) { interval_of<T>(c); };

}  // namespace UPSWEEP_NAMESPACE::library

// The order of numbers, which the oracle of sorts needs most: compiled once, optimized and without sanitizers. A
// sanitized std::stable_sort takes many times as long as the sort that it judges.
#pragma once
#include <algorithm>
#include <cstddef>
#include <functional>
#include <type_traits>

#include <upsweep/config.hpp>

namespace oracle {

struct number_type {
  int bytes;
  bool is_signed, is_float;
};
template <class T>
inline constexpr number_type number_type_of{sizeof(T), std::is_signed_v<T>, std::is_floating_point_v<T>};
template <class T>
inline constexpr bool is_number = std::is_arithmetic_v<T> && sizeof(T) <= 8 && !std::is_same_v<T, bool>;

//! Sorts n numbers; floats are in IEEE's total order.
void sort_numbers(void* numbers, std::size_t n, number_type type, bool descending);
//! Puts places of numbers into that order; those of equal ones stay in theirs.
void sort_places(upsweep::index_t* places, std::size_t n, const void* numbers, number_type type, bool descending);

// ---------------------------------------------------------------- which comparators ask for it
struct is_less;
struct is_greater;
template <class Before, class... Others>
inline constexpr bool is_one_of = (std::is_same_v<Before, Others> || ...);
//! Floats by < are in another order: zeros of either sign are equal.
template <class T, class Before>
inline constexpr bool ascends =
    is_number<T> && (is_one_of<Before, is_less> ||
                     (std::is_integral_v<T> && is_one_of<Before, std::less<>, std::less<T>, std::ranges::less>));
template <class T, class Before>
inline constexpr bool descends =
    is_number<T> &&
    (is_one_of<Before, is_greater> ||
     (std::is_integral_v<T> && is_one_of<Before, std::greater<>, std::greater<T>, std::ranges::greater>));

}  // namespace oracle

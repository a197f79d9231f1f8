// Numbers in the order of < or > as a radix sort's task, for both backends (host/number_sort.hpp,
// cuda/number_sort.hpp).
#pragma once
#include <functional>
#include <type_traits>

#include <upsweep/comparisons.hpp>
#include <upsweep/config.hpp>
#include <upsweep/sort/sort_task.hpp>
#include <upsweep/stages.hpp>

namespace UPSWEEP_NAMESPACE {

namespace detail {
// Comparators that say how the values of numbers compare.
template <class T>
inline constexpr bool is_number = std::is_arithmetic_v<T> && radix_sortable<T>;
template <class Less, class T>
inline constexpr bool is_ascending = std::is_same_v<Less, less_than<>> || std::is_same_v<Less, std::ranges::less> ||
                                     std::is_same_v<Less, std::less<>> || std::is_same_v<Less, std::less<T>>;
template <class Less, class T>
inline constexpr bool is_descending = std::is_same_v<Less, std::ranges::greater> ||
                                      std::is_same_v<Less, std::greater<>> || std::is_same_v<Less, std::greater<T>>;
template <class Less, class T>
inline constexpr bool sorts_as_number = is_number<T> && (is_ascending<Less, T> || is_descending<Less, T>);

//! A sort of n numbers, by an image of theirs as key_image is one.
template <class Image, class T>
auto number_task(const T* in, T* out, index_t n, bool descending) {
  using U = typename radix_key<T>::bits_type;
  constexpr auto all = static_cast<U>(~U{});
  using bits_type = ordered_bits<Image, U>;
  return sort_task<T, bits_type, no_values, nothing>{.in = in,
                                                     .out = out,
                                                     .values_in = {},
                                                     .values_out = nullptr,
                                                     .n = n,
                                                     .bits = bits_type{{}, descending ? all : U{}, all},
                                                     .begin_bit = 0,
                                                     .end_bit = radix_key<T>::width};
}
}  // namespace detail

}  // namespace UPSWEEP_NAMESPACE

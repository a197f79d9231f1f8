// Numbers in the order of < or > on the host: a radix sort of them. < has one zero, whose sign a stable sort leaves
// where it stood, and no order of NaNs.
#pragma once
#include <span>
#include <type_traits>

#include <upsweep/config.hpp>
#include <upsweep/executor.hpp>
#include <upsweep/monoid.hpp>
#include <upsweep/reduce.hpp>
#include <upsweep/sort/host/radix_sort.hpp>
#include <upsweep/sort/sort_task.hpp>

namespace UPSWEEP_NAMESPACE::detail {

//! As key_image of floats, with one image for both zeros.
template <class T>
struct value_image {
  using U = typename radix_key<T>::bits_type;
  U operator()(const T& x) const {
    const U image = radix_key<T>::image(x);
    return image == radix_key<T>::image(-T{}) ? radix_key<T>::image(T{}) : image;
  }
};

//! Bit 0 for -0, bit 1 for +0.
struct kind_of_zero {
  template <class T>
  unsigned operator()(const T& x) const {
    using key = radix_key<T>;
    return unsigned{key::image(x) == key::image(-T{})} | unsigned{key::image(x) == key::image(T{})} << 1;
  }
};

template <class Image, class T>
void sort_by_image(host& executor, T* items, index_t n, bool descending) {
  using U = typename radix_key<T>::bits_type;
  constexpr auto all = static_cast<U>(~U{});
  using bits_type = ordered_bits<Image, U>;
  sort_items(executor, sort_task<T, bits_type, no_values, nothing>{.in = items,
                                                                   .out = items,
                                                                   .values_in = {},
                                                                   .values_out = nullptr,
                                                                   .n = n,
                                                                   .bits = bits_type{{}, descending ? all : U{}, all},
                                                                   .begin_bit = 0,
                                                                   .end_bit = radix_key<T>::width});
}

//! Sorts n > 0 numbers in place; those that are equal stay in order.
template <class T>
void sort_numbers(host& executor, T* items, index_t n, bool descending) {
  if constexpr (std::is_floating_point_v<T>) {
    const std::span<const T> all(items, static_cast<std::size_t>(n));
    if (reduce(executor, all, kind_of_zero{}, bit_or<unsigned>{}) == 3)
      return sort_by_image<value_image<T>>(executor, items, n, descending);
  }
  sort_by_image<key_image<T>>(executor, items, n, descending);
}

}  // namespace UPSWEEP_NAMESPACE::detail

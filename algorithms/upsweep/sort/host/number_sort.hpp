// Numbers in the order of < or > on the host: a radix sort of them. < has one zero, whose sign a stable sort leaves
// where it stood, and no order of NaNs.
#pragma once
#include <type_traits>

#include <upsweep/atomic.hpp>
#include <upsweep/config.hpp>
#include <upsweep/executor.hpp>
#include <upsweep/host/versions.hpp>
#include <upsweep/sort/host/parts.hpp>
#include <upsweep/sort/host/radix_sort.hpp>
#include <upsweep/sort/number_task.hpp>
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

//! Is one of n floats of these bits?
template <class T, class U>
bool holds(const host& executor, const T* items, index_t n, U bits) {
  atomic<bool> found;
  for_each_part(executor, n, sizeof(T), [&](index_t begin, index_t end) {
    U same{};
    with_vectors<true>([&](auto) UPSWEEP_LAMBDA_INLINE {
      U any{};
      for (index_t i = begin; i < end; i++) any |= __builtin_bit_cast(U, items[i]) == bits ? U{1} : U{};
      same = any;
    });
    if (same != 0) found.set(true);
  });
  return found.get();
}

//! Sorts n > 0 numbers; those that are equal stay in order.
template <class T>
void sort_numbers(host& executor, const T* in, T* out, index_t n, bool descending) {
  if constexpr (std::is_floating_point_v<T>) {
    using U = typename radix_key<T>::bits_type;
    if (holds(executor, in, n, sign_bit<U>) && holds(executor, in, n, U{}))
      return sort_items(executor, number_task<value_image<T>>(in, out, n, descending));
  }
  sort_items(executor, number_task<key_image<T>>(in, out, n, descending));
}

}  // namespace UPSWEEP_NAMESPACE::detail

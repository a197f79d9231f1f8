// Numbers in the order of < or > on the device: a radix sort of them. < has one zero, whose sign a stable sort leaves
// where it stood (zeros.hpp), and no order of NaNs.
#pragma once
#include <type_traits>

#include <upsweep/config.hpp>
#include <upsweep/cuda/device.hpp>
#include <upsweep/sort/cuda/radix_sort.hpp>
#include <upsweep/sort/number_task.hpp>

namespace UPSWEEP_NAMESPACE::detail {

template <class T>
struct image_with_one_zero : key_image<T> {
  static constexpr bool one_zero = true;
};

//! Sorts n > 0 numbers; those that are equal stay in order.
template <class T>
void sort_numbers(device& executor, const T* in, T* out, index_t n, bool descending) {
  using image = std::conditional_t<std::is_floating_point_v<T>, image_with_one_zero<T>, key_image<T>>;
  sort_items(executor, number_task<image>(in, out, n, descending));
}

}  // namespace UPSWEEP_NAMESPACE::detail

// A sorting network: which of a few items are compared, whatever they are. So a thread sorts them in its registers.
#pragma once
#include <cstddef>
#include <type_traits>
#include <utility>

#include <upsweep/config.hpp>

namespace UPSWEEP_NAMESPACE::gpu {

//! Batcher's odd-even merge sort (1968): calls `each` with the places of the pairs that are brought in order, the lower
//! first. Sorted runs of 1, 2, 4, ... items are merged: items a run apart, then what lies half as far, and so on. A
//! count that is no power of two has the pairs of the next one that lie inside.
template <class F>
constexpr void for_each_exchange(int count, const F& each) {
  for (int run = 1; run < count; run *= 2)
    for (int distance = run; distance >= 1; distance /= 2)
      for (int first = distance % run; first + distance < count; first += 2 * distance)
        for (int low = first; low < first + distance && low + distance < count; low++)
          if (low / (2 * run) == (low + distance) / (2 * run)) each(low, low + distance);
}

template <int Count>
struct network_pairs {
  static constexpr std::size_t size = [] {
    std::size_t pairs = 0;
    for_each_exchange(Count, [&](int, int) { pairs++; });
    return pairs;
  }();
  struct {
    int low, high;
  } pairs[size];
};
template <int Count>
inline constexpr auto sorting_network = [] {
  network_pairs<Count> all{};
  int k = 0;
  for_each_exchange(Count, [&](int low, int high) { all.pairs[k++] = {low, high}; });
  return all;
}();

//! Sorts Count items, two at least: order(low, high) brings two in order. Their places are constants, low.value and
//! high.value, as those in registers must be.
template <int Count, class Order>
UPSWEEP_HD void sort_by_network(const Order& order) {
  [&]<std::size_t... K>(std::index_sequence<K...>) {
    (order(std::integral_constant<int, sorting_network<Count>.pairs[K].low>{},
           std::integral_constant<int, sorting_network<Count>.pairs[K].high>{}),
     ...);
  }(std::make_index_sequence<network_pairs<Count>::size>{});
}

#ifdef __CUDACC__
template <class T, int Count>
__device__ void sort_registers(T (&numbers)[Count]) {
  sort_by_network<Count>([&](auto low, auto high) {
    const T lower = min(numbers[low.value], numbers[high.value]);
    numbers[high.value] = max(numbers[low.value], numbers[high.value]);
    numbers[low.value] = lower;
  });
}
#endif

}  // namespace UPSWEEP_NAMESPACE::gpu

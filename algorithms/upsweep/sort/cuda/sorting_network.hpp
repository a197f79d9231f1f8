// Sorting networks: which of a few items are compared, whatever they are. So a thread sorts them in its registers. Both
// are Batcher's (Sorting networks and their applications, 1968). A count that is no power of two has those pairs of the
// next one that lie inside.
#pragma once
#include <bit>
#include <cstddef>
#include <type_traits>
#include <utility>

#include <upsweep/config.hpp>

namespace UPSWEEP_NAMESPACE::gpu {

//! Odd-even merge sort: calls `each` with the places of the pairs that are brought in order, the lower first. Sorted
//! runs of 1, 2, 4, ... items are merged: items a run apart, then what lies half as far, and so on.
struct odd_even_merge_sort {
  template <class F>
  static constexpr void for_each_exchange(int count, const F& each) {
    for (int run = 1; run < count; run *= 2)
      for (int distance = run; distance >= 1; distance /= 2)
        for (int first = distance % run; first + distance < count; first += 2 * distance)
          for (int low = first; low < first + distance && low + distance < count; low++)
            if (low / (2 * run) == (low + distance) / (2 * run)) each(low, low + distance);
  }
};
//! Bitonic merge: sorts items that fall first and rise then, by halves of which none in the first is above one in the
//! second, and so on.
struct bitonic_merge {
  template <class F>
  static constexpr void for_each_exchange(int count, const F& each) {
    for (int distance = static_cast<int>(std::bit_ceil(static_cast<unsigned>(count))) / 2; distance >= 1; distance /= 2)
      for (int low = 0; low + distance < count; low++)
        if (low % (2 * distance) < distance) each(low, low + distance);
  }
};

template <class Network, int Count>
struct network_pairs {
  static constexpr std::size_t size = [] {
    std::size_t pairs = 0;
    Network::for_each_exchange(Count, [&](int, int) { pairs++; });
    return pairs;
  }();
  struct {
    int low, high;
  } pairs[size];
};
template <class Network, int Count>
inline constexpr auto network_of = [] {
  network_pairs<Network, Count> all{};
  int k = 0;
  Network::for_each_exchange(Count, [&](int low, int high) { all.pairs[k++] = {low, high}; });
  return all;
}();

//! Applies a network to Count items, two at least: order(low, high) brings two in order. Their places are constants,
//! low.value and high.value, as those in registers must be.
template <class Network, int Count, class Order>
UPSWEEP_HD void apply_network(const Order& order) {
  [&]<std::size_t... K>(std::index_sequence<K...>) {
    (order(std::integral_constant<int, network_of<Network, Count>.pairs[K].low>{},
           std::integral_constant<int, network_of<Network, Count>.pairs[K].high>{}),
     ...);
  }(std::make_index_sequence<network_pairs<Network, Count>::size>{});
}

#ifdef __CUDACC__
template <class Network, class T, int Count>
__device__ void apply_network(T (&numbers)[Count]) {
  apply_network<Network, Count>([&](auto low, auto high) {
    const T lower = min(numbers[low.value], numbers[high.value]);
    numbers[high.value] = max(numbers[low.value], numbers[high.value]);
    numbers[low.value] = lower;
  });
}
#endif

}  // namespace UPSWEEP_NAMESPACE::gpu

#include "number_order.hpp"

#include <algorithm>
#include <compare>
#include <cstdint>

namespace oracle {
namespace {
using upsweep::index_t;

// In no other file, so that no sanitized code is made of the templates below that a linker could take for theirs.
template <class T>
struct order {
  bool descending;
  bool operator()(T a, T b) const {
    if (descending) std::swap(a, b);
    if constexpr (std::is_floating_point_v<T>) {
      return std::is_lt(std::strong_order(a, b));
    } else {
      return a < b;
    }
  }
};

template <class F>
void with_type(number_type type, const F& f) {
  const auto one_of = [&](auto is_signed, auto is_unsigned) { type.is_signed ? f(is_signed) : f(is_unsigned); };
  if (type.is_float) type.bytes == 4 ? f(0.f) : f(0.);
  else if (type.bytes == 1) one_of(std::int8_t{}, std::uint8_t{});
  else if (type.bytes == 2) one_of(std::int16_t{}, std::uint16_t{});
  else if (type.bytes == 4) one_of(std::int32_t{}, std::uint32_t{});
  else one_of(std::int64_t{}, std::uint64_t{});
}
}  // namespace

void sort_numbers(void* numbers, std::size_t n, number_type type, bool descending) {
  with_type(type, [&]<class T>(T) {
    T* const items = static_cast<T*>(numbers);
    std::sort(items, items + n, order<T>{descending});
  });
}

void sort_places(index_t* places, std::size_t n, const void* numbers, number_type type, bool descending) {
  with_type(type, [&]<class T>(T) {
    const T* const items = static_cast<const T*>(numbers);
    const auto before = [&](index_t a, index_t b) { return order<T>{descending}(items[a], items[b]); };
    std::stable_sort(places, places + n, before);
  });
}
}  // namespace oracle

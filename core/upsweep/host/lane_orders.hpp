// The lanes of a vector in another order: those that a mask names in front of the others. (AVX2)
#pragma once
#include <array>
#include <cstdint>

#include <upsweep/config.hpp>
#include <upsweep/host/versions.hpp>

#if UPSWEEP_X86_VERSIONS
namespace UPSWEEP_NAMESPACE::detail {

typedef unsigned lanes8 __attribute__((vector_size(32)));

//! For each mask the order, in pieces of 4 bytes: 4 bits for the number of each, the first in the lowest.
template <int Lanes>
inline constexpr auto lane_orders = [] {
  std::array<std::uint32_t, (1 << Lanes)> all{};
  for (std::uint32_t mask = 0; mask < all.size(); mask++) {
    std::uint32_t shift = 0;
    for (const bool named : {true, false})
      for (std::uint32_t piece = 0; piece < 8; piece++)
        if ((mask >> piece / (8 / Lanes) & 1) == named) all[mask] |= piece << shift, shift += 4;
  }
  return all;
}();
//! Of each number the lowest three bits count: so a shift takes it out.
template <int Lanes>
UPSWEEP_AVX2 UPSWEEP_INLINE lanes8 lane_order(unsigned mask) {
  const lanes8 shifts = {0, 4, 8, 12, 16, 20, 24, 28};
  return (lanes8{} + lane_orders<Lanes>[mask]) >> shifts;
}
//! A vector of 32 bytes in that order.
template <int Lanes, class Vector>
UPSWEEP_AVX2 UPSWEEP_INLINE Vector named_lanes_first(const Vector& v, unsigned mask) {
  typedef int ints8 __attribute__((vector_size(32)));
  return reinterpret_cast<Vector>(
      __builtin_ia32_permvarsi256(reinterpret_cast<ints8>(v), reinterpret_cast<ints8>(lane_order<Lanes>(mask))));
}

}  // namespace UPSWEEP_NAMESPACE::detail
#endif

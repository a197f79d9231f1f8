// Sums of sizes that say when they are none.
#pragma once
#include <cstdint>

#include <upsweep/config.hpp>
#include <upsweep/monoid.hpp>

namespace UPSWEEP_NAMESPACE::detail {

//! The sum of sizes; −1 when one of them is negative or the sum is no index_t. (All partial sums of what has none are
//! none: it is associative.)
struct sum_or_none {
  using value_type = index_t;
  UPSWEEP_HD constexpr index_t identity() const { return 0; }
  UPSWEEP_HD constexpr index_t operator()(index_t a, index_t b) const {
    const auto sum = static_cast<index_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
    return (a | b | sum) < 0 ? -1 : sum;
  }
};

//! The sum of so few sizes that those of 4 bytes do not overflow; −1 when there is none.
template <class Size>
UPSWEEP_INLINE index_t sum_of_sizes(const Size* sizes, index_t n) {
  index_t sum = 0, signs = 0;
  for (index_t i = 0; i < n; i++) {
    const auto size = static_cast<index_t>(sizes[i]);
    sum = plus<index_t>{}(sum, size);
    signs |= sizeof(Size) < 8 ? size : size | sum;
  }
  return signs < 0 ? -1 : sum;
}

}  // namespace UPSWEEP_NAMESPACE::detail

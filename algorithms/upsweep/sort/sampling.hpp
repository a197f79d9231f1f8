// Where a sample sort takes its samples.
#pragma once
#include <cstdint>

#include <upsweep/config.hpp>

namespace UPSWEEP_NAMESPACE::detail {

//! The position of sample k of `samples` among n items: random in its share of them, and a function of these numbers.
UPSWEEP_HD constexpr index_t sampled_position(index_t k, index_t samples, index_t n, std::uint64_t seed = 0) {
  const index_t begin = n / samples * k, share = n / samples + (k == samples - 1 ? n % samples : 0);
  std::uint64_t z = (static_cast<std::uint64_t>(n) ^ seed) + static_cast<std::uint64_t>(k + 1) * 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return begin + static_cast<index_t>((z ^ (z >> 31)) % static_cast<std::uint64_t>(share));
}

}  // namespace UPSWEEP_NAMESPACE::detail

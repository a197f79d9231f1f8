// Random bits that are a function of a seed and an index, so that what is made of them is the same for any number of
// threads.
#pragma once
#include <cstdint>

#include <upsweep/config.hpp>

namespace app {

//! 64 random bits of item i (splitmix64's finalizer, Steele et al. 2014).
UPSWEEP_HD inline std::uint64_t random_bits(std::uint64_t seed, std::int64_t i) {
  std::uint64_t z = seed + (static_cast<std::uint64_t>(i) + 1) * 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

}  // namespace app

// Random graphs of a few vertices with many edges and many with few, as the web's: for benchmarks and demos.
#pragma once
#include <cstdint>

#include "data.hpp"

namespace bench {

//! Places of an R-MAT graph (Chakrabarti et al. 2004; .57, .19, .19, .05): a bit of row and column is drawn after the
//! other.
struct rmat {
  std::uint64_t seed;
  int bits;
  bool column;
  int operator()(index_t i) const {
    int place = 0;
    for (int k = 0; k < bits; k++) {
      const auto percent = random_bits(seed + static_cast<std::uint64_t>(k), i) % 100;
      const bool bit = column ? (percent >= 57 && percent < 76) || percent >= 95 : percent >= 76;
      place = 2 * place + bit;
    }
    return place;
  }
};

}  // namespace bench

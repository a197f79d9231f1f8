// A hash of strings that scans can compute: a polynomial modulo the prime 2^61 − 1, in a base that nobody chose with
// the strings in mind. Two strings of at most L bytes that differ share their hash with a probability of L / 2^61 (Karp
// and Rabin 1987).
#pragma once
#include <cstdint>

#include <upsweep/affine.hpp>
#include <upsweep/config.hpp>

namespace app {

//! An integer modulo 2^61 − 1.
class modular {
 public:
  __extension__ typedef unsigned __int128 wide;  // NOLINT(modernize-use-using): nvcc takes no __extension__ using
  modular() = default;
  //! Of a value below 2^122.
  UPSWEEP_HD constexpr explicit modular(wide value) {
    // 2^61 is 1 here, so the upper digits are added to the lower ones.
    const std::uint64_t folded = (static_cast<std::uint64_t>(value) & prime) + static_cast<std::uint64_t>(value >> 61);
    value_ = folded >= prime ? folded - prime : folded;
  }
  UPSWEEP_HD constexpr std::uint64_t value() const { return value_; }

  friend UPSWEEP_HD constexpr modular operator+(modular a, modular b) {
    const std::uint64_t sum = a.value_ + b.value_;
    a.value_ = sum >= prime ? sum - prime : sum;
    return a;
  }
  friend UPSWEEP_HD constexpr modular operator*(modular a, modular b) {
    return modular(static_cast<wide>(a.value_) * b.value_);
  }

 private:
  static constexpr std::uint64_t prime = (std::uint64_t{1} << 61) - 1;
  std::uint64_t value_;
};

//! What a string behind another one does to the hash of that one: it is an affine map, and so strings are a scan.
using hash_map = upsweep::affine_map<modular>;

class hash_function {
 public:
  hash_function() {
    const modular base(0x243f6a8885a308d3);  // the first digits of pi: nobody's choice
    power_[0] = modular(1);
    for (int k = 0; k < 8; k++) power_[k + 1] = power_[k] * base;
  }
  //! The map of a string of up to eight bytes: the last ones of `bytes`, the highest first from behind. In front of
  //! them are zeros.
  UPSWEEP_HD hash_map operator()(std::uint64_t bytes, int length) const {
    modular::wide sum = 0;  // reduced once: it is below 2^72
    for (int k = 0; k < 8; k++) sum += static_cast<modular::wide>(power_[7 - k].value()) * (bytes >> 8 * k & 0xff);
    return {power_[length], modular(sum)};
  }

 private:
  modular power_[9];  // of the base
};

}  // namespace app

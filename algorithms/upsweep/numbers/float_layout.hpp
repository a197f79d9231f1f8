// Where a float's digits stand, in pieces of 24 bits that are the same for all numbers (reproducible_plus.hpp).
#pragma once
#include <cstdint>
#include <type_traits>

#include <upsweep/config.hpp>

namespace UPSWEEP_NAMESPACE::detail {

//! An IEEE number's fields, how many pieces it is cut into at most, and how many bins sums of them take.
template <class T>
struct float_layout {
  static constexpr bool is_single = sizeof(T) == 4;
  using word = std::conditional_t<is_single, std::uint32_t, std::uint64_t>;
  static constexpr int mantissa_bits = is_single ? 23 : 52, exponent_bits = is_single ? 8 : 11;
  static constexpr int piece_bits = 24, pieces = is_single ? 2 : 4, bins = pieces + 1;
  static constexpr int smallest = 2 - (1 << (exponent_bits - 1)) - mantissa_bits;  // the smallest number's exponent
  static constexpr word one = 1, all_exponents = (one << exponent_bits) - 1,
                        magnitude = static_cast<word>(~word{0}) >> 1;

  UPSWEEP_HD static word bits_of(T x) { return __builtin_bit_cast(word, x); }
  UPSWEEP_HD static int exponent_of(word bits) { return static_cast<int>(bits >> mantissa_bits & all_exponents); }
  UPSWEEP_HD static bool is_finite(word bits) { return exponent_of(bits) != static_cast<int>(all_exponents); }
  //! Where the last bit stands, above that of the smallest number.
  UPSWEEP_HD static int place_of(word bits) {
    const int exponent = exponent_of(bits);
    return exponent > 0 ? exponent - 1 : 0;
  }
  //! The number of the piece that the leading bit may be in: multiples of 2^(24·top) of the smallest number.
  UPSWEEP_HD static int top_of(word bits) { return place_of(bits) / piece_bits + pieces - 1; }
  //! The largest finite magnitude, in bits, that has this top or a lower one.
  UPSWEEP_HD static word largest_of(int top) {
    const int exponents = piece_bits * (top - pieces + 2) + 1, all = static_cast<int>(all_exponents);
    return (static_cast<word>(exponents < all ? exponents : all) << mantissa_bits) - 1;
  }
  //! The exponent of the lowest bin's last place.
  UPSWEEP_HD static int lowest_of(int top) { return smallest + piece_bits * (top - bins + 1); }
};

}  // namespace UPSWEEP_NAMESPACE::detail

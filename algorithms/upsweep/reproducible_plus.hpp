// reproducible_plus<T>: sums of floats of which not a bit depends on the order, the number of threads or the machine; a
// host and a GPU give the same. A monoid for every call:
//   float total = upsweep::reduce(exec, in, upsweep::reproducible_plus<float>{});
// Every number is cut at places that are the same for all numbers, multiples of 24 bits, and the pieces are added up as
// integers, exactly. What lies too far below the largest number is left out, which is decided by these places alone:
// so the sum is associative and commutes, to the bit (the idea of Demmel and Nguyen 2015, and of Ahrens, Demmel and
// Nguyen 2020, with integers in the place of floats).
#pragma once
#include <cmath>
#include <cstdint>
#include <type_traits>

#include <upsweep/config.hpp>
#include <upsweep/numbers/float_layout.hpp>
#include <upsweep/numbers/host/sum_pieces.hpp>
#if UPSWEEP_HAS_CUDA
#include <upsweep/numbers/cuda/lane_pieces.hpp>
#endif

namespace UPSWEEP_NAMESPACE {

//! A sum in bins: bin[k] counts multiples of 2^(24·(top − bins + 1 + k)) of the smallest positive number; the last one
//! holds the leading pieces of the largest number. Converts from a number, and to one, rounded to nearest.
template <class T>
  requires(std::is_same_v<T, float> || std::is_same_v<T, double>)
class binned_sum {
  using layout = detail::float_layout<T>;
  using word = typename layout::word;
  static constexpr int piece_bits = layout::piece_bits, pieces = layout::pieces, bins = layout::bins;
  static constexpr std::int64_t piece_mask = (std::int64_t{1} << piece_bits) - 1;
  static constexpr int not_finite = 1 << 20;  // a `top` above all others: bins count infinities and NaNs

 public:
  binned_sum() = default;
  UPSWEEP_HD binned_sum(T x) : top_(pieces - 1), bin_{} {  // NOLINT(google-explicit-constructor): it is one
    const word bits = layout::bits_of(x), fraction = bits & ((layout::one << layout::mantissa_bits) - 1);
    const bool negative = bits > layout::magnitude;
    if (!layout::is_finite(bits)) {
      top_ = not_finite;
      bin_[fraction != 0 ? 2 : negative ? 1 : 0] = 1;
      return;
    }
    const auto mantissa = static_cast<std::int64_t>(
        layout::exponent_of(bits) > 0 ? fraction | layout::one << layout::mantissa_bits : fraction);
    const int shift = layout::place_of(bits) % piece_bits;
    top_ = layout::top_of(bits);
    const std::int64_t sign = negative ? -1 : 1;
    bin_[1] = sign * (mantissa << shift & piece_mask);
    for (int k = 1; k < pieces; k++) {
      const int down = piece_bits * k - shift;
      bin_[k + 1] = sign * (mantissa >> (down < 63 ? down : 63) & piece_mask);
    }
  }

  UPSWEEP_HD operator T() const {  // NOLINT(google-explicit-constructor)
    if (top_ == not_finite) return sum_of_infinities();
    // The sum's digits to the base 2^24, of which only the leading one may be larger than that.
    std::int64_t digit[bins];
    for (int k = 0; k < bins; k++) digit[k] = bin_[k];
    const bool negative = normalize(digit) < 0;
    if (negative) {
      for (int k = 0; k < bins; k++) digit[k] = -bin_[k];
      normalize(digit);
    }
    const T magnitude = rounded(digit);
    return negative ? -magnitude : magnitude;
  }

  //! The sum of so many items, on a host: by vectors, where all are finite.
  static binned_sum of_items(const T* items, index_t count) {
    word largest = 0;
    for (index_t i = 0; i < count; i++) {
      const word bits = layout::bits_of(items[i]) & layout::magnitude;
      largest = bits > largest ? bits : largest;
    }
    if (!layout::is_finite(largest)) {
      binned_sum sum = T{0};
      for (index_t i = 0; i < count; i++) sum = of(sum, items[i]);
      return sum;
    }
    const int top = layout::top_of(largest), lowest = layout::lowest_of(top);
    double sums[bins];
    detail::sum_pieces(items, count, std::ldexp(1.0, -lowest / 2), std::ldexp(1.0, -lowest - -lowest / 2), sums);
    return of_pieces(top, sums);
  }
  //! What sums[k] · 2^(24·k) above the bins' lowest place are, of numbers with this top: each a whole number of them.
  UPSWEEP_HD static binned_sum of_pieces(int top, const double (&sums)[bins]) {
    binned_sum sum = T{0};
    sum.top_ = top;
    for (int k = 0; k < bins; k++) sum.bin_[k] = static_cast<std::int64_t>(sums[k]);
    return sum;
  }
  //! The sum of both.
  UPSWEEP_HD static binned_sum of(const binned_sum& a, const binned_sum& b) {
    const auto apart = static_cast<int>(a.top_ - b.top_);
    binned_sum sum;
    sum.top_ = apart > 0 ? a.top_ : b.top_;
    for (int k = 0; k < bins; k++)
      sum.bin_[k] = apart == 0 ? a.bin_[k] + b.bin_[k] : a.bin_below(k, -apart) + b.bin_below(k, apart);
    return sum;
  }

 private:
  // What comes to bin k when the top rises by `distance`, if it does. By constant indices alone, so that bins stay in
  // registers.
  UPSWEEP_HD std::int64_t bin_below(int k, int distance) const {
    std::int64_t found = distance <= 0 ? bin_[k] : 0;
    for (int from = k + 1; from < bins; from++)
      if (from - k == distance) found = bin_[from];
    return found;
  }
  UPSWEEP_HD T sum_of_infinities() const {
    const T infinity = static_cast<T>(HUGE_VAL);
    if (bin_[2] != 0 || (bin_[0] != 0 && bin_[1] != 0)) return infinity - infinity;
    return bin_[0] != 0 ? infinity : -infinity;
  }
  // Carries from digit to digit; returns the leading one.
  UPSWEEP_HD static std::int64_t normalize(std::int64_t (&digit)[bins]) {
    for (int k = 0; k + 1 < bins; k++) {
      digit[k + 1] += digit[k] >> piece_bits;
      digit[k] &= piece_mask;
    }
    return digit[bins - 1];
  }
  // The number with these digits, rounded to nearest, ties to even.
  UPSWEEP_HD T rounded(const std::int64_t (&digit)[bins]) const {
    auto leading = static_cast<std::uint64_t>(digit[bins - 1]);
    int exponent = piece_bits * static_cast<int>(top_);  // of the last bit of `leading`, above the smallest number's
    bool more = false;                                   // is there anything behind `leading`?
    for (int k = bins - 2; k >= 0; k--) {
      int room = 0;
      while (room < piece_bits && !(leading >> (63 - room))) room++;
      const auto next = static_cast<std::uint64_t>(digit[k]);
      leading = leading << room | next >> (piece_bits - room);
      more |= (next & ((std::uint64_t{1} << (piece_bits - room)) - 1)) != 0;
      exponent -= room;
    }
    int length = 0;
    while (length < 64 && leading >> length != 0) length++;
    int cut = length - (layout::mantissa_bits + 1);  // bits that T has no room for
    cut = cut > -exponent ? cut : -exponent;         // the smallest number's bit is the last one
    if (cut > 0) {
      const std::uint64_t rest = leading & ((std::uint64_t{1} << cut) - 1), tie = std::uint64_t{1} << (cut - 1);
      leading >>= cut;
      exponent += cut;
      if (rest > tie || (rest == tie && (more || leading % 2 != 0))) leading++;
    }
    return std::ldexp(static_cast<T>(leading), exponent + layout::smallest);
  }

  std::int64_t top_;  // no padding behind it: equal sums are equal bytes
  std::int64_t bin_[bins];
};

//! Sum to the same bits in any order, on any machine. Of up to 2^39 numbers; its error is at most one rounding of the
//! result and n·2^−47 (float) or n·2^−76 (double) of the largest number. Infinities and NaNs give what they give in any
//! order of a serial loop; a sum of −0 alone is +0. A value takes 32 bytes for float and 48 for double.
template <class T>
struct reproducible_plus {
  using value_type = binned_sum<T>;
  UPSWEEP_HD value_type identity() const { return T{0}; }
  UPSWEEP_HD value_type operator()(const value_type& earlier, const value_type& later) const {
    return value_type::of(earlier, later);
  }
  //! What a host's reductions take in the place of one item after another.
  static value_type fold(const T* items, index_t count) { return value_type::of_items(items, count); }
#if UPSWEEP_HAS_CUDA
  using lane_fold = gpu::lane_pieces<T, value_type>;  // and a GPU's
#endif
};

}  // namespace UPSWEEP_NAMESPACE

// Stretches of a polynomial's coefficients as a monoid: Horner's rule composes affine maps (Blelloch 1990, §1.4).
#pragma once
#include <cmath>
#include <concepts>

#include <upsweep/config.hpp>
#include <upsweep/monoid.hpp>

namespace UPSWEEP_NAMESPACE::detail {

//! Σ c[i]·x^(i − first) of a stretch, and x to its length, which is power·2^exponent: that overflows for no degree.
template <std::floating_point T>
struct horner_span {
  T value, power;
  int exponent;
};

//! Stretches, that of the lower coefficients first.
template <std::floating_point T>
struct horner {
  using value_type = horner_span<T>;
  UPSWEEP_HD constexpr value_type identity() const { return {T{0}, T{1}, 0}; }
  UPSWEEP_HD value_type operator()(const value_type& earlier, const value_type& later) const {
    UPSWEEP_ROUND_EACH
    value_type both{earlier.value + shifted(later.value, earlier), earlier.power * later.power,
                    earlier.exponent + later.exponent};
    const T size = std::fabs(both.power);
    if (size >= T(0x1p32) && size < largest<T>) rescale(both, 32);
    if (size < T(0x1p-32) && size > 0) rescale(both, -32);
    return both;
  }

 private:
  UPSWEEP_HD static void rescale(value_type& span, int bits) {
    span.power = std::ldexp(span.power, -bits);
    span.exponent += bits;
  }
  //! value · x to the length of `span`. Nothing stays nothing, however far it is shifted.
  UPSWEEP_HD static T shifted(T value, const value_type& span) {
    if (value == 0) return value;
    if (span.exponent == 0) return value * span.power;
    return span.exponent < 0 ? std::ldexp(value, span.exponent) * span.power
                             : std::ldexp(value * span.power, span.exponent);
  }
};

//! Horner's rule, coefficient by coefficient.
template <class T>
UPSWEEP_HD T serial_horner(const T* coefficients, index_t count, T x) {
  UPSWEEP_ROUND_EACH
  T y = 0;
  for (index_t i = count - 1; i >= 0; i--) y = y * x + coefficients[i];
  return y;
}

}  // namespace UPSWEEP_NAMESPACE::detail

// Complex numbers where the operators of std::complex cannot be called, which are the host's: as their two parts.
#pragma once
#include <complex>

#include <upsweep/config.hpp>

namespace UPSWEEP_NAMESPACE::detail {

template <class T>
struct is_complex {
  static constexpr bool value = false;
};
template <class T>
struct is_complex<std::complex<T>> {
  static constexpr bool value = true;
};
template <class T>
inline constexpr bool is_complex_v = is_complex<T>::value;

#if defined(__GNUC__)
#define UPSWEEP_MAY_ALIAS __attribute__((may_alias))  // memory of std::complex may be read and written as parts
#else
#define UPSWEEP_MAY_ALIAS
#endif
//! Multiplied by the formula, with no second look at infinities.
template <class R>
struct UPSWEEP_MAY_ALIAS complex_parts {
  R real, imaginary = R{};  // complex_parts{1} is the number 1
  friend UPSWEEP_HD constexpr complex_parts operator+(const complex_parts& x, const complex_parts& y) {
    return {x.real + y.real, x.imaginary + y.imaginary};
  }
  friend UPSWEEP_HD constexpr complex_parts operator*(const complex_parts& x, const complex_parts& y) {
    return {x.real * y.real - x.imaginary * y.imaginary, x.real * y.imaginary + x.imaginary * y.real};
  }
  friend bool operator==(const complex_parts&, const complex_parts&) = default;
};
#undef UPSWEEP_MAY_ALIAS

template <class R>
UPSWEEP_HD constexpr complex_parts<R> parts_of(const std::complex<R>& z) {
  return __builtin_bit_cast(complex_parts<R>, z);
}
template <class R>
UPSWEEP_HD constexpr std::complex<R> complex_of(const complex_parts<R>& z) {
  return __builtin_bit_cast(std::complex<R>, z);
}

}  // namespace UPSWEEP_NAMESPACE::detail

// Complex numbers where the operators of std::complex cannot be called, which are the host's: as their two parts.
#pragma once
#include <type_traits>

#include <upsweep/config.hpp>

namespace UPSWEEP_NAMESPACE::detail {

//! std::complex, told by what it is: <complex> itself takes GCC 0.11 s to read (GCC 12, 2026-11-26), and who has such
//! numbers has read it.
template <class T>
inline constexpr bool is_complex_v = false;
template <template <class> class Complex, class R>
  requires(std::is_arithmetic_v<R> && sizeof(Complex<R>) == 2 * sizeof(R) &&
           requires(const Complex<R>& z) { z.real() + z.imag(); })
inline constexpr bool is_complex_v<Complex<R>> = true;

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

template <class C>
  requires is_complex_v<C>
UPSWEEP_HD constexpr complex_parts<typename C::value_type> parts_of(const C& z) {
  return __builtin_bit_cast(complex_parts<typename C::value_type>, z);
}
template <class C>
UPSWEEP_HD constexpr C complex_of(const complex_parts<typename C::value_type>& z) {
  return __builtin_bit_cast(C, z);
}

}  // namespace UPSWEEP_NAMESPACE::detail

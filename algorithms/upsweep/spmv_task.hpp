// What both backends of the sparse products take: one description of each, and the arithmetic of numbers.
//   product_task     y = alpha·A·x + beta·y, y's type accumulates
//   semiring_task    y[r] = the fold of multiply(value, x[column]) over row r
//   dense_task       the same as product_task for several dense columns
#pragma once
#include <complex>
#include <type_traits>

#include <upsweep/config.hpp>
#include <upsweep/csr.hpp>
#include <upsweep/monoid.hpp>

namespace upsweep::inline UPSWEEP_ABI {

namespace detail {
template <class T>
struct is_complex : std::false_type {};
template <class T>
struct is_complex<std::complex<T>> : std::true_type {};
template <class T>
inline constexpr bool is_complex_v = is_complex<T>::value;

// Numbers that a product knows: integers wrap; complex numbers are multiplied by the formula, with no second look at
// infinities.
template <class S, class A, class B>
UPSWEEP_HD constexpr S product_of(const A& a, const B& b) {
  if constexpr (is_complex_v<S>) {
    using R = typename S::value_type;
    if constexpr (is_complex_v<A> && is_complex_v<B>) {
      const auto ar = static_cast<R>(a.real()), ai = static_cast<R>(a.imag());
      const auto br = static_cast<R>(b.real()), bi = static_cast<R>(b.imag());
      return S(ar * br - ai * bi, ar * bi + ai * br);
    } else if constexpr (is_complex_v<A>) {
      return S(static_cast<R>(a.real()) * static_cast<R>(b), static_cast<R>(a.imag()) * static_cast<R>(b));
    } else if constexpr (is_complex_v<B>) {
      return S(static_cast<R>(a) * static_cast<R>(b.real()), static_cast<R>(a) * static_cast<R>(b.imag()));
    } else {
      return S(static_cast<R>(a) * static_cast<R>(b), R{});
    }
  } else {
    return multiplies<S>{}(static_cast<S>(a), static_cast<S>(b));
  }
}
template <class S>
UPSWEEP_HD constexpr S sum_of(const S& a, const S& b) {
  if constexpr (is_complex_v<S>) {
    return S(a.real() + b.real(), a.imag() + b.imag());
  } else {
    return plus<S>{}(a, b);
  }
}

//! Where a row's sum goes: y = alpha·sum + beta·y, and y is not read when beta is 0.
template <class S>
struct scaled_store {
  S* y;
  S alpha, beta;
  bool reads_y;
  UPSWEEP_HD void operator()(index_t i, const S& sum) const {
    const S scaled = product_of<S>(alpha, sum);
    y[i] = reads_y ? sum_of(scaled, product_of<S>(beta, y[i])) : scaled;
  }
};
//! The same without a factor, for a semiring.
template <class V, class Y>
struct plain_store {
  Y* y;
  UPSWEEP_HD void operator()(index_t i, const V& sum) const { y[i] = static_cast<Y>(sum); }
};

template <class Value, class Column, class Offset, class X, class S>
struct product_task {
  csr_view<Value, Column, Offset> a;
  const X* x;
  scaled_store<S> store;
};

template <class Value, class Column, class Offset, class X, class Y, class Multiply, class M>
struct semiring_task {
  csr_view<Value, Column, Offset> a;
  const X* x;
  plain_store<typename M::value_type, Y> store;
  Multiply multiply;
  M monoid;
};

//! x and y are row-major, `width` items a row.
template <class Value, class Column, class Offset, class X, class S>
struct dense_task {
  csr_view<Value, Column, Offset> a;
  const X* x;
  index_t width;
  scaled_store<S> store;
};
}  // namespace detail

}  // namespace upsweep::inline UPSWEEP_ABI

// What both backends of the sparse products take: one description of each, and the arithmetic of numbers.
//   product_task     y = alpha·A·x + beta·y, summed in y's type
//   semiring_task    y[r] = the fold of multiply(value, x[column]) over row r
//   dense_task       the same as product_task for several dense columns
#pragma once
#include <type_traits>

#include <upsweep/complex_parts.hpp>
#include <upsweep/config.hpp>
#include <upsweep/csr.hpp>
#include <upsweep/monoid.hpp>
#if UPSWEEP_HAS_CUDA
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#endif

namespace UPSWEEP_NAMESPACE {

namespace detail {
// Numbers that a product knows: integers wrap; complex numbers are multiplied by the formula, with no second look at
// infinities.
template <class S, class A, class B>
UPSWEEP_HD constexpr S product_of(const A& a, const B& b) {
  if constexpr (is_complex_v<S>) {
    using R = typename S::value_type;
    if constexpr (is_complex_v<A> && is_complex_v<B>) {
      const auto [ar, ai] = parts_of(a);
      const auto [br, bi] = parts_of(b);
      return complex_of<S>(complex_parts<R>{static_cast<R>(ar), static_cast<R>(ai)} *
                           complex_parts<R>{static_cast<R>(br), static_cast<R>(bi)});
    } else if constexpr (is_complex_v<A>) {
      const auto [ar, ai] = parts_of(a);
      return complex_of<S>({static_cast<R>(ar) * static_cast<R>(b), static_cast<R>(ai) * static_cast<R>(b)});
    } else if constexpr (is_complex_v<B>) {
      return product_of<S>(b, a);
    } else {
      return complex_of<S>({static_cast<R>(a) * static_cast<R>(b), R{}});
    }
  } else {
    return multiplies<S>{}(static_cast<S>(a), static_cast<S>(b));
  }
}

//! product_of<S> as a function.
template <class S>
struct multiply_as {
  template <class A, class B>
  UPSWEEP_HD constexpr S operator()(const A& a, const B& b) const {
    return product_of<S>(a, b);
  }
};

//! plus<S>, of complex numbers too.
template <class S>
struct sum {
  using value_type = S;
  UPSWEEP_HD constexpr S identity() const {
    if constexpr (is_complex_v<S>) {
      return complex_of<S>({});
    } else {
      return plus<S>{}.identity();
    }
  }
  UPSWEEP_HD constexpr S operator()(const S& earlier, const S& later) const {
    if constexpr (is_complex_v<S>) {
      return complex_of<S>(parts_of(earlier) + parts_of(later));
    } else {
      return plus<S>{}(earlier, later);
    }
  }
};
template <class S>
UPSWEEP_HD constexpr S sum_of(const S& a, const S& b) {
  return sum<S>{}(a, b);
}

//! What sums for a y of numbers Y are made in: floats of 16 bits are summed as float.
template <class Y>
struct sum_type {
  using type = Y;
};
#if UPSWEEP_HAS_CUDA
template <>
struct sum_type<__half> {
  using type = float;
};
template <>
struct sum_type<__nv_bfloat16> {
  using type = float;
};
#endif
template <class Y>
using sum_type_t = typename sum_type<Y>::type;

//! Where a row's sum goes: y = alpha·sum + beta·y, and y is not read when beta is 0.
template <class Y>
struct scaled_store {
  using S = sum_type_t<Y>;
  Y* y;
  S alpha, beta;
  bool reads_y;
  UPSWEEP_HD void operator()(index_t i, const S& sum) const {
    const S scaled = product_of<S>(alpha, sum);
    y[i] = static_cast<Y>(reads_y ? sum_of(scaled, product_of<S>(beta, y[i])) : scaled);
  }
};
//! The same without a factor, for a semiring.
template <class V, class Y>
struct plain_store {
  Y* y;
  UPSWEEP_HD void operator()(index_t i, const V& sum) const { y[i] = static_cast<Y>(sum); }
};

template <class Value, class Column, class Offset, class X, class Y>
struct product_task {
  csr_view<Value, Column, Offset> a;
  const X* x;
  scaled_store<Y> store;
};

template <class Value, class Column, class Offset, class X, class Y>
product_task<Value, Column, Offset, X, Y> product_by(const csr_view<Value, Column, Offset>& a, const X* x,
                                                     const scaled_store<Y>& store) {
  return {a, x, store};
}

template <class Value, class Column, class Offset, class X, class Y, class Multiply, class M>
struct semiring_task {
  csr_view<Value, Column, Offset> a;
  const X* x;
  plain_store<typename M::value_type, Y> store;
  Multiply multiply;
  M monoid;
};
template <class Value, class Column, class Offset, class X, class Y, class Multiply, class M>
semiring_task<Value, Column, Offset, X, Y, Multiply, M> semiring_by(const csr_view<Value, Column, Offset>& a,
                                                                    const X* x, Y* y, const Multiply& multiply,
                                                                    const M& monoid) {
  return {.a = a, .x = x, .store = {y}, .multiply = multiply, .monoid = monoid};
}

//! x and y are row-major, `width` items a row.
template <class Value, class Column, class Offset, class X, class Y>
struct dense_task {
  csr_view<Value, Column, Offset> a;
  const X* x;
  index_t width;
  scaled_store<Y> store;
};
template <class Value, class Column, class Offset, class X, class Y>
dense_task<Value, Column, Offset, X, Y> dense_by(const csr_view<Value, Column, Offset>& a, const X* x, index_t width,
                                                 const scaled_store<Y>& store) {
  return {a, x, width, store};
}
}  // namespace detail

}  // namespace UPSWEEP_NAMESPACE

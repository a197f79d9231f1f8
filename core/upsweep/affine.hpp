// Affine maps as a monoid: linear recurrences become scans (Blelloch 1990, §1.4).
// The operators take the EARLIER map first; textbooks often write the newer one on the left.
#pragma once
#include <upsweep/config.hpp>
#include <upsweep/monoid.hpp>

namespace UPSWEEP_NAMESPACE {

//! x ↦ a·x + b
template <class T>
struct affine_map {
  T a, b;
  UPSWEEP_HD constexpr T operator()(T x) const { return static_cast<T>(a * x + b); }
  friend bool operator==(const affine_map&, const affine_map&) = default;
};

//! Composition of affine maps, the earlier applied first: (a1,b1)·(a2,b2) = (a2·a1, a2·b1 + b2).
template <class T>
struct affine {
  using value_type = affine_map<T>;
  UPSWEEP_HD constexpr value_type identity() const { return {T{1}, T{0}}; }
  UPSWEEP_HD UPSWEEP_INLINE constexpr value_type operator()(const value_type& earlier, const value_type& later) const {
    UPSWEEP_ROUND_EACH
    return {static_cast<T>(later.a * earlier.a), static_cast<T>(later.a * earlier.b + later.b)};
  }
};

//! A K×K matrix, stored by rows.
template <class T, int K>
struct square {
  T at[K][K];
  friend bool operator==(const square&, const square&) = default;
};

//! Products of K×K matrices. As maps that act on column vectors, the earlier applied first: earlier·later ↦ L·E.
template <class T, int K>
struct matrix {
  using value_type = square<T, K>;
  UPSWEEP_HD constexpr value_type identity() const {
    value_type one{};
    for (int i = 0; i < K; i++) one.at[i][i] = T{1};
    return one;
  }
  UPSWEEP_HD UPSWEEP_INLINE constexpr value_type operator()(const value_type& earlier, const value_type& later) const {
    UPSWEEP_ROUND_EACH
    value_type product;
    for (int row = 0; row < K; row++) {
      for (int column = 0; column < K; column++) {
        T sum = static_cast<T>(later.at[row][0] * earlier.at[0][column]);
        for (int k = 1; k < K; k++) sum = static_cast<T>(sum + later.at[row][k] * earlier.at[k][column]);
        product.at[row][column] = sum;
      }
    }
    return product;
  }
};

//! v ↦ A·v + c on vectors of K entries.
template <class T, int K>
struct vector_map {
  square<T, K> a;
  T c[K];
  friend bool operator==(const vector_map&, const vector_map&) = default;
};

//! Composition of affine maps of vectors, the earlier applied first: recurrences of order K through their companion
//! matrix. With constant coefficients scan the vector alone (the power of A depends on the distance only); this is for
//! coefficients that vary.
template <class T, int K>
struct affine_vector {
  using value_type = vector_map<T, K>;
  UPSWEEP_HD constexpr value_type identity() const {
    value_type one{};
    one.a = matrix<T, K>{}.identity();
    return one;
  }
  UPSWEEP_HD UPSWEEP_INLINE constexpr value_type operator()(const value_type& earlier, const value_type& later) const {
    UPSWEEP_ROUND_EACH
    value_type result;
    result.a = matrix<T, K>{}(earlier.a, later.a);
    for (int row = 0; row < K; row++) {
      T sum = later.c[row];
      for (int k = 0; k < K; k++) sum = static_cast<T>(sum + later.a.at[row][k] * earlier.c[k]);
      result.c[row] = sum;
    }
    return result;
  }
};

}  // namespace UPSWEEP_NAMESPACE

// Monoids: what a scan combines with. A monoid is an associative operator and its identity; it need not be commutative.
//   M::value_type             what accumulates: trivially copyable, of any size
//   m(earlier, later)         combines two neighbouring values, the one with the smaller index first
//   m.identity()              the value of nothing. The engines never combine with it (see scan.hpp)
// One whose order does not matter to the bit may have M::fold(items, count), too: a host's reductions of a range call
// it for stretches of items, where it can do better than item by item (reproducible_plus.hpp). A GPU's do the same by a
// type M::lane_fold, what a lane keeps of the items that it meets: add(const T (&items)[N]) and total() -> value_type.
#pragma once
#include <concepts>
#include <cstdint>
#include <limits>
#include <type_traits>

#include <upsweep/config.hpp>

namespace UPSWEEP_NAMESPACE {

namespace detail {
struct no_type {};  // of plus{} and the like, which are no monoids: what accumulates must be named
}  // namespace detail

template <class M>
concept monoid =
    std::is_trivially_copyable_v<typename M::value_type> && !std::is_same_v<typename M::value_type, detail::no_type> &&
    requires(const M& m, const typename M::value_type& v) {
      { m.identity() } -> std::convertible_to<typename M::value_type>;
      { m(v, v) } -> std::convertible_to<typename M::value_type>;
    };

namespace detail {
// Integers wrap instead of overflowing: signed arithmetic is done in the unsigned type of at least int's size.
template <class T>
struct wrapping {
  using type = T;
};
template <class T>
  requires(std::is_integral_v<T> && !std::is_same_v<T, bool>)
struct wrapping<T> {
  using type = std::conditional_t<(sizeof(T) < sizeof(unsigned)), unsigned, std::make_unsigned_t<T>>;
};
template <class T>
using wrapping_t = typename wrapping<T>::type;

template <class T>
UPSWEEP_HD constexpr bool is_nan(const T& x) {
  return x != x;
}
// Constants, since device code may not call the functions of numeric_limits.
template <class T, class Limits = std::numeric_limits<T>>
inline constexpr T largest = Limits::has_infinity ? Limits::infinity() : Limits::max();
template <class T, class Limits = std::numeric_limits<T>>
inline constexpr T smallest = Limits::has_infinity ? static_cast<T>(-Limits::infinity()) : Limits::lowest();
}  // namespace detail

//! Sum, accumulated in T as the standard's plus does (`plus<long long>` over ints is how to avoid overflow). Integers
//! wrap.
template <class T = detail::no_type>
struct plus {
  using value_type = T;
  UPSWEEP_HD constexpr T identity() const { return T{}; }
  UPSWEEP_HD constexpr T operator()(T earlier, T later) const {
    using W = detail::wrapping_t<T>;
    return static_cast<T>(static_cast<W>(earlier) + static_cast<W>(later));
  }
};

//! Product, accumulated in T. Integers wrap.
template <class T = detail::no_type>
struct multiplies {
  using value_type = T;
  UPSWEEP_HD constexpr T identity() const { return T{1}; }
  UPSWEEP_HD constexpr T operator()(T earlier, T later) const {
    using W = detail::wrapping_t<T>;
    return static_cast<T>(static_cast<W>(earlier) * static_cast<W>(later));
  }
};

//! The smallest value; of equal ones (−0 and +0) the earliest. One NaN makes the result NaN (as NumPy's and IEEE 754's
//! minimum).
template <class T = detail::no_type>
struct minimum {
  using value_type = T;
  UPSWEEP_HD constexpr T identity() const { return detail::largest<T>; }
  UPSWEEP_HD constexpr T operator()(T earlier, T later) const {
    return later < earlier || detail::is_nan(later) ? later : earlier;
  }
};

//! The largest value; of equal ones the earliest. One NaN makes the result NaN.
template <class T = detail::no_type>
struct maximum {
  using value_type = T;
  UPSWEEP_HD constexpr T identity() const { return detail::smallest<T>; }
  UPSWEEP_HD constexpr T operator()(T earlier, T later) const {
    return earlier < later || detail::is_nan(later) ? later : earlier;
  }
};

template <class T = detail::no_type>
struct bit_and {
  using value_type = T;
  UPSWEEP_HD constexpr T identity() const { return static_cast<T>(~T{}); }
  UPSWEEP_HD constexpr T operator()(T earlier, T later) const { return static_cast<T>(earlier & later); }
};

template <class T = detail::no_type>
struct bit_or {
  using value_type = T;
  UPSWEEP_HD constexpr T identity() const { return T{}; }
  UPSWEEP_HD constexpr T operator()(T earlier, T later) const { return static_cast<T>(earlier | later); }
};

template <class T = detail::no_type>
struct bit_xor {
  using value_type = T;
  UPSWEEP_HD constexpr T identity() const { return T{}; }
  UPSWEEP_HD constexpr T operator()(T earlier, T later) const { return static_cast<T>(earlier ^ later); }
};

struct logical_and {
  using value_type = bool;
  UPSWEEP_HD constexpr bool identity() const { return true; }
  UPSWEEP_HD constexpr bool operator()(bool earlier, bool later) const { return earlier && later; }
};

struct logical_or {
  using value_type = bool;
  UPSWEEP_HD constexpr bool identity() const { return false; }
  UPSWEEP_HD constexpr bool operator()(bool earlier, bool later) const { return earlier || later; }
};

//! A value and where it stands; the index of nothing is −1.
template <class T>
struct indexed {
  T value;
  index_t index;
  friend bool operator==(const indexed&, const indexed&) = default;
};

//! The smallest value and its index; of equal ones, or of several NaNs, the earliest. A NaN counts as smallest (as
//! NumPy's argmin).
template <class T>
struct argmin {
  using value_type = indexed<T>;
  UPSWEEP_HD constexpr value_type identity() const { return {detail::largest<T>, -1}; }
  UPSWEEP_HD constexpr value_type operator()(const value_type& earlier, const value_type& later) const {
    const bool takes = later.value < earlier.value || (detail::is_nan(later.value) && !detail::is_nan(earlier.value));
    return takes ? later : earlier;
  }
};

//! The largest value and its index; of equal ones, or of several NaNs, the earliest. A NaN counts as largest.
template <class T>
struct argmax {
  using value_type = indexed<T>;
  UPSWEEP_HD constexpr value_type identity() const { return {detail::smallest<T>, -1}; }
  UPSWEEP_HD constexpr value_type operator()(const value_type& earlier, const value_type& later) const {
    const bool takes = earlier.value < later.value || (detail::is_nan(later.value) && !detail::is_nan(earlier.value));
    return takes ? later : earlier;
  }
};

//! Two monoids side by side: (min, max) in one pass, say.
template <monoid A, monoid B>
struct pair {
  struct value_type {
    typename A::value_type first;
    typename B::value_type second;
    friend bool operator==(const value_type&, const value_type&) = default;
  };
  A a{};
  B b{};
  UPSWEEP_CALLS_USER
  UPSWEEP_HD constexpr value_type identity() const { return {a.identity(), b.identity()}; }
  UPSWEEP_CALLS_USER
  UPSWEEP_HD constexpr value_type operator()(const value_type& earlier, const value_type& later) const {
    return {a(earlier.first, later.first), b(earlier.second, later.second)};
  }
};

//! M restarted at every head: (v1, h1)·(v2, h2) = (h2 ? v2 : v1∘v2, h1 or h2). Associative for any associative ∘
//! (Blelloch 1990).
template <monoid M>
struct segmented {
  struct value_type {
    typename M::value_type value;
    // Does a segment start somewhere in the span that this value stands for? (A whole word beside a value of words.)
    std::conditional_t<alignof(typename M::value_type) >= 4, std::uint32_t, bool> head;
    friend bool operator==(const value_type&, const value_type&) = default;
  };
  M inner{};
  UPSWEEP_CALLS_USER
  UPSWEEP_HD constexpr value_type identity() const { return {inner.identity(), false}; }
  UPSWEEP_CALLS_USER
  UPSWEEP_HD constexpr value_type operator()(const value_type& earlier, const value_type& later) const {
    if (later.head) return later;
    return {inner(earlier.value, later.value), earlier.head};
  }
};
template <class M>
segmented(M) -> segmented<M>;

//! The value of a scan that only counts (compaction).
struct nothing {
  using value_type = nothing;
  UPSWEEP_HD constexpr nothing identity() const { return {}; }
  UPSWEEP_HD constexpr nothing operator()(nothing, nothing) const { return {}; }
};

namespace detail {
// nvcc cannot tell the host what a `__device__` lambda returns: unless its return type is written out it says `int`,
// silently.
template <class F>
constexpr bool result_type_is_known() {
#if defined(__CUDACC_EXTENDED_LAMBDA__)
  return !__nv_is_extended_device_lambda_closure_type(F) ||
         __nv_is_extended_device_lambda_with_preserved_return_type(F);
#else
  return true;
#endif
}
}  // namespace detail

//! Monoids whose operands may change places, to the bit. One of yours says so by
//! `static constexpr bool is_commutative = true`.
template <class M>
inline constexpr bool is_commutative = requires { requires M::is_commutative; };
template <class T>
inline constexpr bool is_commutative<plus<T>> = std::is_arithmetic_v<T>;
template <class T>
inline constexpr bool is_commutative<multiplies<T>> = std::is_arithmetic_v<T>;
template <class T>  // of floats −0 and +0 are equal, and the earlier one stays
inline constexpr bool is_commutative<minimum<T>> = std::is_integral_v<T>;
template <class T>
inline constexpr bool is_commutative<maximum<T>> = std::is_integral_v<T>;
template <class T>
inline constexpr bool is_commutative<bit_and<T>> = std::is_integral_v<T>;
template <class T>
inline constexpr bool is_commutative<bit_or<T>> = std::is_integral_v<T>;
template <class T>
inline constexpr bool is_commutative<bit_xor<T>> = std::is_integral_v<T>;
template <>
inline constexpr bool is_commutative<logical_and> = true;
template <>
inline constexpr bool is_commutative<logical_or> = true;

//! Makes a monoid of a function and its identity; the identity's type is what accumulates.
//!   auto gcd = make_monoid([](int a, int b) { return std::gcd(a, b); }, 0);
template <class Op, class T>
struct function_monoid {
  static_assert(detail::result_type_is_known<Op>(),
                "write the return type of this __device__ lambda (-> T): nvcc would silently take it for int");
  using value_type = T;
  Op op;
  T neutral;
  UPSWEEP_HD constexpr T identity() const { return neutral; }
  UPSWEEP_CALLS_USER
  UPSWEEP_HD constexpr T operator()(const T& earlier, const T& later) const { return op(earlier, later); }
};
template <class Op, class T>
function_monoid<Op, T> make_monoid(Op op, T identity) {
  return {op, identity};
}

}  // namespace UPSWEEP_NAMESPACE

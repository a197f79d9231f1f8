// compensated_plus<T>: sums of floats that lose one rounding in all, not one an item. A monoid for every call:
//   float total = upsweep::reduce(exec, in, upsweep::compensated_plus<float>{});
//   upsweep::inclusive_scan(exec, in, out, upsweep::compensated_plus<float>{});
#pragma once
#include <concepts>

#include <upsweep/config.hpp>

namespace UPSWEEP_NAMESPACE {

//! A sum, and what rounding has taken from it. Converts from a number, and to one.
template <std::floating_point T>
struct compensated_sum {
  T sum, lost;

  compensated_sum() = default;
  UPSWEEP_HD constexpr compensated_sum(T x) : sum(x), lost(0) {}  // NOLINT(google-explicit-constructor): it is one
  UPSWEEP_HD constexpr compensated_sum(T rounded, T error) : sum(rounded), lost(error) {}
  //! Rounded once. (Behind an overflow nothing is known of what was lost.)
  UPSWEEP_HD constexpr operator T() const {  // NOLINT(google-explicit-constructor)
    return lost == 0 || lost != lost ? sum : sum + lost;
  }
};

//! Sum that keeps what each addition rounds off, exactly (Knuth's TwoSum), and adds that up beside it, as Ogita, Rump
//! and Oishi's Sum2 does (2005). The error of n numbers is at most ε·|sum| + d²·ε²·Σ|x|, where ε is half a unit in the
//! last place of 1 and d < n the additions that a number goes through (about 128 + n/16,384 in a row on a host, fewer
//! on a GPU). Values are twice as large as T; bits are the same from run to run, as of every monoid. Nothing holds with
//! -ffast-math.
template <std::floating_point T>
struct compensated_plus {
  using value_type = compensated_sum<T>;
  UPSWEEP_HD constexpr value_type identity() const { return T{0}; }
  UPSWEEP_HD constexpr value_type operator()(const value_type& earlier, const value_type& later) const {
    const T sum = earlier.sum + later.sum;
    const T of_later = sum - earlier.sum, of_earlier = sum - of_later;
    const T lost = (earlier.sum - of_earlier) + (later.sum - of_later);
    return {sum, lost + (earlier.lost + later.lost)};
  }
};

}  // namespace UPSWEEP_NAMESPACE

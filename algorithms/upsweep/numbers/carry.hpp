// What a carry does as it goes from limb to limb of a sum, or a borrow along a difference.
#pragma once
#include <cstdint>

#include <upsweep/config.hpp>

namespace UPSWEEP_NAMESPACE {

//! What a stretch of limbs does with a carry that comes in.
enum class carry : std::uint8_t { stops, passes, starts };

//! Stretches of limbs, the less significant one first (Ladner and Fischer 1980).
struct carries {
  using value_type = carry;
  UPSWEEP_HD constexpr carry identity() const { return carry::passes; }
  UPSWEEP_HD constexpr carry operator()(carry earlier, carry later) const {
    return later == carry::passes ? earlier : later;
  }
};

namespace detail {

struct limb_sum {
  template <class T>
  UPSWEEP_HD static T of(T a, T b, bool carried) {
    return a + b + carried;
  }
  template <class T>
  UPSWEEP_HD static carry effect(T a, T b) {
    const T sum = a + b;
    if (sum < a) return carry::starts;
    return sum == static_cast<T>(~T{}) ? carry::passes : carry::stops;
  }
};

struct limb_difference {  // what is carried is a borrow
  template <class T>
  UPSWEEP_HD static T of(T a, T b, bool borrowed) {
    return a - b - borrowed;
  }
  template <class T>
  UPSWEEP_HD static carry effect(T a, T b) {
    if (a < b) return carry::starts;
    return a == b ? carry::passes : carry::stops;
  }
};

}  // namespace detail

}  // namespace UPSWEEP_NAMESPACE

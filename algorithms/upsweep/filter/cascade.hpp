// A cascade of sections of a recursive filter as the rule of a filter (rule.hpp). A section is direct form II
// transposed:
//   y = b0·x + s1;   s1' = b1·x − a1·y + s2;   …   sP' = bP·x − aP·y
// With y written out, s1' = (b1 − a1·b0)·x + s2 − a1·s1, no state waits for y: a sample takes the time of one product
// and sum, not of two. One section's y is the next one's x, and the whole cascade is one rule: a signal is read
// once and written once, however many sections there are.
#pragma once
#include <span>
#include <type_traits>

#include <upsweep/config.hpp>
#include <upsweep/filter/rule.hpp>
#include <upsweep/sections.hpp>

namespace UPSWEEP_NAMESPACE {

//! Its numbers are double, or vectors of several cascades' side by side.
template <int Sections, int Order, class Number = double>
struct cascade {
  static constexpr int sections = Sections, order = Order, size = Sections * Order;
  Number b0[Sections];
  Number c[Sections][Order] = {};  // bk − ak·b0
  Number a[Sections][Order] = {};  // a1 … aP; a0 is 1

  cascade() = default;
  //! Sections that pass everything.
  cascade()
    requires(std::is_same_v<Number, double>)
  {
    for (double& gain : b0) gain = 1;
  }
  //! Sets a section to b0 … bP over 1, a1 … aP; coefficients that are not given are 0.
  void set(int section, std::span<const double> b, std::span<const double> a1) {
    b0[section] = b[0];
    for (std::size_t k = 0; k < Order; k++) {
      a[section][k] = k < a1.size() ? a1[k] : 0;
      c[section][k] = (k + 1 < b.size() ? b[k + 1] : 0) - a[section][k] * b[0];
    }
  }
  void set(int number, const upsweep::section& by) {
    const double over[] = {by.b0, by.b1, by.b2}, under[] = {by.a1, by.a2};
    set(number, over, under);
  }
  //! From section number `first` on.
  template <class T>
  UPSWEEP_HD UPSWEEP_INLINE void advance(T (&state)[size], T& x, int first = 0) const {
    UPSWEEP_ROUND_EACH
    for (int s = first; s < Sections; s++) {
      T* at = state + s * Order;
      const T own = at[0], y = b0[s] * x + own;
      for (int k = 0; k < Order - 1; k++) at[k] = (c[s][k] * x + at[k + 1]) - a[s][k] * own;
      at[Order - 1] = c[s][Order - 1] * x - a[s][Order - 1] * own;
      x = y;
    }
  }
};

}  // namespace UPSWEEP_NAMESPACE

// Numbers of 106 bits as sums of two doubles, for GPUs, which have nothing longer than a double. Method: Dekker 1971,
// Knuth's exact sum. Not for numbers near the ends of double's range.
#pragma once
#include <cmath>

#include <upsweep/config.hpp>

namespace upsweep::inline UPSWEEP_ABI {

struct twofold {
  double high = 0, low = 0;

  twofold() = default;
  UPSWEEP_HD twofold(double x) : high(x) {}  // NOLINT(google-explicit-constructor): a number is one
  //! The same sum, where `low` is at most as large as an error of rounding of `high`, or not by much.
  UPSWEEP_HD static twofold of(double high, double low) {
    twofold x(high + low);
    x.low = low - (x.high - high);
    return x;
  }
  UPSWEEP_HD explicit operator double() const { return high; }

  UPSWEEP_HD friend twofold operator+(const twofold& a, const twofold& b) {
    const double sum = a.high + b.high, of_b = sum - a.high;
    const double error = (a.high - (sum - of_b)) + (b.high - of_b);
    return of(sum, error + (a.low + b.low));
  }
  UPSWEEP_HD friend twofold operator-(const twofold& a, const twofold& b) {
    twofold minus(-b.high);
    minus.low = -b.low;
    return a + minus;
  }
  UPSWEEP_HD friend twofold operator*(const twofold& a, const twofold& b) {
    const double product = a.high * b.high, error = std::fma(a.high, b.high, -product);
    return of(product, error + (a.high * b.low + a.low * b.high));
  }
  UPSWEEP_HD friend twofold operator*(double a, const twofold& b) {
    const double product = a * b.high, error = std::fma(a, b.high, -product);
    return of(product, error + a * b.low);
  }
};

}  // namespace upsweep::inline UPSWEEP_ABI

// Numbers of 106 bits as sums of two doubles, for GPUs, which have nothing longer than a double. Method: Dekker 1971,
// Knuth's exact sum. Not for numbers near the ends of double's range.
#pragma once
#include <cmath>

#include <upsweep/config.hpp>

namespace UPSWEEP_NAMESPACE {

struct twofold {
  double high = 0, low = 0;

  twofold() = default;
  UPSWEEP_HD twofold(double x) : high(x) {}  // NOLINT(google-explicit-constructor): a number is one
  // One operation, rounded: compilers for devices put products and sums together unless they are told not to.
  UPSWEEP_HD static double sum(double a, double b) {
#if defined(__CUDA_ARCH__)
    return __dadd_rn(a, b);
#else
    return a + b;
#endif
  }
  UPSWEEP_HD static double product(double a, double b) {
#if defined(__CUDA_ARCH__)
    return __dmul_rn(a, b);
#else
    return a * b;
#endif
  }
  //! The same sum, where `low` is at most as large as an error of rounding of `high`, or not by much.
  UPSWEEP_HD static twofold of(double high, double low) {
    twofold x(sum(high, low));
    x.low = sum(low, -sum(x.high, -high));
    return x;
  }
  UPSWEEP_HD explicit operator double() const { return high; }

  UPSWEEP_HD friend twofold operator+(const twofold& a, const twofold& b) {
    const double both = sum(a.high, b.high), of_b = sum(both, -a.high), of_a = sum(both, -of_b);
    const double error = sum(sum(a.high, -of_a), sum(b.high, -of_b));
    return of(both, sum(error, sum(a.low, b.low)));
  }
  UPSWEEP_HD friend twofold operator-(const twofold& a, const twofold& b) {
    twofold minus(-b.high);
    minus.low = -b.low;
    return a + minus;
  }
  UPSWEEP_HD friend twofold operator*(const twofold& a, const twofold& b) {
    const double both = product(a.high, b.high), error = std::fma(a.high, b.high, -both);
    return of(both, error + (a.high * b.low + a.low * b.high));
  }
  UPSWEEP_HD friend twofold operator*(double a, const twofold& b) {
    const double both = product(a, b.high), error = std::fma(a, b.high, -both);
    return of(both, error + a * b.low);
  }
};

}  // namespace UPSWEEP_NAMESPACE

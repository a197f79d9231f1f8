// How far filtered samples are from the right ones, and whether that is rounding.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <stdexcept>
#include <string>

namespace app {

//! How far a result is from the right one, over all samples.
class deviation {
 public:
  //! Samples that are not finite, NaN say, agree with any others that are not, and infinite ones with what is beyond
  //! the range of float.
  void add(float in, float out, long double expected) {
    const auto right = static_cast<double>(expected), ours = static_cast<double>(out);
    if (std::isfinite(in)) largest_in_ = std::max(largest_in_, std::abs(static_cast<double>(in)));
    count_++;
    constexpr double beyond = static_cast<double>(std::numeric_limits<float>::max()) * (1 - 1e-6);
    if (!std::isfinite(right) || !std::isfinite(ours)) {
      const bool fits = std::isfinite(right) && std::abs(right) < beyond;
      differs_ = differs_ || fits || std::isfinite(ours);
      return;
    }
    largest_ = std::max(largest_, std::abs(right));
    worst_ = std::max(worst_, std::abs(ours - right));
    squares_ += (ours - right) * (ours - right);
  }
  //! Throws when it is more than the rounding to float allows, a few times 2^-24 of the largest sample and the smallest
  //! float there is, and that of states in double, which is below the last of 24 bits of what came in.
  std::string verdict() const {
    constexpr auto smallest = static_cast<double>(std::numeric_limits<float>::denorm_min());
    const double bound = 2e-7 * largest_ + 1e-8 * largest_in_ + smallest;
    const double rms = std::sqrt(squares_ / std::max<double>(count_, 1));
    char text[160];
    std::snprintf(text, sizeof text, "largest error %.1e, rms %.1e, of samples up to %.2g", worst_, rms, largest_);
    if (differs_ || !(worst_ <= bound))
      throw std::runtime_error(std::string("differs from the serial filter: ") + text);
    return text;
  }

 private:
  double largest_in_ = 0, largest_ = 0, worst_ = 0, squares_ = 0, count_ = 0;
  bool differs_ = false;
};

}  // namespace app

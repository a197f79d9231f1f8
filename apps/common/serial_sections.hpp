// Filters sample by sample in long double, to compare with: direct form II transposed, and SciPy's way forth and back.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include <upsweep/sections.hpp>

namespace app {

//! One channel's filter: a sample in, a sample out.
class serial_sections {
 public:
  explicit serial_sections(const std::vector<upsweep::section>& sections)
      : sections_(sections), state_(2 * sections.size()) {}
  //! As if `first` had always been there.
  void settle(long double first) {
    const std::vector<double> zi = upsweep::sosfilt_zi(sections_);
    std::ranges::transform(zi, state_.begin(), [&](double entry) { return entry * first; });
  }
  long double operator()(long double x) {
    for (std::size_t s = 0; s < sections_.size(); s++) {
      const upsweep::section& c = sections_[s];
      const long double y = c.b0 * x + state_[2 * s];
      state_[2 * s] = c.b1 * x - c.a1 * y + state_[2 * s + 1];
      state_[2 * s + 1] = c.b2 * x - c.a2 * y;
      x = y;
    }
    return x;
  }

 private:
  std::vector<upsweep::section> sections_;
  std::vector<long double> state_;
};

//! Samples that SciPy puts in front of a channel and behind it. A channel must be longer.
inline std::ptrdiff_t zero_phase_padding(const std::vector<upsweep::section>& sections) {
  const auto zeros = [&](double upsweep::section::*entry) {
    return std::ranges::count_if(sections, [&](const upsweep::section& s) { return s.*entry == 0; });
  };
  return 3 * (2 * std::ssize(sections) + 1 - std::min(zeros(&upsweep::section::b2), zeros(&upsweep::section::a2)));
}

//! A channel forth and back: scipy.signal.sosfiltfilt.
inline std::vector<long double> serial_zero_phase(const std::vector<upsweep::section>& sections,
                                                  std::span<const double> channel) {
  const std::ptrdiff_t padding = zero_phase_padding(sections);
  const std::ptrdiff_t last = std::ssize(channel) - 1;
  const auto at = [&](std::ptrdiff_t t) -> long double { return channel[static_cast<std::size_t>(t)]; };
  std::vector<long double> samples;
  for (std::ptrdiff_t t = padding; t > 0; t--) samples.push_back(2 * at(0) - at(t));
  samples.insert(samples.end(), channel.begin(), channel.end());
  for (std::ptrdiff_t t = 1; t <= padding; t++) samples.push_back(2 * at(last) - at(last - t));
  for (int way = 0; way < 2; way++) {
    serial_sections filter(sections);
    filter.settle(samples.front());
    std::ranges::transform(samples, samples.begin(), filter);
    std::ranges::reverse(samples);
  }
  return {samples.begin() + padding, samples.end() - padding};
}

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

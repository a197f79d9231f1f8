// What frequencies a sound has in the course of time: powers of short pieces by Fourier transforms, and their picture.
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <span>
#include <utility>
#include <vector>

#include "picture.hpp"

namespace app {

//! The discrete Fourier transform in place, of a power of two of numbers (Cooley, Tukey 1965).
inline void fourier_transform(std::span<std::complex<double>> x) {
  const std::size_t n = x.size();
  for (std::size_t i = 1, j = 0; i < n; i++) {  // bits of the positions reversed
    std::size_t bit = n / 2;
    for (; j & bit; bit /= 2) j ^= bit;
    j ^= bit;
    if (i < j) std::swap(x[i], x[j]);
  }
  for (std::size_t half = 1; half < n; half *= 2)
    for (std::size_t k = 0; k < half; k++) {
      const auto turn = std::polar(1., -std::numbers::pi * static_cast<double>(k) / static_cast<double>(half));
      for (std::size_t i = k; i < n; i += 2 * half) {
        const auto even = x[i], odd = turn * x[i + half];
        x[i] = even + odd;
        x[i + half] = even - odd;
      }
    }
}

//! Takes a sound piece by piece. Its windows (Hann's, of 1,024 samples) stand evenly, overlap by half or more in short
//! sounds, and are at most 1,440: in long sounds there are gaps between them.
class spectrogram {
 public:
  static constexpr int width = 480, height = 256;

  spectrogram(int channels, std::int64_t frames)
      : channels_(channels), frames_(frames), step_(std::max<std::int64_t>(length / 8, (frames - 1) / 1440 + 1)) {
    for (std::size_t i = 0; i < length; i++) {
      const double place = (static_cast<double>(i) + 0.5) / length;
      shape_[i] = (1 - std::cos(2 * std::numbers::pi * place)) * 2 / length;  // a sine of amplitude 1 gives 1
    }
    history_.resize(static_cast<std::size_t>(channels) * length / 2);  // silence before the first sample
  }

  void add(std::span<const float> samples) {
    history_.insert(history_.end(), samples.begin(), samples.end());
    take_windows();
  }
  //! When all was added.
  void finish() {
    history_.resize(history_.size() + static_cast<std::size_t>(channels_) * length);
    take_windows();
  }

  //! Draws it at (left, 0): time goes right, frequency up to half of the sample rate; bright is a sine of full scale,
  //! dark one of -100 dB.
  void draw(picture& to, int left) const {
    const auto count = static_cast<std::int64_t>(powers_.size());
    for (int x = 0; x < width && count > 0; x++) {
      const std::int64_t first = x * count / width, end = std::max(first + 1, (x + 1) * count / width);
      for (int y = 0; y < height; y++) {
        double power = 0;
        for (std::int64_t k = first; k < end; k++)
          power += static_cast<double>(powers_[static_cast<std::size_t>(k)][static_cast<std::size_t>(y)]);
        const double level = 10 * std::log10(power / static_cast<double>(end - first));
        to.set(left + x, height - 1 - y, colour_scale(1 + level / 100));
      }
    }
  }

 private:
  static constexpr std::size_t length = 1024;
  using powers = std::array<float, height>;

  void take_windows() {
    const auto per_frame = static_cast<std::size_t>(channels_);
    std::size_t begin = 0;
    for (; next_ < frames_; next_ += step_) {  // a window's middle
      begin = static_cast<std::size_t>(next_ - at_) * per_frame;
      if (begin + length * per_frame > history_.size()) break;
      add_window(std::span(history_).subspan(begin, length * per_frame));
    }
    begin = std::min(static_cast<std::size_t>(next_ - at_) * per_frame, history_.size());
    history_.erase(history_.begin(), history_.begin() + static_cast<std::ptrdiff_t>(begin));
    at_ += static_cast<std::int64_t>(begin / per_frame);
  }
  // The mean over the channels; of the two frequencies that share a pixel the sum.
  void add_window(std::span<const float> samples) {
    powers sum{};
    std::vector<std::complex<double>> x(length);
    for (std::size_t c = 0; c < static_cast<std::size_t>(channels_); c++) {
      for (std::size_t i = 0; i < length; i++)
        x[i] = shape_[i] * static_cast<double>(samples[i * static_cast<std::size_t>(channels_) + c]);
      fourier_transform(x);
      for (std::size_t k = 0; k < length / 2; k++) sum[k / 2] += static_cast<float>(std::norm(x[k]) / channels_);
    }
    powers_.push_back(sum);
  }

  int channels_;
  std::int64_t frames_, step_;
  std::array<double, length> shape_;
  std::vector<float> history_;      // frames from at_ on, where frame 0 has half a window of silence in front
  std::int64_t at_ = 0, next_ = 0;  // next_: the next window's middle, and where it begins in such frames
  std::vector<powers> powers_;
};

//! Two spectrograms side by side, a white line between them.
inline picture side_by_side(const spectrogram& before, const spectrogram& after) {
  constexpr int gap = 4;
  picture both(2 * spectrogram::width + gap, spectrogram::height);
  both.fill(spectrogram::width, 0, gap, spectrogram::height, {255, 255, 255});
  before.draw(both, 0);
  after.draw(both, spectrogram::width + gap);
  return both;
}

}  // namespace app

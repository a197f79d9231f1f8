// A sound to filter when there is none: a tone that rises from 20 Hz to nine tenths of half of the sample rate, in
// noise. The same bits each time.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <random>
#include <span>

#include "wav.hpp"

namespace app {

//! Read as a file is. Every other channel's tone falls instead; every channel's noise is its own.
class chirp {
 public:
  explicit chirp(const sound_format& format) : format_(format) {}

  const sound_format& format() const { return format_; }
  std::int64_t read(std::span<float> samples) {
    const auto room = static_cast<std::int64_t>(samples.size()) / format_.channels;
    const std::int64_t count = std::min(room, format_.frames - done_);
    std::size_t at = 0;
    for (std::int64_t t = done_; t < done_ + count; t++)
      for (int c = 0; c < format_.channels; c++) samples[at++] = stored(0.5 * tone(t, c % 2 == 1) + 0.1 * noise());
    done_ += count;
    return count;
  }

 private:
  // Of a frequency low·growth^place, the phase is its integral.
  double tone(std::int64_t t, bool falls) const {
    const double low = 20, growth = std::log(0.45 * format_.rate / low), length = format_.seconds();
    const double place = static_cast<double>(falls ? format_.frames - t : t) / static_cast<double>(format_.frames);
    return std::sin(2 * std::numbers::pi * low * length / growth * std::exp(growth * place));
  }
  double noise() { return std::ldexp(static_cast<double>(random_() >> 11), -52) - 1; }
  // What a file of the format would hold.
  float stored(double sample) {
    const auto value = static_cast<float>(sample);
    std::int64_t clipped = 0;
    return format_.is_float() ? value : from_integer(quantized(value, format_.bits(), clipped), format_.bits());
  }

  sound_format format_;
  std::int64_t done_ = 0;
  std::mt19937_64 random_;
};

}  // namespace app

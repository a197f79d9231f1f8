// A stereo signal, interleaved, through a Butterworth low-pass in blocks of 480 frames, as they come from a sound card.
// The state, two doubles for each section and channel, goes from block to block. A tone above the cut-off is gone.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numbers>
#include <span>
#include <vector>

#include <upsweep/buffer.hpp>
#include <upsweep/filter_design.hpp>
#include <upsweep/iir.hpp>

int main() {
  const int frames = 48'000, block = 480, channels = 2;
  const double rate = 48'000;
  std::vector<float> signal(frames * channels);
  for (int t = 0; t < frames; t++) {
    const double turn = 2 * std::numbers::pi * t / rate;
    signal[2 * t] = static_cast<float>(std::sin(100 * turn) + std::sin(12'000 * turn));  // left: 100 Hz stays
    signal[2 * t + 1] = static_cast<float>(std::sin(15'000 * turn));                     // right: nothing stays
  }

  auto exec = upsweep::any_executor::named("auto");
  const auto lowpass = upsweep::butterworth_lowpass(4, 1000, rate);
  const upsweep::buffer<float> in(exec, signal);
  upsweep::buffer<float> at_once(exec, in.size()), in_blocks(exec, in.size());
  upsweep::buffer<double> state(exec, std::vector<double>(2 * lowpass.size() * channels));
  upsweep::sosfilt(exec, lowpass, in, at_once, upsweep::no_state, upsweep::interleaved{channels});
  for (int t = 0; t < frames; t += block) {
    upsweep::sosfilt(exec, lowpass, std::span(in.data() + t * channels, block * channels),
                     std::span(in_blocks.data() + t * channels, block * channels), state,
                     upsweep::interleaved{channels});
  }

  const auto one = at_once.to_vector(exec);
  const auto many = in_blocks.to_vector(exec);
  double difference = 0, left = 0, right = 0;
  for (int t = 0; t < frames; t++) {
    for (int i = 2 * t; i < 2 * t + 2; i++) difference = std::max<double>(difference, std::abs(one[i] - many[i]));
    if (t < frames / 2) continue;  // until it has settled
    left = std::max<double>(left, std::abs(many[2 * t]));
    right = std::max<double>(right, std::abs(many[2 * t + 1]));
  }
  std::printf("blocks differ by %.1e; what stays is %.3f left, %.1e right\n", difference, left, right);
  return difference < 1e-6 && std::abs(left - 1) < 0.01 && right < 1e-3 ? 0 : 1;
}

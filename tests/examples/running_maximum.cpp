// The largest value since the last reset, where flags (int) say when it is reset; and averages of ragged groups, which
// lie one behind another and are given by their offsets.
#include <algorithm>
#include <cstdio>
#include <random>
#include <span>
#include <vector>

#include <upsweep/buffer.hpp>
#include <upsweep/reduce.hpp>
#include <upsweep/scan.hpp>
#include <upsweep/transform.hpp>

struct average {  // of a sum, where the group starts and where it ends
  UPSWEEP_HD double operator()(const upsweep::tuple<double, int, int>& group) const {
    const int size = upsweep::get<2>(group) - upsweep::get<1>(group);
    return size == 0 ? 0 : upsweep::get<0>(group) / size;
  }
};

int main() {
  const int n = 100'000;
  std::mt19937 random(4);
  std::vector<float> levels(n);
  std::vector<int> resets(n), bounds{0};
  for (int i = 0; i < n; i++) levels[i] = static_cast<float>(random() % 1000), resets[i] = random() % 50 == 0;
  while (bounds.back() < n) bounds.push_back(std::min(n, bounds.back() + static_cast<int>(random() % 40)));
  const int groups = static_cast<int>(std::ssize(bounds)) - 1;

  auto exec = upsweep::any_executor::named("auto");
  upsweep::buffer<float> in(exec, levels), peaks(exec, n);
  upsweep::buffer<int> flags(exec, resets), offsets(exec, bounds);
  upsweep::buffer<double> sums(exec, groups), averages(exec, groups);
  upsweep::inclusive_segmented_scan(exec, in, upsweep::heads(flags), peaks, upsweep::maximum<float>{});
  upsweep::segmented_reduce(exec, in, offsets, sums, upsweep::plus<double>{});
  const std::span starts(offsets.data(), groups), ends(offsets.data() + 1, groups);
  upsweep::transform(exec, upsweep::contiguous(sums, starts, ends), averages, average{});

  const auto found_peaks = peaks.to_vector(exec);
  const auto found_averages = averages.to_vector(exec);
  bool right = true;
  for (int i = 0; i < n; i++) {
    const float peak = i == 0 || resets[i] ? levels[i] : std::max(levels[i], found_peaks[i - 1]);
    right = right && found_peaks[i] == peak;
  }
  for (int g = 0; g < groups; g++) {
    double sum = 0;
    for (int i = bounds[g]; i < bounds[g + 1]; i++) sum += levels[i];
    right = right && found_averages[g] == (bounds[g] == bounds[g + 1] ? 0 : sum / (bounds[g + 1] - bounds[g]));
  }
  std::printf("%d maxima, %d averages: %s\n", n, groups, right ? "right" : "wrong");
  return right ? 0 : 1;
}

// Several ways to do the same, timed in turns.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <string>
#include <vector>

#include "report.hpp"

namespace app {

//! Of samples, which it leaves in another order; the upper one of two in the middle.
inline double median(std::vector<double>& samples) {
  const auto middle = samples.begin() + static_cast<std::ptrdiff_t>(samples.size() / 2);
  std::nth_element(samples.begin(), middle, samples.end());
  return *middle;
}

struct contender {
  std::string name;
  std::function<void()> call;     // has finished when it returns
  std::vector<double> samples{};  // seconds
};

//! Calls all of them in turns, after a first call of each that does not count.
inline void race(std::vector<contender>& field, int rounds) {
  for (contender& c : field) c.call();
  for (int round = 0; round < rounds; round++)
    for (contender& c : field) {
      stopwatch watch;
      c.call();
      c.samples.push_back(watch.lap());
    }
}

//! A line for each: the median of its times, and how fast that is.
inline std::string table(std::vector<contender>& field, std::int64_t operations, std::int64_t bytes) {
  char line[128];
  std::snprintf(line, sizeof line, "%-28s %12s %10s %10s\n", "", "a product", "GFLOP/s", "GB/s");
  std::string all = line;
  for (contender& c : field) {
    const double seconds = median(c.samples);
    std::snprintf(line, sizeof line, "%-28s %9.1f us %10.2f %10.2f\n", c.name.c_str(), 1e6 * seconds,
                  1e-9 * static_cast<double>(operations) / seconds, 1e-9 * static_cast<double>(bytes) / seconds);
    all += line;
  }
  return all;
}

}  // namespace app

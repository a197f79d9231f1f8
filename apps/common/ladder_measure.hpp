// How long a scan takes beside a plain copy.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include <upsweep/buffer.hpp>
#include <upsweep/executor.hpp>

#include "contenders.hpp"
#include "ladder_calls.hpp"
#include "own_device.hpp"
#include "report.hpp"
#include "transfer.hpp"

namespace app {

//! Seconds of a call, the median of rounds, each of as many calls as take a millisecond.
inline double time_of(upsweep::any_executor& exec, int rounds, const std::function<void()>& call) {
  const auto lap = [&](int calls) {
    stopwatch watch;
    for (int k = 0; k < calls; k++) call();
    exec.synchronize();
    return watch.lap() / calls;
  };
  lap(1);
  const int calls = static_cast<int>(std::clamp(1e-3 / std::max(lap(1), 1e-7), 1., 1000.));
  std::vector<double> samples(static_cast<std::size_t>(rounds));
  for (double& sample : samples) sample = lap(calls);
  return median(samples);
}

//! Of a plain copy.
template <class T>
double time_of_copy(upsweep::any_executor& exec, int rounds, const upsweep::buffer<T>& in, upsweep::buffer<T>& out) {
  const auto from = std::as_bytes(all_of(in));
  const auto to = std::as_writable_bytes(all_of(out));
  return time_of(exec, rounds, [&] {
    with_own_code(exec, [&](auto&& chosen) {
      copy_items(chosen, to.data(), from.data(), static_cast<std::int64_t>(from.size()));
    });
  });
}

}  // namespace app

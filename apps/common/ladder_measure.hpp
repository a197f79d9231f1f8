// How long a scan takes beside a plain copy, and what it costs in operations, accesses and launches.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <vector>

#include <upsweep/buffer.hpp>
#include <upsweep/classic/counting.hpp>
#include <upsweep/executor.hpp>
#include <upsweep/for_each_index.hpp>
#include <upsweep/monoid.hpp>

#include "contenders.hpp"
#include "report.hpp"

namespace app {
namespace classic = upsweep::classic;

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

//! A plain copy by all threads, or by the GPU's own means.
struct copy_bytes {
  std::byte* to;
  const std::byte* from;
  upsweep::index_t bytes;
  void operator()(upsweep::host& exec) const {
    static constexpr upsweep::index_t piece = upsweep::index_t{1} << 20;
    const auto copy = [to = to, from = from, bytes = bytes](upsweep::index_t k) {
      std::memcpy(to + k * piece, from + k * piece, static_cast<std::size_t>(std::min(piece, bytes - k * piece)));
    };
    upsweep::for_each_index(exec, (bytes + piece - 1) / piece, copy, 1);
  }
#if UPSWEEP_HAS_CUDA
  void operator()(upsweep::device& exec) const {
    UPSWEEP_CUDA_CHECK(
        cudaMemcpyAsync(to, from, static_cast<std::size_t>(bytes), cudaMemcpyDeviceToDevice, exec.stream()));
  }
#endif
};
template <class T>
double time_of_copy(upsweep::any_executor& exec, int rounds, const upsweep::buffer<T>& in, upsweep::buffer<T>& out) {
  const copy_bytes copy{reinterpret_cast<std::byte*>(out.data()), reinterpret_cast<const std::byte*>(in.data()),
                        in.size() * static_cast<upsweep::index_t>(sizeof(T))};
  return time_of(exec, rounds, [&] { exec.visit(copy); });
}

struct cost {
  double operations = 0, words = 0;  // an item
  long long launches = 0;
};
//! What call(executor, in, out, monoid, witness) costs, of ints: what is counted is the same for all types and
//! operators.
template <class Call>
cost count(upsweep::any_executor& exec, upsweep::index_t n, const Call& call) {
  const std::vector<std::int32_t> ones(static_cast<std::size_t>(n), 1);
  const upsweep::buffer<std::int32_t> in(exec, ones);
  upsweep::buffer<std::int32_t> out(exec, n);
  upsweep::buffer<classic::counters> all(exec, std::vector<classic::counters>(1));
  long long launches = 0;
  classic::counters* const counted = all.data();
  call(exec, in, out, classic::counted_monoid<upsweep::plus<std::int32_t>>{{}, counted},
       classic::counting_witness{counted, &launches});
  exec.synchronize();
  const classic::counters seen = all.to_vector(exec)[0];
  const auto items = static_cast<double>(std::max<upsweep::index_t>(n, 1));
  return {static_cast<double>(seen.operations) / items, static_cast<double>(seen.reads + seen.writes) / items,
          launches};
}

}  // namespace app

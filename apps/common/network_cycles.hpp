// What a warp's scan of 32 values by a prefix network takes, in cycles of a GPU: for programs that nvcc compiles.
//
// A row of nodes is one shuffle. A lane keeps its part of a network in registers, one a row: the lane that it reads, or
// -1 where it takes no part, so that shuffles and combinations are all that is timed. (Sources that are known to the
// compiler would change little: they differ from lane to lane, and a shuffle takes them from a register anyhow. Only
// where the distance is the same for all lanes, in Kogge's and Stone's, can the instruction hold it: by_distance.)
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <cuda_runtime.h>

#include <upsweep/affine.hpp>
#include <upsweep/buffer.hpp>
#include <upsweep/executor.hpp>
#include <upsweep/monoid.hpp>

#include "contenders.hpp"
#include "own_device.hpp"
#include "random_bits.hpp"
#include "warp_networks.hpp"

namespace app {

namespace detail {
inline constexpr int quarters_of_an_sm = 4;  // each with a scheduler of its own
using word = std::uint32_t;
using word_map = upsweep::affine_map<word>;

__device__ inline word from_lane(word value, int lane) { return __shfl_sync(~0u, value, lane); }
__device__ inline word_map from_lane(const word_map& value, int lane) {
  return {from_lane(value.a, lane), from_lane(value.b, lane)};
}
__device__ inline word from_below(word value, int distance) { return __shfl_up_sync(~0u, value, distance); }
__device__ inline word_map from_below(const word_map& value, int distance) {
  return {from_below(value.a, distance), from_below(value.b, distance)};
}

__device__ inline void keep(word& value) { asm volatile("" : "+r"(value)); }
__device__ inline void keep(word_map& value) { asm volatile("" : "+r"(value.a), "+r"(value.b)); }

//! values = m(earlier, values) where the lane takes part, by a predicate of the instructions that combine. (Unless it
//! has to keep them in the branch, nvcc adds `takes_part ? earlier : 0`, whose choice is a step more between two
//! shuffles.)
template <class T, int Values, class M>
__device__ void combine_if(bool takes_part, const T (&earlier)[Values], T (&values)[Values], const M& m) {
  if (!takes_part) return;
#pragma unroll
  for (int k = 0; k < Values; k++) values[k] = m(earlier[k], values[k]);
#pragma unroll
  for (int k = 0; k < Values; k++) keep(values[k]);
}

//! Any network of so many rows; scans each of a lane's values on its own.
template <int Depth>
class by_sources {
 public:
  __device__ by_sources(const int* sources, int lane) {
#pragma unroll
    for (int row = 0; row < Depth; row++) source_[row] = sources[warp_size * row + lane];
  }
  template <class T, int Values, class M>
  __device__ void scan(T (&values)[Values], const M& m) const {
#pragma unroll
    for (int row = 0; row < Depth; row++) {
      T earlier[Values];
#pragma unroll
      for (int k = 0; k < Values; k++) earlier[k] = from_lane(values[k], source_[row]);  // -1: the last, of no use
      combine_if(source_[row] >= 0, earlier, values, m);
    }
  }

 private:
  int source_[Depth];
};

//! Kogge's and Stone's, with the distances in the instructions.
class by_distance {
 public:
  __device__ by_distance(const int*, int lane) : lane_(lane) {}
  template <class T, int Values, class M>
  __device__ void scan(T (&values)[Values], const M& m) const {
#pragma unroll
    for (int distance = 1; distance < warp_size; distance *= 2) {
      T earlier[Values];
#pragma unroll
      for (int k = 0; k < Values; k++) earlier[k] = from_below(values[k], distance);
      combine_if(lane_ >= distance, earlier, values, m);
    }
  }

 private:
  int lane_;
};

struct clock_pair {
  long long begin, end;
};

inline constexpr int most_warps = 32, most_values = 4;

//! Every warp scans what it has scanned before, again and again.
template <class Network, int Values, class M>
__global__ void __launch_bounds__(most_warps* warp_size)
    repeat_scans(const int* sources, const typename M::value_type* in, typename M::value_type* out, clock_pair* clocks,
                 int repetitions, M m) {
  constexpr int scans = most_values / Values;  // four between two branches: one after another, or side by side
  const int thread = static_cast<int>(threadIdx.x), threads = static_cast<int>(blockDim.x);
  const Network network(sources, thread % warp_size);
  typename M::value_type values[Values];
#pragma unroll
  for (int k = 0; k < Values; k++) values[k] = in[k * threads + thread];
  __syncthreads();
  const long long begin = clock64();
#pragma unroll 1
  for (int repetition = 0; repetition < repetitions; repetition += scans) {
#pragma unroll
    for (int k = 0; k < scans; k++) network.scan(values, m);
  }
  const long long end = clock64();
#pragma unroll
  for (int k = 0; k < Values; k++) out[k * threads + thread] = values[k];
  if (thread % warp_size == 0) clocks[thread / warp_size] = {begin, end};
}
}  // namespace detail

//! Counts the cycles of scans by a monoid of words or of maps of them; the values are make(i).
template <class M>
class scan_clock {
 public:
  using value = typename M::value_type;
  template <class Make>
  scan_clock(upsweep::device& executor, const M& m, const Make& make) : executor_(executor), m_(m) {
    std::vector<value> values;
    for (upsweep::index_t i = 0; i < most_items; i++) values.push_back(make(i));
    in_ = upsweep::buffer<value>(executor, values);
    for (std::vector<value>& expected : expected_) {
      for (int k = 0; k < repetitions; k++) scan_rows(values);
      expected = values;
    }
  }

  //! Throws std::runtime_error when a prefix is not a serial loop's.
  scan_cycles of(const warp_network& network) {
    if (network.by_distance) return measure<detail::by_distance>(network.name, nullptr);
    const upsweep::buffer<int> on_device(executor_, network.sources);
    const auto depth = std::ssize(network.sources) / warp_size;
    scan_cycles found{};
    const auto measure_depth = [&]<int... Depths>(std::integer_sequence<int, Depths...>) {
      return (
          (depth == Depths && (found = measure<detail::by_sources<Depths>>(network.name, on_device.data()), true)) ||
          ...);
    };
    if (!measure_depth(std::integer_sequence<int, 5, 6, 7, 8, 31>{}))
      throw std::invalid_argument(network.name + ": no kernel has its depth");
    return found;
  }

 private:
  static constexpr int repetitions = 256, launches = 9;
  static constexpr upsweep::index_t most_items = detail::most_warps * warp_size * detail::most_values;

  void scan_rows(std::vector<value>& values) const {
    for (std::size_t i = 0; i < values.size(); i++)
      if (i % warp_size != 0) values[i] = m_(values[i - 1], values[i]);
  }

  template <class Network>
  scan_cycles measure(const std::string& name, const int* sources) {
    constexpr int scans = detail::most_warps * detail::most_values;
    return {
        cycles<Network, 1>(name, sources, 1),
        cycles<Network, detail::most_values>(name, sources, detail::most_warps) * detail::quarters_of_an_sm / scans};
  }
  //! Of a repetition, when so many warps of one SM scan. The difference of two lengths has neither the way into the
  //! loop nor the clock's own time in it.
  template <class Network, int Values>
  double cycles(const std::string& name, const int* sources, int warps) {
    std::vector<double> samples;
    for (int k = 0; k < launches; k++)
      samples.push_back(
          (span<Network, Values>(name, sources, warps, 1) - span<Network, Values>(name, sources, warps, 0)) /
          repetitions);
    return median(samples);
  }
  template <class Network, int Values>
  double span(const std::string& name, const int* sources, int warps, int length) {
    const int threads = warps * warp_size;
    upsweep::buffer<value> out(executor_, upsweep::index_t{threads} * Values);
    upsweep::buffer<detail::clock_pair> clocks(executor_, warps);
    detail::repeat_scans<Network, Values><<<1, threads, 0, executor_.stream()>>>(
        sources, in_.data(), out.data(), clocks.data(), (length + 1) * repetitions, m_);
    UPSWEEP_CUDA_CHECK(cudaGetLastError());
    const std::vector<value> actual = out.to_vector(executor_);
    if (!std::equal(actual.begin(), actual.end(), expected_[static_cast<std::size_t>(length)].begin()))
      throw std::runtime_error(name + ": a prefix is not a serial loop's");
    const auto pairs = clocks.to_vector(executor_);
    const auto begin = std::ranges::min(pairs, {}, &detail::clock_pair::begin).begin;
    return static_cast<double>(std::ranges::max(pairs, {}, &detail::clock_pair::end).end - begin);
  }

  upsweep::device& executor_;
  M m_;
  upsweep::buffer<value> in_;
  std::array<std::vector<value>, 2> expected_;  // after as many repetitions, and after twice as many
};

inline measured_cycles measure_cycles(upsweep::device& executor, const std::vector<warp_network>& networks) {
  const auto number = [](upsweep::index_t i) { return static_cast<std::uint32_t>(random_bits(1, i)); };
  scan_clock sums(executor, upsweep::plus<std::uint32_t>{}, number);
  scan_clock maps(executor, upsweep::affine<std::uint32_t>{}, [&](upsweep::index_t i) {
    return upsweep::affine_map<std::uint32_t>{number(2 * i) | 1, number(2 * i + 1)};
  });
  cudaDeviceProp properties{};
  UPSWEEP_CUDA_CHECK(cudaGetDeviceProperties(&properties, executor.ordinal()));
  measured_cycles measured{properties.name, {}};
  for (const warp_network& network : networks) measured.networks.push_back({sums.of(network), maps.of(network)});
  return measured;
}

}  // namespace app

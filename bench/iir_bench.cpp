// Recursive filters: cascades of second-order sections over one channel, and over many. The cut-off is a tenth of the
// sample rate, where the peers' floats still hold the states.
#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>

#include <upsweep/filter_design.hpp>
#include <upsweep/iir.hpp>

#include "../oracles/filters.hpp"
#include "harness.hpp"
#if UPSWEEP_HAS_CUDA
#include <cub/device/device_scan.cuh>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/transform_output_iterator.h>
#else
#include "host_peers.hpp"
#endif

namespace bench {
namespace {

#if UPSWEEP_HAS_CUDA
//! y[i] = −a1·y[i−1] − a2·y[i−2] + what the samples give, as a map of the pair (y[i−1], y[i−2]).
struct map_of_sample {
  const float* x;
  upsweep::section s;
  UPSWEEP_HD upsweep::vector_map<float, 2> operator()(int i) const {
    const auto at = [&](int k) { return k < 0 ? 0. : static_cast<double>(x[k]); };
    const double given = s.b0 * at(i) + s.b1 * at(i - 1) + s.b2 * at(i - 2);
    return {{{{static_cast<float>(-s.a1), static_cast<float>(-s.a2)}, {1, 0}}}, {static_cast<float>(given), 0}};
  }
};
struct first_of_pair {
  UPSWEEP_HD float operator()(const upsweep::vector_map<float, 2>& map) const { return map.c[0]; }
};
//! The same of channels of `length` samples, each of which begins anew.
using restarted = upsweep::segmented<upsweep::affine_vector<float, 2>>;
struct map_in_channel {
  map_of_sample map;
  const upsweep::section* filters;
  int length;
  bool has_filter_each;
  UPSWEEP_HD restarted::value_type operator()(int i) const {
    const int channel = i / length, t = i % length;
    const map_of_sample here{map.x + (i - t), filters[has_filter_each ? channel : 0]};
    return {here(t), t == 0};
  }
};
struct first_of_restarted_pair {
  UPSWEEP_HD float operator()(const restarted::value_type& map) const { return map.value.c[0]; }
};
#endif

template <class Real, class In, class Out>
void filter_serially(std::span<const upsweep::section> sections, const In* in, Out* out, index_t n) {
  oracle::serial_filter<Real> filter(sections);
  std::transform(in, in + n, out, [&](In x) { return static_cast<Out>(filter(static_cast<Real>(x))); });
}

template <class T>
constexpr double unit_of = static_cast<double>(std::numeric_limits<T>::epsilon()) / 2;
//! How far both may be from what is right, which is kept in float: ours rounds its output, a peer also its states. The
//! peer on a GPU is a scan, which rounds at each level, up and down again.
struct tolerances {
  double ours, peers;
  tolerances(std::span<const upsweep::section> sections, [[maybe_unused]] index_t n) {
    const oracle::magnitudes m = oracle::magnitudes_of(sections);
    ours = 2 * unit_of<float> * m.largest + oracle::error_of_scan(m);  // whose states are doubles
#if UPSWEEP_HAS_CUDA
    const int levels = 2 * std::bit_width(static_cast<std::uint64_t>(n));
#else
    const int levels = 1;
#endif
    peers = unit_of<float> * (2 * m.largest + levels * m.roundings);
  }
};
std::string compare_both(bed& b, const tolerances& near, std::span<const float> ours, std::span<const float> expected,
                         std::span<const float> peer, std::span<const float> expected_of_peer) {
  const auto n = static_cast<index_t>(ours.size());
  const std::string wrong = compare(b, ours, expected, n, near.ours);
  if (!wrong.empty()) return wrong;
  return compare(b, peer, expected_of_peer, n, near.peers).empty() ? "" : "the peer is wrong";
}

//! One channel through `sections`, by a scan of 2×2 affine maps a section (GPU) or sample by sample (CPU).
std::vector<contender> peers_of([[maybe_unused]] bed& b, const std::vector<upsweep::section>& sections,
                                std::span<const float> in, std::span<float> out) {
#if UPSWEEP_HAS_CUDA
  const auto between = b.scratch<float>(static_cast<index_t>(in.size()));
  std::vector<contender> ways;  // by n of either type
  for (std::size_t s = 0; s < sections.size(); s++) {
    const bool last_into_out = (sections.size() - s) % 2 == 1;
    const float* from = s == 0 ? in.data() : last_into_out ? between.data() : out.data();
    float* to = last_into_out ? out.data() : between.data();
    const auto maps =
        thrust::make_transform_iterator(thrust::make_counting_iterator(0), map_of_sample{from, sections[s]});
    const auto samples = thrust::make_transform_output_iterator(to, first_of_pair{});
    const auto passes =
        cub_calls(b, "DeviceScan::InclusiveScan of affine maps, one a section", static_cast<index_t>(in.size()),
                  [=](void* storage, std::size_t& bytes, auto n, cudaStream_t stream) {
                    return cub::DeviceScan::InclusiveScan(storage, bytes, maps, samples,
                                                          upsweep::affine_vector<float, 2>{}, n, stream);
                  });
    if (s == 0) ways = passes;
    for (std::size_t way = 0; way < ways.size() && s > 0; way++)
      ways[way].call = [before = ways[way].call, pass = passes[way].call] {
        before();
        pass();
      };
  }
  return composed(ways);
#else
  return serial_loop([=] { peers::cascade(sections, in, out); });
#endif
}

trial cascade(bed& b, index_t n, std::uint64_t seed, int section_count) {
  const auto sections = upsweep::butterworth_lowpass(2 * section_count, 0.1, 1);
  const std::span<const float> in = b.filled<float>(n, uniform<float>{seed});
  const auto out = b.room<float>(n), theirs = b.room<float>(n);
  std::vector<float> samples = fetched(b, in);
  filter_serially<double>(sections, samples.data(), samples.data(), n);
  const auto expected = placed(b, samples);
  const tolerances near(sections, n);
  return {.ours = [=, &b] { upsweep::sosfilt(b.exec, sections, in, out); },
          .peers = peers_of(b, sections, in, theirs),
          .bytes = [=] { return 8.0 * static_cast<double>(n); },
          .check = [=, &b] { return compare_both(b, near, out, expected, theirs, expected); },
          .same_bits = true};
}

maker cascade_of(int section_count) {
  return [=](bed& b, index_t n, std::uint64_t seed) { return cascade(b, n, seed, section_count); };
}

//! How exact, which low cut-offs make hard: against long double. There is no peer.
template <class T>
maker accuracy_of(int order, double cut_off) {
  return [=](bed& b, index_t n, std::uint64_t seed) -> trial {
    const auto sections = upsweep::butterworth_lowpass(order, cut_off, 1);
    const std::span<const T> in = b.filled<T>(n, uniform<T>{seed});
    const auto out = b.room<T>(n);
    const std::vector<T> samples = fetched(b, in);
    std::vector<long double> expected(samples.size());
    filter_serially<long double>(sections, samples.data(), expected.data(), n);
    const long double all = std::transform_reduce(expected.begin(), expected.end(), expected.begin(), 0.L);
    const auto error = [=, &b] {
      const std::vector<T> ours = fetched<T>(b, out);
      long double wrong = 0;
      for (std::size_t i = 0; i < ours.size(); i++) {
        const long double apart = static_cast<long double>(ours[i]) - expected[i];
        wrong += apart * apart;
      }
      return static_cast<double>(std::sqrt(wrong / all));
    };
    const double rms = static_cast<double>(std::sqrt(all / static_cast<long double>(n)));
    const double bound = unit_of<T> + oracle::error_of_scan(oracle::magnitudes_of(sections)) / rms;
    trial t;
    t.ours = [=, &b] { upsweep::sosfilt(b.exec, sections, in, out); };
    t.bytes = [=] { return 2. * sizeof(T) * static_cast<double>(n); };
    t.check = [=] { return error() <= bound ? std::string() : "rms error " + std::to_string(error()); };
    t.rms_error = error;
    return t;
  };
}
bool register_accuracy() {
  for (const int order : {2, 4, 8}) {
    const std::string name = "_order_" + std::to_string(order) + "_cut-off_";
    for (const char* cut_off : {"0.2", "0.01", "1e-4"})
      more("sosfilt/float32" + name + cut_off, accuracy_of<float>(order, std::stod(cut_off)), 20 - bed::shift);
    more("sosfilt/float64" + name + "1e-4", accuracy_of<double>(order, 1e-4), 20 - bed::shift);
  }
  return true;
}

//! Channels of samples of their own through one section, or each through its own one. The peer on a GPU is a scan of
//! the channels in planes, whichever way ours has them.
template <bool Interleaved, bool HasFilterEach>
trial channels(bed& b, index_t items, std::uint64_t seed, index_t count) {
  const index_t length = items / count, n = length * count;
  std::vector<upsweep::section> filters;
  for (index_t k = 0; k < (HasFilterEach ? count : 1); k++)
    for (const auto& s : upsweep::butterworth_lowpass(2, 0.1 / static_cast<double>(1 + k % 8), 1)) filters.push_back(s);
  const std::span<const float> in = b.filled<float>(n, uniform<float>{seed});
  const auto out = b.room<float>(n), theirs = b.room<float>(n);

  const std::vector<float> samples = fetched(b, in);
  std::vector<float> planes = samples, filtered = samples;
  const auto at = [=](index_t channel, index_t t) {
    return static_cast<std::size_t>(Interleaved ? t * count + channel : channel * length + t);
  };
  for (index_t c = 0; c < count; c++) {
    float* const plane = planes.data() + c * length;
    for (index_t t = 0; t < length; t++) plane[t] = samples[at(c, t)];
  }
#if UPSWEEP_HAS_CUDA
  const auto planes_in = placed(b, planes);
#endif
  for (index_t c = 0; c < count; c++) {
    float* const plane = planes.data() + c * length;
    filter_serially<double>(std::span(&filters[HasFilterEach ? static_cast<std::size_t>(c) : 0], 1), plane, plane,
                            length);
    for (index_t t = 0; t < length; t++) filtered[at(c, t)] = plane[t];
  }
  const auto expected = placed(b, filtered);
  tolerances near{{}, 1};
  for (std::size_t k = 0; k < std::min<std::size_t>(filters.size(), 8); k++) {  // then they come again
    const tolerances of_one({&filters[k], 1}, length);
    near.ours = std::max(near.ours, of_one.ours);
    near.peers = std::max(near.peers, of_one.peers);
  }
#if UPSWEEP_HAS_CUDA
  const auto placed_filters = placed(b, filters);
  const auto maps = thrust::make_transform_iterator(
      thrust::make_counting_iterator(0),
      map_in_channel{{planes_in.data(), {}}, placed_filters.data(), static_cast<int>(length), HasFilterEach});
  const auto to = thrust::make_transform_output_iterator(theirs.data(), first_of_restarted_pair{});
  const auto peers = composed(
      cub_calls(b, "DeviceScan::InclusiveScan of affine maps, the channels in planes", n,
                [=](void* storage, std::size_t& bytes, auto samples_of_all, cudaStream_t stream) {
                  return cub::DeviceScan::InclusiveScan(storage, bytes, maps, to, restarted{}, samples_of_all, stream);
                }));
  const auto expected_of_peer = placed(b, planes);
#else
  std::vector<contender> peers;
  if constexpr (Interleaved) {
    peers = serial_loop([=] { peers::filter_interleaved(filters[0], in, theirs, static_cast<std::size_t>(count)); });
  } else {
    const auto loops = [=](int threads) {
#pragma omp parallel for num_threads(threads) if (threads > 1)
      for (index_t c = 0; c < count; c++) {
        const auto first = static_cast<std::size_t>(c * length), samples_of_one = static_cast<std::size_t>(length);
        peers::cascade({&filters[HasFilterEach ? static_cast<std::size_t>(c) : 0], 1},
                       in.subspan(first, samples_of_one), theirs.subspan(first, samples_of_one));
      }
    };
    peers = {{"a serial loop for each channel, on all threads", [=, threads = b.exec.threads()] { loops(threads); }},
             {"a serial loop for each channel", [=] { loops(1); }}};
  }
  const auto expected_of_peer = expected;
#endif
  const auto layout = [&] {
    if constexpr (Interleaved) return upsweep::interleaved{count};
    else return upsweep::planar{count};
  }();
  const auto ours = [=, &b] {
    if constexpr (HasFilterEach)
      upsweep::sosfilt(b.exec, upsweep::per_channel(filters), in, out, upsweep::no_state, layout);
    else upsweep::sosfilt(b.exec, filters, in, out, upsweep::no_state, layout);
  };
  return {.ours = ours,
          .peers = peers,
          .bytes = [=] { return 8.0 * static_cast<double>(n); },
          .check = [=, &b] { return compare_both(b, near, out, expected, theirs, expected_of_peer); },
          .same_bits = true};
}
template <bool Interleaved, bool HasFilterEach = false>
maker of_channels(index_t count) {
  return [=](bed& b, index_t n, std::uint64_t seed) { return channels<Interleaved, HasFilterEach>(b, n, seed, count); };
}

const bool rows =
    large("sosfilt/float32_1_section", cascade_of(1), 26) && large("sosfilt/float32_4_sections", cascade_of(4), 26) &&
    more("sosfilt/float32_2_sections", cascade_of(2), 26) && more("sosfilt/float32_8_sections", cascade_of(8), 26) &&
    more("sosfilt/float32_2_channels", of_channels<false>(2), 24) &&
    more("sosfilt/float32_8_channels", of_channels<false>(8), 24) &&
    more("sosfilt/float32_64_channels", of_channels<false>(64), 24) &&
    more("sosfilt/float32_1024_channels", of_channels<false>(1024), 24) &&
    more("sosfilt/float32_2_interleaved_channels", of_channels<true>(2), 24) &&
    more("sosfilt/float32_8_interleaved_channels", of_channels<true>(8), 24) &&
    more("sosfilt/float32_64_interleaved_channels", of_channels<true>(64), 24) &&
    more("sosfilt/float32_1024_filters", of_channels<false, true>(1024), 24) &&
    more("sosfilt/float32_1_section_misaligned", off_by_one(cascade_of(1)), 26) &&
    more("sosfilt/float32_1_section_odd_size", of_odd_size(cascade_of(1)), 26) && register_accuracy() &&
    sizes("sosfilt/float32_1_section", cascade_of(1)) &&
    // Blocks of a stream.
    more("sosfilt/float32_2_sections", cascade_of(2), 9) && more("sosfilt/float32_2_sections", cascade_of(2), 11) &&
    more("sosfilt/float32_8_sections", cascade_of(8), 9) && more("sosfilt/float32_8_sections", cascade_of(8), 11) &&
    more("sosfilt/float32_64_channels", of_channels<false>(64), 14) &&
    more("sosfilt/float32_2_filters", of_channels<false, true>(2), 12) &&
    more("sosfilt/float32_64_filters", of_channels<false, true>(64), 17);

}  // namespace
}  // namespace bench

// Recursive filters: cascades of second-order sections over one channel, and over many. The cut-off is a tenth of the
// sample rate, where the peers' floats still hold the states.
#include <upsweep/filter_design.hpp>
#include <upsweep/iir.hpp>
#include <upsweep/transform.hpp>

#include "harness.hpp"
#if UPSWEEP_HAS_CUDA
#include <cub/device/device_scan.cuh>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/transform_output_iterator.h>
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
#endif

//! One channel through `sections`, by a scan of 2×2 affine maps a section (GPU) or sample by sample (CPU).
contender peer_of(bed& b, const std::vector<upsweep::section>& sections, std::span<const float> in,
                  std::span<float> out) {
#if UPSWEEP_HAS_CUDA
  const auto between = b.room<float>(static_cast<index_t>(in.size()));
  std::vector<std::function<void()>> passes;
  for (std::size_t s = 0; s < sections.size(); s++) {
    const bool last_into_out = (sections.size() - s) % 2 == 1;
    const float* from = s == 0 ? in.data() : last_into_out ? between.data() : out.data();
    float* to = last_into_out ? out.data() : between.data();
    const auto maps =
        thrust::make_transform_iterator(thrust::make_counting_iterator(0), map_of_sample{from, sections[s]});
    const auto samples = thrust::make_transform_output_iterator(to, first_of_pair{});
    passes.push_back(cub_call(b, "", [=](void* storage, std::size_t& bytes, cudaStream_t stream) {
                       return cub::DeviceScan::InclusiveScan(storage, bytes, maps, samples,
                                                             upsweep::affine_vector<float, 2>{},
                                                             static_cast<int>(in.size()), stream);
                     }).call);
  }
  return {"cub::DeviceScan::InclusiveScan of affine maps, one a section", [=] {
            for (const auto& pass : passes) pass();
          }};
#else
  static_cast<void>(b);
  return {"a serial loop", [=] {
            std::vector<double> state(2 * sections.size());
            for (std::size_t i = 0; i < in.size(); i++) {
              double x = static_cast<double>(in[i]);
              for (std::size_t k = 0; k < sections.size(); k++) {
                const upsweep::section& s = sections[k];
                const double y = s.b0 * x + state[2 * k];
                state[2 * k] = s.b1 * x - s.a1 * y + state[2 * k + 1];
                state[2 * k + 1] = s.b2 * x - s.a2 * y;
                x = y;
              }
              out[i] = static_cast<float>(x);
            }
          }};
#endif
}

template <int Sections>
trial cascade_of(bed& b, index_t n, std::uint64_t seed) {
  const auto sections = upsweep::butterworth_lowpass(2 * Sections, 0.1, 1);
  const std::span<const float> in = b.filled<float>(n, uniform<float>{seed});
  const auto out = b.room<float>(n), expected = b.room<float>(n);
  return {.ours = [=, &b] { upsweep::sosfilt(b.exec, sections, in, out); },
          .peers = {peer_of(b, sections, in, expected)},
          .bytes = [=] { return 8.0 * static_cast<double>(n); },
          .check = [=, &b] { return compare(b, out, expected, n, 1e-4); }};
}

//! Samples of many channels, the same in all of them.
struct in_all_channels {
  uniform<float> sample;
  index_t channels, length;
  bool interleaved;
  UPSWEEP_HD float operator()(index_t i) const { return sample(interleaved ? i / channels : i % length); }
};
struct first_channel {
  const float* data;
  index_t step;
  UPSWEEP_HD float operator()(index_t t) const { return data[t * step]; }
};
struct as_it_is {
  UPSWEEP_HD float operator()(float x) const { return x; }
};
//! The peer takes the channels, in planes, for one signal, which is the same work; the first channel is compared.
//! `Filters`: one for all channels, or one for each.
template <int Channels, bool Interleaved = false, int Filters = 1>
trial channels(bed& b, index_t n, std::uint64_t seed) {
  const index_t length = n / Channels;
  std::vector<upsweep::section> filters;
  for (int k = 0; k < Filters; k++)
    for (const auto& s : upsweep::butterworth_lowpass(2, 0.1 / (1 + k), 1)) filters.push_back(s);
  const std::vector<upsweep::section> first(filters.begin(), filters.begin() + 1);
  const auto samples = [&](bool interleaved) {
    return std::span<const float>(b.filled<float>(n, in_all_channels{{seed}, Channels, length, interleaved}));
  };
  const auto in = samples(Interleaved), planes = Interleaved ? samples(false) : in;
  const auto out = b.room<float>(n), expected = b.room<float>(n), compared = b.room<float>(length);
  const auto layout = [&] {
    if constexpr (Interleaved) return upsweep::interleaved{Channels};
    else return upsweep::planar{Channels};
  }();
  const auto ours = [=, &b] {
    if constexpr (Filters == 1) upsweep::sosfilt(b.exec, filters, in, out, upsweep::no_state, layout);
    else upsweep::sosfilt(b.exec, upsweep::per_channel(filters), in, out, upsweep::no_state, layout);
  };
  const auto check = [=, &b] {
    upsweep::transform(b.exec, upsweep::computed<float>(first_channel{out.data(), Interleaved ? Channels : 1}),
                       compared, as_it_is{});
    return compare(b, compared, expected, length, 1e-4);
  };
  return {.ours = ours,
          .peers = {peer_of(b, first, planes, expected)},
          .bytes = [=] { return 8.0 * static_cast<double>(n); },
          .check = check};
}

const bool rows =
    large("sosfilt/float32_1_section", cascade_of<1>, 26) && large("sosfilt/float32_4_sections", cascade_of<4>, 26) &&
    more("sosfilt/float32_2_sections", cascade_of<2>, 26) && more("sosfilt/float32_8_sections", cascade_of<8>, 26) &&
    more("sosfilt/float32_1024_channels", channels<1024>, 24) &&
    more("sosfilt/float32_64_channels", channels<64>, 24) &&
    more("sosfilt/float32_8_interleaved_channels", channels<8, true>, 24) &&
    more("sosfilt/float32_1024_filters", channels<1024, false, 1024>, 24) &&
    sizes("sosfilt/float32_1_section", cascade_of<1>);

}  // namespace
}  // namespace bench

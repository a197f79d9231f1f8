// clahe, equalize_luma: adaptive equalization of natural and random pictures, and equalization of colours. Bytes are
// two reads and a write of the picture. On the GPU there is no peer (cv::cuda's CLAHE wants an OpenCV built with CUDA):
// what the CPU gives is the check, the plain copy the measure.
#include <algorithm>
#include <array>

#include <upsweep/clahe.hpp>
#include <upsweep/luma.hpp>

#include "images.hpp"

namespace bench {
namespace {

using level = std::uint8_t;

//! call(executor, input, output) on one thread of the CPU.
template <class T, class Call>
void compute_on_cpu(bed& b, std::span<const T> in, std::span<T> out, const Call& call) {
  upsweep::host alone(1);
  const std::vector<T> from = fetched(b, in);
  std::vector<T> to(from.size());
  call(alone, std::span<const T>(from), std::span<T>(to));
  b.exec.copy(out.data(), to.data(), out.size_bytes());
}
//! call(executor, input, output) against peers, the first of which writes `expected`.
template <class T, class Call>
trial equalizing(bed& b, std::span<const T> in, std::span<T> expected, const std::vector<contender>& peers,
                 const Call& call) {
  const auto n = static_cast<index_t>(in.size());
  const auto out = b.room<T>(n);
  if (peers.empty()) compute_on_cpu(b, in, expected, call);
  const double apart = peers.empty() ? 0 : 1;  // others may round otherwise; GPU and CPU agree
  return {.ours = [=, &b] { call(b.exec, in, out); },
          .peers = peers,
          .bytes = [=] { return 3. * static_cast<double>(in.size_bytes()); },
          .check = [=, &b] { return compare(b, out, expected, n, apart); }};
}

constexpr double clip_limit = 2;
constexpr upsweep::tile_grid tiles{8, 8};

template <class T>
std::vector<contender> clahe_peers([[maybe_unused]] bed& b, [[maybe_unused]] std::span<const T> in,
                                   [[maybe_unused]] index_t side, [[maybe_unused]] std::span<T> out) {
#if !UPSWEEP_HAS_CUDA && defined(UPSWEEP_WITH_OPENCV)
  return {opencv_call(b, [from = opencv_image(in, side), to = opencv_image(std::span<const T>(out), side),
                          clahe = cv::createCLAHE(clip_limit, {tiles.x, tiles.y})] { clahe->apply(from, to); })};
#else
  return {};
#endif
}
template <class T, class Make>
trial adapting(bed& b, index_t n, const Make& make) {
  const index_t side = side_of(n);
  const std::span<const T> in = b.filled<T>(n, make);
  const auto expected = b.scratch<T>(n);
  const auto call = [layout = upsweep::image_layout{.width = side, .height = side}](auto& executor, auto from,
                                                                                    auto to) {
    upsweep::clahe(executor, upsweep::image(from, layout), to, {clip_limit, tiles});
  };
  return equalizing(b, in, expected, clahe_peers<T>(b, in, side, expected), call);
}

#if UPSWEEP_HAS_CUDA
template <int Channels>
std::vector<contender> luma_peers(bed&, std::span<const level>, index_t, std::span<level>) {
  return {};
}
#else
//! OpenCV's conversions, in integers of 14 fractional bits.
template <int Channels>
void equalize_luma_serially(std::span<const level> in, std::span<level> out) {
  const auto luma = [](const level* p) { return (p[0] * 4899 + p[1] * 9617 + p[2] * 1868 + 8192) >> 14; };
  const auto byte = [](int v) { return std::clamp(v, 0, 255); };
  std::array<index_t, 256> counts{};
  for (std::size_t i = 0; i < in.size(); i += Channels) counts[static_cast<std::size_t>(luma(&in[i]))]++;
  const auto table = equalization_table(counts);
  for (std::size_t i = 0; i < in.size(); i += Channels) {
    const int y = luma(&in[i]), to = table[static_cast<std::size_t>(y)];
    const int cr = byte(((in[i] - y) * 11682 + (128 << 14) + 8192) >> 14) - 128;
    const int cb = byte(((in[i + 2] - y) * 9241 + (128 << 14) + 8192) >> 14) - 128;
    out[i] = static_cast<level>(byte(to + ((cr * 22987 + 8192) >> 14)));
    out[i + 1] = static_cast<level>(byte(to + ((cb * -5636 - cr * 11698 + 8192) >> 14)));
    out[i + 2] = static_cast<level>(byte(to + ((cb * 29049 + 8192) >> 14)));
    if constexpr (Channels == 4) out[i + 3] = in[i + 3];
  }
}
template <int Channels>
std::vector<contender> luma_peers([[maybe_unused]] bed& b, std::span<const level> in, [[maybe_unused]] index_t side,
                                  std::span<level> out) {
  std::vector<contender> peers{{"a serial loop", [=] { equalize_luma_serially<Channels>(in, out); }}};
#ifdef UPSWEEP_WITH_OPENCV
  const std::span<const level> theirs = b.scratch<level>(static_cast<index_t>(out.size()));
  const auto picture = [&](std::span<const level> items) {
    return opencv_image(items, side * Channels).reshape(Channels);
  };
  peers.push_back(opencv_call(b, [from = picture(in), to = picture(theirs), ycc = cv::Mat(), y = cv::Mat()]() mutable {
    cv::cvtColor(from, ycc, cv::COLOR_RGB2YCrCb);
    cv::extractChannel(ycc, y, 0);
    cv::equalizeHist(y, y);
    cv::insertChannel(y, ycc, 0);
    cv::cvtColor(ycc, to, cv::COLOR_YCrCb2RGB, Channels);
    if (Channels == 4) cv::mixChannels({from}, {to}, {3, 3});  // it made all opaque
  }));
#endif
  return peers;
}
#endif

//! Channels that follow one another, each a picture of its own.
struct natural_colours {
  std::uint64_t seed;
  index_t width;
  int channels;
  UPSWEEP_HD level operator()(index_t i) const {
    return natural_levels<level>{seed + 16 * static_cast<std::uint64_t>(i % channels), width}(i / channels);
  }
};

//! n counts pixels.
template <int Channels>
trial colours(bed& b, index_t n, std::uint64_t seed) {
  const index_t side = side_of(n);
  const std::span<const level> in = b.filled<level>(n * Channels, natural_colours{seed, side, Channels});
  const auto expected = b.scratch<level>(n * Channels);
  const auto call = [](auto& executor, auto from, auto to) {
    upsweep::equalize_luma(executor, from, to, {.channels = Channels});
  };
  return equalizing(b, in, expected, luma_peers<Channels>(b, in, side, expected), call);
}
template <class T>
trial random_levels(bed& b, index_t n, std::uint64_t seed) {
  return adapting<T>(b, n, uniform<T>{seed});
}
template <class T>
trial natural(bed& b, index_t n, std::uint64_t seed) {
  return adapting<T>(b, n, natural_levels<T>{seed, side_of(n)});
}

// The same pictures on both sides, so that names can say their size.
const bool rows = more("clahe/uint8_8192x8192_natural", natural<std::uint8_t>, 26 - bed::shift) &&
                  more("clahe/uint8_8192x8192_random", random_levels<std::uint8_t>, 26 - bed::shift) &&
                  more("clahe/uint16_4096x4096_natural", natural<std::uint16_t>, 24 - bed::shift) &&
                  more("equalize_luma/uint8_rgb_4096x4096_natural", colours<3>, 24 - bed::shift) &&
                  more("equalize_luma/uint8_rgba_4096x4096_natural", colours<4>, 24 - bed::shift);

}  // namespace
}  // namespace bench

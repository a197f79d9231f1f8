// clahe, equalize_luma: adaptive equalization of natural and random pictures, and equalization of colours. Bytes are
// two reads and a write of the picture. On the GPU there is no peer (cv::cuda's CLAHE wants an OpenCV built with CUDA).
// Results are compared with those of serial loops.

#include <algorithm>

#include <upsweep/clahe.hpp>
#include <upsweep/luma.hpp>

#include "../oracles/clahe.hpp"
#include "images.hpp"
#if !UPSWEEP_HAS_CUDA
#include "host_peers.hpp"
#endif

namespace bench {
namespace {

using level = std::uint8_t;

//! call(executor, input, output) against what oracle(input, output), a serial loop on the CPU, gives; others may round
//! otherwise.
template <class T, class Call, class Oracle>
trial equalizing(bed& b, std::span<const T> in, index_t pixels, const std::vector<contender>& peers, const Call& call,
                 const Oracle& oracle) {
  const auto n = static_cast<index_t>(in.size());
  const auto out = b.room<T>(n);
  const std::vector<T> from = fetched(b, in);
  std::vector<T> to(from.size());
  oracle(std::span<const T>(from), std::span<T>(to));
  const auto expected = placed(b, to);
  return {.ours = [=, &b] { call(b.exec, in, out); },
          .peers = peers,
          .bytes = [=] { return 3. * static_cast<double>(in.size_bytes()); },
          .check = [=, &b] { return compare<T>(b, out, expected, n, 1); },
          .items = pixels};
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
  const auto call = [layout = upsweep::image_layout{.width = side, .height = side}](auto& executor, auto from,
                                                                                    auto to) {
    upsweep::clahe(executor, upsweep::image(from, layout), to, {clip_limit, tiles});
  };
  return equalizing(b, in, n, clahe_peers<T>(b, in, side, b.scratch<T>(n)), call, [=](auto from, auto to) {
    std::ranges::copy(oracle::clahe<T>(from, side, side, clip_limit, tiles.x), to.begin());
  });
}

#if UPSWEEP_HAS_CUDA
template <int Channels>
std::vector<contender> luma_peers(bed&, std::span<const level>, index_t, std::span<level>) {
  return {};
}
#else
template <int Channels>
std::vector<contender> luma_peers([[maybe_unused]] bed& b, std::span<const level> in, [[maybe_unused]] index_t side,
                                  std::span<level> out) {
  auto peers = serial_loop([=] { peers::equalize_luma(in, out, Channels); });
  peers.front().apart = true;
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
  const auto call = [](auto& executor, auto from, auto to) {
    upsweep::equalize_luma(executor, from, to, {.channels = Channels});
  };
  return equalizing(b, in, n, luma_peers<Channels>(b, in, side, b.scratch<level>(n * Channels)), call,
                    [](auto from, auto to) {
                      std::ranges::copy(from, to.begin());
                      oracle::equalize_luma(to, Channels, upsweep::equalize_mode::opencv);
                    });
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

// histogram, histogram_even: items of 1, 2 and 4 bytes; random, constant, two values, as in a photograph.
#include <algorithm>

#include <upsweep/histogram.hpp>

#include "images.hpp"
#if UPSWEEP_HAS_CUDA
#include <cub/device/device_histogram.cuh>
#else
#include "host_peers.hpp"
#endif

namespace bench {
namespace {

//! `bins` of one width over [0, most), or one for each level.
template <class T>
struct bins_of {
  index_t bins;
  T most;
  bool are_levels() const { return most == T{}; }
};

#if UPSWEEP_HAS_CUDA
using peer_count = int;  // what CUB is fastest with
template <class T>
std::vector<contender> peers_of(bed& b, std::span<const T> in, bins_of<T> wanted, std::span<peer_count> counts) {
  using bound = std::conditional_t<sizeof(T) < 4, int, T>;
  const bound most = wanted.are_levels() ? static_cast<bound>(wanted.bins) : static_cast<bound>(wanted.most);
  return cub_calls(b, "DeviceHistogram::HistogramEven", static_cast<index_t>(in.size()),
                   [=](void* storage, std::size_t& bytes, auto n, cudaStream_t stream) {
                     return cub::DeviceHistogram::HistogramEven(storage, bytes, in.data(), counts.data(),
                                                                static_cast<int>(wanted.bins) + 1, bound{0}, most, n,
                                                                stream);
                   });
}
#else
using peer_count = index_t;
template <class T>
std::vector<contender> peers_of([[maybe_unused]] bed& b, std::span<const T> in, bins_of<T> wanted,
                                std::span<peer_count> counts) {
  auto peers = serial_loop([=] {
    if constexpr (sizeof(T) < 4) peers::count_levels<T>(in, counts);
    else peers::count_bins<T>(in, counts, wanted.most);
  });
#ifdef UPSWEEP_WITH_OPENCV
  if constexpr (!std::is_same_v<T, std::uint32_t>)  // OpenCV has none
    peers.push_back(
        opencv_call(b, [=, image = opencv_image(in, std::min(index_t{1} << 12, static_cast<index_t>(in.size()))),
                        found = cv::Mat()]() mutable {
          const int channel = 0, bins = static_cast<int>(wanted.bins);
          const float range[] = {0, wanted.are_levels() ? static_cast<float>(bins) : static_cast<float>(wanted.most)};
          const float* ranges = range;
          cv::calcHist(&image, 1, &channel, cv::Mat(), found, 1, &bins, &ranges);
        }));
#endif
  return peers;
}
#endif

template <class T, class Make>
trial counting(bed& b, index_t n, bins_of<T> wanted, const Make& make) {
  const std::span<const T> in = b.filled<T>(n, make);
  const auto counts = b.room<index_t>(wanted.bins);
  const auto expected = b.room<peer_count>(wanted.bins);
  return {.ours =
              [=, &b] {
                if constexpr (sizeof(T) < 4) upsweep::histogram(b.exec, in, counts);
                else upsweep::histogram_even(b.exec, in, counts, T{0}, wanted.most);
              },
          .peers = peers_of(b, in, wanted, expected),
          .bytes = [=] { return static_cast<double>(in.size_bytes()); },
          .check = [=, &b] { return compare_counts<index_t, peer_count>(b, counts, expected); }};
}

//! Either of two levels.
template <class T>
struct two_levels {
  std::uint64_t seed;
  UPSWEEP_HD T operator()(index_t i) const { return random_bits(seed, i) & 1 ? T{200} : T{50}; }
};

template <class T>
inline constexpr bins_of<T> levels{index_t{1} << (8 * sizeof(T)), T{}};

template <class T>
trial random_levels(bed& b, index_t n, std::uint64_t seed) {
  return counting<T>(b, n, levels<T>, uniform<T>{seed});
}
template <class T>
trial one_level(bed& b, index_t n, std::uint64_t) {
  return counting<T>(b, n, levels<T>, constant<T>{77});
}
template <class T>
trial two_valued(bed& b, index_t n, std::uint64_t seed) {
  return counting<T>(b, n, levels<T>, two_levels<T>{seed});
}
template <class T>
trial natural(bed& b, index_t n, std::uint64_t seed) {
  return counting<T>(b, n, levels<T>, natural_levels<T>{seed, index_t{1} << 12});
}
trial floats(bed& b, index_t n, std::uint64_t seed) {
  return counting<float>(b, n, {256, 1.f}, unit_numbers<float>{seed});
}
trial integers(bed& b, index_t n, std::uint64_t seed) {
  return counting<std::uint32_t>(b, n, {256, 3'000'000'000}, uniform<std::uint32_t>{seed});
}

const bool rows =
    large("histogram/uint8_random", random_levels<std::uint8_t>, 30) &&
    large("histogram/uint8_constant", one_level<std::uint8_t>, 30) &&
    more("histogram/uint8_misaligned", off_by_one(random_levels<std::uint8_t>), 29) &&
    more("histogram/uint8_odd_size", of_odd_size(random_levels<std::uint8_t>), 29) &&
    more("histogram/uint8_two_valued", two_valued<std::uint8_t>, 30) &&
    more("histogram/uint8_natural", natural<std::uint8_t>, 30) &&
    more("histogram/uint16_random", random_levels<std::uint16_t>, 29) &&
    more("histogram/uint16_constant", one_level<std::uint16_t>, 29) &&
    more("histogram/uint16_natural", natural<std::uint16_t>, 29) &&
    more("histogram/uint16_natural", natural<std::uint16_t>, 18) &&
    more("histogram/uint16_natural", natural<std::uint16_t>, 22) &&
    more("histogram_even/uint32_256_bins", integers, 28) && more("histogram_even/float32_256_bins", floats, 28) &&
    more("histogram_even/float32_256_bins", floats, 14) && more("histogram_even/float32_256_bins", floats, 18) &&
    more("histogram_even/float32_256_bins", floats, 22) && sizes("histogram/uint8", random_levels<std::uint8_t>);

}  // namespace
}  // namespace bench

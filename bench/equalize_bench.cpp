// equalize_histogram: square images of 8 bits, large, small, of each size, a thousand at once.
#include <algorithm>

#include <upsweep/equalize.hpp>

#include "images.hpp"
#if UPSWEEP_HAS_CUDA
#include <cub/block/block_scan.cuh>
#include <cub/device/device_histogram.cuh>
#else
#include "host_peers.hpp"
#endif

namespace bench {
namespace {

using level = std::uint8_t;

#if UPSWEEP_HAS_CUDA
//! OpenCV's table of the counts, by one block of 256 threads.
static __global__ void table_kernel(const int* counts, level* table) {
  using block_scan = cub::BlockScan<int, 256>;
  __shared__ typename block_scan::TempStorage storage;
  __shared__ int lowest;
  const int k = static_cast<int>(threadIdx.x), here = counts[k];
  int upto = 0, all = 0;
  block_scan(storage).InclusiveSum(here, upto, all);
  if (here > 0 && upto == here) lowest = here;
  __syncthreads();
  const float scale = 255.f / static_cast<float>(all - lowest);
  table[k] = all == lowest ? static_cast<level>(k)
                           : static_cast<level>(fminf(rintf(static_cast<float>(max(upto - lowest, 0)) * scale), 255.f));
}
//! 16 pixels a thread and turn, the table in shared memory.
static __global__ void map_kernel(const uint4* in, uint4* out, index_t n, const level* table) {
  __shared__ level here[256];
  here[threadIdx.x] = table[threadIdx.x];
  __syncthreads();
  const auto map = [&](unsigned four) {
    return here[four & 255] | here[four >> 8 & 255] << 8 | here[four >> 16 & 255] << 16 |
           static_cast<unsigned>(here[four >> 24]) << 24;
  };
  const index_t step = static_cast<index_t>(gridDim.x) * blockDim.x;
  for (index_t i = static_cast<index_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += step) {
    const uint4 v = in[i];
    out[i] = {map(v.x), map(v.y), map(v.z), map(v.w)};
  }
}
//! The same of the few pixels of a tiny picture.
static __global__ void map_each_kernel(const level* in, level* out, index_t n, const level* table) {
  if (threadIdx.x < n) out[threadIdx.x] = table[in[threadIdx.x]];
}

std::vector<contender> peers_of(bed& b, std::span<const level> in, index_t side, std::span<level> out) {
  const auto counts = b.scratch<int>(256);
  const auto table = b.scratch<level>(256);
  const index_t pixels = side * side, images = static_cast<index_t>(in.size()) / pixels;
  const char* name =
      images > 1 ? "DeviceHistogram, a table, a map of it, image by image" : "DeviceHistogram, a table, a map of it";
  return composed({cub_call(b, name, [=](void* storage, std::size_t& bytes, cudaStream_t stream) {
    for (index_t k = 0; k < images; k++) {
      const level* from = in.data() + k * pixels;
      const cudaError_t error = cub::DeviceHistogram::HistogramEven(storage, bytes, from, counts.data(), 257, 0, 256,
                                                                    static_cast<int>(pixels), stream);
      if (!storage || error != cudaSuccess) return error;
      table_kernel<<<1, 256, 0, stream>>>(counts.data(), table.data());
      if (pixels < 16) {
        map_each_kernel<<<1, 16, 0, stream>>>(from, out.data() + k * pixels, pixels, table.data());
        continue;
      }
      const auto blocks = static_cast<unsigned>(std::clamp<index_t>(pixels / 16 / 256, 1, 132 * 8));
      map_kernel<<<blocks, 256, 0, stream>>>(reinterpret_cast<const uint4*>(from),
                                             reinterpret_cast<uint4*>(out.data() + k * pixels), pixels / 16,
                                             table.data());
    }
    return cudaGetLastError();
  })});
}
#else
std::vector<contender> peers_of([[maybe_unused]] bed& b, std::span<const level> in, index_t side,
                                std::span<level> out) {
  const auto pixels = static_cast<std::size_t>(side * side);
  auto peers = serial_loop([=] {
    for (std::size_t k = 0; k < in.size(); k += pixels) peers::equalize(in.subspan(k, pixels), out.subspan(k, pixels));
  });
#ifdef UPSWEEP_WITH_OPENCV
  const std::span<level> theirs = b.scratch<level>(static_cast<index_t>(out.size()));
  peers.push_back(opencv_call(b, [=] {
    for (std::size_t k = 0; k < in.size(); k += pixels) {
      cv::Mat to = opencv_image<level>(theirs.subspan(k, pixels), side);
      cv::equalizeHist(opencv_image<level>(in.subspan(k, pixels), side), to);
    }
  }));
#endif
  return peers;
}
#endif

template <class Make>
trial equalizing(bed& b, index_t side, index_t images, const Make& make) {
  const index_t n = side * side * images;
  const std::span<const level> in = b.filled<level>(n, make);
  const auto out = b.room<level>(n), expected = b.room<level>(n);
  const upsweep::image_layout layout{.width = side, .height = side, .count = images};
  return {.ours = [=, &b] { upsweep::equalize_histogram(b.exec, upsweep::image(in, layout), out); },
          .peers = peers_of(b, in, side, expected),
          .bytes = [=] { return 3. * static_cast<double>(n); },  // the picture is read twice
          .check = [=, &b] { return compare(b, out, expected, n); },
          .items = n};
}

//! Either of two levels.
struct two_levels {
  std::uint64_t seed;
  UPSWEEP_HD level operator()(index_t i) const { return random_bits(seed, i) & 1 ? 200 : 50; }
};

trial random_image(bed& b, index_t n, std::uint64_t seed) { return equalizing(b, side_of(n), 1, uniform<level>{seed}); }
trial constant_image(bed& b, index_t n, std::uint64_t) { return equalizing(b, side_of(n), 1, constant<level>{77}); }
trial two_valued(bed& b, index_t n, std::uint64_t seed) { return equalizing(b, side_of(n), 1, two_levels{seed}); }
trial natural(bed& b, index_t n, std::uint64_t seed) {
  return equalizing(b, side_of(n), 1, natural_levels<level>{seed, side_of(n)});
}
trial thousand_images(bed& b, index_t, std::uint64_t seed) { return equalizing(b, 64, 1000, uniform<level>{seed}); }

// The same pictures on both sides, so that names can say their size.
const bool rows = large("equalize/uint8_8192x8192", random_image, 26 - bed::shift) &&
                  small("equalize/uint8_512x512", random_image, 18) &&
                  more("equalize/uint8_8192x8192_natural", natural, 26 - bed::shift) &&
                  more("equalize/uint8_8192x8192_constant", constant_image, 26 - bed::shift) &&
                  more("equalize/uint8_8192x8192_two_valued", two_valued, 26 - bed::shift) &&
                  more("equalize/uint8_1000_of_64x64", thousand_images, 22 - bed::shift) &&
                  sizes("equalize/uint8", random_image);

}  // namespace
}  // namespace bench

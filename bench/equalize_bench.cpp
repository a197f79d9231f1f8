// equalize_histogram: square images of 8 bits, large, small, of each size, a thousand at once.
#include <algorithm>

#include <upsweep/equalize.hpp>

#include "../oracles/levels.hpp"
#include "images.hpp"
#if UPSWEEP_HAS_CUDA
#include <cub/block/block_histogram.cuh>
#include <cub/block/block_scan.cuh>
#include <cub/device/device_histogram.cuh>
#else
#include "host_peers.hpp"
#endif

namespace bench {
namespace {

using level = std::uint8_t;

#if UPSWEEP_HAS_CUDA
//! OpenCV's entry of the table for the thread's level, of which there are `here`: by one block of 256 threads.
static __device__ level table_entry(int here) {
  using block_scan = cub::BlockScan<int, 256>;
  __shared__ typename block_scan::TempStorage storage;
  __shared__ int lowest;
  const int k = static_cast<int>(threadIdx.x);
  int upto = 0, all = 0;
  block_scan(storage).InclusiveSum(here, upto, all);
  if (here > 0 && upto == here) lowest = here;
  __syncthreads();
  const float scale = 255.f / static_cast<float>(all - lowest);
  return all == lowest ? static_cast<level>(k)
                       : static_cast<level>(fminf(rintf(static_cast<float>(max(upto - lowest, 0)) * scale), 255.f));
}
static __global__ void table_kernel(const int* counts, level* table) {
  table[threadIdx.x] = table_entry(counts[threadIdx.x]);
}
//! 16 pixels by a table in shared memory.
static __device__ uint4 mapped(const uint4& pixels, const level* table) {
  const auto map = [&](unsigned four) {
    return table[four & 255] | table[four >> 8 & 255] << 8 | table[four >> 16 & 255] << 16 |
           static_cast<unsigned>(table[four >> 24]) << 24;
  };
  return {map(pixels.x), map(pixels.y), map(pixels.z), map(pixels.w)};
}
//! 16 pixels a thread and turn.
static __global__ void map_kernel(const uint4* in, uint4* out, index_t n, const level* table) {
  __shared__ level here[256];
  here[threadIdx.x] = table[threadIdx.x];
  __syncthreads();
  const index_t step = static_cast<index_t>(gridDim.x) * blockDim.x;
  for (index_t i = static_cast<index_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += step)
    out[i] = mapped(in[i], here);
}
//! The same of the few pixels of a tiny picture.
static __global__ void map_each_kernel(const level* in, level* out, index_t n, const level* table) {
  if (threadIdx.x < n) out[threadIdx.x] = table[in[threadIdx.x]];
}

//! Pictures of 64×64 pixels, a block each: 16 pixels a thread, which are read once.
constexpr index_t pixels_of_a_block = 256 * 16;
static __global__ void __launch_bounds__(256) block_kernel(const uint4* in, uint4* out) {
  using block_histogram = cub::BlockHistogram<level, 256, 16, 256, cub::BLOCK_HISTO_ATOMIC>;
  __shared__ typename block_histogram::TempStorage storage;
  __shared__ int counts[256];
  __shared__ level table[256];
  union {
    uint4 all;
    level each[16];
  } pixels;
  const unsigned at = blockIdx.x * 256 + threadIdx.x;
  pixels.all = in[at];
  block_histogram(storage).Histogram(pixels.each, counts);
  __syncthreads();
  table[threadIdx.x] = table_entry(counts[threadIdx.x]);
  __syncthreads();
  out[at] = mapped(pixels.all, table);
}
contender block_a_picture(bed& b, std::span<const level> in, std::span<level> out) {
  const auto images = static_cast<unsigned>(static_cast<index_t>(in.size()) / pixels_of_a_block);
  return {"composed of CUB calls: BlockHistogram, BlockScan, a picture a block", [=, stream = b.exec.stream()] {
            block_kernel<<<images, 256, 0, stream>>>(reinterpret_cast<const uint4*>(in.data()),
                                                     reinterpret_cast<uint4*>(out.data()));
            UPSWEEP_CUDA_CHECK(cudaGetLastError());
          }};
}

std::vector<contender> peers_of(bed& b, std::span<const level> in, index_t side, std::span<level> out) {
  const auto counts = b.scratch<int>(256);
  const auto table = b.scratch<level>(256);
  const index_t pixels = side * side, images = static_cast<index_t>(in.size()) / pixels;
  const char* name =
      images > 1 ? "DeviceHistogram, a table, a map of it, image by image" : "DeviceHistogram, a table, a map of it";
  auto peers = composed({cub_call(b, name, [=](void* storage, std::size_t& bytes, cudaStream_t stream) {
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
  if (images > 1 && pixels == pixels_of_a_block) peers.push_back(block_a_picture(b, in, out));
  return peers;
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

//! Picture by picture, by the serial oracle.
std::vector<level> equalized(std::span<const level> in, index_t pixels) {
  std::vector<level> out;
  out.reserve(in.size());
  for (std::size_t k = 0; k < in.size(); k += static_cast<std::size_t>(pixels)) {
    const auto picture = in.subspan(k, static_cast<std::size_t>(pixels));
    const auto table = oracle::equalization_table(picture, upsweep::equalize_mode::opencv);
    const auto right = oracle::mapped(picture, table);
    out.insert(out.end(), right.begin(), right.end());
  }
  return out;
}

template <class Make>
trial equalizing(bed& b, index_t side, index_t images, const Make& make) {
  const index_t n = side * side * images;
  const std::span<const level> in = b.filled<level>(n, make);
  const auto out = b.room<level>(n), expected = b.room<level>(n);
  const std::span<const level> right = placed(b, equalized(fetched(b, in), side * side));
  const upsweep::image_layout layout{.width = side, .height = side, .count = images};
  return {.ours = [=, &b] { upsweep::equalize_histogram(b.exec, upsweep::image(in, layout), out); },
          .peers = peers_of(b, in, side, expected),
          .bytes = [=] { return 3. * static_cast<double>(n); },  // the picture is read twice
          .check =
              [=, &b] {
                const std::string wrong = compare<level>(b, out, right, n);
                return wrong.empty() ? compare(b, out, expected, n) : wrong;
              },
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

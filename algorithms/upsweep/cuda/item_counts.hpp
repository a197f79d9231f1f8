// Counters of items wider than a byte. Three kinds, by how many bins there are:
//   copies      of 32-bit counters in shared memory, each for some lanes: four at least, which are 8,192 bins on Hopper
//   halves      16-bit counters in shared memory, which spill into the result: all 65,536 values of 16 bits
//   crowds      the result itself, by atomic additions; equal items of a warp are added together
#pragma once
#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <upsweep/config.hpp>
#include <upsweep/cuda/byte_counts.hpp>
#include <upsweep/cuda/engine.hpp>
#include <upsweep/cuda/pixel_slots.hpp>
#include <upsweep/cuda/tuning.hpp>
#include <upsweep/image.hpp>

namespace upsweep::inline UPSWEEP_ABI::gpu {

inline constexpr int item_threads = 1024, item_vectors = 2;
inline constexpr int least_copies = 4;

template <class T, class Bin>
struct count_items_args {
  pixel_slots<T> in;
  pixel_mask mask;
  Bin bin;
  unsigned long long* counts;
  int parts;
  int copies_bits;  // copies as a power of two; −1: none, the result itself
};

//! Calls add(bin, times) so that lanes with equal bins add together where a bin has many of them; which it takes from
//! the first lanes' bins. All lanes of a warp call.
template <class Add>
__device__ void add_crowds(std::uint32_t bin, bool is_counted, const Add& add) {
  constexpr int crowd = 4, rounds = 4;
  std::uint32_t left = __ballot_sync(~0u, is_counted);
  for (int round = 0; round < rounds && left; round++) {
    const int first = __ffs(static_cast<int>(left)) - 1;
    const std::uint32_t equal = __ballot_sync(~0u, bin == __shfl_sync(~0u, bin, first)) & left;
    const int times = __popc(equal);
    if (times < crowd) break;
    if (lane_id() == first) add(bin, static_cast<std::uint32_t>(times));
    left &= ~equal;
  }
  if (left >> lane_id() & 1) add(bin, 1u);
}

//! Calls f(item, is it there) for the items of a CTA's part of an image, warps together; after_batch() with all threads
//! together.
template <class T, int Vectors, bool Masked, class F, class After>
__device__ void for_each_item(const slot_walk<T, Vectors>& walk, const pixel_mask& mask, index_t image, const F& f,
                              const After& after_batch) {
  const auto use = [&](const uint4& v, std::uint32_t live) {
    T items[16 / sizeof(T)];
    memcpy(items, &v, 16);
#pragma unroll
    for (int i = 0; i < static_cast<int>(16 / sizeof(T)); i++) f(items[i], (live >> i & 1) != 0);
  };
  for (int batch = 0; batch < walk.batches; batch++) {
    uint4 v[Vectors];
    if (!Masked && walk.load_full(batch, v)) {
#pragma unroll
      for (int k = 0; k < Vectors; k++) use(v[k], pixel_slots<T>::all);
    } else {
      walk.for_each_piece(batch, [&](const row_piece& piece, const uint4& vector, std::uint32_t live) {
        if constexpr (Masked) live = mask.counted(image, piece, live);
        use(vector, live);
      });
    }
    after_batch();
  }
}

template <class T, class Bin, bool Masked>
__global__ void __launch_bounds__(item_threads, 1)
    count_items_kernel(const __grid_constant__ count_items_args<T, Bin> a) {
  extern __shared__ __align__(16) std::uint32_t counters[];
  const index_t image = blockIdx.x / a.parts;
  const int part = static_cast<int>(blockIdx.x) % a.parts, bits = a.copies_bits;
  unsigned long long* const counts = a.counts + image * a.bin.bins;
  const std::uint32_t bins = a.bin.bins, threads = blockDim.x;
  const slot_walk<T, item_vectors> walk(a.in, image, part, a.parts);
  if (bits < 0) {
    return for_each_item<T, item_vectors, Masked>(
        walk, a.mask, image,
        [&](T item, bool is_there) {
          const std::uint32_t bin = a.bin(item);
          add_crowds(bin, is_there && bin < bins, [&](std::uint32_t at, std::uint32_t n) {
            atomicAdd(counts + at, static_cast<unsigned long long>(n));
          });
        },
        [] {});
  }
  for (std::uint32_t k = threadIdx.x; k < bins << bits; k += threads) counters[k] = 0;
  __syncthreads();
  const std::uint32_t copy = static_cast<std::uint32_t>(lane_id()) & ((1u << bits) - 1);
  for_each_item<T, item_vectors, Masked>(
      walk, a.mask, image,
      [&](T item, bool is_there) {
        const std::uint32_t bin = a.bin(item);
        if (is_there && bin < bins) atomicAdd(counters + (bin << bits | copy), 1u);
      },
      [] {});
  __syncthreads();
  for (std::uint32_t bin = threadIdx.x; bin < bins; bin += threads) {
    std::uint64_t sum = 0;
    for (std::uint32_t k = 0; k < 1u << bits; k++) sum += counters[bin << bits | ((k + bin) & ((1u << bits) - 1))];
    if (a.parts == 1) counts[bin] = sum;
    else if (sum) atomicAdd(counts + bin, static_cast<unsigned long long>(sum));
  }
}

// Two 16-bit counters a word. Whoever lifts one to 2^15 takes these 2^15 off it and adds them to the result. Between
// two barriers a CTA adds at most 2^15, so none comes to 2^16.
inline constexpr int halves_threads = 768, halves_vectors = 2;
struct half_counters {
  static constexpr std::uint32_t spill = 1u << 15;
  std::uint32_t* words;
  unsigned long long* counts;
  __device__ void operator()(std::uint32_t bin, std::uint32_t times) const {
    const std::uint32_t shift = (bin & 1) * 16;
    const std::uint32_t before = atomicAdd(words + bin / 2, times << shift) >> shift & 0xFFFF;
    if (before < spill && before + times >= spill) {
      atomicSub(words + bin / 2, spill << shift);
      atomicAdd(counts + bin, static_cast<unsigned long long>(spill));
    }
  }
};
template <bool Masked>
__global__ void __launch_bounds__(halves_threads, 1)
    count_halves_kernel(const __grid_constant__ count_items_args<std::uint16_t, detail::level_bins> a) {
  static_assert(halves_threads * halves_vectors * 8 <= 1 << 15);
  extern __shared__ __align__(16) std::uint32_t counters[];
  const index_t image = blockIdx.x / a.parts;
  const std::uint32_t bins = a.bin.bins, threads = blockDim.x;
  const half_counters halves{counters, a.counts + image * bins};
  for (std::uint32_t k = threadIdx.x; k < (bins + 1) / 2; k += threads) counters[k] = 0;
  __syncthreads();
  bool crowded = true;  // of the last item: then look for crowds at the next one, too
  int sample = 0;
  for_each_item<std::uint16_t, halves_vectors, Masked>(
      {a.in, image, static_cast<int>(blockIdx.x) % a.parts, a.parts}, a.mask, image,
      [&](std::uint16_t item, bool is_there) {
        const bool is_counted = is_there && item < bins;
        if (sample++ % 8 == 0) {
          const std::uint32_t first = __shfl_sync(~0u, std::uint32_t{item}, 0);
          crowded = __popc(__ballot_sync(~0u, item == first)) >= 4;
        }
        if (crowded) add_crowds(item, is_counted, halves);
        else if (is_counted) halves(item, 1);
      },
      [] { __syncthreads(); });
  __syncthreads();
  for (std::uint32_t bin = threadIdx.x; bin < bins; bin += threads) {
    const std::uint32_t count = counters[bin / 2] >> (bin & 1) * 16 & 0xFFFF;
    if (count) atomicAdd(halves.counts + bin, static_cast<unsigned long long>(count));
  }
}

template <class T, class Bin, bool Masked>
void count_items(device& executor, const detail::pixels<const T>& in, const pixel_mask& mask, const Bin& bin,
                 unsigned long long* counts) {
  const int most_bytes = shared_bytes(executor, tuning::item_counts_bytes);
  const pixel_slots<T> slots(Masked ? in : in.joined_rows());
  const index_t bins = bin.bins, most_copies = std::min<index_t>(most_bytes / (4 * bins), warp_size);
  const bool by_copies = most_copies >= least_copies;
  constexpr bool has_halves = std::is_same_v<T, std::uint16_t> && std::is_same_v<Bin, detail::level_bins>;
  // A CTA pays for its counters: as many items at least.
  const bool by_halves = has_halves && !by_copies && 2 * bins <= most_bytes && in.per_image() >= 4 * bins;
  const index_t worth = by_copies ? std::max<index_t>(256, bins / 4) : by_halves ? bins / 4 : 256;
  image_parts parts =
      parts_of(executor, in.count, slots.slots, by_halves ? halves_threads : item_threads, static_cast<int>(worth));
  parts.threads = by_halves ? halves_threads : item_threads;
  count_items_args<T, Bin> args{slots, mask, bin, counts, parts.parts, -1};
  if (by_copies) args.copies_bits = static_cast<int>(std::bit_width(static_cast<std::uint64_t>(most_copies))) - 1;
  if (!by_copies || parts.parts > 1)
    UPSWEEP_CUDA_CHECK(
        cudaMemsetAsync(counts, 0, static_cast<std::size_t>(bins * in.count) * sizeof(*counts), executor.stream()));
  if constexpr (has_halves)
    if (by_halves) {
      return launch<&count_halves_kernel<Masked>>(executor, parts.ctas(), parts.threads, tuning::item_counts_bytes,
                                                  args);
    }
  const auto kernel_bytes = by_copies ? static_cast<int>(bins << args.copies_bits) * 4 : 0;
  allow_shared<&count_items_kernel<T, Bin, Masked>>(executor, most_bytes);
  launch<&count_items_kernel<T, Bin, Masked>>(executor, parts.ctas(), parts.threads, kernel_bytes, args);
}

}  // namespace upsweep::inline UPSWEEP_ABI::gpu

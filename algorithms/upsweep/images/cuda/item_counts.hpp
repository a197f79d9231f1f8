// Counters of items wider than a byte. Three kinds, by how many bins there are:
//   copies   of 32-bit counters in shared memory, each for some lanes: four at least, which are 8,192 bins on Hopper
//   halves   16-bit counters in shared memory, which spill into the result: up to 65,536 bins
//   none     the result itself is added to, by atomic additions
// Where equal items would wait for each other at the latter two, crowd_counts takes the common ones out before.
#pragma once
#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <upsweep/config.hpp>
#include <upsweep/cuda/launch.hpp>
#include <upsweep/cuda/warp.hpp>
#include <upsweep/image.hpp>
#include <upsweep/images/bins.hpp>
#include <upsweep/images/cuda/crowd_counts.hpp>
#include <upsweep/images/cuda/pixel_slots.hpp>
#include <upsweep/images/cuda/tuning.hpp>

namespace UPSWEEP_NAMESPACE::gpu {

template <class T, class Bin>
struct count_items_args {
  pixel_slots<T> in;
  pixel_mask mask;
  Bin bin;
  unsigned long long* counts;
  int parts;
  int copies_bits;  // copies as a power of two
  bool has_halves;
};

//! The bin of items that do not count. For a caller of crowd_counts it is `nowhere` from the start: the compiler then
//! leaves the comparison out where every value is a bin, as of 16-bit levels.
enum class uncounted { is_behind_the_last, is_nowhere };

//! Calls f(bins of a vector's items) for a CTA's part of an image, warps together, a batch fetched ahead; after_batch()
//! with all threads together.
template <class T, int Vectors, uncounted Uncounted, class Bin, class F, class After>
__device__ void for_each_vector(const slot_walk<T, Vectors>& walk, const pixel_mask& mask, index_t image,
                                const Bin& bin, const F& f, const After& after_batch) {
  constexpr int per_slot = pixel_slots<T>::per_slot;
  const std::uint32_t none = Uncounted == uncounted::is_nowhere ? nowhere : bin.bins;
  const auto load = [&](int batch, uint4(&v)[Vectors], std::uint32_t(&live)[Vectors]) {
    const int full = mask.data ? 0 : walk.load_full(batch, v);
#pragma unroll
    for (int k = 0; k < Vectors; k++) live[k] = pixel_slots<T>::all;
    if (full == Vectors) return;
#pragma unroll
    for (int k = 0; k < Vectors; k++) {
      if (k < full) continue;
      const index_t at = walk.slot(batch, k);
      v[k] = {};
      live[k] = 0;
      if (at >= walk.slots.slots) continue;
      const row_piece piece = walk.slots.piece(walk.image, at);
      live[k] = walk.slots.load(walk.image, piece, v[k]);
      if (mask.data) live[k] = mask.counted(image, piece, live[k]);
    }
  };
  uint4 v[Vectors];
  std::uint32_t live[Vectors];
  for (int batch = -1; batch < walk.batches; batch++) {  // one place in the code that loads
    uint4 next[Vectors];
    std::uint32_t next_live[Vectors];
    const bool more = batch + 1 < walk.batches;
    if (more) load(batch + 1, next, next_live);
    if (batch >= 0) {
#pragma unroll
      for (int k = 0; k < Vectors; k++) {
        T items[per_slot];
        memcpy(items, &v[k], 16);
        std::uint32_t bins[per_slot];
        detail::find_bins(bin, items, bins);
        if constexpr (Uncounted == uncounted::is_nowhere)
#pragma unroll
          for (std::uint32_t& b : bins) b = b < bin.bins ? b : nowhere;
        if (live[k] != pixel_slots<T>::all)
#pragma unroll
          for (int i = 0; i < per_slot; i++) bins[i] = live[k] >> i & 1 ? bins[i] : none;
        f(bins);
      }
      after_batch();
    }
    if (!more) break;
#pragma unroll
    for (int k = 0; k < Vectors; k++) {
      v[k] = next[k];
      live[k] = next_live[k];
    }
  }
}

// ---------------------------------------------------------------- copies
template <class T, class Bin>
__global__ void __launch_bounds__(tuning::copied_counts.threads, 1)
    count_copies_kernel(const __grid_constant__ count_items_args<T, Bin> a) {
  extern __shared__ __align__(16) std::uint32_t counters[];
  const index_t image = blockIdx.x / a.parts;
  const int part = static_cast<int>(blockIdx.x) % a.parts, bits = a.copies_bits;
  unsigned long long* const counts = a.counts + image * a.bin.bins;
  const std::uint32_t bins = a.bin.bins, threads = blockDim.x, copies = 1u << bits;
  for (std::uint32_t k = threadIdx.x; k < bins * copies; k += threads) counters[k] = 0;
  __syncthreads();
  // What does not count has counters behind those of the bins, so that no addition waits for a decision.
  const std::uint32_t copy = static_cast<std::uint32_t>(lane_id()) & (copies - 1);
  for_each_vector<T, tuning::copied_counts.vectors, uncounted::is_behind_the_last>(
      {a.in, image, part, a.parts}, a.mask, image, a.bin,
      [&](const auto& found) {
#pragma unroll
        for (const std::uint32_t b : found) atomicAdd(counters + (b * copies + copy), 1u);
      },
      [] {});
  __syncthreads();
  for (std::uint32_t bin = threadIdx.x; bin < bins; bin += threads) {
    std::uint64_t sum = 0;
    for (std::uint32_t k = 0; k < copies; k++) sum += counters[bin * copies + ((k + bin) & (copies - 1))];
    if (a.parts == 1) counts[bin] = sum;
    else if (sum) atomicAdd(counts + bin, static_cast<unsigned long long>(sum));
  }
}

// ---------------------------------------------------------------- halves, or none
// Two 16-bit counters a word. Whoever lifts one to 2^15 takes these 2^15 off it and adds them to the result. Between
// two barriers a CTA adds at most 2^15, so none comes to 2^16.
template <class Count>
struct half_counters {
  static constexpr std::uint32_t spill = 1u << 15, spills = spill << 16 | spill;
  std::uint32_t* words;
  Count* counts;

  //! Levels of fewer bits are often multiples of 2^k: their words must not lie in one bank.
  __device__ static std::uint32_t place(std::uint32_t bin) {
    const std::uint32_t word = bin / 2;
    return word ^ word >> 5 ^ word >> 10;
  }
  __device__ static std::uint32_t one(std::uint32_t bin) { return bin == nowhere ? 0u : bin & 1 ? 1u << 16 : 1u; }
  template <int N>
  __device__ void add(const std::uint32_t (&bins)[N]) const {
    std::uint32_t before[N], lifted = 0;
#pragma unroll
    for (int i = 0; i < N; i++)  // all on their way before the first comes back, and without a branch: 0 to any bank
      before[i] = atomicAdd(words + (bins[i] == nowhere ? lane_id() : place(bins[i])), one(bins[i]));
#pragma unroll
    for (int i = 0; i < N; i++) lifted |= (before[i] + one(bins[i])) & ~before[i];
    if (!(lifted & spills)) return;
#pragma unroll
    for (int i = 0; i < N; i++)
      if ((before[i] + one(bins[i])) & ~before[i] & spills) {
        atomicSub(words + place(bins[i]), one(bins[i]) * spill);
        atomicAdd(counts + bins[i], static_cast<Count>(spill));
      }
  }
  __device__ void clear(std::uint32_t bins) const {
    for (std::uint32_t k = threadIdx.x; k < words_of(bins); k += blockDim.x) words[k] = 0;
  }
  //! What has not been spilled.
  __device__ std::uint32_t count(std::uint32_t bin) const { return words[place(bin)] >> (bin & 1) * 16 & 0xFFFF; }
  __device__ void flush(std::uint32_t bins) const {
#pragma unroll 4
    for (std::uint32_t bin = threadIdx.x; bin < bins; bin += blockDim.x) {
      const std::uint32_t left = count(bin);
      if (left) atomicAdd(counts + bin, static_cast<Count>(left));
    }
  }
  //! Words of shared memory: a place may be beyond its bin's word, but for whole powers of two.
  static constexpr __host__ __device__ std::uint32_t words_of(std::uint32_t bins) {
    std::uint32_t words = 32;
    while (2 * words < bins) words *= 2;
    return words;
  }
};

//! Counts items by their bins: in common ones in registers, in others in halves or in the result.
template <class Count, int N>
__device__ void count_crowded(crowd_counts<Count>& crowds, const half_counters<Count>& halves, bool has_halves,
                              std::uint32_t (&found)[N]) {
  if (!crowds.take(found)) return;
  if (has_halves) return halves.add(found);
#pragma unroll
  for (const std::uint32_t b : found)
    if (b != nowhere) atomicAdd(halves.counts + b, Count{1});
}

template <class T, class Bin>
__global__ void __launch_bounds__(tuning::crowded_counts.threads, 1)
    count_crowds_kernel(const __grid_constant__ count_items_args<T, Bin> a) {
  constexpr tuning::histogram_shape shape = tuning::crowded_counts;
  static_assert(shape.threads * shape.vectors * 16 / sizeof(T) <= half_counters<unsigned long long>::spill);
  extern __shared__ __align__(16) std::uint32_t counters[];
  const index_t image = blockIdx.x / a.parts;
  unsigned long long* const counts = a.counts + image * a.bin.bins;
  const half_counters<unsigned long long> halves{counters, counts};
  crowd_counts<unsigned long long> crowds(counts);
  if (a.has_halves) halves.clear(a.bin.bins);
  __syncthreads();
  for_each_vector<T, shape.vectors, uncounted::is_nowhere>(
      {a.in, image, static_cast<int>(blockIdx.x) % a.parts, a.parts}, a.mask, image, a.bin,
      [&](auto& found) { count_crowded(crowds, halves, a.has_halves, found); },
      [&] {
        if (a.has_halves) __syncthreads();
      });
  crowds.flush();
  __syncthreads();
  if (a.has_halves) halves.flush(a.bin.bins);
}

template <class T, class Bin>
void count_items(device& executor, const detail::pixels<const T>& in, const pixel_mask& mask, const Bin& bin,
                 unsigned long long* counts) {
  const int most_bytes = shared_bytes(executor, tuning::item_counts_bytes);
  const pixel_slots<T> slots(mask.data ? in : in.joined_rows());
  const index_t bins = bin.bins, most_copies = std::min<index_t>(most_bytes / (4 * (bins + 1)), warp_size);
  const bool by_copies = most_copies >= tuning::least_copies;
  // A CTA pays for its counters: as many items at least.
  const index_t bytes_of_halves =
      bins <= 65'536 ? 4 * half_counters<unsigned long long>::words_of(bin.bins) : most_bytes + 1;
  const bool has_halves = !by_copies && bytes_of_halves <= most_bytes && in.per_image() >= 2 * bins;
  const index_t worth = by_copies ? std::max<index_t>(256, bins / 4) : has_halves ? 1024 : 256;
  const tuning::histogram_shape shape = by_copies ? tuning::copied_counts : tuning::crowded_counts;
  const image_parts parts = parts_of(executor, in.count, slots.slots, shape.threads, static_cast<int>(worth));
  count_items_args<T, Bin> args{.in = slots,
                                .mask = mask,
                                .bin = bin,
                                .counts = counts,
                                .parts = parts.parts,
                                .copies_bits = 0,
                                .has_halves = has_halves};
  if (!by_copies || parts.parts > 1)
    UPSWEEP_CUDA_CHECK(
        cudaMemsetAsync(counts, 0, static_cast<std::size_t>(bins * in.count) * sizeof(*counts), executor.stream()));
  if (by_copies) {
    args.copies_bits = static_cast<int>(std::bit_width(static_cast<std::uint64_t>(most_copies))) - 1;
    allow_shared<&count_copies_kernel<T, Bin>>(executor, most_bytes);
    launch<&count_copies_kernel<T, Bin>>(executor, parts.ctas(), parts.threads,
                                         static_cast<int>((bins + 1) << args.copies_bits) * 4, args);
  } else {
    allow_shared<&count_crowds_kernel<T, Bin>>(executor, most_bytes);
    launch<&count_crowds_kernel<T, Bin>>(executor, parts.ctas(), parts.threads,
                                         has_halves ? static_cast<int>(bytes_of_halves) : 0, args);
  }
}

}  // namespace UPSWEEP_NAMESPACE::gpu

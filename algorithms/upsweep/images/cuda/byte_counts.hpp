// Counters of bytes in shared memory that no input slows down. With 32 copies every lane has its own counter of every
// value, and all counters of a lane lie in one bank: 256 · 32 words, shared by the warps. An addition by 32 lanes takes
// one pass of the banks whether their bytes are equal or not. Small images have fewer copies, each for some lanes: an
// addition takes more passes, but less is cleared and summed up.
//   byte_counters        count, and sum up over the lanes
//   rows of counts       what the CTAs of an image leave for the last of them
#pragma once
#include <bit>
#include <cstddef>
#include <cstdint>

#include <upsweep/config.hpp>
#include <upsweep/cuda/warp.hpp>
#include <upsweep/images/cuda/pixel_slots.hpp>
#include <upsweep/images/cuda/tuning.hpp>

namespace UPSWEEP_NAMESPACE::gpu {

inline constexpr int byte_values = 256;
template <int Copies = warp_size>
inline constexpr int bytes_of_copies = byte_values * Copies * 4;
template <int Copies>
inline constexpr int log2_of_value = std::bit_width(static_cast<unsigned int>(Copies)) + 1;  // of a value's bytes

//! Where a lane finds what belongs to a byte of `word`: bytes from the start of the counters.
template <int Byte, int Copies>
__device__ std::uint32_t place_of_byte(std::uint32_t word, std::uint32_t lane_place) {
  constexpr std::uint32_t mask = (byte_values - 1) * Copies * 4;
  constexpr int shift = 8 * Byte - log2_of_value<Copies>;
  if constexpr (shift < 0) return (word << -shift & mask) | lane_place;
  else return (word >> shift & mask) | lane_place;
}
template <int Copies>
__device__ std::uint32_t place_of_lane() {
  return static_cast<std::uint32_t>(lane_id() % Copies * 4);
}

//! How kernels go through the images of a batch that are small ones, a CTA each.
struct small_images {
  static constexpr int threads = tuning::small_image.threads, vectors = 1, copies = tuning::small_image.copies;
  static_assert(std::has_single_bit(static_cast<unsigned int>(threads)) && threads >= byte_values);
  static_assert(std::has_single_bit(static_cast<unsigned int>(copies)) && copies >= 4 && copies <= warp_size);
};
//! And through others, with as many vectors a thread on their way.
template <int Threads, int Vectors>
struct any_images {
  static constexpr int threads = Threads, vectors = Vectors, copies = warp_size;
};

template <int Copies = warp_size>
class byte_counters {
 public:
  //! `memory` has room for the copies.
  __device__ explicit byte_counters(std::byte* memory) : memory_(memory), place_(place_of_lane<Copies>()) {}
  //! All threads call the following; between them __syncthreads().
  __device__ void clear() const {
    auto* const words = reinterpret_cast<uint4*>(memory_);
    for (int k = static_cast<int>(threadIdx.x); k < bytes_of_copies<Copies> / 16; k += static_cast<int>(blockDim.x))
      words[k] = uint4{};
  }
  __device__ void count(const uint4& v) const {
    count_word(v.x);
    count_word(v.y);
    count_word(v.z);
    count_word(v.w);
  }
  __device__ void count_one(std::uint8_t value) const { add(place_of_byte<0, Copies>(value, place_)); }
  //! Counts only the bytes whose bits are set. A loop, since short code is worth more than speed here.
  __device__ void count_some(uint4 v, std::uint32_t live) const {
#pragma unroll 1
    for (; live; live >>= 4) {
      if (live & 1) add(place_of_byte<0, Copies>(v.x, place_));
      if (live & 2) add(place_of_byte<1, Copies>(v.x, place_));
      if (live & 4) add(place_of_byte<2, Copies>(v.x, place_));
      if (live & 8) add(place_of_byte<3, Copies>(v.x, place_));
      v = {v.y, v.z, v.w, 0};
    }
  }
  //! sums[v] = how often v was counted. Four threads sum a value's copies up, from bank to bank.
  __device__ void sum_up(std::uint32_t* sums) const {
    const int threads = static_cast<int>(blockDim.x), quarter = static_cast<int>(threadIdx.x) % 4;
    for (int value = static_cast<int>(threadIdx.x) / 4; value < byte_values; value += threads / 4) {
      std::uint32_t sum = 0;
#pragma unroll
      for (int k = 0; k < Copies / 4; k++) {
        const int copy = (k + value) % (Copies / 4) * 4 + quarter;
        sum += reinterpret_cast<const std::uint32_t*>(memory_)[value * Copies + copy];
      }
      sum += __shfl_xor_sync(~0u, sum, 1);
      sum += __shfl_xor_sync(~0u, sum, 2);
      if (quarter == 0) sums[value] = sum;
    }
  }

 private:
  __device__ void add(std::uint32_t place) const { atomicAdd(reinterpret_cast<std::uint32_t*>(memory_ + place), 1u); }
  __device__ void count_word(std::uint32_t word) const {
    add(place_of_byte<0, Copies>(word, place_));
    add(place_of_byte<1, Copies>(word, place_));
    add(place_of_byte<2, Copies>(word, place_));
    add(place_of_byte<3, Copies>(word, place_));
  }

  std::byte* memory_;
  std::uint32_t place_;
};

//! Counts a CTA's part of an image. If it returns true, v holds the vectors of the last batch.
template <int Vectors, bool Masked, int Copies>
__device__ bool count_bytes(const slot_walk<std::uint8_t, Vectors>& walk, const byte_counters<Copies>& counters,
                            const pixel_mask& mask, index_t image, uint4 (&v)[Vectors]) {
  bool full = false;
  // Loads a batch ahead. From -1 on, so that the code that loads stands here once.
  for (int batch = -1; batch < walk.batches; batch++) {
    uint4 next[Vectors];
    const bool more = batch + 1 < walk.batches;
    const bool next_full = !Masked && more && walk.load_full(batch + 1, next);
    if (full) {
#pragma unroll
      for (int k = 0; k < Vectors; k++) counters.count(v[k]);
    } else if (batch >= 0) {
      walk.for_each_piece(batch, [&](const row_piece& piece, const uint4& vector, std::uint32_t live) {
        if constexpr (Masked) live = mask.counted(image, piece, live);
        if (__all_sync(~0u, live == walk.slots.all)) counters.count(vector);
        else counters.count_some(vector, live);
      });
    }
    if (!more) break;
    full = next_full;
#pragma unroll
    for (int k = 0; k < Vectors; k++) v[k] = next[k];
  }
  return full;
}

//! Sums rows of 256 counts up: sums[v] in shared memory, of threads/64 groups at first. All threads call.
__device__ inline void sum_rows(const std::uint32_t* rows, int count, std::byte* memory, std::uint64_t* sums) {
  const int quad = static_cast<int>(threadIdx.x) % 64, group = static_cast<int>(threadIdx.x) / 64;
  const int groups = static_cast<int>(blockDim.x) / 64;
  std::uint64_t sum[4] = {};
  constexpr int together = 6;  // rows in flight: all else of the GPU waits for this
  for (int row = group; row < count; row += together * groups) {
    uint4 c[together];
#pragma unroll
    for (int k = 0; k < together; k++) {
      const int at = row + k * groups;
      c[k] = at < count ? __ldcg(reinterpret_cast<const uint4*>(rows) + at * 64 + quad) : uint4{};
    }
#pragma unroll
    for (int k = 0; k < together; k++) {
      sum[0] += c[k].x;
      sum[1] += c[k].y;
      sum[2] += c[k].z;
      sum[3] += c[k].w;
    }
  }
  auto* const of_groups = reinterpret_cast<std::uint64_t*>(memory);
#pragma unroll
  for (int k = 0; k < 4; k++) of_groups[group * byte_values + quad * 4 + k] = sum[k];
  __syncthreads();
  for (int v = static_cast<int>(threadIdx.x); v < byte_values; v += static_cast<int>(blockDim.x)) {
    std::uint64_t all = 0;
    for (int g = 0; g < groups; g++) all += of_groups[g * byte_values + v];
    sums[v] = all;
  }
  __syncthreads();
}

}  // namespace UPSWEEP_NAMESPACE::gpu

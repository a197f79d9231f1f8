// Counters of bytes in shared memory that no input slows down. With 32 copies every lane has its own counter of every
// value, and all counters of a lane lie in one bank: 256 · 32 words, shared by the warps. An addition by 32 lanes takes
// one pass of the banks whether their bytes are equal or not. Small images have fewer copies, each for some lanes: an
// addition takes more passes, but less is cleared and summed up.
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

//! How kernels go through images: threads of a CTA, 16-byte vectors that each has on their way twice, copies of the
//! counters. Small images of a batch have a CTA each.
struct small_images {
  static constexpr int threads = tuning::small_image.threads, vectors = 1, copies = tuning::small_image.copies;
  static_assert(std::has_single_bit(static_cast<unsigned int>(threads)) && threads >= byte_values);
  static_assert(std::has_single_bit(static_cast<unsigned int>(copies)) && copies >= 4 && copies <= warp_size);
};
template <int Threads, int Vectors>
struct any_images {
  static constexpr int threads = Threads, vectors = Vectors, copies = warp_size;
};
//! Calls f with the way for such images; `many`: for large ones.
template <class Many, class F>
void choose_way(const device& executor, index_t images, index_t slots, Many many, const F& f) {
  constexpr tuning::few_slots_shape few = tuning::few_slots;
  if (take_small_ctas(images, slots)) f(small_images{});
  else if (images == 1 && slots <= index_t{few.most_batches} * few.threads * executor.multiprocessors())
    f(any_images<few.threads, 1>{});
  else f(many);
}

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
        const int copy = (k + value * Copies / warp_size) % (Copies / 4) * 4 + quarter;
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

struct nothing_else {
  __device__ void operator()() const {}
};
//! Counts a CTA's part of an image. v holds as many vectors of the last batch as it returns. All threads call; while
//! the first vectors are on their way the counters are cleared, and meanwhile() is called.
template <int Vectors, bool Masked, int Copies, class Meanwhile = nothing_else>
__device__ int count_bytes(const slot_walk<std::uint8_t, Vectors>& walk, const byte_counters<Copies>& counters,
                           const pixel_mask& mask, index_t image, uint4 (&v)[Vectors],
                           const Meanwhile& meanwhile = {}) {
  int full = 0;
  // Loads a batch ahead. From -1 on, so that the code that loads stands here once.
  for (int batch = -1; batch < walk.batches; batch++) {
    uint4 next[Vectors];
    const bool more = batch + 1 < walk.batches;
    const int next_full = !Masked && more ? walk.load_full(batch + 1, next) : 0;
    if (batch < 0) {
      counters.clear();
      meanwhile();
      __syncthreads();
    } else if (full == Vectors) {
#pragma unroll
      for (int k = 0; k < Vectors; k++) counters.count(v[k]);
    } else {
      walk.for_each_piece(batch, full, v, [&](const row_piece& piece, const uint4& vector, std::uint32_t live) {
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

}  // namespace UPSWEEP_NAMESPACE::gpu

// Tables of bytes applied to images.
//   byte_table      a table in shared memory, a copy for every lane or for some
//   pixel_target    where mapped pixels go, of any type
//   map_bytes       a CTA's part of an image
#pragma once
#include <cstddef>
#include <cstdint>

#include <upsweep/config.hpp>
#include <upsweep/cuda/warp.hpp>
#include <upsweep/image.hpp>
#include <upsweep/images/cuda/byte_counts.hpp>
#include <upsweep/images/cuda/pixel_slots.hpp>

namespace UPSWEEP_NAMESPACE::gpu {

//! A table of bytes as words, one for each lane in its own bank: no two lanes wait for each other. (Or for some lanes,
//! as counters are.) Where the counters were; threads together.
template <int Copies = warp_size>
__device__ void spread_table(const std::uint8_t* table, std::byte* memory) {
  auto* const words = reinterpret_cast<uint4*>(memory);
  for (int k = static_cast<int>(threadIdx.x); k < bytes_of_copies<Copies> / 16; k += static_cast<int>(blockDim.x)) {
    const std::uint32_t entry = table[k / (Copies / 4)];
    words[k] = {entry, entry, entry, entry};
  }
}
template <int Copies = warp_size>
class byte_table {
 public:
  __device__ explicit byte_table(const std::byte* memory) : memory_(memory), place_(place_of_lane<Copies>()) {}
  __device__ std::uint32_t map(std::uint32_t word) const {
    const std::uint32_t a = entry(place_of_byte<0, Copies>(word, place_)),
                        b = entry(place_of_byte<1, Copies>(word, place_));
    const std::uint32_t c = entry(place_of_byte<2, Copies>(word, place_)),
                        d = entry(place_of_byte<3, Copies>(word, place_));
    return __byte_perm(__byte_perm(a, b, 0x0040), __byte_perm(c, d, 0x0040), 0x5410);
  }
  __device__ std::uint8_t entry_of(std::uint8_t level) const {
    return static_cast<std::uint8_t>(entry(place_of_byte<0, Copies>(level, place_)));
  }
  __device__ uint4 map(const uint4& v) const { return {map(v.x), map(v.y), map(v.z), map(v.w)}; }

 private:
  __device__ std::uint32_t entry(std::uint32_t place) const {
    return *reinterpret_cast<const std::uint32_t*>(memory_ + place);
  }
  const std::byte* memory_;
  std::uint32_t place_;
};

//! Where mapped pixels go.
template <class U>
struct pixel_target {
  U* data;
  index_t pitch, image_pitch;
  //! Writes the items of a piece; `items` are bytes or as wide as those that were read, in their places.
  __device__ void store(U* image, const row_piece& p, const uint4& v, std::uint32_t live) const {
    constexpr int per_slot = 16 / static_cast<int>(sizeof(U));
    U* const at = image + p.row * pitch + p.column;
    if (p.is_full(per_slot) && reinterpret_cast<std::uintptr_t>(at) % 16 == 0) {
      *reinterpret_cast<uint4*>(at) = v;
      return;
    }
    std::uint64_t low = v.x | static_cast<std::uint64_t>(v.y) << 32, high = v.z | static_cast<std::uint64_t>(v.w) << 32;
    constexpr int bits = 8 * static_cast<int>(sizeof(U));
#pragma unroll 1
    for (int i = 0; i < per_slot; i++, live >>= 1) {
      if (live & 1) reinterpret_cast<bits_of<U>*>(at)[i] = static_cast<bits_of<U>>(low);
      low = low >> bits | high << (64 - bits);
      high >>= bits;
    }
  }
};

template <class T>
pixel_target<T> target_of(const detail::pixels<T>& out) {
  return {out.data, out.pitch, out.image_pitch};
}

//! Maps a CTA's part of an image, the last batch first, of which v holds `kept` vectors.
template <int Vectors, int Copies>
__device__ void map_bytes(const slot_walk<std::uint8_t, Vectors>& walk, const byte_table<Copies>& table,
                          const pixel_target<std::uint8_t>& out, index_t image, int kept, uint4 (&v)[Vectors]) {
  std::uint8_t* const to = out.data + image * out.image_pitch;
  const bool is_like = walk.slots.height == 1 &&
                       (reinterpret_cast<std::uintptr_t>(walk.image) - reinterpret_cast<std::uintptr_t>(to)) % 16 == 0;
  for (int batch = walk.batches - 1; batch >= 0; batch--) {
    uint4 next[Vectors];
    const int next_kept = batch > 0 ? walk.load_full(batch - 1, next) : 0;  // a batch ahead
    if (kept == Vectors) {
#pragma unroll
      for (int k = 0; k < Vectors; k++) v[k] = table.map(v[k]);
      if (is_like) {
        const index_t skew = reinterpret_cast<std::uintptr_t>(to) % 16;
        auto* const at = reinterpret_cast<uint4*>(to - skew) + walk.slot(batch, 0);
#pragma unroll
        for (int k = 0; k < Vectors; k++) __stcs(at + k * walk.stride, v[k]);
      } else {
#pragma unroll
        for (int k = 0; k < Vectors; k++)
          out.store(to, walk.slots.piece(walk.image, walk.slot(batch, k)), v[k], 0xFFFFu);
      }
    } else {
      walk.for_each_piece(batch, kept, v, [&](const row_piece& piece, const uint4& vector, std::uint32_t live) {
        if (live) out.store(to, piece, table.map(vector), live);
      });
    }
    kept = next_kept;
#pragma unroll
    for (int k = 0; k < Vectors; k++) v[k] = next[k];
  }
}

}  // namespace UPSWEEP_NAMESPACE::gpu

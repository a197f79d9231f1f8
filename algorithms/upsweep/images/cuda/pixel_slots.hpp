// How kernels read images: each row is cut where memory addresses are multiples of 16 bytes. A slot is one such vector;
// where a row begins or ends inside it, only its own items are touched.
#pragma once
#include <bit>
#include <cstdint>
#include <type_traits>

#include <upsweep/config.hpp>
#include <upsweep/cuda/launch.hpp>
#include <upsweep/image.hpp>
#include <upsweep/images/cuda/tuning.hpp>

namespace UPSWEEP_NAMESPACE::gpu {

//! Division of less than 2^31 by a constant: a product and a shift.
struct quick_divisor {
  std::uint64_t factor;
  int shift;
  explicit quick_divisor(std::uint32_t divisor) : shift(31 + static_cast<int>(std::bit_width(divisor - 1))) {
    factor = static_cast<std::uint64_t>((static_cast<wide_product>(1) << shift) / divisor) + 1;
  }
  __device__ std::uint32_t quotient(std::uint32_t n) const { return static_cast<std::uint32_t>(n * factor >> shift); }
};

//! An item's bits as an integer.
template <class T>
using bits_of =
    std::conditional_t<sizeof(T) == 1, std::uint8_t,
                       std::conditional_t<sizeof(T) == 2, std::uint16_t,
                                          std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>>>;

//! Part of a row: items [from, to) of those that lie in 16 bytes, the first at column `column`, which may be negative.
struct row_piece {
  index_t row, column;
  int from, to;
  __device__ bool is_full(int per_slot) const { return from == 0 && to == per_slot; }
};

template <class T>
struct pixel_slots {
  static constexpr int per_slot = 16 / static_cast<int>(sizeof(T));
  static constexpr std::uint32_t all = per_slot == 32 ? ~0u : (1u << per_slot) - 1;
  const T* data;
  index_t width, height, pitch, image_pitch;
  index_t row_slots, slots;  // how many a row has, and an image
  bool is_small;             // are there few enough slots for quick division?
  quick_divisor by_row;

  explicit pixel_slots(const detail::pixels<const T>& p)
      : data(p.data),
        width(p.width),
        height(p.height),
        pitch(p.pitch),
        image_pitch(p.image_pitch),
        row_slots(slots_of_row(p)),
        slots(row_slots * p.height),
        is_small(slots < index_t{1} << 31),
        by_row(is_small && row_slots > 0 ? static_cast<std::uint32_t>(row_slots) : 1) {}

  __device__ const T* image(index_t k) const { return data + k * image_pitch; }
  //! Where a slot of an image lies, which must be one.
  __device__ row_piece piece(const T* image, index_t slot) const {
    row_piece p{};
    if (height > 1) p.row = is_small ? by_row.quotient(static_cast<std::uint32_t>(slot)) : slot / row_slots;
    const auto address = reinterpret_cast<std::uintptr_t>(image + p.row * pitch);
    const int skew = static_cast<int>(address % 16 / sizeof(T));
    p.column = (slot - p.row * row_slots) * per_slot - skew;
    p.from = p.column < 0 ? skew : 0;
    const index_t left = width - p.column;
    p.to = left < per_slot ? static_cast<int>(left) : per_slot;
    return p;
  }
  //! A piece's items in the places that they have in memory, and a bit for each that there is.
  __device__ std::uint32_t load(const T* image, const row_piece& p, uint4& v) const {
    const T* const at = image + p.row * pitch + p.column;
    if (p.is_full(per_slot)) {
      v = *reinterpret_cast<const uint4*>(at);
      return all;
    }
    std::uint64_t low = 0, high = 0;
    std::uint32_t live = 0;
#pragma unroll 1
    for (int i = p.from; i < p.to; i++) {  // at rows' ends only: short code is worth more than speed
      const int shift = 8 * static_cast<int>(sizeof(T)) * i;
      const std::uint64_t item = static_cast<std::uint64_t>(reinterpret_cast<const bits_of<T>*>(at)[i]) << shift % 64;
      if (shift < 64) low |= item;
      else high |= item;
      live |= 1u << i;
    }
    v = {static_cast<std::uint32_t>(low), static_cast<std::uint32_t>(low >> 32), static_cast<std::uint32_t>(high),
         static_cast<std::uint32_t>(high >> 32)};
    return live;
  }

 private:
  static index_t slots_of_row(const detail::pixels<const T>& p) {
    const auto bytes = [](index_t items) { return items * static_cast<index_t>(sizeof(T)); };
    const bool aligned = reinterpret_cast<std::uintptr_t>(p.data) % 16 == 0 &&
                         (p.height == 1 || bytes(p.pitch) % 16 == 0) &&
                         (p.count == 1 || bytes(p.image_pitch) % 16 == 0);
    return (bytes(p.width) + (aligned ? 15 : 30)) / 16;
  }
};

//! The slots of one CTA: every parts·threads-th, `Vectors` of them a batch.
template <class T, int Vectors>
struct slot_walk {
  const pixel_slots<T>& slots;
  const T* image;
  int first, stride;
  int batches;

  __device__ slot_walk(const pixel_slots<T>& all, index_t image_index, int part, int parts)
      : slots(all), image(all.image(image_index)) {
    const int threads = static_cast<int>(blockDim.x);
    first = part * threads + static_cast<int>(threadIdx.x);
    stride = parts * threads;
    const index_t left = slots.slots - part * threads;  // of all threads together: so that they stay together
    const index_t of_batch = index_t{Vectors} * stride;
    batches = left > 0 ? static_cast<int>((left + of_batch - 1) / of_batch) : 0;
  }
  __device__ index_t slot(int batch, int k) const {
    return first + (static_cast<index_t>(batch) * Vectors + k) * stride;
  }
  //! Loads the vectors of a batch that are full ones for all lanes, up to the first that is not. How many are they?
  __device__ int load_full(int batch, uint4 (&v)[Vectors]) const {
    if (slots.height == 1) {
      const int skew = static_cast<int>(reinterpret_cast<std::uintptr_t>(image) % 16 / sizeof(T));
      const index_t begin = slot(batch, 0), last = slot(batch, Vectors - 1);
      const bool are_full = (begin > 0 || skew == 0) && (last + 1) * pixel_slots<T>::per_slot <= slots.width + skew;
      if (__all_sync(~0u, are_full)) {
        const auto* const from = reinterpret_cast<const uint4*>(image - skew) + begin;
#pragma unroll
        for (int k = 0; k < Vectors; k++) v[k] = from[k * stride];
        return Vectors;
      }
    }
    int full = 0;
    const T* from[Vectors];
#pragma unroll
    for (int k = 0; k < Vectors; k++) {
      const index_t at = slot(batch, k);
      const row_piece p = slots.piece(image, at);
      from[k] = image + p.row * slots.pitch + p.column;
      full += __all_sync(~0u, full == k && at < slots.slots && p.is_full(pixel_slots<T>::per_slot));
    }
#pragma unroll
    for (int k = 0; k < Vectors; k++)
      if (k < full) v[k] = *reinterpret_cast<const uint4*>(from[k]);
    return full;
  }
  //! f(piece, items, which are there) for the slots of any batch, whose first `loaded` vectors are in v, and stay
  //! there; warps together, also where a lane has none.
  template <class F>
  __device__ void for_each_piece(int batch, int loaded, uint4 (&v)[Vectors], const F& f) const {
#pragma unroll 1
    for (int k = 0; k < Vectors; k++) {
      const index_t at = slot(batch, k);
      uint4 vector = k < loaded ? v[0] : uint4{};
      std::uint32_t live = 0;
      row_piece p{};
      if (at < slots.slots) {
        p = slots.piece(image, at);
        live = k < loaded ? pixel_slots<T>::all : slots.load(image, p, vector);
      }
      f(p, vector, live);
      const uint4 first = v[0];
#pragma unroll
      for (int i = 0; i + 1 < Vectors; i++) v[i] = v[i + 1];
      v[Vectors - 1] = first;
    }
  }
};

//! Which pixels count: those whose byte in the mask is not zero.
struct pixel_mask {
  const std::uint8_t* data;
  index_t pitch, image_pitch;
  //! Which of a piece's live items count by the mask.
  __device__ std::uint32_t counted(index_t image, const row_piece& p, std::uint32_t live) const {
    const std::uint8_t* const at = data + image * image_pitch + p.row * pitch + p.column;
    std::uint32_t result = 0;
    for (int i = p.from; i < p.to; i++) result |= (at[i] ? 1u : 0u) << i;
    return result & live;
  }
};

//! Image k is shared out among `parts` CTAs, which follow one another in the grid.
struct image_parts {
  int parts, threads;
  index_t images;
  index_t ctas() const { return images * parts; }
};
//! Will a small CTA do for each image?
inline bool take_small_ctas(index_t images, index_t slots) {
  return images > 1 && slots <= tuning::small_image.most_slots;
}
//! All of a batch in one launch, or one of its images.
inline image_parts parts_of(const device& executor, index_t images, index_t slots, int threads, int slots_of_cta) {
  if (images > 1) return {1, threads, images};
  const index_t worth = (slots + slots_of_cta - 1) / slots_of_cta, most = executor.multiprocessors();
  return {static_cast<int>(worth < 1 ? 1 : worth < most ? worth : most), threads, 1};
}
//! Is a batch better counted image by image?
inline bool one_by_one(const device& executor, index_t images, index_t bytes_of_image) {
  if (images == 1) return false;
  const double bytes = static_cast<double>(bytes_of_image), all = static_cast<double>(images);
  const double waves = static_cast<double>((images - 1) / executor.multiprocessors() + 1);
  return all * (bytes / tuning::bytes_of_device_us + tuning::launch_us) < waves * bytes / tuning::bytes_of_cta_us;
}

//! Some images of a batch.
template <class P>
P some_of(P p, index_t first, index_t count) {
  p.data += first * p.image_pitch;
  p.count = count;
  return p;
}

}  // namespace UPSWEEP_NAMESPACE::gpu

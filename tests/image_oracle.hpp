// Images of any layout by the serial oracle: which pixels they have, and their histograms.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include <upsweep/image.hpp>

#include "../oracles/levels.hpp"
#include "oracle.hpp"

namespace oracle {
using upsweep::equalize_mode;
using upsweep::image_layout;

//! The index of every pixel of image k, row by row.
inline std::vector<std::size_t> pixels_of(const image_layout& layout, index_t k) {
  const index_t pitch = layout.pitch ? layout.pitch : layout.width;
  const index_t image_pitch = layout.image_pitch ? layout.image_pitch : pitch * layout.height;
  std::vector<std::size_t> places(at(layout.width * layout.height));
  std::size_t* next = places.data();  // which takes half the time of push_back, sanitized a tenth
  for (index_t y = 0; y < layout.height; y++)
    for (index_t x = 0; x < layout.width; x++) *next++ = at(k * image_pitch + y * pitch + x);
  return places;
}

//! counts[bin(x)] for all pixels; bin gives -1 for what is not counted. `mask` is as long as `in`, or empty.
template <class T, class Bin>
std::vector<index_t> histogram(const std::vector<T>& in, const image_layout& layout, index_t bins, const Bin& bin,
                               const std::vector<std::uint8_t>& mask = {}) {
  std::vector<index_t> counts(at(bins * layout.count));
  for (index_t k = 0; k < layout.count; k++)
    for (const std::size_t i : pixels_of(layout, k)) {
      const index_t b = !mask.empty() && mask[i] == 0 ? -1 : static_cast<index_t>(bin(in[i]));
      if (b >= 0 && b < bins) counts[at(k * bins + b)]++;
    }
  return counts;
}

//! The same tables of the levels in a vector.
template <class T>
std::vector<T> equalization_table(const std::vector<T>& levels, equalize_mode mode) {
  return equalization_table(std::span<const T>(levels), mode);
}
template <class T>
std::vector<T> matching_table(const std::vector<T>& levels, const std::vector<T>& reference) {
  return matching_table(std::span<const T>(levels), std::span<const T>(reference));
}
}  // namespace oracle

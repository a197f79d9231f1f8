// The serial oracle of images: histograms, tables and their application as plain loops over every pixel.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include <upsweep/image.hpp>
#include <upsweep/images/level_table.hpp>

#include "oracle.hpp"

namespace oracle {
using upsweep::equalize_mode;
using upsweep::image_layout;

//! The index of every pixel of image k, row by row.
inline std::vector<std::size_t> pixels_of(const image_layout& layout, index_t k) {
  const index_t pitch = layout.pitch ? layout.pitch : layout.width;
  const index_t image_pitch = layout.image_pitch ? layout.image_pitch : pitch * layout.height;
  std::vector<std::size_t> places;
  for (index_t y = 0; y < layout.height; y++)
    for (index_t x = 0; x < layout.width; x++) places.push_back(at(k * image_pitch + y * pitch + x));
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

//! The table of an image by the levels of its pixels.
template <class T>
std::vector<T> equalization_table(const std::vector<T>& levels, equalize_mode mode) {
  const index_t top = std::numeric_limits<T>::max(), n = size(levels);
  std::vector<index_t> counts(at(top + 1));
  for (const T v : levels) counts[v]++;
  std::vector<T> table(counts.size());
  for (index_t v = 0; v <= top; v++) table[at(v)] = static_cast<T>(v);
  if (n == 0) return table;
  const index_t low = *std::min_element(levels.begin(), levels.end());
  const index_t high = *std::max_element(levels.begin(), levels.end());
  if (low == high) return table;
  const index_t first = counts[at(low)], step = (n - counts[at(high)]) / top;
  if (mode == equalize_mode::pil && step == 0) return table;
  const float scale = static_cast<float>(top) / static_cast<float>(n - first);
  index_t upto = 0;
  for (index_t v = 0; v <= top; v++) {
    const index_t before = upto;
    upto += counts[at(v)];
    const index_t above = std::max<index_t>(upto - first, 0);
    index_t entry = 0;
    if (mode == equalize_mode::pil) entry = (step / 2 + before) / step;
    else if (mode == equalize_mode::textbook) entry = (2 * top * above + (n - first)) / (2 * (n - first));
    else entry = static_cast<index_t>(std::lrint(static_cast<float>(above) * scale));
    table[at(v)] = static_cast<T>(std::min(entry, top));
  }
  return table;
}

//! The lowest level of the reference up to which at least as large a part of it lies.
template <class T>
std::vector<T> matching_table(const std::vector<T>& levels, const std::vector<T>& reference) {
  const auto running = [](const std::vector<T>& all) {
    std::vector<long double> upto(std::size_t{std::numeric_limits<T>::max()} + 1);
    for (const T v : all) upto[v]++;
    for (std::size_t v = 1; v < upto.size(); v++) upto[v] += upto[v - 1];
    return upto;
  };
  const auto own = running(levels), other = running(reference);
  std::vector<T> table(own.size());
  std::size_t w = 0;
  for (std::size_t v = 0; v < own.size(); v++) {
    while (w + 1 < other.size() && other[w] * own.back() < own[v] * other.back()) w++;
    table[v] = static_cast<T>(w);
  }
  return table;
}
}  // namespace oracle

// The serial oracle of equalization: counts, tables and their application as plain loops over all levels T of a
// picture. It takes the names of the library's modes, and none of its code.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include <upsweep/equalize.hpp>

namespace oracle {

template <class T>
inline constexpr std::int64_t top = std::numeric_limits<T>::max();

template <class T>
std::vector<std::int64_t> counts_of(std::span<const T> levels) {
  std::vector<std::int64_t> counts(std::size_t{top<T>} + 1);
  for (const T level : levels) counts[level]++;
  return counts;
}

//! The table of a picture: of OpenCV, of PIL, or exactly rounded. One of a single level keeps it.
template <class T>
std::vector<T> equalization_table(std::span<const T> levels, upsweep::equalize_mode mode) {
  using enum upsweep::equalize_mode;
  const auto counts = counts_of(levels);
  const auto n = static_cast<std::int64_t>(levels.size());
  const auto counted = [](std::int64_t count) { return count > 0; };
  const auto lowest = std::find_if(counts.begin(), counts.end(), counted);
  const auto highest = std::find_if(counts.rbegin(), counts.rend(), counted);
  const std::int64_t first = n ? *lowest : 0, step = n ? (n - *highest) / top<T> : 0;
  const float scale = static_cast<float>(top<T>) / static_cast<float>(n - first);
  std::vector<T> table(counts.size());
  std::int64_t upto = 0;
  for (std::size_t level = 0; level < table.size(); level++) {
    const std::int64_t before = upto;
    upto += counts[level];
    const std::int64_t above = std::max<std::int64_t>(upto - first, 0);
    std::int64_t entry = 0;
    if (first == n || (mode == pil && step == 0)) entry = static_cast<std::int64_t>(level);
    else if (mode == pil) entry = (step / 2 + before) / step;
    else if (mode == textbook) entry = (2 * top<T> * above + (n - first)) / (2 * (n - first));
    else entry = std::lrint(static_cast<float>(above) * scale);  // halves to even
    table[level] = static_cast<T>(std::min(entry, top<T>));
  }
  return table;
}

//! Every level becomes the lowest one of which the other picture has at least as large a part up to there.
template <class T>
std::vector<T> matching_table(std::span<const T> levels, std::span<const T> others) {
  const auto counts = counts_of(levels), wanted = counts_of(others);
  const auto exact = [](auto count) { return static_cast<long double>(count); };  // products of 64 bits are
  std::vector<T> table(counts.size());
  std::size_t to = 0;
  std::int64_t upto = 0, upto_wanted = wanted[0];
  for (std::size_t level = 0; level < table.size(); level++) {
    upto += counts[level];
    const long double part = exact(upto) * exact(others.size());
    while (to + 1 < wanted.size() && exact(upto_wanted) * exact(levels.size()) < part) upto_wanted += wanted[++to];
    table[level] = static_cast<T>(to);
  }
  return table;
}

template <class T>
std::vector<T> mapped(std::span<const T> levels, const std::vector<T>& table) {
  std::vector<T> out(levels.size());
  std::transform(levels.begin(), levels.end(), out.begin(), [&](T level) { return table[level]; });
  return out;
}

// ---------------------------------------------------------------- colours
//! A byte's luma and back with another one, its colour as it is: OpenCV's integers of 14 fractional bits (ITU-R
//! BT.601).
inline int luma_of(const std::uint8_t* pixel) {
  return (pixel[0] * 4899 + pixel[1] * 9617 + pixel[2] * 1868 + 8192) >> 14;
}
inline void set_luma(std::uint8_t* pixel, int to) {
  const auto byte = [](int v) { return std::clamp(v, 0, 255); };
  const int y = luma_of(pixel);
  const int cr = byte(((pixel[0] - y) * 11682 + (128 << 14) + 8192) >> 14) - 128;
  const int cb = byte(((pixel[2] - y) * 9241 + (128 << 14) + 8192) >> 14) - 128;
  pixel[0] = static_cast<std::uint8_t>(byte(to + ((cr * 22987 + 8192) >> 14)));
  pixel[1] = static_cast<std::uint8_t>(byte(to + ((cb * -5636 - cr * 11698 + 8192) >> 14)));
  pixel[2] = static_cast<std::uint8_t>(byte(to + ((cb * 29049 + 8192) >> 14)));
}
//! Pixels of three or four channels side by side.
inline void equalize_luma(std::span<std::uint8_t> pixels, int channels, upsweep::equalize_mode mode) {
  const auto step = static_cast<std::size_t>(channels);
  std::vector<std::uint8_t> luma;
  for (std::size_t i = 0; i < pixels.size(); i += step) luma.push_back(static_cast<std::uint8_t>(luma_of(&pixels[i])));
  const auto table = equalization_table(std::span<const std::uint8_t>(luma), mode);
  for (std::size_t i = 0; i < pixels.size(); i += step) set_luma(&pixels[i], table[luma[i / step]]);
}

}  // namespace oracle

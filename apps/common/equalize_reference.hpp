// What `equalize` is checked against: the formulas as plain loops over all pixels, of levels T in rows without gaps.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

namespace app::reference {

template <class T>
inline constexpr std::int64_t top = std::numeric_limits<T>::max();

template <class T>
std::vector<std::int64_t> counts_of(std::span<const T> in) {
  std::vector<std::int64_t> counts(std::size_t{top<T>} + 1);
  for (const T level : in) counts[level]++;
  return counts;
}
template <class T>
std::vector<T> mapped(std::span<const T> in, const std::vector<T>& table) {
  std::vector<T> out(in.size());
  std::transform(in.begin(), in.end(), out.begin(), [&](T level) { return table[level]; });
  return out;
}

template <class T>
std::vector<T> equalized(std::span<const T> in, const std::string& mode) {
  const auto counts = counts_of(in);
  const auto n = static_cast<std::int64_t>(in.size());
  const std::int64_t lowest = counts[*std::ranges::min_element(in)], highest = counts[*std::ranges::max_element(in)];
  const std::int64_t step = (n - highest) / top<T>;
  if (lowest == n || (mode == "pil" && step == 0)) return {in.begin(), in.end()};
  const float scale = static_cast<float>(top<T>) / static_cast<float>(n - lowest);
  std::vector<T> table(counts.size());
  std::int64_t upto = 0;
  for (std::size_t level = 0; level < table.size(); level++) {
    const std::int64_t before = upto;
    upto += counts[level];
    const std::int64_t above = std::max<std::int64_t>(upto - lowest, 0);
    std::int64_t entry = std::lrint(static_cast<float>(above) * scale);  // opencv: halves to even
    if (mode == "pil") entry = (step / 2 + before) / step;
    if (mode == "textbook") entry = (2 * top<T> * above + (n - lowest)) / (2 * (n - lowest));
    table[level] = static_cast<T>(std::min(entry, top<T>));
  }
  return mapped(in, table);
}

//! Every level becomes the lowest one of which the other picture has at least as large a part up to there.
template <class T>
std::vector<T> matched(std::span<const T> in, std::span<const T> like) {
  const auto counts = counts_of(in), wanted = counts_of(like);
  const auto exact = [](auto count) { return static_cast<long double>(count); };  // products of 64 bits are
  std::vector<T> table(counts.size());
  std::size_t to = 0;
  std::int64_t upto = 0, upto_wanted = wanted[0];
  for (std::size_t level = 0; level < table.size(); level++) {
    upto += counts[level];
    const long double part = exact(upto) * exact(like.size());
    while (to + 1 < wanted.size() && exact(upto_wanted) * exact(in.size()) < part) upto_wanted += wanted[++to];
    table[level] = static_cast<T>(to);
  }
  return mapped(in, table);
}

// ---------------------------------------------------------------- CLAHE, as OpenCV has it
//! The table of a tile by its counts: no level counts more than `most`, what is cut off is dealt out to all.
template <class T>
std::vector<T> clipped_table(std::vector<std::int64_t> counts, std::int64_t most, std::int64_t pixels) {
  const auto levels = static_cast<std::int64_t>(counts.size());
  if (most > 0) {
    std::int64_t excess = 0;
    for (auto& count : counts) {
      excess += std::max<std::int64_t>(count - most, 0);
      count = std::min(count, most);
    }
    for (auto& count : counts) count += excess / levels;
    std::int64_t rest = excess % levels;
    const std::int64_t stride = rest > 0 ? std::max<std::int64_t>(levels / rest, 1) : 1;
    for (std::int64_t level = 0; level < levels && rest > 0; level += stride, rest--)
      counts[static_cast<std::size_t>(level)]++;
  }
  const float scale = static_cast<float>(top<T>) / static_cast<float>(pixels);
  std::vector<T> table(counts.size());
  std::int64_t upto = 0;
  for (std::size_t level = 0; level < table.size(); level++) {
    upto += counts[level];
    table[level] = static_cast<T>(std::min<std::int64_t>(std::lrint(static_cast<float>(upto) * scale), top<T>));
  }
  return table;
}

//! One dimension of a picture in tiles; what is missing to whole ones is a reflection.
struct tiling {
  std::int64_t size, tiles, tile;
  std::int64_t reflected(std::int64_t x) const {
    while (size > 1 && (x < 0 || x >= size)) x = x < 0 ? -x : 2 * size - 2 - x;
    return size > 1 ? x : 0;
  }
  //! The tiles on both sides of a pixel, and how near it is to the second.
  struct place {
    std::int64_t before, after;
    float part;
  };
  place of(std::int64_t x) const {
    const float at = static_cast<float>(x) * (1.f / static_cast<float>(tile)) - .5f, below = std::floor(at);
    const auto first = static_cast<std::int64_t>(below);
    return {std::max<std::int64_t>(first, 0), std::min(first + 1, tiles - 1), at - below};
  }
};

template <class T>
std::vector<T> clahe(std::span<const T> in, std::int64_t width, std::int64_t height, double limit, std::int64_t tiles) {
  const bool divides = width % tiles == 0 && height % tiles == 0;
  const auto tile_of = [&](std::int64_t size) { return size / tiles + (divides ? 0 : 1); };
  const tiling across{width, tiles, tile_of(width)}, down{height, tiles, tile_of(height)};
  const std::int64_t pixels = across.tile * down.tile;
  const auto clip = static_cast<std::int64_t>(limit * static_cast<double>(pixels) / static_cast<double>(top<T> + 1));
  const std::int64_t most = limit > 0 ? std::max<std::int64_t>(clip, 1) : 0;
  const auto level_at = [&](std::int64_t x, std::int64_t y) { return in[static_cast<std::size_t>(y * width + x)]; };

  std::vector<std::vector<T>> tables;
  for (std::int64_t k = 0; k < tiles * tiles; k++) {
    std::vector<std::int64_t> counts(std::size_t{top<T>} + 1);
    for (std::int64_t y = k / tiles * down.tile; y < (k / tiles + 1) * down.tile; y++)
      for (std::int64_t x = k % tiles * across.tile; x < (k % tiles + 1) * across.tile; x++)
        counts[level_at(across.reflected(x), down.reflected(y))]++;
    tables.push_back(clipped_table<T>(std::move(counts), most, pixels));
  }
  std::vector<T> out;
  for (std::int64_t y = 0; y < height; y++)
    for (std::int64_t x = 0; x < width; x++) {
      const auto h = across.of(x), v = down.of(y);
      const auto entry = [&](std::int64_t row, std::int64_t column) {
        return static_cast<float>(tables[static_cast<std::size_t>(row * tiles + column)][level_at(x, y)]);
      };
      const auto between = [&](std::int64_t row) {
        return entry(row, h.before) * (1 - h.part) + entry(row, h.after) * h.part;
      };
      out.push_back(static_cast<T>(std::lrint(between(v.before) * (1 - v.part) + between(v.after) * v.part)));
    }
  return out;
}

}  // namespace app::reference

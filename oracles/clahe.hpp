// The serial oracle of contrast-limited adaptive histogram equalization, as OpenCV has it: every tile's table, every
// pixel between four of them. Levels T in rows without gaps.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "levels.hpp"

namespace oracle {

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

}  // namespace oracle

// Height maps: one that is rendered, and how one looks from above, in the light and in colours.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>

#include "image_file.hpp"
#include "low_contrast_scene.hpp"
#include "picture.hpp"

namespace app {

//! Hills between valleys, 16 bits a cell, the same each time.
inline raster render_hills(std::int64_t width, std::int64_t height) {
  const smooth_noise mountains(7, 9), valleys(300, 3);
  const double unit = 4 / static_cast<double>(std::min(width, height));
  raster map(width, height, 1, 16);
#pragma omp parallel for
  for (std::int64_t y = 0; y < height; y++)
    for (std::int64_t x = 0; x < width; x++) {
      const double u = static_cast<double>(x) * unit, v = static_cast<double>(y) * unit;
      const double level = mountains(u, v) * valleys(u / 3, v / 3) * 20'000;
      map.as<std::uint16_t>()[static_cast<std::size_t>(y * width + x)] = static_cast<std::uint16_t>(level);
    }
  return map;
}

//! How a map looks from above, with light from the upper left. What is seen is green to yellow by its height, what is
//! not is grey, and the viewer stands in a red ring. `steepness`: levels by which a slope of 45 degrees rises in a
//! cell.
inline raster map_picture(const raster& map, std::span<const std::uint16_t> heights,
                          std::span<const std::uint8_t> visible, std::int64_t row, std::int64_t column,
                          double steepness) {
  const auto [lowest, highest] = std::minmax_element(heights.begin(), heights.end());
  const double bottom = *lowest, range = std::max(1., *highest - bottom);
  const auto level = [&](std::int64_t y, std::int64_t x) {
    y = std::clamp<std::int64_t>(y, 0, map.height - 1);
    x = std::clamp<std::int64_t>(x, 0, map.width - 1);
    return static_cast<double>(heights[static_cast<std::size_t>(y * map.width + x)]);
  };
  const double ring = static_cast<double>(std::min(map.width, map.height)) / 60 + 2;
  raster shown(map.width, map.height, 3, 8);
#pragma omp parallel for
  for (std::int64_t y = 0; y < map.height; y++)
    for (std::int64_t x = 0; x < map.width; x++) {
      const double east = level(y, x + 1) - level(y, x - 1), south = level(y + 1, x) - level(y - 1, x);
      const double light = std::clamp(.6 + .25 * (east + south) / steepness, .25, 1.);
      const double away = std::hypot(static_cast<double>(y - row), static_cast<double>(x - column));
      colour c{150, 150, 160};
      if (visible[static_cast<std::size_t>(y * map.width + x)])
        c = colour_scale(.6 + .4 * (level(y, x) - bottom) / range);
      if (std::abs(away - ring) < 1.5) c = {230, 30, 30};
      auto* const to = reinterpret_cast<std::uint8_t*>(shown.row(y)) + 3 * x;
      to[0] = static_cast<std::uint8_t>(light * c.red);
      to[1] = static_cast<std::uint8_t>(light * c.green);
      to[2] = static_cast<std::uint8_t>(light * c.blue);
    }
  return shown;
}

}  // namespace app

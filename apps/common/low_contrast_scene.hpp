// A picture of few levels: hills in haze, the same each time.
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "image_file.hpp"

namespace app {

//! Smooth noise in [0, 1]: random values at whole numbers (x, y), blended between them; each octave half as strong.
class smooth_noise {
 public:
  smooth_noise(std::uint32_t seed, int octaves) : seed_(seed), octaves_(octaves) {}
  double operator()(double x, double y) const {
    double sum = 0, weight = 1, all = 0;
    for (int k = 0; k < octaves_; k++, weight /= 2, x *= 2, y *= 2) {
      sum += weight * blended(x, y, seed_ + static_cast<std::uint32_t>(k));
      all += weight;
    }
    return sum / all;
  }

 private:
  static double at(std::int64_t x, std::int64_t y, std::uint32_t seed) {
    auto h =
        static_cast<std::uint32_t>(x) * 0x9e3779b1u ^ static_cast<std::uint32_t>(y) * 0x85ebca77u ^ seed * 0xc2b2ae3du;
    h = (h ^ h >> 15) * 0x2c1b3c6du;
    h = (h ^ h >> 12) * 0x297a2d39u;
    return static_cast<double>(h ^ h >> 15) * 0x1p-32;
  }
  static double blended(double x, double y, std::uint32_t seed) {
    const double left = std::floor(x), upper = std::floor(y);
    const auto smooth = [](double t) { return t * t * (3 - 2 * t); };
    const double across = smooth(x - left), down = smooth(y - upper);
    const auto i = static_cast<std::int64_t>(left), j = static_cast<std::int64_t>(upper);
    const auto row = [&](std::int64_t k) { return std::lerp(at(i, k, seed), at(i + 1, k, seed), across); };
    return std::lerp(row(j), row(j + 1), down);
  }
  std::uint32_t seed_;
  int octaves_;
};

//! Levels 102 to 148: ridges in front of each other, the farther the paler, below a veiled sun.
inline raster render_low_contrast_scene(std::int64_t width, std::int64_t height) {
  struct ridge {
    double base, range, scale, shade;
  };
  static constexpr std::array<ridge, 5> ridges = {
      {{.40, .16, 3, .66}, {.50, .20, 4, .54}, {.62, .18, 5, .41}, {.73, .20, 6, .27}, {.86, .22, 9, .10}}};
  const smooth_noise clouds(1, 5), outlines(20, 7), ground(40, 5), grain(60, 1);
  const double unit = 1 / static_cast<double>(std::min(width, height));
  std::vector<std::array<double, ridges.size()>> tops(static_cast<std::size_t>(width));  // by column
  for (std::size_t x = 0; x < tops.size(); x++)
    for (std::size_t k = 0; k < ridges.size(); k++)
      tops[x][k] = ridges[k].base -
                   ridges[k].range *
                       (outlines(ridges[k].scale * static_cast<double>(x) * unit, 10. * static_cast<double>(k)) - .3);
  raster image(width, height, 1, 8);
#pragma omp parallel for
  for (std::int64_t y = 0; y < height; y++)
    for (std::int64_t x = 0; x < width; x++) {
      const double u = static_cast<double>(x) * unit, v = static_cast<double>(y) * unit;
      const auto& tops_here = tops[static_cast<std::size_t>(x)];
      std::size_t nearest = ridges.size();  // of those that are seen, if any
      while (nearest > 0 && v < tops_here[nearest - 1]) nearest--;
      double shade = 0;
      if (nearest > 0) {
        const double below = v - tops_here[nearest - 1], haze = std::min(4 * below, 1.);  // it lies in the valleys
        shade = ridges[nearest - 1].shade + .07 * haze + .1 * (ground(14 * u, 14 * below) - .5);
      } else {
        const double to_sun = std::hypot(u - .86, v - .24);
        shade = .62 + .2 * v + .18 * (clouds(2 * u, 7 * v) - .5) + .25 / (1 + 40 * to_sun * to_sun);
        if (to_sun < .07) shade = 1;
      }
      *reinterpret_cast<std::uint8_t*>(image.row(y) + x) =
          static_cast<std::uint8_t>(102 + std::clamp(46 * shade, 0., 46.) + grain(u / unit, v / unit));
    }
  return image;
}

}  // namespace app

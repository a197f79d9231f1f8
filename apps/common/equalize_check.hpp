// What the app equalize gives, against serial loops.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include "../../oracles/clahe.hpp"
#include "colour_pixel.hpp"
#include "enhancement.hpp"
#include "image_file.hpp"

namespace app {

template <class P>
std::vector<level_t<P>> serial_luma(std::span<const P> pixels) {
  if constexpr (std::is_integral_v<P>) {
    return {pixels.begin(), pixels.end()};
  } else {
    std::vector<level_t<P>> levels(pixels.size());
    std::transform(pixels.begin(), pixels.end(), levels.begin(), luma_of{});
    return levels;
  }
}

template <class T>
std::vector<T> serially_enhanced(const equalize_options& asked, const raster& image, std::span<const T> levels,
                                 const raster* like) {
  if (asked.clahe) return oracle::clahe(levels, image.width, image.height, asked.clip, asked.tiles);
  if (!like) return oracle::mapped(levels, oracle::equalization_table(levels, asked.whose()));
  return with_pixels<T>(*like, [&](auto reference) {
    const std::vector<T> others = serial_luma(reference);
    return oracle::mapped(levels, oracle::matching_table(levels, std::span<const T>(others)));
  });
}

//! Only CLAHE, which blends in float, may differ: by a level.
template <class P>
void verify(const equalize_options& asked, const raster& image, std::span<const P> before, const raster& after,
            const raster* like) {
  using T = level_t<P>;
  const std::vector<T> levels = serial_luma(before);
  const std::vector<T> expected = serially_enhanced<T>(asked, image, levels, like);
  const auto channels = static_cast<std::size_t>(after.channels);
  const std::span<const T> found = after.as<T>();
  for (std::size_t i = 0; i < found.size(); i++) {
    const std::size_t at = i / channels;
    T wanted{};
    if constexpr (std::is_integral_v<P>) wanted = expected[at];
    else wanted = with_luma{}(before[at], expected[at]).channel[i % channels];
    if (std::abs(static_cast<int>(found[i]) - static_cast<int>(wanted)) <= (asked.clahe ? 1 : 0)) continue;
    const auto pixel = static_cast<std::int64_t>(at);
    throw std::runtime_error("pixel (" + std::to_string(pixel % image.width) + ", " +
                             std::to_string(pixel / image.width) + ") is " + std::to_string(found[i]) +
                             ", by a serial loop " + std::to_string(wanted));
  }
}

}  // namespace app

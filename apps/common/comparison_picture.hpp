// Two pictures side by side, each with the histogram of its levels and the curve of its running sums below.
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>

#include "image_file.hpp"
#include "picture.hpp"

namespace app {

//! How many pixels have each level, and how many have at most it. Of 16 bits the upper 8 count.
struct level_counts {
  static constexpr int levels = 256;
  std::array<std::int64_t, levels> counts{}, upto{};

  //! The lowest level up to which there is this part of all pixels.
  int quantile(double part) const {
    const auto wanted = static_cast<std::int64_t>(part * static_cast<double>(upto.back()));
    return static_cast<int>(std::ranges::lower_bound(upto, std::max<std::int64_t>(wanted, 1)) - upto.begin());
  }
};

class comparison {
 public:
  //! Both are of one size. A panel is 384 pixels wide; a picture larger than a panel is shrunk, a small one enlarged.
  comparison(const raster& before, const level_counts& levels_before, const raster& after,
             const level_counts& levels_after)
      : shown_(size_of(before)),
        pixels_(2 * panel + 3 * margin, static_cast<int>(shown_.height) + chart + ramp + 3 * margin) {
    pixels_.fill(0, 0, pixels_.width(), pixels_.height(), paper);
    draw(margin, before, levels_before);
    draw(2 * margin + panel, after, levels_after);
  }
  std::string png() const { return pixels_.png(); }

 private:
  static constexpr int panel = 384, margin = 12, chart = 128, ramp = 10;
  static constexpr int columns = level_counts::levels / 2, column_width = panel / columns;  // two levels a column
  static constexpr colour paper = {24, 26, 30}, ground = {36, 39, 45}, bar = {120, 160, 200}, curve = {250, 180, 60};

  struct extent {
    std::int64_t width, height, times;  // enlarged so many times
  };
  static extent size_of(const raster& image) {
    const std::int64_t longer = std::max(image.width, image.height);
    if (longer <= panel) {
      const std::int64_t times = panel / longer;
      return {image.width * times, image.height * times, times};
    }
    const auto shrunk = [&](std::int64_t side) { return std::max<std::int64_t>(side * panel / longer, 1); };
    return {shrunk(image.width), shrunk(image.height), 1};
  }

  void draw(int left, const raster& image, const level_counts& levels) {
    draw_image(left + (panel - static_cast<int>(shown_.width)) / 2, margin, image);
    draw_chart(left, 2 * margin + static_cast<int>(shown_.height), levels);
  }

  //! A pixel is the mean of all that lie there.
  void draw_image(int left, int top, const raster& image) {
    for (std::int64_t y = 0; y < shown_.height; y++)
      for (std::int64_t x = 0; x < shown_.width; x++) {
        const auto from = [](std::int64_t i, std::int64_t size, std::int64_t shown) { return i * size / shown; };
        const std::int64_t x0 = from(x, image.width, shown_.width), y0 = from(y, image.height, shown_.height);
        const std::int64_t x1 = std::max(from(x + 1, image.width, shown_.width), x0 + 1);
        const std::int64_t y1 = std::max(from(y + 1, image.height, shown_.height), y0 + 1);
        pixels_.set(
            left + static_cast<int>(x), top + static_cast<int>(y),
            image.bits == 8 ? mean<std::uint8_t>(image, x0, y0, x1, y1) : mean<std::uint16_t>(image, x0, y0, x1, y1));
      }
  }
  template <class T>
  static colour mean(const raster& image, std::int64_t x0, std::int64_t y0, std::int64_t x1, std::int64_t y1) {
    std::array<std::int64_t, 3> sums{};
    for (std::int64_t y = y0; y < y1; y++)
      for (std::int64_t x = x0; x < x1; x++) {
        const T* at = reinterpret_cast<const T*>(image.row(y)) + x * image.channels;
        for (std::size_t c = 0; c < sums.size(); c++) sums[c] += at[image.has_colour() ? c : 0] >> (8 * sizeof(T) - 8);
      }
    const std::int64_t pixels = (x1 - x0) * (y1 - y0);
    const auto level = [&](std::size_t c) { return static_cast<std::uint8_t>((sums[c] + pixels / 2) / pixels); };
    return {level(0), level(1), level(2)};
  }

  //! The commonest levels reach the top, and so does the curve in the end. Below are the levels themselves.
  void draw_chart(int left, int top, const level_counts& levels) {
    pixels_.fill(left, top, panel, chart, ground);
    std::array<std::int64_t, columns> counts{};
    for (std::size_t k = 0; k < levels.counts.size(); k++) counts[k / 2] += levels.counts[k];
    const std::int64_t most = std::max<std::int64_t>(*std::ranges::max_element(counts), 1);
    const std::int64_t all = std::max<std::int64_t>(levels.upto.back(), 1);
    const auto height_of = [](std::int64_t part, std::int64_t whole) {
      return static_cast<int>(std::lround(static_cast<double>(part) / static_cast<double>(whole) * chart));
    };
    int last = chart - 1;  // where the curve is, from the top
    for (std::size_t k = 0; k < counts.size(); k++) {
      const int x = left + static_cast<int>(k) * column_width, height = height_of(counts[k], most);
      pixels_.fill(x, top + chart - height, column_width, height, bar);
      const int next = std::min(chart - height_of(levels.upto[2 * k + 1], all), chart - 2);
      pixels_.fill(x, top + next, column_width, std::max(last - next, 2), curve);
      last = next;
      const auto level = static_cast<std::uint8_t>(2 * k + 1);
      pixels_.fill(x, top + chart, column_width, ramp, {level, level, level});
    }
  }

  extent shown_;
  picture pixels_;
};

}  // namespace app

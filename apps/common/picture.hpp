// Pictures of 8 bits a channel, as the PNG files that libpng writes, and a scale of colours for numbers.
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include <png.h>

namespace app {

struct colour {
  std::uint8_t red, green, blue;
};

//! 0 -> dark violet, over blue and green, 1 -> bright yellow. Lightness (CIE L*) rises evenly from 12 to 91, so a
//! difference looks as large wherever it is, in grey and to the colour-blind too. What is outside is taken for the end.
inline colour colour_scale(double x) {
  static constexpr std::array<std::array<int, 3>, 7> anchors = {
      {{48, 8, 78}, {62, 50, 126}, {48, 92, 144}, {30, 134, 142}, {44, 175, 122}, {136, 210, 74}, {248, 232, 56}}};
  constexpr std::size_t last = anchors.size() - 1;
  const double place = (x > 0 ? std::min(x, 1.0) : 0.0) * static_cast<double>(last);  // of a NaN: 0
  const std::size_t before = std::min(static_cast<std::size_t>(place), last - 1);
  const auto channel = [&](std::size_t c) {
    const double from = anchors[before][c], to = anchors[before + 1][c];
    return static_cast<std::uint8_t>(std::lround(from + (to - from) * (place - static_cast<double>(before))));
  };
  return {channel(0), channel(1), channel(2)};
}

//! Pixels, black at first; (0, 0) is the upper left one.
class picture {
 public:
  picture(int width, int height)
      : width_(width), height_(height), pixels_(static_cast<std::size_t>(width) * static_cast<std::size_t>(height)) {}

  int width() const { return width_; }
  int height() const { return height_; }
  void set(int x, int y, colour c) {
    pixels_[static_cast<std::size_t>(y) * static_cast<std::size_t>(width_) + static_cast<std::size_t>(x)] = c;
  }
  //! A rectangle whose upper left pixel is (x, y).
  void fill(int x, int y, int width, int height, colour c) {
    for (int row = y; row < y + height; row++)
      for (int column = x; column < x + width; column++) set(column, row, c);
  }

  //! The bytes of a PNG file.
  std::string png() const {
    static_assert(sizeof(colour) == 3);
    png_image image{};
    image.version = PNG_IMAGE_VERSION;
    image.width = static_cast<png_uint_32>(width_);
    image.height = static_cast<png_uint_32>(height_);
    image.format = PNG_FORMAT_RGB;
    png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(image);
    std::string bytes(size, '\0');
    if (!png_image_write_to_memory(&image, bytes.data(), &size, 0, pixels_.data(), 0, nullptr))
      throw std::runtime_error(std::string("libpng: ") + image.message);
    bytes.resize(size);
    return bytes;
  }

 private:
  int width_, height_;
  std::vector<colour> pixels_;
};

}  // namespace app

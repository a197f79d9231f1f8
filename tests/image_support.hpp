// What the tests of images share: pictures by an integer formula that image_values.py computes too, layouts, hashes.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include <upsweep/image.hpp>

#include "image_oracle.hpp"
#include "support.hpp"

namespace test {
using upsweep::image_layout;

inline constexpr const char* kinds[] = {"constant",     "two_valued", "ramp",       "noise",
                                        "low_contrast", "dark",       "four_valued"};
inline constexpr int kind_count = 7;

template <class T>
T level_of(int kind, index_t column, index_t row) {
  const auto x = static_cast<std::uint64_t>(column), y = static_cast<std::uint64_t>(row);
  auto h = static_cast<std::uint32_t>((x * 73856093u) ^ (y * 19349663u));
  h ^= h >> 13;
  h *= 0x5BD1E995u;
  h ^= h >> 15;
  const std::uint64_t slope = x * x + 3 * y * y;
  const std::uint32_t product = (h % 16) * (h / 16 % 16) * (h / 256 % 16) / 16;
  if constexpr (sizeof(T) == 1) {
    const std::uint64_t bytes[] = {77,          50 + 150 * (h & 1u),          (x * 5 + y * 3) / 16 % 256,
                                   h % 256,     90 + slope / 97 % 40 + h % 8, product,
                                   17 * (h % 4)};
    return static_cast<T>(bytes[kind]);
  } else {
    const std::uint64_t words[] = {7777,
                                   300 + 59700 * (h & 1u),
                                   (x * 977 + y * 331) % 65536,
                                   h % 65536,
                                   20000 + slope * 7 % 3000 + h % 64,
                                   (h % 256) * (h / 256 % 256),
                                   1700 * (h % 4)};
    return static_cast<T>(words[kind]);
  }
}
template <class T>
std::vector<T> picture(int kind, index_t width, index_t height) {
  std::vector<T> pixels(oracle::at(width * height));
  for (index_t y = 0; y < height; y++)
    for (index_t x = 0; x < width; x++) pixels[oracle::at(y * width + x)] = level_of<T>(kind, x, y);
  return pixels;
}

//! FNV-1a of the bytes.
template <class T>
std::uint64_t hash_of(const std::vector<T>& items) {
  std::uint64_t h = 0xCBF29CE484222325u;
  for (const T item : items)
    for (std::size_t k = 0; k < sizeof(T); k++)
      h = (h ^ (static_cast<std::uint64_t>(item) >> (8 * k) & 0xFF)) * 0x100000001B3u;
  return h;
}

//! Layouts of every sort: one pixel, rows narrower and wider than vectors, gaps, batches, many rows, one long row.
inline std::vector<image_layout> layouts() {
  std::vector<image_layout> all = {{.width = 1},
                                   {.width = 5, .height = 3},
                                   {.width = 7, .height = 1000, .pitch = 61},
                                   {.width = 16, .height = 16},
                                   {.width = 33, .height = 9, .pitch = 40},
                                   {.width = 64, .height = 64, .pitch = 0, .count = 300},
                                   {.width = 63, .height = 5, .pitch = 77, .count = 9, .image_pitch = 401},
                                   {.width = 300, .height = 200, .pitch = 304},
                                   {.width = 512, .height = 512},
                                   {.width = 1000, .height = 70, .pitch = 1000, .count = 3, .image_pitch = 70'001},
                                   {.width = 300'007, .height = 3, .pitch = 300'010},
                                   {.width = 1'048'583}};
  if (sanitized) {
    all.pop_back();     // what a host does with that it does with 300,007 × 3
    all[5].count = 30;  // and with 300 images of 64 × 64, with ten for each thread
  }
  return all;
}
inline std::string shown(const image_layout& l) {
  return std::to_string(l.width) + " x " + std::to_string(l.height) + " x " + std::to_string(l.count) + ", pitch " +
         std::to_string(l.pitch) + ", image_pitch " + std::to_string(l.image_pitch);
}
//! Items that a layout needs.
inline index_t extent_of(const image_layout& l) {
  const index_t pitch = l.pitch ? l.pitch : l.width, image_pitch = l.image_pitch ? l.image_pitch : pitch * l.height;
  return (l.count - 1) * image_pitch + (l.height - 1) * pitch + l.width;
}
//! A layout's memory: images of different kinds, and noise between them.
template <class T>
std::vector<T> scene(const image_layout& layout, int kind) {
  std::vector<T> items(oracle::at(extent_of(layout)));
  generator random(3);
  const bool has_gaps = layout.pitch || layout.image_pitch;  // others have no noise
  if (has_gaps)
    for (T& item : items) item = static_cast<T>(random());
  for (index_t k = 0; k < layout.count; k++) {
    index_t i = 0;
    for (const std::size_t place : oracle::pixels_of(layout, k)) {
      items[place] = level_of<T>((kind + static_cast<int>(k)) % kind_count, i % layout.width, i / layout.width + k);
      i++;
    }
  }
  return items;
}
//! The pixels of image k.
template <class T>
std::vector<T> image_of(const std::vector<T>& items, const image_layout& layout, index_t k) {
  std::vector<T> pixels(oracle::at(layout.width * layout.height));
  T* next = pixels.data();
  for (const std::size_t place : oracle::pixels_of(layout, k)) *next++ = items[place];
  return pixels;
}
}  // namespace test

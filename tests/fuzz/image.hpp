// Pictures: what was decoded is written again in the same format, and read back.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>

#include "apps/common/image_file.hpp"
#include "fuzz.hpp"

namespace fuzz {

//! `name` tells the format. `is_exact`: it gives back what it is given.
inline void read_and_write_image(const std::string& name, bool is_exact, std::string_view file) {
  app::raster image;
  if (!reads([&] { image = app::decode_image(file); })) return;
  check(image.width > 0 && image.height > 0, "there are pixels");
  check(image.channels >= 1 && image.channels <= 4 && (image.bits == 8 || image.bits == 16), "a layout");
  constexpr std::size_t quick = 1 << 20;  // to compress
  if (image.size() > quick) return;
  if (!reads([&] { app::check_can_hold(name, image); })) return;  // a file of another format
  const app::raster again = app::decode_image(app::encode_image(name, image));
  check(again.width == image.width && again.height == image.height, "its size is kept");
  check(again.channels == image.channels && again.bits == image.bits, "its layout is kept");
  check(!is_exact || std::memcmp(again.bytes.get(), image.bytes.get(), image.size()) == 0, "its pixels are kept");
}

}  // namespace fuzz

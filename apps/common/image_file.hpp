// Pictures in files: PNG, JPEG, and Netpbm's PGM and PPM. The C++ compiler's alone: see CMakeLists.txt.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace app {

//! Pixels, rows from the top without gaps. The channels of a pixel are side by side, of 8 or 16 bits in the machine's
//! order: grey; grey and alpha; red, green, blue; red, green, blue, alpha.
struct raster {
  std::int64_t width = 0, height = 0;
  int channels = 1, bits = 8;
  std::unique_ptr<std::byte[]> bytes;

  raster() = default;
  raster(std::int64_t w, std::int64_t h, int channel_count, int bits_of_each)  // not initialized
      : width(w),
        height(h),
        channels(channel_count),
        bits(bits_of_each),
        bytes(std::make_unique_for_overwrite<std::byte[]>(size())) {}
  std::int64_t pixels() const { return width * height; }
  std::size_t row_size() const { return static_cast<std::size_t>(width * channels * bits / 8); }
  std::size_t size() const { return row_size() * static_cast<std::size_t>(height); }
  std::byte* row(std::int64_t y) const { return bytes.get() + static_cast<std::size_t>(y) * row_size(); }
  bool has_colour() const { return channels > 2; }
  bool has_alpha() const { return channels % 2 == 0; }
  //! All of it as T, of which each pixel or channel is one.
  template <class T>
  std::span<T> as() const {
    return {reinterpret_cast<T*>(bytes.get()), size() / sizeof(T)};
  }
};

//! 16-bit colour with alpha
std::string kind_of(const raster& image);

//! The picture in the bytes of a file, whose first ones tell the format. Levels take the whole range of 8 or of 16
//! bits, palettes become colours. Only pixels are kept: no colour profile, no orientation. Throws std::runtime_error.
raster decode_image(std::string_view file);

//! Throws unless a file of this name can hold such a picture: its ending tells the format. "-" is a PNG file.
void check_can_hold(const std::string& name, const raster& image);
//! The bytes of such a file.
std::string encode_image(const std::string& name, const raster& image);

// One format each, in files of their own. Only images that check_can_hold passes are written.
raster decode_png(std::string_view file);
std::string encode_png(const raster& image);
raster decode_jpeg(std::string_view file);
std::string encode_jpeg(const raster& image);
raster decode_netpbm(std::string_view file);
std::string encode_netpbm(const raster& image);

}  // namespace app

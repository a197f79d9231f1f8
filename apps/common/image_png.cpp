// PNG files by libpng. Its errors leave by longjmp, so nothing with a destructor is made between setjmp and them.
#include <array>
#include <bit>
#include <csetjmp>
#include <cstring>
#include <stdexcept>
#include <vector>

#include <png.h>

#include "image_file.hpp"

namespace app {
namespace {

struct session {  // what libpng's calls of us need
  std::string_view rest;
  std::string written;
  bool is_out_of_memory = false;
  std::array<char, 200> error{};
};

[[noreturn]] void fail(png_structp png, png_const_charp what) {
  auto& s = *static_cast<session*>(png_get_error_ptr(png));
  std::strncpy(s.error.data(), what, s.error.size() - 1);
  png_longjmp(png, 1);
}
void ignore(png_structp, png_const_charp) {}
void read(png_structp png, png_bytep to, std::size_t size) {
  auto& s = *static_cast<session*>(png_get_io_ptr(png));
  if (size > s.rest.size()) png_error(png, "ends early");
  std::memcpy(to, s.rest.data(), size);
  s.rest.remove_prefix(size);
}
void write(png_structp png, png_bytep from, std::size_t size) {
  auto& s = *static_cast<session*>(png_get_io_ptr(png));
  try {
    s.written.append(reinterpret_cast<const char*>(from), size);
  } catch (const std::bad_alloc&) {
    s.is_out_of_memory = true;
  }
  if (s.is_out_of_memory) png_error(png, "out of memory");
}

//! Asks libpng for the channels and bits of a raster, whatever the file has: fewer bits become 8, a palette colours,
//! a transparent colour alpha.
void ask_for_raster(png_structp png, png_infop info) {
  png_set_expand(png);
  if constexpr (std::endian::native == std::endian::little) png_set_swap(png);
  png_set_interlace_handling(png);
  png_read_update_info(png, info);
}

//! Is there enough of the file for its pixels? Compression makes 1032 bytes of one at most, and libpng has taken
//! nothing of them yet. So there is memory only for what the file can fill.
bool can_fill_rows(png_structp png, png_infop info) {
  constexpr std::uint64_t most = 1032;
  const auto& s = *static_cast<session*>(png_get_io_ptr(png));
  return std::uint64_t{png_get_rowbytes(png, info)} * png_get_image_height(png, info) <= most * s.rest.size();
}

//! False: libpng failed, and the session holds why.
bool read_header(png_structp png, png_infop info) {
  if (setjmp(png_jmpbuf(png))) return false;
#ifdef PNG_HANDLE_AS_UNKNOWN_SUPPORTED
  // Texts, profiles and the like are passed over: libpng would make room for as many bytes as they claim to have.
  png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_NEVER, nullptr, -1);
#endif
  png_read_info(png, info);
  if (!can_fill_rows(png, info)) png_error(png, "ends before its pixels do");
  ask_for_raster(png, info);
  return true;
}
bool read_rows(png_structp png, png_bytepp rows) {
  if (setjmp(png_jmpbuf(png))) return false;
  png_read_image(png, rows);
  png_read_end(png, nullptr);
  return true;
}
bool write_rows(png_structp png, png_infop info, const raster& image, png_bytepp rows) {
  constexpr std::array<int, 5> colour_types = {0, PNG_COLOR_TYPE_GRAY, PNG_COLOR_TYPE_GRAY_ALPHA, PNG_COLOR_TYPE_RGB,
                                               PNG_COLOR_TYPE_RGB_ALPHA};
  if (setjmp(png_jmpbuf(png))) return false;
  png_set_IHDR(png, info, static_cast<png_uint_32>(image.width), static_cast<png_uint_32>(image.height), image.bits,
               colour_types[static_cast<std::size_t>(image.channels)], PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
               PNG_FILTER_TYPE_DEFAULT);
  png_write_info(png, info);
  if constexpr (std::endian::native == std::endian::little) png_set_swap(png);
  png_write_image(png, rows);
  png_write_end(png, info);
  return true;
}

std::vector<png_bytep> rows_of(const raster& image) {
  std::vector<png_bytep> rows;
  for (std::int64_t y = 0; y < image.height; y++) rows.push_back(reinterpret_cast<png_bytep>(image.row(y)));
  return rows;
}
void check(bool is_fine, const session& s) {
  if (!is_fine) throw std::runtime_error(std::string("PNG: ") + s.error.data());
}

}  // namespace

raster decode_png(std::string_view file) {
  session s{.rest = file, .written = {}};
  struct structs {
    png_structp png;
    png_infop info;
    ~structs() { png_destroy_read_struct(&png, &info, nullptr); }
  } made{png_create_read_struct(PNG_LIBPNG_VER_STRING, &s, fail, ignore), nullptr};
  if (made.png) made.info = png_create_info_struct(made.png);
  if (!made.info) throw std::bad_alloc();
  png_set_read_fn(made.png, &s, read);
  check(read_header(made.png, made.info), s);
  raster image(png_get_image_width(made.png, made.info), png_get_image_height(made.png, made.info),
               png_get_channels(made.png, made.info), png_get_bit_depth(made.png, made.info));
  if (png_get_rowbytes(made.png, made.info) != image.row_size()) throw std::runtime_error("PNG: an unknown layout");
  std::vector<png_bytep> rows = rows_of(image);
  check(read_rows(made.png, rows.data()), s);
  return image;
}

std::string encode_png(const raster& image) {
  session s;
  struct structs {
    png_structp png;
    png_infop info;
    ~structs() { png_destroy_write_struct(&png, &info); }
  } made{png_create_write_struct(PNG_LIBPNG_VER_STRING, &s, fail, ignore), nullptr};
  if (made.png) made.info = png_create_info_struct(made.png);
  if (!made.info) throw std::bad_alloc();
  png_set_write_fn(made.png, &s, write, nullptr);
  std::vector<png_bytep> rows = rows_of(image);
  check(write_rows(made.png, made.info, image, rows.data()), s);
  return std::move(s.written);
}

}  // namespace app

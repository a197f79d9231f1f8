// JPEG files by libjpeg(-turbo), where it was found. Its errors leave by longjmp, so nothing with a destructor is made
// between setjmp and them.
#include <stdexcept>

#include "image_file.hpp"

#ifdef UPSWEEP_WITH_JPEG
#include <algorithm>
#include <array>
#include <csetjmp>
#include <cstdio>
#include <cstdlib>

#include <jerror.h>
#include <jpeglib.h>

#include "report.hpp"

namespace app {
namespace {

struct session {
  jpeg_error_mgr errors;  // the first, so that one is found by the other
  std::jmp_buf back;
  std::array<char, JMSG_LENGTH_MAX> said;
};

[[noreturn]] void fail(j_common_ptr jpeg) {
  auto& s = *reinterpret_cast<session*>(jpeg->err);
  (*jpeg->err->format_message)(jpeg, s.said.data());
  std::longjmp(s.back, 1);
}
//! The library goes on with grey where data are damaged or missing, and warns. Of bytes between two parts it warns too;
//! cameras leave some.
void warn(j_common_ptr jpeg, int level) {
  if (level < 0 && jpeg->err->msg_code != JWRN_EXTRANEOUS_DATA) fail(jpeg);
}
jpeg_error_mgr* errors_of(session& s) {
  jpeg_error_mgr* errors = jpeg_std_error(&s.errors);
  errors->error_exit = fail;
  errors->emit_message = warn;
  return errors;
}
void check(bool is_fine, const session& s) {
  if (!is_fine) throw std::runtime_error(std::string("JPEG: ") + s.said.data());
}

//! A block of 64 pixels takes a bit of Huffman's codes at least, of arithmetic coding next to nothing. The memory shall
//! be in proportion to the file, so what is not small must be of no more pixels a byte than this.
void check_size(const jpeg_decompress_struct& jpeg, std::size_t bytes) {
  constexpr std::uint64_t small = std::uint64_t{1} << 22, most_a_byte = 4096;
  const std::uint64_t pixels = std::uint64_t{jpeg.image_width} * jpeg.image_height;
  if (pixels <= std::max(small, most_a_byte * bytes)) return;
  throw std::runtime_error("JPEG: " + grouped(jpeg.image_width) + " x " + grouped(jpeg.image_height) +
                           " pixels are too many for a file of " + grouped(static_cast<std::int64_t>(bytes)) +
                           " bytes");
}

bool read_header(jpeg_decompress_struct& jpeg, session& s, std::string_view file) {
  if (setjmp(s.back)) return false;
  jpeg_create_decompress(&jpeg);
  jpeg_mem_src(&jpeg, reinterpret_cast<const unsigned char*>(file.data()), static_cast<unsigned long>(file.size()));
  jpeg_read_header(&jpeg, TRUE);
  return true;
}
bool start(jpeg_decompress_struct& jpeg, session& s) {
  if (setjmp(s.back)) return false;
  jpeg.out_color_space = jpeg.jpeg_color_space == JCS_GRAYSCALE ? JCS_GRAYSCALE : JCS_RGB;
  jpeg_start_decompress(&jpeg);
  return true;
}
bool read_rows(jpeg_decompress_struct& jpeg, session& s, const raster& image) {
  if (setjmp(s.back)) return false;
  while (jpeg.output_scanline < jpeg.output_height) {
    auto* row = reinterpret_cast<JSAMPROW>(image.row(jpeg.output_scanline));
    jpeg_read_scanlines(&jpeg, &row, 1);
  }
  jpeg_finish_decompress(&jpeg);
  return true;
}

struct memory {
  unsigned char* bytes = nullptr;
  unsigned long size = 0;
  ~memory() { std::free(bytes); }
};
bool write_all(jpeg_compress_struct& jpeg, session& s, const raster& image, memory& to) {
  constexpr int quality = 95;
  if (setjmp(s.back)) return false;
  jpeg_create_compress(&jpeg);
  jpeg_mem_dest(&jpeg, &to.bytes, &to.size);
  jpeg.image_width = static_cast<JDIMENSION>(image.width);
  jpeg.image_height = static_cast<JDIMENSION>(image.height);
  jpeg.input_components = image.channels;
  jpeg.in_color_space = image.has_colour() ? JCS_RGB : JCS_GRAYSCALE;
  jpeg_set_defaults(&jpeg);
  jpeg_set_quality(&jpeg, quality, TRUE);
  jpeg_start_compress(&jpeg, TRUE);
  while (jpeg.next_scanline < jpeg.image_height) {
    auto* row = reinterpret_cast<JSAMPROW>(image.row(jpeg.next_scanline));
    jpeg_write_scanlines(&jpeg, &row, 1);
  }
  jpeg_finish_compress(&jpeg);
  return true;
}

}  // namespace

raster decode_jpeg(std::string_view file) {
  session s{};
  struct decompression {
    jpeg_decompress_struct jpeg{};
    ~decompression() { jpeg_destroy_decompress(&jpeg); }
  } made;
  made.jpeg.err = errors_of(s);
  check(read_header(made.jpeg, s, file), s);
  check_size(made.jpeg, file.size());
  check(start(made.jpeg, s), s);
  raster image(made.jpeg.output_width, made.jpeg.output_height, made.jpeg.output_components, 8);
  check(read_rows(made.jpeg, s, image), s);
  return image;
}

std::string encode_jpeg(const raster& image) {
  session s{};
  memory to;
  struct compression {
    jpeg_compress_struct jpeg{};
    ~compression() { jpeg_destroy_compress(&jpeg); }
  } made;
  made.jpeg.err = errors_of(s);
  check(write_all(made.jpeg, s, image, to), s);
  return {reinterpret_cast<const char*>(to.bytes), to.size};
}

}  // namespace app
#else
namespace app {

raster decode_jpeg(std::string_view) { throw std::runtime_error("a JPEG file; this was built without libjpeg"); }
std::string encode_jpeg(const raster&) { throw std::runtime_error("a JPEG file; this was built without libjpeg"); }

}  // namespace app
#endif

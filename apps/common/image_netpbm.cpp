// PGM and PPM (netpbm.sourceforge.net/doc/pgm.html): a header in text, then levels as bytes (P5, P6), or in text (P2,
// P3). What follows the first picture is left alone.
#include <algorithm>
#include <cstring>
#include <stdexcept>

#include "image_file.hpp"

namespace app {
namespace {

class reader {
 public:
  explicit reader(std::string_view file) : rest_(file.substr(2)) {}

  //! The next number of a text, of at most `most`. Comments are from # to the end of a line.
  std::int64_t number(std::int64_t most, const char* what) {
    skip_blanks(what);
    std::size_t length = 0;
    std::int64_t value = 0;
    for (; length < rest_.size() && rest_[length] >= '0' && rest_[length] <= '9'; length++) {
      value = 10 * value + (rest_[length] - '0');
      if (value > most) throw std::runtime_error(std::string(what) + " is more than " + std::to_string(most));
    }
    if (length == 0) throw std::runtime_error(std::string(what) + " is no number");
    rest_.remove_prefix(length);
    return value;
  }
  //! What is behind the one blank that ends the header.
  std::string_view bytes() {
    if (rest_.empty() || !is_blank(rest_[0])) throw std::runtime_error("its header does not end in a blank");
    return rest_.substr(1);
  }
  std::string_view rest() const { return rest_; }

 private:
  static bool is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
  void skip_blanks(const char* what) {
    while (!rest_.empty() && (is_blank(rest_[0]) || rest_[0] == '#'))
      rest_.remove_prefix(rest_[0] == '#' ? std::min(rest_.find_first_of("\r\n"), rest_.size()) : 1);
    if (rest_.empty()) throw std::runtime_error(std::string("ends where ") + what + " should be");
  }
  std::string_view rest_;
};

struct header {
  std::int64_t width, height;
  int channels;
  std::uint32_t top;  // the brightest level
  int bits() const { return top > 255 ? 16 : 8; }
  std::int64_t levels() const { return width * height * channels; }  // 3 * 2^60 at most
  std::int64_t bytes() const { return levels() * (bits() / 8); }
};

header read_header(reader& in, char kind) {
  constexpr std::int64_t longest = std::int64_t{1} << 30;
  header h{};
  h.width = in.number(longest, "its width");
  h.height = in.number(longest, "its height");
  if (h.width == 0 || h.height == 0) throw std::runtime_error("has no pixels");
  h.top = static_cast<std::uint32_t>(in.number(65535, "its brightest level"));
  if (h.top == 0) throw std::runtime_error("its brightest level is 0");
  h.channels = kind == '3' || kind == '6' ? 3 : 1;
  return h;
}

[[noreturn]] void refuse_end(std::int64_t found, std::int64_t wanted, const char* of_what) {
  throw std::runtime_error("ends after " + std::to_string(found) + " of " + std::to_string(wanted) + " " + of_what);
}

//! A level of a file as one of all that the bits can tell.
template <class T>
T spread(std::uint32_t level, std::uint32_t top) {
  constexpr std::uint32_t all = sizeof(T) == 1 ? 255 : 65535;
  if (level > top)
    throw std::runtime_error("a level is " + std::to_string(level) + ", the brightest " + std::to_string(top));
  return static_cast<T>((std::uint64_t{level} * all + top / 2) / top);
}

template <class T>
void read_levels(reader& in, const header& h, bool is_text, const raster& image) {
  const auto levels = image.as<T>();
  if (is_text) {
    for (T& level : levels) level = spread<T>(static_cast<std::uint32_t>(in.number(65535, "a level")), h.top);
    return;
  }
  const std::string_view bytes = in.bytes();
  const auto byte = [&](std::size_t i) { return std::uint32_t{static_cast<unsigned char>(bytes[i])}; };
  for (std::size_t i = 0; i < levels.size(); i++)
    levels[i] = spread<T>(sizeof(T) == 1 ? byte(i) : byte(2 * i) << 8 | byte(2 * i + 1), h.top);
}

}  // namespace

raster decode_netpbm(std::string_view file) {
  reader in(file);
  const bool is_text = file[1] == '2' || file[1] == '3';
  const header h = read_header(in, file[1]);
  // Before there is memory for all of it: is it there? A level in text takes a digit and a blank.
  const auto wanted = is_text ? 2 * h.levels() - 1 : h.bytes();
  const auto found = static_cast<std::int64_t>(is_text ? in.rest().size() : in.bytes().size());
  if (found < wanted) {
    if (is_text) throw std::runtime_error("ends before its " + std::to_string(h.levels()) + " levels do");
    refuse_end(found, wanted, "bytes");
  }
  raster image(h.width, h.height, h.channels, h.bits());
  if (h.bits() == 8) read_levels<std::uint8_t>(in, h, is_text, image);
  else read_levels<std::uint16_t>(in, h, is_text, image);
  return image;
}

std::string encode_netpbm(const raster& image) {
  std::string file = std::string(image.has_colour() ? "P6\n" : "P5\n") + std::to_string(image.width) + ' ' +
                     std::to_string(image.height) + (image.bits == 16 ? "\n65535\n" : "\n255\n");
  const std::size_t header = file.size();
  file.resize(header + image.size());
  if (image.bits == 8) {
    std::memcpy(file.data() + header, image.bytes.get(), image.size());
    return file;
  }
  char* to = file.data() + header;
  for (const std::uint16_t level : image.as<std::uint16_t>()) {
    *to++ = static_cast<char>(level >> 8);
    *to++ = static_cast<char>(level & 255);
  }
  return file;
}

}  // namespace app

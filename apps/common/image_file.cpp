// Which format is it?
#include "image_file.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <stdexcept>

namespace app {
namespace {

struct format {
  const char* name;
  const char* endings;  // each between blanks
  const char* magics;   // the first bytes of a file, likewise
  raster (*decode)(std::string_view);
  std::string (*encode)(const raster&);
  int bits;                              // at most
  bool has_grey, has_colour, has_alpha;  // what it can hold
};
constexpr std::array<format, 4> formats = {{
    {"PNG", " .png ", " \x89PNG ", decode_png, encode_png, 16, true, true, true},
    {"JPEG", " .jpg .jpeg .jpe ", " \xff\xd8\xff ", decode_jpeg, encode_jpeg, 8, true, true, false},
    {"PGM", " .pgm ", " P2 P5 ", decode_netpbm, encode_netpbm, 16, true, false, false},
    {"PPM", " .ppm ", " P3 P6 ", decode_netpbm, encode_netpbm, 16, false, true, false},
}};

bool is_among(const std::string& word, std::string_view words) {
  return !word.empty() && word.find(' ') == word.npos && words.find(' ' + word + ' ') != words.npos;
}

const format& format_of_name(const std::string& name) {
  if (name == "-") return formats[0];
  std::string ending = std::filesystem::path(name).extension().string();
  std::ranges::transform(ending, ending.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  for (const format& f : formats)
    if (is_among(ending, f.endings)) return f;
  throw std::runtime_error("its name must end in .png, .jpg, .pgm or .ppm");
}

}  // namespace

std::string kind_of(const raster& image) {
  return std::to_string(image.bits) + "-bit " + (image.has_colour() ? "colour" : "grey") +
         (image.has_alpha() ? " with alpha" : "");
}

raster decode_image(std::string_view file) {
  for (const format& f : formats)
    for (const std::size_t length : {2, 3, 4})
      if (file.size() >= length && is_among(std::string(file.substr(0, length)), f.magics)) return f.decode(file);
  throw std::runtime_error(file.empty() ? "is empty" : "no PNG, JPEG, PGM or PPM file");
}

void check_can_hold(const std::string& name, const raster& image) {
  const format& f = format_of_name(name);
  if ((image.has_colour() ? f.has_colour : f.has_grey) && (f.has_alpha || !image.has_alpha()) && image.bits <= f.bits)
    return;
  throw std::runtime_error(std::string("a ") + f.name + " file cannot hold " + kind_of(image));
}

std::string encode_image(const std::string& name, const raster& image) {
  check_can_hold(name, image);
  return format_of_name(name).encode(image);
}

}  // namespace app

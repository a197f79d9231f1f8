// Sizes of pictures as people write them, 640x480, and what is made in such a size in the place of a file.
#pragma once
#include <charconv>
#include <cstdint>
#include <string>
#include <system_error>
#include <utility>

#include "command_line.hpp"

namespace app {

//! Width and height, each of 1 to 65,536; zeros when the text is no size.
inline std::pair<std::int64_t, std::int64_t> size_of(const std::string& text) {
  constexpr std::int64_t longest = 65536;
  std::int64_t width = 0, height = 0;
  const char* const end = text.data() + text.size();
  const auto first = std::from_chars(text.data(), end, width);
  const auto second = std::from_chars(first.ptr + (first.ptr != end && *first.ptr == 'x'), end, height);
  if (second.ec != std::errc{} || second.ptr != end || width < 1 || height < 1 || width > longest || height > longest)
    return {};
  return {width, height};
}
//! What is wrong with such a text, for a command line.
inline std::string wrong_unless_size(const std::string& text) {
  return size_of(text).first > 0 ? "" : "must be like 640x480, at most 65536x65536";
}
//! With --scene nothing is read: the one file that is named is the output.
inline void only_out(std::string& in, std::string& out) {
  if (!out.empty()) throw usage_error("--scene", "takes the place of IN: OUT alone may follow");
  out = std::exchange(in, {});
}

}  // namespace app

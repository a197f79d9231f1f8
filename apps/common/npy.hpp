// Arrays of one dimension in NumPy's file format (NEP 1), versions 1 to 3, little endian, of the types in numbers.hpp.
// A file is a magic string, a header that is a Python dictionary, and the numbers.
#pragma once
#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>
#include <string_view>

#include "numbers.hpp"

namespace app::npy {

static_assert(std::endian::native == std::endian::little);
constexpr std::string_view magic("\x93NUMPY", 6);

inline bool is_name(std::string_view name) { return name.ends_with(".npy"); }
inline bool is_npy(std::string_view file) { return file.starts_with(magic); }

//! What stands behind 'key': in a header, up to the end of it.
inline std::string_view value_of(std::string_view header, const std::string& key) {
  const std::size_t at = header.find("'" + key + "'");
  if (at == header.npos) throw std::runtime_error("its header has no '" + key + "'");
  header.remove_prefix(at + key.size() + 2);
  header.remove_prefix(std::min(header.find_first_not_of(": "), header.size()));
  return header;
}

inline const number_type& type_of(std::string_view header) {
  const std::string_view value = value_of(header, "descr");
  const std::string_view text = value.starts_with('\'') ? value.substr(1, value.find('\'', 1) - 1) : "several fields";
  const number_type* type = nullptr;
  if (text.size() == 3 && std::string_view("<=|").find(text[0]) != text.npos)
    type = find_number_type(text[1], text[2] - '0');
  if (!type)
    throw std::runtime_error("its numbers are " + in_quotes(text) +
                             ", must be little-endian i1 to i8, u1 to u8, f4 or f8");
  return *type;
}

inline upsweep::index_t length_of(std::string_view header) {
  const std::string_view value = value_of(header, "shape");
  const std::string_view shape = value.substr(0, value.find(')') + 1);
  const char* const end = shape.data() + shape.size();
  std::uint64_t length = 0;
  const auto [stop, error] = std::from_chars(shape.starts_with('(') ? shape.data() + 1 : end, end, length);
  if (error != std::errc{} || std::string_view(stop, end) != ",)")
    throw std::runtime_error("its shape is " + in_quotes(shape) + ", must have one dimension");
  return static_cast<upsweep::index_t>(std::min<std::uint64_t>(length, std::uint64_t{1} << 60));
}

//! The numbers of a file.
inline numbers read(file_bytes&& file) {
  const std::string_view bytes = file.view();
  const int version = bytes.size() > 12 ? bytes[6] : 0;
  if (version < 1 || version > 3) throw std::runtime_error("no .npy file of version 1, 2 or 3");
  std::uint32_t length = 0;
  const std::size_t width = version == 1 ? 2 : 4, begin = magic.size() + 2 + width;
  std::memcpy(&length, bytes.data() + begin - width, width);
  if (length > bytes.size() - begin) throw std::runtime_error("ends within its header");
  const std::string_view header = bytes.substr(begin, length);

  numbers result;
  result.type = &type_of(header);
  result.size = length_of(header);
  const auto here = static_cast<std::int64_t>(begin + length);
  if (result.size > (file.size() - here) / result.type->bytes)
    throw std::runtime_error("ends before its " + std::to_string(result.size) + " numbers do");
  result.file = std::move(file);
  std::byte* data = reinterpret_cast<std::byte*>(result.file.data()) + here;
  if (here % result.type->bytes != 0)  // no file that NumPy writes
    data = static_cast<std::byte*>(std::memmove(result.file.data(), data, static_cast<std::size_t>(result.bytes())));
  result.data = data;
  return result;
}

//! Writes numbers as a file of version 1.
inline void write(output_file& out, const number_type& type, const std::byte* data, upsweep::index_t size) {
  std::string header = std::string("{'descr': '") + (type.bytes == 1 ? '|' : '<') + type.kind +
                       std::to_string(type.bytes) + "', 'fortran_order': False, 'shape': (" + std::to_string(size) +
                       ",), }";
  constexpr std::size_t alignment = 64, before = magic.size() + 4;
  header.append(alignment - 1 - (before + header.size()) % alignment, ' ').append(1, '\n');
  const auto length = static_cast<std::uint16_t>(header.size());
  out.write(magic);
  out.write({"\1\0", 2});
  out.write({reinterpret_cast<const char*>(&length), 2});
  out.write(header);
  out.write({reinterpret_cast<const char*>(data), static_cast<std::size_t>(size * type.bytes)});
}

}  // namespace app::npy

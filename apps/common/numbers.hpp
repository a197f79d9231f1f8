// Arrays of numbers of a type that is known at run time, and numbers as text, one a line.
#pragma once
#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include <upsweep/buffer.hpp>

#include "file.hpp"
#include "output_files.hpp"
#include "report.hpp"
#include "stage.hpp"

namespace app {

//! A type of numbers; `kind` is NumPy's: i, u or f.
struct number_type {
  const char* name;
  char kind;
  int bytes;
};
inline constexpr number_type number_types[] = {
    {"int8", 'i', 1},   {"int16", 'i', 2},  {"int32", 'i', 4},  {"int64", 'i', 8},   {"uint8", 'u', 1},
    {"uint16", 'u', 2}, {"uint32", 'u', 4}, {"uint64", 'u', 8}, {"float32", 'f', 4}, {"float64", 'f', 8},
};
//! Null when there is none.
inline const number_type* find_number_type(std::string_view name) {
  for (const number_type& type : number_types)
    if (type.name == name) return &type;
  return nullptr;
}
inline const number_type* find_number_type(char kind, int bytes) {
  for (const number_type& type : number_types)
    if (type.kind == kind && type.bytes == bytes) return &type;
  return nullptr;
}

//! Calls f(T{}), T being the type.
template <class F>
decltype(auto) with_type(const number_type& type, F&& f) {
  const int choice = type.kind * 16 + type.bytes;
  switch (choice) {
    case 'i' * 16 + 1:
      return f(std::int8_t{});
    case 'i' * 16 + 2:
      return f(std::int16_t{});
    case 'i' * 16 + 4:
      return f(std::int32_t{});
    case 'i' * 16 + 8:
      return f(std::int64_t{});
    case 'u' * 16 + 1:
      return f(std::uint8_t{});
    case 'u' * 16 + 2:
      return f(std::uint16_t{});
    case 'u' * 16 + 4:
      return f(std::uint32_t{});
    case 'u' * 16 + 8:
      return f(std::uint64_t{});
    case 'f' * 16 + 4:
      return f(float{});
    default:
      return f(double{});
  }
}

//! Numbers in host memory, aligned as their type wants. Their bytes are what counts, so a number is copied out of them.
struct numbers {
  const number_type* type = nullptr;
  upsweep::index_t size = 0;
  const std::byte* data = nullptr;
  file_bytes file;                    // what holds them, when a file does
  upsweep::buffer<std::byte> memory;  // when it does not

  std::int64_t bytes() const { return size * type->bytes; }
};
template <class T>
T number_at(const std::byte* data, upsweep::index_t i) {
  T value;
  std::memcpy(&value, data + i * static_cast<upsweep::index_t>(sizeof(T)), sizeof(T));
  return value;
}

// ---------------------------------------------------------------- text
//! The first line of a text without the blanks around it; takes it off the text.
inline std::string_view take_line(std::string_view& text) {
  constexpr std::string_view blanks = " \t\r";
  const std::size_t end = std::min(text.find('\n'), text.size());
  std::string_view line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  line.remove_prefix(std::min(line.find_first_not_of(blanks), line.size()));
  return line.substr(0, line.find_last_not_of(blanks) + 1);
}

//! int64, or float64 when one of the numbers is not written as an integer.
inline const number_type& guess_type(std::string_view text) {
  const bool integers = text.find_first_not_of("+-0123456789 \t\r\n") == text.npos;
  return *find_number_type(integers ? "int64" : "float64");
}

//! A line as a number, a float that is too small for its type as 0. A line that is none is told to the caller with its
//! number and the type's name.
template <class T>
T parse_number(std::string_view line, upsweep::index_t line_number, const char* type) {
  const bool plus = line.size() > 1 && line[0] == '+' && line[1] != '-';  // from_chars takes none
  const char* const end = line.data() + line.size();
  T value{};
  const auto [stop, error] = std::from_chars(line.data() + plus, end, value);
  if (error == std::errc{} && stop == end) return value;
  const bool large = error == std::errc::result_out_of_range;
  if constexpr (std::is_floating_point_v<T>) {
    if (large && stop == end) {  // from_chars does not tell large ones from small ones
      const std::string text(line.data() + plus, end);
      if constexpr (sizeof(T) == sizeof(float)) value = std::strtof(text.c_str(), nullptr);
      else value = std::strtod(text.c_str(), nullptr);
      if (std::isfinite(value)) return value;
    }
  }
  throw std::runtime_error("line " + std::to_string(line_number) + ": " + in_quotes(line) +
                           (large ? " is out of the range of " : " is no ") + type);
}

//! Numbers of a text, one a line; blank lines do not count.
inline numbers parse_numbers(std::string_view text, const number_type& type) {
  numbers result;
  result.type = &type;
  upsweep::host host(1);
  const auto lines = std::count(text.begin(), text.end(), '\n') + 1;
  result.memory = upsweep::buffer<std::byte>(host, lines * type.bytes);
  result.data = result.memory.data();
  const auto all = static_cast<std::int64_t>(text.size());
  stage parsing("parsing the numbers", all);
  with_type(type, [&]<class T>(T) {
    for (upsweep::index_t line_number = 1; !text.empty(); line_number++) {
      parsing.at(all - static_cast<std::int64_t>(text.size()));
      const std::string_view line = take_line(text);
      if (line.empty()) continue;
      const T value = parse_number<T>(line, line_number, type.name);
      std::memcpy(result.memory.data() + type.bytes * result.size++, &value, sizeof(T));
    }
  });
  return result;
}

//! Writes numbers one a line, with as many digits as it takes to read the same number again.
inline void write_text(output_file& out, const number_type& type, const std::byte* data, upsweep::index_t size) {
  std::string text(1 << 16, '\0');
  constexpr std::size_t longest = 32;  // of a number and its newline
  with_type(type, [&]<class T>(T) {
    std::size_t used = 0;
    for (upsweep::index_t i = 0; i < size; i++) {
      char* const end = std::to_chars(text.data() + used, text.data() + text.size(), number_at<T>(data, i)).ptr;
      *end = '\n';
      used = static_cast<std::size_t>(end + 1 - text.data());
      if (text.size() - used >= longest) continue;
      out.write({text.data(), used});
      used = 0;
    }
    out.write({text.data(), used});
  });
}

}  // namespace app

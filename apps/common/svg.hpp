// Drawings as SVG, put together as text.
#pragma once
#include <cstdarg>
#include <cstddef>
#include <cstdio>
#include <string>
#include <string_view>

namespace app::svg {

inline std::string escaped(std::string_view text) {
  std::string safe;
  for (const char c : text) {
    if (c == '<') safe += "&lt;";
    else if (c == '&') safe += "&amp;";
    else safe += c;
  }
  return safe;
}

//! Adds what printf would print.
[[gnu::format(printf, 2, 3)]] inline void put(std::string& to, const char* format, ...) {
  va_list arguments, again;
  va_start(arguments, format);
  va_copy(again, arguments);
  std::string text(static_cast<std::size_t>(std::vsnprintf(nullptr, 0, format, arguments)) + 1, '\0');
  std::vsnprintf(text.data(), text.size(), format, again);
  va_end(again);
  va_end(arguments);
  text.pop_back();
  to += text;
}

//! The beginning of a drawing: a white sheet with its title. "\n</svg>\n" ends it.
inline std::string sheet(int width, int height, const std::string& title) {
  std::string all;
  put(all,
      R"(<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d" role="img" )"
      R"(font-family="system-ui, -apple-system, Segoe UI, Helvetica, Arial, sans-serif" font-size="12" fill="#1f2328">)"
      "\n<title>%s</title>\n"
      R"(<rect x="0.5" y="0.5" width="%d" height="%d" rx="10" fill="#ffffff" stroke="#d0d7de"/>)"
      "\n"
      R"(<text x="18" y="28" font-size="15" font-weight="600">%s</text>)"
      "\n",
      width, height, width, height, escaped(title).c_str(), width - 1, height - 1, escaped(title).c_str());
  return all;
}

}  // namespace app::svg

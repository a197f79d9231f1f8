// Times and sizes for people.
#pragma once
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>
#include <utility>

namespace app {

class stopwatch {
 public:
  //! Seconds since the last lap.
  double lap() {
    const auto last = std::exchange(last_, clock::now());
    return std::chrono::duration<double>(last_ - last).count();
  }

 private:
  using clock = std::chrono::steady_clock;
  clock::time_point last_ = clock::now();
};

inline std::string decimal(double x, int digits, const char* unit) {
  char text[64];
  std::snprintf(text, sizeof text, "%.*f %s", digits, x, unit);
  return text;
}

//! 1234567 -> 1,234,567
inline std::string grouped(std::int64_t n) {
  std::string digits = std::to_string(n);
  for (auto at = static_cast<std::ptrdiff_t>(digits.size()) - 3; at > (n < 0 ? 1 : 0); at -= 3)
    digits.insert(static_cast<std::size_t>(at), 1, ',');
  return digits;
}

//! The beginning of what somebody wrote, fit for a line of ours.
inline std::string in_quotes(std::string_view text) {
  std::string shown(text.substr(0, 40));
  for (char& c : shown)
    if (c < ' ' || c > '~') c = '?';
  return '"' + shown + (text.size() > 40 ? "...\"" : "\"");
}

//! 0.0123 -> 12.3 ms
inline std::string duration(double seconds) {
  if (seconds >= 1) return decimal(seconds, 2, "s");
  return decimal(seconds * 1e3, seconds >= 0.1 ? 0 : seconds >= 0.01 ? 1 : 2, "ms");
}

//! 8.5 GB/s
inline std::string rate(std::int64_t bytes, double seconds) {
  const double value = seconds > 0 ? static_cast<double>(bytes) / seconds / 1e9 : 0;
  return decimal(value, value >= 100 ? 0 : value >= 1 ? 1 : 3, "GB/s");
}

//! 20.1 Mwords/s
inline std::string rate_of_items(std::int64_t items, double seconds, const std::string& what) {
  const double value = seconds > 0 ? static_cast<double>(items) / seconds / 1e6 : 0;
  return decimal(value, value >= 100 ? 0 : 1, ("M" + what + "/s").c_str());
}

}  // namespace app

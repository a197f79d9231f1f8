// Numbers as text, taken for numbers of every type: they are what the C library reads too, and what was read is written
// again, and read back.
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <string>

#include "apps/common/numbers.hpp"
#include "fuzz.hpp"

namespace {

template <class T>
bool is_same(T a, T b) {
  if constexpr (std::is_floating_point_v<T>)
    if (std::isnan(a) && std::isnan(b)) return true;  // text does not tell one from another
  return std::memcmp(&a, &b, sizeof(T)) == 0;
}
template <class T>
T by_c_library(const std::string& line) {
  if constexpr (std::is_same_v<T, float>) return std::strtof(line.c_str(), nullptr);
  else if constexpr (std::is_same_v<T, double>) return std::strtod(line.c_str(), nullptr);
  else if constexpr (std::is_unsigned_v<T>) return static_cast<T>(std::strtoull(line.c_str(), nullptr, 10));
  else return static_cast<T>(std::strtoll(line.c_str(), nullptr, 10));
}
void read_and_write(std::string_view text, const app::number_type& type) {
  app::numbers in;
  if (!fuzz::reads([&] { in = app::parse_numbers(text, type); })) return;
  const app::file_bytes written =
      fuzz::written([&](app::output_file& out) { app::write_text(out, type, in.data, in.size); });
  const app::numbers again = app::parse_numbers(written.view(), type);
  fuzz::check(again.size == in.size, "there are as many");
  app::with_type(type, [&]<class T>(T) {
    for (upsweep::index_t i = 0; i < in.size;) {
      const std::string line(app::take_line(text));
      if (line.empty()) continue;
      const T number = app::number_at<T>(in.data, i);
      fuzz::check(is_same(number, by_c_library<T>(line)), "it is what the C library reads");
      fuzz::check(is_same(number, app::number_at<T>(again.data, i++)), "it is kept");
    }
  });
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text = fuzz::text(data, size);
  for (const app::number_type& type : app::number_types) read_and_write(text, type);
  (void)app::guess_type(text);
  return 0;
}

// Numbers as text, taken for numbers of every type: what was read is written again, and read back.
#include <cmath>
#include <cstring>

#include "apps/common/numbers.hpp"
#include "fuzz.hpp"

namespace {

template <class T>
void check_same(const app::numbers& a, const app::numbers& b) {
  for (upsweep::index_t i = 0; i < a.size; i++) {
    const T x = app::number_at<T>(a.data, i), y = app::number_at<T>(b.data, i);
    if constexpr (std::is_floating_point_v<T>)
      if (std::isnan(x) && std::isnan(y)) continue;  // text does not tell one from another
    fuzz::check(std::memcmp(&x, &y, sizeof(T)) == 0, "a number is kept");
  }
}
void read_and_write(std::string_view text, const app::number_type& type) {
  app::numbers in;
  if (!fuzz::reads([&] { in = app::parse_numbers(text, type); })) return;
  const app::file_bytes written =
      fuzz::written([&](app::output_file& out) { app::write_text(out, type, in.data, in.size); });
  const app::numbers again = app::parse_numbers(written.view(), type);
  fuzz::check(again.size == in.size, "their number is kept");
  app::with_type(type, [&]<class T>(T) { check_same<T>(in, again); });
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text = fuzz::text(data, size);
  for (const app::number_type& type : app::number_types) read_and_write(text, type);
  (void)app::guess_type(text);
  return 0;
}

// NumPy's arrays: what was read is written again, and read back.
#include <cstring>

#include "apps/common/npy.hpp"
#include "fuzz.hpp"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  app::numbers in;
  if (!fuzz::reads([&] { in = app::npy::read(app::file_bytes(fuzz::file_of(data, size))); })) return 0;
  fuzz::check(in.size >= 0 && in.bytes() <= static_cast<std::int64_t>(size), "the file holds them");
  const app::numbers again =
      app::npy::read(fuzz::written([&](app::output_file& out) { app::npy::write(out, *in.type, in.data, in.size); }));
  fuzz::check(again.type == in.type && again.size == in.size, "type and size are kept");
  fuzz::check(in.size == 0 || std::memcmp(again.data, in.data, static_cast<std::size_t>(in.bytes())) == 0,
              "the numbers are kept");
  return 0;
}

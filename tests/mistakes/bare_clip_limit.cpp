// says: these arguments do not fit clahe(executor, in, out, {.clip_limit = 40
#include <cstdint>
#include <vector>

#include <upsweep/clahe.hpp>

int main() {
  upsweep::host exec;
  const std::vector<std::uint8_t> in(64);
  std::vector<std::uint8_t> out(64);
  upsweep::clahe(exec, upsweep::image(in, {.width = 8, .height = 8}), out, 2.0);
}

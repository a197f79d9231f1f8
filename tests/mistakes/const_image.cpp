// says: out is const, but it is written
#include <cstdint>
#include <vector>

#include <upsweep/equalize.hpp>

int main() {
  upsweep::host exec;
  const std::vector<std::uint8_t> in(64), out(64);
  upsweep::equalize_histogram(exec, in, upsweep::image(out, {.width = 8, .height = 8}));
}

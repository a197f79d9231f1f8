// says: these arguments do not fit image(range, {.width = 640, .height = 480})
#include <cstdint>
#include <vector>

#include <upsweep/image.hpp>

int main() {
  const std::vector<std::uint8_t> bytes(64);
  const auto picture = upsweep::image(bytes, 8, 8);
  static_cast<void>(picture);
}

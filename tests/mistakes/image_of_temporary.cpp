// says: image() would refer to a temporary
#include <cstdint>
#include <vector>

#include <upsweep/image.hpp>

int main() {
  const auto picture = upsweep::image(std::vector<std::uint8_t>(64), {.width = 8, .height = 8});
  static_cast<void>(picture);
}

// JPEG files. Levels change a little when they are written.
#include "image.hpp"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::read_and_write_image("it.jpg", false, fuzz::text(data, size));
  return 0;
}

// PGM and PPM files: grey or colour by the second byte.
#include "image.hpp"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view file = fuzz::text(data, size);
  const bool has_colour = file.starts_with("P3") || file.starts_with("P6");
  fuzz::read_and_write_image(has_colour ? "it.ppm" : "it.pgm", true, file);
  return 0;
}

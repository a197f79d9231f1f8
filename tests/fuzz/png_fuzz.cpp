// PNG files. Every chunk ends in a checksum, which bytes that are changed at random do not match: so libpng would see
// little of what libFuzzer tries. The mutator puts the checksums right in most of its files.
#include <algorithm>
#include <random>

#include <zlib.h>

#include "image.hpp"

namespace {

constexpr std::size_t signature = 8, head = 8, tail = 4;  // length and name; checksum

std::size_t big_endian(const std::uint8_t* at) {
  return std::size_t{at[0]} << 24 | std::size_t{at[1]} << 16 | std::size_t{at[2]} << 8 | at[3];
}
void put_checksums_right(std::uint8_t* file, std::size_t size) {
  for (std::size_t at = signature; at + head + tail <= size;) {
    const std::size_t length = std::min(big_endian(file + at), size - at - head - tail);
    const auto sum = crc32(0, file + at + 4, static_cast<uInt>(length + 4));
    at += head + length + tail;
    for (std::size_t i = 0; i < tail; i++) file[at - 1 - i] = static_cast<std::uint8_t>(sum >> (8 * i));
  }
}

}  // namespace

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);
extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t most, unsigned seed) {
  size = LLVMFuzzerMutate(data, size, most);
  if (std::minstd_rand(seed)() % 16 != 0) put_checksums_right(data, size);
  return size;
}

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::read_and_write_image("it.png", true, fuzz::text(data, size));
  return 0;
}

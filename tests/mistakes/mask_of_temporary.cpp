// says: masked() would refer to a temporary
#include <cstdint>
#include <vector>

#include <upsweep/image.hpp>

int main() {
  const std::vector<std::uint8_t> in(64);
  const auto some = upsweep::masked(in, std::vector<std::uint8_t>(64));
  static_cast<void>(some);
}

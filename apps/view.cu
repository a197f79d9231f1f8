// The device functions of view's own, for a program that is linked with the library.
#include "common/map_sweeps.hpp"

namespace app {

std::int64_t highest_place(device_stream there, std::span<const std::uint16_t> heights) {
  return highest_place(device_on(there), heights);
}
std::int64_t count_seen(device_stream there, std::span<const std::uint8_t> visible) {
  return count_seen(device_on(there), visible);
}

}  // namespace app

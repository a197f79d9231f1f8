// The device functions of equalize's own, for a program that is linked with the library.
#include <cstdint>

#include "common/luma_sweeps.hpp"

namespace app {

template <class P>
void take_luma(device_stream there, std::span<const P> pixels, std::span<level_t<P>> luma) {
  take_luma(device_on(there), pixels, luma);
}
template <class P>
void put_luma(device_stream there, std::span<const P> pixels, std::span<const level_t<P>> luma, std::span<P> out) {
  put_luma(device_on(there), pixels, luma, out);
}

#define APP_PIXEL(T, Channels)                                                                          \
  template void take_luma(device_stream, std::span<const colour_pixel<T, Channels>>, std::span<T>);     \
  template void put_luma(device_stream, std::span<const colour_pixel<T, Channels>>, std::span<const T>, \
                         std::span<colour_pixel<T, Channels>>);
APP_PIXEL(std::uint8_t, 3)
APP_PIXEL(std::uint8_t, 4)
APP_PIXEL(std::uint16_t, 3)
APP_PIXEL(std::uint16_t, 4)

}  // namespace app

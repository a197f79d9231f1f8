// The device function of spmv's own, for a program that is linked with the library.
#include "common/own_device.hpp"
#include "common/rounding.hpp"

void app::round_numbers(device_stream there, std::span<const double> from, std::span<float> to) {
  round_numbers(device_on(there), from, to);
}

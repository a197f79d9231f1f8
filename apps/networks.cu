// The kernels of networks' own, for a program that is linked with the library.
#include "common/network_cycles.hpp"

app::measured_cycles app::measure_cycles(device_stream there, const std::vector<warp_network>& networks) {
  return measure_cycles(device_on(there), networks);
}

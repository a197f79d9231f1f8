// Prefix networks of 32 values as the lanes of a warp see them, and what a GPU takes for them.
#pragma once
#include <string>
#include <vector>

#include "own_device.hpp"

namespace app {

inline constexpr int warp_size = 32;

struct warp_network {
  std::string name;
  std::vector<int> sources;  // of each row the lane that each lane reads, or -1 where it takes no part
  bool by_distance = false;  // Kogge's and Stone's, with the distances in the instructions
};

//! Of one scan: from its input to its output, and of a quarter of an SM that has many to do.
struct scan_cycles {
  double latency, throughput;
};
struct network_cycles {
  scan_cycles of_sums, of_maps;
};
struct measured_cycles {
  std::string gpu;
  std::vector<network_cycles> networks;
};
// Each network's, of sums and of affine maps, whose order matters. Throws std::runtime_error when a prefix is not a
// serial loop's. What nvcc compiles has it in network_cycles.hpp.
measured_cycles measure_cycles(device_stream there, const std::vector<warp_network>& networks);  // networks.cu

}  // namespace app

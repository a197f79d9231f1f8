// The sweeps of pagerank's own, for a program that is linked with the library.
#include "common/own_device.hpp"
#include "common/rank_sweeps.hpp"

namespace app {

void share_out_ranks(device_stream there, std::span<const std::int32_t> columns, std::span<double> shares,
                     const double* degrees) {
  share_out_ranks(device_on(there), columns, shares, degrees);
}
double kept_rank(device_stream there, std::span<const double> ranks, std::span<const double> degrees) {
  return kept_rank(device_on(there), ranks, degrees);
}
rank_sums next_ranks(device_stream there, std::span<const double> handed_on, std::span<const double> degrees,
                     double everywhere, std::span<double> ranks) {
  return next_ranks(device_on(there), handed_on, degrees, everywhere, ranks);
}

}  // namespace app

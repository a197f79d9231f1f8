// The device functions of banks' own, for a program that is linked with the library.
#include "common/pattern_scans.hpp"
#include "common/pattern_timings.hpp"

namespace app {

void scan_by_pattern(device_stream there, const pattern_scan& scan) {
  const auto which = scan.inclusive ? classic::prefixes::inclusive : classic::prefixes::exclusive;
  const auto by = [&]<class M>(const M& m) {
    using V = typename M::value_type;
    scan_by_pattern(device_on(there), scan.pattern, std::span(static_cast<const V*>(scan.in), scan.size),
                    std::span(static_cast<V*>(scan.out), scan.size), m, which);
  };
  if (scan.composes) by(upsweep::affine<std::uint32_t>{});
  else by(upsweep::plus<std::uint32_t>{});
}
std::vector<log_log_panel> measured_panels(device_stream there) { return measured_panels(device_on(there)); }

}  // namespace app

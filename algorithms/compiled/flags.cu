// Reductions of flags: bytes that are 0 or not.
#include "scan_unit.hpp"
#include "segments_unit.hpp"

namespace UPSWEEP_NAMESPACE::compiled {
template void reduce_items<std::uint8_t>(device&, const upsweep_input&, int, void*);
template void reduce_segments<std::uint8_t>(device&, const upsweep_input&, const upsweep_input&, const upsweep_output&,
                                            int);
template void reduce_runs<std::uint8_t>(const runs_request&);
}  // namespace UPSWEEP_NAMESPACE::compiled

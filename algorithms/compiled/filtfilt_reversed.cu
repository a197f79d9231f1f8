// The passes of filtfilt, back.
#include "filter_instances.hpp"

namespace UPSWEEP_NAMESPACE::detail {
UPSWEEP_FILTER_UNIT_SETTLED(template, reversed_t)
}  // namespace UPSWEEP_NAMESPACE::detail

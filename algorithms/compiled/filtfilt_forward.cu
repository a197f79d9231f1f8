// The passes of filtfilt, forth.
#include "filter_instances.hpp"

namespace UPSWEEP_NAMESPACE::detail {
UPSWEEP_FILTER_UNIT_SETTLED(template, forward_t)
}  // namespace UPSWEEP_NAMESPACE::detail

#include "../filter_instances.hpp"

namespace upsweep::inline UPSWEEP_ABI::detail {
UPSWEEP_TEST_FILTERS(template, host)
#if UPSWEEP_HAS_CUDA
UPSWEEP_TEST_FILTERS(template, device)
#endif
}  // namespace upsweep::inline UPSWEEP_ABI::detail

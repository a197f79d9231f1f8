#include "../filter_instances.hpp"

namespace UPSWEEP_NAMESPACE::detail {
UPSWEEP_TEST_FILTERS(template, host)
#if UPSWEEP_HAS_CUDA
UPSWEEP_TEST_FILTERS(template, device)
#endif
}  // namespace UPSWEEP_NAMESPACE::detail

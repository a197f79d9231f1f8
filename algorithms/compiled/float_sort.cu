// The instances of floats in the order of < or >, to which both zeros are one number.
#include "radix_sort_unit.hpp"

namespace UPSWEEP_NAMESPACE::compiled {
template void sort_floats<float>(const sort_request&);
template void sort_floats<double>(const sort_request&);
}  // namespace UPSWEEP_NAMESPACE::compiled

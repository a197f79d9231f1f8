// The histograms of items of 8 and 16 bits.
#include "histogram_unit.hpp"

namespace UPSWEEP_NAMESPACE::compiled {
#define UPSWEEP_ROW(type, name, code)                                                 \
  template void count_even<type>(const histogram_request&, const void*, const void*); \
  template void count_between<type>(const histogram_request&, const void*);
UPSWEEP_LIBRARY_SMALL_TYPES(UPSWEEP_ROW)
#undef UPSWEEP_ROW
template void count_levels<std::uint8_t>(const histogram_request&);
template void count_levels<std::uint16_t>(const histogram_request&);
}  // namespace UPSWEEP_NAMESPACE::compiled

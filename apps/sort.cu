// The device functions of sort's own, for a program that is linked with the library.
#include "common/sort_sweeps.hpp"

namespace app {

template <class U>
void quicksort_bits(device_stream there, std::span<U> numbers, const comes_before<U>& less) {
  quicksort_bits(device_on(there), numbers, less);
}
template void quicksort_bits(device_stream, std::span<std::uint32_t>, const comes_before<std::uint32_t>&);
template void quicksort_bits(device_stream, std::span<std::uint64_t>, const comes_before<std::uint64_t>&);

void split_segments(device_stream there, std::span<const std::uint64_t> keys, std::span<const std::int64_t> offsets,
                    const std::uint64_t* limits, std::span<std::uint64_t> out, std::span<std::int64_t> splits) {
  split_segments(device_on(there), keys, offsets, limits, out, splits);
}
void pick_keys(device_stream there, const std::uint64_t* keys, std::span<const std::int64_t> positions,
               std::span<std::uint64_t> found) {
  pick_keys(device_on(there), keys, positions, found);
}

}  // namespace app

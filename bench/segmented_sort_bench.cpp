// segmented_radix_sort: segments of 1 to 199 keys, and of up to 2^21.
#include <algorithm>

#include <upsweep/radix_sort.hpp>

#include "harness.hpp"
#if UPSWEEP_HAS_CUDA
#include <cub/device/device_segmented_sort.cuh>
#endif

namespace bench {
namespace {

using Key = std::uint32_t;

//! Sorts each segment.
contender peer_of_sort([[maybe_unused]] bed& b, std::span<const Key> in, std::span<const int> offsets,
                       std::span<Key> out) {
#if UPSWEEP_HAS_CUDA
  return cub_call(b, "DeviceSegmentedSort::SortKeys", [=](void* storage, std::size_t& bytes, cudaStream_t stream) {
    return cub::DeviceSegmentedSort::SortKeys(storage, bytes, in.data(), out.data(), static_cast<index_t>(in.size()),
                                              static_cast<index_t>(offsets.size() - 1), offsets.data(),
                                              offsets.data() + 1, stream);
  });
#else
  return {"copy and std::sort", [=] {
            std::copy(in.begin(), in.end(), out.begin());
            for (std::size_t s = 0; s + 1 < offsets.size(); s++)
              std::sort(out.begin() + offsets[s], out.begin() + offsets[s + 1]);
          }};
#endif
}

// Each key is read and written at least once.
template <int MeanLength>
trial sort_segments(bed& b, index_t n, std::uint64_t seed) {
  const random_segments segments{seed, MeanLength};
  const std::span<const int> offsets = b.filled<int>(segments.count(n) + 1, offsets_of{segments, n});
  const std::span<const Key> in = b.filled<Key>(n, uniform<Key>{seed});
  const auto out = b.room<Key>(n), expected = b.room<Key>(n);
  return {.ours = [=, &b] { upsweep::segmented_radix_sort(b.exec, in, offsets, out); },
          .peers = {peer_of_sort(b, in, offsets, expected)},
          .bytes = [=] { return 8.0 * static_cast<double>(n); },
          .check = [=, &b] { return compare(b, out, expected, n); }};
}

constexpr int most = UPSWEEP_HAS_CUDA ? 26 : 24 - bed::shift;

const bool rows = more("segmented_radix_sort/uint32_of_100", sort_segments<100>, most) &&
                  more("segmented_radix_sort/uint32_of_1048576", sort_segments<1 << 20>, most);

}  // namespace
}  // namespace bench

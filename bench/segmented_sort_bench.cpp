// segmented_radix_sort: segments of random lengths about a mean, of 5 to 2^20. Bytes are one read and one write of all.
#include <upsweep/radix_sort.hpp>

#include "sort_pairs.hpp"
#if UPSWEEP_HAS_CUDA
#include <cub/device/device_segmented_sort.cuh>
#endif

namespace bench {
namespace {

#if UPSWEEP_HAS_CUDA
//! What sorts each segment by a call of its own, where they are few.
template <class Key>
contender sort_by_sort(bed& b, std::span<const Key> in, std::span<const int> offsets, std::span<Key> out) {
  constexpr int bits = 8 * sizeof(Key);
  const std::vector<int> starts = fetched(b, offsets);
  return cub_call(b, "DeviceRadixSort::SortKeys for each segment",
                  [=](void* storage, std::size_t& bytes, cudaStream_t stream) {
                    if (!storage)
                      return cub::DeviceRadixSort::SortKeys(storage, bytes, in.data(), out.data(),
                                                            static_cast<int>(in.size()), 0, bits, stream);
                    for (std::size_t s = 0; s + 1 < starts.size(); s++) {
                      const int length = starts[s + 1] - starts[s];
                      const cudaError_t error = cub::DeviceRadixSort::SortKeys(
                          storage, bytes, in.data() + starts[s], out.data() + starts[s], length, 0, bits, stream);
                      if (error != cudaSuccess) return error;
                    }
                    return cudaSuccess;
                  });
}
#endif

template <class Key>
std::vector<contender> peers_of(bed& b, std::span<const Key> in, std::span<const int> offsets, std::span<Key> out) {
#if UPSWEEP_HAS_CUDA
  std::vector<contender> peers{
      cub_call(b, "DeviceSegmentedSort::SortKeys", [=](void* storage, std::size_t& bytes, cudaStream_t stream) {
        return cub::DeviceSegmentedSort::SortKeys(
            storage, bytes, in.data(), out.data(), static_cast<index_t>(in.size()),
            static_cast<index_t>(offsets.size() - 1), offsets.data(), offsets.data() + 1, stream);
      })};
  if (offsets.size() < 1000) peers.push_back(sort_by_sort(b, in, offsets, out));
  return peers;
#else
  return sorts_of_a_copy(peers::sorts_of_segments(b.exec.threads(), offsets), in, out, static_cast<index_t>(in.size()));
#endif
}

template <int MeanLength, class Key = std::uint32_t>
trial sort_segments(bed& b, index_t n, std::uint64_t seed) {
  const random_segments segments{seed, MeanLength};
  const std::span<const int> offsets = b.filled<int>(segments.count(n) + 1, offsets_of{segments, n});
  const std::span<const Key> in = b.filled<Key>(n, uniform<Key>{seed});
  const auto out = b.room<Key>(n), expected = b.room<Key>(n);
  return {.ours = [=, &b] { upsweep::segmented_radix_sort(b.exec, in, offsets, out); },
          .peers = peers_of<Key>(b, in, offsets, expected),
          .bytes = [=] { return 2.0 * static_cast<double>(in.size_bytes()); },
          .check = [=, &b] { return compare(b, out, expected, n); }};
}

constexpr int most = UPSWEEP_HAS_CUDA ? 26 : 24 - bed::shift;

const bool rows = more("segmented_radix_sort/uint32_of_10", sort_segments<10>, most) &&
                  more("segmented_radix_sort/uint32_of_100", sort_segments<100>, most) &&
                  more("segmented_radix_sort/uint32_of_3000", sort_segments<3000>, most) &&
                  more("segmented_radix_sort/uint32_of_1048576", sort_segments<1 << 20>, most);

#if UPSWEEP_HAS_CUDA
template <int MeanLength, class Key, class Payload>
trial sort_segments_of_pairs(bed& b, index_t n, std::uint64_t seed) {
  const random_segments segments{seed, MeanLength};
  const std::span<const int> offsets = b.filled<int>(segments.count(n) + 1, offsets_of{segments, n});
  const std::span<const Key> in = b.filled<Key>(n, uniform<Key>{seed});
  const std::span<const Payload> values = b.filled<Payload>(n, uniform<Payload>{~seed});
  const auto out = b.room<Key>(n), expected = b.room<Key>(n);
  const auto moved = b.room<Payload>(n), expected_values = b.room<Payload>(n);
  return {.ours = [=, &b] { upsweep::segmented_radix_sort_by_key(b.exec, in, values, offsets, out, moved); },
          .peers = {cub_call(b, "DeviceSegmentedSort::StableSortPairs",
                             [=](void* storage, std::size_t& bytes, cudaStream_t stream) {
                               return cub::DeviceSegmentedSort::StableSortPairs(
                                   storage, bytes, in.data(), expected.data(), values.data(), expected_values.data(), n,
                                   static_cast<index_t>(offsets.size() - 1), offsets.data(), offsets.data() + 1,
                                   stream);
                             })},
          .bytes = [=] { return 2.0 * static_cast<double>(in.size_bytes() + values.size_bytes()); },
          .check = [=, &b] { return compare_pairs(b, out, expected, moved, expected_values); }};
}

// The neighbours: on both sides of where a CTA's way of sorting changes, other keys, pairs.
const bool rows_of_gpu = more("segmented_radix_sort/uint32_of_5", sort_segments<5>, most) &&
                         more("segmented_radix_sort/uint32_of_15", sort_segments<15>, most) &&
                         more("segmented_radix_sort/uint32_of_20", sort_segments<20>, most) &&
                         more("segmented_radix_sort/uint32_of_30", sort_segments<30>, most) &&
                         more("segmented_radix_sort/uint8_of_10", sort_segments<10, std::uint8_t>, most) &&
                         more("segmented_radix_sort/uint64_of_10", sort_segments<10, std::uint64_t>, most - 1) &&
                         more("segmented_radix_sort_by_key/uint32_uint32_of_10",
                              sort_segments_of_pairs<10, std::uint32_t, std::uint32_t>, most - 1) &&
                         more("segmented_radix_sort_by_key/uint32_uint32_of_30",
                              sort_segments_of_pairs<30, std::uint32_t, std::uint32_t>, most - 1) &&
                         more("segmented_radix_sort_by_key/uint16_uint32_of_10",
                              sort_segments_of_pairs<10, std::uint16_t, std::uint32_t>, most - 1);
#endif

}  // namespace
}  // namespace bench

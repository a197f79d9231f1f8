// Segmented scans: by byte heads, by keys, by offsets.
#include <upsweep/scan.hpp>
#include <upsweep/segments.hpp>

#include "harness.hpp"
#if UPSWEEP_HAS_CUDA
#include <cub/device/device_scan.cuh>
#else
#include "host_peers.hpp"
#endif

namespace bench {
namespace {

constexpr int mean_length = 100;  // of a segment

// Scans by heads and by offsets have no call in CUB: its users give every segment a key of its own.
template <class T>
std::vector<contender> peers_by_key([[maybe_unused]] bed& b, std::span<const int> keys, std::span<const T> in,
                                    std::span<T> out) {
#if UPSWEEP_HAS_CUDA
  return cub_calls(b, "DeviceScan::InclusiveSumByKey", static_cast<index_t>(in.size()),
                   [=](void* storage, std::size_t& bytes, auto n, cudaStream_t stream) {
                     return cub::DeviceScan::InclusiveSumByKey(storage, bytes, keys.data(), in.data(), out.data(), n,
                                                               cuda::std::equal_to<>{}, stream);
                   });
#else
  return serial_loop([=] { peers::sum_by_key<T>(keys, in, out); });
#endif
}

template <class T = int>
trial by_key(bed& b, index_t n, std::uint64_t seed) {
  const auto keys = b.filled<int>(n, keys_of<int>{{seed, mean_length}});
  const auto in = b.filled<T>(n, uniform<T>{~seed});
  const auto out = b.room<T>(n), expected = b.room<T>(n);
  return {.ours = [=, &b] { upsweep::inclusive_scan_by_key(b.exec, keys, in, out); },
          .peers = peers_by_key<T>(b, keys, in, expected),
          .bytes = [=] { return static_cast<double>(keys.size_bytes() + in.size_bytes() + out.size_bytes()); },
          .check = [=, &b] { return compare(b, out, expected, n); }};
}

trial by_heads(bed& b, index_t n, std::uint64_t seed) {
  const auto heads = b.filled<std::uint8_t>(n, heads_of{{seed, mean_length}});
  const auto in = b.filled<int>(n, uniform<int>{~seed});
  const auto out = b.room<int>(n), expected = b.room<int>(n);
#if UPSWEEP_HAS_CUDA
  const auto keys = b.filled<int>(n, keys_of<int>{{seed, mean_length}});
  const auto peers = composed(peers_by_key<int>(b, keys, in, expected));
#else
  const auto peers = serial_loop([=] { peers::sum_by_heads(heads, in, expected); });
#endif
  return {.ours = [=, &b] { upsweep::inclusive_segmented_scan(b.exec, in, upsweep::heads(heads), out); },
          .peers = peers,
          .bytes = [=] { return 9.0 * static_cast<double>(n); },
          .check = [=, &b] { return compare(b, out, expected, n); }};
}

template <int Mean>
trial by_offsets(bed& b, index_t n, std::uint64_t seed) {
  const random_segments segments{seed, Mean};
  const auto offsets = b.filled<int>(segments.count(n) + 1, offsets_of{segments, n});
  const auto keys = b.filled<int>(n, keys_of<int>{segments}), in = b.filled<int>(n, uniform<int>{~seed});
  const auto out = b.room<int>(n), expected = b.room<int>(n);
#if UPSWEEP_HAS_CUDA
  const auto peers = composed(peers_by_key<int>(b, keys, in, expected));
#else
  const auto peers = peers_by_key<int>(b, keys, in, expected);
#endif
  return {.ours = [=, &b] { upsweep::inclusive_segmented_scan(b.exec, in, upsweep::offsets(offsets), out); },
          .peers = peers,
          .bytes = [=] { return 8.0 * static_cast<double>(n) + static_cast<double>(offsets.size_bytes()); },
          .check = [=, &b] { return compare(b, out, expected, n); }};
}

const bool rows = large("segmented_sum/int32_heads", by_heads, 28) && large("sum_by_key/int32", by_key<>, 28) &&
                  more("segmented_sum/int32_offsets_of_10", by_offsets<10>, 28) &&
                  more("segmented_sum/int32_offsets", by_offsets<mean_length>, 28) &&
                  more("segmented_sum/int32_offsets_of_10000", by_offsets<10000>, 28) &&
                  more("sum_by_key/int32_misaligned", off_by_one(by_key<>), 28) &&
                  more("sum_by_key/int32_odd_size", of_odd_size(by_key<>), 28) &&
                  more("sum_by_key/float64", by_key<double>, 27) && sizes("sum_by_key/int32", by_key<>);

}  // namespace
}  // namespace bench

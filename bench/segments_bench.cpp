// Segmented scans: by byte heads, by keys, by offsets.
#include <upsweep/scan.hpp>
#include <upsweep/segments.hpp>

#include "harness.hpp"
#if UPSWEEP_HAS_CUDA
#include <cub/device/device_scan.cuh>
#endif

namespace bench {
namespace {

constexpr int mean_length = 100;  // of a segment

// Scans by heads and by offsets have no call in CUB: its users give every segment a key of its own.
contender peer_by_key([[maybe_unused]] bed& b, std::span<const int> keys, std::span<const int> in, std::span<int> out) {
#if UPSWEEP_HAS_CUDA
  return cub_call(b, "DeviceScan::InclusiveSumByKey", [=](void* storage, std::size_t& bytes, cudaStream_t stream) {
    return cub::DeviceScan::InclusiveSumByKey(storage, bytes, keys.data(), in.data(), out.data(),
                                              static_cast<int>(in.size()), cuda::std::equal_to<>{}, stream);
  });
#else
  return {"a serial loop", [=] {
            const upsweep::plus<int> plus;
            int sum = 0;
            for (std::size_t i = 0; i < in.size(); i++)
              out[i] = sum = i > 0 && keys[i] == keys[i - 1] ? plus(sum, in[i]) : in[i];
          }};
#endif
}

trial by_key(bed& b, index_t n, std::uint64_t seed) {
  const auto keys = b.filled<int>(n, keys_of{{seed, mean_length}}), in = b.filled<int>(n, uniform<int>{~seed});
  const auto out = b.room<int>(n), expected = b.room<int>(n);
  return {.ours = [=, &b] { upsweep::inclusive_scan_by_key(b.exec, keys, in, out); },
          .peers = {peer_by_key(b, keys, in, expected)},
          .bytes = [=] { return 12.0 * static_cast<double>(n); },
          .check = [=, &b] { return compare(b, out, expected, n); }};
}

trial by_heads(bed& b, index_t n, std::uint64_t seed) {
  const auto heads = b.filled<std::uint8_t>(n, heads_of{{seed, mean_length}});
  const auto keys = b.filled<int>(n, keys_of{{seed, mean_length}}), in = b.filled<int>(n, uniform<int>{~seed});
  const auto out = b.room<int>(n), expected = b.room<int>(n);
#if UPSWEEP_HAS_CUDA
  contender peer = peer_by_key(b, keys, in, expected);
#else
  contender peer{"a serial loop", [=] {
                   const upsweep::plus<int> plus;
                   int sum = 0;
                   for (std::size_t i = 0; i < in.size(); i++) expected[i] = sum = heads[i] ? in[i] : plus(sum, in[i]);
                 }};
#endif
  return {.ours = [=, &b] { upsweep::inclusive_segmented_scan(b.exec, in, upsweep::heads(heads), out); },
          .peers = {peer},
          .bytes = [=] { return 9.0 * static_cast<double>(n); },
          .check = [=, &b] { return compare(b, out, expected, n); }};
}

trial by_offsets(bed& b, index_t n, std::uint64_t seed) {
  const random_segments segments{seed, mean_length};
  const auto offsets = b.filled<int>(segments.count(n) + 1, offsets_of{segments, n});
  const auto keys = b.filled<int>(n, keys_of{segments}), in = b.filled<int>(n, uniform<int>{~seed});
  const auto out = b.room<int>(n), expected = b.room<int>(n);
  return {.ours = [=, &b] { upsweep::inclusive_segmented_scan(b.exec, in, upsweep::offsets(offsets), out); },
          .peers = {peer_by_key(b, keys, in, expected)},
          .bytes = [=] { return 8.0 * static_cast<double>(n) + static_cast<double>(offsets.size_bytes()); },
          .check = [=, &b] { return compare(b, out, expected, n); }};
}

const bool rows = large("segmented_sum/int32_heads", by_heads, 28) && large("sum_by_key/int32", by_key, 28) &&
                  more("segmented_sum/int32_offsets", by_offsets, 28);

}  // namespace
}  // namespace bench

// inclusive_scan and exclusive_scan: sums over types, directions, rows, misaligned memory.
#include <numeric>

#include <upsweep/scan.hpp>

#include "harness.hpp"
#if UPSWEEP_HAS_CUDA
#include <cub/device/device_scan.cuh>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/reverse_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#else
#include "host_peers.hpp"
#endif

namespace bench {
namespace {

constexpr index_t row_length = 1000;

struct row_of {
  UPSWEEP_HD int operator()(int i) const { return i / static_cast<int>(row_length); }
};

template <class T>
std::vector<contender> inclusive_peers(bed& b, std::span<const T> in, std::span<T> out) {
#if UPSWEEP_HAS_CUDA
  return {cub_call(b, "DeviceScan::InclusiveSum", [=](void* storage, std::size_t& bytes, cudaStream_t stream) {
    return cub::DeviceScan::InclusiveSum(storage, bytes, in.data(), out.data(), static_cast<int>(in.size()), stream);
  })};
#else
  return serial_and_parallel(b, "std::inclusive_scan", [=](auto... policy) {
    std::inclusive_scan(policy..., in.begin(), in.end(), out.begin(), upsweep::plus<T>{});
  });
#endif
}

template <class T>
trial inclusive_between(bed& b, std::span<const T> in, std::span<T> out, std::span<T> expected) {
  return {.ours = [&b, in, out] { upsweep::inclusive_scan(b.exec, in, out); },
          .peers = inclusive_peers(b, in, expected),
          .bytes = [=] { return 2.0 * static_cast<double>(in.size_bytes()); },
          .check = [=, &b] { return compare(b, out, expected, static_cast<index_t>(in.size())); }};
}
template <class T>
trial inclusive_sum(bed& b, index_t n, std::uint64_t seed) {
  return inclusive_between<T>(b, b.filled<T>(n, uniform<T>{seed}), b.room<T>(n), b.room<T>(n));
}
// Views that start one item into their memory: no 16-byte access is aligned, and in and out are not so in the same way.
trial inclusive_sum_misaligned(bed& b, index_t n, std::uint64_t seed) {
  const auto in = b.filled<int>(n + 1, uniform<int>{seed}), out = b.room<int>(n + 2), expected = b.room<int>(n + 2);
  return inclusive_between<int>(b, in.subspan(1), out.subspan(2), expected.subspan(2));
}

template <class T>
trial exclusive_sum(bed& b, index_t n, std::uint64_t seed) {
  const auto in = b.filled<T>(n, uniform<T>{seed}), out = b.template room<T>(n), expected = b.template room<T>(n);
#if UPSWEEP_HAS_CUDA
  std::vector<contender> peers{
      cub_call(b, "DeviceScan::ExclusiveSum", [=](void* storage, std::size_t& bytes, cudaStream_t stream) {
        return cub::DeviceScan::ExclusiveSum(storage, bytes, in.data(), expected.data(), static_cast<int>(n), stream);
      })};
#else
  std::vector<contender> peers = serial_and_parallel(b, "std::exclusive_scan", [=](auto... policy) {
    std::exclusive_scan(policy..., in.begin(), in.end(), expected.begin(), T{}, upsweep::plus<T>{});
  });
#endif
  return {.ours = [=, &b] { upsweep::exclusive_scan(b.exec, in, out); },
          .peers = peers,
          .bytes = [=] { return 2.0 * static_cast<double>(in.size_bytes()); },
          .check = [=, &b] { return compare(b, out, expected, n); }};
}

trial reversed_sum(bed& b, index_t n, std::uint64_t seed) {
  const auto in = b.filled<int>(n, uniform<int>{seed}), out = b.room<int>(n), expected = b.room<int>(n);
#if UPSWEEP_HAS_CUDA
  const auto from = thrust::make_reverse_iterator(in.data() + n);
  const auto to = thrust::make_reverse_iterator(expected.data() + n);
  contender peer = cub_call(
      b, "DeviceScan::InclusiveSum (reverse iterators)", [=](void* storage, std::size_t& bytes, cudaStream_t stream) {
        return cub::DeviceScan::InclusiveSum(storage, bytes, from, to, static_cast<int>(n), stream);
      });
#else
  contender peer{"std::inclusive_scan (reverse iterators)",
                 [=] { std::inclusive_scan(in.rbegin(), in.rend(), expected.rbegin(), upsweep::plus<int>{}); }};
#endif
  return {.ours = [=, &b] { upsweep::inclusive_scan(b.exec, in, out, upsweep::plus<int>{}, upsweep::reversed); },
          .peers = {peer},
          .bytes = [=] { return 8.0 * static_cast<double>(n); },
          .check = [=, &b] { return compare(b, out, expected, n); }};
}

trial row_sums(bed& b, index_t items, std::uint64_t seed) {
  const index_t n = items / row_length * row_length;
  const auto in = b.filled<int>(n, uniform<int>{seed}), out = b.room<int>(n), expected = b.room<int>(n);
#if UPSWEEP_HAS_CUDA
  const auto rows = thrust::make_transform_iterator(thrust::make_counting_iterator(0), row_of{});
  contender peer = cub_call(
      b, "DeviceScan::InclusiveSumByKey (computed keys)", [=](void* storage, std::size_t& bytes, cudaStream_t stream) {
        return cub::DeviceScan::InclusiveSumByKey(storage, bytes, rows, in.data(), expected.data(), static_cast<int>(n),
                                                  cuda::std::equal_to<>{}, stream);
      });
#else
  contender peer{"std::inclusive_scan of each row", [=] {
                   for (auto row = in.begin(), to = expected.begin(); row != in.end();
                        row += row_length, to += row_length)
                     std::inclusive_scan(row, row + row_length, to, upsweep::plus<int>{});
                 }};
#endif
  return {
      .ours = [=, &b] { upsweep::inclusive_scan(b.exec, in, out, upsweep::plus<int>{}, upsweep::rows(row_length)); },
      .peers = {peer},
      .bytes = [=] { return 8.0 * static_cast<double>(n); },
      .check = [=, &b] { return compare(b, out, expected, n); }};
}

const bool rows = large("inclusive_sum/int32", inclusive_sum<std::int32_t>, 28) &&
                  large("inclusive_sum/float32", inclusive_sum<float>, 28) &&
                  large("exclusive_sum/int32", exclusive_sum<std::int32_t>, 28) &&
                  large("exclusive_sum/float32", exclusive_sum<float>, 28) &&
                  large("inclusive_sum/int64", inclusive_sum<std::int64_t>, 27) &&
                  large("inclusive_sum/float64", inclusive_sum<double>, 27) &&
                  large("inclusive_sum/uint8", inclusive_sum<std::uint8_t>, 28) &&
                  large("inclusive_sum/int16", inclusive_sum<std::int16_t>, 28) &&
                  more("inclusive_sum/int32_misaligned", inclusive_sum_misaligned, 28) &&
                  more("inclusive_sum/int32_reversed", reversed_sum, 28) &&
                  more("inclusive_sum/int32_rows_of_1000", row_sums, 28) &&
                  sizes("inclusive_sum/int32", inclusive_sum<std::int32_t>);

}  // namespace
}  // namespace bench

// inclusive_scan and exclusive_scan: sums over types, directions, rows, misaligned memory, a size that is no power of
// two.
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
  return cub_calls(b, "DeviceScan::InclusiveSum", static_cast<index_t>(in.size()),
                   [=](void* storage, std::size_t& bytes, auto n, cudaStream_t stream) {
                     return cub::DeviceScan::InclusiveSum(storage, bytes, in.data(), out.data(), n, stream);
                   });
#else
  return serial_and_parallel(b, "std::inclusive_scan", [=](peers::way way) { peers::inclusive_sum<T>(way, in, out); });
#endif
}

template <class T>
trial inclusive_sum(bed& b, index_t n, std::uint64_t seed) {
  const auto in = b.filled<T>(n, uniform<T>{seed}), out = b.template room<T>(n), expected = b.template room<T>(n);
  return {.ours = [=, &b] { upsweep::inclusive_scan(b.exec, in, out); },
          .peers = inclusive_peers<T>(b, in, expected),
          .bytes = [=] { return 2.0 * static_cast<double>(in.size_bytes()); },
          .check = [=, &b] { return compare(b, out, expected, n); },
          .same_bits = std::is_floating_point_v<T>,
          .roughen = [=, &b] { b.fill(in, rounding_numbers<T>(seed)); }};
}

template <class T>
trial exclusive_sum(bed& b, index_t n, std::uint64_t seed) {
  const auto in = b.filled<T>(n, uniform<T>{seed}), out = b.template room<T>(n), expected = b.template room<T>(n);
#if UPSWEEP_HAS_CUDA
  const auto peers = cub_calls(
      b, "DeviceScan::ExclusiveSum", n, [=](void* storage, std::size_t& bytes, auto items, cudaStream_t stream) {
        return cub::DeviceScan::ExclusiveSum(storage, bytes, in.data(), expected.data(), items, stream);
      });
#else
  const auto peers = serial_and_parallel(b, "std::exclusive_scan",
                                         [=](peers::way way) { peers::exclusive_sum<T>(way, in, expected); });
#endif
  return {.ours = [=, &b] { upsweep::exclusive_scan(b.exec, in, out); },
          .peers = peers,
          .bytes = [=] { return 2.0 * static_cast<double>(in.size_bytes()); },
          .check = [=, &b] { return compare(b, out, expected, n); },
          .same_bits = std::is_floating_point_v<T>,
          .roughen = [=, &b] { b.fill(in, rounding_numbers<T>(seed)); }};
}

trial reversed_sum(bed& b, index_t n, std::uint64_t seed) {
  const auto in = b.filled<int>(n, uniform<int>{seed}), out = b.room<int>(n), expected = b.room<int>(n);
#if UPSWEEP_HAS_CUDA
  const auto from = thrust::make_reverse_iterator(in.data() + n);
  const auto to = thrust::make_reverse_iterator(expected.data() + n);
  const auto peers = cub_calls(b, "DeviceScan::InclusiveSum of reverse iterators", n,
                               [=](void* storage, std::size_t& bytes, auto items, cudaStream_t stream) {
                                 return cub::DeviceScan::InclusiveSum(storage, bytes, from, to, items, stream);
                               });
#else
  const std::vector<contender> peers{
      {"std::inclusive_scan of reverse iterators", [=] { peers::reversed_sum(in, expected); }}};
#endif
  return {.ours = [=, &b] { upsweep::inclusive_scan(b.exec, in, out, upsweep::plus<int>{}, upsweep::reversed); },
          .peers = peers,
          .bytes = [=] { return 8.0 * static_cast<double>(n); },
          .check = [=, &b] { return compare(b, out, expected, n); }};
}

trial row_sums(bed& b, index_t items, std::uint64_t seed) {
  const index_t n = items / row_length * row_length;
  const auto in = b.filled<int>(n, uniform<int>{seed}), out = b.room<int>(n), expected = b.room<int>(n);
#if UPSWEEP_HAS_CUDA
  const auto rows = thrust::make_transform_iterator(thrust::make_counting_iterator(0), row_of{});
  const auto peers =
      composed(cub_calls(b, "DeviceScan::InclusiveSumByKey of computed keys", n,
                         [=](void* storage, std::size_t& bytes, auto count, cudaStream_t stream) {
                           return cub::DeviceScan::InclusiveSumByKey(storage, bytes, rows, in.data(), expected.data(),
                                                                     count, cuda::std::equal_to<>{}, stream);
                         }));
#else
  const std::vector<contender> peers{
      {"std::inclusive_scan of each row", [=] { peers::sum_of_rows(in, expected, row_length); }}};
#endif
  return {
      .ours = [=, &b] { upsweep::inclusive_scan(b.exec, in, out, upsweep::plus<int>{}, upsweep::rows(row_length)); },
      .peers = peers,
      .bytes = [=] { return 8.0 * static_cast<double>(n); },
      .check = [=, &b] { return compare(b, out, expected, n); },
      .items = n};
}

const bool rows = large("inclusive_sum/int32", inclusive_sum<std::int32_t>, 28) &&
                  large("inclusive_sum/float32", inclusive_sum<float>, 28) &&
                  large("exclusive_sum/int32", exclusive_sum<std::int32_t>, 28) &&
                  large("exclusive_sum/float32", exclusive_sum<float>, 28) &&
                  large("inclusive_sum/int64", inclusive_sum<std::int64_t>, 27) &&
                  large("inclusive_sum/float64", inclusive_sum<double>, 27) &&
                  large("inclusive_sum/uint8", inclusive_sum<std::uint8_t>, 28) &&
                  large("inclusive_sum/int16", inclusive_sum<std::int16_t>, 28) &&
                  large("exclusive_sum/int64", exclusive_sum<std::int64_t>, 27) &&
                  large("exclusive_sum/float64", exclusive_sum<double>, 27) &&
                  more("exclusive_sum/uint8", exclusive_sum<std::uint8_t>, 28) &&
                  more("exclusive_sum/int16", exclusive_sum<std::int16_t>, 28) &&
                  more("inclusive_sum/int32_misaligned", off_by_one(inclusive_sum<std::int32_t>), 28) &&
                  more("inclusive_sum/int32_odd_size", of_odd_size(inclusive_sum<std::int32_t>), 28) &&
                  more("inclusive_sum/uint8_misaligned", off_by_one(inclusive_sum<std::uint8_t>), 28) &&
                  more("inclusive_sum/int32_reversed", reversed_sum, 28) &&
                  more("inclusive_sum/int32_rows_of_1000", row_sums, 28) &&
                  sizes("inclusive_sum/int32", inclusive_sum<std::int32_t>);

}  // namespace
}  // namespace bench

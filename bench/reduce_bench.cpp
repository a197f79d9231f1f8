// reduce, segmented_reduce, reduce_by_key.
#include <upsweep/reduce.hpp>

#include "harness.hpp"
#if UPSWEEP_HAS_CUDA
#include <cub/device/device_reduce.cuh>
#include <cub/device/device_segmented_reduce.cuh>
#else
#include "host_peers.hpp"
#endif

namespace bench {
namespace {

template <class T>
trial sum(bed& b, index_t n, std::uint64_t seed) {
  const auto in = b.filled<T>(n, uniform<T>{seed}), out = b.template room<T>(1), expected = b.template room<T>(1);
#if UPSWEEP_HAS_CUDA
  const auto peers =
      cub_calls(b, "DeviceReduce::Sum", n, [=](void* storage, std::size_t& bytes, auto items, cudaStream_t stream) {
        return cub::DeviceReduce::Sum(storage, bytes, in.data(), expected.data(), items, stream);
      });
#else
  const auto peers =
      serial_and_parallel(b, "std::reduce", [=](peers::way way) { expected[0] = peers::sum<T>(way, in); });
#endif
  return {.ours = [=, &b] { upsweep::reduce(b.exec, in, upsweep::plus<T>{}, out.data()); },
          .peers = peers,
          .bytes = [=] { return static_cast<double>(in.size_bytes()); },
          .check = [=, &b] { return compare(b, out, expected, 1); },
          .same_bits = std::is_floating_point_v<T>,
          .roughen = [=, &b] { b.fill(in, rounding_numbers<T>(seed)); }};
}

#if UPSWEEP_HAS_CUDA
//! CUB's sums of segments by their offsets; and its sums by keys, for who has given every segment a key: the fairer one
//! where segments are short, each of which takes a block of the first. Of n of int alone, as below.
template <class T>
std::vector<contender> sums_of_segments(bed& b, std::span<const T> in, std::span<const int> offsets,
                                        std::span<const int> keys, std::span<T> out) {
  const auto keys_of_segments = b.scratch<int>(static_cast<index_t>(out.size())), count = b.scratch<int>(1);
  return {cub_call(b, "DeviceSegmentedReduce::Sum",
                   [=](void* storage, std::size_t& bytes, cudaStream_t stream) {
                     return cub::DeviceSegmentedReduce::Sum(storage, bytes, in.data(), out.data(),
                                                            static_cast<index_t>(out.size()), offsets.data(),
                                                            offsets.data() + 1, stream);
                   }),
          composed({cub_call(b, "DeviceReduce::ReduceByKey, keys given",
                             [=](void* storage, std::size_t& bytes, cudaStream_t stream) {
                               return cub::DeviceReduce::ReduceByKey(
                                   storage, bytes, keys.data(), keys_of_segments.data(), in.data(), out.data(),
                                   count.data(), cuda::std::plus<>{}, static_cast<int>(in.size()), stream);
                             })})
              .front()};
}
#endif

template <int MeanLength, class T = int>
trial segmented_sum(bed& b, index_t n, std::uint64_t seed) {
  const random_segments cut{seed, MeanLength};
  index_t segments = cut.count(n);
  if (segments > 1 && cut.start(segments - 1) >= n) segments--;  // an empty one has no key
  const auto offsets = b.filled<int>(segments + 1, offsets_of{cut, n});
  const auto in = b.filled<T>(n, uniform<T>{~seed});
  const auto out = b.room<T>(segments), expected = b.room<T>(segments);
#if UPSWEEP_HAS_CUDA
  const auto peers = sums_of_segments<T>(b, in, offsets, b.filled<int>(n, numbers_of{cut}), expected);
#else
  const std::vector<contender> peers{
      {"std::reduce of each segment", [=] { peers::sum_of_segments<T>(in, offsets, expected); }}};
#endif
  return {.ours = [=, &b] { upsweep::segmented_reduce(b.exec, in, offsets, out); },
          .peers = peers,
          .bytes = [=] { return static_cast<double>(in.size_bytes() + offsets.size_bytes() + out.size_bytes()); },
          .check = [=, &b] { return compare(b, out, expected, segments); },
          .same_bits = std::is_floating_point_v<T>,
          .roughen = [=, &b] { b.fill(in, rounding_numbers<T>(seed)); }};
}

#if UPSWEEP_HAS_CUDA
//! Segments of an item each, but for one in the middle that has all others: where they start, and which an item is in.
struct one_has_all {
  index_t segments, n;
  UPSWEEP_HD index_t giant() const { return segments / 2; }
  UPSWEEP_HD index_t start(index_t s) const { return s <= giant() ? s : n - (segments - s); }
};
struct starts_of_all : one_has_all {
  UPSWEEP_HD int operator()(index_t s) const { return static_cast<int>(start(s)); }
};
struct numbers_of_all : one_has_all {
  UPSWEEP_HD int operator()(index_t i) const {
    return static_cast<int>(i < giant() ? i : i < start(giant() + 1) ? giant() : segments - (n - i));
  }
};
trial sum_with_giant(bed& b, index_t n, std::uint64_t seed) {
  const index_t segments = n / 1000 + 1;
  const auto offsets = b.filled<int>(segments + 1, starts_of_all{{segments, n}});
  const auto in = b.filled<int>(n, uniform<int>{seed});
  const auto out = b.room<int>(segments), expected = b.room<int>(segments);
  return {.ours = [=, &b] { upsweep::segmented_reduce(b.exec, in, offsets, out); },
          .peers = sums_of_segments<int>(b, in, offsets, b.filled<int>(n, numbers_of_all{{segments, n}}), expected),
          .bytes = [=] { return static_cast<double>(in.size_bytes() + offsets.size_bytes() + out.size_bytes()); },
          .check = [=, &b] { return compare(b, out, expected, segments); }};
}
#endif

template <int Run, class T = int>
trial by_key(bed& b, index_t n, std::uint64_t seed) {
  const auto keys = b.filled<int>(n, keys_of<int>{{seed, Run}}), keys_out = b.room<int>(n), peer_keys = b.room<int>(n);
  const auto in = b.filled<T>(n, uniform<T>{~seed}), out = b.room<T>(n), expected = b.room<T>(n);
  auto* const count = b.room<index_t>(1).data();
  auto* const peer_count = b.room<int>(1).data();
#if UPSWEEP_HAS_CUDA
  // Of n of int alone: with n of int64_t a call of 2^28 items ended in a launch failure (H200, CUB 3.0.1, 2026-11-24).
  const std::vector<contender> peers{
      cub_call(b, "DeviceReduce::ReduceByKey", [=](void* storage, std::size_t& bytes, cudaStream_t stream) {
        return cub::DeviceReduce::ReduceByKey(storage, bytes, keys.data(), peer_keys.data(), in.data(), expected.data(),
                                              peer_count, cuda::std::plus<>{}, static_cast<int>(n), stream);
      })};
#else
  const auto peers =
      serial_loop([=] { *peer_count = static_cast<int>(peers::reduce_by_key<T>(keys, in, peer_keys, expected)); });
#endif
  return {.ours = [=, &b] { upsweep::reduce_by_key(b.exec, keys, in, keys_out, out, upsweep::plus<T>{}, count); },
          .peers = peers,
          .bytes = [=, &b] { return (4.0 + sizeof(T)) * static_cast<double>(n + b.read(count)); },
          .check =
              [=, &b] {
                const std::string wrong = compare_kept(b, keys_out, count, peer_keys, peer_count);
                return wrong.empty() ? compare(b, out, expected, b.read(count)) : wrong;
              }};
}

const bool rows = large("reduce/int32", sum<int>, 28) && more("reduce/float32", sum<float>, 28) &&
                  more("segmented_reduce/int32_mean_10", segmented_sum<10>, 28) &&
                  more("segmented_reduce/int32_mean_100", segmented_sum<100>, 28) &&
                  more("segmented_reduce/int32_mean_10000", segmented_sum<10000>, 28) &&
                  more("segmented_reduce/float64_mean_100", segmented_sum<100, double>, 27) &&
                  more("reduce_by_key/int32_runs_of_8", by_key<8>, 28) &&
                  more("reduce_by_key/int32_runs_of_50", by_key<50>, 28) &&
                  more("reduce_by_key/float64_runs_of_50", by_key<50, double>, 27) &&
                  more("reduce/int32_misaligned", off_by_one(sum<int>), 28) &&
                  more("reduce/int32_odd_size", of_odd_size(sum<int>), 28) && sizes("reduce/int32", sum<int>) &&
                  sizes_of_gpu("segmented_reduce/int32_mean_100", segmented_sum<100>) &&
                  sizes_of_gpu("segmented_reduce/int32_mean_300", segmented_sum<300>) &&
                  sizes_of_gpu("segmented_reduce/int32_mean_1000", segmented_sum<1000>) &&
                  sizes_of_gpu("segmented_reduce/int32_mean_3000", segmented_sum<3000>) &&
                  sizes_of_gpu("reduce_by_key/int32_runs_of_50", by_key<50>);
#if UPSWEEP_HAS_CUDA
const bool rows_of_gpu = sizes("segmented_reduce/int32_one_of_1000_has_all", sum_with_giant);
#endif

}  // namespace
}  // namespace bench

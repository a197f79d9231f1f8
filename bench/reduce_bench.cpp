// reduce, segmented_reduce, reduce_by_key.
#include <numeric>

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
  std::vector<contender> peers{
      cub_call(b, "DeviceReduce::Sum", [=](void* storage, std::size_t& bytes, cudaStream_t stream) {
        return cub::DeviceReduce::Sum(storage, bytes, in.data(), expected.data(), static_cast<int>(n), stream);
      })};
#else
  std::vector<contender> peers = serial_and_parallel(b, "std::reduce", [=](auto... policy) {
    expected[0] = std::reduce(policy..., in.begin(), in.end(), T{}, upsweep::plus<T>{});
  });
#endif
  return {.ours = [=, &b] { upsweep::reduce(b.exec, in, upsweep::plus<T>{}, out.data()); },
          .peers = peers,
          .bytes = [=] { return static_cast<double>(in.size_bytes()); },
          .check = [=, &b] { return compare(b, out, expected, 1); }};
}

template <int MeanLength>
trial segmented_sum(bed& b, index_t n, std::uint64_t seed) {
  const random_segments cut{seed, MeanLength};
  const index_t segments = cut.count(n);
  const auto offsets = b.filled<int>(segments + 1, offsets_of{cut, n});
  const auto in = b.filled<int>(n, uniform<int>{~seed});
  const auto out = b.room<int>(segments), expected = b.room<int>(segments);
#if UPSWEEP_HAS_CUDA
  contender peer =
      cub_call(b, "DeviceSegmentedReduce::Sum", [=](void* storage, std::size_t& bytes, cudaStream_t stream) {
        return cub::DeviceSegmentedReduce::Sum(storage, bytes, in.data(), expected.data(), segments, offsets.data(),
                                               offsets.data() + 1, stream);
      });
#else
  contender peer{"std::reduce of each segment", [=] {
                   for (std::size_t s = 0; s < expected.size(); s++)
                     expected[s] =
                         std::reduce(in.begin() + offsets[s], in.begin() + offsets[s + 1], 0, upsweep::plus<int>{});
                 }};
#endif
  return {.ours = [=, &b] { upsweep::segmented_reduce(b.exec, in, offsets, out); },
          .peers = {peer},
          .bytes = [=] { return static_cast<double>(in.size_bytes() + offsets.size_bytes() + out.size_bytes()); },
          .check = [=, &b] { return compare(b, out, expected, segments); }};
}

trial by_key(bed& b, index_t n, std::uint64_t seed) {
  const auto keys = b.filled<int>(n, keys_of{{seed, 8}}), in = b.filled<int>(n, uniform<int>{~seed});
  const auto keys_out = b.room<int>(n), out = b.room<int>(n), peer_keys = b.room<int>(n), expected = b.room<int>(n);
  const auto count = b.room<index_t>(1).data();
  const auto peer_count = b.room<int>(1).data();
#if UPSWEEP_HAS_CUDA
  contender peer =
      cub_call(b, "DeviceReduce::ReduceByKey", [=](void* storage, std::size_t& bytes, cudaStream_t stream) {
        return cub::DeviceReduce::ReduceByKey(storage, bytes, keys.data(), peer_keys.data(), in.data(), expected.data(),
                                              peer_count, cuda::std::plus<>{}, static_cast<int>(n), stream);
      });
#else
  contender peer{"a serial loop", [=] {
                   const upsweep::plus<int> plus;
                   std::size_t runs = 0;
                   for (std::size_t i = 0; i < in.size(); i++) {
                     if (i > 0 && keys[i] == keys[i - 1]) {
                       expected[runs - 1] = plus(expected[runs - 1], in[i]);
                     } else {
                       peer_keys[runs] = keys[i];
                       expected[runs++] = in[i];
                     }
                   }
                   *peer_count = static_cast<int>(runs);
                 }};
#endif
  return {.ours = [=, &b] { upsweep::reduce_by_key(b.exec, keys, in, keys_out, out, upsweep::plus<int>{}, count); },
          .peers = {peer},
          .bytes = [=, &b] { return 8.0 * static_cast<double>(n + b.read(count)); },
          .check =
              [=, &b] {
                const std::string wrong = compare_kept(b, keys_out, count, peer_keys, peer_count);
                return wrong.empty() ? compare(b, out, expected, b.read(count)) : wrong;
              }};
}

const bool rows = large("reduce/int32", sum<int>, 28) && more("reduce/float32", sum<float>, 28) &&
                  more("segmented_reduce/int32_mean_100", segmented_sum<100>, 28) &&
                  more("segmented_reduce/int32_mean_10000", segmented_sum<10000>, 28) &&
                  more("reduce_by_key/int32_runs_of_8", by_key, 28) && sizes("reduce/int32", sum<int>);

}  // namespace
}  // namespace bench

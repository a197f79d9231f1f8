// partition_copy, three_way_partition, stable_partition_copy. The counts stay where the executor works.
#include <algorithm>

#include <upsweep/partition.hpp>

#include "harness.hpp"
#if UPSWEEP_HAS_CUDA
#include <cub/device/device_partition.cuh>
#else
#include "host_peers.hpp"
#endif

namespace bench {
namespace {

using word = std::uint32_t;

struct less_than {
  word limit;
  UPSWEEP_HD bool operator()(word x) const { return x < limit; }
};
struct third_of {  // 0, 1, 2 with a third of all words each
  UPSWEEP_HD int operator()(word x) const { return x < 0x55555555u ? 0 : x < 0xaaaaaaaau ? 1 : 2; }
};
#if UPSWEEP_HAS_CUDA
template <int Third>
struct is_third {
  UPSWEEP_HD bool operator()(word x) const { return third_of{}(x) == Third; }
};
// The items in front of `end`, backwards.
struct backwards {
  const word* end;
  UPSWEEP_HD word operator()(index_t i) const { return end[-1 - i]; }
};
#endif
constexpr less_than half{0x80000000u};

//! What is selected, compared with the front of `expected`; and what is not, with what lies behind it: in order, or as
//! CUB has it, backwards.
std::string compare_sides(bed& b, std::span<word> selected, std::span<word> rejected, const index_t* count,
                          std::span<word> expected, const int* peer_count) {
  if (const std::string wrong = compare_kept(b, selected, count, expected, peer_count); !wrong.empty()) return wrong;
  const index_t rest = static_cast<index_t>(expected.size()) - b.read(count);
#if UPSWEEP_HAS_CUDA
  const auto behind = b.filled<word>(rest, backwards{expected.data() + expected.size()});
#else
  const auto behind = expected.last(static_cast<std::size_t>(rest));
#endif
  const std::string wrong = compare(b, rejected, behind, rest);
  return wrong.empty() ? wrong : wrong + " (of the rejected ones)";
}

#if UPSWEEP_HAS_CUDA
std::vector<contender> peers_of_two_sides(bed& b, std::span<word> in, std::span<word> expected, int* count) {
  return {cub_call(b, "DevicePartition::If, one side reversed",
                   [=](void* storage, std::size_t& bytes, cudaStream_t stream) {
                     return cub::DevicePartition::If(storage, bytes, in.data(), expected.data(), count,
                                                     static_cast<index_t>(in.size()), half, stream);
                   })};
}
#endif

trial partition_copy(bed& b, index_t n, std::uint64_t seed) {
  const auto in = b.filled<word>(n, uniform<word>{seed});
  const auto selected = b.room<word>(n), rejected = b.room<word>(n), expected = b.room<word>(n);
  index_t* count = b.room<index_t>(1).data();
  int* peer_count = b.room<int>(1).data();
#if UPSWEEP_HAS_CUDA
  std::vector<contender> peers = peers_of_two_sides(b, in, expected, peer_count);
#else
  const auto others = b.room<word>(n);
  std::vector<contender> peers = serial_and_parallel(b, "std::partition_copy", [=](auto... policy) {
    const auto ends = std::partition_copy(policy..., in.begin(), in.end(), expected.begin(), others.begin(), half);
    *peer_count = static_cast<int>(ends.first - expected.begin());
  });
#endif
  return {.ours = [=, &b] { upsweep::partition_copy(b.exec, in, selected, rejected, half, count); },
          .peers = peers,
          .bytes = [=] { return 8.0 * static_cast<double>(n); },
          .check =
              [=, &b] {
#if !UPSWEEP_HAS_CUDA
                std::copy_n(others.begin(), n - *count, expected.begin() + *count);
#endif
                return compare_sides(b, selected, rejected, count, expected, peer_count);
              }};
}

trial stable_partition(bed& b, index_t n, std::uint64_t seed) {
  const auto in = b.filled<word>(n, uniform<word>{seed});
  const auto out = b.room<word>(n), expected = b.room<word>(n);
  index_t* count = b.room<index_t>(1).data();
  int* peer_count = b.room<int>(1).data();
#if UPSWEEP_HAS_CUDA
  std::vector<contender> peers = peers_of_two_sides(b, in, expected, peer_count);
#else
  std::vector<contender> peers = serial_and_parallel(b, "std::stable_partition of a copy", [=](auto... policy) {
    std::copy(policy..., in.begin(), in.end(), expected.begin());
    const auto end = std::stable_partition(policy..., expected.begin(), expected.end(), half);
    *peer_count = static_cast<int>(end - expected.begin());
  });
#endif
  return {.ours = [=, &b] { upsweep::stable_partition_copy(b.exec, in, out, half, count); },
          .peers = peers,
          .bytes = [=] { return 12.0 * static_cast<double>(n); },  // read twice: the count must be known first
          .check =
              [=, &b] {
                return compare_sides(b, out, out.subspan(static_cast<std::size_t>(b.read(count))), count, expected,
                                     peer_count);
              }};
}

trial three_way_partition(bed& b, index_t n, std::uint64_t seed) {
  const auto in = b.filled<word>(n, uniform<word>{seed});
  const std::span<word> out[] = {b.room<word>(n), b.room<word>(n), b.room<word>(n)};
  const std::span<word> expected[] = {b.room<word>(n), b.room<word>(n), b.room<word>(n)};
  index_t* counts = b.room<index_t>(2).data();
  int* peer_counts = b.room<int>(2).data();
#if UPSWEEP_HAS_CUDA
  contender peer =
      cub_call(b, "DevicePartition::If, three ways", [=](void* storage, std::size_t& bytes, cudaStream_t stream) {
        return cub::DevicePartition::If(storage, bytes, in.data(), expected[0].data(), expected[1].data(),
                                        expected[2].data(), peer_counts, n, is_third<0>{}, is_third<1>{}, stream);
      });
#else
  contender peer{"a serial loop", [=] {
                   word* to[] = {expected[0].data(), expected[1].data(), expected[2].data()};
                   for (const word x : in) *to[third_of{}(x)]++ = x;
                   for (int k = 0; k < 2; k++) peer_counts[k] = static_cast<int>(to[k] - expected[k].data());
                 }};
#endif
  return {.ours = [=, &b] { upsweep::three_way_partition(b.exec, in, out[0], out[1], out[2], third_of{}, counts); },
          .peers = {peer},
          .bytes = [=] { return 8.0 * static_cast<double>(n); },
          .check =
              [=, &b] {
                for (int k = 0; k < 2; k++)
                  if (const std::string wrong = compare_kept(b, out[k], counts + k, expected[k], peer_counts + k);
                      !wrong.empty())
                    return wrong;
                return compare(b, out[2], expected[2], n - b.read(counts) - b.read(counts + 1));
              }};
}

const bool rows = large("partition_copy/uint32_50_percent", partition_copy, 28) &&
                  large("three_way_partition/uint32_thirds", three_way_partition, 28) &&
                  large("stable_partition/uint32_50_percent", stable_partition, 28);

}  // namespace
}  // namespace bench

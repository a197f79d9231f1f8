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

struct third_of {  // 0, 1, 2 with a third of all words each
  static constexpr word first = 0x55555555u, second = 0xaaaaaaaau;
  UPSWEEP_HD int operator()(word x) const { return x < first ? 0 : x < second ? 1 : 2; }
};
#if UPSWEEP_HAS_CUDA
template <int Third>
struct is_third {
  UPSWEEP_HD bool operator()(word x) const { return third_of{}(x) == Third; }
};
// The items in front of `end`, backwards.
template <class T>
struct backwards {
  const T* end;
  UPSWEEP_HD T operator()(index_t i) const { return end[-1 - i]; }
};
#endif
template <class T>
less_than<T> half() {
  return less_than<T>{0.5};
}

//! What is selected, compared with the front of `expected`; and what is not, with what lies behind it: in order, or as
//! CUB has it, backwards.
template <class T>
std::string compare_sides(bed& b, std::span<T> selected, std::span<T> rejected, const index_t* count,
                          std::span<T> expected, const int* peer_count) {
  if (const std::string wrong = compare_kept(b, selected, count, expected, peer_count); !wrong.empty()) return wrong;
  const index_t rest = static_cast<index_t>(expected.size()) - b.read(count);
#if UPSWEEP_HAS_CUDA
  const auto behind = b.filled<T>(rest, backwards<T>{expected.data() + expected.size()});
#else
  const auto behind = expected.last(static_cast<std::size_t>(rest));
#endif
  const std::string wrong = compare(b, rejected, behind, rest);
  return wrong.empty() ? wrong : wrong + " (of the rejected ones)";
}

#if UPSWEEP_HAS_CUDA
template <class T>
std::vector<contender> peers_of_two_sides(bed& b, std::span<T> in, std::span<T> expected, int* count) {
  return cub_calls(b, "DevicePartition::If with one side reversed", static_cast<index_t>(in.size()),
                   [=](void* storage, std::size_t& bytes, auto n, cudaStream_t stream) {
                     return cub::DevicePartition::If(storage, bytes, in.data(), expected.data(), count, n, half<T>(),
                                                     stream);
                   });
}
#endif

template <class T = word>
trial partition_copy(bed& b, index_t n, std::uint64_t seed) {
  const auto in = b.filled<T>(n, all_numbers<T>{seed});
  const auto selected = b.room<T>(n), rejected = b.room<T>(n), expected = b.room<T>(n);
  index_t* count = b.room<index_t>(1).data();
  int* peer_count = b.room<int>(1).data();
#if UPSWEEP_HAS_CUDA
  const auto peers = peers_of_two_sides(b, in, expected, peer_count);
#else
  const auto others = b.room<T>(n);
  const auto peers = all_ways(b, "std::partition_copy", [=](peers::way way) {
    *peer_count = static_cast<int>(peers::partition_below<T>(way, in, half<T>().limit, expected, others));
  });
#endif
  return {.ours = [=, &b] { upsweep::partition_copy(b.exec, in, selected, rejected, half<T>(), count); },
          .peers = peers,
          .bytes = [=] { return 2.0 * static_cast<double>(in.size_bytes()); },
          .check =
              [=, &b] {
#if !UPSWEEP_HAS_CUDA
                std::copy_n(others.begin(), n - *count, expected.begin() + *count);
#endif
                return compare_sides(b, selected, rejected, count, expected, peer_count);
              }};
}

template <class T = word>
trial stable_partition(bed& b, index_t n, std::uint64_t seed) {
  const auto in = b.filled<T>(n, all_numbers<T>{seed});
  const auto out = b.room<T>(n), expected = b.room<T>(n);
  index_t* count = b.room<index_t>(1).data();
  int* peer_count = b.room<int>(1).data();
#if UPSWEEP_HAS_CUDA
  const auto peers = peers_of_two_sides(b, in, expected, peer_count);
#else
  const auto peers = all_ways(b, "std::stable_partition of a copy", [=](peers::way way) {
    *peer_count = static_cast<int>(peers::stable_partition_below<T>(way, in, half<T>().limit, expected));
  });
#endif
  return {
      .ours = [=, &b] { upsweep::stable_partition_copy(b.exec, in, out, half<T>(), count); },
      .peers = peers,
      .bytes = [=] { return 3.0 * static_cast<double>(in.size_bytes()); },  // read twice: the count must be known first
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
  const auto peers = cub_calls(
      b, "DevicePartition::If, three ways", n, [=](void* storage, std::size_t& bytes, auto items, cudaStream_t stream) {
        return cub::DevicePartition::If(storage, bytes, in.data(), expected[0].data(), expected[1].data(),
                                        expected[2].data(), peer_counts, items, is_third<0>{}, is_third<1>{}, stream);
      });
#else
  const auto peers = serial_loop([=] {
    const auto counted =
        peers::three_ways(in, third_of::first, third_of::second, expected[0], expected[1], expected[2]);
    for (std::size_t k = 0; k < 2; k++) peer_counts[k] = static_cast<int>(counted[k]);
  });
#endif
  return {.ours = [=, &b] { upsweep::three_way_partition(b.exec, in, out[0], out[1], out[2], third_of{}, counts); },
          .peers = peers,
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

const bool rows = large("partition_copy/uint32_50_percent", partition_copy<>, 28) &&
                  large("three_way_partition/uint32_thirds", three_way_partition, 28) &&
                  large("stable_partition/uint32_50_percent", stable_partition<>, 28) &&
                  more("partition_copy/uint8_50_percent", partition_copy<std::uint8_t>, 28) &&
                  more("partition_copy/uint16_50_percent", partition_copy<std::uint16_t>, 28) &&
                  more("partition_copy/uint64_50_percent", partition_copy<std::uint64_t>, 27) &&
                  more("partition_copy/16_bytes_50_percent", partition_copy<numbered>, 26) &&
                  more("stable_partition/uint64_50_percent", stable_partition<std::uint64_t>, 27) &&
                  more("stable_partition/16_bytes_50_percent", stable_partition<numbered>, 26) &&
                  more("partition_copy/uint32_misaligned", off_by_one(partition_copy<>), 28) &&
                  more("partition_copy/uint32_odd_size", of_odd_size(partition_copy<>), 28) &&
                  sizes("partition_copy/uint32_50_percent", partition_copy<>) &&
                  sizes_of_gpu("three_way_partition/uint32_thirds", three_way_partition);

}  // namespace
}  // namespace bench

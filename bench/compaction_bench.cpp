// copy_if, copy_flagged, nonzero, unique_copy, run_length_encode. The counts stay where the executor works.
#include <upsweep/compaction.hpp>

#include "harness.hpp"
#if UPSWEEP_HAS_CUDA
#include <cub/device/device_run_length_encode.cuh>
#include <cub/device/device_select.cuh>
#include <thrust/iterator/counting_iterator.h>
#else
#include "host_peers.hpp"
#endif

namespace bench {
namespace {

using word = std::uint32_t;

//! What the calls of this file have in common: n items in, at most n out, and a count on either side.
template <class T>
struct compaction {
  compaction(bed& where, index_t n)
      : b(where),
        out(b.room<T>(n)),
        expected(b.room<T>(n)),
        count(b.room<index_t>(1).data()),
        peer_count(b.room<int>(1).data()) {}
  //! `read` bytes are read, and as many items written as are kept.
  trial against(std::vector<contender> peers, double read, std::function<void()> ours) const {
    return {.ours = std::move(ours),
            .peers = std::move(peers),
            .bytes = [=, *this] { return read + sizeof(T) * static_cast<double>(b.read(count)); },
            .check = [*this] { return compare_kept(b, out, count, expected, peer_count); }};
  }
  bed& b;
  std::span<T> out, expected;
  index_t* count;
  int* peer_count;
};

template <int Percent, class T = word>
trial copy_if(bed& b, index_t n, std::uint64_t seed) {
  const auto in = b.filled<T>(n, all_numbers<T>{seed});
  const less_than<T> keep{Percent / 100.0};
  const compaction<T> c(b, n);
#if UPSWEEP_HAS_CUDA
  const std::vector<contender> peers{
      cub_call(b, "DeviceSelect::If", [=](void* storage, std::size_t& bytes, cudaStream_t stream) {
        return cub::DeviceSelect::If(storage, bytes, in.data(), c.expected.data(), c.peer_count, n, keep, stream);
      })};
#else
  const auto peers = all_ways(b, "std::copy_if", [=](peers::way way) {
    *c.peer_count = static_cast<int>(peers::copy_below<T>(way, in, keep.limit, c.expected));
  });
#endif
  return c.against(peers, static_cast<double>(in.size_bytes()),
                   [=, &b] { upsweep::copy_if(b.exec, in, c.out, keep, c.count); });
}

trial copy_flagged(bed& b, index_t n, std::uint64_t seed) {
  const auto in = b.filled<std::uint32_t>(n, uniform<std::uint32_t>{seed});
  const auto flags = b.filled<std::uint8_t>(n, random_flags{~seed, 2});
  const compaction<std::uint32_t> c(b, n);
#if UPSWEEP_HAS_CUDA
  contender peer = cub_call(b, "DeviceSelect::Flagged", [=](void* storage, std::size_t& bytes, cudaStream_t stream) {
    return cub::DeviceSelect::Flagged(storage, bytes, in.data(), flags.data(), c.expected.data(), c.peer_count, n,
                                      stream);
  });
#else
  const contender peer{"a serial loop",
                       [=] { *c.peer_count = static_cast<int>(peers::copy_flagged(in, flags, c.expected)); }};
#endif
  return c.against({peer}, 5.0 * static_cast<double>(n),
                   [=, &b] { upsweep::copy_flagged(b.exec, in, flags, c.out, c.count); });
}

trial nonzero(bed& b, index_t n, std::uint64_t seed) {
  const auto flags = b.filled<std::uint8_t>(n, random_flags{seed, 4});
  const compaction<int> c(b, n);
#if UPSWEEP_HAS_CUDA
  contender peer = cub_call(
      b, "DeviceSelect::Flagged of a counting iterator", [=](void* storage, std::size_t& bytes, cudaStream_t stream) {
        return cub::DeviceSelect::Flagged(storage, bytes, thrust::make_counting_iterator(0), flags.data(),
                                          c.expected.data(), c.peer_count, n, stream);
      });
#else
  const contender peer{"a serial loop", [=] { *c.peer_count = static_cast<int>(peers::nonzero(flags, c.expected)); }};
#endif
  return c.against({peer}, static_cast<double>(n), [=, &b] { upsweep::nonzero(b.exec, flags, c.out, c.count); });
}

template <int Run, class T = int>
trial unique_copy(bed& b, index_t n, std::uint64_t seed) {
  const auto in = b.filled<T>(n, keys_of<T>{{seed, Run}});
  const compaction<T> c(b, n);
#if UPSWEEP_HAS_CUDA
  std::vector<contender> peers{
      cub_call(b, "DeviceSelect::Unique", [=](void* storage, std::size_t& bytes, cudaStream_t stream) {
        return cub::DeviceSelect::Unique(storage, bytes, in.data(), c.expected.data(), c.peer_count, n, stream);
      })};
#else
  const auto peers = all_ways(b, "std::unique_copy", [=](peers::way way) {
    *c.peer_count = static_cast<int>(peers::unique<T>(way, in, c.expected));
  });
#endif
  return c.against(peers, static_cast<double>(in.size_bytes()),
                   [=, &b] { upsweep::unique_copy(b.exec, in, c.out, c.count); });
}

template <int Run, class T = int>
trial run_length_encode(bed& b, index_t n, std::uint64_t seed) {
  const auto in = b.filled<T>(n, keys_of<T>{{seed, Run}});
  const compaction<T> values(b, n);
  const compaction<int> lengths(b, n);
#if UPSWEEP_HAS_CUDA
  // CUB 3.0 takes n of int alone.
  contender peer =
      cub_call(b, "DeviceRunLengthEncode::Encode", [=](void* storage, std::size_t& bytes, cudaStream_t stream) {
        return cub::DeviceRunLengthEncode::Encode(storage, bytes, in.data(), values.expected.data(),
                                                  lengths.expected.data(), values.peer_count, static_cast<int>(n),
                                                  stream);
      });
#else
  const contender peer{
      "a serial loop",
      [=] { *values.peer_count = static_cast<int>(peers::run_lengths<T>(in, values.expected, lengths.expected)); }};
#endif
  return {.ours = [=, &b] { upsweep::run_length_encode(b.exec, in, values.out, lengths.out, values.count); },
          .peers = {peer},
          .bytes =
              [=, &b] {
                return static_cast<double>(in.size_bytes()) +
                       (sizeof(T) + sizeof(int)) * static_cast<double>(b.read(values.count));
              },
          .check =
              [=, &b] {
                const std::string wrong = compare_kept(b, values.out, values.count, values.expected, values.peer_count);
                return wrong.empty() ? compare(b, lengths.out, lengths.expected, b.read(values.count)) : wrong;
              }};
}

const bool rows =
    large("copy_if/uint32_10_percent", copy_if<10>, 28) && large("copy_if/uint32_50_percent", copy_if<50>, 28) &&
    large("copy_if/uint32_90_percent", copy_if<90>, 28) && more("copy_flagged/uint32_50_percent", copy_flagged, 28) &&
    more("nonzero/uint8_25_percent", nonzero, 28) && more("unique_copy/int32_runs_of_8", unique_copy<8>, 28) &&
    more("unique_copy/int32_runs_of_50", unique_copy<50>, 28) &&
    more("run_length_encode/int32_runs_of_8", run_length_encode<8>, 28) &&
    more("run_length_encode/int32_runs_of_50", run_length_encode<50>, 28) &&
    more("copy_if/uint8_50_percent", copy_if<50, std::uint8_t>, 28) &&
    more("copy_if/uint16_50_percent", copy_if<50, std::uint16_t>, 28) &&
    more("copy_if/uint64_50_percent", copy_if<50, std::uint64_t>, 27) &&
    more("copy_if/16_bytes_50_percent", copy_if<50, numbered>, 26) &&
    more("unique_copy/uint8_runs_of_8", unique_copy<8, std::uint8_t>, 28) &&
    more("unique_copy/uint64_runs_of_8", unique_copy<8, std::uint64_t>, 27) &&
    more("unique_copy/16_bytes_runs_of_8", unique_copy<8, numbered>, 26) &&
    more("run_length_encode/uint8_runs_of_8", run_length_encode<8, std::uint8_t>, 28) &&
    more("run_length_encode/uint64_runs_of_8", run_length_encode<8, std::uint64_t>, 27) &&
    more("copy_if/uint32_50_percent_misaligned", off_by_one(copy_if<50>), 28) &&
    more("copy_if/uint32_50_percent_odd_size", of_odd_size(copy_if<50>), 28) &&
    sizes("copy_if/uint32_50_percent", copy_if<50>) && sizes_of_gpu("unique_copy/int32_runs_of_50", unique_copy<50>) &&
    sizes_of_gpu("run_length_encode/int32_runs_of_50", run_length_encode<50>);

}  // namespace
}  // namespace bench

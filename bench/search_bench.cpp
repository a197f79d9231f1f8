// find_if, count_if, mismatch over everything: what is looked for is the last item. Results stay where the executor
// works.
#include <upsweep/search.hpp>

#include "harness.hpp"
#if UPSWEEP_HAS_CUDA
#include <cub/device/device_reduce.cuh>
#else
#include "host_peers.hpp"
#endif

namespace bench {
namespace {

template <class T>
struct is_value {
  T value;
  UPSWEEP_HD bool operator()(T x) const { return x == value; }
};
#if UPSWEEP_HAS_CUDA
template <class T>
struct one_if_two {
  UPSWEEP_HD index_t operator()(T x) const { return x == 2 ? 1 : 0; }
};
#endif
//! 1 and 2 in turn by chance, and 9 at the end.
template <class T>
struct sought_at_end {
  std::uint64_t seed;
  index_t n;
  T last;
  UPSWEEP_HD T operator()(index_t i) const {
    return i == n - 1 ? last : static_cast<T>(1 + (random_bits(seed, i) >> 40) % 2);
  }
};

//! A position or a count, and what the peer says.
struct answer {
  answer(bed& where, double bytes_read)
      : b(where), bytes(bytes_read), ours(b.room<index_t>(1)), expected(b.room<index_t>(1)) {}
  trial against(std::vector<contender> peers, std::function<void()> call) const {
    return {.ours = std::move(call),
            .peers = std::move(peers),
            .bytes = [=, *this] { return bytes; },
            .check = [*this] { return compare(b, ours, expected, 1); }};
  }
  bed& b;
  double bytes;
  std::span<index_t> ours, expected;
};

template <class T>
trial find_if(bed& b, index_t n, std::uint64_t seed) {
  const auto in = b.filled<T>(n, sought_at_end<T>{seed, n, 9});
  const answer a(b, static_cast<double>(in.size_bytes()));
#if UPSWEEP_HAS_CUDA
  const auto known = placed(b, std::vector<index_t>{n - 1});
  trial t = a.against({}, [=, &b] { upsweep::find_if(b.exec, in, is_value<T>{9}, a.ours.data()); });
  t.check = [=, &b] { return compare(b, std::span<const index_t>(a.ours), known, 1); };
  return t;
#else
  return a.against(
      serial_and_parallel(b, "std::find_if",
                          [=](peers::way way) { a.expected[0] = static_cast<index_t>(peers::find<T>(way, in, 9)); }),
      [=, &b] { upsweep::find_if(b.exec, in, is_value<T>{9}, a.ours.data()); });
#endif
}
template <class T>
trial count_if(bed& b, index_t n, std::uint64_t seed) {
  const auto in = b.filled<T>(n, sought_at_end<T>{seed, n, 9});
  const answer a(b, static_cast<double>(in.size_bytes()));
#if UPSWEEP_HAS_CUDA
  const auto peers = cub_calls(
      b, "DeviceReduce::TransformReduce", n, [=](void* storage, std::size_t& bytes, auto items, cudaStream_t stream) {
        return cub::DeviceReduce::TransformReduce(storage, bytes, in.data(), a.expected.data(), items,
                                                  cuda::std::plus<>{}, one_if_two<T>{}, index_t{0}, stream);
      });
#else
  const auto peers = serial_and_parallel(
      b, "std::count_if", [=](peers::way way) { a.expected[0] = static_cast<index_t>(peers::count<T>(way, in, 2)); });
#endif
  return a.against(peers, [=, &b] { upsweep::count_if(b.exec, in, is_value<T>{2}, a.ours.data()); });
}
template <class T>
trial mismatch(bed& b, index_t n, std::uint64_t seed) {
  const auto first = b.filled<T>(n, sought_at_end<T>{seed, n, 9}),
             second = b.filled<T>(n, sought_at_end<T>{seed, n, 8});
  const answer a(b, 2.0 * static_cast<double>(first.size_bytes()));
#if UPSWEEP_HAS_CUDA
  const auto known = placed(b, std::vector<index_t>{n - 1});
  trial t = a.against({}, [=, &b] { upsweep::mismatch(b.exec, first, second, a.ours.data()); });
  t.check = [=, &b] { return compare(b, std::span<const index_t>(a.ours), known, 1); };
  return t;
#else
  return a.against(serial_and_parallel(b, "std::mismatch",
                                       [=](peers::way way) {
                                         a.expected[0] = static_cast<index_t>(peers::mismatch<T>(way, first, second));
                                       }),
                   [=, &b] { upsweep::mismatch(b.exec, first, second, a.ours.data()); });
#endif
}

const bool rows = large("find_if/int32", find_if<int>, 28) && more("find_if/uint8", find_if<std::uint8_t>, 28) &&
                  large("count_if/int32", count_if<int>, 28) && more("count_if/uint8", count_if<std::uint8_t>, 28) &&
                  large("mismatch/int32", mismatch<int>, 28) && more("mismatch/uint8", mismatch<std::uint8_t>, 28) &&
                  sizes("find_if/int32", find_if<int>);

}  // namespace
}  // namespace bench

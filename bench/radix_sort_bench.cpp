// radix_sort, radix_sort_by_key: widths of keys, payloads, entropies, sizes. Out of place. Bytes are those of least
// significant digit passes of 8 bits: one read of the keys, then a read and a write of all for each byte of a key.
#include <algorithm>

#include <upsweep/radix_sort.hpp>

#include "harness.hpp"
#if UPSWEEP_HAS_CUDA
#include <cub/device/device_radix_sort.cuh>
#else
#include "host_peers.hpp"
#endif

namespace bench {
namespace {

constexpr double bytes_of_sort(index_t n, std::size_t key, std::size_t value) {
  const auto k = static_cast<double>(key), v = static_cast<double>(value);
  return static_cast<double>(n) * (k + 2 * k * (k + v));
}

template <class Key>
trial sort_keys(bed& b, std::span<const Key> in) {
  const auto n = static_cast<index_t>(in.size());
  const auto out = b.room<Key>(n), expected = b.room<Key>(n);
#if UPSWEEP_HAS_CUDA
  std::vector<contender> peers{
      cub_call(b, "DeviceRadixSort::SortKeys", [=](void* storage, std::size_t& bytes, cudaStream_t stream) {
        return cub::DeviceRadixSort::SortKeys(storage, bytes, in.data(), expected.data(), n, 0, 8 * sizeof(Key),
                                              stream);
      })};
#else
  std::vector<contender> peers = serial_and_parallel(b, "copy and std::sort", [=](auto... policy) {
    std::copy(in.begin(), in.end(), expected.begin());
    std::sort(policy..., expected.begin(), expected.end());
  });
#endif
  return {.ours = [=, &b] { upsweep::radix_sort(b.exec, in, out); },
          .peers = peers,
          .bytes = [=] { return bytes_of_sort(n, sizeof(Key), 0); },
          .check = [=, &b] { return compare(b, out, expected, n); }};
}

//! Keys of which all bits are random.
template <class Key>
struct all_bits {
  std::uint64_t seed;
  UPSWEEP_HD Key operator()(index_t i) const { return static_cast<Key>(random_bits(seed, i)); }
};

template <class Key>
trial random_keys(bed& b, index_t n, std::uint64_t seed) {
  return sort_keys<Key>(b, b.filled<Key>(n, all_bits<Key>{seed}));
}
trial floats(bed& b, index_t n, std::uint64_t seed) {
  return sort_keys<float>(b, b.filled<float>(n, unit_floats{seed}));
}
template <int Further>
trial entropy(bed& b, index_t n, std::uint64_t seed) {
  return sort_keys<std::uint32_t>(b, b.filled<std::uint32_t>(n, anded<std::uint32_t>{seed, Further}));
}

//! A payload of 16 bytes.
struct payload {
  std::uint64_t low, high;
  friend bool operator==(const payload&, const payload&) = default;
};
struct make_payload {
  std::uint64_t seed;
  UPSWEEP_HD payload operator()(index_t i) const { return {random_bits(seed, i), static_cast<std::uint64_t>(i)}; }
};

template <class Value, class Make>
trial sort_pairs(bed& b, index_t n, std::uint64_t seed, const Make& make) {
  using Key = std::uint32_t;
  const std::span<const Key> keys = b.filled<Key>(n, uniform<Key>{seed});
  const std::span<const Value> values = b.filled<Value>(n, make);
  const auto keys_out = b.room<Key>(n), expected_keys = b.room<Key>(n);
  const auto values_out = b.room<Value>(n), expected = b.room<Value>(n);
#if UPSWEEP_HAS_CUDA
  std::vector<contender> peers{
      cub_call(b, "DeviceRadixSort::SortPairs", [=](void* storage, std::size_t& bytes, cudaStream_t stream) {
        return cub::DeviceRadixSort::SortPairs(storage, bytes, keys.data(), expected_keys.data(), values.data(),
                                               expected.data(), n, 0, 32, stream);
      })};
#else
  struct pair {
    Key key;
    Value value;
  };
  const auto pairs = b.scratch<pair>(n);
  std::vector<contender> peers = serial_and_parallel(b, "std::stable_sort of structs", [=](auto... policy) {
    for (std::size_t i = 0; i < pairs.size(); i++) pairs[i] = {keys[i], values[i]};
    std::stable_sort(policy..., pairs.begin(), pairs.end(), [](const pair& x, const pair& y) { return x.key < y.key; });
    for (std::size_t i = 0; i < pairs.size(); i++) {
      expected_keys[i] = pairs[i].key;
      expected[i] = pairs[i].value;
    }
  });
#endif
  return {.ours = [=, &b] { upsweep::radix_sort_by_key(b.exec, keys, values, keys_out, values_out); },
          .peers = peers,
          .bytes = [=] { return bytes_of_sort(n, sizeof(Key), sizeof(Value)); },
          .check =
              [=, &b] {
                const std::string wrong = compare(b, keys_out, expected_keys, n);
                return wrong.empty() ? compare(b, values_out, expected, n) : wrong;
              }};
}
trial pairs(bed& b, index_t n, std::uint64_t seed) {
  return sort_pairs<std::uint32_t>(b, n, seed, uniform<std::uint32_t>{~seed});
}
trial payloads(bed& b, index_t n, std::uint64_t seed) { return sort_pairs<payload>(b, n, seed, make_payload{~seed}); }

// 2^24 keys on a CPU, where std::sort takes a second for them.
constexpr int most = UPSWEEP_HAS_CUDA ? 28 : 24 - bed::shift, largest = UPSWEEP_HAS_CUDA ? 29 : 24;

const bool rows =
    large("radix_sort/uint32", random_keys<std::uint32_t>, most) &&
    large("radix_sort_by_key/uint32_uint32", pairs, most) &&
    large("radix_sort/uint64", random_keys<std::uint64_t>, most - 1) &&
    more("radix_sort/int8", random_keys<std::int8_t>, most) &&
    more("radix_sort/int16", random_keys<std::int16_t>, most) && more("radix_sort/float32", floats, most) &&
    more("radix_sort/uint32_and_of_2", entropy<1>, most) && more("radix_sort/uint32_and_of_3", entropy<2>, most) &&
    more("radix_sort/uint32_and_of_4", entropy<3>, most) && more("radix_sort/uint32_and_of_5", entropy<4>, most) &&
    more("radix_sort_by_key/uint32_16_bytes", payloads, most - 2) &&
    sizes("radix_sort/uint32", random_keys<std::uint32_t>, largest);

}  // namespace
}  // namespace bench

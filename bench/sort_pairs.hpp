// A row of radix_sort_by_key and what it is measured against.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include <upsweep/radix_sort.hpp>

#include "harness.hpp"
#if UPSWEEP_HAS_CUDA
#include <cub/device/device_radix_sort.cuh>
#else
#include "host_peers.hpp"
#endif

namespace bench {

template <class Key, class Value>
std::string compare_pairs(bed& b, std::span<Key> keys, std::span<Key> expected_keys, std::span<Value> values,
                          std::span<Value> expected) {
  const std::string wrong = compare(b, keys, expected_keys, static_cast<index_t>(keys.size()));
  return wrong.empty() ? compare(b, values, expected, static_cast<index_t>(values.size())) : wrong;
}

template <class Key, class Value, class Make>
trial sort_pairs(bed& b, index_t n, std::uint64_t seed, const kind_of_keys& kind, const Make& make) {
  const std::span<const Key> keys = b.filled<Key>(n, keys_that_are<Key>{kind, seed, n});
  const std::span<const Value> values = b.filled<Value>(n, make);
  const auto keys_out = b.room<Key>(n), expected_keys = b.room<Key>(n);
  const auto values_out = b.room<Value>(n), expected = b.room<Value>(n);
#if UPSWEEP_HAS_CUDA
  const auto peers = cub_calls(
      b, "DeviceRadixSort::SortPairs", n, [=](void* storage, std::size_t& bytes, auto items, cudaStream_t stream) {
        return cub::DeviceRadixSort::SortPairs(storage, bytes, keys.data(), expected_keys.data(), values.data(),
                                               expected.data(), items, 0, 8 * sizeof(Key), stream);
      });
#else
  static_assert(std::is_unsigned_v<Key> && sizeof(Key) <= 4);
  // Nobody sorts two ranges, and stable. Sorted are words of a key and its position, then the values are fetched.
  const auto words = b.scratch<std::uint64_t>(n);
  std::vector<contender> peers;
  for (const auto& each : peers::sorts<std::uint64_t>(b.exec.threads()))
    peers.push_back({each.name + " of keys and positions", [=, threads = b.exec.threads()] {
                       const auto count = static_cast<index_t>(words.size());
                       const auto at = [](index_t i) { return static_cast<std::size_t>(i); };
#pragma omp parallel for num_threads(threads)
                       for (index_t i = 0; i < count; i++)
                         words[at(i)] = std::uint64_t{keys[at(i)]} << 32 | static_cast<std::uint64_t>(i);
                       each.in_place(words.data(), words.data() + words.size());
#pragma omp parallel for num_threads(threads)
                       for (index_t i = 0; i < count; i++) {
                         expected_keys[at(i)] = static_cast<Key>(words[at(i)] >> 32);
                         expected[at(i)] = values[words[at(i)] & 0xffffffff];
                       }
                     }});
#endif
  return {.ours = [=, &b] { upsweep::radix_sort_by_key(b.exec, keys, values, keys_out, values_out); },
          .peers = peers,
          .bytes = [=] { return 2.0 * static_cast<double>(keys.size_bytes() + values.size_bytes()); },
          .check = [=, &b] { return compare_pairs(b, keys_out, expected_keys, values_out, expected); }};
}

}  // namespace bench

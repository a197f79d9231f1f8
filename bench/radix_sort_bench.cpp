// radix_sort, radix_sort_by_key: widths of keys, payloads, what keys look like, sizes. Out of place. Bytes are one read
// and one write of all items: what a copy moves, no pass of a sort.
#include <upsweep/radix_sort.hpp>

#include "sort_pairs.hpp"

namespace bench {
namespace {

//! n keys of each sort.
template <class Key>
trial sort_keys(bed& b, std::span<const Key> in, index_t n) {
  const auto all = static_cast<index_t>(in.size());
  const auto out = b.room<Key>(all), expected = b.room<Key>(all);
#if UPSWEEP_HAS_CUDA
  const auto peers = cub_calls(b, "DeviceRadixSort::SortKeys", n,
                               [=](void* storage, std::size_t& bytes, auto items, cudaStream_t stream) {
                                 return cub::DeviceRadixSort::SortKeys(storage, bytes, in.data(), expected.data(),
                                                                       items, 0, 8 * sizeof(Key), stream);
                               });
#else
  const auto peers = sorts_of_a_copy(peers::sorts<Key>(b.exec.threads()), in, expected, n);
#endif
  return {.ours =
              [=, &b] {
                sort_in_turn(in, out, n, [&](std::span<const Key> from, std::span<Key> to) {
                  upsweep::radix_sort(b.exec, from, to);
                });
              },
          .peers = peers,
          .bytes = [=] { return 2.0 * static_cast<double>(n) * sizeof(Key); },
          .check = [=, &b] { return compare(b, out, expected, all); },
          .works = all / n};
}

template <class Key>
maker keys(const kind_of_keys& kind) {
  return [=](bed& b, index_t n, std::uint64_t seed) {
    const index_t all = n * sorts_a_call(n);
    return sort_keys<Key>(b, b.filled<Key>(all, keys_that_are<Key>{kind, seed, all}), n);
  };
}
trial unit_interval(bed& b, index_t n, std::uint64_t seed) {
  return sort_keys<float>(b, b.filled<float>(n * sorts_a_call(n), unit_numbers<float>{seed}), n);
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

template <class T = std::uint32_t>
maker pairs(const kind_of_keys& kind) {
  return [=](bed& b, index_t n, std::uint64_t seed) { return sort_pairs<T, T>(b, n, seed, kind, uniform<T>{~seed}); };
}
trial payloads(bed& b, index_t n, std::uint64_t seed) {
  return sort_pairs<std::uint32_t, payload>(b, n, seed, random_kind, make_payload{~seed});
}

// 2^24 keys on a CPU, where std::sort takes a second for them, and 2^22 of the many kinds.
constexpr int most = UPSWEEP_HAS_CUDA ? 28 : 24 - bed::shift, largest = UPSWEEP_HAS_CUDA ? 29 : 24;
constexpr int of_kinds = UPSWEEP_HAS_CUDA ? 27 : 22 - bed::shift;

bool register_kinds() {
  for (const auto& kind : kinds_of_words) {
    const std::string name = std::string("uint32") + kind.name;
    more("radix_sort/" + name, keys<std::uint32_t>(kind), of_kinds);
    const bool is_hashed = kind.like == keys_like::hashed;
    if (UPSWEEP_HAS_CUDA || is_hashed)  // a million, too, which go another way
      more("radix_sort/" + name, keys<std::uint32_t>(kind), 20 - bed::shift);
    if (UPSWEEP_HAS_CUDA) more("radix_sort_by_key/uint32_uint32" + std::string(kind.name), pairs(kind), 20);
    if (is_hashed) more("radix_sort/" + name, keys<std::uint32_t>(kind), most);  // as many as of random ones
    if (kind.like == keys_like::zipf || kind.like == keys_like::hashed || kind.like == keys_like::few)
      more("radix_sort_by_key/uint32_uint32" + std::string(kind.name), pairs(kind), of_kinds);
  }
  return true;
}
// On a CPU at every size, up to that of the many kinds.
template <class Key>
bool every_size(const char* type) {
  const std::string name = std::string("radix_sort/") + type;
  return UPSWEEP_HAS_CUDA ? more(name, keys<Key>(random_kind), of_kinds) : sizes(name, keys<Key>(random_kind), 22);
}
const bool types = every_size<std::uint8_t>("uint8") && every_size<std::uint16_t>("uint16") &&
                   every_size<std::int32_t>("int32") && every_size<std::int64_t>("int64") &&
                   every_size<double>("float64");
#if !UPSWEEP_HAS_CUDA  // which has rows of these below
const bool more_types =
    every_size<std::int8_t>("int8") && every_size<std::int16_t>("int16") && every_size<std::uint64_t>("uint64");
#endif

const bool rows = large("radix_sort/uint32", keys<std::uint32_t>(random_kind), most) &&
                  large("radix_sort_by_key/uint32_uint32", pairs(random_kind), most) &&
                  large("radix_sort/uint64", keys<std::uint64_t>(random_kind), most - 1) &&
                  more("radix_sort/int8", keys<std::int8_t>(random_kind), most) &&
                  more("radix_sort/int16", keys<std::int16_t>(random_kind), most) &&
                  more("radix_sort/float32", unit_interval, most) &&
                  more("radix_sort/float32_normal", keys<float>({"", keys_like::normal}), most) &&
                  more("radix_sort/int64_time_stamps", keys<std::int64_t>({"", keys_like::stamps}), of_kinds) &&
                  register_kinds() &&
                  more("radix_sort/uint32_misaligned", off_by_one(keys<std::uint32_t>(random_kind)), of_kinds) &&
                  more("radix_sort/uint32_odd_size", of_odd_size(keys<std::uint32_t>(random_kind)), of_kinds) &&
                  more("radix_sort_by_key/uint16_uint16", pairs<std::uint16_t>(random_kind), of_kinds) &&
                  more("radix_sort_by_key/uint32_16_bytes", payloads, most - 2) &&
                  sizes("radix_sort/uint32", keys<std::uint32_t>(random_kind), largest) &&
                  sizes("radix_sort/float32", keys<float>({"", keys_like::normal}), UPSWEEP_HAS_CUDA ? 28 : 22) &&
                  sizes("radix_sort_by_key/uint32_uint32", pairs(random_kind), UPSWEEP_HAS_CUDA ? 28 : 22);

}  // namespace
}  // namespace bench

// Sorts on the device against CUB's: radix sorts of keys and of pairs, stable merge sorts.
#include <cstdint>
#include <vector>

#include <cub/device/device_merge_sort.cuh>
#include <cub/device/device_radix_sort.cuh>

#include <upsweep/quicksort.hpp>
#include <upsweep/radix_sort.hpp>

#include "cub_support.hpp"
#include "cuda_support.hpp"
#include "support.hpp"

using test::check_same_on_device;
using test::cub_call;
using test::for_peer_sizes;
using upsweep::buffer;
using upsweep::index_t;

namespace {
// Keys of any bits, of which one in four repeats few values. Zeros and NaNs are left out, which CUB's radix sort and
// its operator < order as ours does not.
template <class T>
std::vector<T> keys_of(index_t n) {
  auto keys = test::any_bits<T>(n);
  for (std::size_t i = 0; i < keys.size(); i++)
    if (i % 4 == 0 || keys[i] != keys[i] || keys[i] == T{0}) keys[i] = static_cast<T>(1 + i % 7);
  return keys;
}

// Ours and theirs of n items.
template <class T>
struct outputs {
  outputs(upsweep::device& executor, index_t n) : ours(executor, n), theirs(executor, n) {}
  buffer<T> ours, theirs;
};

struct item {
  std::uint32_t key, place;
};
struct key_of {
  UPSWEEP_HD std::uint32_t operator()(const item& i) const { return i.key; }
};
struct is_before {
  template <class T>
  UPSWEEP_HD bool operator()(const T& a, const T& b) const {
    return a < b;
  }
  UPSWEEP_HD bool operator()(const item& a, const item& b) const { return a.key < b.key; }
};

template <class T>
void check_keys() {
  for_peer_sizes([](upsweep::device& executor, index_t n) {
    const buffer<T> in(executor, keys_of<T>(n));
    outputs<T> out(executor, n);
    upsweep::radix_sort(executor, in, out.ours);
    cub_call(executor, [&](void* storage, std::size_t& bytes) {
      return cub::DeviceRadixSort::SortKeys(storage, bytes, in.data(), out.theirs.data(), n, 0, int{8 * sizeof(T)},
                                            executor.stream());
    });
    check_same_on_device(executor, out.ours, out.theirs, n);
  });
}

template <class Key, class Value>
void check_pairs() {
  for_peer_sizes([](upsweep::device& executor, index_t n) {
    const buffer<Key> in(executor, keys_of<Key>(n));
    const buffer<Value> values_in(executor, test::any_bits<Value>(n, 1));
    outputs<Key> keys(executor, n);
    outputs<Value> values(executor, n);
    upsweep::radix_sort_by_key(executor, in, values_in, keys.ours, values.ours);
    cub_call(executor, [&](void* storage, std::size_t& bytes) {
      return cub::DeviceRadixSort::SortPairs(storage, bytes, in.data(), keys.theirs.data(), values_in.data(),
                                             values.theirs.data(), n, 0, int{8 * sizeof(Key)}, executor.stream());
    });
    check_same_on_device(executor, keys.ours, keys.theirs, n);
    check_same_on_device(executor, values.ours, values.theirs, n);
  });
}

// in, sorted by CUB.
template <class T>
void merge_sort(upsweep::device& executor, const buffer<T>& in, buffer<T>& out, index_t n) {
  cub_call(executor, [&](void* storage, std::size_t& bytes) {
    return cub::DeviceMergeSort::StableSortKeysCopy(storage, bytes, in.data(), out.data(), n, is_before{},
                                                    executor.stream());
  });
}

template <class T>
void check_merge_sort() {
  for_peer_sizes([](upsweep::device& executor, index_t n) {
    const auto items = keys_of<T>(n);
    const buffer<T> in(executor, items);
    outputs<T> out(executor, n);
    merge_sort(executor, in, out.theirs, n);
    out.ours.copy_from(executor, items);
    upsweep::quicksort(executor, out.ours);
    check_same_on_device(executor, out.ours, out.theirs, n);
  });
}
}  // namespace

TEST_CASE("radix sorts of keys equal CUB's") {
  check_keys<std::uint8_t>();
  check_keys<std::int32_t>();
  check_keys<std::uint64_t>();
  check_keys<float>();
}

TEST_CASE("radix sorts of pairs equal CUB's") {
  check_pairs<std::int32_t, std::uint32_t>();
  check_pairs<std::uint64_t, std::uint8_t>();
}

TEST_CASE("sorts by an order equal CUB's stable merge sort") {
  check_merge_sort<float>();
  for_peer_sizes([](upsweep::device& executor, index_t n) {
    std::vector<item> items;
    for (const std::uint32_t key : keys_of<std::uint32_t>(n))
      items.push_back({key % 1000, static_cast<std::uint32_t>(items.size())});
    const buffer<item> in(executor, items);
    outputs<item> out(executor, n);
    merge_sort(executor, in, out.theirs, n);
    upsweep::radix_sort(executor, in, out.ours, key_of{});
    check_same_on_device(executor, out.ours, out.theirs, n);
    out.ours.copy_from(executor, items);
    upsweep::quicksort(executor, out.ours, is_before{});
    check_same_on_device(executor, out.ours, out.theirs, n);
  });
}

// quicksort: words, entropies, items compared by a part of them, sizes. Each call sorts a fresh copy, and the copy is
// timed with it. Bytes are one read and one write of the items.
#include <algorithm>

#include <upsweep/quicksort.hpp>

#include "harness.hpp"
#if UPSWEEP_HAS_CUDA
#include <cub/device/device_merge_sort.cuh>
#else
#include "host_peers.hpp"
#if __has_include(<hwy/contrib/sort/vqsort.h>)
#include <hwy/contrib/sort/vqsort.h>
#endif
#endif

namespace bench {
namespace {

using word = std::uint32_t;

//! Ours against a copy and a stable sort; `further` peers sort `expected` too.
template <class T, class Less>
trial sort_by(bed& b, std::span<const T> in, std::span<T> expected, Less less, std::vector<contender> further = {}) {
  const auto out = b.room<T>(static_cast<index_t>(in.size()));
#if UPSWEEP_HAS_CUDA
  std::vector<contender> peers{cub_call(
      b, "copy and DeviceMergeSort::StableSortKeys", [=, &b](void* storage, std::size_t& bytes, cudaStream_t stream) {
        if (storage) b.copy(in, expected);
        return cub::DeviceMergeSort::StableSortKeys(storage, bytes, expected.data(), static_cast<index_t>(in.size()),
                                                    less, stream);
      })};
#else
  std::vector<contender> peers = serial_and_parallel(b, "copy and std::stable_sort", [=](auto... policy) {
    std::copy(in.begin(), in.end(), expected.begin());
    std::stable_sort(policy..., expected.begin(), expected.end(), less);
  });
#endif
  peers.insert(peers.end(), further.begin(), further.end());
  return {.ours =
              [=, &b] {
                b.copy(in, out);
                upsweep::quicksort(b.exec, out, less);
              },
          .peers = peers,
          .bytes = [=] { return 2.0 * static_cast<double>(in.size_bytes()); },
          .check = [=, &b] { return compare(b, out, expected, static_cast<index_t>(in.size())); }};
}

trial sort_words(bed& b, std::span<const word> in) {
  const auto expected = b.room<word>(static_cast<index_t>(in.size()));
  std::vector<contender> further;
#if !UPSWEEP_HAS_CUDA
  further = serial_and_parallel(b, "copy and std::sort", [=](auto... policy) {
    std::copy(in.begin(), in.end(), expected.begin());
    std::sort(policy..., expected.begin(), expected.end());
  });
#if __has_include(<hwy/contrib/sort/vqsort.h>)
  further.push_back({"copy and vqsort (words only, no comparator)", [=] {
                       static const hwy::Sorter vqsort;
                       std::copy(in.begin(), in.end(), expected.begin());
                       vqsort(expected.data(), expected.size(), hwy::SortAscending());
                     }});
#endif
#endif
  return sort_by(b, in, expected, upsweep::less_than{}, further);
}
trial random_words(bed& b, index_t n, std::uint64_t seed) {
  return sort_words(b, b.filled<word>(n, uniform<word>{seed}));
}
template <int Further>
trial entropy(bed& b, index_t n, std::uint64_t seed) {
  return sort_words(b, b.filled<word>(n, anded<word>{seed, Further}));
}
struct ascending {
  UPSWEEP_HD word operator()(index_t i) const { return static_cast<word>(i); }
};
trial sorted_words(bed& b, index_t n, std::uint64_t) { return sort_words(b, b.filled<word>(n, ascending{})); }

//! `Words` words of 64 bits, compared by the first.
template <int Words>
struct record {
  std::uint64_t key, rest[Words - 1];
  friend bool operator==(const record&, const record&) = default;
};
template <int Words>
struct make_record {
  std::uint64_t seed;
  UPSWEEP_HD record<Words> operator()(index_t i) const {
    return {random_bits(seed, i), {static_cast<std::uint64_t>(i)}};
  }
};
struct by_key {
  template <class T>
  UPSWEEP_HD bool operator()(const T& a, const T& b) const {
    return a.key < b.key;
  }
};
template <int Words>
trial records(bed& b, index_t n, std::uint64_t seed) {
  const std::span<const record<Words>> in = b.filled<record<Words>>(n, make_record<Words>{seed});
  return sort_by(b, in, b.room<record<Words>>(n), by_key{});
}

// 2^24 words on a CPU, where std::sort takes a second for them.
constexpr int most = UPSWEEP_HAS_CUDA ? 28 : 24 - bed::shift, largest = UPSWEEP_HAS_CUDA ? 29 : 24;

const bool rows =
    large("quicksort/uint32", random_words, most) && large("quicksort/16_bytes", records<2>, most - 2) &&
    more("quicksort/64_bytes", records<8>, most - 4) && more("quicksort/uint32_sorted", sorted_words, most) &&
    more("quicksort/uint32_and_of_2", entropy<1>, most) && more("quicksort/uint32_and_of_3", entropy<2>, most) &&
    more("quicksort/uint32_and_of_4", entropy<3>, most) && more("quicksort/uint32_and_of_5", entropy<4>, most) &&
    sizes("quicksort/uint32", random_words, largest);

}  // namespace
}  // namespace bench

// quicksort: words, entropies, items compared by a part of them, sizes. Each call sorts a fresh copy, and the copy is
// timed with it. Bytes are one read and one write of the items.
#include <upsweep/quicksort.hpp>

#include "harness.hpp"
#if !UPSWEEP_HAS_CUDA  // there is no GPU backend yet
#include <algorithm>

#include "host_peers.hpp"
#if __has_include(<hwy/contrib/sort/vqsort.h>)
#include <hwy/contrib/sort/vqsort.h>
#endif

namespace bench {
namespace {

using word = std::uint32_t;

//! Ours against peers that sort `expected`.
template <class T, class Less>
trial sort_by(bed& b, std::span<const T> in, std::span<T> expected, const std::vector<contender>& peers, Less less) {
  const auto out = b.room<T>(static_cast<index_t>(in.size()));
  return {.ours =
              [=, &b] {
                std::copy(in.begin(), in.end(), out.begin());
                upsweep::quicksort(b.exec, out, less);
              },
          .peers = peers,
          .bytes = [=] { return 2.0 * static_cast<double>(in.size_bytes()); },
          .check = [=, &b] { return compare(b, out, expected, static_cast<index_t>(in.size())); }};
}

trial sort_words(bed& b, std::span<const word> in) {
  const auto expected = b.room<word>(static_cast<index_t>(in.size()));
  const auto after_copy = [=](auto sort) {
    return [=](auto... policy) {
      std::copy(in.begin(), in.end(), expected.begin());
      sort(policy...);
    };
  };
  auto peers =
      serial_and_parallel(b, "copy and std::sort",
                          after_copy([=](auto... policy) { std::sort(policy..., expected.begin(), expected.end()); }));
  peers.push_back(
      {"copy and std::stable_sort", after_copy([=] { std::stable_sort(expected.begin(), expected.end()); })});
#if __has_include(<hwy/contrib/sort/vqsort.h>)
  peers.push_back({"copy and vqsort (words only, no comparator)", after_copy([=] {
                     static const hwy::Sorter vqsort;
                     vqsort(expected.data(), expected.size(), hwy::SortAscending());
                   })});
#endif
  return sort_by(b, in, expected, peers, upsweep::less_than{});
}
trial random_words(bed& b, index_t n, std::uint64_t seed) {
  return sort_words(b, b.filled<word>(n, uniform<word>{seed}));
}
template <int Further>
trial entropy(bed& b, index_t n, std::uint64_t seed) {
  return sort_words(b, b.filled<word>(n, anded<word>{seed, Further}));
}
trial sorted_words(bed& b, index_t n, std::uint64_t seed) {
  const auto words = b.filled<word>(n, uniform<word>{seed});
  std::sort(words.begin(), words.end());
  return sort_words(b, words);
}

//! `Words` words of 64 bits, compared by the first.
template <int Words>
struct record {
  std::uint64_t key, rest[Words - 1];
  friend bool operator==(const record&, const record&) = default;
};
template <int Words>
struct make_record {
  std::uint64_t seed;
  record<Words> operator()(index_t i) const { return {random_bits(seed, i), {static_cast<std::uint64_t>(i)}}; }
};
struct by_key {
  template <class T>
  bool operator()(const T& a, const T& b) const {
    return a.key < b.key;
  }
};
template <int Words>
trial records(bed& b, index_t n, std::uint64_t seed) {
  const std::span<const record<Words>> in = b.filled<record<Words>>(n, make_record<Words>{seed});
  const auto expected = b.room<record<Words>>(n);
  const auto peers = serial_and_parallel(b, "copy and std::stable_sort", [=](auto... policy) {
    std::copy(in.begin(), in.end(), expected.begin());
    std::stable_sort(policy..., expected.begin(), expected.end(), by_key{});
  });
  return sort_by(b, in, expected, peers, by_key{});
}

constexpr int most = 24 - bed::shift;  // 2^24 words, where std::sort takes a second

const bool rows =
    large("quicksort/uint32", random_words, most) && large("quicksort/16_bytes", records<2>, most - 2) &&
    more("quicksort/64_bytes", records<8>, most - 4) && more("quicksort/uint32_sorted", sorted_words, most) &&
    more("quicksort/uint32_and_of_2", entropy<1>, most) && more("quicksort/uint32_and_of_3", entropy<2>, most) &&
    more("quicksort/uint32_and_of_4", entropy<3>, most) && more("quicksort/uint32_and_of_5", entropy<4>, most) &&
    sizes("quicksort/uint32", random_words, most + bed::shift);

}  // namespace
}  // namespace bench
#endif

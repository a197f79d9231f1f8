// quicksort: words of all kinds, items compared by a part of them, sizes. Into another range, as the peer on a GPU
// does; those on the host sort a copy in place, which is timed with them. Bytes are one read and one write of the
// items: what a copy moves, no pass of a sort. Numbers by < are sorted as keys (uint32); what a quicksort does with
// them is told by a function that it does not know (uint32_by_function).
#include <algorithm>
#include <type_traits>

#include <upsweep/quicksort.hpp>

#include "harness.hpp"
#if UPSWEEP_HAS_CUDA
#include <cub/device/device_merge_sort.cuh>
#else
#include "host_peers.hpp"
#endif

namespace bench {
namespace {

using word = std::uint32_t;

//! The key alone, of records of which many have the same.
struct key_of {
  template <class T>
  UPSWEEP_HD std::uint64_t operator()(const T& item) const {
    if constexpr (std::is_integral_v<T>) return item;
    else return item.key;
  }
};
template <class T>
struct keys_at {
  const T* items;
  UPSWEEP_HD std::uint64_t operator()(index_t i) const { return key_of{}(items[i]); }
};

//! < of words, by a function of a user's.
struct smaller_word {
  UPSWEEP_HD bool operator()(word a, word b) const { return a < b; }
};

//! n items of each sort. Those of which many are equivalent and yet differ are compared by their keys, as a quicksort
//! is not stable.
template <class T, class Less>
trial sort_by(bed& b, std::span<const T> in, index_t n, Less less, bool has_equivalents = false) {
  const auto all = static_cast<index_t>(in.size());
  const auto out = b.room<T>(all), expected = b.room<T>(all);
#if UPSWEEP_HAS_CUDA
  const auto peers = cub_calls(b, "DeviceMergeSort::StableSortKeysCopy", n,
                               [=](void* storage, std::size_t& bytes, auto items, cudaStream_t stream) {
                                 return cub::DeviceMergeSort::StableSortKeysCopy(storage, bytes, in.data(),
                                                                                 expected.data(), items, less, stream);
                               });
#else
  const int threads = b.exec.threads();
  const auto peers = [=] {
    if constexpr (std::is_integral_v<T>) return sorts_of_a_copy(peers::sorts<T>(threads), in, expected, n);
    else return sorts_of_a_copy(peers::sorts_of_records<sizeof(T) / 8>(threads), in, expected, n);
  }();
#endif
  return {.ours =
              [=, &b] {
                sort_in_turn(in, out, n, [&](std::span<const T> from, std::span<T> to) {
                  upsweep::quicksort(b.exec, from, to, less);
                });
              },
          .peers = peers,
          .bytes = [=] { return 2.0 * static_cast<double>(n) * sizeof(T); },
          .check = [=, &b]() -> std::string {
            if (!has_equivalents) return compare(b, out, expected, all);
            return compare(b, b.filled<std::uint64_t>(all, keys_at<T>{out.data()}),
                           b.filled<std::uint64_t>(all, keys_at<T>{expected.data()}), all);
          },
          .works = all / n};
}

template <class Less>
maker words(const kind_of_keys& kind, Less less) {
  return [=](bed& b, index_t n, std::uint64_t seed) {
    const index_t all = n * sorts_a_call(n);
    return sort_by<word>(b, b.filled<word>(all, keys_that_are<word>{kind, seed, all}), n, less);
  };
}
maker numbers() { return words(random_kind, upsweep::less_than{}); }
maker by_function() { return words(random_kind, smaller_word{}); }
//! Of so many different keys; 0: as good as all differ.
template <int Words, std::uint64_t Distinct>
trial records(bed& b, index_t n, std::uint64_t seed) {
  const std::span<const record<Words>> in = b.filled<record<Words>>(n, make_record<Words>{seed, Distinct});
  return sort_by(b, in, n, by_key_of_record{}, Distinct > 0);
}

// 2^24 words on a CPU, where std::sort takes a second for them, and 2^22 of the many kinds.
constexpr int most = UPSWEEP_HAS_CUDA ? 28 : 24 - bed::shift, largest = UPSWEEP_HAS_CUDA ? 29 : 24;
constexpr int of_kinds = UPSWEEP_HAS_CUDA ? 27 : 22 - bed::shift;

bool register_kinds() {
  for (const auto& kind : kinds_of_words)
    more("quicksort/uint32_by_function" + std::string(kind.name), words(kind, smaller_word{}), of_kinds);
  return true;
}
const bool rows =
    large("quicksort/uint32", numbers(), most) && large("quicksort/uint32_by_function", by_function(), most) &&
    large("quicksort/16_bytes", records<2, 0>, most - 2) &&
    more("quicksort/16_bytes_few_distinct", records<2, 16>, most - 2) &&
    more("quicksort/64_bytes", records<8, 0>, most - 4) && register_kinds() &&
    more("quicksort/uint32_by_function_misaligned", off_by_one(by_function()), of_kinds) &&
    more("quicksort/uint32_by_function_odd_size", of_odd_size(by_function()), of_kinds) &&
    sizes("quicksort/uint32", numbers(), largest) && sizes("quicksort/uint32_by_function", by_function(), largest);

}  // namespace
}  // namespace bench

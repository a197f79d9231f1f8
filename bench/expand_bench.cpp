// allocate, expand, repeat, segment_ids, segment_offsets. The totals stay where the executor works.
#include <algorithm>
#include <initializer_list>
#include <numeric>

#include <upsweep/expand.hpp>

#include "harness.hpp"
#if UPSWEEP_HAS_CUDA
#include <cub/device/device_scan.cuh>

#include "cub_expand.hpp"
#else
#include "host_peers.hpp"
#endif

namespace bench {
namespace {

//! Counts that ask for n items or a little less; one in `Rarity` asks for any, below twice Rarity times the mean.
template <int Mean, int Rarity = 1>
struct some_counts {
  std::uint64_t seed;
  static index_t how_many(index_t n) { return n / Mean; }
  UPSWEEP_HD int operator()(index_t i) const {
    const std::uint64_t bits = random_bits(seed, i) >> 16;
    if (Mean == 1 && Rarity == 1) return 1;
    return bits % Rarity == 0 ? static_cast<int>((bits >> 16) % (2 * Mean * Rarity)) : 0;
  }
};
//! One asks for all.
struct one_alone {
  std::uint64_t seed;
  index_t n = 0;
  static index_t how_many(index_t items) { return items / 8 + 1; }
  UPSWEEP_HD int operator()(index_t i) const { return i == n / 16 ? static_cast<int>(n) : 0; }
};

struct counted {
  counted(bed& b, std::span<const int> all) : counts(all) {
    const auto here = fetched(b, all);
    total = std::accumulate(here.begin(), here.end(), index_t{0});
    longest = here.empty() ? 0 : *std::max_element(here.begin(), here.end());
  }
  std::span<const int> counts;
  int longest = 0;
  index_t total = 0;
};
template <class Counts>
counted counts_of(bed& b, index_t n, std::uint64_t seed) {
  Counts make{seed};
  if constexpr (std::is_same_v<Counts, one_alone>) make.n = n;
  return {b, b.filled<int>(std::max<index_t>(Counts::how_many(n), 1), make)};
}

//! Our total, then our items with what is known to be right, where that is not the peer's, then with a peer's.
template <class T>
std::string compare_all(bed& b, const index_t* total, index_t known_total, std::span<const T> ours,
                        std::initializer_list<std::span<const T>> right) {
  if (const index_t found = b.read(total); found != known_total)
    return "wrong total: " + std::to_string(found) + ", not " + std::to_string(known_total);
  std::string what;
  for (const auto& items : right)
    if (what.empty()) what = compare(b, ours, items, static_cast<index_t>(items.size()));
  return what;
}

template <class Counts>
trial expand(bed& b, index_t n, std::uint64_t seed) {
  const counted c = counts_of<Counts>(b, n, seed);
  const auto out = b.room<int>(c.total), expected = b.room<int>(c.total);
  index_t* const total = b.room<index_t>(1).data();
  const double bytes = static_cast<double>(c.counts.size_bytes() + out.size_bytes());
  trial t{.ours = [=, &b] { upsweep::expand(b.exec, c.counts, out, total); },
          .peers = {},
          .bytes = [=] { return bytes; },
          .check = [=, &b] { return compare_all<int>(b, total, c.total, out, {expected}); }};
#if UPSWEEP_HAS_CUDA
  const auto here = fetched(b, c.counts);
  std::vector<int> indices;
  for (std::size_t i = 0; i < here.size(); i++)
    indices.insert(indices.end(), static_cast<std::size_t>(here[i]), static_cast<int>(i));
  const auto known = placed(b, indices);
  t.peers = composed_expansions(b, c.counts, c.longest, expected, number_of_run{});
  t.check = [=, &b] { return compare_all<int>(b, total, c.total, out, {known, expected}); };
#else
  t.peers = serial_loop([=] { peers::expand(c.counts, expected); });
#endif
  t.items = c.total;
  return t;
}

template <class Counts, class T>
trial repeat(bed& b, index_t n, std::uint64_t seed) {
  const counted c = counts_of<Counts>(b, n, seed);
  const auto in = b.filled<T>(static_cast<index_t>(c.counts.size()), uniform<T>{~seed});
  const auto out = b.room<T>(c.total), expected = b.room<T>(c.total);
  index_t* const total = b.room<index_t>(1).data();
  const double bytes = static_cast<double>(c.counts.size_bytes() + in.size_bytes() + out.size_bytes());
  trial t{.ours = [=, &b] { upsweep::repeat(b.exec, in, c.counts, out, total); },
          .peers = {},
          .bytes = [=] { return bytes; },
          .check = [=, &b] { return compare_all<T>(b, total, c.total, out, {expected}); }};
#if UPSWEEP_HAS_CUDA
  const auto items = fetched<T>(b, in);
  const auto counts = fetched(b, c.counts);
  std::vector<T> repeated;
  for (std::size_t i = 0; i < items.size(); i++)
    repeated.insert(repeated.end(), static_cast<std::size_t>(counts[i]), items[i]);
  const auto known = placed(b, repeated);
  t.peers = composed_expansions(b, c.counts, c.longest, expected, item_of_run<T>{in.data()});
  t.check = [=, &b] { return compare_all<T>(b, total, c.total, out, {known, expected}); };
#else
  t.peers = serial_loop([=] { peers::repeat<T>(in, c.counts, expected); });
#endif
  t.items = c.total;
  return t;
}
trial segment_offsets(bed& b, index_t n, std::uint64_t seed) {
  const random_segments segments{seed, 100};
  const auto ids = b.filled<int>(n, numbers_of{segments});
  const index_t count = segments.count(n) + 1;
  const auto out = b.room<int>(count), expected = b.room<int>(count);
  trial t{.ours = [=, &b] { upsweep::segment_offsets(b.exec, ids, out); },
          .peers = {},
          .bytes = [=] { return static_cast<double>(ids.size_bytes() + out.size_bytes()); },
          .check = [=, &b] { return compare(b, out, expected, count); }};
#if UPSWEEP_HAS_CUDA
  const auto known = b.filled<int>(count, offsets_of{segments, n});
  t.check = [=, &b] { return compare(b, out, known, count); };
#else
  t.peers = serial_loop([=] { peers::offsets_of(ids, expected); });
#endif
  return t;
}

template <int Mean>
trial segment_ids(bed& b, index_t n, std::uint64_t seed) {
  const random_segments segments{seed, Mean};
  const auto offsets = b.filled<int>(segments.count(n) + 1, offsets_of{segments, n});
  const auto out = b.room<int>(n), expected = b.room<int>(n);
  trial t{.ours = [=, &b] { upsweep::segment_ids(b.exec, offsets, out); },
          .peers = {},
          .bytes = [=] { return static_cast<double>(offsets.size_bytes() + out.size_bytes()); },
          .check = [=, &b] { return compare(b, out, expected, n); }};
#if UPSWEEP_HAS_CUDA
  const auto known = b.filled<int>(n, numbers_of{segments});
  t.check = [=, &b] { return compare(b, std::span<const int>(out), std::span<const int>(known), n); };
#else
  t.peers = serial_loop([=] { peers::ids_of(offsets, expected); });
#endif
  return t;
}

trial allocate(bed& b, index_t n, std::uint64_t seed) {
  const counted all(b, b.filled<int>(n, some_counts<4>{seed}));
  const std::span<const int> sizes = all.counts;
  const auto out = b.room<int>(n), expected = b.room<int>(n);
  index_t* const total = b.room<index_t>(1).data();
#if UPSWEEP_HAS_CUDA
  const auto peers = cub_calls(
      b, "DeviceScan::ExclusiveSum", n, [=](void* storage, std::size_t& bytes, auto items, cudaStream_t stream) {
        return cub::DeviceScan::ExclusiveSum(storage, bytes, sizes.data(), expected.data(), items, stream);
      });
#else
  const auto peers = all_ways(b, "std::exclusive_scan", [=](peers::way way) {
    if (way == peers::way::loop) peers::allocate(sizes, expected);
    else peers::exclusive_sum<int>(way, sizes, expected);
  });
#endif
  return {.ours = [=, &b] { upsweep::allocate(b.exec, sizes, out, total); },
          .peers = peers,
          .bytes = [=] { return 8.0 * static_cast<double>(n); },
          .check = [=, &b] { return compare_all<int>(b, total, all.total, out, {expected}); }};
}

const bool rows = large("allocate/int32", allocate, 27) && large("expand/int32_mean_8", expand<some_counts<8>>, 28) &&
                  more("expand/int32_ones", expand<some_counts<1>>, 28) &&
                  more("expand/int32_mean_100", expand<some_counts<100>>, 28) &&
                  more("expand/int32_99_percent_0", expand<some_counts<1, 100>>, 28) &&
                  more("expand/int32_one_alone", expand<one_alone>, 28) &&
                  more("segment_ids/int32_mean_100", segment_ids<100>, 28) &&
                  sizes("expand/int32_mean_8", expand<some_counts<8>>) &&
                  more("repeat/uint8_mean_8", repeat<some_counts<8>, std::uint8_t>, 28) &&
                  more("repeat/int64_mean_8", repeat<some_counts<8>, std::int64_t>, 27) &&
                  more("segment_offsets/int32_mean_100", segment_offsets, 28);

}  // namespace
}  // namespace bench

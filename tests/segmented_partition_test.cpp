// segmented_partition against the oracle: segments of every length, items outside of all, wrong offsets.
#include <cstdint>
#include <vector>

#include <upsweep/partition.hpp>

#include "oracle.hpp"
#include "support.hpp"

using test::check_equal;
using test::guarded;
using test::shift_of;
using upsweep::index_t;

namespace {
using words = std::vector<std::uint32_t>;

// The pivot of a segment is a function of its number.
struct below_pivot {
  UPSWEEP_HD bool operator()(std::uint32_t x, index_t segment) const {
    return x < static_cast<std::uint32_t>(segment * 0x9E3779B1 ^ 0x5bd1e995);
  }
};
template <class Offset>
std::vector<Offset> cut(index_t n, std::vector<index_t> lengths) {
  std::vector<Offset> offsets{0};
  for (std::size_t k = 0; offsets.back() < static_cast<Offset>(n); k++) {
    const index_t end = static_cast<index_t>(offsets.back()) + lengths[k % lengths.size()];
    offsets.push_back(static_cast<Offset>(end < n ? end : n));
  }
  return offsets;
}

template <class Offset>
void check_segments(const words& in, const std::vector<Offset>& offsets) {
  const index_t n = oracle::size(in), segments = oracle::size(offsets) - 1;
  const auto [out, splits] = oracle::segmented_partition(in, offsets, below_pivot{});
  test::on_executors(n, [&, &expected = out, &expected_splits = splits](auto& executor) {
    guarded<std::uint32_t> from(executor, in, shift_of(n)), to(executor, n, shift_of(n, 1));
    guarded<Offset> bounds(executor, offsets), places(executor, segments);
    upsweep::segmented_partition(executor, from.range(), bounds.range(), to.range(), places.range(), below_pivot{});
    check_equal(places.items(executor), expected_splits);
    check_equal(to.items(executor), expected);
  });
}
}  // namespace

TEST_CASE("segmented_partition splits every segment around its own pivot") {
  for (const index_t n : test::few_sizes(16)) {
    const auto in = test::random_integers<std::uint32_t>(n);
    check_segments(in, cut<std::int32_t>(n, {7, 1, 0, 12'000, 3, 0, 0, 90, 40'000, 2, 1000}));
    check_segments(in, cut<std::int64_t>(n, {n + 1}));
    if (n > 300'007) continue;
    check_segments(in, cut<std::int32_t>(n, {1}));
    check_segments(in, cut<std::int32_t>(n, {0, 0, 0, 0, 0, 0, 0, 5}));
  }
}

TEST_CASE("segmented_partition leaves items outside of all segments where they are") {
  const index_t n = 50'021;
  check_segments(test::random_integers<std::uint32_t>(n), std::vector<std::int32_t>{17, 17, 9000, 9001, 49'000});
  check_segments(test::random_integers<std::uint32_t>(n), std::vector<std::int32_t>{400});
}

TEST_CASE("segmented_partition stays in bounds whatever the offsets hold") {
  const index_t n = 20'011;
  const auto in = test::random_integers<std::uint32_t>(n);
  const std::vector<std::int32_t> wrong[] = {{5000, 100, 20'000, 3, 9000}, {-7, 1 << 30, -(1 << 30), 40, n + 9}};
  for (const auto& offsets : wrong) {
    test::on_executors(n, [&](auto& executor) {
      guarded<std::uint32_t> from(executor, in), to(executor, n);
      guarded<std::int32_t> bounds(executor, offsets), splits(executor, oracle::size(offsets) - 1);
      upsweep::segmented_partition(executor, from.range(), bounds.range(), to.range(), splits.range(), below_pivot{});
      to.items(executor);  // looks at the guards
      splits.items(executor);
      check_equal(from.items(executor), in);
    });
  }
}

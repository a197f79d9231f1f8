// Segmented scans against the oracle: by heads, by offsets, by keys; segments of one item and of many tiles, and empty
// ones.
#include <algorithm>
#include <cstdint>
#include <vector>

#include <upsweep/scan.hpp>

#include "oracle.hpp"
#include "support.hpp"
#include "values.hpp"

using test::check_equal;
using test::compose32;
using test::guarded;
using test::map32;
using test::shift_of;
using upsweep::index_t;

namespace {
// Where segments start: of about `length` items each, every 16th a hundred times as long.
std::vector<index_t> random_starts(index_t n, index_t length) {
  test::generator random(7);
  std::vector<index_t> starts;
  auto next = static_cast<index_t>(random.below(static_cast<std::uint64_t>(length)));
  while (next < n) {
    starts.push_back(next);
    const index_t scale = random.below(16) == 0 ? 100 * length : length;
    next += 1 + static_cast<index_t>(random.below(static_cast<std::uint64_t>(2 * scale)));
  }
  return starts;
}
std::vector<std::uint8_t> heads_of(index_t n, const std::vector<index_t>& starts) {
  std::vector<std::uint8_t> heads(oracle::at(n));
  for (const index_t start : starts)
    heads[oracle::at(start)] = static_cast<std::uint8_t>(1 + start % 255);  // any nonzero byte
  return heads;
}
std::vector<std::int32_t> keys_of(index_t n, const std::vector<index_t>& starts) {
  std::vector<std::int32_t> keys(oracle::at(n));
  std::int32_t key = 3;
  std::size_t s = 0;
  for (index_t i = 0; i < n; i++) {
    if (s < starts.size() && starts[s] == i) {
      s++;
      key = 7 - key;  // keys come again: only neighbours are compared
    }
    keys[oracle::at(i)] = key;
  }
  return keys;
}
// Some offsets several times (empty segments); now and then a thousand times.
template <class Offset>
std::vector<Offset> offsets_of(index_t n, const std::vector<index_t>& starts) {
  test::generator random(8);
  std::vector<Offset> offsets;
  for (const index_t start : starts) {
    const std::uint64_t times = random.below(64) == 0 ? 1000 : 1 + random.below(3) / 2;
    offsets.insert(offsets.end(), times, static_cast<Offset>(start));
  }
  offsets.push_back(static_cast<Offset>(n - n / 8));  // what is behind is a segment of its own
  std::sort(offsets.begin(), offsets.end());
  return offsets;
}

// Calls test(n, starts) for sizes and lengths of segments.
template <class F>
void for_segments(const F& test_with) {
  for (const index_t n : test::few_sizes(sizeof(map32))) {
    for (const index_t length : {1, 20, 3000}) {
      if (n > test::largest_on_hosts && length != 3000) continue;
      INFO("segments of about " << length);
      test_with(n, random_starts(n, length));
    }
  }
}
}  // namespace

TEST_CASE("scans by head flags") {
  const compose32 m;
  for_segments([&](index_t n, const std::vector<index_t>& starts) {
    const auto in = test::random_maps(n);
    const auto heads = heads_of(n, starts);
    const auto segments = oracle::segments_of_heads(heads);
    const auto inclusive = oracle::inclusive_scan(in, m, segments);
    const auto reversed = oracle::exclusive_scan(in, m, segments, {}, true);
    test::on_executors(n, [&](auto& executor) {
      guarded<map32> from(executor, in, shift_of(n)), to(executor, n, shift_of(n, 1)), back(executor, n);
      guarded<std::uint8_t> flags(executor, heads, shift_of(n, 2));
      upsweep::inclusive_segmented_scan(executor, from.range(), upsweep::heads(flags.range()), to.range(), m);
      check_equal(to.items(executor), inclusive);
      upsweep::exclusive_segmented_scan(executor, from.range(), upsweep::heads(flags.range()), back.range(), m,
                                        upsweep::reversed);
      check_equal(back.items(executor), reversed);
    });
  });
}

TEST_CASE("scans by offsets") {
  const compose32 m;
  for_segments([&](index_t n, const std::vector<index_t>& starts) {
    const auto in = test::random_maps(n);
    const auto wide = offsets_of<std::int64_t>(n, starts);
    const auto narrow = offsets_of<std::int32_t>(n, starts);
    const auto segments = oracle::segments_of_offsets(n, wide);
    const auto exclusive = oracle::exclusive_scan(in, m, segments);
    const auto reversed = oracle::inclusive_scan(in, m, segments, true);
    test::on_executors(n, [&](auto& executor) {
      guarded<map32> from(executor, in, shift_of(n)), to(executor, n, shift_of(n, 1)), back(executor, n);
      guarded<std::int64_t> offsets64(executor, wide, 1);
      guarded<std::int32_t> offsets32(executor, narrow, 3);
      upsweep::exclusive_segmented_scan(executor, from.range(), upsweep::offsets(offsets64.range()), to.range(), m);
      check_equal(to.items(executor), exclusive);
      upsweep::inclusive_segmented_scan(executor, from.range(), upsweep::offsets(offsets32.range()), back.range(), m,
                                        upsweep::reversed);
      check_equal(back.items(executor), reversed);
    });
  });
}

TEST_CASE("scans by key") {
  const compose32 m;
  for_segments([&](index_t n, const std::vector<index_t>& starts) {
    const auto in = test::random_maps(n);
    const auto keys = keys_of(n, starts);
    const auto segments = oracle::segments_of_keys(keys);
    const auto inclusive = oracle::inclusive_scan(in, m, segments);
    const auto reversed = oracle::exclusive_scan(in, m, segments, {}, true);
    test::on_executors(n, [&](auto& executor) {
      guarded<map32> from(executor, in, shift_of(n)), back(executor, n);
      guarded<std::int32_t> ks(executor, keys, shift_of(n, 2));
      upsweep::exclusive_scan_by_key(executor, ks.range(), from.range(), back.range(), m, upsweep::reversed);
      check_equal(back.items(executor), reversed);
      upsweep::inclusive_scan_by_key(executor, ks.range(), from.range(), from.range(), m);  // in place
      check_equal(from.items(executor), inclusive);
      check_equal(ks.items(executor), keys);
    });
  });
}

TEST_CASE("all segmented scans in both directions agree with the oracle") {
  const compose32 m;
  const index_t n = 20'011;
  const auto in = test::random_maps(n);
  const auto starts = random_starts(n, 40);
  const auto heads = heads_of(n, starts);
  const auto keys = keys_of(n, starts);
  const auto offsets = offsets_of<std::int64_t>(n, starts);
  const auto check = [&](bool reversed, const auto& along) {
    test::on_hosts([&](auto& executor) {
      std::vector<map32> inclusive(in.size()), exclusive(in.size());
      const auto same = [&](const oracle::bounds& segments) {
        check_equal(inclusive, oracle::inclusive_scan(in, m, segments, reversed));
        check_equal(exclusive, oracle::exclusive_scan(in, m, segments, {}, reversed));
      };
      upsweep::inclusive_segmented_scan(executor, in, upsweep::heads(heads), inclusive, m, along);
      upsweep::exclusive_segmented_scan(executor, in, upsweep::heads(heads), exclusive, m, along);
      same(oracle::segments_of_heads(heads));
      upsweep::inclusive_segmented_scan(executor, in, upsweep::offsets(offsets), inclusive, m, along);
      upsweep::exclusive_segmented_scan(executor, in, upsweep::offsets(offsets), exclusive, m, along);
      same(oracle::segments_of_offsets(n, offsets));
      upsweep::inclusive_scan_by_key(executor, keys, in, inclusive, m, along);
      upsweep::exclusive_scan_by_key(executor, keys, in, exclusive, m, along);
      same(oracle::segments_of_keys(keys));
    });
  };
  check(false, upsweep::forward);
  check(true, upsweep::reversed);
}

TEST_CASE("the first item starts a segment, whatever its flag") {
  upsweep::host executor(3);
  const std::vector<int> in = {1, 2, 3, 4};
  std::vector<int> out(4);
  const std::vector<std::uint8_t> flags = {0, 0, 1, 0};
  upsweep::inclusive_segmented_scan(executor, in, upsweep::heads(flags), out);
  CHECK(out == std::vector{1, 3, 3, 7});
  upsweep::exclusive_segmented_scan(executor, in, upsweep::heads(flags), out, upsweep::plus<int>{}, upsweep::reversed);
  CHECK(out == std::vector{2, 0, 4, 0});
  const std::vector<int> bounds = {2, 2, 3};
  upsweep::exclusive_segmented_scan(executor, in, upsweep::offsets(bounds), out, upsweep::maximum<int>{});
  constexpr int nothing = upsweep::maximum<int>{}.identity();
  CHECK(out == std::vector{nothing, 1, nothing, nothing});
}

TEST_CASE("flags of any integer type are flags, whatever they could be taken for") {
  const std::vector<int> in = {1, 2, 3, 4, 5}, flags = {1, 0, 1, 0, 1}, expected = {1, 3, 3, 7, 5};
  test::on_executors([&](auto& executor) {
    guarded<int> from(executor, in), heads(executor, flags), to(executor, 5);
    upsweep::inclusive_segmented_scan(executor, from.range(), upsweep::heads(heads.range()), to.range());
    check_equal(to.items(executor), expected);
    guarded<std::int64_t> wide(executor, std::vector<std::int64_t>{std::int64_t{1} << 40, 0, -1, 0, 7});
    upsweep::inclusive_segmented_scan(executor, from.range(), upsweep::heads(wide.range()), to.range());
    check_equal(to.items(executor), expected);
  });
}

TEST_CASE("offsets of wrong contents lead to wrong values at most") {
  // Decreasing, negative, beyond the end, extreme: nothing but out may be written, and nothing may be read out of
  // bounds.
  const index_t n = 70'001;
  const auto in = test::random_maps(n);
  const std::vector<std::vector<std::int64_t>> wrong = {{n, 5, 3, 0},
                                                        {-7, n / 2, n + 1000},
                                                        {INT64_MIN, INT64_MAX},
                                                        {INT64_MAX, INT64_MIN, 0},
                                                        std::vector<std::int64_t>(50'000, 17),
                                                        test::random_integers<std::int64_t>(1000)};
  for (const auto& offsets : wrong) {
    test::on_executors([&](auto& executor) {
      guarded<map32> from(executor, in), to(executor, n);
      guarded<std::int64_t> bounds(executor, offsets);
      upsweep::inclusive_segmented_scan(executor, from.range(), upsweep::offsets(bounds.range()), to.range(),
                                        compose32{}, upsweep::reversed);
      upsweep::exclusive_segmented_scan(executor, from.range(), upsweep::offsets(bounds.range()), to.range(),
                                        compose32{});
      CHECK(oracle::size(to.items(executor)) == n);
      check_equal(bounds.items(executor), offsets);
      check_equal(from.items(executor), in);
    });
  }
}

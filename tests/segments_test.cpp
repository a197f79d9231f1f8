// What tells segments apart: divisibility by one multiplication, and marks from offsets.
#include <algorithm>
#include <cstdint>
#include <vector>

#include <upsweep/segments.hpp>

#include "oracle.hpp"
#include "support.hpp"

using upsweep::index_t;
using upsweep::detail::multiple_of;
using upsweep::detail::remainder_of;

TEST_CASE("multiple_of and remainder_of agree with % for divisors of all kinds") {
  std::vector<std::uint64_t> divisors = {1, 2, 3, 5, 6, 7, 8, 10, 12, 24, 100, 255, 256, 257, 1000, 3 << 20, 65535};
  for (int k = 30; k < 63; k++) {
    for (const std::uint64_t d : {(std::uint64_t{1} << k) - 1, std::uint64_t{1} << k, (std::uint64_t{1} << k) + 1})
      divisors.push_back(d);
  }
  test::generator random;
  for (int i = 0; i < 300; i++) divisors.push_back(1 + (random() >> (1 + random.below(62))));

  for (const std::uint64_t d : divisors) {
    const multiple_of is_multiple(d);
    CHECK(is_multiple.divisor() == d);
    const remainder_of remainder(d);
    CHECK(remainder.divisor() == d);
    int wrong = 0;
    const auto check = [&](std::uint64_t i) {
      if (i >> 63 != 0) return;
      wrong += is_multiple(static_cast<index_t>(i)) != (i % d == 0);
      wrong += remainder(static_cast<index_t>(i)) != i % d;
    };
    for (std::uint64_t i = 0; i < 300; i++) check(i);
    for (int k = 0; k < 200; k++) {
      check(random() >> 1);
      const std::uint64_t multiple = d * random.below((std::uint64_t{1} << 63) / d + 1);
      for (const std::uint64_t i : {multiple - 1, multiple, multiple + 1}) check(i);
    }
    check((std::uint64_t{1} << 63) - 1);
    INFO("divisor " << d);
    CHECK(wrong == 0);
  }
}

TEST_CASE("lower_bound finds the first entry that is not less") {
  const std::vector<std::int32_t> entries = {2, 2, 5, 9, 9, 9, 12};
  const auto count = oracle::size(entries);
  for (index_t value = -3; value < 15; value++) {
    const auto expected = std::lower_bound(entries.begin(), entries.end(), value) - entries.begin();
    CHECK(upsweep::detail::lower_bound(entries.data(), count, value) == expected);
  }
  CHECK(upsweep::detail::lower_bound(entries.data(), 0, 5) == 0);
}

namespace {
template <class Offset>
std::vector<std::uint8_t> filled(const std::vector<Offset>& offsets, index_t first, index_t items) {
  const upsweep::detail::marks_column<Offset> column{offsets.data(), oracle::size(offsets)};
  std::vector<std::uint8_t> marks(oracle::at(items), 0xEE);
  column.fill(first, items, marks.data());
  return marks;
}
}  // namespace

TEST_CASE("segment marks say where segments start and end, one by one and by the tile") {
  using marks = std::vector<std::uint8_t>;
  const std::vector<std::int32_t> offsets = {0, 2, 2, 2, 3, 6};
  const upsweep::detail::marks_column<std::int32_t> column{offsets.data(), oracle::size(offsets)};
  const marks expected = {1, 2, 3, 1, 0, 2, 1, 0};
  for (int i = 0; i < 8; i++) CHECK(column(i) == expected[oracle::at(i)]);
  CHECK(filled(offsets, 0, 8) == expected);
  CHECK(filled(offsets, 2, 3) == marks{3, 1, 0});
}

TEST_CASE("a tile's marks equal the items' own, for any offsets, crowds of empty segments among them") {
  test::generator random;
  for (int round = 0; round < 40; round++) {
    std::vector<std::int64_t> offsets;
    const std::uint64_t count = 1 + random.below(60);
    for (std::uint64_t s = 0; s < count; s++) {
      const auto offset = static_cast<std::int64_t>(random.below(400));
      offsets.insert(offsets.end(), random.below(10) == 0 ? 500 : 1, offset);
    }
    if (round % 4 != 3) std::sort(offsets.begin(), offsets.end());  // else: of wrong contents, which stay in bounds
    const upsweep::detail::marks_column<std::int64_t> column{offsets.data(), oracle::size(offsets)};
    for (const int first : {0, 57, 390}) {
      const index_t items = 1 + static_cast<index_t>(random.below(150));
      const auto marks = filled(offsets, first, items);
      REQUIRE(marks.size() == oracle::at(items));
      if (round % 4 == 3) continue;
      for (index_t k = 0; k < items; k++) REQUIRE(marks[oracle::at(k)] == column(first + k));
    }
  }
}

TEST_CASE("a tile's marks of rows equal the items' own, for short rows that repeat and for long ones") {
  for (const index_t length : {1, 2, 3, 5, 15, 16, 17, 100, 1000}) {
    const upsweep::detail::row_marks_column column{length};
    for (const index_t first : {0, 1, 14, 15, 16, 99, 128, 999}) {
      for (const index_t items : {1, 2, 15, 16, 17, 128, 300}) {
        std::vector<std::uint8_t> marks(oracle::at(items), 0xEE);
        column.fill(first, items, marks.data());
        INFO(items << " items from " << first << " on, rows of " << length);
        for (index_t k = 0; k < items; k++) REQUIRE(marks[oracle::at(k)] == column(first + k));
      }
    }
  }
  const upsweep::detail::row_marks_column column{3};
  const std::vector<int> expected = {1, 0, 2, 1, 0, 2};
  for (int i = 0; i < 6; i++) CHECK(column(i) == expected[oracle::at(i)]);
}

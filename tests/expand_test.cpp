// Room by sizes, items by counts, segments by numbers: counts of every shape, room that is exact, too large, too small,
// and sums that there are not.
#include <algorithm>
#include <cstdint>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

#include <upsweep/expand.hpp>

#include "oracle.hpp"
#include "ragged.hpp"
#include "support.hpp"
#include "values.hpp"

using test::check_equal;
using test::guarded;
using test::shift_of;
using upsweep::index_t;

namespace {
template <class Count>
index_t sum_of(const std::vector<Count>& counts) {
  return std::accumulate(counts.begin(), counts.end(), index_t{0});
}
//! Counts that ask for about n items, in the ways that are hard to share out evenly.
enum class shape { ones, few, many, mostly_none, one_alone, first, last, none };
constexpr shape all_shapes[] = {shape::ones,      shape::few,   shape::many, shape::mostly_none,
                                shape::one_alone, shape::first, shape::last, shape::none};
template <class Count>
std::vector<Count> counts_of(shape which, index_t n) {
  const auto random_counts = [n](index_t how_many, std::uint64_t below, std::uint64_t rarity) {
    return test::generate(
        how_many,
        [=](test::generator& random) {
          return static_cast<Count>(random.below(rarity) == 0 ? random.below(below) : 0);
        },
        static_cast<std::uint64_t>(n));
  };
  std::vector<Count> counts(oracle::at(n / 8 + 3));
  const auto most = static_cast<Count>(std::min<index_t>(n, std::numeric_limits<Count>::max()));
  if (which == shape::ones) return std::vector<Count>(oracle::at(n), 1);
  if (which == shape::few) return random_counts(n / 2, 5, 1);
  if (which == shape::many) return random_counts(n / 50, 120, 1);
  if (which == shape::mostly_none) return random_counts(n, 120, 100);
  if (which == shape::one_alone) counts[counts.size() / 2] = most;
  if (which == shape::first) counts.front() = most;
  if (which == shape::last) counts.back() = most;
  return counts;
}
}  // namespace

TEST_CASE("allocate gives every item room, with and without an end, in place too") {
  const auto check = [](auto size, auto offset, std::uint64_t below) {
    using Size = decltype(size);
    using Offset = decltype(offset);
    for (const index_t n : test::few_sizes(sizeof(Size) + sizeof(Offset))) {
      const auto sizes = test::random_integers<Size>(n, below);
      std::vector<Offset> expected(oracle::at(n + 1));
      for (index_t i = 0; i < n; i++)
        expected[oracle::at(i + 1)] =
            static_cast<Offset>(expected[oracle::at(i)] + static_cast<Offset>(sizes[oracle::at(i)]));
      const auto total = static_cast<index_t>(expected.back());
      test::on_executors(n, [&](auto& executor) {
        guarded<Size> from(executor, sizes, shift_of(n));
        guarded<Offset> with_end(executor, n + 1, shift_of(n, 1)), without(executor, n, shift_of(n, 2));
        guarded<index_t> result(executor, 1);
        CHECK(upsweep::allocate(executor, from.range(), with_end.range()) == total);
        check_equal(with_end.items(executor), expected);
        upsweep::allocate(executor, from.range(), without.range(), result.data());
        check_equal(without.items(executor), {expected.begin(), expected.end() - 1});
        CHECK(result.items(executor) == std::vector{total});
        if constexpr (std::is_same_v<Size, Offset>) {
          auto padded = sizes;
          padded.push_back(0);
          guarded<Size> both(executor, padded, shift_of(n));
          CHECK(upsweep::allocate(executor, both.first(n), both.range()) == total);
          check_equal(both.items(executor), expected);
        }
      });
    }
  };
  check(std::int32_t{}, std::int32_t{}, 100);
  check(std::uint8_t{}, std::int64_t{}, 0);
  check(std::uint64_t{}, std::uint32_t{}, 50);
  check(std::int64_t{}, std::int64_t{}, std::uint64_t{1} << 40);
}

TEST_CASE("allocate tells sizes that have no sum, and what fits exactly from what does not") {
  constexpr auto largest = std::numeric_limits<std::int64_t>::max();
  const auto check = [](const auto& sizes, auto offset, bool has_end, index_t expected) {
    using Size = std::decay_t<decltype(sizes[0])>;
    using Offset = decltype(offset);
    const auto n = static_cast<index_t>(sizes.size());
    test::on_executors([&](auto& executor) {
      guarded<Size> from(executor, sizes);
      guarded<Offset> to(executor, n + (has_end ? 1 : 0));
      guarded<index_t> total(executor, 1);
      upsweep::allocate(executor, from.range(), to.range(), total.data());
      CHECK(total.items(executor) == std::vector{expected});
      if (expected >= 0) CHECK(upsweep::allocate(executor, from.range(), to.range()) == expected);
      else CHECK_THROWS(upsweep::allocate(executor, from.range(), to.range()));
    });
  };
  check(std::vector<std::int64_t>{}, std::int32_t{}, true, 0);
  check(std::vector<std::int64_t>{}, std::int32_t{}, false, 0);
  check(std::vector<std::int64_t>{largest - 1, 1}, std::int64_t{}, true, largest);
  check(std::vector<std::int64_t>{largest, 1}, std::int64_t{}, true, -1);
  check(std::vector<std::int64_t>{largest, largest, largest, 5}, std::int64_t{}, true, -1);  // which wraps twice
  check(std::vector<std::uint64_t>{1, ~std::uint64_t{0}}, std::uint64_t{}, true, -1);
  check(std::vector<std::int64_t>{-1, 2}, std::int64_t{}, true, -1);
  check(std::vector<std::int32_t>(5000, 1 << 30), std::int64_t{}, true, index_t{5000} << 30);
  check(std::vector<std::int32_t>{2'000'000'000, 147'483'647}, std::int32_t{}, true, 2'147'483'647);
  check(std::vector<std::int32_t>{2'000'000'000, 147'483'648}, std::int32_t{}, true, -1);
  check(std::vector<std::int32_t>{2'000'000'000, 147'483'648}, std::int32_t{}, false, 2'147'483'648);
  check(std::vector<std::uint8_t>(255, 1), std::uint8_t{}, true, 255);
  check(std::vector<std::uint8_t>(256, 1), std::uint8_t{}, true, -1);
  for (const index_t n : {1000, 100'000}) {
    std::vector<std::int32_t> sizes(oracle::at(n), 3);
    for (const index_t at : {index_t{0}, n / 2, n - 1}) {
      sizes[oracle::at(at)] = -1;
      check(sizes, std::int32_t{}, true, -1);
      sizes[oracle::at(at)] = 3;
    }
  }
}

TEST_CASE("allocate, expand and repeat name what is wrong with sizes") {
  test::on_hosts([](auto& executor) {
    std::vector<std::int32_t> negative(3000, 2), offsets(3000), out(9);
    negative[1234] = -7;
    const auto sum_of_large = [&](auto& to) {
      upsweep::allocate(executor, std::vector<std::int64_t>{1 << 30, 1 << 30}, to);
    };
    test::check_refused([&] { upsweep::allocate(executor, negative, offsets); }, "sizes", "item 1234 is negative");
    test::check_refused([&] { upsweep::expand(executor, negative, out); }, "counts", "item 1234 is negative");
    test::check_refused([&] { upsweep::repeat(executor, negative, negative, out); }, "counts", "item 1234 is negative");
    std::vector<std::int32_t> three(3);
    CHECK(test::message_of<std::overflow_error>([&] { sum_of_large(three); }) ==
          "sizes: their sum is too large for offsets");
    CHECK(
        test::contains(test::message_of<std::overflow_error>([&] { upsweep::allocate(executor, negative, negative); }),
                       "sizes: one is negative"));
    const std::vector<std::uint64_t> endless{~std::uint64_t{0}, 5};
    CHECK(test::message_of<std::overflow_error>([&] { upsweep::expand(executor, endless, out); }) ==
          "counts: their sum is too large for 64 bits");
    CHECK(out == std::vector<std::int32_t>(9));
  });
}

TEST_CASE("expand writes each index as often as it is counted, whatever the counts") {
  const auto check = [](auto count, auto index) {
    using Count = decltype(count);
    using Index = decltype(index);
    for (const index_t n : test::few_sizes(3 * sizeof(Index)))
      for (const shape which : all_shapes) {
        if (n > test::largest_on_hosts && which != shape::few) continue;
        const auto counts = counts_of<Count>(which, n);
        std::vector<Index> indices(counts.size());
        std::iota(indices.begin(), indices.end(), Index{});
        const auto expected = oracle::repeat(indices, counts);
        const auto total = oracle::size(expected);
        test::on_executors(n, [&](auto& executor) {
          INFO("counts of shape " << static_cast<int>(which));
          guarded<Count> from(executor, counts, shift_of(n));
          guarded<Index> exact(executor, total, shift_of(n, 1)), larger(executor, total + 100, shift_of(n, 2));
          guarded<Index> first_half(executor, total / 2, shift_of(n, 3));
          guarded<index_t> result(executor, 1);
          CHECK(upsweep::expand(executor, from.range(), exact.range()) == total);
          check_equal(exact.items(executor), expected);
          upsweep::expand(executor, from.range(), larger.range(), result.data());
          check_equal(larger.items(executor, total), expected);
          CHECK(result.items(executor) == std::vector{total});
          upsweep::expand(executor, from.range(), first_half.range(), result.data());
          check_equal(first_half.items(executor), {expected.begin(), expected.begin() + total / 2});
          CHECK(result.items(executor) == std::vector{total});
        });
      }
  };
  check(std::int32_t{}, std::int32_t{});
  check(std::uint8_t{}, std::uint64_t{});
  check(std::int64_t{}, std::uint32_t{});
}

TEST_CASE("repeat copies items of any size, and converts") {
  const auto check = [](const auto& make_items) {
    using T = typename decltype(make_items(1))::value_type;
    for (const index_t n : test::few_sizes(2 * sizeof(T)))
      for (const shape which : {shape::few, shape::many, shape::one_alone}) {
        if (n > test::largest_on_hosts && which != shape::few) continue;
        const auto counts = counts_of<std::int32_t>(which, n);
        const std::vector<T> in = make_items(oracle::size(counts));
        const auto expected = oracle::repeat(in, counts);
        const auto total = oracle::size(expected);
        test::on_executors(n, [&](auto& executor) {
          guarded<T> from(executor, in, shift_of(n)), to(executor, total + 1, shift_of(n, 2));
          guarded<std::int32_t> how_often(executor, counts, shift_of(n, 1));
          guarded<index_t> result(executor, 1);
          CHECK(upsweep::repeat(executor, from.range(), how_often.range(), to.range()) == total);
          check_equal(to.items(executor, total), expected);
          upsweep::repeat(executor, from.range(), how_often.range(), to.range(), result.data());
          check_equal(to.items(executor, total), expected);
          CHECK(result.items(executor) == std::vector{total});
        });
      }
  };
  check([](index_t n) { return test::random_integers<std::uint8_t>(n); });
  check([](index_t n) { return test::random_integers<std::uint16_t>(n); });
  check([](index_t n) { return test::random_integers<std::int64_t>(n); });
  check(test::unit_intervals<test::interval<12>>);
  check(test::unit_intervals<test::interval<48, 16>>);
  test::on_executors([](auto& executor) {
    guarded<std::int32_t> in(executor, std::vector<std::int32_t>{3, -4}),
        counts(executor, std::vector<std::int32_t>{1, 2});
    guarded<double> out(executor, 3);
    upsweep::repeat(executor, in.range(), counts.range(), out.range());
    CHECK(out.items(executor) == std::vector{3.0, -4.0, -4.0});
  });
}

TEST_CASE("counts without a sum write nothing") {
  const auto check = [](const auto& counts) {
    using Count = std::decay_t<decltype(counts[0])>;
    test::on_executors([&](auto& executor) {
      guarded<Count> from(executor, counts);
      guarded<std::int32_t> to(executor, 1000);
      guarded<index_t> total(executor, 1);
      upsweep::expand(executor, from.range(), to.range(), total.data());
      CHECK(total.items(executor) == std::vector<index_t>{-1});
      CHECK(to.untouched_from(executor));
      CHECK_THROWS(upsweep::expand(executor, from.range(), to.range()));
      CHECK(to.untouched_from(executor));
    });
  };
  check(std::vector<std::int32_t>{5, -1, 3});
  check(std::vector<std::uint64_t>{5, ~std::uint64_t{0}, 3});
  constexpr auto largest = std::numeric_limits<std::int64_t>::max();
  check(std::vector<std::int64_t>{largest, largest, 2});
}

TEST_CASE("a run may be far longer than the room that is left for it") {
  const auto check = [](auto count, index_t length) {
    using Count = decltype(count);
    const std::vector<Count> counts{1000, 0, static_cast<Count>(length), 7};
    std::vector<std::int32_t> expected(5000, 2);
    std::fill_n(expected.begin(), 1000, 0);
    test::on_executors([&](auto& executor) {
      guarded<Count> from(executor, counts);
      guarded<std::int32_t> to(executor, 5000);
      guarded<index_t> total(executor, 1);
      upsweep::expand(executor, from.range(), to.range(), total.data());
      check_equal(to.items(executor), expected);
      CHECK(total.items(executor) == std::vector<index_t>{1007 + length});
    });
  };
  for (const index_t length : {(1 << 30) - 1007, (1 << 30) - 1000, 2'147'483'647}) check(std::int32_t{}, length);
  check(std::uint32_t{}, 4'294'967'295);
  check(std::int64_t{}, index_t{1} << 40);
}

TEST_CASE("segments by numbers, from offsets and back") {
  const auto check = [](auto offset, auto id) {
    using Offset = decltype(offset);
    using Id = decltype(id);
    for (const index_t n : test::few_sizes(sizeof(Offset) + sizeof(Id)))
      for (const index_t length : {1, 7, 300, 100'000}) {
        if (n > test::largest_on_hosts && length != 7) continue;
        auto offsets = test::ragged_offsets<Offset>(n, length);
        const auto with_outsiders = oracle::segment_ids<Id>(n, offsets);
        auto whole = offsets;
        whole.front() = 0;
        whole.back() = static_cast<Offset>(n);
        const auto ids = oracle::segment_ids<Id>(n, whole);
        test::on_executors(n, [&](auto& executor) {
          INFO("segments of about " << length);
          guarded<Offset> some(executor, offsets, shift_of(n)), all(executor, whole, shift_of(n, 1));
          guarded<Offset> back(executor, oracle::size(whole), shift_of(n, 2));
          guarded<Id> out(executor, n, shift_of(n, 3));
          const auto positions = some.range();
          upsweep::segment_ids(executor, upsweep::offsets(positions), out.range());
          check_equal(out.items(executor), with_outsiders);
          upsweep::segment_ids(executor, all.range(), out.range());
          check_equal(out.items(executor), ids);
          upsweep::segment_offsets(executor, out.range(), back.range());
          check_equal(back.items(executor), whole);
        });
      }
  };
  check(std::int32_t{}, std::int32_t{});
  check(std::int64_t{}, std::uint32_t{});
  check(std::uint32_t{}, std::int64_t{});
}

TEST_CASE("segment_offsets counts what is less: gaps, ids beyond the last segment, none at all") {
  test::on_executors([](auto& executor) {
    guarded<std::int32_t> ids(executor, std::vector<std::int32_t>{0, 0, 3, 3, 3, 4, 7, 9}), none(executor, 0);
    guarded<std::int64_t> offsets(executor, 6);
    upsweep::segment_offsets(executor, ids.range(), offsets.range());
    CHECK(offsets.items(executor) == std::vector<std::int64_t>{0, 2, 2, 2, 5, 6});
    upsweep::segment_offsets(executor, none.range(), offsets.range());
    CHECK(offsets.items(executor) == std::vector<std::int64_t>(6));
  });
}

TEST_CASE("wrong contents of offsets and ids never write out of bounds") {
  for (const index_t n : {5, 1000, 200'000})
    for (int round = 0; round < 5; round++) {
      const auto wrong = test::random_integers<std::int32_t>(n / 3 + 2, 0, static_cast<std::uint64_t>(round));
      test::on_executors([&](auto& executor) {
        guarded<std::int32_t> offsets(executor, wrong), ids(executor, n), back(executor, n);
        upsweep::segment_ids(executor, offsets.range(), ids.range());
        static_cast<void>(ids.items(executor));
        upsweep::segment_offsets(executor, offsets.range(), back.range());
        static_cast<void>(back.items(executor));
      });
    }
}

TEST_CASE("expanding refuses what does not fit") {
  test::on_hosts([](auto& executor) {
    std::vector<std::int32_t> counts{1, 2}, out(2), three(3), overlapping(8), none;
    std::vector<std::int8_t> narrow(500);
    auto* const no_total = static_cast<index_t*>(nullptr);
    test::check_refused([&] { upsweep::expand(executor, counts, out); }, "out", "has 2 items, counts asks for 3");
    CHECK(out == std::vector<std::int32_t>(2));
    test::check_refused([&] { upsweep::expand(executor, counts, three, no_total); }, "total", "null");
    test::check_refused([&] { upsweep::expand(executor, std::vector<int>(200), narrow); }, "out", "position 199");
    test::check_refused([&] { upsweep::expand(executor, overlapping, overlapping); }, "out", "overlaps counts");
    test::check_refused([&] { upsweep::repeat(executor, three, counts, out); }, "in", "has 3 items, counts has 2");
    test::check_refused([&] { upsweep::repeat(executor, counts, std::vector{1, 1}, counts); }, "out", "overlaps in");
    test::check_refused([&] { upsweep::allocate(executor, std::vector<int>(5), three); }, "offsets",
                        "has 3 items, sizes has 5");
    test::check_refused([&] { upsweep::allocate(executor, counts, three, no_total); }, "total", "null");
    const std::span<std::int32_t> shifted(overlapping.data() + 1, 4);
    test::check_refused([&] { upsweep::allocate(executor, std::span(overlapping.data(), 4), shifted); }, "offsets",
                        "overlaps sizes");
    test::check_refused([&] { upsweep::segment_ids(executor, none, out); }, "offsets", "is empty");
    test::check_refused([&] { upsweep::segment_ids(executor, std::vector<int>(200), narrow); }, "ids", "number 198");
    test::check_refused([&] { upsweep::segment_ids(executor, overlapping, overlapping); }, "ids", "overlaps");
    test::check_refused([&] { upsweep::segment_offsets(executor, std::vector<int>(200), narrow); }, "offsets", "200");
    test::check_refused([&] { upsweep::segment_offsets(executor, overlapping, overlapping); }, "offsets", "overlaps");
  });
}

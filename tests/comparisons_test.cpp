// Comparisons with a number: signs, NaNs, zeros and infinities; and in calls, against plain loops.
#include <cstdint>
#include <limits>
#include <vector>

#include <upsweep/compaction.hpp>
#include <upsweep/comparisons.hpp>
#include <upsweep/partition.hpp>
#include <upsweep/search.hpp>

#include "support.hpp"

using test::check_equal;
using test::guarded;
using upsweep::index_t;

namespace {
constexpr float none = std::numeric_limits<float>::quiet_NaN(), infinity = std::numeric_limits<float>::infinity();
constexpr auto largest = std::numeric_limits<std::uint32_t>::max();

// They are functions of constants too.
static_assert(upsweep::less_than(3)(2) && !upsweep::less_than(3)(3) && !upsweep::less_than(3)(4));
static_assert(upsweep::less_equal(3)(3) && !upsweep::less_equal(3)(4));
static_assert(upsweep::greater_than(3)(4) && !upsweep::greater_than(3)(3));
static_assert(upsweep::greater_equal(3)(3) && !upsweep::greater_equal(3)(2));
static_assert(upsweep::between(2, 4)(2) && upsweep::between(2, 4)(4) && !upsweep::between(2, 4)(5));
static_assert(!upsweep::between(4, 2)(3));
static_assert(upsweep::equal_to(3)(3) && !upsweep::equal_to(3)(4));
static_assert(upsweep::not_equal_to(3)(4) && !upsweep::not_equal_to(3)(3));
static_assert(upsweep::not_nan(3));

// Whatever the signs: as a conversion would, −1 is not the largest number.
static_assert(!upsweep::less_than(-1)(0u) && !upsweep::less_than(-1)(largest) && upsweep::less_than(largest)(-1));
static_assert(upsweep::greater_than(-1)(0u) && upsweep::greater_equal(-1)(largest) &&
              !upsweep::less_equal(-1)(largest));
static_assert(!upsweep::equal_to(-1)(largest) && upsweep::not_equal_to(-1)(largest) && upsweep::equal_to(7)(7u));
static_assert(upsweep::between(-5, 5)(5u) && !upsweep::between(-5, 5)(6u) && !upsweep::between(-5, -1)(largest));
static_assert(upsweep::less_than(std::uint8_t{200})(std::int8_t{-100}));

// Without a number they compare two items.
static_assert(std::is_same_v<decltype(upsweep::less_than{}), upsweep::less_than<>>);
static_assert(std::is_same_v<decltype(upsweep::equal_to{}), upsweep::equal_to<>>);

template <class T, class Comparison, class Expected>
void check_comparison(const std::vector<T>& items, const Comparison& comparison, const Expected& expected) {
  std::vector<T> kept;
  for (const T x : items)
    if (expected(x)) kept.push_back(x);
  const auto n = std::ssize(items);
  test::on_executors(n, [&](auto& executor) {
    guarded<T> from(executor, items), to(executor, n);
    CHECK(upsweep::count_if(executor, from.range(), comparison) == std::ssize(kept));
    const index_t count = upsweep::copy_if(executor, from.range(), to.range(), comparison);
    test::check_same_bits(to.items(executor, count), kept);
  });
}
}  // namespace

// (No constants: nvcc compares no NaN while it compiles.)
TEST_CASE("a NaN is in no order and equals nothing; zeros are one number") {
  CHECK_FALSE(upsweep::less_than(0.f)(none));
  CHECK_FALSE(upsweep::less_equal(0.f)(none));
  CHECK_FALSE(upsweep::greater_than(0.f)(none));
  CHECK_FALSE(upsweep::greater_equal(0.f)(none));
  CHECK_FALSE(upsweep::between(-infinity, infinity)(none));
  CHECK_FALSE(upsweep::equal_to(none)(none));
  CHECK(upsweep::not_equal_to(none)(none));
  CHECK_FALSE(upsweep::not_nan(none));
  CHECK_FALSE(upsweep::less_than(none)(1.f));
  CHECK_FALSE(upsweep::greater_than(none)(1.f));
  CHECK(upsweep::not_nan(infinity));
  CHECK(upsweep::equal_to(0.f)(-0.f));
  CHECK_FALSE(upsweep::less_than(0.f)(-0.f));
  CHECK(upsweep::less_equal(-0.f)(0.f));
  CHECK(upsweep::less_than(0.5)(0.25f));
  CHECK(upsweep::less_than(1)(0.5f));
  CHECK(upsweep::greater_than(0.5f)(1));
}

TEST_CASE("items are counted and kept by comparisons") {
  for (const index_t n : {0, 1, 100, 5'000, 70'001}) {
    const auto words = test::random_integers<std::uint32_t>(n, 100);
    check_comparison(words, upsweep::less_than(30), [](std::uint32_t x) { return x < 30; });
    check_comparison(words, upsweep::less_equal(30), [](std::uint32_t x) { return x <= 30; });
    check_comparison(words, upsweep::greater_equal(-1), [](std::uint32_t) { return true; });
    check_comparison(words, upsweep::between(10u, 20u), [](std::uint32_t x) { return 10 <= x && x <= 20; });
    check_comparison(words, upsweep::not_equal_to(50), [](std::uint32_t x) { return x != 50; });
    const auto floats = test::generate(n, [](test::generator& random) {
      return random.below(10) == 0 ? none : static_cast<float>(random.below(9)) - 4;
    });
    check_comparison(floats, upsweep::not_nan, [](float x) { return x == x; });
    check_comparison(floats, upsweep::greater_than(0.5), [](float x) { return x > 0.5f; });
    check_comparison(floats, upsweep::equal_to(-0.f), [](float x) { return x == 0; });
  }
}

TEST_CASE("three ways by the first of two comparisons that holds") {
  for (const index_t n : {0, 1, 5'000, 70'001}) {
    const auto items = test::random_integers<std::int32_t>(n, 100);
    std::vector<std::int32_t> low, high, rest;
    for (const auto x : items) (x < 20 ? low : x > 70 ? high : rest).push_back(x);
    test::on_executors(n, [&](auto& executor) {
      guarded<std::int32_t> from(executor, items), a(executor, n), b(executor, n), c(executor, n);
      const auto [lows, highs] =
          upsweep::three_way_partition(executor, from.range(), a.range(), b.range(), c.range(),
                                       upsweep::first_of(upsweep::less_than(20), upsweep::greater_than(70)));
      check_equal(a.items(executor, lows), low);
      check_equal(b.items(executor, highs), high);
      check_equal(c.items(executor, n - lows - highs), rest);
    });
  }
}

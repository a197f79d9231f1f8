// Segmented radix sort against std::stable_sort of every segment: from millions of tiny ones to a huge one, wrong
// offsets, bad input.
#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <stdexcept>
#include <vector>

#include <upsweep/radix_sort.hpp>

#include "oracle.hpp"
#include "support.hpp"

using oracle::is_greater;
using oracle::is_less;
using test::any_bits;
using test::check_same_bits;
using test::guarded;
using upsweep::index_t;

namespace {
// Some items in front, then segments of these sizes.
std::vector<std::uint32_t> offsets_of(const std::vector<index_t>& sizes) {
  std::vector<std::uint32_t> offsets = {5};
  for (const index_t size : sizes) offsets.push_back(offsets.back() + static_cast<std::uint32_t>(size));
  return offsets;
}
template <class Make>
std::vector<index_t> sizes_of(index_t count, Make make) {
  return test::generate(count, [&](test::generator& random) { return static_cast<index_t>(make(random)); });
}
}  // namespace

TEST_CASE("segmented_radix_sort sorts each segment by itself: empty, tiny, middling, huge, one") {
  if (test::without_executors()) return;
  const std::vector<std::vector<index_t>> cases = {
      {},
      {0},
      {1},
      {4099},
      {600'000},
      {0, 0, 700'000, 0, 3, 70'000},
      sizes_of(100'000, [](auto& random) { return random.below(5); }),
      sizes_of(3000, [](auto& random) { return random.below(200); }),
      sizes_of(300, [](auto& random) { return random() >> (52 + random.below(12)); }),
      std::vector<index_t>(70'000),
  };
  for (const auto& sizes : cases) {
    const auto offsets = offsets_of(sizes);
    const index_t n = index_t{offsets.back()} + 7;
    const auto keys = any_bits<std::uint32_t>(n), values = any_bits<std::uint32_t>(n, 7);
    const auto up = oracle::segmented_argsort(keys, offsets, is_less{});
    const auto down = oracle::segmented_argsort(keys, offsets, is_greater{});
    const auto inside = [&](const std::vector<std::uint32_t>& items) {
      return std::vector<std::uint32_t>(items.begin() + offsets.front(), items.begin() + offsets.back());
    };
    const auto keys_up = oracle::gather(keys, up), keys_down = oracle::gather(keys, down);
    const auto keys_inside = inside(keys_up), values_inside = inside(oracle::gather(values, up));
    const auto values_down = oracle::gather(values, down);
    test::on_executors(n, [&](auto& executor) {
      guarded<std::uint32_t> k(executor, keys, 3), v(executor, values, 1), where(executor, offsets), out(executor, n);
      upsweep::segmented_radix_sort(executor, k.range(), where.range(), out.range());
      const auto sorted = out.items(executor);
      check_same_bits(inside(sorted), keys_inside);
      CHECK(std::count(sorted.begin(), sorted.begin() + 5, 0xA5A5A5A5u) == 5);  // not written
      CHECK(std::count(sorted.end() - 7, sorted.end(), 0xA5A5A5A5u) == 7);
      guarded<std::uint32_t> keys_out(executor, n, 2), values_out(executor, n, 7);
      upsweep::segmented_radix_sort_by_key(executor, k.range(), v.range(), where.range(), keys_out.range(),
                                           values_out.range());
      check_same_bits(inside(keys_out.items(executor)), keys_inside);
      const auto moved = values_out.items(executor);
      check_same_bits(inside(moved), values_inside);
      CHECK(std::count(moved.begin(), moved.begin() + 5, 0xA5A5A5A5u) == 5);
      CHECK(std::count(moved.end() - 7, moved.end(), 0xA5A5A5A5u) == 7);
      check_same_bits(k.items(executor), keys);
      check_same_bits(v.items(executor), values);
      upsweep::segmented_radix_sort_by_key(executor, k.range(), v.range(), where.range(),
                                           {.order = upsweep::sort_order::descending});
      check_same_bits(k.items(executor), keys_down);
      check_same_bits(v.items(executor), values_down);
      upsweep::segmented_radix_sort(executor, k.range(), where.range());
      check_same_bits(k.items(executor), keys_up);
    });
  }
}

namespace {
template <class Key, class Value>
void check_pairs(index_t n) {
  const auto keys = any_bits<Key>(n);
  const auto values = any_bits<Value>(n, 3);
  const std::vector<std::int64_t> offsets = {0, n / 7, n / 7, n / 2, n};
  const auto down = oracle::segmented_argsort(keys, offsets, is_greater{});
  const auto keys_down = oracle::gather(keys, down);
  const auto values_down = oracle::gather(values, down);
  test::on_executors(n, [&](auto& executor) {
    guarded<Key> k(executor, keys, 3), keys_out(executor, n, 5);
    guarded<Value> v(executor, values, 1), values_out(executor, n, 2);
    guarded<std::int64_t> where(executor, offsets);
    const upsweep::radix_options descending{.order = upsweep::sort_order::descending};
    upsweep::segmented_radix_sort_by_key(executor, k.range(), v.range(), where.range(), keys_out.range(),
                                         values_out.range(), descending);
    check_same_bits(keys_out.items(executor), keys_down);
    check_same_bits(values_out.items(executor), values_down);
    upsweep::segmented_radix_sort_by_key(executor, k.range(), v.range(), where.range(), k.range(), values_out.range(),
                                         descending);  // the keys stay, the values go
    check_same_bits(k.items(executor), keys_down);
    check_same_bits(v.items(executor), values);
  });
}
}  // namespace

TEST_CASE("segments of pairs of any width are sorted out of place, or a part of them in place") {
  for (const index_t n : {0, 1, 2, 100, 5000, 300'007}) {
    check_pairs<std::uint16_t, std::uint8_t>(n);
    check_pairs<std::int64_t, std::array<std::uint32_t, 3>>(n);
  }
}

namespace {
//! Lengths at which a CTA's way of sorting changes, each many times, and longer ones between them.
std::vector<index_t> lengths_at_limits() {
  std::vector<index_t> sizes;
  for (const index_t limit : {0, 1, 32, 256, 1056, 1152, 1408, 1536, 3168, 3456, 4224, 4608, 4992, 5632, 6144, 9000})
    for (const index_t length : {limit + 1, limit, index_t{3}, limit - 1, index_t{0}})
      if (length >= 0) sizes.push_back(length);
  sizes.push_back(70'001);
  return sizes;
}
template <class Key, class MakeKey>
void check_sizes(const std::vector<index_t>& sizes, const MakeKey& make) {
  const auto offsets = offsets_of(sizes);
  const index_t n = index_t{offsets.back()} + 3;
  const auto keys = test::generate(n, [&](test::generator& random) { return static_cast<Key>(make(random)); });
  const auto at = test::generate(n, [i = std::uint32_t{0}](auto&) mutable { return i++; });
  const auto order = oracle::segmented_argsort(keys, offsets, is_less{});
  const auto sorted = oracle::gather(keys, order);
  const auto moved = oracle::gather(at, order);
  test::on_executors(n, [&](auto& executor) {
    guarded<Key> k(executor, keys, 1), out(executor, keys, 5);
    guarded<std::uint32_t> v(executor, at, 3), values(executor, at, 1), where(executor, offsets);
    upsweep::segmented_radix_sort(executor, k.range(), where.range(), out.range());
    check_same_bits(out.items(executor), sorted);
    upsweep::segmented_radix_sort_by_key(executor, k.range(), v.range(), where.range(), out.range(), values.range());
    check_same_bits(out.items(executor), sorted);
    check_same_bits(values.items(executor), moved);
    upsweep::segmented_radix_sort(executor, k.range(), where.range());
    check_same_bits(k.items(executor), sorted);
  });
}
//! Keys of any bits, all equal ones, two, and a crowd beside what makes the range wide.
template <class Key>
void check_crowds(const std::vector<index_t>& sizes) {
  check_sizes<Key>(sizes, [](auto& random) { return static_cast<Key>(random()); });
  check_sizes<Key>(sizes, [](auto&) { return Key{7}; });
  check_sizes<Key>(sizes, [](auto& random) { return static_cast<Key>(random.below(2)); });
  for (const std::uint32_t others : {1000u, 3u})
    check_sizes<Key>(
        sizes, [&](auto& random) { return static_cast<Key>(random.below(others) == 0 ? random() : random.below(90)); });
}
}  // namespace

TEST_CASE("segments as long as a limit of a GPU's, of keys that crowd, stay apart and in order") {
  if (test::without_executors()) return;
  auto sizes = lengths_at_limits();
  for (int copy = 0; copy < 40; copy++) sizes.insert(sizes.end(), {257, 31, 300, 1, 256, 600});
  check_crowds<std::uint8_t>(sizes);
  check_crowds<std::uint32_t>(sizes);
  check_crowds<std::int64_t>(sizes);
}

TEST_CASE("tiny segments of keys that crowd stay apart and in order") {
  if (test::without_executors()) return;
  for (const std::uint32_t most : {4u, 20u, 21u, 24u, 32u, 33u}) {
    const auto sizes = sizes_of(2000, [&](auto& random) { return random.below(most + 1); });
    check_crowds<std::uint8_t>(sizes);
    check_crowds<std::uint32_t>(sizes);
    check_crowds<std::int64_t>(sizes);
  }
}

TEST_CASE("segments of long keys are sorted, by all bits and by fewer than their numbers have") {
  for (const index_t n : {100, 5000, 300'007}) {
    const auto keys = any_bits<std::uint64_t>(n);
    std::vector<std::int32_t> offsets;
    for (index_t at = 0; at < n; at += 1 + n / 3000) offsets.push_back(static_cast<std::int32_t>(at));
    offsets.push_back(static_cast<std::int32_t>(n));
    auto by_all = keys, by_few = keys;
    for (std::size_t s = 0; s + 1 < offsets.size(); s++) {
      std::stable_sort(by_all.begin() + offsets[s], by_all.begin() + offsets[s + 1]);
      std::stable_sort(by_few.begin() + offsets[s], by_few.begin() + offsets[s + 1],
                       [](std::uint64_t a, std::uint64_t b) { return (a >> 60) < (b >> 60); });
    }
    test::on_executors(n, [&](auto& executor) {
      guarded<std::uint64_t> k(executor, keys), out(executor, n);
      guarded<std::int32_t> where(executor, offsets);
      upsweep::segmented_radix_sort(executor, k.range(), where.range(), out.range(), {.begin_bit = 60});
      check_same_bits(out.items(executor), by_few);
      upsweep::segmented_radix_sort(executor, k.range(), where.range());
      check_same_bits(k.items(executor), by_all);
    });
  }
}

TEST_CASE("wrong offsets touch nothing outside the range") {
  constexpr index_t n = 200'000;
  const auto keys = any_bits<std::uint32_t>(n);
  const std::vector<std::vector<std::int64_t>> wrong = {
      {-5, 100, 50, n + 100},
      {n, 0, n, 0, n},
      {std::numeric_limits<std::int64_t>::min(), 7, 1ll << 62},
      {9, 8, 7},
      test::generate(300, [](auto& random) { return static_cast<std::int64_t>(random.below(n)); }),
      test::generate(
          50'000,
          [i = index_t{0}](auto& random) mutable { return static_cast<std::int64_t>(4 * i++ + random.below(30)); }),
      test::generate(400, [](auto& random) { return static_cast<std::int64_t>(random()); })};
  for (const auto& offsets : wrong)
    test::on_executors(n, [&](auto& executor) {
      guarded<std::uint32_t> k(executor, keys, 3), out(executor, n, 5);
      guarded<std::int64_t> where(executor, offsets);
      upsweep::segmented_radix_sort(executor, k.range(), where.range(), out.range());
      static_cast<void>(out.items(executor));
      guarded<std::uint32_t> values(executor, n, 1);
      upsweep::segmented_radix_sort_by_key(executor, k.range(), k.range(), where.range(), out.range(), values.range());
      static_cast<void>(out.items(executor));
      static_cast<void>(values.items(executor));
      upsweep::segmented_radix_sort(executor, k.range(), where.range());
      static_cast<void>(k.items(executor));
    });
}

TEST_CASE("an executor chosen at run time sorts segments") {
  upsweep::any_executor executor{upsweep::host(2)};
  std::vector<std::uint32_t> keys = {3, 1, 2}, offsets = {0, 2, 3};
  upsweep::segmented_radix_sort(executor, keys, offsets);
  CHECK(keys == std::vector<std::uint32_t>{1, 3, 2});
}

#if UPSWEEP_HAS_CUDA
TEST_CASE("a GPU chosen at run time sorts segments") {
  if (test::without_device()) return;
  upsweep::any_executor executor{upsweep::device()};
  using words = std::vector<std::uint32_t>;
  upsweep::buffer<std::uint32_t> keys(executor, words{3, 1, 2});
  const upsweep::buffer<std::uint32_t> offsets(executor, words{0, 2, 3});
  upsweep::segmented_radix_sort(executor, keys, offsets);
  CHECK(keys.to_vector(executor) == words{1, 3, 2});
}
#endif

TEST_CASE("wrong arguments of a segmented sort are refused by name, before anything is written") {
  test::on_executors([](auto& executor) {
    guarded<std::uint32_t> memory(executor, 100), other(executor, 100);
    const std::span<std::uint32_t> keys = memory.range(), rest = other.range();
    const auto message = [](const auto& f) { return test::message_of<std::invalid_argument>(f); };
    CHECK(test::starts_with(message([&] { upsweep::segmented_radix_sort(executor, keys, rest.first(0)); }),
                            "offsets is empty"));
    CHECK(test::starts_with(message([&] { upsweep::segmented_radix_sort(executor, keys, keys.first(2)); }),
                            "keys overlaps offsets"));
    const auto pairs = [&](const auto& values_in, const auto& offsets, const auto& keys_out, const auto& values_out) {
      return message([&] {
        upsweep::segmented_radix_sort_by_key(executor, keys.first(50), values_in, offsets, keys_out, values_out);
      });
    };
    const auto tail = keys.subspan(50), low = rest.first(40), bounds = rest.subspan(40, 5), high = rest.subspan(50);
    CHECK(test::starts_with(pairs(low, bounds, tail, high), "keys_in has 50 items, values_in has 40"));
    CHECK(test::starts_with(pairs(tail, bounds, high.first(49), tail), "keys_out has 49 items, needs 50"));
    CHECK(test::starts_with(pairs(tail, bounds, high, tail.first(49)), "values_out has 49 items, needs 50"));
    CHECK(test::starts_with(pairs(tail, bounds.first(0), high, tail), "offsets is empty"));
    CHECK(test::starts_with(pairs(tail, bounds, high, high), "values_out overlaps keys_out"));
    CHECK(test::starts_with(pairs(tail, high.first(5), high, tail), "keys_out overlaps offsets"));
    CHECK(memory.untouched_from(executor));
    CHECK(other.untouched_from(executor));
  });
}

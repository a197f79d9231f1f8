// quicksort against std::stable_sort: items of 1 to 64 bytes, comparators that throw and that are no order at all.
#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <stdexcept>
#include <vector>

#include "quicksort_support.hpp"

using test::by_key;
using test::by_value;
using test::check_same_bits;
using test::check_sort;
using test::guarded;
using test::on_executors;
using test::record;
using test::shift_of;
using upsweep::index_t;
using upsweep::quicksort;

namespace {
struct greater {
  template <class T>
  UPSWEEP_HD bool operator()(const T& a, const T& b) const {
    return b < a;
  }
};

struct by_last_bits {
  UPSWEEP_HD bool operator()(std::uint32_t a, std::uint32_t b) const { return a % 64 < b % 64; }
};
struct by_half {
  UPSWEEP_HD bool operator()(std::uint32_t a, std::uint32_t b) const { return a / 2 < b / 2; }
};
struct distance {
  UPSWEEP_HD int operator()(std::int32_t a, std::int32_t b) const { return a < b ? 1000 * (b - a) : 0; }
};
struct text {  // as strings are compared
  char letters[12];
};
struct alphabetically {
  UPSWEEP_HD bool operator()(const text& a, const text& b) const {
    for (int i = 0; i < 12; i++)
      if (a.letters[i] != b.letters[i]) return a.letters[i] < b.letters[i];
    return false;
  }
};

std::vector<text> any_texts(index_t n) {
  return test::generate(n, [](test::generator& random) {
    text t{};
    for (std::uint64_t i = 0, letters = random.below(12); i < letters; i++)
      t.letters[i] = static_cast<char>('a' + random.below(3));
    return t;
  });
}

template <class T, class Less>
void check_sizes(const Less& less) {
  for (const index_t n : test::few_sizes(sizeof(T)))
    if (n <= 150'000) check_sort(test::any_bits<T>(n), less);
}

// Around the lengths of runs, of what is merged, of a part, of a call for all threads; of a CTA's unit.
const std::vector<index_t> boundaries = {
    0,    1,    2,    3,    4,    5,    7,    8,    9,      15,     16,     17,     31,     32,      33,     63,
    64,   65,   127,  129,  255,  256,  257,  511,  512,    513,    1023,   1024,   1025,   1026,    2047,   2049,
    4095, 4097, 6527, 6528, 6529, 8191, 8193, 9999, 16'383, 16'385, 32'769, 65'535, 65'537, 131'073, 300'007};
}  // namespace

// ---------------------------------------------------------------- items
TEST_CASE("quicksort sorts integers, for sizes around every boundary") {
  if (test::without_executors()) return;
  for (const index_t n : test::some_if_sanitized(2, boundaries)) {
    check_sort(test::random_integers<std::uint32_t>(n), upsweep::less_than{});
    check_sort(test::random_integers<std::uint32_t>(n), by_value{});
    check_sort(test::random_integers<std::uint32_t>(n), by_last_bits{});
  }
}

TEST_CASE("quicksort sorts a million items") {
  if (test::without_executors()) return;
  const auto items = test::random_integers<std::uint32_t>(test::largest_on_hosts);
  check_sort(items, upsweep::less_than{});
  check_sort(items, by_value{});
  check_sort(items, by_last_bits{});
}

TEST_CASE("a range that descends keeps equal neighbours in order") {
  for (const index_t n : {2, 33, 1025, 1026, 100'001}) {
    std::vector<std::uint32_t> items(oracle::at(n));
    for (std::size_t i = 0; i < items.size(); i++) items[i] = static_cast<std::uint32_t>(items.size() - 1 - i);
    check_sort(items, by_half{});
  }
}

TEST_CASE("quicksort sorts more than 16 MiB of items that fill no line, past the caches") {
  const auto items = test::any_bits<record<12>>(1'500'000);
  const auto expected = oracle::stable_sort(items, by_key{});
  for (const int threads : {1, 3})
    test::on_host(threads, [&](auto& executor) {
      auto sorted = items;
      quicksort(executor, sorted, by_key{});
      test::check_same_bits(sorted, expected);
    });
}

TEST_CASE("quicksort sorts items of 1, 4, 8, 12 and 64 bytes, equal ones in order") {
  check_sizes<std::uint8_t>(upsweep::less_than{});
  check_sizes<std::int8_t>(greater{});
  check_sizes<std::int32_t>(greater{});
  check_sizes<std::uint64_t>(upsweep::less_than{});
  check_sizes<record<4>>(by_key{});
  check_sizes<record<12>>(by_key{});
  check_sizes<record<64>>(by_key{});
  for (const index_t n : {5, 1000, 70'001}) check_sort(any_texts(n), alphabetically{});
}

TEST_CASE("numbers by < and > are in order, floats with zeros of either sign where they stood") {
  for (const index_t n : {2, 5, 100, 4097, 5000, 16'385, 70'001, 300'007 / test::sanitized_step(3)}) {
    const auto few = test::generate(n, [](test::generator& random) {
      const double x = static_cast<double>(random.below(3)) - 1;
      return random.below(2) ? x : -x;
    });
    const auto many = test::generate(n, [](test::generator& random) {
      return random.below(10) ? random.unit() - 0.5 : random.below(2) ? 0. : -0.;
    });
    for (const auto& items : {few, many}) {
      check_sort(items, upsweep::less_than{});
      check_sort(items, std::greater<>{});
      const std::vector<float> floats(items.begin(), items.end());
      check_sort(floats, std::less<>{});
      check_sort(floats, std::ranges::greater{});
    }
    check_sort(test::random_integers<std::int32_t>(n), std::greater<std::int32_t>{});
    check_sort(test::any_bits<std::uint16_t>(n), std::less<std::uint16_t>{});
  }
}

TEST_CASE("without a comparator quicksort is ascending; any contiguous range will do") {
  upsweep::host executor(2);
  std::array<double, 4> numbers = {2.5, -1, 7, 0};
  quicksort(executor, numbers);
  CHECK(numbers == std::array<double, 4>{-1, 0, 2.5, 7});
  const auto absolute = [](double a, double b) { return std::abs(a) < std::abs(b); };
  quicksort(executor, std::span<double>(numbers), absolute);
  CHECK(numbers == std::array<double, 4>{0, -1, 2.5, 7});
}

namespace {
template <class T, class Less>
void check_sort_into_another(const std::vector<T>& items, const Less& less) {
  const index_t n = oracle::size(items);
  INFO("n = " << n);
  const auto expected = oracle::stable_sort(items, less);
  on_executors([&](auto& executor) {
    guarded<T> in(executor, items, shift_of(n)), out(executor, n, shift_of(n, 1));
    quicksort(executor, in.range(), out.range(), less);
    check_same_bits(out.items(executor), expected);
    check_same_bits(in.items(executor), items);
  });
}
}  // namespace

TEST_CASE("quicksort into another range leaves the first as it was") {
  for (const index_t n : {0, 1, 2, 100, 1500, 5000, 6000, 30'000, 70'001, 300'007}) {
    check_sort_into_another(test::random_integers<std::uint32_t>(n), by_last_bits{});
    check_sort_into_another(test::random_integers<std::int32_t>(n), upsweep::less_than{});
  }
  for (const index_t n : {3, 5000, 40'000}) {
    check_sort_into_another(test::any_bits<record<12>>(n), by_key{});
    check_sort_into_another(test::any_bits<record<64>>(n), by_key{});
    check_sort_into_another(test::any_bits<std::uint64_t>(n), std::greater<>{});
  }
  check_sort_into_another(test::random_integers<std::uint32_t>(test::largest_on_hosts), by_value{});
  const auto zeros = test::generate(70'001, [](test::generator& random) { return random.below(2) ? 0. : -0.; });
  check_sort_into_another(zeros, std::less<>{});
}

TEST_CASE("what a comparator returns need not be a bool") {
  const auto items = test::random_integers<std::int32_t>(20'000, 1000);
  check_sort(items, distance{});
}

TEST_CASE("an executor chosen at run time sorts by a comparator") {
  upsweep::any_executor executor{upsweep::host(2)};
  std::vector<int> items = {3, 1, 2};
  quicksort(executor, items);
  CHECK(items == std::vector<int>{1, 2, 3});
}

#if UPSWEEP_HAS_CUDA
TEST_CASE("a GPU chosen at run time sorts by a comparator") {
  if (test::without_device()) return;
  upsweep::any_executor executor{upsweep::device()};
  upsweep::buffer<int> items(executor, std::vector<int>{3, 1, 2});
  quicksort(executor, items, greater{});
  CHECK(items.to_vector(executor) == std::vector<int>{3, 2, 1});
}
#endif

// ---------------------------------------------------------------- comparators that are no order
namespace {
using word = std::uint32_t;

struct always {
  UPSWEEP_HD bool operator()(word, word) const { return true; }
};
struct never {
  UPSWEEP_HD bool operator()(word, word) const { return false; }
};
struct not_greater {
  UPSWEEP_HD bool operator()(word a, word b) const { return a <= b; }
};
struct different {
  UPSWEEP_HD bool operator()(word a, word b) const { return a != b; }
};
struct cyclic {
  UPSWEEP_HD bool operator()(word a, word b) const { return (b - a) % 3 == 1; }
};
struct hash_of_both {
  UPSWEEP_HD bool operator()(word a, word b) const { return ((a * 0x9E3779B1u ^ b) * 0x85EBCA6Bu) >> 31 == 0; }
};
struct random_answer {  // a different one every time, on hosts
  std::atomic<std::uint64_t>* state;
  template <class T>
  bool operator()(T, T) const {
    std::uint64_t z = state->fetch_add(0x9E3779B97F4A7C15u, std::memory_order_relaxed);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    return (z >> 40) % 2 == 0;
  }
};

// Few distinct items, and items that all differ.
template <class F>
void for_each_input(const F& f) {
  for (const index_t n : {2, 4, 7, 33, 1000, 1025, 5003, 20'011, 300'007})
    for (const index_t distinct : {index_t{5}, 100 * n}) {
      INFO("n = " << n << ", distinct: " << distinct);
      f(test::random_integers<word>(n, static_cast<std::uint64_t>(distinct)));
    }
}
// Returns, writes nothing outside, and leaves a permutation.
template <class Executor, class Less>
void check_no_order(Executor& executor, const std::vector<word>& items, const Less& less) {
  guarded<word> memory(executor, items, shift_of(oracle::size(items)));
  quicksort(executor, memory.range(), less);
  check_same_bits(oracle::stable_sort(memory.items(executor), oracle::is_less{}),
                  oracle::stable_sort(items, oracle::is_less{}));
}
}  // namespace

TEST_CASE("a comparator that is no strict weak order loses no item and writes nothing outside") {
  for_each_input([](const std::vector<word>& items) {
    on_executors([&](auto& executor) {
      check_no_order(executor, items, always{});
      check_no_order(executor, items, never{});
      check_no_order(executor, items, not_greater{});
      check_no_order(executor, items, different{});
      check_no_order(executor, items, cyclic{});
      check_no_order(executor, items, hash_of_both{});
    });
  });
}

TEST_CASE("a comparator that answers at random loses no item and writes nothing outside") {
  std::atomic<std::uint64_t> state = test::seed();
  for_each_input([&](const std::vector<word>& items) {
    test::on_hosts([&](auto& executor) { check_no_order(executor, items, random_answer{&state}); });
  });
}

TEST_CASE("NaNs lose no item") {
  const auto is_nan = [](float x) { return std::isnan(x); };
  for (const index_t n : {100, 5000, 100'003}) {
    const auto items = test::generate(n, [](test::generator& random) {
      return random.below(10) == 0 ? std::numeric_limits<float>::quiet_NaN() : static_cast<float>(random.unit());
    });
    on_executors([&](auto& executor) {
      guarded<float> memory(executor, items, shift_of(n));
      quicksort(executor, memory.range());
      const auto sorted = memory.items(executor);
      CHECK(std::count_if(sorted.begin(), sorted.end(), is_nan) == std::count_if(items.begin(), items.end(), is_nan));
    });
  }
}

TEST_CASE("what a comparator throws on the host reaches the caller, and the executor works on") {
  for (const index_t n : {2, 20, 1000, 20'000, 300'000}) {
    const auto items = test::random_integers<word>(n);
    for (const index_t at : {index_t{0}, n / 2, 2 * n}) {  // while it looks, splits, merges
      if (at > 0 && n < 20) continue;
      test::on_hosts([&](auto& executor) {
        guarded<word> memory(executor, items);
        std::atomic<index_t> calls = 0;
        const auto call = [&] {
          quicksort(executor, memory.range(), [&](word a, word b) {
            if (calls++ >= at) throw std::runtime_error("refused");
            return a < b;
          });
        };
        CHECK(test::message_of<std::runtime_error>(call) == "refused");
        static_cast<void>(memory.items(executor));
        guarded<word> again(executor, items);
        quicksort(executor, again.range());
        const auto sorted = again.items(executor);
        CHECK(std::is_sorted(sorted.begin(), sorted.end()));
      });
    }
  }
}

// ---------------------------------------------------------------- bad input
TEST_CASE("bad input is refused by name") {
  on_executors([](auto& executor) {
    const auto message = [](const auto& f) { return test::message_of<std::invalid_argument>(f); };
    const std::span<int> nothing(static_cast<int*>(nullptr), 5);
    CHECK(message([&] { quicksort(executor, nothing); }) == "items is a null pointer with a size");
    alignas(8) unsigned char bytes[64] = {};
    const std::span<int> crooked(reinterpret_cast<int*>(bytes + 1), 5);
    CHECK(message([&] { quicksort(executor, crooked); }) == "items is not aligned to its type");
    guarded<int> five(executor, std::vector<int>{5, 4, 3, 2, 1});
    const std::span<int> all = five.range();
    CHECK(message([&] { quicksort(executor, nothing, all); }) == "in is a null pointer with a size");
    CHECK(message([&] { quicksort(executor, all, all.first(4)); }) == "out has 4 items, needs 5");
    CHECK(message([&] { quicksort(executor, all.first(3), all.subspan(1)); }) ==
          "out overlaps in: it must be the same range or a disjoint one");
    check_same_bits(five.items(executor), std::vector<int>{5, 4, 3, 2, 1});
    quicksort(executor, all, all);
    check_same_bits(five.items(executor), std::vector<int>{1, 2, 3, 4, 5});
    quicksort(executor, std::span<int>());
  });
}

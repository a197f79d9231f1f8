// quicksort against std::stable_sort: items of 1 to 64 bytes, distributions that are hard for quicksorts, comparators
// that throw, that count, and that are no order at all.
#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <functional>
#include <limits>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include <upsweep/quicksort.hpp>

#include "oracle.hpp"
#include "support.hpp"

using test::check_same_bits;
using test::guarded;
using test::shift_of;
using upsweep::index_t;
using upsweep::quicksort;

namespace {
// Where quicksort runs: hosts, until there is a GPU backend.
template <class F>
void on_sorters(const F& f) {
  test::on_hosts(f);
}

struct greater {
  template <class T>
  UPSWEEP_HD bool operator()(const T& a, const T& b) const {
    return b < a;
  }
};

template <int Bytes>
struct record {  // sorted by a part of it
  std::uint16_t key;
  std::array<std::uint8_t, Bytes - 2> rest;
};
struct by_key {
  template <class T>
  UPSWEEP_HD bool operator()(const T& a, const T& b) const {
    return a.key < b.key;
  }
};
struct by_last_bits {
  UPSWEEP_HD bool operator()(std::uint32_t a, std::uint32_t b) const { return a % 64 < b % 64; }
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

template <class T>
std::vector<T> any_items(index_t n) {
  return test::generate(n, [](test::generator& random) {
    std::array<std::uint64_t, 8> bits{};
    for (auto& word : bits) word = random();
    T item;
    std::memcpy(&item, bits.data(), sizeof item);
    return item;
  });
}
std::vector<text> any_texts(index_t n) {
  return test::generate(n, [](test::generator& random) {
    text t{};
    for (std::uint64_t i = 0, letters = random.below(12); i < letters; i++)
      t.letters[i] = static_cast<char>('a' + random.below(3));
    return t;
  });
}

template <class T, class Less>
void check_sort(const std::vector<T>& items, const Less& less) {
  const index_t n = oracle::size(items);
  INFO("n = " << n);
  const auto expected = oracle::stable_sort(items, less);
  on_sorters([&](auto& executor) {
    guarded<T> memory(executor, items, shift_of(n));
    quicksort(executor, memory.range(), less);
    check_same_bits(memory.items(executor), expected);
  });
}
template <class T, class Less>
void check_sizes(const Less& less) {
  for (const index_t n : test::few_sizes(sizeof(T)))
    if (n <= 150'000) check_sort(any_items<T>(n), less);
}

// Around the lengths of runs, of what is merged, of a part, of a call for all threads.
const std::vector<index_t> boundaries = {
    0,    1,    2,    3,    4,    5,    7,    8,      9,      15,     16,     17,     31,      32,     33,
    63,   64,   65,   127,  129,  255,  256,  257,    511,    512,    513,    1023,   1024,    1025,   1026,
    2047, 2049, 4095, 4097, 8191, 8193, 9999, 16'383, 16'385, 32'769, 65'535, 65'537, 131'073, 300'007};
}  // namespace

// ---------------------------------------------------------------- items
TEST_CASE("quicksort sorts integers, for sizes around every boundary") {
  for (const index_t n : boundaries) {
    check_sort(test::random_integers<std::uint32_t>(n), upsweep::less_than{});
    check_sort(test::random_integers<std::uint32_t>(n), by_last_bits{});
  }
}

TEST_CASE("quicksort sorts a million items") {
  const auto items = test::random_integers<std::uint32_t>(test::largest_on_hosts);
  check_sort(items, upsweep::less_than{});
  check_sort(items, by_last_bits{});
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

TEST_CASE("without a comparator quicksort is ascending; any contiguous range will do") {
  upsweep::host executor(2);
  std::array<double, 4> numbers = {2.5, -1, 7, 0};
  quicksort(executor, numbers);
  CHECK(numbers == std::array<double, 4>{-1, 0, 2.5, 7});
  const auto absolute = [](double a, double b) { return std::abs(a) < std::abs(b); };
  quicksort(executor, std::span<double>(numbers), absolute);
  CHECK(numbers == std::array<double, 4>{0, -1, 2.5, 7});
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
TEST_CASE("a GPU chosen at run time is refused") {
  if (!test::has_device()) return skip_check();
  upsweep::any_executor executor{upsweep::device()};
  upsweep::buffer<int> items(executor, std::vector<int>{3, 1, 2});
  const auto call = [&] { quicksort(executor, items); };
  CHECK(test::contains(test::message_of<std::invalid_argument>(call), "no GPU backend"));
}
#endif

// ---------------------------------------------------------------- distributions
namespace {
using word = std::uint32_t;

// Musser 1997: the median of the first, the middle and the last item is the second smallest, again and again.
std::vector<word> killer(index_t n) {
  std::vector<word> items(oracle::at(n));
  const index_t half = n / 2;
  for (index_t i = 0; i < half; i++) {
    items[oracle::at(i)] = static_cast<word>(i % 2 == 0 ? i + 1 : half + i + (half % 2));
    items[oracle::at(half + i)] = static_cast<word>(2 * (i + 1));
  }
  return items;
}
// The least values stand wherever the first split takes its samples, whatever the number of buckets.
std::vector<word> adversary(index_t n) {
  auto items = test::generate(n, [](test::generator& random) { return static_cast<word>(random() | 0x10000u); });
  for (int levels = 1; levels <= upsweep::detail::splitters<word>::most_levels; levels++) {
    const index_t samples = upsweep::detail::splitters<word>::sample_size(levels);
    for (index_t k = 0; k < samples && samples <= n; k++)
      items[oracle::at(upsweep::detail::sampled_position(k, samples, n))] = static_cast<word>(k);
  }
  return items;
}

struct distribution {
  const char* name;
  std::function<std::vector<word>(index_t n)> make;
  index_t comparisons = 30;  // at most, for an item of many
};
std::vector<word> each(index_t n, const std::function<index_t(index_t)>& f) {
  std::vector<word> items(oracle::at(n));
  for (index_t i = 0; i < n; i++) items[oracle::at(i)] = static_cast<word>(f(i));
  return items;
}
const std::vector<distribution> distributions = {
    {"random", [](index_t n) { return test::random_integers<word>(n); }},
    {"sorted", [](index_t n) { return each(n, [](index_t i) { return i; }); }, 1},
    {"reversed", [](index_t n) { return each(n, [=](index_t i) { return n - i; }); }, 1},
    {"all equal", [](index_t n) { return each(n, [](index_t) { return 7; }); }, 1},
    {"reversed pairs", [](index_t n) { return each(n, [=](index_t i) { return (n - i) / 2; }); }},
    {"two distinct", [](index_t n) { return test::random_integers<word>(n, 2); }, 4},
    {"100 distinct", [](index_t n) { return test::random_integers<word>(n, 100); }, 10},
    {"5000 distinct", [](index_t n) { return test::random_integers<word>(n, 5000); }},
    {"half of them equal",
     [](index_t n) { return test::generate(n, [](auto& r) { return r() % 2 ? 5u : static_cast<word>(r()); }); }, 15},
    {"organ pipe", [](index_t n) { return each(n, [=](index_t i) { return std::min(i, n - i); }); }},
    {"sawtooth", [](index_t n) { return each(n, [](index_t i) { return i % 1000; }); }},
    {"interleaved", [](index_t n) { return each(n, [=](index_t i) { return i % 2 ? i : 2 * n - i; }); }},
    {"sorted but for the last", [](index_t n) { return each(n, [=](index_t i) { return i == n - 1 ? n / 2 : i; }); }},
    {"median-of-3 killer", killer},
    {"least at all sampled positions", adversary},
};

// Counts its calls, of one thread.
template <class Less>
struct counting {
  index_t* calls;
  bool operator()(word a, word b) const {
    ++*calls;
    return Less{}(a, b);
  }
};
template <class Less>
index_t comparisons(std::vector<word> items) {
  index_t calls = 0;
  upsweep::host executor(1);
  quicksort(executor, items, counting<Less>{&calls});
  return calls;
}
double n_log_n(index_t n) { return static_cast<double>(n) * std::log2(static_cast<double>(n)); }
}  // namespace

TEST_CASE("quicksort sorts whatever the distribution") {
  for (const auto& d : distributions)
    for (const index_t n : {65, 1025, 5000, 20'011, 300'007}) {
      INFO(d.name);
      check_sort(d.make(n), upsweep::less_than{});
    }
}

TEST_CASE("comparisons stay below 3 n log n on any distribution, and are O(n) for few distinct items") {
  for (const auto& d : distributions)
    for (const index_t n : {1025, 20'011, 300'007}) {
      INFO(d.name << ", n = " << n);
      const index_t calls = comparisons<upsweep::less_than>(d.make(n));
      CHECK(static_cast<double>(calls) <= 3 * n_log_n(n));
      if (n > 100'000) CHECK(calls <= d.comparisons * n + 10'000);
    }
}

TEST_CASE("comparisons stay below 3 n log n against an adversary that answers as it goes") {
  // McIlroy 1999: items get their values only when they are compared, always the worst for the pivots.
  constexpr index_t n = 50'000;
  static std::vector<index_t> values;
  static index_t settled, candidate, calls;
  constexpr index_t gas = std::numeric_limits<index_t>::max();
  values.assign(oracle::at(n), gas);
  for (const index_t i : {0, 1, 2}) values[oracle::at(i)] = (4 - i) % 3;  // 1, 0, 2: in no order
  settled = 3;
  candidate = calls = 0;
  struct worst {
    bool operator()(index_t a, index_t b) const {
      calls++;
      index_t &x = values[oracle::at(a)], &y = values[oracle::at(b)];
      if (x == gas && y == gas) (a == candidate ? x : y) = settled++;
      if (x == gas) {
        candidate = a;
      } else if (y == gas) {
        candidate = b;
      }
      return x < y;
    }
  };
  std::vector<index_t> items(oracle::at(n));
  for (index_t i = 0; i < n; i++) items[oracle::at(i)] = i;
  upsweep::host executor(1);
  quicksort(executor, items, worst{});
  CHECK(std::is_sorted(items.begin(), items.end(),
                       [](index_t a, index_t b) { return values[oracle::at(a)] < values[oracle::at(b)]; }));
  CHECK(static_cast<double>(calls) <= 3 * n_log_n(n));
}

// ---------------------------------------------------------------- comparators that are no order
namespace {
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
struct random_answer {  // a different one every time
  std::atomic<std::uint64_t>* state;
  bool operator()(word, word) const {
    std::uint64_t z = state->fetch_add(0x9E3779B97F4A7C15u, std::memory_order_relaxed);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    return (z >> 40) % 2 == 0;
  }
};

struct seldom_false {  // nearly all items belong in front of every splitter
  bool operator()(word a, word b) const { return (a * 0x9E3779B1u + b * 0x85EBCA6Bu) >> 24 != 0; }
};

// Few distinct items, and items that all differ.
template <class F>
void for_each_input(const F& f) {
  for (const index_t n : {2, 4, 7, 33, 1000, 1025, 20'011, 300'007})
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
  check_same_bits(oracle::stable_sort(memory.items(executor), upsweep::less_than{}),
                  oracle::stable_sort(items, upsweep::less_than{}));
}
}  // namespace

TEST_CASE("a comparator that is no strict weak order loses no item and writes nothing outside") {
  for_each_input([](const std::vector<word>& items) {
    on_sorters([&](auto& executor) {
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

TEST_CASE("comparisons stay below 4 n log n when splits hardly make anything smaller") {
  for (const index_t n : {1025, 20'011, 300'007})
    CHECK(static_cast<double>(comparisons<seldom_false>(test::random_integers<word>(n))) <= 4 * n_log_n(n));
}

TEST_CASE("NaNs lose no item") {
  const auto is_nan = [](float x) { return std::isnan(x); };
  for (const index_t n : {100, 5000, 100'003}) {
    const auto items = test::generate(n, [](test::generator& random) {
      return random.below(10) == 0 ? std::numeric_limits<float>::quiet_NaN() : static_cast<float>(random.unit());
    });
    on_sorters([&](auto& executor) {
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
  on_sorters([](auto& executor) {
    const auto message = [](const auto& f) { return test::message_of<std::invalid_argument>(f); };
    const std::span<int> nothing(static_cast<int*>(nullptr), 5);
    CHECK(message([&] { quicksort(executor, nothing); }) == "items is a null pointer with a size");
    alignas(8) unsigned char bytes[64] = {};
    const std::span<int> crooked(reinterpret_cast<int*>(bytes + 1), 5);
    CHECK(message([&] { quicksort(executor, crooked); }) == "items is not aligned to its type");
    quicksort(executor, std::span<int>());
  });
}

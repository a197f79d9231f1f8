// quicksort on inputs that are hard for quicksorts: it sorts them, and comparisons stay below a small multiple of
// n log n.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <vector>

#include "quicksort_support.hpp"

using test::by_value;
using test::check_sort;
using upsweep::index_t;
using upsweep::quicksort;

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
// How many samples a split takes, on a host or a GPU, for any number of buckets.
std::vector<index_t> sample_sizes() {
  std::vector<index_t> sizes;
  for (int levels = 1; levels <= upsweep::detail::splitters<word>::most_levels; levels++)
    sizes.push_back(upsweep::detail::splitters<word>::sample_size(levels));
#if UPSWEEP_HAS_CUDA
  using rule = upsweep::detail::device_sort<word, upsweep::less_than<>>::rule;
  for (int levels = 1; levels <= rule::most_levels; levels++) sizes.push_back(rule::spacing(levels) << levels);
#endif
  return sizes;
}
// The least values stand wherever the first split takes its samples.
std::vector<word> adversary(index_t n) {
  auto items = test::generate(n, [](test::generator& random) { return static_cast<word>(random() | 0x10000u); });
  for (const index_t samples : sample_sizes())
    for (index_t k = 0; k < samples && samples <= n; k++)
      items[oracle::at(upsweep::detail::sampled_position(k, samples, n))] = static_cast<word>(k);
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
  if (test::without_executors()) return;
  for (const auto& d : distributions)
    for (const index_t n : {65, 1025, 5000, 20'011, 300'007 / test::sanitized_step(3)}) {
      INFO(d.name);
      check_sort(d.make(n), by_value{});
      check_sort(d.make(n), upsweep::less_than{});
    }
}

TEST_CASE("comparisons stay below 3 n log n on any distribution, and are O(n) for few distinct items") {
  for (const auto& d : distributions)
    for (const index_t n : {1025, 20'011, 300'007}) {
      INFO(d.name << ", n = " << n);
      const index_t calls = comparisons<upsweep::less_than<>>(d.make(n));
      CHECK(static_cast<double>(calls) <= 3 * n_log_n(n));
      if (n > 100'000) CHECK(calls <= d.comparisons * n + 10'000);
    }
}

#if UPSWEEP_HAS_CUDA
namespace {
struct counted_on_device {
  unsigned long long* calls;
  UPSWEEP_HD bool operator()(word a, word b) const {
#ifdef __CUDA_ARCH__
    atomicAdd(calls, 1ull);
#endif
    return a < b;
  }
};
}  // namespace

TEST_CASE("on a GPU comparisons stay below 4 n log n on any distribution, by code for older ones below 5") {
  if (test::without_device()) return;
  upsweep::device executor;
  // Counted: 4.5 for 20'011 items, which go another way where there are no clusters.
  const double most = upsweep::gpu::has_hopper_code(executor.compute_capability()) ? 4 : 5;
  for (const auto& d : distributions)
    for (const index_t n : {1025, 20'011, 300'007}) {
      INFO(d.name << ", n = " << n);
      upsweep::buffer<word> items(executor, d.make(n));
      upsweep::buffer<unsigned long long> calls(executor, std::vector<unsigned long long>{0});
      quicksort(executor, items, counted_on_device{calls.data()});
      CHECK(static_cast<double>(calls.to_vector(executor)[0]) <= most * n_log_n(n));
    }
}
#endif

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

namespace {
struct seldom_false {  // nearly all items belong in front of every splitter
  bool operator()(word a, word b) const { return (a * 0x9E3779B1u + b * 0x85EBCA6Bu) >> 24 != 0; }
};
}  // namespace

TEST_CASE("comparisons stay below 4 n log n when splits hardly make anything smaller") {
  for (const index_t n : {1025, 20'011, 300'007})
    CHECK(static_cast<double>(comparisons<seldom_false>(test::random_integers<word>(n))) <= 4 * n_log_n(n));
}

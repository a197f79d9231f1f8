// The host against the standard library's own algorithms.
#include <algorithm>
#include <cstdint>
#include <limits>
#include <numeric>
#include <vector>

#include <upsweep/compaction.hpp>
#include <upsweep/reduce.hpp>
#include <upsweep/scan.hpp>

#include "oracle.hpp"
#include "support.hpp"

using test::check_equal;
using upsweep::index_t;

namespace {
template <class T>
struct least {
  T operator()(T a, T b) const { return std::min(a, b); }
};

// Vectors of random items, a scan of ours and one of the standard's.
template <class T, class Ours, class Theirs>
void compare(const Ours& ours, const Theirs& theirs) {
  for (const index_t n : test::few_sizes(sizeof(T))) {
    if (n > test::largest_on_hosts) continue;
    const auto in = test::random_integers<T>(n);
    std::vector<T> expected(in.size());
    theirs(in, expected);
    test::on_hosts([&](auto& executor) {
      std::vector<T> actual(in.size());
      ours(executor, in, actual);
      check_equal(actual, expected);
    });
  }
}

template <class T>
void compare_scans() {
  compare<T>([](auto& executor, const auto& in, auto& out) { upsweep::inclusive_scan(executor, in, out); },
             [](const auto& in, auto& out) { std::inclusive_scan(in.begin(), in.end(), out.begin()); });
  compare<T>([](auto& executor, const auto& in, auto& out) { upsweep::inclusive_scan(executor, in, out); },
             [](const auto& in, auto& out) { std::partial_sum(in.begin(), in.end(), out.begin()); });
  compare<T>([](auto& executor, const auto& in,
                auto& out) { upsweep::exclusive_scan(executor, in, out, upsweep::plus<T>{}, T{41}); },
             [](const auto& in, auto& out) { std::exclusive_scan(in.begin(), in.end(), out.begin(), T{41}); });
  compare<T>([](auto& executor, const auto& in,
                auto& out) { upsweep::inclusive_scan(executor, in, out, upsweep::minimum<T>{}); },
             [](const auto& in, auto& out) { std::inclusive_scan(in.begin(), in.end(), out.begin(), least<T>{}); });
  compare<T>([](auto& executor, const auto& in,
                auto& out) { upsweep::inclusive_scan(executor, in, out, upsweep::plus<T>{}, upsweep::reversed); },
             [](const auto& in, auto& out) { std::inclusive_scan(in.rbegin(), in.rend(), out.rbegin()); });
}
}  // namespace

TEST_CASE("scans equal the standard library's") {
  compare_scans<std::uint8_t>();
  compare_scans<std::uint16_t>();
  compare_scans<std::uint32_t>();
  compare_scans<std::uint64_t>();
}

TEST_CASE("float minima equal the standard library's to the bit") {
  const auto in = test::random_floats<float>(300'007);
  std::vector<float> expected(in.size());
  std::inclusive_scan(in.begin(), in.end(), expected.begin(), least<float>{});
  test::on_hosts([&](auto& executor) {
    std::vector<float> actual(in.size());
    upsweep::inclusive_scan(executor, in, actual, upsweep::minimum<float>{});
    test::check_same_bits(actual, expected);
    CHECK(upsweep::reduce(executor, in, upsweep::minimum<float>{}) == expected.back());
    CHECK(upsweep::reduce(executor, in, upsweep::maximum<float>{}) == *std::max_element(in.begin(), in.end()));
  });
}

TEST_CASE("reductions equal the standard library's") {
  for (const index_t n : test::few_sizes()) {
    if (n > test::largest_on_hosts) continue;
    const auto in = test::random_integers<std::uint32_t>(n);
    test::on_hosts([&](auto& executor) {
      CHECK(upsweep::reduce(executor, in) == std::accumulate(in.begin(), in.end(), 0u));
      CHECK(upsweep::reduce(executor, in, upsweep::bit_xor<std::uint32_t>{}) ==
            std::accumulate(in.begin(), in.end(), 0u, std::bit_xor<>{}));
      CHECK(upsweep::reduce(executor, in, upsweep::plus<std::uint64_t>{}) ==
            std::accumulate(in.begin(), in.end(), std::uint64_t{0}));
    });
  }
}

TEST_CASE("compaction equals the standard library's") {
  const auto is_odd = [](std::uint16_t x) { return x % 2 != 0; };
  for (const index_t n : test::few_sizes()) {
    if (n > test::largest_on_hosts) continue;
    const auto in = test::random_integers<std::uint16_t>(n, 4);
    std::vector<std::uint16_t> kept, unique;
    std::copy_if(in.begin(), in.end(), std::back_inserter(kept), is_odd);
    std::unique_copy(in.begin(), in.end(), std::back_inserter(unique));
    test::on_hosts([&](auto& executor) {
      std::vector<std::uint16_t> out(in.size());
      out.resize(oracle::at(upsweep::copy_if(executor, in, out, is_odd)));
      check_equal(out, kept);
      out.resize(in.size());
      out.resize(oracle::at(upsweep::unique_copy(executor, in, out)));
      check_equal(out, unique);
    });
  }
}

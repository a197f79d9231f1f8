// The promise of scan.hpp: results are a function of the items and n alone, to the bit, floats included. And they are
// accurate.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <vector>

#include <upsweep/linear_recurrence.hpp>
#include <upsweep/reduce.hpp>
#include <upsweep/scan.hpp>

#include "oracle.hpp"
#include "support.hpp"
#include "values.hpp"

using test::check_same_bits;
using test::guarded;
using upsweep::index_t;

namespace {
using floats = std::vector<float>;

// Sums of these depend on every bracket: signs and magnitudes vary.
floats delicate_numbers(index_t n) {
  return test::generate(n, [](test::generator& random) {
    return static_cast<float>(std::ldexp(random.unit() - 0.5, static_cast<int>(random.below(12))));
  });
}

template <class Executor>
floats inclusive(Executor& executor, const floats& in, index_t shift_in = 0, index_t shift_out = 0) {
  guarded<float> from(executor, in, shift_in), to(executor, oracle::size(in), shift_out);
  upsweep::inclusive_scan(executor, from.range(), to.range());
  return to.items(executor);
}
bool same_bits(float a, float b) { return std::memcmp(&a, &b, sizeof(float)) == 0; }

std::vector<index_t> sizes() {
  return test::detail::limited({1, 2, 100, 1025, 9217, 70'001, 524'301, (1 << 22) + 4099}, 4);
}
}  // namespace

TEST_CASE("hosts of any number of threads give the same bits, run after run") {
  for (const index_t n : sizes()) {
    if (n > test::largest_on_hosts) continue;
    const floats in = delicate_numbers(n);
    upsweep::host one(1);
    const floats expected = inclusive(one, in);
    const float sum = upsweep::reduce(one, in);
    test::on_hosts([&](auto& executor) {
      for (int repeat = 0; repeat < 3; repeat++) {
        check_same_bits(inclusive(executor, in), expected);
        CHECK(same_bits(upsweep::reduce(executor, in), sum));
      }
    });
  }
}

TEST_CASE("a device gives the same bits run after run, from another executor too") {
  for (const index_t n : sizes()) {
    const floats in = delicate_numbers(n);
    test::on_device([&](auto& executor) {
      const floats expected = inclusive(executor, in);
      std::remove_cvref_t<decltype(executor)> another;
      for (int repeat = 0; repeat < 5; repeat++) {
        check_same_bits(inclusive(executor, in), expected);
        check_same_bits(inclusive(another, in), expected);
      }
    });
  }
}

TEST_CASE("in place and misaligned give the same bits as out of place and aligned") {
  for (const index_t n : sizes()) {
    const floats in = delicate_numbers(n);
    test::on_executors(n, [&](auto& executor) {
      const floats expected = inclusive(executor, in);
      for (const index_t shift : {1, 2, 3, 4, 7, 8, 15})
        check_same_bits(inclusive(executor, in, shift, (3 * shift + 1) % 16), expected);
      guarded<float> items(executor, in, 5);
      upsweep::inclusive_scan(executor, items.range(), items.range());
      check_same_bits(items.items(executor), expected);
    });
  }
}

TEST_CASE("the last inclusive prefix is the total, and every exclusive prefix the inclusive one before it") {
  for (const index_t n : sizes()) {
    const floats in = delicate_numbers(n);
    test::on_executors(n, [&](auto& executor) {
      guarded<float> from(executor, in), to(executor, n);
      const float total = upsweep::scan(executor, n, upsweep::contiguous(from.range()), upsweep::lift_to<float>{},
                                        upsweep::plus<float>{}, upsweep::dense(to.range()));
      floats prefixes = to.items(executor);
      CHECK(same_bits(prefixes.back(), total));
      upsweep::exclusive_scan(executor, from.range(), to.range());
      floats exclusive = to.items(executor);
      CHECK(same_bits(exclusive.front(), 0.f));
      exclusive.erase(exclusive.begin());
      prefixes.pop_back();
      check_same_bits(exclusive, prefixes);
    });
  }
}

TEST_CASE("a zero's sign survives: nothing is combined with an identity") {
  for (const index_t n : {1, 2, 33, 1025, 70'001}) {
    const floats in(oracle::at(n), -0.f);
    test::on_executors(n, [&](auto& executor) { check_same_bits(inclusive(executor, in), in); });
  }
}

TEST_CASE("the error of float sums is that of a fold of 128 items and one of the chunks") {
  // Items of nearly the same size, so that roundings go one way: a serial float sum drifts to an error of 1e-2 here.
  const index_t n = test::largest_on_hosts;
  const floats in =
      test::generate(n, [](test::generator& random) { return static_cast<float>(0.1 + 1e-6 * random.unit()); });
  std::vector<double> expected(in.begin(), in.end());
  for (std::size_t i = 1; i < expected.size(); i++) expected[i] += expected[i - 1];
  const double bound = (128 + static_cast<double>(n) / 128) * 0x1p-24;
  test::on_executors(n, [&](auto& executor) {
    const floats sums = inclusive(executor, in);
    double worst = 0;
    for (std::size_t i = 0; i < sums.size(); i++)
      worst = std::max(worst, std::abs(sums[i] - expected[i]) / expected[i]);
    CHECK(worst <= bound);
    guarded<float> from(executor, in);
    CHECK(std::abs(upsweep::reduce(executor, from.range()) - expected.back()) / expected.back() <= bound);
  });
}

TEST_CASE("a long float recurrence stays close to the same in doubles") {
  const index_t n = 300'007;
  const floats a = test::generate(
      n, [](test::generator& random) { return static_cast<float>(0.9 + 0.09 * random.unit()); }, 1);
  const floats b = test::random_floats<float>(n, 2);
  const auto expected =
      oracle::linear_recurrence(std::vector<double>(a.begin(), a.end()), std::vector<double>(b.begin(), b.end()));
  test::on_executors(n, [&](auto& executor) {
    guarded<float> as(executor, a), bs(executor, b), x(executor, n);
    upsweep::linear_recurrence(executor, as.range(), bs.range(), x.range());
    const floats xs = x.items(executor);
    double worst = 0;
    for (std::size_t i = 0; i < xs.size(); i++) worst = std::max(worst, std::abs(xs[i] - expected[i]) / expected[i]);
    CHECK(worst <= 2 * 0x1p-24 / (1 - 0.99));  // of a step: two roundings, of which the next ones keep 0.99 each
  });
}

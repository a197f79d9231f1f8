// Reductions of everything, and of runs of equal keys.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include <upsweep/reduce.hpp>

#include "oracle.hpp"
#include "support.hpp"
#include "values.hpp"
#include "vector_widths.hpp"

using test::check_equal;
using test::compose32;
using test::guarded;
using test::map32;
using test::shift_of;
using upsweep::index_t;

namespace {
// Runs of about `length` equal keys.
std::vector<std::int16_t> random_keys(index_t n, std::uint64_t length) {
  std::int16_t key = 0;
  return test::generate(n, [&](test::generator& random) {
    if (random.below(length) == 0)
      key = static_cast<std::int16_t>(key + 1 + static_cast<std::int16_t>(random.below(3)));
    return key;
  });
}
}  // namespace

TEST_CASE("reduce sums in its monoid's type") {
  for (const index_t n : test::sizes()) {
    const auto in = test::random_integers<std::int32_t>(n);
    const auto expected = oracle::reduce(in, upsweep::plus<std::int64_t>{});
    test::on_executors(n, [&](auto& executor) {
      guarded<std::int32_t> from(executor, in, shift_of(n));
      guarded<std::int64_t> result(executor, 1, 1);
      CHECK(upsweep::reduce(executor, from.range(), upsweep::plus<std::int64_t>{}) == expected);
      upsweep::reduce(executor, from.range(), upsweep::plus<std::int64_t>{}, result.data());
      check_equal(result.items(executor), {expected});
      guarded<std::int32_t> wrapped(executor, 1);
      upsweep::reduce(executor, from.range(), wrapped.data());
      check_equal(wrapped.items(executor), {static_cast<std::int32_t>(static_cast<std::uint32_t>(expected))});
      check_equal(from.items(executor), in);
    });
  }
}

TEST_CASE("reduce keeps the order of a monoid that does not commute") {
  for (const index_t n : test::sizes(sizeof(map32))) {
    const auto in = test::random_maps(n);
    const auto expected = oracle::reduce(in, compose32{});
    test::on_executors(n, [&](auto& executor) {
      guarded<map32> from(executor, in, shift_of(n));
      CHECK(upsweep::reduce(executor, from.range(), compose32{}) == expected);
    });
  }
}

TEST_CASE("reduce of whole tiles: no part of them is empty") {
  for (const index_t n : {1 << 16, 1 << 17, 3 << 17, 1 << 20}) {  // a host's tiles are 256 KiB
    const auto in = test::random_integers<std::int32_t>(n);
    const auto expected = oracle::reduce(in, upsweep::plus<std::int64_t>{});
    test::on_executors(n, [&](auto& executor) {
      guarded<std::int32_t> from(executor, in);
      CHECK(upsweep::reduce(executor, from.range(), upsweep::plus<std::int64_t>{}) == expected);
    });
  }
}

TEST_CASE("a NaN makes the least and the largest of all NaN, wherever it stands") {
  const index_t n = 5000;
  for (const index_t at : {0, 1, 127, 128, 1000, 2047, 2048, 4095, 4999}) {
    auto in = test::random_floats<float>(n);
    in[oracle::at(at)] = std::numeric_limits<float>::quiet_NaN();
    INFO("NaN at " << at);
    test::on_executors([&](auto& executor) {
      guarded<float> from(executor, in);
      CHECK(std::isnan(upsweep::reduce(executor, from.range(), upsweep::minimum<float>{})));
      CHECK(std::isnan(upsweep::reduce(executor, from.range(), upsweep::maximum<float>{})));
    });
  }
}

TEST_CASE("reduce of nothing is the identity") {
  upsweep::host executor(2);
  const std::vector<float> nothing;
  CHECK(upsweep::reduce(executor, nothing) == 0);
  CHECK(upsweep::reduce(executor, nothing, upsweep::minimum<float>{}) == std::numeric_limits<float>::infinity());
  CHECK(upsweep::reduce(executor, nothing, upsweep::multiplies<float>{}) == 1);
}

TEST_CASE("argmin finds the earliest of equal values") {
  for (const index_t n : test::few_sizes()) {
    if (n == 0) continue;
    const auto in = test::random_integers<std::int32_t>(n, 50);
    const index_t expected = std::min_element(in.begin(), in.end()) - in.begin();
    test::on_executors(n, [&](auto& executor) {
      guarded<std::int32_t> from(executor, in, shift_of(n));
      const auto least = upsweep::scan(executor, n, upsweep::contiguous(from.range(), upsweep::indices()),
                                       upsweep::lift_indexed{}, upsweep::argmin<std::int32_t>{}, upsweep::discard);
      CHECK(least.index == expected);
      CHECK(least.value == in[oracle::at(expected)]);
    });
  }
}

TEST_CASE("reduce_by_key sums every run of equal keys") {
  for (const index_t n : test::few_sizes(sizeof(map32))) {
    const auto in = test::random_maps(n);
    for (const std::uint64_t length : {1, 9, 5000}) {
      if (n > test::largest_on_hosts && length == 5000) continue;
      const auto keys = random_keys(n, length);
      const auto reduced = oracle::reduce_by_key(keys, in, compose32{});
      const auto& run_keys = reduced.first;
      const auto& sums = reduced.second;
      INFO("runs of about " << length);
      test::on_executors(n, [&](auto& executor) {
        guarded<std::int16_t> ks(executor, keys, shift_of(n)), keys_out(executor, n, shift_of(n, 1));
        guarded<map32> from(executor, in, shift_of(n, 2)), out(executor, n, shift_of(n, 3));
        const index_t runs =
            upsweep::reduce_by_key(executor, ks.range(), from.range(), keys_out.range(), out.range(), compose32{});
        REQUIRE(runs == oracle::size(run_keys));
        check_equal(keys_out.items(executor, runs), run_keys);
        check_equal(out.items(executor, runs), sums);
      });
    }
  }
}

TEST_CASE("reduce_by_key is the same with vectors of any width, for any end of a run") {
  for (const index_t n : {1, 2, 7, 8, 9, 17, 1023, 1024, 1025, 2049, 30'001})
    for (const std::uint64_t length : {1, 2, 7, 300}) {
      const auto keys = random_keys(n, length);
      const auto words = test::random_integers<std::uint32_t>(n);
      const auto maps = test::random_maps(n);
      const auto [run_keys, sums] = oracle::reduce_by_key(keys, maps, compose32{});
      const auto word_sums = oracle::reduce_by_key(keys, words, upsweep::plus<std::uint32_t>{}).second;
      test::with_any_vectors([&, &expected_keys = run_keys, &expected = sums] {
        INFO("n = " << n << ", runs of about " << length);
        upsweep::host executor(1);
        guarded<std::int16_t> ks(executor, keys), keys_out(executor, n);
        guarded<map32> from(executor, maps), out(executor, n);
        guarded<std::uint32_t> from_words(executor, words), words_out(executor, n);
        const index_t runs =
            upsweep::reduce_by_key(executor, ks.range(), from.range(), keys_out.range(), out.range(), compose32{});
        REQUIRE(runs == oracle::size(expected_keys));
        check_equal(keys_out.items(executor, runs), expected_keys);
        check_equal(out.items(executor, runs), expected);
        CHECK(upsweep::reduce_by_key(executor, ks.range(), from_words.range(), ks.range(), words_out.range()) == runs);
        check_equal(words_out.items(executor, runs), word_sums);
      });
    }
}

TEST_CASE("reduce_by_key works in place and leaves its count in the executor's memory") {
  for (const index_t n : test::few_sizes(sizeof(map32))) {
    const auto in = test::random_maps(n);
    const auto keys = random_keys(n, 4);
    const auto reduced = oracle::reduce_by_key(keys, in, compose32{});
    const auto& run_keys = reduced.first;
    const auto& sums = reduced.second;
    test::on_executors(n, [&](auto& executor) {
      guarded<std::int16_t> ks(executor, keys, shift_of(n));
      guarded<map32> items(executor, in, shift_of(n, 1));
      guarded<index_t> count(executor, 1);
      upsweep::reduce_by_key(executor, ks.range(), items.range(), ks.range(), items.range(), compose32{}, count.data());
      const index_t runs = count.items(executor)[0];
      REQUIRE(runs == oracle::size(run_keys));
      auto keys_out = ks.items(executor);
      auto out = items.items(executor);
      keys_out.resize(oracle::at(runs));
      out.resize(oracle::at(runs));
      check_equal(keys_out, run_keys);
      check_equal(out, sums);
    });
  }
}

TEST_CASE("reduce_by_key takes values of any size and alignment beside narrow keys") {
  using value = test::interval<24, 8>;  // tiles no 16 bytes, and wants more alignment than a key has
  for (const index_t n : {index_t{1}, index_t{700}, index_t{30'001}}) {
    const auto in = test::unit_intervals<value>(n);
    const auto keys = random_keys(n, 3);
    std::uint32_t sprung = 0;
    const auto reduced = oracle::reduce_by_key(keys, in, test::join<value>{&sprung});
    const auto& run_keys = reduced.first;
    const auto& sums = reduced.second;
    REQUIRE(sprung == 0);
    test::on_executors([&](auto& executor) {
      test::trap trap(executor);
      guarded<std::int16_t> ks(executor, keys), keys_out(executor, n);
      guarded<value> from(executor, in), out(executor, n);
      const index_t runs = upsweep::reduce_by_key(executor, ks.range(), from.range(), keys_out.range(), out.range(),
                                                  test::join<value>{trap.counter()});
      REQUIRE(runs == oracle::size(run_keys));
      check_equal(keys_out.items(executor, runs), run_keys);
      check_equal(out.items(executor, runs), sums);
      CHECK_FALSE(trap.sprung(executor));
    });
  }
}

// The named scans against the oracle: every size, in place, misaligned; forward, reversed and by rows.
#include <array>
#include <cstdint>
#include <numeric>
#include <vector>

#include <upsweep/reduce.hpp>
#include <upsweep/scan.hpp>

#include "oracle.hpp"
#include "support.hpp"
#include "values.hpp"

using test::check_equal;
using test::guarded;
using test::map32;
using test::shift_of;
using upsweep::index_t;
using sum32 = upsweep::plus<std::uint32_t>;

TEST_CASE("inclusive_scan sums, out of place and in place, for sizes around every boundary") {
  for (const index_t n : test::sizes()) {
    const auto in = test::random_integers<std::uint32_t>(n);
    const auto expected = oracle::inclusive_scan(in, sum32{});
    test::on_executors(n, [&](auto& executor) {
      guarded<std::uint32_t> from(executor, in, shift_of(n)), to(executor, n, shift_of(n, 1));
      upsweep::inclusive_scan(executor, from.range(), to.range());
      check_equal(to.items(executor), expected);
      check_equal(from.items(executor), in);
      upsweep::inclusive_scan(executor, from.range(), from.range());
      check_equal(from.items(executor), expected);
    });
  }
}

TEST_CASE("outputs that leave past the caches are whole, wherever they begin in a line") {
  const index_t n = (1 << 22) + 4099;  // 16 MiB and more
  const auto in = test::random_integers<std::uint32_t>(n);
  const auto expected = oracle::inclusive_scan(in, sum32{});
  for (const int threads : {1, 3})
    for (const index_t shift : {0, 5})
      test::on_host(threads, [&](auto& executor) {
        guarded<std::uint32_t> from(executor, in), to(executor, n, shift);
        upsweep::inclusive_scan(executor, from.range(), to.range());
        check_equal(to.items(executor), expected);
      });
}

TEST_CASE("exclusive_scan begins with the identity") {
  for (const index_t n : test::sizes()) {
    const auto in = test::random_integers<std::uint32_t>(n);
    const auto expected = oracle::exclusive_scan(in, sum32{});
    test::on_executors(n, [&](auto& executor) {
      guarded<std::uint32_t> from(executor, in, shift_of(n)), to(executor, n, shift_of(n, 2));
      upsweep::exclusive_scan(executor, from.range(), to.range());
      check_equal(to.items(executor), expected);
      upsweep::exclusive_scan(executor, from.range(), from.range());
      check_equal(from.items(executor), expected);
    });
  }
}

TEST_CASE("an inclusive scan keeps the order of a monoid that does not commute") {
  for (const index_t n : test::sizes(sizeof(map32))) {
    const auto in = test::random_maps(n);
    const auto expected = oracle::inclusive_scan(in, test::compose32{});
    test::on_executors(n, [&](auto& executor) {
      guarded<map32> from(executor, in, shift_of(n)), to(executor, n, shift_of(n, 1));
      upsweep::inclusive_scan(executor, from.range(), to.range(), test::compose32{});
      check_equal(to.items(executor), expected);
    });
  }
}

TEST_CASE("a reversed exclusive scan takes init first, then the items from the right") {
  const map32 init{3, 1000};
  for (const index_t n : test::sizes(sizeof(map32))) {
    const auto in = test::random_maps(n);
    const auto expected = oracle::exclusive_scan(in, test::compose32{}, init, true);
    test::on_executors(n, [&](auto& executor) {
      guarded<map32> from(executor, in, shift_of(n)), to(executor, n, shift_of(n, 3));
      upsweep::exclusive_scan(executor, from.range(), to.range(), test::compose32{}, init, upsweep::reversed);
      check_equal(to.items(executor), expected);
    });
  }
}

TEST_CASE("rows of a fixed length are scanned each on its own") {
  const map32 init{5, 77};
  for (const index_t length : {1, 2, 3, 31, 256, 1000, 4097, 100'003, 1'500'000}) {
    for (const index_t rows : {1, 2, 7}) {
      const index_t n = rows * length;
      if (n > test::largest_on_hosts && (rows < 7 || !test::has_device())) continue;
      const auto in = test::random_maps(n);
      const auto segments = oracle::segments_of_rows(n, length);
      const auto inclusive = oracle::inclusive_scan(in, test::compose32{}, segments);
      const auto exclusive = oracle::exclusive_scan(in, test::compose32{}, segments, init, true);
      INFO("rows of " << length);
      test::on_executors(n, [&](auto& executor) {
        guarded<map32> from(executor, in, shift_of(n)), to(executor, n, shift_of(n, 1)), back(executor, n);
        upsweep::inclusive_scan(executor, from.range(), to.range(), test::compose32{}, upsweep::rows(length));
        check_equal(to.items(executor), inclusive);
        upsweep::exclusive_scan(executor, from.range(), back.range(), test::compose32{}, init,
                                upsweep::reversed_rows(length));
        check_equal(back.items(executor), exclusive);
      });
    }
  }
}

TEST_CASE("all scans of all directions agree with the oracle") {
  const test::compose32 m;
  const map32 init{9, 4};
  for (const index_t rows : {1, 4, 1000}) {
    const index_t length = 37, n = rows * length;
    const auto in = test::random_maps(n);
    const auto check = [&](const oracle::bounds& segments, bool reversed, const auto& along) {
      test::on_hosts([&](auto& executor) {
        guarded<map32> from(executor, in), inclusive(executor, n), exclusive(executor, n), with_init(executor, n);
        upsweep::inclusive_scan(executor, from.range(), inclusive.range(), m, along);
        upsweep::exclusive_scan(executor, from.range(), exclusive.range(), m, along);
        upsweep::exclusive_scan(executor, from.range(), with_init.range(), m, init, along);
        check_equal(inclusive.items(executor), oracle::inclusive_scan(in, m, segments, reversed));
        check_equal(exclusive.items(executor), oracle::exclusive_scan(in, m, segments, {}, reversed));
        check_equal(with_init.items(executor), oracle::exclusive_scan(in, m, segments, init, reversed));
      });
    };
    check(oracle::whole(n), false, upsweep::forward);
    check(oracle::whole(n), true, upsweep::reversed);
    check(oracle::segments_of_rows(n, length), false, upsweep::rows(length));
    check(oracle::segments_of_rows(n, length), true, upsweep::reversed_rows(length));
  }
}

TEST_CASE("a scan accumulates in its monoid's type") {
  for (const index_t n : test::few_sizes(8)) {
    const auto in = test::random_integers<std::uint8_t>(n);
    const auto expected = oracle::inclusive_scan(in, upsweep::plus<std::int64_t>{});
    test::on_executors(n, [&](auto& executor) {
      guarded<std::uint8_t> from(executor, in, shift_of(n));
      guarded<std::int64_t> to(executor, n, shift_of(n, 1));
      upsweep::inclusive_scan(executor, from.range(), to.range(), upsweep::plus<std::int64_t>{});
      check_equal(to.items(executor), expected);
    });
  }
}

namespace {
template <class T>
void check_sums_of() {
  const upsweep::plus<T> m;
  for (const index_t n : test::few_sizes(sizeof(T))) {
    const auto in = test::random_integers<T>(n);
    test::on_executors(n, [&](auto& executor) {
      guarded<T> from(executor, in, shift_of(n)), to(executor, n, shift_of(n, 1));
      const auto check = [&](bool reversed, const auto& along) {
        upsweep::inclusive_scan(executor, from.range(), to.range(), m, along);
        check_equal(to.items(executor), oracle::inclusive_scan(in, m, oracle::whole(n), reversed));
        upsweep::exclusive_scan(executor, from.range(), to.range(), m, along);
        check_equal(to.items(executor), oracle::exclusive_scan(in, m, oracle::whole(n), {}, reversed));
      };
      check(false, upsweep::forward);
      check(true, upsweep::reversed);
      const auto total = in.empty() ? T{} : oracle::inclusive_scan(in, m).back();
      CHECK(upsweep::reduce(executor, from.range()) == total);
      upsweep::inclusive_scan(executor, from.range(), from.range());
      check_equal(from.items(executor), oracle::inclusive_scan(in, m));
    });
  }
}
}  // namespace

TEST_CASE("sums of integers of 1 and 2 bytes wrap, in either direction") {
  check_sums_of<std::uint8_t>();
  check_sums_of<std::int16_t>();
}

TEST_CASE("a scan returns its total, or leaves it in the executor's memory") {
  for (const index_t n : test::few_sizes()) {
    const auto in = test::random_integers<std::uint32_t>(n);
    const std::uint32_t expected = std::accumulate(in.begin(), in.end(), 0u);
    test::on_executors(n, [&](auto& executor) {
      guarded<std::uint32_t> from(executor, in), to(executor, n), total(executor, 1);
      const auto run = [&](auto... out) {
        return upsweep::scan(executor, n, upsweep::contiguous(from.range()), upsweep::lift_to<std::uint32_t>{}, sum32{},
                             upsweep::dense(to.range()), out...);
      };
      CHECK(run() == expected);
      run(total.data());
      check_equal(total.items(executor), {expected});
      guarded<std::uint32_t> again(executor, 1);
      run(upsweep::reversed, again.data());
      check_equal(again.items(executor), {expected});
      run(upsweep::no_total);
      run(upsweep::forward, upsweep::no_total);
      check_equal(to.items(executor), oracle::inclusive_scan(in, sum32{}));
    });
  }
}

TEST_CASE("an output may be longer than the input; what is behind stays as it was") {
  test::on_executors([](auto& executor) {
    guarded<std::uint32_t> from(executor, {1, 2, 3}), to(executor, 5);
    upsweep::inclusive_scan(executor, from.range(), to.range());
    check_equal(to.items(executor, 3), {1, 3, 6});
  });
}

TEST_CASE("calls take temporary executors") {
  const std::vector<int> in = {1, 2, 3};
  std::vector<int> out(3);
  upsweep::inclusive_scan(upsweep::host(2), in, out);
  CHECK(out == std::vector{1, 3, 6});
  upsweep::exclusive_scan(upsweep::any_executor(upsweep::host(1)), in, out);
  CHECK(out == std::vector{0, 1, 3});
  CHECK(upsweep::reduce(upsweep::host(), in) == 6);
}

TEST_CASE("calls take vectors, arrays and buffers") {
  upsweep::host executor(2);
  const std::vector<int> in = {3, 1, 2};
  std::array<int, 3> out{};
  upsweep::inclusive_scan(executor, in, out);
  CHECK(out == std::array{3, 4, 6});
  upsweep::buffer<int> held(executor, 3);
  upsweep::exclusive_scan(executor, in, held, upsweep::maximum<int>{}, 2);
  CHECK(held.to_vector(executor) == std::vector{2, 3, 3});
  int plain[3] = {1, 1, 1};
  upsweep::inclusive_scan(executor, plain, plain);
  CHECK(plain[2] == 3);
}

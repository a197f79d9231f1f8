// What a user's function throws on the host reaches the caller, from any thread and any stage, and the executor works
// on.
#include <algorithm>
#include <atomic>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include <upsweep/compaction.hpp>
#include <upsweep/reduce.hpp>
#include <upsweep/scan.hpp>

#include "oracle.hpp"
#include "support.hpp"

using upsweep::index_t;

namespace {
constexpr index_t n = 1'000'003;

struct refused {  // no std::exception
  index_t at;
};
using numbers = std::vector<std::int64_t>;
const numbers ones(oracle::at(n), 1);

// Calls one(executor, k) for hosts and for positions k of the item that throws; then the executor must work.
template <class F>
void for_throwing(const F& call) {
  test::on_hosts([&](auto& executor) {
    for (const index_t k : {index_t{0}, n / 3, n - 1}) {
      index_t thrown = -1;
      try {
        call(executor, k);
      } catch (const refused& e) {
        thrown = e.at;
      }
      CHECK(thrown == k);
      CHECK(upsweep::reduce(executor, ones) == n);
    }
  });
}
const auto throw_at = [](index_t i, index_t k) {
  if (i == k) throw refused{k};
};
}  // namespace

TEST_CASE("an exception from a computed load") {
  for_throwing([](auto& executor, index_t k) {
    const auto load = upsweep::computed<std::int64_t>([=](index_t i) {
      throw_at(i, k);
      return i;
    });
    upsweep::scan(executor, n, load, upsweep::lift_to<std::int64_t>{}, upsweep::plus<std::int64_t>{}, upsweep::discard);
  });
}

TEST_CASE("an exception from a lift") {
  numbers out(ones.size());
  for_throwing([&](auto& executor, index_t k) {
    const auto lift = [=](index_t i) {
      throw_at(i, k);
      return i;
    };
    upsweep::scan(executor, n, upsweep::indices(), lift, upsweep::plus<std::int64_t>{}, upsweep::dense(out));
  });
}

TEST_CASE("an exception from a monoid") {
  // Values carry the largest index in them; the item that throws is met by some combination.
  for (const index_t k : {index_t{1}, n / 2, n - 1}) {
    const auto m = upsweep::make_monoid(
        [=](std::int64_t earlier, std::int64_t later) {
          if (later >= k) throw std::domain_error("no sum");
          return std::max(earlier, later);
        },
        std::int64_t{0});
    numbers in(ones.size()), out(ones.size());
    for (index_t i = 0; i < n; i++) in[oracle::at(i)] = i;
    test::on_hosts([&](auto& executor) {
      CHECK(test::message_of<std::domain_error>([&] { upsweep::inclusive_scan(executor, in, out, m); }) == "no sum");
      CHECK(test::message_of<std::domain_error>([&] { upsweep::reduce(executor, in, m); }) == "no sum");
      CHECK(upsweep::reduce(executor, ones) == n);
    });
  }
}

TEST_CASE("an exception from a predicate") {
  numbers in(ones.size()), out(ones.size());
  for (index_t i = 0; i < n; i++) in[oracle::at(i)] = i;
  for_throwing([&](auto& executor, index_t k) {
    upsweep::copy_if(executor, in, out, [=](std::int64_t i) {
      throw_at(i, k);
      return i % 2 == 0;
    });
  });
}

TEST_CASE("an exception from an each store, and from a projection") {
  for_throwing([](auto& executor, index_t k) {
    const auto store = upsweep::each([=](index_t i, index_t, std::int64_t, std::int64_t) { throw_at(i, k); });
    upsweep::scan(executor, n, upsweep::indices(), upsweep::lift_to<std::int64_t>{}, upsweep::plus<std::int64_t>{},
                  store);
  });
  numbers out(ones.size());
  for_throwing([&](auto& executor, index_t k) {
    const auto project = [=](index_t i, index_t, std::int64_t, std::int64_t inclusive) {
      throw_at(i, k);
      return inclusive;
    };
    upsweep::scan(executor, n, upsweep::indices(), upsweep::lift_to<std::int64_t>{}, upsweep::plus<std::int64_t>{},
                  upsweep::dense(out, project));
  });
}

TEST_CASE("when every item throws, one exception arrives") {
  test::on_hosts([](auto& executor) {
    std::atomic<int> calls = 0;
    const auto load = upsweep::computed<int>([&](index_t) -> int {
      calls++;
      throw std::runtime_error("always");
    });
    const auto sum = [&] {
      upsweep::scan(executor, n, load, upsweep::lift_to<int>{}, upsweep::plus<int>{}, upsweep::discard);
    };
    CHECK(test::message_of<std::runtime_error>(sum) == "always");
    CHECK(calls >= 1);
    CHECK(upsweep::reduce(executor, ones) == n);
  });
}

TEST_CASE("an exception among a few items, which go one by one") {
  upsweep::host executor(1);
  const numbers in(50, 1);
  numbers out(in.size());
  for (const index_t k : {0, 20, 49}) {
    index_t at = 0;
    const auto keeps = [&](std::int64_t) {
      throw_at(at++, k);
      return true;
    };
    const auto add = upsweep::make_monoid(
        [&](std::int64_t a, std::int64_t b) {
          throw_at(++at, k);
          return a + b;
        },
        std::int64_t{0});
    CHECK_THROWS_AS(upsweep::copy_if(executor, in, out, keeps), refused);
    at = 0;
    if (k > 0) CHECK_THROWS_AS(upsweep::inclusive_scan(executor, in, out, add), refused);
    CHECK(upsweep::reduce(executor, in) == 50);
  }
}

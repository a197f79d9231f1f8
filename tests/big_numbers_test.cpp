// Sums, differences, negatives and order of numbers of any length, against limb-by-limb loops.
#include <cstdint>
#include <span>
#include <stdexcept>
#include <vector>

#include <upsweep/big_numbers.hpp>

#include "support.hpp"

using test::check_equal;
using test::guarded;
using test::message_of;
using test::shift_of;
using upsweep::carry;
using upsweep::index_t;

namespace {
template <class T>
struct result {
  std::vector<T> limbs;
  std::vector<std::uint8_t> carried;  // of each number
};

// a + b by numbers of `length` limbs; step(a, b, carry, sum) returns what it carries.
template <class T, class Step>
result<T> limb_by_limb(const std::vector<T>& a, const std::vector<T>& b, index_t length, const Step& step) {
  result<T> r;
  bool carried = false;
  for (std::size_t i = 0; i < a.size(); i++) {
    T limb;
    carried = step(a[i], b[i], carried, limb);
    r.limbs.push_back(limb);
    if (static_cast<index_t>(i + 1) % length != 0) continue;
    r.carried.push_back(carried);
    carried = false;
  }
  return r;
}
template <class T>
result<T> sum(const std::vector<T>& a, const std::vector<T>& b, index_t length) {
  return limb_by_limb(a, b, length, [](T x, T y, bool carried, T& limb) {
    const T both = x + y;
    limb = both + carried;
    return both < x || limb < both;
  });
}
template <class T>
result<T> difference(const std::vector<T>& a, const std::vector<T>& b, index_t length) {
  return limb_by_limb(a, b, length, [](T x, T y, bool borrowed, T& limb) {
    const T without = x - y;
    limb = without - borrowed;
    return x < y || without < limb;
  });
}
template <class T>
std::vector<std::int8_t> orders(const std::vector<T>& a, const std::vector<T>& b, index_t length) {
  std::vector<std::int8_t> r;
  std::int8_t order = 0;
  for (std::size_t i = 0; i < a.size(); i++) {
    if (a[i] != b[i]) order = a[i] < b[i] ? -1 : 1;
    if (static_cast<index_t>(i + 1) % length != 0) continue;
    r.push_back(order);
    order = 0;
  }
  return r;
}

// A second operand: about one limb in `often` is random; a carry passes all others of the sum, or of the difference.
template <class T>
std::vector<T> chained(const std::vector<T>& a, bool of_sum, std::uint64_t often) {
  test::generator random(often);
  std::vector<T> b;
  for (const T limb : a)
    b.push_back(random.below(often) == 0 ? static_cast<T>(random()) : of_sum ? static_cast<T>(~limb) : limb);
  return b;
}

enum operation { add, subtract, negate };

// The call, out of place, in place and without waiting.
template <class T, class Executor>
void check_number(Executor& executor, operation which, const std::vector<T>& a, const std::vector<T>& b,
                  const result<T>& expected) {
  const auto n = static_cast<index_t>(a.size());
  const bool carries_out = n > 0 && expected.carried.at(0) != 0;
  guarded<T> x(executor, a, shift_of(n)), y(executor, b, shift_of(n, 1)), out(executor, n, shift_of(n, 2));
  guarded<std::uint8_t> carried(executor, 1, 1);
  const auto call = [&](std::span<T> to, auto... pointer) {
    if (which == add) return upsweep::big_add(executor, x.range(), y.range(), to, pointer...);
    if (which == subtract) return upsweep::big_subtract(executor, x.range(), y.range(), to, pointer...);
    return upsweep::big_negate(executor, y.range(), to, pointer...);
  };
  CHECK(call(out.range()) == carries_out);
  check_equal(out.items(executor), expected.limbs);
  call(y.range(), carried.data());
  check_equal(y.items(executor), expected.limbs);
  check_equal(carried.items(executor), {static_cast<std::uint8_t>(carries_out)});
}

template <class T>
void check_numbers_of(const std::vector<index_t>& sizes) {
  for (const index_t n : sizes) {
    const auto a = test::random_integers<T>(n);
    const std::vector<T> zeros(a.size());
    for (const std::uint64_t often : {1u, 20u, 3000u}) {
      const auto close_to_a = chained(a, false, often), opposite = chained(a, true, often);
      auto few = test::random_integers<T>(n, 2);  // a borrow passes the zeros
      for (auto& limb : few) limb *= limb && a[0] % 7 == 0;
      const index_t length = n > 0 ? n : 1;
      test::on_executors(n, [&](auto& executor) {
        check_number(executor, add, a, opposite, sum(a, opposite, length));
        check_number(executor, subtract, a, close_to_a, difference(a, close_to_a, length));
        check_number(executor, negate, a, few, difference(zeros, few, length));
      });
    }
  }
}
}  // namespace

TEST_CASE("numbers are added, subtracted and negated as limb by limb") {
  check_numbers_of<std::uint64_t>(test::sizes(24));
  check_numbers_of<std::uint32_t>(test::few_sizes(12));
}

TEST_CASE("a carry runs through a whole number") {
  for (const index_t n : test::few_sizes(24)) {
    if (n == 0) continue;
    std::vector<std::uint64_t> one(static_cast<std::size_t>(n)), ones(one.size(), ~std::uint64_t{0}), zero(one.size());
    one[0] = 1;
    test::on_executors(n, [&](auto& executor) {
      guarded<std::uint64_t> a(executor, one), b(executor, ones);
      CHECK(upsweep::big_add(executor, a.range(), b.range(), b.range()));
      check_equal(b.items(executor), zero);
      CHECK(upsweep::big_subtract(executor, b.range(), a.range(), b.range()));
      check_equal(b.items(executor), ones);
      CHECK(upsweep::big_negate(executor, b.range(), b.range()));
      check_equal(b.items(executor), one);
      CHECK(!upsweep::big_subtract(executor, b.range(), a.range(), b.range()));
      CHECK(!upsweep::big_negate(executor, b.range(), b.range()));
      check_equal(b.items(executor), zero);
    });
  }
}

TEST_CASE("many numbers side by side keep their carries to themselves") {
  if (test::without_executors()) return;
  for (const index_t length : {1, 2, 7, 8, 63, 4096, 5000, 70'001}) {
    for (const index_t numbers : {0, 1, 3, 71}) {
      const index_t n = length * numbers;
      const auto a = test::random_integers<std::uint64_t>(n);
      const auto opposite = chained(a, true, 3), close = chained(a, false, 3);
      const std::vector<std::uint64_t> zeros(a.size());
      const auto sums = sum(a, opposite, length), differences = difference(a, close, length),
                 negatives = difference(zeros, a, length);
      test::on_executors(n, [&](auto& executor) {
        guarded<std::uint64_t> x(executor, a, shift_of(n)), y(executor, opposite, 1), z(executor, close),
            out(executor, n);
        guarded<std::uint8_t> carried(executor, numbers, 3);
        guarded<std::int8_t> order(executor, numbers, 5);
        const upsweep::rows along(length);
        upsweep::big_add(executor, x.range(), y.range(), out.range(), carried.range(), along);
        check_equal(out.items(executor), sums.limbs);
        check_equal(carried.items(executor), sums.carried);
        upsweep::big_compare(executor, x.range(), z.range(), order.range(), along);
        check_equal(order.items(executor), orders(a, close, length));
        upsweep::big_subtract(executor, x.range(), z.range(), z.range(), carried.range(), along);
        check_equal(z.items(executor), differences.limbs);
        check_equal(carried.items(executor), differences.carried);
        upsweep::big_negate(executor, x.range(), x.range(), carried.range(), along);
        check_equal(x.items(executor), negatives.limbs);
        check_equal(carried.items(executor), negatives.carried);
      });
    }
  }
}

TEST_CASE("the most significant limb that differs decides on the order") {
  for (const index_t n : test::sizes(16)) {
    const auto a = test::random_integers<std::uint64_t>(n);
    for (const index_t at : {index_t{-1}, index_t{0}, n / 3, n - 1}) {
      auto b = a;
      if (0 <= at && at < n) {
        b[static_cast<std::size_t>(at)] ^= std::uint64_t{1} << 63;
        if (at > 0) b[static_cast<std::size_t>(at - 1)] = ~a[static_cast<std::size_t>(at - 1)];  // says nothing
      }
      const int expected = n == 0 ? 0 : orders(a, b, n).at(0);
      test::on_executors(n, [&](auto& executor) {
        guarded<std::uint64_t> x(executor, a, shift_of(n)), y(executor, b);
        guarded<int> order(executor, 1);
        CHECK(upsweep::big_compare(executor, x.range(), y.range()) == expected);
        upsweep::big_compare(executor, y.range(), x.range(), order.data());
        check_equal(order.items(executor), {-expected});
      });
    }
  }
}

TEST_CASE("carries are a monoid") {
  const upsweep::carries join;
  const carry all[] = {carry::stops, carry::passes, carry::starts};
  for (const carry a : all) {
    CHECK(join(a, join.identity()) == a);
    CHECK(join(join.identity(), a) == a);
    for (const carry b : all)
      for (const carry c : all) CHECK(join(join(a, b), c) == join(a, join(b, c)));
  }
}

TEST_CASE("wrong numbers are refused before anything is written") {
  test::on_executors([](auto& executor) {
    const std::vector<std::uint64_t> limbs(8, 1);
    guarded<std::uint64_t> a(executor, limbs), out(executor, 8);
    guarded<std::uint8_t> carried(executor, 4);
    const auto refused = [&](const auto& call) { return message_of<std::invalid_argument>(call); };
    CHECK(refused([&] { upsweep::big_add(executor, a.range(), a.first(7), out.range()); }) == "a has 8 items, b has 7");
    CHECK(refused([&] { upsweep::big_compare(executor, a.range(), a.first(7)); }) == "a has 8 items, b has 7");
    CHECK(refused([&] { upsweep::big_subtract(executor, a.range(), a.range(), out.first(7)); }) ==
          "out has 7 items, needs 8");
    CHECK(refused([&] { upsweep::big_negate(executor, a.first(7), a.range().subspan(1)); }) ==
          "out overlaps in: it must be the same range or a disjoint one");
    CHECK(refused([&] {
            upsweep::big_add(executor, a.range(), a.range(), out.range(), carried.range(), upsweep::rows(3));
          }) == "rows: a has 8 items, which is no multiple of the length 3");
    CHECK(refused([&] {
            upsweep::big_add(executor, a.range(), a.range(), out.range(), carried.range(), upsweep::rows(1));
          }) == "carried has 4 items, needs 8");
    CHECK(refused([&] { upsweep::big_negate(executor, a.range(), out.range(), static_cast<bool*>(nullptr)); }) ==
          "carried is a null pointer");
    CHECK(out.untouched_from(executor));
    CHECK(carried.untouched_from(executor));
    check_equal(a.items(executor), limbs);
  });
}

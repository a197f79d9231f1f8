// Partition against the oracle: shares from none to all, items of every size, in place where that is allowed,
// misaligned, counts on either side.
#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include <upsweep/partition.hpp>

#include "oracle.hpp"
#include "support.hpp"
#include "values.hpp"

using test::check_equal;
using test::guarded;
using test::shift_of;
using upsweep::index_t;

namespace {
using words = std::vector<std::uint32_t>;
using words_span = std::span<std::uint32_t>;

struct is_below {
  std::uint32_t bound;
  UPSWEEP_HD bool operator()(std::uint32_t x) const { return x < bound; }
};
constexpr is_below keep_none{0}, half{2'147'483'648}, keep_all{~0u};

struct is_odd {
  template <class T>
  UPSWEEP_HD bool operator()(const T& x) const {
    if constexpr (requires { x.word[0]; }) {
      return (x.word[0] * 0x9E3779B1u) >> 31;
    } else {
      return x & 1;
    }
  }
};
// −1 and 3 are no streams: they go to the last one.
struct five_classes {
  template <class T>
  UPSWEEP_HD int operator()(const T& x) const {
    if constexpr (requires { x.word[0]; }) {
      return static_cast<int>(x.word[0] % 5) - 1;
    } else {
      return static_cast<int>(x % 5) - 1;
    }
  }
};
template <class T>
std::array<std::vector<T>, 3> three_ways(const std::vector<T>& in) {
  const auto stream = [&](int s) { return oracle::copy_if(in, [=](const T& x) { return five_classes{}(x) == s; }); };
  return {stream(0), stream(1), oracle::copy_if(in, [](const T& x) { return (five_classes{}(x) & ~1) != 0; })};
}

struct counts_calls {
  std::uint32_t* calls;
  UPSWEEP_HD bool operator()(std::uint32_t x) const {
    test::count_up(calls + x);
    return x % 3 == 0;
  }
};

template <class T>
std::vector<T> first_of(std::vector<T> items, index_t count) {
  items.resize(oracle::at(count));
  return items;
}

template <class T, class Predicate>
void check_partition_copy(const std::vector<T>& in, const Predicate& predicate) {
  const index_t n = oracle::size(in);
  const auto [selected, rejected] = oracle::partition_copy(in, predicate);
  test::on_executors(n, [&, &yes = selected, &no = rejected](auto& executor) {
    guarded<T> from(executor, in, shift_of(n)), left(executor, n, shift_of(n, 1)), right(executor, n, shift_of(n, 2));
    const index_t count = upsweep::partition_copy(executor, from.range(), left.range(), right.range(), predicate);
    REQUIRE(count == oracle::size(yes));
    check_equal(left.items(executor, count), yes);
    check_equal(right.items(executor, n - count), no);
    check_equal(from.items(executor), in);
  });
}
template <class T, class Predicate>
void check_stable_partition_copy(const std::vector<T>& in, const Predicate& predicate) {
  const index_t n = oracle::size(in);
  const auto expected = oracle::stable_partition(in, predicate);
  test::on_executors(n, [&](auto& executor) {
    guarded<T> from(executor, in, shift_of(n)), to(executor, n, shift_of(n, 1));
    guarded<index_t> count(executor, 1);
    upsweep::stable_partition_copy(executor, from.range(), to.range(), predicate, count.data());
    check_equal(to.items(executor), expected);
    check_equal(count.items(executor), {oracle::size(oracle::copy_if(in, predicate))});
    check_equal(from.items(executor), in);
  });
}
template <class T, class Predicate>
void check_stable_partition(const std::vector<T>& in, const Predicate& predicate) {
  const index_t n = oracle::size(in);
  const auto expected = oracle::stable_partition(in, predicate);
  const index_t selected = oracle::size(oracle::copy_if(in, predicate));
  test::on_executors(n, [&](auto& executor) {
    guarded<T> items(executor, in, shift_of(n));
    guarded<index_t> count(executor, 1);
    upsweep::stable_partition(executor, items.range(), predicate, count.data());
    check_equal(items.items(executor), expected);
    check_equal(count.items(executor), {selected});
    CHECK(upsweep::stable_partition(executor, items.range(), predicate) == selected);  // once more: nothing moves
    check_equal(items.items(executor), expected);
  });
}
template <class T>
void check_three_ways(const std::vector<T>& in) {
  const index_t n = oracle::size(in);
  const auto expected = three_ways(in);
  test::on_executors(n, [&](auto& executor) {
    guarded<T> from(executor, in, shift_of(n));
    guarded<T> out[] = {{executor, n, shift_of(n, 1)}, {executor, n, shift_of(n, 2)}, {executor, n, shift_of(n, 3)}};
    guarded<index_t> counts(executor, 2);
    upsweep::three_way_partition(executor, from.range(), out[0].range(), out[1].range(), out[2].range(), five_classes{},
                                 counts.data());
    check_equal(counts.items(executor), {oracle::size(expected[0]), oracle::size(expected[1])});
    for (std::size_t k = 0; k < 3; k++) check_equal(out[k].items(executor, oracle::size(expected[k])), expected[k]);
  });
}
}  // namespace

TEST_CASE("partition_copy keeps the order of both sides, for sizes around every boundary") {
  for (const index_t n : test::sizes()) check_partition_copy(test::random_integers<std::uint32_t>(n), half);
}

TEST_CASE("stable_partition_copy puts one side behind the other, for sizes around every boundary") {
  for (const index_t n : test::sizes()) check_stable_partition_copy(test::random_integers<std::uint32_t>(n), half);
}

TEST_CASE("stable_partition does so in place, for sizes around every boundary") {
  for (const index_t n : test::sizes()) check_stable_partition(test::random_integers<std::uint32_t>(n), half);
}

TEST_CASE("stable_partition in place calls its predicate once an item on a host, and at most twice on a device") {
  for (const index_t n : test::few_sizes()) {
    const std::vector<std::uint32_t> none(oracle::at(n)), once(oracle::at(n), 1);
    std::vector<std::uint32_t> places(oracle::at(n));
    for (std::size_t i = 0; i < places.size(); i++) places[i] = static_cast<std::uint32_t>(i);
    test::on_executors(n, [&](auto& executor) {
      guarded<std::uint32_t> items(executor, places), calls(executor, none);
      upsweep::stable_partition(executor, items.range(), counts_calls{calls.data()});
      const auto counted = calls.items(executor);
      if constexpr (std::is_same_v<std::remove_cvref_t<decltype(executor)>, upsweep::host>) check_equal(counted, once);
      else
        CHECK(std::all_of(counted.begin(), counted.end(),
                          [](std::uint32_t calls_of_it) { return calls_of_it - 1 <= 1; }));
    });
  }
}

TEST_CASE("partition of all, of none, of every other item") {
  for (const index_t n : test::few_sizes()) {
    const auto in = test::random_integers<std::uint32_t>(n);
    words alternating(in);
    for (std::size_t i = 0; i < in.size(); i++) alternating[i] = alternating[i] / 2 + (i % 2 ? half.bound : 0);
    check_partition_copy(alternating, half);
    check_stable_partition_copy(alternating, half);
    check_stable_partition(alternating, half);
    if (n > test::largest_on_hosts) continue;
    for (const is_below predicate : {keep_none, keep_all}) {
      check_partition_copy(in, predicate);
      check_stable_partition_copy(in, predicate);
      check_stable_partition(in, predicate);
    }
  }
}

TEST_CASE("three_way_partition: what is neither 0 nor 1 goes to the third") {
  for (const index_t n : test::sizes()) check_three_ways(test::random_integers<std::uint32_t>(n));
}

TEST_CASE("partition moves items of any size") {
  const auto check = [](const auto& make_items) {
    using T = typename decltype(make_items(1))::value_type;
    for (const index_t n : test::few_sizes(sizeof(T))) {
      const std::vector<T> in = make_items(n);
      check_partition_copy(in, is_odd{});
      check_stable_partition_copy(in, is_odd{});
      check_stable_partition(in, is_odd{});
      check_three_ways(in);
    }
  };
  check([](index_t n) { return test::random_integers<std::uint8_t>(n); });
  check([](index_t n) { return test::random_integers<std::uint16_t>(n); });
  check([](index_t n) { return test::random_integers<std::uint64_t>(n); });
  check(test::unit_intervals<test::interval<12>>);
  check(test::unit_intervals<test::interval<160, 16>>);
}

TEST_CASE("partition_flagged goes by flags") {
  for (const index_t n : test::few_sizes()) {
    const auto in = test::random_integers<std::uint32_t>(n);
    const auto flags = test::random_integers<std::uint8_t>(n, 3, 1);
    const auto selected = oracle::copy_flagged(in, flags);
    const auto rejected = oracle::compact(in, [&](std::size_t i) { return flags[i] == 0; });
    test::on_executors(n, [&](auto& executor) {
      guarded<std::uint32_t> from(executor, in, shift_of(n)), left(executor, n, shift_of(n, 1)),
          right(executor, n, shift_of(n, 2));
      guarded<std::uint8_t> marks(executor, flags, shift_of(n, 3));
      const index_t count =
          upsweep::partition_flagged(executor, from.range(), marks.range(), left.range(), right.range());
      REQUIRE(count == oracle::size(selected));
      check_equal(left.items(executor, count), selected);
      check_equal(right.items(executor, n - count), rejected);
    });
  }
}

TEST_CASE("one output of a partition may be its input; the counts stay in the executor's memory") {
  for (const index_t n : test::few_sizes()) {
    const auto in = test::random_integers<std::uint32_t>(n);
    const auto [selected, rejected] = oracle::partition_copy(in, half);
    const auto thirds = three_ways(in);
    test::on_executors(n, [&, &yes = selected, &no = rejected](auto& executor) {
      guarded<index_t> counts(executor, 2);
      for (const bool keeps_selected : {true, false}) {
        guarded<std::uint32_t> items(executor, in, shift_of(n)), other(executor, n, shift_of(n, 1));
        auto left = (keeps_selected ? items : other).range(), right = (keeps_selected ? other : items).range();
        upsweep::partition_copy(executor, items.range(), left, right, half, counts.data());
        REQUIRE(counts.items(executor)[0] == oracle::size(yes));
        check_equal(first_of(items.items(executor), oracle::size(keeps_selected ? yes : no)),
                    keeps_selected ? yes : no);
        check_equal(other.items(executor, oracle::size(keeps_selected ? no : yes)), keeps_selected ? no : yes);
      }
      guarded<std::uint32_t> items(executor, in, shift_of(n)), first(executor, n), third(executor, n);
      const std::array<index_t, 2> found = upsweep::three_way_partition(executor, items.range(), first.range(),
                                                                        items.range(), third.range(), five_classes{});
      REQUIRE(found[0] == oracle::size(thirds[0]));
      REQUIRE(found[1] == oracle::size(thirds[1]));
      check_equal(first.items(executor, found[0]), thirds[0]);
      check_equal(first_of(items.items(executor), found[1]), thirds[1]);
      check_equal(third.items(executor, n - found[0] - found[1]), thirds[2]);
    });
  }
}

TEST_CASE("partition on an executor chosen at run time") {
  upsweep::any_executor executor = upsweep::host(2);
  const auto in = test::random_integers<std::uint32_t>(70'001);
  words out(in.size());
  const auto [selected, rejected] = oracle::partition_copy(in, half);
  CHECK(upsweep::stable_partition_copy(executor, in, out, half) == oracle::size(selected));
  check_equal(out, oracle::stable_partition(in, half));
  out = in;
  CHECK(upsweep::stable_partition(executor, out, half) == oracle::size(selected));
  check_equal(out, oracle::stable_partition(in, half));
}

// ---------------------------------------------------------------- errors
namespace {
// The pivot of a segment is a function of its number.
struct below_pivot {
  UPSWEEP_HD bool operator()(std::uint32_t x, index_t segment) const {
    return x < static_cast<std::uint32_t>(segment * 0x9E3779B1 ^ 0x5bd1e995);
  }
};
}  // namespace

TEST_CASE("a predicate's exception reaches the caller") {
  const index_t n = 300'007;
  words in(oracle::at(n)), left(in.size()), right(in.size()), spare(in.size());
  for (std::size_t i = 0; i < in.size(); i++) in[i] = static_cast<std::uint32_t>(i);
  const auto throwing = [](std::uint32_t x) {
    if (x == 200'000) throw std::domain_error("no side");
    return x % 2 == 0;
  };
  const auto throws = [](const std::function<void()>& call) {
    CHECK(test::message_of<std::domain_error>(call) == "no side");
  };
  test::on_hosts([&](auto& executor) {
    throws([&] { upsweep::partition_copy(executor, in, left, right, throwing); });
    throws([&] { upsweep::stable_partition_copy(executor, in, left, throwing); });
    throws([&] { upsweep::stable_partition(executor, spare, [&](std::uint32_t) { return throwing(200'000); }); });
    throws([&] { upsweep::three_way_partition(executor, in, left, right, spare, throwing); });
    throws([&] {
      std::vector<std::int32_t> splits(1);
      upsweep::segmented_partition(executor, in, std::vector{0, 250'000}, left, splits,
                                   [&](std::uint32_t x, index_t) { return throwing(x); });
    });
    CHECK(upsweep::partition_copy(executor, in, left, right, half) == n);
  });
}

TEST_CASE("partition calls name the argument that is wrong, and write nothing") {
  constexpr index_t n = 100;
  upsweep::host executor(3);
  const words items = test::random_integers<std::uint32_t>(n);
  guarded<std::uint32_t> in(executor, items), a(executor, n), b(executor, n), c(executor, n);
  guarded<index_t> counts(executor, 2);
  guarded<std::int32_t> offsets(executor, std::vector{0, 40, 100}), splits(executor, 2);
  index_t* const null = nullptr;
  const auto refuses = [&](const std::string& argument, const std::string& why, const std::function<void()>& call) {
    const std::string text = test::message_of<std::invalid_argument>(call);
    INFO('"' << text << "\" should start with \"" << argument << "\" and contain \"" << why << '"');
    CHECK(test::starts_with(text, argument));
    CHECK(test::contains(text, why));
    CHECK((a.untouched_from(executor) && b.untouched_from(executor) && c.untouched_from(executor)));
    CHECK((counts.untouched_from(executor) && splits.untouched_from(executor)));
    CHECK(in.items(executor) == items);
  };
  const auto copy = [&](auto from, auto left, auto right, index_t* count) {
    return [=, &executor] { upsweep::partition_copy(executor, from, left, right, half, count); };
  };
  refuses("selected ", "99 items, needs 100", copy(in.range(), a.first(99), b.range(), counts.data()));
  refuses("rejected ", "99 items, needs 100", copy(in.range(), a.range(), b.first(99), counts.data()));
  refuses("count ", "null", copy(in.range(), a.range(), b.range(), null));
  refuses("", "outputs must be disjoint", copy(in.range(), a.range(), a.range(), counts.data()));
  refuses("rejected ", "overlaps in", copy(in.first(99), a.first(99), in.range().subspan(1), counts.data()));
  refuses("in ", "100 items, flags has 99",
          [&] { upsweep::partition_flagged(executor, in.range(), b.first(99), a.range(), c.range(), counts.data()); });

  refuses("out2 ", "99 items", [&] {
    upsweep::three_way_partition(executor, in.range(), a.range(), b.range(), c.first(99), five_classes{},
                                 counts.data());
  });
  refuses("counts ", "null", [&] {
    upsweep::three_way_partition(executor, in.range(), a.range(), b.range(), c.range(), five_classes{}, null);
  });

  const auto stable = [&](auto from, auto to, index_t* count) {
    return [=, &executor] { upsweep::stable_partition_copy(executor, from, to, half, count); };
  };
  refuses("out ", "99 items, needs 100", stable(in.range(), a.first(99), counts.data()));
  refuses("out ", "overlaps in, whose items are still needed", stable(in.range(), in.range(), counts.data()));
  refuses("out ", "overlaps in", stable(in.first(99), in.range().subspan(1), counts.data()));
  refuses("count ", "null", stable(in.range(), a.range(), null));

  const auto in_place = [&](auto range, index_t* count) {
    return [=, &executor] { upsweep::stable_partition(executor, range, half, count); };
  };
  const words_span nowhere(static_cast<std::uint32_t*>(nullptr), std::size_t{1} << 40);
  refuses("items ", "null", in_place(nowhere, counts.data()));
  refuses("items ", "aligned",
          in_place(words_span(reinterpret_cast<std::uint32_t*>(reinterpret_cast<char*>(in.data()) + 1), 50),
                   counts.data()));
  refuses("count ", "null", in_place(in.range(), null));

  const auto segmented = [&](auto from, auto bounds, auto to, auto places) {
    return [=, &executor] { upsweep::segmented_partition(executor, from, bounds, to, places, below_pivot{}); };
  };
  refuses("out ", "99 items, needs 100", segmented(in.range(), offsets.range(), a.first(99), splits.range()));
  refuses("out ", "overlaps in", segmented(in.range(), offsets.range(), in.range(), splits.range()));
  refuses("offsets ", "empty", segmented(in.range(), offsets.first(0), a.range(), splits.range()));
  refuses("splits ", "1 items, offsets 3", segmented(in.range(), offsets.range(), a.range(), splits.first(1)));
  refuses("splits ", "overlaps offsets", segmented(in.range(), offsets.range(), a.range(), offsets.first(2)));
  refuses("offsets", "cannot number", [&] {
    const std::span<const std::int32_t> many(offsets.data(), std::size_t{1} << 31);
    upsweep::segmented_partition(executor, in.range(), many, a.range(), splits.range(), below_pivot{});
  });
}

// Monoids whose results tell every order of combination apart: strings, hashes of strings, matrices; and more traps.
#include <cstdint>
#include <vector>

#include <upsweep/compaction.hpp>
#include <upsweep/reduce.hpp>
#include <upsweep/scan.hpp>

#include "oracle.hpp"
#include "support.hpp"
#include "values.hpp"

using test::check_equal;
using test::guarded;
using test::shift_of;
using upsweep::index_t;

namespace {
struct hash_character {
  UPSWEEP_HD test::string_hash operator()(char c) const { return {static_cast<unsigned char>(c), 0x100000001B3u}; }
};
struct lift_character {
  UPSWEEP_HD test::bounded_string operator()(char c) const {
    test::bounded_string result{1, {}, {}};
    result.first[0] = result.last[test::bounded_string::kept - 1] = c;
    return result;
  }
};
std::vector<char> random_text(index_t n) {
  return test::generate(n, [](test::generator& random) { return static_cast<char>('a' + random.below(26)); });
}
}  // namespace

TEST_CASE("prefixes of a text: their hashes, in order") {
  for (const index_t n : test::few_sizes(16)) {
    const auto text = random_text(n);
    std::vector<test::string_hash> expected(text.size());
    test::string_hash before = test::concatenate_hashes{}.identity();
    for (std::size_t i = 0; i < text.size(); i++)
      expected[i] = before = test::concatenate_hashes{}(before, hash_character{}(text[i]));
    test::on_executors(n, [&](auto& executor) {
      guarded<char> from(executor, text, shift_of(n));
      guarded<test::string_hash> to(executor, n, shift_of(n, 1));
      const auto total = upsweep::scan(executor, n, upsweep::contiguous(from.range()), hash_character{},
                                       test::concatenate_hashes{}, upsweep::dense(to.range()));
      check_equal(to.items(executor), expected);
      CHECK(total == before);
    });
  }
}

TEST_CASE("prefixes of a text: their first and last characters, and their lengths") {
  for (const index_t n : test::few_sizes(sizeof(test::bounded_string))) {
    const auto text = random_text(n);
    std::vector<test::bounded_string> expected(text.size());
    test::bounded_string before{};
    for (std::size_t i = 0; i < text.size(); i++)
      expected[i] = before = test::concatenate{}(before, lift_character{}(text[i]));
    test::on_executors(n, [&](auto& executor) {
      guarded<char> from(executor, text, shift_of(n));
      guarded<test::bounded_string> to(executor, n, shift_of(n, 1));
      upsweep::scan(executor, n, upsweep::contiguous(from.range()), lift_character{}, test::concatenate{},
                    upsweep::dense(to.range()));
      check_equal(to.items(executor), expected);
    });
  }
}

TEST_CASE("2×2 matrices of integers mod 2^32") {
  using matrix = upsweep::matrix<std::uint32_t, 2>;
  using square = matrix::value_type;
  for (const index_t n : test::sizes(sizeof(square))) {
    const auto in = test::generate(n, [](test::generator& random) {
      const auto entry = [&] { return static_cast<std::uint32_t>(random()); };
      return square{{{entry() | 1, entry() & ~1u}, {entry(), entry() | 1}}};  // odd determinants: no product forgets
    });
    const auto expected = oracle::inclusive_scan(in, matrix{});
    test::on_executors(n, [&](auto& executor) {
      guarded<square> from(executor, in, shift_of(n)), to(executor, n, shift_of(n, 1));
      upsweep::inclusive_scan(executor, from.range(), to.range(), matrix{});
      check_equal(to.items(executor), expected);
    });
  }
}

// ---------------------------------------------------------------- nothing sees what was not given
namespace {
using item = test::interval<12>;  // an index, the next one, and a seal

struct checked_lift {
  std::uint32_t* trap;
  UPSWEEP_HD test::interval<8> operator()(const item& given) const {
    if (!given.is_genuine()) test::count_up(trap);
    return test::interval<8>::of(given.word[0], given.word[1]);
  }
};
struct checked_keep {
  std::uint32_t* trap;
  UPSWEEP_HD bool operator()(const item& given) const {
    if (!given.is_genuine()) test::count_up(trap);
    return (given.word[0] * 0x9E3779B1u) >> 31;
  }
};
struct checked_store {  // [0, i) in front of item i, [0, i + 1) with it
  std::uint32_t* trap;
  index_t n;
  UPSWEEP_HD void operator()(index_t i, const item& given, const test::interval<8>& exclusive,
                             const test::interval<8>& inclusive) const {
    const auto at = static_cast<std::uint32_t>(i);
    const bool in_front = i == 0 ? exclusive.word[0] == ~0u : exclusive.word[0] == 0 && exclusive.word[1] == at;
    const bool right =
        0 <= i && i < n && given == item::of(at, at + 1) && inclusive.word[0] == 0 && inclusive.word[1] == at + 1;
    if (!in_front || !right) test::count_up(trap);
  }
};
}  // namespace

TEST_CASE("lift, monoid and store see real items only") {
  for (const index_t n : test::sizes(sizeof(item))) {
    const auto in = test::unit_intervals<item>(n);
    test::on_executors(n, [&](auto& executor) {
      guarded<item> from(executor, in, shift_of(n));
      test::trap trap(executor);
      upsweep::scan(executor, n, upsweep::contiguous(from.range()), checked_lift{trap.counter()},
                    test::join<test::interval<8>>{trap.counter()}, upsweep::each(checked_store{trap.counter(), n}));
      CHECK_FALSE(trap.sprung(executor));
    });
  }
}

TEST_CASE("a predicate sees real items only") {
  for (const index_t n : test::few_sizes(sizeof(item))) {
    const auto in = test::unit_intervals<item>(n);
    test::on_executors(n, [&](auto& executor) {
      guarded<item> from(executor, in, shift_of(n)), to(executor, n, shift_of(n, 1));
      test::trap trap(executor);
      const index_t kept = upsweep::copy_if(executor, from.range(), to.range(), checked_keep{trap.counter()});
      CHECK_FALSE(trap.sprung(executor));
      check_equal(to.items(executor, kept), oracle::copy_if(in, checked_keep{nullptr}));
    });
  }
}

TEST_CASE("a reversed scan and a segmented one combine neighbours only") {
  using value = test::interval<16>;
  for (const index_t n : test::few_sizes(sizeof(value))) {
    const auto in = test::unit_intervals<value>(n);
    const auto end = static_cast<std::uint32_t>(n);
    auto to_the_end = in, from_the_head = in;
    std::vector<std::uint8_t> heads(in.size());
    std::uint32_t head = 0;
    for (std::uint32_t i = 0; i < end; i++) {
      heads[i] = i % 1000 == 999 || i % 7777 < 3;
      if (heads[i]) head = i;
      to_the_end[i] = value::of(i, end);
      from_the_head[i] = value::of(head, i + 1);
    }
    test::on_executors(n, [&](auto& executor) {
      guarded<value> from(executor, in, shift_of(n)), to(executor, n, shift_of(n, 1));
      guarded<std::uint8_t> flags(executor, heads, shift_of(n, 2));
      test::trap trap(executor);
      upsweep::inclusive_scan(executor, from.range(), to.range(), test::join<value>{trap.counter(), true},
                              upsweep::reversed);
      check_equal(to.items(executor), to_the_end);
      CHECK_FALSE(trap.sprung(executor));
      upsweep::inclusive_segmented_scan(executor, from.range(), upsweep::heads(flags.range()), to.range(),
                                        test::join<value>{trap.counter()});
      check_equal(to.items(executor), from_the_head);
      CHECK_FALSE(trap.sprung(executor));
    });
  }
}

TEST_CASE("init stands in front of real prefixes only") {
  using value = test::interval<16>;
  const value init = value::of(0, 5);  // the items go on at 5
  for (const index_t n : test::few_sizes(sizeof(value))) {
    auto in = test::unit_intervals<value>(n);
    auto expected = in;
    for (std::uint32_t i = 0; i < n; i++) {
      in[i] = value::of(i + 5, i + 6);
      expected[i] = value::of(0, i + 5);
    }
    test::on_executors(n, [&](auto& executor) {
      guarded<value> from(executor, in, shift_of(n)), to(executor, n, shift_of(n, 1));
      test::trap trap(executor);
      upsweep::exclusive_scan(executor, from.range(), to.range(), test::join<value>{trap.counter()}, init);
      check_equal(to.items(executor), expected);
      CHECK_FALSE(trap.sprung(executor));
    });
  }
}

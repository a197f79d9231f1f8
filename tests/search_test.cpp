// Searches and comparisons against the standard's: where the first of several stands, around every boundary of blocks
// and parts; sizes that differ; results on either side.
#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include <upsweep/search.hpp>

#include "oracle.hpp"
#include "support.hpp"
#include "values.hpp"

using test::guarded;
using test::shift_of;
using upsweep::index_t;

namespace {
template <class T>
struct is_value {
  T value;
  template <class Item>
  UPSWEEP_HD bool operator()(const Item& x) const {
    return x == value;
  }
};
struct sum_is_odd {
  UPSWEEP_HD bool operator()(std::uint8_t a, std::uint32_t b) const { return (a + b) % 2 == 1; }
};
struct first_word_is_large {
  template <class Item>
  UPSWEEP_HD bool operator()(const Item& item) const {
    return item.word[0] > 0xF0000000u;
  }
};
struct decreases {
  UPSWEEP_HD bool operator()(const upsweep::neighbours<std::int32_t>& item) const { return item.value < item.previous; }
};
struct same_letter {  // whatever its case
  UPSWEEP_HD bool operator()(char a, char b) const { return (a | 32) == (b | 32); }
};
//! Where a few of n items may stand out: the ends, the ends of blocks and parts, nowhere.
std::vector<index_t> places(index_t n) {
  std::vector<index_t> all{0, 1, 63, 64, 191, 192, 4095, 70'000, n / 2, n - 2, n - 1, n};
  std::erase_if(all, [=](index_t at) { return at < 0 || at > n; });
  return all;
}
std::vector<char> text_of(std::string_view text) { return {text.begin(), text.end()}; }
}  // namespace

TEST_CASE("find_if gives the first of several, or n") {
  const auto check = [](auto zero) {
    using T = decltype(zero);
    for (const index_t n : test::few_sizes(sizeof(T))) {
      for (const index_t at : places(n)) {
        if (n > test::largest_on_hosts && at != n / 2) continue;
        std::vector<T> in(oracle::at(n), T{1});
        for (index_t i = at; i < n; i += 1 + n / 7) in[oracle::at(i)] = T{9};
        test::on_executors(n, [&](auto& executor) {
          INFO("at " << at);
          guarded<T> items(executor, in, shift_of(n));
          guarded<index_t> position(executor, 1);
          CHECK(upsweep::find_if(executor, items.range(), is_value<T>{9}) == at);
          upsweep::find_if(executor, items.range(), is_value<T>{9}, position.data());
          CHECK(position.items(executor) == std::vector{at});
        });
      }
    }
  };
  check(std::uint8_t{});
  check(std::uint16_t{});
  check(std::int32_t{});
  check(double{});
}

TEST_CASE("count_if counts") {
  const auto check = [](auto zero) {
    using T = decltype(zero);
    for (const index_t n : test::few_sizes(sizeof(T))) {
      for (const std::uint64_t values : {1, 2, 50}) {
        if (n > test::largest_on_hosts && values != 50) continue;
        const auto in = test::random_integers<T>(n, values);
        const auto expected = static_cast<index_t>(std::count(in.begin(), in.end(), T{0}));
        test::on_executors(n, [&](auto& executor) {
          guarded<T> items(executor, in, shift_of(n));
          guarded<index_t> count(executor, 1);
          CHECK(upsweep::count_if(executor, items.range(), is_value<T>{0}) == expected);
          upsweep::count_if(executor, items.range(), is_value<T>{0}, count.data());
          CHECK(count.items(executor) == std::vector{expected});
        });
      }
    }
  };
  check(std::uint8_t{});
  check(std::uint16_t{});
  check(std::uint32_t{});
  check(std::int64_t{});
}

TEST_CASE("find_if and count_if of columns in step, of neighbours, of items of any size") {
  for (const index_t n : test::few_sizes(12)) {
    const auto bytes = test::random_integers<std::uint8_t>(n, 1 << 3, 1);
    auto words =
        test::generate(n, [](test::generator& random) { return 2 * static_cast<std::uint32_t>(random() % 99); });
    auto even = bytes;
    for (auto& x : even) x = static_cast<std::uint8_t>(2 * x);
    if (n > 2) even[oracle::at(n - 2)] = 1;
    auto rising = std::vector<std::int32_t>(oracle::at(n));
    for (index_t i = 0; i < n; i++) rising[oracle::at(i)] = static_cast<std::int32_t>(i < n - 1 ? i : -1);
    const auto wide = test::unit_intervals<test::interval<12>>(n);
    index_t odd = 0, large = n, larges = 0;
    for (index_t i = 0; i < n; i++) {
      odd += (bytes[oracle::at(i)] + words[oracle::at(i)]) % 2;
      if (!first_word_is_large{}(wide[oracle::at(i)])) continue;
      larges++;
      large = std::min(large, i);
    }
    test::on_executors(n, [&](auto& executor) {
      guarded<std::uint8_t> a(executor, bytes, shift_of(n)), b(executor, even, shift_of(n, 1));
      guarded<std::uint32_t> c(executor, words, shift_of(n, 2));
      guarded<std::int32_t> d(executor, rising, shift_of(n));
      guarded<test::interval<12>> e(executor, wide, shift_of(n));
      const auto ra = a.range(), rb = b.range();
      const auto rc = c.range();
      const auto rd = d.range();
      CHECK(upsweep::count_if(executor, upsweep::contiguous(ra, rc), sum_is_odd{}) == odd);
      CHECK(upsweep::find_if(executor, upsweep::contiguous(rb, rc), sum_is_odd{}) == (n > 2 ? n - 2 : n));
      CHECK(upsweep::find_if(executor, upsweep::with_previous(rd), decreases{}) == (n > 1 ? n - 1 : n));
      CHECK(upsweep::find_if(executor, e.range(), first_word_is_large{}) == large);
      CHECK(upsweep::count_if(executor, e.range(), first_word_is_large{}) == larges);
    });
  }
}

TEST_CASE("mismatch, equal and compare find the first difference") {
  const auto check = [](auto zero) {
    using T = decltype(zero);
    for (const index_t n : test::few_sizes(2 * sizeof(T))) {
      const auto in = test::random_integers<T>(n, 100);
      for (const index_t at : places(n)) {
        if (n > test::largest_on_hosts && at != n / 2) continue;
        auto other = in;
        for (index_t i = at; i < n; i += 1 + n / 3)
          other[oracle::at(i)] = static_cast<T>(in[oracle::at(i)] + 1 + i % 2);
        test::on_executors(n, [&](auto& executor) {
          INFO("at " << at);
          guarded<T> a(executor, in, shift_of(n)), b(executor, other, shift_of(n, 1));
          guarded<index_t> position(executor, 1);
          guarded<int> same(executor, 1);
          guarded<int> order(executor, 1);
          CHECK(upsweep::mismatch(executor, a.range(), b.range()) == at);
          CHECK(upsweep::equal(executor, a.range(), b.range()) == (at == n));
          CHECK(upsweep::compare(executor, a.range(), b.range()) == (at < n ? -1 : 0));
          CHECK(upsweep::compare(executor, b.range(), a.range()) == (at < n ? 1 : 0));
          upsweep::mismatch(executor, a.range(), b.range(), position.data());
          upsweep::equal(executor, a.range(), b.range(), same.data());
          upsweep::compare(executor, a.range(), b.range(), order.data());
          CHECK(position.items(executor) == std::vector{at});
          CHECK(same.items(executor) == std::vector{at == n ? 1 : 0});
          CHECK(order.items(executor) == std::vector{at < n ? -1 : 0});
        });
      }
    }
  };
  check(std::uint8_t{});
  check(std::int32_t{});
  check(std::int64_t{});
}

TEST_CASE("ranges of different sizes compare as words in a dictionary do") {
  const std::vector<std::string_view> words{"", "a", "ab", "abc", "abd", "b", "ba"};
  test::on_executors([&](auto& executor) {
    for (std::size_t i = 0; i < words.size(); i++)
      for (std::size_t j = 0; j < words.size(); j++) {
        INFO('"' << words[i] << "\" and \"" << words[j] << '"');
        guarded<char> a(executor, text_of(words[i])), b(executor, text_of(words[j]));
        const auto common = std::mismatch(words[i].begin(), words[i].end(), words[j].begin(), words[j].end());
        CHECK(upsweep::mismatch(executor, a.range(), b.range()) == common.first - words[i].begin());
        CHECK(upsweep::equal(executor, a.range(), b.range()) == (i == j));
        CHECK(upsweep::compare(executor, a.range(), b.range()) == (i < j ? -1 : i > j ? 1 : 0));
        CHECK(upsweep::starts_with(executor, a.range(), b.range()) == words[i].starts_with(words[j]));
      }
  });
}

TEST_CASE("mismatch and equal take an equality; NaN differs from itself, and -0 does not from 0") {
  test::on_executors([](auto& executor) {
    guarded<char> a(executor, text_of("Hello World")), b(executor, text_of("hELLO wORLd!"));
    guarded<index_t> position(executor, 1);
    guarded<int> same(executor, 1);
    CHECK(upsweep::mismatch(executor, a.range(), b.range(), same_letter{}) == 11);
    CHECK(upsweep::equal(executor, a.range(), b.first(11), same_letter{}));
    CHECK(!upsweep::equal(executor, a.range(), b.range(), same_letter{}));
    upsweep::mismatch(executor, a.range(), b.range(), same_letter{}, position.data());
    upsweep::equal(executor, a.range(), b.range(), same_letter{}, same.data());
    CHECK(position.items(executor) == std::vector<index_t>{11});
    CHECK(same.items(executor) == std::vector{0});
    const double nan = std::numeric_limits<double>::quiet_NaN();
    guarded<double> x(executor, std::vector{1.0, 0.0, nan}), y(executor, std::vector{1.0, -0.0, nan});
    CHECK(upsweep::mismatch(executor, x.range(), y.range()) == 2);
  });
}

TEST_CASE("starts_with of a text, and of many strings") {
  std::vector<char> text;
  std::vector<std::int32_t> starts{0};
  std::vector<std::uint8_t> expected;
  test::generator random;
  const std::string_view prefix = "http";
  for (int s = 0; s < 10'000; s++) {
    std::string word(prefix.substr(0, random.below(5)));
    for (auto more = random.below(4); more > 0; more--) word += "htps"[random.below(4)];
    text.insert(text.end(), word.begin(), word.end());
    starts.push_back(static_cast<std::int32_t>(text.size()));
    expected.push_back(word.starts_with(prefix) ? 1 : 0);
  }
  const auto strings = static_cast<index_t>(expected.size());
  test::on_executors([&](auto& executor) {
    guarded<char> all(executor, text, 3), few(executor, text_of(prefix)), none(executor, 0);
    guarded<std::int32_t> offsets(executor, starts, 5);
    guarded<std::uint8_t> flags(executor, strings, 1);
    const auto bounds = offsets.range();
    upsweep::starts_with(executor, all.range(), upsweep::offsets(bounds), few.range(), flags.range());
    test::check_equal(flags.items(executor), expected);
    upsweep::starts_with(executor, all.range(), upsweep::offsets(bounds), none.range(), flags.range());
    test::check_equal(flags.items(executor), std::vector<std::uint8_t>(expected.size(), 1));
    guarded<int> result(executor, 1);
    upsweep::starts_with(executor, all.range(), all.first(1000), result.data());
    CHECK(result.items(executor) == std::vector{1});
    CHECK(upsweep::starts_with(executor, all.range(), all.range()));
    CHECK(upsweep::starts_with(executor, all.range(), none.range()));
    CHECK(!upsweep::starts_with(executor, all.first(5), all.first(6)));
  });
}

TEST_CASE("strings whose offsets are wrong start with nothing, and nothing outside the text is read") {
  test::on_executors([](auto& executor) {
    guarded<char> text(executor, text_of("aaaa")), prefix(executor, text_of("a"));
    guarded<std::int64_t> offsets(executor, std::vector<std::int64_t>{-5, 2, 1, 3, 900, 901, 4});
    guarded<int> flags(executor, 6);
    const auto bounds = offsets.range();
    upsweep::starts_with(executor, text.range(), upsweep::offsets(bounds), prefix.range(), flags.range());
    CHECK(flags.items(executor) == std::vector<int>{0, 0, 1, 0, 0, 0});
  });
}

TEST_CASE("searches refuse what they cannot read or write") {
  test::on_hosts([](auto& executor) {
    const std::vector<int> three(3), two(2);
    const std::vector<int> positions{0, 1};
    index_t position = 0;
    std::vector<int> flags(2);
    const std::span<const int> nowhere(static_cast<const int*>(nullptr), 2);
    const auto is_zero = is_value<int>{0};
    auto* const to_position = static_cast<index_t*>(nullptr);
    test::check_refused([&] { upsweep::find_if(executor, three, is_zero, to_position); }, "position", "null");
    test::check_refused([&] { upsweep::find_if(executor, nowhere, is_zero); }, "in", "null");
    test::check_refused([&] { upsweep::count_if(executor, three, is_zero, to_position); }, "count", "null");
    test::check_refused([&] { upsweep::count_if(executor, upsweep::contiguous(three, two), same_letter{}); },
                        "column 1 of in", "has 3 items, column 2 of in has 2");
    test::check_refused([&] { upsweep::mismatch(executor, three, nowhere, &position); }, "b", "null");
    test::check_refused([&] { upsweep::equal(executor, three, two, static_cast<int*>(nullptr)); }, "result", "null");
    test::check_refused([&] { upsweep::compare(executor, three, two, static_cast<int*>(nullptr)); }, "order", "null");
    test::check_refused([&] { upsweep::starts_with(executor, nowhere, three); }, "text", "null");
    test::check_refused([&] { upsweep::starts_with(executor, three, upsweep::offsets(positions), two, flags); },
                        "flags", "has 2 items, offsets 2");
    test::check_refused([&] { upsweep::starts_with(executor, flags, upsweep::offsets(three), two, flags); }, "flags",
                        "overlaps");
  });
}

// The K-model: formulas against counted accesses, the numbers of the literature, and the published addresses that lose
// values.
#include <algorithm>
#include <string>
#include <vector>

#include <upsweep/affine.hpp>
#include <upsweep/classic/access_patterns.hpp>
#include <upsweep/classic/k_model.hpp>
#include <upsweep/classic/pattern_scan.hpp>

#include "oracle.hpp"
#include "support.hpp"
#include "values.hpp"

namespace classic = upsweep::classic;
using classic::k_cost;
using classic::k_machine;
using upsweep::index_t;

namespace {
using unpadded = classic::right_sums<classic::no_padding>;
using padded = classic::right_sums<classic::padding>;

template <class F>
void for_each_pattern(const F& f) {
  f("CM", classic::connection_machine{});
  f("NoPadding", unpadded{});
  f("Padding", padded{});
  f("LeftRight", classic::left_right{});
  f("LeftRight, published", classic::left_right_published{});
}

//! Word by word, bank by bank: what some slots cost that lanes of one group access.
index_t fullest_bank(const std::vector<index_t>& slots, int banks) {
  std::vector<index_t> accesses(static_cast<std::size_t>(banks), 0);
  for (const index_t slot : slots) accesses[static_cast<std::size_t>(slot % banks)]++;
  return *std::max_element(accesses.begin(), accesses.end());
}
}  // namespace

TEST_CASE("the formulas are what the steps of the kernels access") {
  for (int k = 2; k <= 128; k *= 2)
    for (const int words : {1, 2, 4}) {
      const k_machine machine{k, words};
      if (machine.banks() < 2) continue;
      for (index_t n = 1; n <= (1 << 14) / test::sanitized_step(8); n *= 2)
        for_each_pattern([&](const char* name, const auto& pattern) {
          INFO(name << ", k = " << k << ", words = " << words << ", n = " << n);
          const auto fit = pattern.over(machine.banks());
          CHECK(classic::count_accesses(fit, n, machine).cost() == classic::cost_by_formula(fit, n, machine));
        });
    }
}

TEST_CASE("the figures of the literature") {
  const auto time = [](const auto& pattern, int k) {
    return classic::count_accesses(pattern.over(k), 2048, {.k = k}).cost().time;
  };
  CHECK(time(unpadded{}, 32) == 383);
  CHECK(time(padded{}, 32) == 73);
  CHECK(time(classic::left_right{}, 32) == 68);
  CHECK(time(unpadded{}, 16) == 639);
  CHECK(time(padded{}, 16) == 159);
  CHECK(time(classic::left_right{}, 16) == 131);
  CHECK(time(classic::connection_machine{}, 32) == (2048 * 11 - 2048 + 1 + 31) / 32);
  CHECK(classic::count_accesses(classic::connection_machine{}, 2048, {}).cost() == k_cost{641, 20481, 64});
  CHECK(classic::count_accesses(classic::left_right{}, 2048, {}).cost() == k_cost{68, 2047, 64});
}

TEST_CASE("what is counted is the fullest bank of every instruction") {
  // NoPadding, 64 items in 32 banks: the sums of the first level are stored to slots 1, 3, 5, … 63.
  const auto counted = classic::count_accesses(unpadded{}, 64, {.k = 32});
  REQUIRE(counted.up.size() == 3);
  REQUIRE(counted.down.size() == 4);
  index_t expected = 0;
  for (int level = 1; level <= 6; level++) {
    std::vector<index_t> slots;
    for (index_t i = 0; i < 64 >> level; i++) slots.push_back(((i + 1) << level) - 1);
    expected += fullest_bank(slots, 32);
  }
  CHECK(counted.up[2].time == expected);
  CHECK(counted.up[2].is_store);
  CHECK_FALSE(counted.up[0].is_store);
  CHECK(counted.up[2].least == 6);
  CHECK(counted.up[2].lanes == 63);
}

TEST_CASE("no access of left_right has a conflict, none of padding up to k² items") {
  for (const int k : {4, 8, 16, 32})
    for (index_t n = 1; n <= index_t{k} * k * k; n *= 2)
      for_each_pattern([&](const std::string& name, const auto& pattern) {
        INFO(name << ", k = " << k << ", n = " << n);
        const auto counted = classic::count_accesses(pattern.over(k), n, {.k = k});
        const bool has_conflicts = (name == "NoPadding" && n > k) || (name == "Padding" && n > index_t{k} * k);
        CHECK((counted.time() > counted.least()) == has_conflicts);
      });
}

TEST_CASE("items of 8 and 16 bytes take a slot more behind every 16 or 8 of them, not behind 32") {
  for (const int words : {2, 4}) {
    const k_machine machine{32, words};
    const auto fit = classic::count_accesses(padded::over(machine.banks()), 256 / words, machine);
    const auto for_words = classic::count_accesses(padded::over(32), 256 / words, machine);
    CHECK(for_words.time() > fit.time());
    CHECK(fit.least() == for_words.least());
  }
  CHECK(classic::banks_of_items(4) == 32);
  CHECK(classic::banks_of_items(8) == 16);
  CHECK(classic::banks_of_items(16, 64) == 16);
}

TEST_CASE("left_right is what its recursion says, and keeps every sum in a slot of its operands") {
  const auto recursive = [](int bank_bits, int level, index_t i) {
    for (; level > 0; level--) i = 2 * i + (i >> (bank_bits - 1) & 1);
    return i;
  };
  for (const int bits : {1, 2, 3, 5, 6}) {
    const classic::left_right pattern{bits};
    for (int level = 0; level <= 14; level++)
      for (index_t i = 0; i < 1 << (14 - level); i++)
        REQUIRE(pattern.slot_of_sum(level, i) == recursive(bits, level, i));
    CHECK(classic::overwriting_nodes(pattern, 1 << 14) == 0);
  }
}

TEST_CASE("the published addresses overwrite other values beyond k² items") {
  CHECK(classic::overwriting_nodes(classic::left_right_published::over(32), 1024) == 0);
  CHECK(classic::overwriting_nodes(classic::left_right_published::over(32), 2048) == 16);
  CHECK(classic::overwriting_nodes(classic::left_right_published::over(16), 256) == 0);
  CHECK(classic::overwriting_nodes(classic::left_right_published::over(16), 512) == 8);
  CHECK(classic::overwriting_nodes(padded{}, 2048) == 0);
  const auto is_right = [](int k, index_t n) {
    const auto in = test::random_maps(n);
    auto values = in;
    classic::scan_block(std::span(values), classic::left_right_published::over(k), test::compose32{});
    return values == oracle::exclusive_scan(in, test::compose32{}, oracle::whole(n), {}, false);
  };
  for (const int k : {4, 16, 32}) {
    INFO("k = " << k);
    CHECK(is_right(k, index_t{k} * k));
    CHECK_FALSE(is_right(k, index_t{2} * k * k));
  }
}

TEST_CASE("every pattern scans a block of any length in place, for any number of banks") {
  const index_t step = test::sanitized_step(37);
  for (const int k : {2, 4, 16, 32, 64})
    for (index_t n = 0; n <= 4100; n += n < 300 || n > 4090 ? 1 : k == 32 ? step : 37) {
      const auto in = test::random_maps(n);
      const auto inclusive = oracle::inclusive_scan(in, test::compose32{}, oracle::whole(n));
      const auto exclusive = oracle::exclusive_scan(in, test::compose32{}, oracle::whole(n), {}, false);
      for_each_pattern([&](const std::string& name, const auto& pattern) {
        if (name == "LeftRight, published" && n > index_t{k} * k) return;
        INFO(name << ", k = " << k << ", n = " << n);
        auto values = in;
        classic::scan_block(std::span(values), pattern.over(k), test::compose32{});
        test::check_equal(values, exclusive);
        values = in;
        classic::scan_block(std::span(values), pattern.over(k), test::compose32{}, classic::prefixes::inclusive);
        test::check_equal(values, inclusive);
      });
    }
}

TEST_CASE("a machine that is none is refused") {
  const auto refused = [](index_t n, const k_machine& machine, const char* start, const char* part) {
    test::check_refused([&] { classic::count_accesses(unpadded{}, n, machine); }, start, part);
    test::check_refused([&] { classic::cost_by_formula(unpadded{}, n, machine); }, start, part);
  };
  refused(0, {}, "n is 0", "power of two");
  refused(-4, {}, "n is -4", "power of two");
  refused(100, {}, "n is 100", "power of two");
  refused(64, {.k = 24}, "k is 24", "power of two");
  refused(64, {.k = 0}, "k is 0", "power of two");
  refused(64, {.k = 1}, "k is 1", "at least 2");
  refused(64, {.k = 4, .item_words = 4}, "k is 4", "at least 8");
  refused(64, {.k = 32, .item_words = 3}, "item_words is 3", "1, 2 or 4");
}

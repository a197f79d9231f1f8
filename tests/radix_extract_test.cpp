// Radix sorts of positions, and of items of a user's type by what an extractor returns.
#include <cstdint>
#include <stdexcept>
#include <vector>

#include <upsweep/radix_sort.hpp>

#include "oracle.hpp"
#include "support.hpp"

using oracle::is_greater;
using oracle::is_less;
using test::any_bits;
using test::check_same_bits;
using test::guarded;
using test::shift_of;
using upsweep::index_t;
using upsweep::sort_order;

namespace {
constexpr upsweep::radix_options descending{.order = sort_order::descending};
}  // namespace

TEST_CASE("radix_argsort gives the positions of the keys, equal ones ascending") {
  for (const index_t n : test::few_sizes()) {
    const auto keys = test::generate(n, [](test::generator& random) { return static_cast<float>(random.below(999)); });
    const auto up = oracle::argsort(keys, is_less{}), down = oracle::argsort(keys, is_greater{});
    const std::vector<int> expected(up.begin(), up.end());
    test::on_executors(n, [&](auto& executor) {
      guarded<float> in(executor, keys, shift_of(n));
      guarded<int> indices(executor, n, shift_of(n, 1));
      upsweep::radix_argsort(executor, in.range(), indices.range());
      check_same_bits(indices.items(executor), expected);
      check_same_bits(in.items(executor), keys);
    });
    if (n <= 40'000)
      test::on_hosts([&](auto& executor) {
        std::vector<std::int64_t> indices(keys.size());
        upsweep::radix_argsort(executor, keys, indices, descending);
        check_same_bits(indices, down);
      });
  }
}

namespace {
struct entry {
  std::uint16_t place;
  std::uint8_t size[10];
};
struct by_place {
  UPSWEEP_HD std::uint16_t operator()(const entry& e) const { return e.place; }
};
}  // namespace

TEST_CASE("items of a user's type are sorted by what an extractor returns, equal ones in order") {
  for (const index_t n : {1, 64, 65, 3000, 100'003}) {
    auto entries = any_bits<entry>(n, 7);
    for (auto& e : entries) e.place %= 700;
    const auto expected =
        oracle::stable_sort(entries, [](const entry& a, const entry& b) { return a.place < b.place; });
    const auto by_low =
        oracle::stable_sort(entries, [](const entry& a, const entry& b) { return a.place % 16 > b.place % 16; });
    test::on_executors(n, [&](auto& executor) {
      guarded<entry> in(executor, entries, shift_of(n)), out(executor, n, shift_of(n, 1));
      upsweep::radix_sort(executor, in.range(), out.range(), by_place{});
      check_same_bits(out.items(executor), expected);
      upsweep::radix_sort(executor, in.range(), by_place{}, {.order = sort_order::descending, .end_bit = 4});
      check_same_bits(in.items(executor), by_low);
    });
  }
}

TEST_CASE("radix_argsort by an extractor gives the positions of items of a user's type") {
  for (const index_t n : {0, 1, 64, 65, 3000, 100'003}) {
    auto entries = any_bits<entry>(n, 7);
    for (auto& e : entries) e.place %= 700;
    const auto order = oracle::argsort(entries, [](const entry& a, const entry& b) { return a.place < b.place; });
    const auto by_low =
        oracle::argsort(entries, [](const entry& a, const entry& b) { return a.place % 16 > b.place % 16; });
    test::on_executors(n, [&](auto& executor) {
      guarded<entry> in(executor, entries, shift_of(n));
      guarded<std::uint32_t> indices(executor, n, shift_of(n, 1));
      guarded<std::int64_t> wide(executor, n, shift_of(n, 2));
      upsweep::radix_argsort(executor, in.range(), indices.range(), by_place{});
      check_same_bits(indices.items(executor), std::vector<std::uint32_t>(order.begin(), order.end()));
      upsweep::radix_argsort(executor, in.range(), wide.range(), by_place{},
                             {.order = sort_order::descending, .end_bit = 4});
      check_same_bits(wide.items(executor), by_low);
      check_same_bits(in.items(executor), entries);
    });
  }
}

TEST_CASE("what an extractor throws on the host reaches the caller") {
  for (const index_t n : {20, 1000, 300'000}) {
    const auto keys = test::random_integers<std::uint32_t>(n);
    test::on_hosts([&](auto& executor) {
      std::vector<std::uint32_t> out(keys.size());
      const auto call = [&] {
        upsweep::radix_sort(executor, keys, out, [&](std::uint32_t key) {
          if (key == keys.back()) throw std::runtime_error("refused");
          return key;
        });
      };
      CHECK(test::message_of<std::runtime_error>(call) == "refused");
    });
  }
}

// Radix sort of keys with values of 1 to 64 bytes, against a stable sort of their places: equal keys' values in order.
#include <array>
#include <cstdint>
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
using upsweep::radix_options;
using upsweep::sort_order;

namespace {
constexpr radix_options descending{.order = sort_order::descending};

template <int Bytes>
struct payload {
  std::array<std::uint8_t, Bytes> bytes;
};

template <class Value, class Key>
void check_pairs_of(const std::vector<Key>& keys) {
  const index_t n = oracle::size(keys);
  const auto values = any_bits<Value>(n, 7);
  const auto up = oracle::argsort(keys, is_less{}), down = oracle::argsort(keys, is_greater{});
  const auto keys_up = oracle::gather(keys, up), keys_down = oracle::gather(keys, down);
  const auto values_up = oracle::gather(values, up), values_down = oracle::gather(values, down);
  test::on_executors(n, [&](auto& executor) {
    guarded<Key> keys_in(executor, keys, shift_of(n)), keys_out(executor, n, shift_of(n, 1));
    guarded<Value> values_in(executor, values, shift_of(n, 2)), values_out(executor, n, shift_of(n, 3));
    upsweep::radix_sort_by_key(executor, keys_in.range(), values_in.range(), keys_out.range(), values_out.range());
    check_same_bits(keys_out.items(executor), keys_up);
    check_same_bits(values_out.items(executor), values_up);
    check_same_bits(values_in.items(executor), values);
    upsweep::radix_sort_by_key(executor, keys_in.range(), values_in.range(), descending);
    check_same_bits(keys_in.items(executor), keys_down);
    check_same_bits(values_in.items(executor), values_down);
  });
}
template <class Key, class Value>
void check_pairs(std::uint64_t distinct) {
  for (const index_t n : test::few_sizes(static_cast<index_t>(sizeof(Key) + sizeof(Value))))
    check_pairs_of<Value>(distinct ? test::random_integers<Key>(n, distinct) : any_bits<Key>(n));
}

//! n keys that differ by up to `range`: spread evenly, or most of them near one end, or many of them equal, or the
//! first half.
template <class Key>
std::vector<Key> keys_in_range(index_t n, Key range, int kind) {
  index_t i = 0;
  return test::generate(n, [&](test::generator& random) {
    const auto anywhere = static_cast<Key>(random() % range);
    i++;
    if (i == 1 || i == n) return static_cast<Key>(5 + (i == 1 ? range : 0));
    if (kind == 3 && i <= n / 2) return Key{5};
    if (kind % 3 == 0 || random.below(16) == 0) return static_cast<Key>(5 + anywhere);
    return static_cast<Key>(5 + (kind == 1 ? random.below(300) % range : anywhere % 4 * (range / 4)));
  });
}
}  // namespace

TEST_CASE("keys that come in reverse are sorted, equal keys' values in order, with and without room of their own") {
  for (const int longest : {1, 2, 5, 64, 300})
    for (const index_t n : {2, 3, 63, 64, 65, 66, 129, 1000, 5003}) {
      std::vector<std::uint32_t> keys;
      test::generator random(static_cast<std::uint64_t>(longest));
      for (std::uint32_t key = 0xffffff00u; std::ssize(keys) < n; key -= 256)  // the lowest bits do not count
        for (auto run = random.below(static_cast<std::uint64_t>(longest)) + 1; run > 0 && std::ssize(keys) < n; run--)
          keys.push_back(key + static_cast<std::uint32_t>(random.below(256)));
      const auto values = any_bits<std::uint64_t>(n, 7);
      const auto order = oracle::argsort(keys, [](auto a, auto b) { return a >> 8 < b >> 8; });
      constexpr radix_options by_highest{.begin_bit = 8};
      INFO("runs of up to " << longest << ", n = " << n);
      test::on_executors(n, [&](auto& executor) {
        guarded<std::uint32_t> in(executor, keys), out(executor, n);
        guarded<std::uint64_t> values_in(executor, values), values_out(executor, n);
        upsweep::radix_sort_by_key(executor, in.range(), values_in.range(), out.range(), values_out.range(),
                                   by_highest);
        check_same_bits(out.items(executor), oracle::gather(keys, order));
        check_same_bits(values_out.items(executor), oracle::gather(values, order));
        upsweep::radix_sort_by_key(executor, in.range(), values_in.range(), by_highest);
        check_same_bits(in.items(executor), oracle::gather(keys, order));
        check_same_bits(values_in.items(executor), oracle::gather(values, order));
      });
    }
}

TEST_CASE("values of 1, 4, 8, 12 and 64 bytes move with their keys, equal keys' in order") {
  check_pairs<std::uint32_t, std::uint8_t>(1000);
  check_pairs<std::uint32_t, std::uint32_t>(0);
  check_pairs<float, double>(300);
  check_pairs<std::int16_t, payload<12>>(0);
  check_pairs<std::uint32_t, payload<64>>(5000);
}

// Where all that differs has room in 19 bits of 32, or 51 of 64, a GPU's CTA sorts a key and its place as one number. A
// host does so of 17 to 128 or 512 keys of up to 32 bits.
TEST_CASE("pairs are sorted whether their keys differ in few bits or in many, spread or crowded") {
  for (const index_t n : {16, 17, 33, 64, 65, 128, 129, 512, 513, 4224, 4225, 4608, 4609, 6145, 50'003})
    for (int kind = 0; kind < 4; kind++) {
      const auto check = [&](auto range, auto value) {
        INFO("kind " << kind << ", n = " << n << ", range " << +range << " of " << sizeof(range) << " bytes");
        check_pairs_of<decltype(value)>(keys_in_range(n, range, kind));
      };
      for (const std::uint32_t range : {1u, 300u, (1u << 19) - 1, 1u << 19, 0xfffffff0u}) check(range, std::uint64_t{});
      check((1u << 19) - 1, std::uint32_t{});
      check((1u << 19) - 1, std::uint16_t{});
      check(std::uint8_t{250}, std::uint32_t{});
      check(std::uint16_t{65'000}, std::uint64_t{});
      for (const int bit : {51, 63}) {
        check((std::uint64_t{1} << bit) - 1, std::uint16_t{});
        check(std::uint64_t{1} << bit, std::uint32_t{});
      }
    }
}

TEST_CASE("keys may stay in place while values move, and the other way round") {
  constexpr index_t n = 150'001;
  const auto keys = any_bits<std::uint32_t>(n), values = any_bits<std::uint32_t>(n, 7);
  const auto order = oracle::argsort(keys, is_less{});
  test::on_executors(n, [&](auto& executor) {
    guarded<std::uint32_t> k(executor, keys), v(executor, values), out(executor, n);
    upsweep::radix_sort_by_key(executor, k.range(), v.range(), k.range(), out.range());
    check_same_bits(k.items(executor), oracle::gather(keys, order));
    check_same_bits(out.items(executor), oracle::gather(values, order));
    guarded<std::uint32_t> again(executor, keys);
    upsweep::radix_sort_by_key(executor, again.range(), v.range(), out.range(), v.range());
    check_same_bits(out.items(executor), oracle::gather(keys, order));
    check_same_bits(v.items(executor), oracle::gather(values, order));
  });
}

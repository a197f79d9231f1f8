// Keys that one cluster of CTAs sorts in a launch, or a grid that runs at once: all sizes around their ends, and inputs
// that are hard to share out.
#include <cmath>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <limits>
#include <numeric>
#include <type_traits>
#include <vector>

#include <upsweep/quicksort.hpp>
#include <upsweep/radix_sort.hpp>
#include <upsweep/scratch.hpp>

#include "oracle.hpp"
#include "support.hpp"

using test::check_same_bits;
using upsweep::index_t;

namespace {
template <class T>
struct input {
  const char* name;
  std::function<T(test::generator&, index_t)> item;
};
template <class T>
std::vector<input<T>> inputs(index_t n) {
  const auto whole = [](auto x) { return static_cast<T>(x); };
  const auto normal = [](test::generator& random) {
    double sum = 0;
    for (int k = 0; k < 12; k++) sum += random.unit();
    return sum - 6;
  };
  return {
      {"all equal", [=](auto&, index_t) { return whole(7); }},
      {"ascending", [=](auto&, index_t i) { return whole(i); }},
      {"descending", [=](auto&, index_t i) { return whole(n - i); }},
      {"two values, one far away",
       [=](auto& random, index_t i) { return i == n / 2 ? std::numeric_limits<T>::max() : whole(random.below(2)); }},
      {"16 values", [=](auto& random, index_t) { return whole(random.below(16) * 1000003); }},
      {"a value of every exponent",
       [=](auto& random, index_t) { return whole(std::exp2(static_cast<double>(random.below(30)))); }},
      {"half of them equal", [=](auto& random, index_t) { return whole(random.below(2) ? 5 : random.below(1 << 30)); }},
      {"nearly all equal, some next to them, one far away",
       [=](auto&, index_t i) { return i == n / 2 ? std::numeric_limits<T>::max() : whole(i % 1000 == 999 ? 6 : 5); }},
      {"few bits set",
       [=](auto& random, index_t) {
         return whole(random.below(1 << 30) & random.below(1 << 30) & random.below(1 << 30) & random.below(1 << 30));
       }},
      {"normal", [=](auto& random, index_t) { return whole(normal(random) * 1e6); }},
      {"sawtooth", [=](auto&, index_t i) { return whole(i % 1000); }}};
}

template <class T>
void check_type(std::initializer_list<index_t> sizes) {
  upsweep::device executor;
  for (const index_t n : sizes)
    for (const auto& kind : inputs<T>(n)) {
      INFO("n = " << n << ", " << kind.name);
      index_t i = 0;
      const auto keys = test::generate(n, [&](test::generator& random) { return kind.item(random, i++); });
      test::guarded<T> in(executor, keys, test::shift_of(n)), out(executor, n, test::shift_of(n, 1));
      upsweep::radix_sort(executor, in.range(), out.range());
      check_same_bits(out.items(executor), oracle::stable_sort(keys, oracle::is_less{}));
      check_same_bits(in.items(executor), keys);
      upsweep::radix_sort(executor, in.range(), {.order = upsweep::sort_order::descending});
      check_same_bits(in.items(executor), oracle::stable_sort(keys, oracle::is_greater{}));
    }
}

//! With values, which tell where their keys stood.
template <class T, class Value>
void check_pairs(std::initializer_list<index_t> sizes, bool few_bits = false) {
  upsweep::device executor;
  for (const index_t n : sizes)
    for (const auto& kind : inputs<T>(n)) {
      INFO("n = " << n << ", " << kind.name << ", values of " << sizeof(Value) << " bytes");
      index_t i = 0;
      const auto keys = test::generate(n, [&](test::generator& random) { return kind.item(random, i++); });
      std::vector<Value> places(oracle::at(n));
      std::iota(places.begin(), places.end(), Value{0});
      test::guarded<T> in(executor, keys, test::shift_of(n)), out(executor, n, test::shift_of(n, 1));
      test::guarded<Value> values(executor, places, test::shift_of(n, 2)), sorted(executor, n, test::shift_of(n, 3));
      upsweep::radix_options options;
      if (few_bits) options = {.begin_bit = 3, .end_bit = 17};
      upsweep::radix_sort_by_key(executor, in.range(), values.range(), out.range(), sorted.range(), options);
      const auto expected = oracle::stable_sort(places, [&](Value a, Value b) {
        const T left = keys[a], right = keys[b];
        if constexpr (std::is_unsigned_v<T>) {
          if (few_bits) return (left >> 3 & 0x3fff) < (right >> 3 & 0x3fff);
        }
        return oracle::is_less{}(left, right);
      });
      std::vector<T> expected_keys;
      for (const Value place : expected) expected_keys.push_back(keys[place]);
      check_same_bits(sorted.items(executor), expected);
      check_same_bits(out.items(executor), expected_keys);
      upsweep::radix_sort_by_key(executor, in.range(), values.range(), options);
      check_same_bits(values.items(executor), expected);
      check_same_bits(in.items(executor), expected_keys);
    }
}

struct keys_in {
  static constexpr bool computes = false, are_items = true;
  const std::uint32_t* keys;
  __device__ std::uint32_t raw(index_t i) const { return keys[i]; }
  __device__ std::uint32_t encode(std::uint32_t key) const { return key; }
};
struct keys_out {
  std::uint32_t* keys;
  __device__ void operator()(index_t i, std::uint32_t key) const { keys[i] = key; }
};
//! In shares of so few samples that some are longer than a tile: of 8 pieces of 1,000 keys, with two samples each.
template <bool Ordered, class Payload>
void check_long_shares(int begin_bit, int end_bit) {
  namespace gpu = upsweep::gpu;
  using job = gpu::sort_job<std::uint32_t, Payload, keys_in, upsweep::detail::own_index<std::uint32_t>, keys_out>;
  using tile = gpu::key_tile<job, gpu::tile_shape<16, 2, 1>, Ordered>;
  constexpr index_t n = 8000;
  upsweep::device executor;
  for (const std::uint64_t distinct : {std::uint64_t{3}, std::uint64_t{1} << 32}) {
    const auto keys = test::random_integers<std::uint32_t>(n, distinct);
    test::guarded<std::uint32_t> in(executor, keys), out(executor, n), places(executor, n);
    gpu::share_args<tile> args;
    args.n = n;
    args.plan = {8, 1, 3};
    job& of = args.tile.job;
    of = job{};
    of.key_in.keys = in.range().data();
    of.key_out.keys = out.range().data();
    if constexpr (job::has_payload) of.payload_out = places.range().data();
    of.n = n;
    of.begin_bit = begin_bit;
    of.end_bit = end_bit;
    const std::uint32_t counted = args.tile.counted = of.counted(end_bit);
    upsweep::detail::in_scratch(executor, [&](auto& scratch) {
      gpu::cut_shares(args, scratch);
      if constexpr (job::has_payload) args.tile.payloads = scratch.template take<Payload>(n);
    });
    gpu::sort_shares<false>(executor, args);
    std::vector<std::uint32_t> expected(oracle::at(n));
    std::iota(expected.begin(), expected.end(), 0u);
    expected = oracle::stable_sort(expected, [&](auto a, auto b) { return (keys[a] & counted) < (keys[b] & counted); });
    if constexpr (job::has_payload) check_same_bits(places.items(executor), expected);
    for (auto& key : expected) key = keys[key];
    check_same_bits(out.items(executor), expected);
  }
}
}  // namespace

TEST_CASE("a cluster sorts keys whatever they are") {
  if (test::without_device()) return;
  const std::initializer_list<index_t> sizes = {4992,   4993,   5633,   6145,   9000,   16'384,
                                                16'385, 49'152, 63'488, 63'489, 71'680, 71'681};
  check_type<std::uint32_t>(sizes);
  check_type<std::int64_t>(sizes);
  check_type<float>(sizes);
}

TEST_CASE("a grid sorts keys in shares whatever they are") {
  if (test::without_device()) return;
  check_type<std::uint32_t>({100'003, 524'289, 1'048'576, 1'048'577});
  check_type<std::int64_t>({100'003, 650'000, 700'001});
  check_type<float>({300'001, 1'000'000});
}

TEST_CASE("a grid sorts keys with values in shares, equal ones in order") {
  if (test::without_device()) return;
  check_pairs<std::uint32_t, std::uint32_t>(
      {4224, 4225, 8191, 8192, 16'383, 16'384, 32'768, 100'003, 1'048'576, 1'100'000});
  check_pairs<std::uint32_t, std::uint64_t>({20'000, 400'001}, true);
  check_pairs<float, std::uint32_t>({5000, 300'001});
  check_pairs<std::int64_t, std::uint64_t>({9000, 100'003, 600'001});
}

TEST_CASE("shares that no tile holds are right all the same") {
  if (test::without_device()) return;
  check_long_shares<false, upsweep::nothing>(0, 32);
  check_long_shares<true, upsweep::nothing>(1, 11);
  check_long_shares<true, std::uint32_t>(1, 11);
}

TEST_CASE("a cluster and a grid keep keys in order that agree in the bits that count") {
  if (test::without_device()) return;
  upsweep::device executor;
  for (const index_t n : {6145, 16'384, 53'648, 53'649, 300'000, 1'000'003})
    for (const std::uint64_t distinct : {std::uint64_t{4}, std::uint64_t{1} << 32}) {
      INFO("n = " << n << ", distinct: " << distinct);
      const auto keys = test::random_integers<std::uint32_t>(n, distinct);
      test::guarded<std::uint32_t> memory(executor, keys);
      upsweep::radix_sort(executor, memory.range(), {.begin_bit = 1, .end_bit = 11});
      check_same_bits(memory.items(executor), oracle::stable_sort(keys, [](std::uint32_t a, std::uint32_t b) {
                        return (a >> 1 & 0x3ff) < (b >> 1 & 0x3ff);
                      }));
    }
}

// Keys that one cluster of CTAs sorts in a launch, or a grid that runs at once: all sizes around their ends, and inputs
// that are hard to share out.
#include <cmath>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <limits>
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
template <bool Ordered>
void check_long_shares(int begin_bit, int end_bit) {
  namespace gpu = upsweep::gpu;
  using job = gpu::sort_job<std::uint32_t, upsweep::nothing, keys_in, upsweep::nothing, keys_out>;
  using tile = gpu::key_tile<job, gpu::tile_shape<16, 2, 1>, Ordered>;
  upsweep::device executor;
  for (const std::uint64_t distinct : {std::uint64_t{3}, std::uint64_t{1} << 32}) {
    const auto keys = test::random_integers<std::uint32_t>(8000, distinct);
    test::guarded<std::uint32_t> in(executor, keys), out(executor, 8000);
    job of{};
    of.key_in.keys = in.range().data();
    of.key_out.keys = out.range().data();
    of.n = 8000;
    of.begin_bit = begin_bit;
    of.end_bit = end_bit;
    gpu::share_args<tile> args{};
    args.tile = {of, of.counted(end_bit)};
    args.n = of.n;
    args.plan = {8, 1, 3};
    upsweep::detail::in_scratch(executor, [&](auto& scratch) { gpu::cut_shares(args, scratch); });
    gpu::sort_shares<false>(executor, args);
    const std::uint32_t counted = of.counted(end_bit);
    check_same_bits(out.items(executor), oracle::stable_sort(keys, [=](std::uint32_t a, std::uint32_t b) {
                      return (a & counted) < (b & counted);
                    }));
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

TEST_CASE("shares that no tile holds are right all the same") {
  if (test::without_device()) return;
  check_long_shares<false>(0, 32);
  check_long_shares<true>(1, 11);
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

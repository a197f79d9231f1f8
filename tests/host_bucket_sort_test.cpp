// Keys that a host sorts by digits, into buckets first, since they are more than its caches hold: with values, and
// alone where the processor has no vectors for them.
#include <cstdint>
#include <vector>

#include <upsweep/radix_sort.hpp>

#include "oracle.hpp"
#include "support.hpp"
#include "vector_widths.hpp"

using oracle::is_less;
using test::check_same_bits;
using upsweep::index_t;

namespace {
using word = std::uint32_t;
constexpr index_t n = 550'001;  // 2 MiB of keys, 4 with values

// Alone and with values, in memory of their own and in place.
void check_sorts(const std::vector<word>& keys) {
  std::vector<word> values(keys.size());
  for (std::size_t i = 0; i < values.size(); i++) values[i] = static_cast<word>(i);
  const auto order = oracle::argsort(keys, is_less{});
  const auto sorted = oracle::gather(keys, order), followed = oracle::gather(values, order);
  test::with_any_vectors([&] {
    for (const int threads : {1, 3}) {
      INFO(threads << " threads");
      upsweep::host executor(threads);
      std::vector<word> out(keys.size()), values_out(keys.size());
      upsweep::radix_sort(executor, keys, out);
      check_same_bits(out, sorted);
      out = keys;
      upsweep::radix_sort(executor, out);
      check_same_bits(out, sorted);
      upsweep::radix_sort_by_key(executor, keys, values, out, values_out);
      check_same_bits(out, sorted);
      check_same_bits(values_out, followed);
      out = keys, values_out = values;
      upsweep::radix_sort_by_key(executor, out, values_out);
      check_same_bits(out, sorted);
      check_same_bits(values_out, followed);
    }
  });
}
}  // namespace

TEST_CASE("a host sorts by buckets, whose passes are an odd or an even number, with vectors and without") {
  for (const int bits : test::some_if_sanitized(3, std::vector{24, 16, 32})) {
    INFO(bits << " bits");
    check_sorts(
        test::generate(n, [=](test::generator& random) { return static_cast<word>(random.below(1ull << bits)); }));
  }
}

TEST_CASE("a host that sorts by buckets notices the one key of more bits than those that it looked at") {
  auto keys = test::generate(n, [](test::generator& random) { return static_cast<word>(random.below(4096)); });
  keys[oracle::at(n / 3)] = ~word{};
  check_sorts(keys);
}

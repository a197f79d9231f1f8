// Numbers of two doubles against long double, which has 11 bits more than a double: what the pair says beyond that is
// checked by sums and products that are exact.
#include <cmath>
#include <vector>

#include <upsweep/filter/twofold.hpp>
#include <upsweep/transform.hpp>

#include "support.hpp"

using upsweep::twofold;

namespace {
long double value(const twofold& x) { return static_cast<long double>(x.high) + x.low; }
//! Equal to half a unit of long double's last place, or so.
bool is_near(const twofold& x, long double expected) {
  return std::abs(value(x) - expected) <= std::abs(expected) * 0x1p-62L &&
         std::abs(x.low) <= std::abs(x.high) * 0x1p-52;
}
}  // namespace

TEST_CASE("sums, differences and products of twofold numbers are those of long double") {
  test::generator random(11);
  const auto number = [&] {
    const twofold x = twofold::of(2 * random.unit() - 1, 0x1p-54 * (2 * random.unit() - 1));
    return x * twofold(std::ldexp(1., static_cast<int>(random.unit() * 40) - 20));
  };
  for (int k = 0; k < 10'000; k++) {
    const twofold a = number(), b = number();
    INFO(a.high << " + " << a.low << ", " << b.high << " + " << b.low);
    const twofold sum = a + b;
    // Where a sum is near 0 the numbers' own last bits, of which long double has lost some, are all of it.
    REQUIRE(std::abs(value(sum) - (value(a) + value(b))) <= (std::abs(value(a)) + std::abs(value(b))) * 0x1p-62L);
    REQUIRE(std::abs(value(a - b) - (value(a) - value(b))) <= (std::abs(value(a)) + std::abs(value(b))) * 0x1p-62L);
    REQUIRE(is_near(a * b, value(a) * value(b)));
    REQUIRE(is_near(a.high * b, a.high * value(b)));
  }
}

#if UPSWEEP_HAS_CUDA
namespace {
struct pair_of_numbers {
  twofold a, b;
};
struct results {
  twofold sum, difference, product, scaled;
};
struct compute_all {
  UPSWEEP_HD results operator()(const pair_of_numbers& p) const {
    return {p.a + p.b, p.a - p.b, p.a * p.b, p.a.high * p.b};
  }
};
bool same(const twofold& a, const twofold& b) { return a.high == b.high && a.low == b.low; }
}  // namespace

TEST_CASE("twofold numbers on a GPU are those of the host") {
  test::on_device([](auto& executor) {
    test::generator random(12);
    std::vector<pair_of_numbers> pairs(5000);
    const auto number = [&] { return twofold::of(2 * random.unit() - 1, 0x1p-54 * (2 * random.unit() - 1)); };
    for (auto& pair : pairs) pair = {number(), number()};
    test::guarded<pair_of_numbers> in(executor, pairs);
    test::guarded<results> out(executor, std::ssize(pairs));
    upsweep::transform(executor, upsweep::contiguous(in.range()), out.range(), compute_all{});
    const auto computed = out.items(executor);
    for (std::size_t k = 0; k < pairs.size(); k++) {
      INFO("pair " << k);
      const results expected = compute_all{}(pairs[k]);
      REQUIRE(same(computed[k].sum, expected.sum));
      REQUIRE(same(computed[k].difference, expected.difference));
      // Of a product's low part the last bits may differ: sums of small products may be one operation.
      REQUIRE(is_near(computed[k].product, value(pairs[k].a) * value(pairs[k].b)));
      REQUIRE(is_near(computed[k].scaled, pairs[k].a.high * value(pairs[k].b)));
    }
  });
}
#endif

TEST_CASE("twofold numbers keep what a double drops") {
  const twofold one(1), small(0x1p-100);
  const twofold sum = one + small;
  CHECK(sum.high == 1);
  CHECK(sum.low == 0x1p-100);
  CHECK((sum - one).high == 0x1p-100);
  const twofold product = (one + twofold(0x1p-50)) * (one + twofold(0x1p-50));  // 1 + 2^-49 + 2^-100
  CHECK(product.high == 1 + 0x1p-49);
  CHECK(product.low == 0x1p-100);
  CHECK(static_cast<double>(product) == product.high);
}

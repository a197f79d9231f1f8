// Values of every size, none commutative. The intervals trap on anything that they were not given: garbage, an
// identity, a neighbour that is none. So one scan of them tests order, association over real items only, and sizes at
// once.
#include <cstdint>
#include <vector>

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
// Scans intervals, one an item; item i must become [0, i + 1), and no join may see what is no interval.
template <class Interval>
void check_intervals(const std::vector<index_t>& sizes) {
  for (const index_t n : sizes) {
    const auto in = test::unit_intervals<Interval>(n);
    auto expected = in;
    for (auto& item : expected) item = Interval::of(0, item.word[1]);
    test::on_executors(n, [&](auto& executor) {
      guarded<Interval> from(executor, in, shift_of(n)), to(executor, n, shift_of(n, 1));
      test::trap trap(executor);
      upsweep::inclusive_scan(executor, from.range(), to.range(), test::join<Interval>{trap.counter()});
      check_equal(to.items(executor), expected);
      CHECK_FALSE(trap.sprung(executor));
    });
  }
}

template <class M>
void check_against_oracle(const M& m, const auto& make) {
  using V = typename M::value_type;
  for (const index_t n : test::few_sizes(sizeof(V))) {
    const std::vector<V> in = test::generate(n, make);
    const auto expected = oracle::inclusive_scan(in, m);
    test::on_executors(n, [&](auto& executor) {
      guarded<V> from(executor, in, shift_of(n)), to(executor, n, shift_of(n, 1));
      upsweep::inclusive_scan(executor, from.range(), to.range(), m);
      check_equal(to.items(executor), expected);
    });
  }
}

// A permutation of the axes with random signs: products of them stay so, and are exact in floats.
template <class T, int K>
upsweep::square<T, K> signed_permutation(test::generator& random) {
  int axes[K];
  for (int k = 0; k < K; k++) axes[k] = k;
  for (int k = K - 1; k > 0; k--) std::swap(axes[k], axes[random.below(static_cast<std::uint64_t>(k) + 1)]);
  upsweep::square<T, K> result{};
  for (int row = 0; row < K; row++) result.at[row][axes[row]] = random.below(2) ? T{1} : T{-1};
  return result;
}
}  // namespace

TEST_CASE("values of 1, 2 and 3 bytes") {
  check_against_oracle(test::compose_states{},
                       [](test::generator& random) { return static_cast<std::uint8_t>(random()); });
  check_against_oracle(upsweep::affine<std::uint8_t>{}, [](test::generator& random) {
    return upsweep::affine_map<std::uint8_t>{static_cast<std::uint8_t>(random() | 1),
                                             static_cast<std::uint8_t>(random())};
  });
  check_against_oracle(test::multiply_triangles{}, [](test::generator& random) {
    return test::triangle{static_cast<std::uint8_t>(random() | 1), static_cast<std::uint8_t>(random()),
                          static_cast<std::uint8_t>(random() | 1)};
  });
}

TEST_CASE("values of 8 bytes that trap") { check_intervals<test::interval<8>>(test::sizes(8)); }
TEST_CASE("values of 12 bytes that trap") { check_intervals<test::interval<12>>(test::few_sizes(12)); }
TEST_CASE("values of 16 bytes that trap") { check_intervals<test::interval<16>>(test::sizes(16)); }
TEST_CASE("values of 20 bytes that trap") { check_intervals<test::interval<20>>(test::few_sizes(20)); }
TEST_CASE("values of 24 bytes that trap") { check_intervals<test::interval<24>>(test::few_sizes(24)); }
TEST_CASE("values of 64 bytes that trap, aligned to 16") {
  check_intervals<test::interval<64, 16>>(test::few_sizes(64));
}
TEST_CASE("values of 128 bytes that trap") { check_intervals<test::interval<128>>(test::few_sizes(128)); }

TEST_CASE("3×3 matrices of floats, 36 bytes") {
  check_against_oracle(upsweep::matrix<float, 3>{}, signed_permutation<float, 3>);
}

TEST_CASE("affine maps of vectors of four doubles, 160 bytes") {
  check_against_oracle(upsweep::affine_vector<double, 4>{}, [](test::generator& random) {
    upsweep::vector_map<double, 4> map{signed_permutation<double, 4>(random), {}};
    for (double& entry : map.c) entry = static_cast<double>(random.below(1000));
    return map;
  });
}

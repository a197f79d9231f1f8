// Affine maps against their application, step by step. Integers mod 2^32 make every comparison exact.
#include <cstdint>
#include <vector>

#include <upsweep/affine.hpp>

#include "support.hpp"
#include "values.hpp"

namespace {
using test::map32;

template <class M>
void check_associative(const M& m, const std::vector<typename M::value_type>& values) {
  int broken = 0;
  for (const auto& a : values)
    for (const auto& b : values)
      for (const auto& c : values) broken += !(m(m(a, b), c) == m(a, m(b, c)));
  CHECK(broken == 0);
  for (const auto& a : values) broken += !(m(m.identity(), a) == a && m(a, m.identity()) == a);
  CHECK(broken == 0);
}

template <class T, int K>
upsweep::square<T, K> random_square(test::generator& random) {
  upsweep::square<T, K> result;
  for (auto& row : result.at)
    for (auto& entry : row) entry = static_cast<T>(random.below(1000));
  return result;
}
template <class T, int K>
upsweep::vector_map<T, K> random_vector_map(test::generator& random) {
  upsweep::vector_map<T, K> result{random_square<T, K>(random), {}};
  for (auto& entry : result.c) entry = static_cast<T>(random.below(1000));
  return result;
}
template <class T, int K>
std::vector<T> applied(const upsweep::vector_map<T, K>& map, const std::vector<T>& v) {
  std::vector<T> result(K);
  for (int row = 0; row < K; row++) {
    result[row] = map.c[row];
    for (int k = 0; k < K; k++) result[row] += map.a.at[row][k] * v[k];
  }
  return result;
}

template <int K>
void check_vector_maps() {
  const auto maps = test::generate(9, random_vector_map<std::uint32_t, K>);
  check_associative(upsweep::affine_vector<std::uint32_t, K>{}, maps);
  std::vector<std::uint32_t> v(K);
  v[0] = 7;
  auto step_by_step = v;
  auto composed = maps[0];
  for (std::size_t i = 0; i < maps.size(); i++) {
    step_by_step = applied(maps[i], step_by_step);
    if (i > 0) composed = upsweep::affine_vector<std::uint32_t, K>{}(composed, maps[i]);
    CHECK(applied(composed, v) == step_by_step);
  }
}
}  // namespace

TEST_CASE("the trace of a recurrence: a = (2, 3, 1), b = (1, 0, 5) gives 1, 3, 8") {
  const upsweep::affine<int> compose;
  const std::vector<upsweep::affine_map<int>> maps = {{2, 1}, {3, 0}, {1, 5}};
  auto prefix = maps[0];
  CHECK(prefix(0) == 1);
  prefix = compose(prefix, maps[1]);
  CHECK(prefix(0) == 3);
  prefix = compose(prefix, maps[2]);
  CHECK(prefix(0) == 8);
}

TEST_CASE("composing affine maps is applying the earlier one first") {
  const auto maps = test::random_maps(12);
  const test::compose32 compose;
  check_associative(compose, maps);
  for (std::size_t i = 1; i < maps.size(); i++)
    for (const std::uint32_t x : {0u, 1u, 123456789u})
      CHECK(compose(maps[i - 1], maps[i])(x) == maps[i](maps[i - 1](x)));
  CHECK_FALSE(compose(maps[0], maps[1]) == compose(maps[1], maps[0]));
}

TEST_CASE("matrices multiply as maps do, the later one on the left") {
  check_associative(upsweep::matrix<std::uint32_t, 2>{}, test::generate(9, random_square<std::uint32_t, 2>));
  check_associative(upsweep::matrix<std::uint32_t, 3>{}, test::generate(9, random_square<std::uint32_t, 3>));
  check_associative(upsweep::matrix<std::uint64_t, 4>{}, test::generate(9, random_square<std::uint64_t, 4>));
  const upsweep::square<int, 2> shear{{{1, 1}, {0, 1}}}, turn{{{0, -1}, {1, 0}}};
  CHECK(upsweep::matrix<int, 2>{}(shear, turn) == upsweep::square<int, 2>{{{0, -1}, {1, 1}}});
  CHECK(upsweep::matrix<int, 2>{}(turn, shear) == upsweep::square<int, 2>{{{1, -1}, {1, 0}}});
}

TEST_CASE("maps of vectors compose as they are applied") {
  check_vector_maps<2>();
  check_vector_maps<3>();
  check_vector_maps<4>();
}

TEST_CASE("a companion matrix runs a recurrence of order 2") {
  // Fibonacci: the state (x[i], x[i−1]) is multiplied by ((1, 1), (1, 0)).
  const upsweep::vector_map<std::uint64_t, 2> step{{{{1, 1}, {1, 0}}}, {0, 0}};
  auto power = step;
  for (int i = 1; i < 90; i++) power = upsweep::affine_vector<std::uint64_t, 2>{}(power, step);
  CHECK(applied(power, {1, 0})[1] == 2880067194370816120u);  // F(90)
}

TEST_CASE("affine maps work in floats and doubles") {
  const upsweep::affine<double> compose;
  CHECK(compose({0.5, 1}, {4, -1})(3.0) == 9.0);
  CHECK(upsweep::affine<float>{}.identity()(2.5f) == 2.5f);
  STATIC_REQUIRE(sizeof(upsweep::vector_map<double, 4>) == 160);
  STATIC_REQUIRE(sizeof(upsweep::square<float, 3>) == 36);
}

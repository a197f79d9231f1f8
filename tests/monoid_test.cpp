// The laws of every monoid: associative, its identity neutral; on all triples of values that matter and on random ones.
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <numeric>
#include <vector>

#include <upsweep/monoid.hpp>

#include "support.hpp"
#include "values.hpp"

using upsweep::monoid;

namespace {
constexpr float inf = std::numeric_limits<float>::infinity();
constexpr float quiet = std::numeric_limits<float>::quiet_NaN();

// Equal to the bit for numbers (but one NaN is as good as another), by == otherwise.
template <class V>
bool same(const V& a, const V& b) {
  if constexpr (std::is_floating_point_v<V>) {
    return (std::isnan(a) && std::isnan(b)) || (a == b && std::signbit(a) == std::signbit(b));
  } else {
    return a == b;
  }
}
bool same(const upsweep::indexed<float>& a, const upsweep::indexed<float>& b) {
  return same(a.value, b.value) && a.index == b.index;
}

template <monoid M>
void check_associative(const M& m, const std::vector<typename M::value_type>& values) {
  using V = typename M::value_type;
  int broken = 0;
  for (const auto& a : values)
    for (const auto& b : values)
      for (const auto& c : values) broken += !same(V(m(m(a, b), c)), V(m(a, m(b, c))));
  CHECK(broken == 0);
}
template <monoid M>
void check_neutral(const M& m, const std::vector<typename M::value_type>& values) {
  int broken = 0;
  for (const auto& a : values) broken += !(m(m.identity(), a) == a) || !(m(a, m.identity()) == a);
  CHECK(broken == 0);
}
// Of those that say so.
template <monoid M>
void check_commutative(const M& m, const std::vector<typename M::value_type>& values) {
  if constexpr (upsweep::is_commutative<M>) {
    int broken = 0;
    for (const auto& a : values)
      for (const auto& b : values) broken += !same(m(a, b), m(b, a));
    CHECK(broken == 0);
  }
}
template <monoid M>
void check_laws(const M& m, const std::vector<typename M::value_type>& values) {
  check_associative(m, values);
  check_neutral(m, values);
  check_commutative(m, values);
}

template <class T>
std::vector<T> integers() {
  std::vector<T> values = test::random_integers<T>(12);
  for (const T edge : {std::numeric_limits<T>::min(), std::numeric_limits<T>::max(), T{0}, T{1}, static_cast<T>(-1)})
    values.push_back(edge);
  return values;
}
const std::vector<float> numbers = {0.f, -0.f, 1.f, -1.f, 1e-40f, 3e38f, -3e38f, inf, -inf};
const std::vector<float> numbers_and_nan = {0.f, -0.f, 1.f, -1.f, 1e-40f, 3e38f, -3e38f, inf, -inf, quiet, -quiet};

template <class T>
void check_integer_monoids() {
  const auto values = integers<T>();
  check_laws(upsweep::plus<T>{}, values);
  check_laws(upsweep::multiplies<T>{}, values);
  check_laws(upsweep::minimum<T>{}, values);
  check_laws(upsweep::maximum<T>{}, values);
  check_laws(upsweep::bit_and<T>{}, values);
  check_laws(upsweep::bit_or<T>{}, values);
  check_laws(upsweep::bit_xor<T>{}, values);
}
}  // namespace

TEST_CASE("integer monoids are associative, whatever overflows, and their identities neutral") {
  check_integer_monoids<std::int8_t>();
  check_integer_monoids<std::uint16_t>();
  check_integer_monoids<std::int16_t>();
  check_integer_monoids<std::int32_t>();
  check_integer_monoids<std::uint32_t>();
  check_integer_monoids<std::int64_t>();
  check_integer_monoids<std::uint64_t>();
}

TEST_CASE("integers wrap") {
  CHECK(upsweep::plus<int>{}(std::numeric_limits<int>::max(), 1) == std::numeric_limits<int>::min());
  CHECK(upsweep::multiplies<std::uint16_t>{}(0xFFFF, 0xFFFF) == 1);
  CHECK(upsweep::plus<std::int8_t>{}(127, 1) == -128);
  CHECK(upsweep::multiplies<std::int64_t>{}(std::numeric_limits<std::int64_t>::min(), -1) ==
        std::numeric_limits<std::int64_t>::min());
}

TEST_CASE("float minimum and maximum are associative with NaN, infinities and both zeros") {
  check_associative(upsweep::minimum<float>{}, numbers_and_nan);
  check_associative(upsweep::maximum<float>{}, numbers_and_nan);
  check_neutral(upsweep::minimum<float>{}, numbers);
  check_neutral(upsweep::maximum<float>{}, numbers);
}

TEST_CASE("monoids whose operands may change places say so") {
  STATIC_REQUIRE(upsweep::is_commutative<upsweep::plus<std::int8_t>>);
  STATIC_REQUIRE(upsweep::is_commutative<upsweep::maximum<std::uint64_t>>);
  STATIC_REQUIRE(upsweep::is_commutative<upsweep::logical_or>);
  STATIC_REQUIRE_FALSE(upsweep::is_commutative<upsweep::minimum<float>>);  // of -0 and +0 the earlier one
  STATIC_REQUIRE_FALSE(upsweep::is_commutative<upsweep::argmin<int>>);
  STATIC_REQUIRE_FALSE(upsweep::is_commutative<upsweep::segmented<upsweep::plus<int>>>);
  check_commutative(upsweep::plus<float>{}, numbers_and_nan);
  check_commutative(upsweep::multiplies<float>{}, numbers_and_nan);
}

TEST_CASE("one NaN makes a minimum NaN; of equal values the earliest is taken") {
  const upsweep::minimum<float> least;
  const upsweep::maximum<float> largest;
  for (const float x : numbers_and_nan) {
    CHECK(std::isnan(least(x, quiet)));
    CHECK(std::isnan(least(quiet, x)));
    CHECK(std::isnan(largest(x, quiet)));
    CHECK(std::isnan(largest(quiet, x)));
  }
  CHECK(std::signbit(least(-0.f, 0.f)));
  CHECK_FALSE(std::signbit(least(0.f, -0.f)));
  CHECK(std::signbit(largest(-0.f, 0.f)));
  CHECK_FALSE(std::signbit(largest(0.f, -0.f)));
  CHECK(least.identity() == inf);
  CHECK(largest.identity() == -inf);
}

TEST_CASE("float sums and products have neutral identities for numbers") {
  check_neutral(upsweep::plus<float>{}, numbers);
  check_neutral(upsweep::multiplies<float>{}, numbers);
  CHECK(std::isnan(upsweep::plus<float>{}(inf, -inf)));
  CHECK_FALSE(std::signbit(upsweep::plus<float>{}(0.f, -0.f)));  // why the engines never combine with an identity
}

TEST_CASE("argmin and argmax are associative, take the earliest, and let NaN win") {
  std::vector<upsweep::indexed<float>> values;
  for (std::size_t i = 0; i < numbers_and_nan.size(); i++)
    values.push_back({numbers_and_nan[i], static_cast<std::int64_t>(i)});
  values.push_back({1.f, 40});
  values.push_back({quiet, 41});
  check_associative(upsweep::argmin<float>{}, values);
  check_associative(upsweep::argmax<float>{}, values);

  const upsweep::argmin<float> least;
  const upsweep::argmax<float> largest;
  CHECK(least({1, 0}, {1, 1}).index == 0);
  CHECK(largest({1, 0}, {1, 1}).index == 0);
  CHECK(least({0.f, 0}, {-0.f, 1}).index == 0);
  CHECK(least({-inf, 0}, {quiet, 1}).index == 1);
  CHECK(largest({inf, 0}, {quiet, 1}).index == 1);
  CHECK(least({quiet, 0}, {quiet, 1}).index == 0);
  CHECK(largest({quiet, 0}, {-inf, 1}).index == 0);
  CHECK(upsweep::argmin<int>{}({3, 0}, {2, 1}).index == 1);
  CHECK(upsweep::argmax<int>{}({3, 0}, {2, 1}).index == 0);
  CHECK(least.identity().index == -1);
  CHECK(upsweep::argmin<int>{}.identity().value == std::numeric_limits<int>::max());
}

TEST_CASE("logical monoids") {
  const upsweep::logical_and all;
  const upsweep::logical_or any;
  for (const bool a : {false, true}) {
    for (const bool b : {false, true}) {
      CHECK(all(a, b) == (a && b));
      CHECK(any(a, b) == (a || b));
    }
    CHECK(all(all.identity(), a) == a);
    CHECK(any(a, any.identity()) == a);
  }
}

TEST_CASE("a pair of monoids combines side by side") {
  using both = upsweep::pair<upsweep::minimum<int>, upsweep::maximum<int>>;
  std::vector<both::value_type> values;
  for (const int x : integers<int>()) values.push_back({x, x});
  check_laws(both{}, values);
  const auto range = both{}({3, 3}, both{}({-2, -2}, {7, 7}));
  CHECK(range.first == -2);
  CHECK(range.second == 7);
}

TEST_CASE("segmented restarts at heads and stays associative for a monoid that does not commute") {
  using segments = upsweep::segmented<test::compose32>;
  std::vector<segments::value_type> values;
  test::generator random;
  for (const auto& map : test::random_maps(14)) values.push_back({map, random.below(2) == 1});
  check_laws(segments{}, values);

  const upsweep::segmented<upsweep::plus<int>> sums;
  CHECK(sums({5, false}, {2, false}).value == 7);
  CHECK(sums({5, false}, {2, true}).value == 2);
  CHECK(sums({5, true}, {2, false}).head);
  CHECK_FALSE(sums({5, false}, {2, false}).head);
}

TEST_CASE("the tests' own monoids are associative, and do not commute") {
  check_laws(test::compose_states{}, test::random_integers<std::uint8_t>(14));
  check_laws(test::multiply_triangles{}, test::generate(14, [](test::generator& random) {
               return test::triangle{static_cast<std::uint8_t>(random()), static_cast<std::uint8_t>(random()),
                                     static_cast<std::uint8_t>(random())};
             }));
  check_laws(test::concatenate_hashes{}, test::generate(14, [](test::generator& random) {
               return test::string_hash{random(), random() | 1};
             }));

  std::vector<test::bounded_string> strings{{}};
  for (const char* text : {"a", "bc", "def", "ghijklmnop", "qrstuvwxyzA", "0123456789 0123456789 0123456789"}) {
    test::bounded_string joined{};
    for (const char* c = text; *c; c++) joined = test::concatenate{}(joined, test::character(*c));
    strings.push_back(joined);
  }
  check_laws(test::concatenate{}, strings);
  CHECK_FALSE(test::concatenate{}(strings[1], strings[2]) == test::concatenate{}(strings[2], strings[1]));
  CHECK(std::memcmp(test::concatenate{}(strings[5], strings[2]).last + 7, "Abc", 3) == 0);
  CHECK(test::compose_states{}(0b00'00'00'01, 0b11'10'00'01) != test::compose_states{}(0b11'10'00'01, 0b00'00'00'01));
}

TEST_CASE("the intervals' trap springs on everything but neighbours") {
  using value = test::interval<20>;
  std::uint32_t sprung = 0;
  const test::join<value> joined{&sprung};
  CHECK(joined(value::of(2, 5), value::of(5, 6)) == value::of(2, 6));
  CHECK(sprung == 0);
  joined(value::of(5, 6), value::of(2, 5));  // the wrong order
  CHECK(sprung == 1);
  joined(value::of(2, 4), value::of(5, 6));  // a gap
  CHECK(sprung == 2);
  joined(joined.identity(), value::of(0, 1));
  CHECK(sprung == 3);
  joined(value::of(0, 1), value{});
  CHECK(sprung == 4);
  value torn = value::of(5, 6);
  torn.word[4]++;
  joined(value::of(2, 5), torn);
  CHECK(sprung == 5);
  CHECK(test::join<value>{&sprung, true}(value::of(5, 6), value::of(2, 5)) == value::of(2, 6));
  CHECK(sprung == 5);
}

TEST_CASE("make_monoid wraps a function and its identity") {
  const auto gcd = upsweep::make_monoid([](int a, int b) { return std::gcd(a, b); }, 0);
  check_laws(gcd, {0, 4, 6, 9, 12, 35});
  CHECK(gcd(12, 18) == 6);
  CHECK(gcd.identity() == 0);
}

TEST_CASE("the concept tells monoids from other types") {
  STATIC_REQUIRE(monoid<upsweep::plus<float>>);
  STATIC_REQUIRE(monoid<upsweep::nothing>);
  STATIC_REQUIRE(monoid<test::join<test::interval<8>>>);
  struct without_identity {
    using value_type = int;
    int operator()(int a, int b) const { return a + b; }
  };
  struct owner {
    std::vector<int> items;
  };
  struct not_copyable {
    using value_type = owner;
    owner identity() const { return {}; }
    owner operator()(const owner& a, const owner&) const { return a; }
  };
  STATIC_REQUIRE_FALSE(monoid<without_identity>);
  STATIC_REQUIRE_FALSE(monoid<not_copyable>);
  CHECK_FALSE(upsweep::plus<float>{}.identity() != 0);
}

#ifdef __CUDACC_EXTENDED_LAMBDA__
namespace {
template <class F>
bool result_type_is_known(const F&) {
  return upsweep::detail::result_type_is_known<F>();
}
}  // namespace

TEST_CASE("a __device__ lambda must write its return type: nvcc would take it for int") {
  CHECK(result_type_is_known([] __device__(float x) -> float { return x; }));
  CHECK_FALSE(result_type_is_known([] __device__(float x) { return x; }));
  CHECK(result_type_is_known([](float x) { return x; }));
}
#endif

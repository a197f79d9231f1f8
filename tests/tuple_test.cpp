#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include <upsweep/tuple.hpp>

#include "catch.hpp"

using upsweep::get;
using upsweep::make_tuple;
using upsweep::tuple;

TEST_CASE("a tuple gives its elements back, by index and by structured binding") {
  const auto three = make_tuple(std::uint8_t{7}, 2.5, std::int64_t{-1});
  STATIC_REQUIRE(std::is_same_v<decltype(three), const tuple<std::uint8_t, double, std::int64_t>>);
  CHECK(get<0>(three) == 7);
  CHECK(get<1>(three) == 2.5);
  CHECK(get<2>(three) == -1);
  const auto [a, b, c] = three;
  CHECK(a == 7);
  CHECK(b == 2.5);
  CHECK(c == -1);
  CHECK(get<0>(make_tuple(5)) == 5);
}

TEST_CASE("a tuple's elements can be assigned") {
  auto two = make_tuple(1, 'x');
  get<0>(two) = 3;
  get<1>(two) = 'y';
  CHECK(two == make_tuple(3, 'y'));
  CHECK_FALSE(two == make_tuple(3, 'x'));
  CHECK_FALSE(two == make_tuple(4, 'y'));
}

TEST_CASE("a tuple is trivially copyable, and no larger than a struct of its elements") {
  struct four {
    std::int64_t a;
    std::int32_t b;
    std::int16_t c;
    std::int8_t d;
  };
  using same = tuple<std::int64_t, std::int32_t, std::int16_t, std::int8_t>;
  STATIC_REQUIRE(std::is_trivially_copyable_v<same>);
  STATIC_REQUIRE(std::is_trivially_default_constructible_v<same>);
  STATIC_REQUIRE(sizeof(same) >= sizeof(four));
  STATIC_REQUIRE(sizeof(tuple<std::int32_t, std::int32_t>) == 8);
  STATIC_REQUIRE(std::tuple_size_v<same> == 4);
  STATIC_REQUIRE(std::is_same_v<std::tuple_element_t<2, same>, std::int16_t>);
  STATIC_REQUIRE(std::tuple_size_v<tuple<>> == 0);
}

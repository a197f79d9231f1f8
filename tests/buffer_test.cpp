#include <array>
#include <cstdint>
#include <limits>
#include <new>
#include <numeric>
#include <stdexcept>
#include <utility>
#include <vector>

#include <upsweep/buffer.hpp>

#include "support.hpp"

using upsweep::buffer;
using upsweep::index_t;

TEST_CASE("a buffer holds what was copied in") {
  for (const index_t n : {0, 1, 7, 1025, 300'007}) {
    std::vector<std::int32_t> items(static_cast<std::size_t>(n));
    std::iota(items.begin(), items.end(), -5);
    test::on_executors([&](auto& executor) {
      const buffer<std::int32_t> copied(executor, items);
      CHECK(copied.size() == n);
      CHECK((copied.data() != nullptr) == (n > 0));
      test::check_equal(copied.to_vector(executor), items);

      buffer<std::int32_t> filled(executor, n);
      filled.copy_from(executor, items);
      std::vector<std::int32_t> out(items.size());
      filled.copy_to(executor, out);
      test::check_equal(out, items);
    });
  }
}

TEST_CASE("a buffer takes any contiguous range of host memory") {
  test::on_executors([](auto& executor) {
    const std::array<double, 3> items = {1, 2, 3};
    const buffer<double> from_array(executor, items);
    const buffer<double> from_span(executor, std::span<const double>(items).first(2));
    test::check_equal(from_array.to_vector(executor), {1, 2, 3});
    test::check_equal(from_span.to_vector(executor), {1, 2});
    const upsweep::buffer deduced(executor, items);
    test::check_equal(deduced.to_vector(executor), {1, 2, 3});
  });
}

TEST_CASE("a buffer moves, and what was moved from is empty") {
  test::on_executors([](auto& executor) {
    buffer<int> one(executor, std::vector{1, 2, 3});
    const int* memory = one.data();
    buffer<int> two(std::move(one));
    CHECK(two.data() == memory);
    CHECK(one.size() == 0);  // NOLINT(bugprone-use-after-move)
    CHECK(one.data() == nullptr);
    buffer<int> three(executor, std::vector{9});
    three = std::move(two);
    CHECK(three.data() == memory);
    test::check_equal(three.to_vector(executor), {1, 2, 3});
    auto& itself = three;
    three = std::move(itself);
    test::check_equal(three.to_vector(executor), {1, 2, 3});
    three = {};
    CHECK(three.size() == 0);
  });
  STATIC_REQUIRE_FALSE(std::is_copy_constructible_v<buffer<int>>);
}

TEST_CASE("a buffer outlives its executor") {
  test::on_executors([](auto& executor) {
    buffer<int> kept;
    {
      std::remove_cvref_t<decltype(executor)> another;
      kept = buffer<int>(another, std::vector{4, 5});
    }
    test::check_equal(kept.to_vector(executor), {4, 5});
  });
}

TEST_CASE("host buffers are aligned to cache lines") {
  upsweep::host executor(1);
  for (const index_t n : {1, 3, 1000}) {
    const buffer<char> items(executor, n);
    CHECK(reinterpret_cast<std::uintptr_t>(items.data()) % 64 == 0);
  }
}

TEST_CASE("a buffer refuses sizes that cannot be, and ranges of another size") {
  test::on_executors([](auto& executor) {
    CHECK(test::contains(test::message_of<std::invalid_argument>([&] { buffer<int>(executor, -1); }), "n is -1"));
    CHECK_THROWS_AS(buffer<std::int64_t>(executor, std::numeric_limits<index_t>::max()), std::bad_alloc);

    buffer<int> three(executor, std::vector{1, 2, 3});
    std::vector<int> two = {7, 8};
    CHECK(test::contains(test::message_of<std::invalid_argument>([&] { three.copy_from(executor, two); }),
                         "2 items, the buffer 3"));
    CHECK(test::contains(test::message_of<std::invalid_argument>([&] { three.copy_to(executor, two); }),
                         "2 items, the buffer 3"));
    test::check_equal(three.to_vector(executor), {1, 2, 3});
    CHECK(two == std::vector{7, 8});
  });
}

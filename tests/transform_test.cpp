// transform against a loop: sizes around every boundary, several ranges, indices, in place, bad input.
#include <cstdint>
#include <span>
#include <stdexcept>
#include <vector>

#include <upsweep/transform.hpp>

#include "support.hpp"

using test::guarded;
using test::shift_of;
using upsweep::index_t;

namespace {
struct difference {
  UPSWEEP_HD std::int64_t operator()(const upsweep::tuple<std::int32_t, std::uint8_t>& item) const {
    return std::int64_t{upsweep::get<0>(item)} - upsweep::get<1>(item);
  }
};
struct plus_index {
  UPSWEEP_HD std::uint32_t operator()(const upsweep::tuple<std::uint32_t, index_t>& item) const {
    return upsweep::get<0>(item) + static_cast<std::uint32_t>(upsweep::get<1>(item));
  }
};
}  // namespace

TEST_CASE("transform writes a function of each item, for sizes around every boundary") {
  for (const index_t n : test::few_sizes(8)) {
    const auto a = test::random_integers<std::int32_t>(n);
    const auto b = test::random_integers<std::uint8_t>(n, 0, 1);
    std::vector<std::int64_t> expected(a.size());
    for (std::size_t i = 0; i < a.size(); i++) expected[i] = std::int64_t{a[i]} - b[i];
    test::on_executors(n, [&](auto& executor) {
      guarded<std::int32_t> first(executor, a, shift_of(n));
      guarded<std::uint8_t> second(executor, b, shift_of(n, 1));
      guarded<std::int64_t> to(executor, n, shift_of(n, 2));
      upsweep::transform(executor, upsweep::contiguous(first.range(), second.range()), to.range(), difference{});
      test::check_equal(to.items(executor), expected);
    });
  }
}

TEST_CASE("transform knows where an item stands, and works in place") {
  const auto in = test::random_integers<std::uint32_t>(70'001);
  auto expected = in;
  for (std::size_t i = 0; i < in.size(); i++) expected[i] += static_cast<std::uint32_t>(i);
  test::on_executors([&](auto& executor) {
    guarded<std::uint32_t> items(executor, in, 3);
    upsweep::transform(executor, upsweep::contiguous(items.range(), upsweep::indices()), items.range(), plus_index{});
    test::check_equal(items.items(executor), expected);
  });
}

TEST_CASE("wrong arguments of transform are refused by name, before anything is written") {
  test::on_executors([](auto& executor) {
    guarded<std::uint32_t> from(executor, 9), to(executor, 10);
    const auto refused = [&](std::span<std::uint32_t> out) {
      const auto load = upsweep::contiguous(upsweep::detail::input("in", from.range()), upsweep::indices());
      auto message =
          test::message_of<std::invalid_argument>([&] { upsweep::transform(executor, load, out, plus_index{}); });
      CHECK(to.untouched_from(executor));
      return message;
    };
    CHECK(test::starts_with(refused(to.range()), "in has 9 items, needs 10"));
    CHECK(test::starts_with(refused({static_cast<std::uint32_t*>(nullptr), 3}), "out is a null pointer"));
  });
}

// for_each_index: every index once, whatever the size and the pieces; bad input.
#include <cstdint>
#include <stdexcept>
#include <vector>

#include <upsweep/for_each_index.hpp>

#include "support.hpp"

using test::guarded;
using upsweep::index_t;

namespace {
//! Adds, so that an index that comes twice shows.
struct add_twice_and_one {
  std::uint32_t* to;
  UPSWEEP_HD void operator()(index_t i) const { to[i] += static_cast<std::uint32_t>(2 * i + 1); }
};
}  // namespace

TEST_CASE("for_each_index calls with each index once, for sizes around every boundary and pieces of any length") {
  for (const index_t n : test::few_sizes(8)) {
    const auto before = test::random_integers<std::uint32_t>(n);
    auto expected = before;
    for (std::size_t i = 0; i < expected.size(); i++) expected[i] += static_cast<std::uint32_t>(2 * i + 1);
    test::on_executors(n, [&](auto& executor) {
      for (const index_t at_once : {index_t{1}, index_t{7}, index_t{1} << 16, index_t{1} << 40}) {
        guarded<std::uint32_t> items(executor, before, 1);
        upsweep::for_each_index(executor, n, add_twice_and_one{items.range().data()}, at_once);
        test::check_equal(items.items(executor), expected);
      }
    });
  }
}

TEST_CASE("for_each_index names what is wrong") {
  upsweep::host host;
  const add_twice_and_one none{nullptr};
  upsweep::for_each_index(host, 0, none);
  CHECK_THROWS_WITH(upsweep::for_each_index(host, -1, none), "n is -1, must not be negative");
  CHECK_THROWS_WITH(upsweep::for_each_index(host, 1, none, 0), "at_once is 0, must be positive");
}

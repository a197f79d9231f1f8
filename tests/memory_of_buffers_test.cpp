// A resource's memory in buffers and matrices that move, outlive their executor or cannot be made.
#include <cstdint>
#include <limits>
#include <new>
#include <type_traits>
#include <utility>
#include <vector>

#include <upsweep/buffer.hpp>
#include <upsweep/csr_build.hpp>
#include <upsweep/quicksort.hpp>
#include <upsweep/radix_sort.hpp>

#include "memory_support.hpp"
#include "support.hpp"

using test::counting_resource;
using test::exhausted;
using test::on_resources;
using upsweep::buffer;
using upsweep::index_t;

namespace {
constexpr index_t n = 1'500'007;  // 6 MB of keys: sorts by buckets
}  // namespace

TEST_CASE("a buffer that cannot be made throws what the resource throws; an empty one takes nothing") {
  on_resources([](counting_resource& memory, const auto& make) {
    auto executor = make();
    const int before = memory.taken();
    const buffer<int> empty(executor, 0);
    CHECK(memory.taken() == before);
    memory.fail_at(1);
    CHECK_THROWS_AS(buffer<int>(executor, 10), exhausted);
    const buffer<int> made(executor, std::vector{1, 2, 3});
    test::check_equal(made.to_vector(executor), {1, 2, 3});
    CHECK(memory.taken() == before + 1);
    CHECK(memory.bytes() >= 3 * sizeof(int));
  });
}

TEST_CASE("a matrix that is built by a resource that fails leaves nothing behind") {
  on_resources([](counting_resource& memory, const auto& make) {
    const std::vector<std::int32_t> rows = {2, 0, 1, 2}, columns = {1, 0, 1, 1};
    const std::vector<float> values = {1, 2, 3, 4};
    std::remove_cvref_t<decltype(make())> reader;
    const buffer<std::int32_t> r(reader, rows), c(reader, columns);
    const buffer<float> v(reader, values);
    bool failed = true;
    for (int call = 1; failed; call++) {
      REQUIRE(call < 50);
      auto executor = make();
      memory.fail_at(call);
      failed = false;
      try {
        const auto a = upsweep::coo_to_csr(executor, 3, 2, r, c, v);
        test::check_equal(a.values.to_vector(executor), {2, 3, 5});
      } catch (const exhausted&) {
        failed = true;
      }
      memory.fail_at(0);
    }
    CHECK(memory.blocks() == 0);
  });
}

TEST_CASE("buffers outlive their executor and move: they go back to the resource that they came from") {
  on_resources([](counting_resource& memory, const auto& make) {
    std::remove_cvref_t<decltype(make())> reader;
    buffer<int> kept(reader, std::vector{9});
    {
      auto executor = make();
      buffer<int> other(executor, std::vector{4, 5});
      std::swap(kept, other);
      const buffer<int> third(std::move(other));
      test::check_equal(third.to_vector(reader), {9});
      auto moved = std::move(executor);
      upsweep::quicksort(moved, kept);
    }
    test::check_equal(kept.to_vector(reader), {4, 5});
    CHECK(memory.blocks() == 1);
    kept = {};
    CHECK(memory.blocks() == 0);
  });
}

TEST_CASE("an executor chosen at run time keeps its resource") {
  on_resources([](counting_resource& memory, const auto& make) {
    upsweep::any_executor executor(make());
    buffer<std::uint32_t> items(executor, test::random_integers<std::uint32_t>(n));
    CHECK(memory.bytes() >= sizeof(std::uint32_t) * n);
    upsweep::radix_sort(executor, items);
    CHECK(memory.bytes() >= 2 * sizeof(std::uint32_t) * n);
    executor = upsweep::any_executor(upsweep::host(1));
    items = {};
    CHECK(memory.blocks() == 0);
  });
}

#if !defined(__SANITIZE_ADDRESS__)  // which ends the program where operator new would throw
TEST_CASE("a host without a resource of its own fails with std::bad_alloc") {
  test::on_host(2, [](auto& executor) {
    CHECK_THROWS_AS(buffer<char>(executor, std::numeric_limits<index_t>::max() / 4), std::bad_alloc);
    CHECK_THROWS_AS(executor.scratch(std::size_t{1} << 61), std::bad_alloc);
    CHECK(executor.scratch(100) != nullptr);
  });
}
#endif

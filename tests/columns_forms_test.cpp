// Columns of other kinds: unique rows, columns in no memory or of another type, all that may name outputs.
#include <cstdint>
#include <span>
#include <tuple>
#include <vector>

#include <upsweep/compaction.hpp>
#include <upsweep/partition.hpp>

#include "oracle.hpp"
#include "support.hpp"

using test::check_equal;
using test::guarded;
using test::shift_of;
using upsweep::contiguous;
using upsweep::index_t;
using upsweep::tuple;

// ---------------------------------------------------------------- unique rows
namespace {
struct same_tens {  // rows whose ids differ in their last digit at most
  UPSWEEP_HD bool operator()(const tuple<std::int64_t, std::uint8_t>& a,
                             const tuple<std::int64_t, std::uint8_t>& b) const {
    return get<0>(a) / 10 == get<0>(b) / 10;
  }
};
}  // namespace

TEST_CASE("unique_copy of columns keeps a row that differs from the one before it in any of them, or as you say") {
  for (const index_t n : test::few_sizes(24)) {
    std::int64_t id = 0;
    const auto ids = test::generate(n, [&](test::generator& random) {
      if (random.below(3) == 0) id = static_cast<std::int64_t>(random.below(40));
      return id;
    });
    const auto bytes = test::random_integers<std::uint8_t>(n, 2, 3);
    const auto is_first = [&](std::size_t i) { return i == 0 || ids[i - 1] != ids[i] || bytes[i - 1] != bytes[i]; };
    const auto has_new_tens = [&](std::size_t i) { return i == 0 || ids[i - 1] / 10 != ids[i] / 10; };
    const auto check = [&](const auto& is_kept, const auto& unique) {
      const auto kept_ids = oracle::compact(ids, is_kept);
      const auto kept_bytes = oracle::compact(bytes, is_kept);
      test::on_executors(n, [&](auto& executor) {
        guarded<std::int64_t> a(executor, ids, shift_of(n)), to_a(executor, n, shift_of(n, 1));
        guarded<std::uint8_t> b(executor, bytes, shift_of(n, 2)), to_b(executor, n, shift_of(n, 3));
        const index_t count =
            unique(executor, contiguous(a.range(), b.range()), std::tuple(to_a.range(), to_b.range()));
        REQUIRE(count == oracle::size(kept_ids));
        check_equal(to_a.items(executor, count), kept_ids);
        check_equal(to_b.items(executor, count), kept_bytes);
        unique(executor, contiguous(a.range(), b.range()), std::tuple(a.range(), b.range()));  // in place
        auto in_place = b.items(executor);
        in_place.resize(kept_bytes.size());
        check_equal(in_place, kept_bytes);
      });
    };
    check(is_first,
          [](auto& executor, const auto& in, const auto& out) { return upsweep::unique_copy(executor, in, out); });
    check(has_new_tens, [](auto& executor, const auto& in, const auto& out) {
      guarded<index_t> count(executor, 1);
      upsweep::unique_copy(executor, in, out, same_tens{}, count.data());
      return count.items(executor)[0];
    });
  }
}

// ---------------------------------------------------------------- columns that are not in memory, other types
namespace {
struct rises {
  template <class T>
  UPSWEEP_HD bool operator()(const tuple<upsweep::neighbours<T>, index_t>& row) const {
    const auto& change = get<0>(row);
    return !change.first && change.previous < change.value;
  }
};
}  // namespace

TEST_CASE("columns may be indices and neighbours, and change their type on the way") {
  for (const index_t n : test::few_sizes(16)) {
    const auto in = test::random_integers<std::int32_t>(n, 1000);
    const auto is_rise = [&](std::size_t i) { return i > 0 && in[i - 1] < in[i]; };
    const auto wide = oracle::compact(std::vector<std::int64_t>(in.begin(), in.end()), is_rise);
    std::vector<std::uint32_t> places;
    for (std::size_t i = 0; i < in.size(); i++)
      if (is_rise(i)) places.push_back(static_cast<std::uint32_t>(i));
    test::on_executors(n, [&](auto& executor) {
      guarded<std::int32_t> from(executor, in, shift_of(n));
      guarded<std::int64_t> values(executor, n, shift_of(n, 1));
      guarded<std::uint32_t> indices(executor, n, shift_of(n, 2));
      const index_t count =
          upsweep::copy_if(executor, contiguous(upsweep::with_previous(from.range()), upsweep::indices()),
                           std::tuple(values.range(), indices.range()), rises{});
      REQUIRE(count == oracle::size(wide));
      check_equal(values.items(executor, count), wide);
      check_equal(indices.items(executor, count), places);
    });
  }
}

TEST_CASE("outputs are tied vectors, tuples of spans, or one range in a tuple") {
  test::on_hosts([](auto& executor) {
    const std::vector<std::int64_t> ids = {4, 7, 9};
    const std::vector<float> weights = {1, 3, 2};
    std::vector<std::int64_t> ids_out(3);
    std::vector<float> weights_out(3);
    const auto is_heavy_pair = [](const tuple<std::int64_t, float>& row) {
      const auto& [id, weight] = row;
      return weight > 1;
    };
    CHECK(upsweep::copy_if(executor, contiguous(ids, weights), std::tie(ids_out, weights_out), is_heavy_pair) == 2);
    CHECK(ids_out == std::vector<std::int64_t>{7, 9, 0});
    CHECK(weights_out == std::vector<float>{3, 2, 0});
    const auto spans = upsweep::make_tuple(std::span(ids_out), std::span(weights_out));
    CHECK(upsweep::stable_partition_copy(executor, contiguous(ids, weights), spans, is_heavy_pair) == 2);
    CHECK(ids_out == std::vector<std::int64_t>{7, 9, 4});
    CHECK(upsweep::copy_if(executor, ids, std::tie(ids_out), [](std::int64_t id) { return id > 8; }) == 1);
    CHECK(ids_out == std::vector<std::int64_t>{9, 9, 4});
    CHECK(upsweep::copy_if(executor, contiguous(ids), ids_out, [](std::int64_t id) { return id == 7; }) == 1);
    CHECK(ids_out == std::vector<std::int64_t>{7, 9, 4});
  });
}

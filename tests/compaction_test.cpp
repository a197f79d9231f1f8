// Compaction against the oracle: kept shares from none to all, in place, misaligned, counts on either side.
#include <cstdint>
#include <limits>
#include <vector>

#include <upsweep/compaction.hpp>

#include "oracle.hpp"
#include "support.hpp"
#include "values.hpp"
#include "vector_widths.hpp"

using test::check_equal;
using test::guarded;
using test::shift_of;
using upsweep::index_t;

namespace {
struct is_below {
  std::uint32_t bound;
  UPSWEEP_HD bool operator()(std::uint32_t x) const { return x < bound; }
};
// Shares of random 32-bit values.
constexpr is_below keep_none{0}, keep_tenth{429'496'730}, keep_half{2'147'483'648}, keep_most{3'865'470'566},
    keep_all{~0u};

struct wide_is_odd {
  template <class Interval>
  UPSWEEP_HD bool operator()(const Interval& item) const {
    return (item.word[0] * 0x9E3779B1u) >> 31;
  }
};
struct byte_is_small {
  UPSWEEP_HD bool operator()(std::uint8_t x) const { return x < 77; }
};

// Runs of about three equal values.
template <class T>
std::vector<T> with_runs(index_t n) {
  T value = 0;
  return test::generate(n, [&](test::generator& random) {
    if (random.below(3) == 0) value = static_cast<T>(random.below(5));
    return value;
  });
}
// By their absolute value.
struct same_magnitude {
  UPSWEEP_HD bool operator()(std::int32_t a, std::int32_t b) const { return a * a == b * b; }
};
// Runs of values of either sign.
std::vector<std::int32_t> with_signed_runs(index_t n) {
  auto items = with_runs<std::int32_t>(n);
  for (std::size_t i = 0; i < items.size(); i++)
    if ((i * 0x9E3779B1u >> 13 & 1) != 0) items[i] = -items[i];
  return items;
}
template <class T>
std::vector<T> magnitudes(std::vector<T> items) {
  for (auto& x : items) x = x < 0 ? -x : x;
  return items;
}
// Flags: any nonzero byte counts.
std::vector<std::uint8_t> random_flags(index_t n) {
  return test::generate(
      n, [](test::generator& random) { return static_cast<std::uint8_t>(random.below(2) ? 1 + random.below(255) : 0); },
      5);
}
}  // namespace

TEST_CASE("copy_if keeps what the predicate keeps, in order, for sizes around every boundary") {
  for (const index_t n : test::sizes()) {
    const auto in = test::random_integers<std::uint32_t>(n);
    const auto expected = oracle::copy_if(in, keep_half);
    test::on_executors(n, [&](auto& executor) {
      guarded<std::uint32_t> from(executor, in, shift_of(n)), to(executor, n, shift_of(n, 1));
      const index_t count = upsweep::copy_if(executor, from.range(), to.range(), keep_half);
      REQUIRE(count == oracle::size(expected));
      check_equal(to.items(executor, count), expected);
      check_equal(from.items(executor), in);
    });
  }
}

TEST_CASE("copy_if keeps any share") {
  for (const index_t n : test::few_sizes()) {
    const auto in = test::random_integers<std::uint32_t>(n);
    for (const is_below keep : {keep_none, keep_tenth, keep_most, keep_all}) {
      if (n > test::largest_on_hosts && keep.bound != keep_tenth.bound) continue;
      const auto expected = oracle::copy_if(in, keep);
      test::on_executors(n, [&](auto& executor) {
        guarded<std::uint32_t> from(executor, in, shift_of(n)), to(executor, n, shift_of(n, 3));
        const index_t count = upsweep::copy_if(executor, from.range(), to.range(), keep);
        REQUIRE(count == oracle::size(expected));
        check_equal(to.items(executor, count), expected);
      });
    }
  }
}

TEST_CASE("copy_if works in place and leaves its count in the executor's memory") {
  for (const index_t n : test::few_sizes()) {
    const auto in = test::random_integers<std::uint32_t>(n);
    for (const is_below keep : {keep_tenth, keep_most, keep_all}) {
      if (n > test::largest_on_hosts && keep.bound != keep_most.bound) continue;
      const auto expected = oracle::copy_if(in, keep);
      test::on_executors(n, [&](auto& executor) {
        guarded<std::uint32_t> items(executor, in, shift_of(n));
        guarded<index_t> count(executor, 1);
        upsweep::copy_if(executor, items.range(), items.range(), keep, count.data());
        check_equal(count.items(executor), {oracle::size(expected)});
        auto kept = items.items(executor);
        kept.resize(expected.size());
        check_equal(kept, expected);
      });
    }
  }
}

TEST_CASE("copy_if moves items of any size") {
  const auto check = [](const auto& make_items, const auto& keep) {
    using T = typename decltype(make_items(1))::value_type;
    for (const index_t n : test::few_sizes(sizeof(T))) {
      const std::vector<T> in = make_items(n);
      const auto expected = oracle::copy_if(in, keep);
      test::on_executors(n, [&](auto& executor) {
        guarded<T> from(executor, in, shift_of(n)), to(executor, n, shift_of(n, 1));
        const index_t count = upsweep::copy_if(executor, from.range(), to.range(), keep);
        REQUIRE(count == oracle::size(expected));
        check_equal(to.items(executor, count), expected);
      });
    }
  };
  check([](index_t n) { return test::random_integers<std::uint8_t>(n); }, byte_is_small{});
  check(test::unit_intervals<test::interval<12>>, wide_is_odd{});
  check(test::unit_intervals<test::interval<160, 16>>, wide_is_odd{});
}

namespace {
constexpr index_t ends_of_runs[] = {1, 3, 4, 7, 8, 9, 15, 16, 17, 31, 33, 4095, 4096, 4097, 4100, 8200, 70'001};

//! Items of a type, by flags, on a host with vectors of each width that the processor has.
template <class T>
void check_with_any_vectors(const std::vector<T>& items, const std::vector<std::uint8_t>& flags) {
  const auto expected = oracle::copy_flagged(items, flags);
  test::with_any_vectors([&] {
    INFO(items.size() << " items of " << sizeof(T) << " bytes");
    upsweep::host executor(1);
    guarded<T> from(executor, items), to(executor, static_cast<index_t>(items.size()));
    guarded<std::uint8_t> marks(executor, flags);
    const index_t count = upsweep::copy_flagged(executor, from.range(), marks.range(), to.range());
    REQUIRE(count == oracle::size(expected));
    check_equal(to.items(executor, count), expected);
  });
}
//! Runs of keys of a type, that they are one after the other, and how long.
template <class T, class Length>
void check_runs_with_any_vectors(const std::vector<T>& items) {
  const auto n = static_cast<index_t>(items.size());
  const auto [values, lengths] = oracle::run_length_encode<Length>(items);
  const auto firsts = oracle::unique_copy(items);
  test::with_any_vectors([&, &expected_values = values, &expected_lengths = lengths] {
    INFO(n << " items of " << sizeof(T) << " bytes");
    upsweep::host executor(1);
    guarded<T> from(executor, items), to(executor, n);
    guarded<Length> lengths_out(executor, n);
    const index_t kept = upsweep::unique_copy(executor, from.range(), to.range());
    REQUIRE(kept == oracle::size(firsts));
    check_equal(to.items(executor, kept), firsts);
    const index_t runs = upsweep::run_length_encode(executor, from.range(), from.range(), lengths_out.range());
    REQUIRE(runs == kept);
    check_equal(lengths_out.items(executor, runs), expected_lengths);
    auto in_place = from.items(executor);
    in_place.resize(expected_values.size());
    check_equal(in_place, expected_values);
  });
}
struct wide_key {
  std::uint64_t high, low;
  friend bool operator==(const wide_key&, const wide_key&) = default;
};
}  // namespace
TEST_CASE("compaction is the same with vectors of any width, for any end of a run") {
  for (const index_t n : ends_of_runs) {
    const auto words = test::random_integers<std::uint32_t>(n);
    std::vector<std::uint8_t> flags(words.size());
    for (const int share : {0, 10, 50, 90, 100}) {
      for (std::size_t i = 0; i < flags.size(); i++) flags[i] = words[i] % 100 < static_cast<unsigned>(share) ? 1 : 0;
      check_with_any_vectors(words, flags);
      check_with_any_vectors(test::random_integers<std::uint64_t>(n), flags);
      check_with_any_vectors(test::random_integers<std::uint16_t>(n), flags);
      check_with_any_vectors(test::random_integers<std::uint8_t>(n), flags);
      check_with_any_vectors(test::unit_intervals<test::interval<12>>(n), flags);
      check_with_any_vectors(test::unit_intervals<test::interval<16>>(n), flags);
    }
  }
}
TEST_CASE("runs are the same with vectors of any width, for any end of a run") {
  for (const index_t n : ends_of_runs)
    for (const std::uint64_t length : {1, 2, 20, 5000}) {
      std::uint64_t key = 0;
      const auto keys = test::generate(n, [&](test::generator& random) { return key += random.below(length) == 0; });
      const auto keys_of = [&](auto make) {
        std::vector<decltype(make(key))> all;
        for (const auto k : keys) all.push_back(make(k));
        return all;
      };
      check_runs_with_any_vectors<std::uint8_t, std::int64_t>(
          keys_of([](std::uint64_t k) { return static_cast<std::uint8_t>(k % 3); }));
      check_runs_with_any_vectors<std::uint16_t, std::uint16_t>(
          keys_of([](std::uint64_t k) { return static_cast<std::uint16_t>(k); }));
      check_runs_with_any_vectors<std::uint32_t, int>(
          keys_of([](std::uint64_t k) { return static_cast<std::uint32_t>(k); }));
      check_runs_with_any_vectors<std::uint64_t, double>(keys);
      check_runs_with_any_vectors<wide_key, std::int64_t>(keys_of([](std::uint64_t k) { return wide_key{k / 2, k}; }));
      check_runs_with_any_vectors<test::interval<20>, std::uint8_t>(keys_of([](std::uint64_t k) {
        return test::interval<20>::of(static_cast<std::uint32_t>(k), static_cast<std::uint32_t>(k) + 1);
      }));
    }
}

TEST_CASE("copy_flagged keeps the items whose flag is not zero") {
  for (const index_t n : test::few_sizes()) {
    const auto in = test::random_integers<std::uint32_t>(n);
    const auto flags = random_flags(n);
    const auto expected = oracle::copy_flagged(in, flags);
    test::on_executors(n, [&](auto& executor) {
      guarded<std::uint32_t> items(executor, in, shift_of(n)), to(executor, n, shift_of(n, 1));
      guarded<std::uint8_t> marks(executor, flags, shift_of(n, 2));
      guarded<index_t> count(executor, 1);
      const index_t kept = upsweep::copy_flagged(executor, items.range(), marks.range(), to.range());
      REQUIRE(kept == oracle::size(expected));
      check_equal(to.items(executor, kept), expected);
      upsweep::copy_flagged(executor, items.range(), marks.range(), items.range(), count.data());  // in place
      check_equal(count.items(executor), {kept});
      auto in_place = items.items(executor);
      in_place.resize(expected.size());
      check_equal(in_place, expected);
    });
  }
}

TEST_CASE("nonzero writes positions") {
  for (const index_t n : test::few_sizes(8)) {
    const auto flags = random_flags(n);
    const auto wide = oracle::nonzero<std::int64_t>(flags);
    test::on_executors(n, [&](auto& executor) {
      guarded<std::uint8_t> marks(executor, flags, shift_of(n));
      guarded<std::int64_t> indices(executor, n, shift_of(n, 1));
      const index_t count = upsweep::nonzero(executor, marks.range(), indices.range());
      REQUIRE(count == oracle::size(wide));
      check_equal(indices.items(executor, count), wide);
    });
  }
  test::on_hosts([](auto& executor) {
    std::vector<std::uint32_t> indices(4, 9);
    index_t count = -1;
    upsweep::nonzero(executor, std::vector{0, 7, 0, -1}, indices, &count);
    CHECK(count == 2);
    CHECK(indices == std::vector<std::uint32_t>{1, 3, 9, 9});
  });
}

TEST_CASE("unique_copy keeps the first of every run, also in place") {
  for (const index_t n : test::few_sizes()) {
    const auto in = with_runs<std::int32_t>(n);
    const auto expected = oracle::unique_copy(in);
    test::on_executors(n, [&](auto& executor) {
      guarded<std::int32_t> items(executor, in, shift_of(n)), to(executor, n, shift_of(n, 1));
      guarded<index_t> count(executor, 1);
      const index_t kept = upsweep::unique_copy(executor, items.range(), to.range());
      REQUIRE(kept == oracle::size(expected));
      check_equal(to.items(executor, kept), expected);
      upsweep::unique_copy(executor, items.range(), items.range(), count.data());
      check_equal(count.items(executor), {kept});
      auto in_place = items.items(executor);
      in_place.resize(expected.size());
      check_equal(in_place, expected);
    });
  }
}

TEST_CASE("run_length_encode gives every run's value and length") {
  for (const index_t n : test::few_sizes(8)) {
    for (const bool one_run : {false, true}) {
      const auto in = one_run ? std::vector<std::uint8_t>(oracle::at(n), 4) : with_runs<std::uint8_t>(n);
      const auto encoded = oracle::run_length_encode<std::int64_t>(in);
      const auto& values = encoded.first;
      const auto& lengths = encoded.second;
      test::on_executors(n, [&](auto& executor) {
        guarded<std::uint8_t> items(executor, in, shift_of(n)), values_out(executor, n, shift_of(n, 1));
        guarded<std::int64_t> lengths_out(executor, n, shift_of(n, 2));
        const index_t runs =
            upsweep::run_length_encode(executor, items.range(), values_out.range(), lengths_out.range());
        REQUIRE(runs == oracle::size(values));
        check_equal(values_out.items(executor, runs), values);
        check_equal(lengths_out.items(executor, runs), lengths);

        guarded<index_t> count(executor, 1);
        upsweep::run_length_encode(executor, items.range(), items.range(), lengths_out.range(),
                                   count.data());  // in place
        check_equal(count.items(executor), {runs});
        auto in_place = items.items(executor);
        in_place.resize(values.size());
        check_equal(in_place, values);
      });
    }
  }
}

// A row an item is more than a device stages at once; where all are kept, rows come to lie over the last item of a
// warp.
TEST_CASE("runs may be of one item each, and longer than a tile") {
  if (test::without_executors()) return;
  for (const index_t n : {index_t{300'007}, index_t{4'198'403}}) {
    for (const index_t length : {1, 2, 5, 6000}) {
      std::vector<std::int32_t> in(oracle::at(n));
      for (std::size_t i = 0; i < in.size(); i++)
        in[i] = static_cast<std::int32_t>(i / static_cast<std::size_t>(length));
      const auto encoded = oracle::run_length_encode<std::int32_t>(in);
      const auto& values = encoded.first;
      const auto& lengths = encoded.second;
      INFO("runs of " << length);
      test::on_executors(n, [&](auto& executor) {
        guarded<std::int32_t> items(executor, in, shift_of(length)), values_out(executor, n, shift_of(length, 1)),
            lengths_out(executor, n, shift_of(length, 2));
        const index_t kept = upsweep::unique_copy(executor, items.range(), values_out.range());
        REQUIRE(kept == oracle::size(values));
        check_equal(values_out.items(executor, kept), values);
        const index_t runs =
            upsweep::run_length_encode(executor, items.range(), items.range(), lengths_out.range());  // in place
        REQUIRE(runs == kept);
        check_equal(lengths_out.items(executor, runs), lengths);
        auto in_place = items.items(executor);
        in_place.resize(values.size());
        check_equal(in_place, values);
      });
    }
  }
}

TEST_CASE("unique_copy and run_length_encode take an equality of yours") {
  for (const index_t n : test::few_sizes(8)) {
    const auto in = with_signed_runs(n);
    const auto [runs_of, lengths] = oracle::run_length_encode<std::int32_t>(magnitudes(in));
    const auto firsts =
        oracle::compact(in, [&](std::size_t i) { return i == 0 || !same_magnitude{}(in[i - 1], in[i]); });
    const auto lasts =
        oracle::compact(in, [&](std::size_t i) { return i + 1 == in.size() || !same_magnitude{}(in[i], in[i + 1]); });
    test::on_executors(n, [&, &expected_lengths = lengths](auto& executor) {
      guarded<std::int32_t> items(executor, in, shift_of(n)), to(executor, n, shift_of(n, 1)),
          values(executor, n, shift_of(n, 2)), lengths_out(executor, n, shift_of(n, 3));
      guarded<index_t> count(executor, 1);
      const index_t kept = upsweep::unique_copy(executor, items.range(), to.range(), same_magnitude{});
      REQUIRE(kept == oracle::size(firsts));
      check_equal(to.items(executor, kept), firsts);
      const index_t runs =
          upsweep::run_length_encode(executor, items.range(), values.range(), lengths_out.range(), same_magnitude{});
      REQUIRE(runs == kept);
      check_equal(values.items(executor, runs), lasts);
      check_equal(lengths_out.items(executor, runs), expected_lengths);
      upsweep::run_length_encode(executor, items.range(), values.range(), lengths_out.range(), same_magnitude{},
                                 count.data());
      check_equal(count.items(executor), {runs});
      upsweep::unique_copy(executor, items.range(), items.range(), same_magnitude{}, count.data());  // in place
      check_equal(count.items(executor), {kept});
      auto in_place = items.items(executor);
      in_place.resize(firsts.size());
      check_equal(in_place, firsts);
    });
  }
}

TEST_CASE("floats are equal as == says: zeros are, NaNs are not") {
  test::on_hosts([](auto& executor) {
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const std::vector<float> in = {0.f, -0.f, nan, nan, 1.f, 1.f};
    std::vector<float> out(6);
    CHECK(upsweep::unique_copy(executor, in, out) == 4);
    CHECK(out[0] == 0.f);
    CHECK(out[3] == 1.f);
  });
}

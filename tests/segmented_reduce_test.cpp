// Reductions of segments between offsets.
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <limits>
#include <span>
#include <vector>

#include <upsweep/reduce.hpp>

#include "oracle.hpp"
#include "ragged.hpp"
#include "support.hpp"
#include "values.hpp"

using test::check_equal;
using test::compose32;
using test::guarded;
using test::map32;
using test::shift_of;
using upsweep::index_t;

namespace {
// Numbers whose sums round.
template <class T>
std::vector<T> fractions(index_t n) {
  std::vector<T> in(oracle::at(n));
  for (std::size_t i = 0; i < in.size(); i++) in[i] = 1 / static_cast<T>(1 + i * 7919 % 10'007);
  return in;
}
// Offsets of segments of random lengths: empty ones, short ones, one that holds half of the items.
std::vector<std::int32_t> random_offsets(index_t n, index_t segments) {
  auto offsets = test::random_integers<std::int32_t>(segments + 1, static_cast<std::uint64_t>(n) + 1);
  for (auto& offset : offsets)
    if (offset < n / 2) offset /= 1 + n / 100;  // crowds at the start
  offsets.front() = 0;
  offsets.back() = static_cast<std::int32_t>(n);
  std::sort(offsets.begin(), offsets.end());
  return offsets;
}
}  // namespace

TEST_CASE("segmented_reduce gives every segment's sum, the identity for an empty one") {
  for (const index_t n : test::few_sizes(sizeof(map32))) {
    const auto in = test::random_maps(n);
    for (const index_t segments : {index_t{0}, index_t{1}, index_t{5}, n / 10, 2 * n + 3}) {
      if ((segments == 0 && n > 0) || (n > test::largest_on_hosts && segments != n / 10)) continue;
      const auto offsets = segments ? random_offsets(n, segments) : std::vector<std::int32_t>{0};
      const auto expected = oracle::segmented_reduce(in, offsets, compose32{});
      INFO(segments << " segments");
      test::on_executors(n, [&](auto& executor) {
        guarded<map32> from(executor, in, shift_of(n)), to(executor, segments, shift_of(n, 1));
        guarded<std::int32_t> bounds(executor, offsets, shift_of(n, 2));
        upsweep::segmented_reduce(executor, from.range(), bounds.range(), to.range(), compose32{});
        check_equal(to.items(executor), expected);
      });
    }
  }
}

TEST_CASE("segmented_reduce folds a long segment as reduce would, on any number of threads") {
  const index_t n = 900'001;
  const auto in = fractions<float>(n);
  const std::vector<std::int64_t> offsets = {0, 3, 500'003, 500'003, 500'900, n};
  std::vector<float> expected;
  upsweep::host alone(1);
  for (std::size_t s = 0; s + 1 < offsets.size(); s++) {
    const std::span<const float> segment(in.data() + offsets[s], oracle::at(offsets[s + 1] - offsets[s]));
    expected.push_back(upsweep::reduce(alone, segment));
  }
  test::on_hosts([&](auto& executor) {
    std::vector<float> out(expected.size(), -1.f);
    upsweep::segmented_reduce(executor, in, offsets, out);
    CHECK(out == expected);
  });
}

namespace {
// A fifth of the segments are empty, and some giants have nearly all of the items.
void check_giants(index_t n, index_t giant, std::initializer_list<index_t> numbers) {
  const auto in = test::random_maps(n);
  for (const index_t segments : numbers) {
    std::vector<std::int64_t> offsets = {0};
    for (index_t s = 0; s < segments; s++) {
      const bool is_giant = s == 0 || s == 7 || s == 8 || s == segments / 2 || s == segments - 1;
      offsets.push_back(std::min(n, offsets.back() + (is_giant ? giant : s % 5 == 0 ? 0 : n / 15 / segments)));
    }
    const auto expected = oracle::segmented_reduce(in, offsets, compose32{});
    INFO(n << " items, " << segments << " segments");
    test::on_executors([&](auto& executor) {
      guarded<map32> from(executor, in, 1), to(executor, segments);
      guarded<std::int64_t> bounds(executor, offsets);
      for (int repeat = 0; repeat < 2; repeat++) {  // the first leaves the workspace as the second finds it
        upsweep::segmented_reduce(executor, from.range(), bounds.range(), to.range(), compose32{});
        check_equal(to.items(executor), expected);
      }
    });
  }
}
}  // namespace

TEST_CASE("segmented_reduce folds giants among few short segments, wherever they stand") {
  check_giants(131'000, 20'001, {40, 700, 3'000});
  check_giants(1'100'000, 200'003, {300, 1'600, 6'000});  // by a CTA and by a warp each, giants by longer pieces
}
TEST_CASE("segmented_reduce takes a warp or a CTA for each of few segments, by their number") {
  for (const index_t segments : {1'535, 1'536, 2'049}) {
    const index_t n = segments * 700;
    const auto in = test::random_maps(n);
    std::vector<std::int64_t> offsets(oracle::at(segments + 1), 0);
    for (index_t s = 1; s < segments; s++)
      offsets[oracle::at(s)] = s * 700 - s % 7 * (s % 11) * 30;  // up to 2,500 long
    offsets.back() = n;
    std::sort(offsets.begin(), offsets.end());
    const auto expected = oracle::segmented_reduce(in, offsets, compose32{});
    INFO(segments << " segments");
    test::on_executors([&](auto& executor) {
      guarded<map32> from(executor, in, 1), to(executor, segments);
      guarded<std::int64_t> bounds(executor, offsets);
      upsweep::segmented_reduce(executor, from.range(), bounds.range(), to.range(), compose32{});
      check_equal(to.items(executor), expected);
    });
  }
}

TEST_CASE("segmented_reduce leaves items before the first and behind the last offset out") {
  const std::vector<int> in = {1, 2, 4, 8, 16, 32};
  test::on_executors([&](auto& executor) {
    guarded<int> from(executor, in), to(executor, 3);
    guarded<std::int64_t> bounds(executor, std::vector<std::int64_t>{1, 3, 3, 5}), zeros(executor, {0, 0, 0, 0});
    upsweep::segmented_reduce(executor, from.range(), bounds.range(), to.range());
    check_equal(to.items(executor), {6, 0, 24});
    upsweep::segmented_reduce(executor, from.first(0), zeros.range(), to.range(), upsweep::multiplies<int>{});
    check_equal(to.items(executor), {1, 1, 1});
  });
}

namespace {
// Segments of any lengths and a crowd of empty ones, reduced by M: one result wherever the items lie.
template <class M, class T>
void check_segments_of(const std::vector<T>& in) {
  using V = typename M::value_type;
  const index_t n = oracle::size(in);
  auto offsets = test::ragged_offsets<std::int32_t>(n, 30);
  const auto third = offsets.begin() + static_cast<std::ptrdiff_t>(offsets.size() / 3);
  offsets.insert(third, n > 50'000 ? 10'000 : 5'000, *third);  // more than a GPU takes one by one, and fewer
  const auto expected = oracle::segmented_reduce(in, offsets, M{});
  INFO("items of " << sizeof(T) << " bytes, sums of " << sizeof(V));
  test::on_executors(n, [&](auto& executor) {
    for (const index_t shift : {0, 1, 3}) {
      guarded<T> from(executor, in, shift);
      guarded<V> to(executor, oracle::size(expected), shift);
      guarded<std::int32_t> bounds(executor, offsets, shift);
      upsweep::segmented_reduce(executor, from.range(), bounds.range(), to.range(), M{});
      check_equal(to.items(executor), expected);
    }
  });
}
}  // namespace

TEST_CASE("segmented_reduce takes items and values of any size, wherever they lie") {
  for (const index_t n : {1'000, 70'001}) {
    const auto bytes = test::random_integers<std::int8_t>(n);
    check_segments_of<upsweep::plus<std::int64_t>>(bytes);
    check_segments_of<upsweep::plus<std::int16_t>>(std::vector<std::int16_t>(bytes.begin(), bytes.end()));
    check_segments_of<upsweep::plus<double>>(std::vector<float>(bytes.begin(), bytes.end()));
    check_segments_of<upsweep::maximum<double>>(std::vector<double>(bytes.begin(), bytes.end()));
    std::vector<test::triangle> triangles;
    std::vector<test::string_hash> hashes;
    std::vector<test::bounded_string> strings;
    for (const std::int8_t byte : bytes) {
      const auto x = static_cast<std::uint8_t>(byte);
      triangles.push_back({static_cast<std::uint8_t>(x | 1), x, static_cast<std::uint8_t>(x / 3 | 1)});
      hashes.push_back({x, 0x9E3779B97F4A7C15u});
      strings.push_back(test::character(static_cast<char>('a' + x % 26)));
    }
    check_segments_of<test::multiply_triangles>(triangles);
    check_segments_of<test::concatenate_hashes>(hashes);
    check_segments_of<test::concatenate>(strings);
  }
}

namespace {
// The same of either sign, and among them one that is no number.
template <class T>
std::vector<T> rounding_items(index_t n) {
  auto in = fractions<T>(n);
  for (std::size_t i = 0; i < in.size(); i += 3) in[i] = -in[i];
  in[oracle::at(n / 2)] = std::numeric_limits<T>::quiet_NaN();
  return in;
}
// Of at most 128 items each, which a host folds left to right: the bits of a plain loop.
template <class M, class T>
void check_short_segments(const std::vector<T>& in, index_t longest) {
  std::vector<std::int32_t> offsets = {0};
  for (std::uint32_t s = 0; offsets.back() < oracle::size(in); s++) {
    const auto length = static_cast<index_t>(s * 2654435761u >> 16) % (longest + 1);
    offsets.push_back(static_cast<std::int32_t>(std::min(oracle::size(in), offsets.back() + length)));
  }
  const auto expected = oracle::segmented_reduce(in, offsets, M{});
  INFO("items of " << sizeof(T) << " bytes, at most " << longest << " a segment");
  test::on_hosts([&](auto& executor) {
    std::vector<T> out(expected.size());
    upsweep::segmented_reduce(executor, in, offsets, out, M{});
    CHECK(std::memcmp(out.data(), expected.data(), out.size() * sizeof(T)) == 0);
  });
}
}  // namespace

TEST_CASE("segmented_reduce folds short segments as a loop over each would, to the bit") {
  for (const index_t longest : {1, 2, 7, 20, 64, 65, 90})
    for (const index_t n : {1, 50, 1'000, 20'000}) {
      const auto floats = rounding_items<float>(n);
      const auto doubles = rounding_items<double>(n);
      check_short_segments<upsweep::plus<float>>(floats, longest);
      check_short_segments<upsweep::plus<double>>(doubles, longest);
      check_short_segments<upsweep::minimum<float>>(floats, longest);
      check_short_segments<upsweep::maximum<double>>(doubles, longest);
      check_short_segments<upsweep::multiplies<int>>(test::random_integers<std::int32_t>(n), longest);
      check_short_segments<upsweep::plus<std::int64_t>>(test::random_integers<std::int64_t>(n), longest);
    }
}

TEST_CASE("segmented_reduce gives the same bits wherever floats lie") {
  const index_t n = GENERATE(30'000, 300'000);
  const auto in = fractions<float>(n);
  const auto offsets = test::ragged_offsets<std::int32_t>(n, 1000);
  test::on_executors(n, [&](auto& executor) {
    guarded<std::int32_t> bounds(executor, offsets);
    std::vector<float> first;
    for (const index_t shift : {0, 1, 2, 3}) {
      guarded<float> from(executor, in, shift), to(executor, oracle::size(offsets) - 1);
      upsweep::segmented_reduce(executor, from.range(), bounds.range(), to.range());
      const auto sums = to.items(executor);
      if (shift == 0) first = sums;
      CHECK(sums == first);
    }
  });
}

TEST_CASE("segmented_reduce with offsets of wrong contents stays in bounds") {
  for (const index_t n : {50'000, 200'000}) {
    const auto in = test::random_maps(n);
    const std::vector<std::vector<std::int32_t>> wrong = {
        {50'000, 7, 3, 0}, {-5, 10, 290'000}, {INT32_MIN, INT32_MAX, 0}, test::random_integers<std::int32_t>(1001)};
    for (const auto& offsets : wrong) {
      test::on_executors(n, [&](auto& executor) {
        guarded<map32> from(executor, in), to(executor, oracle::size(offsets) - 1);
        guarded<std::int32_t> bounds(executor, offsets);
        upsweep::segmented_reduce(executor, from.range(), bounds.range(), to.range(), compose32{});
        CHECK(to.items(executor).size() + 1 == offsets.size());
        check_equal(from.items(executor), in);
      });
    }
  }
}

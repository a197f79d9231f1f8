// Histograms against serial ones: every layout, kinds of input that make counters collide, masks, bad input.
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <stdexcept>
#include <vector>

#include <upsweep/histogram.hpp>

#include "image_support.hpp"

using test::check_equal;
using test::guarded;
using upsweep::image;
using upsweep::image_layout;
using upsweep::index_t;

namespace {
struct its_level {
  template <class T>
  index_t operator()(T x) const {
    return static_cast<index_t>(x);
  }
};

template <class T>
void check_levels(const image_layout& layout, int kind, index_t bins) {
  INFO(test::shown(layout) << ", " << test::kinds[kind] << ", " << bins << " bins");
  const auto items = test::scene<T>(layout, kind);
  const auto mask = test::random_integers<std::uint8_t>(test::extent_of(layout), 3, 5);
  const auto expected = oracle::histogram(items, layout, bins, its_level{});
  const auto masked = oracle::histogram(items, layout, bins, its_level{}, mask);
  test::on_executors([&](auto& executor) {
    guarded<T> in(executor, items, 3);
    guarded<std::uint8_t> flags(executor, mask, 7);
    guarded<index_t> counts(executor, bins * layout.count);
    upsweep::histogram(executor, image(in.range(), layout), counts.range());
    check_equal(counts.items(executor), expected);
    upsweep::histogram(executor, upsweep::masked(image(in.range(), layout), image(flags.range(), layout)),
                       counts.range());
    check_equal(counts.items(executor), masked);
  });
}
}  // namespace

TEST_CASE("histogram counts bytes of images, regions and batches") {
  if (test::without_executors()) return;
  for (const auto& layout : test::layouts())
    for (const int kind : {0, 1, 3, 5}) check_levels<std::uint8_t>(layout, kind, 256);
}
TEST_CASE("histogram counts words of images, regions and batches") {
  if (test::without_executors()) return;
  for (const auto& layout : test::layouts()) {
    if (layout.count > 10) continue;  // 65,536 bins each
    for (const int kind : {0, 1, 3, 6}) check_levels<std::uint16_t>(layout, kind, 65'536);
  }
}
TEST_CASE("values beyond the last bin are not counted") {
  const image_layout layout{.width = 300, .height = 200, .pitch = 304};
  for (const index_t bins : {1, 2, 100, 255}) check_levels<std::uint8_t>(layout, 3, bins);
  for (const index_t bins : {1, 256, 4096, 8191, 8192, 10'000, 40'000, 65'535})
    check_levels<std::uint16_t>(layout, 3, bins);
}
TEST_CASE("images of as many pixels as there are bins, and of one more or less") {
  if (test::without_executors()) return;
  const auto check = [](index_t width, index_t height) {
    const image_layout layout{
        .width = width, .height = height, .pitch = width + 3, .count = 3, .image_pitch = (width + 3) * height + 5};
    for (const int kind : {0, 1, 3}) {
      check_levels<std::uint8_t>(layout, kind, 256);
      check_levels<std::uint16_t>(layout, kind, 256);
    }
  };
  check(15, 17);
  check(16, 16);
  check(257, 1);
}
TEST_CASE("every kind of input is counted, at every start, whatever its length") {
  for (const index_t n : test::few_sizes(1)) {
    const int kind = static_cast<int>(n % test::kind_count);
    const auto bytes = test::picture<std::uint8_t>(kind, n, 1);
    const auto words = test::picture<std::uint16_t>(kind, n, 1);
    const auto expected = oracle::histogram(bytes, {.width = n}, 256, its_level{});
    const auto expected_words = oracle::histogram(words, {.width = n}, 65'536, its_level{});
    test::on_executors(n, [&](auto& executor) {
      guarded<std::uint8_t> in(executor, bytes, test::shift_of(n));
      guarded<std::uint16_t> wide(executor, words, test::shift_of(n, 1));
      guarded<index_t> counts(executor, 256), many(executor, 65'536);
      upsweep::histogram(executor, in.range(), counts.range());
      check_equal(counts.items(executor), expected);
      upsweep::histogram(executor, wide.range(), many.range());
      check_equal(many.items(executor), expected_words);
    });
  }
}
TEST_CASE("bytes are counted by one CTA, by several and by all, however many vectors a thread has, time and again") {
  if (test::without_executors()) return;
  constexpr index_t of_cta = 16 * 512, of_small = 8 * 132 * of_cta;  // all that has a vector a thread, on an H100
  int turn = 0;
  for (const index_t n : {of_cta - 1, of_cta, of_cta + 1, 3 * of_cta + 5, 131 * of_cta, 133 * of_cta + 7, 300 * of_cta,
                          of_small - 30, of_small, of_small + 1}) {
    if (turn++ % test::sanitized_step(3) > 0) continue;
    const auto items = test::random_integers<std::uint8_t>(n, 1, 250);
    const image_layout rows{.width = 999, .height = n / 1000, .pitch = 1000};
    const auto expected = oracle::histogram(items, {.width = n}, 256, its_level{});
    const auto of_rows = oracle::histogram(items, rows, 256, its_level{});
    test::on_executors(n, [&](auto& executor) {
      for (const index_t shift : {0, 5}) {
        INFO(n << " bytes, " << shift << " after a multiple of 16");
        guarded<std::uint8_t> in(executor, items, shift);
        guarded<index_t> counts(executor, 256);
        upsweep::histogram(executor, in.range(), counts.range());
        check_equal(counts.items(executor), expected);
        upsweep::histogram(executor, image(in.range(), rows), counts.range());
        check_equal(counts.items(executor), of_rows);
      }
    });
  }
}
TEST_CASE("a mask may be a plain range") {
  const image_layout layout{.width = 33, .height = 9, .pitch = 40};
  const auto items = test::scene<std::uint8_t>(layout, 3);
  auto mask = test::random_integers<std::uint8_t>(33 * 9, 2, 5);
  std::vector<std::uint8_t> wide(items.size());
  for (index_t y = 0; y < 9; y++)
    for (index_t x = 0; x < 33; x++) wide[oracle::at(40 * y + x)] = mask[oracle::at(33 * y + x)];
  const auto expected = oracle::histogram(items, layout, 256, its_level{}, wide);
  test::on_executors([&](auto& executor) {
    guarded<std::uint8_t> in(executor, items), flags(executor, mask);
    guarded<index_t> counts(executor, 256);
    upsweep::histogram(executor, upsweep::masked(image(in.range(), layout), flags.range()), counts.range());
    check_equal(counts.items(executor), expected);
  });
}
TEST_CASE("values that are common for a while, or in some places, or beside rare ones are counted exactly") {
  if (test::without_executors()) return;
  constexpr index_t n = 700'003;
  const auto noise = test::random_integers<std::uint16_t>(n);
  const auto some = test::random_integers<std::uint16_t>(n, 9, 7);
  for (int kind = 0; kind < 6; kind++) {
    std::vector<std::uint16_t> words(oracle::at(n));
    std::vector<float> floats(oracle::at(n));
    for (std::size_t i = 0; i < words.size(); i++) {
      const std::size_t values[] = {i % 4 == 3 ? 65'535u : noise[i],         // one channel of four
                                    i / 5000 * 977,                          // sorted, nearly
                                    some[i] < 7 ? 40'000u : noise[i],        // seven of nine
                                    some[i] * 7u,                            // nine values
                                    some[i / 100'000] < 5 ? 12u : noise[i],  // here and there
                                    (i / 3000 % 2 ? 64u : 32'768u) + some[i] % 2};
      words[i] = static_cast<std::uint16_t>(values[kind]);
      floats[i] = static_cast<float>(words[i]) / 65'536;
    }
    INFO("kind " << kind);
    const auto expected = oracle::histogram(words, {.width = n}, 65'536, its_level{});
    test::on_executors([&](auto& executor) {
      guarded<std::uint16_t> in(executor, words, kind);
      guarded<float> wide(executor, floats, kind % 4);
      guarded<index_t> counts(executor, 65'536), many(executor, 262'144);
      upsweep::histogram(executor, in.range(), counts.range());
      check_equal(counts.items(executor), expected);
      upsweep::histogram_even(executor, wide.range(), counts.range(), 0.f, 1.f);
      check_equal(counts.items(executor), expected);
      upsweep::histogram_even(executor, wide.range(), many.range(), 0.f, 1.f);  // more than fit shared memory
      const auto found = many.items(executor);
      std::vector<index_t> of_values(65'536);
      for (std::size_t v = 0; v < of_values.size(); v++) of_values[v] = found[4 * v];
      check_equal(of_values, expected);
    });
  }
}
namespace {
//! Stretches of one level, and one item in them that is another, wherever that is; more than one level in a row of
//! them.
template <class T>
void check_stretches(index_t bins, T level, T other) {
  constexpr index_t stretch = 300;
  for (index_t at = 0; at < stretch; at++) {
    std::vector<T> items(oracle::at(2 * stretch + at), level);
    items[oracle::at(at)] = other;
    for (index_t i = stretch + at; i < oracle::size(items); i++) items[oracle::at(i)] = other;
    INFO("another item at " << at << ", " << bins << " bins");
    const auto expected = oracle::histogram(items, {.width = oracle::size(items)}, bins, its_level{});
    test::on_executors(at, [&](auto& executor) {
      guarded<T> in(executor, items, at % 5);
      guarded<index_t> counts(executor, bins);
      upsweep::histogram(executor, in.range(), counts.range());
      check_equal(counts.items(executor), expected);
    });
  }
}
}  // namespace
TEST_CASE("stretches of one level are counted exactly, wherever they begin, end or are interrupted") {
  check_stretches<std::uint8_t>(256, 77, 78);
  check_stretches<std::uint8_t>(100, 77, 200);
  check_stretches<std::uint16_t>(1000, 0x0303, 0x0203);
  check_stretches<std::uint16_t>(1000, 5000, 999);
}
TEST_CASE("histograms of nothing are zeros") {
  test::on_executors([&](auto& executor) {
    guarded<std::uint8_t> in(executor, 0);
    guarded<float> floats(executor, 0);
    guarded<index_t> counts(executor, 256);
    upsweep::histogram(executor, in.range(), counts.range());
    check_equal(counts.items(executor), std::vector<index_t>(256));
    guarded<index_t> others(executor, 20'000);
    upsweep::histogram_even(executor, floats.range(), others.range(), 0.f, 1.f);
    check_equal(others.items(executor), std::vector<index_t>(20'000));
  });
}

TEST_CASE("images may be empty, and begin at a pointer") {
  const auto items = test::random_integers<std::uint8_t>(64, 2, 9);
  const image_layout layout{.width = 7, .height = 3, .pitch = 8, .count = 2, .image_pitch = 30};
  test::on_executors([&](auto& executor) {
    guarded<std::uint8_t> in(executor, items), flags(executor, items);
    guarded<index_t> counts(executor, 18), by_pointer(executor, 18);
    upsweep::histogram(executor, image(in.first(30 + 23), layout), counts.range());
    upsweep::histogram(executor, image(in.data(), layout), by_pointer.range());
    check_equal(by_pointer.items(executor), counts.items(executor));
    for (const image_layout& none : {image_layout{.width = 0, .height = 4}, image_layout{.width = 4, .height = 0},
                                     image_layout{.width = 0, .height = 0, .pitch = 5, .count = 3},
                                     image_layout{.width = 3, .height = 0, .pitch = 5, .count = 2}}) {
      guarded<index_t> zeros(executor, 6);
      upsweep::histogram(executor, image(static_cast<const std::uint8_t*>(nullptr), none), zeros.range());
      check_equal(zeros.items(executor), std::vector<index_t>(6));
      upsweep::histogram(executor, upsweep::masked(image(in.range(), none), image(flags.range(), none)), zeros.range());
      check_equal(zeros.items(executor), std::vector<index_t>(6));
    }
  });
}

TEST_CASE("any_executor counts") {
  auto executor = upsweep::any_executor::named("host");
  std::vector<std::uint8_t> in{1, 2, 2, 3};
  std::vector<index_t> counts(4);
  upsweep::histogram(executor, in, counts);
  check_equal(counts, std::vector<index_t>{0, 1, 2, 1});
}

TEST_CASE("bad histograms are refused by name, and nothing is written") {
  test::on_executors([&](auto& executor) {
    guarded<std::uint8_t> in(executor, std::vector<std::uint8_t>(100));
    guarded<float> floats(executor, std::vector<float>(100));
    guarded<index_t> counts(executor, 256), too_many(executor, 257);
    const auto refuse = [&](auto&& call, const char* start, const char* part) {
      test::check_refused(call, start, part);
      CHECK(counts.untouched_from(executor));
      CHECK(too_many.untouched_from(executor));
    };
    const auto layout_error = [&](const image_layout& layout, const char* part) {
      refuse([&] { upsweep::histogram(executor, image(in.range(), layout), counts.range()); }, "in", part);
    };
    layout_error({.width = -1, .height = 3}, "width is -1, must not be negative");
    layout_error({.width = 3, .height = -1}, "height is -1, must not be negative");
    layout_error({.width = 3, .height = 1, .pitch = 0, .count = 0}, "count is 0");
    layout_error({.width = 10, .height = 2, .pitch = 9}, "pitch is 9, less than the width, 10");
    layout_error({.width = 10, .height = 2, .pitch = -1}, "pitch is -1");
    layout_error({.width = 10, .height = 3, .pitch = 12, .count = 2, .image_pitch = 33}, "image_pitch is 33");
    layout_error({.width = 10, .height = 11}, "has 100 items, needs 110");
    layout_error({.width = index_t{1} << 40, .height = index_t{1} << 40}, "too large");
    const auto no_bins = std::span<index_t>(counts.data(), 0);
    refuse([&] { upsweep::histogram(executor, in.range(), no_bins); }, "counts has 0", "at least one bin");
    refuse([&] { upsweep::histogram(executor, in.range(), too_many.range()); }, "counts has 257", "at most 256");
    refuse(
        [&] {
          upsweep::histogram(executor, image(in.range(), {.width = 5, .height = 1, .pitch = 0, .count = 3}),
                             counts.range());
        },
        "counts has 256", "multiple of 3");
    refuse([&] { upsweep::histogram_even(executor, in.range(), no_bins, 0, 9); }, "counts", "at least one bin");
    refuse([&] { upsweep::histogram_even(executor, in.range(), counts.range(), 9, 9); }, "low is 9", "less than high");
    refuse([&] { upsweep::histogram_even(executor, in.range(), counts.range(), 3.5, -0.5); }, "low is 3.5",
           "less than");
    refuse([&] { upsweep::histogram_even(executor, in.range(), counts.range(), 0.5, 0.5f); }, "low is 0.5",
           "less than");
    refuse([&] { upsweep::histogram_even(executor, in.range(), counts.range(), std::nan(""), 4); }, "low is nan",
           "must be finite");
    refuse([&] { upsweep::histogram_even(executor, in.range(), counts.range(), 0, HUGE_VALF); }, "high is inf",
           "must be finite");
    refuse([&] { upsweep::histogram_even(executor, in.range(), counts.range(), 1e-300, 4); }, "low is 1e-300",
           "128 bits");
    refuse([&] { upsweep::histogram_even(executor, in.range(), counts.range(), 0, 1e300); }, "low is 0", "128 bits");
    refuse(
        [&] {
          upsweep::histogram(executor, image(static_cast<const std::uint8_t*>(nullptr), {.width = 3}), counts.range());
        },
        "in is a null pointer", "with a size");
    refuse([&] { upsweep::histogram(executor, image(in.data(), {.width = -3}), counts.range()); }, "in: width is -3",
           "negative");
    const float nan = std::numeric_limits<float>::quiet_NaN(), inf = std::numeric_limits<float>::infinity();
    const auto even = [&](float low, float high, const char* start, const char* part) {
      refuse([&] { upsweep::histogram_even(executor, floats.range(), counts.range(), low, high); }, start, part);
    };
    even(2, 1, "low is 2", "less than high");
    even(nan, 1, "low is nan", "finite");
    even(0, nan, "high is nan", "finite");
    even(0, inf, "high is inf", "finite");
    even(-3e38f, 3e38f, "high - low", "too large");
    even(0, 1e-44f, "high - low", "too small");
    const auto range = [&](const std::vector<double>& edges, const char* part) {
      refuse([&] { upsweep::histogram_range(executor, floats.range(), counts.range(), edges); }, "edges", part);
    };
    range({}, "has 0 items");
    range({0, 1}, "needs 257");
    range({0, 1, 1, 2}, "item 2 is 1");
    range({0, 2, 1}, "item 2 is 1");
    range({0, static_cast<double>(nan), 1}, "item 1 is nan");
    guarded<std::uint8_t> mask(executor, std::vector<std::uint8_t>(99));
    const auto by_mask = [&](const auto& bytes, const char* start, const char* part) {
      refuse([&] { upsweep::histogram(executor, upsweep::masked(in.range(), bytes), counts.range()); }, start, part);
      refuse([&] { upsweep::histogram_even(executor, upsweep::masked(in.range(), bytes), counts.range(), 0, 9); },
             start, part);
    };
    by_mask(mask.range(), "mask", "99 items");
    by_mask(image(mask.range(), {.width = 9, .height = 11}), "mask is 9 x 11", "100 x 1");
    by_mask(std::span<const std::uint8_t>(static_cast<const std::uint8_t*>(nullptr), 100), "mask", "null pointer");
    by_mask(std::span<const std::uint8_t>(reinterpret_cast<const std::uint8_t*>(counts.data()), 100), "counts",
            "overlaps mask");
    const std::span<const std::uint8_t> on_top(reinterpret_cast<const std::uint8_t*>(counts.data()), 8);
    refuse([&] { upsweep::histogram(executor, on_top, counts.range()); }, "counts", "overlaps in");
  });
}

// Lines of sight against an oracle that compares slopes as fractions: rows either way, and maps, every viewer of small
// ones, with flat ground, ridges, walls and holes.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include <upsweep/line_of_sight.hpp>

#include "oracle.hpp"
#include "sight_oracle.hpp"
#include "support.hpp"

using test::check_equal;
using test::guarded;
using test::shift_of;
using upsweep::index_t;

namespace {
template <class T>
std::vector<T> mirrored(std::vector<T> items) {
  std::reverse(items.begin(), items.end());
  return items;
}
//! Hills on a slope, in steps, so that many points lie on one line.
template <class T>
std::vector<T> hills(index_t n, std::uint64_t stream = 0) {
  T at = 100;
  return test::generate(
      n,
      [&](test::generator& random) {
        if (random.below(4) == 0) at = static_cast<T>(100 + random.below(20) * random.below(20));
        return at;
      },
      stream);
}
struct map_size {
  index_t width, height;
};
template <class T>
void check_map(const std::vector<T>& map, map_size size, index_t row, index_t column, index_t eye) {
  const auto expected = oracle::visible_cells(map, size.width, size.height, row, column, eye);
  test::on_executors(static_cast<index_t>(map.size()), [&](auto& executor) {
    INFO(size.width << " x " << size.height << " from row " << row << ", column " << column << ", eye " << eye);
    guarded<T> heights(executor, map, 3);
    guarded<std::uint8_t> visible(executor, oracle::size(map), 5);
    const upsweep::image_layout layout{.width = size.width, .height = size.height};
    upsweep::line_of_sight(executor, upsweep::image(heights.data(), layout),
                           {.row = row, .column = column, .eye = static_cast<double>(eye)},
                           upsweep::image(visible.data(), layout));
    check_equal(visible.items(executor), expected);
  });
}
}  // namespace

TEST_CASE("line_of_sight along a row is a running maximum of slopes, either way") {
  for (const index_t n : test::few_sizes(9)) {
    for (const index_t eye : {0, 30}) {
      const auto in = hills<std::int32_t>(n);
      const auto expected = oracle::visible_in_rows(in, std::max<index_t>(n, 1), eye);
      test::on_executors(n, [&](auto& executor) {
        INFO("eye " << eye);
        guarded<std::int32_t> heights(executor, in, shift_of(n)), back(executor, mirrored(in), shift_of(n, 1));
        guarded<std::uint8_t> visible(executor, n, shift_of(n, 2));
        upsweep::line_of_sight(executor, heights.range(), static_cast<double>(eye), visible.range());
        check_equal(visible.items(executor), expected);
        upsweep::line_of_sight(executor, back.range(), static_cast<double>(eye), visible.range(), upsweep::reversed);
        check_equal(visible.items(executor), mirrored(expected));
      });
    }
  }
}

TEST_CASE("line_of_sight along rows begins anew at each") {
  for (const index_t length : {1, 2, 7, 128, 1000, 5000})
    for (const index_t rows : {1, 3, 40}) {
      const index_t n = rows * length;
      const auto in = hills<std::uint16_t>(n, static_cast<std::uint64_t>(length));
      const auto expected = oracle::visible_in_rows(in, length, 5);
      test::on_executors(n, [&](auto& executor) {
        INFO("rows of " << length);
        guarded<std::uint16_t> heights(executor, in, 1), back(executor, mirrored(in), 2);
        guarded<int> visible(executor, n, 3);
        const std::vector<int> wanted(expected.begin(), expected.end());
        upsweep::line_of_sight(executor, heights.range(), 5, visible.range(), upsweep::rows(length));
        check_equal(visible.items(executor), wanted);
        upsweep::line_of_sight(executor, back.range(), 5, visible.range(), upsweep::reversed_rows(length));
        check_equal(visible.items(executor), mirrored(wanted));
      });
    }
}

TEST_CASE("a flat plain is all visible, also from the ground; behind a wall only what is higher is") {
  test::on_executors([](auto& executor) {
    guarded<float> plain(executor, std::vector<float>(1000, 7.f)),
        wall(executor, std::vector<float>{0, 0, 2, 0, 3, 4, 7, 6});
    guarded<std::uint8_t> visible(executor, 1000), behind(executor, 8);
    for (const double eye : {0., 1e-9, 5.}) {
      upsweep::line_of_sight(executor, plain.range(), eye, visible.range());
      check_equal(visible.items(executor), std::vector<std::uint8_t>(1000, 1));
    }
    upsweep::line_of_sight(executor, wall.range(), 0, behind.range());
    CHECK(behind.items(executor) == std::vector<std::uint8_t>{1, 1, 1, 0, 0, 0, 1, 0});
    upsweep::line_of_sight(executor, wall.range(), 4, behind.range());
    CHECK(behind.items(executor) == std::vector<std::uint8_t>{1, 1, 1, 0, 1, 1, 1, 0});
  });
}

TEST_CASE("heights that are no numbers hide nothing and are not seen") {
  test::on_executors([](auto& executor) {
    const double nan = std::numeric_limits<double>::quiet_NaN(), high = std::numeric_limits<double>::infinity();
    guarded<double> row(executor, std::vector<double>{0, nan, 1, -high, nan, 2.5, 1, high, 1e300});
    guarded<std::uint8_t> visible(executor, 9);
    upsweep::line_of_sight(executor, row.range(), 0, visible.range());
    CHECK(visible.items(executor) == std::vector<std::uint8_t>{1, 0, 1, 0, 0, 1, 0, 1, 0});
    upsweep::line_of_sight(executor, row.range(), {.eye = 0}, visible.range());  // a map of one row
    CHECK(visible.items(executor) == std::vector<std::uint8_t>{1, 0, 1, 0, 0, 1, 0, 1, 0});
  });
}

TEST_CASE("every viewer of every small map sees what the oracle sees") {
  for (index_t width = 1; width <= 6; width++)
    for (index_t height = 1; height <= 6; height++) {
      const auto map =
          test::random_integers<std::uint16_t>(width * height, 4, static_cast<std::uint64_t>(width + 10 * height));
      for (index_t row = 0; row < height; row++)
        for (index_t column = 0; column < width; column++) check_map(map, {width, height}, row, column, row % 2);
    }
}

TEST_CASE("maps of all shapes, from corners, borders and inside") {
  for (const map_size size : {map_size{300, 1}, {1, 300}, {2, 150}, {97, 64}, {64, 101}, {211, 190}}) {
    const auto map = hills<std::int32_t>(size.width * size.height);
    const index_t last_row = size.height - 1, last_column = size.width - 1;
    check_map(map, size, 0, 0, 9);
    check_map(map, size, last_row, 0, 9);
    check_map(map, size, last_row / 3, last_column, 200);
    check_map(map, size, last_row / 2, last_column / 3, 0);
    check_map(map, size, last_row / 2, last_column / 2, 50);
  }
}

TEST_CASE("a region of a larger map, with a pitch, leaves all else as it was") {
  constexpr index_t width = 40, height = 30, pitch = 64;
  const auto whole = hills<std::uint16_t>(pitch * height);
  std::vector<std::uint16_t> region;
  for (index_t r = 0; r < height; r++)
    region.insert(region.end(), whole.begin() + r * pitch + 8, whole.begin() + r * pitch + 8 + width);
  const auto seen = oracle::visible_cells(region, width, height, 11, 22, 40);
  std::vector<std::uint8_t> expected(oracle::at(pitch * height), 77);
  for (index_t i = 0; i < width * height; i++)
    expected[oracle::at(i / width * pitch + 8 + i % width)] = seen[oracle::at(i)];
  test::on_executors([&](auto& executor) {
    guarded<std::uint16_t> heights(executor, whole);
    guarded<std::uint8_t> visible(executor, std::vector<std::uint8_t>(oracle::at(pitch * height), 77));
    const upsweep::image_layout layout{.width = width, .height = height, .pitch = pitch};
    upsweep::line_of_sight(executor, upsweep::image(heights.data() + 8, layout), {.row = 11, .column = 22, .eye = 40},
                           upsweep::image(visible.data() + 8, layout));
    check_equal(visible.items(executor), expected);
  });
}

TEST_CASE("line_of_sight refuses viewers outside the map, and what does not fit") {
  test::on_hosts([](auto& executor) {
    const std::vector<float> heights(12);
    std::vector<std::uint8_t> visible(12), few(11);
    const upsweep::image_layout layout{.width = 4, .height = 3};
    const auto map = upsweep::image(heights, layout);
    const auto look = [&](const upsweep::viewpoint& from) {
      upsweep::line_of_sight(executor, map, from, upsweep::image(visible, layout));
    };
    test::check_refused([&] { look({.row = 3}); }, "from", "row 3, column 0 is outside the map of 3 x 4 cells");
    test::check_refused([&] { look({.column = 4}); }, "from", "row 0, column 4 is outside");
    test::check_refused([&] { look({.row = -1}); }, "from", "row -1");
    test::check_refused([&] { look({.column = -1}); }, "from", "column -1");
    test::check_refused([&] { look({.eye = std::nan("")}); }, "from", "eye is nan");
    test::check_refused(
        [&] {
          upsweep::line_of_sight(executor, upsweep::image(heights, {.width = 0, .height = 0}), {},
                                 upsweep::image(visible, {.width = 0, .height = 0}));
        },
        "from", "outside the map");
    test::check_refused(
        [&] { upsweep::line_of_sight(executor, map, {}, upsweep::image(visible, {.width = 3, .height = 4})); },
        "visible", "");
    test::check_refused([&] { upsweep::line_of_sight(executor, map, {}, few); }, "visible", "has 11 items");
    test::check_refused(
        [&] {
          upsweep::line_of_sight(executor, upsweep::image(heights, {.width = 2, .height = 3, .count = 2}), {}, visible);
        },
        "heights", "count is 2");
    test::check_refused([&] { upsweep::line_of_sight(executor, heights, 1.0, few); }, "visible",
                        "has 11 items, heights has 12");
    test::check_refused([&] { upsweep::line_of_sight(executor, heights, 1.0, visible, upsweep::rows(5)); }, "rows",
                        "no multiple");
    test::check_refused([&] { upsweep::line_of_sight(executor, heights, std::nan(""), visible); }, "eye", "nan");
    test::check_refused([&] { upsweep::line_of_sight(executor, visible, 1.0, visible); }, "visible",
                        "overlaps heights");
    CHECK(visible == std::vector<std::uint8_t>(12));
  });
}

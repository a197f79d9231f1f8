// Adaptive equalization against OpenCV, and in every layout against one image at a time.
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <vector>

#include <upsweep/clahe.hpp>

#include "image_support.hpp"
#include "image_values.hpp"

using test::check_equal;
using test::guarded;
using upsweep::image;
using upsweep::image_layout;
using upsweep::index_t;
using upsweep::tile_grid;

namespace {
template <class T>
void check_value(const test::image_values::clahe& v) {
  INFO(test::kinds[v.kind] << " " << v.width << " x " << v.height << " of " << v.bits << " bits, limit " << v.clip_limit
                           << ", " << v.tiles_x << " x " << v.tiles_y << " tiles");
  const auto pixels = test::picture<T>(v.kind, v.width, v.height);
  REQUIRE(test::hash_of(pixels) == v.input);
  const image_layout layout{.width = v.width, .height = v.height};
  const auto check = [&](auto& executor) {
    guarded<T> in(executor, pixels), out(executor, oracle::size(pixels));
    upsweep::clahe(executor, image(in.range(), layout), out.range(), {v.clip_limit, {v.tiles_x, v.tiles_y}});
    CHECK(test::hash_of(out.items(executor)) == v.result);
  };
  test::on_host(1, check);
  if (v.bits == 8) test::on_host(3, check);
  test::on_device(check);
}

//! Every image of a scene by itself on one thread, which the test above compares with OpenCV.
template <class T>
std::vector<T> one_by_one(const std::vector<T>& items, const image_layout& layout, double limit, tile_grid tiles) {
  std::vector<T> expected = items;
  upsweep::host alone(1);
  for (index_t k = 0; k < layout.count; k++) {
    auto pixels = test::image_of(items, layout, k);
    upsweep::clahe(alone, image(pixels, {.width = layout.width, .height = layout.height}), pixels, {limit, tiles});
    const auto places = oracle::pixels_of(layout, k);
    for (std::size_t i = 0; i < places.size(); i++) expected[places[i]] = pixels[i];
  }
  return expected;
}
template <class T>
void check_layout(const image_layout& layout, int kind, double limit, tile_grid tiles, int shift = 0) {
  INFO(test::shown(layout) << ", " << test::kinds[kind] << ", " << tiles.x << " x " << tiles.y << " tiles");
  const auto items = test::scene<T>(layout, kind);
  const auto expected = one_by_one(items, layout, limit, tiles);
  std::vector<T> gapless;
  for (index_t k = 0; k < layout.count; k++)
    for (const std::size_t i : oracle::pixels_of(layout, k)) gapless.push_back(expected[i]);
  const auto check = [&](auto& executor) {
    guarded<T> in(executor, items, shift), out(executor, oracle::size(gapless), shift / 2);
    upsweep::clahe(executor, image(in.range(), layout), out.range(), {limit, tiles});
    check_equal(out.items(executor), gapless);
    upsweep::clahe(executor, image(in.range(), layout), image(in.range(), layout), {limit, tiles});
    check_equal(in.items(executor), expected);
  };
  test::on_host(3, check);
  test::on_device(check);
}
}  // namespace

TEST_CASE("clahe is OpenCV's, byte for byte") {
  for (const auto& v : test::image_values::clahe_images) {
    if (v.bits == 8) check_value<std::uint8_t>(v);
    else check_value<std::uint16_t>(v);
  }
}
TEST_CASE("images of bytes are equalized adaptively in every layout") {
  if (test::without_executors()) return;
  int shift = 0;
  for (const auto& layout : test::layouts()) {
    if (layout.width > 100'000) continue;
    shift += 3;
    check_layout<std::uint8_t>(layout, shift % 7, 2.5, {1 + shift % 9, 1 + shift % 5}, shift % 16);
  }
}
TEST_CASE("images of words are equalized adaptively in every layout") {
  if (test::without_executors()) return;
  int shift = 0;
  for (const auto& layout : test::layouts()) {
    if (layout.width > 100'000 || layout.count > 10) continue;
    shift += 3;
    check_layout<std::uint16_t>(layout, shift % 7, 40, {1 + shift % 3, 2}, shift % 8);
  }
}
#if UPSWEEP_X86_VERSIONS
TEST_CASE("images are equalized adaptively alike with vectors of any width") {
  int& widest = upsweep::detail::widest_vectors();
  const int before = widest;
  const auto compare = [&]<class T>(T) {
    const auto pixels = test::picture<T>(3, 1100, 300);
    upsweep::host executor(2);
    std::vector<T> first;
    for (const int wide : {16, 32, 64}) {
      if (wide > before) continue;
      widest = wide;
      std::vector<T> found(pixels.size());
      upsweep::clahe(executor, image(pixels, {.width = 1100, .height = 300}), found,
                     {.clip_limit = 3, .tiles = {.x = 7, .y = 5}});
      if (first.empty()) first = found;
      check_equal(found, first);
    }
    widest = before;
  };
  compare(std::uint8_t{});
  compare(std::uint16_t{});
}
#endif
TEST_CASE("tiles of a pixel, more tiles than pixels, many columns of tiles, long rows") {
  check_layout<std::uint8_t>({.width = 16, .height = 16}, 3, 2, {16, 16});
  check_layout<std::uint8_t>({.width = 3, .height = 5}, 3, 2, {40, 60});
  check_layout<std::uint8_t>({.width = 1000, .height = 130}, 4, 3, {100, 2});
  check_layout<std::uint8_t>({.width = 1000, .height = 130}, 4, 3, {47, 3});
  check_layout<std::uint8_t>({.width = 100'003, .height = 7}, 5, 3, {48, 3});
  check_layout<std::uint16_t>({.width = 5, .height = 3}, 3, 2, {4, 4});
  check_layout<std::uint16_t>({.width = 30'001, .height = 7}, 4, 2, {3, 1});
}
TEST_CASE("an image is equalized like one that goes on, reflected, up to its last tile") {
  constexpr int width = 71, height = 37, whole_width = 80, whole_height = 40;  // the last of ten tiles across is beyond
  const auto pixels = test::picture<std::uint8_t>(3, width, height);
  const auto reflected = [](int at, int length) { return at < length ? at : 2 * (length - 1) - at; };
  std::vector<std::uint8_t> whole;
  for (int y = 0; y < whole_height; y++)
    for (int x = 0; x < whole_width; x++)
      whole.push_back(pixels[oracle::at(reflected(y, height) * width + reflected(x, width))]);
  const auto check = [&](auto& executor) {
    guarded<std::uint8_t> in(executor, pixels), out(executor, width * height);
    guarded<std::uint8_t> whole_in(executor, whole), whole_out(executor, whole_width * whole_height);
    upsweep::clahe(executor, image(in.range(), {.width = width, .height = height}), out.range(), {2.5, {10, 4}});
    upsweep::clahe(executor, image(whole_in.range(), {.width = whole_width, .height = whole_height}), whole_out.range(),
                   {2.5, {10, 4}});
    const auto all = whole_out.items(executor);
    std::vector<std::uint8_t> expected;
    for (int y = 0; y < height; y++)
      for (int x = 0; x < width; x++) expected.push_back(all[oracle::at(y * whole_width + x)]);
    check_equal(out.items(executor), expected);
  };
  test::on_host(3, check);
  test::on_device(check);
}
TEST_CASE("large images are equalized adaptively, and common levels are counted exactly") {
  if (test::without_executors()) return;
  for (const int kind : test::some_if_sanitized(4, std::vector{3, 0, 1, 4})) {
    check_layout<std::uint8_t>({.width = 2000, .height = 1500, .pitch = 2100}, kind, 4, {8, 8}, 5);
    check_layout<std::uint16_t>({.width = 1200, .height = 700, .pitch = 1208}, kind, 4, {3, 2}, 5);
  }
}
TEST_CASE("one tile without a limit is equalization by counts") {
  const auto pixels = test::picture<std::uint8_t>(4, 64, 48);
  std::vector<int> upto(256);
  for (const auto v : pixels) upto[v]++;
  for (std::size_t v = 1; v < 256; v++) upto[v] += upto[v - 1];
  auto expected = pixels;
  const float scale = 255.0f / (64 * 48);
  for (auto& p : expected) p = static_cast<std::uint8_t>(std::lrint(static_cast<float>(upto[p]) * scale));
  test::on_executors([&](auto& executor) {
    guarded<std::uint8_t> in(executor, pixels), out(executor, 64 * 48);
    upsweep::clahe(executor, image(in.range(), {.width = 64, .height = 48}), out.range(),
                   {.clip_limit = 0, .tiles = {1, 1}});
    check_equal(out.items(executor), expected);
  });
}
TEST_CASE("nothing is equalized adaptively to nothing") {
  test::on_executors([&](auto& executor) {
    guarded<std::uint8_t> in(executor, 0);
    upsweep::clahe(executor, in.range(), in.range());
    check_equal(in.items(executor), std::vector<std::uint8_t>{});
  });
}
TEST_CASE("bad adaptive equalizations are refused by name, and nothing is written") {
  test::on_executors([&](auto& executor) {
    guarded<std::uint8_t> in(executor, std::vector<std::uint8_t>(100)), out(executor, 100);
    const auto refuse = [&](auto&& call, const char* start, const char* part) {
      test::check_refused(call, start, part);
      CHECK(out.untouched_from(executor));
    };
    const image_layout square{.width = 10, .height = 10};
    const double nan = std::numeric_limits<double>::quiet_NaN();
    refuse([&] { upsweep::clahe(executor, in.range(), out.range(), {.clip_limit = nan}); }, "clip_limit is nan",
           "number");
    refuse(
        [&] {
          upsweep::clahe(executor, in.range(), out.range(), {.clip_limit = 2, .tiles = {0, 8}});
        },
        "tiles: x is 0", "from 1 to 4096");
    refuse(
        [&] {
          upsweep::clahe(executor, in.range(), out.range(), {.clip_limit = 2, .tiles = {8, -1}});
        },
        "tiles: y is -1", "from 1 to 4096");
    refuse(
        [&] {
          upsweep::clahe(executor, in.range(), out.range(), {.clip_limit = 2, .tiles = {8, 5000}});
        },
        "tiles: y is 5000", "4096");
    refuse([&] { upsweep::clahe(executor, image(in.range(), square), out.first(99)); }, "out", "has 99 items");
    refuse([&] { upsweep::clahe(executor, image(in.range(), {.width = 11, .height = 10}), out.range()); }, "in",
           "has 100 items, needs 110");
    refuse([&] { upsweep::clahe(executor, in.first(60), in.range().subspan(1, 60)); }, "out overlaps in", "same image");
  });
}

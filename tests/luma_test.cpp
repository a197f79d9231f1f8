// Equalization of luma against OpenCV, and in every layout against a serial loop.
#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include <upsweep/luma.hpp>

#include "image_support.hpp"
#include "image_values.hpp"

using test::check_equal;
using test::guarded;
using upsweep::equalize_mode;
using upsweep::image;
using upsweep::image_layout;
using upsweep::index_t;

namespace {
using bytes = std::vector<std::uint8_t>;

//! `layout` in pixels and `gap` more items a row; between rows noise, which stays.
void check_layout(const image_layout& pixels, int channels, index_t gap, int kind, equalize_mode mode, int shift) {
  image_layout layout = pixels;
  layout.width *= channels;
  layout.pitch = gap ? layout.width + gap : 0;
  INFO(test::shown(layout) << ", " << channels << " channels, shift " << shift);
  auto items = test::scene<std::uint8_t>(layout, kind);
  for (std::size_t i = 0; i < items.size(); i += 7) items[i] = static_cast<std::uint8_t>(items[i] * 3 / 2);
  auto expected = items;
  bytes gapless;
  for (index_t k = 0; k < layout.count; k++) {
    auto one = test::image_of(items, layout, k);
    oracle::equalize_luma(one, channels, mode);
    const auto places = oracle::pixels_of(layout, k);
    for (std::size_t i = 0; i < places.size(); i++) expected[places[i]] = one[i];
    gapless.insert(gapless.end(), one.begin(), one.end());
  }
  const auto check = [&](auto& executor) {
    guarded<std::uint8_t> in(executor, items, shift), out(executor, oracle::size(gapless), shift / 2);
    upsweep::equalize_luma(executor, image(in.range(), layout), out.range(), {channels, mode});
    check_equal(out.items(executor), gapless);
    upsweep::equalize_luma(executor, image(in.range(), layout), image(in.range(), layout), {channels, mode});
    check_equal(in.items(executor), expected);
  };
  test::on_host(1, check);
  test::on_host(3, check);
  test::on_device(check);
}
}  // namespace

TEST_CASE("luma is equalized as OpenCV does, byte for byte") {
  if (test::without_executors()) return;
  for (const auto& v : test::image_values::luma_images) {
    INFO(v.width << " x " << v.height);
    bytes rgb, rgba;
    for (index_t y = 0; y < v.height; y++)
      for (index_t x = 0; x < v.width; x++) {
        for (const int kind : {4, 2, 5}) rgb.push_back(test::level_of<std::uint8_t>(kind, x, y));
        rgba.insert(rgba.end(), rgb.end() - 3, rgb.end());
        rgba.push_back(static_cast<std::uint8_t>(x * 7 + y));
      }
    REQUIRE(test::hash_of(rgb) == v.input);
    test::on_executors([&](auto& executor) {
      guarded<std::uint8_t> in(executor, rgb), out(executor, oracle::size(rgb));
      guarded<std::uint8_t> with_alpha(executor, rgba), four(executor, oracle::size(rgba));
      upsweep::equalize_luma(executor, in.range(), out.range());
      CHECK(test::hash_of(out.items(executor)) == v.result);
      upsweep::equalize_luma(executor, with_alpha.range(), four.range(), {.channels = 4});
      const bytes found = four.items(executor);
      bytes colours, alpha, alpha_before;
      for (std::size_t i = 0; i < found.size(); i++) {
        (i % 4 == 3 ? alpha : colours).push_back(found[i]);
        if (i % 4 == 3) alpha_before.push_back(rgba[i]);
      }
      CHECK(test::hash_of(colours) == v.result);
      check_equal(alpha, alpha_before);
    });
  }
}
TEST_CASE("luma is equalized in every layout") {
  if (test::without_executors()) return;
  int shift = 0;
  for (auto layout : test::layouts()) {
    if (layout.width > 400'000) layout.width = 100'003;
    layout.pitch = layout.image_pitch = 0;
    for (const int channels : {3, 4}) {
      shift++;
      const auto mode = shift % 3 == 0 ? equalize_mode::pil : equalize_mode::opencv;
      check_layout(layout, channels, shift % 4 * 5, shift % 7, mode, shift % 8);
      check_layout(layout, channels, 4 * (shift % 3), 1 + shift % 6, mode, 0);
    }
  }
}
#if UPSWEEP_X86_VERSIONS
TEST_CASE("luma is equalized alike with vectors of any width") {
  bytes colours;  // 2^18 of them; every channel takes all values
  for (int i = 0; i < 1 << 18; i++)
    for (const int c : {i % 64 * 4 + i / 4096 % 4, i / 64 % 64 * 4 + i % 4, i / 4096 * 4 + i / 64 % 4})
      colours.push_back(static_cast<std::uint8_t>(c));
  bytes expected = colours;
  oracle::equalize_luma(expected, 3, equalize_mode::opencv);
  int& widest = upsweep::detail::widest_vectors();
  const int before = widest;
  upsweep::host executor(2);
  for (const int wide : {16, 32, 64}) {
    if (wide > before) continue;
    widest = wide;
    bytes found(colours.size());
    upsweep::equalize_luma(executor, colours, found);
    check_equal(found, expected);
  }
  widest = before;
}
#endif
TEST_CASE("nothing has no luma") {
  test::on_executors([&](auto& executor) {
    guarded<std::uint8_t> in(executor, 0);
    upsweep::equalize_luma(executor, in.range(), in.range());
    check_equal(in.items(executor), bytes{});
  });
}
TEST_CASE("bad equalizations of luma are refused by name, and nothing is written") {
  test::on_executors([&](auto& executor) {
    guarded<std::uint8_t> in(executor, bytes(120)), out(executor, 120);
    const auto refuse = [&](auto&& call, const char* start, const char* part) {
      test::check_refused(call, start, part);
      CHECK(out.untouched_from(executor));
    };
    refuse([&] { upsweep::equalize_luma(executor, in.range(), out.range(), {.channels = 2}); }, "channels is 2",
           "3 or 4");
    refuse([&] { upsweep::equalize_luma(executor, in.first(100), out.first(100)); }, "in: width is 100",
           "multiple of 3");
    refuse(
        [&] {
          upsweep::equalize_luma(executor, image(in.range(), {.width = 10, .height = 3}), out.first(30),
                                 {.channels = 4});
        },
        "in: width is 10", "multiple of 4");
    refuse([&] { upsweep::equalize_luma(executor, in.range(), out.range(), {.mode = static_cast<equalize_mode>(9)}); },
           "mode is 9", "equalize_mode");
    refuse([&] { upsweep::equalize_luma(executor, in.range(), out.first(117)); }, "out", "has 117 items");
    refuse([&] { upsweep::equalize_luma(executor, in.first(60), in.range().subspan(3, 60)); }, "out overlaps in",
           "same image");
  });
}

// Equalization and matching against OpenCV, PIL and serial loops: hashes of whole pictures, full tables, layouts.
#include <algorithm>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <vector>

#include <upsweep/equalize.hpp>

#include "image_support.hpp"
#include "image_values.hpp"
#include "vector_widths.hpp"

using test::check_equal;
using test::guarded;
using upsweep::equalize_mode;
using upsweep::image;
using upsweep::image_layout;
using upsweep::index_t;

namespace {
constexpr equalize_mode modes[] = {equalize_mode::opencv, equalize_mode::textbook, equalize_mode::pil};

//! Each image of a scene by a table of its own: `in` elsewhere.
template <class T, class TableOf>
std::vector<T> mapped(const std::vector<T>& in, const std::vector<T>& before, const image_layout& from,
                      const image_layout& to, const TableOf& table_of) {
  std::vector<T> out = before;
  for (index_t k = 0; k < from.count; k++) {
    const auto& table = table_of(k);
    const auto read = oracle::pixels_of(from, k), written = oracle::pixels_of(to, k);
    for (std::size_t i = 0; i < read.size(); i++) out[written[i]] = table[in[read[i]]];
  }
  return out;
}

template <class T>
void check_equalize(const image_layout& layout, int kind, equalize_mode mode, int shift) {
  INFO(test::shown(layout) << ", " << test::kinds[kind] << ", mode " << static_cast<int>(mode));
  const auto items = test::scene<T>(layout, kind);
  std::vector<std::vector<T>> tables;
  std::vector<T> all_tables;
  for (index_t k = 0; k < layout.count; k++) {
    tables.push_back(oracle::equalization_table(test::image_of(items, layout, k), mode));
    all_tables.insert(all_tables.end(), tables.back().begin(), tables.back().end());
  }
  const auto table_of = [&](index_t k) { return tables[oracle::at(k)]; };
  const image_layout plain{.width = layout.width, .height = layout.height, .pitch = 0, .count = layout.count};
  const auto in_place = mapped(items, items, layout, layout, table_of);
  const auto gapless = mapped(items, std::vector<T>(oracle::at(test::extent_of(plain))), layout, plain, table_of);
  test::on_executors([&](auto& executor) {
    guarded<T> in(executor, items, shift), out(executor, oracle::size(gapless), 2 * shift);
    guarded<T> table(executor, oracle::size(all_tables));
    upsweep::equalize_histogram(executor, image(in.range(), layout), out.range(), mode);
    check_equal(out.items(executor), gapless);
    upsweep::equalization_table(executor, image(in.range(), layout), table.range(), mode);
    check_equal(table.items(executor), all_tables);
    upsweep::equalize_histogram(executor, image(in.range(), layout), image(in.range(), layout), mode);
    check_equal(in.items(executor), in_place);
  });
}
}  // namespace

TEST_CASE("pictures are those of image_values.py, and equalized as OpenCV and PIL do") {
  for (const auto& v : test::image_values::equalized_images) {
    INFO(test::kinds[v.kind] << " " << v.width << " x " << v.height);
    const auto pixels = test::picture<std::uint8_t>(v.kind, v.width, v.height);
    REQUIRE(test::hash_of(pixels) == v.input);
    test::on_executors([&](auto& executor) {
      guarded<std::uint8_t> in(executor, pixels), out(executor, oracle::size(pixels));
      upsweep::equalize_histogram(executor, in.range(), out.range());
      CHECK(test::hash_of(out.items(executor)) == v.opencv);
      upsweep::equalize_histogram(executor, in.range(), out.range(), equalize_mode::pil);
      CHECK(test::hash_of(out.items(executor)) == v.pil);
    });
  }
}
TEST_CASE("tables are OpenCV's and PIL's, entry by entry") {
  for (int kind = 0; kind < test::kind_count; kind++) {
    INFO(test::kinds[kind]);
    const auto pixels = test::picture<std::uint8_t>(kind, 200, 120);
    const auto check = [&](auto& executor, equalize_mode mode, const int(&expected)[256]) {
      guarded<std::uint8_t> in(executor, pixels), table(executor, 256);
      upsweep::equalization_table(executor, in.range(), table.range(), mode);
      auto entries = table.items(executor);
      std::vector<std::uint8_t> wanted(256);
      for (std::size_t v = 0; v < 256; v++) {
        if (expected[v] < 0) entries[v] = 0;  // no pixel shows what it becomes
        else wanted[v] = static_cast<std::uint8_t>(expected[v]);
      }
      check_equal(entries, wanted);
    };
    test::on_executors([&](auto& executor) {
      check(executor, equalize_mode::opencv, test::image_values::opencv_tables[kind]);
      check(executor, equalize_mode::pil, test::image_values::pil_tables[kind]);
    });
  }
}
TEST_CASE("images of bytes are equalized in every layout") {
  if (test::without_executors()) return;
  int shift = 0;
  for (const auto& layout : test::layouts())
    for (const int kind : {0, 1, 3, 4}) {
      shift++;
      check_equalize<std::uint8_t>(layout, kind, modes[(kind + shift) % 3], shift % 16);
    }
}
TEST_CASE("images as small and as large as a cluster of CTAs equalizes, and the next ones, in all modes") {
  if (test::without_executors()) return;
  const image_layout layouts[] = {
      {.width = 8'191},
      {.width = 8'192},  // 512 vectors: the most for one CTA
      {.width = 8'193},
      {.width = 2, .height = 257, .pitch = 19},
      {.width = 131, .height = 64, .pitch = 144},
      {.width = 512, .height = 511, .pitch = 513},
      {.width = 490, .height = 1000, .pitch = 503},   // in some rows the last vector has no pixel
      {.width = 1021, .height = 512, .pitch = 1024},  // 32,768 vectors, the most for a cluster
      {.width = 1021, .height = 513, .pitch = 1024},
      {.width = 1021, .height = 1024, .pitch = 1024},
      {.width = 1021, .height = 1025, .pitch = 1024},
      {.width = 524'273},
      {.width = 524'288},
      {.width = 524'289},
      {.width = 1'048'576},
      {.width = 1'048'577},
      {.width = 8'650'752},  // 540,672 vectors: on an H100 the most that go one a thread
      {.width = 8'650'753},
  };
  int turn = 0;
  for (const auto& layout : layouts)
    for (const auto mode : modes) {
      if (turn % test::sanitized_step(4) == 0)
        check_equalize<std::uint8_t>(layout, turn % 2 == 0 ? 5 : 3, mode, mode == modes[0] ? 0 : turn % 16);
      turn++;
    }
}
TEST_CASE("batches of images for which a small CTA will do, and of larger ones") {
  if (test::without_executors()) return;
  int number = 0;
  const auto check = [&](const image_layout& layout, int shift) {
    check_equalize<std::uint8_t>(layout, number % 2 == 0 ? 5 : 3, modes[number % 3], shift);
    number++;
  };
  // Of a vector for each thread, and of 2,048: where images begin anywhere in a vector, they count as if by 15 in two.
  for (const index_t width : {4096, 4097, 32'768, 32'769}) check({.width = width, .count = 3}, 0);
  for (const index_t width : {4066, 4067, 32'738, 32'739}) check({.width = width, .count = 3}, 5);
  check({.width = 100, .height = 150, .pitch = 112, .count = 3}, 0);
  check({.width = 100, .height = 150, .pitch = 113, .count = 3}, 7);
  check({.width = 181, .height = 180, .pitch = 190, .count = 3}, 1);
}
TEST_CASE("images of words are equalized in every layout") {
  if (test::without_executors()) return;
  int shift = 0;
  for (const auto& layout : test::layouts()) {
    if (layout.count > 10) continue;
    for (const int kind : {0, 3, 4}) {
      shift++;
      check_equalize<std::uint16_t>(layout, kind, modes[(kind + shift) % 3], shift % 8);
    }
  }
}
TEST_CASE("large images are equalized, and gaps stay as they are") {
  if (test::without_executors()) return;
  const image_layout layout{.width = 4000, .height = 3000 / test::sanitized_step(4), .pitch = 4100};
  const auto items = test::scene<std::uint8_t>(layout, 4);
  auto table = oracle::equalization_table(test::image_of(items, layout, 0), equalize_mode::opencv);
  const auto expected = mapped(items, items, layout, layout, [&](index_t) { return table; });
  const auto check = [&](auto& executor) {
    guarded<std::uint8_t> in(executor, items, 5);
    upsweep::equalize_histogram(executor, image(in.range(), layout), image(in.range(), layout));
    check_equal(in.items(executor), expected);
  };
  test::on_host(2, check);
  test::on_device(check);
}
TEST_CASE("a few large images are equalized one by one, a thousand small ones at once") {
  if (test::without_executors()) return;
  for (const image_layout layout : {image_layout{.width = 2048, .height = 1024, .pitch = 0, .count = 3},
                                    image_layout{.width = 48, .height = 40, .pitch = 50, .count = 1000}}) {
    const auto items = test::scene<std::uint8_t>(layout, 2);
    const auto table_of = [&](index_t k) {
      return oracle::equalization_table(test::image_of(items, layout, k), equalize_mode::opencv);
    };
    const auto expected = mapped(items, items, layout, layout, table_of);
    test::on_executors([&](auto& executor) {
      guarded<std::uint8_t> in(executor, items, 1);
      upsweep::equalize_histogram(executor, image(in.range(), layout), image(in.range(), layout));
      check_equal(in.items(executor), expected);
    });
  }
}
TEST_CASE("tables ascend; equalizing twice changes little; one level stays") {
  const auto pixels = test::picture<std::uint8_t>(4, 640, 480);
  for (const auto mode : modes) {
    test::on_executors([&](auto& executor) {
      guarded<std::uint8_t> in(executor, pixels), once(executor, 640 * 480), twice(executor, 640 * 480);
      guarded<std::uint8_t> table(executor, 256);
      upsweep::equalization_table(executor, in.range(), table.range(), mode);
      const auto entries = table.items(executor);
      CHECK(std::is_sorted(entries.begin(), entries.end()));
      upsweep::equalize_histogram(executor, in.range(), once.range(), mode);
      upsweep::equalize_histogram(executor, once.range(), twice.range(), mode);
      const auto a = once.items(executor), b = twice.items(executor);
      int most = 0;
      for (std::size_t i = 0; i < a.size(); i++) most = std::max(most, std::abs(a[i] - b[i]));
      CHECK(most <= 3);
    });
  }
}
TEST_CASE("a mask says which pixels a table is made of") {
  const image_layout layout{.width = 63, .height = 5, .pitch = 77, .count = 9, .image_pitch = 401};
  const auto items = test::scene<std::uint8_t>(layout, 2);
  auto mask = test::random_integers<std::uint8_t>(test::extent_of(layout), 2, 5);
  for (const std::size_t i : oracle::pixels_of(layout, 4)) mask[i] = 0;
  std::vector<std::uint8_t> expected;
  for (index_t k = 0; k < layout.count; k++) {
    std::vector<std::uint8_t> counted;
    for (const std::size_t i : oracle::pixels_of(layout, k))
      if (mask[i]) counted.push_back(items[i]);
    const auto table = oracle::equalization_table(counted, equalize_mode::textbook);
    expected.insert(expected.end(), table.begin(), table.end());
  }
  test::on_executors([&](auto& executor) {
    guarded<std::uint8_t> in(executor, items), flags(executor, mask), table(executor, 256 * 9);
    upsweep::equalization_table(executor, upsweep::masked(image(in.range(), layout), image(flags.range(), layout)),
                                table.range(), equalize_mode::textbook);
    check_equal(table.items(executor), expected);
  });
}

TEST_CASE("tables are applied: one for all images, or one for each; of other types too") {
  const image_layout layout{.width = 63, .height = 50, .pitch = 77, .count = 9, .image_pitch = 4001};
  const auto items = test::scene<std::uint8_t>(layout, 2);
  const auto one = test::random_integers<std::uint16_t>(256, 0, 1),
             each = test::random_integers<std::uint16_t>(9 * 256);
  const auto words = test::scene<std::uint16_t>(layout, 3);
  const auto floats = test::random_floats<float>(65'536);
  test::on_executors([&](auto& executor) {
    guarded<std::uint8_t> in(executor, items, 3);
    guarded<std::uint16_t> common(executor, one), own(executor, each), out(executor, 63 * 50 * 9),
        wide(executor, words);
    guarded<float> table(executor, floats), mapped_floats(executor, 63 * 50 * 9);
    const auto expect = [&](const auto& from, const auto& tables, std::size_t stride) {
      std::decay_t<decltype(tables)> expected;
      for (index_t k = 0; k < 9; k++)
        for (const auto v : test::image_of(from, layout, k)) expected.push_back(tables[oracle::at(k) * stride + v]);
      return expected;
    };
    upsweep::apply_table(executor, image(in.range(), layout), common.range(), out.range());
    check_equal(out.items(executor), expect(items, one, 0));
    upsweep::apply_table(executor, image(in.range(), layout), own.range(), out.range());
    check_equal(out.items(executor), expect(items, each, 256));
    upsweep::apply_table(executor, image(wide.range(), layout), table.range(), mapped_floats.range());
    check_equal(mapped_floats.items(executor), expect(words, floats, 0));
  });
}

TEST_CASE("tables of bytes are applied to batches, in place too") {
  const image_layout layouts[] = {{.width = 4096, .count = 5},
                                  {.width = 9000, .count = 4},
                                  {.width = 300, .height = 27, .pitch = 310, .count = 3},
                                  {.width = 64, .height = 64, .count = 600},
                                  {.width = 500, .height = 60, .count = 3}};
  for (const image_layout& layout : layouts) {
    INFO(test::shown(layout));
    const auto items = test::scene<std::uint8_t>(layout, 2);
    const auto tables = test::random_integers<std::uint8_t>(layout.count * 256);
    const auto table_of = [&](index_t k) { return std::span(tables).subspan(oracle::at(k) * 256, 256); };
    const auto expected = mapped(items, items, layout, layout, table_of);
    for (const int shift : {0, 3})
      test::on_executors([&](auto& executor) {
        guarded<std::uint8_t> in(executor, items, shift), all(executor, tables), out(executor, items, 2 * shift);
        upsweep::apply_table(executor, image(in.range(), layout), all.range(), image(out.range(), layout));
        check_equal(out.items(executor), expected);
        upsweep::apply_table(executor, image(in.range(), layout), all.range(), image(in.range(), layout));
        check_equal(in.items(executor), expected);
      });
  }
}

namespace {
template <class T>
void check_match(const image_layout& layout, const image_layout& of_reference) {
  INFO(test::shown(layout) << " like " << test::shown(of_reference));
  const auto items = test::scene<T>(layout, 4), reference = test::scene<T>(of_reference, 2);
  const auto table_of = [&](index_t k) {
    return oracle::matching_table(test::image_of(items, layout, k),
                                  test::image_of(reference, of_reference, of_reference.count > 1 ? k : 0));
  };
  const auto expected = mapped(items, items, layout, layout, table_of);
  test::on_executors([&](auto& executor) {
    guarded<T> in(executor, items), like(executor, reference);
    upsweep::match_histogram(executor, image(in.range(), layout), image(like.range(), of_reference),
                             image(in.range(), layout));
    check_equal(in.items(executor), expected);
  });
}
}  // namespace
TEST_CASE("tables of bytes are applied alike with vectors of any width, in place too") {
  const auto table = test::random_integers<std::uint8_t>(256);
  for (const index_t n : {1, 31, 32, 33, 255, 256, 1000}) {
    std::vector<std::uint8_t> items(oracle::at(n));
    for (std::size_t i = 0; i < items.size(); i++) items[i] = static_cast<std::uint8_t>(i * 37);  // 256 in turn are all
    const auto expected = oracle::mapped<std::uint8_t>(items, table);
    test::with_any_vectors([&] {
      auto found = items;
      upsweep::apply_table(upsweep::host(1), found, table, found);
      check_equal(found, expected);
    });
  }
}
TEST_CASE("histograms are matched with one reference, and each with its own") {
  if (test::without_executors()) return;
  const image_layout batch{.width = 63, .height = 50, .pitch = 77, .count = 5, .image_pitch = 4001};
  check_match<std::uint8_t>(batch, {.width = 200, .height = 31});
  check_match<std::uint8_t>(batch, {.width = 20, .height = 31, .pitch = 0, .count = 5});
  check_match<std::uint8_t>({.width = 1500, .height = 1000}, {.width = 3000});
  check_match<std::uint16_t>(batch, {.width = 200, .height = 31});
  const auto pixels = test::picture<std::uint8_t>(4, 640, 480);
  test::on_executors([&](auto& executor) {  // with itself: nothing changes
    guarded<std::uint8_t> in(executor, pixels), out(executor, 640 * 480);
    upsweep::match_histogram(executor, in.range(), in.range(), out.range());
    check_equal(out.items(executor), pixels);
  });
}

TEST_CASE("nothing is equalized to nothing; its table is the identity") {
  test::on_executors([&](auto& executor) {
    guarded<std::uint8_t> in(executor, 0), table(executor, 256);
    upsweep::equalize_histogram(executor, in.range(), in.range());
    for (const auto mode : modes) {
      upsweep::equalization_table(executor, in.range(), table.range(), mode);
      const auto entries = table.items(executor);
      for (std::size_t v = 0; v < 256; v++) REQUIRE(entries[v] == v);
    }
  });
}
TEST_CASE("two regions of one image may lie beside each other") {
  const image_layout half{.width = 30, .height = 20, .pitch = 61};
  auto items = test::any_bits<std::uint8_t>(61 * 20);
  const auto table = oracle::equalization_table(test::image_of(items, half, 0), equalize_mode::opencv);
  auto expected = items;
  for (const std::size_t i : oracle::pixels_of(half, 0)) expected[i + 31] = table[items[i]];
  test::on_executors([&](auto& executor) {
    guarded<std::uint8_t> both(executor, items);
    upsweep::equalize_histogram(executor, image(both.range(), half), image(both.range().subspan(31), half));
    check_equal(both.items(executor), expected);
  });
}

TEST_CASE("bad equalizations are refused by name, and nothing is written") {
  test::on_executors([&](auto& executor) {
    guarded<std::uint8_t> in(executor, std::vector<std::uint8_t>(100)), out(executor, 100), table(executor, 256),
        tables(executor, 300);
    const auto refuse = [&](auto&& call, const char* start, const char* part) {
      test::check_refused(call, start, part);
      CHECK(out.untouched_from(executor));
      CHECK(table.untouched_from(executor));
      check_equal(in.items(executor), std::vector<std::uint8_t>(100));
    };
    refuse([&] { upsweep::equalize_histogram(executor, in.range(), out.range(), static_cast<equalize_mode>(7)); },
           "mode is 7", "equalize_mode");
    refuse([&] { upsweep::equalize_histogram(executor, in.range(), out.first(99)); }, "out", "has 99 items, needs 100");
    refuse([&] { upsweep::equalize_histogram(executor, in.range(), image(out.range(), {.width = 10, .height = 10})); },
           "out is 10 x 10", "in 100 x 1");
    refuse(
        [&] {
          upsweep::equalize_histogram(executor, image(in.range(), {.width = 10, .height = 10}),
                                      image(out.range(), {.width = 10, .height = 10, .pitch = 7}));
        },
        "out: pitch is 7", "less than the width");
    refuse([&] { upsweep::equalize_histogram(executor, in.first(60), in.range().subspan(1, 60)); }, "out overlaps in",
           "same image");
    refuse([&] { upsweep::equalization_table(executor, in.range(), tables.range()); }, "table has 300", "256");
    refuse([&] { upsweep::equalization_table(executor, in.range(), table.first(255)); }, "table has 255", "256");
    refuse([&] { upsweep::apply_table(executor, in.range(), in.range(), out.range()); }, "table has 100", "256");
    refuse([&] { upsweep::apply_table(executor, in.range(), tables.range(), out.range()); }, "table has 300", "256");
    refuse([&] { upsweep::match_histogram(executor, in.range(), in.first(0), out.range()); }, "reference", "empty");
    refuse(
        [&] {
          upsweep::match_histogram(executor, image(in.range(), {.width = 10, .height = 1, .pitch = 0, .count = 3}),
                                   image(in.range(), {.width = 10, .height = 1, .pitch = 0, .count = 2}), out.range());
        },
        "reference has 2 images", "needs 1 or 3");
  });
}

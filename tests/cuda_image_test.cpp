// Histograms and equalization on the GPU alone: more than 2^32 pixels, captured graphs, a busy device.
#include <cstdint>
#include <vector>

#include <upsweep/clahe.hpp>
#include <upsweep/equalize.hpp>
#include <upsweep/histogram.hpp>
#include <upsweep/luma.hpp>

#include "cuda_support.hpp"
#include "image_support.hpp"

using test::check_equal;
using upsweep::buffer;
using upsweep::index_t;

namespace {
constexpr index_t n = (index_t{1} << 32) + 5;

struct skewed_byte {  // 0 … 199
  UPSWEEP_HD std::uint8_t operator()(index_t i) const { return static_cast<std::uint8_t>(i % 200); }
};
struct constant_byte {
  UPSWEEP_HD std::uint8_t operator()(index_t) const { return 77; }
};
struct mapped_byte {
  std::uint8_t table[256];
  UPSWEEP_HD std::uint8_t operator()(index_t i) const { return table[i % 200]; }
};
}  // namespace

TEST_CASE("2^32 + 5 pixels are counted and equalized") {
  if (test::without_device()) return;
  if (test::without_memory_of(5)) return;
  upsweep::device executor;
  buffer<std::uint8_t> image(executor, n);
  buffer<index_t> counts(executor, 256), many(executor, 65'536);
  test::fill(executor.stream(), image.data(), n, constant_byte{});
  upsweep::histogram(executor, image, counts);
  std::vector<index_t> expected(256);
  expected[77] = n;
  check_equal(counts.to_vector(executor), expected);
  const std::span<const std::uint16_t> words(reinterpret_cast<const std::uint16_t*>(image.data()),
                                             static_cast<std::size_t>(n / 2));
  upsweep::histogram(executor, words, many);
  CHECK(many.to_vector(executor)[77 * 257] == n / 2);

  test::fill(executor.stream(), image.data(), n, skewed_byte{});
  upsweep::histogram(executor, image, counts);
  std::vector<std::uint64_t> skewed(256);
  for (index_t v = 0; v < 200; v++) skewed[oracle::at(v)] = static_cast<std::uint64_t>((n - v + 199) / 200);
  check_equal(counts.to_vector(executor), std::vector<index_t>(skewed.begin(), skewed.end()));
  mapped_byte expected_byte{};
  upsweep::detail::table_of_counts(skewed.data(), upsweep::equalize_mode::textbook, expected_byte.table);
  upsweep::equalize_histogram(executor, image, image, upsweep::equalize_mode::textbook);
  test::check_on_device(executor, image.data(), n, expected_byte);
}

TEST_CASE("equalization and histograms are captured in a graph and replayed over other pictures") {
  if (test::without_device()) return;
  const auto first = test::picture<std::uint8_t>(4, 512, 512);
  upsweep::device executor, other;
  test::guarded<std::uint8_t> in(executor, first), out(executor, 512 * 512);
  test::guarded<std::uint8_t> local(executor, 512 * 512), colours(executor, 512 * 510), same_in(other, first),
      same(other, 512 * 512), same_colours(other, 512 * 510);
  test::guarded<index_t> counts(executor, 100), levels(executor, 256);
  const auto enhance = [](auto& by, const auto& from, const auto& to, const auto& rgb) {
    upsweep::clahe(by, upsweep::image(from, {.width = 512, .height = 512}), to, {.clip_limit = 2.5});
    upsweep::equalize_luma(by, upsweep::image(from, {.width = 510, .height = 512, .pitch = 512}), rgb);
  };
  const auto run = [&] {
    upsweep::equalize_histogram(executor, in.range(), out.range());
    upsweep::histogram_range(executor, in.range(), counts.range(),
                             test::generate(101, [k = 0](auto&) mutable { return k++ * 2; }));
    upsweep::histogram(executor, in.range(), levels.range());
    enhance(executor, in.range(), local.range(), colours.range());
  };
  run();  // the workspace and the scratch memory grow
  test::graph captured(executor.stream());
  run();
  captured.finish();
  for (const int kind : {2, 3, 0, 5}) {
    const auto pixels = test::picture<std::uint8_t>(kind, 512, 512);
    executor.copy(in.data(), pixels.data(), pixels.size());
    captured.replay();
    const auto table = oracle::equalization_table(pixels, upsweep::equalize_mode::opencv);
    auto expected = pixels;
    std::vector<index_t> of_bins(100), of_levels(256);
    for (std::size_t i = 0; i < pixels.size(); i++) {
      expected[i] = table[pixels[i]];
      if (pixels[i] < 200) of_bins[pixels[i] / 2]++;
      of_levels[pixels[i]]++;
    }
    check_equal(out.items(executor), expected);
    check_equal(counts.items(executor), of_bins);
    check_equal(levels.items(executor), of_levels);
    other.copy(same_in.data(), pixels.data(), pixels.size());
    enhance(other, same_in.range(), same.range(), same_colours.range());
    check_equal(local.items(executor), same.items(other));
    check_equal(colours.items(executor), same_colours.items(other));
  }
}

TEST_CASE("equalization and histograms wait for room when other work holds the device") {
  if (test::without_device()) return;
  const auto pixels = test::picture<std::uint8_t>(4, 2048, 2048);
  const auto table = oracle::equalization_table(pixels, upsweep::equalize_mode::opencv);
  auto expected = pixels;
  std::vector<index_t> levels(256);
  for (auto& p : expected) {
    levels[p]++;
    p = table[p];
  }
  upsweep::device executor;
  test::stream other;
  test::guarded<std::uint8_t> in(executor, pixels), out(executor, 2048 * 2048);
  test::guarded<index_t> counts(executor, 256);
  test::hold_multiprocessors(other, executor.multiprocessors() / 2, 20'000'000);
  upsweep::histogram(executor, in.range(), counts.range());
  upsweep::equalize_histogram(executor, in.range(), out.range());
  test::wait_at_most(executor.stream(), std::chrono::seconds(20), "equalize_histogram");
  check_equal(counts.items(executor), levels);
  check_equal(out.items(executor), expected);
}

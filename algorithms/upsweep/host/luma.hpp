// Equalization of luma on the host: threads share out rows to count, and again to convert.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <upsweep/bins.hpp>
#include <upsweep/colour.hpp>
#include <upsweep/config.hpp>
#include <upsweep/executor.hpp>
#include <upsweep/host/histogram.hpp>
#include <upsweep/host/level_tables.hpp>
#include <upsweep/host/share_out.hpp>
#include <upsweep/image.hpp>

namespace upsweep::inline UPSWEEP_ABI::detail {

//! Calls f(row of `in`, row of `out`, pixels) for pieces of rows, on all threads.
template <int Channels, class F>
void for_each_colour_row(host& executor, const pixels<const std::uint8_t>& in, const pixels<std::uint8_t>& out,
                         const F& f) {
  pixels<const std::uint8_t> by_pixel = in;  // units are cut between pixels
  by_pixel.width /= Channels;
  const image_units units(by_pixel);
  share_out(executor.threads(), units.count(), [&](index_t unit) {
    units.for_each_row(unit, [&](index_t y, index_t x, index_t n) {
      f(in.row(0, y) + x * Channels, out.row(0, y) + x * Channels, n);
    });
  });
}

template <int Channels>
void equalize_luma_of(host& executor, const pixels<const std::uint8_t>& in, const pixels<std::uint8_t>& out,
                      equalize_mode mode) {
  const bool gapless = in.pitch == in.width && out.pitch == out.width;
  const auto all_from = gapless ? in.joined_rows() : in;
  const auto all_to = gapless ? out.joined_rows() : out;
  for_each_image(executor, in.count, in.per_image(), [&](host& with, index_t k) {
    const auto from = all_from.one(k);
    const auto to = all_to.one(k);
    std::vector<std::uint64_t> counts(256);
    for_each_colour_row<Channels>(with, from, to, [&](const std::uint8_t* row, std::uint8_t*, index_t n) {
      constexpr index_t most = 1024;
      std::uint8_t luma[most];
      private_counts mine(256);
      for (index_t done = 0; done < n; done += most) {
        const index_t part = std::min(most, n - done);
        for (index_t i = 0; i < part; i++) {
          const std::uint8_t* const p = row + (done + i) * Channels;
          luma[i] = static_cast<std::uint8_t>(rgb_pixel{p[0], p[1], p[2]}.luma());
        }
        mine.count_row(luma, part, level_bins{256});
      }
      mine.flush([&](index_t level, std::uint64_t count) {
        __atomic_fetch_add(counts.data() + level, count, __ATOMIC_RELAXED);
      });
    });
    std::uint8_t table[256];
    table_of_counts(counts.data(), mode, table);
    for_each_colour_row<Channels>(with, from, to, [&](const std::uint8_t* row, std::uint8_t* result, index_t n) {
      for (index_t i = 0; i < n * Channels; i += Channels) {
        const rgb_pixel p{row[i], row[i + 1], row[i + 2]}, q = p.with_luma(table[p.luma()]);
        if constexpr (Channels == 4) result[i + 3] = row[i + 3];
        result[i] = static_cast<std::uint8_t>(q.r);
        result[i + 1] = static_cast<std::uint8_t>(q.g);
        result[i + 2] = static_cast<std::uint8_t>(q.b);
      }
    });
  });
}

}  // namespace upsweep::inline UPSWEEP_ABI::detail

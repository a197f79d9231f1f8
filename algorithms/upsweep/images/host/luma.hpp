// Equalization of luma on the host: threads share out rows to count, and again to convert.
#pragma once
#include <algorithm>
#include <cstdint>

#include <upsweep/config.hpp>
#include <upsweep/executor.hpp>
#include <upsweep/host/memory.hpp>
#include <upsweep/host/share_out.hpp>
#include <upsweep/host/versions.hpp>
#include <upsweep/image.hpp>
#include <upsweep/images/bins.hpp>
#include <upsweep/images/colour.hpp>
#include <upsweep/images/host/histogram.hpp>
#include <upsweep/images/host/level_tables.hpp>

namespace UPSWEEP_NAMESPACE::detail {

//! A piece of a row as a plane for each channel, and its luma: loops over planes become vector code. (AMD EPYC, one
//! thread, 2026-11-22: RGB takes 1.0 ns a pixel in all with vectors of 64 bytes, 1.8 with 32, 4.8 with 16; 8.2 pixel by
//! pixel.)
template <int Channels>
class colour_planes {
 public:
  static constexpr index_t most = 512;  // pixels; all planes stay in the first cache

  UPSWEEP_INLINE void split(const std::uint8_t* row, index_t n) {
    for (index_t i = 0; i < n; i++)
      for (int c = 0; c < Channels; c++) plane_[c][i] = row[i * Channels + c];
    for (index_t i = 0; i < n; i++) luma_[i] = static_cast<std::uint8_t>(pixel(i).luma());
  }
  std::uint8_t* luma() { return luma_; }
  //! Writes the pixels with the luma that luma() now holds.
  UPSWEEP_INLINE void join(std::uint8_t* row, index_t n) {
    for (index_t i = 0; i < n; i++) {
      const rgb_pixel p = pixel(i).with_luma(luma_[i]);
      plane_[0][i] = static_cast<std::uint8_t>(p.r);
      plane_[1][i] = static_cast<std::uint8_t>(p.g);
      plane_[2][i] = static_cast<std::uint8_t>(p.b);
    }
    for (index_t i = 0; i < n; i++)
      for (int c = 0; c < Channels; c++) row[i * Channels + c] = plane_[c][i];
  }

 private:
  UPSWEEP_INLINE rgb_pixel pixel(index_t i) const { return {plane_[0][i], plane_[1][i], plane_[2][i]}; }
  std::uint8_t plane_[Channels][most], luma_[most];
};

//! Calls f(planes, y, first byte in the row, pixels) for the pieces of a unit's rows.
template <int Channels, class F>
void for_each_piece(const pixels<const std::uint8_t>& in, const image_units& units, index_t unit, const F& f) {
  colour_planes<Channels> planes;
  units.for_each_row(unit, [&](index_t y, index_t x, index_t n) {
    for (const index_t end = x + n; x < end; x += planes.most) {
      const index_t part = std::min(planes.most, end - x), at = x * Channels;
      with_vectors<true>([&](auto) UPSWEEP_LAMBDA_INLINE { planes.split(in.row(0, y) + at, part); });
      f(planes, y, at, part);
    }
  });
}

template <int Channels>
void count_luma(host& executor, const pixels<const std::uint8_t>& in, const image_units& units, std::uint64_t* counts) {
  const int tables = private_counts::tables_for<std::uint8_t>(in.per_image());
  const thread_pieces memory(executor.lender(), executor.threads(), private_counts::bytes(256, tables));
  share_out(executor.threads(), units.count(), [&](index_t unit, int thread) {
    private_counts mine(memory.of(thread), 256, tables);
    for_each_piece<Channels>(in, units, unit, [&](colour_planes<Channels>& planes, index_t, index_t, index_t n) {
      mine.count_row(planes.luma(), nullptr, n, level_bins{256});
    });
    mine.flush(
        [&](index_t level, std::uint64_t count) { __atomic_fetch_add(counts + level, count, __ATOMIC_RELAXED); });
  });
}

template <int Channels>
void map_luma(host& executor, const pixels<const std::uint8_t>& in, const image_units& units, const std::uint8_t* table,
              const pixels<std::uint8_t>& out) {
  share_out(executor.threads(), units.count(), [&](index_t unit) {
    for_each_piece<Channels>(in, units, unit, [&](colour_planes<Channels>& planes, index_t y, index_t at, index_t n) {
      apply_to_row(planes.luma(), planes.luma(), n, table);
      with_vectors<true>([&](auto) UPSWEEP_LAMBDA_INLINE { planes.join(out.row(0, y) + at, n); });
    });
  });
}

template <int Channels>
void equalize_luma_of(host& executor, const pixels<const std::uint8_t>& in, const pixels<std::uint8_t>& out,
                      equalize_mode mode) {
  const bool gapless = in.pitch == in.width && out.pitch == out.width;
  const auto all_from = gapless ? in.joined_rows() : in;
  const auto all_to = gapless ? out.joined_rows() : out;
  auto by_pixel = all_from.one(0);  // units are cut between pixels
  by_pixel.width /= Channels;
  const image_units units(by_pixel);
  for_each_image(executor, in.count, in.per_image(), bytes_of_counters<std::uint8_t>, [&](host& with, index_t k) {
    std::uint64_t counts[256] = {};
    count_luma<Channels>(with, all_from.one(k), units, counts);
    std::uint8_t table[256];
    table_of_counts(counts, mode, table);
    map_luma<Channels>(with, all_from.one(k), units, table, all_to.one(k));
  });
}

}  // namespace UPSWEEP_NAMESPACE::detail

// Adaptive equalization on the host: threads share out the tiles, and then the rows.
#pragma once
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <upsweep/bins.hpp>
#include <upsweep/config.hpp>
#include <upsweep/executor.hpp>
#include <upsweep/host/histogram.hpp>
#include <upsweep/host/level_tables.hpp>
#include <upsweep/host/share_out.hpp>
#include <upsweep/host/versions.hpp>
#include <upsweep/image.hpp>
#include <upsweep/tile_tables.hpp>

namespace upsweep::inline UPSWEEP_ABI::detail {

template <class T>
void table_of_tile(const pixels<const T>& in, const tile_plan& plan, int across, int down, T* table) {
  const int x0 = across * plan.x.size, y0 = down * plan.y.size, inside = plan.x.inside(across);
  const level_bins levels{levels_of<T>};
  private_counts counting(levels_of<T>);
  for (int y = y0; y < y0 + plan.y.size; y++) {
    const T* const row = in.row(0, plan.y.reflected(y));
    if (inside > 0) counting.count_row(row + x0, inside, levels);
    for (int x = x0 + inside; x < x0 + plan.x.size; x++) counting.count_row(row + plan.x.reflected(x), 1, levels);
  }
  std::vector<std::uint32_t> counts(levels_of<T>);
  std::uint32_t excess = 0, upto = 0;
  counting.flush([&](index_t level, std::uint64_t count) {
    counts[static_cast<std::size_t>(level)] = static_cast<std::uint32_t>(count);
    if (count > plan.limit) excess += static_cast<std::uint32_t>(count) - plan.limit;
  });
  const clipped_levels<T> clipped(plan.limit, excess);
  for (std::uint32_t v = 0; v < levels_of<T>; v++)
    table[v] = tile_entry<T>(upto += clipped.count(v, counts[v]), plan.scale);
}

//! The tables left and right of every column, and the weight of the right one.
struct table_columns {
  std::vector<std::size_t> left, right;
  std::vector<float> weight;
  table_columns(const tile_axis& axis, std::size_t levels) {
    for (int x = 0; x < axis.length; x++) {
      const int cell = axis.cell(x);
      left.push_back(static_cast<std::size_t>(axis.tile_before(cell)) * levels);
      right.push_back(static_cast<std::size_t>(axis.tile_behind(cell)) * levels);
      weight.push_back(axis.place(x) - static_cast<float>(cell - 1));
    }
  }
};
//! A row by the tables of the tiles above and below its middle.
template <class T>
UPSWEEP_HOT void blend_row(const T* in, T* out, const table_columns& columns, const T* above, const T* below,
                           float weight) {
  const std::size_t n = columns.weight.size();
  for (std::size_t x = 0; x < n; x++) {
    const std::size_t left = columns.left[x] + in[x], right = columns.right[x] + in[x];
    const float level =
        blended(above[left], above[right], below[left], below[right], blend_weights{columns.weight[x], weight});
    out[x] = static_cast<T>(std::lrint(level));
  }
}

template <class T>
void adapt(host& executor, const pixels<const T>& in, const pixels<T>& out, const tile_plan& plan) {
  constexpr std::size_t levels = levels_of<T>;
  const table_columns columns(plan.x, levels);
  const std::size_t tables_of_row = static_cast<std::size_t>(plan.x.tiles) * levels;
  for_each_image(executor, in.count, in.per_image(), [&](host& with, index_t k) {
    const auto from = in.one(k);
    const auto to = out.one(k);
    std::vector<T> tables(tables_of_row * static_cast<std::size_t>(plan.y.tiles));
    share_out(with.threads(), plan.tiles(), [&](index_t tile) {
      table_of_tile(from, plan, static_cast<int>(tile % plan.x.tiles), static_cast<int>(tile / plan.x.tiles),
                    tables.data() + static_cast<std::size_t>(tile) * levels);
    });
    const index_t rows = std::max<index_t>(1, (index_t{1} << 14) / in.width);
    share_out(with.threads(), (in.height + rows - 1) / rows, [&](index_t band) {
      for (index_t y = band * rows; y < std::min((band + 1) * rows, in.height); y++) {
        const int row = static_cast<int>(y), cell = plan.y.cell(row);
        blend_row(from.row(0, y), to.row(0, y), columns,
                  tables.data() + static_cast<std::size_t>(plan.y.tile_before(cell)) * tables_of_row,
                  tables.data() + static_cast<std::size_t>(plan.y.tile_behind(cell)) * tables_of_row,
                  plan.y.place(row) - static_cast<float>(cell - 1));
      }
    });
  });
}

}  // namespace upsweep::inline UPSWEEP_ABI::detail

// Adaptive equalization on the host: threads share out the tiles, and then the rows.
#pragma once
#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <upsweep/config.hpp>
#include <upsweep/executor.hpp>
#include <upsweep/host/memory.hpp>
#include <upsweep/host/share_out.hpp>
#include <upsweep/host/versions.hpp>
#include <upsweep/image.hpp>
#include <upsweep/images/bins.hpp>
#include <upsweep/images/host/histogram.hpp>
#include <upsweep/images/host/level_tables.hpp>
#include <upsweep/images/tile_tables.hpp>

namespace UPSWEEP_NAMESPACE::detail {

//! `memory`: bytes_of_counts and bytes_of_counters.
template <class T>
void table_of_tile(const pixels<const T>& in, const tile_plan& plan, int across, int down, std::byte* memory,
                   T* table) {
  const int x0 = across * plan.x.size, y0 = down * plan.y.size, inside = plan.x.inside(across);
  const level_bins levels{levels_of<T>};
  const int tables = private_counts::tables_for<T>(index_t{plan.x.size} * plan.y.size);
  private_counts counting(memory + bytes_of_counts<T>, levels_of<T>, tables);
  for (int y = y0; y < y0 + plan.y.size; y++) {
    const T* const row = in.row(0, plan.y.reflected(y));
    if (inside > 0) counting.count_row(row + x0, nullptr, inside, levels);
    for (int x = x0 + inside; x < x0 + plan.x.size; x++)
      counting.count_row(row + plan.x.reflected(x), nullptr, 1, levels);
  }
  auto* const counts = reinterpret_cast<std::uint32_t*>(memory);
  std::fill_n(counts, levels_of<T>, 0u);
  std::uint32_t excess = 0, upto = 0;
  counting.flush([&](index_t level, std::uint64_t count) {
    counts[level] = static_cast<std::uint32_t>(count);
    if (count > plan.limit) excess += static_cast<std::uint32_t>(count) - plan.limit;
  });
  const clipped_levels<T> clipped(plan.limit, excess);
  for (std::uint32_t v = 0; v < levels_of<T>; v++)
    table[v] = tile_entry<T>(upto += clipped.count(v, counts[v]), plan.scale);
}

//! Entries of bytes are packed: a pixel finds all four by one load.
template <class T>
inline constexpr bool has_packed_cells = sizeof(T) == 1;
//! The tables around a cell: above left, above right, below left, below right.
template <class T>
using cell_tables = std::conditional_t<has_packed_cells<T>, std::array<std::uint32_t, 256>, std::array<const T*, 4>>;

template <class T>
cell_tables<T> tables_around(const T* tables, const tile_plan& plan, int across, int down) {
  const auto table = [&](int x, int y) { return tables + (index_t{y} * plan.x.tiles + x) * index_t{levels_of<T>}; };
  const int left = plan.x.tile_before(across), right = plan.x.tile_behind(across);
  const int above = plan.y.tile_before(down), below = plan.y.tile_behind(down);
  const std::array<const T*, 4> around{table(left, above), table(right, above), table(left, below),
                                       table(right, below)};
  if constexpr (has_packed_cells<T>) {
    cell_tables<T> words;
    for (std::size_t v = 0; v < words.size(); v++)
      words[v] = around[0][v] | std::uint32_t{around[1][v]} << 8 | std::uint32_t{around[2][v]} << 16 |
                 std::uint32_t{around[3][v]} << 24;
    return words;
  } else {
    return around;
  }
}

//! What the pixels of a piece of a row find in the four tables around them.
template <class T>
class found_levels {
 public:
  static constexpr int most = 512;  // pixels; all stays in the first cache

  //! The pixels from the `at`-th one on, which are in the same cell.
  UPSWEEP_HOT void find(int at, const T* in, int n, const cell_tables<T>& tables) {
    for (int i = 0; i < n; i++) {
      if constexpr (has_packed_cells<T>) {
        levels_[at + i] = tables[in[i]];
      } else {
        for (std::size_t k = 0; k < 4; k++) levels_[k][at + i] = tables[k][in[i]];
      }
    }
  }
  UPSWEEP_INLINE float level(int k, int i) const {
    if constexpr (has_packed_cells<T>) return static_cast<float>(static_cast<int>(levels_[i] >> 8 * k & 255));
    else return static_cast<float>(levels_[k][i]);
  }

 private:
  std::conditional_t<has_packed_cells<T>, std::uint32_t[most], T[4][most]> levels_;
};

//! Where cells begin in a row, and the weight of the tables to the right of every column.
struct table_columns {
  lent_items<int> cells;
  lent_items<float> weight;
  table_columns(host_memory& memory, const tile_axis& axis)
      : cells(memory, index_t{axis.cells()} + 1), weight(memory, axis.length) {
    for (int c = 0; c <= axis.cells(); c++) cells[c] = axis.first_of_cell(c);
    for (int x = 0; x < axis.length; x++) weight[x] = axis.place(x) - static_cast<float>(axis.cell(x) - 1);
  }
};
//! Blends the entries that were found before, in a loop that becomes vector code.
template <class T>
UPSWEEP_INLINE void blend_piece(const found_levels<T>& found, T* out, int n, const float* right, float below) {
  constexpr float integers = 12582912.0f;  // 1.5 * 2^23: a sum with it has no fraction; halves to even, as lrint
  for (int i = 0; i < n; i++) {
    const float level = blended(found.level(0, i), found.level(1, i), found.level(2, i), found.level(3, i),
                                blend_weights{right[i], below});
    out[i] = static_cast<T>(std::bit_cast<std::uint32_t>(level + integers));
  }
}
template <class T>
void blend_row(const T* in, T* out, const table_columns& columns, const cell_tables<T>* tables, float below) {
  found_levels<T> found;
  const int width = static_cast<int>(columns.weight.size());
  index_t cell = 0;
  for (int x = 0, n; x < width; x += n) {
    n = std::min(found.most, width - x);
    for (int at = 0;; cell++) {
      const int end = std::clamp(columns.cells[cell + 1] - x, at, n);
      found.find(at, in + x + at, end - at, tables[cell]);
      at = end;
      if (at == n) break;  // the cell may go on in the next piece
    }
    const float* const right = columns.weight.data() + x;
    with_vectors<true>([&](auto) UPSWEEP_LAMBDA_INLINE { blend_piece(found, out + x, n, right, below); });
  }
}

//! Some rows of pixels, all in the same row of cells.
struct cell_band {
  int down, begin, end;
};
//! f(band) for each, of so many pixels that to gather the tables around its cells is little work.
template <class T, class F>
void for_each_band(const tile_plan& plan, const F& f) {
  const index_t gathered = index_t{plan.x.cells()} * (has_packed_cells<T> ? 256 : 1);
  const int rows = static_cast<int>(std::max(index_t{1} << 14, 8 * gathered) / plan.x.length) + 1;
  for (int down = 0; down < plan.y.cells(); down++)
    for (int y = plan.y.first_of_cell(down), end = plan.y.first_of_cell(down + 1), n; y < end; y += n) {
      n = std::min(rows, end - y);
      f(cell_band{down, y, y + n});
    }
}
template <class T>
void blend_band(const pixels<const T>& in, const pixels<T>& out, const tile_plan& plan, const table_columns& columns,
                const T* tables, const cell_band& band, std::byte* memory) {
  auto* const around = reinterpret_cast<cell_tables<T>*>(memory);
  for (int c = 0; c < plan.x.cells(); c++) around[c] = tables_around(tables, plan, c, band.down);
  for (int y = band.begin; y < band.end; y++)
    blend_row(in.row(0, y), out.row(0, y), columns, around, plan.y.place(y) - static_cast<float>(band.down - 1));
}

template <class T>
void adapt(host& executor, const pixels<const T>& in, const pixels<T>& out, const tile_plan& plan) {
  constexpr index_t levels = levels_of<T>;
  const table_columns columns(executor.lender(), plan.x);
  index_t count = 0;
  for_each_band<T>(plan, [&](const cell_band&) { count++; });
  const lent_items<cell_band> bands(executor.lender(), count);
  count = 0;
  for_each_band<T>(plan, [&](const cell_band& band) { bands[count++] = band; });
  const index_t of_tables = plan.tiles() * levels;
  const std::size_t of_thread =  // for a tile's table, then for a band
      std::max(bytes_of_counts<T> + bytes_of_counters<T>, scratch_cutter::bytes_of<cell_tables<T>>(plan.x.cells()));
  const std::size_t bytes = scratch_cutter::bytes_of<T>(of_tables) + of_thread;
  for_each_image(executor, in.count, in.per_image(), bytes, [&](host& with, index_t k) {
    const auto from = in.one(k);
    const auto to = out.one(k);
    const lent_items<T> tables(with.lender(), of_tables);
    const thread_pieces memory(with.lender(), with.threads(), of_thread);
    share_out(with.threads(), plan.tiles(), [&](index_t tile, int thread) {
      table_of_tile(from, plan, static_cast<int>(tile % plan.x.tiles), static_cast<int>(tile / plan.x.tiles),
                    memory.of(thread), tables.data() + tile * levels);
    });
    share_out(with.threads(), count, [&](index_t band, int thread) {
      blend_band(from, to, plan, columns, tables.data(), bands[band], memory.of(thread));
    });
  });
}

}  // namespace UPSWEEP_NAMESPACE::detail

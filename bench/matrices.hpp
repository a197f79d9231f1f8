// Random sparse matrices by their shape: how long the rows are, and where their columns stand. Lengths and columns are
// functions of a seed and their index; the offsets are our own running sum of the lengths. Columns of a row ascend;
// where it is dense some repeat, and of blocks a few.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>

#include <upsweep/csr.hpp>
#include <upsweep/scan.hpp>

#include "harness.hpp"

namespace bench {

//! What `draw` of a row's length is, with u uniform in (0, 1).
enum class law {
  between,    // u
  lognormal,  // exp(exponent·z), z normal
  power,      // u^−exponent − 1: a Pareto tail
  rmat,       // .76 for each 0, .24 for each 1 of the row's number: an R-MAT graph's share of edges, from 1
};
//! Where the columns of a row stand.
enum class place {
  spread,   // drawn evenly from a window around the diagonal, a share of `far` from all columns outside it
  blocks,   // the same by blocks, which the rows of a block share
  lattice,  // 4 neighbours on a grid `window` wide
  popular,  // low columns first: columns·t^4, t uniform
  rmat,     // as in a row of an R-MAT graph (Chakrabarti et al. 2004; .57, .19, .19, .05)
};

struct shape {
  const char* name;
  index_t rows, columns;
  double nonzeros;  // about
  // A row's length is least + scale·draw, rounded at random, `most` at most; 0 for a share of `empty`. `hubs` rows,
  // evenly placed, are `most` long. All in blocks: `block` rows have the same blocks.
  law lengths;
  double least, scale, exponent, empty;
  index_t most;
  int hubs, block;
  place where;
  index_t window;  // one longer than it is spread over all columns
  double far;
};

//! Rows of `length`, spread over a window around the diagonal or (0) over all columns.
inline shape even(index_t rows, index_t columns, index_t length, index_t window) {
  return {.name = "",
          .rows = rows,
          .columns = columns,
          .nonzeros = static_cast<double>(rows * length),
          .lengths = law::between,
          .least = static_cast<double>(length),
          .scale = 0,
          .exponent = 0,
          .empty = 0,
          .most = length,
          .hubs = 0,
          .block = 1,
          .where = place::spread,
          .window = window,
          .far = 0};
}

//! The same at half the size until it has at most so many non-zeros: rows, columns and all lengths from 1,000 on.
inline shape shrunk(shape s, index_t nonzeros) {
  while (s.nonzeros > static_cast<double>(nonzeros)) {
    s.rows /= 2;
    s.columns /= 2;
    s.nonzeros /= 2;
    s.most = std::min(std::max(s.most / 2, std::min(s.most, index_t{1000})), s.columns);
    if (s.lengths == law::rmat) s.scale /= 2;
  }
  return s;
}

UPSWEEP_HD inline index_t clamped(index_t i, index_t least, index_t most) {
  return i < least ? least : i > most ? most : i;
}

//! The length of each row, and 0 behind the last.
struct row_lengths {
  shape s;
  std::uint64_t seed;

  UPSWEEP_HD double draw(index_t r) const {
    const double u = unit(seed, r);
    if (s.lengths == law::power) return std::pow(u, -s.exponent) - 1;
    if (s.lengths == law::lognormal)  // Box and Muller 1958
      return std::exp(s.exponent * std::sqrt(-2 * std::log(u)) * std::cos(6.283185307179586 * unit(seed + 1, r)));
    if (s.lengths == law::between) return u;
    double share = 1;
    for (index_t bit = 1; bit < s.rows; bit *= 2) share *= r & bit ? .24 : .76;
    return share;
  }
  UPSWEEP_HD int operator()(index_t row) const {
    if (row == s.rows) return 0;
    const index_t r = row / s.block, apart = s.hubs > 0 ? s.rows / s.block / s.hubs : 0;
    if (apart > 0 && r % apart == apart / 2) return static_cast<int>(s.most);
    if (unit(seed + 2, r) < s.empty) return 0;
    const double length = s.least + s.scale * draw(r) + unit(seed + 3, r), most = static_cast<double>(s.most / s.block);
    return s.block * static_cast<int>(length < most ? length : most);
  }
};

//! The column of each non-zero, whose row is searched in the offsets.
struct columns_of_rows {
  shape s;
  std::uint64_t seed;
  const int* offsets;

  UPSWEEP_HD index_t row_of(index_t k) const {
    index_t low = 0, high = s.rows;
    while (high - low > 1) {
      const index_t middle = (low + high) / 2;
      if (offsets[middle] <= k) low = middle;
      else high = middle;
    }
    return low;
  }
  // Place `at` of `count`, 0 <= at < count, in a row whose diagonal is at `centre` of `columns`.
  UPSWEEP_HD index_t spread(double at, double count, index_t centre, index_t columns, index_t window) const {
    if (count > static_cast<double>(window) || window > columns) window = columns;
    const index_t left = clamped(centre - window / 2, 0, columns - window), right = left + window;
    const double below = static_cast<double>(left), above = static_cast<double>(columns - right);
    const double distant = below + above > 0 ? s.far * count : 0, near = count - distant;
    const double first = distant > 0 ? distant * below / (below + above) : 0, last = distant - first;
    double column;
    if (at < first) column = at * (below / first);
    else if (at < first + near) column = below + (at - first) * (static_cast<double>(window) / near);
    else column = static_cast<double>(right) + (at - first - near) * (above / last);
    return clamped(static_cast<index_t>(column), 0, columns - 1);
  }
  // The t-th part of an R-MAT graph's row, 0 < t < 1: the inverse of its distribution, a bit after the other.
  UPSWEEP_HD index_t rmat_column(index_t row, double t) const {
    index_t column = 0, bit = 1;
    while (bit < s.columns) bit *= 2;
    for (bit /= 2; bit > 0; bit /= 2) {
      const double left = row & bit ? .19 / .24 : .57 / .76;
      const bool right = t >= left;
      t = right ? (t - left) / (1 - left) : t / left;
      if (right) column += bit;
    }
    return column;
  }

  UPSWEEP_HD int operator()(index_t k) const {
    const index_t row = row_of(k), j = k - offsets[row], length = offsets[row + 1] - offsets[row];
    const index_t centre = row * s.columns / s.rows;
    const double at = static_cast<double>(j) + unit(seed, k), count = static_cast<double>(length);
    index_t column = 0;
    if (s.where == place::spread) {
      column = spread(at, count, centre, s.columns, s.window);
    } else if (s.where == place::blocks) {
      const index_t size = s.block, r = row / size, b = j / size;
      const double block_at = static_cast<double>(b) + unit(seed, r * 4096 + b);
      column = spread(block_at, count / s.block, centre / size, s.columns / size, s.window / size) * size + j % size;
    } else if (s.where == place::lattice) {
      const index_t far = j % 4 == 0 || j % 4 == 3 ? s.window : 1;
      column = clamped(centre + (j % 4 < 2 ? -far : far), 0, s.columns - 1);
    } else if (s.where == place::popular) {
      const double t = at / count;
      column = clamped(static_cast<index_t>(static_cast<double>(s.columns) * t * t * t * t), 0, s.columns - 1);
    } else {
      column = rmat_column(row, at / count);
    }
    return static_cast<int>(column);
  }
};

//! A matrix of this shape in the memory of `b`; values are uniform<T>.
template <class T>
upsweep::csr_view<T> filled_matrix(bed& b, const shape& s, std::uint64_t shape_seed, std::uint64_t value_seed) {
  const auto offsets = b.filled<int>(s.rows + 1, row_lengths{s, shape_seed});
  upsweep::exclusive_scan(b.exec, offsets, offsets);
  const index_t nonzeros = b.read(&offsets.back());
  const auto columns = b.filled<int>(nonzeros, columns_of_rows{s, shape_seed + 4, offsets.data()});
  const auto values = b.filled<T>(nonzeros, uniform<T>{value_seed});
  return {s.rows, s.columns, offsets, columns, values};
}

}  // namespace bench

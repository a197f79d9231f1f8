// The tuning table of sparse products.
#pragma once
#include <upsweep/config.hpp>

namespace UPSWEEP_NAMESPACE::gpu::tuning {

//! Walks along a sparse matrix: of a warp's tile non-zeros and rows a lane, and CTAs that one multiprocessor holds.
struct csr_shape {
  int warps, per_lane, rows_per_lane, ctas;
};
// H200, 2026-11-21, look-alikes of 16 matrices in float, cold caches: the geometric mean of cuSPARSE's time, by the
// better of its algorithms, over ours. (The last two lines by the look-alikes of bench/suite.hpp, which began at 1.15.)
//   0.79  a CTA's tile of 2048 between barriers: all wait for the slowest; rows of offsets and items waited for in turn
//   1.02  a tile of 256 for each warp, the next one on its way while rows are summed
//   1.10  places in a tile in 32 bits; full tiles and tiles inside a row by codes of their own
//   1.16  short rows by a code of their own (europe_osm 520 to 432 µs); bank spreads without a division
//   1.17  more waves of warps than one, so that those at work are neighbours and share x in the caches (cage15 475 to
//         368 µs); parts shorter than 4096 cost more than that gives
//   1.18  rows that wait get a warp, a half or a quarter of it, by how many wait
//   1.20  rows wait from 32 items a lane on, not from 16 (a matrix of 48 a row: 131 to 122 µs)
// What counts is instructions: issue slots were 66 % busy, DRAM 48 %. Spilled registers cost double 30 %: with 80 it
// has none, and a mean of 1.22. Loads past L1, and with a policy for L2, were 0 to 10 % slower; 8 rows a lane 2 %; 2
// rows a lane made short rows 40 % slower in double.
//! For sums of so many bytes, and so many of a value, a column and an offset together.
constexpr csr_shape csr_tiles(int sum_bytes, int read_bytes, bool sums_floats, bool is_number) {
  if (sum_bytes > 16) return {4, sum_bytes <= 32 ? 2 : 1, 4, 2};
  if (sum_bytes > 8) return {8, 4, 4, 2};
  return {8, 8, 4, read_bytes > 20 || !is_number ? 2 : read_bytes <= 12 && sums_floats ? 4 : 3};
}
//! Multiprocessors of a large GPU, and the longest part of a warp when all are busy once.
inline constexpr int csr_multiprocessors = 132, csr_part = 4096;

}  // namespace UPSWEEP_NAMESPACE::gpu::tuning

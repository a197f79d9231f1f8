// The tuning table: what shape a tile has, by backend path, architecture and the size of items and values. No tuning
// constant stands anywhere else. Each row says where, when and what it measured.
#pragma once
#include <upsweep/config.hpp>

namespace upsweep::inline UPSWEEP_ABI::gpu::tuning {

//! One CTA a tile.
struct tilewise_shape {
  int warps;
  int lane_bytes;  // a lane's share of a tile, of all columns together
  int min_ctas;    // that one multiprocessor should hold: caps the registers
};
//! Warps with roles: `warps` to reduce and as many to scan, beside those that load and look ahead. A lane's share is
//! the first that leaves enough in flight, else the one that leaves most.
struct pipeline_shape {
  int warps;
  int lane_bytes[5];
  int max_stages;  // tiles in flight; fewer where shared memory ends
  int min_stages;
  int min_bytes;  // in flight
};

// One CTA a tile. H200, 2026-11-20, int32 sums, device time in µs with the data in L2:
//                              2^10  2^12  2^14  2^16  2^18  2^20
//   16 warps, 1 vector a lane   4.4   5.5   5.5   6.0   6.8  11.9   small
//    8 warps, 1 vector          4.3   5.2   5.5   6.0   7.2  13.5
//    8 warps, 3 vectors         4.8   6.1   6.0   6.6   6.8   8.8
//    8 warps, 5 vectors         5.2   5.9   6.0   7.2   6.7   8.4   middle
// With the last row for everything, and one code for full and partial tiles, it was 7.1 and 9.0 at the end.
constexpr tilewise_shape middle_tiles(int value_bytes) {
  if (value_bytes > 64) return {8, 64, 1};
  if (value_bytes > 16) return {8, 80, 1};
  return {8, 80, 2};
}
constexpr tilewise_shape small_tiles(int item_bytes, int value_bytes) {
  if (item_bytes > 16 || value_bytes > 16) return middle_tiles(value_bytes);
  return {16, 16, value_bytes > 8 ? 1 : 2};
}
//! Inputs of up to this many bytes take the small tiles.
inline constexpr long long small_to_bytes = 1ll << 20;

// The pipeline: 9 vectors a lane and 6 tiles in flight for 4-byte items, fewer where values need the registers. H200,
// 2026-11-20, int32 sum of 2^28 items, as a fraction of cudaMemcpyAsync in the same run:
//   0.96  as it is. (A ring that only loads and stores reaches 0.97; at a fixed stride, without tickets, 0.93.)
//   0.95  without bringing the slots of later tiles into L2 (board::prepare)
//   0.93  without reading the tiles of the nearest blocks: their aggregates come a hop later
//   0.91  with slots written by stores, not exchanges (write_word)
//   0.88  the first pipeline, which had none of these. On it: 0.86 with a ticket drawn ahead of its slot, 0.84 with one
//         warp that stores whole tiles, 0.81 with windows that lie to 16-byte granules instead of 128-byte lines
// At 0.95 a tile is in its slot for 24,600 cycles: its load takes 12,300, its reduction 250, the look in its block
// 3,800 and before it 3,000, the scan 1,300, the store 2,200. Loads queue in the memory as long as the ring has room:
// with the stores held back until 2 of 6 slots are left, the ring that only copies falls to 0.90; with 3 it reaches
// 0.98. Two tickets drawn at a time gained nothing, nor did hints for L2 on the loads (evict first). Reductions have no
// scan to hide and take 13 vectors and 4 tiles: 1.06 of a copy's bandwidth; 1.02 with 9 and 6. Runs reduced by key,
// whose work is the limit, want items a lane before tiles in flight: 0.70 with 20 items and 3 tiles, 0.53 with 12
// and 6. What is counts alone takes the shares of small values however wide it is: with 9 vectors a lane three streams
// of 8-byte items spill registers (nvcc 13.0).
constexpr pipeline_shape pipeline(int item_bytes, int value_bytes, bool stores, bool only_counts) {
  if (!stores && value_bytes <= 8) return {8, {228, 164, 132, 100, 36}, 16, 4, 140 << 10};
  if (value_bytes <= 8 || only_counts) return {8, {164, 132, 100, 68, 36}, 16, 5, 140 << 10};
  if (item_bytes <= 8) return {8, {164, 132, 100, 68, 36}, 16, 3, 110 << 10};
  return {8, {132, 100, 84, 68, 36}, 16, 5, 140 << 10};
}

//! The pipeline takes values of up to this many bytes: wider ones do not fit its registers.
inline constexpr int pipeline_value_bytes = 16;
//! And packed stores of up to this many ranges, of all streams and columns: the addresses of nine (three columns, three
//! ways) spilled (nvcc 13.0).
inline constexpr int pipeline_runs = 6;
//! Inputs of at least this many bytes go through the pipeline. (16 MiB with one CTA a tile: 25 µs, CUB 20.)
inline constexpr long long pipeline_from_bytes = 12ll << 20;

// Recurrences: one shape of tile for all sizes (recurrence.hpp). H200, 2026-11-21 and 22, sosfilt of 2^26 floats,
// fraction of a copy, for 1, 2, 4 and 8 sections (2, 4, 8 and 16 entries of state):
//   0.80 0.46 0.14 0.04  first: powers by the bits of a lane's number, weights as constants
//   0.78 0.57 0.20 0.04  more than 2 entries in shared memory: as constants each product waited 30 cycles
//   0.83 0.57 0.29       one product by tables of the powers of all lanes, warps and tiles; warps scanned, not folded
//   0.87 0.62 0.33 0.08  4 warps a tile from 8 entries on, so that states fit the registers
// A tile of 4 sections was in its slot for 35,000 cycles: single warps that wait on their own products. Outputs
// computed once and two groups of reduce warps gave 7 %. Then by matrices (run_matrix.hpp), where 288 products of a
// fold are 10:
//             0.39       folds, places and outputs
//             0.43       products in an order that hides their latency, pairs of floats stored together
//             0.48       two groups of scan warps
//             0.55       looking ahead by matrices, too: 550 cycles a block, not 710; no join
//             0.56 0.27  the warps take turns to publish
//             0.60 0.30  tables of matrices filled four at a time, from memory
// What is left is latency: a tile is in its slot for 26,000 cycles, and six slots are 4,300 a tile; the units are busy
// for 50 %. Runs of 72 items in stretches of 24, which take 15 % fewer products, leave four slots: 0.55. With one or
// two sections matrices would be mostly zeros: 0.47 and 0.45. The units take 32 cycles a product of 16×8 by 8×8 and
// give it after 50 (m8n8k4: half the speed). Small calls were the host's: it computed powers for 50 and 200 µs, now
// once a rule.
inline constexpr int filter_stages = 16, filter_min_stages = 3, filter_pipeline_bytes = 128;
inline constexpr int filter_tiles_in_pipeline = 2;  // a multiprocessor; fewer go a CTA a tile
constexpr int filter_ctas(int state_bytes) { return state_bytes <= 64 ? 2 : 1; }
// From so many channels on a warp takes each, with one filter for all or with filters of their own. H200, 2026-11-22,
// 2^24 floats through one section: 64 channels by a warp each take 0.72 ms, by tiles of all channels in one launch
// 0.087 (60 by a launch each 0.71); 1,024 channels 0.071 and 0.093. With filters of their own 1,024 take 0.26 ms, 60 by
// a launch each 0.72.
inline constexpr int filter_many_alike = 768, filter_many_own = 64;

//! Tiles of a sort: keys a lane, and CTAs that one multiprocessor should hold.
struct sort_shape {
  int warps, rows, ctas;
};

// Radix sort, most significant digits first. H200, 2026-11-21, uint32, 2^28 random keys, in ms (CUB 5.4): counting 0.29
// and 0.31, plans 0.02, scatters 1.22 and 1.06, units 1.9, in all 4.8. What it took to get there:
//   10.7  first: parts of consecutive tiles, ranks by 8 ballots a key and a read of their counter, units by digits
//    8.7  counters by atomic additions whose latencies overlap
//    5.9  units by buckets; ranks by one addition a key where order does not matter (scatter 2.0 to 1.4 ms)
//    5.5  neighbouring tiles at the same time, so that their runs meet in L2 (1.4 to 1.1), at the price of a row of
//         counts a tile; the next tile's keys fetched before this one's are written
//    4.8  keys fetched as they lie, encoded only when they are ranked
// Spilled registers cost most: 512 threads at 64 registers, or 16 rows, made it 7 to 8. Ranks by match.any: 11.5.
// Payloads (2^28 uint32 with uint32: 8.6, CUB 8.5) want their order kept: ballots, and registers for both. Splits take
// 5.3 of it, with one CTA a multiprocessor, whose phases nothing hides; runs are what counts in memory: tiles of 9216
// made it 0.9 faster (at 11.2), tiles of 3072 with two CTAs 3.4 slower; 18 or 20 warps with as large tiles 0.1 to 0.2
// slower. Units took 5.8 with one CTA; with two, and two sources a register so that nothing spills, 3.3.
// Skewed keys, 2^28 bitwise ands of 2, 3, 4 and 5 random words, took 8.5, 8.3, 8.4 and 8.5; now 7.1, 6.5, 6.2 and 5.9:
// one addition for all lanes that have the first one's digit (0.4 ms a round where most have it), keys compared with
// all of their bucket where it crowds (of 2 words units 3.9 to 2.9), a last digit's results written from its counts (a
// scatter and a move less), neighbours joined to units as long as they fit (of 2 words 109,000 units to 63,000; random
// keys, 2^27: 0.5 of 2.9 ms). Of 2 words a third round takes 1.4 ms; tables of equally full buckets in place of digits
// were simulated and save a fifth of a round. 2^29 random keys (2026-11-22) took 14.3 ms, CUB 10.8: their 65,536
// buckets of 8,192 did not fit units of 4,608, and all were split a third time. By units of 9,216 they take 10.6 (16
// rows in place of 24 warps: 13.2), but 1.3 times CUB's time from 9·2^26 on. All shapes fit 64 KiB of shared memory,
// all that sm_75 has.
constexpr sort_shape split_tiles(int item_bytes, bool ordered) {
  if (ordered) return item_bytes > 8 ? sort_shape{12, 7, 1} : sort_shape{16, 10, 1};
  if (item_bytes > 4) return {16, 12, 1};
  return item_bytes > 2 ? sort_shape{11, 12, 2} : sort_shape{11, 8, 2};
}
// Payloads of 8 bytes, keys alone that are kept in order, and keys that a function computes would spill a few registers
// beside a second CTA.
constexpr sort_shape sort_units(int key_bytes, bool ordered, bool fits_twice) {
  if (key_bytes > 4) return ordered ? sort_shape{16, 9, 1} : sort_shape{16, 11, 1};
  if (!ordered) return {12, 12, 2};
  return fits_twice ? sort_shape{12, 11, 2} : sort_shape{16, 12, 1};
}
// What two rounds leave of more than 2^28 keys of 4 bytes, up to 2^29.
inline constexpr sort_shape large_sort_units{24, 12, 1};

// Quicksort, by sampled pivots. H200, 2026-11-21, 2^28 uint32 by a comparator, in ms (CUB's merge sort 12.5):
// splits 5.9 (two rounds: counting, with a walk down the tree of pivots an item, and scatters as in an ordered radix
// sort), units 5.6 (rows sorted by odd-even transposition, then 8 rounds of merging in shared memory), in all 11.8.
// What it took:
//   24.6  first: three rounds, as a bit too many pivots were wanted; items copied as bytes
//   15.1  two rounds, for segments of up to 0.78 of a unit a bucket; items as 4-byte words
//   14.6  no test for the end of the tile at every pivot
//   11.7  steps of merges without branches; what a digit's place is made of added when it is needed
//   11.8  tiles of 10 rows: 12 spill for some comparators
// Units of 16 warps with 15 rows: 6.3; of 12 warps with 15: 7.3, as more are split again; of 8 warps with 23 rows: 6.1.
constexpr sort_shape pivot_tiles(int item_bytes) {
  if (item_bytes <= 4) return {16, 10, 1};
  if (item_bytes <= 8) return {12, 9, 1};
  return {8, item_bytes <= 16 ? 8 : item_bytes <= 32 ? 4 : 2, 1};
}
constexpr sort_shape merge_units(int item_bytes) {
  if (item_bytes <= 4) return {12, 17, 2};
  if (item_bytes <= 8) return {12, 9, 2};
  if (item_bytes <= 16) return {8, 9, 2};
  return {8, item_bytes <= 32 ? 5 : 3, 1};
}

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
//         368 µs); chunks shorter than 4096 cost more than that gives
//   1.18  rows that wait get a warp, a half or a quarter of it, by how many wait
//   1.20  rows wait from 32 items a lane on, not from 16 (blocks of 48 a row: 131 to 122 µs)
// What counts is instructions: issue slots were 66 % busy, DRAM 48 %. Spilled registers cost double 30 %: with 80 it
// has none, and a mean of 1.22. Loads past L1, and with a policy for L2, were 0 to 10 % slower; 8 rows a lane 2 %; 2
// rows a lane made short rows 40 % slower in double.
//! For sums of so many bytes, and so many of a value, a column and an offset together.
constexpr csr_shape csr_tiles(int sum_bytes, int read_bytes, bool sums_floats, bool is_number) {
  if (sum_bytes > 16) return {4, sum_bytes <= 32 ? 2 : 1, 4, 2};
  if (sum_bytes > 8) return {8, 4, 4, 2};
  return {8, 8, 4, read_bytes > 20 || !is_number ? 2 : read_bytes <= 12 && sums_floats ? 4 : 3};
}
//! Multiprocessors of a large GPU, and the longest chunk of a warp when all are busy once.
inline constexpr int csr_multiprocessors = 132, csr_chunk = 4096;

//! Histograms: warps of a CTA, 16-byte vectors that a thread has in flight twice, and the fewest of them that are worth
//! a CTA. `sets`: private counters, one for each bin and lane, 32 KiB a set of bytes, shared by a CTA's warps.
struct histogram_shape {
  int threads, vectors, sets;
  int slots_of_cta;
};
// Bytes, on an H200, 2026-11-21: 2^30 random, constant, two-valued or sorted ones at 4,250 to 4,306 GB/s, where a loop
// that only reads gets 4,560: lane l adds to counters in bank l alone, so an addition of 32 lanes takes one pass of
// shared memory whatever the input. Variants of the loop (1 to 6 sets, inc or add, 512 to 1,024 threads) were all at
// 4,320 to 4,480: memory is the limit. 1,024 threads of 64 registers would spill.
inline constexpr histogram_shape byte_counts{768, 4, 1, 512};
// Equalization, on an H200, 2026-11-21: 64 x 64 pixels in 8.3 µs, 4096 x 4096 in 23, 8192 x 8192 in
// 62 (1,080 Gpixel/s; a copy takes 38), 16384 x 16384 in 209; a thousand of 64 x 64 in 28, of 512 x 512 in 221.
inline constexpr histogram_shape equalize_bytes{768, 3, 1, 512};
//! An image that one cluster of CTAs keeps in registers: 16-byte vectors a thread.
struct cluster_shape {
  int ctas, threads, vectors;
  constexpr int slots() const { return ctas * threads * vectors; }
};
// From an image that is worth two CTAs to all that the cluster keeps, 724 x 724 pixels. H200, 2026-11-22, 512 x 512,
// one call after another and one alone: CTAs that meet in memory 12.9 and 21.3 µs; clusters of 8 CTAs of 1,024
// threads 9.6 and 16.8, 8 of 512 9.1 and 17.1, 16 of 1,024 8.7 and 16.7, 16 of 512 8.0 and 15.0 (a CTA alone with 64 x
// 64: 8.6).
inline constexpr cluster_shape equalize_cluster{16, 512, 4};
// Items of 2, 4 and 8 bytes: as many copies of the counters as fit, each for some lanes, but four at least. Else 16-bit
// counters, and what is common in registers. H200, 2026-11-22: 2^28 random floats in 256 bins at 3,320 GB/s (CUB
// 3,930), 2^29 uint16_t in 65,536 bins at 1,010 random, 1,020 natural, 1,780 constant (CUB 190, 180, 510). The estimate
// was 2,000 to 2,900 for the floats: a warp's additions of 512 random bytes take 28 passes of shared memory (3.5 for 32
// words in any banks) and 130 instructions, 33 clocks of a SM. A common bin takes 25, and no pass.
inline constexpr int item_counts_bytes = 128 << 10, least_copies = 4;
inline constexpr histogram_shape copied_counts{1024, 2, 1, 0}, crowded_counts{768, 2, 1, 0};
//! A batch is counted with a CTA for each image when that is estimated to take less time than a launch for each.
inline constexpr double bytes_of_cta_us = 30e3, bytes_of_device_us = 3.5e6, launch_us = 8;

}  // namespace upsweep::inline UPSWEEP_ABI::gpu::tuning

// The tuning table of sorts: tiles, units, rounds.
#pragma once
#include <initializer_list>

#include <upsweep/config.hpp>
#include <upsweep/cuda/tuning.hpp>

namespace UPSWEEP_NAMESPACE::gpu::tuning {

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
// Payloads (2^28 uint32 with uint32: 8.6) want their order kept: ballots, and registers for both. Splits took 5.3 of
// it, with one CTA a multiprocessor, whose phases nothing hides; runs are what counts in memory: tiles of 9216 made it
// 0.9 faster (at 11.2), tiles of 3072 with two CTAs 3.4 slower; 18 or 20 warps with as large tiles 0.1 to 0.2 slower.
// Units took 5.8 with one CTA; with two, and two sources a register so that nothing spills, 3.3. Skewed keys, 2^28
// bitwise ands of 2, 3, 4 and 5 random words, took 8.5, 8.3, 8.4 and 8.5; now 7.1, 6.5, 6.2 and 5.9: one addition for
// all lanes that have the first one's digit (0.4 ms a round where most have it), keys compared with all of their bucket
// where it crowds (of 2 words units 3.9 to 2.9), a last digit's results written from its counts (a scatter and a move
// less), neighbours joined to units as long as they fit (of 2 words 109,000 units to 63,000; random keys, 2^27: 0.5
// of 2.9 ms). Of 2 words a third round takes 1.4 ms; tables of equally full buckets in place of digits were simulated
// and save a fifth of a round. 2^29 random keys (2026-11-22) took 14.3 ms, CUB 10.8: their 65,536 buckets of 8,192 did
// not fit units of 4,608, and all were split a third time. By units of 9,216 they take 10.6 (16 rows in place of 24
// warps: 13.2), but 1.3 times CUB's time from 9·2^26 on. All shapes for keys alone fit 64 KiB of shared
// memory, all that sm_75 has.
//
// Payloads again (H200, 2026-11-25, uint32 with uint32, random, 2^24, 2^26 and 2^28, in ms; CUB 3.0.1 by n of int
// 0.556, 1.92 and 7.44): 0.611, 2.15 and 8.42, of 2^28 a scatter 2.16 to 2.20, units 3.14. Now 0.541, 1.89 and 7.44, a
// scatter 1.91, units 2.83.
//   Units, 0.3: payloads come as they lie and change places in shared memory; fetched by their sources a lane took a
//   line of the cache. Bucket mates that equal keys make are compared up to 32, not 256: of 2^27 zipf keys units took
//   2.19, now 0.57, and all 6.04, now 3.92 (CUB 3.31).
//   Splits, 0.7: tiles of 18 rows for 10 (payloads are fetched once keys are ranked, 0.07 better than with them; ranks
//   two in a register; registers that a predicated load may leave as they were are filled first, or ptxas keeps them
//   all through the turn before: 80 registers did not suffice for 12 rows, now they do for 16). 20 and 22 rows
//   take 7.40 and 7.39, but more than 99 KiB; 24 warps of 12 rows 7.73. Before tiles were drawn in turn two CTAs
//   took 10.8 (8 warps, 24 rows) to 11.8 (8, 16): they drift apart, what neighbouring tiles write no longer meets in
//   L2, and memory moves a quarter more (2^26 in two rounds, 12 warps of 12 rows: 2.05 GB read and 1.37 GB written
//   for 1.65 and 1.10). Drawn in turn they take 8.0 to 8.3; tiles of 18 rows 7.46 for 7.54; keys alone, 12 warps for
//   11, 4.86 for 4.95, and 2^27 zipf keys 2.44 for 2.59, bitwise ands of 5 words 2.73 for 2.92. Loads marked
//   to be evicted first (ld.cs): 0.4 to 0.6 slower, most of it in units, which they made spill.
//   Values of 16 bytes, 2^26: 7.12, now 3.97 (CUB 4.54): keys move themselves; they were fetched by index as values
//   are, 2 ms for each.
// Floats and sorted integers had a third round, as most digits of their first byte are empty. A split by samples that
// goes before saves it (by_samples.hpp; H100, 2026-11-25, ms, before and after in one call, CUB by n of int behind):
// uint32, 2^27, sorted 3.10 to 2.44 (3.11), reversed 3.11 to 2.47 (3.11), nearly sorted 3.20 to 2.47 (3.07), zipf 2.72
// to 2.19 (2.96), floats in [0, 1), 2^27 3.54 to 2.89, 2^28 7.10 to 5.72 (5.73), pairs zipf, 2^27 4.23 to 3.32 (3.83).
// Random keys pay 20 µs and a launch, 0.5 %. Bitwise ands of 3 and more words crowd in so few cells that it declines;
// before it did, they took up to 20 % longer. What it took: tables of a tile copied while the one before leaves and
// digits kept from ranks to places (sorted 2.66 to 2.44), 2,048 samples in registers, not 8,192 read twice (66 to
// 20 µs), no samples of small segments, results where the second round leaves them (pairs zipf 4.13 to 3.58).
// Normal floats were declined: too many in too few of 4,096 cells. With 16,384 cells for the whole, a digit staged
// beside its key, a table copied only where the tile before had another (H100, 2026-11-25, ms, CUB behind): float32
// 2^25 0.98 to 0.80 (0.79), 2^27 3.40 to 2.80 (2.89), 2^28 6.74 to 5.69 (5.72); with uint32, 2^27, 6.43 to 5.66 at a
// lower clock. uint32 sorted 2.43 to 2.40. Samples of segments of 2^16 to 2^17 keys: nearly sorted, 2^25, 0.76 to 0.71.
// Float64 has too few cells an exponent still: declined. Keys of 8 bytes take 1 to 4 % longer than before, pairs of
// other keys 2 to 3. Declined where one cell has a 64th of the samples, not where such cells have an eighth of them: a
// million scattered keys by Zipf, 2^27, 4.11 to 3.81, ands of two words 4.25 to 4.11, 2^28 8.38 to 7.67.
// Code for 7.5 and 8.0 had one CTA a multiprocessor for units and for splits by samples, as two of them spilled two
// registers. What a unit is lies in shared memory now, and two fit (H200, 2026-11-26, code for 8.0, 2^27 in ms, before
// and after, CUB of the same build behind): random 2.86 to 2.44 (3.10), sorted 2.81 to 2.39 (3.65), floats in [0, 1)
// 4.00 to 2.75 (3.14), normal ones 3.43 to 3.06 (3.14), a million scattered keys by Zipf 4.37 to 3.79 (2.91), ands of
// two words 4.95 to 4.14 (3.22); of 7.5 random 2.88 to 2.46 (2.91). Code for 9.0 gained up to 1 %.
// Skewed keys least significant digit first, in three passes of 11, 11 and 10 bits with look-back, was tried (same
// machine and size, one histogram before; ms, this engine and CUB behind): ands of two words 3.07 (4.15, 2.87), of five
// 2.75 (2.73, 2.60), random 3.05 (2.45, 2.75). No order was kept in the first pass, nor in the second where a tile's
// first digit was one. 16,384 keys a tile at 1.2 to 1.9 instructions a cycle; smaller tiles with a second CTA wait for
// rows of 8 KB (3.5 to 8 ms). Without any look-back, so wrong, 3.00, 2.62 and 2.76: not what a second engine is for.
// Pairs of unlike widths, 2^27 (H200, 2026-11-27, ncu; ours, CUB's kernels behind): uint16 with uint64, splits 3.30 ms,
// 3.57 GB read and 2.98 written, 24 warps a multiprocessor (0.14 and 2 x 1.16; 1.35 GB each way a pass, 24 warps);
// uint32 with uint64, splits 3.97 (4.81 and 3.65 GB), units 2.39 (1.61 and 1.59 GB, 16 warps) (0.23 and 4 x 1.20; 1.61
// each way); normal floats with uint32, splits 2.68 (3.32 and 2.20), units 2.08 (1.07 and 1.05, 2.2 instructions a
// cycle) (0.21 and 4 x 0.91). So what is moved is less than CUB's, at 1.3 to 2.1 TB/s for its 2.3 to 2.7.
// Then, 2^27 unless said (H100, 2026-11-27, ms, before and after in one call, CUB's best behind):
//   Splits of items of 9 to 12 bytes by 16 warps of 16 rows, for which there is room, of more by 14, in place of 12 of
//   7: uint16 with uint64 4.30 to 2.77 (2.77), uint32 with uint64 7.70 to 5.9 (6.41), by Zipf's law 5.42 to 4.18,
//   uint64 with uint64, 2^26, 4.17 to 3.89 (8.3). 18, 14 and 12 rows: uint16 with uint64 2.73, 2.86, 2.95; 18 spill
//   where an index of 8 bytes is the payload, and where keys of 8 bytes are split by samples.
//
//   Units by numbers of key and place, payloads in shared memory meanwhile: uint32 with uint64 5.89 to 4.85, by Zipf's
//   law 4.18 to 3.77, uint32 with uint32 3.99 to 3.69 (4.50), 2^28 8.17 to 7.60, normal floats with uint32 4.90 to
//   4.27 (4.31). Where numbers crowd too, a unit is begun twice: 2^26 bitwise ands of 3 words 3.27 to 3.40, a million
//   scattered keys by Zipf 2.80 to 2.92. Code for 8.0 spills two registers of such units.
//
//   Keys alone by 13 rows, not 12, whose windows began in 8 banks: normal floats 2.84 to 2.70 (2.88), 2^28 5.58 to
//   5.47, uint32, 2^28, 5.34 to 5.23, scattered by Zipf 4.15 to 3.84, ands of 3 words 3.69 to 3.74.
//   Where keys alone are equal in their bucket, as a look at the bucket's first one tells, they are neither ranked nor
//   a reason to sort the unit by digits: scattered by Zipf 3.76 to 3.28, 2^12 of them 24 to 17 µs, 2^26 uint64 4.08 to
//   3.00. Where two keys of a thread show that too many crowd and differ, digits at once: else 2^12 ands of 3 words
//   took 27 µs, not 24. 2^29 random keys 10.78 to 10.90.
// Then (H200, 2026-11-28, pairs of 2^27, ms, before and after, CUB behind): ranks in order without a branch around
// their atomic additions, uint32 with uint32 3.41 to 3.37 (3.73), sorted 3.20 to 3.16, uint8 with uint32 1.09 to 1.05;
// of keys of 1 and 2 bytes with up to 4, two CTAs of 8 warps and 24 rows, for 16 and 18 in one, 1.05 to 1.01 (0.92),
// uint16 with uint32 2.15 to 2.08 (1.83), uint16 with uint16 2.09 to 1.93 (2.18). Numbers of key and place that crowd
// are cut again, since places spread equal keys: ands of two words 6.89 to 6.23 (3.83), of three 6.25 to 5.99 (3.70),
// of five 4.95 to 4.87 (3.42), a million scattered keys by Zipf 5.40 to 5.50 (3.50); by a simulation 0.81 of ands of
// two words were in units that gave up, now none.
//   What stops a scatter of pairs (0.95 ms for 2^27, ncu): ranks are a third of its time, of which the integer units
//   are busy for most, staging is a sixth, by conflicts of banks, writing a fourth; issue slots 0.43, L2's fabric 0.67,
//   DRAM 0.50. Each alone made cheaper changes nothing or 1 to 4 %: a tile written while the next is ranked, half of
//   the warps beginning with the other (pairs 3 % slower; with 24 warps uint8 with uint32 0.99, uint16 with
//   uint32 2.04); lanes alike by atomic ORs of their bits (0 to 3 %, ands of 3 words 7 % slower); five items read
//   before one is written; pointers for places in a table. Rows of lanes that begin where lines do save 29 % of L2's
//   write requests and are 11 % slower, though a kernel that only wrote so took 0.63 ms for 1.11. With the result where
//   the second and the fourth round write, ands of five words take 4.21, of three 5.30, but scattered ones by
//   Zipf 5.82, and 2^24 keys by Zipf 0.69 for 0.61: what is equal is known in odd rounds.
// Tried and not kept: units' next keys and payloads prefetched into L2, 0 to 1 %; keys that differ in more bits than
// a number has room for, by their highest ones and neighbours put right after (2^12 pairs 15 µs, by keys and sources
// 14; ands of 3 words 6 % slower); units of pairs with keys of 1 and 2 bytes by 13 and by 11 rows, up to 6 % slower.
//! Shared memory, in KiB, that a CTA may have on all GPUs that this is compiled for.
constexpr int shared_of_a_cta() {
  int least = 227;
  for (const int architecture : {__CUDA_ARCH_LIST__}) {
    const bool is_large = architecture >= 900 && architecture < 1200;
    const int its = is_large ? 227 : architecture >= 800 ? 99 : 64;
    least = its < least ? its : least;
  }
  return least;
}
//! Rows of a tile of 16 warps in order: as many as registers suffice for, if there is room for them beside ranks (16
//! KiB), what a round knows (5) and `others`, with so many bytes more an item.
constexpr int ordered_rows(int item_bytes, int more_bytes = 0, int others = 0) {
  const int most = item_bytes > 12 ? 14 : item_bytes > 8 ? 16 : 18;
  const int rows = (1024 * (shared_of_a_cta() - 16 - 5) - others) / (16 * 32 * (item_bytes + more_bytes));
  return rows < most ? rows : most;
}
//! The whole's cells, when it is split by samples.
constexpr int first_cell_bits() { return shared_of_a_cta() > 99 ? 14 : 12; }
constexpr sort_shape split_tiles(int key_bytes, int item_bytes, bool ordered) {
  if (ordered && key_bytes <= 2 && item_bytes <= 6 && shared_of_a_cta() > 99) return {8, 24, 2};
  if (ordered) return {16, ordered_rows(item_bytes), 1};
  if (item_bytes > 4) return {16, 12, 1};
  return item_bytes > 2 ? sort_shape{12, 12, 2} : sort_shape{11, 8, 2};
}
// By samples, a row or two less for keys alone: what the lookups take of registers. A digit an item and a table are in
// shared memory besides.
constexpr sort_shape sampled_tiles(int item_bytes, bool ordered) {
  if (ordered) return {16, ordered_rows(item_bytes, 1, 1 << first_cell_bits()), 1};
  if (item_bytes > 4) return {16, is_for(900) ? 11 : 10, 1};
  return {12, is_for(900) ? 11 : 10, 2};
}
// A thread sorts windows of as many keys as it has rows: where these are odd, a warp's windows begin in 32 banks. Keys
// of 1 and 2 bytes in order would spill beside a second CTA; they are units where there are few, or long segments.
constexpr sort_shape sort_units(int key_bytes, bool ordered) {
  if (key_bytes > 4) return {16, ordered ? 9 : 11, 1};
  if (ordered) return key_bytes == 4 ? sort_shape{12, 11, 2} : sort_shape{16, 12, 1};
  return {12, 13, 2};
}
// Segments, sorted as they lie, in place of a sort by (segment, key) in 8 bytes. H100, 2026-11-27, 2^25 keys in
// segments of random lengths, µs, in CUB's DeviceSegmentedSort's speed behind: uint32, 3 a segment 216 (2.1), 5 178
// (1.75), 10 194 (1.48), 15 206 (2.7), 20 441 (1.35), 30 436 (1.17), 100 428 (23), of Pareto's lengths, mean 10, 455
// (34), 2^24 uint64, 10 213 (1.41), 15 202 (1.30), pairs of uint32, 3 351 (2.3), 10 317 (1.06), 15 321 (2.3), 30 569
// (1.45), uint16 with uint32, 10, 327 (1.13). An H200 takes 0.93 to 1 of the time, at 10 0.88, and CUB's 0.72.
//   Windows of 12 warps and 12 rows took 704 of 10 a segment, 2,314 of 1000, as walks along the heads to a long
//   segment's ends cost more than all else: now two reads. Units sorted by the same kernel spilled 480 bytes: they have
//   their own. Ranked among each other, 10 a segment took 352. Keys with their places in two registers, 10 instructions
//   a comparison: pairs 453 to 480; as numbers of 27 and 5 bits, two instructions, 398 at 6 rows, 353 at 8. (uint32
//   alone as such numbers: 273 for 180.) A lane's network of 24 spills at 64 registers, so three CTAs: of 30 a segment
//   465 for 433.
//   What every thread makes of a window's ends in 64 bits, four times, was a fourth of all instructions (0.65 of a
//   scheduler's slots are used): done once by one thread while keys are on their way, with segments' places in 16 bits,
//   H200, 3 a segment 220 to 201, pairs of 10 353 to 309. Two lanes a segment halve a network and add an exchange:
//   15 a segment, which went by buckets, 450 to 191, but 10 a segment 180 to 200 and 3 220 to 255: twice the rounds. So
//   one lane where 20 keys are enough. The next window's keys prefetched into L2: pairs 3 % less, else nothing; not
//   kept.
//! Windows of segments.
constexpr sort_shape segment_windows(int key_bytes) {
  const int ctas = key_bytes > 4 ? 3 : 4;
  return {8, 8, is_for(900) ? ctas : ctas - 1};  // code for others would spill
}
//! Keys of a segment that a lane sorts, and that two lanes sort; at most 32, as sources have five bits.
inline constexpr int of_one_lane = 20, of_two_lanes = 32;
// Of keys of 9 to 16 bits the second round writes the result's memory: from the other one 65,536 finished buckets were
// moved once more. 2^26 pairs uint16 with uint16, 0.47 to 0.91 of CUB's speed (same day and machine, 1,128 µs). Tiles
// of one CTA with 20 or 22 rows took 0.98 of that, of 26 rows, 20 and 24 warps 0.99 to 1.02, 12 warps 1.04 to 1.07: it
// is not the length of runs. Still below CUB with two CTAs (split_tiles): uint8 with uint32 (0.90), uint16 with uint32
// (0.86).
//! Keys of a bucket that are compared with each other; where there are more a unit is sorted by digits.
inline constexpr int most_ranked = 256, most_ranked_in_order = 40, most_ranked_when_cut = 144,
                     most_numbers_ranked = 128;
//! Keys of a bucket that may be cut again.
constexpr int most_cut(bool ordered) { return ordered ? 256 : 512; }
// At 2^25 floats in [0, 1) take 0.97 to 0.79 ms, random keys 0.73 to 0.74.
//! Fewer keys are not sampled; nor are fewer of one segment.
inline constexpr index_t least_sampled = index_t{1} << 25, least_sampled_part = index_t{1} << 16;
// Segments of keys alone that differ in their last 16 bits, by counting in place of a third and a fourth round and of
// units (counting_sort.hpp; H200, 2026-11-28, 2^27 uint32 in ms, before and after, CUB's best): bitwise ands of 2 words
// 3.90 to 2.68 (2.86), of 3 3.45 to 2.53 (2.80), of 4 3.06 to 2.36 (2.70), of 5 2.73 to 2.25 (2.60), a million
// scattered keys by Zipf 2.95 to 2.60 (2.58); 2^24 ands of two 0.59 to 0.49, Zipf's 0.497 to 0.507; below that it gains
// nothing, as few CTAs have something to count. Random keys pay a memset and a launch that finds nothing, 4 to 15 µs.
// Ands of two words leave 6,500 segments of 14,000 keys: what a CTA does for 64K counters, not for keys, is two thirds
// of it. What it took there:
//   0.97  a thread's 32 words of counters one after the other; of a loop that also sets marks, each load waited for the
//         mark before it
//   1.33  a warp along a row, by a scan of it: 40 instructions for 64 values, most of which no key has
//   0.77  loads first, a thread a row; rows that begin before a piece or have lifted counters by a warp together, since
//         the one lane that had to look closer held up all others
//   0.74  pieces of one value are not filled, larger segments first
// Segments of up to 8,192 keys left to a third round, whose plans alone take 42 µs for 4,096 of them: ands of two 2.68
// to 3.9, of three 2.53 to 2.71, 2^24 ands of two 0.49 to 0.58. A common value, which one lane adds for all, kept from
// batch to batch: the first lane's own was another one in 4 of 10 rows of ands of 5 words, and the other lanes waited
// for each other (0.30 of 1.2 ms). Tried for the same keys: splitters out of sorted samples, with digits of their own
// for values that are many samples, in the cells of by_samples.hpp, searched on by halving. Two rounds then leave
// units, but each look into shared memory costs 63 µs for 2^27 keys, in counts and in scatters: a count took 0.37 to
// 0.78 for 0.15, ands of two 4.33 in all.
//   Segments of the split by samples are counted where their keys lie within 2^16, and what is of one value and lies
// where it should is not written again (H200, 2026-11-28, 2^27 uint32 in ms, before and after, CUB's best): 16 distinct
// keys 1.51 to 1.25 (2.43), by Zipf's law 2.03 to 1.65 (2.82), ands of two words of whose seed that split did not
// decline 3.93 to 3.42 (3.32; more than 32 samples in a cell decline, which 296 of 400 seeds have, by a program of the
// same rule), 2^26 uint64 by Zipf's law 1.71 to 1.45, normal int32 2.52 to 2.60 (2.64), as few segments are counted and
// each takes a CTA. Parts of n/512 and n/1024 in place of n/256: ands of 3 words 2.53 to 3.02, normal int32 2.57.
//! Of fewer keys no segments are sorted by counting.
inline constexpr index_t least_counted = index_t{1} << 24;
//! What a CTA counts of a segment: of up to 2^27 keys so many make all, of more keys 2^19 at a time.
inline constexpr index_t counted_parts = 256;
//! Keys for which there are counts of one long segment.
inline constexpr index_t keys_of_long_counts = index_t{1} << 22, most_long_segments = 64;
//! Segments of a round; fewer where two rules share the memory, since what is known of one that is sampled is larger.
inline constexpr index_t most_segments = 4096, most_segments_of_two = 2560;
// What two rounds leave of more than 290 million keys of 4 bytes, up to twice as many.
inline constexpr sort_shape large_sort_units{24, 13, 1};
// Buckets of a unit that crowd cut again, in place of comparing all keys of a bucket (H200, 2026-11-24, one call, L2
// warm, in µs): 2^12 normal floats 17.4 to 14.5, 2^16 57 to 52; 2^20 bitwise ands of 3 words 136 to 123. It costs
// random uint32 something where it is not wanted: 2^12 keys 10.7 to 11.5, 2^28 4,872 to 4,919. Additions of rows whose
// digits are much alike in batches of four, as in ordered ranks: 2^28 random keys 2 % slower, bitwise ands 1 % faster.
//
// Up to 63,488 keys of 4 bytes by one cluster (58,560 then) (sort_cluster.hpp), in place of a split and its units:
// 2^13, 2^14 and 2^15 random uint32 30.8, 28.5 and 30.7 to 18.0, 18.3 and 20.9, normal floats 40.8, 52.0 and 48.6
// to 22.0, 21.7 and 24.1, 2^14 and 2^16 uint64 35.5 and 37.5 to 21.8 and 26.2 (H200, 2026-11-24; CUB's radix sort of
// uint32: 53, 54 and 60). One CTA for 2^14 keys would want 16 rows of 32 warps, whose 64 registers spill.
//! Keys that the CTAs of a cluster hold: how many CTAs, and samples of a CTA's piece.
struct sort_cluster_shape {
  int ctas, samples;
};
inline constexpr sort_cluster_shape sort_cluster{16, 64};

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
// Larger tiles and units of large items: 256 buckets of 16 bytes for 128, and so two rounds for three of 2^26 such
// items: 10.4 to 7.7 ms; 2^24 2.34 to 2.01, 2^22 of 32 bytes 1.50 to 1.22, 2^24 of 64 bytes 14.5 to 13.0 (H100,
// 2026-11-25, one call; CUB 16.3, 3.81, 2.41, 30.8). 2^20 of 32 bytes take 0.38 to 0.39. For sm_80 that tile of 16
// bytes would spill. Merges of 64 bytes, two CTAs, spill three registers for sm_90 (nvcc 13.0).
constexpr sort_shape pivot_tiles(int item_bytes) {
  if (item_bytes <= 4) return {16, 10, 1};
  if (item_bytes <= 8) return {12, 9, 1};
  if (item_bytes <= 16) return is_for(900) ? sort_shape{12, 8, 1} : sort_shape{8, 8, 1};
  if (item_bytes <= 32) return is_for(900) ? sort_shape{12, 4, 1} : sort_shape{8, 4, 1};
  return {8, is_for(900) ? 3 : 2, 1};
}
constexpr sort_shape merge_units(int item_bytes) {
  if (item_bytes <= 4) return {12, 17, 2};
  if (item_bytes <= 8) return {12, 9, 2};
  if (item_bytes <= 16) return {is_for(900) ? 12 : 8, 9, 2};
  if (item_bytes <= 32) return is_for(900) ? sort_shape{10, 5, 2} : sort_shape{8, 5, 1};
  return {8, 3, is_for(900) ? 2 : 1};
}

// By a function, up to a million items (uint32, H100, 2026-11-25, in one call with the copy of the input, in µs, before
// and after, CUB's merge sort of that copy behind): 2^8 20.5 to 14.2 (14.1), 2^10 25.7 to 17.3 (15.4), 2^12 34.1
// to 25.0 (16.9), 2^14 71.0 to 31.5 (27.6), 2^16 78.2 to 40.9 (44.6), 2^18 90.8 to 60.7 (63.0), 2^20 138 to 92.6
// (97.1); what is split by pivots gains by quicker units alone, 2^22 268 to 249 (221), 2^24 803 to 755 (866). Splits
// took 30 µs before any item had moved, most of it the samples' sort by one CTA and five meetings of the grid.
//   One CTA: {8, 7} for {12, 17}, and few items shared out among all threads; 1024 items took 26,000 cycles, now
//   12,500. Items past the last taken without a look, in place of a branch each: 2^22 264 to 249 µs, 2^18 70.6 to 60.7.
//   Samples ranked in two steps, not among all at once: of 128 pieces with 256 each 96,000 cycles to 31,000. Up to
//   22,000 items CTAs meet in a cluster, in 1,200 cycles; in memory 64 take 3,700.
// What was slower, at a time when merges took 18.7 µs for 2^10: a bitonic network of registers, lanes and shared memory
// (21.7), merges in which each item looks for its place in the other run (20.7). Both compare more often, too.
//! Few items, by one CTA, and by CTAs in shares.
constexpr sort_shape few_units(int item_bytes) { return {8, item_bytes <= 4 ? 7 : item_bytes <= 16 ? 5 : 3, 1}; }
constexpr sort_shape share_units(int item_bytes) {
  if (item_bytes <= 4) return {24, 17, 1};
  if (item_bytes <= 8) return {24, 9, 1};
  if (item_bytes <= 16) return {16, 7, 1};
  return {8, item_bytes <= 32 ? 7 : 3, 1};
}
//! How items are sorted in shares: by how many CTAs, with 2^sample_bits samples each, in groups of 2^group_bits CTAs.
struct share_plan {
  int ctas, sample_bits, group_bits;
};
// 1,793 to 8,192 items by ranks in a cluster, in place of shares there (uint32 into another range, H200, 2026-11-26,
// one call in µs, CUB's merge sort behind): 2^11 17.0 (18.5), 3,000 19.1 (19.6), 2^12 20.5 (19.4), 5,000 20.3 (23.1),
// 6,000 22.0 (23.5), 2^13 25.6 (23.8); by shares 8,193 take 26.0 to 28.7. Three threads an item, each of which searches
// five pieces; with 24 and 32 warps, or 15 pieces a thread, 2^12 take 19.5 to 21.8. By 8 warps, 15 pieces a thread,
// they take 21.6, five after five 20.3 and 2^13 29.1 for 28.7, from a copy in shared memory 21.7 and 30.5. Up to 1,792
// items one CTA is 1 to 2 µs faster. Powers of two are slowest: searches then go to the same lines of all pieces.
//! A cluster that sorts by ranks: CTAs, and items of each.
inline constexpr int ranked_ctas = 16, most_ranked_in_piece = 512;
constexpr sort_shape ranked_units(int item_bytes) { return {16, item_bytes <= 16 ? 3 : 1, 1}; }
inline constexpr int most_share_ctas = 128, most_share_sample_bits = 8;
inline constexpr share_plan cluster_plans[] = {{16, 6, 4}, {16, 5, 4}, {16, 4, 4}, {16, 3, 4}};
inline constexpr share_plan few_share_plans[] = {{64, 6, 3}, {64, 7, 3}, {32, 5, 3}, {32, 6, 3}};
inline constexpr share_plan share_plans[] = {{128, 7, 4}, {128, 8, 4}, {64, 6, 3}, {64, 7, 3}, {32, 6, 3}};
// Up to 1.2 million keys by a grid in shares (key_shares.hpp), in place of a split and units (uint32, H200, 2026-11-28,
// one machine in µs, before and after, CUB's radix sort behind): 2^16 random 32.0 to 30.8 (56), normal floats 54 to 33
// (60), ands of 3 and 5 words 77 to 48 and 90 to 48 (57); 2^18 random 32.5 to 33.2 (63), normal floats 57 to 39 (68),
// by Zipf's law 74 to 41 (59), ands of 5 words 110 to 62 (64); 2^20 random 40 to 43.6 (77), normal floats 70 to 52.7
// (81), by Zipf's law 92 to 62, scattered so 114 to 96 (76), ands of 3 words 128 to 114 (78), of 5 118 to 91 (74);
// uint64, 2^18, random 39.7 to 35, ands of 5 words 189 to 76 (118). Where all keys are equal 20 to 24.
//   Those 24 µs are 8 of launch and event, 7 of meetings, 5.4 of samples' ranks. A CTA of 16 warps sorts 2,048 random
// keys in 5.5 µs, 8,192 in 8.2, crowded ones in 17 to 26, least significant digit first. Buckets between 256 sorted
// samples of its keys, cut again, in place of that took 2 to 12 µs more; 24 warps with 13 rows 2 to 4. Ranks by 8 lists
// at once, not 4, of 256 samples a piece 8 for 11 µs.
//   Samples at the beginnings of their distances left a last share too long, and those in the middle one of 700,001
// ands of 5 words, as all pieces were cut as far behind a sample: 1.3 ms. Registers of keys that live on while samples
// are ranked spill at 19 rows, forgotten they do not at 21.
// Pairs from a unit on as well (uint32 with uint32, same day, another machine): 2^13 random 39 to 29 (61), 2^14 39 to
// 33 (60), ands of 5 words 105 to 56 (56), 2^16 random 39 to 36 (67), normal floats 79 to 35 (65), ands of 5 words 107
// to 53 (60), 2^18 random 40.5 to 40 (74), scattered by Zipf 95 to 68 (75), 2^19 random 45 to 48 (79), 900,001 46 to 60
// (88), scattered by Zipf 129 to 97 (87), 2^20 random 71 to 72 (88), normal floats 90 to 84 (89), scattered by Zipf 133
// to 108 (88), ands of 5 words 137 to 100 (84). uint64 with uint32, 2^18, random 45 to 42 (127), ands of 5 words 226 to
// 83 (117).
//   In order each key is ranked in its bucket: windows of 19 rows with places beside the keys took 11.4 µs for 2,048
// keys and so 7.1, and for 900,001 pairs 61.8 to 58.8. (Units, of 11 rows, by ranks too: 2^4 to 2^10 pairs 8 % less
// where caches are warm and 20 % more where they are not, 2^12 12 % more.) Keys alone by ranks in place of windows: 34
// to 39. Payloads in shared memory, not fetched one by one by a source: 900,001 pairs 66 to 62. Buckets cut again in
// order: 2^20 normal floats 99 to 82, random keys 67 to 70, scattered ones by Zipf 102 to 107.
// Then (H200, 2026-11-29, several runs, warm caches, µs, before and after, CUB behind): keys, 2^16 random 33.3 to 28.4
// (58), of 16 values 41 to 32 (56), scattered by Zipf 41.6 to 31 (58), ands of 4 words 46 to 33 (57), 900,001 random 44
// to 38 (79), scattered 94 to 66 (79), ands of 3 103 to 78 (78), 2^20 random 45.5 to 44 (83), scattered 99 to 76 (81),
// ands of 3 117 to 87 (82), of 5 93 to 90 (78), 1,250,000 random 73 to 55, sorted 83 to 47; pairs, 2^13 random 29.5
// to 23.5 (53), 2^16 35.4 to 28.3 (63), 900,001 59 to 47 (91), ands of two words 88 to 70 (91), of 5 94 to 86 (84),
// 2^20 random 70 to 53 (97), ands of two 114 to 83 (97), scattered 108 to 95 (94), ands of 5 102 to 95 (88). What took
// it, in cycles of a CTA (1.98 a ns) with 8,192 keys:
//   15,600 to 7,600 for ranks of 64 samples a piece, by all CTAs at once, in shared memory (of 128 16,000 either way;
//     of 256 39,000 for 30,000, but with a fourth less room for chance few sizes need these);
//   12,100 to 8,500 for shares of keys, 16,900 to 9,000 of pairs, as a warp's rows follow each other and seldom search;
//   17,100 to 10,500 for ranks in order, two keys at once; more of them, or jumps at a bucket's end: 12,800 and more;
//   a sort by digits where one key in a large bucket of equal ones differed: such a bucket is cut again;
//   rows that no thread has a key of are not gone through, which shows where pieces are short: 2^16 ands of 4 words 51
//     to 33, 2^13 pairs 30 to 23.5. (Asked once in four rows; in seven 2 % less is gained.)
// What stops crowded keys: 8,192 random ones are sorted in 16,000 cycles, digits take 14,000 a pass, of them ranks
// 7,000, places 2,000, moves 3,000. Tried: buckets cut up to five times, 8,000 to 11,000 a time, and by places where
// keys are equal (2^20 ands of 3 words 118 to 97, of 4 and 5 93 to 101, few keys up to 20 % more); a lane that adds for
// all alike (2^16 of 16 values 40 to 50, though additions of 8,192 keys to one counter take 8,100 cycles for the 1,200
// that they take to many; __match_any_sync 3,000 to 18,000); ranks of digits in batches of four rows; fewer buckets for
// short pieces (random keys 1 µs less, skewed ones up to 12 more).
//! Keys that a grid sorts in shares.
constexpr sort_shape key_shares(int key_bytes, bool ordered) {
  const bool is_small = shared_of_a_cta() <= 64;
  if (key_bytes > 4) return {16, is_small ? 8 : 11, 1};
  return {16, is_small ? 13 : !is_for(900) ? 18 : ordered ? 19 : 21, 1};
}
//! Their buckets, in powers of two: so many as keys, where there is room for them.
constexpr int share_bucket_bits(int keys) { return keys > 8192 && shared_of_a_cta() > 64 ? 14 : 13; }
inline constexpr share_plan key_share_plans[] = {{128, 6, 4}, {128, 7, 4}, {128, 8, 4}, {64, 6, 3},
                                                 {64, 7, 3},  {32, 6, 5},  {32, 5, 5}};

}  // namespace UPSWEEP_NAMESPACE::gpu::tuning

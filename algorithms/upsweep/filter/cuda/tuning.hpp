// The tuning table of filters.
#pragma once
#include <upsweep/config.hpp>

namespace UPSWEEP_NAMESPACE::gpu::tuning {

// One shape of tile for all sizes (filter/cut.hpp). H200, 2026-11-21 and 22, sosfilt of 2^26 floats,
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
// for 50 %, shared memory for 60 %. Runs of 72 items in stretches of 24, which take 15 % fewer products, leave four
// slots: 0.55. With one or two sections matrices would be mostly zeros: 0.47 and 0.45. The units take 32 cycles a
// product of 16×8 by 8×8 and give it after 50 (m8n8k4: half the speed). Small calls were the host's: it computed powers
// for 50 and 200 µs, now once a rule.
//
// Then states of runs where no two lanes want a bank, and the impulse response read once a tile. H100, 2026-11-25, µs
// for 4 and 8 sections of 2^26 floats (a copy: 185), and of 2^22 + 12,345:
//   246 449   41 96  before
//   243 419   38 67  so
//   270 487   43 71  what runs leave computed anew by those who walk, not kept: 8 and 6 slots, not 6 and 4
//       436      68  8 sections with two groups of scan warps, of 128 registers
//   266 428   42 69  one more warp that looks ahead before tiles, of 120 and 152 registers
//   245 410   40 66  who publishes never folds the next tile first
// Of 1 and 2 sections, folded anew for 6 and 5 slots, not 5 and 4: 193 for 191, 232 for 216; int16, 2 sections: 292 for
// 200, as the walk is what all wait for there.
//
// What more than eight sections leave, one or two, goes as four: 6 kernels of 30 less. 2^27 floats, 9, 10, 11, 12
// sections, H100, 2026-11-26: 1.60 ms each, with passes of one and two 1.46, 1.56.
//
// Code for 7.5, which has no units for matrices of doubles, on an H100, 2026-11-26, µs for 1, 2, 4 and 8 sections of
// 2^26 floats (a copy: 181):
//   315 386 1946 3938  products of matrices by lanes that get their factors by shuffles
//   309 386  823 2767  each lane folds its own run and walks along it; by matrices only what runs leave is combined
//   310 385  607 1412  a power times a state: the power read from shared memory, no row twice
//   290 369  616 1419  few sections: all loads of a tile at once
// What is left: shared memory (64 % of its cycles with 4 sections, most of them for powers), and of 8 sections two CTAs
// a multiprocessor, of 96 KB.
inline constexpr int filter_stages = 16, filter_min_stages = 3, filter_pipeline_bytes = 128;
inline constexpr int filter_tiles_in_pipeline = 2;  // a multiprocessor; fewer go a CTA a tile
constexpr int filter_ctas(int state_bytes, int channels) { return state_bytes <= (channels > 1 ? 32 : 64) ? 2 : 1; }
// From so many channels on a warp takes each, with one filter for all or with filters of their own. H200, 2026-11-22,
// 2^24 floats through one section: 64 channels by a warp each take 0.72 ms, by tiles of all channels in one launch
// 0.087 (60 by a launch each 0.71); 1,024 channels 0.071 and 0.093. With filters of their own 1,024 take 0.26 ms, 60 by
// a launch each 0.72.
inline constexpr int filter_many_alike = 768, filter_many_own = 64;

// Interleaved channels. H200, 2026-11-24, 2^24 floats through one section, µs, for 2, 8 and 64 channels (a copy: 38):
//   154 175 179  turned into planes and back (another clock: 4 µs less than the others)
//    50          2 as one signal of moments through the pipeline, two warps that look in blocks by turns
//    55          the same with one
//    61  65  93  CTAs of tiles of strips of up to 8 channels, 4 a multiprocessor
//    65  66  81  3 a multiprocessor
//        66  78  strips of up to 16, 3 a multiprocessor: rows of 64 bytes, not 32
//        65  74  the same, where all channels are published before any is waited for
//        67  93  strips of up to 32, 4 a multiprocessor
//    82  77  99  4 warps a CTA, 8 CTAs
// For half of a tile's time all wait for the tiles before it (16,500 of 36,000 cycles, 8 channels); sleeping between
// the looks changed nothing. 4 channels as moments were no faster than as a strip: 62 and 64.
// int16, runs of 40, not of 20: 86 µs became 63 (8 channels), 101 became 72 (64). Looking before blocks first, then in
// the tile's block, took twice as long: a warp waits for others that wait for what it has not looked at.
inline constexpr int interleaved_warps = 8, interleaved_channels = 16, interleaved_entries = 4;
constexpr int interleaved_ctas(int state_bytes) { return state_bytes <= 16 ? 3 : 2; }

}  // namespace UPSWEEP_NAMESPACE::gpu::tuning

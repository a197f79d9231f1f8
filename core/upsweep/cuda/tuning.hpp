// The tuning table of scans: what shape a tile has, by path, architecture and the size of items and values. (Families
// of algorithms have tables of their own.) Each row says where, when and what it measured.
#pragma once
#include <upsweep/config.hpp>

namespace UPSWEEP_NAMESPACE::gpu::tuning {

//! One CTA a tile.
struct tilewise_shape {
  int warps;
  int lane_bytes;        // a lane's share of a tile, of all columns together
  int min_ctas;          // that one multiprocessor should hold: caps the registers
  bool at_once = false;  // a thread loads all its granules before it stores any
};
//! Warps with roles: `warps` to reduce and as many to scan, beside those that load and look ahead. A lane's share is
//! the first that leaves enough in flight, else the one that leaves most.
struct pipeline_shape {
  int warps;
  int lane_bytes[5];
  int max_stages;  // tiles in flight; fewer where shared memory ends
  int min_stages;
  int min_bytes;           // in flight
  long long from_bytes{};  // inputs of at least this many go through it
};
//! What a sweep's shape depends on.
struct sweep_sizes {
  int item_bytes = 4, value_bytes = 4;
  int columns = 1;            // that an item is read from
  bool stores = true;         // more than a little
  bool only_counts = false;   // values are counts
  bool several_rows = false;  // an item may put
};

// One CTA a tile. H200, 2026-11-20, int32 sums, device time in µs with the data in L2:
//                              2^10  2^12  2^14  2^16  2^18  2^20
//   16 warps, 1 vector a lane   4.4   5.5   5.5   6.0   6.8  11.9   small
//    8 warps, 1 vector          4.3   5.2   5.5   6.0   7.2  13.5
//    8 warps, 3 vectors         4.8   6.1   6.0   6.6   6.8   8.8
//    8 warps, 5 vectors         5.2   5.9   6.0   7.2   6.7   8.4   middle
// With the last row for everything, and one code for full and partial tiles, it was 7.1 and 9.0 at the end.
// On GPUs before Hopper all larger inputs take these, and too little is on its way: a CTA waits for its ticket, its
// items and the tiles before in turn. Timed with code for 7.5 and 8.0 on an H100, 2026-11-25, 2^26 int32, fractions of
// a copy's bandwidth (reduce, sum, copy_if 50 %, sum by key; of runs of 50 unique_copy, run_length_encode,
// reduce_by_key); to be taken when the tests have run with it:
//   0.60 0.67 0.55 0.32 0.42 0.14 0.14  as it is (two columns or wide results leave a lane 4 items)
//   0.93 0.78 0.67 0.65 0.50 0.53 0.61  4 warps, 240 bytes a lane; tiles of reductions wait for nobody
//   0.96 0.81 0.69                      7.5, and all loads of a tile at once, through 15 registers a lane's column
//   0.95 0.81 0.70 0.74 0.55 0.56 0.72  8.0, and loads by cp.async
// Faster from 32 MiB on; where columns or results are several, from 2.
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

//! Is this compiled for this architecture, 800 for sm_80, and newer ones alone?
constexpr bool is_for(int oldest) {
  for (const int architecture : {__CUDA_ARCH_LIST__})
    if (architecture < oldest) return false;
  return true;
}
// One CTA a tile, of large inputs, where there is no pipeline. A CTA waits several times, for its ticket, its items and
// the tiles before, so tiles are large. Code for 7.5 and, with copies past the registers, for 8.0, on an H100,
// 2026-11-25, 2^26 int32 items, fractions of a copy's bandwidth: reduce, sum, copy_if 50 %, sum by key, unique_copy,
// run_length_encode, reduce_by_key, the last three of runs of 50.
//   0.95 0.85 0.73 0.77 0.54 0.64 0.75  8.0, 4 warps, 368 bytes a lane, 3 CTAs that one multiprocessor holds
//   0.95 0.81 0.70 0.74 0.55 0.56 0.72  8.0, 240 bytes, 4 CTAs
//   0.94 0.84 0.72 0.74 0.53 0.56 0.72  8.0, 5 CTAs, which spilled registers of sums (208 bytes did, too)
//   0.96 0.81 0.69   –    –    –    –   7.5, 240 bytes, 4 CTAs: a multiprocessor of 7.5 itself has room for two
//   0.93 0.78 0.67 0.65 0.50 0.53 0.61  7.5, items loaded five granules at a time, not all at once
//   0.60 0.67 0.55 0.32 0.42 0.14 0.14  both, as middle_tiles; 0.91 for reduce since a tile whose prefix nobody needs
//                                       does not wait for it
// Loads at once in middle_tiles, too, cost code for 7.5 8 % in recurrences and 17 % in sums of bytes.
// From where on they are faster: one column 32 MiB; several, or values of more than 16 bytes, 2 MiB (2^20 items, µs:
// by key 22.1 and 14.7, run lengths 21.3 and 13.0, reduce_by_key 28.4 and 15.0; sum 13.5 and 13.2).
// Where results need room of their own, as those of partitions and of unique_copy, tiles of 47 KB have none (2^28,
// fractions of CUB: partition_copy 0.99 and 0.89, which is middle_tiles; unique_copy 0.90 and 0.73).
// `wide`: items of 8 bytes and more, and values that are no numbers, as of matrices and automata: they want more
// registers.
constexpr tilewise_shape less_large_tiles(bool wide) { return {4, 240, wide ? 3 : 4, true}; }
constexpr tilewise_shape large_tiles(bool wide) {
  if (is_for(800)) return {4, 368, 3, true};
  return less_large_tiles(wide);
}
inline constexpr int shared_of_older = 64 << 10;  // of a CTA on 7.5
constexpr long long large_tiles_from(int columns, int value_bytes) {
  return columns > 1 || value_bytes > 16 ? 2ll << 20 : 32ll << 20;
}
//! Not for bytes, of which a lane would have too many, and not for values that would fill the registers.
constexpr bool has_large_tiles(int item_bytes, int value_bytes) {
  return !is_for(900) && item_bytes >= 4 && value_bytes <= 24;
}

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
// scan to hide and take 13 vectors and 4 tiles: 1.06 of a copy's bandwidth; 1.02 with 9 and 6. So do functions of each
// item that write little (2026-11-24: sums of 2^28 counts, a place every 128: 389 µs, 450 with 9). Several rows an
// item, of 16 bytes, take 7 items a lane and 3 tiles (JSON's tokens, two sweeps over 2^28 bytes: 659 µs; 672 with 5 and
// 6; some 770 with a CTA a tile instead of a pipeline, whose registers spilled). Bytes take 100 a lane: a tile with 164
// is not through before 40 µs, as one follows another (H100, 2026-11-25, sums of 2^24 and of 2^28: 25 and 197 µs; 51
// and 216 with 164, 26 and 198 with 84; a copy of the latter 176). What is counts alone takes the shares of small
// values however wide it is: with 9 vectors a lane three streams of 8-byte items spill registers (nvcc 13.0). Packed
// stores write little, and reads then want all tiles in flight. H200, 2026-11-25, 2^28 uint32, copy_if of 10 and
// 50 %, unique_copy of runs of 50, as fractions of a copy:
//   0.90 0.97 0.83  as it is: 6 and 5 tiles of 9 vectors
//   0.86 0.96 0.79  rows put by a rank whose place is computed, not by a pointer
//   0.84 0.92 0.78  and one warp that looks in blocks and two before them, not two and one
//   0.81 0.88 0.68  and the counts before lanes kept in 64 bits: 5 tiles of 9 vectors, 6 of 7 (0.68, 0.48)
constexpr pipeline_shape pipeline_tiles(const sweep_sizes& s) {
  if (s.several_rows) return {8, {132, 100, 68, 52, 36}, 16, 3, 60 << 10};
  if (!s.stores && s.value_bytes <= 8) return {8, {228, 164, 132, 100, 36}, 16, 4, 140 << 10};
  if (s.item_bytes == 1 && s.value_bytes <= 8 && !s.only_counts) return {8, {100, 68, 52, 36, 36}, 16, 5, 100 << 10};
  if (s.value_bytes <= 8 || s.only_counts) return {8, {164, 132, 100, 68, 36}, 16, 5, 140 << 10};
  if (s.item_bytes <= 8) return {8, {164, 132, 100, 68, 36}, 16, 3, 110 << 10};
  return {8, {132, 100, 84, 68, 36}, 16, 5, 140 << 10};
}
// From where on. An H100, 2026-11-25, one CTA a tile and the pipeline, one call in µs, nothing in L2, by MiB of input:
//                               2.5        4          6          8          12
//   sum int32                              10.8 11.2  12.2 12.4  16.1 13.5  19.3 15.5
//   copy_if int32                          11.4 12.0  12.1 13.2  16.1 14.0  19.0 16.1
//   reduce int32               8.4  8.4     9.5  9.0  10.5  9.8  11.8 10.7  15.5 12.4
//   sum by key, int32 twice   10.3  9.3    12.5 10.9  17.3 12.4  19.1 13.2  25.2 15.2
//   run_length_encode         14.4  9.6    17.0 10.4  22.0 11.5  27.6 12.8  37.0 14.3   (at 0.5: 8.9 8.4)
//   reduce_by_key             14.2 10.1    15.5 10.7  20.7 11.6  25.7 13.2  35.7 14.3   (at 0.5: 9.5 8.8)
//   copy_if uint8                          15.4 18.7  15.9 21.1  21.1 21.7  23.7 24.4   (at 24: 37.2 33.6)
//   sum uint8                              15.6 15.5  16.3 18.0  21.5 19.6  24.6 22.9   (at 16: 29.2 25.4)
constexpr long long pipeline_from_bytes(const sweep_sizes& s) {
  constexpr long long mib = 1 << 20;
  if (s.several_rows) return 12 * mib;
  if (!s.stores) return 3 * mib;
  if (s.item_bytes == 1) return s.only_counts ? 24 * mib : 16 * mib;
  return s.columns > 1 && !s.only_counts ? 5 * mib / 2 : 8 * mib;
}
constexpr pipeline_shape pipeline(const sweep_sizes& s) {
  pipeline_shape shape = pipeline_tiles(s);
  shape.from_bytes = pipeline_from_bytes(s);
  return shape;
}

// Runs that are reduced (by_runs.hpp). What a tile costs beside its items is the limit, so lanes take many. An H100,
// 2026-11-25, 2^28 int32, runs of 50, every range the same 4 MiB again and again, so that memory is no limit, in µs:
// run_length_encode, reduce_by_key.
//   266 516  as it is: 3 tiles of 52 and of 28 items a lane
//   244 519  60 items and 28
//   347 640  36 items and 20
//   419 671  rows walked along and staged by the warps that scan, 36 and 20; 357 544 with 52 and 28, which spilled
//   551 709  as scans of segmented values with a packed store, 28 and 20
// From memory, of a copy's bandwidth: 0.97 0.98, before 0.69 0.94; of runs of one item 0.93 0.97, before 0.95 0.99.
constexpr pipeline_shape runs() { return {8, {228, 164, 132, 100, 68}, 16, 3, 110 << 10, 1 << 19}; }

//! The pipeline takes values of up to this many bytes: wider ones do not fit its registers.
inline constexpr int pipeline_value_bytes = 16;
//! And packed stores of up to this many ranges, of all streams and columns: the addresses of nine (three columns, three
//! ways) spilled (nvcc 13.0).
inline constexpr int pipeline_runs = 6;

//! Reductions of more items than this by a monoid that folds freely (fold_freely.hpp) take two launches. (H200,
//! 2026-11-23, reproducible sums of 2^28 floats: 395 µs, item by item in the tilewise kernel 13,590; a copy of as many
//! bytes 254.)
inline constexpr long long free_folds_from = 1ll << 15;

//! Walks along segments (segment_walk.hpp): of a lane's share vectors, an odd number so that the shares start in
//! different banks, and no more items than a word has bits; CTAs that one multiprocessor holds; ends a lane reads
//! ahead.
struct segment_shape {
  int warps, vectors, ctas, ends_ahead;
};
// H200, 2026-11-23, int32 sums of 2^28 items, segments of 10, 100 and 10,000, as fractions of a copy's bandwidth:
//   0.86 0.92 0.99  as it is (CUB, a CTA a segment: 0.01 0.06 1.02)
//   0.92 0.91 0.98  four ends a lane read ahead, which spills registers for floats
//   0.85 0.87 0.96  two CTAs a multiprocessor
//   0.82 0.84 0.91  items brought by cp.async into a second tile of shared memory: fewer registers, more waits
//   0.65 0.82 0.92  the first fold before an end kept in registers; the same code for tiles in which no segment ends
//   0.03 0.07 0.23  a sweep over marks, made by searching the offsets
constexpr segment_shape segment_tiles(int item_bytes, int value_bytes, int offset_bytes, bool is_number) {
  const bool is_odd = 16 % item_bytes != 0;
  const int of_vector = is_odd ? 1 : 16 / item_bytes, widest = item_bytes > value_bytes ? item_bytes : value_bytes;
  const int by_bytes = (is_odd ? 24 : 96) / (of_vector * widest), by_bits = 32 / of_vector;
  const int most = by_bytes < by_bits ? by_bytes : by_bits, vectors = most < 1 ? 1 : most - (most + 1) % 2;
  if (is_number && widest <= 4 && offset_bytes <= 4) return {8, vectors, 3, 2};
  return {8, vectors, value_bytes <= 16 ? 2 : 1, 4};
}
//! Steps of a warp: a large GPU's warps all at work, whatever the device is, so that folds are the same on all.
constexpr int steps_of_segment_part(long long steps, int warps_at_once) {
  constexpr long long least = 640, most = 1 << 15;
  const long long wave = 132LL * warps_at_once, waves = steps / (wave * most) + 1, even = steps / (wave * waves) + 1;
  return static_cast<int>(even < least ? least : even);
}

}  // namespace UPSWEEP_NAMESPACE::gpu::tuning

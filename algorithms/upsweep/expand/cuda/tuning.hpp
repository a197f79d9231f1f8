// The tuning table of expansions.
#pragma once
#include <upsweep/config.hpp>

namespace UPSWEEP_NAMESPACE::gpu::tuning {

// H200, 2026-11-25, int32, 2^28 items or counts, in µs, the first read and the second. (A copy of 2^28 items takes 510,
// a write of as many 235. When counts were read twice in full and a CTA wrote a tile of 5,120 items: 385 and 746, 385
// and 682, 59 and 414, 14 and 356, 59 and 321.)
//     ones     99 % zeros  runs of 8  of 100   one alone
//   310 364.5   311 489     45 316     7 275    45 250   as it is
//   310 363     310 489     46 324     7 281    45 256   8 tiles in turn
//   307 370     308 501     45 321     7 277    45 249   8 warps, 5 CTAs; a row waits for the one before it
// On that, or on what was before it:
//       390         539        320       277       246   8 warps, 4 CTAs
//       373         496        326       283       255   8 in turn, nothing read ahead of a tile's first group
//       381         504        329       285       258   nor groups kept from tile to tile
//       434         561        324       277       254   tiles of 2,048
//       418         532        368       320       297   6 CTAs, tiles of 896: registers spilled
//       566         648        311       277       246   tiles in turn that lie a CTA's warps apart
//       469         587        361       304       289   one tile a warp, each by a search
//   323         323         47         7        46       first read by a CTA a part
// With their sums scanned by a launch of its own the first read took 288, but all of 2^16 items 12 in place of 9. At a
// copy's speed its bytes would take 288, and those of the second, of ones, as long. Of 99 % zeros every 13th lane reads
// its counts, which brings whole sectors.

//! Of the first read of counts: groups that a warp has on their way at once, of counts of so many bytes.
constexpr int groups_ahead(int count_bytes) { return count_bytes > 4 ? 2 : 4; }

//! Of the second, which writes: warps of a CTA, a warp's tile in bytes of marks, tiles that a warp writes one behind
//! another where there are many.
inline constexpr int run_tile_warps = 4, run_tile_bytes = 4096, run_tiles_in_turn = 4;
//! CTAs that a multiprocessor should hold, which caps the registers.
constexpr int run_tile_ctas(int mark_bytes, int run_bytes, int item_bytes) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 900
  return item_bytes > 16 ? 4 : 8;  // which older ones hold, and their compiler needs the registers
#else
  if (mark_bytes > 4 || item_bytes > 16) return 4;
  return run_bytes > 4 ? 8 : 10;
#endif
}

}  // namespace UPSWEEP_NAMESPACE::gpu::tuning

// The tuning table of expansions.
#pragma once
#include <upsweep/config.hpp>

namespace UPSWEEP_NAMESPACE::gpu::tuning {

// H200, 2026-11-25, int32, 2^28 items or counts, in µs (copy of 2^28 items 510, memset 235), the first read and the
// second; 1,132 1,067 476 370 384 in all when counts were read twice in full, groups of 128 by a CTA's tile of 5,120:
//     ones       99 % zeros  runs of 8  of 100    one alone
//   307 370.5    308 501     45 321     7 277     45 249    codes, a warp's tile of 1,024, 8 warps a CTA, 5 CTAs
//   306 367.7    307 493     44 329     7 283     45 256    4 warps, 10 CTAs, 8 tiles in turn
//       390          539        320       277        246    4 CTAs of 8 warps (more registers)
//       418          532        368       320        297    6 CTAs, tiles of 896: registers spilled
//       566          648        311       277        246    tiles that a CTA's warps take in turn, not a warp's
//       neighbours 434          561        324       277        254    tiles of 2,048 469          587        361 304
//       289    one tile a warp: a search for each
//   323          323         46          7         46       first read by a CTA a part; sums' scan by a launch of its
//   own
//                                                           288, but 12 µs in place of 10 for small ones
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

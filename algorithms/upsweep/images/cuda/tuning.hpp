// The tuning table of histograms and images.
#pragma once
#include <upsweep/config.hpp>

namespace UPSWEEP_NAMESPACE::gpu::tuning {

//! Histograms: threads of a CTA, 16-byte vectors that a thread has in flight twice, and the fewest of them that are
//! worth a CTA.
struct histogram_shape {
  int threads, vectors, slots_of_cta;
};
// Bytes, on an H200, 2026-11-21: 2^30 random, constant, two-valued or sorted ones at 4,250 to 4,306 GB/s, where a loop
// that only reads gets 4,560: lane l adds to counters in bank l alone, so an addition of 32 lanes takes one pass of
// shared memory whatever the input. Variants of the loop (1 to 6 sets of counters a CTA, inc or add, 512 to 1,024
// threads) were all at 4,320 to 4,480: memory is the limit. 1,024 threads of 64 registers would spill.
inline constexpr histogram_shape byte_counts{768, 4, 512};
//! A small CTA for an image of a batch: its threads, copies of its counters, and how many 16-byte vectors it takes.
struct small_image_shape {
  int threads, copies, most_slots;
};
// 8 copies and a vector a thread, in place of 32 and three or four, with which most of such an image went piece by
// piece (µs, one call after another, before and after, any levels; H200, 2026-11-28, an H100 within 2 %):
//   equalized: a thousand of 64 x 64 23.5 to 14.0 (one call alone 25.9 to 15.8), 16,384 of 16 x 16 301 to 178, 517 of
//   90 x 90 21.8 to 12.6, 129 of 180 x 180 11.0 to 10.2; their tables 20.1 to 13.0, 230 to 139, 16.8 to 10.9, 11.6 to
//   10.7; tables applied 11.6 to 6.7, 133 to 54, 9.6 to 6.7, 6.8 to 6.9.
inline constexpr small_image_shape small_image{256, 8, 2048};
// Equalization, on an H200, 2026-11-21: 64 x 64 pixels in 8.3 µs, 4096 x 4096 in 23, 8192 x 8192 in
// 62 (1,080 Gpixel/s; a copy takes 38), 16384 x 16384 in 209; a thousand of 512 x 512 in 221.
inline constexpr histogram_shape equalize_bytes{768, 3, 512};
//! An image that one cluster of CTAs keeps in registers: 16-byte vectors a thread, of small images and of larger ones.
struct cluster_shape {
  int ctas, threads, vectors, most_vectors;
  constexpr int slots(int of_thread) const { return ctas * threads * of_thread; }
};
// From an image that is worth two CTAs to all that the cluster keeps, 1024 x 1024 pixels. H200, 2026-11-22, 512 x 512,
// one call after another and one alone: CTAs that meet in memory 12.9 and 21.3 µs; clusters of 8 CTAs of 1,024
// threads 9.6 and 16.8, 8 of 512 9.1 and 17.1, 16 of 1,024 8.7 and 16.7, 16 of 512 8.0 and 15.0 (a CTA alone with 64 x
// 64: 8.6). Eight vectors a thread, H100, 2026-11-25, a million pixels: 12.6 µs for 16.0, in memory (sixteen 16.0); of
// 512 x 512 1.0 more than with four.
inline constexpr cluster_shape equalize_cluster{16, 512, 4, 8};
// Items of 2, 4 and 8 bytes: as many copies of the counters as fit, each for some lanes, but four at least. Else 16-bit
// counters, and what is common in registers. H200, 2026-11-22: 2^28 random floats in 256 bins at 3,320 GB/s (CUB
// 3,930), 2^29 uint16_t in 65,536 bins at 1,010 random, 1,020 natural, 1,780 constant (CUB 190, 180, 510). The estimate
// was 2,000 to 2,900 for the floats: a warp's additions of 512 random bytes take 28 passes of shared memory (3.5 for 32
// words in any banks) and 130 instructions, 33 clocks of a SM. A common bin takes 25, and no pass.
inline constexpr int item_counts_bytes = 128 << 10, least_copies = 4;
inline constexpr histogram_shape copied_counts{1024, 2, 0}, crowded_counts{768, 2, 0};
//! A batch is counted with a CTA for each image when that is estimated to take less time than a launch for each.
inline constexpr double bytes_of_cta_us = 30e3, bytes_of_device_us = 3.5e6, launch_us = 8;

}  // namespace UPSWEEP_NAMESPACE::gpu::tuning

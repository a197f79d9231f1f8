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
//! One image of few slots: a vector a thread, up to `most_batches` times.
struct few_slots_shape {
  int threads, most_batches;
};
// In place of the way for large images, whose last batch, all of it here, went piece by piece. H200, 2026-11-28, µs,
// one call alone, before and after, CUB behind:
//   histograms of 2^12, 2^14, 2^18, 2^20, 2^22 and 2^24 bytes 6.2 to 5.3 (6.6), 8.0 to 6.3 (6.7), 8.6 to 6.5 (6.7), 9.6
//   to 7.4 (7.1), 10.9 to 8.9 (9.5), 14.6 to 13.2 (14.5); one after another 4.9 to 4.2 (8.8) … 10.4 (12.4)
//   equalized 2^12 bytes 9.6 to 7.3, 2^22 16.5 to 14.8 (15.9)
// Step by step, of 2^12, 2^18, 2^20 and 2^22: 6.2, 8.7, 9.6, 11.0; full vectors of a batch that is not full at once,
// and counts that all CTAs add to in place of a row each that the last one sums up, 6.7, 7.9, 8.7, 9.7; vectors fetched
// before counters are cleared, and code for 2 of them in place of 4, 5.8, 7.1, 7.7, 8.7; 512 threads and code for
// one, 5.2, 6.5, 7.5, 8.9. 256, 768 and 1,024 threads take 0 to 0.6 more. Counts zeroed by CTA 0, not by the first to
// come: 0 to 0.2 less, but a wait for a CTA that may not be there.
inline constexpr few_slots_shape few_slots{512, 8};
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
// 62 (1,080 Gpixel/s; a copy takes 38), 16384 x 16384 in 209; a thousand of 512 x 512 in 221. 640 threads for 768,
// which spill since vectors of a batch that is not full are kept, too (2026-11-28): 2^24 pixels 24.1 to 22.7 µs, 2^28
// 202 to 204.
inline constexpr histogram_shape equalize_bytes{640, 3, 512};
//! An image that one cluster of CTAs keeps in registers: 16-byte vectors a thread.
struct cluster_shape {
  int ctas, threads, vectors;
  constexpr int slots() const { return ctas * threads * vectors; }
};
// From an image that is worth two CTAs to all that the cluster keeps, half a million pixels. H200, 2026-11-22, 512 x
// 512, one call after another and one alone: CTAs that meet in memory 12.9 and 21.3 µs; clusters of 8 CTAs of 1,024
// threads 9.6 and 16.8, 8 of 512 9.1 and 17.1, 16 of 1,024 8.7 and 16.7, 16 of 512 8.0 and 15.0 (a CTA alone with 64 x
// 64: 8.6). Eight vectors a thread took a million pixels, too, in 11.8 µs and 12.9 alone; since CTAs add their counts
// up in memory (few_slots) these meet there in 10.7 and 12.5 (H200, 2026-11-28).
inline constexpr cluster_shape equalize_cluster{16, 512, 4};
// Items of 2, 4 and 8 bytes: as many copies of the counters as fit, each for some lanes, but four at least. Else 16-bit
// counters, and what is common in registers. H200, 2026-11-22: 2^28 random floats in 256 bins at 3,320 GB/s (CUB
// 3,930), 2^29 uint16_t in 65,536 bins at 1,010 random, 1,020 natural, 1,780 constant (CUB 190, 180, 510). The estimate
// was 2,000 to 2,900 for the floats: a warp's additions of 512 random bytes take 28 passes of shared memory (3.5 for 32
// words in any banks) and 130 instructions, 33 clocks of a SM. A common bin takes 25, and no pass. Counters behind the
// bins for what is in none, in place of a branch an item: the floats 325 to 271 µs (CUB 274), uint32_t in 256 bins 673
// to 605 (H200, 2026-11-28).
inline constexpr int item_counts_bytes = (128 << 10) + 4 * 32, least_copies = 4;
inline constexpr histogram_shape copied_counts{1024, 2, 0}, crowded_counts{768, 2, 0};
//! A batch is counted with a CTA for each image when that is estimated to take less time than a launch for each.
inline constexpr double bytes_of_cta_us = 30e3, bytes_of_device_us = 3.5e6, launch_us = 8;

}  // namespace UPSWEEP_NAMESPACE::gpu::tuning

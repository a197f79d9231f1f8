// Equalization of images of bytes, all of it in one launch: count, meet, make the table, map. An image is one CTA's, or
// shared out among CTAs that all run at once; the last of these to have counted makes the table, while the others wait.
// The second read goes backwards: what was read last is still in the L2, and the last vectors in registers.
#pragma once
#include <cstddef>
#include <cstdint>

#include <upsweep/config.hpp>
#include <upsweep/cuda/launch.hpp>
#include <upsweep/cuda/protocol.hpp>
#include <upsweep/cuda/warp.hpp>
#include <upsweep/image.hpp>
#include <upsweep/images/cuda/byte_counts.hpp>
#include <upsweep/images/cuda/byte_table.hpp>
#include <upsweep/images/cuda/histogram.hpp>
#include <upsweep/images/cuda/meetings.hpp>
#include <upsweep/images/cuda/pixel_slots.hpp>
#include <upsweep/images/cuda/tuning.hpp>
#include <upsweep/images/level_table.hpp>
#include <upsweep/monoid.hpp>
#include <upsweep/scratch.hpp>

namespace UPSWEEP_NAMESPACE::gpu {

// ---------------------------------------------------------------- the table of an image's counts
struct table_memory {
  std::uint64_t sums[warp_size];
  std::uint64_t lowest, highest;
};
//! store(level, entry) for all levels. The counts may be in shared memory; they are scanned by warps, each of a share
//! of the levels, a lane four of them at once. All threads of at least eight warps call, a power of two.
template <class T, class Store>
__device__ void equalization_entries(const std::uint64_t* counts, equalize_mode mode, table_memory& s,
                                     const Store& store) {
  constexpr int levels = static_cast<int>(detail::levels_of<T>), each = levels > 256 ? 4 : 1;
  constexpr int step = each * warp_size;
  const int warps = static_cast<int>(blockDim.x) / warp_size, warp = static_cast<int>(threadIdx.x) / warp_size;
  const int share = max(warp_size, levels / warps), first = warp * share, lane = lane_id();
  const bool has_levels = first < levels;
  const plus<std::uint64_t> add;
  std::uint64_t sum = 0;
  if (has_levels) {
#pragma unroll 8
    for (int k = 0; k < share; k += warp_size) sum += counts[first + k + lane];
    sum = from_lane(warp_scan(sum, warp_size, add), warp_size - 1);
  }
  if (lane == 0) s.sums[warp] = sum;
  if (threadIdx.x == 0) s.lowest = s.highest = 0;
  __syncthreads();
  std::uint64_t before = 0, all = 0;
  for (int w = 0; w < warps; w++) {
    if (w == warp) before = all;
    all += s.sums[w];
  }
  // The lowest level present is in the first warp that counted anything, the highest one in the last.
  if (sum > 0 && before == 0)
    for (int k = 0, found = 0; !found; k += warp_size) {
      const std::uint64_t count = counts[first + k + lane];
      found = static_cast<int>(__ballot_sync(~0u, count > 0));
      if (lane == __ffs(found) - 1) s.lowest = count;
    }
  if (sum > 0 && before + sum == all)
    for (int k = share - warp_size, found = 0; !found; k -= warp_size) {
      const std::uint64_t count = counts[first + k + lane];
      found = static_cast<int>(__ballot_sync(~0u, count > 0));
      if (lane == last_lane(static_cast<std::uint32_t>(found))) s.highest = count;
    }
  __syncthreads();
  if (!has_levels) return;
  const detail::equalizer<T> entry(mode, all, s.lowest, s.highest);
  const auto load = [&](int k, std::uint64_t(&here)[each]) {
#pragma unroll
    for (int i = 0; i < each; i++) here[i] = counts[first + k + lane * each + i];
  };
  std::uint64_t here[each], next[each];
  load(0, here);
  for (int k = 0; k < share; k += step) {
    if (k + step < share) load(k + step, next);
    std::uint64_t mine = 0;
#pragma unroll
    for (int i = 0; i < each; i++) mine += here[i];
    std::uint64_t upto = before + warp_scan(mine, warp_size, add);
    before = from_lane(upto, warp_size - 1);
    upto -= mine;
#pragma unroll
    for (int i = 0; i < each; i++) {
      const int level = first + k + lane * each + i;
      store(level, entry(static_cast<std::uint32_t>(level), upto += here[i], here[i]));
      here[i] = next[i];
    }
  }
}

// ---------------------------------------------------------------- the kernel
struct equalize_args {
  pixel_slots<std::uint8_t> in;
  pixel_target<std::uint8_t> out;
  equalize_mode mode;
  unsigned long long* counts;  // 256, and then the table, when an image has several CTAs
  progress* head;
  int parts;
};

//! The table of an image by the sums of what each of its CTAs counted, which meet if there are several. `counts` and
//! `s` are room for it in shared memory. All threads call.
template <class Args>
__device__ void table_of_image(const std::uint32_t* sums, const grid_counts& of_all, std::uint64_t* counts,
                               std::uint8_t* table, table_memory& s, bool& flag, const Args& a) {
  const int thread = static_cast<int>(threadIdx.x), threads = static_cast<int>(blockDim.x);
  const auto make_table = [&] {
    equalization_entries<std::uint8_t>(counts, a.mode, s, [&](int level, std::uint8_t entry) { table[level] = entry; });
    __syncthreads();
  };
  if (a.parts == 1) {
    for (int k = thread; k < byte_values; k += threads) counts[k] = sums[k];
    __syncthreads();
    make_table();
  } else {
    of_all.add(sums);
    auto* const made = reinterpret_cast<std::uint8_t*>(a.counts + byte_values);
    meet_grid_after(a.head, flag, [&] {
      of_all.forget();
      of_all.read(counts);
      make_table();
      for (int k = thread; k < byte_values; k += threads) made[k] = table[k];
    });
    for (int k = thread; k < byte_values; k += threads) table[k] = __ldcg(made + k);
    __syncthreads();
  }
}

template <class Args, class Way>
__global__ void __launch_bounds__(Way::threads, 1) equalize_kernel(const __grid_constant__ Args a) {
  extern __shared__ __align__(16) std::byte memory[];
  __shared__ std::uint32_t sums[byte_values];
  __shared__ std::uint64_t counts[byte_values];
  __shared__ std::uint8_t table[byte_values];
  __shared__ table_memory of_table;
  __shared__ bool flag;
  const byte_counters<Way::copies> counters(memory);
  const grid_counts of_all(a.head, a.counts);
  const index_t image = blockIdx.x / a.parts;
  const slot_walk<std::uint8_t, Way::vectors> walk(a.in, image, static_cast<int>(blockIdx.x) % a.parts, a.parts);
  uint4 v[Way::vectors];
  const int kept = count_bytes<Way::vectors, false>(walk, counters, {}, image, v, [&] { of_all.zero(); });
  __syncthreads();
  counters.sum_up(sums);
  __syncthreads();
  table_of_image(sums, of_all, counts, table, of_table, flag, a);
  spread_table<Way::copies>(table, memory);
  __syncthreads();
  map_bytes(walk, byte_table<Way::copies>(memory), a.out, image, kept, v);
}

//! One launch for all images: a CTA each, or several that meet, with memory for what they counted.
template <auto Kernel, class Args>
void launch_equalization(device& executor, const image_parts& parts, int shared, Args& args) {
  if (parts.parts == 1) return launch<Kernel>(executor, parts.ctas(), parts.threads, shared, args);
  detail::in_scratch(executor, [&](detail::scratch_cutter& scratch) {
    args.counts = scratch.take<unsigned long long>(byte_values + byte_values / 8);
  });
  args.head = reinterpret_cast<progress*>(executor.workspace(sizeof(progress)).data);
  launch_together<Kernel>(executor, parts.ctas(), parts.threads, shared, args);
}
//! Calls equalize(in, out) with all images of a batch, or with one after another where each fills the device.
template <class F>
void equalize_batch(device& executor, const detail::pixels<const std::uint8_t>& in,
                    const detail::pixels<std::uint8_t>& out, const F& equalize) {
  if (!one_by_one(executor, in.count, 3 * in.per_image())) return equalize(in, out);
  for (index_t k = 0; k < in.count; k++) equalize(in.one(k), out.one(k));
}

//! One launch for all images, or for one.
inline void equalize_images(device& executor, const detail::pixels<const std::uint8_t>& in,
                            const detail::pixels<std::uint8_t>& out, equalize_mode mode) {
  constexpr tuning::histogram_shape shape = tuning::equalize_bytes;
  const bool gapless = in.pitch == in.width && out.pitch == out.width;
  const pixel_slots<std::uint8_t> slots(gapless ? in.joined_rows() : in);
  choose_way(executor, in.count, slots.slots, any_images<shape.threads, shape.vectors>{}, [&]<class Way>(Way) {
    const image_parts parts = parts_of(executor, in.count, slots.slots, Way::threads, shape.slots_of_cta);
    equalize_args args{
        .in = slots, .out = target_of(out), .mode = mode, .counts = nullptr, .head = nullptr, .parts = parts.parts};
    launch_equalization<&equalize_kernel<equalize_args, Way>>(executor, parts, bytes_of_copies<Way::copies>, args);
  });
}

}  // namespace UPSWEEP_NAMESPACE::gpu

// Adaptive equalization on the device: a CTA a tile counts it and makes its table; then rows are blended.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>

#include <upsweep/config.hpp>
#include <upsweep/cuda/launch.hpp>
#include <upsweep/cuda/warp.hpp>
#include <upsweep/image.hpp>
#include <upsweep/images/cuda/byte_counts.hpp>
#include <upsweep/images/cuda/crowd_counts.hpp>
#include <upsweep/images/cuda/item_counts.hpp>
#include <upsweep/images/cuda/pixel_slots.hpp>
#include <upsweep/images/cuda/tile_blend.hpp>
#include <upsweep/images/cuda/tuning.hpp>
#include <upsweep/images/tile_tables.hpp>
#include <upsweep/monoid.hpp>
#include <upsweep/scratch.hpp>

namespace UPSWEEP_NAMESPACE::gpu {

inline constexpr int tile_threads = 512;

template <class T>
struct tile_args {
  pixel_slots<T> in;  // the slots of a whole tile, wherever it begins
  detail::tile_plan plan;
  index_t image_pitch;
  T* tables;
  std::uint32_t* counts;  // images of 16 bits: counters, which are zero
  bool has_halves;        // images of 16 bits: do the counters fit shared memory?
};

//! One tile: its pixels in the image as slots, and those that are reflected.
template <class T>
struct tile_view {
  const T* image;
  int x, y;
  pixel_slots<T> inside;

  __device__ explicit tile_view(const tile_args<T>& a) : inside(a.in) {
    const int tile = static_cast<int>(blockIdx.x % static_cast<unsigned>(a.plan.tiles()));
    const int across = tile % a.plan.x.tiles, down = tile / a.plan.x.tiles;
    image = a.in.data + static_cast<index_t>(blockIdx.x / static_cast<unsigned>(a.plan.tiles())) * a.image_pitch;
    x = across * a.plan.x.size;
    y = down * a.plan.y.size;
    inside.width = a.plan.x.inside(across);
    inside.height = a.plan.y.inside(down);
    inside.slots = inside.width > 0 ? inside.row_slots * inside.height : 0;
    inside.data = inside.slots > 0 ? image + y * a.in.pitch + x : image;
  }
  //! Calls f(pixel, is there one) for the reflected pixels, with all threads together.
  template <class F>
  __device__ void for_each_reflected(const tile_args<T>& a, const F& f) const {
    const detail::tile_axis &across = a.plan.x, &down = a.plan.y;
    const int width = static_cast<int>(inside.width), height = width > 0 ? static_cast<int>(inside.height) : 0;
    const int beside = across.size - width, all_beside = beside * height;
    const int all = all_beside + (down.size - height) * across.size;
    for (int first = 0; first < all; first += static_cast<int>(blockDim.x)) {
      const int k = first + static_cast<int>(threadIdx.x);
      T pixel{};
      if (k < all) {
        const int below = k - all_beside;
        const int column = below < 0 ? width + k % beside : below % across.size;
        const int row = below < 0 ? k / beside : height + below / across.size;
        pixel = image[down.reflected(y + row) * a.in.pitch + across.reflected(x + column)];
      }
      f(pixel, k < all);
    }
  }
};

// ---------------------------------------------------------------- a tile's table
struct tile_sums {
  std::uint32_t kept[warp_size], excess[warp_size];
};
//! store(level, entry) for all levels, by count_of(level). All threads of at least eight warps call, a power of two.
template <class T, class CountOf, class Store>
__device__ void clipped_entries(const detail::tile_plan& plan, const CountOf& count_of, tile_sums& s,
                                const Store& store) {
  constexpr int levels = static_cast<int>(detail::levels_of<T>), each = levels > 256 ? 4 : 1;
  const int warps = static_cast<int>(blockDim.x) / warp_size, warp = static_cast<int>(threadIdx.x) / warp_size;
  const int share = max(warp_size, levels / warps), first = warp * share, lane = lane_id();
  const bool has_levels = first < levels;
  std::uint32_t kept = 0, excess = 0;
  if (has_levels)
#pragma unroll 8
    for (int k = 0; k < share; k += warp_size) {
      const std::uint32_t count = count_of(first + k + lane), below = min(count, plan.limit);
      kept += below;
      excess += count - below;
    }
  kept = warp_sum(kept);
  excess = warp_sum(excess);
  if (lane == 0) {
    s.kept[warp] = kept;
    s.excess[warp] = excess;
  }
  __syncthreads();
  std::uint32_t upto = 0, all_excess = 0;
  for (int w = 0; w < warps; w++) {
    if (w < warp) upto += s.kept[w];
    all_excess += s.excess[w];
  }
  if (!has_levels) return;
  const detail::clipped_levels<T> clipped(plan.limit, all_excess);
  upto += clipped.gained_below(static_cast<std::uint32_t>(first));
  const plus<std::uint32_t> add;
  const auto load = [&](int k, std::uint32_t(&here)[each]) {
#pragma unroll
    for (int i = 0; i < each; i++) here[i] = count_of(first + k + lane * each + i);
  };
  std::uint32_t here[each], next[each];
  load(0, here);
  for (int k = 0; k < share; k += each * warp_size) {
    if (k + each * warp_size < share) load(k + each * warp_size, next);
    const auto level = static_cast<std::uint32_t>(first + k + lane * each);
    std::uint32_t mine = 0;
#pragma unroll
    for (int i = 0; i < each; i++) {
      here[i] = clipped.count(level + static_cast<std::uint32_t>(i), here[i]);
      mine += here[i];
    }
    std::uint32_t running = upto + warp_scan(mine, warp_size, add);
    upto = from_lane(running, warp_size - 1);
    running -= mine;
#pragma unroll
    for (int i = 0; i < each; i++) {
      store(static_cast<int>(level) + i, detail::tile_entry<T>(running += here[i], plan.scale));
      here[i] = next[i];
    }
  }
}

template <class Args>
__global__ void __launch_bounds__(tile_threads) byte_tables_kernel(const __grid_constant__ Args a) {
  constexpr int vectors = tuning::byte_counts.vectors;
  extern __shared__ __align__(16) std::byte memory[];
  __shared__ std::uint32_t sums[byte_values];
  __shared__ tile_sums of_tile;
  const byte_counters<> counters(memory);
  const tile_view<std::uint8_t> tile(a);
  uint4 v[vectors];
  count_bytes<vectors, false>({tile.inside, 0, 0, 1}, counters, {}, 0, v);
  tile.for_each_reflected(a, [&](std::uint8_t pixel, bool is_there) {
    if (is_there) counters.count_one(pixel);
  });
  __syncthreads();
  counters.sum_up(sums);
  __syncthreads();
  std::uint8_t* const table = a.tables + static_cast<index_t>(blockIdx.x) * byte_values;
  clipped_entries<std::uint8_t>(
      a.plan, [&](int level) { return sums[level]; }, of_tile,
      [&](int level, std::uint8_t entry) { table[level] = entry; });
}

//! Counters in shared memory, where they spill and what is common in global memory.
template <class Args>
__global__ void __launch_bounds__(tile_threads, 1) word_tables_kernel(const __grid_constant__ Args a) {
  constexpr int vectors = tuning::crowded_counts.vectors;
  static_assert(tile_threads * vectors * 8 <= static_cast<int>(half_counters<std::uint32_t>::spill));
  constexpr std::uint32_t levels = detail::levels_of<std::uint16_t>;
  extern __shared__ __align__(16) std::uint32_t counters[];
  __shared__ tile_sums of_tile;
  std::uint32_t* const counts = a.counts + static_cast<index_t>(blockIdx.x) * levels;
  const half_counters<std::uint32_t> halves{counters, counts};
  crowd_counts<std::uint32_t> crowds(counts);
  if (a.has_halves) halves.clear(levels);
  __syncthreads();
  const tile_view<std::uint16_t> tile(a);
  const auto count = [&](auto& found) { count_crowded(crowds, halves, a.has_halves, found); };
  for_each_vector<std::uint16_t, vectors, uncounted::is_nowhere>(
      {tile.inside, 0, 0, 1}, {}, 0, detail::level_bins{levels}, count, [] { __syncthreads(); });
  tile.for_each_reflected(a, [&](std::uint16_t pixel, bool is_there) {
    std::uint32_t bin[1] = {is_there ? pixel : nowhere};
    count(bin);
    __syncthreads();
  });
  crowds.flush();
  __threadfence();
  __syncthreads();
  std::uint16_t* const table = a.tables + static_cast<index_t>(blockIdx.x) * levels;
  clipped_entries<std::uint16_t>(
      a.plan,
      [&](int level) {
        return __ldcg(counts + level) + (a.has_halves ? halves.count(static_cast<std::uint32_t>(level)) : 0u);
      },
      of_tile, [&](int level, std::uint16_t entry) { table[level] = entry; });
}

//! Slots of any tile, the first of which the result begins with.
template <class T>
pixel_slots<T> slots_of_tiles(const detail::pixels<const T>& in, const detail::tile_plan& plan) {
  detail::pixels<const T> tile = in;
  tile.width = plan.x.size;
  tile.height = plan.y.size;
  tile.count = 2;
  tile.image_pitch = in.count > 1 ? in.image_pitch | plan.x.size : plan.x.size;  // aligned if all tiles are
  return pixel_slots<T>(tile);
}

template <class T>
void tile_tables(device& executor, const detail::pixels<const T>& in, const detail::tile_plan& plan, T* tables,
                 std::uint32_t* counts) {
  tile_args<T> args{.in = slots_of_tiles(in, plan),
                    .plan = plan,
                    .image_pitch = in.image_pitch,
                    .tables = tables,
                    .counts = counts,
                    .has_halves = false};
  const index_t tiles = in.count * plan.tiles();
  if constexpr (sizeof(T) == 1) {
    launch<&byte_tables_kernel<tile_args<T>>>(executor, tiles, tile_threads, bytes_of_copies<>, args);
  } else {
    const std::size_t bytes = static_cast<std::size_t>(tiles) * detail::levels_of<T> * sizeof(*counts);
    UPSWEEP_CUDA_CHECK(cudaMemsetAsync(counts, 0, bytes, executor.stream()));
    constexpr int halves = 4 * half_counters<std::uint32_t>::words_of(detail::levels_of<T>);
    args.has_halves = shared_bytes(executor, halves) == halves;
    launch<&word_tables_kernel<tile_args<T>>>(executor, tiles, tile_threads, args.has_halves ? halves : 0, args);
  }
}

}  // namespace UPSWEEP_NAMESPACE::gpu

namespace UPSWEEP_NAMESPACE::detail {

template <class T>
void adapt(device& executor, const pixels<const T>& in, const pixels<T>& out, const tile_plan& plan) {
  const gpu::current_device here(executor.ordinal());
  constexpr index_t of_entry = sizeof(T) + (sizeof(T) == 1 ? 0 : sizeof(std::uint32_t));
  const index_t entries = plan.tiles() * index_t{levels_of<T>};
  const auto at_once = std::clamp<index_t>((index_t{64} << 20) / (entries * of_entry), 1, in.count);
  T* tables = nullptr;
  std::uint32_t* counts = nullptr;
  in_scratch(executor, [&](scratch_cutter& scratch) {
    counts = scratch.take<std::uint32_t>(sizeof(T) == 1 ? 0 : at_once * entries);
    tables = scratch.take<T>(at_once * entries);
  });
  for (index_t k = 0; k < in.count; k += at_once) {
    const index_t images = std::min(at_once, in.count - k);
    const auto from = gpu::some_of(in, k, images);
    gpu::tile_tables(executor, from, plan, tables, counts);
    gpu::blend_images(executor, from, gpu::some_of(out, k, images), plan, static_cast<const T*>(tables));
  }
}

}  // namespace UPSWEEP_NAMESPACE::detail

// Tables of levels on the device: made of histograms, applied, and both together in one launch for bytes
// (equalize_bytes.hpp, equalize_cluster.hpp). Words take a launch to count, one for the tables and one to map.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <upsweep/config.hpp>
#include <upsweep/cuda/launch.hpp>
#include <upsweep/cuda/warp.hpp>
#include <upsweep/image.hpp>
#include <upsweep/images/bins.hpp>
#include <upsweep/images/cuda/byte_table.hpp>
#include <upsweep/images/cuda/equalize_bytes.hpp>
#include <upsweep/images/cuda/equalize_cluster.hpp>
#include <upsweep/images/cuda/histogram.hpp>
#include <upsweep/images/cuda/pixel_slots.hpp>
#include <upsweep/images/cuda/tuning.hpp>
#include <upsweep/images/level_table.hpp>
#include <upsweep/scratch.hpp>

namespace UPSWEEP_NAMESPACE::gpu {

inline constexpr int table_threads = 1024, map_threads = 512, map_vectors = 2;

//! One CTA an image: tables[image] of counts[image].
template <class T>
__global__ void __launch_bounds__(table_threads)
    equalization_tables_kernel(const std::uint64_t* counts, T* tables, equalize_mode mode) {
  __shared__ table_memory memory;
  constexpr index_t levels = detail::levels_of<T>;
  T* const table = tables + blockIdx.x * levels;
  equalization_entries<T>(counts + blockIdx.x * levels, mode, memory,
                          [&](int level, T entry) { table[level] = entry; });
}

//! One CTA an image: running sums in place of counts.
template <class T>
__global__ void __launch_bounds__(table_threads) running_sums_kernel(std::uint64_t* counts) {
  __shared__ std::uint64_t sums[warp_size];
  constexpr int levels = static_cast<int>(detail::levels_of<T>), share = levels / (table_threads / warp_size);
  static_assert(share % 8 == 0);
  const int warp = static_cast<int>(threadIdx.x) / warp_size, lane = lane_id();
  std::uint64_t* const mine = counts + static_cast<index_t>(blockIdx.x) * levels + warp * share;
  const plus<std::uint64_t> add;
  std::uint64_t sum = 0;
  for (int k = lane; k < share; k += warp_size) sum += mine[k];
  sum = warp_scan(sum, warp_size, add);
  if (lane == warp_size - 1) sums[warp] = sum;
  __syncthreads();
  std::uint64_t before = 0;
  for (int w = 0; w < warp; w++) before += sums[w];
  for (int k = 0; k < share; k += warp_size) {
    const bool is_there = k + lane < share;
    const std::uint64_t upto = before + warp_scan(is_there ? mine[k + lane] : 0, warp_size, add);
    if (is_there) mine[k + lane] = upto;
    before = from_lane(upto, warp_size - 1);
  }
}
//! tables[image][level] by running sums of the images and of the references, `stride` apart.
template <class T>
__global__ void matching_tables_kernel(const std::uint64_t* own, const std::uint64_t* other, index_t stride, T* tables,
                                       index_t entries) {
  constexpr index_t levels = detail::levels_of<T>;
  const index_t at = static_cast<index_t>(blockIdx.x) * blockDim.x + threadIdx.x, image = at / levels;
  if (at >= entries) return;
  tables[at] = detail::matching_level<T>(own[at], own[(image + 1) * levels - 1], other + image * stride);
}

// ---------------------------------------------------------------- applying
template <class T, class U>
struct map_args {
  pixel_slots<T> in;
  pixel_target<U> out;
  const U* tables;
  index_t stride;
  int parts;
  bool is_shared;  // does the table fit shared memory?
};
//! Copies a table. All threads call; they copy 16 bytes each where the table is aligned to them.
template <class U>
__device__ void copy_table(const U* table, U* copy, int entries) {
  const int thread = static_cast<int>(threadIdx.x), threads = static_cast<int>(blockDim.x);
  if (reinterpret_cast<std::uintptr_t>(table) % 16 == 0) {
    const int vectors = entries * static_cast<int>(sizeof(U)) / 16;
#pragma unroll 8
    for (int k = thread; k < vectors; k += threads)
      reinterpret_cast<uint4*>(copy)[k] = reinterpret_cast<const uint4*>(table)[k];
  } else {
    for (int k = thread; k < entries; k += threads) copy[k] = table[k];
  }
}
template <class T, class U, class Way>
__global__ void __launch_bounds__(Way::threads, 2) map_kernel(const __grid_constant__ map_args<T, U> a) {
  constexpr int vectors = Way::vectors;
  extern __shared__ __align__(16) std::byte memory[];
  const index_t image = blockIdx.x / a.parts;
  const slot_walk<T, vectors> walk(a.in, image, static_cast<int>(blockIdx.x) % a.parts, a.parts);
  const U* const table = a.tables + image * a.stride;
  if constexpr (sizeof(T) == 1 && sizeof(U) == 1) {
    spread_table<Way::copies>(table, memory);
    __syncthreads();
    uint4 v[vectors];
    const int kept = walk.batches > 0 ? walk.load_full(walk.batches - 1, v) : 0;
    map_bytes(walk, byte_table<Way::copies>(memory), a.out, image, kept, v);
  } else {
    constexpr int per_slot = pixel_slots<T>::per_slot;
    auto* const copy = reinterpret_cast<U*>(memory);
    if (a.is_shared) copy_table(table, copy, static_cast<int>(detail::levels_of<T>));
    __syncthreads();
    U* const to = a.out.data + image * a.out.image_pitch;
    const auto map = [&](const row_piece& piece, const uint4& vector, std::uint32_t live) {
      T items[per_slot];
      memcpy(items, &vector, 16);
      U mapped[per_slot];
#pragma unroll
      for (int i = 0; i < per_slot; i++) mapped[i] = a.is_shared ? copy[items[i]] : table[items[i]];
      if constexpr (sizeof(T) == sizeof(U)) {
        uint4 result;
        memcpy(&result, mapped, 16);
        if (live) a.out.store(to, piece, result, live);
      } else {
        U* const at = to + piece.row * a.out.pitch + piece.column;
#pragma unroll
        for (int i = 0; i < per_slot; i++)
          if (live >> i & 1) at[i] = mapped[i];
      }
    };
    for (int batch = 0; batch < walk.batches; batch++) {
      uint4 v[vectors];
      const int full = walk.load_full(batch, v);
      if (full == vectors) {
#pragma unroll
        for (int k = 0; k < vectors; k++)
          map(walk.slots.piece(walk.image, walk.slot(batch, k)), v[k], pixel_slots<T>::all);
      } else {
        walk.for_each_piece(batch, full, v, map);
      }
    }
  }
}

template <class T, class U>
void map_images(device& executor, const detail::pixels<const T>& in, const U* tables, index_t stride,
                const detail::pixels<U>& out) {
  const bool gapless = in.pitch == in.width && out.pitch == out.width;
  const pixel_slots<T> slots(gapless ? in.joined_rows() : in);
  constexpr index_t bytes = index_t{detail::levels_of<T>} * static_cast<index_t>(sizeof(U));
  constexpr bool is_bytes = sizeof(T) == 1 && sizeof(U) == 1;
  constexpr index_t levels_of_table = detail::levels_of<T>;
  // A CTA pays for its copy of the table: half as many pixels are worth one.
  const index_t ctas = executor.multiprocessors() * index_t{bytes > 16'384 ? 1 : 4};
  const index_t parts = std::clamp<index_t>(slots.slots / 512, 1, std::max<index_t>(ctas / in.count, 1));
  const bool fits = bytes <= shared_bytes(executor, tuning::item_counts_bytes) &&
                    slots.slots / parts * pixel_slots<T>::per_slot >= levels_of_table / 2;
  const map_args<T, U> args{.in = slots,
                            .out = target_of(out),
                            .tables = tables,
                            .stride = stride,
                            .parts = static_cast<int>(parts),
                            .is_shared = fits};
  const auto launch_as = [&]<class Way>(Way) {
    const index_t shared = is_bytes ? index_t{bytes_of_copies<Way::copies>} : fits ? bytes : 0;
    launch<&map_kernel<T, U, Way>>(executor, in.count * parts, Way::threads, static_cast<int>(shared), args);
  };
  if constexpr (is_bytes) {
    if (parts == 1 && take_small_ctas(in.count, slots.slots)) return launch_as(small_images{});
  }
  launch_as(any_images<map_threads, map_vectors>{});
}

//! Scratch memory for the counts of images, and for tables made of them.
template <class T>
struct count_memory {
  std::byte* counting = nullptr;  // what it works in
  unsigned long long* counts = nullptr;
  T* tables = nullptr;

  count_memory(device& executor, index_t count_entries, index_t table_entries) {
    detail::in_scratch(executor, [&](detail::scratch_cutter& scratch) {
      counting = scratch.take<std::byte>(static_cast<index_t>(count_scratch_bytes));
      counts = scratch.take<unsigned long long>(count_entries);
      tables = scratch.take<T>(table_entries);
    });
  }
};
//! Calls work(first image, images) for parts of a batch whose counts take little memory.
template <class T, class Work>
void by_batches(index_t images, const Work& work) {
  constexpr index_t most = (index_t{1} << 23) / detail::levels_of<T>;
  for (index_t k = 0; k < images; k += most) work(k, std::min(most, images - k));
}
inline const std::uint64_t* as_words(const unsigned long long* counts) {
  return reinterpret_cast<const std::uint64_t*>(counts);
}

}  // namespace UPSWEEP_NAMESPACE::gpu

namespace UPSWEEP_NAMESPACE::detail {

template <class T, class U>
void apply_tables(device& executor, const pixels<const T>& in, const U* tables, index_t stride, const pixels<U>& out) {
  const gpu::current_device here(executor.ordinal());
  gpu::map_images(executor, in, tables, stride, out);
}

template <class T>
void equalization_tables(device& executor, const pixels<const T>& in, const pixels<const std::uint8_t>* mask,
                         equalize_mode mode, T* tables) {
  const gpu::current_device here(executor.ordinal());
  constexpr index_t levels = levels_of<T>;
  gpu::by_batches<T>(in.count, [&](index_t k, index_t images) {
    pixels<const std::uint8_t> flags{};
    if (mask) flags = gpu::some_of(*mask, k, images);
    const gpu::count_memory<T> memory(executor, images * levels, 0);
    gpu::count_batch(executor, gpu::some_of(in, k, images), mask ? &flags : nullptr, level_bins{levels_of<T>},
                     memory.counts, memory.counting);
    gpu::launch<&gpu::equalization_tables_kernel<T>>(executor, images, levels > 256 ? gpu::table_threads : 256, 0,
                                                     gpu::as_words(memory.counts), tables + k * levels, mode);
  });
}

template <class T>
void equalize(device& executor, const pixels<const T>& in, const pixels<T>& out, equalize_mode mode) {
  const gpu::current_device here(executor.ordinal());
  if constexpr (sizeof(T) == 1) {
    gpu::equalize_batch(executor, in, out, [&](const auto& from, const auto& to) {
      if (!gpu::equalize_in_cluster(executor, from, to, mode)) gpu::equalize_images(executor, from, to, mode);
    });
  } else {
    constexpr index_t levels = levels_of<T>;
    gpu::by_batches<T>(in.count, [&](index_t k, index_t images) {
      const auto some = gpu::some_of(in, k, images);
      const gpu::count_memory<T> memory(executor, images * levels, images * levels);
      gpu::count_batch(executor, some, nullptr, level_bins{levels_of<T>}, memory.counts, memory.counting);
      gpu::launch<&gpu::equalization_tables_kernel<T>>(executor, images, gpu::table_threads, 0,
                                                       gpu::as_words(memory.counts), memory.tables, mode);
      gpu::map_images(executor, some, static_cast<const T*>(memory.tables), levels, gpu::some_of(out, k, images));
    });
  }
}

template <class T>
void match(device& executor, const pixels<const T>& in, const pixels<const T>& reference, const pixels<T>& out) {
  const gpu::current_device here(executor.ordinal());
  constexpr index_t levels = levels_of<T>;
  gpu::by_batches<T>(in.count, [&](index_t k, index_t images) {
    const auto some = gpu::some_of(in, k, images);
    const auto like = reference.count > 1 ? gpu::some_of(reference, k, images) : reference;
    const gpu::count_memory<T> memory(executor, (images + like.count) * levels, images * levels);
    unsigned long long* const of_reference = memory.counts + images * levels;
    const level_bins bins{levels_of<T>};
    gpu::count_batch(executor, some, nullptr, bins, memory.counts, memory.counting);
    gpu::count_batch(executor, like, nullptr, bins, of_reference, memory.counting);
    gpu::launch<&gpu::running_sums_kernel<T>>(executor, images + like.count, gpu::table_threads, 0,
                                              reinterpret_cast<std::uint64_t*>(memory.counts));
    const index_t entries = images * levels;
    gpu::launch<&gpu::matching_tables_kernel<T>>(executor, (entries + 255) / 256, 256, 0, gpu::as_words(memory.counts),
                                                 gpu::as_words(of_reference), like.count > 1 ? levels : index_t{0},
                                                 memory.tables, entries);
    gpu::map_images(executor, some, static_cast<const T*>(memory.tables), levels, gpu::some_of(out, k, images));
  });
}

}  // namespace UPSWEEP_NAMESPACE::detail

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
#include <upsweep/images/cuda/histogram.hpp>
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

// ---------------------------------------------------------------- applying a table of bytes
//! A table of bytes as words, one for each lane in its own bank: no two lanes wait for each other. (Or for some lanes,
//! as counters are.) Where the counters were; threads together.
template <int Copies = warp_size>
__device__ void spread_table(const std::uint8_t* table, std::byte* memory) {
  auto* const words = reinterpret_cast<uint4*>(memory);
  for (int k = static_cast<int>(threadIdx.x); k < bytes_of_copies<Copies> / 16; k += static_cast<int>(blockDim.x)) {
    const std::uint32_t entry = table[k / (Copies / 4)];
    words[k] = {entry, entry, entry, entry};
  }
}
template <int Copies = warp_size>
class byte_table {
 public:
  __device__ explicit byte_table(const std::byte* memory) : memory_(memory), place_(place_of_lane<Copies>()) {}
  __device__ std::uint32_t map(std::uint32_t word) const {
    const std::uint32_t a = entry(place_of_byte<0, Copies>(word, place_)),
                        b = entry(place_of_byte<1, Copies>(word, place_));
    const std::uint32_t c = entry(place_of_byte<2, Copies>(word, place_)),
                        d = entry(place_of_byte<3, Copies>(word, place_));
    return __byte_perm(__byte_perm(a, b, 0x0040), __byte_perm(c, d, 0x0040), 0x5410);
  }
  __device__ std::uint8_t entry_of(std::uint8_t level) const {
    return static_cast<std::uint8_t>(entry(place_of_byte<0, Copies>(level, place_)));
  }
  __device__ uint4 map(const uint4& v) const { return {map(v.x), map(v.y), map(v.z), map(v.w)}; }

 private:
  __device__ std::uint32_t entry(std::uint32_t place) const {
    return *reinterpret_cast<const std::uint32_t*>(memory_ + place);
  }
  const std::byte* memory_;
  std::uint32_t place_;
};

//! Where mapped pixels go.
template <class U>
struct pixel_target {
  U* data;
  index_t pitch, image_pitch;
  //! Writes the items of a piece; `items` are bytes or as wide as those that were read, in their places.
  __device__ void store(U* image, const row_piece& p, const uint4& v, std::uint32_t live) const {
    constexpr int per_slot = 16 / static_cast<int>(sizeof(U));
    U* const at = image + p.row * pitch + p.column;
    if (p.is_full(per_slot) && reinterpret_cast<std::uintptr_t>(at) % 16 == 0) {
      *reinterpret_cast<uint4*>(at) = v;
      return;
    }
    std::uint64_t low = v.x | static_cast<std::uint64_t>(v.y) << 32, high = v.z | static_cast<std::uint64_t>(v.w) << 32;
    constexpr int bits = 8 * static_cast<int>(sizeof(U));
#pragma unroll 1
    for (int i = 0; i < per_slot; i++, live >>= 1) {
      if (live & 1) reinterpret_cast<bits_of<U>*>(at)[i] = static_cast<bits_of<U>>(low);
      low = low >> bits | high << (64 - bits);
      high >>= bits;
    }
  }
};

//! Maps a CTA's part of an image, the last batch first. `is_kept`: its vectors are in v.
template <int Vectors, int Copies>
__device__ void map_bytes(const slot_walk<std::uint8_t, Vectors>& walk, const byte_table<Copies>& table,
                          const pixel_target<std::uint8_t>& out, index_t image, bool is_kept, uint4 (&v)[Vectors]) {
  std::uint8_t* const to = out.data + image * out.image_pitch;
  const bool is_like = walk.slots.height == 1 &&
                       (reinterpret_cast<std::uintptr_t>(walk.image) - reinterpret_cast<std::uintptr_t>(to)) % 16 == 0;
  for (int batch = walk.batches - 1; batch >= 0; batch--) {
    uint4 next[Vectors];
    const bool next_kept = batch > 0 && walk.load_full(batch - 1, next);  // a batch ahead
    if (is_kept) {
#pragma unroll
      for (int k = 0; k < Vectors; k++) v[k] = table.map(v[k]);
      if (is_like) {
        const index_t skew = reinterpret_cast<std::uintptr_t>(to) % 16;
        auto* const at = reinterpret_cast<uint4*>(to - skew) + walk.slot(batch, 0);
#pragma unroll
        for (int k = 0; k < Vectors; k++) __stcs(at + k * walk.stride, v[k]);
      } else {
#pragma unroll
        for (int k = 0; k < Vectors; k++)
          out.store(to, walk.slots.piece(walk.image, walk.slot(batch, k)), v[k], 0xFFFFu);
      }
    } else {
      walk.for_each_piece(batch, [&](const row_piece& piece, const uint4& vector, std::uint32_t live) {
        if (live) out.store(to, piece, table.map(vector), live);
      });
    }
    is_kept = next_kept;
#pragma unroll
    for (int k = 0; k < Vectors; k++) v[k] = next[k];
  }
}

// ---------------------------------------------------------------- the kernel
struct equalize_args {
  pixel_slots<std::uint8_t> in;
  pixel_target<std::uint8_t> out;
  equalize_mode mode;
  std::uint32_t* rows;  // of 256 counts for each CTA, and then the table, when an image has several
  progress* head;
  int parts;
};

//! The table of an image by the sums that each of its CTAs counted, which meet if there are several. `counts` and `s`
//! are room for it in shared memory, `memory` that of the counters. All threads call.
template <class Args>
__device__ void table_of_image(const std::uint32_t* sums, std::uint64_t* counts, std::uint8_t* table, table_memory& s,
                               bool& flag, std::byte* memory, const Args& a) {
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
    for (int k = thread; k < byte_values; k += threads)
      a.rows[static_cast<int>(blockIdx.x) * byte_values + k] = sums[k];
    auto* const made = reinterpret_cast<std::uint8_t*>(a.rows + a.parts * byte_values);
    meet_grid_after(a.head, flag, [&] {
      sum_rows(a.rows, a.parts, memory, counts);
      make_table();
      for (int k = thread; k < byte_values; k += threads) made[k] = table[k];
    });
    for (int k = thread; k < byte_values; k += threads) table[k] = __ldcg(made + k);
    __syncthreads();
  }
}

template <class Args, class Way>
__global__ void __launch_bounds__(Way::threads) equalize_kernel(const __grid_constant__ Args a) {
  extern __shared__ __align__(16) std::byte memory[];
  __shared__ std::uint32_t sums[byte_values];
  __shared__ std::uint64_t counts[byte_values];
  __shared__ std::uint8_t table[byte_values];
  __shared__ table_memory of_table;
  __shared__ bool flag;
  const byte_counters<Way::copies> counters(memory);
  counters.clear();
  __syncthreads();
  const index_t image = blockIdx.x / a.parts;
  const slot_walk<std::uint8_t, Way::vectors> walk(a.in, image, static_cast<int>(blockIdx.x) % a.parts, a.parts);
  uint4 v[Way::vectors];
  const bool is_kept = count_bytes<Way::vectors, false>(walk, counters, {}, image, v);
  __syncthreads();
  counters.sum_up(sums);
  __syncthreads();
  table_of_image(sums, counts, table, of_table, flag, memory, a);
  spread_table<Way::copies>(table, memory);
  __syncthreads();
  map_bytes(walk, byte_table<Way::copies>(memory), a.out, image, is_kept, v);
}

template <class T>
pixel_target<T> target_of(const detail::pixels<T>& out) {
  return {out.data, out.pitch, out.image_pitch};
}

//! One launch for all images: a CTA each, or several that meet, with memory for what they counted.
template <auto Kernel, class Args>
void launch_equalization(device& executor, const image_parts& parts, int shared, Args& args) {
  if (parts.parts == 1) return launch<Kernel>(executor, parts.ctas(), parts.threads, shared, args);
  detail::in_scratch(executor, [&](detail::scratch_cutter& scratch) {
    const auto bytes = static_cast<index_t>(count_scratch_bytes(executor) + byte_values);
    args.rows = scratch.take<std::uint32_t>((bytes + 3) / 4);
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
  const image_parts parts = parts_of(executor, in.count, slots.slots, shape.threads, shape.slots_of_cta);
  equalize_args args{
      .in = slots, .out = target_of(out), .mode = mode, .rows = nullptr, .head = nullptr, .parts = parts.parts};
  const auto launch = [&]<class Way>(Way) {
    launch_equalization<&equalize_kernel<equalize_args, Way>>(executor, parts, bytes_of_copies<Way::copies>, args);
  };
  if (parts.are_small()) launch(small_images{});
  else launch(any_images<shape.threads, shape.vectors>{});
}

}  // namespace UPSWEEP_NAMESPACE::gpu

// Every pixel by the tables of the four tiles around it. A CTA has rows between the centres of two rows of tiles. Of
// bytes it packs four tables into words, one for each cell, in shared memory: a pixel costs one load of these.
#pragma once
#include <algorithm>
#include <cstdint>
#include <cstring>

#include <upsweep/config.hpp>
#include <upsweep/cuda/launch.hpp>
#include <upsweep/cuda/warp.hpp>
#include <upsweep/image.hpp>
#include <upsweep/images/cuda/byte_table.hpp>
#include <upsweep/images/cuda/pixel_slots.hpp>
#include <upsweep/images/cuda/tuning.hpp>
#include <upsweep/images/tile_tables.hpp>

namespace UPSWEEP_NAMESPACE::gpu {

inline constexpr int blend_threads = 512, most_packed_cells = 48;

template <class T>
struct blend_args {
  pixel_slots<T> in;
  pixel_target<T> out;
  detail::tile_plan plan;
  const T* tables;
  int bands;  // into which a row of cells is cut, one for each CTA
};

//! The four entries of a level, in a cell of the row of cells that a CTA has.
template <class T, bool Packed>
struct cell_tables {
  const std::uint32_t* cells;
  __device__ void move_to(int cell) { cells += cell * 256; }
  __device__ void entries(std::uint32_t level, float (&e)[4]) const {
    const std::uint32_t word = cells[level];
#pragma unroll
    for (std::uint32_t k = 0; k < 4; k++)  // a byte in the lowest bits of 2^23: no conversion, which would be slow
      e[k] = __uint_as_float(__byte_perm(word, 0x4B000000, 0x7540 + k)) - 8388608.0f;
  }
};
template <class T>
struct cell_tables<T, false> {
  const T *above, *below;  // rows of tables
  const detail::tile_axis* axis;
  int left, right;
  __device__ void set(int cell) {
    left = axis->tile_before(cell) * static_cast<int>(detail::levels_of<T>);
    right = axis->tile_behind(cell) * static_cast<int>(detail::levels_of<T>);
  }
  __device__ void entries(std::uint32_t level, float (&e)[4]) const {
    const int at = static_cast<int>(level);
    e[0] = static_cast<float>(above[left + at]);
    e[1] = static_cast<float>(above[right + at]);
    e[2] = static_cast<float>(below[left + at]);
    e[3] = static_cast<float>(below[right + at]);
  }
};

//! Packs the tables around a row of cells: byte k of a cell's word for a level is entry k. All threads call.
template <class T>
__device__ void pack_cells(const T* above, const T* below, const detail::tile_axis& axis, std::uint32_t* cells) {
  static_assert(sizeof(T) == 1);
  for (int k = static_cast<int>(threadIdx.x); k < axis.cells() * 64; k += static_cast<int>(blockDim.x)) {
    const int left = axis.tile_before(k / 64) * 64 + k % 64, right = axis.tile_behind(k / 64) * 64 + k % 64;
    const std::uint32_t a = reinterpret_cast<const std::uint32_t*>(above)[left];
    const std::uint32_t b = reinterpret_cast<const std::uint32_t*>(above)[right];
    const std::uint32_t c = reinterpret_cast<const std::uint32_t*>(below)[left];
    const std::uint32_t d = reinterpret_cast<const std::uint32_t*>(below)[right];
    const std::uint32_t ab = __byte_perm(a, b, 0x5140), cd = __byte_perm(c, d, 0x5140);
    const std::uint32_t ab_high = __byte_perm(a, b, 0x7362), cd_high = __byte_perm(c, d, 0x7362);
    reinterpret_cast<uint4*>(cells)[k] = {__byte_perm(ab, cd, 0x5410), __byte_perm(ab, cd, 0x7632),
                                          __byte_perm(ab_high, cd_high, 0x5410), __byte_perm(ab_high, cd_high, 0x7632)};
  }
}

template <class T, bool Packed>
__global__ void __launch_bounds__(blend_threads, 2) blend_kernel(const __grid_constant__ blend_args<T> a) {
  constexpr int per_slot = pixel_slots<T>::per_slot, levels = static_cast<int>(detail::levels_of<T>);
  extern __shared__ __align__(16) std::uint32_t cells[];
  const detail::tile_axis &across = a.plan.x, &down = a.plan.y;
  const auto cta = static_cast<index_t>(blockIdx.x);
  const int band = static_cast<int>(cta % a.bands), cell_row = static_cast<int>(cta / a.bands % down.cells());
  const index_t image = cta / a.bands / down.cells();
  const int begin = down.first_of_cell(cell_row), rows = down.first_of_cell(cell_row + 1) - begin;
  const int from = begin + static_cast<int>(index_t{rows} * band / a.bands);
  const int to = begin + static_cast<int>(index_t{rows} * (band + 1) / a.bands);
  if (from == to) return;  // with all threads
  const T* const tables = a.tables + image * a.plan.tiles() * levels;
  const T* const above = tables + index_t{down.tile_before(cell_row)} * across.tiles * levels;
  const T* const below = tables + index_t{down.tile_behind(cell_row)} * across.tiles * levels;
  if constexpr (Packed) {
    pack_cells(above, below, across, cells);
    __syncthreads();
  }
  pixel_slots<T> slots = a.in;
  slots.data = a.in.image(image) + from * a.in.pitch;
  slots.height = to - from;
  slots.slots = slots.row_slots * slots.height;
  T* const target = a.out.data + image * a.out.image_pitch + from * a.out.pitch;
#pragma unroll 1
  for (index_t slot = static_cast<index_t>(threadIdx.x); slot < slots.slots; slot += blend_threads) {
    const row_piece piece = slots.piece(slots.data, slot);
    uint4 v;
    const std::uint32_t live = slots.load(slots.data, piece, v);
    if (!live) continue;
    T items[per_slot];
    memcpy(items, &v, 16);
    detail::blend_weights weights{};
    weights.below = down.place(from + static_cast<int>(piece.row)) - static_cast<float>(cell_row - 1);
    const int x = static_cast<int>(piece.column);
    float tile = fmaxf(floorf(across.place(x)), -1.0f);  // left of the pixel; x may be before the row
    int cell = static_cast<int>(tile) + 1;
    cell_tables<T, Packed> around;
    if constexpr (Packed) around = {cells + cell * 256};
    else {
      around = {.above = above, .below = below, .axis = &across, .left = 0, .right = 0};
      around.set(cell);
    }
#pragma unroll
    for (int i = 0; i < per_slot; i++) {
      const float place = across.place(x + i);
      if (place >= tile + 1.0f && cell < across.tiles) {
        cell++;
        tile += 1.0f;
        if constexpr (Packed) around.move_to(1);
        else around.set(cell);
      }
      weights.right = place - tile;
      float e[4];
      around.entries(items[i], e);
      const float level = __fadd_rn(detail::blended(e[0], e[1], e[2], e[3], weights), 12582912.0f);  // 1.5 · 2^23
      items[i] = static_cast<T>(__float_as_uint(level));  // rounded to the lowest bits, halves to even
    }
    memcpy(&v, items, 16);
    a.out.store(target, piece, v, live);
  }
}

template <class T>
void blend_images(device& executor, const detail::pixels<const T>& in, const detail::pixels<T>& out,
                  const detail::tile_plan& plan, const T* tables) {
  const index_t rows = in.count * plan.y.cells();
  const index_t worth = std::max<index_t>(1, in.per_image() / plan.y.cells() / 8192);
  const index_t fill = (4 * executor.multiprocessors() + rows - 1) / rows;
  const index_t bands = std::clamp<index_t>(std::min(worth, fill), 1, plan.y.size);
  const blend_args<T> args{.in = pixel_slots<T>(in),
                           .out = target_of(out),
                           .plan = plan,
                           .tables = tables,
                           .bands = static_cast<int>(bands)};
  if constexpr (sizeof(T) == 1) {
    if (plan.x.cells() <= most_packed_cells) {
      allow_shared<&blend_kernel<T, true>>(executor, most_packed_cells * 1024);  // not only what the first image needs
      return launch<&blend_kernel<T, true>>(executor, rows * bands, blend_threads, plan.x.cells() * 1024, args);
    }
  }
  launch<&blend_kernel<T, false>>(executor, rows * bands, blend_threads, 0, args);
}

}  // namespace UPSWEEP_NAMESPACE::gpu

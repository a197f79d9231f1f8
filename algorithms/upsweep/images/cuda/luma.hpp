// Equalization of luma on the device, in one launch: as equalize_bytes.hpp, but of pixels of three or four bytes.
#pragma once
#include <cstddef>
#include <cstdint>

#include <upsweep/config.hpp>
#include <upsweep/cuda/launch.hpp>
#include <upsweep/cuda/protocol.hpp>
#include <upsweep/image.hpp>
#include <upsweep/images/colour.hpp>
#include <upsweep/images/cuda/byte_counts.hpp>
#include <upsweep/images/cuda/byte_table.hpp>
#include <upsweep/images/cuda/equalize_bytes.hpp>
#include <upsweep/images/cuda/histogram.hpp>
#include <upsweep/images/cuda/meetings.hpp>
#include <upsweep/images/cuda/pixel_slots.hpp>
#include <upsweep/images/cuda/tuning.hpp>
#include <upsweep/images/level_table.hpp>

namespace UPSWEEP_NAMESPACE::gpu {

//! Four neighbours of a row, fewer at its end, in as many words as they have channels. All in pixels and rows.
template <int Channels>
struct quad {
  static constexpr int pixels = 4;
  std::uint32_t words[Channels];

  __device__ int channel(int pixel, int c) const {
    const int at = pixel * Channels + c;
    return static_cast<int>(words[at / 4] >> at % 4 * 8 & 0xFF);
  }
  __device__ detail::rgb_pixel colour(int pixel) const {
    return {channel(pixel, 0), channel(pixel, 1), channel(pixel, 2)};
  }
  __device__ void load(const std::uint8_t* from, int count) {
    if (count == pixels && reinterpret_cast<std::uintptr_t>(from) % 4 == 0) {
#pragma unroll
      for (int k = 0; k < Channels; k++) words[k] = reinterpret_cast<const std::uint32_t*>(from)[k];
      return;
    }
#pragma unroll
    for (int k = 0; k < pixels * Channels; k++) {
      if (k % 4 == 0) words[k / 4] = 0;
      if (k < count * Channels) words[k / 4] |= std::uint32_t{from[k]} << k % 4 * 8;
    }
  }
  __device__ void store(std::uint8_t* to, int count) const {
    if (count == pixels && reinterpret_cast<std::uintptr_t>(to) % 4 == 0) {
#pragma unroll
      for (int k = 0; k < Channels; k++) reinterpret_cast<std::uint32_t*>(to)[k] = words[k];
      return;
    }
#pragma unroll
    for (int k = 0; k < pixels * Channels; k++)
      if (k < count * Channels) to[k] = static_cast<std::uint8_t>(words[k / 4] >> k % 4 * 8);
  }
  __device__ void set(int pixel, const detail::rgb_pixel& p) {
    const int values[3] = {p.r, p.g, p.b};
#pragma unroll
    for (int c = 0; c < 3; c++) {
      const int at = pixel * Channels + c;
      words[at / 4] = (words[at / 4] & ~(0xFFu << at % 4 * 8)) | static_cast<std::uint32_t>(values[c]) << at % 4 * 8;
    }
  }
};

struct luma_args {
  const std::uint8_t* in;
  pixel_target<std::uint8_t> out;
  index_t width, pitch, image_pitch;  // width in pixels
  index_t row_quads, quads;
  quick_divisor by_row;
  bool is_small, has_rows;
  equalize_mode mode;
  unsigned long long* counts;  // as in equalize_args
  progress* head;
  int parts;
};

//! Calls f(quad, pixels that there are, bytes from the start of `in` and of `out`) for a CTA's part of an image.
template <int Channels, class F>
__device__ void for_each_quad(const luma_args& a, index_t image, const F& f) {
  constexpr int batch = Channels == 4 ? 2 : 4;  // what registers hold
  const int part = static_cast<int>(blockIdx.x) % a.parts;
  const index_t stride = index_t{a.parts} * blockDim.x, first = index_t{part} * blockDim.x + threadIdx.x;
#pragma unroll 1
  for (index_t begin = first; begin < a.quads; begin += batch * stride) {
    quad<Channels> q[batch];
    int count[batch];
    index_t column[batch], row[batch];
#pragma unroll
    for (int k = 0; k < batch; k++) {  // all loads before the first is used
      const index_t at = begin + k * stride;
      count[k] = 0;
      if (at >= a.quads) continue;
      row[k] = 0;
      if (a.has_rows)
        row[k] = a.is_small ? index_t{a.by_row.quotient(static_cast<std::uint32_t>(at))} : at / a.row_quads;
      column[k] = (at - row[k] * a.row_quads) * 4;
      count[k] = static_cast<int>(min(index_t{4}, a.width - column[k]));
      q[k].load(a.in + image * a.image_pitch + row[k] * a.pitch + column[k] * Channels, count[k]);
    }
#pragma unroll
    for (int k = 0; k < batch; k++)
      if (count[k] > 0) f(q[k], count[k], row[k], column[k] * Channels);
  }
}

template <int Channels>
__global__ void __launch_bounds__(tuning::equalize_bytes.threads, 1)
    equalize_luma_kernel(const __grid_constant__ luma_args a) {
  extern __shared__ __align__(16) std::byte memory[];
  __shared__ std::uint32_t sums[byte_values];
  __shared__ std::uint64_t counts[byte_values];
  __shared__ std::uint8_t table[byte_values];
  __shared__ table_memory of_table;
  __shared__ bool flag;
  const byte_counters<> counters(memory);
  const grid_counts of_all(a.head, a.counts);
  counters.clear();
  of_all.zero();
  __syncthreads();
  const index_t image = blockIdx.x / static_cast<unsigned>(a.parts);
  for_each_quad<Channels>(a, image, [&](const quad<Channels>& q, int count, index_t, index_t) {
#pragma unroll
    for (int k = 0; k < 4; k++)
      if (k < count) counters.count_one(static_cast<std::uint8_t>(q.colour(k).luma()));
  });
  __syncthreads();
  counters.sum_up(sums);
  __syncthreads();
  table_of_image(sums, of_all, counts, table, of_table, flag, a);
  spread_table(table, memory);
  __syncthreads();
  const byte_table<> mapped(memory);
  std::uint8_t* const to = a.out.data + image * a.out.image_pitch;
  for_each_quad<Channels>(a, image, [&](quad<Channels>& q, int count, index_t row, index_t column) {
#pragma unroll
    for (int k = 0; k < 4; k++) {
      const detail::rgb_pixel p = q.colour(k);
      q.set(k, p.with_luma(mapped.entry_of(static_cast<std::uint8_t>(p.luma()))));
    }
    q.store(to + row * a.out.pitch + column, count);
  });
}

template <int Channels>
void equalize_luma_images(device& executor, const detail::pixels<const std::uint8_t>& in,
                          const detail::pixels<std::uint8_t>& out, equalize_mode mode) {
  constexpr tuning::histogram_shape shape = tuning::equalize_bytes;
  const bool gapless = in.pitch == in.width && out.pitch == out.width;
  const detail::pixels<const std::uint8_t> from = gapless ? in.joined_rows() : in;
  const index_t width = from.width / Channels, row_quads = (width + 3) / 4, quads = row_quads * from.height;
  const bool is_small = quads < index_t{1} << 31;
  const int threads = take_small_ctas(in.count, quads) ? tuning::small_image.threads : shape.threads;
  const image_parts parts = parts_of(executor, in.count, quads, threads, shape.slots_of_cta);
  luma_args args{.in = from.data,
                 .out = target_of(out),
                 .width = width,
                 .pitch = from.pitch,
                 .image_pitch = from.image_pitch,
                 .row_quads = row_quads,
                 .quads = quads,
                 .by_row = quick_divisor(is_small ? static_cast<std::uint32_t>(row_quads) : 1),
                 .is_small = is_small,
                 .has_rows = from.height > 1,
                 .mode = mode,
                 .counts = nullptr,
                 .head = nullptr,
                 .parts = parts.parts};
  launch_equalization<&equalize_luma_kernel<Channels>>(executor, parts, bytes_of_copies<>, args);
}

}  // namespace UPSWEEP_NAMESPACE::gpu

namespace UPSWEEP_NAMESPACE::detail {

template <int Channels>
void equalize_luma_of(device& executor, const pixels<const std::uint8_t>& in, const pixels<std::uint8_t>& out,
                      equalize_mode mode) {
  const gpu::current_device here(executor.ordinal());
  gpu::equalize_batch(executor, in, out, [&](const auto& from, const auto& to) {
    gpu::equalize_luma_images<Channels>(executor, from, to, mode);
  });
}

}  // namespace UPSWEEP_NAMESPACE::detail

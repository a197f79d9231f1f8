// Equalization of one small image of bytes by a cluster of CTAs that keep it in registers: it is read once, and the
// CTAs meet in hardware instead of in global memory. Each adds the counts of all up, from their shared memory.
#pragma once
#include <cstddef>
#include <cstdint>

#include <upsweep/config.hpp>
#include <upsweep/cuda/cluster.hpp>
#include <upsweep/cuda/launch.hpp>
#include <upsweep/image.hpp>
#include <upsweep/images/cuda/byte_counts.hpp>
#include <upsweep/images/cuda/byte_table.hpp>
#include <upsweep/images/cuda/equalize_bytes.hpp>
#include <upsweep/images/cuda/pixel_slots.hpp>
#include <upsweep/images/cuda/tuning.hpp>
#include <upsweep/images/level_table.hpp>

namespace UPSWEEP_NAMESPACE::gpu {

// ---------------------------------------------------------------- the kernel
struct cluster_args {
  pixel_slots<std::uint8_t> in;
  pixel_target<std::uint8_t> out;
  equalize_mode mode;
};
template <class Args>
__global__ void __launch_bounds__(tuning::equalize_cluster.threads)
    equalize_cluster_kernel(const __grid_constant__ Args a) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
  constexpr int vectors = tuning::equalize_cluster.vectors, ctas = tuning::equalize_cluster.ctas;
  extern __shared__ __align__(16) std::byte memory[];
  __shared__ std::uint32_t sums[byte_values];
  __shared__ std::uint64_t counts[byte_values];
  __shared__ std::uint8_t table[byte_values];
  __shared__ table_memory of_table;
  pixel_slots<std::uint8_t> in = a.in;
  in.is_small = true;  // no code for other divisions
  const slot_walk<std::uint8_t, 1> walk(in, 0, static_cast<int>(blockIdx.x), ctas);

  uint4 v[vectors][1];  // zeros where there is nothing
  std::uint32_t live[vectors];
  bool full[vectors];
#pragma unroll
  for (int k = 0; k < vectors; k++) full[k] = walk.load_full(k, v[k]) > 0;
#pragma unroll
  for (int k = 0; k < vectors; k++) {
    live[k] = in.all;
    if (full[k]) continue;
    walk.for_each_piece(k, 0, v[k], [&](const row_piece&, const uint4& vector, std::uint32_t pixels) {
      v[k][0] = vector;
      live[k] = pixels;
    });
  }
  const byte_counters<> counters(memory);
  counters.clear();
  __syncthreads();
#pragma unroll
  for (int k = 0; k < vectors; k++)
    if (walk.slot(k, 0) < in.slots) counters.count(v[k][0]);
  __syncthreads();
  counters.sum_up(sums);
  meet_cluster();
  static_assert(tuning::equalize_cluster.threads >= byte_values);
  if (const unsigned level = threadIdx.x; level < byte_values) {
    std::uint32_t sum = 0;
#pragma unroll
    for (int r = 0; r < ctas; r++) sum += load_of_cta(sums + level, r);
    // All bytes of a slot were counted, also the zeros where a row begins or ends inside it.
    const index_t gaps = in.slots * in.per_slot - in.width * in.height;
    counts[level] = sum - (level == 0 ? static_cast<std::uint32_t>(gaps) : 0);
  }
  __syncthreads();
  arrive_to_leave();  // the sums of others have been read
  equalization_entries<std::uint8_t>(counts, a.mode, of_table,
                                     [&](int level, std::uint8_t entry) { table[level] = entry; });
  __syncthreads();
  spread_table(table, memory);
  __syncthreads();
  const byte_table<> mapped(memory);
#pragma unroll
  for (int k = 0; k < vectors; k++)
    if (live[k]) a.out.store(a.out.data, in.piece(in.data, walk.slot(k, 0)), mapped.map(v[k][0]), live[k]);
  wait_to_leave();
#endif
}

//! Equalizes one image if it is of the size for it, and the device has such clusters; otherwise returns false.
inline bool equalize_in_cluster(device& executor, const detail::pixels<const std::uint8_t>& in,
                                const detail::pixels<std::uint8_t>& out, equalize_mode mode) {
  constexpr tuning::cluster_shape shape = tuning::equalize_cluster;
  if (in.count > 1 || !has_hopper_code(executor.compute_capability())) return false;
  const bool gapless = in.pitch == in.width && out.pitch == out.width;
  const cluster_args args{pixel_slots<std::uint8_t>(gapless ? in.joined_rows() : in), target_of(out), mode};
  if (args.in.slots <= tuning::equalize_bytes.slots_of_cta || args.in.slots > shape.slots()) return false;
  return launch_cluster<&equalize_cluster_kernel<cluster_args>>(executor, shape.ctas, shape.threads, bytes_of_copies<>,
                                                                args);
}

}  // namespace UPSWEEP_NAMESPACE::gpu

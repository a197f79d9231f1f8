// Products of matrices of doubles by a warp: by the units for them, or by lanes where there are none (before sm_80).
#pragma once
#include <upsweep/config.hpp>
#include <upsweep/cuda/warp.hpp>

namespace UPSWEEP_NAMESPACE::gpu {

//! The place of a lane in a product's matrices: row g (and g + 8), columns 2q and 2q + 1.
__device__ inline int row_of_lane() { return lane_id() / 4; }
__device__ inline int pair_of_lane() { return lane_id() % 4; }

//! Has the GPU that this is compiled for units for matrices of doubles?
__device__ constexpr bool has_matrix_units() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
  return false;
#else
  return true;
#endif
}

//! 16 rows of 8 numbers: what a product gives and also what it takes. at[h]: of row g + 8h, columns 2q and 2q + 1.
struct rows_of_8 {
  double at[2][2];
};

//! sum += rows · m, where this lane holds rows 2q and 2q + 1 of m's column g.
__device__ inline void add_product(rows_of_8& sum, const rows_of_8& rows, double2 m) {
  // The sum over a row's columns may go in any order: the units' columns q and q + 4 are our 2q and 2q + 1. (volatile:
  // in the order that is written, which hides a product's latency behind others. 50 cycles; a new one each 32.)
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  asm volatile("mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
               : "+d"(sum.at[0][0]), "+d"(sum.at[0][1]), "+d"(sum.at[1][0]), "+d"(sum.at[1][1])
               : "d"(rows.at[0][0]), "d"(rows.at[1][0]), "d"(rows.at[0][1]), "d"(rows.at[1][1]), "d"(m.x), "d"(m.y));
#elif defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
#pragma unroll
  for (int h = 0; h < 2; h++) {
    asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0,%1}, {%2}, {%3}, {%0,%1};"
                 : "+d"(sum.at[h][0]), "+d"(sum.at[h][1])
                 : "d"(rows.at[h][0]), "d"(m.x));
    asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0,%1}, {%2}, {%3}, {%0,%1};"
                 : "+d"(sum.at[h][0]), "+d"(sum.at[h][1])
                 : "d"(rows.at[h][1]), "d"(m.y));
  }
#else
  __trap();  // nobody comes here
#endif
}

//! A matrix of 8×8 in shared memory, as products take it.
struct factor {
  double2 of_lane[warp_size];
  __device__ double2 mine() const { return of_lane[lane_id()]; }
};
//! Fills `count` matrices: entry(k, row, column). Called by all of `warps` warps.
template <class Entry>
__device__ void fill_factors(factor* to, int count, int warp, int warps, const Entry& entry) {
  constexpr int at_once = 4;  // whose reads overlap
#pragma unroll 1
  for (int first = warp; first < count; first += at_once * warps) {
    double2 of_lane[at_once];
#pragma unroll
    for (int j = 0; j < at_once; j++) {
      const int k = min(first + j * warps, count - 1), row = 2 * pair_of_lane(), column = row_of_lane();
      of_lane[j] = {entry(k, row, column), entry(k, row + 1, column)};
    }
#pragma unroll
    for (int j = 0; j < at_once; j++)
      if (first + j * warps < count) to[first + j * warps].of_lane[lane_id()] = of_lane[j];
  }
}

//! A state, of which this lane has entries 2q and 2q + 1 of every eight.
template <class M>
struct row_of_state {
  double2 eight[M::state_eights];
};
//! sum += row · power where there are no units. Each lane of a row begins with its own entries, so that none waits for
//! another's bank. (A call: there are many.)
template <class M>
__noinline__ __device__ row_of_state<M> later_by_lanes(row_of_state<M> sum, row_of_state<M> row,
                                                       const factor (*power)[M::state_eights]) {
#pragma unroll
  for (int from = 0; from < M::state_eights; from++) {
    double2 pairs[4] = {row.eight[from]};
#pragma unroll
    for (int j = 1; j < 4; j++) {
      const int lane = 4 * row_of_lane() + (pair_of_lane() + j) % 4;
      pairs[j] = {__shfl_sync(~0u, row.eight[from].x, lane), __shfl_sync(~0u, row.eight[from].y, lane)};
    }
#pragma unroll
    for (int to = from * 8 / M::order * M::order / 8; to < M::state_eights; to++) {
      const double2* columns = power[from][to].of_lane + 8 * pair_of_lane();
      double2 odd{};
#pragma unroll
      for (int j = 0; j < 4; j++) {
        const int k = (pair_of_lane() + j) % 4;
        const double2 left = columns[k], right = columns[4 + k];
        sum.eight[to].x += pairs[j].x * left.x;
        sum.eight[to].y += pairs[j].x * right.x;
        odd.x += pairs[j].y * left.y;
        odd.y += pairs[j].y * right.y;
      }
      sum.eight[to].x += odd.x;
      sum.eight[to].y += odd.y;
    }
  }
  return sum;
}

}  // namespace UPSWEEP_NAMESPACE::gpu

// Products of matrices by the units for doubles, and a filter's matrices (run_matrix.hpp).
#pragma once
#include <upsweep/config.hpp>
#include <upsweep/cuda/warp.hpp>

namespace UPSWEEP_NAMESPACE::gpu {

//! The place of a lane in a product's matrices: row g (and g + 8), columns 2q and 2q + 1.
__device__ inline int row_of_lane() { return lane_id() / 4; }
__device__ inline int pair_of_lane() { return lane_id() % 4; }

//! 16 rows of 8 numbers: what a product gives and also what it takes. at[h]: of row g + 8h, columns 2q and 2q + 1.
struct rows_of_8 {
  double at[2][2];
};

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ < 800
//! add_product without such units. (A call: there are many products.)
__noinline__ __device__ inline rows_of_8 product_by_lanes(rows_of_8 sum, rows_of_8 rows, double2 m) {
#pragma unroll 1
  for (int j = 0; j < 4; j++) {
    double row[2][2];
#pragma unroll
    for (int h = 0; h < 2; h++)
#pragma unroll
      for (int k = 0; k < 2; k++) row[h][k] = __shfl_sync(~0u, rows.at[h][k], row_of_lane() * 4 + j);
#pragma unroll
    for (int c = 0; c < 2; c++) {
      const int column = 4 * (2 * pair_of_lane() + c) + j;  // the lane that has rows 2j and 2j + 1 of our column of m
      const double even = __shfl_sync(~0u, m.x, column), odd = __shfl_sync(~0u, m.y, column);
#pragma unroll
      for (int h = 0; h < 2; h++) sum.at[h][c] += row[h][0] * even + row[h][1] * odd;
    }
  }
  return sum;
}
#endif
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
  sum = product_by_lanes(sum, rows, m);
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

//! 16 states, one a row, in eights of entries.
template <class M>
struct rows_of_states {
  static constexpr int state_eights = M::state_eights;
  rows_of_8 eight[state_eights] = {};

  //! The same state, in memory, in all rows g; nothing in the others.
  __device__ static rows_of_states of(const typename M::value_type& state) {
    rows_of_states rows;
#pragma unroll
    for (int u = 0; u < state_eights; u++)
#pragma unroll
      for (int c = 0; c < 2; c++) {
        const int r = 8 * u + 2 * pair_of_lane() + c;
        rows.eight[u].at[0][c] = r < M::size ? state.at[r] : 0.;
      }
    return rows;
  }
  //! The h-th half's entries of this lane, in shared memory or from there: 8·state_eights of a row.
  __device__ void write(double* row, int h = 0) const {
#pragma unroll
    for (int u = 0; u < state_eights; u++)
      reinterpret_cast<double2*>(row)[4 * u + pair_of_lane()] = {eight[u].at[h][0], eight[u].at[h][1]};
  }
  __device__ void read(const double* row, int h = 0) {
#pragma unroll
    for (int u = 0; u < state_eights; u++) {
      const double2 pair = reinterpret_cast<const double2*>(row)[4 * u + pair_of_lane()];
      eight[u].at[h][0] = pair.x;
      eight[u].at[h][1] = pair.y;
    }
  }
  //! Row g as a state. Called by the four lanes that have it.
  __device__ void write(typename M::value_type& state) const {
#pragma unroll
    for (int u = 0; u < state_eights; u++)
#pragma unroll
      for (int c = 0; c < 2; c++)
        if (8 * u + 2 * pair_of_lane() + c < M::size) state.at[8 * u + 2 * pair_of_lane() + c] = eight[u].at[0][c];
  }
  //! Rows g hold what rows g − `distance` did.
  __device__ rows_of_states from_above(int distance) const {
    rows_of_states result;
#pragma unroll
    for (int u = 0; u < state_eights; u++)
#pragma unroll
      for (int k = 0; k < 2; k++) result.eight[u].at[0][k] = __shfl_up_sync(~0u, eight[u].at[0][k], 4 * distance);
    return result;
  }
  __device__ void add(const rows_of_states& others) {
#pragma unroll
    for (int u = 0; u < state_eights; u++)
#pragma unroll
      for (int k = 0; k < 4; k++) eight[u].at[k / 2][k % 2] += others.eight[u].at[k / 2][k % 2];
  }
};

//! The matrices that a filter's runs are multiplied by: its weights, outputs and powers, cut into squares of 8.
template <class M>
struct run_factors {
  static constexpr int state_eights = M::state_eights, item_eights = M::unit / 8, levels = M::levels;
  factor weights[item_eights][state_eights], outputs[item_eights][state_eights], response[item_eights],
      powers[levels][state_eights][state_eights];

  //! Called by all of `warps` warps.
  __device__ void fill(const M& m, int warp, int warps) {
    fill_factors(weights[0], item_eights * state_eights, warp, warps, [&](int k, int item, int column) {
      const int r = k % state_eights * 8 + column;
      return r < M::size ? m.weights[k / state_eights * 8 + item][r] : 0.;
    });
    fill_factors(outputs[0], item_eights * state_eights, warp, warps, [&](int k, int row, int item) {
      const int r = k % state_eights * 8 + row;
      return r < M::size ? m.outputs[k / state_eights * 8 + item][r] : 0.;
    });
    fill_factors(response, item_eights, warp, warps,
                 [&](int k, int from, int to) { return 8 * k + to >= from ? m.response[8 * k + to - from] : 0.; });
    fill_factors(powers[0][0], levels * state_eights * state_eights, warp, warps, [&](int k, int row, int column) {
      const int from = k / state_eights % state_eights * 8 + row, to = k % state_eights * 8 + column;
      return to < M::size && from < M::reach(to) ? m.powers[k / (state_eights * state_eights)][M::row(to) + from] : 0.;
    });
  }
  //! sum += states 2^level runs on.
  __device__ void add_later(rows_of_states<M>& sum, int level, const rows_of_states<M>& states) const {
#pragma unroll
    for (int from = 0; from < state_eights; from++)
#pragma unroll
      for (int to = from * 8 / M::order * M::order / 8; to < state_eights; to++)
        add_product(sum.eight[to], states.eight[from], powers[level][from][to].mine());
  }
  __device__ rows_of_states<M> later(int level, const rows_of_states<M>& states) const {
    rows_of_states<M> result;
    add_later(result, level, states);
    return result;
  }
  //! What 32 runs of 2^level units leave behind: row g gets what those up to 4g + 3 do. run(k) gives row g what the run
  //! 4g + k leaves.
  template <class Run>
  __device__ rows_of_states<M> fold_runs(int level, const Run& run) const {
    const int g = row_of_lane();
    rows_of_states<M> sum = run(0), next;
#pragma unroll
    for (int k = 1; k < 4; k++) {
      next = run(k);
      add_later(next, level, sum);
      sum = next;
    }
#pragma unroll
    for (int k = 0; k < 3; k++) {
      next = sum;
      add_later(next, level + 2 + k, sum.from_above(1 << k));
      if (g >= 1 << k) sum = next;
    }
    return sum;
  }
  //! The same of runs one a row of memory.
  __device__ rows_of_states<M> fold(int level, const double (*runs)[8 * state_eights]) const {
    return fold_runs(level, [&](int k) {
      rows_of_states<M> state;
      state.read(runs[4 * row_of_lane() + k]);
      return state;
    });
  }
  //! States `runs` runs of 2^level units later; there are fewer than 2^Bits runs.
  template <int Bits>
  __device__ rows_of_states<M> later_by(int level, int runs, rows_of_states<M> states) const {
#pragma unroll 1
    for (int bit = 0; bit < Bits; bit++)
      if (runs >> bit & 1) states = later(level + bit, states);
    return states;
  }
};

//! Where a warp that looks ahead puts states: one a lane, to be read as rows.
template <class M>
struct alignas(16) look_room {
  double states[warp_size][8 * M::state_eights];
  typename M::value_type aggregate;

  __device__ void put(int row, const typename M::value_type& state) {
#pragma unroll
    for (int r = 0; r < 8 * M::state_eights; r++) states[row][r] = r < M::size ? state.at[r < M::size ? r : 0] : 0.;
  }
};

}  // namespace UPSWEEP_NAMESPACE::gpu

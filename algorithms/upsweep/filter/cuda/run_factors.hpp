// A filter's matrices (run_matrix.hpp), and states in rows.
#pragma once
#include <upsweep/config.hpp>
#include <upsweep/cuda/warp.hpp>
#include <upsweep/filter/cuda/matrix_product.hpp>

namespace UPSWEEP_NAMESPACE::gpu {

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
  //! Row g alone, and back.
  __device__ row_of_state<M> row() const {
    row_of_state<M> own;
#pragma unroll
    for (int u = 0; u < state_eights; u++) own.eight[u] = {eight[u].at[0][0], eight[u].at[0][1]};
    return own;
  }
  __device__ void put(const row_of_state<M>& own) {
#pragma unroll
    for (int u = 0; u < state_eights; u++) {
      eight[u].at[0][0] = own.eight[u].x;
      eight[u].at[0][1] = own.eight[u].y;
    }
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
    if constexpr (has_matrix_units()) {
#pragma unroll
      for (int from = 0; from < state_eights; from++)
#pragma unroll
        for (int to = from * 8 / M::order * M::order / 8; to < state_eights; to++)
          add_product(sum.eight[to], states.eight[from], powers[level][from][to].mine());
    } else {
      sum.put(later_by_lanes<M>(sum.row(), states.row(), powers[level]));
    }
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

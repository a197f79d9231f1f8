// Filters of many state entries by the units for matrices of doubles, in a tenth of the instructions that lanes of
// their own take (run_lane.hpp). A run is a row of a matrix: with 8 items of it, X, and its state S, all in rows,
//   what the items leave behind      S += X·W      W: weights of the items
//   its outputs                      Y  = X·H + S·C   H: the impulse response (Toeplitz), C: outputs of a state
//   a state n runs on                S·Pⁿ
// Rows never mix, so that what is not finite stays in its run; inside a run it would meet H's zeros and travel back in
// time: there it counts as 0, and what comes out from its place on is made NaN.
// Without such units (before sm_80) a lane folds its run and walks along it, as in run_lane.hpp, and only powers are
// multiplied by a warp.
#pragma once
#include <upsweep/config.hpp>
#include <upsweep/filter/cuda/power_tables.hpp>
#include <upsweep/filter/cuda/run_factors.hpp>
#include <upsweep/filter/cuda/run_lane.hpp>
#include <upsweep/filter/cuda/run_rows.hpp>
#include <upsweep/filter/powers.hpp>

namespace UPSWEEP_NAMESPACE::gpu {

//! Puts what each of a warp's runs leaves behind, where there are units for it.
template <class G, class Args, class M = typename Args::monoid_type>
__device__ void fold_each_by_units(const Args& a, const run_factors<M>& factors, std::byte* slot,
                                   const live_part<G, Args::reversed>& part, lane_states<M>& states) {
  constexpr int item_eights = run_factors<M>::item_eights;
  const auto pairs = pairs_of<G>(a, slot, part);
  if (!part.full) pairs.clear_from(part.items.count - part.warp * G::part_items);
  item_pairs<run_item<Args>> items[2][item_eights];
#pragma unroll
  for (int b = 0; b < 2; b++)
#pragma unroll
    for (int k = 0; k < item_eights; k++) items[b][k] = pairs.get(b, k);
  rows_of_states<M> left[2];
#pragma unroll
  for (int k = 0; k < item_eights; k++) {
    const rows_of_8 x[] = {numbers(a, items[0][k]), numbers(a, items[1][k])};
#pragma unroll
    for (int u = 0; u < M::state_eights; u++) {
      const double2 weights = factors.weights[k][u].mine();
#pragma unroll
      for (int b = 0; b < 2; b++) add_product(left[b].eight[u], x[b], weights);
    }
  }
#pragma unroll
  for (int k = 0; k < 4; k++) states.put(run_in_row(k / 2, k % 2), left[k / 2], k % 2);
}
//! Puts what each of a warp's runs leaves behind. Runs that end early count as if zeros followed.
template <class G, class Args, class M = typename Args::monoid_type>
__device__ void fold_each(const Args& a, const run_factors<M>& factors, std::byte* slot,
                          const live_part<G, Args::reversed>& part, lane_states<M>& states) {
  if constexpr (!has_matrix_units()) {
    const weights_of_run<M> weights{factors};
    states.put_of_lane(part.full ? fold_runs<G, true>(a, weights, slot, part)
                                 : fold_runs<G, false>(a, weights, slot, part));
    __syncwarp();
  } else {
    fold_each_by_units<G>(a, factors, slot, part, states);
  }
}
//! Folds a warp's runs: what each leaves behind, what those before each four do, and what all do (`total`).
template <class G, class Args, class M = typename Args::monoid_type>
__device__ void fold_matrices(const Args& a, const run_factors<M>& factors, std::byte* slot,
                              const live_part<G, Args::reversed>& part, lane_states<M>& states,
                              typename M::value_type& total) {
  fold_each<G>(a, factors, slot, part, states);
  rows_of_states<M> sum = factors.fold_runs(lane_level, [&](int k) {
    rows_of_states<M> state;
    states.get(k, state);
    return state;
  });
  if (row_of_lane() == 7) sum.write(total);
  sum = sum.from_above(1);
  if (row_of_lane() == 0) sum = {};
  sum.write(states.rows[row_of_lane()]);
}

//! What stands before each warp of a tile: before[w] for 0 < w <= warps, the last of them the tile's aggregate. Called
//! by a warp.
template <class M>
__device__ void fold_totals(const run_factors<M>& factors, const maybe<typename M::value_type>* totals, int warps,
                            maybe<typename M::value_type>* before) {
  rows_of_states<M> sum;
  for (int w = 0; w < warps; w++) {
    auto next = rows_of_states<M>::of(totals[w].value);
    if (w > 0) factors.add_later(next, warp_level, sum);
    sum = next;
    if (row_of_lane() == 0) sum.write(before[w + 1].value);
  }
}

//! The state in front of a warp, one of 2^Bits, from that of its tile.
template <int Bits, class M>
__device__ rows_of_states<M> state_of_warp(const run_factors<M>& factors, int warp,
                                           const typename M::value_type& of_tile,
                                           const maybe<typename M::value_type>* warps_before) {
  auto state = factors.template later_by<Bits>(warp_level, warp, rows_of_states<M>::of(of_tile));
  if (warp > 0) state.add(rows_of_states<M>::of(warps_before[warp].value));
  return state;
}
//! Puts the state in front of a warp in front of its runs. False: a state is not finite, or an item (then what its run
//! leaves is not).
template <class M>
__device__ bool place_matrices(const run_factors<M>& factors, rows_of_states<M> state, lane_states<M>& states) {
  const int g = row_of_lane();
#pragma unroll
  for (int k = 0; k < 3; k++) {
    const rows_of_states<M> later = factors.later(lane_level + 2 + k, state);
    if (g >> k & 1) state = later;
  }
  rows_of_states<M> left;
  left.read(states.rows[g]);
  state.add(left);
  double zero = 0;
#pragma unroll
  for (int k = 0; k < 4; k++) {
    states.get(k, left);
    states.put(k, state);
#pragma unroll
    for (int u = 0; u < M::state_eights; u++)
      for (int c = 0; c < 2; c++) zero += 0 * state.eight[u].at[0][c] + 0 * left.eight[u].at[0][c];
    if (k == 3) break;
    factors.add_later(left, lane_level, state);
    state = left;
  }
  __syncwarp();
  return __all_sync(~0u, zero == 0);
}

//! Puts 0 for what is not finite in a warp's items and in the states in front of its runs. Returns where that begins in
//! this lane's run.
template <class G, class Args, class M>
__device__ int clear_not_finite(const Args& a, std::byte* slot, const live_part<G, Args::reversed>& part,
                                lane_states<M>& states) {
  const auto items = pairs_of<G>(a, slot, part);
  const auto is_finite = [](double x) { return 0 * x == 0; };
  int first = G::per_lane;
#pragma unroll 1
  for (int k = G::per_lane - 1; k >= 0; k--) {
    auto& item = items.item(lane_id() * G::per_lane + k);
    if (is_finite(a.lift(Args::load_type::assemble(item)))) continue;
    first = k;
    item = {};
  }
  const auto own = states.of_lane();
  for (double entry : own.at)
    if (!is_finite(entry)) first = 0;
  __syncwarp();
#pragma unroll 1
  for (int k = 0; k < 4 * M::state_eights; k++) {
    double2& entries = states.runs[k / M::state_eights][k % M::state_eights][lane_id()];
    if (!is_finite(entries.x)) entries.x = 0;
    if (!is_finite(entries.y)) entries.y = 0;
  }
  __syncwarp();
  return first;
}

//! Computes the outputs of a warp of a full tile, and sends them off, as emit_runs does. `finite`: states and items
//! are.
template <class G, bool Bulk, class Args, class M = typename Args::monoid_type>
__device__ bool emit_matrices(const Args& a, const run_factors<M>& factors, std::byte* slot, std::byte* stage,
                              const live_part<G, Args::reversed>& part, lane_states<M>& states, bool finite,
                              const typename M::value_type& after) {
  using T = typename Args::store_type::value_type;
  constexpr int item_eights = run_factors<M>::item_eights;
  const double not_a_number = __longlong_as_double(0x7ff8000000000000);
  const auto pairs = pairs_of<G>(a, slot, part);
  const run_pairs<T, G, Args::reversed> results(stage);
  if (!finite) states.wrong_from[lane_id()] = clear_not_finite<G>(a, slot, part, states);
  double2 response[item_eights];  // read once: most products are by these
#pragma unroll
  for (int k = 0; k < item_eights; k++) response[k] = factors.response[k].mine();
#pragma unroll 1
  for (int b = 0; b < 2; b++) {
    item_pairs<run_item<Args>> next = pairs.get(b, 0);
    rows_of_8 y[item_eights] = {};
    rows_of_states<M> before;
#pragma unroll
    for (int h = 0; h < 2; h++) states.get(run_in_row(b, h), before, h);
#pragma unroll
    for (int u = 0; u < M::state_eights; u++)
#pragma unroll
      for (int to = 0; to < item_eights; to++) add_product(y[to], before.eight[u], factors.outputs[to][u].mine());
#pragma unroll
    for (int from = 0; from < item_eights; from++) {
      const rows_of_8 x = numbers(a, next);
      if (from + 1 < item_eights) next = pairs.get(b, from + 1);
#pragma unroll
      for (int to = from; to < item_eights; to++) add_product(y[to], x, response[to - from]);
      item_pairs<T> outputs;
#pragma unroll
      for (int h = 0; h < 2; h++)
#pragma unroll
        for (int c = 0; c < 2; c++) outputs.at[h][c] = detail::to_sample<T>(y[from].at[h][c]);
      results.put(b, from, outputs);
    }
  }
  if (!finite) {
    __syncwarp();
    for (int k = states.wrong_from[lane_id()]; k < G::per_lane; k++)
      results.item(lane_id() * G::per_lane + k) = detail::to_sample<T>(not_a_number);
  }
  const bool async = send_dense<G, true, Bulk>(a, stage, part);
  const bool last = part.items.first + G::tile == part.items.n && part.warp == G::warps - 1;
  if (last && lane_id() == 0) a.finish(nothing{}, after);
  return async;
}

//! What can be, by matrices; the end of a range item by item, and all where no units are. `finite`: what place_matrices
//! said.
template <class G, bool Bulk, class Args, class M = typename Args::monoid_type>
__device__ bool walk_matrices(const Args& a, const run_factors<M>& factors, std::byte* slot, std::byte* stage,
                              const live_part<G, Args::reversed>& part, lane_states<M>& states, bool finite,
                              const typename M::value_type& after) {
  if constexpr (has_matrix_units()) {
    if (part.full) return emit_matrices<G, Bulk>(a, factors, slot, stage, part, states, finite, after);
    auto state = states.of_lane();
    auto* in_memory = &state;  // others want the registers
    asm volatile("" : "+l"(in_memory)::"memory");
    return emit_runs<G, false, Bulk>(a, a.m, slot, stage, part, *in_memory, after);
  } else {
    auto state = states.of_lane();
    if (part.full) return emit_runs<G, true, Bulk>(a, a.m, slot, stage, part, state, after);
    return emit_runs<G, false, Bulk>(a, a.m, slot, stage, part, state, after);
  }
}

}  // namespace UPSWEEP_NAMESPACE::gpu

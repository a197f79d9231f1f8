// Filters of many state entries by the units for matrices of doubles, in a tenth of the instructions that lanes of
// their own take (run_lane.hpp). A run is a row of a matrix: with 8 items of it, X, and its state S, all in rows,
//   what the items leave behind      S += X·W      W: weights of the items
//   its outputs                      Y  = X·H + S·C   H: the impulse response (Toeplitz), C: outputs of a state
//   a state n runs on                S·Pⁿ
// Rows never mix, so that what is not finite stays in its run; inside a run it would meet H's zeros and travel back in
// time: there it counts as 0, and what comes out from its place on is made NaN.
#pragma once
#include <upsweep/config.hpp>
#include <upsweep/filter/cuda/power_tables.hpp>
#include <upsweep/filter/cuda/run_factors.hpp>
#include <upsweep/filter/cuda/run_lane.hpp>
#include <upsweep/filter/powers.hpp>

namespace UPSWEEP_NAMESPACE::gpu {

//! What the fold of a warp's runs leaves for their walk. Row g of a product is four runs, from 4g on; the lanes of the
//! row keep their entries of these in places of their own, so that none waits for another's bank.
template <class M>
struct alignas(16) lane_states {
  double2 runs[4][M::state_eights][warp_size];  // what each leaves behind; then, what stands in front of each
  double rows[8][8 * M::state_eights];          // what the runs before each four leave behind
  int wrong_from[warp_size];                    // where in each run what is not finite begins, if anything is

  //! The state of row g's k-th run, which is row g + 8h of `states`.
  __device__ void put(int k, const rows_of_states<M>& states, int h = 0) {
#pragma unroll
    for (int u = 0; u < M::state_eights; u++)
      runs[k][u][lane_id()] = {states.eight[u].at[h][0], states.eight[u].at[h][1]};
  }
  __device__ void get(int k, rows_of_states<M>& states, int h = 0) const {
#pragma unroll
    for (int u = 0; u < M::state_eights; u++) {
      const double2 entries = runs[k][u][lane_id()];
      states.eight[u].at[h][0] = entries.x;
      states.eight[u].at[h][1] = entries.y;
    }
  }
  //! The state of this lane's run. (The lanes of its row have it.)
  __device__ typename M::value_type of_lane() const {
    typename M::value_type own;
    for (int r = 0; r < M::size; r++)
      own.at[r] = reinterpret_cast<const double*>(&runs[lane_id() % 4][r / 8][4 * row_of_lane() + r % 8 / 2])[r % 2];
    return own;
  }
};

//! The run that a lane's row g + 8h of the b-th matrix of items is, among the four of row g and among all. (Not 2b + h:
//! those of neighbouring lanes would lie in the same banks.)
__device__ inline int run_in_row(int b, int h) { return (2 * b + h + row_of_lane()) % 4; }
__device__ inline int run_of(int b, int h) { return 4 * row_of_lane() + run_in_row(b, h); }

//! Items 2q and 2q + 1 of eight, of this lane's two runs among 16.
template <class T>
struct item_pairs {
  T at[2][2];
};
//! A warp's items, or its results, in shared memory.
template <class T, class G, bool Reversed>
struct run_pairs {
  using vector = std::conditional_t<sizeof(T) == 8, uint4, std::conditional_t<sizeof(T) == 4, uint2, std::uint32_t>>;
  struct pair {
    T low, high;
  };
  static constexpr int item_eights = G::per_lane / 8;
  T* base;

  __device__ explicit run_pairs(std::byte* at) : base(reinterpret_cast<T*>(at)) {}
  __device__ T& item(int k) const { return base[Reversed ? G::part_items - 1 - k : k]; }
  //! Puts zeros behind the first `count` items.
  __device__ void clear_from(int count) const {
    for (int k = count + lane_id(); k < G::part_items; k += warp_size) item(k) = T{};
    __syncwarp();
  }
  //! The first item of a pair; reversed, the second, which lies in front of it.
  __device__ static int place(int run, int eight) {
    const int first = run * G::per_lane + 8 * eight + 2 * pair_of_lane();
    return Reversed ? G::part_items - 2 - first : first;
  }
  //! Gets the k-th eight of the b-th 16 runs.
  __device__ item_pairs<T> get(int b, int k) const {
    const bool aligned = shared_address(base) % sizeof(pair) == 0;
    item_pairs<T> items;
#pragma unroll
    for (int h = 0; h < 2; h++) {
      const T* at = base + place(run_of(b, h), k);
      pair both;
      if (aligned) {
        const vector v = *reinterpret_cast<const vector*>(at);
        memcpy(&both, &v, sizeof(pair));
      } else {
        both = {at[0], at[1]};
      }
      items.at[h][0] = Reversed ? both.high : both.low;
      items.at[h][1] = Reversed ? both.low : both.high;
    }
    return items;
  }
  //! Puts the k-th eight of the b-th 16 runs.
  __device__ void put(int b, int k, const item_pairs<T>& items) const {
    const bool aligned = shared_address(base) % sizeof(pair) == 0;
#pragma unroll
    for (int h = 0; h < 2; h++) {
      T* at = base + place(run_of(b, h), k);
      const pair both{items.at[h][Reversed], items.at[h][!Reversed]};
      vector v;
      memcpy(&v, &both, sizeof(pair));
      if (aligned) {
        *reinterpret_cast<vector*>(at) = v;
      } else {
        at[0] = both.low;
        at[1] = both.high;
      }
    }
  }
};

template <class Args>
using run_item = staged_t<typename Args::load_type::template column_type<0>>;
//! Where a warp's items lie in its tile.
template <class G, class Args>
__device__ run_pairs<run_item<Args>, G, Args::reversed> pairs_of(const Args& a, std::byte* slot,
                                                                 const live_part<G, Args::reversed>& part) {
  static_assert(G::width == 1);
  const int warp = Args::reversed ? G::warps - 1 - part.warp : part.warp;
  return run_pairs<run_item<Args>, G, Args::reversed>(slot + window_shift<G>(get<0>(a.load.columns), part.items) +
                                                      warp * G::part_items * static_cast<int>(sizeof(run_item<Args>)));
}
template <class Args, class T>
__device__ rows_of_8 numbers(const Args& a, const item_pairs<T>& items) {
  rows_of_8 x;
#pragma unroll
  for (int k = 0; k < 4; k++) x.at[k / 2][k % 2] = a.lift(Args::load_type::assemble(items.at[k / 2][k % 2]));
  return x;
}

//! Folds a warp's runs: what each leaves behind, what those before each four do, and what all do (`total`). Runs that
//! end early count as if zeros followed.
template <class G, class Args, class M = typename Args::monoid_type>
__device__ void fold_matrices(const Args& a, const run_factors<M>& factors, std::byte* slot,
                              const live_part<G, Args::reversed>& part, lane_states<M>& states,
                              typename M::value_type& total) {
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

//! What can be, by matrices; the end of a range item by item. `finite`: what place_matrices said.
template <class G, bool Bulk, class Args, class M = typename Args::monoid_type>
__device__ bool walk_matrices(const Args& a, const run_factors<M>& factors, std::byte* slot, std::byte* stage,
                              const live_part<G, Args::reversed>& part, lane_states<M>& states, bool finite,
                              const typename M::value_type& after) {
  if (part.full) return emit_matrices<G, Bulk>(a, factors, slot, stage, part, states, finite, after);
  auto state = states.of_lane();
  auto* in_memory = &state;  // others want the registers
  asm volatile("" : "+l"(in_memory)::"memory");
  return emit_runs<G, false, Bulk>(a, a.m, slot, stage, part, *in_memory, after);
}

}  // namespace UPSWEEP_NAMESPACE::gpu

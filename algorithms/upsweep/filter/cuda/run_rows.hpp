// A warp's runs in shared memory, as products of matrices take them (run_matrix.hpp): their states, items and results.
#pragma once
#include <cstring>

#include <upsweep/config.hpp>
#include <upsweep/cuda/lane.hpp>
#include <upsweep/cuda/tile.hpp>
#include <upsweep/filter/cuda/run_factors.hpp>

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
  //! Keeps the state that this lane's run leaves behind.
  __device__ void put_of_lane(const typename M::value_type& own) {
#pragma unroll
    for (int r = 0; r < 8 * M::state_eights; r += 2)
      runs[lane_id() % 4][r / 8][4 * row_of_lane() + r % 8 / 2] = {r < M::size ? own.at[r] : 0.,
                                                                   r + 1 < M::size ? own.at[r + 1] : 0.};
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
//! A run's weights, for a lane that folds it alone (fold_runs).
template <class M>
struct weights_of_run {
  const run_factors<M>& factors;
  __device__ void weigh(typename M::value_type& sum, int k, double x) const {
#pragma unroll
    for (int r = 0; r < M::size; r++) {
      const double2 two = factors.weights[k / 8][r / 8].of_lane[4 * (r % 8) + k % 8 / 2];
      sum.at[r] += (k % 2 ? two.y : two.x) * x;
    }
  }
};
template <class Args, class T>
__device__ rows_of_8 numbers(const Args& a, const item_pairs<T>& items) {
  rows_of_8 x;
#pragma unroll
  for (int k = 0; k < 4; k++) x.at[k / 2][k % 2] = a.lift(Args::load_type::assemble(items.at[k / 2][k % 2]));
  return x;
}

}  // namespace UPSWEEP_NAMESPACE::gpu

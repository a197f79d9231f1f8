// The levels of a filter's sweep: lanes of a warp, warps of a tile, tiles of a block, blocks. To put a state in front
// of what runs of items left takes the power of A that spans the runs of the level; the powers that many need are kept
// in tables in shared memory.
#pragma once
#include <cstdint>

#include <upsweep/config.hpp>
#include <upsweep/cuda/warp.hpp>
#include <upsweep/filter/cuda/run_factors.hpp>
#include <upsweep/filter/powers.hpp>

namespace UPSWEEP_NAMESPACE::gpu {

//! The levels of lanes, of warps, and of a tile of so many warps, as powers of two of what a lane has.
inline constexpr int lane_level = 0, warp_level = 5;
template <int Warps>
inline constexpr int tile_level = 1 + tile_level<(Warps + 1) / 2>;
template <>
inline constexpr int tile_level<1> = warp_level;

//! Brings states forward by up to Count − 1 runs of 2^level units: one product by a power out of a table of all of
//! them.
template <class M, int Count>
struct forward_by {
  using V = typename M::value_type;
  double power[M::entries][Count];

  //! Called by all of `warps` warps.
  __device__ void fill(const M& m, int level, int warp, int warps) {
#pragma unroll 1
    for (int c = warp; c < M::size; c += warps) {
      V column{};
#pragma unroll
      for (int r = 0; r < M::size; r++) column.at[r] = r == c;
      column = by_bits(m, level, lane_id(), column);
#pragma unroll
      for (int r = 0; r < M::size; r++)
        if (c < M::reach(r) && lane_id() < Count) power[M::row(r) + c][lane_id()] = M::bounded(column.at[r]);
    }
  }
  __device__ V operator()(int runs, const V& state) const {
    if (runs == 0) return state;
    return M::product([&](int e) { return power[e][runs]; }, state);
  }

 private:
  __device__ static V by_bits(const M& m, int level, int runs, V state) {
#pragma unroll 1
    for (int bit = 0; 1 << bit < Count; bit++)
      if (runs >> bit & 1) state = m.later_by(level + bit, state);
    return state;
  }
};

//! What combines a warp's runs beside the kernel's argument: the table of lanes, and a copy of a large argument, which
//! would overflow the cache of constants. (Four sections: 30 cycles a product, H200, 2026-11-21. Two, of 36 weights of
//! 4 entries: 210 µs by a copy, 185 by constants, of 2^26 floats; of 40, int16, 194 and 204. H200, 2026-11-24.)
template <class M>
struct lane_tables {
  static constexpr bool copies = M::size > 4 || (M::size > 2 && (M::unit > 36 || M::channels > 1));
  forward_by<M, warp_size> lanes;
  std::uint32_t copy[copies ? sizeof(M) / 4 : 1];

  //! Called by all of `warps` warps; a barrier must follow.
  __device__ void fill(const M& argument, int warp, int warps) {
    lanes.fill(argument, lane_level, warp, warps);
    if constexpr (copies)
      for (int k = warp * warp_size + lane_id(); k < static_cast<int>(sizeof(M) / 4); k += warps * warp_size)
        copy[k] = reinterpret_cast<const std::uint32_t*>(&in_memory(argument))[k];
  }
  __device__ const M& monoid(const M& argument) const {
    if constexpr (copies) return *reinterpret_cast<const M*>(copy);
    else return argument;
  }
};
template <class M>
  requires(for_matrices<M>)
struct lane_tables<M> {
  static constexpr bool copies = false;
  run_factors<M> factors;

  __device__ void fill(const M& argument, int warp, int warps) { factors.fill(in_memory(argument), warp, warps); }
  __device__ const M& monoid(const M& argument) const { return argument; }
};

template <class V>
__device__ V sum_of(V a, const V& b) {
#pragma unroll
  for (int r = 0; r < static_cast<int>(sizeof(V) / sizeof(double)); r++) a.at[r] += b.at[r];
  return a;
}

//! Inclusive scan of what runs of 2^level units leave, over the first `live` lanes, of at most `Lanes`.
template <int Lanes = warp_size, class V, class M>
__device__ V scan_runs(int level, V value, int live, const M& m) {
  const int lane = lane_id();
#pragma unroll(M::size <= 2 ? 5 : 1)
  for (int k = 0; 1 << k < Lanes; k++) {
    const V earlier = from_below(value, 1 << k);
    if (lane >= 1 << k && lane < live) value = m.join(level + k, earlier, value);
  }
  return value;
}

}  // namespace UPSWEEP_NAMESPACE::gpu

// The levels of a sweep: lanes of a warp, warps of a tile, tiles of a block, blocks. A monoid combines alike at all of
// them. What spans runs of items (recurrence.hpp) takes the power of A that spans the runs of the level; the powers
// that many need are kept in tables in shared memory.
#pragma once
#include <cstdint>
#include <type_traits>

#include <upsweep/config.hpp>
#include <upsweep/cuda/run_factors.hpp>
#include <upsweep/cuda/warp.hpp>
#include <upsweep/recurrence.hpp>

namespace upsweep::inline UPSWEEP_ABI::gpu {

//! The levels of lanes, of warps, and of a tile of so many warps, as powers of two of what a lane has.
inline constexpr int lane_level = 0, warp_level = 5;
template <int Warps>
inline constexpr int tile_level = 1 + tile_level<(Warps + 1) / 2>;
template <>
inline constexpr int tile_level<1> = warp_level;

//! Brings states forward by up to Count − 1 runs of 2^Level units: one product by a power out of a table of all of
//! them.
template <class M, int Level, int Count>
struct forward_by {
  using V = typename M::value_type;
  double power[M::entries][Count];

  //! Called by all of `warps` warps.
  __device__ void fill(const M& m, int warp, int warps) {
#pragma unroll 1
    for (int c = warp; c < M::size; c += warps) {
      V column;
#pragma unroll
      for (int r = 0; r < M::size; r++) column.at[r] = r == c;
      column = by_bits(m, lane_id(), column);
#pragma unroll
      for (int r = 0; r < M::size; r++)
        if (c < M::reach(r) && lane_id() < Count) power[M::row(r) + c][lane_id()] = M::bounded(column.at[r]);
    }
  }
  __device__ V operator()(int runs, const V& state) const {
    if (runs == 0) return state;
    V result;
#pragma unroll
    for (int r = 0; r < M::size; r++) {
      double sum = power[M::row(r)][runs] * state.at[0];
#pragma unroll
      for (int c = 1; c < M::reach(r); c++) sum += power[M::row(r) + c][runs] * state.at[c];
      result.at[r] = sum;
    }
    return result;
  }

 private:
  __device__ static V by_bits(const M& m, int runs, V state) {
#pragma unroll 1
    for (int bit = 0; 1 << bit < Count; bit++)
      if (runs >> bit & 1) state = m.later_by(Level + bit, state);
    return state;
  }
};

//! What combines a warp's runs beside the kernel's argument: the table of lanes, and a copy of a large argument, which
//! would overflow the cache of constants. (Four sections: 30 cycles a product, H200, 2026-11-21.)
template <class M>
struct lane_tables {
  static constexpr bool copies = M::size > 2;
  forward_by<M, lane_level, warp_size> lanes;
  std::uint32_t copy[copies ? sizeof(M) / 4 : 1];

  //! Called by all threads; a barrier must follow.
  __device__ void fill(const M& argument, int warp) {
    lanes.fill(argument, warp, static_cast<int>(blockDim.x) / warp_size);
    if constexpr (copies)
      for (unsigned k = threadIdx.x; k < sizeof(M) / 4; k += blockDim.x)
        copy[k] = reinterpret_cast<const std::uint32_t*>(&in_memory(argument))[k];
  }
  __device__ const M& monoid(const M& argument) const {
    if constexpr (copies) return *reinterpret_cast<const M*>(copy);
    else return argument;
  }
};
template <class M>
  requires(by_matrices<M>)
struct lane_tables<M> {
  run_factors<M> factors;

  __device__ void fill(const M& argument, int warp) {
    factors.fill(in_memory(argument), warp, static_cast<int>(blockDim.x) / warp_size);
  }
  __device__ const M& monoid(const M& argument) const { return argument; }
};
//! What combines all levels of a tile and of a block. A monoid needs nothing.
template <class M, int Warps>
struct level_tables {
  __device__ void fill(const M&, int) {}
  __device__ const M& monoid(const M& argument) const { return argument; }
};
template <class M, int Warps>
  requires(spans_runs<M> && !by_matrices<M>)
struct level_tables<M, Warps> : lane_tables<M> {
  forward_by<M, warp_level, Warps> warps;
  forward_by<M, tile_level<Warps>, warp_size> tiles;

  __device__ void fill(const M& argument, int warp) {
    const int of = static_cast<int>(blockDim.x) / warp_size;
    lane_tables<M>::fill(argument, warp);
    warps.fill(argument, warp, of);
    tiles.fill(argument, warp, of);
  }
};
template <class M, int Warps>
  requires(by_matrices<M>)
struct level_tables<M, Warps> : lane_tables<M> {
  look_room<M> rooms[3];
};
//! Their bytes of dynamic shared memory.
template <class Tables>
constexpr int table_bytes = std::is_empty_v<Tables> ? 0 : (static_cast<int>(sizeof(Tables)) + 15) / 16 * 16;

template <class V>
__device__ V sum_of(V a, const V& b) {
#pragma unroll
  for (int r = 0; r < static_cast<int>(sizeof(V) / sizeof(double)); r++) a.at[r] += b.at[r];
  return a;
}

//! The runs of lanes, and of warps, where a monoid's values are scanned.
template <class M, int Level>
struct unit_runs {
  const M& m;
};
//! Tiles of a block, as a monoid's operator where blocks are folded: `later` is a whole block.
template <class M, int Warps>
struct tile_runs {
  using V = typename M::value_type;
  static constexpr int level = tile_level<Warps>;
  const M& m;
  const forward_by<M, level, warp_size>& powers;
  __device__ V operator()(const V& earlier, const V& later) const { return m.join(level + 5, earlier, later); }
};
template <class M>
__device__ decltype(auto) over_lanes(const M& m) {
  if constexpr (spans_runs<M>) return unit_runs<M, lane_level>{m};
  else return (m);
}
template <class M, int Warps>
__device__ decltype(auto) over_tiles(const M& m, const level_tables<M, Warps>& tables) {
  if constexpr (spans_runs<M> && !by_matrices<M>) return tile_runs<M, Warps>{m, tables.tiles};
  else return (m);
}

//! Inclusive scan of runs over the first `live` lanes, of at most `Lanes`, as of a monoid's values.
template <int Lanes = warp_size, class V, class M, int Level>
__device__ V warp_scan(V value, int live, const unit_runs<M, Level>& runs) {
  const int lane = lane_id();
#pragma unroll(M::size <= 2 ? 5 : 1)
  for (int k = 0; 1 << k < Lanes; k++) {
    const V earlier = from_below(value, 1 << k);
    if (lane >= 1 << k && lane < live) value = runs.m.join(Level + k, earlier, value);
  }
  return value;
}
//! What stands before each warp, as of a monoid's values (lane.hpp): scanned over the lanes of one.
template <int Warps, class V, class M>
__device__ void fold_warps(const unit_runs<M, lane_level>& lanes, const maybe<V>* totals, int warps, maybe<V>* before) {
  V sum{};
  if (lane_id() < warps) sum = totals[lane_id()].value;
  sum = warp_scan<Warps>(sum, warps, unit_runs<M, warp_level>{lanes.m});
  if (lane_id() < warps) before[lane_id() + 1].value = sum;
}

//! What the first `count` lanes' tiles leave behind the last of them: each brought forward by the tiles behind it, all
//! added up, in all lanes.
template <class V, class M, int Warps>
__device__ V fold_tiles(const V& value, int count, const tile_runs<M, Warps>& tiles) {
  V sum{};
  if (lane_id() < count) sum = tiles.powers(count - 1 - lane_id(), value);
#pragma unroll
  for (int distance = warp_size / 2; distance > 0; distance /= 2)
    sum = sum_of(sum, by_words(sum, [=](std::uint32_t w) { return __shfl_xor_sync(~0u, w, distance); }));
  return sum;
}
//! The same of a monoid's values, of a whole block.
template <class V, class M>
__device__ V fold_tiles(const V& value, int count, const M& m) {
  return from_lane(warp_scan(value, count, m), count - 1);
}

}  // namespace upsweep::inline UPSWEEP_ABI::gpu

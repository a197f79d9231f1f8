// Who does what in the pipeline, and the ring of tiles in shared memory by which they hand on their work.
#pragma once
#include <cstdint>
#include <type_traits>

#include <upsweep/config.hpp>
#include <upsweep/cuda/async.hpp>
#include <upsweep/cuda/combining.hpp>
#include <upsweep/cuda/emit.hpp>
#include <upsweep/cuda/protocol.hpp>

namespace UPSWEEP_NAMESPACE::gpu {

//! The warps of a pipeline in order: load (one, two when a column is computed), look ahead, reduce, scan. 20 in all
//! with 8 a tile, which leaves 96 registers a thread; a 21st would leave 80.
template <class P>
struct roles {
  using G = typename P::geometry;
  static constexpr bool stores = !std::is_same_v<typename P::args_type::store_type, discard_t>;
  static constexpr int loaders = G::any_computed ? 2 : 1;
  static constexpr int lookers = 4 - loaders;           // one looks elsewhere than the others, at alternate tiles
  static constexpr int reduce_groups = stores ? 1 : 2;  // of G::warps, at alternate tiles
  static constexpr int takers = lookers - 1 > reduce_groups ? lookers - 1 : reduce_groups;
  static constexpr int turns = takers > P::scan_groups ? takers : P::scan_groups;
  static constexpr int reducers = loaders + lookers, scanners = reducers + reduce_groups * G::warps;
  static constexpr int warps = stores ? scanners + P::scan_groups * G::warps : scanners;
  static constexpr int users = stores ? G::warps : G::warps + 2;  // warps that release a slot: its last readers
};

//! Of which channel of a batch a slot's tile is, and what stands before the channel.
template <class Args, class V, bool Batched = Args::batched>
struct slot_channel {
  int channel;
  maybe<V> start;
};
template <class Args, class V>
struct slot_channel<Args, V, false> {
  static constexpr int channel = 0;
};
//! A slot of the ring: what the warps tell each other about its tile.
template <class P>
struct alignas(16) slot_state : slot_channel<typename P::args_type, typename P::value_type> {
  using V = typename P::value_type;
  static constexpr int tile_warps = P::geometry::warps;
  mbarrier ticketed;  // the tile is known
  mbarrier full;      // its items have arrived
  mbarrier folded;    // warp_totals are there, where a policy's warps wait for them
  mbarrier reduced;   // warps_before and the lanes' states are there, and the aggregate is published
  mbarrier seen;      // what the first that look ahead have found is there: in_block, or around.before
  mbarrier known;     // around is there
  mbarrier empty;     // nobody needs the slot any more
  index_t tile;       // −1: no more tiles
  std::uint32_t tag;
  int reduced_warps;
  maybe<V> warp_totals[tile_warps];
  maybe<V> warps_before[tile_warps + 1];  // the last one used is the tile's aggregate
  typename P::lanes lanes[tile_warps];
  prefixes<V> in_block, around;
};

//! The slots of published state of a tile's channel.
template <class P>
__device__ board<typename P::value_type> board_of(const board<typename P::value_type>& slots,
                                                  const slot_state<P>& slot) {
  if constexpr (P::args_type::batched) return slots.of_channel(slot.channel);
  else return slots;
}

//! A slot's index and the parity of its barriers' current phase, as a role walks the ring.
template <int Stages>
struct ring_position {
  int slot = 0;
  std::uint32_t parity = 0;
  __device__ void advance() {
    if (++slot == Stages) {
      slot = 0;
      parity ^= 1;
    }
  }
};

//! The shared memory of a pipeline: tiles, the scan warps' staging spaces, slots' states, tables.
template <class P>
struct pipeline_memory {
  using G = typename P::geometry;
  static constexpr int slot_bytes = G::slot + static_cast<int>(sizeof(slot_state<P>));
  static constexpr int group_stage = G::warps * staging<G, typename P::args_type::store_type>::own_bytes;
  static constexpr int stage_bytes = P::scan_groups * group_stage;
  static constexpr int rest = stage_bytes + table_bytes<typename P::tables>;
  //! Tiles in flight: as many as fit beside what else a CTA keeps in shared memory, of which a start is one.
  static constexpr int stages(int most) {
    const int fit = (227 * 1024 - (P::starts ? 1024 : 0) - rest) / slot_bytes;
    return fit < most ? fit : most;
  }
  static constexpr int bytes(int stages) { return stages * slot_bytes + rest; }
};

}  // namespace UPSWEEP_NAMESPACE::gpu

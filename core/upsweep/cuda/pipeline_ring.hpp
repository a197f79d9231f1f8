// Who does what in the pipeline, and the ring of tiles in shared memory by which they hand on their work.
#pragma once
#include <algorithm>
#include <cstdint>

#include <upsweep/config.hpp>
#include <upsweep/cuda/async.hpp>
#include <upsweep/cuda/emit.hpp>
#include <upsweep/cuda/levels.hpp>
#include <upsweep/cuda/protocol.hpp>
#include <upsweep/cuda/run_matrix.hpp>

namespace upsweep::inline UPSWEEP_ABI::gpu {

//! The warps of a pipeline in order: load (one, two when a column is computed), look ahead, reduce, scan. 20 in all,
//! which leaves 96 registers a thread; a 21st would leave 80. By matrices 16 or 12, which leaves 128 or 168.
template <class G, class Store, class M>
struct roles {
  static constexpr bool stores = !std::is_same_v<Store, discard_t>;
  static constexpr bool matrices = by_matrices<M>, wide = sizeof(typename M::value_type) > 64;  // wants registers
  static constexpr int loaders = G::any_computed ? 2 : 1;
  //! In blocks, and before blocks, at alternate tiles.
  static constexpr int in_lookers = matrices ? 3 - loaders : 1, lookers = matrices ? 1 : 3 - loaders;
  static constexpr int reduce_groups = stores ? 1 : 2;  // of G::warps, at alternate tiles
  static constexpr int scan_groups = matrices && !wide && loaders == 1 && !staging<G, Store>::own ? 2 : 1;
  static constexpr int turns = std::max({in_lookers, lookers, reduce_groups, scan_groups});
  static constexpr int reducers = loaders + in_lookers + lookers, scanners = reducers + reduce_groups * G::warps;
  static constexpr int warps = stores ? scanners + scan_groups * G::warps : scanners;
  static constexpr int users = stores ? G::warps : G::warps + 2;  // warps that release a slot: its last readers
};

template <class G, class Args>
using roles_of = roles<G, typename Args::store_type, typename Args::monoid_type>;

//! A slot of the ring: what the warps tell each other about its tile.
template <class M, int Warps>
struct alignas(16) slot_state {
  using V = typename M::value_type;
  mbarrier ticketed;  // the tile is known
  mbarrier full;      // its items have arrived
  mbarrier folded;    // warp_totals are there (by matrices)
  mbarrier reduced;   // warps_before and the lanes' states are there, and the aggregate is published
  mbarrier seen;      // in_block is there; by matrices, what stands before the block, where `around` will be
  mbarrier known;     // around is there
  mbarrier empty;     // nobody needs the slot any more
  index_t tile;       // −1: no more tiles
  std::uint32_t tag;
  int reduced_warps;
  maybe<V> warp_totals[Warps];
  maybe<V> warps_before[Warps + 1];  // the last one used is the tile's aggregate
  lane_states<M> lanes[Warps];
  prefixes<V> in_block, around;
};

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
template <class G, class Store, class M>
struct pipeline_memory {
  static constexpr int slot_bytes = G::slot + static_cast<int>(sizeof(slot_state<M, G::warps>));
  static constexpr int group_stage = G::warps * staging<G, Store>::own_bytes;
  static constexpr int stage_bytes = roles<G, Store, M>::scan_groups * group_stage;
  static constexpr int rest = stage_bytes + table_bytes<level_tables<M, G::warps>>;
  //! Tiles in flight: as many as fit beside what else a CTA keeps in shared memory. (Of recurrences a start, too.)
  static constexpr int stages(int most) {
    const int fit = (227 * 1024 - (spans_runs<M> ? 1024 : 0) - rest) / slot_bytes;
    return fit < most ? fit : most;
  }
  static constexpr int bytes(int stages) { return stages * slot_bytes + rest; }
};

}  // namespace upsweep::inline UPSWEEP_ABI::gpu

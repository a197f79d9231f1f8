// The pipeline's warps that load: tickets, bulk copies, what is computed.
#pragma once
#include <cstddef>
#include <cstdint>

#include <upsweep/config.hpp>
#include <upsweep/cuda/async.hpp>
#include <upsweep/cuda/lane.hpp>
#include <upsweep/cuda/pipeline_ring.hpp>
#include <upsweep/cuda/protocol.hpp>
#include <upsweep/cuda/tile.hpp>
#include <upsweep/cuda/window.hpp>

namespace UPSWEEP_NAMESPACE::gpu {

//! The bulk copies of a tile, one a column. Away from the ranges' ends (`inner`) they are the same in every tile, a
//! constant stride on.
template <class G, class Load, bool Reversed>
struct tile_copies {
  window_copy columns[G::width];

  __device__ tile_copies(const Load& load, const span_of_items<Reversed>& items, bool inner) {
    for_each_column<G::width>([&](auto c) {
      if constexpr (is_copied<typename Load::template column_type<c>>)
        columns[c] = plan_window<G>(get<c>(load.columns), items, inner);
    });
  }
  //! Called by one lane.
  __device__ void issue(index_t tiles_on, std::byte* slot, mbarrier& arrived) const {
    std::uint32_t bytes = 0;
    for_each_column<G::width>([&](auto c) {
      if constexpr (is_copied<typename Load::template column_type<c>>)
        bytes += static_cast<std::uint32_t>(columns[c].granules_to - columns[c].granules_from);
    });
    arrived.arrive_expecting(bytes);
    for_each_column<G::width>([&](auto c) {
      using C = typename Load::template column_type<c>;
      if constexpr (is_copied<C>) {
        constexpr index_t stride = (Reversed ? -1 : 1) * G::template tile_bytes<C>;
        const window_copy& copy = columns[c];
        if (copy.granules_to > copy.granules_from)
          bulk_load(slot + G::template column_offset<c> + copy.granules_from,
                    copy.source + tiles_on * stride + copy.granules_from,
                    static_cast<std::uint32_t>(copy.granules_to - copy.granules_from), arrived);
      }
    });
  }
};

//! Which tile of which channel a ticket is: one channel behind another.
template <class Args>
class channel_loader {
 public:
  //! The tile that is the number-th of all, −1 if there are not so many. Tells the slot of its channel. Called by one
  //! lane.
  __device__ index_t tile_of(const Args& a, index_t number, auto& slot) {
    if constexpr (Args::batched) {
      if (number >= a.tiles * a.channels.count) return -1;
      while (number >= end_) {
        end_ += a.tiles;
        start_.value = a.channels.finish(++channel_).start();
      }
      slot.channel = channel_;
      slot.start = start_;
      return number - (end_ - a.tiles);
    } else {
      return number < a.tiles ? number : -1;
    }
  }

 private:
  int channel_ = -1;
  index_t end_ = 0;  // the number behind its tiles
  maybe<std::conditional_t<Args::batched, typename Args::value_type, char>> start_;
};

//! The load role of one warp. The first draws the tickets and has the copy engine load; all share out what is computed.
template <class P, int Stages, class Args = typename P::args_type>
__device__ void load_tiles(const Args& a, std::byte* ring, slot_state<P>* state, board<typename P::value_type> slots,
                           int loader) {
  using G = typename P::geometry;
  using Load = typename Args::load_type;
  using R = roles<P>;
  using copies = tile_copies<G, Load, Args::reversed>;
  const auto inner = [&] {
    if constexpr (Args::batched) return nothing{};
    else return copies(a.load, {0, a.n, G::tile, G::tile}, true);
  }();
  channel_loader<Args> channels;
  ring_position<Stages> at;
  int ends = 0;
  for (index_t round = 0;; round++, at.advance()) {
    auto& slot = state[at.slot];
    std::byte* items = ring + at.slot * G::slot;
    if (round >= Stages) slot.empty.wait(at.parity ^ 1);
    if (loader == 0 && lane_id() == 0) {
      // Drawn only now: a ticket that waits for its slot would keep all tiles behind it waiting.
      const ticket drawn = slots.take();
      slot.tile = channels.tile_of(a, drawn.tile(), slot);
      slot.tag = drawn.tag();
      if (slot.tile >= 0) board_of<P>(slots, slot).prepare(slot.tile);
      slot.ticketed.arrive();
    }
    if (loader > 0) slot.ticketed.wait(at.parity);
    __syncwarp();
    const index_t tile = slot.tile;
    if (tile < 0) {  // the end, told to each who takes turns in a slot of its own
      if (lane_id() == 0) slot.full.arrive();
      if (++ends == R::turns) return;
      continue;
    }
    if constexpr (G::any_computed) {
      const live_part<G, Args::reversed> part(a.n, tile, 0);
      for_each_column<G::width>([&](auto c) {
        if constexpr (is_computed<typename Load::template column_type<c>>)
          compute_part<G, R::loaders>(items + G::template column_offset<c>, get<c>(a.load.columns), part.items, loader);
      });
      __syncwarp();
    }
    if (loader > 0) {
      if (lane_id() == 0) slot.full.arrive();
    } else if (tile == 0 || tile >= a.tiles - 2) {  // at an end of the ranges
      const live_part<G, Args::reversed> part(a.n, tile, 0);
      const copies outer(args_of(a, slot.channel).load, part.items, false);
      for_each_column<G::width>([&](auto c) {
        if constexpr (is_copied<typename Load::template column_type<c>>)
          copy_ends(items + G::template column_offset<c>, outer.columns[c], warp_group{});
      });
      __syncwarp();
      if (lane_id() == 0) outer.issue(0, items, slot.full);
    } else if (lane_id() == 0) {
      if constexpr (Args::batched)
        copies(args_of(a, slot.channel).load, {tile * G::tile, a.n, G::tile, G::tile}, true).issue(0, items, slot.full);
      else inner.issue(tile, items, slot.full);
    }
  }
}

}  // namespace UPSWEEP_NAMESPACE::gpu

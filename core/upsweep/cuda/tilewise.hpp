// One CTA a tile: small and middle sizes, values too wide for the pipeline, and every size on GPUs before Hopper.
#pragma once
#include <upsweep/config.hpp>
#include <upsweep/cuda/emit.hpp>
#include <upsweep/cuda/lane.hpp>
#include <upsweep/cuda/protocol.hpp>
#include <upsweep/cuda/run_lane.hpp>
#include <upsweep/cuda/run_matrix.hpp>
#include <upsweep/cuda/tile.hpp>
#include <upsweep/cuda/tile_matrix.hpp>

namespace upsweep::inline UPSWEEP_ABI::gpu {

//! Dynamic shared memory: the tile, the warps' staging spaces, tables.
template <class G, class Store, class M>
constexpr int tilewise_shared_bytes =
    G::slot + G::warps * staging<G, Store>::own_bytes + table_bytes<level_tables<M, G::warps>>;

//! Have full tiles a code of their own? Not where a lane has few items: it costs the compiler more than it gives.
template <class G>
inline constexpr bool two_codes = G::per_lane > 8;

template <class G, int MinCtas, class Args>
__global__ void __launch_bounds__(G::warps* warp_size, MinCtas) sweep_tilewise(const __grid_constant__ Args args) {
  using V = typename Args::value_type;
  using M = typename Args::monoid_type;
  using Store = typename Args::store_type;
  extern __shared__ __align__(128) std::byte shared[];
  constexpr bool spans = spans_runs<M>, matrices = by_matrices<M>;
  __shared__ raw_memory<std::conditional_t<matrices, lane_states<M>, nothing>[G::warps]> lanes_memory;
  __shared__ raw_memory<maybe<V>[G::warps]> totals_memory;
  __shared__ raw_memory<maybe<V>[G::warps + 1]> before_memory;
  __shared__ raw_memory<maybe<V>> before_block_memory;
  __shared__ raw_memory<prefixes<V>> in_block_memory;
  __shared__ ticket mine;
  auto& warp_totals = totals_memory.get();
  auto& warps_before = before_memory.get();
  auto& before_block = before_block_memory.get();
  auto& in_block = in_block_memory.get();
  auto& tables =
      *reinterpret_cast<level_tables<M, G::warps>*>(shared + G::slot + G::warps * staging<G, Store>::own_bytes);
  const auto& m = tables.monoid(args.m);
  const auto& lanes = over_lanes(m);
  [[maybe_unused]] const auto& tiles = over_tiles(m, tables);
  const int warp = static_cast<int>(threadIdx.x) / warp_size, lane = lane_id();
  const bool single = args.tiles == 1;  // then there is no state to share
  board<V> slots(args.workspace, args.tiles), tickets = slots;

  index_t tile = 0, channel = 0;
  // Read before anything is published: the last tile's finish may overwrite it.
  const auto read_start = [&] {
    if constexpr (spans)
      if (threadIdx.x == 0) before_block.value = args_of(args, channel).finish.start();
  };
  const bool one_channel = channels_of(args) == 1;
  if (one_channel) read_start();
  if constexpr (spans) tables.fill(args.m, warp);
  if (!single) {
    if (threadIdx.x == 0) mine = tickets.take();
    __syncthreads();
    tile = mine.tile();
  }
  if (!one_channel) {
    const index_t number = single ? blockIdx.x : tile, channels = channels_of(args);
    channel = number % channels;  // the tile's neighbours are long under way
    tile = number / channels;
    slots = tickets.of_channel(channel);
    read_start();
  }
  const auto& a = args_of(args, channel);
  const live_part<G, Args::reversed> part(a.n, tile, warp);
  const bool whole = two_codes<G> && part.full;
  for_each_column<G::width>([&](auto c) {
    using C = typename Args::load_type::template column_type<c>;
    std::byte* window = shared + G::template column_offset<c>;
    if constexpr (C::in_memory)
      copy_window(window, plan_window<G>(get<c>(a.load.columns), part.items, false), cta_group{});
    else if constexpr (is_computed<C>) compute_part<G, G::warps>(window, get<c>(a.load.columns), part.items, warp);
  });
  __syncthreads();

  lane_items<G, typename Args::load_type, Args::reversed> held;
  maybe<V> inclusive;  // over the lanes' folds
  if (part.lanes > 0) {
    if constexpr (matrices) {
      auto& lanes_left = lanes_memory.get()[warp];
      fold_matrices<G>(a, tables.factors, shared, part, lanes_left, warp_totals[warp].value);
    } else if constexpr (spans) {
      if (part.full) inclusive.value = fold_runs<G, true>(a, m, shared, part);
      else if (lane < part.lanes) inclusive.value = fold_runs<G, false>(a, m, shared, part);
    } else {
      held.read(a.load, shared, part.items, warp);
      if (whole) inclusive.value = fold_lane<G, two_codes<G>>(a, held, part);
      else if (lane < part.lanes) inclusive.value = fold_lane<G, false>(a, held, part);
    }
    if constexpr (!matrices) {
      __syncwarp();
      inclusive.value = warp_scan(inclusive.value, part.lanes, lanes);
      if (lane == part.lanes - 1) warp_totals[warp] = inclusive;
    }
  }
  __syncthreads();

  // Two warps look ahead at once: the first in the tile's block, the last at the blocks before. Then all join what they
  // found.
  constexpr bool by_one = sizeof(V) > 16 || spans;  // too wide for everybody's registers, or too much work
  prefixes<V> own_around;
  prefixes<V>& around = by_one ? in_block : own_around;
  if constexpr (matrices) {
    const V& own = warps_before[part.warps].value;
    tile_looker<M, G::warps> look(slots, tables.factors, tables.rooms[0]);
    if (warp == 0) {
      fold_totals(tables.factors, warp_totals, part.warps, warps_before);
      __syncwarp();
      if (lane == 0 && !single) slots.publish(slots.tile_slot(tile), own, mine.tag());
      look.wait(tile, single ? 0 : mine.tag(), own);
    }
    if (warp == G::warps - 1 && !single) {
      block_looker<M, G::warps, true> blocks(slots, tables.factors, tables.rooms[1], before_block.value);
      const auto& prefix = blocks(tile / tiles_per_block, mine.tag());
      __syncwarp();
      if (row_of_lane() == 0) prefix.write(before_block.value);
    }
    __syncthreads();
    if (warp == 0) look.find(tile, own, before_block.value, around.before.value, around.after.value);
  } else {
    if (warp == 0) {
      fold_warps<G::warps>(lanes, warp_totals, part.warps, warps_before);
      __syncwarp();
      const maybe<V> total = warps_before[part.warps];
      if (single) {
        if constexpr (spans) {
          if (lane == 0) in_block = {maybe<V>(V{}), total};
        } else {
          if (lane == 0) in_block.after = total;
        }
      } else {
        if (lane == 0) slots.publish(slots.tile_slot(tile), total.value, mine.tag());
        const prefixes<V> found = look_in_block(slots, tiles, tile, mine.tag(), total.value);
        if (lane == place_in_block(tile)) in_block = found;
      }
    }
    if (warp == G::warps - 1 && !single) {
      look_at_blocks look(slots, tiles, true);
      if constexpr (spans) look.start(before_block.value);
      const auto& prefix = look(tile / tiles_per_block, mine.tag());
      __syncwarp();  // all lanes have read the start
      if (lane == 0) before_block = prefix;
    }
    __syncthreads();
    if (!by_one || threadIdx.x == 0) join(tiles, tile, tile == a.tiles - 1, before_block, in_block, around);
  }
  if constexpr (by_one) __syncthreads();
  if (threadIdx.x == 0 && !single && ends_block(tile)) slots.publish_prefix(tile, around.after.value, mine.tag());
  if constexpr (std::is_same_v<Store, discard_t>) {
    if (threadIdx.x == 0 && tile == a.tiles - 1) a.finish(nothing{}, around.after.value);
  } else if (part.lanes > 0) {
    std::byte* stage = staging<G, Store>::of(a.load, part, shared, shared + G::slot);
    if constexpr (matrices) {
      walk_warp<G, false>(a, m, tables, shared, stage, part, lanes_memory.get()[warp], warps_before, around);
    } else if constexpr (spans) {
      const V lanes_before = from_below(inclusive.value, 1);
      walk_warp<G, false>(a, m, tables, shared, stage, part, lanes_before, warps_before, around);
    } else {
      const maybe<V> lanes_before(from_below(inclusive.value, 1));
      lane_prefix<V> prefix = place_lane<G>(m, part, lanes_before, warps_before, around);
      if (whole) emit<G, two_codes<G>, false>(a, held, stage, part, prefix);
      else emit<G, false, false>(a, held, stage, part, prefix);
    }
  }
  if (!single && threadIdx.x == 0) tickets.leave(mine.tag());
}

//! What remains of a sweep over nothing.
template <class V, class Finish>
__global__ void sweep_nothing(const __grid_constant__ Finish finish, const __grid_constant__ V identity) {
  finish.empty(identity);
}

}  // namespace upsweep::inline UPSWEEP_ABI::gpu

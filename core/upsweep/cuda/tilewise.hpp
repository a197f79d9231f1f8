// One CTA a tile: small and middle sizes, values too wide for the pipeline, and every size on GPUs before Hopper.
#pragma once
#include <cstddef>
#include <type_traits>

#include <upsweep/config.hpp>
#include <upsweep/cuda/combining.hpp>
#include <upsweep/cuda/emit.hpp>
#include <upsweep/cuda/protocol.hpp>
#include <upsweep/cuda/sweep_args.hpp>
#include <upsweep/cuda/tile.hpp>
#include <upsweep/cuda/window.hpp>

namespace UPSWEEP_NAMESPACE::gpu {

//! Dynamic shared memory: the tile, the warps' staging spaces, tables.
template <class P, class G = typename P::geometry>
constexpr int tilewise_shared_bytes =
    G::slot + G::warps * staging<G, typename P::args_type::store_type>::own_bytes + table_bytes<typename P::tables>;

template <class P, int MinCtas, bool AtOnce = false>
__global__ void __launch_bounds__(P::geometry::warps* warp_size, MinCtas)
    sweep_tilewise(const __grid_constant__ typename P::args_type args) {
  static_assert(combining_policy<P>);
  using G = typename P::geometry;
  using Args = typename P::args_type;
  using V = typename P::value_type;
  using Store = typename Args::store_type;
  extern __shared__ __align__(128) std::byte shared[];
  __shared__ raw_memory<typename P::kept[G::warps]> kept_memory;
  __shared__ raw_memory<maybe<V>[G::warps]> totals_memory;
  __shared__ raw_memory<maybe<V>[G::warps + 1]> before_memory;
  __shared__ raw_memory<maybe<V>> before_block_memory;
  __shared__ raw_memory<prefixes<V>> in_block_memory;
  __shared__ ticket mine;
  auto& warp_totals = totals_memory.get();
  auto& warps_before = before_memory.get();
  auto& before_block = before_block_memory.get();
  auto& in_block = in_block_memory.get();
  auto& tables = *reinterpret_cast<typename P::tables*>(shared + G::slot + G::warps * staging<G, Store>::own_bytes);
  const auto by = P::combiner_of(args.m, tables);
  const int warp = static_cast<int>(threadIdx.x) / warp_size;
  auto& kept = kept_memory.get()[warp];
  const bool single = args.tiles == 1;  // then there is no state to share
  board<V> slots(args.workspace, args.tiles), tickets = slots;

  index_t tile = 0, channel = 0;
  // Read before anything is published: the last tile's finish may overwrite it.
  const auto read_start = [&] {
    if constexpr (P::starts)
      if (threadIdx.x == 0) before_block.value = args_of(args, channel).finish.start();
  };
  const bool one_channel = channels_of(args) == 1;
  if (one_channel) read_start();
  tables.fill(args.m, warp, G::warps);
  if (!single) {
    if (threadIdx.x == 0) mine = tickets.take();
    __syncthreads();
    tile = mine.tile();
  }
  if (!one_channel) {
    const index_t number = single ? blockIdx.x : tile, channels = channels_of(args);
    channel = number % channels;  // the tile before it in its channel was taken long ago
    tile = number / channels;
    slots = tickets.of_channel(channel);
    read_start();
  }
  const auto& a = args_of(args, channel);
  static_assert(!P::starts || gives_start<decltype(a.finish), V>);
  const live_part<G, Args::reversed> part(a.n, tile, warp);
  for_each_column<G::width>([&](auto c) {
    using C = typename Args::load_type::template column_type<c>;
    std::byte* window = shared + G::template column_offset<c>;
    if constexpr (is_copied<C>)
      copy_window<AtOnce ? G::template granules<C> : 1>(
          window, plan_window<G>(get<c>(a.load.columns), part.items, false), cta_group{});
    else if constexpr (is_computed<C>) compute_part<G, G::warps>(window, get<c>(a.load.columns), part.items, warp);
  });
  __syncthreads();

  typename P::lane own;
  if (part.lanes > 0) P::template fold<two_codes<G>>(a, by, shared, part, own, kept, warp_totals[warp]);
  __syncthreads();

  const std::uint32_t tag = single ? 0 : mine.tag();
  if constexpr (std::is_same_v<Store, discard_t>) {
    if (!single && !ends_block(tile) && !slots.is_last(tile)) {  // nobody asks what stands around it
      if (warp == 0) P::hand_on(by, slots, single, tile, tag, part.warps, warp_totals, warps_before);
      if (threadIdx.x == 0) tickets.leave(tag);
      return;
    }
  }
  // Two warps look ahead at once: the first in the tile's block, the last at the blocks before. Then all join what they
  // found.
  if (warp == 0) P::look_in_block(by, slots, single, tile, tag, part.warps, warp_totals, warps_before, in_block);
  if (warp == G::warps - 1 && !single) P::look_before(by, slots, tile, tag, before_block);
  __syncthreads();
  prefixes<V> own_around;
  prefixes<V>& around = P::around_is_shared ? in_block : own_around;
  P::find_around(by, slots, tile, warps_before[part.warps], before_block, in_block, around);
  if constexpr (P::around_is_shared) __syncthreads();
  if (threadIdx.x == 0 && !single && ends_block(tile)) slots.publish_prefix(tile, around.after.value, tag);
  if constexpr (std::is_same_v<Store, discard_t>) {
    if (threadIdx.x == 0 && tile == a.tiles - 1) a.finish(nothing{}, around.after.value);
  } else if (part.lanes > 0) {
    std::byte* stage = staging<G, Store>::of(a.load, part, shared, shared + G::slot);
    P::place(a, by, part, kept, warps_before, around, own);
    P::template walk<two_codes<G>, false>(a, by, shared, stage, part, kept, around, own);
  }
  if (threadIdx.x == 0 && !single) tickets.leave(tag);
}

//! A sweep over no items: its total is the identity.
template <class V, class Finish>
__global__ void sweep_nothing(const __grid_constant__ Finish finish, const __grid_constant__ V identity) {
  finish.empty(identity);
}

}  // namespace UPSWEEP_NAMESPACE::gpu

// Filters of few state entries over interleaved channels as they lie: one CTA a tile of a strip of up to eight channels
// (interleaved_tile.hpp). States are combined as those of a single channel (by_powers.hpp), of each channel by itself;
// only that a warp has fewer runs of one.
#pragma once
#include <algorithm>
#include <bit>
#include <cstddef>
#include <span>

#include <upsweep/config.hpp>
#include <upsweep/cuda/combining.hpp>
#include <upsweep/cuda/launch.hpp>
#include <upsweep/cuda/lookahead.hpp>
#include <upsweep/cuda/protocol.hpp>
#include <upsweep/filter/cuda/by_powers.hpp>
#include <upsweep/filter/cuda/interleaved_tile.hpp>
#include <upsweep/filter/cuda/moments.hpp>
#include <upsweep/filter/cuda/sweep.hpp>
#include <upsweep/filter/cuda/tuning.hpp>
#include <upsweep/filter/cut.hpp>
#include <upsweep/filter/filter_task.hpp>
#include <upsweep/filter/powers.hpp>
#include <upsweep/signal.hpp>

namespace UPSWEEP_NAMESPACE::gpu {

template <class In, class Out, class M, class Finish>
struct interleaved_args {
  using in_type = In;
  using out_type = Out;
  using monoid_type = M;
  using value_type = typename M::value_type;
  static constexpr int warps = tuning::interleaved_warps;
  static constexpr int window = strip_window<In, M::unit, warps>;
  //! Results lie where their items did, if these are as large.
  static constexpr bool own_stage = sizeof(In) != sizeof(Out);
  static constexpr int shared = window + (own_stage ? warp_size * warps * M::unit * static_cast<int>(sizeof(Out)) : 0);
  detail::signal<const In, true> in;
  detail::signal<Out, true> out;
  Finish finish;
  M m;
  strips cut;
  index_t tiles;  // of a strip
  memory_piece workspace;
};

//! What the warps of a CTA tell each other of the channels of a strip.
template <class V, int Warps>
struct strip_states {
  static constexpr int most = tuning::interleaved_channels;
  maybe<V> totals[most][Warps], warps_before[most][Warps + 1];  // as a slot's (pipeline_ring.hpp)
  maybe<V> before_block[most];                                  // what stands before all tiles, first
  prefixes<V> in_block[most], around[most];
};

//! What a lane's run leaves, nothing in front; a run that ends early counts as if zeros followed.
template <bool Full, class T, class M>
__device__ typename M::value_type fold_strided(const M& m, const T* items, int apart, int count) {
  typename M::value_type sum{};
  if constexpr (Full) {
#pragma unroll(M::unit % 9 == 0 ? 9 : 10)
    for (int k = 0; k < M::unit; k++) m.weigh(sum, k, detail::number_of_sample{}(items[k * apart]));
  } else {
#pragma unroll 1
    for (int k = 0; k < count; k++) m.weigh(sum, k, detail::number_of_sample{}(items[k * apart]));
  }
  return sum;
}
//! Filters a lane's run from `state` on, which it takes behind it; `results` may be where the items are.
template <bool Full, class T, class Out, class M>
__device__ void walk_strided(const M& m, typename M::value_type& state, const T* items, Out* results, int apart,
                             int count) {
  constexpr int slice = M::unit % 9 == 0 ? 9 : 10;  // read before the first of their results is written
  static_assert(M::unit % slice == 0);
  const int whole = Full ? M::unit : count / slice * slice;
#pragma unroll 1
  for (int first = 0; first < whole; first += slice) {
    T held[slice];
#pragma unroll
    for (int k = 0; k < slice; k++) held[k] = items[(first + k) * apart];
#pragma unroll
    for (int k = 0; k < slice; k++)
      results[(first + k) * apart] = detail::to_sample<Out>(m.advance(state, detail::number_of_sample{}(held[k])));
  }
  if constexpr (!Full)
    for (int k = whole; k < count; k++)
      results[k * apart] = detail::to_sample<Out>(m.advance(state, detail::number_of_sample{}(items[k * apart])));
}

template <class Args>
__global__ void __launch_bounds__(Args::warps* warp_size, tuning::interleaved_ctas(sizeof(typename Args::value_type)))
    sweep_interleaved(const __grid_constant__ Args a) {
  using M = typename Args::monoid_type;
  using V = typename Args::value_type;
  using Out = typename Args::out_type;
  constexpr int warps = Args::warps;
  extern __shared__ __align__(128) std::byte shared[];
  __shared__ raw_memory<level_tables<M, warps>> tables_memory;
  __shared__ raw_memory<strip_states<V, warps>> states_memory;
  __shared__ arrival arrived;
  __shared__ ticket mine;
  auto& tables = tables_memory.get();
  auto& states = states_memory.get();
  const int warp = static_cast<int>(threadIdx.x) / warp_size;
  const bool single = a.tiles == 1;  // then there is no state to share
  board<V> tickets(a.workspace, a.tiles);
  if (threadIdx.x == 0) {
    arrived.init();
    mine = single ? ticket{blockIdx.x} : tickets.take();
  }
  __syncthreads();
  const index_t number = mine.tile(), strip = number % a.cut.count, tile = number / a.cut.count;
  const std::uint32_t tag = mine.tag();
  const strip_part<M::unit, warps> part(a.cut, a.in.channels, a.in.length, strip, tile);
  bool waits;
  auto* const items = load_strip(a.in.data, part, shared, arrived, waits);
  // Read before anything is published: the last tile's finish may overwrite it.
  if (static_cast<int>(threadIdx.x) < part.width)
    states.before_block[threadIdx.x].value = a.finish.of_channel(part.channel + threadIdx.x).start();
  tables.fill(a.m, warp, warps, a.cut.log_runs);
  __syncthreads();
  if (waits) arrived.wait();

  const power_combiner<M, warps, int> by{tables.monoid(a.m), tables, a.cut.log_runs};
  const int at = part.lane_moment() * part.width + part.own, count = part.lane_count();
  V left{};
  if (part.full()) {
    if (part.takes_part) left = fold_strided<true>(by.m, items + at, part.width, count);
  } else {
    left = fold_strided<false>(by.m, items + at, part.width, count);
  }
  __syncwarp();
#pragma unroll 1
  for (int k = 0; k < a.cut.log_runs; k++) {
    const V earlier = from_below(left, part.width << k);
    if (part.run >> k > 0) left = by.m.join(k, earlier, left);
  }
  if (part.run == (1 << a.cut.log_runs) - 1) states.totals[part.own][warp].value = left;
  left = from_below(left, part.width);  // what the runs before leave
  __syncthreads();

  // All channels are published before anybody waits. Then of each a warp looks ahead in the tile's block, another at
  // the blocks before it.
  for (int c = warp; c < part.width; c += warps) {
    by.fold_warps(states.totals[c], warps, states.warps_before[c]);
    __syncwarp();
    const V& total = states.warps_before[c][warps].value;
    if (lane_id() != 0) continue;
    if (single) states.in_block[c] = {maybe<V>(V{}), maybe<V>(total)};
    else tickets.of_channel(part.channel + c).publish(tickets.tile_slot(tile), total, tag);
  }
  __syncwarp();
  for (int c = warp; c < part.width && !single; c += warps) {
    const prefixes<V> found =
        by.look_in_block(tickets.of_channel(part.channel + c), tile, tag, states.warps_before[c][warps].value);
    if (lane_id() == 0) states.in_block[c] = found;
  }
  for (int c = warps - 1 - warp; c < part.width && !single; c += warps) {
    const auto slots = tickets.of_channel(part.channel + c);
    look_at_blocks<V, power_combiner<M, warps, int>, 0> look(slots, by, true);
    look.start(states.before_block[c].value);
    const maybe<V> before = look(tile / tiles_per_block, tag);
    __syncwarp();  // all lanes have read the start
    if (lane_id() == 0) states.before_block[c] = before;
  }
  __syncthreads();
  const bool last = tile == a.tiles - 1;
  if (const int c = static_cast<int>(threadIdx.x); c < part.width) {
    by.join(tile, last, states.before_block[c], states.in_block[c], states.around[c]);
    if (!single && ends_block(tile))
      tickets.of_channel(part.channel + c).publish_prefix(tile, states.around[c].after.value, tag);
  }
  __syncthreads();

  Out* results;
  if constexpr (Args::own_stage) results = reinterpret_cast<Out*>(shared + Args::window);
  else results = reinterpret_cast<Out*>(items);
  if (count > 0) {
    V state = tables.warps(warp, states.around[part.own].before.value);
    if (warp > 0) state = sum_of(state, states.warps_before[part.own][warp].value);
    state = tables.lanes(part.run, state);
    if (part.run > 0) state = sum_of(state, left);
    if (part.full()) walk_strided<true>(by.m, state, items + at, results + at, part.width, count);
    else walk_strided<false>(by.m, state, items + at, results + at, part.width, count);
    if (last && part.lane_moment() + count == part.count)
      a.finish.of_channel(part.channel + part.own)(nothing{},
                                                   part.full() ? states.around[part.own].after.value : state);
  }
  [[maybe_unused]] const bool async = send_strip(a.out.data, part, results);
  if (threadIdx.x == 0 && !single) tickets.leave(tag);
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  if (async && lane_id() == 0) bulk_store_wait_read<0>();
#endif
}

}  // namespace UPSWEEP_NAMESPACE::gpu

namespace UPSWEEP_NAMESPACE::detail {

//! Interleaved channels by one rule of few state entries.
template <filter_rule R, std::size_t Rules, class In, class Out>
  requires(R::size <= gpu::tuning::interleaved_entries)
bool filter_as_they_lie(device& executor, std::span<const R, Rules> rules, const signal<const In, true>& in,
                        const signal<Out, true>& out, const state_keeper<R>& finish) {
  if (rules.size() > 1 || in.channels == 1) return false;
  if (in.channels == 2) {
    filter_moments<2>(executor, rules[0], in, out, finish);
    return true;
  }
  constexpr int warps = gpu::tuning::interleaved_warps;
  using M = powers_for<R, interleaved_run_items<sizeof(In)>, gpu::tile_level<warps> + 5>;
  using Args = gpu::interleaved_args<In, Out, M, state_keeper<R>>;
  const gpu::current_device here(executor.ordinal());
  const gpu::strips cut = gpu::strips::of(in.channels, gpu::tuning::interleaved_channels);
  const index_t tiles = gpu::tiles_of(in.length, (warps * M::unit) << cut.log_runs);
  const std::size_t workspace = gpu::workspace_bytes<typename M::value_type>(tiles, in.channels);
  gpu::launch<&gpu::sweep_interleaved<Args>>(
      executor, tiles * cut.count, warps * gpu::warp_size, Args::shared,
      Args{.in = in,
           .out = out,
           .finish = finish,
           .m = powers_of<M>(rules[0]),
           .cut = cut,
           .tiles = tiles,
           .workspace = tiles > 1 ? executor.workspace(workspace) : gpu::memory_piece{}});
  return true;
}

}  // namespace UPSWEEP_NAMESPACE::detail

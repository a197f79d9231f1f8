// Sweeps of filters: their shapes, and one or many channels a launch.
#pragma once
#include <cstddef>
#include <type_traits>

#include <upsweep/config.hpp>
#include <upsweep/cuda/device.hpp>
#include <upsweep/cuda/launch.hpp>
#include <upsweep/cuda/pipeline.hpp>
#include <upsweep/cuda/sweep_args.hpp>
#include <upsweep/cuda/tilewise.hpp>
#include <upsweep/filter/cuda/by_matrices.hpp>
#include <upsweep/filter/cuda/by_powers.hpp>
#include <upsweep/filter/cuda/tuning.hpp>
#include <upsweep/filter/cut.hpp>
#include <upsweep/filter/powers.hpp>

namespace UPSWEEP_NAMESPACE::gpu {

template <class G, class Args>
using by_rule = std::conditional_t<for_matrices<typename Args::monoid_type>, by_matrices<G, Args>, by_powers<G, Args>>;

//! Tiles have one shape for all sizes, so that what is computed of a block of tiles does not depend on how many there
//! are. Stages of the pipeline, or 0: it does not take such.
template <class P>
constexpr int filter_stages() {
  constexpr int stages = pipeline_memory<P>::stages(tuning::filter_stages);
  const bool fits = sizeof(typename P::value_type) <= tuning::filter_pipeline_bytes;  // wider ones spill registers
  return fits && stages >= tuning::filter_min_stages ? stages : 0;
}
//! Are so many tiles enough for the whole device? A CTA a tile is faster otherwise.
template <class P>
bool pipeline_takes(const device& executor, index_t tiles) {
  return filter_stages<P>() > 0 && has_hopper_code(executor.compute_capability()) &&
         tiles >= tuning::filter_tiles_in_pipeline * index_t{executor.multiprocessors()};
}
template <class P, int Stages>
void launch_pipeline(device& executor, const typename P::args_type& args) {
  if constexpr (Stages > 0)
    launch<&sweep_pipeline<P, Stages>>(executor, executor.multiprocessors(), roles<P>::warps * warp_size,
                                       pipeline_memory<P>::bytes(Stages), args);
}
}  // namespace UPSWEEP_NAMESPACE::gpu

namespace UPSWEEP_NAMESPACE::detail {

//! Filters all channels of a batch (gpu::batch_args), of n > 0 items each: in one launch, or in one each where a
//! channel is enough for the whole device. finish(c).start() gives the state in front of a channel; both are called
//! where the executor works.
template <filter_rule R, class Channels, class Lift, class Direction>
void sweep_channels(device& executor, index_t n, const Channels& channels, const Lift& lift, const R& rule, Direction) {
  using Load = decltype(channels.load(0));
  constexpr int warps = filter_warps<R::size>;
  constexpr int side_by_side = channels_of_item<typename Load::template column_type<0>::item_type>;
  constexpr int sample_bytes = gpu::geometry<Load, 1, 16>::all_bytes / side_by_side;
  using Tiles = gpu::geometry<Load, warps, -filter_run_moments<sample_bytes, side_by_side, R::size>>;
  using Powers = powers_for<R, Tiles::per_lane, gpu::tile_level<warps> + 6, side_by_side>;
  using V = typename Powers::value_type;
  using Batch = gpu::batch_args<Channels, Lift, Powers, Direction::reversed>;
  using All = gpu::by_rule<Tiles, Batch>;
  const gpu::current_device here(executor.ordinal());
  const Powers& powers = powers_of<Powers>(rule);
  const index_t tiles = gpu::tiles_of(n, Tiles::tile), count = channels.count;
  const auto workspace = [&](index_t of) { return executor.workspace(gpu::workspace_bytes<V>(tiles, of)); };
  const auto all = [&](const gpu::memory_piece& memory) {
    return Batch{.n = n, .tiles = tiles, .channels = channels, .lift = lift, .m = powers, .workspace = memory};
  };
  if constexpr (!for_matrices<Powers>) {
    constexpr int stages = gpu::filter_stages<All>();
    if (gpu::pipeline_takes<All>(executor, tiles * count))
      return gpu::launch_pipeline<All, stages>(executor, all(workspace(count)));
  } else {
    using Args = gpu::sweep_args<Load, Lift, Powers, decltype(channels.store(0)), decltype(channels.finish(0)),
                                 Direction::reversed>;
    using P = gpu::by_rule<Tiles, Args>;
    constexpr int stages = gpu::filter_stages<P>();
    if (gpu::pipeline_takes<P>(executor, tiles)) {
      for (index_t c = 0; c < count; c++)
        gpu::launch_pipeline<P, stages>(executor, Args{.n = n,
                                                       .tiles = tiles,
                                                       .load = channels.load(c),
                                                       .lift = lift,
                                                       .m = powers,
                                                       .store = channels.store(c),
                                                       .finish = channels.finish(c),
                                                       .workspace = workspace(1)});
      return;
    }
  }
  // By matrices what all wait for is no memory.
  constexpr bool at_once = !for_matrices<Powers>;
  gpu::launch<&gpu::sweep_tilewise<All, gpu::tuning::filter_ctas(sizeof(V), side_by_side), at_once>>(
      executor, tiles * count, warps * gpu::warp_size, gpu::tilewise_shared_bytes<All>,
      all(tiles > 1 ? workspace(count) : gpu::memory_piece{}));
}

}  // namespace UPSWEEP_NAMESPACE::detail

// Sweeps of filters: their shapes, and one or many channels a launch.
#pragma once
#include <cstddef>
#include <cstring>
#include <optional>
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
//! Is a channel of n items enough for the whole device? A CTA a tile is faster otherwise.
template <class P>
bool pipeline_takes(const device& executor, index_t n) {
  constexpr index_t tiles = tuning::filter_tiles_in_pipeline;
  return filter_stages<P>() > 0 && has_hopper_code(executor.compute_capability()) &&
         tiles_of(n, P::geometry::tile) >= tiles * executor.multiprocessors();
}
}  // namespace UPSWEEP_NAMESPACE::gpu

namespace UPSWEEP_NAMESPACE::detail {

//! The powers that a rule takes, computed anew when a thread comes with another one: a signal that comes in pieces is
//! filtered by the same. (8 sections: 0.2 ms.)
template <class Powers, filter_rule R>
const Powers& powers_of(const R& rule) {
  thread_local std::optional<Powers> last;
  if (!last || std::memcmp(&last->rule, &rule, sizeof(R)) != 0) last.emplace(rule);
  return *last;
}

//! Filters all channels of a batch (gpu::batch_args), of n > 0 items each: in one launch, or in one each where a
//! channel is enough for the whole device. finish(c).start() gives the state in front of a channel; both are called
//! where the executor works.
template <filter_rule R, class Channels, class Lift, class Direction>
void sweep_channels(device& executor, index_t n, const Channels& channels, const Lift& lift, const R& rule, Direction) {
  using Load = decltype(channels.load(0));
  constexpr int warps = filter_warps<R::size>;
  using Tiles = gpu::geometry<Load, warps, -filter_run_items<gpu::geometry<Load, 1, 16>::all_bytes, R::size>>;
  using Powers = powers_for<R, Tiles::per_lane, gpu::tile_level<warps> + 6>;
  using V = typename Powers::value_type;
  using Args = gpu::sweep_args<Load, Lift, Powers, decltype(channels.store(0)), decltype(channels.finish(0)),
                               Direction::reversed>;
  using P = gpu::by_rule<Tiles, Args>;
  const gpu::current_device here(executor.ordinal());
  const Powers& powers = powers_of<Powers>(rule);
  const index_t tiles = gpu::tiles_of(n, Tiles::tile);
  constexpr int stages = gpu::filter_stages<P>();
  if constexpr (stages > 0) {
    if (gpu::pipeline_takes<P>(executor, n)) {
      for (index_t c = 0; c < channels.count; c++)
        gpu::launch<&gpu::sweep_pipeline<P, stages>>(
            executor, executor.multiprocessors(), gpu::roles<P>::warps * gpu::warp_size,
            gpu::pipeline_memory<P>::bytes(stages),
            Args{.n = n,
                 .tiles = tiles,
                 .load = channels.load(c),
                 .lift = lift,
                 .m = powers,
                 .store = channels.store(c),
                 .finish = channels.finish(c),
                 .workspace = executor.workspace(gpu::workspace_bytes<V>(tiles))});
      return;
    }
  }
  using Batch = gpu::batch_args<Channels, Lift, Powers, Direction::reversed>;
  using All = gpu::by_rule<Tiles, Batch>;
  const std::size_t workspace = gpu::workspace_bytes<V>(tiles, channels.count);
  gpu::launch<&gpu::sweep_tilewise<All, gpu::tuning::filter_ctas(sizeof(V))>>(
      executor, tiles * channels.count, warps * gpu::warp_size, gpu::tilewise_shared_bytes<All>,
      Batch{.n = n,
            .tiles = tiles,
            .channels = channels,
            .lift = lift,
            .m = powers,
            .workspace = tiles > 1 ? executor.workspace(workspace) : gpu::memory_piece{}});
}

}  // namespace UPSWEEP_NAMESPACE::detail

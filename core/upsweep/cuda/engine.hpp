// The CUDA engine: chooses a kernel by the size of the problem, and launches it. One launch for every size.
#pragma once
#include <cstddef>
#include <cstring>
#include <iterator>
#include <optional>
#include <type_traits>
#include <utility>

#include <upsweep/config.hpp>
#include <upsweep/cuda/device.hpp>
#include <upsweep/cuda/launch.hpp>
#include <upsweep/cuda/pipeline.hpp>
#include <upsweep/cuda/tilewise.hpp>
#include <upsweep/cuda/tuning.hpp>
#include <upsweep/stages.hpp>

namespace upsweep::inline UPSWEEP_ABI::gpu {

//! The geometries of a sweep, chosen from the tuning table.
template <class Args>
struct shapes {
  using Load = typename Args::load_type;
  using V = typename Args::value_type;
  using M = typename Args::monoid_type;
  using Store = typename Args::store_type;
  static constexpr int item_bytes = geometry<Load, 1, 16>::all_bytes;

  //! One CTA a tile. A lane's share is less where results are wider than items and need a space of their own.
  static constexpr int share(int lane_bytes) {
    constexpr int results = staged_bytes<Store>;
    return item_bytes > 0 && results > item_bytes ? (lane_bytes * item_bytes + results - 1) / results : lane_bytes;
  }
  static constexpr tuning::tilewise_shape small = tuning::small_tiles(item_bytes, sizeof(V)),
                                          middle = tuning::middle_tiles(sizeof(V));
  using small_tiles = geometry<Load, small.warps, share(small.lane_bytes)>;
  using middle_tiles = geometry<Load, middle.warps, share(middle.lane_bytes)>;
  static_assert(tilewise_shared_bytes<middle_tiles, Store, M> <= 227 * 1024,
                "a tile's items and results do not fit shared memory");

  static constexpr tuning::pipeline_shape large =
      tuning::pipeline(item_bytes, sizeof(V), !std::is_same_v<Store, discard_t>, only_counts<V>);
  template <int Choice>
  using choice = geometry<Load, large.warps, large.lane_bytes[Choice]>;
  static constexpr int best = []<int... I>(std::integer_sequence<int, I...>) {
    const int stages[] = {pipeline_memory<choice<I>, Store, M>::stages(large.max_stages)...},
              bytes[] = {choice<I>::slot...};
    int most = 0;
    for (int k = 0; k < static_cast<int>(sizeof...(I)); k++) {
      if (stages[k] >= large.min_stages && stages[k] * bytes[k] >= large.min_bytes) return k;
      if (stages[k] * bytes[k] > stages[most] * bytes[most]) most = k;
    }
    return most;
  }(std::make_integer_sequence<int, static_cast<int>(std::size(large.lane_bytes))>{});
  using pipeline = choice<best>;
  static constexpr int stages = pipeline_memory<pipeline, Store, M>::stages(large.max_stages);
  static constexpr bool has_pipeline = sizeof(V) <= tuning::pipeline_value_bytes &&
                                       packed_ranges<Store> <= tuning::pipeline_runs && stages >= large.min_stages &&
                                       item_bytes > 0;
};

template <class Args>
void sweep(device& executor, Args args) {
  using S = shapes<Args>;
  using V = typename Args::value_type;
  using M = typename Args::monoid_type;
  using Store = typename Args::store_type;
  const current_device here(executor.ordinal());
  if constexpr (S::has_pipeline) {
    using G = typename S::pipeline;
    if (has_hopper_code(executor.compute_capability()) && args.n >= tuning::pipeline_from_bytes / S::item_bytes) {
      args.tiles = tiles_of(args.n, G::tile);
      args.workspace = executor.workspace(workspace_bytes<V>(args.tiles));
      const index_t ctas = args.tiles < executor.multiprocessors() ? args.tiles : executor.multiprocessors();
      return launch<&sweep_pipeline<G, S::stages, Args>>(executor, ctas, roles_of<G, Args>::warps * warp_size,
                                                         pipeline_memory<G, Store, M>::bytes(S::stages), args);
    }
  }
  const auto one_cta_a_tile = [&]<class G, int MinCtas>(std::type_identity<G>, std::integral_constant<int, MinCtas>) {
    args.tiles = tiles_of(args.n, G::tile);
    args.workspace = args.tiles > 1 ? executor.workspace(workspace_bytes<V>(args.tiles)) : workspace_block{};
    launch<&sweep_tilewise<G, MinCtas, Args>>(executor, args.tiles, G::warps * warp_size,
                                              tilewise_shared_bytes<G, Store, M>, args);
  };
  if (args.n * S::item_bytes <= tuning::small_to_bytes)
    one_cta_a_tile(std::type_identity<typename S::small_tiles>{}, std::integral_constant<int, S::small.min_ctas>{});
  else
    one_cta_a_tile(std::type_identity<typename S::middle_tiles>{}, std::integral_constant<int, S::middle.min_ctas>{});
}

//! Sweeps of recurrences. Their tiles have one shape for all sizes, so that what is computed of a block of tiles does
//! not depend on how many there are. Stages of the pipeline, or 0: it does not take such.
template <class G, class Args>
constexpr int runs_stages() {
  constexpr int stages =
      pipeline_memory<G, typename Args::store_type, typename Args::monoid_type>::stages(tuning::filter_stages);
  const bool fits = sizeof(typename Args::value_type) <= tuning::filter_pipeline_bytes;  // wider ones spill registers
  return fits && stages >= tuning::filter_min_stages ? stages : 0;
}
//! Is a channel of n items enough for the whole device? A CTA a tile is faster otherwise.
template <class G, class Args>
bool pipeline_takes_runs(const device& executor, index_t n) {
  constexpr index_t tiles = tuning::filter_tiles_in_pipeline;
  return runs_stages<G, Args>() > 0 && has_hopper_code(executor.compute_capability()) &&
         tiles_of(n, G::tile) >= tiles * executor.multiprocessors();
}
template <class G, class Args>
void sweep_runs_in_pipeline(device& executor, Args args) {
  constexpr int stages = runs_stages<G, Args>();
  if constexpr (stages > 0) {
    args.tiles = tiles_of(args.n, G::tile);
    args.workspace = executor.workspace(workspace_bytes<typename Args::value_type>(args.tiles));
    launch<&sweep_pipeline<G, stages, Args>>(
        executor, executor.multiprocessors(), roles_of<G, Args>::warps * warp_size,
        pipeline_memory<G, typename Args::store_type, typename Args::monoid_type>::bytes(stages), args);
  }
}
//! A CTA a tile, of all channels of a batch.
template <class G, class Args>
void sweep_runs_by_tiles(device& executor, Args args) {
  using V = typename Args::value_type;
  const index_t channels = args.channels.count;
  args.tiles = tiles_of(args.n, G::tile);
  args.workspace = args.tiles > 1 ? executor.workspace(workspace_bytes<V>(args.tiles, channels)) : workspace_block{};
  launch<&sweep_tilewise<G, tuning::filter_ctas(sizeof(V)), Args>>(
      executor, args.tiles * channels, G::warps * warp_size,
      tilewise_shared_bytes<G, typename Args::store_type, typename Args::monoid_type>, args);
}

}  // namespace upsweep::inline UPSWEEP_ABI::gpu

namespace upsweep::inline UPSWEEP_ABI::detail {

//! The powers that a rule takes, computed anew when a thread comes with another one: a signal that comes in pieces is
//! filtered by the same. (8 sections: 0.2 ms.)
template <class Powers, recurrence R>
const Powers& powers_of(const R& rule) {
  thread_local std::optional<Powers> last;
  if (!last || std::memcmp(&last->rule, &rule, sizeof(R)) != 0) last.emplace(rule);
  return *last;
}

//! The tiles of a sweep of a recurrence, and the powers that it takes.
template <recurrence R, class Load>
struct recurrence_sweep {
  static constexpr int warps = filter_warps<R::size>;
  using tiles = gpu::geometry<Load, warps, -filter_run_items<gpu::geometry<Load, 1, 16>::all_bytes, R::size>>;
  using powers = spanning_of<R, tiles::per_lane, gpu::tile_level<warps> + 6>;
};

//! A sweep of a recurrence over all channels of a batch (gpu::batch_args), of n > 0 items each: in one launch, or in
//! one each where a channel is enough for the whole device. finish(c).start() gives the state in front of a channel;
//! both are called where the executor works.
template <recurrence R, class Channels, class Lift, class Direction>
void sweep_recurrences(device& executor, index_t n, const Channels& channels, const Lift& lift, const R& rule,
                       Direction) {
  using Load = decltype(channels.load(0));
  using S = recurrence_sweep<R, Load>;
  using Tiles = typename S::tiles;
  using Powers = typename S::powers;
  using Args = gpu::sweep_args<Load, Lift, Powers, decltype(channels.store(0)), decltype(channels.finish(0)),
                               Direction::reversed>;
  const gpu::current_device here(executor.ordinal());
  const Powers& powers = powers_of<Powers>(rule);
  if (!gpu::pipeline_takes_runs<Tiles, Args>(executor, n))
    return gpu::sweep_runs_by_tiles<Tiles>(
        executor, gpu::batch_args<Channels, Lift, Powers, Direction::reversed>{n, 0, channels, lift, powers, {}});
  for (index_t c = 0; c < channels.count; c++)
    gpu::sweep_runs_in_pipeline<Tiles>(
        executor, Args{n, 0, channels.load(c), lift, powers, channels.store(c), channels.finish(c), {}});
}

template <class Load, class Lift, class M, class Store, class Finish, class Direction>
void sweep(device& executor, index_t n, const Load& load, const Lift& lift, const M& m, const Store& store,
           const Finish& finish, Direction) {
  using V = typename M::value_type;
  if (n == 0) {
    const gpu::current_device here(executor.ordinal());
    return gpu::launch<&gpu::sweep_nothing<V, Finish>>(executor, 1, 1, 0, finish, static_cast<V>(m.identity()));
  }
  gpu::sweep(executor, gpu::sweep_args<Load, Lift, M, Store, Finish, Direction::reversed>{
                           n, 0, load, lift, m, store, finish, {}});
}

}  // namespace upsweep::inline UPSWEEP_ABI::detail

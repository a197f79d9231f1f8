// The CUDA engine: chooses a kernel by the size of the problem, and launches it. One launch for every size, but for
// monoids that fold freely (fold_freely.hpp).
#pragma once
#include <cstddef>
#include <type_traits>
#include <utility>

#include <upsweep/config.hpp>
#include <upsweep/cuda/by_monoid.hpp>
#include <upsweep/cuda/device.hpp>
#include <upsweep/cuda/fold_alone.hpp>
#include <upsweep/cuda/fold_freely.hpp>
#include <upsweep/cuda/launch.hpp>
#include <upsweep/cuda/pipeline.hpp>
#include <upsweep/cuda/sweep_args.hpp>
#include <upsweep/cuda/tilewise.hpp>
#include <upsweep/cuda/tuning.hpp>
#include <upsweep/stages.hpp>

namespace UPSWEEP_NAMESPACE::gpu {

//! Does a sweep write little or nothing beside what it reads? Functions of each item that walk on by themselves do not.
template <class Store, class V>
inline constexpr bool writes_little = std::is_same_v<Store, discard_t>;
template <class F, class V>
inline constexpr bool writes_little<each_store<F>, V> = detail::walks_on<F, V>;

//! The policy of sweeps whose items are lifted by `Lift`, and the shapes of their tiles. A family of algorithms may
//! choose others for a lift of its own.
template <class Lift>
struct combining_of {
  template <class G, class Args>
  using policy = by_monoid<G, Args>;
  static constexpr tuning::tilewise_shape small(int item_bytes, int value_bytes) {
    return tuning::small_tiles(item_bytes, value_bytes);
  }
  static constexpr tuning::tilewise_shape middle(int, int value_bytes) { return tuning::middle_tiles(value_bytes); }
  static constexpr bool has_large_tiles(int item_bytes, int value_bytes) {
    return tuning::has_large_tiles(item_bytes, value_bytes);
  }
  static constexpr tuning::pipeline_shape pipeline(const tuning::sweep_sizes& sizes) { return tuning::pipeline(sizes); }
  static constexpr int pipeline_value_bytes = tuning::pipeline_value_bytes;
};

//! The geometries of a sweep, chosen from the tuning table.
template <class Args>
struct shapes {
  using Combining = combining_of<typename Args::lift_type>;
  template <class G>
  using policy = typename Combining::template policy<G, Args>;
  using Load = typename Args::load_type;
  using V = typename Args::value_type;
  using Store = typename Args::store_type;
  static constexpr int item_bytes = geometry<Load, 1, 16>::all_bytes;

  //! One CTA a tile. A lane's share is less where results are wider than items and need a space of their own.
  static constexpr int share(int lane_bytes) {
    constexpr int results = staged_bytes<Store>;
    return item_bytes > 0 && results > item_bytes ? (lane_bytes * item_bytes + results - 1) / results : lane_bytes;
  }
  static constexpr tuning::tilewise_shape small = Combining::small(item_bytes, sizeof(V)),
                                          middle = Combining::middle(item_bytes, sizeof(V));
  using small_tiles = geometry<Load, small.warps, share(small.lane_bytes)>;
  using middle_tiles = geometry<Load, middle.warps, share(middle.lane_bytes)>;
  static_assert(tilewise_shared_bytes<policy<middle_tiles>> <= 227 * 1024,
                "a tile's items and results do not fit shared memory");
  template <tuning::tilewise_shape Shape>
  using older_tiles = geometry<Load, Shape.warps, share(Shape.lane_bytes)>;
  template <tuning::tilewise_shape Shape>
  static constexpr bool fits_older = tilewise_shared_bytes<policy<older_tiles<Shape>>> <= tuning::shared_of_older;
  static constexpr bool wide = item_bytes >= 8 * Load::width && !std::is_arithmetic_v<V>;
  static constexpr tuning::tilewise_shape large =
      fits_older<tuning::large_tiles(wide)> ? tuning::large_tiles(wide) : tuning::less_large_tiles(wide);
  using large_tiles = older_tiles<large>;
  static constexpr bool has_large_tiles = [] {
    if constexpr (!Combining::has_large_tiles(item_bytes, sizeof(V))) return false;
    else return fits_older<large>;
  }();

  static constexpr tuning::pipeline_shape ring = Combining::pipeline({.item_bytes = item_bytes,
                                                                      .value_bytes = sizeof(V),
                                                                      .columns = Load::width,
                                                                      .stores = !writes_little<Store, V>,
                                                                      .only_counts = only_counts<V>,
                                                                      .several_rows = detail::is_several_v<Store>});
  template <int Choice>
  using choice = policy<geometry<Load, ring.warps, ring.lane_bytes[Choice]>>;
  static constexpr int best = []<int... I>(std::integer_sequence<int, I...>) {
    const int stages[] = {pipeline_memory<choice<I>>::stages(ring.max_stages)...},
              bytes[] = {choice<I>::geometry::slot...};
    int most = 0;
    for (int k = 0; k < static_cast<int>(sizeof...(I)); k++) {
      if (stages[k] >= ring.min_stages && stages[k] * bytes[k] >= ring.min_bytes) return k;
      if (stages[k] * bytes[k] > stages[most] * bytes[most]) most = k;
    }
    return most;
  }(std::make_integer_sequence<int, static_cast<int>(std::size(ring.lane_bytes))>{});
  using pipeline = choice<best>;
  static constexpr int stages = pipeline_memory<pipeline>::stages(ring.max_stages);
  static constexpr bool has_pipeline = sizeof(typename pipeline::value_type) <= Combining::pipeline_value_bytes &&
                                       packed_ranges<Store> <= tuning::pipeline_runs && stages >= ring.min_stages &&
                                       item_bytes > 0;
};

}  // namespace UPSWEEP_NAMESPACE::gpu

namespace UPSWEEP_NAMESPACE::detail {

template <class Load, class Lift, class M, class Store, class Finish, class Direction>
void sweep(device& executor, index_t n, const Load& load, const Lift& lift, const M& m, const Store& store,
           const Finish& finish, Direction) {
  using V = typename M::value_type;
  using Args = gpu::sweep_args<Load, Lift, M, Store, Finish, Direction::reversed>;
  using S = gpu::shapes<Args>;
  const gpu::current_device here(executor.ordinal());
  if (n == 0)
    return gpu::launch<&gpu::sweep_nothing<V, Finish>>(executor, 1, 1, 0, finish, static_cast<V>(m.identity()));
  if constexpr (gpu::folds_freely<Load, Lift, M, Store>) {
    if (n > gpu::tuning::free_folds_from) {
      const auto folds = gpu::fold_freely(executor, get<0>(load.columns).range.data, n, m);
      return sweep(executor, folds.size, contiguous(folds), lift, m, store, finish, Direction{});
    }
  }
  Args args{.n = n, .tiles = 0, .load = load, .lift = lift, .m = m, .store = store, .finish = finish, .workspace = {}};
  if constexpr (gpu::folds_alone<Args>) {
    if (n <= gpu::lone_items) return gpu::launch<&gpu::fold_alone<Args>>(executor, 1, gpu::threads_of_fold(n), 0, args);
  }
  if constexpr (S::has_pipeline) {
    using P = typename S::pipeline;
    if (gpu::has_hopper_code(executor.compute_capability()) && n >= S::ring.from_bytes / S::item_bytes) {
      args.tiles = gpu::tiles_of(n, P::geometry::tile);
      args.workspace = executor.workspace(gpu::workspace_bytes<V>(args.tiles));
      const index_t ctas = executor.multiprocessors();
      return gpu::launch<&gpu::sweep_pipeline<P, S::stages>>(executor, args.tiles < ctas ? args.tiles : ctas,
                                                             gpu::roles<P>::warps * gpu::warp_size,
                                                             gpu::pipeline_memory<P>::bytes(S::stages), args);
    }
  }
  const auto one_cta_a_tile = [&]<class G, gpu::tuning::tilewise_shape Shape>(
                                  std::type_identity<G>, std::integral_constant<gpu::tuning::tilewise_shape, Shape>) {
    using P = typename S::template policy<G>;
    args.tiles = gpu::tiles_of(n, G::tile);
    args.workspace = args.tiles > 1 ? executor.workspace(gpu::workspace_bytes<V>(args.tiles)) : gpu::memory_piece{};
    gpu::launch<&gpu::sweep_tilewise<P, Shape.min_ctas, Shape.at_once>>(executor, args.tiles, G::warps * gpu::warp_size,
                                                                        gpu::tilewise_shared_bytes<P>, args);
  };
  using gpu::tuning::tilewise_shape;
  if constexpr (S::has_large_tiles) {
    constexpr long long from_bytes = gpu::tuning::large_tiles_from(Load::width, sizeof(V));
    if (n >= from_bytes / S::item_bytes && !gpu::has_hopper_code(executor.compute_capability()))
      return one_cta_a_tile(std::type_identity<typename S::large_tiles>{},
                            std::integral_constant<tilewise_shape, S::large>{});
  }
  if (n * S::item_bytes <= gpu::tuning::small_to_bytes)
    one_cta_a_tile(std::type_identity<typename S::small_tiles>{}, std::integral_constant<tilewise_shape, S::small>{});
  else
    one_cta_a_tile(std::type_identity<typename S::middle_tiles>{}, std::integral_constant<tilewise_shape, S::middle>{});
}

}  // namespace UPSWEEP_NAMESPACE::detail

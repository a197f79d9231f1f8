// Quicksort on the device. Few items are sorted by one CTA (merge_units.hpp), more by a cluster, by ranks
// (sort_ranks.hpp) or in shares, or in shares by all CTAs at once (sort_shares.hpp): one launch. Many are split around
// sampled pivots (split.hpp, by_pivots.hpp), until what is left fits a CTA: two launches.
#pragma once
#include <cstdint>

#include <upsweep/config.hpp>
#include <upsweep/cuda/launch.hpp>
#include <upsweep/scratch.hpp>
#include <upsweep/sort/cuda/by_pivots.hpp>
#include <upsweep/sort/cuda/merge_units.hpp>
#include <upsweep/sort/cuda/merged_shares.hpp>
#include <upsweep/sort/cuda/sort_ranks.hpp>
#include <upsweep/sort/cuda/split_launch.hpp>
#include <upsweep/sort/cuda/tuning.hpp>

namespace UPSWEEP_NAMESPACE::detail {

//! The shapes and the rule that sort items of a type.
template <class T, class Less>
struct device_sort {
  template <gpu::tuning::sort_shape Of>
  using shape = gpu::tile_shape<Of.warps, Of.rows, Of.ctas>;
  template <class Shape>
  using sorter = gpu::tile_sorter<Shape::warps, Shape::rows, T, Less>;
  using few = shape<gpu::tuning::few_units(sizeof(T))>;
  using ranked = shape<gpu::tuning::ranked_units(sizeof(T))>;
  using share = shape<gpu::tuning::share_units(sizeof(T))>;
  using unit = shape<gpu::tuning::merge_units(sizeof(T))>;
  using tile = shape<gpu::tuning::pivot_tiles(sizeof(T))>;
  using rule = gpu::pivot_rule<T, Less, unit::tile, tile::tile>;
};

//! Sorts what fits one CTA.
template <class Unit, class T, class Less>
void sort_unit(device& executor, const T* in, T* out, index_t n, const Less& less) {
  gpu::launch<&gpu::merge_units_kernel<T, Less, Unit>>(
      executor, 1, Unit::threads, sizeof(typename gpu::tile_sorter<Unit::warps, Unit::rows, T, Less>::shared_memory),
      gpu::merge_units_args<T, Less>{{out, nullptr, nullptr}, in, n, less, nullptr, nullptr});
}

template <class T, class Less>
void sort_by_less(device& executor, const T* in, T* out, index_t n, const Less& less) {
  using Sort = device_sort<T, Less>;
  using Few = typename Sort::few;
  using Share = typename Sort::share;
  using Unit = typename Sort::unit;
  using Tile = typename Sort::tile;
  using Rule = typename Sort::rule;
  constexpr auto merge_units = &gpu::merge_units_kernel<T, Less, Unit>;
  constexpr int shared = sizeof(typename Sort::template sorter<Unit>::shared_memory);
  const gpu::current_device here(executor.ordinal());
  if (n <= Few::tile) return sort_unit<Few>(executor, in, out, n, less);
  if (gpu::sort_by_ranks<typename Sort::ranked>(executor, in, out, n, less)) return;
  if (gpu::sort_in_shares<Few, true>(executor, in, out, n, less, gpu::tuning::cluster_plans)) return;
  if (n <= Unit::tile) return sort_unit<Unit>(executor, in, out, n, less);
  if (gpu::sort_in_shares<Few, false>(executor, in, out, n, less, gpu::tuning::few_share_plans) ||
      gpu::sort_in_shares<Share, false>(executor, in, out, n, less, gpu::tuning::share_plans))
    return;
  Rule rule{in, {nullptr, out}, n, {}, {}, less};
  gpu::split_run<Rule, Tile> split(executor, rule, n, Unit::tile);
  in_scratch(executor, [&](scratch_cutter& scratch) {
    rule.moved[0] = scratch.take<T>(n);
    rule.kept = scratch.take<std::uint8_t>(n);
    rule.trees = scratch.take<T>(index_t{split.memory.most_segments} << Rule::most_levels);
    split.cut(scratch);
  });
  split.launch(executor, rule);
  gpu::launch<merge_units>(
      executor, gpu::ctas_for_units(executor, n, Unit::tile), Unit::threads, shared,
      gpu::merge_units_args<T, Less>{{out, rule.moved[0], out}, out, n, less, split.memory.state, split.memory.units});
}

}  // namespace UPSWEEP_NAMESPACE::detail

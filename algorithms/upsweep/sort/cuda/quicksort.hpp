// Quicksort on the device: splits around many sampled pivots (split.hpp, by_pivots.hpp), until what is left fits a CTA,
// which sorts it by merging (merge_units.hpp). Two launches; one for up to a unit.
#pragma once
#include <cstdint>

#include <upsweep/config.hpp>
#include <upsweep/cuda/launch.hpp>
#include <upsweep/scratch.hpp>
#include <upsweep/sort/cuda/by_pivots.hpp>
#include <upsweep/sort/cuda/merge_units.hpp>
#include <upsweep/sort/cuda/split_launch.hpp>
#include <upsweep/sort/cuda/tuning.hpp>

namespace UPSWEEP_NAMESPACE::detail {

//! The shapes and the rule that sort items of a type.
template <class T, class Less>
struct device_sort {
  static constexpr gpu::tuning::sort_shape units = gpu::tuning::merge_units(sizeof(T)),
                                           tiles = gpu::tuning::pivot_tiles(sizeof(T));
  using unit = gpu::tile_shape<units.warps, units.rows, units.ctas>;
  using tile = gpu::tile_shape<tiles.warps, tiles.rows, tiles.ctas>;
  using rule = gpu::pivot_rule<T, Less, unit::tile, tile::tile>;
};

template <class T, class Less>
void sort_by_less(device& executor, T* items, index_t n, const Less& less) {
  using Unit = typename device_sort<T, Less>::unit;
  using Tile = typename device_sort<T, Less>::tile;
  using Rule = typename device_sort<T, Less>::rule;
  constexpr auto merge_units = &gpu::merge_units_kernel<T, Less, Unit>;
  constexpr int shared = sizeof(typename gpu::tile_sorter<Unit::warps, Unit::rows, T, Less>::shared_memory);
  const gpu::current_device here(executor.ordinal());
  if (n <= Unit::tile) {
    const gpu::merge_units_args<T, Less> all{{items, nullptr, nullptr}, n, less, nullptr, nullptr};
    return gpu::launch<merge_units>(executor, 1, Unit::threads, shared, all);
  }
  Rule rule{{items, nullptr, items}, n, {}, {}, less};
  gpu::split_run<Rule, Tile> split(executor, rule, n, Unit::tile);
  in_scratch(executor, [&](scratch_cutter& scratch) {
    rule.items[1] = scratch.take<T>(n);
    rule.kept = scratch.take<std::uint8_t>(n);
    rule.trees = scratch.take<T>(index_t{split.memory.most_segments} << Rule::most_levels);
    split.cut(scratch);
  });
  split.launch(executor, rule);
  gpu::launch<merge_units>(
      executor, gpu::ctas_for_units(executor, n, Unit::tile), Unit::threads, shared,
      gpu::merge_units_args<T, Less>{{items, rule.items[1], items}, n, less, split.memory.state, split.memory.units});
}

}  // namespace UPSWEEP_NAMESPACE::detail

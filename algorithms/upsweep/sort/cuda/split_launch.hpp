// Launching a split (split.hpp), and the memory that it needs.
#pragma once
#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

#include <upsweep/config.hpp>
#include <upsweep/cuda/launch.hpp>
#include <upsweep/cuda/protocol.hpp>
#include <upsweep/scratch.hpp>
#include <upsweep/sort/cuda/split.hpp>
#include <upsweep/sort/cuda/tuning.hpp>

namespace UPSWEEP_NAMESPACE::gpu {

//! A split of n items by a rule until units are left: what it needs of memory, and its launch.
//! Rule::most_units(s) bounds the units that may be left of s units' length, rounded up.
template <class Rule, class Shape>
class split_run {
 public:
  split_run(device& executor, const Rule& rule, index_t n, int unit_length,
            index_t most_segments = tuning::most_segments)
      : tiles_(tiles_of(n, Shape::tile)) {
    const index_t most_queued = n / unit_length + 1;  // each is more than a unit
    ctas_ = static_cast<int>(std::min<index_t>(resident_ctas<kernel>(executor, Shape::threads, shared), tiles_));
    // Not `ctas_`, which another kernel may have more of: the memory would grow, and be lost, between two sorts.
    most_ctas_ = std::min<index_t>(tiles_, index_t{2048 / Shape::threads} * executor.multiprocessors());
    memory.most_units = rule.most_units(most_queued);
    memory.head = reinterpret_cast<progress*>(executor.workspace(sizeof(progress)).data);
    memory.unit_length = unit_length;
    memory.counting = {};
    memory.is_second = memory.is_queued = false;
    memory.most_segments = static_cast<int>(std::min<index_t>(most_segments, most_queued));
    const auto queue = static_cast<std::uint64_t>(most_queued + memory.most_segments + 1);
    memory.queue_mask = static_cast<index_t>(std::bit_ceil(queue)) - 1;
  }
  split_memory<typename Rule::known> memory;

  void cut(detail::scratch_cutter& scratch) {
    const index_t segments = memory.most_segments;
    memory.state = scratch.take<split_state>(1);
    memory.queue = scratch.take<segment_to_split<typename Rule::known>>(memory.queue_mask + 1);
    memory.units = scratch.take<unit_to_sort>(memory.most_units);
    memory.owners = scratch.take<tile_owner>(tiles_ + segments);
    memory.before_tile = scratch.take<std::uint32_t>((tiles_ + segments) * digit_values);
    memory.part_counts = scratch.take<std::uint32_t>((most_ctas_ + segments) * digit_values);
    memory.part_places = scratch.take<index_t>((most_ctas_ + segments) * digit_values);
    for (auto& totals : memory.totals) totals = scratch.take<unsigned long long>(segments * digit_values);
  }
  void launch(device& executor, const Rule& rule) const { launch_in(executor, rule, memory); }
  void launch_in(device& executor, const Rule& rule, const split_memory<typename Rule::known>& where) const {
    launch_together<kernel>(executor, ctas_, Shape::threads, shared, split_args<Rule>{rule, where});
  }

 private:
  static constexpr auto kernel = &split_kernel<Rule, Shape>;
  static constexpr int shared = sizeof(typename splitter<Rule, Shape>::shared_memory);
  static_assert(shared + sizeof(typename splitter<Rule, Shape>::shared_state) <= 1024 * tuning::shared_of_a_cta(),
                "a CTA has not so much shared memory");
  index_t tiles_, most_ctas_;
  int ctas_;
};

//! CTAs for the units that a split of n items leaves.
inline index_t ctas_for_units(const device& executor, index_t n, int unit_length) {
  return std::min<index_t>(4 * tiles_of(n, unit_length) + 1, index_t{8} * executor.multiprocessors());
}

}  // namespace UPSWEEP_NAMESPACE::gpu

// Reduce, then scan (Dotsenko et al. 2008): up to 1,024 parts are first only summed up; the sums are scanned; then
// every part is scanned from the sum before it. The first pass writes nothing, so that three words an item move and not
// four.
//   Work 2n and the blocks' scans. Reads each item twice and writes it once. Three launches.
//   Depth of the order of log n up to 1,024 tiles, a part each. From there on of n: a part's tiles follow one another.
#pragma once
#include <upsweep/classic/block_scans.hpp>
#include <upsweep/classic/block_sums.hpp>
#include <upsweep/classic/machine.hpp>
#include <upsweep/classic/reductions.hpp>
#include <upsweep/config.hpp>
#include <upsweep/monoid.hpp>

namespace UPSWEEP_NAMESPACE::classic {

template <class In, class Sums, class M>
struct sum_of_part {
  using T = typename M::value_type;
  static constexpr int items = tile_items<T>;
  struct shared {
    shuffles::memory<T, items> block;
    T sum;
  };
  In in;
  Sums sums;
  index_t n, part_items;
  M m;
  UPSWEEP_CALLS_USER
  template <class Team>
  UPSWEEP_HD void operator()(const Team& team, index_t part, shared* memory) const {
    const index_t begin = part * part_items, end = begin + count_in_block(n - begin, part_items);
    for (index_t first = begin; first < end; first += items) {
      fill_block<items>(team, in, first, end, memory->block.items(), m);
      const T* const sum = by_rows::reduce<items>(team, memory->block, m);
      team.once([&] { memory->sum = first == begin ? *sum : m(memory->sum, *sum); });
    }
    team.once([&] { sums[part] = memory->sum; });
  }
};

template <class In, class Out, class Sums, class M>
struct scan_part {
  using T = typename M::value_type;
  static constexpr int items = tile_items<T>;
  struct shared {
    shuffles::memory<T, items> block;
    T before;
  };
  In in;
  Out out;
  Sums sums;
  index_t n, part_items;
  M m;
  UPSWEEP_CALLS_USER
  template <class Team>
  UPSWEEP_HD void operator()(const Team& team, index_t part, shared* memory) const {
    const index_t begin = part * part_items, end = begin + count_in_block(n - begin, part_items);
    T* const values = memory->block.items();
    team.once([&] { memory->before = part == 0 ? m.identity() : static_cast<T>(sums[part - 1]); });
    for (index_t first = begin; first < end; first += items) {
      fill_block<items>(team, in, first, end, values, m);
      shuffles::scan<items>(team, memory->block, m);
      team.for_all(count_in_block(end - first, items),
                   [&](index_t i) { out[first + i] = m(memory->before, values[i]); });
      team.once([&] { memory->before = m(memory->before, values[items - 1]); });
    }
  }
};

//! As inclusive_scan.
template <executor Executor, contiguous_range In, contiguous_range Out, monoid M = detail::default_sum<In>,
          class Witness = nobody>
void reduce_then_scan(Executor&& executor, const In& in, Out&& out, const M& m = {}, const Witness& witness = {}) {
  scan_on<M>(
      executor, detail::input("in", in), UPSWEEP_OUTPUT(out), witness,
      [&](const auto& machine, index_t n, auto from, auto to) {
        using T = typename M::value_type;
        constexpr index_t items = tile_items<T>, most_parts = block_items;
        const index_t tiles = (n + items - 1) / items;
        const index_t part_items = (tiles + most_parts - 1) / most_parts * items;
        const index_t parts = (n + part_items - 1) / part_items;
        auto [piece] = machine.template lend<T>(parts + 1);
        const auto sums = machine.memory(piece);
        using Sums = decltype(machine.memory(piece));
        using sum = sum_of_part<decltype(from), Sums, M>;
        using scan_sums = scan_one_block<shuffles, Sums, Sums, Sums, M>;
        using scan = scan_part<decltype(from), decltype(to), Sums, M>;
        machine.by_blocks(parts, sum{.in = from, .sums = sums, .n = n, .part_items = part_items, .m = m});
        machine.by_blocks(
            1, scan_sums{.in = sums, .out = sums, .sums = sums + parts, .n = parts, .is_exclusive = false, .m = m});
        machine.by_blocks(parts, scan{.in = from, .out = to, .sums = sums, .n = n, .part_items = part_items, .m = m});
      });
}

}  // namespace UPSWEEP_NAMESPACE::classic

// Blocks of any number, by scanning their sums (Harris, Sengupta and Owens 2007): every block is scanned by a team in
// memory of its own, the blocks' sums are scanned in the same way, and each is added to the block behind it. Three
// launches a level: what blocks have to tell each other waits for the end of a launch.
//   Work that of the blocks' scans, and n additions. Reads and writes each item twice, and 1/1024 of that for the sums.
//   Depth by trees 2·log n − 1 (for n a power of 1,024), that of one tree over all items: 19 a level, and 1 to add.
#pragma once
#include <upsweep/classic/block_scans.hpp>
#include <upsweep/classic/machine.hpp>
#include <upsweep/config.hpp>
#include <upsweep/monoid.hpp>

namespace UPSWEEP_NAMESPACE::classic {

template <class Scan, class In, class Out, class Sums, class M>
struct scan_one_block {
  using T = typename M::value_type;
  using shared = typename Scan::template memory<T, block_items>;
  In in;
  Out out;
  Sums sums;
  index_t n;
  bool is_exclusive;
  M m;
  UPSWEEP_CALLS_USER
  template <class Team>
  UPSWEEP_HD void operator()(const Team& team, index_t b, shared* block) const {
    const index_t first = b * block_items;
    const auto values = block->items();
    fill_block<block_items>(team, in, first, n, values, m);
    Scan::template scan<block_items>(team, *block, m);
    team.for_all(count_in_block(n - first, block_items), [&](index_t i) {
      if (!is_exclusive) out[first + i] = values[i];
      else if (i == 0) out[first] = m.identity();
      else out[first + i] = values[i - 1];
    });
    team.once([&] { sums[b] = values[block_items - 1]; });
  }
};

template <class Out, class Sums, class M>
struct add_sum_before {
  struct shared {};
  Out out;
  Sums sums;
  index_t n;
  M m;
  UPSWEEP_CALLS_USER
  template <class Team>
  UPSWEEP_HD void operator()(const Team& team, index_t before, shared*) const {
    using T = typename M::value_type;
    const index_t first = (before + 1) * block_items;
    const T sum = sums[before];  // NOLINT(clang-analyzer-core.*): there are sums where there are blocks
    team.for_all(count_in_block(n - first, block_items), [&](index_t i) {
      const T value = static_cast<T>(out[first + i]);
      out[first + i] = m(sum, value);
    });
  }
};

//! The level of n items, whose blocks' sums begin at `sums`, those of the next level behind them.
template <class Scan, class Machine, class In, class Out, class Sums, class M>
void scan_level(const Machine& machine, index_t n, In in, Out out, Sums sums, const M& m, bool is_exclusive) {
  const index_t blocks = blocks_of(n);
  using one_block = scan_one_block<Scan, In, Out, Sums, M>;
  machine.by_blocks(blocks,
                    one_block{.in = in, .out = out, .sums = sums, .n = n, .is_exclusive = is_exclusive, .m = m});
  if (blocks == 1) return;
  scan_level<Scan>(machine, blocks, sums, sums, sums + blocks, m, false);
  machine.by_blocks(blocks - 1, add_sum_before<Out, Sums, M>{out, sums, n, m});
}

template <class Scan, class Machine, class In, class Out, class M>
void scan_by_block_sums(const Machine& machine, index_t n, In in, Out out, const M& m, bool is_exclusive) {
  auto [sums] = machine.template lend<typename M::value_type>(count_sums(n));
  scan_level<Scan>(machine, n, in, out, machine.memory(sums), m, is_exclusive);
}

//! As inclusive_scan. `Scan` is how a block is scanned: trees, padded_trees, shuffles.
//!   upsweep::classic::block_sums<upsweep::classic::padded_trees>(exec, in, out);
template <class Scan, executor Executor, contiguous_range In, contiguous_range Out, monoid M = detail::default_sum<In>,
          class Witness = nobody>
void block_sums(Executor&& executor, const In& in, Out&& out, const M& m = {}, const Witness& witness = {}) {
  scan_on<M>(executor, detail::input("in", in), UPSWEEP_OUTPUT(out), witness,
             [&](const auto& machine, index_t n, auto from, auto to) {
               scan_by_block_sums<Scan>(machine, n, from, to, m, false);
             });
}
//! As exclusive_scan.
template <class Scan, executor Executor, contiguous_range In, contiguous_range Out, monoid M = detail::default_sum<In>,
          class Witness = nobody>
void exclusive_block_sums(Executor&& executor, const In& in, Out&& out, const M& m = {}, const Witness& witness = {}) {
  scan_on<M>(executor, detail::input("in", in), UPSWEEP_OUTPUT(out), witness,
             [&](const auto& machine, index_t n, auto from, auto to) {
               scan_by_block_sums<Scan>(machine, n, from, to, m, true);
             });
}

}  // namespace UPSWEEP_NAMESPACE::classic

// Reductions as GPUs learned them (Harris 2007, "Optimizing parallel reduction in CUDA"): each block of 1,024 items is
// folded by a tree in memory of the team's own, then the blocks' sums in the same way, in a launch more a level.
//   Work n − 1, depth log n. Reads each item once; sums are 1/1024 of that.
#pragma once
#include <upsweep/classic/block_scans.hpp>
#include <upsweep/classic/machine.hpp>
#include <upsweep/config.hpp>
#include <upsweep/monoid.hpp>

namespace UPSWEEP_NAMESPACE::classic {

//! Neighbours first. The places in use lie 1, 2, 4, ... apart: a GPU's lanes want few banks of shared memory.
struct interleaved {
  template <class M>
  static constexpr bool takes = true;
  template <class T, int Items>
  using memory = trees::memory<T, Items>;
  //! Where the sum of the block's items lies then.
  UPSWEEP_CALLS_USER
  template <int Items, class Team, class T, class M>
  UPSWEEP_HD static const T* reduce(const Team& team, memory<T, Items>& block, const M& m) {
    const auto values = block.items();
    for (index_t half = 1; half < Items; half *= 2) {
      team.for_all(Items / (2 * half), [&](index_t k) {
        T& left = values[2 * half * k];
        left = m(left, values[2 * half * k + half]);
      });
      team.show("neighbours so far apart", half, values, Items);
    }
    return &values[0];
  }
};

//! The upper half onto the lower one, so that places in use stay side by side. Operands change places: for commutative
//! monoids only.
struct sequential_addresses {
  template <class M>
  static constexpr bool takes = is_commutative<M>;
  template <class T, int Items>
  using memory = trees::memory<T, Items>;
  UPSWEEP_CALLS_USER
  template <int Items, class Team, class T, class M>
  UPSWEEP_HD static const T* reduce(const Team& team, memory<T, Items>& block, const M& m) {
    const auto values = block.items();
    for (index_t half = Items / 2; half > 0; half /= 2) {
      team.for_all(half, [&](index_t k) { values[k] = m(values[k], values[k + half]); });
      team.show("the upper half onto the lower", half, values, Items);
    }
    return &values[0];
  }
};

//! Rows of 32 that lanes fold without memory, then the rows' sums likewise. Neighbours first: any monoid.
struct by_rows {
  template <class M>
  static constexpr bool takes = true;
  template <class T, int Items>
  using memory = shuffles::memory<T, Items>;
  UPSWEEP_CALLS_USER
  template <int Items, class Team, class T, class M>
  UPSWEEP_HD static const T* reduce(const Team& team, memory<T, Items>& block, const M& m) {
    constexpr index_t rows = Items <= lanes ? 1 : Items / lanes;
    team.for_all_rows(rows, [&](index_t r) {
      auto row = team.row(block.values + r * lanes);
      for (int distance = 1; distance < lanes; distance *= 2) row.join_above(distance, m);
      if constexpr (rows > 1) row.store_first(block.sums.values + r);
      else row.store_first(block.values);
    });
    team.show("rows of 32 among", Items, block.values, Items);
    if constexpr (rows == 1) {
      return block.values;
    } else {
      fill_row(team, rows, block.sums.values, m);
      return reduce<Items / lanes>(team, block.sums, m);
    }
  }
};

template <class Tree, class In, class Sums, class M>
struct reduce_one_block {
  using T = typename M::value_type;
  using shared = typename Tree::template memory<T, block_items>;
  In in;
  Sums sums;
  index_t n;
  M m;
  UPSWEEP_CALLS_USER
  template <class Team>
  UPSWEEP_HD void operator()(const Team& team, index_t b, shared* block) const {
    fill_block<block_items>(team, in, b * block_items, n, block->items(), m);
    const T* const sum = Tree::template reduce<block_items>(team, *block, m);
    team.once([&] { sums[b] = *sum; });
  }
};

//! Leaves the sum of n items in the last place of `sums`.
template <class Tree, class Machine, class In, class Sums, class M>
void reduce_level(const Machine& machine, index_t n, In in, Sums sums, const M& m) {
  const index_t blocks = blocks_of(n);
  machine.by_blocks(blocks, reduce_one_block<Tree, In, Sums, M>{in, sums, n, m});
  if (blocks > 1) reduce_level<Tree>(machine, blocks, sums, sums + blocks, m);
}

//! in[0] ∘ … ∘ in[n−1], as upsweep::reduce; waits for it. `Tree`: interleaved, sequential_addresses, by_rows.
template <class Tree, executor Executor, contiguous_range In, monoid M = detail::default_sum<In>,
          class Witness = nobody>
typename M::value_type reduce(Executor&& executor, const In& in, const M& m = {}, const Witness& witness = {}) {
  static_assert(Tree::template takes<M>,
                "upsweep: sequential_addresses combines operands out of order; it takes commutative monoids only, and "
                "one of yours that is has a member: static constexpr bool is_commutative = true");
  using T = typename M::value_type;
  T sum = m.identity();
  const auto items = detail::input("in", in);
  reduce_on<M>(executor, items, witness, [&](const auto& machine, index_t n, auto from) {
    const index_t count = count_sums(n);
    auto [sums] = machine.template lend<T>(count);
    reduce_level<Tree>(machine, n, from, machine.memory(sums), m);
    machine.executor().copy(&sum, sums + count - 1, sizeof(T));
  });
  return sum;
}

}  // namespace UPSWEEP_NAMESPACE::classic

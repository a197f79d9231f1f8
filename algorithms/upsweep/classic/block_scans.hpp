// Ways to scan a block: a power of two of values, which a team has in memory of its own (a GPU's shared memory). Each
// is a struct with the block's `memory`, whose items() hold the values, and scan(team, memory, m).
#pragma once
#include <upsweep/classic/access_patterns.hpp>
#include <upsweep/classic/blelloch.hpp>
#include <upsweep/classic/team.hpp>
#include <upsweep/config.hpp>

namespace UPSWEEP_NAMESPACE::classic {

inline constexpr int block_items = 1024;
//! Items that a team takes at once, when it has several for each of its threads.
template <class T>
inline constexpr int tile_items = sizeof(T) <= 8 ? 4096 : 1024;

//! How many of a block's items there are, when `left` are left.
UPSWEEP_HD constexpr index_t count_in_block(index_t left, index_t block) { return left < block ? left : block; }
constexpr index_t blocks_of(index_t n) { return (n + block_items - 1) / block_items; }
//! How many sums there are of the blocks of all levels.
constexpr index_t count_sums(index_t n) {
  const index_t blocks = blocks_of(n);
  return blocks == 1 ? 1 : blocks + count_sums(blocks);
}

//! Fills a block with the items from `first` on, and with identities behind the last.
UPSWEEP_CALLS_USER
template <int Items, class Team, class In, class Values, class M>
UPSWEEP_HD void fill_block(const Team& team, const In& in, index_t first, index_t n, const Values& values, const M& m) {
  using T = typename M::value_type;
  team.for_all(Items, [&](index_t i) {
    if (first + i < n) values[i] = static_cast<T>(in[first + i]);
    else values[i] = m.identity();
  });
}

//! Blelloch's trees over values that lie in the slots of access_patterns.hpp.
template <class Slots>
struct trees_in {
  template <class T>
  struct slotted {
    T* values;
    UPSWEEP_HD T& operator[](index_t i) const { return values[Slots{}.slot(i)]; }
  };
  template <class T, int Items>
  struct memory {
    T values[Slots{}.slot(Items - 1) + 1];
    UPSWEEP_HD slotted<T> items() { return {values}; }
  };
  UPSWEEP_CALLS_USER
  template <int Items, class Team, class T, class M>
  UPSWEEP_HD static void scan(const Team& team, memory<T, Items>& block, const M& m) {
    up_sweep(team, Items, block.items(), m);
    post_scan(team, Items, block.items(), m);
  }
};
//! From step to step the values that meet lie twice as far apart: on a GPU 2, 4, ... 32 of a warp's lanes want the same
//! bank of shared memory at once, and wait for each other.
using trees = trees_in<no_padding>;
//! The same with a value left out behind every 32 (Harris, Sengupta and Owens 2007, "Parallel prefix sum (scan) with
//! CUDA"): distances that are multiples of 32 become ones that are not.
using padded_trees = trees_in<padding>;

//! Identities behind `count` values, where they are fewer than a row.
UPSWEEP_CALLS_USER
template <class Team, class T, class M>
UPSWEEP_HD void fill_row(const Team& team, index_t count, T* values, const M& m) {
  if (count < lanes) team.for_all(lanes - count, [&](index_t i) { values[count + i] = m.identity(); });
}

//! Rows of 32 by Kogge and Stone's network, in which lanes hand each other values without memory (a GPU's warp:
//! shuffles), then the rows' sums likewise, which are added to the rows behind them.
struct shuffles {
  template <class T, int Items>
  struct memory {
    T values[Items];
    memory<T, Items / lanes> sums;
    UPSWEEP_HD T* items() { return values; }
  };
  template <class T, int Items>
    requires(Items <= lanes)
  struct memory<T, Items> {
    T values[lanes];
    UPSWEEP_HD T* items() { return values; }
  };
  UPSWEEP_CALLS_USER
  template <int Items, class Team, class T, class M>
  UPSWEEP_HD static void scan(const Team& team, memory<T, Items>& block, const M& m) {
    constexpr index_t rows = Items <= lanes ? 1 : Items / lanes;
    team.for_all_rows(rows, [&](index_t r) {
      auto row = team.row(block.values + r * lanes);
      for (int distance = 1; distance < lanes; distance *= 2) row.join_below(distance, m);
      row.store(block.values + r * lanes);
      if constexpr (rows > 1) row.store_last(block.sums.values + r);
    });
    team.show("rows of 32 among", Items, block.values, Items);
    if constexpr (rows > 1) {
      fill_row(team, rows, block.sums.values, m);
      scan<Items / lanes>(team, block.sums, m);
      team.for_all(Items - lanes, [&](index_t i) {
        T& value = block.values[i + lanes];
        value = m(block.sums.values[i / lanes], value);
      });
      team.show("sums before, among", Items, block.values, Items);
    }
  }
};

}  // namespace UPSWEEP_NAMESPACE::classic

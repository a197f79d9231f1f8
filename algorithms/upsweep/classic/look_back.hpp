// One pass with decoupled look-back (Merrill and Garland 2016): a team scans its tile, publishes the tile's sum, and
// looks back over the tiles before it, adding sums until it meets one that knows its whole prefix. Then it knows its
// own.
//   Work 2n and the tiles' scans. Reads and writes each item once, as a copy does. Two launches: one clears the flags.
//   Depth that of a tile's scan and, at worst, an addition for each tile: a prefix may be made of the last one.
// How far a team has to look back depends on who is how fast: sums of floats may differ from run to run in their last
// bits. (The library's own scan combines in an order that is fixed: core/README.md.)
#pragma once
#include <upsweep/classic/block_scans.hpp>
#include <upsweep/classic/machine.hpp>
#include <upsweep/config.hpp>
#include <upsweep/monoid.hpp>

namespace UPSWEEP_NAMESPACE::classic {

//! What a tile has told the others.
enum told : int { nothing_yet, its_sum, its_prefix };

//! A tile's flag beside what the flag is about: no place is written twice, so that a reader never sees it change.
template <class T>
struct tile_state {
  int told;
  T sum, prefix;
};

template <class T>
struct clear_states {
  tile_state<T>* states;
  index_t tiles;
  index_t* ticket;
  UPSWEEP_CALLS_USER
  template <class Team>
  UPSWEEP_HD void operator()(const Team& team) const {
    team.for_all(tiles, [&](index_t k) { states[k].told = nothing_yet; });
    team.once([&] { *ticket = 0; });  // NOLINT(clang-analyzer-core.NullDereference): lend() gave it
  }
};

template <class In, class Out, class M>
struct look_back_scan {
  using T = typename M::value_type;
  static constexpr int items = tile_items<T>;
  struct shared {
    shuffles::memory<T, items> block;
    T before;
    index_t tile;
  };
  In in;
  Out out;
  tile_state<T>* states;
  index_t* ticket;
  index_t n;
  M m;
  UPSWEEP_CALLS_USER
  template <class Team>
  UPSWEEP_HD void operator()(const Team& team, index_t, shared* memory) const {
    // Not the block's number: whom a team waits for must be running, and who drew before it is.
    if (team.leads()) memory->tile = team.draw(ticket);
    team.meet();
    const index_t tile = memory->tile, first = tile * items;
    T* const values = memory->block.items();
    fill_block<items>(team, in, first, n, values, m);
    shuffles::scan<items>(team, memory->block, m);
    if (team.leads()) {
      tile_state<T>& mine = states[tile];
      const T sum = values[items - 1];
      if (tile > 0) {
        mine.sum = sum;
        team.raise(&mine.told, its_sum);
        memory->before = look_back(team, tile);
      }
      mine.prefix = tile == 0 ? sum : m(memory->before, sum);
      team.raise(&mine.told, its_prefix);
    }
    team.meet();
    team.for_all(count_in_block(n - first, items), [&](index_t i) {
      if (tile == 0) out[i] = values[i];
      else out[first + i] = m(memory->before, values[i]);
    });
  }

 private:
  UPSWEEP_CALLS_USER
  template <class Team>
  UPSWEEP_HD T look_back(const Team& team, index_t tile) const {
    tile_state<T>* state = states + tile - 1;
    int seen = team.wait(&state->told, its_sum);
    T before = seen == its_prefix ? state->prefix : state->sum;
    while (seen != its_prefix) {
      state--;
      seen = team.wait(&state->told, its_sum);
      before = m(seen == its_prefix ? state->prefix : state->sum, before);
    }
    return before;
  }
};

//! As inclusive_scan.
template <executor Executor, contiguous_range In, contiguous_range Out, monoid M = detail::default_sum<In>,
          class Witness = nobody>
void look_back(Executor&& executor, const In& in, Out&& out, const M& m = {}, const Witness& witness = {}) {
  scan_on<M>(executor, detail::input("in", in), UPSWEEP_OUTPUT(out), witness,
             [&](const auto& machine, index_t n, auto from, auto to) {
               using T = typename M::value_type;
               const index_t tiles = (n + tile_items<T> - 1) / tile_items<T>;
               auto [states, ticket] = machine.template lend<tile_state<T>, index_t>(tiles, 1);
               machine.together(tiles, clear_states<T>{states, tiles, ticket});
               using scan = look_back_scan<decltype(from), decltype(to), M>;
               machine.by_blocks(tiles,
                                 scan{.in = from, .out = to, .states = states, .ticket = ticket, .n = n, .m = m});
             });
}

}  // namespace UPSWEEP_NAMESPACE::classic

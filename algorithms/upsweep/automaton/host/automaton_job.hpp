// A run of an automaton on the host. Transition maps are not composed: a thread looks back a little before its part,
// and finds that whatever the state was there, few are possible here, mostly one (Mytkowicz et al. 2014). It walks
// along its part from each, and takes the walk that was right when its turn has come. So a part is walked once where an
// automaton forgets, twice where it has to remember one thing (quotes of a text without line breaks), and in turn, by
// one thread after the other, where it remembers everything. A thread that works alone knows its state.
#pragma once
#include <bit>
#include <cstddef>
#include <cstdint>

#include <upsweep/automaton/host/outputs.hpp>
#include <upsweep/automaton/host/trace.hpp>
#include <upsweep/automaton/table.hpp>
#include <upsweep/config.hpp>
#include <upsweep/executor.hpp>
#include <upsweep/host/job.hpp>

namespace UPSWEEP_NAMESPACE::detail {

template <int States, class Output>
struct automaton_job {
  static constexpr bool reversed = false;
  static constexpr std::size_t item_bytes = 8;  // of a text, what is written of it, and traces
  static constexpr index_t round = trace_round, tile = tile_items(item_bytes, round);
  static constexpr int most_walks = 4;
  static constexpr index_t look_back = 256;

  //! A trace from one of the possible states, and what is kept of it.
  struct walk {
    int from;
    std::uint8_t* entries;
    index_t kept, last_begin;  // last_begin: of a token, counted from the part's first byte; -1: there is none
  };
  struct scratch {
    walk walks[most_walks];
    int count = 0;
    const walk* right = nullptr;
    automaton_prefix before{};
    typename Output::staging staged;

    constexpr void cut(scratch_cutter& pieces, index_t capacity) {
      for (walk& w : walks) w.entries = pieces.take<std::uint8_t>(capacity + 64, 64);  // [-1] is there
      staged.cut(pieces);
    }
  };

  const automaton<States>& table;
  const std::uint8_t* text;
  const Output& output;
  automaton_prefix running{table.start(), 0, 0};
  bool alone = false;

  void start(index_t part_items) { alone = part_items == round; }
  void load(scratch& s, const part& p) {
    s.count = 0;
    const state_set possible = possible_before(p);
    if (std::popcount(possible) > most_walks) return;
    for (state_set left = possible; left; left &= left - 1) walk_along(s, p, std::countr_zero(left));
  }
  void advance(scratch& s, const part& p) {
    s.right = nullptr;
    for (int w = 0; w < s.count; w++)
      if (s.walks[w].from == running.state) s.right = &s.walks[w];
    if (!s.right) {  // too many were possible
      s.count = 0;
      s.right = walk_along(s, p, running.state);
    }
    s.before = running;
    running.state = s.right->entries[p.count - 1] & automaton<States>::state_mask;
    running.kept += s.right->kept;
    if (s.right->last_begin >= 0) running.token_begin = p.first + s.right->last_begin;
  }
  void store(scratch& s, const part& p) const {
    output.store(s.staged, {s.right->entries, p.first, p.count}, s.before);
  }

 private:
  state_set possible_before(const part& p) const {
    if (alone) return state_set{1} << running.state;
    if (p.first == 0) return state_set{1} << table.start();
    return states_behind(table, text + p.first - look_back, look_back);
  }
  const walk* walk_along(scratch& s, const part& p, int from) const {
    using entry = automaton<States>;
    walk& w = s.walks[s.count++];
    w.from = from;
    trace_bytes(table, text + p.first, p.count, from, w.entries);
    w.entries[-1] = static_cast<std::uint8_t>(from | (table.kind(from) != 0 ? entry::accepts_bit : 0));
    if (p.first == 0)  // the first token begins with the text, and none ends there
      w.entries[0] = static_cast<std::uint8_t>(w.entries[0] & ~entry::begins_bit);
    w.kept = output.kept({w.entries, p.first, p.count});
    w.last_begin = p.count - 1;
    while (w.last_begin >= 0 && !(w.entries[w.last_begin] & entry::begins_bit)) w.last_begin--;
    return &w;
  }
};

//! Returns what stands behind the whole text.
template <int States, class Output>
automaton_prefix run_automaton(host& executor, const automaton<States>& a, const std::uint8_t* text, index_t n,
                               const Output& output) {
  automaton_job<States, Output> job{a, text, output};
  static_assert(decltype(job)::tile >= decltype(job)::look_back && decltype(job)::tile > decltype(job)::round);
  if (n > 0) run_job(executor.lender(), job, n, executor.threads());
  return job.running;
}

}  // namespace UPSWEEP_NAMESPACE::detail

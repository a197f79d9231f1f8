// The instances of calls by automata of one size.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>

#include <upsweep/automaton.hpp>
#include <upsweep/config.hpp>

#include "automaton.hpp"

namespace UPSWEEP_NAMESPACE::compiled {

template <int States>
automaton<States> automaton_of(const upsweep_automaton& a) {
  const auto states = static_cast<std::size_t>(a.states);
  const std::span begins(a.begins, a.begins ? 256 * states : 0);
  return {std::span(a.next, 256 * states), std::span(a.kinds, states), a.start, begins};
}

template <int States>
void run_automaton(device& executor, const upsweep_automaton& a, const upsweep_input& text,
                   const upsweep_output& states, bool before) {
  run(executor, automaton_of<States>(a), items_of<std::uint8_t>(text), items_of<std::uint8_t>(states),
      before ? states_of_run::before : states_of_run::behind);
}
template <int States>
void match_by(device& executor, const upsweep_automaton& a, const upsweep_input& text, int* kind) {
  match(executor, automaton_of<States>(a), items_of<std::uint8_t>(text), kind);
}
template <int States>
void find_all_by(device& executor, const upsweep_automaton& a, const upsweep_input& text, const upsweep_output& ends,
                 index_t* count) {
  find_all(executor, automaton_of<States>(a), items_of<std::uint8_t>(text), items_of<std::int64_t>(ends), count);
}
template <int States>
void tokenize_by(device& executor, const upsweep_automaton& a, const upsweep_input& text, const upsweep_output& starts,
                 const upsweep_output& lengths, const upsweep_output& kinds, index_t* count) {
  tokenize(executor, automaton_of<States>(a), items_of<std::uint8_t>(text), items_of<std::int64_t>(starts),
           items_of<std::int64_t>(lengths), items_of<std::uint8_t>(kinds), count);
}

}  // namespace UPSWEEP_NAMESPACE::compiled

// Automata as the C interface takes them, before and behind the choice of their size.
#pragma once
#include <upsweep/c/automaton.h>
#include <upsweep/config.hpp>
#include <upsweep/cuda/device.hpp>

#include "scan.hpp"

namespace UPSWEEP_NAMESPACE::compiled {

//! By an automaton with room for so many states. Each size has a unit.
template <int States>
void run_automaton(device& executor, const upsweep_automaton& a, const upsweep_input& text,
                   const upsweep_output& states, bool before);
template <int States>
void match_by(device& executor, const upsweep_automaton& a, const upsweep_input& text, int* kind);
template <int States>
void find_all_by(device& executor, const upsweep_automaton& a, const upsweep_input& text, const upsweep_output& ends,
                 index_t* count);
template <int States>
void tokenize_by(device& executor, const upsweep_automaton& a, const upsweep_input& text, const upsweep_output& starts,
                 const upsweep_output& lengths, const upsweep_output& kinds, index_t* count);

}  // namespace UPSWEEP_NAMESPACE::compiled

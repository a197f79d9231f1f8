// Tables as automata of the library. (Apart from byte_table.hpp, since what nvcc and what a C++ compiler make of an
// automaton are different types.)
#pragma once
#include <upsweep/automaton.hpp>

#include "byte_table.hpp"

namespace app {

//! f(automaton) with the smallest kind of automaton that has room for a table.
template <class F>
decltype(auto) with_automaton(const byte_table& table, const F& f) {
  if (table.states() <= 8) return f(upsweep::automaton<8>(table.next, table.kinds, table.start, table.begins));
  if (table.states() <= 16) return f(upsweep::automaton<16>(table.next, table.kinds, table.start, table.begins));
  return f(upsweep::automaton<64>(table.next, table.kinds, table.start, table.begins));
}

}  // namespace app

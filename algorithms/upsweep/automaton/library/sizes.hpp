// Which automata are compiled into upsweep::cuda.
#pragma once
#include <upsweep/library/table.hpp>

//! ROW(room for states, its name). CMake reads these lines too: a unit of the library for each.
#define UPSWEEP_LIBRARY_AUTOMATA(ROW) ROW(8, "8") ROW(16, "16") ROW(64, "64")

#define UPSWEEP_LIBRARY_AUTOMATON_CALLS "run, match, find_all and tokenize"
//! What the error of a call by an automaton says that is not compiled in.
#define UPSWEEP_LIBRARY_HAS_AUTOMATA        \
  "It has " UPSWEEP_LIBRARY_AUTOMATON_CALLS \
  " by automata of all sizes, with states and kinds of type uint8, ends, starts and lengths of type int64"

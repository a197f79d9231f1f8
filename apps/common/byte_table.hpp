// Tables of deterministic automata over bytes, of any number of states, and with fewer of them.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace app {

//! A state: where each byte leads, the kind of what is accepted there (0: nothing is), and with which bytes another
//! token begins.
struct table_state {
  std::array<int, 256> next{};
  std::array<bool, 256> begins{};
  std::uint8_t kind = 0;
};

//! An automaton as upsweep::automaton takes it (automaton_of.hpp).
struct byte_table {
  std::vector<std::uint8_t> next, kinds, begins;
  int start = 0;

  int states() const { return static_cast<int>(kinds.size()); }
};

//! The same automaton with as few states as it can have (Moore 1956), of those that are reached from state 0. Throws
//! std::invalid_argument when it has more than 64.
byte_table minimal_table(const std::vector<table_state>& states);

}  // namespace app

#include "byte_table.hpp"

#include <map>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace app {
namespace {

constexpr std::size_t most_states = 64;

//! The states that are reached from state 0, in the order in which they are.
std::vector<std::size_t> reached_states(const std::vector<table_state>& states) {
  std::vector<std::size_t> reached{0};
  std::vector<bool> seen(states.size());
  seen[0] = true;
  for (std::size_t at = 0; at < reached.size(); at++)
    for (const int next : states[reached[at]].next) {
      const auto to = static_cast<std::size_t>(next);
      if (!seen[to]) reached.push_back(to);
      seen[to] = true;
    }
  return reached;
}

//! Bytes by which states differ: of those that do the same in every state, the first.
std::vector<std::size_t> distinct_bytes(const std::vector<table_state>& states) {
  std::map<std::vector<std::pair<int, bool>>, std::size_t> firsts;
  for (std::size_t byte = 0; byte < 256; byte++) {
    std::vector<std::pair<int, bool>> does;
    does.reserve(states.size());
    for (const table_state& state : states) does.emplace_back(state.next[byte], state.begins[byte]);
    firsts.try_emplace(std::move(does), byte);
  }
  std::vector<std::size_t> bytes;
  bytes.reserve(firsts.size());
  for (const auto& [does, first] : firsts) bytes.push_back(first);
  return bytes;
}

// A group for each state, of those that nothing tells apart yet: at first by what they are; then, until nothing
// changes, by the groups that bytes lead to. Groups are numbered in the order of `reached`.
std::vector<int> equivalent_states(const std::vector<table_state>& states, const std::vector<std::size_t>& reached) {
  const std::vector<std::size_t> bytes = distinct_bytes(states);
  std::vector<int> group(states.size());
  for (std::size_t count = 0;;) {
    std::map<std::vector<int>, int> groups;
    std::vector<int> finer(states.size());
    for (const std::size_t s : reached) {
      std::vector<int> is{states[s].kind, group[s]};
      for (const std::size_t byte : bytes) {
        is.push_back(states[s].begins[byte] ? 1 : 0);
        is.push_back(group[static_cast<std::size_t>(states[s].next[byte])]);
      }
      const auto number = static_cast<int>(groups.size());
      finer[s] = groups.try_emplace(std::move(is), number).first->second;
      if (groups.size() > most_states)
        throw std::invalid_argument("needs an automaton of more than " + std::to_string(most_states) + " states");
    }
    group = finer;
    if (groups.size() == count) return group;
    count = groups.size();
  }
}

}  // namespace

byte_table minimal_table(const std::vector<table_state>& states) {
  const std::vector<std::size_t> reached = reached_states(states);
  const std::vector<int> group = equivalent_states(states, reached);
  byte_table table;
  for (const std::size_t s : reached) {
    if (group[s] < table.states()) continue;  // another state of its group stands for it
    table.kinds.push_back(states[s].kind);
    for (std::size_t byte = 0; byte < 256; byte++) {
      table.next.push_back(static_cast<std::uint8_t>(group[static_cast<std::size_t>(states[s].next[byte])]));
      table.begins.push_back(states[s].begins[byte] ? 1 : 0);
    }
  }
  return table;
}

}  // namespace app

// An expression's tree becomes a nondeterministic automaton (Thompson 1968), whose sets of states are those of a
// deterministic one (Rabin and Scott 1959).
#include "regular_expression.hpp"

#include <cstddef>
#include <map>
#include <stdexcept>
#include <utility>
#include <vector>

namespace app {
namespace {

// ---------------------------------------------------------------- nondeterministic
struct nfa_node {
  byte_class bytes{};  // that lead to `next`
  int next = -1;
  std::vector<int> empty{};                   // reached without a byte,
  std::vector<int> at_beginning{}, at_end{};  // and such as are reached so at either end of the text only
  std::uint8_t rule = 0;                      // that is matched here, counted from 1
};

class nfa {
 public:
  static constexpr std::size_t most_nodes = 5'000;
  //! Adds what leads from `from` through an expression; returns where it ends.
  int add(const expression_node& node, int from) {
    switch (node.kind) {
      case node_kind::bytes: {
        const int to = new_node();
        // A node has one edge with bytes: another one begins behind an empty one.
        const int edge = new_node();
        at(from).empty.push_back(edge);
        at(edge).bytes = node.bytes;
        at(edge).next = to;
        return to;
      }
      case node_kind::sequence:
        for (const expression_node& part : node.parts) from = add(part, from);
        return from;
      case node_kind::alternatives: {
        const int to = new_node();
        for (const expression_node& part : node.parts) {
          const int end = add(part, from);
          at(end).empty.push_back(to);
        }
        return to;
      }
      case node_kind::repetition:
        return add_repetition(node, from);
      case node_kind::beginning:
      case node_kind::end: {
        const int to = new_node();
        (node.kind == node_kind::end ? at(from).at_end : at(from).at_beginning).push_back(to);
        return to;
      }
    }
    return from;
  }
  int new_node() {
    if (nodes_.size() == most_nodes) throw std::invalid_argument("is too large: its repetitions are written out");
    nodes_.emplace_back();
    return static_cast<int>(nodes_.size()) - 1;
  }
  nfa_node& at(int node) { return nodes_[static_cast<std::size_t>(node)]; }
  const nfa_node& at(int node) const { return nodes_[static_cast<std::size_t>(node)]; }
  std::size_t size() const { return nodes_.size(); }

 private:
  int add_repetition(const expression_node& node, int from) {
    const expression_node& inside = node.parts[0];
    for (int times = 0; times < node.least; times++) from = add(inside, from);
    const int to = new_node();
    if (node.most == expression_node::unbounded) {
      const int loop = new_node();
      at(from).empty.push_back(loop);
      const int end = add(inside, loop);
      at(end).empty.push_back(loop);
      at(loop).empty.push_back(to);
      return to;
    }
    for (int times = node.least; times < node.most; times++) {
      at(from).empty.push_back(to);
      from = add(inside, from);
    }
    at(from).empty.push_back(to);
    return to;
  }
  std::vector<nfa_node> nodes_;
};

// ---------------------------------------------------------------- sets of its states
using node_set = std::vector<int>;  // ascending

struct where {
  bool beginning, end;
};
node_set closed(const nfa& of, const node_set& from, where here) {
  std::vector<bool> seen(of.size());
  for (node_set left = from; !left.empty();) {
    const int node = left.back();
    left.pop_back();
    if (seen[static_cast<std::size_t>(node)]) continue;
    seen[static_cast<std::size_t>(node)] = true;
    const nfa_node& n = of.at(node);
    left.insert(left.end(), n.empty.begin(), n.empty.end());
    if (here.beginning) left.insert(left.end(), n.at_beginning.begin(), n.at_beginning.end());
    if (here.end) left.insert(left.end(), n.at_end.begin(), n.at_end.end());
  }
  node_set reached;  // in order, as sets are compared
  for (std::size_t node = 0; node < seen.size(); node++)
    if (seen[node]) reached.push_back(static_cast<int>(node));
  return reached;
}
//! Where a byte leads from a set, and `also`.
node_set step(const nfa& of, const node_set& from, std::size_t byte, node_set also = {}) {
  for (const int node : from)
    if (of.at(node).next >= 0 && of.at(node).bytes.test(byte)) also.push_back(of.at(node).next);
  return closed(of, also, {false, false});
}
//! The first rule that is matched, counted from 1; 0 when none is.
std::uint8_t rule_of(const nfa& of, const node_set& nodes) {
  std::uint8_t first = 0;
  for (const int node : nodes)
    if (const std::uint8_t rule = of.at(node).rule; rule != 0 && (first == 0 || rule < first)) first = rule;
  return first;
}
std::uint8_t rule_at_end(const nfa& of, const node_set& nodes, bool beginning = false) {
  return rule_of(of, closed(of, nodes, {beginning, true}));
}

//! The sets that were met, numbered: they are the states of the deterministic automaton.
class subsets {
 public:
  static constexpr std::size_t most_states = 2'000;
  explicit subsets(const node_set& start) { number_of(start); }
  int number_of(const node_set& nodes) {
    const auto [found, is_new] = numbers_.try_emplace(nodes, static_cast<int>(sets_.size()));
    if (is_new) {
      if (sets_.size() == most_states)
        throw std::invalid_argument("needs an automaton of more than 64 states: before it is minimized, of more than " +
                                    std::to_string(most_states));
      sets_.push_back(nodes);
    }
    return found->second;
  }
  std::size_t count() const { return sets_.size(); }
  node_set nodes(std::size_t state) const { return sets_[state]; }

 private:
  std::map<node_set, int> numbers_;
  std::vector<node_set> sets_;
};

// Bytes that every class of the automaton treats alike, and `apart` too, are tried once.
std::vector<std::size_t> representatives(const nfa& of, const byte_class& apart = {}) {
  std::vector<std::size_t> group(256, 0);
  const auto split = [&](const byte_class& bytes) {
    std::map<std::pair<std::size_t, bool>, std::size_t> finer;  // named by their first byte
    for (std::size_t byte = 0; byte < 256; byte++)
      group[byte] = finer.try_emplace({group[byte], bytes.test(byte)}, byte).first->second;
  };
  split(apart);
  for (std::size_t node = 0; node < of.size(); node++)
    if (of.at(static_cast<int>(node)).next >= 0) split(of.at(static_cast<int>(node)).bytes);
  return group;
}
//! For each byte step(its representative), which is asked for once.
template <class Step>
std::array<int, 256> for_all_bytes(const std::vector<std::size_t>& representative, const Step& step_by) {
  std::array<int, 256> next{};
  for (std::size_t byte = 0; byte < 256; byte++)
    next[byte] = representative[byte] == byte ? step_by(byte) : next[representative[byte]];
  return next;
}

nfa automaton_of(const expression_node& expression) {
  nfa result;
  const int start = result.new_node();
  result.at(result.add(expression, start)).rule = 1;
  return result;
}

}  // namespace

byte_table whole_matcher(std::string_view expression) {
  const nfa n = automaton_of(read_expression(expression));
  const auto bytes = representatives(n);
  constexpr int start = 0, first_set = 1;
  const node_set text_begins = closed(n, {0}, {true, false});
  subsets sets(text_begins);
  const auto state_of = [&](const node_set& from, bool beginning) {
    table_state state;
    state.kind = rule_at_end(n, from, beginning);
    state.next =
        for_all_bytes(bytes, [&](std::size_t byte) { return first_set + sets.number_of(step(n, from, byte)); });
    return state;
  };
  std::vector<table_state> states(first_set);
  states[start] = state_of(text_begins, true);
  for (std::size_t s = 0; s < sets.count(); s++) states.push_back(state_of(sets.nodes(s), false));
  return minimal_table(states);
}

byte_table line_selector(std::string_view expression, bool invert, expression_syntax syntax) {
  const nfa n = automaton_of(read_expression(expression, syntax));
  const auto bytes = representatives(n, byte_class().set('\n'));
  // Behind a line without a match and behind one with a match; in a line whose match has ended; then sets of nodes.
  constexpr int no_match = 0, match = 1, found = 2, first_set = 3;
  const node_set line_begins = closed(n, {0}, {true, false});
  subsets sets(line_begins);
  const auto next_of = [&](const node_set& from, bool beginning, bool is_found) {
    const bool matches_here = is_found || rule_at_end(n, from, beginning) != 0;
    return for_all_bytes(bytes, [&](std::size_t byte) -> int {
      if (byte == '\n') return matches_here ? match : no_match;
      if (is_found) return found;
      const node_set to = step(n, from, byte, {0});  // a match may begin anywhere
      return rule_of(n, to) != 0 ? found : first_set + sets.number_of(to);
    });
  };
  std::vector<table_state> states(first_set);
  states[no_match].kind = invert ? 1 : 0;
  states[match].kind = invert ? 0 : 1;
  for (const int behind : {no_match, match}) {
    states[behind].begins.fill(true);
    states[behind].next = next_of(line_begins, true, rule_of(n, line_begins) != 0);
  }
  states[found].next = next_of({}, false, true);
  for (std::size_t s = 0; s < sets.count(); s++) {
    const auto next = next_of(sets.nodes(s), false, false);
    states.emplace_back().next = next;
  }
  return minimal_table(states);
}

namespace {
nfa automaton_of(std::span<const token_rule> rules) {
  nfa result;
  const int start = result.new_node();
  if (rules.size() > 254) throw std::invalid_argument("has more than 254 rules");
  std::uint8_t number = 0;
  for (const token_rule& rule : rules) {
    number++;
    const int from = result.new_node();
    result.at(start).empty.push_back(from);
    const int end = result.add(read_expression(rule.expression), from);
    result.at(end).rule = number;
    if (rule_at_end(result, closed(result, {from}, {true, true}), true) != 0)
      throw std::invalid_argument("the expression " + rule.expression + " matches the empty text, which is no token");
  }
  for (std::size_t node = 0; node < result.size(); node++)
    if (const nfa_node& its = result.at(static_cast<int>(node)); !its.at_beginning.empty() || !its.at_end.empty())
      throw std::invalid_argument("an expression of a token has an anchor");
  return result;
}
}  // namespace

byte_table lexer(std::span<const token_rule> rules, std::uint8_t broken) {
  const nfa n = automaton_of(rules);
  const auto bytes = representatives(n);
  // In a run of bytes with which no token begins, which is where a text begins, too; then sets of nodes: in a token.
  constexpr int no_token = 0, first_set = 1;
  const node_set token_begins = closed(n, {0}, {false, false});
  subsets sets(token_begins);
  const auto in_token = [&](const node_set& from, std::size_t byte) {
    const node_set to = step(n, from, byte);
    return to.empty() ? no_token : first_set + sets.number_of(to);
  };
  const auto first_state = for_all_bytes(bytes, [&](std::size_t byte) { return in_token(token_begins, byte); });

  std::vector<table_state> states(first_set);
  states[no_token].next = first_state;
  states[no_token].kind = broken;
  for (std::size_t byte = 0; byte < 256; byte++) states[no_token].begins[byte] = first_state[byte] != no_token;
  for (std::size_t s = 0; s < sets.count(); s++) {
    const node_set from = sets.nodes(s);
    table_state state;
    const std::uint8_t rule = rule_of(n, from);
    state.kind = rule != 0 ? rules[rule - 1u].kind : broken;
    const auto goes_on = for_all_bytes(bytes, [&](std::size_t byte) { return in_token(from, byte); });
    for (std::size_t byte = 0; byte < 256; byte++) {
      state.begins[byte] = goes_on[byte] == no_token;
      state.next[byte] = state.begins[byte] ? first_state[byte] : goes_on[byte];
    }
    states.push_back(state);
  }
  return minimal_table(states);
}

}  // namespace app

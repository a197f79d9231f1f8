// Automata of all sizes: algorithms/upsweep/automaton/library/sizes.hpp, held to plain loops.
#include <upsweep/automaton.hpp>
#include <upsweep/automaton/library/sizes.hpp>

#include "check.hpp"

namespace {
using upsweep::index_t;

struct table {
  std::vector<std::uint8_t> next, kinds, begins;
  int start;
};
//! Any table of so many states; kind 0 is among its kinds.
table table_of(int states) {
  const auto size = static_cast<std::size_t>(states);
  const std::vector<std::uint32_t> random = items<std::uint32_t>(states * 513 + 1, false);
  table t{std::vector<std::uint8_t>(256 * size), std::vector<std::uint8_t>(size), std::vector<std::uint8_t>(256 * size),
          static_cast<int>(random.back() % size)};
  for (std::size_t k = 0; k < t.next.size(); k++) {
    t.next[k] = static_cast<std::uint8_t>(random[k] % size);
    t.begins[k] = random[k + t.next.size()] % 3 == 0;
  }
  for (std::size_t state = 0; state < size; state++) t.kinds[state] = static_cast<std::uint8_t>(state * 7 % 4);
  return t;
}

struct answers {
  std::vector<std::uint8_t> before, behind, kinds;
  std::vector<std::int64_t> ends, starts, lengths;
  int kind = 0;
};
answers walked(const table& t, const std::vector<std::uint8_t>& text) {
  answers a;
  auto state = static_cast<std::uint8_t>(t.start);
  std::size_t begin = 0;
  const auto end_token = [&](std::size_t end) {
    if (t.kinds[state] != 0) {
      a.starts.push_back(static_cast<std::int64_t>(begin));
      a.lengths.push_back(static_cast<std::int64_t>(end - begin));
      a.kinds.push_back(t.kinds[state]);
    }
    begin = end;
  };
  for (std::size_t i = 0; i < text.size(); i++) {
    const std::size_t at = std::size_t{256} * state + text[i];
    if (i > 0 && t.begins[at] != 0) end_token(i);
    a.before.push_back(state);
    state = t.next[at];
    a.behind.push_back(state);
    if (t.kinds[state] != 0) a.ends.push_back(static_cast<std::int64_t>(i + 1));
  }
  if (!text.empty()) end_token(text.size());
  a.kind = t.kinds[state];
  return a;
}

template <class T>
void check_front(tested& exec, const upsweep::buffer<T>& found, index_t count, const std::vector<T>& expected,
                 const std::string& what) {
  std::vector<T> front = found.to_vector(exec);
  front.resize(static_cast<std::size_t>(count));
  check(front == expected, what);
}

template <int States>
void check_states(tested& exec, index_t n, int states) {
  const std::string of = counted("automaton of " + std::to_string(states) + " states", n);
  const table t = table_of(states);
  std::vector<std::uint8_t> text;
  for (const std::uint32_t x : items<std::uint32_t>(n, false)) text.push_back(static_cast<std::uint8_t>(x));
  const answers expected = walked(t, text);
  const upsweep::automaton<States> a(t.next, t.kinds, t.start, t.begins);
  const upsweep::buffer<std::uint8_t> there(exec, text);
  upsweep::buffer<std::uint8_t> bytes(exec, n);
  upsweep::buffer<std::int64_t> positions(exec, n), lengths(exec, n);
  upsweep::run(exec, a, there, bytes);
  check(bytes.to_vector(exec) == expected.behind, "run, " + of);
  upsweep::run(exec, a, there, bytes, upsweep::states_of_run::before);
  check(bytes.to_vector(exec) == expected.before, "run with the states before, " + of);
  check(upsweep::match(exec, a, there) == expected.kind, "match, " + of);
  const index_t ends = upsweep::find_all(exec, a, there, positions);
  check_front(exec, positions, ends, expected.ends, "find_all, " + of);
  const index_t tokens = upsweep::tokenize(exec, a, there, positions, lengths, bytes);
  check_front(exec, positions, tokens, expected.starts, "starts of tokenize, " + of);
  check_front(exec, lengths, tokens, expected.lengths, "lengths of tokenize, " + of);
  check_front(exec, bytes, tokens, expected.kinds, "kinds of tokenize, " + of);
}

}  // namespace

void check_automata(tested& exec, index_t n) {
#define UPSWEEP_ROW(States, name)        \
  check_states<States>(exec, n, States); \
  check_states<States>(exec, n, States / 2 - 1);
  UPSWEEP_LIBRARY_AUTOMATA(UPSWEEP_ROW)
#undef UPSWEEP_ROW
}

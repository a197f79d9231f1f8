// Automata: a table by byte and state, a look-up a byte.
#include "peers.hpp"

namespace bench::peers {

void run_automaton(input<std::uint8_t> next, int states, input<std::uint8_t> text, output<std::uint8_t> out) {
  const auto width = static_cast<std::size_t>(states);
  std::size_t state = 0;
  for (std::size_t i = 0; i < text.size(); i++)
    out[i] = static_cast<std::uint8_t>(state = next[width * text[i] + state]);
}
std::size_t tokenize(input<std::uint8_t> next, input<std::uint8_t> begins, input<std::uint8_t> kind_of,
                     input<std::uint8_t> text, output<int> starts, output<int> lengths, output<std::uint8_t> kinds) {
  const std::size_t width = kind_of.size();
  std::size_t state = 0, begin = 0, found = 0;
  const auto ends_at = [&](std::size_t end) {
    if (kind_of[state] != 0) {
      starts[found] = static_cast<int>(begin);
      lengths[found] = static_cast<int>(end - begin);
      kinds[found++] = kind_of[state];
    }
    begin = end;
  };
  for (std::size_t i = 0; i < text.size(); i++) {
    const std::size_t at = width * text[i] + state;
    if (i > 0 && begins[at]) ends_at(i);
    state = next[at];
  }
  if (!text.empty()) ends_at(text.size());
  return found;
}

}  // namespace bench::peers

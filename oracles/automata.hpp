// The serial oracle of automata: a look-up a byte. Tables are as the library takes them, by state and then by byte, and
// it shares no code with it.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace oracle {

using table_of_bytes = std::span<const std::uint8_t>;

inline std::size_t step_of(std::size_t state, std::uint8_t byte) { return 256 * state + byte; }

//! The state behind each byte.
inline std::vector<std::uint8_t> states_behind(table_of_bytes next, table_of_bytes text, int start = 0) {
  std::vector<std::uint8_t> behind;
  behind.reserve(text.size());
  auto state = static_cast<std::size_t>(start);
  for (const std::uint8_t byte : text) {
    state = next[step_of(state, byte)];
    behind.push_back(static_cast<std::uint8_t>(state));
  }
  return behind;
}

//! Stretches of a text that end where the next one begins, but those of kind 0.
template <class Position, class Length>
struct tokens {
  std::vector<Position> starts;
  std::vector<Length> lengths;
  std::vector<std::uint8_t> kinds;
};
//! kinds are of states, begins is by state and byte: whether that byte begins a stretch.
template <class Position, class Length>
tokens<Position, Length> tokens_of(table_of_bytes next, table_of_bytes kinds, table_of_bytes begins,
                                   table_of_bytes text, int start = 0) {
  tokens<Position, Length> found;
  auto state = static_cast<std::size_t>(start);
  std::size_t begin = 0;
  const auto ends_at = [&](std::size_t end) {
    if (kinds[state] != 0) {
      found.starts.push_back(static_cast<Position>(begin));
      found.lengths.push_back(static_cast<Length>(end - begin));
      found.kinds.push_back(kinds[state]);
    }
    begin = end;
  };
  for (std::size_t i = 0; i < text.size(); i++) {
    const std::size_t step = step_of(state, text[i]);
    if (i > 0 && begins[step] != 0) ends_at(i);
    state = next[step];
  }
  if (!text.empty()) ends_at(text.size());
  return found;
}

}  // namespace oracle

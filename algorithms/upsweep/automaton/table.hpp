// A deterministic automaton over bytes, as a table.
#pragma once
#include <algorithm>
#include <cstdint>
#include <span>

#include <upsweep/config.hpp>
#include <upsweep/require.hpp>

namespace UPSWEEP_NAMESPACE {

//! A deterministic automaton over bytes of up to `States` states, 8, 16 or 64: the fewer, the faster its calls. A plain
//! value that is copied into the calls; on a GPU too it is passed as it stands here, in the host's memory.
//!   next     256 states for state 0, then 256 for state 1, and so on: next[256 * state + byte]
//!   kinds    one a state: 0 does not accept, 1 to 254 are labels of your own (of a token that ends there, say)
//!   start    the state before the first byte
//!   begins   empty, or like `next` flags: with this byte, in this state, another token begins (tokenize)
//! Throws std::invalid_argument when a table has another size, a state is not below kinds.size() or a kind is 255.
template <int States>
class automaton {
  static_assert(States == 8 || States == 16 || States == 64, "upsweep: an automaton has room for 8, 16 or 64 states");

 public:
  automaton(std::span<const std::uint8_t> next, std::span<const std::uint8_t> kinds, int start = 0,
            std::span<const std::uint8_t> begins = {})
      : states_(static_cast<int>(kinds.size())), start_(start) {
    const auto size = static_cast<index_t>(kinds.size());
    detail::require(1 <= size && size <= States, "kinds", "has ", size, " states, must have 1 to ", States);
    detail::require(next.size() == 256 * kinds.size(), "next", "has ", next.size(), " entries, needs 256 for each of ",
                    size, " states");
    detail::require(begins.empty() || begins.size() == next.size(), "begins", "has ", begins.size(),
                    " entries, needs none or ", next.size());
    detail::require(0 <= start && start < size, "start", "is ", start, ", must be one of ", size, " states");
    for (int state = 0; state < states_; state++) {
      const auto from = static_cast<std::size_t>(state);
      if (kinds[from] > 254) detail::refuse("kinds", ": that of state ", state, " is 255, must be at most 254");
      kinds_[from] = kinds[from];
      for (std::size_t byte = 0; byte < 256; byte++) {
        const int to = next[256 * from + byte];
        if (to >= states_)
          detail::refuse("next", ": state ", state, " has ", to, " for byte ", byte, ", must be one of ", size,
                         " states");
        const bool starts = !begins.empty() && begins[256 * from + byte] != 0;
        const bool accepts = kinds[static_cast<std::size_t>(to)] != 0;
        next_[byte][from] = static_cast<std::uint8_t>(to);
        entries_[byte][from] = static_cast<std::uint8_t>(to | (starts ? begins_bit : 0) | (accepts ? accepts_bit : 0));
      }
    }
  }

  int states() const { return states_; }
  int start() const { return start_; }
  //! A state's label; 0 when it does not accept.
  int kind(int state) const { return kinds_[state]; }
  int next(int state, std::uint8_t byte) const { return next_[byte][state]; }
  //! Does another token begin with this byte?
  bool begins(int state, std::uint8_t byte) const { return (entries_[byte][state] & begins_bit) != 0; }

  // How the host's loops see it (automaton/host/), by byte: the next states, and entries, which are the next state and
  // in the bits above it whether a token begins and whether the next state accepts. Vectors look a state up among 16 by
  // its lowest four bits.
  static constexpr int width = std::max(States, 16);
  static constexpr int state_mask = width - 1, begins_bit = width, accepts_bit = 2 * width;
  using row = std::uint8_t[width];
  const row* next_states() const { return next_; }
  const row* entries() const { return entries_; }
  const std::uint8_t* kinds() const { return kinds_; }

 private:
  alignas(64) row next_[256] = {};
  alignas(64) row entries_[256] = {};
  std::uint8_t kinds_[width] = {};
  int states_, start_;
};

namespace detail {
template <class A>
inline constexpr bool is_automaton = false;
template <int States>
inline constexpr bool is_automaton<automaton<States>> = true;
}  // namespace detail

}  // namespace UPSWEEP_NAMESPACE

// What a span of text does to an automaton: which state leads to which. Composed, earlier spans first, such maps are a
// monoid, and so a run of an automaton is a scan (Ladner and Fischer 1980; Hillis and Steele 1986).
#pragma once
#include <cstdint>

#include <upsweep/automaton/word_bits.hpp>
#include <upsweep/config.hpp>

namespace UPSWEEP_NAMESPACE {

//! The state that each of `States` states leads to. Up to 8 states are the bytes of two words, up to 16 their nibbles
//! (a byte holds a state's and that of the fourth one behind it), more are bytes.
template <int States>
struct transition_map {
  static_assert(1 <= States && States <= 16);
  std::uint32_t low, high;

  UPSWEEP_HD int operator()(int state) const {
    if constexpr (States <= 8) return static_cast<int>(detail::byte_of(detail::joined(low, high), state));
    else return static_cast<int>((state < 8 ? low : high) >> place_of(state) & 15);
  }
  UPSWEEP_HD constexpr void set(int state, int to) {
    std::uint32_t& word = state < (States <= 8 ? 4 : 8) ? low : high;
    word = (word & ~(15u << place_of(state))) | static_cast<std::uint32_t>(to) << place_of(state);
  }
  friend bool operator==(const transition_map&, const transition_map&) = default;

 private:
  UPSWEEP_HD static constexpr int place_of(int state) { return 8 * (state & 3) + (States <= 8 ? 0 : state & 4); }
};
template <int States>
  requires(States > 16)
struct transition_map<States> {
  alignas(8) std::uint8_t bytes[States];

  UPSWEEP_HD constexpr int operator()(int state) const { return bytes[state]; }
  UPSWEEP_HD constexpr void set(int state, int to) { bytes[state] = static_cast<std::uint8_t>(to); }
  friend bool operator==(const transition_map&, const transition_map&) = default;
};

namespace detail {
//! The bytes of up to 16 states, by which a permutation of bytes looks four states up at once: nibbles of an earlier
//! map choose among them.
template <int States>
struct bytes_of_states {
  std::uint32_t four[States / 4];

  UPSWEEP_HD static bytes_of_states identity() {
    bytes_of_states all;
    for (int k = 0; k < States / 4; k++) all.four[k] = 0x03020100u + 0x04040404u * static_cast<std::uint32_t>(k);
    return all;
  }
  UPSWEEP_HD static bytes_of_states of(const transition_map<States>& map) {
    if constexpr (States <= 8) {
      return {map.low, map.high};
    } else {
      constexpr std::uint32_t nibbles = 0x0F0F0F0Fu;
      return {map.low & nibbles, map.low >> 4 & nibbles, map.high & nibbles, map.high >> 4 & nibbles};
    }
  }
  UPSWEEP_HD transition_map<States> map() const {
    if constexpr (States <= 8) return {four[0], four[1]};
    else return {four[0] | four[1] << 4, four[2] | four[3] << 4};
  }
  //! Where the states lead that the lowest four nibbles name. (What is not among the lower eight is among the others.)
  UPSWEEP_HD std::uint32_t operator()(std::uint32_t nibbles) const {
    if constexpr (States <= 8) return chosen_bytes(four[0], four[1], nibbles);
    else return chosen_bytes(four[0], four[1], nibbles) | chosen_bytes(four[2], four[3], nibbles ^ 0x8888u);
  }
  //! Of eight nibbles, states 0 4 1 5 2 6 3 7 of a map or of its half.
  UPSWEEP_HD void look_up(std::uint32_t nibbles, std::uint32_t& first_four, std::uint32_t& last_four) const {
    const std::uint32_t a = (*this)(nibbles), b = (*this)(nibbles >> 16);
    first_four = chosen_bytes(a, b, 0x6420);
    last_four = chosen_bytes(a, b, 0x7531);
  }
};
}  // namespace detail

//! The monoid: first the earlier map, then the later one.
template <int States>
struct transitions {
  using value_type = transition_map<States>;
  UPSWEEP_HD constexpr value_type identity() const {
    value_type map{};
    for (int state = 0; state < States; state++) map.set(state, state);
    return map;
  }
  UPSWEEP_HD value_type operator()(const value_type& earlier, const value_type& later) const {
    if constexpr (States <= 16) return by_permutation(earlier, later);
    else return by_states(earlier, later);
  }

 private:
  UPSWEEP_HD static value_type by_permutation(const value_type& earlier, const value_type& later) {
    using bytes = detail::bytes_of_states<States>;
    const bytes from = bytes::of(later);
    bytes both;
    if constexpr (States <= 8) {
      from.look_up(earlier.low | earlier.high << 4, both.four[0], both.four[1]);
    } else {
      from.look_up(earlier.low, both.four[0], both.four[1]);
      from.look_up(earlier.high, both.four[2], both.four[3]);
    }
    return both.map();
  }
  // Inlined, once for each of the many bytes of a lane, it would keep nvcc busy for minutes.
  UPSWEEP_OUT_OF_LINE UPSWEEP_HD static value_type by_states(const value_type& earlier, const value_type& later) {
    value_type both{};
    for (int state = 0; state < States; state++) both.set(state, later(earlier(state)));
    return both;
  }
};

}  // namespace UPSWEEP_NAMESPACE

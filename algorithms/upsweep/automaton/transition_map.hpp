// What a span of text does to an automaton: which state leads to which. Composed, earlier spans first, such maps are a
// monoid, and so a run of an automaton is a scan (Ladner and Fischer 1980; Hillis and Steele 1986).
#pragma once
#include <cstdint>
#include <type_traits>

#include <upsweep/config.hpp>

namespace UPSWEEP_NAMESPACE {

//! The state that each of `States` states leads to. Up to 16 states are the nibbles of a word, more are bytes.
template <int States>
struct transition_map {
  static_assert(1 <= States && States <= 16);
  using word = std::conditional_t<(States <= 8), std::uint32_t, std::uint64_t>;
  word nibbles;

  UPSWEEP_HD constexpr int operator()(int state) const { return static_cast<int>(nibbles >> (4 * state) & 15); }
  UPSWEEP_HD constexpr void set(int state, int to) {
    nibbles = (nibbles & ~(word{15} << (4 * state))) | static_cast<word>(to) << (4 * state);
  }
  friend bool operator==(const transition_map&, const transition_map&) = default;
};
template <int States>
  requires(States > 16)
struct transition_map<States> {
  alignas(8) std::uint8_t bytes[States];

  UPSWEEP_HD constexpr int operator()(int state) const { return bytes[state]; }
  UPSWEEP_HD constexpr void set(int state, int to) { bytes[state] = static_cast<std::uint8_t>(to); }
  friend bool operator==(const transition_map&, const transition_map&) = default;
};

//! The monoid: first the earlier map, then the later one.
template <int States>
struct transitions {
  using value_type = transition_map<States>;
  UPSWEEP_HD constexpr value_type identity() const {
    value_type map{};
    for (int state = 0; state < States; state++) map.set(state, state);
    return map;
  }
  UPSWEEP_HD constexpr value_type operator()(const value_type& earlier, const value_type& later) const {
#if defined(__CUDA_ARCH__)
    if constexpr (States <= 8) return by_permutation(earlier, later);
    else return by_states_out_of_line(earlier, later);
#else
    return by_states(earlier, later);
#endif
  }

 private:
  UPSWEEP_HD static constexpr value_type by_states(const value_type& earlier, const value_type& later) {
    value_type both{};
    for (int state = 0; state < States; state++) both.set(state, later(earlier(state)));
    return both;
  }
#if defined(__CUDA_ARCH__)
  // Inlined, once for each of the many bytes of a lane, it would keep nvcc busy for minutes.
  static __device__ __noinline__ value_type by_states_out_of_line(const value_type& earlier, const value_type& later) {
    return by_states(earlier, later);
  }
  // A permutation of bytes looks four states up at once: nibbles of the one map choose among bytes of the other.
  static __device__ std::uint32_t as_bytes(std::uint32_t four_nibbles) {
    const std::uint32_t pairs = (four_nibbles | four_nibbles << 8) & 0x00FF00FFu;
    return (pairs | pairs << 4) & 0x0F0F0F0Fu;
  }
  static __device__ value_type by_permutation(const value_type& earlier, const value_type& later) {
    const std::uint32_t low = as_bytes(later.nibbles & 0xFFFFu), high = as_bytes(later.nibbles >> 16);
    const std::uint32_t a = __byte_perm(low, high, earlier.nibbles), b = __byte_perm(low, high, earlier.nibbles >> 16);
    return {__byte_perm(a | a >> 4, b | b >> 4, 0x6420)};
  }
#endif
};

}  // namespace UPSWEEP_NAMESPACE

// Walking an automaton along bytes on the host. What a walk leaves is its trace: for each byte the entry of the table
// that it met, which holds the state behind the byte, whether a token begins there and whether the state accepts.
#pragma once
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include <upsweep/automaton/table.hpp>
#include <upsweep/config.hpp>
#include <upsweep/host/versions.hpp>

namespace UPSWEEP_NAMESPACE::detail {

// One load after the other: a byte takes as long as the first-level cache does to answer. (With a mask to make a state
// of an entry it would take a fifth longer: nobody waits for the entries.)
template <int States>
void trace_by_loads(const automaton<States>& a, const std::uint8_t* text, index_t count, int from,
                    std::uint8_t* __restrict trace) {
  const auto *const next = a.next_states(), *const entries = a.entries();
  auto state = static_cast<unsigned>(from);
  for (index_t k = 0; k < count; k++) {
    trace[k] = entries[text[k]][state];
    state = next[text[k]][state];
  }
}

#if UPSWEEP_X86_VERSIONS
// Up to 16 states by a permutation of bytes (Mytkowicz et al. 2014): the row of a byte is loaded whole, for which
// nobody need know the state, and the state then picks from it in one cycle. All lanes hold the same entry, so that
// each of 16 bytes leaves its own in another lane.
UPSWEEP_AVX2 inline void trace_by_permutations(const std::uint8_t (*entries)[16], const std::uint8_t* text,
                                               index_t count, int state, std::uint8_t* __restrict trace) {
  typedef char bytes16 __attribute__((vector_size(16)));
  alignas(16) static constexpr auto lanes = [] {
    std::array<std::array<char, 16>, 16> masks{};
    for (std::size_t lane = 0; lane < 16; lane++) masks[lane][lane] = -1;
    return masks;
  }();
  bytes16 now = bytes16{} + static_cast<char>(state), row, lane;
  index_t k = 0;
  for (; count - k >= 16; k += 16) {
    bytes16 sixteen{};
    for (std::size_t j = 0; j < 16; j++) {
      __builtin_memcpy(&row, entries[text[k + static_cast<index_t>(j)]], 16);
      __builtin_memcpy(&lane, lanes[j].data(), 16);
      now = __builtin_ia32_pshufb128(row, now);
      sixteen |= now & lane;
    }
    __builtin_memcpy(trace + k, &sixteen, 16);
  }
  for (; k < count; k++) {
    __builtin_memcpy(&row, entries[text[k]], 16);
    now = __builtin_ia32_pshufb128(row, now);
    trace[k] = static_cast<std::uint8_t>(now[0]);
  }
}
#endif

//! Walks along `count` bytes from `state`.
template <int States>
void trace_bytes(const automaton<States>& a, const std::uint8_t* text, index_t count, int state,
                 std::uint8_t* __restrict trace) {
#if UPSWEEP_X86_VERSIONS
  if constexpr (States <= 16)
    if (has_vectors_of(32)) return trace_by_permutations(a.entries(), text, count, state, trace);
#endif
  trace_by_loads(a, text, count, state, trace);
}

//! A set of states, a bit each.
using state_set = std::uint64_t;

//! In which states some bytes may leave the automaton, if nothing is known of the state before them. Most automata soon
//! forget where they were, and few are left.
template <int States>
state_set states_behind(const automaton<States>& a, const std::uint8_t* text, index_t count) {
  state_set possible = ~state_set{0} >> (64 - a.states());
  for (index_t k = 0; k < count; k++) {
    const auto& next = a.next_states()[text[k]];
    state_set reached = 0;
    for (state_set left = possible; left; left &= left - 1) reached |= state_set{1} << next[std::countr_zero(left)];
    possible = reached;
  }
  return possible;
}

}  // namespace UPSWEEP_NAMESPACE::detail

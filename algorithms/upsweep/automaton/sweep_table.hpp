// What sweeps look up of an automaton, in the executor's memory.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include <upsweep/automaton/table.hpp>
#include <upsweep/automaton/transition_map.hpp>
#include <upsweep/config.hpp>
#include <upsweep/executor.hpp>
#include <upsweep/scratch.hpp>
#if UPSWEEP_HAS_CUDA
#include <upsweep/cuda/send_words.hpp>
#endif

namespace UPSWEEP_NAMESPACE::detail {

//! What a byte makes of every state. Of up to 16 they are nibbles.
template <int States>
using row_of_states =
    std::conditional_t<(States <= 8), std::uint32_t,
                       std::conditional_t<(States <= 16), std::uint64_t, transition_map<(States > 16 ? States : 64)>>>;

template <int States>
struct sweep_table {
  static constexpr bool marks_rows = States <= 8;
  row_of_states<States> rows[256]{};             // by byte
  std::uint32_t marked[marks_rows ? 256 : 1]{};  // rows, in a nibble's highest bit whether a token begins
  std::uint8_t begins[marks_rows ? 1 : 256][States / 8]{};
  alignas(8) std::uint8_t kinds[States]{};
  std::int32_t start;           // the state before the words
  std::int32_t last_state = 0;  // of a whole text, left by one sweep for the next

  //! `tokens`: are beginnings of tokens asked for?
  sweep_table(const automaton<States>& a, bool tokens) : start(a.start()) {
    for (int byte = 0; byte < 256; byte++)
      for (int state = 0; state < a.states(); state++) {
        const auto from = static_cast<std::uint8_t>(byte);
        const bool token = tokens && a.begins(state, from);
        set(byte, state, a.next(state, from));
        if constexpr (marks_rows)
          marked[byte] |= (static_cast<std::uint32_t>(a.next(state, from)) | (token ? 8u : 0u)) << 4 * state;
        else if (token) begins[byte][state / 8] = static_cast<std::uint8_t>(begins[byte][state / 8] | 1 << state % 8);
      }
    for (int state = 0; state < a.states(); state++) kinds[state] = static_cast<std::uint8_t>(a.kind(state));
  }
  //! The state behind a byte, and whether a token begins with it.
  UPSWEEP_HD int next(std::uint32_t byte, int state) const {
    if constexpr (States <= 8) return static_cast<int>(rows[byte] >> 4 * state & 7);
    else if constexpr (States <= 16) return static_cast<int>(rows[byte] >> 4 * state & 15);
    else return rows[byte](state);
  }
  UPSWEEP_HD bool begins_with(std::uint32_t byte, int state) const {
    if constexpr (marks_rows) return (marked[byte] >> 4 * state & 8) != 0;
    else return (begins[byte][state / 8] >> state % 8 & 1) != 0;
  }

 private:
  void set(int byte, int state, int to) {
    auto& row = rows[byte];
    if constexpr (States <= 16) row |= static_cast<row_of_states<States>>(to) << 4 * state;
    else row.set(state, to);
  }
};

inline void send_bytes(host&, const void* from, std::size_t bytes, std::byte* to) { std::memcpy(to, from, bytes); }
#if UPSWEEP_HAS_CUDA
inline void send_bytes(device& executor, const void* from, std::size_t bytes, std::byte* to) {
  const gpu::current_device here(executor.ordinal());
  gpu::send_words(executor, from, bytes, to);
}
#endif
//! What is put for sixteen bytes of a text.
struct alignas(16) sixteen_marks {
  std::uint32_t four[4];
};
//! The table in the executor's scratch memory, and behind it memory for marks.
template <int States>
struct lent_table {
  sweep_table<States>* table = nullptr;
  sixteen_marks* marks = nullptr;

  template <class Executor>
  lent_table(Executor& executor, const automaton<States>& a, bool tokens = false, index_t words_of_marks = 0) {
    std::byte* memory = nullptr;
    in_scratch(executor, [&](scratch_cutter& scratch) {
      memory = scratch.take<std::byte>(sizeof(sweep_table<States>) + 7);  // whole words are sent
      marks = scratch.take<sixteen_marks>(words_of_marks / 2 + 2);        // and padding
    });
    const sweep_table<States> sent(a, tokens);
    send_bytes(executor, &sent, sizeof sent, memory);
    table = reinterpret_cast<sweep_table<States>*>(memory);
  }
};

}  // namespace UPSWEEP_NAMESPACE::detail

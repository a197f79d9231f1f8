// What the calls of an automaton write on the host, of the trace of a part (trace.hpp). Each output counts what it will
// keep of a part, in any order, and stores it when it is known how much was kept before.
#pragma once
#include <cstddef>
#include <cstdint>

#include <upsweep/automaton/table.hpp>
#include <upsweep/config.hpp>
#include <upsweep/host/compress.hpp>
#include <upsweep/host/memory.hpp>
#include <upsweep/host/versions.hpp>
#include <upsweep/scratch.hpp>

namespace UPSWEEP_NAMESPACE::detail {

//! Bytes of a trace that are worked on at a time: what is staged of them stays in the first-level cache.
inline constexpr index_t trace_round = 2048;

//! What stands before a part: the state, how much was kept, where the token begins that goes on.
struct automaton_prefix {
  int state;
  index_t kept, token_begin;
};
//! `count` entries, of the bytes of the text from `first` on. entries[-1] is of the byte before them.
struct trace_view {
  const std::uint8_t* entries;
  index_t first, count;
};

//! How many of `count` bytes flag(k) says yes to.
template <class Flag>
index_t count_flags(index_t count, const Flag& flag) {
  index_t found = 0;
  with_vectors<true>([&](auto) UPSWEEP_LAMBDA_INLINE {
    index_t sum = 0, k = 0;
    for (; count - k >= 128; k += 128) {  // few enough for a byte
      std::uint8_t few = 0;
      for (int j = 0; j < 128; j++) few = static_cast<std::uint8_t>(few + flag(k + j));
      sum += few;
    }
    for (; k < count; k++) sum += flag(k);
    found = sum;
  });
  return found;
}
//! to[k] = from[k] & mask
template <class T>
void mask_entries(const std::uint8_t* from, index_t count, int mask, T* to) {
  with_vectors<true>([&](auto) UPSWEEP_LAMBDA_INLINE {
    const std::uint8_t* const entries = from;  // copies: the compiler need not reload them after every store
    T* const masked = to;
    const index_t n = count;
    const auto bits = static_cast<std::uint8_t>(mask);
    for (index_t k = 0; k < n; k++) masked[k] = static_cast<T>(entries[k] & bits);
  });
}
//! The places in a round, counted from `begin`, whose entries have a bit.
struct flagged_places {
  std::uint8_t* flags = nullptr;
  std::uint32_t* positions = nullptr;

  constexpr void cut(scratch_cutter& pieces) {
    flags = pieces.take<std::uint8_t>(trace_round + compress_slack);
    positions = pieces.take<std::uint32_t>(trace_round + compress_slack);
  }
  index_t list(const std::uint8_t* entries, index_t count, int bit) const {
    const auto mask = static_cast<std::uint8_t>(bit);
    mask_entries(entries, count, mask, flags);
    return list_positions(flags, mask, count, positions);
  }
};
template <class F>
void for_each_round(const trace_view& trace, const F& f) {
  for (index_t begin = 0; begin < trace.count; begin += trace_round)
    f(begin, trace.count - begin < trace_round ? trace.count - begin : trace_round);
}

//! Nothing: the last state is asked for.
template <int States>
struct no_output {
  struct staging {
    constexpr void cut(scratch_cutter&) {}
  };
  index_t kept(const trace_view&) const { return 0; }
  void store(const staging&, const trace_view&, const automaton_prefix&) const {}
};

//! The state behind each byte, or before it.
template <int States, class T>
struct states_output {
  T* states;
  bool before, streaming;

  struct staging {
    T* states = nullptr;
    constexpr void cut(scratch_cutter& pieces) { states = pieces.take<T>(trace_round); }
  };
  index_t kept(const trace_view&) const { return 0; }
  void store(const staging& staged, const trace_view& trace, const automaton_prefix&) const {
    for_each_round(trace, [&](index_t begin, index_t count) {
      const std::uint8_t* from = trace.entries + begin - (before ? 1 : 0);
      mask_entries(from, count, automaton<States>::state_mask, staged.states);
      copy_out(states + trace.first + begin, staged.states, static_cast<std::size_t>(count) * sizeof(T), streaming);
    });
  }
};

//! How many bytes of the text stand before each place where the automaton accepts.
template <int States, class T>
struct ends_output {
  T* ends;
  bool streaming;

  struct staging {
    flagged_places places;
    T* ends = nullptr;
    constexpr void cut(scratch_cutter& pieces) {
      places.cut(pieces);
      ends = pieces.take<T>(trace_round);
    }
  };
  index_t kept(const trace_view& trace) const {
    const std::uint8_t* entries = trace.entries;
    return count_flags(trace.count, [entries](index_t k) UPSWEEP_LAMBDA_INLINE {
      return (entries[k] & automaton<States>::accepts_bit) != 0;
    });
  }
  void store(const staging& staged, const trace_view& trace, const automaton_prefix& before) const {
    index_t to = before.kept;
    for_each_round(trace, [&](index_t begin, index_t count) {
      const index_t found = staged.places.list(trace.entries + begin, count, automaton<States>::accepts_bit);
      for (index_t j = 0; j < found; j++)
        staged.ends[j] = static_cast<T>(trace.first + begin + staged.places.positions[j] + 1);
      copy_out(ends + to, staged.ends, static_cast<std::size_t>(found) * sizeof(T), streaming);
      to += found;
    });
  }
};

//! Start, length and kind of each token whose kind is not 0. A token is written where the next one begins.
template <int States, class S, class L, class K>
struct tokens_output {
  S* starts;
  L* lengths;
  K* kinds;
  const std::uint8_t* kind_of;  // by state
  bool streaming;
  using table = automaton<States>;

  struct staging {
    flagged_places places;
    S* starts = nullptr;
    L* lengths = nullptr;
    K* kinds = nullptr;
    constexpr void cut(scratch_cutter& pieces) {
      places.cut(pieces);
      starts = pieces.take<S>(trace_round + 1);  // what is not kept is written, too, and then written over
      lengths = pieces.take<L>(trace_round + 1);
      kinds = pieces.take<K>(trace_round + 1);
    }
  };
  index_t kept(const trace_view& trace) const {
    const std::uint8_t* entries = trace.entries;
    return count_flags(trace.count, [entries](index_t k) UPSWEEP_LAMBDA_INLINE {
      return ((entries[k] & table::begins_bit) != 0) & ((entries[k - 1] & table::accepts_bit) != 0);
    });
  }
  void store(const staging& staged, const trace_view& trace, const automaton_prefix& before) const {
    index_t to = before.kept, token = before.token_begin;
    for_each_round(trace, [&](index_t begin, index_t count) {
      const index_t found = staged.places.list(trace.entries + begin, count, table::begins_bit);
      const index_t kept = list_tokens(staged, trace.entries + begin, trace.first + begin, found, token);
      const auto items = static_cast<std::size_t>(kept);
      copy_out(starts + to, staged.starts, items * sizeof(S), streaming);
      copy_out(lengths + to, staged.lengths, items * sizeof(L), streaming);
      copy_out(kinds + to, staged.kinds, items * sizeof(K), streaming);
      to += kept;
    });
  }

 private:
  //! The tokens that end where others begin, at so many places; returns how many are kept. `token` is where the one
  //! begins that goes on.
  index_t list_tokens(const staging& staged, const std::uint8_t* entries, index_t base, index_t found,
                      index_t& token) const {
    const std::uint32_t* const positions = staged.places.positions;  // copies: not reloaded after every store
    const std::uint8_t* const kinds_of_states = kind_of;
    S* const to_starts = staged.starts;
    L* const to_lengths = staged.lengths;
    K* const to_kinds = staged.kinds;
    index_t kept = 0, begin = token - base;
    for (index_t j = 0; j < found; j++) {
      const index_t end = positions[j];
      const unsigned last = entries[end - 1];  // the token's last byte
      to_starts[kept] = static_cast<S>(base + begin);
      to_lengths[kept] = static_cast<L>(end - begin);
      to_kinds[kept] = static_cast<K>(kinds_of_states[last & table::state_mask]);
      kept += last / table::accepts_bit & 1;
      begin = end;
    }
    token = base + begin;
    return kept;
  }
};

}  // namespace UPSWEEP_NAMESPACE::detail

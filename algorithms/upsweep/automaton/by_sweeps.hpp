// The calls of an automaton as sweeps of the engine: eight bytes are lifted to their transition map, the prefix of the
// eight says in which state they find the automaton, and from there they are walked. What is compacted takes two
// sweeps, since which bytes are kept follows from the states: the first leaves a mark of a byte for every byte of the
// text. (A host has a faster way, in host/.)
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>

#include <upsweep/automaton/table.hpp>
#include <upsweep/automaton/text.hpp>
#include <upsweep/automaton/transition_map.hpp>
#include <upsweep/compaction.hpp>
#include <upsweep/config.hpp>
#include <upsweep/executor.hpp>
#include <upsweep/monoid.hpp>
#include <upsweep/scan.hpp>
#include <upsweep/scratch.hpp>
#include <upsweep/stages.hpp>
#if UPSWEEP_HAS_CUDA
#include <upsweep/cuda/send_words.hpp>
#endif

namespace UPSWEEP_NAMESPACE::detail {

//! What sweeps look up of an automaton, in the executor's memory.
template <int States>
struct sweep_table {
  transition_map<States> maps[256]{};  // by byte
  std::uint8_t begins[256][States / 8]{};
  std::uint8_t kinds[States]{};
  std::int32_t start, last_state = 0;  // last_state: of a whole text, left by one sweep for the next

  explicit sweep_table(const automaton<States>& a) : start(a.start()) {
    for (int byte = 0; byte < 256; byte++)
      for (int state = 0; state < a.states(); state++) {
        maps[byte].set(state, a.next(state, static_cast<std::uint8_t>(byte)));
        if (a.begins(state, static_cast<std::uint8_t>(byte)))
          begins[byte][state / 8] = static_cast<std::uint8_t>(begins[byte][state / 8] | 1 << state % 8);
      }
    for (int state = 0; state < a.states(); state++) kinds[state] = static_cast<std::uint8_t>(a.kind(state));
  }
  UPSWEEP_HD bool begins_with(std::uint8_t byte, int state) const { return begins[byte][state / 8] >> state % 8 & 1; }
};

inline void send_bytes(host&, const void* from, std::size_t bytes, std::byte* to) { std::memcpy(to, from, bytes); }
#if UPSWEEP_HAS_CUDA
inline void send_bytes(device& executor, const void* from, std::size_t bytes, std::byte* to) {
  const gpu::current_device here(executor.ordinal());
  gpu::send_words(executor, from, bytes, to);
}
#endif
//! The table in the executor's scratch memory, and behind it `marks` bytes.
template <int States>
struct lent_table {
  sweep_table<States>* table = nullptr;
  std::uint8_t* marks = nullptr;

  template <class Executor>
  lent_table(Executor& executor, const automaton<States>& a, index_t marks_needed = 0) {
    std::byte* memory = nullptr;
    in_scratch(executor, [&](scratch_cutter& scratch) {
      memory = scratch.take<std::byte>(sizeof(sweep_table<States>) + 7);  // whole words are sent
      marks = scratch.take<std::uint8_t>(marks_needed);
    });
    const sweep_table<States> sent(a);
    send_bytes(executor, &sent, sizeof sent, memory);
    table = reinterpret_cast<sweep_table<States>*>(memory);
  }
};

// ---------------------------------------------------------------- eight bytes
inline constexpr index_t text_word = 8;
struct read_word {
  const std::uint8_t* text;
  UPSWEEP_HD std::uint64_t operator()(index_t i) const { return eight_bytes(text + text_word * i); }
};
template <int States>
struct lift_word {
  const sweep_table<States>* table;
  UPSWEEP_HD transition_map<States> operator()(std::uint64_t word) const {
    transition_map<States> map = table->maps[word & 255];
    UPSWEEP_ROLLED
    for (int k = 1; k < text_word; k++) map = transitions<States>{}(map, table->maps[word >> 8 * k & 255]);
    return map;
  }
};
//! Walks from a state over the bytes [first, end); put(i, byte, before, behind) is told each. Returns the last state.
template <int States, class Byte, class Put>
UPSWEEP_HD int walk_bytes(const sweep_table<States>& table, int state, index_t first, index_t end, const Byte& byte_at,
                          const Put& put) {
  UPSWEEP_ROLLED
  for (index_t i = first; i < end; i++) {
    const std::uint8_t byte = byte_at(i);
    const int behind = table.maps[byte](state);
    put(i, byte, state, behind);
    state = behind;
  }
  return state;
}
struct byte_of_word {
  std::uint64_t word;
  UPSWEEP_HD std::uint8_t operator()(index_t i) const { return static_cast<std::uint8_t>(word >> 8 * (i % text_word)); }
};
struct byte_of_text {
  const std::uint8_t* text;
  UPSWEEP_HD std::uint8_t operator()(index_t i) const { return text[i]; }
};
//! What a sweep does with a word and what came before it.
template <int States, class Put>
struct walk_word {
  const sweep_table<States>* table;
  Put put;
  UPSWEEP_HD void operator()(index_t i, std::uint64_t word, const transition_map<States>& before,
                             const transition_map<States>&) const {
    walk_bytes(*table, before(table->start), text_word * i, text_word * (i + 1), byte_of_word{word}, put);
  }
};
//! And in the end: the bytes behind the last whole word; then(the last state).
template <int States, class Put, class Then>
struct walk_rest {
  const sweep_table<States>* table;
  text_range text;
  Put put;
  Then then;
  template <class Item>
  UPSWEEP_HD void operator()(const Item&, const transition_map<States>& total) const {
    empty(total);
  }
  UPSWEEP_HD void empty(const transition_map<States>& total) const {
    const index_t first = text.size / text_word * text_word;
    then(walk_bytes(*table, total(table->start), first, text.size, byte_of_text{text.data}, put));
  }
};

// ---------------------------------------------------------------- what is put for a byte, and what is done at the end
struct put_nothing {
  UPSWEEP_HD void operator()(index_t, std::uint8_t, int, int) const {}
};
template <class T>
struct put_state {
  T* states;
  bool before;
  UPSWEEP_HD void operator()(index_t i, std::uint8_t, int state, int behind) const {
    states[i] = static_cast<T>(before ? state : behind);
  }
};
template <int States>
struct put_accepted {
  const sweep_table<States>* table;
  std::uint8_t* marks;
  UPSWEEP_HD void operator()(index_t i, std::uint8_t, int, int behind) const { marks[i] = table->kinds[behind] != 0; }
};
//! Where a token begins, the kind of the one that ends there; elsewhere nothing_begins, which is no kind.
inline constexpr std::uint8_t nothing_begins = 255;
template <int States>
struct put_token {
  const sweep_table<States>* table;
  std::uint8_t* marks;
  UPSWEEP_HD void operator()(index_t i, std::uint8_t byte, int state, int) const {
    marks[i] = i > 0 && table->begins_with(byte, state) ? table->kinds[state] : nothing_begins;
  }
};
struct forget_state {
  UPSWEEP_HD void operator()(int) const {}
};
//! For the next sweep.
template <int States>
struct keep_last_state {
  sweep_table<States>* table;
  UPSWEEP_HD void operator()(int state) const { table->last_state = state; }
};
template <int States>
struct write_kind {
  const sweep_table<States>* table;
  int* kind;
  UPSWEEP_HD void operator()(int state) const { *kind = table->kinds[state]; }
};

// ---------------------------------------------------------------- what is made of marks
struct take_end {
  template <class Item, class V>
  UPSWEEP_HD index_t operator()(index_t i, const Item&, const V&, const V&) const {
    return i + 1;
  }
};
using marked_byte = tuple<std::uint8_t, index_t>;
struct lift_beginning {  // where the token begins that this byte is of, if it is the first
  UPSWEEP_HD index_t operator()(const marked_byte& item) const {
    return get<0>(item) != nothing_begins ? get<1>(item) : 0;
  }
};
struct ends_a_token {
  UPSWEEP_HD int operator()(const marked_byte& item) const {
    return get<0>(item) != nothing_begins && get<0>(item) != 0 ? 0 : 1;
  }
};
template <class S, class L, class K>
struct finished_token {
  UPSWEEP_HD tuple<S, L, K> operator()(index_t i, const marked_byte& item, index_t begin, index_t) const {
    return upsweep::make_tuple(static_cast<S>(begin), static_cast<L>(i - begin), static_cast<K>(get<0>(item)));
  }
};
//! The last token ends with the text.
template <int States, class S, class L, class K>
struct write_last_token {
  const sweep_table<States>* table;
  S* starts;
  L* lengths;
  K* kinds;
  index_t n;
  index_t* count;
  template <class V>
  UPSWEEP_HD void operator()(const marked_byte&, const V& total) const {
    index_t found = total.counts[0];
    if (const int kind = table->kinds[table->last_state]) {
      starts[found] = static_cast<S>(total.value);
      lengths[found] = static_cast<L>(n - total.value);
      kinds[found++] = static_cast<K>(kind);
    }
    *count = found;
  }
  template <class V>
  UPSWEEP_HD void empty(const V&) const {
    *count = 0;
  }
};

// ---------------------------------------------------------------- the sweeps
template <class Executor, int States, class Store, class Put, class Then>
void sweep_words(Executor& executor, const lent_table<States>& lent, const text_range& text, const Store& store,
                 const Put& put, const Then& then) {
  scan_then(executor, text.size / text_word, computed<std::uint64_t>(read_word{text.data}),
            lift_word<States>{lent.table}, transitions<States>{}, store,
            walk_rest<States, Put, Then>{lent.table, text, put, then});
}
template <class Executor, int States, class Put, class Then>
void sweep_states(Executor& executor, const lent_table<States>& lent, const text_range& text, const Put& put,
                  const Then& then) {
  sweep_words(executor, lent, text, each_store<walk_word<States, Put>>{{lent.table, put}}, put, then);
}

template <class Executor, int States, class T>
void states_by_sweep(Executor& executor, const automaton<States>& a, const text_range& text,
                     const named_range<T>& states, bool before) {
  const lent_table<States> lent(executor, a);
  sweep_states(executor, lent, text, put_state<T>{states.data, before}, forget_state{});
}
template <class Executor, int States>
void match_by_sweep(Executor& executor, const automaton<States>& a, const text_range& text, int* kind) {
  const lent_table<States> lent(executor, a);
  sweep_words(executor, lent, text, discard, put_nothing{}, write_kind<States>{lent.table, kind});
}
template <class Executor, int States, class T>
void ends_by_sweeps(Executor& executor, const automaton<States>& a, const text_range& text, const named_range<T>& ends,
                    index_t* count) {
  const lent_table<States> lent(executor, a, text.size);
  const named_range<std::uint8_t> marks{lent.marks, text.size, "marks"};
  sweep_states(executor, lent, text, put_accepted<States>{lent.table, marks.data}, forget_state{});
  compact(executor, text.size, contiguous(marks), keep_if<is_set>{}, take_end{}, upsweep::make_tuple(ends), count);
}
template <class Executor, int States, class S, class L, class K>
void tokens_by_sweeps(Executor& executor, const automaton<States>& a, const text_range& text,
                      const named_range<S>& starts, const named_range<L>& lengths, const named_range<K>& kinds,
                      index_t* count) {
  const lent_table<States> lent(executor, a, text.size);
  const named_range<std::uint8_t> marks{lent.marks, text.size, "marks"};
  sweep_states(executor, lent, text, put_token<States>{lent.table, marks.data}, keep_last_state<States>{lent.table});
  scan_then(executor, text.size, contiguous(marks, indices()), lift_beginning{}, maximum<index_t>{},
            packed_rows(ends_a_token{}, finished_token<S, L, K>{}, starts, lengths, kinds),
            write_last_token<States, S, L, K>{lent.table, starts.data, lengths.data, kinds.data, text.size, count});
}

}  // namespace UPSWEEP_NAMESPACE::detail

// The calls of an automaton as sweeps of the engine: eight bytes are lifted to their transition map, the prefix of the
// eight says in which state they find the automaton, and from there they are walked. What is compacted takes two
// sweeps, since which bytes are kept follows from the states: the first leaves a mark of a byte for every byte of the
// text, and the second takes sixteen of them at a time. (A host has a faster way, in host/.)
//   words.hpp    a text's words: lifted, walked;  marks.hpp    what is put for them, what is made of that
#pragma once
#include <cstdint>
#include <span>
#include <type_traits>

#include <upsweep/automaton/marks.hpp>
#include <upsweep/automaton/sweep_table.hpp>
#include <upsweep/automaton/table.hpp>
#include <upsweep/automaton/text.hpp>
#include <upsweep/automaton/transition_map.hpp>
#include <upsweep/automaton/words.hpp>
#include <upsweep/config.hpp>
#include <upsweep/for_each_index.hpp>
#include <upsweep/monoid.hpp>
#include <upsweep/scan.hpp>
#include <upsweep/stages.hpp>
#include <upsweep/transform.hpp>

namespace UPSWEEP_NAMESPACE::detail {

//! Puts a byte for each byte of the text: `results` stands where the padded text would begin. `pads`: whole words are
//! written.
template <class Executor, int States, class Put, class Then>
void sweep_words(Executor& executor, const lent_table<States>& lent, const words_of_text& words, const Put& put,
                 std::uint8_t* results, bool pads, const Then& then) {
  const index_t rest = words.head + text_word * words.whole, rest_word = words.first_whole() + words.whole;
  const auto result = [&](index_t word) { return results ? results + text_word * word : nullptr; };
  const walk_bytes<States, Put> in_front{
      put, words.text, 0, words.head, result(0), static_cast<int>(words.lead), pads ? int{text_word} : 0};
  const walk_bytes<States, Put> behind{put, words.text, rest, words.size, result(rest_word), 0, pads ? most_padded : 0};
  if (words.head > 0) for_each_index(executor, 1, walk_head<States, Put>{lent.table, in_front});
  const auto sweep_into = [&](const auto& store) {
    scan_then(executor, words.whole, contiguous(words.range()), lift_word<States>{lent.table}, transitions<States>{},
              store, walk_rest<States, Put, Then>{lent.table, behind, then});
  };
  if constexpr (Put::writes) {
    auto* const to = reinterpret_cast<std::uint64_t*>(result(words.first_whole()));
    sweep_into(dense(named_range<std::uint64_t>{to, words.whole, "states"},
                     walk_word<States, Put>{lent.table, put, words.head == 0}));
  } else {
    sweep_into(discard);
  }
}
//! The same into the scratch memory behind the table.
template <class Executor, int States, class Put, class Then>
named_range<const sixteen_marks> mark_words(Executor& executor, const lent_table<States>& lent,
                                            const words_of_text& words, const Put& put, const Then& then) {
  sweep_words(executor, lent, words, put, reinterpret_cast<std::uint8_t*>(lent.marks), true, then);
  return {lent.marks, (words.padded() + 1) / 2, "marks"};
}

template <class T>
struct state_as {
  UPSWEEP_HD T operator()(std::uint8_t state) const { return static_cast<T>(state); }
};
//! States of a byte are written where they belong when they lie to words as the text does; others take a pass more.
template <class Executor, int States, class T>
void states_by_sweep(Executor& executor, const automaton<States>& a, const text_range& text,
                     const named_range<T>& states, bool before) {
  const words_of_text words(text);
  const put_states put{before};
  if constexpr (sizeof(T) == 1 && !std::is_same_v<T, bool>) {
    const auto place = reinterpret_cast<std::uintptr_t>(states.data);
    if (static_cast<index_t>(place % text_word) == words.lead) {
      const lent_table<States> lent(executor, a);
      return sweep_words(executor, lent, words, put,
                         reinterpret_cast<std::uint8_t*>(place - static_cast<std::uintptr_t>(words.lead)), false,
                         forget_state{});
    }
  }
  const lent_table<States> lent(executor, a, false, words.padded());
  mark_words(executor, lent, words, put, forget_state{});
  const auto* const marks = reinterpret_cast<const std::uint8_t*>(lent.marks) + words.lead;
  transform(executor, contiguous(named_range<const std::uint8_t>{marks, words.size, "marks"}),
            std::span<T>(states.data, static_cast<std::size_t>(words.size)), state_as<T>{});
}
template <class Executor, int States>
void match_by_sweep(Executor& executor, const automaton<States>& a, const text_range& text, int* kind) {
  const lent_table<States> lent(executor, a);
  sweep_words(executor, lent, words_of_text(text), put_nothing{}, nullptr, false, write_kind<States>{lent.table, kind});
}
template <class Executor, int States, class T>
void ends_by_sweeps(Executor& executor, const automaton<States>& a, const text_range& text, const named_range<T>& ends,
                    index_t* count) {
  const words_of_text words(text);
  const lent_table<States> lent(executor, a, false, words.padded());
  const auto marks = mark_words(executor, lent, words, put_accepted{}, forget_state{});
  scan_then(executor, marks.size, contiguous(marks), count_ends{}, plus<index_t>{},
            several<16>(rows_of_ends{words.lead}, ends), write_total<index_t>{count});
}
template <class Executor, int States, class S, class L, class K>
void tokens_by_sweeps(Executor& executor, const automaton<States>& a, const text_range& text,
                      const named_range<S>& starts, const named_range<L>& lengths, const named_range<K>& kinds,
                      index_t* count) {
  const words_of_text words(text);
  const lent_table<States> lent(executor, a, true, words.padded());
  const auto marks = mark_words(executor, lent, words, put_tokens{}, keep_last_state<States>{lent.table});
  scan_then(executor, marks.size, contiguous(marks, indices()), lift_tokens{}, add_tokens{},
            several<16>(rows_of_tokens{words.lead}, starts, lengths, kinds),
            write_last_token<States, S, L, K>{lent.table, starts.data, lengths.data, kinds.data, words.size, words.lead,
                                              count});
}

}  // namespace UPSWEEP_NAMESPACE::detail

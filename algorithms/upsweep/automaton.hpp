// Automata over texts: a run, which looks as serial as anything, is a scan of transition maps.
//   run(exec, automaton, text, states)                          the state behind each byte, or before it
//   match(exec, automaton, text)                                is the whole text accepted, and as what?
//   find_all(exec, automaton, text, ends)                       where the automaton accepts
//   tokenize(exec, automaton, text, starts, lengths, kinds)     a lexer
// What a span of text does to an automaton is a map from states to states, and composing maps is associative (Ladner
// and Fischer 1980; Hillis and Steele 1986). A `text` is a range of items of one byte: char, std::uint8_t, std::byte.
#pragma once
#include <cstdint>
#include <type_traits>
#include <utility>

#include <upsweep/automaton/by_sweeps.hpp>
#include <upsweep/automaton/host/automaton_job.hpp>
#include <upsweep/automaton/table.hpp>
#include <upsweep/automaton/text.hpp>
#include <upsweep/automaton/transition_map.hpp>
#include <upsweep/checks.hpp>
#include <upsweep/config.hpp>
#include <upsweep/executor.hpp>
#include <upsweep/explain.hpp>
#include <upsweep/ranges.hpp>
#include <upsweep/require.hpp>
#if UPSWEEP_HAS_LIBRARY
#include <upsweep/automaton/library/automaton.hpp>
#endif

namespace UPSWEEP_NAMESPACE {

//! Which states run() gives.
enum class states_of_run { behind, before };

namespace detail {
template <class T>
void check_positions(const named_range<T>& range, index_t largest) {
  static_assert(std::is_integral_v<T>, "upsweep: positions and lengths are integers");
  require(can_hold<T>(largest), range.name, ": its type cannot hold the position ", largest);
}

// On the host by walks. What waits for nobody else's prefix needs no second sweep.
template <int States, class T>
void states_on(host& executor, const automaton<States>& a, const text_range& text, const named_range<T>& states,
               bool before) {
  run_automaton(executor, a, text.data, text.size,
                states_output<States, T>{states.data, before, is_streamed<T>(text.size)});
}
template <int States>
void match_on(host& executor, const automaton<States>& a, const text_range& text, int* kind) {
  *kind = a.kind(run_automaton(executor, a, text.data, text.size, no_output<States>{}).state);
}
template <int States, class T>
void ends_on(host& executor, const automaton<States>& a, const text_range& text, const named_range<T>& ends,
             index_t* count) {
  *count =
      run_automaton(executor, a, text.data, text.size, ends_output<States, T>{ends.data, is_streamed<T>(text.size)})
          .kept;
}
template <int States, class S, class L, class K>
void tokens_on(host& executor, const automaton<States>& a, const text_range& text, const named_range<S>& starts,
               const named_range<L>& lengths, const named_range<K>& kinds, index_t* count) {
  const tokens_output<States, S, L, K> output{starts.data, lengths.data, kinds.data, a.kinds(),
                                              is_streamed<S>(text.size)};
  const automaton_prefix last = run_automaton(executor, a, text.data, text.size, output);
  *count = last.kept;
  if (text.size == 0 || a.kind(last.state) == 0) return;
  starts.data[last.kept] = static_cast<S>(last.token_begin);
  lengths.data[last.kept] = static_cast<L>(text.size - last.token_begin);
  kinds.data[last.kept] = static_cast<K>(a.kind(last.state));
  ++*count;
}
#if UPSWEEP_HAS_CUDA
template <int States, class T>
void states_on(device& executor, const automaton<States>& a, const text_range& text, const named_range<T>& states,
               bool before) {
  states_by_sweep(executor, a, text, states, before);
}
template <int States>
void match_on(device& executor, const automaton<States>& a, const text_range& text, int* kind) {
  match_by_sweep(executor, a, text, kind);
}
template <int States, class T>
void ends_on(device& executor, const automaton<States>& a, const text_range& text, const named_range<T>& ends,
             index_t* count) {
  ends_by_sweeps(executor, a, text, ends, count);
}
template <int States, class S, class L, class K>
void tokens_on(device& executor, const automaton<States>& a, const text_range& text, const named_range<S>& starts,
               const named_range<L>& lengths, const named_range<K>& kinds, index_t* count) {
  tokens_by_sweeps(executor, a, text, starts, lengths, kinds, count);
}
#endif
}  // namespace detail

//! The state behind each byte, states[i] behind text[0…i], or before it. `states` (integers) must hold n and lies apart
//! from the text. Costs one read of the text and one write of states. Does not wait. Throws std::invalid_argument,
//! cuda_error. On a host text is walked at a table look-up a byte, of up to 16 states at a cycle; threads share the
//! work as far as the automaton forgets its past (see automaton/host/). On a GPU it is a scan of transition maps, a
//! word of eight bytes at a time; states of one byte that lie to such words as the text does (both ranges begin at the
//! same place modulo 8) are written at once, others by another launch, of bytes in scratch memory.
//!   upsweep::run(exec, quotes, text, states, upsweep::states_of_run::before);
template <executor Executor, int States, detail::text_of_bytes Text, contiguous_range Out>
void run(Executor&& executor, const automaton<States>& a, const Text& text, Out&& states,
         states_of_run which = states_of_run::behind) {
  static_assert(std::is_integral_v<element_t<Out>>, "upsweep: states are integers");
  const auto from = detail::text_of(text);
  const auto to = UPSWEEP_OUTPUT(states);
  detail::check_range(executor, from, from.size);
  detail::check_text_output(executor, from, to);
  detail::run_on_backend(executor,
                         [&](auto& chosen) { detail::states_on(chosen, a, from, to, which == states_of_run::before); });
}
UPSWEEP_EXPLAIN(run, "run(executor, automaton, text, states, which), of which the text is a range of bytes")

//! The kind of the state behind the whole text: 0 when it is not accepted. *kind is in the executor's memory. Costs one
//! read of the text. Does not wait. Throws std::invalid_argument, cuda_error.
template <executor Executor, int States, detail::text_of_bytes Text>
void match(Executor&& executor, const automaton<States>& a, const Text& text, int* kind) {
  const auto from = detail::text_of(text);
  detail::check_range(executor, from, from.size);
  detail::check_result(executor, "kind", kind);
  detail::run_on_backend(executor, [&](auto& chosen) { detail::match_on(chosen, a, from, kind); });
}
//! The same; returns the kind, and waits for it.
//!   if (upsweep::match(exec, number, text)) …
template <executor Executor, int States, detail::text_of_bytes Text>
int match(Executor&& executor, const automaton<States>& a, const Text& text) {
  return executor.template returned<int>([&](int* kind) { match(executor, a, text, kind); });
}
UPSWEEP_EXPLAIN(match, "match(executor, automaton, text), or with a pointer of type int* behind for the kind")

//! Where the automaton accepts: ends[j] bytes stand before the j-th such place, 1 … n of them (before the first byte it
//! is not looked at). Of an expression with .* in front those are the ends of its matches. `ends` (integers that can
//! hold n) must hold n items and lies apart from the text; *count, their number, is in the executor's memory. Costs one
//! read of the text and one write of what is found; on a GPU two sweeps, with a byte a byte between them in scratch
//! memory. Does not wait. Throws std::invalid_argument, cuda_error.
template <executor Executor, int States, detail::text_of_bytes Text, contiguous_range Ends>
void find_all(Executor&& executor, const automaton<States>& a, const Text& text, Ends&& ends, index_t* count) {
  const auto from = detail::text_of(text);
  const auto to = UPSWEEP_OUTPUT(ends);
  detail::check_range(executor, from, from.size);
  detail::check_positions(to, from.size);
  detail::check_text_output(executor, from, to);
  detail::check_result(executor, "count", count);
  detail::run_on_backend(executor, [&](auto& chosen) { detail::ends_on(chosen, a, from, to, count); });
}
//! The same; returns the number, and waits for it.
//!   std::int64_t found = upsweep::find_all(exec, word, text, ends);
template <executor Executor, int States, detail::text_of_bytes Text, contiguous_range Ends>
index_t find_all(Executor&& executor, const automaton<States>& a, const Text& text, Ends&& ends) {
  return executor.template returned<index_t>(
      [&](index_t* count) { find_all(executor, a, text, std::forward<Ends>(ends), count); });
}
UPSWEEP_EXPLAIN(find_all,
                "find_all(executor, automaton, text, ends), or with a pointer of type index_t* behind for the count")

//! The tokens of a text. The first begins with the text, others where the automaton `begins` them; a token ends where
//! the next one begins, the last with the text, and its kind is that of the state behind its last byte. So tokens are
//! found without backing up: a table whose `begins` says where the longest token ends makes them the longest ones.
//! Those of kind 0 (white space, say) are left out: starts[j], lengths[j] and kinds[j] are of the j-th other one.
//! `starts` and `lengths` (integers that can hold n) and `kinds` (integers) must hold n items each and lie apart from
//! the text and from one another; *count is in the executor's memory. Costs one read of the text and one write of the
//! tokens; on a GPU two sweeps, with a byte a byte between them in scratch memory. Does not wait. Throws
//! std::invalid_argument, cuda_error.
template <executor Executor, int States, detail::text_of_bytes Text, contiguous_range Starts, contiguous_range Lengths,
          contiguous_range Kinds>
void tokenize(Executor&& executor, const automaton<States>& a, const Text& text, Starts&& starts, Lengths&& lengths,
              Kinds&& kinds, index_t* count) {
  static_assert(std::is_integral_v<element_t<Kinds>>, "upsweep: kinds are integers");
  const auto from = detail::text_of(text);
  const auto to_starts = UPSWEEP_OUTPUT(starts);
  const auto to_lengths = UPSWEEP_OUTPUT(lengths);
  const auto to_kinds = UPSWEEP_OUTPUT(kinds);
  const index_t n = from.size;
  detail::check_range(executor, from, n);
  detail::check_positions(to_starts, n);
  detail::check_positions(to_lengths, n);
  detail::check_text_output(executor, from, to_starts);
  detail::check_text_output(executor, from, to_lengths);
  detail::check_text_output(executor, from, to_kinds);
  detail::check_disjoint(to_starts, n, to_lengths, n);
  detail::check_disjoint(to_starts, n, to_kinds, n);
  detail::check_disjoint(to_lengths, n, to_kinds, n);
  detail::check_result(executor, "count", count);
  detail::run_on_backend(
      executor, [&](auto& chosen) { detail::tokens_on(chosen, a, from, to_starts, to_lengths, to_kinds, count); });
}
//! The same; returns the number of tokens, and waits for it.
//!   std::int64_t found = upsweep::tokenize(exec, json, text, starts, lengths, kinds);
template <executor Executor, int States, detail::text_of_bytes Text, contiguous_range Starts, contiguous_range Lengths,
          contiguous_range Kinds>
index_t tokenize(Executor&& executor, const automaton<States>& a, const Text& text, Starts&& starts, Lengths&& lengths,
                 Kinds&& kinds) {
  return executor.template returned<index_t>([&](index_t* count) {
    tokenize(executor, a, text, std::forward<Starts>(starts), std::forward<Lengths>(lengths),
             std::forward<Kinds>(kinds), count);
  });
}
UPSWEEP_EXPLAIN(
    tokenize,
    "tokenize(executor, automaton, text, starts, lengths, kinds), or with a pointer of type index_t* behind "
    "for the count")

}  // namespace UPSWEEP_NAMESPACE

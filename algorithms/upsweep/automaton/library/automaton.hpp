// The automata that are compiled into upsweep::cuda: a backend beside that of automaton/host/.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include <upsweep/automaton/library/sizes.hpp>
#include <upsweep/automaton/table.hpp>
#include <upsweep/automaton/text.hpp>
#include <upsweep/c/automaton.h>
#include <upsweep/config.hpp>
#include <upsweep/executor.hpp>
#include <upsweep/library/errors.hpp>
#include <upsweep/library/refuse.hpp>
#include <upsweep/library/scan.hpp>

namespace UPSWEEP_NAMESPACE::library {

//! An automaton as the C interface takes it, by states. (A call makes a table of its own of it in any case, as long.)
class told_automaton {
 public:
  template <int States>
  explicit told_automaton(const automaton<States>& a)
      : next_(256 * at(a.states())), kinds_(at(a.states())), begins_(next_.size()) {
    for (int state = 0; state < a.states(); state++) {
      kinds_[at(state)] = static_cast<std::uint8_t>(a.kind(state));
      for (int byte = 0; byte < 256; byte++) {
        const auto with = static_cast<std::uint8_t>(byte);
        next_[256 * at(state) + at(byte)] = static_cast<std::uint8_t>(a.next(state, with));
        begins_[256 * at(state) + at(byte)] = a.begins(state, with);
      }
    }
    told_ = {.states = a.states(),
             .start = a.start(),
             .next = next_.data(),
             .kinds = kinds_.data(),
             .begins = begins_.data()};
  }
  told_automaton(const told_automaton&) = delete;
  told_automaton& operator=(const told_automaton&) = delete;
  const upsweep_automaton* pointer() const { return &told_; }

 private:
  static std::size_t at(int i) { return static_cast<std::size_t>(i); }
  std::vector<std::uint8_t> next_, kinds_, begins_;
  upsweep_automaton told_{};
};

inline upsweep_input bytes_of(const detail::text_range& text) { return input_of(text.data, text.size); }

}  // namespace UPSWEEP_NAMESPACE::library

namespace UPSWEEP_NAMESPACE::detail {

template <int States, class T>
void states_on(device& executor, const automaton<States>& a, const text_range& text, const named_range<T>& states,
               bool before) {
  static_assert(library::is_same_number<T, std::uint8_t>, UPSWEEP_NOT_COMPILED_IN(UPSWEEP_LIBRARY_HAS_AUTOMATA));
  library::check(upsweep_run_automaton(executor.handle(), library::told_automaton(a).pointer(), library::bytes_of(text),
                                       library::output_of(states.data, states.size), before));
}
template <int States>
void match_on(device& executor, const automaton<States>& a, const text_range& text, int* kind) {
  library::check(upsweep_match(executor.handle(), library::told_automaton(a).pointer(), library::bytes_of(text), kind));
}
template <int States, class T>
void ends_on(device& executor, const automaton<States>& a, const text_range& text, const named_range<T>& ends,
             index_t* count) {
  static_assert(library::is_same_number<T, std::int64_t>, UPSWEEP_NOT_COMPILED_IN(UPSWEEP_LIBRARY_HAS_AUTOMATA));
  library::check(upsweep_find_all(executor.handle(), library::told_automaton(a).pointer(), library::bytes_of(text),
                                  library::output_of(ends.data, ends.size), count));
}
template <int States, class S, class L, class K>
void tokens_on(device& executor, const automaton<States>& a, const text_range& text, const named_range<S>& starts,
               const named_range<L>& lengths, const named_range<K>& kinds, index_t* count) {
  static_assert(library::is_same_number<S, std::int64_t> && library::is_same_number<L, std::int64_t> &&
                    library::is_same_number<K, std::uint8_t>,
                UPSWEEP_NOT_COMPILED_IN(UPSWEEP_LIBRARY_HAS_AUTOMATA));
  library::check(upsweep_tokenize(executor.handle(), library::told_automaton(a).pointer(), library::bytes_of(text),
                                  library::output_of(starts.data, starts.size),
                                  library::output_of(lengths.data, lengths.size),
                                  library::output_of(kinds.data, kinds.size), count));
}

}  // namespace UPSWEEP_NAMESPACE::detail

// The C interface of automata.
#include <string>
#include <type_traits>

#include <upsweep/automaton/library/sizes.hpp>

#include "automaton.hpp"
#include "boundary.hpp"

namespace UPSWEEP_NAMESPACE::compiled {
namespace {

void check_type(int type, int expected, const char* name) {
  if (type != expected)
    throw not_compiled(std::string(name) + ": type " + std::to_string(type) + " is not in the library");
}
//! f(the automaton, the least room that there is for its states)
template <class F>
void with_automaton(const upsweep_automaton* automaton, const upsweep_input& text, const F& f) {
  detail::require(automaton != nullptr, "automaton", "is a null pointer");
  detail::require(automaton->next != nullptr, "next", "is a null pointer");
  detail::require(automaton->kinds != nullptr, "kinds", "is a null pointer");
  detail::require(automaton->states >= 1, "states", "is ", automaton->states, ", must be 1 to 64");
  check_type(text.type, UPSWEEP_UINT8, "text");
  detail::require(text.size >= 0, "text", "has ", text.size, " items, must not be negative");
#define UPSWEEP_ROW(States, name) \
  if (automaton->states <= States) return f(*automaton, std::integral_constant<int, States>{});
  UPSWEEP_LIBRARY_AUTOMATA(UPSWEEP_ROW)
#undef UPSWEEP_ROW
  detail::refuse("states", "is ", automaton->states, ", must be 1 to 64");
}

}  // namespace
}  // namespace UPSWEEP_NAMESPACE::compiled

using namespace upsweep::compiled;

extern "C" {

int upsweep_run_automaton(upsweep_device* device, const upsweep_automaton* automaton, upsweep_input text,
                          upsweep_output states, int before) {
  return guarded([&] {
    check_type(states.type, UPSWEEP_UINT8, "states");
    with_automaton(automaton, text, [&]<int States>(const auto& a, std::integral_constant<int, States>) {
      run_automaton<States>(executor_of(device), a, text, states, before != 0);
    });
  });
}
int upsweep_match(upsweep_device* device, const upsweep_automaton* automaton, upsweep_input text, int* kind) {
  return guarded([&] {
    with_automaton(automaton, text, [&]<int States>(const auto& a, std::integral_constant<int, States>) {
      match_by<States>(executor_of(device), a, text, kind);
    });
  });
}
int upsweep_find_all(upsweep_device* device, const upsweep_automaton* automaton, upsweep_input text,
                     upsweep_output ends, int64_t* count) {
  return guarded([&] {
    check_type(ends.type, UPSWEEP_INT64, "ends");
    with_automaton(automaton, text, [&]<int States>(const auto& a, std::integral_constant<int, States>) {
      find_all_by<States>(executor_of(device), a, text, ends, count);
    });
  });
}
int upsweep_tokenize(upsweep_device* device, const upsweep_automaton* automaton, upsweep_input text,
                     upsweep_output starts, upsweep_output lengths, upsweep_output kinds, int64_t* count) {
  return guarded([&] {
    check_type(starts.type, UPSWEEP_INT64, "starts");
    check_type(lengths.type, UPSWEEP_INT64, "lengths");
    check_type(kinds.type, UPSWEEP_UINT8, "kinds");
    with_automaton(automaton, text, [&]<int States>(const auto& a, std::integral_constant<int, States>) {
      tokenize_by<States>(executor_of(device), a, text, starts, lengths, kinds, count);
    });
  });
}

}  // extern "C"

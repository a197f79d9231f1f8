// run and tokenize: a lexer of JSON in 8 states, on records in a line each and on one long line, and a table of 64
// states that never forgets. On a GPU there is no peer, CCCL has nothing of the kind: results are compared with those
// of a serial loop.
#include <cstring>
#include <string>
#include <vector>

#include <upsweep/automaton.hpp>

#include "../oracles/automata.hpp"
#include "harness.hpp"
#if !UPSWEEP_HAS_CUDA
#include "host_peers.hpp"
#endif

namespace bench {
namespace {

using bytes = std::vector<std::uint8_t>;

//! By state as the library takes it, and by byte as a loop would have it.
struct tables {
  bytes next, kinds, begins, next_by_byte, begins_by_byte;

  explicit tables(int states) : next(256u * static_cast<std::size_t>(states)), kinds(next.size() / 256), begins(next) {}
  void turn() {
    const std::size_t states = kinds.size();
    next_by_byte = begins_by_byte = next;
    for (std::size_t at = 0; at < next.size(); at++) {
      next_by_byte[at % 256 * states + at / 256] = next[at];
      begins_by_byte[at % 256 * states + at / 256] = begins[at];
    }
  }
};
tables json_lexer() {
  enum state { broken, blank, in_string, escape, string, number, word, punctuation };
  tables t(8);
  t.kinds = {5, 0, 5, 5, 1, 2, 3, 4};
  for (int from = 0; from < 8; from++)
    for (int c = 0; c < 256; c++) {
      const auto is_one_of = [c](const char* set) { return c != 0 && std::strchr(set, c) != nullptr; };
      const bool is_letter = ('a' <= c && c <= 'z') || ('A' <= c && c <= 'Z') || c == '_';
      const bool is_number = from == number ? is_one_of("-+.0123456789eE") : is_one_of("-0123456789");
      int to = broken;
      bool goes_on = false;
      if ((from == in_string || from == escape) && c != '\n') {
        to = from == escape ? in_string : c == '"' ? string : c == '\\' ? escape : in_string;
        goes_on = true;
      } else {
        to = is_one_of(" \t\r\n")  ? blank
             : c == '"'            ? in_string
             : is_number           ? number
             : is_letter           ? word
             : is_one_of("{}[]:,") ? punctuation
                                   : broken;
        goes_on = to == from && (to == blank || to == number || to == word || to == broken);
      }
      const auto at = static_cast<std::size_t>(256 * from + c);
      t.next[at] = static_cast<std::uint8_t>(to);
      t.begins[at] = !goes_on;
    }
  t.turn();
  return t;
}
tables counter_of_64() {
  tables t(64);
  for (std::size_t at = 0; at < t.next.size(); at++) t.next[at] = static_cast<std::uint8_t>((at / 256 + at) % 64);
  t.turn();
  return t;
}
// Records in a line each; or all in one line without escaped quotes, where nothing tells a string's inside from its
// outside but the quotes before.
bytes json_text(index_t n, std::uint64_t seed, bool in_lines) {
  bytes text;
  text.reserve(static_cast<std::size_t>(n) + 200);
  const std::string quote = in_lines ? "\\\"" : "'", end = in_lines ? "},\n" : "}, ";
  for (index_t i = 0; static_cast<index_t>(text.size()) < n; i++) {
    const std::string id = std::to_string(random_bits(seed, i) >> 33);
    const std::string record = R"({"id": )" + id + R"(, "name": "item )" + quote + id + quote +
                               R"(", "tags": [true, null, -1.5e3, "x y"])" + end;
    text.insert(text.end(), record.begin(), record.end());
  }
  text.resize(static_cast<std::size_t>(n));
  return text;
}

template <int States>
trial run_with(bed& b, const tables& t, const bytes& made) {
  const upsweep::automaton<States> a(t.next, t.kinds, 0, t.begins);
  const auto text = placed(b, made);
  const auto n = static_cast<index_t>(made.size());
  const auto out = b.room<std::uint8_t>(n);
#if UPSWEEP_HAS_CUDA
  const auto expected = placed(b, oracle::states_behind(t.next, made));
  const std::vector<contender> peers;
#else
  const auto expected = b.room<std::uint8_t>(n);
  const auto peers =
      serial_loop([=] { peers::run_automaton(t.next_by_byte, static_cast<int>(t.kinds.size()), text, expected); });
#endif
  return {.ours = [=, &b] { upsweep::run(b.exec, a, text, out); },
          .peers = peers,
          .bytes = [=] { return 2.0 * static_cast<double>(n); },
          .check = [=, &b] { return compare<std::uint8_t>(b, out, expected, n); }};
}
template <bool InLines>
trial run_json(bed& b, index_t n, std::uint64_t seed) {
  return run_with<8>(b, json_lexer(), json_text(n, seed, InLines));
}
trial run_counter(bed& b, index_t n, std::uint64_t seed) {
  return run_with<64>(b, counter_of_64(), json_text(n, seed, true));
}

template <bool InLines>
trial tokenize(bed& b, index_t n, std::uint64_t seed) {
  const tables t = json_lexer();
  const upsweep::automaton<8> a(t.next, t.kinds, 0, t.begins);
  const bytes made = json_text(n, seed, InLines);
  const auto text = placed(b, made);
  const auto starts = b.room<int>(n), lengths = b.room<int>(n);
  const auto kinds = b.room<std::uint8_t>(n);
  index_t* const count = b.room<index_t>(1).data();
#if UPSWEEP_HAS_CUDA
  const auto known = oracle::tokens_of<int, int>(t.next, t.kinds, t.begins, made);
  const auto expected = placed(b, known.starts), expected_too = placed(b, known.lengths);
  const auto expected_kinds = placed(b, known.kinds);
  const index_t* const peer_count = placed(b, std::vector<index_t>{static_cast<index_t>(known.kinds.size())}).data();
  const std::vector<contender> peers;
#else
  const auto expected = b.room<int>(n), expected_too = b.room<int>(n);
  const auto expected_kinds = b.room<std::uint8_t>(n);
  index_t* const peer_count = b.room<index_t>(1).data();
  const auto peers = serial_loop([=] {
    *peer_count = static_cast<index_t>(
        peers::tokenize(t.next_by_byte, t.begins_by_byte, t.kinds, text, expected, expected_too, expected_kinds));
  });
#endif
  const auto check = [=, &b] {
    const index_t tokens = b.read(count), right = b.read(peer_count);
    if (tokens != right) return "wrong count: " + std::to_string(tokens) + ", not " + std::to_string(right);
    std::string wrong = compare<int>(b, starts, expected, tokens);
    if (wrong.empty()) wrong = compare<int>(b, lengths, expected_too, tokens);
    return wrong.empty() ? compare<std::uint8_t>(b, kinds, expected_kinds, tokens) : wrong;
  };
  return {.ours = [=, &b] { upsweep::tokenize(b.exec, a, text, starts, lengths, kinds, count); },
          .peers = peers,
          .bytes = [=, &b] { return static_cast<double>(n) + 9.0 * static_cast<double>(b.read(count)); },
          .check = check};
}

const bool rows =
    large("automaton_run/json_lines", run_json<true>, 28) && large("tokenize/json_lines", tokenize<true>, 28) &&
    more("automaton_run/json_one_line", run_json<false>, 28) && more("tokenize/json_one_line", tokenize<false>, 28) &&
    more("automaton_run/64_states_that_remember", run_counter, 26) && sizes("tokenize/json_lines", tokenize<true>);

}  // namespace
}  // namespace bench

// tokens: a lexer in one pass.
//   1. the expressions of a language's tokens -> a table of an automaton (common/regular_expression.hpp)
//   2. text -> start, length and kind of every token
//   3. kinds -> how many there are of each, a histogram
// Memory: 17 bytes a byte of text, of which as much is touched as there are tokens.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <upsweep/automaton.hpp>
#include <upsweep/buffer.hpp>
#include <upsweep/histogram.hpp>

#include "common/account.hpp"
#include "common/automaton_of.hpp"
#include "common/file.hpp"
#include "common/program.hpp"
#include "common/report.hpp"
#include "common/stage.hpp"
#include "common/token_language.hpp"
#include "common/transfer.hpp"

namespace {

using upsweep::buffer;
using upsweep::index_t;

struct options {
  std::string language = "json";
  bool list = false, check = false;
};
//! Where the host reads them: their numbers by kind, and all of them if they are asked for.
struct found_tokens {
  buffer<index_t> starts, lengths, starts_copy, lengths_copy;
  buffer<std::uint8_t> kinds, kinds_copy;
  std::span<const index_t> start, length;
  std::span<const std::uint8_t> kind;
  std::vector<index_t> counts;
  index_t size = 0;
};

template <int States>
void find(upsweep::any_executor& exec, const upsweep::automaton<States>& lexer, std::span<const char> there,
          bool wants_all, found_tokens& found, app::seconds& spent) {
  const app::stage finding("finding tokens");
  app::stopwatch watch;
  buffer<char> text_copy;
  const std::span text = app::bring(exec, there, text_copy);
  const auto n = static_cast<index_t>(text.size());
  found.starts = buffer<index_t>(exec, n);
  found.lengths = buffer<index_t>(exec, n);
  found.kinds = buffer<std::uint8_t>(exec, n);
  buffer<index_t> counts(exec, static_cast<index_t>(found.counts.size()));
  spent.to_device += watch.lap();

  found.size = upsweep::tokenize(exec, lexer, text, found.starts, found.lengths, found.kinds);
  const auto size = static_cast<std::size_t>(found.size);
  upsweep::histogram(exec, std::span<const std::uint8_t>(found.kinds.data(), size), counts);
  exec.synchronize();
  spent.work += watch.lap();

  counts.copy_to(exec, found.counts);
  if (wants_all) {
    found.start = app::fetch(exec, std::span<const index_t>(found.starts.data(), size), found.starts_copy);
    found.length = app::fetch(exec, std::span<const index_t>(found.lengths.data(), size), found.lengths_copy);
    found.kind = app::fetch(exec, std::span<const std::uint8_t>(found.kinds.data(), size), found.kinds_copy);
  }
  spent.from_device += watch.lap();
}

// ---------------------------------------------------------------- the same, one byte after the other
void verify(const found_tokens& found, std::string_view text, const app::byte_table& table) {
  const app::stage verifying("verifying");
  std::size_t seen = 0, begin = 0;
  auto state = static_cast<std::size_t>(table.start);
  const auto ends_at = [&](std::size_t end) {
    const std::uint8_t kind = table.kinds[state];
    if (kind != 0) {
      if (seen == found.kind.size() || found.kind[seen] != kind || found.start[seen] != static_cast<index_t>(begin) ||
          found.length[seen] != static_cast<index_t>(end - begin))
        throw std::runtime_error("token " + std::to_string(seen + 1) + " differs from a serial pass");
      seen++;
    }
    begin = end;
  };
  for (std::size_t i = 0; i < text.size(); i++) {
    const std::size_t at = 256 * state + static_cast<unsigned char>(text[i]);
    if (i > 0 && table.begins[at] != 0) ends_at(i);
    state = table.next[at];
  }
  if (!text.empty()) ends_at(text.size());
  if (seen != found.kind.size())
    throw std::runtime_error("a serial pass finds " + app::grouped(static_cast<index_t>(seen)) + " tokens, not " +
                             app::grouped(found.size));
}

//! A token in one line: what ends lines, and what is not ASCII, as \n, \r, \t, \\ and \x and two digits.
std::string in_one_line(std::string_view token) {
  std::string line;
  for (const char c : token) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '\n') line += "\\n";
    else if (c == '\r') line += "\\r";
    else if (c == '\t') line += "\\t";
    else if (c == '\\') line += "\\\\";
    else if (byte >= 0x20 && byte < 0x7f) line += c;
    else
      for (const char* digits = "0123456789abcdef"; const char part : {'\\', 'x', digits[byte / 16], digits[byte % 16]})
        line += part;
  }
  return line;
}
void list(const found_tokens& found, std::string_view text, const app::token_language& language) {
  for (std::size_t t = 0; t < found.kind.size(); t++) {
    const std::string_view token =
        text.substr(static_cast<std::size_t>(found.start[t]), static_cast<std::size_t>(found.length[t]));
    app::write_out(std::to_string(found.start[t]) + ' ' + language.kinds[found.kind[t]] + ' ' + in_one_line(token) +
                   '\n');
  }
}

int count_tokens(upsweep::any_executor& exec, const std::vector<std::string>& names, const options& asked) {
  const app::token_language language = app::tokens_of_language(asked.language);
  const app::byte_table table = app::lexer(language.rules, static_cast<std::uint8_t>(language.kinds.size() - 1));
  std::vector<index_t> counts(language.kinds.size());
  index_t bytes = 0, tokens = 0;
  app::seconds spent;
  for (const std::string& name : names)
    app::about(name, [&] {
      app::stopwatch watch;
      const app::file_bytes file(name);
      spent.read += watch.lap();
      found_tokens found;
      found.counts.resize(counts.size());
      app::with_automaton(table, [&](const auto& lexer) {
        find(exec, lexer, std::span(file.data(), static_cast<std::size_t>(file.size())), asked.list || asked.check,
             found, spent);
      });
      watch.lap();
      if (asked.check) verify(found, file.view(), table);
      spent.verify += watch.lap();
      if (asked.list) list(found, file.view(), language);
      for (std::size_t kind = 0; kind < counts.size(); kind++) counts[kind] += found.counts[kind];
      bytes += file.size();
      tokens += found.size;
    });
  if (!asked.list)
    for (std::size_t kind = 1; kind < counts.size(); kind++)
      app::write_out(std::to_string(counts[kind]) + ' ' + language.kinds[kind] + '\n');
  app::flush_out();
  const std::string counted = app::grouped(bytes) + " bytes, " + app::grouped(tokens) + " tokens by " +
                              std::to_string(table.states()) + " states; ";
  std::fprintf(stderr, "tokens: %s\n", (counted + app::account(spent, bytes, exec, tokens, "tokens")).c_str());
  if (asked.check)
    std::fprintf(stderr, "tokens: verified against a serial pass (%s)\n", app::duration(spent.verify).c_str());
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  app::command_line cli("Finds the tokens of JSON texts or C sources, and prints how many there are of each kind.",
                        "tokens");
  cli.footer(R"(Tokens of JSON are strings, numbers, words (true, false, null) and punctuation; of C names, numbers,
strings, characters, comments and punctuation, a character at a time, before anything is preprocessed.
What is none of them, a string without its second quote say, is broken. Each file is a text of its own.

--list prints where each token begins (bytes from 0 on), its kind and its text, in which \n, \r, \t, \\ and
\xhh stand for what would disturb a line. Times are on standard error.)");
  options asked;
  std::string backend;
  std::vector<std::string> names;
  cli.add_option("--language", asked.language, "json or c").shows_default().one_of({"json", "c"});
  cli.add_flag("--list", asked.list, "Print the tokens instead of their numbers");
  cli.add_flag("--check", asked.check, "Compare all tokens with a serial pass; a difference is an error");
  app::add_backend(cli, backend);
  cli.add_file("FILE", names, "Files; -, or none, is standard input");
  const auto body = [&] {
    if (names.empty()) names = {"-"};
    auto exec = app::executor_of(backend);
    return count_tokens(exec, names, asked);
  };
  return app::run(cli, argc, argv, body);
}

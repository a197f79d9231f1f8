// lines: grep -F by scans, and grep -E by an automaton (below).
//   1. newlines -> line numbers, and beside them, by a segmented reduction, "does it match?" -> a verdict on every line
//   2. newlines -> line numbers -> the line's verdict for every byte
//   3. compaction of the bytes
// The first two take the text eight bytes at a time: an item is a word, and its lift says what a scan needs to know of
// it. A text ends with a newline and a pattern holds none. So an occurrence lies inside a line, no comparison runs past
// the end of the text, and a newline, never part of a match, may stand for the start of the line behind it: the head of
// a segment. Memory: four bytes a byte of text. Time: a pattern that nearly occurs everywhere costs its length a byte.
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include <upsweep/automaton.hpp>
#include <upsweep/buffer.hpp>

#include "common/account.hpp"
#include "common/automaton_of.hpp"
#include "common/file.hpp"
#include "common/line_sweeps.hpp"
#include "common/own_device.hpp"
#include "common/program.hpp"
#include "common/regular_expression.hpp"
#include "common/report.hpp"
#include "common/stage.hpp"
#include "common/transfer.hpp"

namespace {

using upsweep::buffer;
using upsweep::index_t;

// ---------------------------------------------------------------- the search
struct options {
  std::string pattern;
  bool is_expression = false, invert = false, count = false, check = false;
  app::byte_table table{};  // of an expression: tokens of kind 1 are the lines that are selected
};
struct selection {
  index_t lines = 0, matched = 0;
  buffer<char> kept, copy;      // the selected lines; on the host, when that is elsewhere
  std::vector<char> collected;  // the same, put together by the host
  std::span<const char> bytes;  // the same, where the host reads them
};

selection select(upsweep::any_executor& exec, const app::file_bytes& file, const options& asked, app::seconds& spent) {
  const app::stage searching("searching");
  app::stopwatch watch;
  const index_t n = file.size(), words = file.word_count();
  buffer<std::uint64_t> text_copy;
  const std::span text = app::bring(exec, std::span(file.words(), static_cast<std::size_t>(words + 1)), text_copy);
  const buffer<char> pattern(exec, asked.pattern);
  buffer<std::uint8_t> selected(exec, n);  // as many lines as there can be
  buffer<std::uint64_t> flags(exec, asked.count ? 0 : words);
  selection result;
  result.kept = buffer<char>(exec, asked.count ? 0 : n);
  spent.to_device += watch.lap();

  const app::line_counts counts = app::with_own_code(exec, [&](auto&& chosen) {
    return app::judge_lines(chosen, text, app::all_of(pattern), asked.invert, app::all_of(selected));
  });
  result.lines = counts.all;
  result.matched = counts.selected;
  index_t kept = 0;
  if (!asked.count) {
    const auto verdicts = app::all_of(selected).first(static_cast<std::size_t>(result.lines));
    kept = app::with_own_code(exec, [&](auto&& chosen) {
      return app::keep_lines(chosen, text, verdicts, app::all_of(flags), app::all_of(result.kept));
    });
  }
  spent.work += watch.lap();

  result.bytes =
      app::fetch(exec, std::span<const char>(result.kept.data(), static_cast<std::size_t>(kept)), result.copy);
  spent.from_device += watch.lap();
  return result;
}

// ---------------------------------------------------------------- the search for an expression
//! One pass: the automaton reads lines as tokens, of which those of one kind are selected.
selection select_by_expression(upsweep::any_executor& exec, const app::file_bytes& file, const options& asked,
                               app::seconds& spent) {
  const app::stage searching("searching");
  app::stopwatch watch;
  const index_t n = file.size(), words = file.word_count();
  buffer<std::uint64_t> text_copy;
  const std::span text = app::bring(exec, std::span(file.words(), static_cast<std::size_t>(words)), text_copy);
  buffer<index_t> starts(exec, n), lengths(exec, n), starts_copy, lengths_copy;
  buffer<std::uint8_t> kinds(exec, n);
  selection result;
  spent.to_device += watch.lap();

  const std::span bytes(reinterpret_cast<const char*>(text.data()), static_cast<std::size_t>(n));
  result.lines = app::with_own_code(exec, [&](auto&& chosen) { return app::count_lines(chosen, text); });
  result.matched = app::with_automaton(asked.table, [&](const auto& automaton) {
    return upsweep::tokenize(exec, automaton, bytes, starts, lengths, kinds);
  });
  spent.work += watch.lap();

  if (asked.count) return result;
  const auto matched = static_cast<std::size_t>(result.matched);
  const auto begins = app::fetch(exec, std::span<const index_t>(starts.data(), matched), starts_copy);
  const auto sizes = app::fetch(exec, std::span<const index_t>(lengths.data(), matched), lengths_copy);
  for (std::size_t line = 0; line < matched; line++)
    result.collected.insert(result.collected.end(), file.data() + begins[line],
                            file.data() + begins[line] + sizes[line]);
  result.bytes = result.collected;
  spent.from_device += watch.lap();
  return result;
}

// ---------------------------------------------------------------- the same, one line after the other
bool is_selected(std::string_view line, const options& asked) {
  if (!asked.is_expression) return (line.find(asked.pattern) != line.npos) != asked.invert;
  auto state = static_cast<std::size_t>(asked.table.start);
  for (const char c : line) state = asked.table.next[256 * state + static_cast<unsigned char>(c)];
  return asked.table.kinds[state] == 1;
}
void verify(const selection& found, std::string_view text, const options& asked) {
  const app::stage verifying("verifying");
  std::string_view kept(found.bytes.data(), found.bytes.size());
  index_t lines = 0, matched = 0;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n') + 1);
    text.remove_prefix(line.size());
    lines++;
    if (!is_selected(line, asked)) continue;
    matched++;
    if (asked.count) continue;
    if (!kept.starts_with(line))
      throw std::runtime_error("line " + std::to_string(lines) + " differs from a serial pass");
    kept.remove_prefix(line.size());
  }
  if (lines != found.lines || matched != found.matched || !kept.empty())
    throw std::runtime_error("a serial pass selects " + app::grouped(matched) + " of " + app::grouped(lines) +
                             " lines, not " + app::grouped(found.matched) + " of " + app::grouped(found.lines));
}

void print(const selection& found, const std::string& prefix, bool count) {
  if (count) return app::write_out(prefix + std::to_string(found.matched) + "\n");
  std::string_view rest(found.bytes.data(), found.bytes.size());
  if (prefix.empty()) return app::write_out(rest);
  while (!rest.empty()) {
    const std::string_view line = rest.substr(0, rest.find('\n') + 1);
    app::write_out(prefix);
    app::write_out(line);
    rest.remove_prefix(line.size());
  }
}

void report(const upsweep::any_executor& exec, index_t bytes, index_t lines, index_t matched,
            const app::seconds& spent) {
  const std::string counts =
      app::grouped(bytes) + " bytes, " + app::grouped(lines) + " lines, " + app::grouped(matched) + " selected; ";
  std::fprintf(stderr, "lines: %s\n", (counts + app::account(spent, bytes, exec)).c_str());
}

int search(upsweep::any_executor& exec, std::vector<std::string> names, options asked) {
  if (asked.pattern.find('\n') != std::string::npos)
    throw std::invalid_argument("PATTERN holds a newline, must be part of one line");
  if (asked.is_expression)
    app::about("PATTERN",
               [&] { asked.table = app::line_selector(asked.pattern, asked.invert, app::expression_syntax::posix); });
  if (asked.pattern.empty() && asked.invert) names.clear();  // nothing can be selected: like grep, open no file
  const bool prefixed = names.size() > 1;
  index_t bytes = 0, lines = 0, matched = 0;
  bool failed = false;
  app::seconds spent;
  for (const std::string& name : names) {
    selection found;
    try {
      app::stopwatch watch;
      app::file_bytes file(name);
      const index_t size = file.size();
      if (size > 0 && file.view().back() != '\n') file.append('\n');
      spent.read += watch.lap();
      found = asked.is_expression ? select_by_expression(exec, file, asked, spent) : select(exec, file, asked, spent);
      watch.lap();
      if (asked.check) verify(found, file.view(), asked);
      spent.verify += watch.lap();
      bytes += size;
    } catch (const std::exception& e) {
      std::fprintf(stderr, "lines: %s: %s\n", name.c_str(), app::message(e).c_str());
      failed = true;
      std::error_code unknown;
      if (!asked.count || !std::filesystem::is_directory(name, unknown)) continue;  // in a directory grep counts 0
    }
    lines += found.lines;
    matched += found.matched;
    print(found, prefixed ? (name == "-" ? "(standard input)" : name) + ":" : "", asked.count);
  }
  app::flush_out();
  report(exec, bytes, lines, matched, spent);
  if (asked.check && !failed)
    std::fprintf(stderr, "lines: verified against a serial pass (%s)\n", app::duration(spent.verify).c_str());
  return failed ? 2 : matched > 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  app::command_line cli(
      "Prints the lines that contain a string, as LC_ALL=C grep -aF does (-a: binary data is text too), or a match of "
      "a "
      "regular expression, as grep -aE.",
      "lines");
  cli.footer(
      R"(Expressions: a|b (ab) a* a+ a? a{2} a{2,} a{2,5} . [a-z] [^a-z] [[:alpha:]] ^ $ \w \W \s \S and \ in front of
punctuation; no references to groups. Their automaton may have up to 64 states.
Exit status, as grep's: 0 when a line is selected, 1 when none is, 2 after an error.
Write -- before a PATTERN that starts with a dash. Times are on standard error.)");
  options asked;
  std::string backend;
  std::vector<std::string> names;
  cli.add_flag("-E,--extended", asked.is_expression, "PATTERN is an extended regular expression");
  cli.add_flag("-v,--invert", asked.invert, "Select the lines that do not contain PATTERN");
  cli.add_flag("-c,--count", asked.count, "Print the number of selected lines only");
  cli.add_flag("--check", asked.check, "Compare the result with a serial pass; a difference is an error");
  app::add_backend(cli, backend);
  cli.add_literal("PATTERN", asked.pattern, "The string, or expression; the empty one is in every line").required();
  cli.add_literal("FILE", names, "Files; - is standard input").required();
  const auto body = [&] {
    auto exec = app::executor_of(backend);
    return search(exec, names, asked);
  };
  return app::run(cli, argc, argv, body, 2);
}

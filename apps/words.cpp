// words: the commonest words of a text, by scans and sorts.
//   1. text -> the hash of every word, and where it ends: a segmented scan of affine maps, since appending a byte takes
//      a hash h to base · h + byte
//   2. a sort by hash, which brings equal words together in the order of the text
//   3. equal hashes -> how often, and where first: a reduction by key
//   4. a sort by how often
// The scan takes the text eight bytes at a time: an item is eight bytes, and may hold the ends of up to four words. So
// every item is the same work, whatever the lengths of the words. Memory: up to 60 bytes a word.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <upsweep/buffer.hpp>
#include <upsweep/radix_sort.hpp>

#include "common/account.hpp"
#include "common/file.hpp"
#include "common/own_device.hpp"
#include "common/program.hpp"
#include "common/report.hpp"
#include "common/stage.hpp"
#include "common/transfer.hpp"
#include "common/word_sweeps.hpp"

namespace {

using app::tally;
using upsweep::buffer;
using upsweep::index_t;

struct options {
  index_t top = 20;
  int hash_bits = 61;
  bool check = false;
};
struct ranking {
  index_t words = 0, different = 0;
  buffer<tally> all, copy;
  std::span<const tally> best;  // where the host reads them
};

ranking rank(upsweep::any_executor& exec, const app::file_bytes& file, const options& asked, app::seconds& spent) {
  const app::stage counting("counting words");
  app::stopwatch watch;
  const index_t pieces = file.word_count();
  buffer<std::uint64_t> text_copy;
  const std::span text = app::bring(exec, std::span(file.words(), static_cast<std::size_t>(pieces + 1)), text_copy);
  spent.to_device += watch.lap();

  ranking result;
  result.words = app::with_own_code(exec, [&](auto&& chosen) { return app::count_words(chosen, text); });
  buffer<std::uint64_t> hashes(exec, result.words), different(exec, result.words);
  buffer<index_t> ends(exec, result.words);
  result.all = buffer<tally>(exec, result.words);

  const std::uint64_t kept = (std::uint64_t{1} << asked.hash_bits) - 1;
  app::with_own_code(exec, [&](auto&& chosen) { app::hash_words(chosen, text, kept, hashes.data(), ends.data()); });
  upsweep::radix_sort_by_key(exec, hashes, ends, {.end_bit = asked.hash_bits});
  result.different = app::with_own_code(exec, [&](auto&& chosen) {
    return app::tally_words(chosen, app::all_of(hashes), app::all_of(ends), app::all_of(different),
                            app::all_of(result.all));
  });
  exec.synchronize();
  spent.work += watch.lap();

  const auto wanted = static_cast<std::size_t>(asked.check ? result.different : std::min(asked.top, result.different));
  result.best = app::fetch(exec, std::span<const tally>(result.all.data(), wanted), result.copy);
  spent.from_device += watch.lap();
  return result;
}

// ---------------------------------------------------------------- the same, one byte after the other
bool is_in_word(char c) {
  return ('a' <= c && c <= 'z') || ('A' <= c && c <= 'Z') || ('0' <= c && c <= '9') || c == '\'' || (c & 0x80);
}
char lower(char c) { return 'A' <= c && c <= 'Z' ? static_cast<char>(c + 0x20) : c; }

void verify(const ranking& found, std::string_view text) {
  const app::stage verifying("verifying");
  std::unordered_map<std::string, tally> counts;
  std::string name;
  index_t words = 0;
  for (std::size_t i = 0; i < text.size(); i++) {
    if (!is_in_word(text[i])) continue;
    name += lower(text[i]);
    if (i + 1 < text.size() && is_in_word(text[i + 1])) continue;
    counts.try_emplace(name, tally(0, static_cast<index_t>(i + 1))).first->second.count++;
    name.clear();
    words++;
  }
  const auto different = static_cast<index_t>(counts.size());
  if (words != found.words)
    throw std::runtime_error("a serial count finds " + app::grouped(words) + " words, not " +
                             app::grouped(found.words));
  if (different > found.different)
    throw std::runtime_error("of " + app::grouped(different) + " different words " +
                             app::grouped(different - found.different) + " share their hash with another one");
  std::vector<tally> ranked;
  ranked.reserve(counts.size());
  for (const auto& [_, t] : counts) ranked.push_back(t);
  std::sort(ranked.begin(), ranked.end(),
            [](const tally& a, const tally& b) { return a.count != b.count ? a.count > b.count : a.end < b.end; });
  if (!std::equal(ranked.begin(), ranked.end(), found.best.begin(), found.best.end()))
    throw std::runtime_error("a serial count differs");
}

void print(const tally& t, std::string_view text) {
  const auto end = static_cast<std::size_t>(t.end);
  std::size_t begin = end;
  while (begin > 0 && is_in_word(text[begin - 1])) begin--;
  std::string line = std::to_string(t.count);
  line.insert(0, line.size() < 7 ? 7 - line.size() : 0, ' ');
  line += ' ';
  for (const char c : text.substr(begin, end - begin)) line += lower(c);
  app::write_out(line + '\n');
}

int count_words(upsweep::any_executor& exec, const std::vector<std::string>& names, const options& asked) {
  app::seconds spent;
  app::stopwatch watch;
  app::file_bytes file;
  for (const std::string& name : names) {
    app::about(name, [&] { file.read(name); });
    if (&name != &names.back()) file.append('\n');  // a word does not reach into the next file
  }
  spent.read += watch.lap();
  const ranking found = rank(exec, file, asked, spent);
  watch.lap();
  if (asked.check) verify(found, file.view());
  spent.verify += watch.lap();
  for (const tally& t : found.best.first(std::min(static_cast<std::size_t>(asked.top), found.best.size())))
    print(t, file.view());
  app::flush_out();
  const std::string counts = app::grouped(file.size()) + " bytes, " + app::grouped(found.words) + " words, " +
                             app::grouped(found.different) + " different; ";
  std::fprintf(stderr, "words: %s\n", (counts + app::account(spent, file.size(), exec, found.words, "words")).c_str());
  if (asked.check)
    std::fprintf(stderr, "words: verified against a serial count (%s)\n", app::duration(spent.verify).c_str());
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  app::command_line cli("Prints the commonest words of texts and how often they occur, the commonest first.", "words");
  cli.footer(R"(A word is as long a run as possible of ASCII letters, digits, apostrophes (') and bytes beyond ASCII, so
that UTF-8 stays whole. ASCII letters count as lower case. Of words that are equally common the one
that occurs first comes first; several files are one text.

Words are told apart by a hash of 61 bits: in a million different words of ten letters two share theirs
with a probability of 2 in a million, and would then be counted as one. --check finds out; fewer
--hash-bits show what that looks like. Times are on standard error.)");
  options asked;
  std::string backend;
  std::vector<std::string> names;
  cli.add_option("--top", asked.top, "How many words to print").shows_default().not_negative();
  cli.add_flag("--check", asked.check, "Compare all counts with a serial pass; a difference is an error");
  cli.add_option("--hash-bits", asked.hash_bits, "Bits of the hashes").shows_default().range(1, 61);
  app::add_backend(cli, backend);
  cli.add_file("FILE", names, "Files; -, or none, is standard input");
  const auto body = [&] {
    if (names.empty()) names = {"-"};
    auto exec = app::executor_of(backend);
    return count_words(exec, names, asked);
  };
  return app::run(cli, argc, argv, body);
}

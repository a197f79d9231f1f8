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

#include <upsweep/affine.hpp>
#include <upsweep/buffer.hpp>
#include <upsweep/radix_sort.hpp>
#include <upsweep/reduce.hpp>

#include "common/account.hpp"
#include "common/byte_set.hpp"
#include "common/file.hpp"
#include "common/hash.hpp"
#include "common/program.hpp"
#include "common/report.hpp"
#include "common/stage.hpp"
#include "common/transfer.hpp"

namespace {

using namespace app::byte_set;
using app::hash_function;
using upsweep::buffer;
using upsweep::index_t;

// ---------------------------------------------------------------- words in eight bytes of text
struct piece {
  word letters;  // the bytes of words, in lower case; zero where there is none
  word ends;     // the last bytes of words
  UPSWEEP_HD word gaps() const { return equal(letters, '\0'); }
};

struct find_words {
  const word* text;

  UPSWEEP_HD static word in_words(word bytes) {
    return between(bytes, 'a', 'z') | between(bytes, 'A', 'Z') | between(bytes, '0', '9') | equal(bytes, '\'') |
           beyond_ascii(bytes);
  }
  UPSWEEP_HD piece operator()(index_t i) const {
    const word inside = in_words(text[i]), inside_next = in_words(text[i + 1]);
    const word lower = text[i] | between(text[i], 'A', 'Z') << 5;
    return {lower & filled(inside), inside & ~(inside >> 8 | inside_next << 56)};
  }
};

struct count_ends {
  UPSWEEP_HD index_t operator()(const piece& p) const { return count(p.ends); }
};

// ---------------------------------------------------------------- hashes
using word_monoid = upsweep::pair<upsweep::plus<index_t>, upsweep::segmented<upsweep::affine<app::modular>>>;
using word_value = word_monoid::value_type;  // words that ended; what the bytes since the last gap do to a hash

struct lift_piece {
  hash_function hash;
  UPSWEEP_HD word_value operator()(const piece& p) const {
    const word gaps = p.gaps(), before = up_to_last(gaps);
    return {count(p.ends), {hash(p.letters & ~filled(before), 8 - count(before)), gaps != 0}};
  }
};

//! Writes the hash of every word that ends in a piece, and the position behind it.
struct store_words {
  hash_function hash;
  word kept;  // the bits of a hash
  word* hashes;
  index_t* ends;  // both by the word's number
  UPSWEEP_HD void operator()(index_t i, const piece& p, const word_value& before, const word_value&) const {
    index_t at = before.first;
    word letters = p.letters;
    for (word rest = p.ends; rest; rest = without_first(rest)) {
      const word here = first(rest), later = behind(here);
      const int length = number(here) + 1;
      const bool began_before = !(p.gaps() & ~later);
      const app::hash_map here_on = hash((letters & ~later) << (64 - 8 * length), length);
      letters &= later;
      hashes[at] = kept & (began_before ? here_on(before.second.value.b) : here_on.b).value();
      ends[at++] = 8 * i + length;
    }
  }
};

// ---------------------------------------------------------------- counts
struct tally {
  index_t count, end;  // how often a word occurs; the position behind its first occurrence
  tally() = default;
  UPSWEEP_HD tally(index_t position) : tally(1, position) {}  // NOLINT(google-explicit-constructor): an item as a value
  UPSWEEP_HD tally(index_t times, index_t position) : count(times), end(position) {}
  friend bool operator==(const tally&, const tally&) = default;
};
struct add_tallies {
  using value_type = tally;
  UPSWEEP_HD tally identity() const { return {0, 0}; }
  UPSWEEP_HD tally operator()(const tally& earlier, const tally& later) const {
    return {earlier.count + later.count, earlier.end};
  }
};
struct its_count {
  UPSWEEP_HD std::uint64_t operator()(const tally& t) const { return static_cast<std::uint64_t>(t.count); }
};
struct its_end {
  UPSWEEP_HD std::uint64_t operator()(const tally& t) const { return static_cast<std::uint64_t>(t.end); }
};

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
  buffer<word> text_copy;
  const word* text = app::bring(exec, std::span(file.words(), static_cast<std::size_t>(pieces + 1)), text_copy).data();
  spent.to_device += watch.lap();

  ranking result;
  const auto load = upsweep::computed<piece>(find_words{text});
  result.words = upsweep::scan(exec, pieces, load, count_ends{}, upsweep::plus<index_t>{}, upsweep::discard);
  buffer<word> hashes(exec, result.words), different(exec, result.words);
  buffer<index_t> ends(exec, result.words);
  result.all = buffer<tally>(exec, result.words);

  const hash_function hash;
  const word kept = (word{1} << asked.hash_bits) - 1;
  upsweep::scan(exec, pieces, load, lift_piece{hash}, word_monoid{},
                upsweep::each(store_words{hash, kept, hashes.data(), ends.data()}), upsweep::no_total);
  upsweep::radix_sort_by_key(exec, hashes, ends, {.end_bit = asked.hash_bits});
  result.different = upsweep::reduce_by_key(exec, hashes, ends, different, result.all, add_tallies{});
  const std::span tallies(result.all.data(), static_cast<std::size_t>(result.different));
  upsweep::radix_sort(exec, tallies, its_end{});
  upsweep::radix_sort(exec, tallies, its_count{}, {.order = upsweep::sort_order::descending});
  exec.synchronize();
  spent.work += watch.lap();

  const auto wanted = static_cast<std::size_t>(asked.check ? result.different : std::min(asked.top, result.different));
  result.best = app::fetch(exec, std::span<const tally>(tallies.first(wanted)), result.copy);
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

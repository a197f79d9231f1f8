// The sweeps of lines, where an executor works: over a text eight bytes at a time.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>

#include <upsweep/compaction.hpp>
#include <upsweep/executor.hpp>
#include <upsweep/monoid.hpp>
#include <upsweep/reduce.hpp>
#include <upsweep/scan.hpp>
#include <upsweep/stages.hpp>

#include "byte_set.hpp"
#include "own_device.hpp"

namespace app {

namespace lines {
using namespace byte_set;
using upsweep::index_t;

// ---------------------------------------------------------------- scan 1: lines, and whether they match
struct marks {
  word ends, matches;  // where lines end; where occurrences of the pattern start
};

struct find_marks {
  const word* text;
  const char* pattern;
  index_t length;

  UPSWEEP_HD bool occurs_at(index_t at) const {
    const char* bytes = reinterpret_cast<const char*>(text) + at;
    index_t k = 0;
    while (k < length && bytes[k] == pattern[k]) k++;
    return k == length;
  }
  UPSWEEP_HD marks operator()(index_t i) const {
    const word ends = equal(text[i], '\n');
    if (length == 0) return {ends, ends};  // the empty string is everywhere; once a line is enough
    word starts = equal(text[i], pattern[0]), matches = 0;
    if (length > 1) starts &= equal(text[i] >> 8 | text[i + 1] << 56, pattern[1]);
    for (; starts; starts = without_first(starts)) {
      const word start = first(starts);
      if (occurs_at(8 * i + number(start))) matches |= start;
    }
    return {ends, matches};
  }
};

using line_monoid = upsweep::pair<upsweep::plus<index_t>, upsweep::segmented<upsweep::logical_or>>;
using line_value = line_monoid::value_type;  // lines that ended; does the line that goes on match?

struct lift_marks {
  UPSWEEP_HD line_value operator()(const marks& m) const {
    return {count(m.ends), {m.matches > m.ends, m.ends != 0}};  // a bit behind the last end makes it the larger number
  }
};

//! Writes the verdict on every line that ends in a word.
struct judge_line {
  std::uint8_t* selected;  // by line number
  bool invert;
  UPSWEEP_HD void operator()(index_t, const marks& m, const line_value& before, const line_value&) const {
    index_t line = before.first;
    bool found = before.second.value;
    word matches = m.matches;
    for (word ends = m.ends; ends; ends = without_first(ends)) {
      const word here = up_to(first(ends));
      selected[line++] = (found || (matches & here)) != invert;
      matches &= ~here;
      found = false;
    }
  }
};

// ---------------------------------------------------------------- scan 2: a flag for every byte
struct count_ends {
  UPSWEEP_HD index_t operator()(word text) const { return count(equal(text, '\n')); }
};

struct spread_verdicts {
  const std::uint8_t* selected;
  index_t lines;
  UPSWEEP_HD word verdict(index_t line) const { return line < lines && selected[line] ? ~word{0} : 0; }
  UPSWEEP_HD word operator()(index_t, word text, index_t line, index_t) const {
    word flags = verdict(line);
    for (word ends = equal(text, '\n'); ends; ends = without_first(ends)) {
      const word rest = behind(first(ends));
      flags = (flags & ~rest) | (verdict(++line) & rest);
    }
    return flags;
  }
};

}  // namespace lines

// ---------------------------------------------------------------- sweeps
struct line_counts {
  std::int64_t all, selected;
};

//! Writes the verdict on every line to `verdicts`, which has room for as many lines as there are bytes. Behind the
//! words of the text there is one more.
template <class Executor>
line_counts judge_lines(Executor& executor, std::span<const std::uint64_t> text, std::span<const char> pattern,
                        bool invert, std::span<std::uint8_t> verdicts) {
  using namespace lines;
  const auto words = static_cast<index_t>(text.size()) - 1;
  const find_marks find{text.data(), pattern.data(), static_cast<index_t>(pattern.size())};
  const index_t all = upsweep::scan(executor, words, upsweep::computed<marks>(find), lift_marks{}, line_monoid{},
                                    upsweep::each(judge_line{verdicts.data(), invert}))
                          .first;
  const std::span<const std::uint8_t> judged = verdicts.first(static_cast<std::size_t>(all));
  return {all, upsweep::reduce(executor, judged, upsweep::plus<index_t>{})};
}

//! The bytes of lines that were selected; how many.
template <class Executor>
std::int64_t keep_lines(Executor& executor, std::span<const std::uint64_t> text, std::span<const std::uint8_t> verdicts,
                        std::span<std::uint64_t> flags, std::span<char> kept) {
  using namespace lines;
  const auto all = static_cast<index_t>(verdicts.size());
  upsweep::scan(executor, static_cast<index_t>(flags.size()), upsweep::contiguous(text), count_ends{},
                upsweep::plus<index_t>{}, upsweep::dense(flags, spread_verdicts{verdicts.data(), all}),
                upsweep::no_total);
  const auto bytes = [&](const std::uint64_t* p) { return std::span(reinterpret_cast<const char*>(p), kept.size()); };
  return upsweep::copy_flagged(executor, bytes(text.data()), bytes(flags.data()), kept);
}

template <class Executor>
std::int64_t count_lines(Executor& executor, std::span<const std::uint64_t> text) {
  using namespace lines;
  return upsweep::scan(executor, static_cast<index_t>(text.size()), upsweep::contiguous(text), count_ends{},
                       upsweep::plus<index_t>{}, upsweep::discard);
}

// ---------------------------------------------------------------- the same in lines.cu
line_counts judge_lines(device_stream there, std::span<const std::uint64_t> text, std::span<const char> pattern,
                        bool invert, std::span<std::uint8_t> verdicts);
std::int64_t keep_lines(device_stream there, std::span<const std::uint64_t> text,
                        std::span<const std::uint8_t> verdicts, std::span<std::uint64_t> flags, std::span<char> kept);
std::int64_t count_lines(device_stream there, std::span<const std::uint64_t> text);

}  // namespace app

// The sweeps of words, where an executor works: over a text eight bytes at a time.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>

#include <upsweep/affine.hpp>
#include <upsweep/executor.hpp>
#include <upsweep/monoid.hpp>
#include <upsweep/radix_sort.hpp>
#include <upsweep/reduce.hpp>
#include <upsweep/scan.hpp>
#include <upsweep/stages.hpp>

#include "byte_set.hpp"
#include "hash.hpp"
#include "own_device.hpp"

namespace app {

struct tally {
  std::int64_t count, end;  // how often a word occurs; the position behind its first occurrence
  tally() = default;
  // NOLINTNEXTLINE(google-explicit-constructor): an item as a value
  UPSWEEP_HD tally(std::int64_t position) : tally(1, position) {}
  UPSWEEP_HD tally(std::int64_t times, std::int64_t position) : count(times), end(position) {}
  friend bool operator==(const tally&, const tally&) = default;
};

namespace words {
using namespace byte_set;
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
using word_monoid = upsweep::pair<upsweep::plus<index_t>, upsweep::segmented<upsweep::affine<modular>>>;
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
      const hash_map here_on = hash((letters & ~later) << (64 - 8 * length), length);
      letters &= later;
      hashes[at] = kept & (began_before ? here_on(before.second.value.b) : here_on.b).value();
      ends[at++] = 8 * i + length;
    }
  }
};

// ---------------------------------------------------------------- counts
struct add_tallies {
  using value_type = tally;
  UPSWEEP_HD tally identity() const { return {0, 0}; }
  UPSWEEP_HD tally operator()(const tally& earlier, const tally& later) const {
    return {earlier.count + later.count, earlier.end};
  }
};
//! What tallies are sorted by. (Sorts by either are one, which is compiled once.)
struct its_number {
  bool is_count;
  UPSWEEP_HD std::uint64_t operator()(const tally& t) const {
    return static_cast<std::uint64_t>(is_count ? t.count : t.end);
  }
};
}  // namespace words

// ---------------------------------------------------------------- sweeps
//! A text, behind whose words there is one more.
template <class Executor>
std::int64_t count_words(Executor& executor, std::span<const std::uint64_t> text) {
  using namespace words;
  return upsweep::scan(executor, static_cast<index_t>(text.size()) - 1,
                       upsweep::computed<piece>(find_words{text.data()}), count_ends{}, upsweep::plus<index_t>{},
                       upsweep::discard);
}
//! The hash of every word, of which the bits of `kept` are kept, and the position behind it. Does not wait.
template <class Executor>
void hash_words(Executor& executor, std::span<const std::uint64_t> text, std::uint64_t kept, std::uint64_t* hashes,
                std::int64_t* ends) {
  using namespace words;
  const hash_function hash;
  upsweep::scan(executor, static_cast<index_t>(text.size()) - 1, upsweep::computed<piece>(find_words{text.data()}),
                lift_piece{hash}, word_monoid{}, upsweep::each(store_words{hash, kept, hashes, ends}),
                upsweep::no_total);
}
//! Of words in the order of their hashes how many different ones there are, and a tally of each: the commonest first,
//! of equally common ones that which came first.
template <class Executor>
std::int64_t tally_words(Executor& executor, std::span<const std::uint64_t> hashes, std::span<const std::int64_t> ends,
                         std::span<std::uint64_t> different, std::span<tally> tallies) {
  using namespace words;
  const index_t count = upsweep::reduce_by_key(executor, hashes, ends, different, tallies, add_tallies{});
  const std::span found = tallies.first(static_cast<std::size_t>(count));
  upsweep::radix_sort(executor, found, its_number{false});
  upsweep::radix_sort(executor, found, its_number{true}, {.order = upsweep::sort_order::descending});
  return count;
}

// ---------------------------------------------------------------- the same in words.cu
std::int64_t count_words(device_stream there, std::span<const std::uint64_t> text);
void hash_words(device_stream there, std::span<const std::uint64_t> text, std::uint64_t kept, std::uint64_t* hashes,
                std::int64_t* ends);
std::int64_t tally_words(device_stream there, std::span<const std::uint64_t> hashes, std::span<const std::int64_t> ends,
                         std::span<std::uint64_t> different, std::span<tally> tallies);

}  // namespace app

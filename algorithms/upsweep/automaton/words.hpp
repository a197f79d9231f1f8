// A text as words of eight bytes that are aligned in memory, and what an automaton does along one of them. The bytes in
// front of the first word and behind the last are walked by one thread each.
#pragma once
#include <algorithm>
#include <cstdint>

#include <upsweep/automaton/sweep_table.hpp>
#include <upsweep/automaton/text.hpp>
#include <upsweep/automaton/transition_map.hpp>
#include <upsweep/automaton/word_bits.hpp>
#include <upsweep/config.hpp>

namespace UPSWEEP_NAMESPACE::detail {

inline constexpr index_t text_word = 8;
inline constexpr int most_padded = 16;  // bytes behind the whole words
//! Where a text's words lie. Padded by `lead` bytes in front it would begin with one; the first `head` bytes, where
//! there is a lead, are of no whole one, nor are the last ones.
struct words_of_text {
  const std::uint8_t* text;
  index_t size, lead, head, whole;

  explicit words_of_text(const text_range& of)
      : text(of.data),
        size(of.size),
        lead(static_cast<index_t>(reinterpret_cast<std::uintptr_t>(of.data) % text_word)),
        head(lead == 0 ? 0 : std::min(text_word - lead, size)),
        whole((size - head) / text_word) {}
  //! Words that the padded text fills or begins; and the first whole one of them.
  index_t padded() const { return size == 0 ? 0 : (lead + size + text_word - 1) / text_word; }
  index_t first_whole() const { return lead > 0 ? 1 : 0; }
  named_range<const std::uint64_t> range() const {
    return {reinterpret_cast<const std::uint64_t*>(text + head), whole, "text"};
  }
};

//! What becomes of a word: the map that its bytes are together. Folded from its last byte to its first, the bytes' rows
//! choose among the bytes of the map behind them, and need not be spread for it.
template <int States>
struct lift_word {
  const sweep_table<States>* table;

  UPSWEEP_HD transition_map<States> operator()(std::uint64_t word) const {
    if constexpr (States <= 16) {
      return in_front(word, transitions<States>{}.identity());
    } else {
      transition_map<States> map = table->rows[word & 255];
      UPSWEEP_ROLLED
      for (int k = 1; k < text_word; k++) map = transitions<States>{}(map, table->rows[word >> 8 * k & 255]);
      return map;
    }
  }
  //! The word's map, then `behind`.
  UPSWEEP_HD transition_map<States> in_front(std::uint64_t word, const transition_map<States>& behind) const
    requires(States <= 16)
  {
    auto map = bytes_of_states<States>::of(behind);
    for (int half = 1; half >= 0; half--) {
      const auto four = static_cast<std::uint32_t>(word >> 32 * half);
      for (int k = 3; k >= 0; k--) map = behind_row(table->rows[byte_of(four, k)], map);
    }
    return map.map();
  }

 private:
  using bytes = bytes_of_states<std::min(States, 16)>;
  UPSWEEP_HD static bytes behind_row(row_of_states<States> row, const bytes& map) {
    if constexpr (States <= 8) {
      return {map(row), map(row >> 16)};
    } else {
      const auto low = static_cast<std::uint32_t>(row), high = static_cast<std::uint32_t>(row >> 32);
      return {map(low), map(low >> 16), map(high), map(high >> 16)};
    }
  }
};

//! States behind each byte of a word and before it, a byte each, and 1 where a token begins.
struct steps_of_word {
  std::uint64_t before, behind, begins;
};
//! Four bytes from a state on: nibbles as rows have them, with anything above.
template <int States>
UPSWEEP_HD std::uint32_t four_steps(const sweep_table<States>& table, std::uint32_t four, std::uint32_t& state) {
  std::uint32_t behind[4];
  for (int k = 0; k < 4; k++) behind[k] = state = from_nibble(table.marked[byte_of(four, k)], state);
  return four_bytes(behind[0], behind[1], behind[2], behind[3]) & 0x0F0F0F0Fu;
}
template <int States>
UPSWEEP_HD steps_of_word walk_steps(const sweep_table<States>& table, int state, std::uint64_t word) {
  if constexpr (States <= 8) {
    auto at = static_cast<std::uint32_t>(state);
    const std::uint32_t low = four_steps(table, static_cast<std::uint32_t>(word), at);
    const std::uint32_t high = four_steps(table, static_cast<std::uint32_t>(word >> 32), at);
    const std::uint64_t both = joined(low, high), behind = both & eight_times(7);
    return {behind << 8 | static_cast<std::uint64_t>(state), behind, both >> 3 & eight_times(1)};
  } else {
    steps_of_word steps{};
    UPSWEEP_ROLLED
    for (int k = 0; k < text_word; k++) {
      const auto byte = static_cast<std::uint32_t>(word >> 8 * k & 255);
      steps.before |= static_cast<std::uint64_t>(state) << 8 * k;
      steps.begins |= static_cast<std::uint64_t>(table.begins_with(byte, state)) << 8 * k;
      state = table.next(byte, state);
      steps.behind |= static_cast<std::uint64_t>(state) << 8 * k;
    }
    return steps;
  }
}

//! What a sweep writes for a word: put(table, steps), a byte for each byte. The text's first byte begins no token that
//! another one ends at. Words that follow one another are walked from state to state.
template <int States, class Put>
struct walk_word {
  const sweep_table<States>* table;
  Put put;
  bool from_first;  // does the text begin with the first word?

  struct walker {
    const walk_word& along;
    int state;
    bool at_first;
    UPSWEEP_HD std::uint64_t operator()(std::uint64_t word) {
      steps_of_word steps = walk_steps(*along.table, state, word);
      if (at_first) steps.begins &= ~std::uint64_t{1};
      at_first = false;
      state = static_cast<int>(steps.behind >> 8 * (text_word - 1));
      return along.put(*along.table, steps);
    }
  };
  UPSWEEP_HD walker from(index_t i, const transition_map<States>& before) const {
    return {*this, before(table->start), i == 0 && from_first};
  }
  UPSWEEP_HD std::uint64_t operator()(index_t i, std::uint64_t word, const transition_map<States>& before,
                                      const transition_map<States>&) const {
    return from(i, before)(word);
  }
};
//! Some bytes that are no whole word, by one thread.
template <int States, class Put>
struct walk_bytes {
  Put put;
  const std::uint8_t* text;
  index_t first, end;    // of the text
  std::uint8_t* result;  // the word of which they are, from byte `lead` on
  int lead;
  int padded;  // so many bytes of the result are written, others than these as padding

  //! Returns the state behind them.
  UPSWEEP_HD int operator()(const sweep_table<States>& table, int state) const {
    UPSWEEP_ROLLED
    for (int k = 0; k < most_padded; k++) {
      const index_t i = first + (k - lead);
      if (first <= i && i < end) {
        const int behind = table.next(text[i], state);
        const steps_of_word steps{static_cast<std::uint64_t>(state), static_cast<std::uint64_t>(behind),
                                  i > 0 && table.begins_with(text[i], state)};
        state = behind;
        if constexpr (Put::writes) result[k] = static_cast<std::uint8_t>(put(table, steps));
      } else if (Put::writes && k < padded) {
        result[k] = Put::padding;
      }
    }
    return state;
  }
};
//! In front of the words. Leaves the state that they find.
template <int States, class Put>
struct walk_head {
  sweep_table<States>* table;
  walk_bytes<States, Put> bytes;
  UPSWEEP_HD void operator()(index_t) const { table->start = bytes(*table, table->start); }
};
//! And behind them; then(the last state).
template <int States, class Put, class Then>
struct walk_rest {
  const sweep_table<States>* table;
  walk_bytes<States, Put> bytes;
  Then then;
  template <class Item>
  UPSWEEP_HD void operator()(const Item&, const transition_map<States>& total) const {
    empty(total);
  }
  UPSWEEP_HD void empty(const transition_map<States>& total) const {
    const int state = total(table->start);
    then(bytes(*table, state));
  }
};

}  // namespace UPSWEEP_NAMESPACE::detail

// What is put for a byte, and what is made of bytes put: ends and tokens, of eight marks at a time.
#pragma once
#include <cstdint>

#include <upsweep/automaton/words.hpp>
#include <upsweep/config.hpp>
#include <upsweep/tuple.hpp>

namespace UPSWEEP_NAMESPACE::detail {

// ---------------------------------------------------------------- what is put: put(table, steps)
struct put_nothing {
  static constexpr bool writes = false, tokens = false;
  static constexpr std::uint8_t padding = 0;
  template <class Table>
  UPSWEEP_HD std::uint64_t operator()(const Table&, const steps_of_word&) const {
    return 0;
  }
};
struct put_states {
  static constexpr bool writes = true, tokens = false;
  static constexpr std::uint8_t padding = 0;
  bool before;
  template <class Table>
  UPSWEEP_HD std::uint64_t operator()(const Table&, const steps_of_word& steps) const {
    return before ? steps.before : steps.behind;
  }
};
//! The kinds of eight states.
template <int States>
UPSWEEP_HD std::uint64_t kinds_of(const sweep_table<States>& table, std::uint64_t states) {
  if constexpr (States <= 8) {
    const std::uint64_t kinds = *reinterpret_cast<const std::uint64_t*>(table.kinds);
    const bytes_of_states<8> bytes{static_cast<std::uint32_t>(kinds), static_cast<std::uint32_t>(kinds >> 32)};
    std::uint32_t low, high;
    bytes.look_up(static_cast<std::uint32_t>(states | states >> 28), low, high);
    return joined(low, high);
  } else {
    std::uint64_t kinds = 0;
    UPSWEEP_ROLLED
    for (int k = 0; k < text_word; k++) kinds |= std::uint64_t{table.kinds[states >> 8 * k & 255]} << 8 * k;
    return kinds;
  }
}
//! The highest bit where the automaton accepts.
struct put_accepted {
  static constexpr bool writes = true, tokens = false;
  static constexpr std::uint8_t padding = 0;
  template <class Table>
  UPSWEEP_HD std::uint64_t operator()(const Table& table, const steps_of_word& steps) const {
    return nonzero_bytes(kinds_of(table, steps.behind));
  }
};
//! Where a token begins, the kind of the one that ends there; elsewhere nothing_begins, which is no kind.
inline constexpr std::uint8_t nothing_begins = 255;
struct put_tokens {
  static constexpr bool writes = true, tokens = true;
  static constexpr std::uint8_t padding = nothing_begins;
  template <class Table>
  UPSWEEP_HD std::uint64_t operator()(const Table& table, const steps_of_word& steps) const {
    return kinds_of(table, steps.before) | ~(steps.begins * 255);
  }
};

// ---------------------------------------------------------------- what is done with the last state
struct forget_state {
  UPSWEEP_HD void operator()(int) const {}
};
//! For the next sweep.
template <int States>
struct keep_last_state {
  sweep_table<States>* table;
  UPSWEEP_HD void operator()(int state) const { table->last_state = state; }
};
template <int States>
struct write_kind {
  const sweep_table<States>* table;
  int* kind;
  UPSWEEP_HD void operator()(int state) const { *kind = table->kinds[state]; }
};

// ---------------------------------------------------------------- ends
struct count_ends {
  UPSWEEP_HD index_t operator()(std::uint64_t marks) const { return count_bits(highest_bits(marks)); }
};
struct rows_of_ends {
  index_t lead;  // padding in front of the text
  UPSWEEP_HD index_t number(index_t ends) const { return ends; }
  template <class Put>
  UPSWEEP_HD void operator()(index_t i, std::uint64_t marks, index_t, const Put& put) const {
    const index_t first = text_word * i - lead + 1;
    for (std::uint32_t ends = highest_bits(marks); ends != 0; ends &= ends - 1) put(first + lowest_bit(ends));
  }
};

// ---------------------------------------------------------------- tokens
//! Where the last token begins that does so here, counted from the padded text's first byte, or 0; and how many end
//! here, and are of a kind.
struct tokens_so_far {
  index_t begin, ended;
};
struct add_tokens {
  using value_type = tokens_so_far;
  UPSWEEP_HD constexpr tokens_so_far identity() const { return {0, 0}; }
  UPSWEEP_HD constexpr tokens_so_far operator()(const tokens_so_far& earlier, const tokens_so_far& later) const {
    return {later.begin > 0 ? later.begin : earlier.begin, earlier.ended + later.ended};
  }
};
using marks_and_place = tuple<std::uint64_t, index_t>;
UPSWEEP_HD inline std::uint32_t beginnings(std::uint64_t marks) { return highest_bits(nonzero_bytes(~marks)); }
struct lift_tokens {
  UPSWEEP_HD tokens_so_far operator()(const marks_and_place& item) const {
    const std::uint64_t marks = get<0>(item);
    const std::uint32_t begin = beginnings(marks);
    return {begin ? text_word * get<1>(item) + highest_bit(begin) : 0,
            count_bits(begin & highest_bits(nonzero_bytes(marks)))};
  }
};
struct rows_of_tokens {
  index_t lead;
  UPSWEEP_HD index_t number(const tokens_so_far& tokens) const { return tokens.ended; }
  template <class Put>
  UPSWEEP_HD void operator()(index_t i, const marks_and_place& item, const tokens_so_far& before,
                             const Put& put) const {
    const std::uint64_t marks = get<0>(item);
    index_t begin = before.begin > lead ? before.begin - lead : 0;
    for (std::uint32_t left = beginnings(marks); left != 0; left &= left - 1) {
      const int place = lowest_bit(left);
      const index_t end = text_word * i - lead + place;
      const auto kind = static_cast<std::uint8_t>(byte_of(marks, place));
      if (kind != 0) put(begin, end - begin, kind);
      begin = end;
    }
  }
};
//! The last token ends with the text.
template <int States, class S, class L, class K>
struct write_last_token {
  const sweep_table<States>* table;
  S* starts;
  L* lengths;
  K* kinds;
  index_t size, lead;
  index_t* count;
  template <class Item>
  UPSWEEP_HD void operator()(const Item&, const tokens_so_far& total) const {
    const index_t begin = total.begin > lead ? total.begin - lead : 0;
    index_t found = total.ended;
    if (const int kind = table->kinds[table->last_state]) {
      starts[found] = static_cast<S>(begin);
      lengths[found] = static_cast<L>(size - begin);
      kinds[found++] = static_cast<K>(kind);
    }
    *count = found;
  }
  UPSWEEP_HD void empty(const tokens_so_far&) const { *count = 0; }
};

}  // namespace UPSWEEP_NAMESPACE::detail

// What is put for a byte, and what is made of bytes put: ends and tokens, of sixteen marks at a time.
#pragma once
#include <cstdint>

#include <upsweep/automaton/words.hpp>
#include <upsweep/config.hpp>
#include <upsweep/tuple.hpp>

namespace UPSWEEP_NAMESPACE::detail {

// ---------------------------------------------------------------- what is put: put(table, steps)
struct put_nothing {
  static constexpr bool writes = false;
  static constexpr std::uint8_t padding = 0;
  template <class Table>
  UPSWEEP_HD std::uint64_t operator()(const Table&, const steps_of_word&) const {
    return 0;
  }
};
struct put_states {
  static constexpr bool writes = true;
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
  static constexpr bool writes = true;
  static constexpr std::uint8_t padding = 0;
  template <class Table>
  UPSWEEP_HD std::uint64_t operator()(const Table& table, const steps_of_word& steps) const {
    return nonzero_bytes(kinds_of(table, steps.behind));
  }
};
//! Where a token begins, the kind of the one that ends there; elsewhere nothing_begins, which is no kind.
inline constexpr std::uint8_t nothing_begins = 255;
struct put_tokens {
  static constexpr bool writes = true;
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
//! Bit k of the result is the highest one of byte k.
UPSWEEP_HD inline std::uint32_t bits_of(const sixteen_marks& marks) {
  std::uint32_t bits = 0;
  for (int k = 3; k >= 0; k--) bits = before_highest_bits(bits, marks.four[k]);
  return bits;
}
struct count_ends {
  UPSWEEP_HD index_t operator()(const sixteen_marks& marks) const { return count_bits(bits_of(marks)); }
};
struct rows_of_ends {
  using row_type = std::uint16_t;
  static constexpr int most_items = 4095;
  index_t lead;  // padding in front of the text
  UPSWEEP_HD index_t number(index_t ends) const { return ends; }

  struct walker_type {
    int place;
    template <class Put>
    UPSWEEP_HD void operator()(const sixteen_marks& marks, const Put& put) {
      for (std::uint32_t ends = bits_of(marks); ends != 0; ends &= ends - 1)
        put(static_cast<std::uint16_t>(place + lowest_bit(ends)));
      place += 16;
    }
  };
  struct span_type {
    index_t first;
    UPSWEEP_HD walker_type walker(int k, index_t) const { return {16 * k + 1}; }
    UPSWEEP_HD tuple<index_t> columns(std::uint16_t end) const { return make_tuple(first + end); }
  };
  UPSWEEP_HD span_type from(index_t i, index_t) const { return {16 * i - lead}; }
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
//! At which of sixteen bytes tokens begin, and at which of these one ends that is of a kind.
struct token_bits {
  std::uint32_t begins = 0, ends = 0;
  UPSWEEP_HD explicit token_bits(const sixteen_marks& marks) {
    for (int k = 3; k >= 0; k--) {
      const std::uint32_t begin = nonzero_bytes(~marks.four[k]);
      begins = before_highest_bits(begins, begin);
      ends = before_highest_bits(ends, begin & nonzero_bytes(marks.four[k]));
    }
  }
};
struct lift_tokens {
  UPSWEEP_HD tokens_so_far operator()(const tuple<sixteen_marks, index_t>& item) const {
    const token_bits bits(get<0>(item));
    return {bits.begins ? 16 * get<1>(item) + highest_bit(bits.begins) : 0, count_bits(bits.ends)};
  }
};
struct rows_of_tokens {
  //! Of a token the kind and, twelve bits each, where it begins, or `outside`, and where it ends, counted from the
  //! span's first byte.
  using row_type = std::uint32_t;
  static constexpr int most_items = 255;
  static constexpr std::uint32_t outside = 0xFFF;
  index_t lead;
  UPSWEEP_HD index_t number(const tokens_so_far& tokens) const { return tokens.ended; }

  struct walker_type {
    std::uint32_t place;  // of the next item
    std::uint32_t row;    // of a token that would end there, without its kind
    template <class Put>
    UPSWEEP_HD void operator()(const tuple<sixteen_marks, index_t>& item, const Put& put) {
      const sixteen_marks& marks = get<0>(item);
      const token_bits bits(marks);
      const std::uint32_t next = place << 20 | place << 8;
      for (std::uint32_t k = 0; k < 16; k++) {
        if (bits.ends >> k & 1) put(row + (k << 20) + byte_of(marks.four[k / 4], static_cast<int>(k % 4)));
        if (bits.begins >> k & 1) row = next + (k << 8);
      }
      place += 16;
      row += 16 << 20;
    }
  };
  struct span_type {
    index_t first, begin, lead;  // the first byte, which lies before the text where there is a lead; the token it is of
    UPSWEEP_HD walker_type walker(int i, const tokens_so_far& before) const {
      const index_t from = max_of(before.begin, lead) - lead - first;
      const auto place = opaque(static_cast<std::uint32_t>(16 * i));
      return {place, place << 20 | (from < 0 ? outside : static_cast<std::uint32_t>(from)) << 8};
    }
    UPSWEEP_HD tuple<index_t, index_t, std::uint32_t> columns(std::uint32_t row) const {
      const std::uint32_t from = row >> 8 & 0xFFF, to = row >> 20;
      if (from == outside) return make_tuple(begin, first + to - begin, row & 255);
      return make_tuple(first + from, static_cast<index_t>(to - from), row & 255);
    }
  };
  UPSWEEP_HD span_type from(index_t i, const tokens_so_far& before) const {
    return {16 * i - lead, max_of(before.begin, lead) - lead, lead};
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
    const index_t begin = max_of(total.begin, lead) - lead;
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

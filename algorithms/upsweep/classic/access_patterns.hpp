// Where a scan in shared memory keeps its items and the sums of its tree: index functions, the same for the kernels
// that run them and for the model that counts their bank conflicts (k_model.hpp).
//   connection_machine            no tree: with every step an item takes in the one twice as far before it
//   right_sums<no_padding>        a tree whose nodes keep their sums in the right operand's slot
//   right_sums<padding>           the same with a slot left free behind every k
//   left_right                    half of the nodes keep their sums on the left, so that no two meet in a bank
//   left_right_published          the same by the formula of the paper, which loses values of more than k² items
// Sources: Hillis and Steele 1986 (on the Connection Machine); Blelloch 1990; Harris, Sengupta and Owens 2007
// (padding); Capannini, Silvestri and Baraglia 2010 (the K-model), Capannini 2011 (the four compared, and left_right).
#pragma once
#include <cstddef>

#include <upsweep/config.hpp>

namespace UPSWEEP_NAMESPACE::classic {

//! Item i lies in slot i.
struct no_padding {
  UPSWEEP_HD constexpr index_t slot(index_t i) const { return i; }
};
//! A slot is left free behind every `banks` items.
struct padding {
  int banks = 32;
  UPSWEEP_HD constexpr index_t slot(index_t i) const { return i + i / banks; }
};

//! Node i of a level, from 1 on, stands for items i·2^level … (i + 1)·2^level − 1. `near`, `far`: the slots of its two
//! operands; `kept`: that of their sum, which is `near` wherever nothing is to be lost.
struct tree_node {
  index_t near, far, kept;
  bool near_is_left;
};

//! How many items a row of k banks holds, whose words have 4 bytes.
UPSWEEP_HD constexpr int banks_of_items(std::size_t item_bytes, int k = 32) {
  return item_bytes == 8 ? k / 2 : item_bytes == 16 ? k / 4 : k;
}

//! The pattern of Hillis and Steele's scan, which leaves inclusive prefixes; all others leave exclusive ones.
struct connection_machine {
  static constexpr bool leaves_inclusive = true;
  static UPSWEEP_HD constexpr connection_machine over(int) { return {}; }
  UPSWEEP_HD constexpr index_t slot(index_t i) const { return i; }
};

//! Blelloch's tree: a sum lies where the last of its items lay.
template <class Slots>
struct right_sums {
  static constexpr bool leaves_inclusive = false;
  Slots slots{};
  //! The pattern for so many banks of items.
  static UPSWEEP_HD constexpr right_sums over(int banks) {
    if constexpr (requires { Slots{banks}; }) return {Slots{banks}};
    else return {};
  }
  UPSWEEP_HD constexpr index_t slot(index_t i) const { return slots.slot(i); }
  UPSWEEP_HD constexpr index_t root(int levels) const { return slots.slot((index_t{1} << levels) - 1); }
  UPSWEEP_HD constexpr tree_node node(int level, index_t i) const {
    const index_t left = slots.slot(((2 * i + 1) << (level - 1)) - 1), right = slots.slot(((i + 1) << level) - 1);
    return {right, left, right, false};
  }
};

namespace patterns {
UPSWEEP_HD constexpr int log2_of(int power_of_two) {
  int log = 0;
  while (power_of_two >> log > 1) log++;
  return log;
}
}  // namespace patterns

//! Nodes keep their sums on the left and on the right by turns of k/2, k = 2^bank_bits: the even banks hold those of
//! one half, the odd banks those of the other. Address::of(level, i, bank_bits) is where node i of a level keeps its
//! sum.
template <class Address>
struct turning_sums {
  static constexpr bool leaves_inclusive = false;
  int bank_bits = 5;
  static UPSWEEP_HD constexpr turning_sums over(int banks) { return {patterns::log2_of(banks)}; }
  UPSWEEP_HD constexpr index_t slot(index_t i) const { return i; }
  UPSWEEP_HD constexpr index_t root(int) const { return 0; }
  UPSWEEP_HD constexpr index_t slot_of_sum(int level, index_t i) const { return Address::of(level, i, bank_bits); }
  UPSWEEP_HD constexpr tree_node node(int level, index_t i) const {
    const index_t bit = i >> (bank_bits - 1) & 1;
    const index_t near = slot_of_sum(level - 1, 2 * i + bit), far = slot_of_sum(level - 1, 2 * i + 1 - bit);
    return {near, far, Address::is_in_place ? near : slot_of_sum(level, i), bit == 0};
  }
};

namespace patterns {
//! A level lower the node that keeps the sum is 2i + b, b being the highest of the bank_bits lowest bits of i. Down to
//! the items this shifts i by `level`, and what leaves those bits on top comes in again at the bottom; it is done for
//! up to bank_bits levels at once.
struct right_address {
  static constexpr bool is_in_place = true;  // a sum lies where one of its operands lay
  static UPSWEEP_HD constexpr index_t of(int level, index_t i, int bank_bits) {
    const index_t lowest = (index_t{1} << bank_bits) - 1;
    for (; level > bank_bits; level -= bank_bits) i = (i << bank_bits) + (i & lowest);
    return (i << level) + ((i & lowest) >> (bank_bits - level));
  }
};
//! By the paper's formula: of i·2^level the bank_bits lowest bits are replaced by those of i, rotated by `level`. What
//! those of a node a level lower add above the lowest bits is missing: a node whose highest one of them is set gets a
//! slot of neither operand, from bank_bits + 1 levels on.
struct published_address {
  static constexpr bool is_in_place = false;
  static UPSWEEP_HD constexpr index_t of(int level, index_t i, int bank_bits) {
    const index_t lowest = (index_t{1} << bank_bits) - 1, bits = i & lowest;
    const int turn = level % bank_bits;
    return ((i << level) & ~lowest) + (((bits << turn) + (bits >> (bank_bits - turn))) & lowest);
  }
};
}  // namespace patterns

//! The addresses as they must be, for any number of items.
using left_right = turning_sums<patterns::right_address>;
//! As published, for comparison: wrong beyond k² items.
using left_right_published = turning_sums<patterns::published_address>;

}  // namespace UPSWEEP_NAMESPACE::classic

// The K-model (Capannini, Silvestri, Baraglia 2010): k banks of words of 4 bytes serve k lanes at once, and an
// instruction takes as long as its fullest bank has accesses. For each access pattern what a scan of n items costs, by
// formula (Capannini 2011) and by counting what the kernels' own steps access.
//   const auto counted = classic::count_accesses(classic::left_right::over(32), 2048, {.k = 32});
//   counted.cost().time == classic::cost_by_formula(classic::left_right{}, 2048, {.k = 32}).time;  // 68
#pragma once
#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include <upsweep/classic/access_patterns.hpp>
#include <upsweep/classic/access_recorder.hpp>
#include <upsweep/classic/pattern_sweeps.hpp>
#include <upsweep/config.hpp>
#include <upsweep/monoid.hpp>
#include <upsweep/require.hpp>

namespace UPSWEEP_NAMESPACE::classic {

//! Of a scan of n items: T, the fullest bank of each store of a sum in the up-sweep, added up; W, the sums; G, the
//! reads of k words of memory that bring the items (the results take as many writes).
struct k_cost {
  index_t time = 0, work = 0, transfers = 0;
  bool operator==(const k_cost&) const = default;
};

//! What the lanes of a pattern access: in the up-sweep loads of both operands, stores of the sum and, where it was
//! overwritten, of the left operand; in the down-sweep two loads and two stores. The connection machine has no
//! down-sweep. (Clearing the root is one store more.)
struct pattern_count {
  std::vector<access_count> up, down;
  index_t transfers = 0;
  k_cost cost() const { return up.empty() ? k_cost{0, 0, transfers} : k_cost{up[2].time, up[2].lanes, transfers}; }
  index_t time() const { return sum(&access_count::time); }
  index_t least() const { return sum(&access_count::least); }

 private:
  index_t sum(index_t access_count::*part) const {
    index_t all = 0;
    for (const auto* sweep : {&up, &down})
      for (const access_count& access : *sweep) all += access.*part;
    return all;
  }
};

}  // namespace UPSWEEP_NAMESPACE::classic

namespace UPSWEEP_NAMESPACE::detail {

inline void check_machine(index_t n, const classic::k_machine& machine) {
  const auto is_power = [](index_t x) { return x > 0 && std::has_single_bit(static_cast<std::uint64_t>(x)); };
  require(is_power(n), "n", "is ", n, ", must be a power of two");
  require(is_power(machine.k), "k", "is ", machine.k, ", must be a power of two");
  require(machine.item_words == 1 || machine.item_words == 2 || machine.item_words == 4, "item_words", "is ",
          machine.item_words, ", must be 1, 2 or 4");
  require(machine.banks() >= 2, "k", "is ", machine.k, ", must be at least ", 2 * machine.item_words);
}
inline int log2_of(index_t power) { return std::countr_zero(static_cast<std::uint64_t>(power)); }

//! Instructions of k lanes that read an item each, neighbours by neighbouring lanes: the lines of k words that they
//! touch.
inline index_t count_transfers(index_t n, const classic::k_machine& machine) {
  index_t lines = 0;
  for (index_t first = 0; first < n; first += machine.k) {
    const index_t end = std::min(n, first + machine.k) * machine.item_words;
    lines += (end - 1) / machine.k - first * machine.item_words / machine.k + 1;
  }
  return lines;
}

// T of the patterns for n items in so many banks, 2^h of them. What n items of fewer than that cost is one a level.
inline index_t time_of(const classic::connection_machine&, index_t n, index_t banks) {
  const index_t levels = log2_of(n);
  return n <= banks ? levels : (n * levels - n) / banks + 1;  // W/k, rounded up
}
inline index_t time_of(const classic::right_sums<classic::no_padding>&, index_t n, index_t banks) {
  return n <= banks ? log2_of(n) : n * (log2_of(banks) + 1) / banks - 1;
}
inline index_t time_of(const classic::right_sums<classic::padding>&, index_t n, index_t banks) {
  if (n <= banks) return log2_of(n);
  index_t time = time_of(classic::right_sums<classic::no_padding>{}, n / banks, banks);
  for (int i = 1; i <= log2_of(banks); i++) time += ((n >> i) + banks - 1) / banks;
  return time;
}
inline index_t time_of(const classic::left_right&, index_t n, index_t banks) {
  return n <= banks ? log2_of(n) : log2_of(banks) + (n - banks) / banks;
}
inline index_t time_of(const classic::left_right_published&, index_t n, index_t banks) {
  return time_of(classic::left_right{}, n, banks);
}

}  // namespace UPSWEEP_NAMESPACE::detail

namespace UPSWEEP_NAMESPACE::classic {

//! Runs the steps of a pattern's scan of n items, as kernels do, and counts. n must be a power of two, and so must k
//! and at least twice the words of an item. Takes some 15 ns an access on the host. Throws
//! std::invalid_argument.
template <class Pattern>
pattern_count count_accesses(const Pattern& pattern, index_t n, const k_machine& machine) {
  upsweep::detail::check_machine(n, machine);
  upsweep::detail::access_recorder up(machine), down(machine);
  const int levels = upsweep::detail::log2_of(n);
  if constexpr (Pattern::leaves_inclusive) {
    sweep_block(pattern, upsweep::detail::access_recorder::memory{&up}, levels, nothing{}, up);
  } else {
    sweep_up(pattern, upsweep::detail::access_recorder::memory{&up}, levels, nothing{}, up);
    sweep_down(pattern, upsweep::detail::access_recorder::memory{&down}, levels, nothing{}, down);
  }
  return {up.counts(), down.counts(), upsweep::detail::count_transfers(n, machine)};
}

//! How many nodes of the tree over n = 2^levels items store their sum in a slot of neither operand: over another value.
template <class Pattern>
index_t overwriting_nodes(const Pattern& pattern, index_t n) {
  index_t count = 0;
  for (int level = 1; n >> level > 0; level++)
    for (index_t i = 0; i < n >> level; i++) {
      const tree_node at = pattern.node(level, i);
      count += at.kept != at.near && at.kept != at.far;
    }
  return count;
}

//! T, W and G by formula, for a pattern over machine.banks(). W = n − 1 for trees, n·log n − n + 1 for the connection
//! machine; G = n/k. For h = log k and n > k, T is
//!   connection_machine       W/k, rounded up
//!   right_sums<no_padding>   n(h + 1)/k − 1
//!   right_sums<padding>      Σ n/(2^i·k) for i = 1 … h, and T of no_padding for n/k. (The paper says so; where n < k²
//!                            some of these parts are less than an instruction, and are rounded up here)
//!   left_right               h + (n − k)/k, the least that a tree can take
//! and log n for up to k items. For items of several words k stands for machine.banks(), and in G for k/words.
//! Throws std::invalid_argument as count_accesses does.
template <class Pattern>
k_cost cost_by_formula(const Pattern& pattern, index_t n, const k_machine& machine) {
  upsweep::detail::check_machine(n, machine);
  const index_t levels = upsweep::detail::log2_of(n);
  const index_t work = Pattern::leaves_inclusive ? n * levels - n + 1 : n - 1;
  const index_t words = n * machine.item_words;
  return {upsweep::detail::time_of(pattern, n, machine.banks()), work, (words + machine.k - 1) / machine.k};
}

}  // namespace UPSWEEP_NAMESPACE::classic

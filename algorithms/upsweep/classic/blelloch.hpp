// Blelloch 1990 ("Prefix sums and their applications"): a tree of sums is built from the leaves to the root, and on the
// way back every node learns what stands before it.
//   Inclusive   work 2n − 2 − log n (for n a power of two), depth 2·log n − 1: Brent and Kung's network of 1982
//   Exclusive   work 2·(n − 1), depth 2·log n; n is filled up to a power of two by identities
// Reads two values a node and writes one or two, on both ways, and all items for a copy in and out. Neighbours in a
// step lie further and further apart.
#pragma once
#include <bit>
#include <cstdint>

#include <upsweep/classic/machine.hpp>
#include <upsweep/config.hpp>
#include <upsweep/monoid.hpp>

namespace UPSWEEP_NAMESPACE::classic {

//! Every node becomes the sum of the items below it, and lies where the last of them lay. Any n.
UPSWEEP_CALLS_USER
template <class Team, class Values, class M>
UPSWEEP_HD void up_sweep(const Team& team, index_t n, const Values& values, const M& m) {
  for (index_t half = 1; half < n; half *= 2) {
    team.for_all(n / (2 * half), [&](index_t k) {
      const index_t right = 2 * half * (k + 1) - 1, left = right - half;
      values[right] = m(values[left], values[right]);
    });
    team.show("up", half, values, n);
  }
}

//! Of such a tree: what ends where a node ends is complete; it is added to the left half of the next node. Any n.
UPSWEEP_CALLS_USER
template <class Team, class Values, class M>
UPSWEEP_HD void post_scan(const Team& team, index_t n, const Values& values, const M& m) {
  index_t half = 1;
  while (2 * half < n) half *= 2;
  for (; half > 0; half /= 2) {
    const index_t nodes = (n - half) / (2 * half);
    if (nodes == 0) continue;
    team.for_all(nodes, [&](index_t k) {
      const index_t before = 2 * half * (k + 1) - 1, middle = before + half;
      values[middle] = m(values[before], values[middle]);
    });
    team.show("post", half, values, n);
  }
}

//! Of such a tree: the root's prefix is the identity; a node hands its prefix to the left child, and to the right one
//! with the left one's sum behind. n is a power of two.
UPSWEEP_CALLS_USER
template <class Team, class Values, class M>
UPSWEEP_HD void down_sweep(const Team& team, index_t n, const Values& values, const M& m) {
  team.once([&] { values[n - 1] = m.identity(); });
  team.show("root", n, values, n);
  for (index_t half = n / 2; half > 0; half /= 2) {
    team.for_all(n / (2 * half), [&](index_t k) {
      using T = typename M::value_type;
      const index_t right = 2 * half * (k + 1) - 1, left = right - half;
      const T sum_of_left = values[left], prefix = values[right];
      values[left] = prefix;
      values[right] = m(prefix, sum_of_left);
    });
    team.show("down", half, values, n);
  }
}

template <class In, class Out, class Values, class M>
struct blelloch_scan {
  In in;
  Out out;
  Values values;
  index_t n, filled;  // n, or for the exclusive scan a power of two
  bool is_exclusive;
  M m;
  UPSWEEP_CALLS_USER
  template <class Team>
  UPSWEEP_HD void operator()(const Team& team) const {
    using T = typename M::value_type;
    team.for_all(filled, [&](index_t i) {
      if (i < n) values[i] = static_cast<T>(in[i]);
      else values[i] = m.identity();
    });
    up_sweep(team, filled, values, m);
    if (is_exclusive) down_sweep(team, filled, values, m);
    else post_scan(team, n, values, m);
    team.for_all(n, [&](index_t i) { out[i] = values[i]; });
  }
};

template <class Machine, class In, class Out, class M>
void scan_by_tree(const Machine& machine, index_t n, In in, Out out, const M& m, bool is_exclusive) {
  const index_t filled = is_exclusive ? static_cast<index_t>(std::bit_ceil(static_cast<std::uint64_t>(n))) : n;
  auto [piece] = machine.template lend<typename M::value_type>(filled);
  auto values = machine.memory(piece);
  using scan = blelloch_scan<In, Out, decltype(values), M>;
  machine.together(
      n, scan{.in = in, .out = out, .values = values, .n = n, .filled = filled, .is_exclusive = is_exclusive, .m = m});
}

//! As inclusive_scan.
template <executor Executor, contiguous_range In, contiguous_range Out, monoid M = detail::default_sum<In>,
          class Witness = nobody>
void blelloch(Executor&& executor, const In& in, Out&& out, const M& m = {}, const Witness& witness = {}) {
  scan_on<M>(executor, detail::input("in", in), UPSWEEP_OUTPUT(out), witness,
             [&](const auto& machine, index_t n, auto from, auto to) { scan_by_tree(machine, n, from, to, m, false); });
}
//! As exclusive_scan.
template <executor Executor, contiguous_range In, contiguous_range Out, monoid M = detail::default_sum<In>,
          class Witness = nobody>
void exclusive_blelloch(Executor&& executor, const In& in, Out&& out, const M& m = {}, const Witness& witness = {}) {
  scan_on<M>(executor, detail::input("in", in), UPSWEEP_OUTPUT(out), witness,
             [&](const auto& machine, index_t n, auto from, auto to) { scan_by_tree(machine, n, from, to, m, true); });
}

}  // namespace UPSWEEP_NAMESPACE::classic

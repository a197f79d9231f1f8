// Hillis and Steele 1986 ("Data parallel algorithms"; as a network of adders Kogge and Stone 1973): after step d, every
// value is the sum of the 2^d items that end there. Two buffers, since all read before any writes.
//   Work n·log n − n + 1 (for n a power of two), depth log n: the fewest steps, for many times the work.
//   Reads and writes all items in each of the log n steps, and once more to and from the buffers.
#pragma once
#include <upsweep/classic/machine.hpp>
#include <upsweep/config.hpp>
#include <upsweep/monoid.hpp>

namespace UPSWEEP_NAMESPACE::classic {

//! Scans the n values `from` with the help of as many `to`; returns which of them holds the sums.
UPSWEEP_CALLS_USER
template <class Team, class Values, class M>
UPSWEEP_HD Values double_distances(const Team& team, index_t n, Values from, Values to, const M& m) {
  for (index_t distance = 1; distance < n; distance *= 2) {
    team.for_all(n, [&](index_t i) {
      if (i < distance) to[i] = from[i];
      else to[i] = m(from[i - distance], from[i]);
    });
    team.show("from so far left", distance, to, n);
    const Values read = from;
    from = to;
    to = read;
  }
  return from;
}

template <class In, class Out, class Values, class M>
struct hillis_steele_scan {
  In in;
  Out out;
  Values one, other;
  index_t n;
  M m;
  UPSWEEP_CALLS_USER
  template <class Team>
  UPSWEEP_HD void operator()(const Team& team) const {
    team.for_all(n, [&](index_t i) { one[i] = static_cast<typename M::value_type>(in[i]); });
    const Values sums = double_distances(team, n, one, other, m);
    team.for_all(n, [&](index_t i) { out[i] = sums[i]; });
  }
};

//! As inclusive_scan.
template <executor Executor, contiguous_range In, contiguous_range Out, monoid M = detail::default_sum<In>,
          class Witness = nobody>
void hillis_steele(Executor&& executor, const In& in, Out&& out, const M& m = {}, const Witness& witness = {}) {
  scan_on<M>(
      executor, detail::input("in", in), UPSWEEP_OUTPUT(out), witness,
      [&](const auto& machine, index_t n, auto from, auto to) {
        using T = typename M::value_type;
        auto [one, other] = machine.template lend<T, T>(n, n);
        using Values = decltype(machine.memory(one));
        using scan = hillis_steele_scan<decltype(from), decltype(to), Values, M>;
        machine.together(
            n, scan{.in = from, .out = to, .one = machine.memory(one), .other = machine.memory(other), .n = n, .m = m});
      });
}

}  // namespace UPSWEEP_NAMESPACE::classic

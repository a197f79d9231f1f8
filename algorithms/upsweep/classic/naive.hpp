// Every output by itself: the definition, read literally. A processor an output needs nobody else.
//   Work n·(n − 1)/2, depth n − 1. Reads n·(n + 1)/2 items and writes n, and as many again for a copy of the input,
//   since `out` may be `in`.
#pragma once
#include <upsweep/classic/machine.hpp>
#include <upsweep/config.hpp>
#include <upsweep/monoid.hpp>
#include <upsweep/require.hpp>

namespace UPSWEEP_NAMESPACE::classic {

//! The most items that it scans: two thousand million operations.
inline constexpr index_t naive_most = index_t{1} << 16;

template <class In, class Out, class Values, class M>
struct naive_scan {
  In in;
  Out out;
  Values values;
  index_t n;
  M m;
  UPSWEEP_CALLS_USER
  template <class Team>
  UPSWEEP_HD void operator()(const Team& team) const {
    using T = typename M::value_type;
    team.for_all(n, [&](index_t i) { values[i] = static_cast<T>(in[i]); });
    team.for_all(n, [&](index_t i) {
      T sum = values[0];
      UPSWEEP_ROLLED
      for (index_t k = 1; k <= i; k++) sum = m(sum, values[k]);
      out[i] = sum;
    });
    team.show("each adds all, of", n, out, n);
  }
};

//! As inclusive_scan, of up to naive_most items. Throws std::invalid_argument when there are more.
template <executor Executor, contiguous_range In, contiguous_range Out, monoid M = detail::default_sum<In>,
          class Witness = nobody>
void naive(Executor&& executor, const In& in, Out&& out, const M& m = {}, const Witness& witness = {}) {
  const auto items = detail::input("in", in);
  detail::require(items.size <= naive_most, "in", "has ", items.size, " items, a naive scan takes ", naive_most,
                  " at most");
  scan_on<M>(executor, items, UPSWEEP_OUTPUT(out), witness, [&](const auto& machine, index_t n, auto from, auto to) {
    using T = typename M::value_type;
    auto [piece] = machine.template lend<T>(n);
    auto values = machine.memory(piece);
    using scan = naive_scan<decltype(from), decltype(to), decltype(values), M>;
    machine.together(n, scan{.in = from, .out = to, .values = values, .n = n, .m = m});
  });
}

}  // namespace UPSWEEP_NAMESPACE::classic

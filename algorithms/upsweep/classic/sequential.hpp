// The scan that everybody writes first.
//   Work n − 1, depth n − 1. Reads and writes each item once.
#pragma once
#include <upsweep/classic/machine.hpp>
#include <upsweep/config.hpp>
#include <upsweep/monoid.hpp>

namespace UPSWEEP_NAMESPACE::classic {

template <class In, class Out, class M>
struct sequential_scan {
  In in;
  Out out;
  index_t n;
  M m;
  UPSWEEP_CALLS_USER
  template <class Team>
  UPSWEEP_HD void operator()(const Team& team) const {
    using T = typename M::value_type;
    team.once([&] {
      T sum = static_cast<T>(in[0]);
      out[0] = sum;
      for (index_t i = 1; i < n; i++) out[i] = sum = m(sum, static_cast<T>(in[i]));
    });
  }
};

//! As inclusive_scan, by one thread.
template <executor Executor, contiguous_range In, contiguous_range Out, monoid M = detail::default_sum<In>,
          class Witness = nobody>
void sequential(Executor&& executor, const In& in, Out&& out, const M& m = {}, const Witness& witness = {}) {
  scan_on<M>(executor, detail::input("in", in), UPSWEEP_OUTPUT(out), witness,
             [&](const auto& machine, index_t n, auto from, auto to) {
               machine.together(1, sequential_scan<decltype(from), decltype(to), M>{from, to, n, m});
             });
}

}  // namespace UPSWEEP_NAMESPACE::classic

// The reductions to statistics that are compiled into upsweep::cuda.
#pragma once
#include <type_traits>

#include <upsweep/c/statistics.h>
#include <upsweep/config.hpp>
#include <upsweep/library/errors.hpp>
#include <upsweep/library/scan.hpp>
#include <upsweep/statistics.hpp>
#include <upsweep/statistics/library/monoids.hpp>

namespace UPSWEEP_NAMESPACE::library {
// What C calls a reduction of floats or doubles by such a monoid.
#define UPSWEEP_ROW(monoid, function)                                                 \
  template <class T>                                                                  \
    requires(std::is_same_v<T, float> || std::is_same_v<T, double>)                   \
  int reduce_by(device& executor, upsweep_input in, const monoid<T>&, void* result) { \
    return function(executor.handle(), in, result);                                   \
  }
UPSWEEP_LIBRARY_STATISTICS(UPSWEEP_ROW)
#undef UPSWEEP_ROW
}  // namespace UPSWEEP_NAMESPACE::library

namespace UPSWEEP_NAMESPACE::detail {

template <class T, class M, class V>
  requires requires(device& executor, const M& m) { library::reduce_by<T>(executor, upsweep_input{}, m, nullptr); }
void sweep(device& executor, index_t n, const load_stage<range_column<T>>& load, const lift_to<V>&, const M& m,
           const discard_t&, const write_total<V>& total, forward_t) {
  library::check(library::reduce_by<T>(executor, library::input_of(get<0>(load.columns).range.data, n), m, total.out));
}

}  // namespace UPSWEEP_NAMESPACE::detail

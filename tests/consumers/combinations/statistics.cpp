// Reductions to statistics: algorithms/upsweep/statistics/library/monoids.hpp. Held to the host, to rounding: sums of
// exponentials are rounded, in another order.
#include <cmath>

#include <upsweep/reduce.hpp>
#include <upsweep/statistics.hpp>
#include <upsweep/statistics/library/monoids.hpp>

#include "check.hpp"

namespace {

template <class T>
constexpr T tolerance = sizeof(T) == 4 ? T(1e-3) : T(1e-11);
template <class T>
bool is_near(T a, T b) {
  return a == b || std::abs(a - b) <= tolerance<T> * (1 + std::abs(b));
}
template <class T>
bool is_near(const upsweep::scaled_exponentials<T>& a, const upsweep::scaled_exponentials<T>& b) {
  return a.largest == b.largest && is_near(a.sum, b.sum);
}
template <class T>
bool is_near(const upsweep::moments<T>& a, const upsweep::moments<T>& b) {
  return a.count == b.count && is_near(a.mean, b.mean) && is_near(a.squares, b.squares);
}

template <class T, class M>
void check_statistic(tested& exec, upsweep::index_t n, const std::string& of, const M& m) {
  const std::vector<T> in = items<T>(n, false);
  upsweep::host plain;
  const upsweep::buffer<T> from(exec, in);
  check(is_near(upsweep::reduce(exec, from, m), upsweep::reduce(plain, in, m)), counted(of, n));
}

}  // namespace

void check_statistics(tested& exec, upsweep::index_t n) {
#define UPSWEEP_ROW(monoid, function)                                  \
  {                                                                    \
    const char* const name = #monoid;                                  \
    check_statistic<float>(exec, n, name, upsweep::monoid<float>{});   \
    check_statistic<double>(exec, n, name, upsweep::monoid<double>{}); \
  }
  UPSWEEP_LIBRARY_STATISTICS(UPSWEEP_ROW)
#undef UPSWEEP_ROW
}

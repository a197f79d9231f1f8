// Scans and reductions: core/upsweep/library/table.hpp.
#include <upsweep/library/table.hpp>
#include <upsweep/reduce.hpp>
#include <upsweep/scan.hpp>

#include "check.hpp"

namespace {

struct shape {
  const char* name;
  bool reversed;
  upsweep::index_t row;  // 0: all items are one
};

//! A scan in one loop; exclusive when there is an `init`, which starts it.
template <class T, class M>
std::vector<T> serial_scan(const std::vector<T>& in, const M& m, const shape& s, const T* init, bool exclusive) {
  const auto n = std::ssize(in);
  std::vector<T> out(in.size());
  T before{};
  for (upsweep::index_t k = 0; k < n; k++) {
    const auto i = static_cast<std::size_t>(s.reversed ? n - 1 - k : k);
    const bool first = s.row ? k % s.row == 0 : k == 0;
    const T now = first ? in[i] : m(before, in[i]);
    if (!exclusive) out[i] = now;
    else if (first) out[i] = init ? *init : m.identity();
    else out[i] = init ? m(*init, before) : before;
    before = now;
  }
  return out;
}

template <class T, class M>
void check_monoid(tested& exec, const std::vector<T>& in, const std::string& of, const M& m) {
  const auto along = [&](const shape& s, const auto& d) {
    const std::string name = s.name + of;
    const T three{3};
    compare(exec, in, serial_scan<T>(in, m, s, nullptr, false), "inclusive_scan, " + name,
            [&](const auto& x, auto& y) { upsweep::inclusive_scan(exec, x, y, m, d); });
    compare(exec, in, serial_scan<T>(in, m, s, nullptr, true), "exclusive_scan, " + name,
            [&](const auto& x, auto& y) { upsweep::exclusive_scan(exec, x, y, m, d); });
    compare(exec, in, serial_scan<T>(in, m, s, &three, true), "exclusive_scan from 3, " + name,
            [&](const auto& x, auto& y) { upsweep::exclusive_scan(exec, x, y, m, three, d); });
  };
  along({"forward, ", false, 0}, upsweep::forward);
  along({"reversed, ", true, 0}, upsweep::reversed);
  along({"rows, ", false, row}, upsweep::rows(row));
  along({"reversed rows, ", true, row}, upsweep::reversed_rows(row));
  const upsweep::buffer<T> from(exec, in);
  const T total = in.empty() ? m.identity() : serial_scan<T>(in, m, {}, nullptr, false).back();
  check(same_bits(upsweep::reduce(exec, from, m), total), "reduce, " + of);
}

template <class T>
void check_type(tested& exec, upsweep::index_t n, const char* name) {
  const std::string of = counted(name, n);
#define UPSWEEP_ROW(monoid, monoid_name, code) \
  check_monoid<T>(exec, items<T>(n, code == UPSWEEP_MULTIPLIES), monoid_name " of " + of, upsweep::monoid<T>{});
  UPSWEEP_LIBRARY_MONOIDS(UPSWEEP_ROW)
  if constexpr (std::is_integral_v<T>) {
    UPSWEEP_LIBRARY_MONOIDS_OF_INTEGERS(UPSWEEP_ROW)
  }
#undef UPSWEEP_ROW
}
}  // namespace

void check_scans(tested& exec, upsweep::index_t n) {
#define UPSWEEP_ROW(type, name, code) check_type<type>(exec, n, name);
  UPSWEEP_LIBRARY_TYPES(UPSWEEP_ROW)
#undef UPSWEEP_ROW
}

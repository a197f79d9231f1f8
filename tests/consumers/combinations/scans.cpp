// Scans and reductions: core/upsweep/library/table.hpp.
#include <upsweep/compensated_plus.hpp>
#include <upsweep/library/table.hpp>
#include <upsweep/reduce.hpp>
#include <upsweep/reproducible_plus.hpp>
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
void check_reduction(tested& exec, const std::vector<T>& in, const std::string& of, const M& m) {
  using V = typename M::value_type;
  V total = m.identity();
  for (std::size_t i = 0; i < in.size(); i++) total = i == 0 ? static_cast<V>(in[i]) : m(total, static_cast<V>(in[i]));
  const upsweep::buffer<T> from(exec, in);
  check(same_bits(static_cast<T>(upsweep::reduce(exec, from, m)), static_cast<T>(total)), "reduce, " + of);
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
  check_reduction(exec, in, of, m);
}

//! Items with their indices.
template <class T, class M>
void check_place(tested& exec, const std::vector<T>& in, const std::string& of, const M& m) {
  upsweep::indexed<T> place = m.identity();
  for (std::size_t i = 0; i < in.size(); i++) {
    const upsweep::indexed<T> here{in[i], static_cast<upsweep::index_t>(i)};
    place = i == 0 ? here : m(place, here);
  }
  const upsweep::buffer<T> from(exec, in);
  const auto found = upsweep::reduce(exec, contiguous(from, upsweep::indices()), upsweep::lift_indexed{}, m);
  check(same_bits(found.value, place.value) && found.index == place.index, "reduce, " + of);
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
#define UPSWEEP_ROW(monoid, monoid_name, code) \
  check_place(exec, items<T>(n, false), monoid_name " of " + of, upsweep::monoid<T>{});
  UPSWEEP_LIBRARY_MONOIDS_OF_PLACES(UPSWEEP_ROW)
#undef UPSWEEP_ROW
#define UPSWEEP_ROW(monoid, monoid_name, code) \
  check_reduction(exec, items<T>(n, false), monoid_name " of " + of, upsweep::monoid<T>{});
  if constexpr (std::is_floating_point_v<T>) {
    UPSWEEP_LIBRARY_SUMS_OF_FLOATS(UPSWEEP_ROW)
  }
#undef UPSWEEP_ROW
}
}  // namespace

void check_scans(tested& exec, upsweep::index_t n) {
#define UPSWEEP_ROW(type, name, code) check_type<type>(exec, n, name);
  UPSWEEP_LIBRARY_TYPES(UPSWEEP_ROW)
#undef UPSWEEP_ROW
#define UPSWEEP_ROW(monoid, name, code)   \
  for (const bool sparse : {false, true}) \
    check_reduction(exec, bytes_as_flags(n, sparse), counted(name " of flags", n), upsweep::monoid{});
  UPSWEEP_LIBRARY_MONOIDS_OF_FLAGS(UPSWEEP_ROW)
#undef UPSWEEP_ROW
}

// Recurrences: algorithms/upsweep/recurrence/library/numbers.hpp. Coefficients are −1, 0 and 1, and at most one of an
// item is not 0: no sum is rounded.
#include <algorithm>
#include <array>

#include <upsweep/linear_recurrence.hpp>
#include <upsweep/recurrence/library/numbers.hpp>

#include "check.hpp"

namespace {
using upsweep::index_t;

std::size_t at(index_t i) { return static_cast<std::size_t>(i); }

template <class T>
struct inputs {
  std::vector<T> a1, a2, b;
  explicit inputs(index_t n, int order) : a1(items<T>(n, true)), a2(at(n)), b(items<T>(n, false)) {
    for (std::size_t i = 0; i < a1.size(); i++) {
      if (a1[i] == 2) a1[i] = 0;
      if (order == 2 && b[i] != 0) std::swap(a1[i], a2[i]);
    }
  }
};

//! In one loop. Rows lie between `bounds`; `before(row, k)` in the order of memory.
template <class T, class Before>
std::vector<T> serial(const inputs<T>& in, int order, bool reversed, const std::vector<index_t>& bounds,
                      const Before& before) {
  std::vector<T> x(in.b.size());
  for (std::size_t row = 0; row + 1 < bounds.size(); row++) {
    const index_t length = bounds[row + 1] - bounds[row];
    T last = before(row, order == 2 && !reversed ? 1 : 0), second = before(row, order == 2 && reversed ? 1 : 0);
    for (index_t k = 0; k < length; k++) {
      const std::size_t i = at(reversed ? bounds[row + 1] - 1 - k : bounds[row] + k);
      x[i] = in.a1[i] * last + (order == 2 ? in.a2[i] * second : T{0}) + in.b[i];
      second = last;
      last = x[i];
    }
  }
  return x;
}

//! Along rows between bounds, of which the first and the last may be none of the call's.
template <class T, int Order, class Along>
void check_along(tested& exec, const inputs<T>& in, const Along& along, bool reversed,
                 const std::vector<index_t>& bounds, bool open_ended, const std::string& of) {
  const upsweep::buffer<T> a1(exec, in.a1), a2(exec, in.a2), b(exec, in.b);
  const auto run = [&](const auto& before) {
    upsweep::buffer<T> x(exec, b.size());
    if constexpr (Order == 1) upsweep::linear_recurrence(exec, a1, b, x, before, along);
    else upsweep::linear_recurrence(exec, upsweep::coefficients(a1, a2), b, x, before, along);
    return x.to_vector(exec);
  };
  const std::array<T, 2> alike{3, -2};
  const auto same = serial(in, Order, reversed, bounds, [&](std::size_t, int k) { return alike[at(k)]; });
  if constexpr (Order == 1) check(run(alike[0]) == same, "linear_recurrence, " + of);
  else check(run(alike) == same, "linear_recurrence, " + of);

  const std::size_t rows = bounds.size() - (open_ended ? 3 : 1);
  const std::vector<T> each = items<T>(static_cast<index_t>(rows) * Order, false);
  const auto own = serial(in, Order, reversed, bounds, [&](std::size_t row, int k) {
    if (open_ended) row--;
    return row < rows ? each[row * Order + at(k)] : T{0};
  });
  check(run(upsweep::buffer<T>(exec, each)) == own, "linear_recurrence with values before rows, " + of);
}

template <class T, int Order>
void check_order(tested& exec, index_t n, const std::string& of) {
  const inputs<T> in(n, Order);
  const std::vector<index_t> whole{0, n};
  check_along<T, Order>(exec, in, upsweep::forward, false, whole, false, "forward, " + of);
  check_along<T, Order>(exec, in, upsweep::reversed, true, whole, false, "reversed, " + of);
  std::vector<index_t> bounds{0};
  while (bounds.back() < n) bounds.push_back(bounds.back() + row);
  check_along<T, Order>(exec, in, upsweep::rows(row), false, bounds, false, "rows, " + of);
  check_along<T, Order>(exec, in, upsweep::reversed_rows(row), true, bounds, false, "reversed rows, " + of);
#define UPSWEEP_ROW(Offset, name)                                                                               \
  {                                                                                                             \
    std::vector<Offset> offsets{static_cast<Offset>(std::min<index_t>(n, 2))};                                  \
    while (static_cast<index_t>(offsets.back()) + 40 < n)                                                       \
      offsets.push_back(static_cast<Offset>(offsets.back() + static_cast<Offset>(offsets.size() * 7919 % 41))); \
    std::vector<index_t> ends{0};                                                                               \
    for (const Offset offset : offsets) ends.push_back(static_cast<index_t>(offset));                           \
    ends.push_back(n);                                                                                          \
    const upsweep::buffer<Offset> where(exec, offsets);                                                         \
    check_along<T, Order>(exec, in, upsweep::offsets(where), false, ends, true,                                 \
                          "segments by offsets, " name ", " + of);                                              \
  }
  UPSWEEP_LIBRARY_RECURRENCE_OFFSETS(UPSWEEP_ROW)
#undef UPSWEEP_ROW
}

}  // namespace

void check_recurrences(tested& exec, index_t n) {
#define UPSWEEP_ROW(T, name)                                  \
  check_order<T, 1>(exec, n, counted("order 1 of " name, n)); \
  check_order<T, 2>(exec, n, counted("order 2 of " name, n));
  UPSWEEP_LIBRARY_RECURRENCES(UPSWEEP_ROW)
#undef UPSWEEP_ROW
}

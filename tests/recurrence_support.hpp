// What the tests of recurrences share: coefficients, terms, values before rows, and their ranges in memory.
#pragma once
#include <array>
#include <complex>
#include <cstdint>
#include <span>
#include <vector>

#include <upsweep/linear_recurrence.hpp>

#include "oracle.hpp"
#include "support.hpp"

namespace test::recurrences {
using upsweep::index_t;

//! What a recurrence is given: `order` coefficients an item, and as many values before each row.
template <class T, int Order>
struct problem {
  index_t n, length;
  std::vector<std::vector<T>> a;
  std::vector<T> b, before;

  index_t rows() const { return length ? n / length : 1; }
};
template <class T, int Order, class Factor, class Term>
problem<T, Order> make_problem(index_t n, index_t length, Factor factor, Term term) {
  problem<T, Order> p{n, length, {}, generate(n, term, 11), {}};
  for (int k = 0; k < Order; k++) p.a.push_back(generate(n, factor, 12 + static_cast<std::uint64_t>(k)));
  p.before = generate(p.rows() * Order, term, 14);
  return p;
}
template <class T>
T any_integer(generator& random) {
  return static_cast<T>(random());
}
//! What is compared with, and the type whose rounding counts.
template <class T>
struct wide {
  using type = long double;
  using real = T;
};
template <class R>
struct wide<std::complex<R>> {
  using type = std::complex<long double>;
  using real = R;
};

//! Random numbers between −1 and 1; complex ones within the unit circle.
template <class T>
T signed_unit(generator& random) {
  return static_cast<T>(2 * random.unit() - 1);
}
template <>
inline std::complex<float> signed_unit(generator& random) {
  return std::polar(static_cast<float>(random.unit()), static_cast<float>(6.3 * random.unit()));
}
template <>
inline std::complex<double> signed_unit(generator& random) {
  return std::polar(random.unit(), 6.3 * random.unit());
}
template <class T, int Order>
problem<T, Order> decaying(index_t n, index_t length) {
  const T bound(static_cast<typename wide<T>::real>(Order == 1 ? 0.97 : 0.49));
  return make_problem<T, Order>(
      n, length, [=](generator& random) { return signed_unit<T>(random) * bound; }, signed_unit<T>);
}

//! The ranges of a problem in an executor's memory.
template <class T, int Order>
struct placed {
  std::vector<guarded<T>> a;
  guarded<T> b, before, x;

  template <class Executor>
  placed(Executor& executor, const problem<T, Order>& p)
      : b(executor, p.b, shift_of(p.n, 1)),
        before(executor, p.before, shift_of(p.n, 3)),
        x(executor, p.n, shift_of(p.n, 2)) {
    for (int k = 0; k < Order; k++) a.emplace_back(executor, p.a[oracle::at(k)], shift_of(p.n, 4 + k));
  }
  template <class Executor, class Before, class Along>
  void recur(Executor& executor, std::span<T> to, const Before& x_before, const Along& along) {
    if constexpr (Order == 1) upsweep::linear_recurrence(executor, a[0].range(), b.range(), to, x_before, along);
    else
      upsweep::linear_recurrence(executor, upsweep::coefficients(a[0].range(), a[1].range()), b.range(), to, x_before,
                                 along);
  }
};
}  // namespace test::recurrences

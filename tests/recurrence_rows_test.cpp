// Rows of a recurrence stand alone: what is spoiled in one of them, or before it, comes into no other.
#include <complex>
#include <cstdint>
#include <limits>
#include <vector>

#include "recurrence_support.hpp"

using test::recurrences::decaying;
using test::recurrences::placed;
using test::recurrences::wide;
using upsweep::index_t;

namespace {
template <class T>
bool any_nan(const T& x) {
  return x != x;
}

//! Spoils an item in every third row; all that does not follow it in its row must stay as it was, to the bit.
template <class T, int Order, class Spoil>
void check_contained(index_t length, const Spoil& spoil) {
  const index_t rows = 60'000 / length + 4;
  const auto p = decaying<T, Order>(rows * length, length);
  auto spoiled = p;
  for (index_t row = 0; row < rows; row += 3) spoil(spoiled, row, row * length + row % length);
  test::on_executors(p.n, [&](auto& executor) {
    placed<T, Order> clean(executor, p), bad(executor, spoiled);
    clean.recur(executor, clean.x.range(), clean.before.range(), upsweep::rows(length));
    bad.recur(executor, bad.x.range(), bad.before.range(), upsweep::rows(length));
    const auto expected = clean.x.items(executor);
    auto actual = bad.x.items(executor);
    index_t lost = 0;
    for (index_t row = 0; row < rows; row += 3)
      for (index_t i = row * length + row % length; i < (row + 1) * length; i++) {
        lost += !any_nan(actual[oracle::at(i)]);
        actual[oracle::at(i)] = expected[oracle::at(i)];
      }
    CHECK(lost == 0);  // and what follows it is NaN
    test::check_same_bits(actual, expected);
  });
}
template <class T, int Order>
void check_spoiled() {
  using real = typename wide<T>::real;
  const T nan(std::numeric_limits<real>::quiet_NaN()), infinite(std::numeric_limits<real>::infinity());
  for (const index_t length : {index_t{1}, index_t{3}, index_t{100}, index_t{4097}}) {
    INFO("order " << Order << ", rows of " << length << " of " << sizeof(T) << " bytes");
    check_contained<T, Order>(length, [&](auto& p, index_t, index_t i) { p.b[oracle::at(i)] = nan; });
    check_contained<T, Order>(length, [&](auto& p, index_t, index_t i) { p.a[Order - 1][oracle::at(i)] = nan; });
    check_contained<T, Order>(length, [&](auto& p, index_t, index_t i) {  // inf − inf, and then 0·NaN
      p.a[0][oracle::at(i)] = infinite;
      p.b[oracle::at(i)] = nan;
      if ((i + 1) % length != 0) p.a[0][oracle::at(i + 1)] = T{};
    });
    check_contained<T, Order>(length, [&](auto& p, index_t, index_t i) {  // the NaN that marks constant maps
      p.a[0][oracle::at(i)] = T(upsweep::detail::constant_factor<real>::mark());
    });
  }
  // What stands before a row spoils that row alone.
  const index_t length = 5, rows = 999;
  auto p = decaying<T, Order>(length * rows, length);
  for (index_t row = 0; row < rows; row += 2) p.before[oracle::at(row * Order)] = nan;
  test::on_executors(p.n, [&](auto& executor) {
    placed<T, Order> m(executor, p);
    m.recur(executor, m.x.range(), m.before.range(), upsweep::rows(length));
    const auto x = m.x.items(executor);
    index_t wrong = 0;
    for (index_t i = 0; i < p.n; i++) wrong += any_nan(x[oracle::at(i)]) != (i / length % 2 == 0);
    CHECK(wrong == 0);
  });
}
}  // namespace

TEST_CASE("nothing of a row comes into another, nor backwards") {
  check_spoiled<float, 1>();
  check_spoiled<double, 1>();
  check_spoiled<float, 2>();
  check_spoiled<double, 2>();
}
TEST_CASE("nothing of a complex row comes into another, nor backwards") {
  check_spoiled<std::complex<float>, 1>();
  check_spoiled<std::complex<double>, 1>();
}

namespace {
//! A byte's lane holds many items, in which many rows begin.
template <int Order, class Along>
void check_bytes(index_t n, index_t length, const Along& along) {
  const auto p = test::recurrences::make_problem<std::uint8_t, Order>(
      n, length, test::recurrences::any_integer<std::uint8_t>, test::recurrences::any_integer<std::uint8_t>);
  std::vector<std::uint8_t> expected;
  for (const std::uint32_t x : oracle::linear_recurrence<std::uint32_t>(p.a, p.b, p.before, length, Along::reversed))
    expected.push_back(static_cast<std::uint8_t>(x));
  test::on_executors(n, [&](auto& executor) {
    placed<std::uint8_t, Order> m(executor, p);
    m.recur(executor, m.x.range(), m.before.range(), along);
    test::check_equal(m.x.items(executor), expected);
  });
}
}  // namespace

TEST_CASE("rows of bytes equal the serial loop, mod 2^8") {
  for (const index_t n : test::detail::limited({420, 70'140, 13'000'260}, 3))
    for (const index_t length : {1, 2, 15, 210}) {
      INFO(n << " items in rows of " << length);
      check_bytes<1>(n, length, upsweep::rows(length));
      check_bytes<1>(n, length, upsweep::reversed_rows(length));
      check_bytes<2>(n, length, upsweep::rows(length));
    }
}

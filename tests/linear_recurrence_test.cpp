// Recurrences with coefficients that vary: to the bit mod 2^32, against long doubles otherwise.
#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include "recurrence_support.hpp"

using test::check_equal;
using test::guarded;
using test::shift_of;
using test::recurrences::any_integer;
using test::recurrences::decaying;
using test::recurrences::make_problem;
using test::recurrences::placed;
using test::recurrences::problem;
using test::recurrences::wide;
using upsweep::index_t;

namespace {
constexpr index_t row_lengths[] = {1, 2, 100, 1000, 4097};

template <class T, int Order>
auto first_before(const problem<T, Order>& p) {
  if constexpr (Order == 1) return p.before[0];
  else return std::array<T, 2>{p.before[0], p.before[1]};
}

// Multiples of each length of rows near the sizes.
template <class F>
void for_each_shape(const std::vector<index_t>& sizes, const F& f) {
  for (const index_t length : row_lengths)
    for (const index_t n : sizes)
      if (n >= length || n == 0) f(n / length * length, length);
}

// ---------------------------------------------------------------- mod 2^32
//! `same`: one value before all rows; otherwise a range.
template <int Order, bool Same, class Along>
void check_exact(index_t n, index_t length, const Along& along) {
  using T = std::uint32_t;
  INFO("order " << Order << ", rows of " << length << (Along::reversed ? ", reversed" : ""));
  auto p = make_problem<T, Order>(n, length, any_integer<T>, any_integer<T>);
  if (Same) p.before.resize(Order);
  const auto expected = oracle::linear_recurrence<T>(p.a, p.b, p.before, length ? length : n, Along::reversed);
  test::on_executors(n, [&](auto& executor) {
    placed<T, Order> m(executor, p);
    const auto recur = [&](std::span<T> to) {
      if constexpr (Same) m.recur(executor, to, first_before(p), along);
      else m.recur(executor, to, m.before.range(), along);
    };
    recur(m.x.range());
    check_equal(m.x.items(executor), expected);
    recur(m.b.range());
    check_equal(m.b.items(executor), expected);
    for (int k = 0; k < Order; k++) check_equal(m.a[oracle::at(k)].items(executor), p.a[oracle::at(k)]);
  });
}
template <int Order>
void check_exact_rows() {
  for_each_shape(test::few_sizes(4 + 4 * Order), [](index_t n, index_t length) {
    check_exact<Order, false>(n, length, upsweep::rows(length));
    check_exact<Order, false>(n, length, upsweep::reversed_rows(length));
    if (n > 0) check_exact<Order, true>(n, length, upsweep::rows(length));
  });
}
template <int Order>
void check_exact_row() {
  for (const index_t n : test::few_sizes(4 + 4 * Order)) {
    check_exact<Order, true>(n, 0, upsweep::forward);
    check_exact<Order, true>(n, 0, upsweep::reversed);
    check_exact<Order, false>(n, 0, upsweep::forward);
  }
  for (const index_t n : test::sizes(4 + 4 * Order)) {
    if (n == 0) continue;
    check_exact<Order, false>(n, n, upsweep::rows(n));
  }
}

// ---------------------------------------------------------------- against long doubles
//! Within rounding of what long doubles give: some roundings of the magnitudes that a result is made of.
template <class T, int Order>
void check_close(const problem<T, Order>& p, const std::vector<T>& x, bool reversed) {
  using real = typename wide<T>::real;
  const index_t length = p.length ? p.length : p.n;
  const auto expected = oracle::linear_recurrence<typename wide<T>::type>(p.a, p.b, p.before, length, reversed);
  const auto magnitudes = [](std::vector<T> items) {
    for (T& item : items) item = static_cast<T>(std::abs(item));
    return items;
  };
  std::vector<std::vector<T>> a;
  for (const auto& items : p.a) a.push_back(magnitudes(items));
  const auto magnitude =
      oracle::linear_recurrence<typename wide<T>::type>(a, magnitudes(p.b), magnitudes(p.before), length, reversed);
  const long double rounding = std::numeric_limits<real>::epsilon();
  long double worst = 0;
  for (std::size_t i = 0; i < x.size(); i++) {
    const long double error = std::abs(static_cast<typename wide<T>::type>(x[i]) - expected[i]);
    worst = std::max(worst, error == error ? error / (std::abs(magnitude[i]) + 1) : 1 / rounding);
  }
  CHECK(worst < 40 * rounding);
}
template <class T, int Order, class Along>
void check_numbers(index_t n, index_t length, const Along& along) {
  INFO("order " << Order << ", rows of " << length << (Along::reversed ? ", reversed" : ""));
  const auto p = decaying<T, Order>(n, length);
  std::vector<T> on_host;
  test::on_executors(n, [&](auto& executor) {
    placed<T, Order> m(executor, p);
    const auto recur = [&](std::span<T> to) {
      if (length) m.recur(executor, to, m.before.range(), along);
      else m.recur(executor, to, first_before(p), along);
    };
    recur(m.x.range());
    const auto x = m.x.items(executor);
    if constexpr (std::is_same_v<decltype(executor), upsweep::host&>) {  // for all numbers of threads the same
      if (on_host.empty()) check_close(p, x, Along::reversed);
      else test::check_same_bits(x, on_host);
      on_host = x;
    } else {
      check_close(p, x, Along::reversed);
    }
    recur(m.a[0].range());
    test::check_same_bits(m.a[0].items(executor), x);
  });
}
template <class T, int Order>
void check_all_numbers() {
  const auto sizes = test::few_sizes(static_cast<index_t>(sizeof(T)) * (Order + 1));
  for_each_shape(sizes, [](index_t n, index_t length) {
    check_numbers<T, Order>(n, length, upsweep::rows(length));
    if (length == 100) check_numbers<T, Order>(n, length, upsweep::reversed_rows(length));
  });
  for (const index_t n : sizes)
    if (n > 0) check_numbers<T, Order>(n, n, upsweep::rows(n));
}
template <class T, int Order>
void check_one_row() {
  for (const index_t n : test::few_sizes(static_cast<index_t>(sizeof(T)) * (Order + 1)))
    check_numbers<T, Order>(n, 0, upsweep::forward);
}
}  // namespace

TEST_CASE("linear_recurrence follows the trace: 1, 3, 8") {
  test::on_executors([](auto& executor) {
    guarded<float> a(executor, {2, 3, 1}), b(executor, {1, 0, 5}), x(executor, 3);
    upsweep::linear_recurrence(executor, a.range(), b.range(), x.range());
    check_equal(x.items(executor), {1, 3, 8});
    upsweep::linear_recurrence(executor, a.range(), b.range(), x.range(), 10.f);
    check_equal(x.items(executor), {21, 63, 68});
  });
}

TEST_CASE("linear_recurrence equals the serial loop, mod 2^32, also in place") {
  for (const index_t n : test::few_sizes(8)) {
    const auto a = test::random_integers<std::uint32_t>(n, 0, 1), b = test::random_integers<std::uint32_t>(n, 0, 2);
    const auto expected = oracle::linear_recurrence(a, b, 12345u);
    test::on_executors(n, [&](auto& executor) {
      guarded<std::uint32_t> as(executor, a, shift_of(n)), bs(executor, b, shift_of(n, 1)),
          x(executor, n, shift_of(n, 2));
      upsweep::linear_recurrence(executor, as.range(), bs.range(), x.range(), 12345u);
      check_equal(x.items(executor), expected);
      upsweep::linear_recurrence(executor, as.range(), bs.range(), bs.range(), 12345u);
      check_equal(bs.items(executor), expected);
      check_equal(as.items(executor), a);
    });
  }
}

TEST_CASE("rows of order 1 equal the serial loop, mod 2^32") { check_exact_rows<1>(); }
TEST_CASE("rows of order 2 equal the serial loop, mod 2^32") { check_exact_rows<2>(); }
TEST_CASE("one row of order 1 equals the serial loop, mod 2^32") { check_exact_row<1>(); }
TEST_CASE("one row of order 2 equals the serial loop, mod 2^32") { check_exact_row<2>(); }

TEST_CASE("recurrences of floats") {
  check_all_numbers<float, 1>();
  check_one_row<float, 1>();
}
TEST_CASE("recurrences of doubles") { check_all_numbers<double, 1>(); }
TEST_CASE("recurrences of complex floats") {
  check_all_numbers<std::complex<float>, 1>();
  check_one_row<std::complex<float>, 1>();
}
TEST_CASE("recurrences of complex doubles") {
  check_all_numbers<std::complex<double>, 1>();
  check_one_row<std::complex<double>, 1>();
}
TEST_CASE("recurrences of order 2 of floats") {
  check_all_numbers<float, 2>();
  check_one_row<float, 2>();
}
TEST_CASE("recurrences of order 2 of doubles") { check_all_numbers<double, 2>(); }

#if UPSWEEP_X86_VERSIONS
TEST_CASE("recurrences are the same bits with vectors of any width") {
  int& widest = upsweep::detail::widest_vectors();
  const int before = widest;
  const auto compare = [&](const auto& p) {
    upsweep::host executor(2);
    auto m = placed(executor, p);
    std::vector<typename decltype(p.b)::value_type> first;
    for (const int bytes : {16, 32, 64}) {
      if (bytes > before) continue;
      widest = bytes;
      m.recur(executor, m.x.range(), m.before.range(), upsweep::rows(p.length));
      const auto x = m.x.items(executor);
      if (!first.empty()) test::check_same_bits(x, first);
      first = x;
    }
    widest = before;
  };
  compare(decaying<float, 1>(200'000, 1000));
  compare(decaying<std::complex<float>, 1>(200'000, 1000));
  compare(decaying<float, 2>(200'000, 1000));
  compare(decaying<double, 2>(200'000, 1000));
}
#endif

// The last chunks are walked along otherwise than those in front of them.
TEST_CASE("fewer items give the front of a longer recurrence, to the bit") {
  const auto compare = [](const auto& whole) {
    upsweep::host executor(1);
    const auto recur = [&](auto p, index_t n) {
      p.n = n;
      for (auto& a : p.a) a.resize(oracle::at(n));
      p.b.resize(oracle::at(n));
      auto m = placed(executor, p);
      m.recur(executor, m.x.range(), first_before(p), upsweep::forward);
      return m.x.items(executor);
    };
    const auto all = recur(whole, whole.n);
    for (const index_t n : {1, 127, 128, 129, 300, 511, 512, 513, 640, 1000, 1023, 1025, 1500, 2047, 2049})
      test::check_same_bits(recur(whole, n), {all.begin(), all.begin() + n});
  };
  compare(decaying<float, 1>(3000, 0));
  compare(decaying<double, 2>(3000, 0));
}

TEST_CASE("Fibonacci's numbers, forwards and backwards") {
  test::on_executors([](auto& executor) {
    const std::vector<std::uint64_t> ones(90, 1), zeros(90, 0);
    guarded<std::uint64_t> a1(executor, ones), a2(executor, ones), b(executor, zeros), x(executor, 90);
    const auto a = upsweep::coefficients(a1.range(), a2.range());
    upsweep::linear_recurrence(executor, a, b.range(), x.range(), {1, 0});
    CHECK(x.items(executor)[89] == 2880067194370816120u);  // x[-2] = 1, x[-1] = 0, x[0] = 1: F(90)
    upsweep::linear_recurrence(executor, a, b.range(), x.range(), {0, 1}, upsweep::reversed);
    CHECK(x.items(executor)[0] == 2880067194370816120u);
    upsweep::linear_recurrence(executor, a, b.range(), x.range(), {1, 0}, upsweep::rows(10));
    CHECK(x.items(executor)[9] == 55);
    CHECK(x.items(executor)[89] == 55);
  });
}

TEST_CASE("a recurrence goes on from the last values of a piece, where the executor works") {
  const index_t n = 9000, half = 4321;
  const auto p = make_problem<std::uint32_t, 2>(n, 0, any_integer<std::uint32_t>, any_integer<std::uint32_t>);
  const auto expected = oracle::linear_recurrence<std::uint32_t>(p.a, p.b, {0, 0}, n);
  test::on_executors(n, [&](auto& executor) {
    placed<std::uint32_t, 2> m(executor, p);
    const auto from = [&](guarded<std::uint32_t>& range) { return range.range().subspan(half); };
    upsweep::linear_recurrence(executor, upsweep::coefficients(m.a[0].first(half), m.a[1].first(half)), m.b.first(half),
                               m.x.first(half));
    upsweep::linear_recurrence(executor, upsweep::coefficients(from(m.a[0]), from(m.a[1])), from(m.b), from(m.x),
                               m.x.range().subspan(half - 2, 2));
    check_equal(m.x.items(executor), expected);
  });
}

TEST_CASE("coefficients of other types are converted") {
  test::on_hosts([](auto& executor) {
    const std::vector<float> a = {0.5f, 2, -1};
    const std::vector<std::complex<float>> b = {{1, 1}, {0, 1}, {2, 0}};
    std::vector<std::complex<double>> x(3);
    upsweep::linear_recurrence(executor, a, b, x, 2.0);
    CHECK(x == std::vector<std::complex<double>>{{2, 1}, {4, 3}, {-2, -3}});
    upsweep::linear_recurrence(executor, a, b, x, std::vector<float>{2, 0, 0}, upsweep::rows(1));
    CHECK(x == std::vector<std::complex<double>>{{2, 1}, {0, 1}, {2, 0}});
  });
}

TEST_CASE("an executor that is chosen at run time takes recurrences") {
  upsweep::any_executor executor = upsweep::host(2);
  std::vector<float> a = {1, 1, 1, 1}, b = {1, 2, 3, 4}, x(4);
  upsweep::linear_recurrence(executor, a, b, x, std::vector<float>{10, 20}, upsweep::rows(2));
  CHECK(x == std::vector<float>{11, 13, 23, 27});
  upsweep::linear_recurrence(executor, upsweep::coefficients(a, a), b, x, {1, 1}, upsweep::rows(2));
  CHECK(x == std::vector<float>{3, 6, 5, 10});
}

TEST_CASE("recurrences name what is wrong, and write nothing") {
  constexpr index_t n = 100;
  using floats = std::vector<float>;
  upsweep::host executor(3);
  const floats a(n, 0.5f), b(n, 1), five(5, 1);
  floats x(n, -7);
  const auto refuses = [&](const std::string& start, const std::string& part, const auto& call) {
    test::check_refused(call, start, part);
    CHECK(x == floats(n, -7));
  };
  const std::span<const float> as(a), bs(b), null(static_cast<const float*>(nullptr), 5);
  const std::span<float> xs(x);
  const auto order_1 = [&](auto... rest) { return [=, &executor] { upsweep::linear_recurrence(executor, rest...); }; };
  const auto order_2 = [&](auto a1, auto a2, auto... rest) {
    return [=, &executor] { upsweep::linear_recurrence(executor, upsweep::coefficients(a1, a2), rest...); };
  };
  const auto rows = [](index_t length) { return upsweep::rows(length); };
  refuses("a ", "99 items, b has 100", order_1(as.first(99), bs, xs, 0.f, rows(10)));
  refuses("a ", "99 items, b has 100", order_1(as.first(99), bs, xs, std::span(five).first(1)));
  refuses("a1 ", "99 items, b has 100", order_2(as.first(99), as, bs, xs));
  refuses("a2 ", "99 items, b has 100", order_2(as, as.first(99), bs, xs));
  refuses("a1 ", "100 items, b has 99", order_2(as, as, bs.first(99), xs, std::span(five).first(2)));
  refuses("x ", "99 items, needs 100", order_1(as, bs, xs.first(99), 0.f, rows(10)));
  refuses("x ", "99 items, needs 100", order_2(as, as, bs, xs.first(99)));
  refuses("rows: length", "0, must be positive", order_1(as, bs, xs, 0.f, rows(0)));
  refuses("rows: length", "-1, must be positive", order_2(as, as, bs, xs, std::array<float, 2>{}, rows(-1)));
  refuses("rows: a ", "no multiple of the length 7", order_1(as, bs, xs, 0.f, upsweep::reversed_rows(7)));
  refuses("rows: a ", "no multiple of the length 7", order_2(as, as, bs, xs, std::array<float, 2>{}, rows(7)));
  refuses("x_before ", "5 items, needs 10: one a row", order_1(as, bs, xs, std::span(five), rows(10)));
  refuses("x_before ", "5 items, needs 1: one a row", order_1(as, bs, xs, std::span(five)));
  refuses("x_before ", "5 items, needs 2: two a row", order_2(as, as, bs, xs, std::span(five)));
  refuses("x_before ", "5 items, needs 20: two a row", order_2(as, as, bs, xs, std::span(five), rows(10)));
  refuses("x_before ", "null", order_1(as, bs, xs, null, rows(20)));
  refuses("x ", "overlaps x_before", order_1(as, bs, xs, xs.first(5), rows(20)));
  refuses("x ", "overlaps x_before", order_2(as, as, bs, xs, xs.subspan(90), rows(20)));
  refuses("x ", "overlaps b", order_1(as.first(90), std::span<const float>(x).first(90), xs.subspan(1), 0.f, rows(9)));
  refuses("x ", "overlaps a2", order_2(as.first(90), std::span<const float>(x).first(90), bs.first(90), xs.subspan(1)));
  upsweep::linear_recurrence(executor, as.first(0), bs.first(0), xs, null.first(0), rows(10));  // no rows
  CHECK(x == floats(n, -7));
}

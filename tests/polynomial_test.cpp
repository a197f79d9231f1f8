// Polynomials against Horner's rule in long double: within the error that is promised, of any degree, at any point.
#include <cmath>
#include <limits>
#include <stdexcept>
#include <vector>

#include <upsweep/polynomial.hpp>

#include "../oracles/polynomials.hpp"
#include "support.hpp"

using test::check_same_bits;
using test::guarded;
using test::message_of;
using test::shift_of;
using upsweep::index_t;

namespace {
struct expectation {
  long double value = 0, allowed = 0;
  bool holds(long double actual) const { return std::fabs(actual - value) <= allowed; }
};
// The value, and 2n·ε·Σ|c[i]·x^i|. (A long double has an exponent for what overflows a double.)
template <class T>
expectation horner(const T* c, index_t n, T x) {
  const auto y = oracle::horner<T>({c, static_cast<std::size_t>(n)}, x);
  const long double error = std::numeric_limits<T>::epsilon() / 2 * (1 + 1e-3L);
  return {y.value, 2 * static_cast<long double>(n) * error * y.magnitude};
}
template <class T>
std::vector<T> random_coefficients(index_t n) {
  return test::generate(n, [](test::generator& random) { return static_cast<T>(2 * random.unit() - 1); });
}

template <class T>
void check_values(const std::vector<index_t>& sizes) {
  for (const index_t n : sizes) {
    const auto c = random_coefficients<T>(n);
    const T near_one = n == 0 ? T{1} : T{1} - T{1} / static_cast<T>(n);
    for (const T x : {T{0}, T{1}, T{-1}, T(0.5), near_one, -near_one, T(1e-30)}) {
      const expectation expected = horner(c.data(), n, x);
      T first = 0;
      test::on_executors(n, [&](auto& executor) {
        guarded<T> from(executor, c, shift_of(n)), value(executor, 1);
        const T y = upsweep::polynomial(executor, from.range(), x);
        CHECK(expected.holds(y));
        upsweep::polynomial(executor, from.range(), x, value.data());
        check_same_bits(value.items(executor), {y});
        if (first == 0) first = y;
#if !UPSWEEP_HAS_CUDA
        check_same_bits<T>({y}, {first});  // for any number of threads
#endif
      });
    }
  }
}
}  // namespace

TEST_CASE("a polynomial has the value of Horner's rule") {
  check_values<double>(test::sizes(8));
  check_values<float>(test::few_sizes());
}

TEST_CASE("powers that leave the numbers do no harm where the value stays") {
  for (const index_t n : {3, 17, 40, 2000, 100'003}) {
    for (const double x : {1e30, -1e30, 1e150, 1e-150, 2.0}) {
      std::vector<double> c(static_cast<std::size_t>(n));  // only the first three are not zero
      c[0] = 3;
      c[1] = -2 / x;
      c[2] = 0.5 / x / x;
      test::on_executors(n, [&](auto& executor) {
        guarded<double> from(executor, c);
        CHECK(std::fabs(upsweep::polynomial(executor, from.range(), x) - 1.5) < 1e-12);
      });
    }
  }
  // Coefficients that fall as the powers rise: every term is 1.
  std::vector<double> c;
  for (int i = 0; i < 1000; i++) c.push_back(std::ldexp(1.0, -i));
  test::on_executors([&](auto& executor) {
    guarded<double> from(executor, c);
    CHECK(upsweep::polynomial(executor, from.range(), 2.0) == 1000);
  });
}

TEST_CASE("one polynomial at many points") {
  for (const index_t points : {0, 1, 31, 257, 1000}) {
    for (const index_t n : {0, 1, 2, 77, 1025}) {
      const auto c = random_coefficients<double>(n), x = random_coefficients<double>(points);
      test::on_executors([&](auto& executor) {
        guarded<double> coefficients(executor, c), at(executor, x, shift_of(points)), y(executor, points);
        upsweep::polynomial(executor, coefficients.range(), at.range(), y.range());
        upsweep::polynomial(executor, coefficients.range(), at.range(), at.range());
        const auto values = y.items(executor);
        check_same_bits(at.items(executor), values);
        for (std::size_t k = 0; k < values.size(); k++) CHECK(horner(c.data(), n, x[k]).holds(values[k]));
      });
    }
  }
}

TEST_CASE("many polynomials at one point") {
  for (const index_t length : {1, 2, 33, 1000, 40'000}) {
    for (const index_t numbers : {0, 1, 2, 45}) {
      const auto c = random_coefficients<double>(length * numbers);
      test::on_executors(length * numbers, [&](auto& executor) {
        guarded<double> coefficients(executor, c), y(executor, numbers, shift_of(numbers));
        upsweep::polynomial(executor, coefficients.range(), -0.999, y.range(), upsweep::rows(length));
        const auto values = y.items(executor);
        for (index_t k = 0; k < numbers; k++)
          CHECK(horner(c.data() + k * length, length, -0.999).holds(values[static_cast<std::size_t>(k)]));
      });
    }
  }
}

TEST_CASE("wrong polynomials are refused before anything is written") {
  test::on_executors([](auto& executor) {
    guarded<float> c(executor, std::vector<float>(6, 1)), y(executor, 2);
    const auto refused = [](const auto& call) { return message_of<std::invalid_argument>(call); };
    CHECK(refused([&] { upsweep::polynomial(executor, c.range(), 1, y.range(), upsweep::rows(4)); }) ==
          "rows: coefficients has 6 items, which is no multiple of the length 4");
    CHECK(refused([&] { upsweep::polynomial(executor, c.range(), 1, y.range(), upsweep::rows(2)); }) ==
          "values has 2 items, needs 3");
    CHECK(refused([&] { upsweep::polynomial(executor, c.range(), c.first(3), y.range()); }) ==
          "values has 2 items, needs 3");
    CHECK(refused([&] { upsweep::polynomial(executor, c.range(), y.range(), c.range()); }) ==
          "values overlaps coefficients: it must be a disjoint range");
    CHECK(refused([&] { upsweep::polynomial(executor, c.range(), 1, static_cast<float*>(nullptr)); }) ==
          "value is a null pointer");
    CHECK(y.untouched_from(executor));
  });
}

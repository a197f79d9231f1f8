// log_sum_exp and mean_and_variance against two passes in long double, on numbers that break the simple formulas.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include <upsweep/reduce.hpp>
#include <upsweep/statistics.hpp>

#include "support.hpp"

using test::guarded;
using test::shift_of;
using upsweep::index_t;
using upsweep::log_sum_exp;
using upsweep::mean_and_variance;

namespace {
template <class T>
long double log_sum(const T* first, const T* last) {
  long double largest = -std::numeric_limits<long double>::infinity(), sum = 0;
  for (const T* x = first; x != last; x++) largest = std::max<long double>(largest, *x);
  for (const T* x = first; x != last; x++) sum += std::exp(*x - largest);
  return largest + std::log(sum);
}
struct two_passes {
  long double mean = 0, variance = 0;
};
template <class T>
two_passes moments_of(const T* first, const T* last) {
  const auto n = static_cast<long double>(last - first);
  two_passes r;
  for (const T* x = first; x != last; x++) r.mean += *x / n;
  for (const T* x = first; x != last; x++) r.variance += (*x - r.mean) * (*x - r.mean) / n;
  return r;
}
template <class T>
std::vector<T> around(index_t n, T middle, T width) {
  return test::generate(n, [=](test::generator& random) { return middle + width * static_cast<T>(random.unit()); });
}

template <class T>
void check_log_sums() {
  constexpr T epsilon = std::numeric_limits<T>::epsilon();
  for (const index_t n : test::few_sizes(sizeof(T))) {
    for (const T middle : {T{0}, T{5000}, T{-5000}}) {  // exp() of these overflows, and underflows
      const auto in = around<T>(n, middle, 30);
      const auto expected = log_sum(in.data(), in.data() + n);
      test::on_executors(n, [&](auto& executor) {
        guarded<T> from(executor, in, shift_of(n));
        const auto sum = upsweep::reduce(executor, from.range(), log_sum_exp<T>{});
        if (n == 0) {
          CHECK(static_cast<T>(sum) == -std::numeric_limits<T>::infinity());
          return;
        }
        const T allowed = epsilon * (std::fabs(middle) + 30) + 200 * epsilon;
        CHECK(std::fabs(static_cast<T>(sum) - expected) <= allowed);
        CHECK(std::fabs(sum.softmax(in[0]) / std::exp(in[0] - expected) - 1) <= 200 * allowed);
      });
    }
  }
}
template <class T>
void check_moments() {
  constexpr T epsilon = std::numeric_limits<T>::epsilon();
  for (const index_t n : test::few_sizes(sizeof(T))) {
    const T middle = 10000;  // its square leaves a float nothing of the variance
    const auto in = around<T>(n, middle, 1);
    test::on_executors(n, [&](auto& executor) {
      guarded<T> from(executor, in, shift_of(n));
      const auto m = upsweep::reduce(executor, from.range(), mean_and_variance<T>{});
      CHECK(m.count == n);
      if (n == 0) return;
      const two_passes expected = moments_of(in.data(), in.data() + n);
      CHECK(std::fabs(m.mean - expected.mean) <= 50 * epsilon * middle);
      CHECK(std::fabs(m.variance() - expected.variance) <=
            500 * epsilon * middle * (T{0.01} + std::sqrt(m.variance())));
      if (n > 1) CHECK(std::fabs(m.sample_variance() * static_cast<T>(n - 1) - m.squares) <= 4 * epsilon * m.squares);
    });
  }
}
}  // namespace

TEST_CASE("sums of exponentials that overflow have a logarithm") {
  check_log_sums<float>();
  check_log_sums<double>();
}

TEST_CASE("softmax by rows adds up to one in each") {
  constexpr index_t length = 300, rows = 50;
  const auto in = around<float>(length * rows, 700, 100);
  std::vector<std::int64_t> starts;
  for (index_t row = 0; row <= rows; row++) starts.push_back(row * length);
  test::on_executors([&](auto& executor) {
    guarded<float> from(executor, in);
    guarded<std::int64_t> offsets(executor, starts);
    guarded<log_sum_exp<float>::value_type> sums(executor, rows);
    upsweep::segmented_reduce(executor, from.range(), offsets.range(), sums.range(), log_sum_exp<float>{});
    const auto of_row = sums.items(executor);
    for (std::size_t row = 0; row < rows; row++) {
      double sum = 0;
      for (std::size_t k = 0; k < length; k++) sum += of_row[row].softmax(in[row * length + k]);
      // An exponential within 2 ulp, a product and a sum for each step of a fold, and once more.
      CHECK(std::fabs(sum - 1) <= 3 * std::numeric_limits<float>::epsilon() * (length + 1));
    }
  });
}

TEST_CASE("logarithms of sums know infinities and NaN") {
  constexpr float infinity = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();
  const log_sum_exp<float> join;
  CHECK(static_cast<float>(join(-infinity, -infinity)) == -infinity);
  CHECK(static_cast<float>(join(-infinity, 2)) == 2);
  CHECK(static_cast<float>(join(2, -infinity)) == 2);
  CHECK(static_cast<float>(join(join(infinity, 2), infinity)) == infinity);
  CHECK(std::isnan(static_cast<float>(join(nan, 2))));
  CHECK(std::isnan(static_cast<float>(join(2, nan))));
  CHECK(static_cast<float>(join(join.identity(), 2)) == 2);
}

TEST_CASE("means and variances are merged without loss") {
  check_moments<float>();
  check_moments<double>();
}

TEST_CASE("running means and variances are those of every prefix") {
  const auto in = around<double>(3000, 1e6, 1);
  test::on_executors([&](auto& executor) {
    guarded<double> from(executor, in);
    guarded<mean_and_variance<double>::value_type> out(executor, 3000);
    upsweep::inclusive_scan(executor, from.range(), out.range(), mean_and_variance<double>{});
    const auto running = out.items(executor);
    for (const std::size_t i : {0u, 1u, 2u, 100u, 2999u}) {
      const two_passes expected = moments_of(in.data(), in.data() + i + 1);
      CHECK(running[i].count == static_cast<index_t>(i + 1));
      CHECK(std::fabs(running[i].mean - expected.mean) < 1e-9);
      CHECK(std::fabs(running[i].variance() - expected.variance) < 1e-9);
    }
    CHECK(std::isnan(running[0].sample_variance()));
  });
}

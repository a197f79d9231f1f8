// compensated_plus and reproducible_plus: how exact they are, and that no order changes the second.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include <upsweep/compensated_plus.hpp>
#include <upsweep/reduce.hpp>
#include <upsweep/reproducible_plus.hpp>

#include "oracle.hpp"
#include "support.hpp"

using test::check_same_bits;
using test::guarded;
using test::shift_of;
using upsweep::compensated_plus;
using upsweep::index_t;
using upsweep::reproducible_plus;

namespace {
// Exact sums: numbers without overlap whose sum is that of all numbers given (Shewchuk 1997).
class exact_sum {
 public:
  void add(double x) {
    std::size_t kept = 0;
    for (double y : parts_) {
      if (std::fabs(x) < std::fabs(y)) std::swap(x, y);
      const double high = x + y, low = y - (high - x);
      if (low != 0) parts_[kept++] = low;
      x = high;
    }
    parts_.resize(kept);
    parts_.push_back(x);
  }
  //! With eleven bits more than a double.
  long double value() const {
    long double sum = 0;
    for (const double part : parts_) sum += part;
    return sum;
  }

 private:
  std::vector<double> parts_;
};

struct reference {
  long double sum = 0, magnitude = 0;  // Σ x and Σ |x|
  double largest = 0;
};
template <class T>
reference refer_to(const std::vector<T>& in) {
  exact_sum sum;
  reference r;
  for (const T x : in) {
    sum.add(x);
    r.magnitude += std::fabs(x);
    r.largest = std::max<double>(r.largest, std::fabs(x));
  }
  r.sum = sum.value();
  return r;
}
template <class T>
constexpr double half_ulp = std::numeric_limits<T>::epsilon() / 2;
template <class T>
std::vector<T> shuffled(std::vector<T> items, std::uint64_t stream) {
  test::generator random(stream);
  for (std::size_t i = items.size(); i > 1; i--) std::swap(items[i - 1], items[random.below(i)]);
  return items;
}

// Numbers of very different sizes that nearly cancel one another.
template <class T>
std::vector<T> ill_conditioned(index_t n) {
  std::vector<T> items = test::generate(n, [](test::generator& random) {
    const int exponent = static_cast<int>(random.below(static_cast<std::uint64_t>(sizeof(T)) * 10));
    return static_cast<T>(std::ldexp(2 * random.unit() - 1, exponent));
  });
  for (std::size_t i = 0; 2 * i + 1 < items.size(); i++) items[items.size() - 1 - i] = -items[i];
  if (n > 2) items[items.size() / 2] = static_cast<T>(1.25);
  return shuffled(items, 7);
}

template <class T>
void check_compensated() {
  for (const index_t n : test::few_sizes(sizeof(T))) {
    const auto in = ill_conditioned<T>(n);
    const reference expected = refer_to(in);
    const auto additions = static_cast<long double>(std::min<index_t>(n, 128 + n / 64));
    const long double allowed =
        half_ulp<T> * std::fabs(expected.sum) + additions * additions * half_ulp<T> * half_ulp<T> * expected.magnitude;
    test::on_executors(n, [&](auto& executor) {
      guarded<T> from(executor, in, shift_of(n)), out(executor, n);
      const T sum = upsweep::reduce(executor, from.range(), compensated_plus<T>{});
      CHECK(std::fabs(sum - expected.sum) <= allowed);
      upsweep::inclusive_scan(executor, from.range(), out.range(), compensated_plus<T>{});
      if (n > 0) CHECK(std::fabs(out.items(executor).back() - expected.sum) <= allowed);
    });
  }
}
// Numbers of whatever bits, but finite ones that do not overflow.
template <class T>
std::vector<T> finite(index_t n) {
  auto items = test::any_bits<T>(n);
  for (T& x : items) x = std::isfinite(x) ? std::ldexp(x, x > 1 || x < -1 ? -40 : 0) : T{1};
  return items;
}
template <class T>
void check_reproducible(const std::vector<T>& in) {
  const auto n = static_cast<index_t>(in.size());
  const reference expected = refer_to(in);
  T first = 0;  // folded in a third order by one loop
  typename reproducible_plus<T>::value_type folded = reproducible_plus<T>{}.identity();
  for (const T x : shuffled(in, 3)) folded = reproducible_plus<T>{}(folded, x);
  first = folded;
  const long double below = std::ldexp(static_cast<long double>(expected.largest), sizeof(T) == 4 ? -47 : -76);
  const long double smallest = std::numeric_limits<T>::denorm_min();
  const long double allowed = half_ulp<T> * std::fabs(expected.sum) * 1.001L + static_cast<long double>(n) * below +
                              smallest / 2 + std::ldexp(expected.magnitude, -63);
  CHECK(std::fabs(first - expected.sum) <= allowed);
  const auto backwards = shuffled(in, 4);
  test::on_executors(n, [&](auto& executor) {
    guarded<T> from(executor, in, shift_of(n)), other(executor, backwards);
    const T sums[] = {upsweep::reduce(executor, from.range(), reproducible_plus<T>{}),
                      upsweep::reduce(executor, other.range(), reproducible_plus<T>{})};
    check_same_bits(std::vector<T>(std::begin(sums), std::end(sums)), {first, first});
  });
}
template <class T>
void check_special_numbers() {
  constexpr T infinity = std::numeric_limits<T>::infinity(), nan = std::numeric_limits<T>::quiet_NaN(),
              large = std::numeric_limits<T>::max(), tiny = std::numeric_limits<T>::denorm_min();
  const auto sum = [](const std::vector<T>& items) {
    auto forth = reproducible_plus<T>{}.identity(), back = forth;
    for (const T x : items) {
      forth = reproducible_plus<T>{}(forth, x);
      back = reproducible_plus<T>{}(x, back);
    }
    check_same_bits<T>({forth}, {back});
    return static_cast<T>(forth);
  };
  CHECK(sum({1, infinity, -5}) == infinity);
  CHECK(sum({1, -infinity, large, large}) == -infinity);
  CHECK(std::isnan(sum({infinity, -infinity})));
  CHECK(std::isnan(sum({1, nan, infinity})));
  CHECK(sum({large, large, -large}) == large);  // which no order of a serial loop is sure to give
  CHECK(sum({large, large}) == infinity);
  CHECK(sum({-large, -large}) == -infinity);
  CHECK(sum({tiny, tiny, tiny}) == 3 * tiny);
  CHECK(sum({std::numeric_limits<T>::min(), -tiny}) == std::numeric_limits<T>::min() - tiny);
  check_same_bits<T>({sum({}), sum({-T{0}, -T{0}}), sum({T{3}, T{-3}})}, {T{0}, T{0}, T{0}});
}
// Every half between two neighbours goes to the even one, and less or more than half where it belongs.
template <class T>
void check_rounding() {
  const int bits = std::numeric_limits<T>::digits;
  for (const std::int64_t odd : {0, 1})
    for (const std::int64_t rest : {1, 2, 3})
      for (const int sign : {1, -1}) {
        const T leading = static_cast<T>((std::int64_t{1} << (bits - 1)) + odd);  // to which quarters are added
        typename reproducible_plus<T>::value_type total(static_cast<T>(sign) * leading);
        for (std::int64_t k = 0; k < rest; k++) total = reproducible_plus<T>{}(total, static_cast<T>(sign * 0.25));
        const bool up = rest == 3 || (rest == 2 && odd == 1);
        CHECK(static_cast<T>(total) == static_cast<T>(sign) * (leading + static_cast<T>(up)));
      }
}
}  // namespace

TEST_CASE("compensated sums lose one rounding") {
  check_compensated<float>();
  check_compensated<double>();
}

TEST_CASE("compensated sums of infinities and NaN are what they are") {
  constexpr float infinity = std::numeric_limits<float>::infinity();
  const compensated_plus<float> plus;
  CHECK(static_cast<float>(plus(1.0f, infinity)) == infinity);
  CHECK(static_cast<float>(plus(plus(infinity, infinity), 1.0f)) == infinity);
  CHECK(std::isnan(static_cast<float>(plus(infinity, -infinity))));
  CHECK(std::isnan(static_cast<float>(plus(std::numeric_limits<float>::quiet_NaN(), 1.0f))));
  check_same_bits<float>({plus(-0.0f, -0.0f), plus.identity()}, {-0.0f, 0.0f});
}

TEST_CASE("reproducible sums are the same in any order") {
  for (const index_t n : test::few_sizes(8)) {
    check_reproducible(ill_conditioned<float>(n));
    check_reproducible(ill_conditioned<double>(n));
    check_reproducible(finite<float>(n));
    check_reproducible(finite<double>(n));
  }
}

TEST_CASE("reproducible sums know infinities, NaN, overflow and the smallest numbers") {
  check_special_numbers<float>();
  check_special_numbers<double>();
}

TEST_CASE("reproducible sums are rounded to nearest, ties to even") {
  check_rounding<float>();
  check_rounding<double>();
  // Where nothing is left out the sum of integers is exact.
  for (const index_t n : test::few_sizes()) {
    std::int64_t exact = 0;
    auto items = test::generate(std::min<index_t>(n, 1 << 17), [&](test::generator& random) {
      const auto mantissa = static_cast<std::int64_t>(random.below(1 << 24)) - (1 << 23);
      const std::int64_t x = mantissa << random.below(20);
      exact += x;
      return static_cast<float>(x);
    });
    test::on_executors(static_cast<index_t>(items.size()), [&](auto& executor) {
      guarded<float> in(executor, items);
      CHECK(upsweep::reduce(executor, in.range(), reproducible_plus<float>{}) == static_cast<float>(exact));
    });
  }
}

TEST_CASE("reproducible scans and segments give what each stretch gives alone") {
  for (const index_t n : test::few_sizes(4)) {
    const auto in = ill_conditioned<float>(n);
    const auto expected = oracle::inclusive_scan(std::vector<upsweep::binned_sum<float>>(in.begin(), in.end()),
                                                 reproducible_plus<float>{});
    test::on_executors(n, [&](auto& executor) {
      guarded<float> from(executor, in), out(executor, n, shift_of(n));
      upsweep::inclusive_scan(executor, from.range(), out.range(), reproducible_plus<float>{});
      check_same_bits(out.items(executor), std::vector<float>(expected.begin(), expected.end()));
    });
  }
}

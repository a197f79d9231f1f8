// Comparisons as the compiled library is told of them: the interval holds the items for which the comparison is true.
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include <upsweep/library/intervals.hpp>

#include "catch.hpp"

namespace {
// A type's ends, the numbers around 0 and around others' ends, and what lies beside each.
template <class T>
std::vector<T> telling_numbers() {
  using limits = std::numeric_limits<T>;
  std::vector<T> numbers{limits::lowest(), limits::max(), T{}, T{1}, T{3}};
  if constexpr (std::is_floating_point_v<T>) {
    const T more[] = {-T{},
                      -T{1},
                      T{2.5},
                      static_cast<T>(0.1),
                      static_cast<T>(std::numeric_limits<float>::max()),
                      static_cast<T>(std::numeric_limits<float>::denorm_min()),
                      limits::denorm_min(),
                      limits::min(),
                      limits::infinity(),
                      -limits::infinity(),
                      limits::quiet_NaN()};
    numbers.insert(numbers.end(), std::begin(more), std::end(more));
    for (std::size_t k = numbers.size(); k-- > 0;) {
      numbers.push_back(std::nextafter(numbers[k], -limits::infinity()));
      numbers.push_back(std::nextafter(numbers[k], limits::infinity()));
    }
  } else {
    for (const std::int64_t x : {std::int64_t{-1}, std::int64_t{1} << 31, std::int64_t{1} << 62})
      numbers.push_back(static_cast<T>(x));
    for (std::size_t k = numbers.size(); k-- > 0;) {
      if (numbers[k] != limits::lowest()) numbers.push_back(static_cast<T>(numbers[k] - 1));
      if (numbers[k] != limits::max()) numbers.push_back(static_cast<T>(numbers[k] + 1));
    }
  }
  return numbers;
}

int judged = 0;

template <class T, class Comparison>
void check_interval(const Comparison& comparison) {
  const auto interval = upsweep::library::interval_of<T>(comparison);
  for (const T x : telling_numbers<T>()) {
    const bool is_inside = interval.lowest <= x && x <= interval.highest;
    if ((is_inside != interval.outside) != comparison(x))
      FAIL(static_cast<double>(x) << " is judged otherwise than from " << static_cast<double>(interval.lowest) << " to "
                                  << static_cast<double>(interval.highest));
    judged++;
  }
}
template <class T, class V>
void check_numbers() {
  using upsweep::equal_to, upsweep::not_equal_to, upsweep::not_nan;
  using upsweep::less_than, upsweep::less_equal, upsweep::greater_than, upsweep::greater_equal, upsweep::between;
  const std::vector<V> numbers = telling_numbers<V>();
  for (std::size_t k = 0; k < numbers.size(); k++) {
    const V v = numbers[k], a = v, b = numbers[k * 7 % numbers.size()];
#define UPSWEEP_ROW(comparison) check_interval<T>(comparison);
    UPSWEEP_LIBRARY_COMPARISONS(UPSWEEP_ROW)
#undef UPSWEEP_ROW
  }
}
template <class T>
void check_type() {
#define UPSWEEP_ROW(type, name, code) \
  if constexpr (std::is_floating_point_v<T> || std::is_integral_v<type>) check_numbers<T, type>();
  UPSWEEP_LIBRARY_TYPES(UPSWEEP_ROW)
  UPSWEEP_ROW(std::uint8_t, , ) UPSWEEP_ROW(std::int16_t, , )
#undef UPSWEEP_ROW
}
}  // namespace

TEST_CASE("an interval holds what its comparison is true of, for items and numbers of any types") {
#define UPSWEEP_ROW(type, name, code) check_type<type>();
  UPSWEEP_LIBRARY_TYPES(UPSWEEP_ROW)
#undef UPSWEEP_ROW
  CHECK(judged > 100'000);
}

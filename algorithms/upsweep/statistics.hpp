// Statistics that are merged without loss, as monoids for every call:
//   log_sum_exp<T>         log Σ exp(x), and the softmax, of numbers whose exponentials would overflow
//   mean_and_variance<T>   running means and variances
//   float log_sum = upsweep::reduce(exec, in, upsweep::log_sum_exp<float>{});
//   upsweep::segmented_reduce(exec, in, row_starts, moments, upsweep::mean_and_variance<double>{});
#pragma once
#include <cmath>
#include <concepts>

#include <upsweep/config.hpp>
#include <upsweep/monoid.hpp>

namespace UPSWEEP_NAMESPACE {

//! Σ exp(x) as exp(largest)·sum, which overflows never and underflows only where it does not count. Converts from a
//! number x, and to the logarithm of the sum.
template <std::floating_point T>
struct scaled_exponentials {
  T largest, sum;

  scaled_exponentials() = default;
  UPSWEEP_HD constexpr scaled_exponentials(T x) : largest(x), sum(1) {}  // NOLINT(google-explicit-constructor)
  UPSWEEP_HD constexpr scaled_exponentials(T most, T scaled) : largest(most), sum(scaled) {}
  UPSWEEP_HD operator T() const { return largest + std::log(sum); }  // NOLINT(google-explicit-constructor)
  //! What x, one of the numbers, has in the sum: exp(x) / Σ exp.
  UPSWEEP_HD T softmax(T x) const { return std::exp(x - largest) / sum; }
};

//! log Σ exp(x), of which the largest number is factored out as it is met (Milakov and Gimelshein 2018, "online
//! softmax"). One exponential an item. A NaN makes the result NaN.
template <std::floating_point T>
struct log_sum_exp {
  using value_type = scaled_exponentials<T>;
  UPSWEEP_HD constexpr value_type identity() const { return {detail::smallest<T>, T{0}}; }
  UPSWEEP_HD value_type operator()(const value_type& earlier, const value_type& later) const {
    UPSWEEP_ROUND_EACH
    const bool rises = earlier.largest < later.largest;
    const value_type &high = rises ? later : earlier, &low = rises ? earlier : later;
    // Of equal ones, infinities too, both count whole.
    const T share = low.largest == high.largest ? T{1} : std::exp(low.largest - high.largest);
    return {high.largest, high.sum + share * low.sum};
  }
};

//! How many numbers, their mean, and the sum of the squares of their distances from it. Converts from a number.
template <std::floating_point T>
struct moments {
  index_t count;
  T mean, squares;

  moments() = default;
  UPSWEEP_HD constexpr moments(T x) : count(1), mean(x), squares(0) {}  // NOLINT(google-explicit-constructor)
  UPSWEEP_HD constexpr moments(index_t n, T average, T distances) : count(n), mean(average), squares(distances) {}
  //! Of these numbers alone, and as an estimate from them as a sample; NaN for no number, or for less than two.
  UPSWEEP_HD T variance() const { return squares / static_cast<T>(count); }
  UPSWEEP_HD T sample_variance() const { return count > 1 ? squares / static_cast<T>(count - 1) : T{0} / T{0}; }
  friend bool operator==(const moments&, const moments&) = default;
};

//! Mean and variance in one pass, which subtracts no large numbers from one another (Welford 1962; merged as by Chan,
//! Golub and LeVeque 1983).
template <std::floating_point T>
struct mean_and_variance {
  using value_type = moments<T>;
  UPSWEEP_HD constexpr value_type identity() const { return {0, T{0}, T{0}}; }
  UPSWEEP_HD constexpr value_type operator()(const value_type& earlier, const value_type& later) const {
    UPSWEEP_ROUND_EACH
    const index_t count = earlier.count + later.count;
    if (later.count == 0) return earlier;
    const T distance = later.mean - earlier.mean, share = static_cast<T>(later.count) / static_cast<T>(count);
    return {count, earlier.mean + distance * share,
            earlier.squares + later.squares + distance * distance * share * static_cast<T>(earlier.count)};
  }
};

}  // namespace UPSWEEP_NAMESPACE

#if UPSWEEP_HAS_LIBRARY
#include <upsweep/statistics/library/statistics.hpp>  // by the monoids above
#endif

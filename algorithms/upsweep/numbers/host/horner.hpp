// Polynomials on the host: Horner's rule for several powers of x, or several points, side by side.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>

#include <upsweep/config.hpp>
#include <upsweep/executor.hpp>
#include <upsweep/host/job.hpp>
#include <upsweep/host/share_out.hpp>
#include <upsweep/host/versions.hpp>
#include <upsweep/numbers/horner.hpp>
#include <upsweep/scratch.hpp>

namespace UPSWEEP_NAMESPACE::detail {

//! Of one polynomial at a time: c[k] + c[k + lanes]·x^lanes + … for each k below `lanes`, which is what vectors can do.
template <class T>
class lanes_of_powers {
 public:
  static constexpr int lanes = 128 / sizeof(T);

  explicit lanes_of_powers(T x) : x_(x) {
    power_ = x;
    for (int n = 1; n < lanes; n *= 2) power_ *= power_;
    // Where only the powers leave the numbers Horner's rule does not.
    plain_ = !std::isfinite(power_) || (std::fabs(power_) < T(0x1p-64) && x != 0);
  }
  T operator()(const T* coefficients, index_t count) const {
    const index_t whole = plain_ ? 0 : count / lanes * lanes;
    T y = serial_horner(coefficients + whole, count - whole, x_);
    if (whole == 0) return y;
    T sums[lanes] = {y};
    with_vectors<true>([&](auto) UPSWEEP_LAMBDA_INLINE {
      UPSWEEP_ROUND_EACH
      T at[lanes];
      std::copy(sums, sums + lanes, at);
      for (index_t first = whole - lanes; first >= 0; first -= lanes)
        for (int k = 0; k < lanes; k++) at[k] = at[k] * power_ + coefficients[first + k];
      std::copy(at, at + lanes, sums);
    });
    return serial_horner(sums, index_t{lanes}, x_);
  }

 private:
  T x_, power_;
  bool plain_;
};

//! One polynomial at one point. Pieces are the same for any number of threads.
template <class T>
T evaluate(host& executor, const T* coefficients, index_t n, T x) {
  constexpr index_t piece = index_t{1} << 15;
  const lanes_of_powers<T> value_of(x);
  if (n <= piece) return value_of(coefficients, n);
  const horner<T> join;
  horner_span<T> whole_piece{T{0}, x, 0};
  for (index_t length = 1; length < piece; length *= 2) whole_piece = join(whole_piece, whole_piece);
  const index_t pieces = (n + piece - 1) / piece;
  T* values = nullptr;
  in_scratch(executor, [&](scratch_cutter& cutter) { values = cutter.take<T>(pieces); });
  share_out(executor.threads(), pieces,
            [&](index_t k) { values[k] = value_of(coefficients + k * piece, std::min(piece, n - k * piece)); });
  // From the highest down: then no power but that of one piece is needed.
  T y = values[pieces - 1];
  for (index_t k = pieces - 2; k >= 0; k--) {
    whole_piece.value = values[k];
    y = join(whole_piece, {y, T{1}, 0}).value;
  }
  return y;
}

//! One polynomial at some of the points, as many as a thread takes at a time.
template <class T>
void evaluate_at(const T* coefficients, index_t n, const T* points, T* values, index_t count) {
  constexpr int lanes = 256 / sizeof(T);
  index_t first = 0;
  with_vectors<true>([&](auto) UPSWEEP_LAMBDA_INLINE {
    UPSWEEP_ROUND_EACH
    for (; first + lanes <= count; first += lanes) {
      T x[lanes], y[lanes] = {};
      std::copy(points + first, points + first + lanes, x);
      for (index_t i = n - 1; i >= 0; i--)
        for (int k = 0; k < lanes; k++) y[k] = y[k] * x[k] + coefficients[i];
      std::copy(y, y + lanes, values + first);
    }
  });
  for (; first < count; first++) values[first] = serial_horner(coefficients, n, points[first]);
}

}  // namespace UPSWEEP_NAMESPACE::detail

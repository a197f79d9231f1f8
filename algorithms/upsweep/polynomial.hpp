// Polynomials c[0] + c[1]·x + c[2]·x² + … of any degree: at one point, at many, and many polynomials at one point.
//   double y = upsweep::polynomial(exec, coefficients, x);
//   upsweep::polynomial(exec, coefficients, points, values);
//   upsweep::polynomial(exec, coefficients, x, values, upsweep::rows(length));
// The error of a value with n coefficients is at most 2n·ε·Σ|c[i]·x^i|, as that of Horner's rule, ε half a unit in the
// last place of 1; coefficients, points and values are all float or all double.
#pragma once
#include <algorithm>
#include <concepts>
#include <cstdint>
#include <type_traits>

#include <upsweep/checks.hpp>
#include <upsweep/config.hpp>
#include <upsweep/executor.hpp>
#include <upsweep/explain.hpp>
#include <upsweep/for_each_index.hpp>
#include <upsweep/numbers/horner.hpp>
#include <upsweep/numbers/host/horner.hpp>
#include <upsweep/scan.hpp>
#include <upsweep/segments.hpp>

namespace UPSWEEP_NAMESPACE {

namespace detail {
template <class R>
concept real_range = contiguous_range<const R> && std::floating_point<element_t<const R>>;

template <class T>
struct lift_coefficient {
  T x;
  UPSWEEP_HD horner_span<T> operator()(T c) const { return {c, x, 0}; }
};
template <class T>
struct write_value {
  T* out;
  template <class Item>
  UPSWEEP_HD void operator()(const Item&, const horner_span<T>& total) const {
    *out = total.value;
  }
  UPSWEEP_HD void empty(const horner_span<T>&) const { *out = 0; }
};

// ---- at one point
template <class Executor, class T>
void polynomial_at_one(Executor& executor, const named_range<const T>& c, T x, T* y) {
  scan_then(executor, c.size, contiguous(c), lift_coefficient<T>{x}, horner<T>{}, discard, write_value<T>{y});
}
template <class T>
void polynomial_at_one(host& executor, const named_range<const T>& c, T x, T* y) {
  *y = evaluate(executor, c.data, c.size, x);
}

// ---- at many points
template <class T>
struct horner_at {
  const T* coefficients;
  index_t n;
  const T* points;
  T* values;
  UPSWEEP_HD void operator()(index_t k) const { values[k] = serial_horner(coefficients, n, points[k]); }
};
template <class Executor, class T>
void polynomial_at(Executor& executor, const named_range<const T>& c, const named_range<const T>& points, T* values) {
  for_each_index(executor, points.size, horner_at<T>{c.data, c.size, points.data, values});
}
template <class T>
void polynomial_at(host& executor, const named_range<const T>& c, const named_range<const T>& points, T* values) {
  constexpr index_t at_once = 256;
  const index_t parts = (points.size + at_once - 1) / at_once;
  const auto work = static_cast<std::size_t>(c.size * points.size) * sizeof(T);
  share_out(threads_for(work, executor.threads()), parts, [&](index_t k) {
    const index_t first = k * at_once;
    evaluate_at(c.data, c.size, points.data + first, values + first, std::min(at_once, points.size - first));
  });
}

// ---- rows of polynomials
template <class T>
struct lift_row_coefficient {
  T x;
  lift_row heads;
  UPSWEEP_HD typename segmented<horner<T>>::value_type operator()(const tuple<T, index_t>& c) const {
    return {{get<0>(c), x, 0}, heads.is_head(c)};
  }
};
template <class T>
struct write_row_value {
  multiple_of length;
  T* out;
  template <class Item, class V>
  UPSWEEP_HD void operator()(index_t i, const Item&, const V&, const V& inclusive) const {
    write_at_row_end(length, i, out, inclusive.value.value);
  }
};
template <class Executor, class T>
void polynomial_rows(Executor& executor, const named_range<const T>& c, T x, const named_range<T>& values,
                     const rows& along) {
  const multiple_of length(static_cast<std::uint64_t>(along.length));
  scan_then(executor, c.size, contiguous(c, indices()), lift_row_coefficient<T>{x, row_heads(along, c.size)},
            segmented<horner<T>>{}, each_store<write_row_value<T>>{{length, values.data}}, no_total);
}
template <class T>
void polynomial_rows(host& executor, const named_range<const T>& c, T x, const named_range<T>& values,
                     const rows& along) {
  const index_t numbers = c.size / along.length;
  if (numbers < executor.threads()) {
    for (index_t k = 0; k < numbers; k++)
      values.data[k] = evaluate(executor, c.data + k * along.length, along.length, x);
    return;
  }
  const lanes_of_powers<T> value_of(x);
  const index_t at_once = std::max<index_t>(1, (index_t{1} << 14) / along.length);
  share_out(executor.threads(), (numbers + at_once - 1) / at_once, [&](index_t part) {
    for (index_t k = part * at_once; k < std::min(numbers, (part + 1) * at_once); k++)
      values.data[k] = value_of(c.data + k * along.length, along.length);
  });
}
}  // namespace detail

//! The value at x; 0 of no coefficients. Writes it to *value, in the executor's memory, and does not wait. Costs one
//! read of the coefficients. Where single powers of x overflow but the value does not it is right. Throws
//! std::invalid_argument, cuda_error.
template <executor Executor, detail::real_range C, class T = element_t<const C>>
void polynomial(Executor&& executor, const C& coefficients, std::type_identity_t<T> x, T* value) {
  const auto c = detail::input("coefficients", coefficients);
  detail::check_range(executor, c, c.size);
  detail::check_result(executor, "value", value);
  detail::run_on_backend(executor, [&](auto& chosen) { detail::polynomial_at_one(chosen, c, x, value); });
}
//! The same; returns the value, and waits for it.
template <executor Executor, detail::real_range C, class T = element_t<const C>>
T polynomial(Executor&& executor, const C& coefficients, std::type_identity_t<T> x) {
  return executor.template returned<T>([&](T* value) { polynomial(executor, coefficients, x, value); });
}

//! values[k] = the polynomial at points[k]: Horner's rule for each, in floating-point operations 2 a coefficient and a
//! point; the coefficients come from the cache for all points but the first. `values` may be exactly `points`. Does not
//! wait.
template <executor Executor, detail::real_range C, detail::real_range Points, contiguous_range Values>
  requires(std::is_same_v<element_t<const C>, element_t<const Points>>)
void polynomial(Executor&& executor, const C& coefficients, const Points& points, Values&& values) {
  const auto c = detail::input("coefficients", coefficients), x = detail::input("points", points);
  const auto y = UPSWEEP_OUTPUT(values);
  detail::check_range(executor, c, c.size);
  detail::check_sweep(executor, x.size, contiguous(x), dense(y));
  detail::check_disjoint(c, c.size, y, x.size);
  detail::run_on_backend(executor, [&](auto& chosen) { detail::polynomial_at(chosen, c, x, y.data); });
}

//! values[k] = the k-th polynomial at x: polynomials of `along.length` coefficients follow one another. Costs one read
//! of the coefficients and one write of values. Does not wait.
template <executor Executor, detail::real_range C, contiguous_range Values>
void polynomial(Executor&& executor, const C& coefficients, element_t<const C> x, Values&& values, const rows& along) {
  const auto c = detail::input("coefficients", coefficients);
  const auto y = UPSWEEP_OUTPUT(values);
  detail::check_rows(c.size, along.length, "coefficients");
  detail::check_range(executor, c, c.size);
  detail::check_range(executor, y, c.size / along.length);
  detail::check_disjoint(c, c.size, y, c.size / along.length);
  detail::run_on_backend(executor, [&](auto& chosen) { detail::polynomial_rows(chosen, c, x, y, along); });
}
UPSWEEP_EXPLAIN(polynomial,
                "polynomial(executor, coefficients, x), or with a pointer behind for the value; polynomial(executor, "
                "coefficients, points, values); or polynomial(executor, coefficients, x, values, rows(length)). "
                "Numbers are all float or all double")

}  // namespace UPSWEEP_NAMESPACE

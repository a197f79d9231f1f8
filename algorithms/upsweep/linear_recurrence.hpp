// Linear recurrences whose coefficients vary from item to item, of order 1 and 2, one row or many at once:
//   x[i] = a[i]·x[i−1] + b[i]                        linear_recurrence(exec, a, b, x, x_before, along)
//   x[i] = a1[i]·x[i−1] + a2[i]·x[i−2] + b[i]        linear_recurrence(exec, coefficients(a1, a2), b, x, …)
// `along` is a direction, rows of one length, or segments by offsets(positions).
//
// Over `rows(length)` the first is the selective scan of state-space models (Gu and Dao 2023, Mamba): a row for every
// batch, channel and state, a = exp(Δ·A), b = Δ·B·u. Each is a scan over maps from the values before a span to its last
// ones (Blelloch 1990, §1.4; of order 2 the maps are 2×3 matrices), and errors stay those of a serial loop as long as
// the recurrence forgets: where products of neighbouring coefficients grow beyond the type, results are NaN that a
// serial loop might have spared. With coefficients that do not vary, filters (iir.hpp) do far less work.
#pragma once
#include <array>
#include <type_traits>

#include <upsweep/affine.hpp>
#include <upsweep/checks.hpp>
#include <upsweep/config.hpp>
#include <upsweep/explain.hpp>
#include <upsweep/recurrence/host/two_walks.hpp>
#include <upsweep/recurrence/recurrence_maps.hpp>
#include <upsweep/require.hpp>
#include <upsweep/scan.hpp>
#include <upsweep/stages.hpp>
#if UPSWEEP_HAS_CUDA
#include <upsweep/recurrence/cuda/by_steps.hpp>
#elif UPSWEEP_HAS_LIBRARY
#include <upsweep/recurrence/library/recurrence.hpp>
#endif

namespace UPSWEEP_NAMESPACE {

//! The coefficients of a recurrence of order 2: ranges of one item each an item.
template <class T1, class T2>
struct coefficient_ranges {
  named_range<const T1> a1;
  named_range<const T2> a2;
};
template <detail::shown_range A1, detail::shown_range A2>
auto coefficients(A1&& a1, A2&& a2) {
  UPSWEEP_CHECK_SHOWN(A1, "coefficients()");
  UPSWEEP_CHECK_SHOWN(A2, "coefficients()");
  return coefficient_ranges<element_t<const A1>, element_t<const A2>>{detail::input("a1", a1), detail::input("a2", a2)};
}

namespace detail {
template <class T>
auto numbers(const named_range<T>& range) {
  using N = number_t<std::remove_const_t<T>>;
  using item = std::conditional_t<std::is_const_v<T>, const N, N>;
  return named_range<item>{reinterpret_cast<item*>(range.data), range.size, range.name};
}
//! The value before all rows, as numbers.
template <class N, class T>
N number_before(const T& x) {
  return __builtin_bit_cast(N, x);
}

//! What a recurrence runs along.
template <class D>
concept recurrence_way = direction<D> || is_offsets<D>;
template <class D>
inline constexpr const char* row_name = is_offsets<D> ? "segment" : "row";
template <class D>
struct way_of {
  static constexpr bool reversed = D::reversed;
};
template <class T>
struct way_of<offsets_range<T>> : forward_t {};

template <class D>
index_t count_rows(const D& along, index_t n) {
  if constexpr (is_offsets<D>) {
    check_offsets(along.range);
    return along.range.size - 1;
  } else if constexpr (has_rows<D>) {
    check_rows(n, along.length, "a");
    return n / along.length;
  } else {
    return 1;
  }
}
//! Where rows begin, as a sweep asks of an item.
template <class D>
auto beginnings(const D& along, index_t n) {
  if constexpr (is_offsets<D>) {
    using Offset = std::remove_const_t<std::remove_pointer_t<decltype(along.range.data)>>;
    return rows_by_offsets<Offset>{along.range.data, along.range.size};
  } else if constexpr (has_rows<D>) {
    const auto length = static_cast<std::uint64_t>(along.length);
    return equal_rows{multiple_of(length), D::reversed ? 1 : 0, remainder_of(length)};
  } else {
    return one_row{first_index<D>(n)};
  }
}

//! As the host asks, which walks along rows.
template <class D>
auto rows_on_host(const D& along, index_t n) {
  if constexpr (is_offsets<D>) {
    using Offset = std::remove_const_t<std::remove_pointer_t<decltype(along.range.data)>>;
    return rows_between_offsets<Offset>{along.range.data, along.range.size, n};
  } else if constexpr (has_rows<D>) {
    return rows_of_length<D::reversed>{along.length, n};
  } else {
    return rows_of_length<D::reversed>{n, n};
  }
}

template <class Executor, class D, class X>
void check_rows_of(const Executor& executor, [[maybe_unused]] const D& along, [[maybe_unused]] const named_range<X>& x,
                   [[maybe_unused]] index_t n) {
  if constexpr (is_offsets<D>) {
    check_range(executor, along.range, along.range.size);
    check_disjoint(along.range, along.range.size, x, n);
  }
}
//! f(executor, what lift_restarted and lift_companion ask of an item's place).
template <class Executor, class D, class F>
void with_places(Executor& executor, [[maybe_unused]] const D& along, [[maybe_unused]] index_t n, const F& f) {
  if constexpr (is_offsets<D>) {
    with_segment_marks(executor, along.range, n,
                       [&](auto& chosen, const auto& marks) { f(chosen, contiguous(indices(), marks)); });
  } else {
    f(executor, indices());
  }
}

//! `Order` values a row, in the executor's memory.
template <int Order, class N, class D, class Executor, class B, class X>
auto before_rows(const Executor& executor, const named_range<B>& before, index_t rows, const named_range<X>& x,
                 index_t n) {
  require(before.size == Order * rows, before.name, "has ", before.size, " items, needs ", Order * rows,
          Order == 1 ? ": one a " : ": two a ", row_name<D>);
  check_range(executor, before, before.size);
  check_disjoint(before, before.size, x, n);
  using item = std::remove_const_t<typename std::remove_pointer_t<decltype(numbers(before).data)>>;
  const before_each<N, Order, item> each_row{numbers(before).data};
  if constexpr (is_offsets<D>) return before_each_segment<N, Order, item>{each_row, rows};
  else return each_row;
}

//! x[i] = a·x[i−1] + b over rows whose values before them before(row, 0) gives.
template <class Executor, class A, class B, class X, class Before, class D>
void recur(Executor& executor, const named_range<A>& a, const named_range<B>& b, const named_range<X>& x,
           const Before& before, const D& along) {
  using N = number_t<X>;
  if constexpr (std::is_same_v<Executor, any_executor>) {
    executor.visit([&](auto& chosen) { recur(chosen, a, b, x, before, along); });
  } else if constexpr (std::is_same_v<Executor, host>) {
    check_rows_of(executor, along, x, a.size);
    check_sweep(executor, a.size, contiguous(a, b), dense(x));
    recur_in_rows<way_of<D>::reversed>(executor, a.size, steps_over<N>(numbers(a).data, numbers(b).data),
                                       rows_on_host(along, a.size), before, numbers(x).data);
  } else {
    check_rows_of(executor, along, x, a.size);
    const auto rows = beginnings(along, a.size);
    with_places(executor, along, a.size, [&](auto& chosen, const auto& places) {
      scan_then(chosen, a.size, contiguous(numbers(a), numbers(b), places),
                lift_restarted<N, std::remove_const_t<decltype(rows)>, Before>{rows, before}, restarted_affine<N>{},
                dense(numbers(x), take_constant{}), no_total, way_t<way_of<D>>{});
    });
  }
}
template <class Executor, class A1, class A2, class B, class X, class Before, class D>
void recur(Executor& executor, const coefficient_ranges<A1, A2>& a, const named_range<B>& b, const named_range<X>& x,
           const Before& before, const D& along) {
  static_assert(!is_complex_v<X>, "complex recurrences are of order 1");
  if constexpr (std::is_same_v<Executor, any_executor>) {
    executor.visit([&](auto& chosen) { recur(chosen, a, b, x, before, along); });
  } else if constexpr (std::is_same_v<Executor, host>) {
    check_rows_of(executor, along, x, b.size);
    check_sweep(executor, b.size, contiguous(a.a1, a.a2, b), dense(x));
    recur_in_rows<way_of<D>::reversed>(executor, b.size, steps_over<X>(a.a1.data, a.a2.data, b.data),
                                       rows_on_host(along, b.size), before, x.data);
  } else {
    check_rows_of(executor, along, x, b.size);
    const auto rows = beginnings(along, b.size);
    with_places(executor, along, b.size, [&](auto& chosen, const auto& places) {
      scan_then(chosen, b.size, contiguous(a.a1, a.a2, b, places),
                lift_companion<X, std::remove_const_t<decltype(rows)>, Before, way_of<D>::reversed>{rows, before},
                restarted_companion<X>{}, dense(x, take_constant{}), no_total, way_t<way_of<D>>{});
    });
  }
}
}  // namespace detail

//! x[i] = a[i]·x[i−1] + b[i], with x[−1] = x_before. `x` may be exactly `a` or `b`. `along`: forward; reversed (x[i]
//! from x[i+1], x_before behind the last); rows(length) or reversed_rows(length): every row of so many items on its
//! own, each from x_before, and nothing of one, infinite or not a number, comes into another; offsets(positions): the
//! same of segments of any lengths, [positions[s], positions[s + 1]), and what lies before the first position and from
//! the last one on are segments too. Positions are in the executor's memory; wrong ones give wrong results, but nothing
//! out of bounds. Computes in x's type, which may be std::complex of float or double (multiplied by the formula). Costs
//! one read of a and b and one write of x: 12 bytes an item of float, and of offsets one read. One launch; does not
//! wait on a device. Throws std::invalid_argument (lengths that differ, overlaps, a length that does not divide them),
//! cuda_error. Method: Blelloch 1990, §1.4.
//!   std::vector<float> decay, input, state(decay.size());  upsweep::host exec;
//!   upsweep::linear_recurrence(exec, decay, input, state);                             // one row, from 0
//!   upsweep::linear_recurrence(exec, decay, input, state, 0.f, upsweep::rows(4096));   // a selective scan
//!   upsweep::linear_recurrence(exec, decay, input, state, 0.f, upsweep::offsets(begins));
template <executor Executor, contiguous_range A, contiguous_range B, contiguous_range X,
          detail::recurrence_way D = forward_t>
void linear_recurrence(Executor&& executor, const A& a, const B& b, X&& x, element_t<X> x_before = {},
                       const D& along = {}) {
  using T = detail::number_t<element_t<X>>;
  const auto as = detail::input("a", a);
  const auto bs = detail::input("b", b);
  detail::check_same_size(as, bs);
  const T before = detail::number_before<T>(x_before);
  detail::count_rows(along, as.size);
  detail::recur(executor, as, bs, UPSWEEP_OUTPUT(x), detail::same_before<T, 1>{{before}}, along);
}

//! The same; each row has a value of its own before it, in the executor's memory (without rows there is one: the last
//! of a piece before, say). It lies apart from x. Of segments by offsets each has one, and what lies before and behind
//! them all begins with 0.
template <executor Executor, contiguous_range A, contiguous_range B, contiguous_range X, contiguous_range Before,
          detail::recurrence_way D = forward_t>
void linear_recurrence(Executor&& executor, const A& a, const B& b, X&& x, const Before& x_before,
                       const D& along = {}) {
  const auto as = detail::input("a", a);
  const auto bs = detail::input("b", b);
  const auto xs = UPSWEEP_OUTPUT(x);
  detail::check_same_size(as, bs);
  const index_t rows = detail::count_rows(along, as.size);
  using T = detail::number_t<element_t<X>>;
  detail::recur(executor, as, bs, xs,
                detail::before_rows<1, T, D>(executor, detail::input("x_before", x_before), rows, xs, as.size), along);
}

//! x[i] = a1[i]·x[i−1] + a2[i]·x[i−2] + b[i], with x_before = {x[−2], x[−1]}; reversed x[i] = a1[i]·x[i+1] +
//! a2[i]·x[i+2] + b[i], with x_before = {x[n], x[n+1]}: both lie as they would in memory. `x` may be exactly a1, a2 or
//! b, of float, double or an integer. Costs one read of a1, a2 and b and one write of x: 16 bytes an item of float.
//! Otherwise as of order 1.
//!   upsweep::linear_recurrence(exec, upsweep::coefficients(a1, a2), b, x, {1.f, 2.f}, upsweep::rows(4096));
template <executor Executor, class A1, class A2, contiguous_range B, contiguous_range X,
          detail::recurrence_way D = forward_t>
void linear_recurrence(Executor&& executor, const coefficient_ranges<A1, A2>& a, const B& b, X&& x,
                       const std::array<element_t<X>, 2>& x_before = {}, const D& along = {}) {
  const auto bs = detail::input("b", b);
  detail::check_same_size(a.a1, bs);
  detail::check_same_size(a.a2, bs);
  detail::count_rows(along, bs.size);
  detail::recur(executor, a, bs, UPSWEEP_OUTPUT(x), detail::same_before<element_t<X>, 2>{{x_before[0], x_before[1]}},
                along);
}

//! The same; each row has two values of its own before it, in the executor's memory.
template <executor Executor, class A1, class A2, contiguous_range B, contiguous_range X, contiguous_range Before,
          detail::recurrence_way D = forward_t>
  requires(!std::is_same_v<Before, std::array<element_t<X>, 2>>)
void linear_recurrence(Executor&& executor, const coefficient_ranges<A1, A2>& a, const B& b, X&& x,
                       const Before& x_before, const D& along = {}) {
  const auto bs = detail::input("b", b);
  const auto xs = UPSWEEP_OUTPUT(x);
  detail::check_same_size(a.a1, bs);
  detail::check_same_size(a.a2, bs);
  const index_t rows = detail::count_rows(along, bs.size);
  detail::recur(
      executor, a, bs, xs,
      detail::before_rows<2, element_t<X>, D>(executor, detail::input("x_before", x_before), rows, xs, bs.size), along);
}
UPSWEEP_EXPLAIN(linear_recurrence,
                "linear_recurrence(executor, a, b, x, x_before, along), of which a may be coefficients(a1, a2)")

}  // namespace UPSWEEP_NAMESPACE

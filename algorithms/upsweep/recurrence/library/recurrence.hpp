// The recurrences that are compiled into upsweep::cuda: their sweeps are told to the C interface as the calls that they
// were.
#pragma once
#include <type_traits>

#include <upsweep/c/recurrence.h>
#include <upsweep/config.hpp>
#include <upsweep/executor.hpp>
#include <upsweep/library/errors.hpp>
#include <upsweep/library/refuse.hpp>
#include <upsweep/library/scan.hpp>
#include <upsweep/recurrence/library/numbers.hpp>
#include <upsweep/recurrence/recurrence_maps.hpp>
#include <upsweep/stages.hpp>

namespace UPSWEEP_NAMESPACE::library {

template <class T>
constexpr bool has_recurrence_of() {
#define UPSWEEP_ROW(type, name) \
  if (std::is_same_v<T, type>) return true;
  UPSWEEP_LIBRARY_RECURRENCES(UPSWEEP_ROW)
#undef UPSWEEP_ROW
  return false;
}
template <class Offset>
constexpr bool has_recurrence_offsets() {
#define UPSWEEP_ROW(type, name) \
  if (is_same_number<Offset, type>) return true;
  UPSWEEP_LIBRARY_RECURRENCE_OFFSETS(UPSWEEP_ROW)
#undef UPSWEEP_ROW
  return false;
}

// Each tells its rows, and gives how many there are.
inline index_t set_rows(upsweep_recurrence&, const detail::one_row&, index_t) { return 1; }
inline index_t set_rows(upsweep_recurrence& r, const detail::equal_rows& rows, index_t n) {
  r.along.row_length = static_cast<index_t>(rows.places.divisor());
  return n / r.along.row_length;
}
template <class Offset>
  requires(has_recurrence_offsets<Offset>())
index_t set_rows(upsweep_recurrence& r, const detail::rows_by_offsets<Offset>& rows, index_t) {
  r.offsets = input_of(rows.offsets, rows.count);
  return rows.count - 1;
}
template <class T, int Order>
void set_before(upsweep_recurrence& r, const detail::same_before<T, Order>& before, index_t) {
  r.before = before.values;
}
template <class T, int Order>
void set_before(upsweep_recurrence& r, const detail::before_each<T, Order, T>& before, index_t rows) {
  r.before_each = input_of(before.values, Order * rows);
}
template <class T, int Order>
void set_before(upsweep_recurrence& r, const detail::before_each_segment<T, Order, T>& before, index_t rows) {
  set_before(r, before.before, rows);
}

//! Is a lift of what is in the table?
template <class Lift>
concept lifts_recurrence = requires(upsweep_recurrence& r, const Lift& lift) {
  set_rows(r, lift.rows, 0);
  set_before(r, lift.before, 0);
};
//! a2 is empty in a recurrence of the first order.
template <class T, class Lift, class D>
void recur(device& executor, const upsweep_input& a1, const upsweep_input& a2, const upsweep_input& b, index_t n,
           const Lift& lift, T* x, D) {
  upsweep_recurrence r{.a1 = a1,
                       .a2 = a2,
                       .b = b,
                       .x = output_of(x, n),
                       .along = {},
                       .offsets = {},
                       .before = nullptr,
                       .before_each = {}};
  set_before(r, lift.before, set_rows(r, lift.rows, n));
  r.along.reversed = D::reversed;
  check(upsweep_linear_recurrence(executor.handle(), &r));
}

}  // namespace UPSWEEP_NAMESPACE::library

namespace UPSWEEP_NAMESPACE::detail {

//! By the columns of coefficients; behind them stand places of items, which the lift knows.
template <class T, class Lift, class D, class... Places>
  requires(library::has_recurrence_of<T>() && library::lifts_recurrence<Lift>)
void sweep_recurrence(device& executor, index_t n, const load_stage<range_column<T>, range_column<T>, Places...>& load,
                      const Lift& lift, const affine_map<T>*, const dense_store<T, take_constant>& store, D direction) {
  library::recur(executor, library::input_of(get<0>(load.columns).range.data, n), {},
                 library::input_of(get<1>(load.columns).range.data, n), n, lift, store.range.data, direction);
}
template <class T, class Lift, class D, class... Places>
  requires(library::has_recurrence_of<T>() && library::lifts_recurrence<Lift>)
void sweep_recurrence(device& executor, index_t n,
                      const load_stage<range_column<T>, range_column<T>, range_column<T>, Places...>& load,
                      const Lift& lift, const two_forms<T>*, const dense_store<T, take_constant>& store, D direction) {
  library::recur(executor, library::input_of(get<0>(load.columns).range.data, n),
                 library::input_of(get<1>(load.columns).range.data, n),
                 library::input_of(get<2>(load.columns).range.data, n), n, lift, store.range.data, direction);
}
UPSWEEP_NOT_IN_LIBRARY(sweep_recurrence, UPSWEEP_LIBRARY_HAS_RECURRENCES)

template <class Load, class T, class Rows, class Before, class Store, class D>
void sweep(device& executor, index_t n, const Load& load, const lift_restarted<T, Rows, Before>& lift,
           const restarted_affine<T>&, const Store& store, const no_total_t&, D direction) {
  sweep_recurrence(executor, n, load, lift, static_cast<const affine_map<T>*>(nullptr), store, direction);
}
template <class Load, class T, class Rows, class Before, bool Reversed, class Store, class D>
void sweep(device& executor, index_t n, const Load& load, const lift_companion<T, Rows, Before, Reversed>& lift,
           const restarted_companion<T>&, const Store& store, const no_total_t&, D direction) {
  sweep_recurrence(executor, n, load, lift, static_cast<const two_forms<T>*>(nullptr), store, direction);
}

}  // namespace UPSWEEP_NAMESPACE::detail

// The instances of recurrences over items of one type.
#pragma once
#include <array>
#include <cstring>
#include <type_traits>

#include <upsweep/config.hpp>
#include <upsweep/linear_recurrence.hpp>
#include <upsweep/recurrence/library/numbers.hpp>
#include <upsweep/segments.hpp>

#include "recurrence.hpp"

namespace UPSWEEP_NAMESPACE::compiled {

template <class T, int Order, class Along>
void recur_along(device& executor, const upsweep_recurrence& r, const Along& along) {
  const std::span<const T> a1 = items_of<T>(r.a1), a2 = items_of<T>(r.a2), b = items_of<T>(r.b);
  const std::span<T> x = items_of<T>(r.x);
  const auto call = [&](const auto& before) {
    if constexpr (Order == 1) linear_recurrence(executor, a1, b, x, before, along);
    else linear_recurrence(executor, coefficients(a1, a2), b, x, before, along);
  };
  if (r.before_each.type) return call(items_of<T>(r.before_each));
  std::array<T, Order> before{};
  if (r.before) std::memcpy(before.data(), r.before, sizeof before);
  if constexpr (Order == 1) call(before[0]);
  else call(before);
}

template <class T, int Order>
void recur_in_rows(device& executor, const upsweep_recurrence& r) {
  const index_t length = r.along.row_length;
  if (length && r.along.reversed) recur_along<T, Order>(executor, r, reversed_rows(length));
  else if (length) recur_along<T, Order>(executor, r, rows(length));
  else if (r.along.reversed) recur_along<T, Order>(executor, r, reversed);
  else recur_along<T, Order>(executor, r, forward);
}
template <class T, int Order>
void recur_in_segments(device& executor, const upsweep_recurrence& r) {
#define UPSWEEP_ROW(Offset, name)                   \
  if (r.offsets.type == library::type_code<Offset>) \
    return recur_along<T, Order>(executor, r, offsets(items_of<Offset>(r.offsets)));
  UPSWEEP_LIBRARY_RECURRENCE_OFFSETS(UPSWEEP_ROW)
#undef UPSWEEP_ROW
  throw not_compiled("offsets: their type is not in the library");
}

}  // namespace UPSWEEP_NAMESPACE::compiled

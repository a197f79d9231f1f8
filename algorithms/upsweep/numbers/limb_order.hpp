// Which of two numbers is larger: their most significant limbs that differ say so.
#pragma once
#include <algorithm>

#include <upsweep/config.hpp>
#include <upsweep/executor.hpp>
#include <upsweep/scan.hpp>
#include <upsweep/segments.hpp>
#include <upsweep/stages.hpp>

namespace UPSWEEP_NAMESPACE::detail {

// −1, 0 or 1, as the most significant limbs that differ say. (`row_begins`: equal so far, and the number begins here.)
struct most_significant {
  using value_type = int;
  static constexpr int row_begins = 2;
  UPSWEEP_HD constexpr int identity() const { return 0; }
  UPSWEEP_HD constexpr int operator()(int earlier, int later) const { return later != 0 ? later : earlier; }
};
template <class T>
UPSWEEP_HD int order_of(T a, T b) {
  return (a > b) - (a < b);
}
struct order_of_limbs {
  template <class T>
  UPSWEEP_HD int operator()(const tuple<T, T>& limb) const {
    return order_of(get<0>(limb), get<1>(limb));
  }
};
struct order_in_row {
  multiple_of length;
  template <class T>
  UPSWEEP_HD int operator()(const tuple<T, T, index_t>& limb) const {
    const int order = order_of(get<0>(limb), get<1>(limb));
    return order == 0 && length(get<2>(limb)) ? most_significant::row_begins : order;
  }
};
template <class T>
struct write_order_of_row {
  multiple_of length;
  T* out;
  template <class Limb>
  UPSWEEP_HD void operator()(index_t i, const Limb&, int, int order) const {
    write_at_row_end(length, i, out, order == most_significant::row_begins ? 0 : order);
  }
};

template <class Executor, class T>
void compare_limbs(Executor& executor, const named_range<T>& a, const named_range<T>& b, int* order) {
  scan(executor, a.size, contiguous(a, b), order_of_limbs{}, most_significant{}, discard, order);
}
// A host stops behind the first limbs from above that differ.
template <class T>
void compare_limbs(host& executor, const named_range<T>& a, const named_range<T>& b, int* order) {
  *order = 0;
  index_t above = a.size;
  for (index_t count = 64; above > 0 && *order == 0; count *= 8) {
    const index_t first = std::max<index_t>(above - count, 0);
    const index_t limbs = above - first;
    scan(executor, limbs, contiguous(part_of(a, first, limbs), part_of(b, first, limbs)), order_of_limbs{},
         most_significant{}, discard, order);
    above = first;
  }
}

}  // namespace UPSWEEP_NAMESPACE::detail

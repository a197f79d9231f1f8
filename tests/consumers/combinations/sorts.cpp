// Radix sorts: algorithms/upsweep/sort/library/values.hpp.
#include <algorithm>
#include <numeric>

#include <upsweep/radix_sort.hpp>
#include <upsweep/sort/library/values.hpp>

#include "check.hpp"

namespace {

//! Where the keys stand that a stable sort by their bits from `begin_bit` on makes the first, the second, …
template <class Key>
std::vector<std::size_t> order_of(const std::vector<Key>& keys, const upsweep::radix_options& options) {
  std::vector<std::size_t> order(keys.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto bits = [&](std::size_t i) { return upsweep::radix_key<Key>::image(keys[i]) >> options.begin_bit; };
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return options.order == upsweep::sort_order::ascending ? bits(a) < bits(b) : bits(a) > bits(b);
  });
  return order;
}
template <class T>
std::vector<T> taken_in_order(const std::vector<T>& x, const std::vector<std::size_t>& order) {
  std::vector<T> taken;
  for (const std::size_t i : order) taken.push_back(x[i]);
  return taken;
}

template <class Key>
void check_keys(upsweep::any_executor& exec, const std::vector<Key>& keys, const std::string& of) {
  for (const auto order : {upsweep::sort_order::ascending, upsweep::sort_order::descending}) {
    const upsweep::radix_options options{.order = order, .begin_bit = 3};
    const std::vector<std::size_t> sorted = order_of(keys, options);
    compare(exec, keys, taken_in_order(keys, sorted), "radix_sort, " + of,
            [&](const auto& x, auto& y) { upsweep::radix_sort(exec, x, y, options); });
    const auto with_values = [&](const auto& values) {
      compare(exec, values, taken_in_order(values, sorted), "radix_sort_by_key, " + of, [&](const auto& x, auto& y) {
        upsweep::buffer<Key> beside(exec, keys);
        upsweep::radix_sort_by_key(exec, beside, x, beside, y, options);
        check(same_bits(beside.to_vector(exec), taken_in_order(keys, sorted)), "keys of radix_sort_by_key, " + of);
      });
    };
#define UPSWEEP_ROW(value, bytes) with_values(items<value>(std::ssize(keys), false));
    UPSWEEP_LIBRARY_VALUES(UPSWEEP_ROW)
#undef UPSWEEP_ROW
  }
}

}  // namespace

void check_sorts(upsweep::any_executor& exec, upsweep::index_t n) {
#define UPSWEEP_ROW(type, name, code) check_keys<type>(exec, items<type>(n, false), counted(name, n));
  UPSWEEP_LIBRARY_TYPES(UPSWEEP_ROW)
#undef UPSWEEP_ROW
}

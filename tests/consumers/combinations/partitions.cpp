// Partitions: algorithms/upsweep/compaction/library/has.hpp.
#include <upsweep/library/bytes.hpp>
#include <upsweep/partition.hpp>

#include "check.hpp"
#include "compares.hpp"

namespace {

template <class T>
std::vector<T> one_behind_the_other(std::vector<T> a, const std::vector<T>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

template <class T>
void check_parted(tested& exec, upsweep::index_t n, const std::string& of) {
  const std::vector<T> in = special_items<T>(n);
  const upsweep::buffer<T> from(exec, in);
  for_each_comparison<T>(n, [&](const auto& comparison, const std::string& name) {
    const std::string what = name + ", of " + of;
    const std::vector<T> selected = items_where(in, comparison),
                         others = items_where(in, [&](const T& x) { return !comparison(x); });
    upsweep::buffer<T> to(exec, n), beside(exec, n);
    const upsweep::index_t count = upsweep::partition_copy(exec, from, to, beside, comparison);
    check_front(exec, to, count, selected, "selected by partition_copy, " + what);
    check_front(exec, beside, n - count, others, "rejected by partition_copy, " + what);
    const auto all = one_behind_the_other(selected, others);
    check(upsweep::stable_partition_copy(exec, from, to, comparison) == count, "stable_partition_copy counts, " + what);
    check_front(exec, to, n, all, "stable_partition_copy, " + what);
    upsweep::buffer<T> items(exec, in);
    check(upsweep::stable_partition(exec, items, comparison) == count, "stable_partition counts, " + what);
    check_front(exec, items, n, all, "stable_partition, " + what);
  });
}

template <class T>
void check_three(tested& exec, upsweep::index_t n, const std::string& of) {
  const std::vector<T> in = special_items<T>(n);
  const upsweep::first_of classify(upsweep::less_than(T{1}), upsweep::not_equal_to(T{2}));
  const auto side = [&](int number) { return items_where(in, [&](const T& x) { return classify(x) == number; }); };
  const upsweep::buffer<T> from(exec, in);
  upsweep::buffer<T> out0(exec, n), out1(exec, n), out2(exec, n);
  const auto counts = upsweep::three_way_partition(exec, from, out0, out1, out2, classify);
  check_front(exec, out0, counts[0], side(0), "three_way_partition, the first, of " + of);
  check_front(exec, out1, counts[1], side(1), "three_way_partition, the second, of " + of);
  check_front(exec, out2, n - counts[0] - counts[1], side(2), "three_way_partition, the third, of " + of);
}

template <class V>
void check_parted_by_flags(tested& exec, upsweep::index_t n, const std::string& of) {
  const std::vector<V> in = any_values<V>(n);
  std::vector<V> selected, others;
  for (std::size_t i = 0; i < in.size(); i++) (is_flagged(i) ? selected : others).push_back(in[i]);
  const upsweep::buffer<V> from(exec, in);
  const upsweep::buffer<unsigned char> set(exec, flags(n));
  upsweep::buffer<V> to(exec, n), beside(exec, n);
  const upsweep::index_t count = upsweep::partition_flagged(exec, from, set, to, beside);
  check_front(exec, to, count, selected, "selected by partition_flagged, " + of);
  check_front(exec, beside, n - count, others, "rejected by partition_flagged, " + of);
}

}  // namespace

void check_partitions(tested& exec, upsweep::index_t n) {
#define UPSWEEP_ROW(type, name, code)            \
  check_parted<type>(exec, n, counted(name, n)); \
  check_three<type>(exec, n, counted(name, n));
  UPSWEEP_LIBRARY_TYPES(UPSWEEP_ROW)
#undef UPSWEEP_ROW
#define UPSWEEP_ROW(type, bytes, code) check_parted_by_flags<type>(exec, n, counted(bytes " bytes", n));
  UPSWEEP_LIBRARY_VALUES(UPSWEEP_ROW)
#undef UPSWEEP_ROW
}

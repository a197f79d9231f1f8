// The radix sorts that are compiled into upsweep::cuda: a backend beside those of host/ and cuda/.
#pragma once
#include <upsweep/c/radix_sort.h>
#include <upsweep/config.hpp>
#include <upsweep/executor.hpp>
#include <upsweep/library/errors.hpp>
#include <upsweep/library/refuse.hpp>
#include <upsweep/library/scan.hpp>
#include <upsweep/library/table.hpp>
#include <upsweep/sort/library/values.hpp>
#include <upsweep/sort/sort_task.hpp>

namespace UPSWEEP_NAMESPACE::library {

//! The type of the table whose bytes stand for those of a value. 0: there is none.
template <class V>
constexpr int code_of_bytes() {
#define UPSWEEP_ROW(type, bytes) \
  if (sizeof(V) == sizeof(type) && alignof(V) == alignof(type)) return type_code<type>;
  UPSWEEP_LIBRARY_VALUES(UPSWEEP_ROW)
#undef UPSWEEP_ROW
  return 0;
}
template <class V>
concept moved_as_bytes = code_of_bytes<V>() != 0;
template <class Key>
concept sorted_key = type_code<Key> != 0;

template <class Bits>
upsweep_radix_options options_of(const Bits& bits, int begin, int end) {
  return {.descending = bits.flip != 0, .begin_bit = bits.mask ? begin : 0, .end_bit = bits.mask ? end : 0};
}

}  // namespace UPSWEEP_NAMESPACE::library

namespace UPSWEEP_NAMESPACE::detail {

template <library::sorted_key Key, class U>
void sort_items(device& executor, const sort_task<Key, ordered_bits<key_image<Key>, U>, no_values, nothing>& task) {
  const upsweep_radix_options options = library::options_of(task.bits, task.begin_bit, task.end_bit);
  library::check(upsweep_radix_sort(executor.handle(), library::input_of(task.in, task.n),
                                    library::output_of(task.out, task.n), &options));
}
template <library::sorted_key Key, class U, library::moved_as_bytes V>
void sort_items(device& executor, const sort_task<Key, ordered_bits<key_image<Key>, U>, values_of<V>, V>& task) {
  const upsweep_radix_options options = library::options_of(task.bits, task.begin_bit, task.end_bit);
  constexpr int type = library::code_of_bytes<V>();
  library::check(upsweep_radix_sort_by_key(executor.handle(), library::input_of(task.in, task.n),
                                           {.data = task.values_in.values, .size = task.n, .type = type},
                                           library::output_of(task.out, task.n),
                                           {.data = task.values_out, .size = task.n, .type = type}, &options));
}
UPSWEEP_NOT_IN_LIBRARY(sort_items, UPSWEEP_LIBRARY_HAS_SORTS)
UPSWEEP_NOT_IN_LIBRARY(sort_segments, UPSWEEP_LIBRARY_HAS_SORTS)

}  // namespace UPSWEEP_NAMESPACE::detail

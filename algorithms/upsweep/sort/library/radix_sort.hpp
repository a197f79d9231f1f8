// The radix sorts that are compiled into upsweep::cuda: a backend beside those of host/ and cuda/.
#pragma once
#include <type_traits>

#include <upsweep/c/radix_sort.h>
#include <upsweep/config.hpp>
#include <upsweep/executor.hpp>
#include <upsweep/library/bytes.hpp>
#include <upsweep/library/errors.hpp>
#include <upsweep/library/refuse.hpp>
#include <upsweep/library/scan.hpp>
#include <upsweep/sort/library/has.hpp>
#include <upsweep/sort/sort_task.hpp>

namespace UPSWEEP_NAMESPACE::library {

//! What C calls a key. A bool is a byte, of which a task's bits name one.
template <class Key>
inline constexpr int key_code = std::is_same_v<Key, bool> ? static_cast<int>(UPSWEEP_UINT8) : item_code<Key>;
template <class Key>
concept sorted_key = key_code<Key> != 0;

//! A sort by keys themselves, not by what is extracted.
template <class Key, class U, class ValuesIn, class Value>
using task_by_key = detail::sort_task<Key, detail::ordered_bits<detail::key_image<Key>, U>, ValuesIn, Value>;

template <class Task>
upsweep_radix_options options_of(const Task& task) {
  return {.descending = task.bits.flip != 0,
          .begin_bit = task.bits.mask ? task.begin_bit : 0,
          .end_bit = task.bits.mask ? task.end_bit : 0};
}
template <class Task>
upsweep_input keys_in(const Task& task) {
  return {.data = task.in, .size = task.n, .type = key_code<typename Task::item_type>};
}
template <class Task>
upsweep_output keys_out(const Task& task) {
  return {.data = task.out, .size = task.n, .type = key_code<typename Task::item_type>};
}

}  // namespace UPSWEEP_NAMESPACE::library

namespace UPSWEEP_NAMESPACE::detail {

template <library::sorted_key Key, class U>
void sort_items(device& executor, const library::task_by_key<Key, U, no_values, nothing>& task) {
  const upsweep_radix_options options = library::options_of(task);
  library::check(upsweep_radix_sort(executor.handle(), library::keys_in(task), library::keys_out(task), &options));
}
template <library::sorted_key Key, class U, library::moved_as_bytes V>
void sort_items(device& executor, const library::task_by_key<Key, U, values_of<V>, V>& task) {
  const upsweep_radix_options options = library::options_of(task);
  library::check(upsweep_radix_sort_by_key(executor.handle(), library::keys_in(task),
                                           library::bytes_of(task.values_in.values, task.n), library::keys_out(task),
                                           library::bytes_to(task.values_out, task.n), &options));
}
template <library::sorted_key Key, class U, class Index>
void sort_items(device& executor, const library::task_by_key<Key, U, own_index<Index>, Index>& task) {
  const upsweep_radix_options options = library::options_of(task);
  library::check(upsweep_radix_argsort(executor.handle(), library::keys_in(task),
                                       library::output_of(task.values_out, task.n), &options));
}
UPSWEEP_NOT_IN_LIBRARY(sort_items, UPSWEEP_LIBRARY_HAS_SORTS)

template <library::sorted_key Key, class U, class Offset>
void sort_segments(device& executor, const library::task_by_key<Key, U, no_values, nothing>& task,
                   const Offset* offsets, index_t segments) {
  const upsweep_radix_options options = library::options_of(task);
  library::check(upsweep_segmented_radix_sort(executor.handle(), library::keys_in(task),
                                              library::input_of(offsets, segments + 1), library::keys_out(task),
                                              &options));
}
template <library::sorted_key Key, class U, library::moved_as_bytes V, class Offset>
void sort_segments(device& executor, const library::task_by_key<Key, U, values_of<V>, V>& task, const Offset* offsets,
                   index_t segments) {
  const upsweep_radix_options options = library::options_of(task);
  library::check(upsweep_segmented_radix_sort_by_key(executor.handle(), library::keys_in(task),
                                                     library::bytes_of(task.values_in.values, task.n),
                                                     library::input_of(offsets, segments + 1), library::keys_out(task),
                                                     library::bytes_to(task.values_out, task.n), &options));
}
UPSWEEP_NOT_IN_LIBRARY(sort_segments, UPSWEEP_LIBRARY_HAS_SORTS)

}  // namespace UPSWEEP_NAMESPACE::detail

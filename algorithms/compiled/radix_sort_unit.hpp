// The instances of sorts by keys of one type.
#pragma once
#include <type_traits>

#include <upsweep/config.hpp>
#include <upsweep/quicksort.hpp>
#include <upsweep/radix_sort.hpp>

#include "radix_sort.hpp"

namespace UPSWEEP_NAMESPACE::compiled {

inline radix_options options_of(const sort_request& request) {
  return {.order = request.options.descending ? sort_order::descending : sort_order::ascending,
          .begin_bit = request.options.begin_bit,
          .end_bit = request.options.end_bit};
}
//! Of signed integers the sign is flipped, as radix_key does; here among what a descending sort flips.
template <class Bits>
void respect_sign(Bits& bits, const sort_request& request) {
  using U = typename Bits::bits_type;
  if (request.is_signed) bits.flip = static_cast<U>(bits.flip ^ detail::sign_bit<U>);
}
template <class T>
named_range<const T> range_of(const char* name, const upsweep_input& in) {
  return {static_cast<const T*>(in.data), in.size, name};
}
template <class T>
named_range<T> range_of(const char* name, const upsweep_output& out) {
  return {static_cast<T*>(out.data), out.size, name};
}

// ---------------------------------------------------------------- tasks, checked as the calls do
template <class Key>
auto task_of_keys(const sort_request& request) {
  auto by = detail::sort_by_key_of<Key>(options_of(request));
  respect_sign(by.bits, request);
  return detail::checked_keys(request.executor, range_of<Key>(request.in_name, request.keys_in),
                              range_of<Key>(request.out_name, request.keys_out), by);
}
template <class Key, class V>
auto task_of_pairs(const sort_request& request) {
  auto task = detail::checked_pairs(request.executor, range_of<Key>("keys_in", request.keys_in),
                                    range_of<Key>("keys_out", request.keys_out),
                                    detail::memory_values<V>{range_of<V>("values_in", request.values_in),
                                                             range_of<V>("values_out", request.values_out)},
                                    options_of(request));
  respect_sign(task.bits, request);
  return task;
}

template <class Key>
void sort_keys(const sort_request& request) {
  detail::sort_whole(request.executor, task_of_keys<Key>(request));
}
template <class Key, class V>
void sort_pairs(const sort_request& request) {
  detail::sort_whole(request.executor, task_of_pairs<Key, V>(request));
}
template <class Key, class Index>
void sort_indices(const sort_request& request) {
  auto by = detail::sort_by_key_of<Key>(options_of(request));
  respect_sign(by.bits, request);
  detail::sort_indices(request.executor, range_of<Key>("keys", request.keys_in),
                       range_of<Index>("indices", request.values_out), by);
}

// ---------------------------------------------------------------- segments
template <class Key, class Offset>
void sort_keys_of_segments(const sort_request& request) {
  const auto offsets = range_of<Offset>("offsets", request.offsets);
  const auto task = task_of_keys<Key>(request);
  detail::check_segment_offsets(request.executor, offsets, task.n, range_of<Key>("keys_out", request.keys_out));
  detail::sort_each(request.executor, task, offsets);
}
template <class Key, class V, class Offset>
void sort_pairs_of_segments(const sort_request& request) {
  const auto offsets = range_of<Offset>("offsets", request.offsets);
  const auto task = task_of_pairs<Key, V>(request);
  detail::check_segment_offsets(request.executor, offsets, task.n, range_of<Key>("keys_out", request.keys_out),
                                range_of<V>("values_out", request.values_out));
  detail::sort_each(request.executor, task, offsets);
}

// ---------------------------------------------------------------- numbers
template <class T>
void sort_floats(const sort_request& request) {
  const std::span<const T> in = items_of<T>(request.keys_in);
  const std::span<T> out = items_of<T>(request.keys_out);
  if (request.options.descending) quicksort(request.executor, in, out, std::greater<>{});
  else quicksort(request.executor, in, out);
}

}  // namespace UPSWEEP_NAMESPACE::compiled

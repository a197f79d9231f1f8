// Radix sort of keys, of keys with values, of indices by keys, and of segments. All are stable, descending ones too.
// Not a scan: keys are packed into 256 streams a digit by kernels of its own (sort/host/radix_sort.hpp,
// sort/cuda/radix_sort.hpp).
#pragma once
#include <type_traits>

#include <upsweep/checks.hpp>
#include <upsweep/config.hpp>
#include <upsweep/executor.hpp>
#include <upsweep/explain.hpp>
#include <upsweep/item_functions.hpp>
#include <upsweep/require.hpp>
#include <upsweep/segments.hpp>
#include <upsweep/sort/checks.hpp>
#include <upsweep/sort/host/radix_sort.hpp>
#include <upsweep/sort/sort_task.hpp>
#include <upsweep/stages.hpp>
#include <upsweep/user_functions.hpp>
#if UPSWEEP_HAS_CUDA
#include <upsweep/sort/cuda/radix_sort.hpp>
#elif UPSWEEP_HAS_LIBRARY
#include <upsweep/sort/library/radix_sort.hpp>
#endif

namespace UPSWEEP_NAMESPACE {

enum class sort_order { ascending, descending };

//! Sorts by bits [begin_bit, end_bit) of the unsigned integer that a key stands for (radix_key, or what the extractor
//! returns); −1: to its highest bit. With no bits a sort is a copy.
struct radix_options {
  static constexpr int all_bits = -1;
  sort_order order = sort_order::ascending;
  int begin_bit = 0;
  int end_bit = all_bits;
};

//! extract(item) -> unsigned integer, the item's key; or a pointer to a member that is one. Pure: it is called several
//! times an item.
template <class F, class Item>
concept key_extractor = !contiguous_range<F> && !std::is_same_v<F, radix_options> && std::is_invocable_v<F, Item>;

namespace detail {
// ---------------------------------------------------------------- a sort's parts
template <class Image, class U>
struct sort_by {
  ordered_bits<Image, U> bits;
  int begin_bit, end_bit;
};

template <class Image, class U>
sort_by<Image, U> sort_by_bits(const Image& image, int width, const radix_options& options) {
  const int end = options.end_bit == radix_options::all_bits ? width : options.end_bit;
  require(0 <= options.begin_bit && options.begin_bit <= end && end <= width, "options", ": bits ", options.begin_bit,
          " to ", end, " of a key of ", width, " bits");
  const U flip = options.order == sort_order::descending ? static_cast<U>(~U{0}) : U{0};
  if (options.begin_bit == end) return {{image, flip, U{0}}, 0, 1};  // all keys are equal
  return {{image, flip, static_cast<U>(~U{0})}, options.begin_bit, end};
}
template <class Key>
auto sort_by_key_of(const radix_options& options) {
  static_assert(radix_sortable<Key>, "no radix_key for this type: specialize it, or pass an extractor");
  return sort_by_bits<key_image<Key>, typename radix_key<Key>::bits_type>({}, radix_key<Key>::width, options);
}
template <class Item, class Extract>
auto sort_by_function(const Extract& extract, const radix_options& options) {
  static_assert(result_type_is_known<Extract>(), "write the return type of this __device__ lambda (-> unsigned)");
  using U = std::remove_cvref_t<std::invoke_result_t<Extract, Item>>;
  static_assert(std::is_unsigned_v<U> && !std::is_same_v<U, bool> && sizeof(U) <= 8,
                "an extractor returns an unsigned integer of 8 to 64 bits");
  return sort_by_bits<Extract, unsigned_of<sizeof(U)>>(extract, 8 * static_cast<int>(sizeof(U)), options);
}
//! By a function or by a pointer to a member.
template <class Item, class Extract>
auto sort_by_extract(const Extract& extract, const radix_options& options) {
  if constexpr (std::is_member_pointer_v<Extract>)
    return sort_by_function<Item>(item_function<Extract>{extract}, options);
  else return sort_by_function<Item>(extract, options);
}

template <class T>
struct memory_values {  // values that come from a range and go to another one (or the same)
  static_assert(sizeof(T) <= 64, "values have 1 to 64 bytes");
  named_range<const T> in;
  named_range<T> out;
};

// ---------------------------------------------------------------- checks
template <class Executor, class Offset, class... Written>
void check_segment_offsets(const Executor& executor, const named_range<Offset>& offsets, index_t n,
                           const Written&... written) {
  static_assert(std::is_integral_v<Offset> && sizeof(Offset) >= 4, "offsets are integers of 4 or 8 bytes");
  check_offsets(offsets);
  check_range(executor, offsets, offsets.size);
  (check_disjoint(offsets, offsets.size, written, n), ...);
}

// ---------------------------------------------------------------- to the backends
template <class Executor, class Task>
void sort_whole(Executor& executor, const Task& task) {
  if (task.n == 0) return;
  run_on_backend(executor, [&](auto& chosen) { sort_items(chosen, task); });
}
template <class Executor, class Task, class Offset>
void sort_each(Executor& executor, const Task& task, const named_range<Offset>& offsets) {
  if (task.n == 0 || offsets.size < 2) return;
  run_on_backend(executor, [&](auto& chosen) { sort_segments(chosen, task, offsets.data, offsets.size - 1); });
}

template <class Value, class Item, class ValuesIn, class By>
auto task_of(const named_range<const Item>& in, Item* out, const ValuesIn& values_in, Value* values_out, const By& by) {
  return sort_task<Item, decltype(by.bits), ValuesIn, Value>{.in = in.data,
                                                             .out = out,
                                                             .values_in = values_in,
                                                             .values_out = values_out,
                                                             .n = in.size,
                                                             .bits = by.bits,
                                                             .begin_bit = by.begin_bit,
                                                             .end_bit = by.end_bit};
}
template <class Item, class By>
auto keys_task(const named_range<const Item>& in, const named_range<Item>& out, const By& by) {
  return task_of<nothing>(in, out.data, no_values{}, nullptr, by);
}
template <class Item, class T, class By>
auto pairs_task(const named_range<const Item>& in, const named_range<Item>& out, const memory_values<T>& values,
                const By& by) {
  return task_of(in, out.data, values_of<T>{values.in.data}, values.out.data, by);
}

template <class Executor, class Item, class By>
auto checked_keys(const Executor& executor, const named_range<const Item>& in, const named_range<Item>& out,
                  const By& by) {
  check_pair(executor, in, out, in.size);
  return keys_task(in, out, by);
}
template <class Executor, class Key, class T>
auto checked_pairs(const Executor& executor, const named_range<const Key>& keys_in, const named_range<Key>& keys_out,
                   const memory_values<T>& values, const radix_options& options) {
  const index_t n = keys_in.size;
  const auto by = sort_by_key_of<Key>(options);
  check_same_size(keys_in, values.in);
  check_pair(executor, keys_in, keys_out, n);
  check_pair(executor, values.in, values.out, n);
  check_disjoint(keys_in, n, values.out, n);
  check_disjoint(values.in, n, keys_out, n);
  check_disjoint(keys_out, n, values.out, n);
  return pairs_task(keys_in, keys_out, values, by);
}
}  // namespace detail

// ---------------------------------------------------------------- keys
//! Sorts n keys into keys_out, which must hold n and may be exactly keys_in. On a device two reads and a write for
//! every eight bits that split more keys than a CTA holds, and a read and a write at the end: 32 bytes for each of 2^28
//! random keys of 32 bits. Needs as much memory again as the keys, and on a device 11 % of their bytes for counts (5 %
//! of keys of 64 bits, 40 % of 8). Does not wait on a device. Throws std::invalid_argument, std::bad_alloc, cuda_error.
//! Method: most significant digits first until what is left fits a cache or a CTA (Stehle and Jacobsen 2017), which
//! sorts it. Up to a million keys or so of 32 and 64 bits a device sorts in shares, in one launch, with two reads and
//! two writes, however they crowd (regular sampling: Shi and Schaeffer 1992). A host with AVX2 or AVX-512 sorts keys of
//! 4 and 8 bytes by a quicksort in vector registers, down to networks (Bramas 2017; Blacher et al. 2022), and up to
//! half a million keys of 2 bytes as words of 4, with 8 bytes a key of memory; more of them, and bytes, every host
//! counts: one read and one write. Keys that are in order already it only reads and copies.
//!   upsweep::radix_sort(exec, keys_in, keys_out, {.order = upsweep::sort_order::descending});
template <executor Executor, contiguous_range In, contiguous_range Out>
void radix_sort(Executor&& executor, const In& keys_in, Out&& keys_out, const radix_options& options = {}) {
  detail::sort_whole(executor,
                     detail::checked_keys(executor, detail::input("keys_in", keys_in), UPSWEEP_OUTPUT(keys_out),
                                          detail::sort_by_key_of<element_t<Out>>(options)));
}
//! Sorts keys in place.
//!   upsweep::radix_sort(exec, keys);
template <executor Executor, contiguous_range Keys>
void radix_sort(Executor&& executor, Keys&& keys, const radix_options& options = {}) {
  const auto range = UPSWEEP_OUTPUT(keys);
  detail::sort_whole(executor, detail::checked_keys(executor, detail::as_input(range), range,
                                                    detail::sort_by_key_of<element_t<Keys>>(options)));
}

//! Sorts items of any trivially copyable type, up to 64 bytes, by the unsigned integer that extract(item) returns.
//! `out` must hold as many as `in` and may be exactly `in`. What an extractor throws on the host reaches the caller;
//! what was being sorted is then unspecified. Otherwise as radix_sort of keys.
//!   upsweep::radix_sort(exec, orders, orders, [](const order& o) { return o.customer; });
template <executor Executor, contiguous_range In, contiguous_range Out, key_extractor<element_t<In>> Extract>
void radix_sort(Executor&& executor, const In& in, Out&& out, const Extract& extract,
                const radix_options& options = {}) {
  detail::check_runs_on<Executor, Extract, element_t<const In>>();
  detail::sort_whole(executor, detail::checked_keys(executor, detail::input("in", in), UPSWEEP_OUTPUT(out),
                                                    detail::sort_by_extract<element_t<Out>>(extract, options)));
}
template <executor Executor, contiguous_range Items, key_extractor<element_t<Items>> Extract>
void radix_sort(Executor&& executor, Items&& items, const Extract& extract, const radix_options& options = {}) {
  detail::check_runs_on<Executor, Extract, element_t<Items>>();
  const auto range = UPSWEEP_OUTPUT(items);
  detail::sort_whole(executor, detail::checked_keys(executor, detail::as_input(range), range,
                                                    detail::sort_by_extract<element_t<Items>>(extract, options)));
}

// ---------------------------------------------------------------- keys with values
//! Sorts keys, and moves each key's value with it: any trivially copyable type of 1 to 64 bytes. Values are as many as
//! keys; keys_out and values_out must hold as many, and may be exactly keys_in and values_in. Costs what radix_sort
//! does, with the values' bytes. Otherwise as radix_sort.
template <executor Executor, contiguous_range KeysIn, contiguous_range ValuesIn, contiguous_range KeysOut,
          contiguous_range ValuesOut>
void radix_sort_by_key(Executor&& executor, const KeysIn& keys_in, const ValuesIn& values_in, KeysOut&& keys_out,
                       ValuesOut&& values_out, const radix_options& options = {}) {
  const detail::memory_values<element_t<ValuesOut>> values{detail::input("values_in", values_in),
                                                           UPSWEEP_OUTPUT(values_out)};
  detail::sort_whole(executor, detail::checked_pairs(executor, detail::input("keys_in", keys_in),
                                                     UPSWEEP_OUTPUT(keys_out), values, options));
}
//! The same in place.
//!   upsweep::radix_sort_by_key(exec, keys, values);
template <executor Executor, contiguous_range Keys, contiguous_range Values>
void radix_sort_by_key(Executor&& executor, Keys&& keys, Values&& values, const radix_options& options = {}) {
  const auto range = UPSWEEP_OUTPUT(keys);
  const auto moved = UPSWEEP_OUTPUT(values);
  detail::sort_whole(executor, detail::checked_pairs(
                                   executor, detail::as_input(range), range,
                                   detail::memory_values<element_t<Values>>{detail::as_input(moved), moved}, options));
}

namespace detail {
template <class Executor, class Item, class Index, class By>
void sort_indices(Executor& executor, const named_range<const Item>& items, const named_range<Index>& indices,
                  const By& by) {
  static_assert(std::is_integral_v<Index> && sizeof(Index) >= 4, "indices are integers of 4 or 8 bytes");
  static_assert(std::is_trivially_copyable_v<Item> && sizeof(Item) <= 64,
                "items are trivially copyable, of 1 to 64 bytes");
  const index_t n = items.size;
  check_range(executor, items, n);
  check_range(executor, indices, n);
  check_disjoint(items, n, indices, n);
  require(n == 0 || can_hold<Index>(n - 1), "indices", ": its type cannot hold the position ", n - 1);
  sort_whole(executor, task_of<Index>(items, static_cast<Item*>(nullptr), own_index<Index>{}, indices.data, by));
}
}  // namespace detail

//! Writes where the keys stand, in the order of a sort of them: keys[indices[0]] is the first. The keys stay as they
//! are. `indices` (4- or 8-byte integers that can hold n) must hold as many as keys. Otherwise as radix_sort_by_key.
//!   upsweep::radix_argsort(exec, keys, indices);
template <executor Executor, contiguous_range Keys, contiguous_range Indices>
void radix_argsort(Executor&& executor, const Keys& keys, Indices&& indices, const radix_options& options = {}) {
  detail::sort_indices(executor, detail::input("keys", keys), UPSWEEP_OUTPUT(indices),
                       detail::sort_by_key_of<element_t<const Keys>>(options));
}
//! The same of items of any trivially copyable type, up to 64 bytes, by the unsigned integer that extract(item)
//! returns, which is called several times an item.
//!   upsweep::radix_argsort(exec, orders, indices, [](const order& o) { return o.customer; });
template <executor Executor, contiguous_range Items, contiguous_range Indices,
          key_extractor<element_t<const Items>> Extract>
void radix_argsort(Executor&& executor, const Items& items, Indices&& indices, const Extract& extract,
                   const radix_options& options = {}) {
  detail::check_runs_on<Executor, Extract, element_t<const Items>>();
  detail::sort_indices(executor, detail::input("items", items), UPSWEEP_OUTPUT(indices),
                       detail::sort_by_extract<element_t<const Items>>(extract, options));
}

// ---------------------------------------------------------------- segments
//! Sorts every segment [offsets[s], offsets[s + 1]) of the keys by itself. `offsets` (4- or 8-byte integers in the
//! executor's memory, ascending) has one entry more than there are segments. Keys outside all segments are not written.
//! Offsets that are wrong leave the keys in an unspecified order; nothing outside the ranges is read or written. On a
//! device a read and a write for keys of segments of up to some 4,000, two of each where keys of more than 256 crowd,
//! and the offsets' bytes; memory for a quarter more than the keys. Otherwise as radix_sort.
template <executor Executor, contiguous_range In, offset_positions Offsets, contiguous_range Out>
void segmented_radix_sort(Executor&& executor, const In& keys_in, const Offsets& offsets, Out&& keys_out,
                          const radix_options& options = {}) {
  const auto from = detail::input("keys_in", keys_in);
  const auto to = UPSWEEP_OUTPUT(keys_out);
  const auto bounds = detail::positions_of(offsets);
  const auto by = detail::sort_by_key_of<element_t<Out>>(options);
  detail::check_pair(executor, from, to, from.size);
  detail::check_segment_offsets(executor, bounds, from.size, to);
  detail::sort_each(executor, detail::keys_task(from, to, by), bounds);
}
//! The same in place.
//!   upsweep::segmented_radix_sort(exec, keys, offsets);
template <executor Executor, contiguous_range Keys, offset_positions Offsets>
void segmented_radix_sort(Executor&& executor, Keys&& keys, const Offsets& offsets, const radix_options& options = {}) {
  const auto range = UPSWEEP_OUTPUT(keys);
  const auto bounds = detail::positions_of(offsets);
  const auto by = detail::sort_by_key_of<element_t<Keys>>(options);
  detail::check_pair(executor, detail::as_input(range), range, range.size);
  detail::check_segment_offsets(executor, bounds, range.size, range);
  detail::sort_each(executor, detail::keys_task(detail::as_input(range), range, by), bounds);
}
namespace detail {
template <class Executor, class Key, class T, class Offset>
void sort_pairs_of_segments(Executor& executor, const named_range<const Key>& keys_in, const named_range<Key>& keys_out,
                            const memory_values<T>& values, const named_range<Offset>& offsets,
                            const radix_options& options) {
  const auto task = checked_pairs(executor, keys_in, keys_out, values, options);
  check_segment_offsets(executor, offsets, keys_in.size, keys_out, values.out);
  sort_each(executor, task, offsets);
}
}  // namespace detail

//! Sorts every segment of keys, and moves each key's value with it (radix_sort_by_key). keys_out and values_out may be
//! exactly keys_in and values_in. Otherwise as segmented_radix_sort; values outside all segments are not written.
//!   upsweep::segmented_radix_sort_by_key(exec, keys_in, values_in, offsets, keys_out, values_out);
template <executor Executor, contiguous_range KeysIn, contiguous_range ValuesIn, offset_positions Offsets,
          contiguous_range KeysOut, contiguous_range ValuesOut>
void segmented_radix_sort_by_key(Executor&& executor, const KeysIn& keys_in, const ValuesIn& values_in,
                                 const Offsets& offsets, KeysOut&& keys_out, ValuesOut&& values_out,
                                 const radix_options& options = {}) {
  detail::sort_pairs_of_segments(
      executor, detail::input("keys_in", keys_in), UPSWEEP_OUTPUT(keys_out),
      detail::memory_values<element_t<ValuesOut>>{detail::input("values_in", values_in), UPSWEEP_OUTPUT(values_out)},
      detail::positions_of(offsets), options);
}
//! The same in place.
//!   upsweep::segmented_radix_sort_by_key(exec, keys, values, offsets);
template <executor Executor, contiguous_range Keys, contiguous_range Values, offset_positions Offsets>
void segmented_radix_sort_by_key(Executor&& executor, Keys&& keys, Values&& values, const Offsets& offsets,
                                 const radix_options& options = {}) {
  const auto range = UPSWEEP_OUTPUT(keys);
  const auto moved = UPSWEEP_OUTPUT(values);
  detail::sort_pairs_of_segments(executor, detail::as_input(range), range,
                                 detail::memory_values<element_t<Values>>{detail::as_input(moved), moved},
                                 detail::positions_of(offsets), options);
}
UPSWEEP_EXPLAIN(radix_sort,
                "radix_sort(executor, keys, options) or radix_sort(executor, keys_in, keys_out, options), with a "
                "function that extracts keys in front of the options")
UPSWEEP_EXPLAIN(radix_sort_by_key,
                "radix_sort_by_key(executor, keys, values, options) or radix_sort_by_key(executor, keys_in, values_in, "
                "keys_out, values_out, options)")
UPSWEEP_EXPLAIN(
    radix_argsort,
    "radix_argsort(executor, keys, indices, options), with a function that extracts keys in front of the options")
UPSWEEP_EXPLAIN(segmented_radix_sort,
                "segmented_radix_sort(executor, keys, offsets, options) or segmented_radix_sort(executor, keys_in, "
                "offsets, keys_out, options)")
UPSWEEP_EXPLAIN(segmented_radix_sort_by_key,
                "segmented_radix_sort_by_key(executor, keys, values, offsets, options) or "
                "segmented_radix_sort_by_key(executor, keys_in, values_in, offsets, keys_out, values_out, options)")

}  // namespace UPSWEEP_NAMESPACE

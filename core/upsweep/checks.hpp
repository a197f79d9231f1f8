// The preconditions of every call, checked in one place before anything is written: sizes, null pointers, the kind of
// memory, overlaps. Each error names the argument.
#pragma once
#include <cstdint>

#include <upsweep/config.hpp>
#include <upsweep/require.hpp>
#include <upsweep/stages.hpp>

namespace UPSWEEP_NAMESPACE::detail {

//! Throws std::invalid_argument unless the range can hold n items in memory that the executor reaches.
template <class Executor, class T>
void check_range(const Executor& executor, const named_range<T>& range, index_t n) {
  require(range.size >= n, range.name, "has ", range.size, " items, needs ", n);
  if (n == 0) return;
  require(range.data != nullptr, range.name, "is a null pointer with a size");
  require(reinterpret_cast<std::uintptr_t>(range.data) % alignof(T) == 0, range.name, "is not aligned to its type");
  executor.check_memory(range.data, range.name);
}

//! Throws std::invalid_argument unless a result can be written to the executor's memory.
template <class Executor, class T>
void check_result(const Executor& executor, const char* name, const T* result) {
  require(result != nullptr, name, "is a null pointer");
  executor.check_memory(result, name);
}

//! Throws std::invalid_argument unless two ranges have the same size.
template <class A, class B>
void check_same_size(const named_range<A>& a, const named_range<B>& b) {
  require(a.size == b.size, a.name, "has ", a.size, " items, ", b.name, " has ", b.size);
}

// n items from `begin` on. Uses of memory in a sweep differ in what may lie on top of what.
struct extent {
  std::uintptr_t begin;
  std::uintptr_t bytes;
  std::size_t item;
  const char* name;
};
template <class T>
extent extent_of(const named_range<T>& range, index_t n) {
  return {reinterpret_cast<std::uintptr_t>(range.data), static_cast<std::uintptr_t>(n) * sizeof(T), sizeof(T),
          range.name};
}
inline bool overlap(const extent& a, const extent& b) {
  return a.bytes && b.bytes && a.begin < b.begin + b.bytes && b.begin < a.begin + a.bytes;
}
[[noreturn]] inline void refuse_overlap(const extent& a, const extent& b, const char* why) {
  refuse(a.name, "overlaps ", b.name, why);
}
// A sweep may write where it reads if every item lies exactly where its result goes.
inline void check_in_place(const extent& read, const extent& written, bool may_be_same) {
  if (!overlap(read, written)) return;
  const bool same = read.begin == written.begin && read.item == written.item;
  if (!same) refuse_overlap(written, read, ": it must be the same range or a disjoint one");
  if (!may_be_same) refuse_overlap(written, read, ", whose items are still needed: it must be a disjoint range");
}

template <class F, class... Cs, std::size_t... I>
void for_each_element(const tuple<Cs...>& t, const F& f, std::index_sequence<I...>) {
  (f(get<I>(t)), ...);
}
template <class F, class... Cs>
void for_each_element(const tuple<Cs...>& t, const F& f) {
  for_each_element(t, f, std::index_sequence_for<Cs...>{});
}
//! How many rows there are. Throws std::invalid_argument unless all ranges have as many items.
template <class... Cs>
index_t row_count(const load_stage<Cs...>& load) {
  static_assert((Cs::in_memory || ...),
                "upsweep: one of the columns must be a range, whose size is the number of rows");
  named_range<const char> first{nullptr, 0, nullptr};
  for_each_element(load.columns, [&](const auto& column) {
    if constexpr (std::remove_cvref_t<decltype(column)>::in_memory) {
      if (!first.name) first = {nullptr, column.range.size, column.range.name};
      check_same_size(first, column.range);
    }
  });
  return first.size;
}

// Do a store's streams lie one behind another in one range?
template <class Store>
bool shares_range([[maybe_unused]] const Store& store) {
  if constexpr (is_packed_v<Store>) {
    return store.lengths != nullptr;
  } else {
    return false;
  }
}
// f(range) for every range that is written, once: streams that share theirs name them in the first.
template <class F, class Store>
void for_each_output(const Store& store, const F& f) {
  if constexpr (is_dense_v<Store>) f(store.range);
  if constexpr (is_packed_v<Store>) {
    int seen = 0;
    for_each_element(store.ranges, [&](const auto& range) {
      if (seen++ < Store::columns || !shares_range(store)) f(range);
    });
  }
}

//! Is a value one of an integer type's?
template <class Index>
bool can_hold(index_t value) {
  return static_cast<index_t>(static_cast<Index>(value)) == value;
}

//! Throws std::invalid_argument when a range that is written lies on top of another range.
template <class A, class B>
void check_disjoint(const named_range<A>& other, index_t other_size, const named_range<B>& written, index_t n,
                    const char* why = ": it must be a disjoint range") {
  const extent a = extent_of(other, other_size), b = extent_of(written, n);
  if (overlap(a, b)) refuse_overlap(b, a, why);
}

//! Throws std::invalid_argument unless there is an offset: it takes one more than there are segments.
template <class T>
void check_offsets(const named_range<T>& offsets, const char* segments = "there are segments") {
  require(offsets.size > 0, offsets.name, "is empty, needs one entry more than ", segments);
}
//! Throws std::invalid_argument unless a range has an item for every segment.
template <class A, class B>
void check_one_each(const named_range<A>& offsets, const named_range<B>& range) {
  require(range.size == offsets.size - 1, range.name, "has ", range.size, " items, ", offsets.name, " ", offsets.size,
          ": ", offsets.name, " needs one more than ", range.name);
}

//! Checks a whole sweep of n items.
template <class Executor, class Load, class Store>
void check_sweep(const Executor& executor, index_t n, const Load& load, const Store& store) {
  require(n >= 0, "n", "is ", n, ", must not be negative");
  constexpr bool packed = is_packed_v<Store>;
  const bool one_range = shares_range(store);
  for_each_element(load.columns, [&](const auto& column) {
    using column_type = std::remove_cvref_t<decltype(column)>;
    if constexpr (column_type::in_memory) {
      check_range(executor, column.range, n);
      for_each_output(store, [&](const auto& out) {
        check_in_place(extent_of(column.range, n), extent_of(out, n), packed ? !one_range : !column_type::has_previous);
      });
    }
  });
  for_each_output(store, [&](const auto& out) {
    check_range(executor, out, n);
    for_each_output(store, [&](const auto& other) {
      const auto a = extent_of(out, n), b = extent_of(other, n);
      if (static_cast<const void*>(&out) != static_cast<const void*>(&other) && overlap(a, b))
        refuse_overlap(a, b, ": outputs must be disjoint");
    });
  });
}

}  // namespace UPSWEEP_NAMESPACE::detail

// What is there, and where: the first item for which something holds, how many, and two ranges side by side. On a host
// a search stops where it ends; on a device it is one reduction of everything.
//
// What is searched is a range, or several columns in step, contiguous(a, b, …): then a predicate takes (a, b, …) or an
// upsweep::tuple. It may be asked of items behind the one that is found.
#pragma once
#include <algorithm>
#include <concepts>
#include <cstddef>
#include <type_traits>
#include <utility>

#include <upsweep/checks.hpp>
#include <upsweep/columns.hpp>
#include <upsweep/comparisons.hpp>
#include <upsweep/config.hpp>
#include <upsweep/explain.hpp>
#include <upsweep/for_each_index.hpp>
#include <upsweep/item_functions.hpp>
#include <upsweep/reduce.hpp>
#include <upsweep/require.hpp>
#include <upsweep/scan.hpp>
#include <upsweep/search/host/ask.hpp>
#include <upsweep/segments.hpp>
#if UPSWEEP_HAS_LIBRARY
#include <upsweep/search/library/count.hpp>
#endif

namespace UPSWEEP_NAMESPACE {

namespace detail {
#if UPSWEEP_HAS_CUDA
template <class Predicate>
struct one_if {
  Predicate predicate;
  UPSWEEP_CALLS_USER
  template <class Item>
  UPSWEEP_HD index_t operator()(const Item& item) const {
    return call_with(predicate, item) ? 1 : 0;
  }
};
//! An item of which the index is the last column: that index where the predicate holds of the others.
template <class Predicate>
struct index_where {
  Predicate predicate;
  index_t otherwise;
  UPSWEEP_CALLS_USER
  template <class... Ts>
  UPSWEEP_HD index_t operator()(const tuple<Ts...>& item) const {
    constexpr std::size_t columns = sizeof...(Ts) - 1;
    return holds(item, std::make_index_sequence<columns>{}) ? get<columns>(item) : otherwise;
  }

 private:
  UPSWEEP_CALLS_USER
  template <class Item, std::size_t... I>
  UPSWEEP_HD bool holds(const Item& item, std::index_sequence<I...>) const {
    if constexpr (sizeof...(I) == 1) return static_cast<bool>(call_with(predicate, get<0>(item)));
    else return static_cast<bool>(call_with(predicate, upsweep::make_tuple(get<I>(item)...)));
  }
};
//! What is done with the smallest of such indices.
template <class Finish>
struct finish_search {
  Finish finish;
  index_t n;
  template <class Item>
  UPSWEEP_HD void operator()(const Item&, index_t first) const {
    finish(first);
  }
  UPSWEEP_HD void empty(index_t) const { finish(n); }
};
template <class Load, class Predicate, class Finish>
void first_where(device& executor, index_t n, const Load& load, const Predicate& predicate, const Finish& finish) {
  scan_then(executor, n, contiguous(load, indices()), index_where<Predicate>{predicate, n}, minimum<index_t>{}, discard,
            finish_search<Finish>{finish, n});
}
template <class Load, class Predicate>
void count_where(device& executor, index_t n, const Load& load, const Predicate& predicate, index_t* count) {
  scan(executor, n, load, one_if<Predicate>{predicate}, plus<index_t>{}, discard, count);
}
#endif

template <class Executor, class Load>
void check_columns(const Executor& executor, index_t n, const Load& load) {
  for_each_element(load.columns, [&](const auto& column) {
    if constexpr (std::remove_cvref_t<decltype(column)>::in_memory) check_range(executor, column.range, n);
  });
}
// finish(index) is called once where the executor works.
template <class Executor, class Load, class Predicate, class Finish>
void search(Executor& executor, index_t n, const Load& load, const Predicate& predicate, const Finish& finish) {
  check_columns(executor, n, load);
  run_on_backend(executor, [&](auto& chosen) { first_where(chosen, n, load, predicate, finish); });
}

struct write_position {
  index_t* position;
  UPSWEEP_HD void operator()(index_t first) const { *position = first; }
};
struct write_whether {
  int* result;
  index_t expected;
  UPSWEEP_HD void operator()(index_t first) const { *result = first == expected ? 1 : 0; }
};
//! The order of two ranges whose first difference is known.
template <class A, class B>
struct write_order {
  int* order;
  const A* a;
  const B* b;
  index_t a_size, b_size;
  UPSWEEP_HD void operator()(index_t first) const {
    if (first < a_size && first < b_size) *order = a[first] < b[first] ? -1 : 1;
    else *order = a_size < b_size ? -1 : a_size > b_size ? 1 : 0;
  }
};

template <class Equal>
struct differ {
  static_assert(result_type_is_known<Equal>(), "write the return type of this __device__ lambda (-> bool)");
  Equal equal;
  UPSWEEP_CALLS_USER
  template <class A, class B>
  UPSWEEP_HD bool operator()(const A& a, const B& b) const {
    return !equal(a, b);
  }
};
template <class Equal, class A, class B>
concept equality_between =
    contiguous_range<A> && contiguous_range<B> &&
    std::is_invocable_r_v<bool, const Equal&, const element_t<const A>&, const element_t<const B>&>;

// The first difference among the first n items of either.
template <class Executor, class A, class B, class Equal, class Finish>
void search_difference(Executor& executor, index_t n, const named_range<A>& a, const named_range<B>& b,
                       const Equal& equal, const Finish& finish) {
  check_runs_on<Executor, Equal, std::remove_const_t<A>, std::remove_const_t<B>>();
  check_range(executor, a, a.size);
  check_range(executor, b, b.size);
  search(executor, n, contiguous(part_of(a, 0, n), part_of(b, 0, n)), differ<Equal>{equal}, finish);
}
}  // namespace detail

//! *position = the smallest i for which predicate(in[i]) holds, or n; in the executor's memory. Costs one read of in:
//! on a host up to that item, and of what its threads read meanwhile. Does not wait. Throws std::invalid_argument,
//! cuda_error.
template <executor Executor, row_source In, class Predicate>
void find_if(Executor&& executor, const In& in, Predicate predicate, index_t* position) {
  static_assert(detail::result_type_is_known<Predicate>(), "write the return type of this __device__ lambda (-> bool)");
  const auto from = detail::rows_from<"in">(in);
  detail::check_runs_on<Executor, Predicate, typename decltype(from)::item_type>();
  detail::check_result(executor, "position", position);
  detail::search(executor, detail::row_count(from), from, predicate, detail::write_position{position});
}
//! The same; returns the position, and waits for it.
//!   std::int64_t at = upsweep::find_if(exec, in, is_negative{});
template <executor Executor, row_source In, class Predicate>
index_t find_if(Executor&& executor, const In& in, Predicate predicate) {
  return executor.template returned<index_t>([&](index_t* position) { find_if(executor, in, predicate, position); });
}
UPSWEEP_EXPLAIN(find_if, "find_if(executor, in, predicate), or with a pointer of type index_t* behind for the position")

//! *count = of how many items predicate(item) holds. Costs one read of in. Otherwise as find_if.
template <executor Executor, row_source In, class Predicate>
void count_if(Executor&& executor, const In& in, Predicate predicate, index_t* count) {
  static_assert(detail::result_type_is_known<Predicate>(), "write the return type of this __device__ lambda (-> bool)");
  const auto from = detail::rows_from<"in">(in);
  const index_t n = detail::row_count(from);
  detail::check_runs_on<Executor, Predicate, typename decltype(from)::item_type>();
  detail::check_result(executor, "count", count);
  detail::check_columns(executor, n, from);
  detail::run_on_backend(executor, [&](auto& chosen) { detail::count_where(chosen, n, from, predicate, count); });
}
//! The same; returns the count, and waits for it.
//!   std::int64_t lines = upsweep::count_if(exec, text, is_newline{});
template <executor Executor, row_source In, class Predicate>
index_t count_if(Executor&& executor, const In& in, Predicate predicate) {
  return executor.template returned<index_t>([&](index_t* count) { count_if(executor, in, predicate, count); });
}
UPSWEEP_EXPLAIN(count_if, "count_if(executor, in, predicate), or with a pointer of type index_t* behind for the count")

//! *position = the smallest i for which equal(a[i], b[i]) does not hold (==), or the size of the shorter range. Costs
//! one read of both, on a host up to there. Otherwise as find_if.
template <executor Executor, contiguous_range A, contiguous_range B, detail::equality_between<A, B> Equal>
void mismatch(Executor&& executor, const A& a, const B& b, Equal equal, index_t* position) {
  const auto first = detail::input("a", a);
  const auto second = detail::input("b", b);
  detail::check_result(executor, "position", position);
  detail::search_difference(executor, std::min(first.size, second.size), first, second, equal,
                            detail::write_position{position});
}
template <executor Executor, contiguous_range A, contiguous_range B>
void mismatch(Executor&& executor, const A& a, const B& b, index_t* position) {
  mismatch(executor, a, b, equal_to<>{}, position);
}
//! The same; returns the position, and waits for it.
//!   std::int64_t at = upsweep::mismatch(exec, before, after);
template <executor Executor, contiguous_range A, contiguous_range B, detail::equality_between<A, B> Equal = equal_to<>>
index_t mismatch(Executor&& executor, const A& a, const B& b, Equal equal = {}) {
  return executor.template returned<index_t>([&](index_t* position) { mismatch(executor, a, b, equal, position); });
}
UPSWEEP_EXPLAIN(mismatch, "mismatch(executor, a, b, equal), or with a pointer of type index_t* behind for the position")

//! *result = 1 if both have the same size and equal(a[i], b[i]) holds for all i (==), otherwise 0. Ranges of different
//! sizes are not read. Otherwise as mismatch.
template <executor Executor, contiguous_range A, contiguous_range B, detail::equality_between<A, B> Equal>
void equal(Executor&& executor, const A& a, const B& b, Equal equal, int* result) {
  const auto first = detail::input("a", a);
  const auto second = detail::input("b", b);
  detail::check_result(executor, "result", result);
  detail::search_difference(executor, first.size == second.size ? first.size : 0, first, second, equal,
                            detail::write_whether{result, std::max(first.size, second.size)});
}
template <executor Executor, contiguous_range A, contiguous_range B>
void equal(Executor&& executor, const A& a, const B& b, int* result) {
  upsweep::equal(executor, a, b, equal_to<>{}, result);
}
//! The same; returns the answer, and waits for it.
//!   bool same = upsweep::equal(exec, ours, theirs);
template <executor Executor, contiguous_range A, contiguous_range B, detail::equality_between<A, B> Equal = equal_to<>>
bool equal(Executor&& executor, const A& a, const B& b, Equal equal = {}) {
  return executor.template returned<int>([&](int* result) { upsweep::equal(executor, a, b, equal, result); }) == 1;
}
UPSWEEP_EXPLAIN(equal, "equal(executor, a, b, equal), or with a pointer of type int* behind for the answer")

//! *order = −1, 0 or 1: does a stand before b, are they equal, does it stand behind? As words in a dictionary: the
//! first difference (by ==) decides, by <; where there is none, the shorter one stands first. Otherwise as mismatch.
template <executor Executor, contiguous_range A, contiguous_range B>
void compare(Executor&& executor, const A& a, const B& b, int* order) {
  using First = element_t<const A>;
  using Second = element_t<const B>;
  detail::check_order_runs_on<Executor, First>();
  const auto first = detail::input("a", a);
  const auto second = detail::input("b", b);
  detail::check_result(executor, "order", order);
  detail::search_difference(
      executor, std::min(first.size, second.size), first, second, equal_to<>{},
      detail::write_order<First, Second>{
          .order = order, .a = first.data, .b = second.data, .a_size = first.size, .b_size = second.size});
}
//! The same; returns the order, and waits for it.
//!   if (upsweep::compare(exec, a, b) < 0) …
template <executor Executor, contiguous_range A, contiguous_range B>
int compare(Executor&& executor, const A& a, const B& b) {
  return executor.template returned<int>([&](int* order) { compare(executor, a, b, order); });
}
UPSWEEP_EXPLAIN(compare, "compare(executor, a, b), or with a pointer of type int* behind for the order")

//! *result = 1 if text begins with all of prefix (==), otherwise 0. Otherwise as mismatch.
template <executor Executor, contiguous_range Text, contiguous_range Prefix>
void starts_with(Executor&& executor, const Text& text, const Prefix& prefix, int* result) {
  const auto whole = detail::input("text", text);
  const auto start = detail::input("prefix", prefix);
  detail::check_result(executor, "result", result);
  detail::search_difference(executor, start.size <= whole.size ? start.size : 0, whole, start, equal_to<>{},
                            detail::write_whether{result, start.size});
}
//! The same; returns the answer, and waits for it.
template <executor Executor, contiguous_range Text, contiguous_range Prefix>
bool starts_with(Executor&& executor, const Text& text, const Prefix& prefix) {
  return executor.template returned<int>([&](int* result) { starts_with(executor, text, prefix, result); }) == 1;
}

namespace detail {
template <class T, class Prefix, class Offset, class Flag>
struct string_starts_with {
  const T* text;
  index_t text_size;
  const Offset* offsets;
  const Prefix* prefix;
  index_t prefix_size;
  Flag* flags;
  UPSWEEP_HD void operator()(index_t s) const {
    const auto begin = static_cast<index_t>(offsets[s]), end = static_cast<index_t>(offsets[s + 1]);
    bool same = 0 <= begin && begin <= end && end <= text_size && end - begin >= prefix_size;
    for (index_t k = 0; same && k < prefix_size; k++) same = text[begin + k] == prefix[k];
    flags[s] = static_cast<Flag>(same);
  }
};
}  // namespace detail
//! Of many strings, one behind another in text: flags[s] = does string s, [offsets[s], offsets[s + 1]), begin with
//! prefix? There is one offset more than flags; strings that do not lie in text do not. Costs a read of the offsets and
//! of as much of each string as agrees, by one thread a string, and a write of the flags. Does not wait.
//!   upsweep::starts_with(exec, text, upsweep::offsets(starts), std::string_view("http"), flags);
template <executor Executor, contiguous_range Text, class Offset, contiguous_range Prefix, contiguous_range Flags>
void starts_with(Executor&& executor, const Text& text, const offsets_range<Offset>& strings, const Prefix& prefix,
                 Flags&& flags) {
  using T = element_t<const Text>;
  using P = element_t<const Prefix>;
  const auto whole = detail::input("text", text);
  const auto start = detail::input("prefix", prefix);
  const auto to = UPSWEEP_OUTPUT(flags);
  const auto& bounds = strings.range;
  detail::check_offsets(bounds, "there are strings");
  detail::check_one_each(bounds, to);
  detail::check_range(executor, whole, whole.size);
  detail::check_range(executor, bounds, bounds.size);
  detail::check_range(executor, start, start.size);
  detail::check_range(executor, to, to.size);
  detail::check_disjoint(whole, whole.size, to, to.size);
  detail::check_disjoint(bounds, bounds.size, to, to.size);
  detail::check_disjoint(start, start.size, to, to.size);
  using string = detail::string_starts_with<T, P, Offset, element_t<Flags>>;
  for_each_index(executor, to.size,
                 string{.text = whole.data,
                        .text_size = whole.size,
                        .offsets = bounds.data,
                        .prefix = start.data,
                        .prefix_size = start.size,
                        .flags = to.data},
                 index_t{1} << 12);
}
UPSWEEP_EXPLAIN(starts_with,
                "starts_with(executor, text, prefix), or with a pointer of type int* behind for the answer; of many "
                "strings starts_with(executor, text, offsets(positions), prefix, flags)")

}  // namespace UPSWEEP_NAMESPACE

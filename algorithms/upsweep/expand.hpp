// Room for items of different sizes, and items written as often as they are counted: allocate, expand, repeat; and
// segments by numbers or by offsets, one made of the other.
#pragma once
#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>

#include <upsweep/checks.hpp>
#include <upsweep/config.hpp>
#include <upsweep/executor.hpp>
#include <upsweep/expand/host/counted_runs.hpp>
#include <upsweep/expand/host/room.hpp>
#include <upsweep/expand/host/runs.hpp>
#include <upsweep/expand/number_segments.hpp>
#include <upsweep/expand/offsets_of_keys.hpp>
#include <upsweep/expand/sum_or_none.hpp>
#include <upsweep/explain.hpp>
#include <upsweep/for_each_index.hpp>
#include <upsweep/require.hpp>
#include <upsweep/scan.hpp>
#include <upsweep/scratch.hpp>
#include <upsweep/search.hpp>
#include <upsweep/segments.hpp>
#if UPSWEEP_HAS_CUDA
#include <upsweep/expand/cuda/count_runs.hpp>
#include <upsweep/expand/cuda/runs.hpp>
#endif

namespace UPSWEEP_NAMESPACE {

namespace detail {
template <class T>
concept whole_number = std::integral<T> && !std::is_same_v<T, bool>;
template <class R>
concept range_of_numbers = contiguous_range<R> && whole_number<element_t<R>>;

struct is_negative {
  template <class T>
  UPSWEEP_HD bool operator()(const T& x) const {
    return x < T{};
  }
};
//! Why there is no sum: one of them is negative, the first such is named, or their sum is too large for `what`.
template <class Executor, class T>
[[noreturn]] void refuse_sum(Executor& executor, const named_range<T>& sizes, const char* what) {
  if constexpr (std::is_signed_v<std::remove_const_t<T>>) {
    const index_t at = find_if(executor, std::span(sizes.data, static_cast<std::size_t>(sizes.size)), is_negative{});
    require(at == sizes.size, sizes.name, ": item ", at, " is negative");
  }
  throw std::overflow_error(std::string(sizes.name) + ": their sum is too large for " + what);
}

//! The total of sizes; −1 when an offset does not fit its type.
template <class Offset>
struct write_allocated {
  Offset* end;  // where the total goes too, or null
  index_t* total;
  template <class Size>
  UPSWEEP_HD void operator()(const Size& last_size, index_t sum) const {
    finish(sum, end ? sum : sum - static_cast<index_t>(last_size));
  }
  UPSWEEP_HD void empty(index_t zero) const { finish(zero, zero); }

 private:
  UPSWEEP_HD void finish(index_t sum, index_t largest_offset) const {
    if (end) *end = static_cast<Offset>(sum);
    const bool fits = static_cast<std::uint64_t>(largest_offset) <= static_cast<std::uint64_t>(largest<Offset>);
    *total = sum >= 0 && fits ? sum : -1;
  }
};
template <class Size, class Offset>
void allocate_room(host& executor, const named_range<Size>& sizes, const named_range<Offset>& offsets,
                   const write_allocated<Offset>& finish) {
  if (sizes.size == 0) return finish.empty(0);
  const auto last_size = sizes.data[sizes.size - 1];
  room_job<std::remove_const_t<Size>, Offset> job{
      .sizes = sizes.data, .offsets = offsets.data, .streaming = is_streamed<Offset>(offsets.size)};
  run_job(executor.lender(), job, sizes.size, executor.threads());
  finish(last_size, job.total);
}
#if UPSWEEP_HAS_CUDA
template <class Size, class Offset>
void allocate_room(device& executor, const named_range<Size>& sizes, const named_range<Offset>& offsets,
                   const write_allocated<Offset>& finish) {
  scan_then(executor, sizes.size, contiguous(sizes), lift_to<index_t>{}, sum_or_none{},
            dense(offsets, take_exclusive{}), finish);
}
#endif
template <class Size, class Offset>
write_allocated<Offset> finish_of(const named_range<Size>& sizes, const named_range<Offset>& offsets, index_t* total) {
  return {offsets.size > sizes.size ? offsets.data + sizes.size : nullptr, total};
}
}  // namespace detail

//! Room for items of different sizes, one behind another: offsets[i] = sizes[0] + … + sizes[i−1], and *total = the sum
//! of all, in the executor's memory. With one entry more than sizes, the last of offsets is the total too. Sums are
//! made in 64 bits; *total = −1 when a size is negative or an offset does not fit its type, and then offsets hold
//! nothing of use. `offsets` may begin exactly where sizes do. Costs one read of sizes and one write of offsets. Does
//! not wait. Throws std::invalid_argument, cuda_error. Method: exclusive sums (Blelloch 1990; the farmers' market of
//! many textbooks).
template <executor Executor, detail::range_of_numbers Sizes, detail::range_of_numbers Offsets>
void allocate(Executor&& executor, const Sizes& sizes, Offsets&& offsets, index_t* total) {
  const auto from = detail::input("sizes", sizes);
  const auto to = UPSWEEP_OUTPUT(offsets);
  detail::check_result(executor, "total", total);
  detail::require(to.size == from.size || to.size == from.size + 1, "offsets", "has ", to.size, " items, sizes has ",
                  from.size, ": offsets needs as many, or one more for the total");
  detail::check_range(executor, from, from.size);
  detail::check_range(executor, to, to.size);
  detail::check_in_place(detail::extent_of(from, from.size), detail::extent_of(to, to.size), true);
  const auto finish = detail::finish_of(from, to, total);
  detail::run_on_backend(executor, [&](auto& chosen) { detail::allocate_room(chosen, from, to, finish); });
}
//! The same; returns the total, and waits for it. Throws std::invalid_argument, which names the first negative size,
//! and std::overflow_error when an offset does not fit; offsets have been written to then, and if they lie where sizes
//! did, it is std::overflow_error in any case.
//!   std::int64_t total = upsweep::allocate(exec, lengths, starts);
template <executor Executor, detail::range_of_numbers Sizes, detail::range_of_numbers Offsets>
index_t allocate(Executor&& executor, const Sizes& sizes, Offsets&& offsets) {
  const auto total = executor.template returned<index_t>(
      [&](index_t* result) { allocate(executor, sizes, std::forward<Offsets>(offsets), result); });
  if (total >= 0) return total;
  const auto from = detail::input("sizes", sizes);
  if (static_cast<const void*>(from.data) == static_cast<const void*>(std::data(offsets)))
    throw std::overflow_error("sizes: one is negative, or their sum is too large for offsets");
  detail::refuse_sum(executor, from, "offsets");
}
UPSWEEP_EXPLAIN(allocate,
                "allocate(executor, sizes, offsets), or with a pointer of type index_t* behind for the total; sizes "
                "and offsets are integers")

namespace detail {
//! What a run is made of, if not of its number (number_of_run): an item.
template <class In, class T>
struct item_of_run {
  const In* in;
  UPSWEEP_HD T operator()(index_t run) const { return static_cast<T>(in[run]); }
};
template <class Executor, class Count, class T>
void check_repeated(Executor& executor, const named_range<Count>& counts, const named_range<T>& out, index_t total) {
  if (total < 0) refuse_sum(executor, counts, "64 bits");
  require(out.size >= total, out.name, "has ", out.size, " items, ", counts.name, " asks for ", total);
}

// check(total) may refuse before anything is written.
template <class Count, class T, class Value, class Check>
index_t repeat_runs(host& executor, const named_range<Count>& counts, const named_range<T>& out, const Value& value,
                    const Check& check) {
  if (counts.size <= few_runs) {
    if (const index_t total = sum_of_sizes(counts.data, counts.size); total <= few_items_of_runs) {
      check(total);
      write_few_runs(out.data, std::min(total, out.size), counts.data, value);
      return total;
    }
  }
  counted_runs<std::remove_const_t<Count>> runs{counts.data, counts.size};
  const lent_memory lent(executor.lender(), [&](scratch_cutter& cut) { runs.cut(cut); });
  const index_t total = read_counts(executor, runs);
  check(total);
  if (total > 0) write_runs(executor, out, std::min(total, out.size), runs.mean_length(total), runs, value);
  return total;
}
template <class Count, class T, class Value>
index_t write_repeated(host& executor, const named_range<Count>& counts, const named_range<T>& out,
                       const Value& value) {
  return repeat_runs(executor, counts, out, value,
                     [&](index_t total) { check_repeated(executor, counts, out, total); });
}
template <class Count, class T, class Value>
void write_repeated(host& executor, const named_range<Count>& counts, const named_range<T>& out, const Value& value,
                    index_t* total) {
  *total = repeat_runs(executor, counts, out, value, [](index_t) {});
}

#if UPSWEEP_HAS_CUDA
template <class Count, class T, class Value>
index_t write_repeated(device& executor, const named_range<Count>& counts, const named_range<T>& out,
                       const Value& value) {
  gpu::counted_runs<std::remove_const_t<Count>> runs{};
  const auto total =
      executor.template returned<index_t>([&](index_t* result) { runs = gpu::find_runs(executor, counts, result); });
  check_repeated(executor, counts, out, total);
  gpu::write_runs(executor, runs, part_of(out, 0, total), value);
  return total;
}
template <class Count, class T, class Value>
void write_repeated(device& executor, const named_range<Count>& counts, const named_range<T>& out, const Value& value,
                    index_t* total) {
  gpu::write_runs(executor, gpu::find_runs(executor, counts, total), out, value);
}
#endif

// `total` is a pointer, or nothing.
template <class Executor, class Count, class T, class Value, class... Total>
auto repeat_checked(Executor& executor, const named_range<Count>& counts, const named_range<T>& out, const Value& value,
                    Total... total) {
  check_range(executor, counts, counts.size);
  check_range(executor, out, out.size);
  check_disjoint(counts, counts.size, out, out.size);
  (check_result(executor, "total", total), ...);
  return run_on_backend(executor, [&](auto& chosen) { return write_repeated(chosen, counts, out, value, total...); });
}
template <class Executor, class Counts, class T, class... Total>
auto expand_counts(Executor& executor, const Counts& counts, const named_range<T>& out, Total... total) {
  const auto from = input("counts", counts);
  require(from.size == 0 || can_hold<T>(from.size - 1), out.name, ": its type cannot hold the position ",
          from.size - 1);
  return repeat_checked(executor, from, out, number_of_run<T>{}, total...);
}
template <class Executor, class In, class Counts, class T, class... Total>
auto repeat_items(Executor& executor, const In& in, const Counts& counts, const named_range<T>& out, Total... total) {
  const auto items = input("in", in);
  const auto from = input("counts", counts);
  check_same_size(items, from);
  check_range(executor, items, items.size);
  check_disjoint(items, items.size, out, out.size);
  return repeat_checked(executor, from, out, item_of_run<element_t<const In>, T>{items.data}, total...);
}
}  // namespace detail

//! Writes each index i counts[i] times, in order, to the front of out; *total = counts[0] + … + counts[n−1], in the
//! executor's memory. What does not fit into out is left out, and what lies behind the total stays as it was; nothing
//! is written, and *total = −1, when a count is negative or the sum takes more than 64 bits. Costs two reads of counts
//! and one write of what is written; balanced whatever the counts are. The second read is of what the first one leaves:
//! on a GPU half a byte a count, and then counts of 15 and more; on a host two bits, and then counts of 2 and more.
//! Does not wait. Throws std::invalid_argument, cuda_error. (In a graph: reserve_scratch(9 * n / 16 + 2048) before.)
template <executor Executor, detail::range_of_numbers Counts, detail::range_of_numbers Out>
void expand(Executor&& executor, const Counts& counts, Out&& out, index_t* total) {
  detail::expand_counts(executor, counts, UPSWEEP_OUTPUT(out), total);
}
//! The same; returns the total, and waits for it. Throws before anything is written: std::invalid_argument also when
//! out is too small or a count negative, std::overflow_error when the sum takes more than 64 bits.
//!   upsweep::expand(exec, std::vector{2, 0, 3}, out);    // 0 0 2 2 2
template <executor Executor, detail::range_of_numbers Counts, detail::range_of_numbers Out>
index_t expand(Executor&& executor, const Counts& counts, Out&& out) {
  return detail::expand_counts(executor, counts, UPSWEEP_OUTPUT(out));
}
UPSWEEP_EXPLAIN(expand,
                "expand(executor, counts, out), or with a pointer of type index_t* behind for the total; counts and "
                "out are integers")

//! Writes each item in[i] counts[i] times. Costs a read of in besides. Otherwise as expand.
//!   upsweep::repeat(exec, words, lengths, out, total);
template <executor Executor, contiguous_range In, detail::range_of_numbers Counts, contiguous_range Out>
void repeat(Executor&& executor, const In& in, const Counts& counts, Out&& out, index_t* total) {
  detail::repeat_items(executor, in, counts, UPSWEEP_OUTPUT(out), total);
}
template <executor Executor, contiguous_range In, detail::range_of_numbers Counts, contiguous_range Out>
index_t repeat(Executor&& executor, const In& in, const Counts& counts, Out&& out) {
  return detail::repeat_items(executor, in, counts, UPSWEEP_OUTPUT(out));
}
UPSWEEP_EXPLAIN(repeat,
                "repeat(executor, in, counts, out), or with a pointer of type index_t* behind for the total; counts "
                "are integers")

//! ids[i] = s for every item i of segment s, [offsets[s], offsets[s + 1]). There is one offset more than segments, and
//! they do not decrease. Items in front of the first offset get −1, from the last one on the number of segments (as
//! ids' type holds it). Costs one read of offsets and one write of ids; balanced for any lengths. Wrong contents of
//! offsets never read or write out of bounds. Does not wait. Throws std::invalid_argument, cuda_error.
//!   upsweep::segment_ids(exec, row_starts, row_of_item);
template <executor Executor, offset_positions Offsets, detail::range_of_numbers Ids>
void segment_ids(Executor&& executor, const Offsets& offsets, Ids&& ids) {
  using Id = element_t<Ids>;
  const auto from = detail::positions_of(offsets);
  const auto to = UPSWEEP_OUTPUT(ids);
  using Offset = std::remove_const_t<std::remove_pointer_t<decltype(from.data)>>;
  detail::check_offsets(from);
  detail::require(from.size < 2 || detail::can_hold<Id>(from.size - 2), "ids", ": its type cannot hold the number ",
                  from.size - 2);
  detail::require(detail::can_hold<Offset>(from.size), from.name, ": its type cannot number the segments, ",
                  from.size - 1);
  detail::check_range(executor, from, from.size);
  detail::check_range(executor, to, to.size);
  detail::check_disjoint(from, from.size, to, to.size);
  detail::number_segments<0>(executor, from, to);
}
UPSWEEP_EXPLAIN(segment_ids,
                "segment_ids(executor, offsets, ids), of which offsets are integers of 4 or 8 bytes, ids integers")

//! The way back: offsets[s] = how many ids are less than s, where segment s begins. `ids` do not decrease (otherwise
//! the result is unspecified); ids from offsets.size − 1 on belong to no segment. Costs a search in ids for each
//! offset, on a host a short one beside where the last one ended. Does not wait. Throws std::invalid_argument,
//! cuda_error.
//!   upsweep::segment_offsets(exec, row_of_item, row_starts);
template <executor Executor, detail::range_of_numbers Ids, detail::range_of_numbers Offsets>
void segment_offsets(Executor&& executor, const Ids& ids, Offsets&& offsets) {
  const auto from = detail::input("ids", ids);
  const auto to = UPSWEEP_OUTPUT(offsets);
  detail::require(detail::can_hold<element_t<Offsets>>(from.size), "offsets", ": its type cannot hold ", from.size);
  detail::check_range(executor, from, from.size);
  detail::check_range(executor, to, to.size);
  detail::check_disjoint(from, from.size, to, to.size);
  detail::write_offsets(executor, from, 0, to);
}
UPSWEEP_EXPLAIN(segment_offsets, "segment_offsets(executor, ids, offsets), both integers")

}  // namespace UPSWEEP_NAMESPACE

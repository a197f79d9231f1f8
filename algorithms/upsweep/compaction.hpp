// Stream compaction: scans that count, behind stores that pack. All are stable.
#pragma once
#include <upsweep/config.hpp>
#include <upsweep/reduce.hpp>
#include <upsweep/scan.hpp>

namespace upsweep::inline UPSWEEP_ABI {

namespace detail {
template <class Predicate>
struct keep_if {
  static_assert(result_type_is_known<Predicate>(), "write the return type of this __device__ lambda (-> bool)");
  Predicate predicate;
  UPSWEEP_CALLS_USER
  template <class Item>
  UPSWEEP_HD int operator()(const Item& item) const {
    return predicate(item) ? 0 : 1;
  }
};
struct keep_flagged {
  template <class T, class Flag>
  UPSWEEP_HD int operator()(const tuple<T, Flag>& item) const {
    return get<1>(item) ? 0 : 1;
  }
};
struct is_set {
  template <class Flag>
  UPSWEEP_HD bool operator()(const Flag& flag) const {
    return static_cast<bool>(flag);
  }
};
struct first_of_run {
  template <class T>
  UPSWEEP_HD bool operator()(const neighbours<T>& item) const {
    return item.first || !(item.previous == item.value);
  }
};
struct take_first {
  template <class T, class Flag, class V>
  UPSWEEP_HD T operator()(index_t, const tuple<T, Flag>& item, const V&, const V&) const {
    return get<0>(item);
  }
};
struct take_value {
  template <class T, class V>
  UPSWEEP_HD T operator()(index_t, const neighbours<T>& item, const V&, const V&) const {
    return item.value;
  }
};
struct take_index {
  template <class Item, class V>
  UPSWEEP_HD index_t operator()(index_t i, const Item&, const V&, const V&) const {
    return i;
  }
};

// Keeps what `classify` puts in stream 0, as `project` gives it; every call below is this one.
template <class Executor, class Load, class Classify, class Project, class T>
void compact(Executor& executor, index_t n, const Load& load, const Classify& classify, const Project& project,
             const named_range<T>& out, index_t* count) {
  if (count == nullptr) throw std::invalid_argument("count is a null pointer");
  executor.check_memory(count, "count");
  scan_then(executor, n, load, lift_nothing{}, nothing{}, packed_rows(classify, project, out), write_counts<1>{count});
}
}  // namespace detail

//! Copies the items for which predicate(item) is true to the front of out, in order; *count is their number, in the
//! executor's memory. `out` must hold n and may be exactly `in`. Costs one read of in and one write of what is kept.
//! Does not wait. Throws std::invalid_argument, cuda_error. What lies behind the kept items is unspecified when in
//! place, untouched otherwise.
template <class Executor, contiguous_range In, contiguous_range Out, class Predicate>
void copy_if(Executor& executor, const In& in, Out&& out, Predicate predicate, index_t* count) {
  const auto from = input("in", in);
  detail::compact(executor, from.size, contiguous(from), detail::keep_if<Predicate>{predicate}, take_item{},
                  output("out", out), count);
}
//! The same; returns the count, and waits for it.
//!   std::int64_t kept = upsweep::copy_if(exec, in, out, is_positive{});
template <class Executor, contiguous_range In, contiguous_range Out, class Predicate>
index_t copy_if(Executor& executor, const In& in, Out&& out, Predicate predicate) {
  return executor.template returned<index_t>([&](index_t* count) { copy_if(executor, in, out, predicate, count); });
}

//! Copies the items whose flag is not zero. `flags` has as many items as `in`. `out` may be exactly `in`. Otherwise as
//! copy_if.
template <class Executor, contiguous_range In, contiguous_range Flags, contiguous_range Out>
void copy_flagged(Executor& executor, const In& in, const Flags& flags, Out&& out, index_t* count) {
  const auto from = input("in", in);
  const auto marks = input("flags", flags);
  check_same_size(from, marks);
  detail::compact(executor, from.size, contiguous(from, marks), detail::keep_flagged{}, detail::take_first{},
                  output("out", out), count);
}
template <class Executor, contiguous_range In, contiguous_range Flags, contiguous_range Out>
index_t copy_flagged(Executor& executor, const In& in, const Flags& flags, Out&& out) {
  return executor.template returned<index_t>([&](index_t* count) { copy_flagged(executor, in, flags, out, count); });
}

//! Writes the positions of the flags that are not zero. `indices` (4- or 8-byte integers that can hold n) must hold as
//! many as flags.
template <class Executor, contiguous_range Flags, contiguous_range Indices>
void nonzero(Executor& executor, const Flags& flags, Indices&& indices, index_t* count) {
  const auto from = input("flags", flags);
  const auto to = output("indices", indices);
  using Index = element_t<Indices>;
  if (from.size > 0 && !detail::can_hold<Index>(from.size - 1))
    throw std::invalid_argument("indices: its type cannot hold the position " + std::to_string(from.size - 1));
  detail::compact(executor, from.size, contiguous(from), detail::keep_if<detail::is_set>{}, detail::take_index{}, to,
                  count);
}
template <class Executor, contiguous_range Flags, contiguous_range Indices>
index_t nonzero(Executor& executor, const Flags& flags, Indices&& indices) {
  return executor.template returned<index_t>([&](index_t* count) { nonzero(executor, flags, indices, count); });
}

//! Copies the first item of every run of equal neighbours (==). `out` may be exactly `in`. Otherwise as copy_if.
template <class Executor, contiguous_range In, contiguous_range Out>
void unique_copy(Executor& executor, const In& in, Out&& out, index_t* count) {
  const auto from = input("in", in);
  detail::compact(executor, from.size, with_previous(from), detail::keep_if<detail::first_of_run>{},
                  detail::take_value{}, output("out", out), count);
}
template <class Executor, contiguous_range In, contiguous_range Out>
index_t unique_copy(Executor& executor, const In& in, Out&& out) {
  return executor.template returned<index_t>([&](index_t* count) { unique_copy(executor, in, out, count); });
}

//! The runs of equal neighbours: values[j] and lengths[j] are the j-th run's value and length. Both must hold n;
//! `values` may be exactly `in`. Costs one read of in and one write of the runs.
template <class Executor, contiguous_range In, contiguous_range Values, contiguous_range Lengths>
void run_length_encode(Executor& executor, const In& in, Values&& values, Lengths&& lengths, index_t* count) {
  using length = element_t<Lengths>;
  detail::reduce_runs(executor, input("in", in), constant(length{1}), output("values", values),
                      output("lengths", lengths), plus<length>{}, count);
}
template <class Executor, contiguous_range In, contiguous_range Values, contiguous_range Lengths>
index_t run_length_encode(Executor& executor, const In& in, Values&& values, Lengths&& lengths) {
  return executor.template returned<index_t>(
      [&](index_t* count) { run_length_encode(executor, in, values, lengths, count); });
}

}  // namespace upsweep::inline UPSWEEP_ABI

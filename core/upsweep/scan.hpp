// The fused scan, and the named scans and reductions as thin calls of it.
//
// Every result is combined in an order that is a function of the item's index, of n and of constants alone: not of the
// grid, the schedule, the alignment, the number of threads or the instruction set. So results are the same, bit for
// bit, from run to run, floats included; inclusive[n-1] is the total, and exclusive[i+1] is inclusive[i]. (Host and
// device differ from one another.) Only real items are combined: identity() appears as exclusive[0], as the total of
// nothing and as the result of an empty segment, nowhere else.
#pragma once
#include <type_traits>

#include <upsweep/checks.hpp>
#include <upsweep/config.hpp>
#include <upsweep/executor.hpp>
#include <upsweep/explain.hpp>
#include <upsweep/host/engine.hpp>
#include <upsweep/item_functions.hpp>
#include <upsweep/lifts.hpp>
#include <upsweep/monoid.hpp>
#include <upsweep/require.hpp>
#include <upsweep/segment_marks.hpp>
#include <upsweep/segments.hpp>
#include <upsweep/stages.hpp>
#include <upsweep/user_functions.hpp>
#if UPSWEEP_HAS_CUDA
#include <upsweep/cuda/engine.hpp>
#elif UPSWEEP_HAS_LIBRARY
#include <upsweep/library/scan.hpp>
#include <upsweep/library/segments.hpp>
#endif

namespace UPSWEEP_NAMESPACE {

namespace detail {
// What a sweep carries: the caller's values, and the counts of a packed store beside them.
template <class M, class Store>
struct carried {
  using type = typename M::value_type;
};
template <class M, int K, class Row, class C, class F, class... Ts>
struct carried<M, packed_store<K, Row, C, F, Ts...>> {
  using type = counted<typename M::value_type, K>;
};
template <class M, class Store>
using carried_t = typename carried<M, Store>::type;
}  // namespace detail

namespace detail {
// The fused scan with a function for its result: finish(last item, total) runs once where the executor works (with
// `discard`, whose items are not kept, finish(nothing{}, total)); finish.empty(identity) when n is 0. Does not wait.
template <class Executor, class Load, class Lift, monoid M, class Store, class Finish, class Direction = forward_t>
void scan_then(Executor& executor, index_t n, const Load& load, const Lift& lift, const M& m, const Store& store,
               const Finish& finish, Direction direction = {}) {
  static_assert(
      is_store<Store>,
      "upsweep: a store is dense(range), packed<K>(classify, ranges...), each(f) or another one of stages.hpp, "
      "not a range itself");
  if constexpr (std::is_same_v<Executor, any_executor>) {
    executor.visit([&](auto& chosen) { scan_then(chosen, n, load, lift, m, store, finish, direction); });
  } else {
    check_sweep_runs_on<Executor, Load, Lift, M, Store>();
    check_sweep(executor, n, load, store);
    if constexpr (is_packed_v<Store>) {
      static_assert(!Direction::reversed, "a packed store runs forward");
      using V = typename M::value_type;
      using classify_type = decltype(store.classify);
      sweep(executor, n, load, counting_lift<Lift, classify_type, V, Store::counts>{lift, store.classify},
            counting<M, Store::counts>{m}, store, finish, direction);
    } else {
      sweep(executor, n, load, lift, m, store, finish, direction);
    }
  }
}
template <class D>
concept way = std::is_same_v<D, forward_t> || std::is_same_v<D, reversed_t>;
}  // namespace detail

//! Loads every item, lifts it into a monoid, scans, and hands each item its prefixes; returns the total, and waits for
//! it.
//!   load(i) -> item (see stages.hpp); lift(item) -> M::value_type; store(i, item, exclusive, inclusive)
//! (of several columns lift(a, b, …), too, and a member's pointer for a lift)
//! Load and store run exactly once an item. `along` is forward or reversed. Cost: what the load reads and the store
//! writes, once; one kernel launch. With a packed store the total is a counted<value_type, K>: the streams' lengths
//! beside the value. Throws std::invalid_argument (checks.hpp), cuda_error.
//!   const upsweep::plus<float> sum;
//!   float dot = upsweep::scan(exec, n, upsweep::contiguous(a, b), product{}, sum, upsweep::discard);
template <executor Executor, class Load, class Lift, monoid M, class Store, detail::way D = forward_t>
  requires(detail::is_load<Load>::value)
detail::carried_t<M, Store> scan(Executor&& executor, index_t n, const Load& load, const Lift& lift, const M& m,
                                 const Store& store, D along = {}) {
  using total_type = detail::carried_t<M, Store>;
  return executor.template returned<total_type>([&](total_type* total) {
    detail::scan_then(executor, n, load, detail::lift_of<Load>(lift), m, store, detail::write_total<total_type>{total},
                      along);
  });
}
//! The same; writes the total to *total, in the executor's memory, and does not wait. In its place `no_total`: then
//! nobody gets one.
template <executor Executor, class Load, class Lift, monoid M, class Store, detail::way D>
  requires(detail::is_load<Load>::value)
void scan(Executor&& executor, index_t n, const Load& load, const Lift& lift, const M& m, const Store& store, D along,
          std::type_identity_t<detail::carried_t<M, Store>>* total) {
  detail::check_result(executor, "total", total);
  detail::scan_then(executor, n, load, detail::lift_of<Load>(lift), m, store,
                    detail::write_total<detail::carried_t<M, Store>>{total}, along);
}
template <executor Executor, class Load, class Lift, monoid M, class Store>
  requires(detail::is_load<Load>::value)
void scan(Executor&& executor, index_t n, const Load& load, const Lift& lift, const M& m, const Store& store,
          std::type_identity_t<detail::carried_t<M, Store>>* total) {
  scan(executor, n, load, lift, m, store, forward, total);
}
template <executor Executor, class Load, class Lift, monoid M, class Store, detail::way D>
  requires(detail::is_load<Load>::value)
void scan(Executor&& executor, index_t n, const Load& load, const Lift& lift, const M& m, const Store& store, D along,
          no_total_t) {
  detail::scan_then(executor, n, load, detail::lift_of<Load>(lift), m, store, no_total, along);
}
template <executor Executor, class Load, class Lift, monoid M, class Store>
  requires(detail::is_load<Load>::value)
void scan(Executor&& executor, index_t n, const Load& load, const Lift& lift, const M& m, const Store& store,
          no_total_t) {
  scan(executor, n, load, lift, m, store, forward, no_total);
}
UPSWEEP_EXPLAIN(
    scan,
    "scan(executor, n, load, lift, monoid, store, along, total), of which load is contiguous(range) "
    "or another one of stages.hpp, and along and the pointer of the total may be left out" UPSWEEP_A_MONOID_IS)

// ---------------------------------------------------------------- directions of the named calls
//! Rows of `length` items, scanned each on its own (n must be a multiple of it); an option of the scans below.
struct rows {
  explicit rows(index_t row_length) : length(row_length) {}
  static constexpr bool reversed = false;
  index_t length;
};
//! The same, each row from its right end.
struct reversed_rows {
  explicit reversed_rows(index_t row_length) : length(row_length) {}
  static constexpr bool reversed = true;
  index_t length;
};
template <class D>
concept direction = std::is_same_v<D, forward_t> || std::is_same_v<D, reversed_t> || std::is_same_v<D, rows> ||
                    std::is_same_v<D, reversed_rows>;

namespace detail {
template <class D>
inline constexpr bool has_rows = std::is_same_v<D, rows> || std::is_same_v<D, reversed_rows>;
template <class D>
using way_t = std::conditional_t<D::reversed, reversed_t, forward_t>;
template <class D>
index_t first_index(index_t n) {
  return D::reversed ? n - 1 : 0;
}
inline void check_rows(index_t n, index_t length, const char* in = "in") {
  require(length > 0, "rows", ": length is ", length, ", must be positive");
  require(n % length == 0, "rows", ": ", in, " has ", n, " items, which is no multiple of the length ", length);
}
template <class R>
using default_sum = plus<element_t<const R>>;

// A segmented scan: values beside what tells the heads.
template <class Executor, class In, class Out, class M, class MarkLoad, class Heads, class Project, class D>
void segmented_scan(Executor& executor, const In& in, const MarkLoad& marks, const Heads& heads, const Out& out,
                    const M& m, const Project& project, D) {
  scan_then(executor, in.size, contiguous(in, marks), lift_segmented<M, Heads>{heads}, segmented<M>{m},
            dense(out, project), no_total, way_t<D>{});
}
template <class M, class D, class Executor, class In, class Out, class MarkLoad, class Heads>
void exclusive_by_heads(Executor& executor, const In& in, const MarkLoad& marks, const Heads& heads, const Out& out,
                        const M& m, D d) {
  segmented_scan(executor, in, marks, heads, out, m,
                 segment_exclusive<M, Heads, false>{m, m.identity(), heads, first_index<D>(in.size)}, d);
}
template <class D>
lift_row row_heads(const D& d, index_t n) {
  check_rows(n, d.length);
  return {multiple_of(static_cast<std::uint64_t>(d.length)), D::reversed ? 1 : 0};
}
// f(executor, load of what tells rows beside the items, what reads it). A host marks the items of a tile, a device asks
// each one's index. (One thread of a Xeon, 4000 ints in rows of 1000: 0.45 ns each, by their indices 0.70; 2026-11-26.)
template <class D, class Executor, class F>
void with_rows(Executor& executor, const D& d, index_t n, const F& f) {
  const lift_row heads = row_heads(d, n);
  run_on_backend(executor, [&](auto& chosen) {
    if constexpr (std::is_same_v<std::remove_reference_t<decltype(chosen)>, host>) {
      f(chosen, load_stage<row_marks_column>{{{d.length}}}, lift_marked<D::reversed>{});
    } else {
      f(chosen, indices(), heads);
    }
  });
}
}  // namespace detail

// ---------------------------------------------------------------- scans
//! out[i] = in[0] ∘ … ∘ in[i], accumulated in M::value_type: by default that of the input, so that sums of uint8 wrap
//! (plus<long long>{} does not). `out` may be exactly `in`. `along`: forward, reversed (the scan runs from the right),
//! rows(length), reversed_rows(length). Costs one read of in and one write of out; does not wait on a device. Throws
//! std::invalid_argument, cuda_error. Method: single-pass scan with decoupled look-ahead (cuda/protocol.hpp).
//!   upsweep::inclusive_scan(exec, in, out);   upsweep::inclusive_scan(exec, in, out, upsweep::maximum<int>{});
template <executor Executor, contiguous_range In, contiguous_range Out, monoid M = detail::default_sum<In>,
          direction D = forward_t>
void inclusive_scan(Executor&& executor, const In& in, Out&& out, const M& m = {}, const D& along = {}) {
  const auto from = detail::input("in", in);
  const auto to = UPSWEEP_OUTPUT(out);
  if constexpr (detail::has_rows<D>) {
    detail::with_rows(executor, along, from.size, [&](auto& chosen, const auto& marks, const auto& heads) {
      detail::segmented_scan(chosen, from, marks, heads, to, m, detail::segment_inclusive{}, along);
    });
  } else {
    detail::scan_then(executor, from.size, contiguous(from), lift_to<typename M::value_type>{}, m,
                      dense(to, take_inclusive{}), no_total, along);
  }
}
UPSWEEP_EXPLAIN(inclusive_scan, "inclusive_scan(executor, in, out, monoid, along)" UPSWEEP_A_MONOID_IS)

//! out[i] = in[0] ∘ … ∘ in[i−1]; the first, or that of every row, is the identity. Otherwise as inclusive_scan.
template <executor Executor, contiguous_range In, contiguous_range Out, monoid M = detail::default_sum<In>,
          direction D = forward_t>
void exclusive_scan(Executor&& executor, const In& in, Out&& out, const M& m = {}, const D& along = {}) {
  const auto from = detail::input("in", in);
  const auto to = UPSWEEP_OUTPUT(out);
  if constexpr (detail::has_rows<D>) {
    detail::with_rows(executor, along, from.size, [&](auto& chosen, const auto& marks, const auto& heads) {
      detail::exclusive_by_heads(chosen, from, marks, heads, to, m, along);
    });
  } else {
    detail::scan_then(executor, from.size, contiguous(from), lift_to<typename M::value_type>{}, m,
                      dense(to, take_exclusive{}), no_total, along);
  }
}
//! out[i] = init ∘ in[0] ∘ … ∘ in[i−1]; with rows, init starts every row.
template <executor Executor, contiguous_range In, contiguous_range Out, monoid M, direction D = forward_t>
void exclusive_scan(Executor&& executor, const In& in, Out&& out, const M& m, const typename M::value_type& init,
                    const D& along = {}) {
  const auto from = detail::input("in", in);
  const auto to = UPSWEEP_OUTPUT(out);
  const index_t first = detail::first_index<D>(from.size);
  if constexpr (detail::has_rows<D>) {
    detail::with_rows(executor, along, from.size, [&](auto& chosen, const auto& marks, const auto& heads) {
      using heads_type = std::remove_cvref_t<decltype(heads)>;
      detail::segmented_scan(chosen, from, marks, heads, to, m,
                             detail::segment_exclusive<M, heads_type, true>{m, init, heads, first}, along);
    });
  } else {
    detail::scan_then(executor, from.size, contiguous(from), lift_to<typename M::value_type>{}, m,
                      dense(to, detail::after_init<M>{m, init, first}), no_total, along);
  }
}
UPSWEEP_EXPLAIN(exclusive_scan, "exclusive_scan(executor, in, out, monoid, init, along)" UPSWEEP_A_MONOID_IS)

// ---------------------------------------------------------------- segmented scans
namespace detail {
// f(executor, load of marks beside the items, what reads a mark)
template <class D, class Executor, class T, class F>
void with_marks(Executor& executor, const heads_range<T>& heads, index_t n, const F& f) {
  require(heads.range.size == n, "heads", "has ", heads.range.size, " items, needs ", n);
  if constexpr (D::reversed) {
    f(executor, with_previous(heads.range), lift_flagged{});
  } else {
    f(executor, contiguous(heads.range), lift_flagged{});
  }
}
template <class D, class Executor, class T, class F>
void with_marks(Executor& executor, const offsets_range<T>& offsets, index_t n, const F& f) {
  check_offsets(offsets.range);
  check_range(executor, offsets.range, offsets.range.size);
  with_segment_marks(executor, offsets.range, n,
                     [&](auto& chosen, const auto& marks) { f(chosen, marks, lift_marked<D::reversed>{}); });
}
template <class T, class Out>
void check_offsets_apart(const offsets_range<T>& offsets, const named_range<Out>& out, index_t n) {
  check_disjoint(offsets.range, offsets.range.size, out, n);
}
template <class T, class Out>  // heads are a range of the sweep, which checks it
void check_offsets_apart(const heads_range<T>&, const named_range<Out>&, index_t) {}
}  // namespace detail

//! An inclusive scan that starts anew at every segment: heads(flags), one an item, or offsets(positions), where the
//! segments start (4- or 8-byte integers; items before the first and from the last offset on are segments of their
//! own). Reversed, a segment is scanned from its right end. Costs one read of in and the flags or offsets, and one
//! write of out; by offsets a device takes a bit an item of scratch memory and two launches more. Otherwise as
//! inclusive_scan.
//!   upsweep::inclusive_segmented_scan(exec, in, upsweep::heads(flags), out, upsweep::maximum<float>{});
template <executor Executor, contiguous_range In, segments Segments, contiguous_range Out,
          monoid M = detail::default_sum<In>, direction D = forward_t>
void inclusive_segmented_scan(Executor&& executor, const In& in, const Segments& segments, Out&& out, const M& m = {},
                              const D& along = {}) {
  const auto from = detail::input("in", in);
  const auto to = UPSWEEP_OUTPUT(out);
  detail::check_offsets_apart(segments, to, from.size);
  detail::with_marks<D>(executor, segments, from.size, [&](auto& chosen, const auto& marks, const auto& lift) {
    detail::segmented_scan(chosen, from, marks, lift, to, m, detail::segment_inclusive{}, along);
  });
}
//! The exclusive one: every segment's first item gets the identity.
template <executor Executor, contiguous_range In, segments Segments, contiguous_range Out,
          monoid M = detail::default_sum<In>, direction D = forward_t>
void exclusive_segmented_scan(Executor&& executor, const In& in, const Segments& segments, Out&& out, const M& m = {},
                              const D& along = {}) {
  const auto from = detail::input("in", in);
  const auto to = UPSWEEP_OUTPUT(out);
  detail::check_offsets_apart(segments, to, from.size);
  detail::with_marks<D>(executor, segments, from.size, [&](auto& chosen, const auto& marks, const auto& lift) {
    detail::exclusive_by_heads(chosen, from, marks, lift, to, m, along);
  });
}
UPSWEEP_EXPLAIN(inclusive_segmented_scan,
                "inclusive_segmented_scan(executor, in, segments, out, monoid, along), of which segments are "
                "heads(flags) or offsets(positions)" UPSWEEP_A_MONOID_IS)
UPSWEEP_EXPLAIN(exclusive_segmented_scan,
                "exclusive_segmented_scan(executor, in, segments, out, monoid, along), of which segments are "
                "heads(flags) or offsets(positions)" UPSWEEP_A_MONOID_IS)

//! A segment is a run of equal neighbouring keys (==). Costs one read of keys and in and one write of out; `out` may be
//! exactly `in`, not `keys`.
template <executor Executor, contiguous_range Keys, contiguous_range In, contiguous_range Out,
          monoid M = detail::default_sum<In>, direction D = forward_t>
void inclusive_scan_by_key(Executor&& executor, const Keys& keys, const In& in, Out&& out, const M& m = {},
                           const D& along = {}) {
  detail::check_equality_runs_on<Executor, element_t<const Keys>>();
  detail::check_same_size(detail::input("keys", keys), detail::input("in", in));
  detail::segmented_scan(executor, detail::input("in", in), with_previous(detail::input("keys", keys)),
                         detail::lift_keyed{}, UPSWEEP_OUTPUT(out), m, detail::segment_inclusive{}, along);
}
template <executor Executor, contiguous_range Keys, contiguous_range In, contiguous_range Out,
          monoid M = detail::default_sum<In>, direction D = forward_t>
void exclusive_scan_by_key(Executor&& executor, const Keys& keys, const In& in, Out&& out, const M& m = {},
                           const D& along = {}) {
  detail::check_equality_runs_on<Executor, element_t<const Keys>>();
  detail::check_same_size(detail::input("keys", keys), detail::input("in", in));
  detail::exclusive_by_heads(executor, detail::input("in", in), with_previous(detail::input("keys", keys)),
                             detail::lift_keyed{}, UPSWEEP_OUTPUT(out), m, along);
}
UPSWEEP_EXPLAIN(inclusive_scan_by_key,
                "inclusive_scan_by_key(executor, keys, in, out, monoid, along)" UPSWEEP_A_MONOID_IS)
UPSWEEP_EXPLAIN(exclusive_scan_by_key,
                "exclusive_scan_by_key(executor, keys, in, out, monoid, along)" UPSWEEP_A_MONOID_IS)

}  // namespace UPSWEEP_NAMESPACE

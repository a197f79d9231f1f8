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
#include <upsweep/host/engine.hpp>
#include <upsweep/monoid.hpp>
#include <upsweep/segments.hpp>
#include <upsweep/stages.hpp>
#if UPSWEEP_HAS_CUDA
#include <upsweep/cuda/engine.hpp>
#endif

namespace upsweep::inline UPSWEEP_ABI {

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

struct lift_nothing {
  template <class Item>
  UPSWEEP_HD nothing operator()(const Item&) const {
    return {};
  }
};
}  // namespace detail

//! The fused scan with a function for its result: finish(last item, total) runs once where the executor works (with
//! `discard`, whose items are not kept, finish(nothing{}, total)); finish.empty(identity) when n is 0. Does not wait.
template <class Executor, class Load, class Lift, monoid M, class Store, class Finish, class Direction = forward_t>
void scan_then(Executor& executor, index_t n, const Load& load, const Lift& lift, const M& m, const Store& store,
               const Finish& finish, Direction direction = {}) {
  if constexpr (std::is_same_v<Executor, any_executor>) {
    executor.visit([&](auto& chosen) { scan_then(chosen, n, load, lift, m, store, finish, direction); });
  } else {
    check_sweep(executor, n, load, store);
    if constexpr (detail::is_packed_v<Store>) {
      static_assert(!Direction::reversed, "a packed store runs forward");
      using V = typename M::value_type;
      using classify_type = decltype(store.classify);
      detail::sweep(executor, n, load,
                    detail::counting_lift<Lift, classify_type, V, Store::counts>{lift, store.classify},
                    detail::counting<M, Store::counts>{m}, store, finish, direction);
    } else {
      detail::sweep(executor, n, load, lift, m, store, finish, direction);
    }
  }
}

//! Loads every item, lifts it into a monoid, scans, and hands each item its prefixes.
//!   load(i) -> item (see stages.hpp); lift(item) -> M::value_type; store(i, item, exclusive, inclusive)
//! Load and store run exactly once an item. `*total` is in the executor's memory (or null); does not wait.
//! Cost: what the load reads and the store writes, once; one kernel launch. With a packed store the total is a
//! counted<value_type, K>: the streams' lengths beside the value. Throws std::invalid_argument (checks.hpp),
//! cuda_error.
template <class Executor, class Load, class Lift, monoid M, class Store, class Direction = forward_t>
  requires(detail::is_load<Load>::value)
void scan(Executor& executor, index_t n, const Load& load, const Lift& lift, const M& m, const Store& store,
          detail::carried_t<M, Store>* total, Direction direction = {}) {
  scan_then(executor, n, load, lift, m, store, write_total<detail::carried_t<M, Store>>{total}, direction);
}
//! The same; returns the total, and waits for it.
template <class Executor, class Load, class Lift, monoid M, class Store, class Direction = forward_t>
  requires(detail::is_load<Load>::value)
detail::carried_t<M, Store> scan(Executor& executor, index_t n, const Load& load, const Lift& lift, const M& m,
                                 const Store& store, Direction direction = {}) {
  using total_type = detail::carried_t<M, Store>;
  return executor.template returned<total_type>(
      [&](total_type* total) { scan(executor, n, load, lift, m, store, total, direction); });
}

// ---------------------------------------------------------------- how the named calls lift and project
//! Converts an item to the value that is scanned.
template <class V>
struct lift_to {
  template <class Item>
  UPSWEEP_HD V operator()(const Item& item) const {
    return static_cast<V>(item);
  }
};

//! exclusive[i] with a value in front of everything: init∘exclusive[i].
template <class M>
struct after_init {
  M m;
  typename M::value_type init;
  UPSWEEP_CALLS_USER
  template <class Item, class V>
  UPSWEEP_HD V operator()(index_t i, const Item&, const V& exclusive, const V&) const {
    return i == first ? init : m(init, exclusive);
  }
  index_t first;  // the index that nothing precedes
};

//! An item of a segmented scan: (value, mark), the mark a head flag or a key beside its neighbour.
struct lift_flagged {  // a head: this item's flag; or, reversed, the flag of the item that the scan has just left
  template <class T, class Flag>
  UPSWEEP_HD static bool is_head(const tuple<T, Flag>& item) {
    return get<1>(item) != Flag{};
  }
  template <class T, class Flag>
  UPSWEEP_HD static bool is_head(const tuple<T, neighbours<Flag>>& item) {
    return get<1>(item).first || get<1>(item).previous != Flag{};
  }
};
struct lift_keyed {
  template <class T, class Key>
  UPSWEEP_HD static bool is_head(const tuple<T, neighbours<Key>>& item) {
    return get<1>(item).first || !(get<1>(item).previous == get<1>(item).value);
  }
};
template <bool Reversed>
struct lift_marked {
  template <class T>
  UPSWEEP_HD static bool is_head(const tuple<T, std::uint8_t>& item) {
    return get<1>(item) & (Reversed ? segment_end : segment_start);
  }
};
struct lift_row {
  multiple_of row_length;
  index_t offset;  // 0, or 1 when reversed: a row then starts where the next one would
  template <class T>
  UPSWEEP_HD bool is_head(const tuple<T, index_t>& item) const {
    return row_length(get<1>(item) + offset);
  }
};

//! Lifts an item into segmented<M>, a head where `Heads` says so.
template <class M, class Heads>
struct lift_segmented {
  Heads heads;
  template <class Item>
  UPSWEEP_HD typename segmented<M>::value_type operator()(const Item& item) const {
    return {static_cast<typename M::value_type>(get<0>(item)), heads.is_head(item)};
  }
};
struct segment_inclusive {
  template <class Item, class V>
  UPSWEEP_HD auto operator()(index_t, const Item&, const V&, const V& inclusive) const {
    return inclusive.value;
  }
};
//! The exclusive prefix within a segment; its first item gets `init`.
template <class M, class Heads, bool HasInit>
struct segment_exclusive {
  M m;
  typename M::value_type init;
  Heads heads;
  index_t first;
  UPSWEEP_CALLS_USER
  template <class Item, class V>
  UPSWEEP_HD typename M::value_type operator()(index_t i, const Item& item, const V& exclusive, const V&) const {
    if (i == first || heads.is_head(item)) return init;
    if constexpr (HasInit) {
      return m(init, exclusive.value);
    } else {
      return exclusive.value;
    }
  }
};

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
  if (length <= 0) throw std::invalid_argument("rows: length is " + std::to_string(length) + ", must be positive");
  if (n % length != 0)
    throw std::invalid_argument(std::string("rows: ") + in + " has " + std::to_string(n) +
                                " items, which is no multiple of the length " + std::to_string(length));
}
template <class R>
using default_sum = plus<element_t<const R>>;

// A segmented scan: values beside what tells the heads.
template <class Executor, class In, class Out, class M, class MarkLoad, class Heads, class Project, class D>
void segmented_scan(Executor& executor, const In& in, const MarkLoad& marks, const Heads& heads, const Out& out,
                    const M& m, const Project& project, D) {
  scan_then(executor, in.size, contiguous(in, marks), lift_segmented<M, Heads>{heads}, segmented<M>{m},
            dense(out, project), no_total{}, way_t<D>{});
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
}  // namespace detail

// ---------------------------------------------------------------- scans
//! out[i] = in[0] ∘ … ∘ in[i], accumulated in M::value_type. `out` may be exactly `in`. `along`: forward, reversed (the
//! scan runs from the right), rows(length), reversed_rows(length). Costs one read of in and one write of out; does not
//! wait on a device. Throws std::invalid_argument, cuda_error. Method: single-pass scan with decoupled look-ahead
//! (cuda/protocol.hpp).
//!   upsweep::host exec;  upsweep::inclusive_scan(exec, in, out);  upsweep::inclusive_scan(exec, in, out,
//!   upsweep::maximum<int>{});
template <class Executor, contiguous_range In, contiguous_range Out, monoid M = detail::default_sum<In>,
          direction D = forward_t>
void inclusive_scan(Executor& executor, const In& in, Out&& out, const M& m = {}, const D& along = {}) {
  const auto from = input("in", in);
  const auto to = output("out", out);
  if constexpr (detail::has_rows<D>) {
    const lift_row heads = detail::row_heads(along, from.size);
    detail::segmented_scan(executor, from, indices(), heads, to, m, segment_inclusive{}, along);
  } else {
    scan_then(executor, from.size, contiguous(from), lift_to<typename M::value_type>{}, m, dense(to, take_inclusive{}),
              no_total{}, along);
  }
}

//! out[i] = in[0] ∘ … ∘ in[i−1]; the first is the identity. Otherwise as inclusive_scan.
template <class Executor, contiguous_range In, contiguous_range Out, monoid M = detail::default_sum<In>>
void exclusive_scan(Executor& executor, const In& in, Out&& out, const M& m = {}) {
  const auto from = input("in", in);
  scan_then(executor, from.size, contiguous(from), lift_to<typename M::value_type>{}, m,
            dense(output("out", out), take_exclusive{}), no_total{});
}
//! out[i] = init ∘ in[0] ∘ … ∘ in[i−1]; with rows, init starts every row.
template <class Executor, contiguous_range In, contiguous_range Out, monoid M, direction D = forward_t>
void exclusive_scan(Executor& executor, const In& in, Out&& out, const M& m, const typename M::value_type& init,
                    const D& along = {}) {
  const auto from = input("in", in);
  const auto to = output("out", out);
  const index_t first = detail::first_index<D>(from.size);
  if constexpr (detail::has_rows<D>) {
    const lift_row heads = detail::row_heads(along, from.size);
    detail::segmented_scan(executor, from, indices(), heads, to, m,
                           segment_exclusive<M, lift_row, true>{m, init, heads, first}, along);
  } else {
    scan_then(executor, from.size, contiguous(from), lift_to<typename M::value_type>{}, m,
              dense(to, after_init<M>{m, init, first}), no_total{}, along);
  }
}
//! exclusive_scan along a direction, with the identity in front.
template <class Executor, contiguous_range In, contiguous_range Out, monoid M, direction D>
void exclusive_scan(Executor& executor, const In& in, Out&& out, const M& m, const D& along) {
  const auto from = input("in", in);
  const auto to = output("out", out);
  if constexpr (detail::has_rows<D>) {
    detail::exclusive_by_heads(executor, from, indices(), detail::row_heads(along, from.size), to, m, along);
  } else {
    scan_then(executor, from.size, contiguous(from), lift_to<typename M::value_type>{}, m, dense(to, take_exclusive{}),
              no_total{}, along);
  }
}

// ---------------------------------------------------------------- segmented scans
namespace detail {
// heads: one byte an item; or offsets: where segments start (the last entry is where the last one ends)
template <class R>
inline constexpr bool is_heads = sizeof(element_t<const R>) == 1;

template <class D, class Heads, class F>
void with_heads(const Heads& heads, index_t n, const F& f) {
  if constexpr (is_heads<Heads>) {
    const auto range = input("heads", heads);
    if (range.size != n)
      throw std::invalid_argument("heads has " + std::to_string(range.size) + " items, needs " + std::to_string(n));
    if constexpr (D::reversed) {
      f(with_previous(range), lift_flagged{});
    } else {
      f(contiguous(range), lift_flagged{});
    }
  } else {
    f(segment_marks(input("offsets", heads)), lift_marked<D::reversed>{});
  }
}
template <class Executor, class Heads, class T>
void check_heads([[maybe_unused]] const Executor& executor, [[maybe_unused]] const Heads& heads,
                 [[maybe_unused]] const named_range<T>& out, [[maybe_unused]] index_t n) {
  if constexpr (!is_heads<Heads>) {
    const auto offsets = input("offsets", heads);
    check_offsets(offsets);
    check_range(executor, offsets, offsets.size);
    check_disjoint(offsets, offsets.size, out, n);
  }
}
}  // namespace detail

//! An inclusive scan that starts anew at every head. `heads`: one byte an item, or the segments' offsets (4- or 8-byte
//! integers; items before the first and from the last offset on are segments of their own). Reversed, a segment is
//! scanned from its right end. Costs one read of in and heads and one write of out. Otherwise as inclusive_scan.
template <class Executor, contiguous_range In, contiguous_range Heads, contiguous_range Out,
          monoid M = detail::default_sum<In>, direction D = forward_t>
void inclusive_segmented_scan(Executor& executor, const In& in, const Heads& heads, Out&& out, const M& m = {},
                              const D& along = {}) {
  const auto from = input("in", in);
  detail::check_heads(executor, heads, output("out", out), from.size);
  detail::with_heads<D>(heads, from.size, [&](const auto& marks, const auto& lift) {
    detail::segmented_scan(executor, from, marks, lift, output("out", out), m, segment_inclusive{}, along);
  });
}
//! The exclusive one: every segment's first item gets the identity.
template <class Executor, contiguous_range In, contiguous_range Heads, contiguous_range Out,
          monoid M = detail::default_sum<In>, direction D = forward_t>
void exclusive_segmented_scan(Executor& executor, const In& in, const Heads& heads, Out&& out, const M& m = {},
                              const D& along = {}) {
  const auto from = input("in", in);
  detail::check_heads(executor, heads, output("out", out), from.size);
  detail::with_heads<D>(heads, from.size, [&](const auto& marks, const auto& lift) {
    detail::exclusive_by_heads(executor, from, marks, lift, output("out", out), m, along);
  });
}

//! A segment is a run of equal neighbouring keys (==). Costs one read of keys and in and one write of out; `out` may be
//! exactly `in`, not `keys`.
template <class Executor, contiguous_range Keys, contiguous_range In, contiguous_range Out,
          monoid M = detail::default_sum<In>, direction D = forward_t>
void inclusive_scan_by_key(Executor& executor, const Keys& keys, const In& in, Out&& out, const M& m = {},
                           const D& along = {}) {
  check_same_size(input("keys", keys), input("in", in));
  detail::segmented_scan(executor, input("in", in), with_previous(input("keys", keys)), lift_keyed{},
                         output("out", out), m, segment_inclusive{}, along);
}
template <class Executor, contiguous_range Keys, contiguous_range In, contiguous_range Out,
          monoid M = detail::default_sum<In>, direction D = forward_t>
void exclusive_scan_by_key(Executor& executor, const Keys& keys, const In& in, Out&& out, const M& m = {},
                           const D& along = {}) {
  check_same_size(input("keys", keys), input("in", in));
  detail::exclusive_by_heads(executor, input("in", in), with_previous(input("keys", keys)), lift_keyed{},
                             output("out", out), m, along);
}

}  // namespace upsweep::inline UPSWEEP_ABI

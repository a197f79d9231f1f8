// Reductions: scans that keep only totals, of everything, of segments, of runs of equal keys.
#pragma once
#include <utility>

#include <upsweep/config.hpp>
#include <upsweep/executor.hpp>
#include <upsweep/for_each_index.hpp>
#include <upsweep/host/segments.hpp>
#include <upsweep/runs.hpp>
#include <upsweep/scan.hpp>
#if UPSWEEP_HAS_CUDA
#include <upsweep/cuda/by_runs.hpp>
#include <upsweep/cuda/segment_walk.hpp>
#elif UPSWEEP_HAS_LIBRARY
#include <upsweep/library/segmented_reduce.hpp>
#endif

namespace UPSWEEP_NAMESPACE {

//! in[0] ∘ … ∘ in[n−1], the identity when there is nothing; waits for it. Accumulates in M::value_type: by default that
//! of the input, so that sums of uint8 wrap (plus<long long>{} does not). Costs one read of in.
//!   float largest = upsweep::reduce(exec, in, upsweep::maximum<float>{});
template <executor Executor, contiguous_range In, monoid M = detail::default_sum<In>>
typename M::value_type reduce(Executor&& executor, const In& in, const M& m = {}) {
  const auto from = detail::input("in", in);
  return scan(executor, from.size, contiguous(from), lift_to<typename M::value_type>{}, m, discard);
}
//! The same; writes it to *result, in the executor's memory, and does not wait.
template <executor Executor, contiguous_range In, monoid M>
void reduce(Executor&& executor, const In& in, const M& m, std::type_identity_t<typename M::value_type>* result) {
  const auto from = detail::input("in", in);
  detail::check_result(executor, "result", result);
  scan(executor, from.size, contiguous(from), lift_to<typename M::value_type>{}, m, discard, result);
}
template <executor Executor, contiguous_range In, class Result>
  requires(std::is_same_v<Result, element_t<const In>>)  // which no literal 0 is a pointer to
void reduce(Executor&& executor, const In& in, Result* result) {
  reduce(executor, in, detail::default_sum<In>{}, result);
}

namespace detail {
//! A range, or columns of which one at least is a range.
template <class R>
concept reducible = contiguous_range<const R> || is_load<R>::value;
template <reducible In>
auto load_of_reduce(const In& in) {
  if constexpr (is_load<In>::value) return in;
  else return contiguous(input("in", in));
}
}  // namespace detail
//! lift(item 0) ∘ … ∘ lift(item n−1) of a range or of columns in step, contiguous(a, b, …), for which lift takes (a, b,
//! …) or an upsweep::tuple. n is the size of the ranges, which have the same. Otherwise as above: a dot product reads x
//! and y once.
//!   double dot = upsweep::reduce(exec, upsweep::contiguous(x, y), product{}, upsweep::plus<double>{});
template <executor Executor, detail::reducible In, class Lift, monoid M>
typename M::value_type reduce(Executor&& executor, const In& in, const Lift& lift, const M& m) {
  const auto load = detail::load_of_reduce(in);
  return scan(executor, detail::row_count(load), load, lift, m, discard);
}
//! The same; writes it to *result, in the executor's memory, and does not wait.
template <executor Executor, detail::reducible In, class Lift, monoid M>
void reduce(Executor&& executor, const In& in, const Lift& lift, const M& m,
            std::type_identity_t<typename M::value_type>* result) {
  const auto load = detail::load_of_reduce(in);
  detail::check_result(executor, "result", result);
  scan(executor, detail::row_count(load), load, lift, m, discard, result);
}
UPSWEEP_EXPLAIN(reduce,
                "reduce(executor, in, monoid) or reduce(executor, contiguous(ranges...), lift, monoid), or with a "
                "pointer to the monoid's value_type behind" UPSWEEP_A_MONOID_IS)

//! out[s] = in[offsets[s]] ∘ … ∘ in[offsets[s+1]−1] for every segment s, the identity for an empty one. `offsets` has
//! one entry more than out and does not decrease. Costs one read of in and offsets and one write of out; balanced for
//! any lengths. Wrong contents of offsets never read or write out of bounds.
//! Does not wait.
//!   upsweep::segmented_reduce(exec, in, row_starts, sums);
template <executor Executor, contiguous_range In, offset_positions Offsets, contiguous_range Out,
          monoid M = detail::default_sum<In>>
void segmented_reduce(Executor&& executor, const In& in, const Offsets& offsets, Out&& out, const M& m = {}) {
  const auto from = detail::input("in", in);
  const auto bounds = detail::positions_of(offsets);
  const auto to = UPSWEEP_OUTPUT(out);
  detail::check_offsets(bounds, to.name);
  detail::check_one_each(bounds, to);
  detail::check_range(executor, bounds, bounds.size);
  detail::check_range(executor, to, to.size);
  detail::check_range(executor, from, from.size);
  detail::check_disjoint(from, from.size, to, to.size);
  detail::check_disjoint(bounds, bounds.size, to, to.size);
  detail::run_on_backend(executor, [&](auto& chosen) { detail::reduce_segments(chosen, from, bounds, to, m); });
}
UPSWEEP_EXPLAIN(segmented_reduce, "segmented_reduce(executor, in, offsets, out, monoid)" UPSWEEP_A_MONOID_IS)

namespace detail {
// Runs of equal neighbouring keys, each reduced; `values` is a load beside the keys.
template <class Executor, class Keys, class Values, class KeysOut, class Out, class M, class Equal = equal_to<>>
void reduce_runs(Executor& executor, const named_range<Keys>& keys, const Values& values,
                 const named_range<KeysOut>& keys_out, const named_range<Out>& out, const M& m, index_t* count,
                 const Equal& equal = {}) {
  check_result(executor, "count", count);
  using lift = lift_segmented<M, head_of_run<Equal>>;
  const segmented<M> sums{m};
  scan_then(executor, keys.size, contiguous(values, with_previous(keys)), lift{{equal}}, sums,
            packed_rows(next_run<Equal, typename Values::template column_type<0>>{equal},
                        finished_run<KeysOut, Out, lift, segmented<M>>{{{equal}}, sums}, keys_out, out),
            last_run<KeysOut, Out>{keys_out.data, out.data, count});
}
}  // namespace detail

//! Reduces every run of equal neighbouring keys: keys_out[j], out[j] are the j-th run's key and sum. Returns the number
//! of runs, and waits for it. keys_out and out must hold n. Costs one read of keys and in and one write of the runs.
template <executor Executor, contiguous_range Keys, contiguous_range In, contiguous_range KeysOut, contiguous_range Out,
          monoid M = detail::default_sum<In>>
index_t reduce_by_key(Executor&& executor, const Keys& keys, const In& in, KeysOut&& keys_out, Out&& out,
                      const M& m = {}) {
  return executor.template returned<index_t>([&](index_t* count) {
    reduce_by_key(executor, keys, in, std::forward<KeysOut>(keys_out), std::forward<Out>(out), m, count);
  });
}
//! The same; writes the number to *count, in the executor's memory, and does not wait.
template <executor Executor, contiguous_range Keys, contiguous_range In, contiguous_range KeysOut, contiguous_range Out,
          monoid M>
void reduce_by_key(Executor&& executor, const Keys& keys, const In& in, KeysOut&& keys_out, Out&& out, const M& m,
                   index_t* count) {
  detail::check_equality_runs_on<Executor, element_t<const Keys>>();
  detail::check_same_size(detail::input("keys", keys), detail::input("in", in));
  detail::reduce_runs(executor, detail::input("keys", keys), contiguous(detail::input("in", in)),
                      UPSWEEP_OUTPUT(keys_out), UPSWEEP_OUTPUT(out), m, count);
}
template <executor Executor, contiguous_range Keys, contiguous_range In, contiguous_range KeysOut, contiguous_range Out>
void reduce_by_key(Executor&& executor, const Keys& keys, const In& in, KeysOut&& keys_out, Out&& out, index_t* count) {
  reduce_by_key(executor, keys, in, std::forward<KeysOut>(keys_out), std::forward<Out>(out), detail::default_sum<In>{},
                count);
}
UPSWEEP_EXPLAIN(reduce_by_key,
                "reduce_by_key(executor, keys, in, keys_out, out, monoid), or with a pointer of type "
                "index_t* behind for the number of runs" UPSWEEP_A_MONOID_IS)

}  // namespace UPSWEEP_NAMESPACE

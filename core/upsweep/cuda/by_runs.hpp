// The combining policy of runs that are reduced (runs.hpp). What stands before an item is the fold of the run that is
// open there and how many runs are closed: whether a run begins in a span its count tells, and need not be carried.
#pragma once
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include <upsweep/config.hpp>
#include <upsweep/counts.hpp>
#include <upsweep/cuda/by_lanes.hpp>
#include <upsweep/cuda/by_monoid.hpp>
#include <upsweep/cuda/emit.hpp>
#include <upsweep/cuda/engine.hpp>
#include <upsweep/cuda/lane.hpp>
#include <upsweep/cuda/tuning.hpp>
#include <upsweep/cuda/warp.hpp>
#include <upsweep/lifts.hpp>
#include <upsweep/runs.hpp>

namespace UPSWEEP_NAMESPACE::gpu {

//! The fold of the items since the last run began, and how many have ended: in two words, beside which a value of 4
//! bytes is published in one piece (protocol.hpp).
template <class T>
struct open_run {
  T fold;
  std::uint32_t ended_low, ended_high;
  __device__ index_t ended() const {
    return static_cast<index_t>(std::uint64_t{ended_high} << 32 | std::uint64_t{ended_low});
  }
};
template <class T>
__device__ open_run<T> open_run_of(const T& fold, index_t ended) {
  return {fold, static_cast<std::uint32_t>(ended), static_cast<std::uint32_t>(ended >> 32)};
}
//! The same in a block of tiles.
template <class T>
struct short_form<open_run<T>> {
  T fold;
  int ended;
  __device__ explicit short_form(const open_run<T>& v) : fold(v.fold), ended(static_cast<int>(v.ended_low)) {}
  __device__ open_run<T> whole() const { return {fold, static_cast<std::uint32_t>(ended), 0}; }
};

//! (A run that began with the very first item did not end one; but nothing stands before it.)
template <class M>
struct open_runs {
  using value_type = open_run<typename M::value_type>;
  const M& inner;
  __device__ value_type operator()(const value_type& earlier, const value_type& later) const {
    const index_t ended = earlier.ended() + later.ended();
    if ((later.ended_low | later.ended_high) != 0) return open_run_of(later.fold, ended);
    return open_run_of(static_cast<typename M::value_type>(inner(earlier.fold, later.fold)), ended);
  }
};
template <class T, class M>
__device__ open_run<T> warp_scan(const open_run<T>& value, int live, const M& m) {
  using runs = short_form<open_run<T>>;
  return warp_scan(runs(value), live,
                   [&m](const runs& earlier, runs later) {
                     if (later.ended == 0) later.fold = m.inner(earlier.fold, later.fold);
                     later.ended += earlier.ended;
                     return later;
                   })
      .whole();
}

//! Are all values the same, and summed up? Then the folds are known from where the runs begin.
template <class C, class M>
inline constexpr bool sums_constant = false;
template <class T>
inline constexpr bool sums_constant<constant_column<T>, plus<T>> = std::is_integral_v<T>;
//! Can a fold lie in shared memory where a value does?
template <class C, class M>
inline constexpr bool folds_in_place = false;
template <class T, class M>
inline constexpr bool folds_in_place<range_column<T>, M> =
    sizeof(T) == sizeof(typename M::value_type) && alignof(T) >= alignof(typename M::value_type);

template <class C, class M>
inline constexpr bool is_by_runs = sums_constant<C, M> || folds_in_place<C, M>;
//! The places of rows are staged, of two bytes each.
template <class G, class Row, class Equal, class C, class K, class T, class Lift, class M, class... Ts>
  requires(is_by_runs<C, M>)
inline constexpr int staged_at_once<
    G, packed_store<1, Row, detail::next_run<Equal, C>, detail::finished_run<K, T, Lift, segmented<M>>, Ts...>> =
    (2 * G::part_items + static_cast<int>(sizeof(Row)) - 1) / static_cast<int>(sizeof(Row));

//! The warps that reduce leave where runs begin, a bit an item, and there, where the value was, the fold of the run
//! before it as far as the lane has it. The warps that scan complete the first of each lane, and make a list of the
//! places: rows are put together one a lane, however they are spread over the items.
template <class G, class Args>
struct by_runs
    : by_lanes<by_runs<G, Args>, G, Args, open_run<typename decltype(Args::monoid_type::inner.inner)::value_type>> {
  using M = decltype(Args::monoid_type::inner.inner);
  using T = typename M::value_type;
  using V = open_run<T>;
  using base = by_lanes<by_runs<G, Args>, G, Args, V>;
  using typename base::part_type;
  using combiner = monoid_combiner<open_runs<M>, G::warps, open_runs<M>>;
  using Store = typename Args::store_type;
  template <int I>
  using column = typename Args::load_type::template column_type<I>;
  static constexpr bool starts = false, reads_all = false, has_values = !sums_constant<column<0>, M>;
  static constexpr int words = (G::per_lane + 31) / 32;
  static_assert(!Args::reversed && G::part_items <= 1 << 16);

  struct tables {
    __device__ void fill(const auto&, int, int) {}
  };
  struct lane {
    std::uint32_t begins[words];  // bit k: a run ends before the lane's k-th item
    maybe<V> before;              // in its warp
    lane_prefix<V> prefix;
  };
  struct lanes : base::lanes {
    std::uint32_t begins[words][warp_size];
  };
  __device__ static combiner combiner_of(const auto& m, const tables&) { return {{m.inner.inner}}; }

  template <bool Whole>
  __device__ static maybe<V> fold_lanes(const auto& a, const combiner& by, const std::byte* items,
                                        const part_type& part, lane& own) {
    maybe<V> sum;
    if (Whole && part.full) sum.value = fold_lane<Whole>(a, by, items, part, own);
    else sum.value = fold_lane<false>(a, by, items, part, own);
    __syncwarp();
    sum.value = by.scan_lanes(sum.value, part.lanes);
    return sum;
  }
  __device__ static void leave(const lane& own, lanes& left) {
#pragma unroll
    for (int w = 0; w < words; w++) left.begins[w][lane_id()] = own.begins[w];
  }
  __device__ static void recall(lane& own, const lanes& left) {
    base::recall(own, left);
#pragma unroll
    for (int w = 0; w < words; w++) own.begins[w] = left.begins[w][lane_id()];
  }
  __device__ static void read(const auto&, const std::byte*, const part_type&, lane&) {}
  __device__ static void place(const auto&, const combiner& by, const part_type& part, const auto&,
                               const maybe<V>* warps_before, const prefixes<V>& around, lane& own) {
    own.prefix = place_lane<G>(by.m, part, own.before, warps_before, around);
  }
  template <bool Whole, bool Bulk>
  __device__ static bool walk(const auto& a, const combiner& by, const std::byte* items, std::byte* stage,
                              const part_type& part, const auto&, const prefixes<V>&, lane& own) {
    static_assert(staging<G, Store>::own && staging<G, Store>::own_bytes >= 2 * G::part_items);
    const index_t first = own.prefix.has_before ? own.prefix.before.value.ended() : index_t{0};
    const index_t at = from_lane(first, 0);
    const int count = static_cast<int>(from_lane(own.prefix.last.value.ended(), part.lanes - 1) - at);
    if constexpr (has_values) complete_first(a, by, items, part, own);
    auto* const list = reinterpret_cast<std::uint16_t*>(stage);  // places in the warp's part
    auto* next = list + static_cast<int>(first - at);
#pragma unroll
    for (int w = 0; w < words; w++)
      for (std::uint32_t left = own.begins[w]; left != 0; left &= left - 1)
        *next++ = static_cast<std::uint16_t>(lane_id() * G::per_lane + 32 * w + __ffs(static_cast<int>(left)) - 1);
    [[maybe_unused]] const auto open = fold_in_front(own);
    __syncwarp();
    const auto fold_before = [&](int k) {
      const int begin = list[k];
      if constexpr (has_values) return part_of<0, T>(a, items, part)[begin];
      else return static_cast<T>(k > 0 ? times(a, begin - list[k - 1]) : open + times(a, begin));
    };
    const auto* const keys = part_of<1>(a, items, part);
    auto* const keys_out = get<0>(a.store.ranges).data + at;
    auto* const folds_out = get<1>(a.store.ranges).data + at;
    using Key = std::remove_cvref_t<decltype(*keys_out)>;
    using Out = std::remove_cvref_t<decltype(*folds_out)>;
    for (int k = lane_id(); k < count; k += warp_size) {
      keys_out[k] = static_cast<Key>(keys[list[k] - 1]);
      folds_out[k] = static_cast<Out>(fold_before(k));
    }
    finish_last(a, keys, part, own);
    return false;
  }

 private:
  //! The items of a column that are the warp's.
  template <int I, class Item = staged_t<column<I>>>
  __device__ static Item* part_of(const auto& a, const std::byte* items, const part_type& part) {
    std::byte* const window = const_cast<std::byte*>(items) + G::template column_offset<I>;
    return reinterpret_cast<Item*>(window + window_shift<G>(get<I>(a.load.columns), part.items)) +
           part.warp * G::part_items;
  }
  //! Of the run that is open in front of the warp, where no value says it.
  __device__ static auto fold_in_front(const lane& own) {
    if constexpr (has_values) return nothing{};
    else return from_lane(own.prefix.has_before ? own.prefix.before.value.fold : T{}, 0);
  }
  //! The sum of so many items.
  __device__ static T times(const auto& a, int count) {
    return static_cast<T>(static_cast<T>(count) * get<0>(a.load.columns).value);
  }
  template <bool Full>
  __device__ static V fold_lane(const auto& a, const combiner& by, const std::byte* items, const part_type& part,
                                lane& own) {
    lane_items<G, typename Args::load_type, Args::reversed> held;
    held.read(a.load, items, part.items, part.warp);
    maybe<T> fold;
#pragma unroll
    for (int w = 0; w < words; w++) own.begins[w] = 0;
    for_each_item<G, Full>(part, [&](int k, index_t logical, index_t position) {
      const auto item = held.item(a.load, k, logical, position);
      const bool ends = a.lift.classify(item) == 0;
      if (ends) own.begins[k / 32] |= 1u << k % 32;
      if constexpr (has_values) {
        const auto x = a.lift.lift(item);
        if (ends && k > 0) part_of<0, T>(a, items, part)[lane_id() * G::per_lane + k] = fold.value;
        if (k == 0 || x.head) fold.value = x.value;
        else fold.value = by.m.inner(fold.value, x.value);
      }
    });
    int ended = 0, last = 0;
#pragma unroll
    for (int w = 0; w < words; w++) {
      ended += __popc(own.begins[w]);
      if (own.begins[w] != 0) last = 32 * w + 31 - __clz(static_cast<int>(own.begins[w]));
    }
    if constexpr (!has_values) fold.value = times(a, (Full ? G::per_lane : part.lane_count()) - last);
    return open_run_of(fold.value, ended);
  }
  //! Folds the first run that ends in the lane's part anew, from what stands before the lane on: item by item, so that
  //! it is what one who walks along all items would get.
  __device__ static void complete_first(const auto& a, const combiner& by, const std::byte* items,
                                        const part_type& part, const lane& own) {
    int first = 0;
#pragma unroll
    for (int w = words - 1; w >= 0; w--)
      if (own.begins[w] != 0) first = 32 * w + __ffs(static_cast<int>(own.begins[w])) - 1;
    constexpr int item = static_cast<int>(sizeof(T));
    const int shift = window_shift<G>(get<0>(a.load.columns), part.items) + part.lane_first() * item;
    const auto held = read_lane<G::per_lane * item, static_cast<int>(alignof(staged_t<column<0>>))>(
        items + G::template column_offset<0>, shift);
    bool any = own.prefix.has_before;
    maybe<T> fold;
    fold.value = own.prefix.before.value.fold;
#pragma unroll
    for (int k = 0; k < G::per_lane; k++) {
      if (k >= first) continue;
      const T x = detail::as_value<T>(held.template at<staged_t<column<0>>>(k));
      fold.value = any ? by.m.inner(fold.value, x) : x;
      any = true;
    }
    bool ends = false;
#pragma unroll
    for (int w = 0; w < words; w++) ends |= own.begins[w] != 0;
    if (ends) part_of<0, T>(a, items, part)[lane_id() * G::per_lane + first] = fold.value;
  }
  //! (A last_run asks for the last item's key alone.)
  __device__ static void finish_last(const auto& a, const auto* keys, const part_type& part, const lane& own) {
    const index_t last = a.n - 1 - part.items.first;  // in the tile
    if (last < part.lane_first() || part.lane_first() + G::per_lane <= last) return;
    const auto key = keys[static_cast<int>(last) - part.warp * G::part_items];
    const V& total = own.prefix.last.value;
    a.finish(upsweep::make_tuple(nothing{}, neighbours<std::remove_cvref_t<decltype(key)>>{key, key, false}),
             typename Args::value_type{{total.fold, true}, {total.ended()}});
  }
};

template <class M, class Equal, class C, class V>
  requires(is_by_runs<C, M>)
struct combining_of<
    detail::counting_lift<detail::lift_segmented<M, detail::head_of_run<Equal>>, detail::next_run<Equal, C>, V, 1>> {
  template <class G, class Args>
  using policy = by_runs<G, Args>;
  static constexpr tuning::tilewise_shape small(int item_bytes, int value_bytes) {
    return tuning::small_tiles(item_bytes, value_bytes);
  }
  static constexpr tuning::tilewise_shape middle(int, int value_bytes) { return tuning::middle_tiles(value_bytes); }
  static constexpr bool has_large_tiles(int item_bytes, int value_bytes) {
    return tuning::has_large_tiles(item_bytes, value_bytes);
  }
  static constexpr tuning::pipeline_shape pipeline(const tuning::sweep_sizes&) { return tuning::runs(); }
  static constexpr int pipeline_value_bytes = tuning::pipeline_value_bytes;
};

}  // namespace UPSWEEP_NAMESPACE::gpu

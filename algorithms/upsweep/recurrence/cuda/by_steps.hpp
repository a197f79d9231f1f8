// The combining policy of recurrences with varying coefficients (core's cuda/combining.hpp): lanes, warps and tiles
// leave maps, which are combined as a monoid's, but a lane needs no maps of its items. It folds them into one, step by
// step, and walks along them with the last values alone.
#pragma once
#include <cstddef>
#include <type_traits>
#include <utility>

#include <upsweep/config.hpp>
#include <upsweep/cuda/by_lanes.hpp>
#include <upsweep/cuda/by_monoid.hpp>
#include <upsweep/cuda/emit.hpp>
#include <upsweep/cuda/engine.hpp>
#include <upsweep/cuda/lane.hpp>
#include <upsweep/recurrence/cuda/lane_rows.hpp>
#include <upsweep/recurrence/cuda/tuning.hpp>
#include <upsweep/recurrence/recurrence_maps.hpp>
#include <upsweep/stages.hpp>

namespace UPSWEEP_NAMESPACE::gpu {

//! Maps of runs of items, order 1: of one step, of a run and a step behind it, and what a run leaves if its map is
//! constant. (Not every function looks at marks: a lane knows by itself where a row begins.)
template <class T>
__device__ affine_map<T> map_of(const affine_map<T>& step) {
  return step;
}
template <class T>
__device__ affine_map<T> behind(const affine_map<T>& run, const affine_map<T>& step) {
  return {detail::product(step.a, run.a), detail::product_and(step.a, run.b, step.b)};
}
template <class T>
__device__ detail::last_value<T> constants(const affine_map<T>& run) {
  return {run.b};
}
template <class T>
__device__ void set_constants(affine_map<T>& run, const detail::last_value<T>& x) {
  run.b = x.last;
}
//! A run's map as others see it: marked if it is constant, else without any mark.
template <class T>
__device__ affine_map<T> marked_map(const affine_map<T>& run, bool constant) {
  using factor = detail::constant_factor<T>;
  return {constant ? factor::mark() : factor::load(run.a), run.b};
}
template <class T>
__device__ void apply(const affine_map<T>& run, detail::last_value<T>& x) {
  x.last = detail::constant_factor<T>::marks(run.a) ? run.b : detail::product_and(run.a, x.last, run.b);
}

//! The same of order 2.
template <class T>
__device__ detail::two_forms<T> map_of(const detail::linear_form<T>& step) {
  return {step, {T{1}, T{0}, T{0}}};
}
template <class T>
__device__ detail::two_forms<T> behind(const detail::two_forms<T>& run, const detail::linear_form<T>& step) {
  return {detail::restarted_companion<T>::after(run, step), run.last};
}
template <class T>
__device__ detail::two_values<T> constants(const detail::two_forms<T>& run) {
  return {run.last.r, run.previous.r};
}
template <class T>
__device__ void set_constants(detail::two_forms<T>& run, const detail::two_values<T>& x) {
  run.last.r = x.last;
  run.previous.r = x.previous;
}
template <class T>
__device__ detail::two_forms<T> marked_map(const detail::two_forms<T>& run, bool constant) {
  using factor = detail::constant_factor<T>;
  const auto marked = [=](const detail::linear_form<T>& f) -> detail::linear_form<T> {
    return {constant ? factor::mark() : factor::load(f.p), constant ? factor::mark() : factor::load(f.q), f.r};
  };
  return {marked(run.last), marked(run.previous)};
}
template <class T>
__device__ void apply(const detail::two_forms<T>& run, detail::two_values<T>& x) {
  const detail::two_values<T> constant = constants(run);
  if (detail::constant_factor<T>::marks(run.last.p)) x = constant;
  else {
    const auto of = [=](const detail::linear_form<T>& f) {
      return detail::product_and(f.p, x.last, detail::product_and(f.q, x.previous, f.r));
    };
    x = {of(run.last), of(run.previous)};
  }
}

//! What stands before a tile is constant, as the first item of all begins a row: a state's constants tell all of it.
template <class M, int Warps>
struct map_combiner : monoid_combiner<M, Warps> {
  using base = monoid_combiner<M, Warps>;
  using V = typename M::value_type;

  __device__ void fold_warps(const maybe<V>* totals, int warps, maybe<V>* before) const {
    maybe<V> sum;
    if (lane_id() < warps) sum = totals[lane_id()];
    sum.value = warp_scan<Warps>(sum.value, warps, this->m);
    if (lane_id() < warps) before[lane_id() + 1] = sum;
  }
  __device__ V behind(const V& before, const V& run) const {
    auto x = constants(before);
    apply(run, x);
    V result = before;
    set_constants(result, x);
    return result;
  }
  __device__ void join(index_t tile, bool, const maybe<V>& before_block, const prefixes<V>& in_block,
                       prefixes<V>& around) const {
    prefixes<V> result = in_block;
    if (tile >= tiles_per_block) {
      result.before = before_block;
      if (place_in_block(tile) > 0) result.before.value = behind(before_block.value, in_block.before.value);
      result.after.value = behind(before_block.value, in_block.after.value);
    }
    around = result;
  }
};

//! How many items are read at a time: a vector of the widest. (Of small types more: slices of theirs are not whole
//! words.)
template <class Load>
inline constexpr int slice_of = 0;
template <class... Cs>
inline constexpr int slice_of<load_stage<Cs...>> = [] {
  using G = geometry<load_stage<Cs...>, 1, 16>;
  const bool whole_words = ((G::template item_bytes<Cs> % 4 == 0) && ...);
  return !whole_words ? 32 : G::widest_bytes >= 16 ? 1 : 16 / G::widest_bytes;
}();

template <class G, class Args>
struct by_steps : by_lanes<by_steps<G, Args>, G, Args> {
  using base = by_lanes<by_steps<G, Args>, G, Args>;
  using typename base::part_type;
  using V = typename Args::value_type;
  using combiner = map_combiner<typename Args::monoid_type, G::warps>;
  using lift_type = typename Args::lift_type;
  using values = decltype(std::declval<lift_type>().before_row(0));
  using row_starts = lane_starts<lift_type, G::per_lane, Args::reversed>;
  static constexpr bool starts = false, reads_all = true;
  static_assert(detail::is_dense_v<typename Args::store_type>);

  struct tables {
    __device__ void fill(const auto&, int, int) {}
  };
  struct lane {
    lane_items<G, typename Args::load_type, Args::reversed> items;
    maybe<row_starts> rows;
    maybe<V> before;     // in its warp
    maybe<values> from;  // in front of its first item
  };
  __device__ static combiner combiner_of(const auto& m, const tables&) { return {{m}}; }

  __device__ static void read(const auto& a, const std::byte* items, const part_type& part, lane& own) {
    find_rows(a, part, own);
    own.items.read(a.load, items, part.items, part.warp);
  }
  template <bool Whole>
  __device__ static maybe<V> fold_lanes(const auto& a, const combiner& by, const std::byte* items,
                                        const part_type& part, lane& own) {
    find_rows(a, part, own);
    maybe<V> sum;
    if (Whole && part.full) sum.value = fold_items<Whole>(a, items, own, part);
    else if (lane_id() < part.lanes) sum.value = fold_items<false>(a, items, own, part);
    __syncwarp();
    sum.value = by.scan_lanes(sum.value, part.lanes);
    return sum;
  }
  //! The values in front of a lane's first item. What stands before a tile is constant: a row began there.
  __device__ static void place(const auto&, const combiner&, const part_type& part, const auto&,
                               const maybe<V>* warps_before, const prefixes<V>& around, lane& own) {
    values x{};
    if (part.items.first > 0) x = constants(around.before.value);
    if (part.warp > 0) apply(warps_before[part.warp].value, x);
    if (lane_id() > 0) apply(own.before.value, x);
    own.from.value = x;
  }
  template <bool Whole, bool Bulk>
  __device__ static bool walk(const auto& a, const combiner&, const std::byte* items, std::byte* stage,
                              const part_type& part, const auto&, const prefixes<V>&, lane& own) {
    if constexpr (!Bulk) {  // in the pipeline they are read before what stands in front is known
      own.items.read(a.load, items, part.items, part.warp);
      __syncwarp();  // results may be staged where items lay
    }
    if (Whole && part.full) return walk_items<Whole, Bulk>(a, own, stage, part);
    return walk_items<false, Bulk>(a, own, stage, part);
  }

 private:
  static constexpr int slice =
      G::per_lane % slice_of<typename Args::load_type> == 0 ? slice_of<typename Args::load_type> : G::per_lane;

  __device__ static void find_rows(const auto& a, const part_type& part, lane& own) {
    own.rows.value = row_starts(a.lift, part.items.first + part.lane_first(), a.n);
  }
  //! The map of a lane's items; must have one. They are read a few at a time, or maps of order 2 find no registers.
  template <bool Full>
  __device__ static V fold_items(const auto& a, const std::byte* items, const lane& own, const part_type& part) {
    const int count = Full ? G::per_lane : part.lane_count();
    const index_t lane_first = part.items.first + part.lane_first();
    maybe<V> run;
    bool constant = false;
#pragma unroll
    for (int first = 0; first < G::per_lane; first += slice) {
      if (!Full && first >= count) break;
      lane_items<G, typename Args::load_type, Args::reversed, slice> held;
      held.read(a.load, items, part.items, part.warp, first);
#pragma unroll
      for (int at = 0; at < slice; at++) {
        const int k = first + at;
        if (!Full && k >= count) break;
        const index_t logical = lane_first + k, i = Args::reversed ? a.n - 1 - logical : logical;
        const auto item = held.item(a.load, at, logical, i);
        const auto step = lift_type::step(item);
        const bool begins = own.rows.value.begins(k, item);
        if (k == 0) {
          run.value = map_of(step);
          if (begins) {
            values x = own.rows.value.before(a.lift, k, i);
            advance(x, step);
            set_constants(run.value, x);
          }
        } else {
          if (begins) set_constants(run.value, own.rows.value.before(a.lift, k, i));
          run.value = behind(run.value, step);
        }
        constant |= begins;
      }
    }
    return marked_map(run.value, constant);
  }
  template <bool Full, bool Bulk>
  __device__ static bool walk_items(const auto& a, const lane& own, std::byte* stage, const part_type& part) {
    using T = typename Args::store_type::value_type;
    const row_starts& rows = own.rows.value;
    lane_writer<T, G::per_lane, Args::reversed> writer(stage);
    const int last = part.lane_count() - 1;
    values x = own.from.value;
    for_each_item<G, Full>(part, [&](int k, index_t logical, index_t i) {
      const auto item = own.items.item(a.load, k, logical, i);
      if (rows.begins(k, item)) x = rows.before(a.lift, k, i);
      advance(x, lift_type::step(item));
      writer.put(k, static_cast<T>(x.last), !Full && k == last);
    });
    return send_dense<G, Full, Bulk>(a, stage, part);
  }
};

template <class G, class T>
inline constexpr bool stages_apart<G, dense_store<T, detail::take_constant>> =
    tuning::recurrence_stages_apart(G::warps, G::all_bytes);

struct combining_steps {
  template <class G, class Args>
  using policy = by_steps<G, Args>;
  static constexpr tuning::tilewise_shape small(int item_bytes, int value_bytes) {
    return tuning::recurrence_small_tiles(item_bytes, value_bytes);
  }
  static constexpr tuning::tilewise_shape middle(int item_bytes, int value_bytes) {
    return tuning::recurrence_tiles(item_bytes, value_bytes);
  }
  static constexpr bool has_large_tiles(int, int) { return false; }
  static constexpr tuning::pipeline_shape pipeline(const tuning::sweep_sizes& sizes) {
    return tuning::recurrence_pipeline(sizes.item_bytes, sizes.value_bytes);
  }
  static constexpr int pipeline_value_bytes = tuning::recurrence_value_bytes;
};
template <class T, class Rows, class Before>
struct combining_of<detail::lift_restarted<T, Rows, Before>> : combining_steps {};
template <class T, class Rows, class Before, bool Reversed>
struct combining_of<detail::lift_companion<T, Rows, Before, Reversed>> : combining_steps {};

}  // namespace UPSWEEP_NAMESPACE::gpu

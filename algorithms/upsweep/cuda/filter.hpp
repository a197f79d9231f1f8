// Filters on the device: a sweep of a recurrence a channel, or many channels at once (filter_many.hpp).
#pragma once
#include <upsweep/config.hpp>
#include <upsweep/cuda/filter_many.hpp>
#include <upsweep/filter_task.hpp>
#include <upsweep/scan.hpp>
#include <upsweep/signal.hpp>

namespace upsweep::inline UPSWEEP_ABI::detail {

template <class T>
struct strided_samples {
  const T* data;
  index_t step;
  UPSWEEP_HD T operator()(index_t t) const { return data[t * step]; }
};
//! The output of a recurrence for an item and the state in front of it.
template <class R, class T>
struct respond {
  static constexpr bool stages_early = true;  // the engine walks along the items (cuda/run_lane.hpp)
  R rule;
  template <class Item, class V>
  UPSWEEP_HD T operator()(index_t, const Item& item, V before, const V&) const {
    double x = static_cast<double>(item);
    rule.advance(before.at, x);
    return to_sample<T>(x);
  }
};
template <class R, class T>
struct store_strided {
  respond<R, T> response;
  T* data;
  index_t step;
  template <class Item, class V>
  UPSWEEP_HD void operator()(index_t t, const Item& item, const V& before, const V& behind) const {
    data[t * step] = response(t, item, before, behind);
  }
};

//! So many channels go a warp each, in one launch. (A launch takes 5 µs; a warp alone 0.3 Gsample/s.)
inline constexpr index_t from_many_channels = 64;

template <recurrence R, class In, class Out, bool Interleaved, class Finish, class Direction = forward_t>
void filter_channels(device& executor, const R& rule, const signal<const In, Interleaved>& in,
                     const signal<Out, Interleaved>& out, const Finish& finish, Direction direction = {}) {
  const respond<R, Out> response{rule};
  if constexpr (!Interleaved && !Direction::reversed)
    if (in.channels >= from_many_channels) return filter_many_channels(executor, rule, in, out, finish, response);
  for (index_t c = 0; c < in.channels; c++) {
    const In* from = in.channel(c);
    Out* to = out.channel(c);
    const auto own = finish.of_channel(c);
    if constexpr (Interleaved)
      sweep_recurrence(executor, in.length, computed<In>(strided_samples<In>{from, in.step()}), lift_to<double>{}, rule,
                       each(store_strided<R, Out>{response, to, out.step()}), own, direction);
    else
      sweep_recurrence(executor, in.length, contiguous(named_range<const In>{from, in.length, "in"}), lift_to<double>{},
                       rule, dense(named_range<Out>{to, out.length, "out"}, response), own, direction);
  }
}

}  // namespace upsweep::inline UPSWEEP_ABI::detail

// Filters on the device: a sweep of a recurrence a channel, or many channels at once (filter_many.hpp).
#pragma once
#include <cstddef>
#include <optional>
#include <span>

#include <upsweep/config.hpp>
#include <upsweep/cuda/filter_many.hpp>
#include <upsweep/filter_task.hpp>
#include <upsweep/scan.hpp>
#include <upsweep/signal.hpp>

namespace upsweep::inline UPSWEEP_ABI::detail {

template <class T>
struct sample_at {
  samples_of<const T> samples;
  UPSWEEP_HD T operator()(index_t t) const { return samples[t]; }
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
struct store_sample {
  respond<R, T> response;
  samples_of<T> samples;
  template <class Item, class V>
  UPSWEEP_HD void operator()(index_t t, const Item& item, const V& before, const V& behind) const {
    samples[t] = response(t, item, before, behind);
  }
};

//! So many channels go a warp each, in one launch. (A launch takes 5 µs; a warp alone 0.3 Gsample/s.)
inline constexpr index_t from_many_channels = 64;

//! By one rule, or each channel by its own: those are swept one after another, however many there are.
template <recurrence R, class In, class Out, bool Interleaved, class Finish, class Direction = forward_t>
void filter_channels(device& executor, std::span<const R> rules, const signal<const In, Interleaved>& in,
                     const signal<Out, Interleaved>& out, const Finish& finish, Direction direction = {}) {
  if constexpr (!Interleaved && !Direction::reversed)
    if (rules.size() == 1 && in.channels >= from_many_channels)
      return filter_many_channels(executor, rules[0], in, out, finish, respond<R, Out>{rules[0]});
  const auto load_of = [&](index_t c) {
    if constexpr (Interleaved) return computed<In>(sample_at<In>{in.samples(c, false)});
    else return contiguous(named_range<const In>{in.channel(c), in.length, "in"});
  };
  const auto store_of = [&](index_t c, const respond<R, Out>& response) {
    if constexpr (Interleaved) return each(store_sample<R, Out>{response, out.samples(c, false)});
    else return dense(named_range<Out>{out.channel(c), out.length, "out"}, response);
  };
  std::optional<typename recurrence_sweep<R, decltype(load_of(0))>::powers> powers;
  for (index_t c = 0; c < in.channels; c++) {
    const R& rule = rules[rules.size() == 1 ? 0 : static_cast<std::size_t>(c)];
    if (c == 0 || rules.size() > 1) powers.emplace(rule);
    sweep_recurrence<R>(executor, in.length, load_of(c), lift_to<double>{}, *powers, store_of(c, respond<R, Out>{rule}),
                        finish.of_channel(c), direction);
  }
}

}  // namespace upsweep::inline UPSWEEP_ABI::detail

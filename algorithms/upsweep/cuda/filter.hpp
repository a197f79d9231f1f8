// Filters on the device: a sweep of a recurrence a channel, or many channels at once (filter_many.hpp).
#pragma once
#include <cstddef>
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
//! What the engine stores of a recurrence: its output, as a sample.
template <class T>
struct respond {
  static constexpr bool stages_early = true;  // the engine walks along the items (cuda/run_lane.hpp)
  UPSWEEP_HD T operator()(index_t, double output) const { return to_sample<T>(output); }
};
template <class T>
struct store_sample {
  samples_of<T> samples;
  UPSWEEP_HD void operator()(index_t t, double output) const { samples[t] = to_sample<T>(output); }
};

//! So many channels go a warp each, in one launch. (A launch takes 5 µs; a warp alone 0.3 Gsample/s.)
inline constexpr index_t from_many_channels = 64;

//! By one rule, or each channel by its own: those are swept one after another, however many there are.
template <recurrence R, class In, class Out, bool Interleaved, class Finish, class Direction = forward_t>
void filter_channels(device& executor, std::span<const R> rules, const signal<const In, Interleaved>& in,
                     const signal<Out, Interleaved>& out, const Finish& finish, Direction direction = {}) {
  if constexpr (!Interleaved && !Direction::reversed)
    if (rules.size() == 1 && in.channels >= from_many_channels)
      return filter_many_channels(executor, rules[0], in, out, finish, respond<Out>{});
  const auto load_of = [&](index_t c) {
    if constexpr (Interleaved) return computed<In>(sample_at<In>{in.samples(c, false)});
    else return contiguous(named_range<const In>{in.channel(c), in.length, "in"});
  };
  const auto store_of = [&](index_t c) {
    if constexpr (Interleaved) return each(store_sample<Out>{out.samples(c, false)});
    else return dense(named_range<Out>{out.channel(c), out.length, "out"}, respond<Out>{});
  };
  for (index_t c = 0; c < in.channels; c++)
    sweep_recurrence(executor, in.length, load_of(c), lift_to<double>{},
                     rules[rules.size() == 1 ? 0 : static_cast<std::size_t>(c)], store_of(c), finish.of_channel(c),
                     direction);
}

}  // namespace upsweep::inline UPSWEEP_ABI::detail

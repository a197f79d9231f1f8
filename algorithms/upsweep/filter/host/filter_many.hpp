// Filters on the host of many channels, eight side by side, one in each lane of a vector, from sample to sample: by
// filters of their own, whose powers nobody needs then, or of signals too short for powers.
// What a channel gives depends on nothing else: not on threads, vectors or other channels.
#pragma once
#include <algorithm>
#include <cstddef>
#include <span>

#include <upsweep/config.hpp>
#include <upsweep/filter/cascade.hpp>
#include <upsweep/filter/host/lanes.hpp>
#include <upsweep/filter/host/run_filter.hpp>
#include <upsweep/filter/host/samples.hpp>
#include <upsweep/filter/rule.hpp>
#include <upsweep/host/share_out.hpp>
#include <upsweep/host/versions.hpp>

namespace UPSWEEP_NAMESPACE::detail {

//! Up to eight cascades, a lane each; lanes that are left have the last one.
template <class Lanes, int Sections, int Order>
UPSWEEP_INLINE cascade<Sections, Order, Lanes> cascades_by_lanes(std::span<const cascade<Sections, Order>> rules) {
  cascade<Sections, Order, Lanes> all;
  const auto load = [&](Lanes& to, const auto& number_of) UPSWEEP_LAMBDA_INLINE {
    double numbers[filter_lanes];
    for (std::size_t lane = 0; lane < filter_lanes; lane++)
      numbers[lane] = number_of(rules[std::min(lane, rules.size() - 1)]);
    load_lanes(to, numbers);
  };
  for (int s = 0; s < Sections; s++) {
    load(all.b0[s], [&](const auto& rule) { return rule.b0[s]; });
    for (int k = 0; k < Order; k++) {
      load(all.c[s][k], [&](const auto& rule) { return rule.c[s][k]; });
      load(all.a[s][k], [&](const auto& rule) { return rule.a[s][k]; });
    }
  }
  return all;
}

//! Filters neighbouring channels, at most eight, by a rule for all or by one for each. States move on.
template <filter_rule R, std::size_t Rules>
void filter_few(std::span<const R, Rules> rules, const sample_source& in, const sample_sink& out, index_t first,
                int channels, index_t length, state_vector<R::size>* states) {
  double samples[filter_run * filter_lanes];
  if (channels <= 2) {  // is as fast without vectors
    for (int c = 0; c < channels; c++)
      for (index_t k = 0; k < length; k += filter_run) {
        const index_t count = std::min(length - k, filter_run);
        in.read(first + c, k, count, samples);
        filter_alone(rules[Rules == 1 ? 0 : std::size_t(c)], samples, count, 1, states[c]);
        out.write(first + c, k, count, samples);
      }
    return;
  }
  for (index_t k = 0; k < std::min(length, filter_run); k++)
    for (int c = channels; c < filter_lanes; c++) samples[k * filter_lanes + c] = 0;
  for (index_t k = 0; k < length; k += filter_run) {
    const index_t count = std::min(length - k, filter_run);
    for (int c = 0; c < channels; c++) in.read(first + c, k, count, samples + c, filter_lanes);
    if constexpr (Rules == 1) {
      walk_signals(rules[0], samples, count, channels, states[0].at);
    } else {
      with_vectors<true>([&](auto bytes) UPSWEEP_LAMBDA_INLINE {
        using lanes = lanes_by<decltype(bytes)>;
        walk_lanes<lanes>(cascades_by_lanes<lanes>(rules), samples, count, channels, states[0].at);
      });
    }
    for (int c = 0; c < channels; c++) out.write(first + c, k, count, samples + c, filter_lanes);
  }
}

//! Filters all channels by a rule for all or by one for each.
template <filter_rule R, std::size_t Rules, class Finish>
void filter_many(std::span<const R, Rules> rules, const sample_source& in, const sample_sink& out, index_t channels,
                 index_t length, int threads, const Finish& finish) {
  share_out(threads, (channels + filter_lanes - 1) / filter_lanes, [&](index_t eight) {
    const index_t first = eight * filter_lanes, here = std::min<index_t>(channels - first, filter_lanes);
    const auto own = [&] {
      if constexpr (Rules == 1) return rules;
      else return rules.subspan(std::size_t(first), std::size_t(here));
    }();
    state_vector<R::size> states[filter_lanes];
    for (index_t c = 0; c < here; c++) states[c] = finish.of_channel(first + c).start();
    filter_few(own, in, out, first, static_cast<int>(here), length, states);
    for (index_t c = 0; c < here; c++) finish.of_channel(first + c)(nothing{}, states[c]);
  });
}

}  // namespace UPSWEEP_NAMESPACE::detail

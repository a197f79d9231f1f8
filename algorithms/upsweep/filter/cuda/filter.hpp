// Filters on the device: sweeps of all channels together, or a warp a channel where there are many
// (filter_many.hpp). Interleaved channels come and go in planes (planes.hpp).
#pragma once
#include <cstddef>
#include <span>

#include <upsweep/config.hpp>
#include <upsweep/filter/cuda/filter_many.hpp>
#include <upsweep/filter/cuda/planes.hpp>
#include <upsweep/filter/cuda/sample_store.hpp>
#include <upsweep/filter/cuda/sweep.hpp>
#include <upsweep/filter/cuda/tuning.hpp>
#include <upsweep/scan.hpp>
#include <upsweep/signal.hpp>

namespace UPSWEEP_NAMESPACE::detail {

//! Planar channels as the engine sweeps them.
template <class In, class Out, class Finish>
struct planar_channels {
  index_t count;
  signal<const In, false> in;
  signal<Out, false> out;
  Finish finish_of;

  UPSWEEP_HD load_stage<range_column<In>> load(index_t c) const { return {{{{in.channel(c), in.length, "in"}}}}; }
  UPSWEEP_HD gpu::sample_store<Out> store(index_t c) const { return {{out.channel(c), out.length, "out"}}; }
  UPSWEEP_HD Finish finish(index_t c) const { return finish_of.of_channel(c); }
  planar_channels one(index_t c) const {
    return {1, {in.channel(c), 1, in.length, in.length}, {out.channel(c), 1, out.length, out.length}, finish(c)};
  }
};

//! What filter_channels wants of memory for as many filters.
template <class Bank>
std::size_t bytes_for_rules(const device&, const Bank& bank) {
  return bank.filters < gpu::tuning::filter_many_own ? 0 : bank.filters * Bank::most_bytes;
}
//! Planar channels, by one rule, or each by its own; rules are kept in `memory` then.
template <filter_rule R, std::size_t Rules, class In, class Out, class Finish, class Direction = forward_t>
void filter_channels(device& executor, std::span<const R, Rules> rules, const signal<const In, false>& in,
                     const signal<Out, false>& out, const Finish& finish, std::byte* memory, Direction direction = {}) {
  const planar_channels<In, Out, Finish> all{in.channels, in, out, finish};
  // How many channels there are decides, not how long they are: pieces of a signal must go the same way.
  if (rules.size() == 1) {
    if (all.count >= gpu::tuning::filter_many_alike)
      return filter_many_channels(executor, rules[0], in.length, all, direction);
    return sweep_channels(executor, in.length, all, lift_to<double>{}, rules[0], direction);
  }
  if constexpr (Rules != 1) {
    if (all.count >= gpu::tuning::filter_many_own)
      return filter_many_channels(executor, rules, in.length, all, memory, direction);
    for (index_t c = 0; c < all.count; c++)
      sweep_channels(executor, in.length, all.one(c), lift_to<double>{}, rules[static_cast<std::size_t>(c)], direction);
  }
}

}  // namespace UPSWEEP_NAMESPACE::detail

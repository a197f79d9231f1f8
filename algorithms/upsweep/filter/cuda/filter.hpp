// Filters on the device: sweeps of all channels together, or a warp a channel where there are many
// (filter_many.hpp). Interleaved channels are filtered as they lie (interleaved_sweep.hpp), or come and go in planes
// (planes.hpp).
#pragma once
#include <cstddef>
#include <span>

#include <upsweep/config.hpp>
#include <upsweep/filter/cuda/filter_many.hpp>
#include <upsweep/filter/cuda/interleaved_sweep.hpp>
#include <upsweep/filter/cuda/planar.hpp>
#include <upsweep/filter/cuda/planes.hpp>
#include <upsweep/filter/cuda/sweep.hpp>
#include <upsweep/filter/cuda/tuning.hpp>
#include <upsweep/scan.hpp>
#include <upsweep/signal.hpp>

namespace UPSWEEP_NAMESPACE::detail {

//! What filter_channels wants of memory for as many filters.
template <class Bank>
std::size_t bytes_for_rules(const device&, const Bank& bank) {
  return bank.filters < gpu::tuning::filter_many_own ? 0 : bank.filters * Bank::most_bytes;
}
//! What is left behind eight sections: one and two go as four. Kernels of their own for them, from samples in double,
//! were six of 30, and a sixth of the time that nvcc takes for a call.
template <std::size_t Filters, class F>
void with_last_cascades(const device&, const filter_bank<Filters>& bank, const F& f) {
  if (bank.count <= 4) with_cascades_of<4>(bank, f);
  else with_cascades_of<most_sections>(bank, f);
}
//! Planar channels by one rule.
template <filter_rule R, class In, class Out, class Finish, class Direction = forward_t>
void filter_channels(device& executor, std::span<const R, 1> rules, const signal<const In, false>& in,
                     const signal<Out, false>& out, const Finish& finish, std::byte*, Direction direction = {}) {
  const planar_channels<In, Out, Finish> all{in.channels, in, out, finish};
  // How many channels there are decides, not how long they are: pieces of a signal must go the same way.
  if (all.count >= gpu::tuning::filter_many_alike)
    return filter_many_channels(executor, rules[0], in.length, all, direction);
  sweep_channels(executor, in.length, all, number_of_sample{}, rules[0], direction);
}
//! Each by its own; rules are kept in `memory`.
template <filter_rule R, class In, class Out, class Finish, class Direction = forward_t>
void filter_channels(device& executor, std::span<const R> rules, const signal<const In, false>& in,
                     const signal<Out, false>& out, const Finish& finish, std::byte* memory, Direction direction = {}) {
  if (rules.size() == 1)
    return filter_channels(executor, rules.template first<1>(), in, out, finish, memory, direction);
  const planar_channels<In, Out, Finish> all{in.channels, in, out, finish};
  if (all.count >= gpu::tuning::filter_many_own)
    return filter_many_channels(executor, rules, in.length, all, memory, direction);
  for (index_t c = 0; c < all.count; c++)
    sweep_channels(executor, in.length, all.one(c), number_of_sample{}, rules[static_cast<std::size_t>(c)], direction);
}

}  // namespace UPSWEEP_NAMESPACE::detail

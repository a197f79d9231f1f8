// Planar channels as the engine sweeps them.
#pragma once
#include <upsweep/config.hpp>
#include <upsweep/filter/cuda/sample_store.hpp>
#include <upsweep/scan.hpp>
#include <upsweep/signal.hpp>

namespace UPSWEEP_NAMESPACE::detail {

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

}  // namespace UPSWEEP_NAMESPACE::detail

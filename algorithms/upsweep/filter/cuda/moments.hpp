// A few interleaved channels on the device: one sweep whose items are moments and whose states are all channels'.
#pragma once
#include <span>

#include <upsweep/config.hpp>
#include <upsweep/filter/cuda/planar.hpp>
#include <upsweep/filter/cuda/sweep.hpp>
#include <upsweep/filter/filter_task.hpp>
#include <upsweep/filter/moment.hpp>
#include <upsweep/scan.hpp>
#include <upsweep/signal.hpp>

namespace UPSWEEP_NAMESPACE::detail {

//! Where all channels' states come from and go to.
template <class R, int Channels>
struct keeper_of_moments {
  using V = state_vector<Channels * R::size>;
  state_keeper<R> all;

  UPSWEEP_HD keeper_of_moments of_channel(index_t) const { return *this; }
  UPSWEEP_HD V start() const {
    V states;
    for (int c = 0; c < Channels; c++) {
      const auto own = all.of_channel(c).start();
      for (int r = 0; r < R::size; r++) states.at[c * R::size + r] = own.at[r];
    }
    return states;
  }
  template <class Item>
  UPSWEEP_HD void operator()(const Item& item, const V& states) const {
    for (int c = 0; c < Channels; c++) {
      state_vector<R::size> own;
      for (int r = 0; r < R::size; r++) own.at[r] = states.at[c * R::size + r];
      all.of_channel(c)(item, own);
    }
  }
};

template <int Channels, filter_rule R, class In, class Out>
void filter_moments(device& executor, const R& rule, const signal<const In, true>& in, const signal<Out, true>& out,
                    const state_keeper<R>& finish) {
  using From = const moment<In, Channels>;
  using To = moment<Out, Channels>;
  const planar_channels<moment<In, Channels>, To, keeper_of_moments<R, Channels>> one{
      1,
      {reinterpret_cast<From*>(in.data), 1, in.length, in.length},
      {reinterpret_cast<To*>(out.data), 1, out.length, out.length},
      {finish}};
  sweep_channels(executor, in.length, one, number_of_sample{}, rule, forward);
}

}  // namespace UPSWEEP_NAMESPACE::detail

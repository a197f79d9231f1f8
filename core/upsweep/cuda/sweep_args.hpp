// The arguments of a sweep's kernel: one range, or a batch of them.
#pragma once
#include <utility>

#include <upsweep/config.hpp>
#include <upsweep/cuda/device.hpp>

namespace UPSWEEP_NAMESPACE::gpu {

//! All that a sweep is made of; a kernel's one argument. M is what its policy combines by (combining.hpp): a monoid, or
//! whatever else has a value_type. `finish` is called once, with the last item and the total (stages.hpp).
template <class Load, class Lift, class M, class Store, class Finish, bool Reversed, class HeldM = M>
struct sweep_args {
  using load_type = Load;
  using lift_type = Lift;
  using store_type = Store;
  using value_type = typename M::value_type;
  using monoid_type = M;
  static constexpr bool reversed = Reversed, batched = false;
  index_t n, tiles = 0;
  Load load;
  Lift lift;
  HeldM m;
  Store store;
  Finish finish;
  memory_piece workspace{};
};
//! The same of one channel of a batch, with the batch's M.
template <class Load, class Lift, class M, class Store, class Finish, bool Reversed>
using channel_args = sweep_args<Load, Lift, M, Store, Finish, Reversed, const M&>;
//! Sweeps of many channels of n items each. Channels: count, and of channel c load(c), store(c), finish(c).
template <class Channels, class Lift, class M, bool Reversed>
struct batch_args {
  using load_type = decltype(std::declval<Channels>().load(0));
  using store_type = decltype(std::declval<Channels>().store(0));
  using value_type = typename M::value_type;
  using monoid_type = M;
  static constexpr bool reversed = Reversed, batched = true;
  index_t n, tiles = 0;  // of one channel
  Channels channels;
  Lift lift;
  M m;
  memory_piece workspace{};
};
//! How many channels there are, and what is swept of one: all of the arguments, or a channel of a batch.
template <class Args>
__device__ index_t channels_of(const Args& a) {
  if constexpr (Args::batched) return a.channels.count;
  else return 1;
}
template <class Args>
__device__ const Args& args_of(const Args& a, index_t) {
  return a;
}
template <class Channels, class Lift, class M, bool Reversed>
__device__ auto args_of(const batch_args<Channels, Lift, M, Reversed>& a, index_t c) {
  using B = batch_args<Channels, Lift, M, Reversed>;
  return channel_args<typename B::load_type, Lift, M, typename B::store_type, decltype(a.channels.finish(0)), Reversed>{
      .n = a.n,
      .tiles = a.tiles,
      .load = a.channels.load(c),
      .lift = a.lift,
      .m = a.m,
      .store = a.channels.store(c),
      .finish = a.channels.finish(c)};
}

}  // namespace UPSWEEP_NAMESPACE::gpu

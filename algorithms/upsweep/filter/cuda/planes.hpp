// Interleaved channels on the device: turned into planes, a channel behind another, and back, by tiles in shared
// memory. Filters go along a channel: planes let them read whole lines. (A read and a write a sample more on both
// sides.)
#pragma once
#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <upsweep/config.hpp>
#include <upsweep/cuda/launch.hpp>
#include <upsweep/cuda/warp.hpp>
#include <upsweep/scratch.hpp>
#include <upsweep/signal.hpp>

namespace UPSWEEP_NAMESPACE::gpu {

//! A tile is `width` channels by 2^log_frames moments, about so many items.
inline constexpr int planes_items = 4096, planes_threads = 256, planes_width = 64;

template <class T>
struct planes_args {
  detail::signal<T, true> interleaved;
  detail::signal<T, false> planes;
  int width, log_frames;
};
template <bool ToPlanes, class T>
__global__ void __launch_bounds__(planes_threads) turn_planes(const __grid_constant__ planes_args<T> a) {
  extern __shared__ __align__(128) std::byte shared[];
  T* const tile = reinterpret_cast<T*>(shared);
  // A row is so much longer that the items that a warp moves lie in different banks.
  const int frames = 1 << a.log_frames, row = frames + max(1, warp_size / a.width);
  const index_t groups = (a.planes.channels + a.width - 1) / a.width;
  const index_t first_channel = blockIdx.x % groups * a.width, first = blockIdx.x / groups * frames;
  const int channels = static_cast<int>(min(index_t{a.width}, a.planes.channels - first_channel));
  const int count = static_cast<int>(min(index_t{frames}, a.planes.length - first));

  struct spot {
    int t, c;
  };
  const std::uint32_t reciprocal = ((1u << 20) + a.width - 1) / a.width;  // exact for k < 2^12, width <= 64
  const auto along_moments = [&](int k) -> spot {
    const int t = static_cast<int>(k * reciprocal >> 20);
    return {t, k - t * a.width};
  };
  const auto along_channels = [&](int k) -> spot { return {k & (frames - 1), k >> a.log_frames}; };
  const auto in_tile = [&](spot at) -> T& { return tile[at.c * row + at.t]; };
  const auto interleaved = [&](spot at) -> T& {
    return a.interleaved.data[(first + at.t) * a.planes.channels + first_channel + at.c];
  };
  const auto in_plane = [&](spot at) -> T& { return a.planes.channel(first_channel + at.c)[first + at.t]; };
  // Several reads are on their way before the first write, which they might depend on.
  const auto move = [&](const auto& spot_of, const auto& to, const auto& from) {
    constexpr int at_once = 8;
    for (int base = static_cast<int>(threadIdx.x); base < a.width << a.log_frames; base += at_once * planes_threads) {
      maybe<T> held[at_once];
#pragma unroll
      for (int j = 0; j < at_once; j++) {
        const spot at = spot_of(base + j * planes_threads);
        if (at.t < count && at.c < channels) held[j].value = from(at);
      }
#pragma unroll
      for (int j = 0; j < at_once; j++) {
        const spot at = spot_of(base + j * planes_threads);
        if (at.t < count && at.c < channels) to(at) = held[j].value;
      }
    }
  };
  if constexpr (ToPlanes) move(along_moments, in_tile, interleaved);
  else move(along_channels, in_tile, in_plane);
  __syncthreads();
  if constexpr (ToPlanes) move(along_channels, in_plane, in_tile);
  else move(along_moments, interleaved, in_tile);
}

template <bool ToPlanes, class T>
void turn(device& executor, const detail::signal<T, true>& interleaved, const detail::signal<T, false>& planes) {
  const current_device here(executor.ordinal());
  const int width = static_cast<int>(std::min<index_t>(planes.channels, planes_width));
  const int log_frames = std::bit_width(static_cast<unsigned>(planes_items / width)) - 1;
  const index_t frames = index_t{1} << log_frames;
  const index_t tiles = (planes.length + frames - 1) / frames * ((planes.channels + width - 1) / width);
  launch<&turn_planes<ToPlanes, T>>(executor, tiles, planes_threads,
                                    (planes_items + planes_width) * static_cast<int>(sizeof(T)),
                                    planes_args<T>{interleaved, planes, width, log_frames});
}

}  // namespace UPSWEEP_NAMESPACE::gpu

namespace UPSWEEP_NAMESPACE::detail {

//! A call's signals as filters want them: `from` and `to`. On a device those are planar; interleaved channels lie in
//! scratch memory between fill() and empty().
template <class In, class Out, bool Interleaved>
struct filter_planes {
  filter_planes(const signal<const In, Interleaved>& in, const signal<Out, Interleaved>& out) : from(in), to(out) {}
  signal<const In, false> from;
  signal<Out, false> to;

  void cut(scratch_cutter&) {}
  void fill(device&) const {}
  void empty(device&) const {}
};
template <class In, class Out>
struct filter_planes<In, Out, true> {
  filter_planes(const signal<const In, true>& in, const signal<Out, true>& out)
      : from{in.data, in.channels, in.length, in.length},
        to{out.data, out.channels, out.length, out.length},
        in_(in),
        out_(out) {}
  signal<const In, false> from;
  signal<Out, false> to;

  void cut(scratch_cutter& scratch) {
    if (in_.channels == 1) return;  // they are planar
    constexpr index_t granule = 128;
    // Lines begin with channels, unless these are shorter.
    from.pitch = to.pitch = in_.length < granule ? in_.length : (in_.length + granule - 1) / granule * granule;
    planes_ = scratch.take<In>(in_.channels * from.pitch);
    from.data = planes_;
    if constexpr (std::is_same_v<In, Out>) to.data = planes_;
    else to.data = scratch.take<Out>(out_.channels * to.pitch);
  }
  void fill(device& executor) const {
    if (in_.channels == 1) return;
    gpu::turn<true>(executor, signal<In, true>{const_cast<In*>(in_.data), in_.channels, in_.length, 0},
                    signal<In, false>{planes_, from.channels, from.length, from.pitch});
  }
  void empty(device& executor) const {
    if (in_.channels > 1) gpu::turn<false>(executor, out_, to);
  }

 private:
  signal<const In, true> in_;
  signal<Out, true> out_;
  In* planes_ = nullptr;
};
template <class In, class Out, bool Interleaved>
auto planes_of(const device&, const signal<const In, Interleaved>& in, const signal<Out, Interleaved>& out) {
  return filter_planes<In, Out, Interleaved>(in, out);
}

}  // namespace UPSWEEP_NAMESPACE::detail

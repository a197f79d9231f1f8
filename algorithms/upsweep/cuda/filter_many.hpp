// Filters of many channels on the device: a warp takes a channel and goes along it, 32 lanes' shares at a time, with
// the state in its registers. One launch, and nothing passes between warps. (Few channels are swept one after another,
// by all multiprocessors together: filter.hpp.)
#pragma once
#include <upsweep/config.hpp>
#include <upsweep/cuda/engine.hpp>
#include <upsweep/cuda/run_matrix.hpp>
#include <upsweep/filter_task.hpp>
#include <upsweep/scan.hpp>
#include <upsweep/signal.hpp>

namespace upsweep::inline UPSWEEP_ABI::gpu {

//! One channel, as the pieces of a sweep see it (sweep_args).
template <class Load, class M, class Store, class Finish>
struct channel_args {
  using load_type = Load;
  using store_type = Store;
  using monoid_type = M;
  using value_type = typename M::value_type;
  static constexpr bool reversed = false;
  const M& m;
  index_t n;
  Load load;
  Store store;
  Finish finish;
  lift_to<double> lift;
};

inline constexpr int many_warps = 4;  // a CTA's
template <class M>
inline constexpr int tables_room = round_up(table_bytes<lane_tables<M>>, line);

template <class M, class In, class Out, class Finish, class Response>
struct many_channels {
  M m;
  detail::signal<const In, false> in;
  detail::signal<Out, false> out;
  Finish finish;
  Response response;
};

template <class G, class M, class In, class Out, class Finish, class Response>
__global__ void __launch_bounds__(many_warps* warp_size, 2)
    filter_many(const __grid_constant__ many_channels<M, In, Out, Finish, Response> a) {
  using V = typename M::value_type;
  using Load = load_stage<range_column<In>>;
  using Store = dense_store<Out, Response>;
  extern __shared__ __align__(128) std::byte shared[];
  __shared__ raw_memory<std::conditional_t<by_matrices<M>, lane_states<M>, nothing>[many_warps]> lanes_memory;
  __shared__ raw_memory<V[many_warps]> after_memory;
  auto& tables = *reinterpret_cast<lane_tables<M>*>(shared);
  const int warp = static_cast<int>(threadIdx.x) / warp_size;
  tables.fill(a.m, warp);
  __syncthreads();
  const index_t channel = static_cast<index_t>(blockIdx.x) * many_warps + warp, n = a.in.length;
  if (channel >= a.in.channels) return;
  const M& m = tables.monoid(a.m);
  const channel_args<Load, M, Store, Finish> own{a.m,
                                                 n,
                                                 {{{{a.in.channel(channel), n, "in"}}}},
                                                 {{a.out.channel(channel), n, "out"}, a.response},
                                                 a.finish.of_channel(channel),
                                                 {}};
  std::byte* items = shared + tables_room<M> + warp * (G::slot + staging<G, Store>::own_bytes);
  const auto each_tile = [&](const auto& take) {
    for (index_t tile = 0; tile * G::tile < n; tile++) {
      const live_part<G, false> part(n, tile, 0);
      copy_window(items, plan_window<G>(get<0>(own.load.columns), part.items, false), warp_group{});
      __syncwarp();
      take(part, staging<G, Store>::of(own.load, part, items, items + G::slot));
      __syncwarp();
    }
  };
  if constexpr (by_matrices<M>) {
    auto& lanes = lanes_memory.get()[warp];
    V& after = after_memory.get()[warp];
    if (lane_id() == 0) after = own.finish.start();
    __syncwarp();
    auto running = rows_of_states<M>::of(after);
    each_tile([&](const auto& part, std::byte* stage) {
      fold_matrices<G>(own, tables.factors, items, part, lanes, after);
      __syncwarp();
      auto next = rows_of_states<M>::of(after);
      tables.factors.add_later(next, warp_level, running);  // behind a full tile
      __syncwarp();
      if (row_of_lane() == 0) next.write(after);
      __syncwarp();
      walk_from<G, false>(own, tables.factors, running, items, stage, part, lanes, after);
      running = next;
    });
  } else {
    V running = own.finish.start();
    each_tile([&](const auto& part, std::byte* stage) {
      V left{};
      if (part.full) left = fold_runs<G, true>(own, m, items, part);
      else if (lane_id() < part.lanes) left = fold_runs<G, false>(own, m, items, part);
      left = warp_scan(left, part.lanes, over_lanes(m));
      V state = tables.lanes(lane_id(), running);
      const V before = from_below(left, 1);
      if (lane_id() > 0) state = sum_of(state, before);
      running = m.join(warp_level, running, from_lane(left, warp_size - 1));  // behind a full tile
      if (part.full) emit_runs<G, true, false>(own, m, items, stage, part, state, running);
      else if (part.lanes > 0) emit_runs<G, false, false>(own, m, items, stage, part, state, running);
    });
  }
}

}  // namespace upsweep::inline UPSWEEP_ABI::gpu

namespace upsweep::inline UPSWEEP_ABI::detail {

template <recurrence R, class In, class Out, class Finish, class Response>
void filter_many_channels(device& executor, const R& rule, const signal<const In, false>& in,
                          const signal<Out, false>& out, const Finish& finish, const Response& response) {
  using G = gpu::geometry<load_stage<range_column<In>>, 1, -filter_run_items<static_cast<int>(sizeof(In)), R::size>>;
  using M = spanning_of<R, G::per_lane, gpu::warp_level + 6>;
  using Store = dense_store<Out, Response>;
  const gpu::current_device here(executor.ordinal());
  constexpr int shared = gpu::tables_room<M> + gpu::many_warps * (G::slot + gpu::staging<G, Store>::own_bytes);
  gpu::launch<&gpu::filter_many<G, M, In, Out, Finish, Response>>(
      executor, (in.channels + gpu::many_warps - 1) / gpu::many_warps, gpu::many_warps * gpu::warp_size, shared,
      gpu::many_channels<M, In, Out, Finish, Response>{powers_of<M>(rule), in, out, finish, response});
}

}  // namespace upsweep::inline UPSWEEP_ABI::detail

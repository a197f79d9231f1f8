// Filters of many channels on the device: a warp takes a channel and goes along it, 32 lanes' shares at a time, with
// the state in its registers. One launch, and nothing passes between warps.
#pragma once
#include <cstddef>
#include <span>
#include <type_traits>
#include <utility>

#include <upsweep/config.hpp>
#include <upsweep/cuda/launch.hpp>
#include <upsweep/cuda/send_words.hpp>
#include <upsweep/cuda/window.hpp>
#include <upsweep/filter/cuda/power_tables.hpp>
#include <upsweep/filter/cuda/run_lane.hpp>
#include <upsweep/filter/cuda/run_matrix.hpp>
#include <upsweep/filter/cuda/sample_store.hpp>
#include <upsweep/filter/cuda/sweep.hpp>
#include <upsweep/filter/cut.hpp>
#include <upsweep/filter/twofold.hpp>
#include <upsweep/scan.hpp>

namespace UPSWEEP_NAMESPACE::gpu {

template <class M>
inline constexpr int tables_room = round_up(table_bytes<lane_tables<M>>, line);

//! One rule for all channels. The warps of a CTA share its tables.
template <class M>
struct shared_rule {
  using monoid_type = M;
  static constexpr int warps = 4, bytes = tables_room<M>;
  M m;

  __device__ const M& prepare(std::byte* shared, int warp, index_t) const {
    auto& tables = *reinterpret_cast<lane_tables<M>*>(shared);
    tables.fill(m, warp, warps);
    __syncthreads();
    return tables.monoid(m);
  }
};
//! A rule for each channel. The warp that filters it computes its powers first.
template <class M, class R>
struct own_rules {
  using monoid_type = M;
  static constexpr int warps = 1, bytes = tables_room<M> + round_up(static_cast<int>(sizeof(M)), line);
  const R* rules;

  __device__ const M& prepare(std::byte* shared, int, index_t channel) const {
    using room = span_room<R, twofold>;
    static_assert(sizeof(room) <= tables_room<M>);  // which are filled later
    M& m = *reinterpret_cast<M*>(shared + tables_room<M>);
    compute(m, *reinterpret_cast<room*>(shared), rules[channel]);
    auto& tables = *reinterpret_cast<lane_tables<M>*>(shared);
    tables.fill(m, 0, 1);
    __syncwarp();
    return tables.monoid(m);
  }

 private:
  //! (A call: long code that a warp goes through once.)
  __noinline__ static __device__ void compute(M& m, span_room<R, twofold>& room, const R& rule) {
    if (lane_id() == 0) m.rule = rule;
    __syncwarp();
    m.span(room, lane_id(), warp_size, [] __device__ { __syncwarp(); });
    __syncwarp();
  }
};

template <class Rules, class Channels, bool Reversed>
struct many_channels {
  Rules rules;
  Channels channels;
  index_t n;
};

template <class G, class Rules, class Channels, bool Reversed>
__global__ void __launch_bounds__(Rules::warps* warp_size, 8 / Rules::warps)
    filter_many(const __grid_constant__ many_channels<Rules, Channels, Reversed> a) {
  using M = typename Rules::monoid_type;
  using V = typename M::value_type;
  using Load = decltype(a.channels.load(0));
  using Store = decltype(a.channels.store(0));
  extern __shared__ __align__(128) std::byte shared[];
  __shared__ raw_memory<std::conditional_t<for_matrices<M>, lane_states<M>, nothing>[Rules::warps]> lanes_memory;
  __shared__ raw_memory<V[Rules::warps]> after_memory;
  const int warp = static_cast<int>(threadIdx.x) / warp_size;
  const index_t channel = static_cast<index_t>(blockIdx.x) * Rules::warps + warp, n = a.n;
  const M& m = a.rules.prepare(shared, warp, channel);
  const auto& tables = *reinterpret_cast<const lane_tables<M>*>(shared);
  if (channel >= a.channels.count) return;
  const channel_args<Load, detail::number_of_sample, M, Store, decltype(a.channels.finish(0)), Reversed> own{
      .n = n,
      .tiles = 1,
      .load = a.channels.load(channel),
      .lift = {},
      .m = m,
      .store = a.channels.store(channel),
      .finish = a.channels.finish(channel)};
  std::byte* items = shared + Rules::bytes + warp * (G::slot + staging<G, Store>::own_bytes);
  const auto each_tile = [&](const auto& take) {
    for (index_t tile = 0; tile * G::tile < n; tile++) {
      const live_part<G, Reversed> part(n, tile, 0);
      copy_window(items, plan_window<G>(get<0>(own.load.columns), part.items, false), warp_group{});
      __syncwarp();
      take(part, staging<G, Store>::of(own.load, part, items, items + G::slot));
      __syncwarp();
    }
  };
  if constexpr (for_matrices<M>) {
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
      const bool finite = place_matrices(tables.factors, running, lanes);
      walk_matrices<G, false>(own, tables.factors, items, stage, part, lanes, finite, after);
      running = next;
    });
  } else {
    V running = own.finish.start();
    each_tile([&](const auto& part, std::byte* stage) {
      V left{};
      if (part.full) left = fold_runs<G, true>(own, m, items, part);
      else if (lane_id() < part.lanes) left = fold_runs<G, false>(own, m, items, part);
      left = scan_runs(lane_level, left, part.lanes, m);
      V state = tables.lanes(lane_id(), running);
      const V before = from_below(left, 1);
      if (lane_id() > 0) state = sum_of(state, before);
      running = m.join(warp_level, running, from_lane(left, warp_size - 1));  // behind a full tile
      if (part.full) emit_runs<G, true, false>(own, m, items, stage, part, state, running);
      else if (part.lanes > 0) emit_runs<G, false, false>(own, m, items, stage, part, state, running);
    });
  }
}

}  // namespace UPSWEEP_NAMESPACE::gpu

namespace UPSWEEP_NAMESPACE::detail {

template <filter_rule R, class Channels, bool Reversed>
struct many_filter {
  using Load = decltype(std::declval<Channels>().load(0));
  using Store = decltype(std::declval<Channels>().store(0));
  using G = gpu::geometry<Load, 1, -filter_run_items<gpu::geometry<Load, 1, 16>::all_bytes, R::size>>;
  using M = powers_for<R, G::per_lane, gpu::warp_level + 1>;

  template <class Rules>
  static void launch(device& executor, index_t n, const Channels& channels, const Rules& rules) {
    constexpr int warps = Rules::warps;
    constexpr int shared = Rules::bytes + warps * (G::slot + gpu::staging<G, Store>::own_bytes);
    gpu::launch<&gpu::filter_many<G, Rules, Channels, Reversed>>(
        executor, (channels.count + warps - 1) / warps, warps * gpu::warp_size, shared,
        gpu::many_channels<Rules, Channels, Reversed>{rules, channels, n});
  }
};
//! All channels by one rule.
template <filter_rule R, class Channels, class Direction>
void filter_many_channels(device& executor, const R& rule, index_t n, const Channels& channels, Direction) {
  const gpu::current_device here(executor.ordinal());
  using F = many_filter<R, Channels, Direction::reversed>;
  F::launch(executor, n, channels, gpu::shared_rule<typename F::M>{powers_of<typename F::M>(rule)});
}
//! Each channel by its own; `memory` is for the rules.
template <filter_rule R, class Channels, class Direction>
void filter_many_channels(device& executor, std::span<const R> rules, index_t n, const Channels& channels,
                          std::byte* memory, Direction) {
  const gpu::current_device here(executor.ordinal());
  using F = many_filter<R, Channels, Direction::reversed>;
  gpu::send_words(executor, rules.data(), rules.size_bytes(), memory);
  F::launch(executor, n, channels, gpu::own_rules<typename F::M, R>{reinterpret_cast<const R*>(memory)});
}

}  // namespace UPSWEEP_NAMESPACE::detail

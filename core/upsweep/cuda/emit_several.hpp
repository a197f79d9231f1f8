// How several rows an item leave (emit.hpp, several_store).
#pragma once
#include <cstddef>
#include <utility>

#include <upsweep/config.hpp>
#include <upsweep/cuda/lane.hpp>
#include <upsweep/cuda/tile.hpp>
#include <upsweep/cuda/warp.hpp>
#include <upsweep/stages.hpp>

namespace UPSWEEP_NAMESPACE::gpu {

//! Stages the rows of a warp's items, and makes of each what is written.
template <class G, bool Full, int Most, class Rows, class... Ts, class Args>
__device__ void emit_several(const several_store<Most, Rows, Ts...>& store, const Args& a,
                             const lane_items<G, typename Args::load_type, Args::reversed>& held, std::byte* stage,
                             const live_part<G, Args::reversed>& part,
                             const lane_prefix<typename Args::value_type>& prefix) {
  using Row = typename Rows::row_type;
  static_assert(!Args::reversed && G::part_items <= Rows::most_items);
  const auto& rows = store.f.rows;
  maybe<typename Args::value_type> before;
  before.value = prefix.has_before ? prefix.before.value : a.m.identity();
  const index_t first = rows.number(before.value), at = from_lane(first, 0);
  const int count = static_cast<int>(from_lane(rows.number(prefix.last.value), part.lanes - 1) - at);
  const auto span = rows.from(part.items.first + part.warp * G::part_items, from_lane(before.value, 0));
  Row* const staged = reinterpret_cast<Row*>(stage);
  Row* next = staged + static_cast<int>(first - at);
  auto walker = span.walker(lane_id() * G::per_lane, before.value);
  for_each_item<G, Full>(part, [&](int k, index_t logical, index_t i) {
    const auto item = held.item(a.load, k, logical, i);
    walker(item, [&](const Row& row) {
      next++;
      next[-1] = row;
    });
    if (is_last_item<G, Full>(k, logical, a.n)) a.finish(item, prefix.last.value);
  });
  __syncwarp();
#pragma unroll 4
  for (int k = lane_id(); k < count; k += warp_size)
    store.f.put(at + k, span.columns(staged[k]), std::index_sequence_for<Ts...>{});
  __syncwarp();
}

}  // namespace UPSWEEP_NAMESPACE::gpu

// Walks of warps along segments, and how what they leave is joined, in one launch.
//
// Segments' items and ends lie on one path, which is cut into a part for each warp (segment_path.hpp). A walker
// walks along it: core's own is for items as they lie (segment_walk.hpp), and a family may bring one of its own. What
// the warps of a CTA leave of an unfinished segment is published; whoever finishes the segment waits for the CTAs
// before, in which it began (the protocol's tickets say that these are running), and joins them left to right. So a
// segment's fold depends on the lengths of all segments and on types alone.
#pragma once
#include <cstddef>
#include <cstdint>

#include <upsweep/config.hpp>
#include <upsweep/cuda/protocol.hpp>
#include <upsweep/cuda/warp.hpp>

namespace UPSWEEP_NAMESPACE::gpu {

//! What a walk leaves of the segment that it does not finish.
template <class V>
struct walk_rest {
  maybe<V> value;
  bool is_there, passes;  // passes: the segment began before this walk
};

//! Rests of walks that follow one another, one a lane: those of lanes [first, count) come before `sum`, if there is
//! one. Only the first may be nothing. Called by a warp; the result is in all lanes.
template <class V, class M>
__device__ void join_rests(const walk_rest<V>& rest, int first, int count, const M& m, maybe<V>& sum, bool& is_there) {
  if (!__shfl_sync(~0u, rest.is_there, first)) first++;
  if (first >= count) return;
  const V mine = warp_scan(from_lane(rest.value.value, (lane_id() + first) % warp_size), count - first, m);
  const V before = from_lane(mine, count - first - 1);
  sum.value = is_there ? m(before, sum.value) : before;
  is_there = true;
}

//! Waits for what the CTAs before this one have left of a segment that began in one of them, and joins it. Called by a
//! warp.
template <class V, class M>
__device__ void join_ctas(const board<walk_rest<V>>& slots, index_t cta, std::uint32_t tag, const M& m, maybe<V>& sum,
                          bool& is_there) {
  const int lane = lane_id();
  for (bool began = false; cta > 0 && !began;) {
    const int count = static_cast<int>(min(cta, index_t{warp_size}));
    cta -= count;
    tagged<walk_rest<V>> seen;
    int first = 0;
    for (bool there = false;;) {
      there |= lane < count && slots.read_unless(there, seen, cta + lane, tag);
      const std::uint32_t begins = __ballot_sync(~0u, there && !seen.value().passes);
      const std::uint32_t missing = __ballot_sync(~0u, !there && lane < count);
      began = begins != 0;
      first = max(last_lane(begins), 0);
      if (missing >> first == 0) break;
      __nanosleep(20);
    }
    join_rests(seen.value(), first, count, m, sum, is_there);
  }
}

//! What a CTA's walkers share. A walker's own memory has a `head`, what it has of the segment that it began in, and the
//! number of that segment, `first_segment`.
template <class Walker>
struct walk_memory {
  typename Walker::memory_type walks[Walker::warps];
  walk_rest<typename Walker::args_type::value_type> rests[Walker::warps];
  ticket mine;
};

template <class Walker>
__global__ void __launch_bounds__(Walker::warps* warp_size, Walker::least_ctas)
    walk_kernel(const __grid_constant__ typename Walker::args_type a) {
  using V = typename Walker::args_type::value_type;
  constexpr int warps = Walker::warps;
  extern __shared__ __align__(16) std::byte memory[];
  auto& s = *reinterpret_cast<walk_memory<Walker>*>(memory);
  const int warp = static_cast<int>(threadIdx.x) / warp_size, lane = lane_id();
  const bool alone = gridDim.x == 1;  // then there is no state to share
  board<walk_rest<V>> slots(a.workspace, gridDim.x);
  if (threadIdx.x == 0 && !alone) s.mine = slots.take();
  __syncthreads();
  const index_t cta = alone ? 0 : s.mine.tile();
  Walker walker(a, s.walks[warp], cta * warps + warp);
  walker.walk();
  if (lane == 0) s.rests[warp] = walker.rest();
  __syncthreads();

  const walk_rest<V> rest = s.rests[lane % warps];
  const std::uint32_t begins = __ballot_sync(~0u, lane < warps && !rest.passes);
  if (warp == 0 && !alone) {
    maybe<V> sum;
    bool is_there = false;
    join_rests(rest, max(last_lane(begins), 0), warps, a.m, sum, is_there);
    if (lane == 0) slots.publish(cta, walk_rest<V>{sum, is_there, begins == 0}, s.mine.tag());
  }
  if (walker.finished_another()) {
    const int first = last_lane(begins & ((1u << warp) - 1));
    maybe<V> sum = s.walks[warp].head;
    bool is_there = walker.has_head();
    if (warp > 0) join_rests(rest, max(first, 0), warp, a.m, sum, is_there);
    if (first < 0) join_ctas(slots, cta, s.mine.tag(), a.m, sum, is_there);
    if (lane == 0) a.store(s.walks[warp].first_segment, is_there ? sum.value : static_cast<V>(a.m.identity()));
  }
  if (alone) return;
  __syncthreads();
  if (threadIdx.x == 0) slots.leave(s.mine.tag());
}

}  // namespace UPSWEEP_NAMESPACE::gpu

// The path along segments: the items of one, then its end, and so on (merge path, Merrill and Garland 2016). Cut into
// parts of equal length it is balanced whatever the segments are, empty ones among them.
#pragma once
#include <upsweep/config.hpp>
#include <upsweep/cuda/warp.hpp>

namespace UPSWEEP_NAMESPACE::gpu {

//! Segments that end where `ends` says.
template <class Offset>
struct segment_path {
  const Offset* ends;
  index_t segments, items;

  UPSWEEP_HD index_t steps() const { return segments + items; }
  //! Brought into bounds, whatever it is.
  __device__ index_t end_of(index_t s) const { return min(max(static_cast<index_t>(ends[s]), index_t{0}), items); }

  //! How many segments end on the first `length` steps; no more than either, whatever the ends are. Called by a warp.
  __device__ index_t ends_before(index_t length) const {
    const auto is_before = [&](index_t s) { return end_of(s) + s < length; };
    // First around where it is when all are as long: the neighbours, then places at distances that double. Then 32
    // probes a step, where a few thousand segments of random lengths need none: each step waits for memory once.
    const auto guess = static_cast<index_t>(static_cast<double>(length) / static_cast<double>(steps()) *
                                            static_cast<double>(segments));
    constexpr int of_lane = 4, probes = of_lane * warp_size, far = 16, half = probes / 2;
    const auto near = [&](int k) {
      const index_t beyond = k < far             ? 1 - (index_t{2} << (far - 1 - k))
                             : k >= probes - far ? (index_t{2} << (k - probes + far)) - 2
                                                 : 0;
      return guess + beyond + min(max(k, far), probes - far) - half;
    };
    bool is_in_front[of_lane];
#pragma unroll
    for (int j = 0; j < of_lane; j++) {
      const index_t mine = near(lane_id() + j * warp_size);
      is_in_front[j] = mine < 0 || (mine < segments && is_before(mine));
    }
    int below = 0;
#pragma unroll
    for (int j = 0; j < of_lane; j++) below += __popc(__ballot_sync(~0u, is_in_front[j]));
    const index_t most = min(segments, length);
    // In bounds whatever the probes answered.
    const index_t from = below > 0 ? min(max(near(below - 1) + 1, index_t{0}), most) : 0;
    const index_t to = below < probes ? min(near(below), most) : most;
    return warp_group{}.partition_point(from, to, is_before);
  }
};

}  // namespace UPSWEEP_NAMESPACE::gpu

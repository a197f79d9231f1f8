// Segments between offsets, each folded on a GPU: warps walk along their items and ends (walks.hpp), a tile at a time.
//   items   come by whole vectors, the next tile's while this one is folded, and go through shared memory: a lane gets
//           neighbouring ones
//   ends    of segments become bits of the lane that has the last item
//   folds   a lane folds its items; where a segment ends inside its share it leaves the fold there, in shared memory;
//           what is open at a share's end is scanned over the lanes
// So a lane takes as many steps whatever the segments are. Lanes' shares lie by the items' indices, not by addresses:
// a fold's bits do not depend on where the items are.
//
// Wrong contents stay in bounds: offsets are brought into them, and a walk that no longer advances ends.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <upsweep/config.hpp>
#include <upsweep/cuda/device.hpp>
#include <upsweep/cuda/few_segments.hpp>
#include <upsweep/cuda/launch.hpp>
#include <upsweep/cuda/segment_path.hpp>
#include <upsweep/cuda/tuning.hpp>
#include <upsweep/cuda/walks.hpp>
#include <upsweep/cuda/warp.hpp>
#include <upsweep/lifts.hpp>
#include <upsweep/ranges.hpp>

namespace UPSWEEP_NAMESPACE::gpu {

//! Where folds go: segment s ends at offset s + 1, and in front of the first offset is nobody's.
template <class Out>
struct store_fold {
  Out* out;
  template <class V>
  __device__ void operator()(index_t end, const V& value) const {
    if (end > 0) out[end - 1] = static_cast<Out>(value);
  }
};
template <class T, class Offset, class M, class Store>
struct segment_fold_args {
  using item_type = T;
  using offset_type = std::make_unsigned_t<Offset>;
  using value_type = typename M::value_type;
  segment_path<Offset> path;
  const T* items;
  M m;
  Store store;
  bool aligned;     // are vectors of items, from the first one on?
  int part_steps;   // steps of a warp
  int ends_a_tile;  // that are read ahead
  memory_piece workspace;
};

template <class Args>
class segment_walker {
  using T = typename Args::item_type;
  using V = typename Args::value_type;
  using Offset = typename Args::offset_type;
  static constexpr tuning::segment_shape shape =
      tuning::segment_tiles(sizeof(T), sizeof(V), sizeof(Offset), std::is_arithmetic_v<V>);
  static constexpr int of_vector = 16 % sizeof(T) == 0 ? 16 / static_cast<int>(sizeof(T)) : 1, vectors = shape.vectors,
                       per_lane = vectors * of_vector, tile_items = warp_size * per_lane, ends_ahead = shape.ends_ahead;
  static_assert(per_lane <= 32, "a lane's ends are bits of a word");
  struct alignas(of_vector > 1 ? 16 : alignof(T)) vector {
    maybe<T> at[of_vector];
  };
  static constexpr int bytes_of_item = static_cast<int>(sizeof(T) > sizeof(V) ? sizeof(T) : sizeof(V));

 public:
  using args_type = Args;
  static constexpr int warps = shape.warps, ctas = shape.ctas;
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
  static constexpr int least_ctas = ctas < 2 ? ctas : 2;  // of 3, Turing's code spills registers (nvcc 13.0)
#else
  static constexpr int least_ctas = ctas;
#endif
  //! As many ends as a tile has on average, and a few more.
  template <class Path>
  static int ends_of_tile(const Path& path) {
    const index_t average = 5 * tile_items * path.segments / (4 * std::max<index_t>(path.items, 1));
    return static_cast<int>(std::min<index_t>((average / warp_size + 1) * warp_size, ends_ahead * warp_size));
  }
  struct memory_type {
    maybe<V> head;
    index_t first_segment;
    std::uint32_t ends_in_lane[warp_size];
    std::uint16_t ends[tile_items];  // counted from the tile's base
    // Then what segments fold to, where their last items were.
    alignas(16) std::byte items[tile_items * bytes_of_item];
  };

  //! Walks along a part. All lanes call, here and below.
  __device__ segment_walker(const Args& args, memory_type& memory, index_t part) : a(args), s(memory) {
    const index_t begin = part * a.part_steps;
    left_ = static_cast<int>(max(min(index_t{a.part_steps}, a.path.steps() - begin), index_t{0}));
    segment_ = left_ == 0 ? a.path.segments : a.path.ends_before(begin);
    at_ = begin - segment_;
    segments_left_ = static_cast<int>(min(a.path.segments - segment_, index_t{left_}));
    items_left_ = static_cast<int>(max(min(a.path.items - at_, index_t{left_}), index_t{0}));
    if (left_ > 0) fetch();
    inside_ = segment_ < a.path.segments && (segment_ > 0 ? a.path.end_of(segment_ - 1) : 0) < at_;
    if (lane_id() == 0) s.first_segment = segment_;
  }
  __device__ void walk() {
    while (left_ > 0 && fold_tile()) {
    }
    __syncwarp();
  }
  __device__ walk_rest<V> rest() const { return {carry_, has_carry_, inside_}; }
  //! Has it finished a segment that began before it? Then s.head is what it has of it, if it has anything.
  __device__ bool finished_another() const { return finished_another_; }
  __device__ bool has_head() const { return has_head_; }

 private:
  const Args& a;
  memory_type& s;
  index_t segment_, at_;                   // the next one that ends, the next item
  int left_, segments_left_, items_left_;  // steps of the path, and how many of each kind there may be
  index_t base_;                           // the tile's first item, and perhaps some before
  int skip_, most_;                        // items before it, and those that the tile may have
  bool inside_;                            // a segment that began before the walk
  bool has_carry_ = false, finished_another_ = false, has_head_ = false;
  maybe<V> carry_;  // of the segment in which the tile begins
  vector fetched_[vectors];
  Offset ends_[ends_ahead];

  __device__ V& fold_at(int place) { return reinterpret_cast<maybe<V>*>(s.items)[place].value; }

  //! Has the next tile on its way.
  __device__ void fetch() {
    skip_ = static_cast<int>(at_ % of_vector);
    base_ = at_ - skip_;
    most_ = min(tile_items - skip_, items_left_);
#pragma unroll
    for (int k = 0; k < ends_ahead; k++) {
      const int number = lane_id() + k * warp_size;
      if (number < min(a.ends_a_tile, segments_left_)) ends_[k] = static_cast<Offset>(a.path.ends[segment_ + number]);
    }
    const index_t there = a.path.items - base_;
    if (a.aligned && there >= tile_items) {
      const auto* const from = reinterpret_cast<const vector*>(a.items + base_) + lane_id();
#pragma unroll
      for (int v = 0; v < vectors; v++) fetched_[v] = from[v * warp_size];
    } else {
#pragma unroll
      for (int v = 0; v < vectors; v++) {
#pragma unroll
        for (int k = 0; k < of_vector; k++) {
          const int place = (v * warp_size + lane_id()) * of_vector + k;
          if (place < there) fetched_[v].at[k].value = a.items[base_ + place];
        }
      }
    }
  }

  //! False if it cannot go on.
  __device__ bool fold_tile() {
    int known;
    const int finished = take_ends(known);
    const int count = finished == known && finished > 0 ? s.ends[finished - 1] - skip_ : min(most_, left_ - finished);
    if (finished == 0 && count <= 0) return false;
#pragma unroll
    for (int v = 0; v < vectors; v++) reinterpret_cast<vector*>(s.items)[v * warp_size + lane_id()] = fetched_[v];
    __syncwarp();
    vector own[vectors];
#pragma unroll
    for (int v = 0; v < vectors; v++) own[v] = reinterpret_cast<const vector*>(s.items)[lane_id() * vectors + v];
    __syncwarp();
    const index_t segment = segment_;
    const int skip = skip_;
    segment_ += finished;
    at_ += count;
    left_ -= finished + count;
    segments_left_ -= finished;
    items_left_ -= count;
    if (left_ > 0) fetch();

    const maybe<V> carried = carry_;
    const bool had_carry = has_carry_, closes = finished > 0 && s.ends[0] <= skip;  // with nothing of this tile
    if (closes) has_carry_ = false;
    if (count == tile_items && finished == 0) fold_open(own);
    else if (count == tile_items) fold_lanes<true>(own, 0, count);
    else if (count > 0) fold_lanes<false>(own, skip, skip + count);
    __syncwarp();
    for (int k = lane_id(); k < finished; k += warp_size) {
      const int begin = k > 0 ? s.ends[k - 1] : skip, end = s.ends[k];
      const bool is_there = begin < end;
      if (k == 0 && inside_) {
        if (is_there) s.head.value = fold_at(end - 1);
        else s.head = carried;
      } else if (is_there) {
        a.store(segment + k, fold_at(end - 1));
      } else if (k == 0 && had_carry) {
        a.store(segment, carried.value);
      } else {
        a.store(segment + k, static_cast<V>(a.m.identity()));
      }
    }
    if (inside_ && finished > 0) {
      has_head_ = had_carry || !closes;
      finished_another_ = true;
      inside_ = false;
    }
    __syncwarp();
    return true;
  }

  //! Puts the ends of segments, and their bits, where all lanes find them; returns how many lie in the tile, of those
  //! that were looked at.
  __device__ int take_ends(int& known) {
    s.ends_in_lane[lane_id()] = 0;
    __syncwarp();
    const int most = min(segments_left_, tile_items);
    const auto take = [&](int number, Offset end) {
      const Offset from_base = end - static_cast<Offset>(base_), last = static_cast<Offset>(skip_ + most_);
      const int place = static_cast<int>(from_base < last ? from_base : last);  // a wrong end is high: unsigned
      const bool is_end = number < most && from_base <= last && place - skip_ + number < left_;
      if (number < most) s.ends[number] = static_cast<std::uint16_t>(max(place, skip_));
      if (is_end && place > skip_) atomicOr(&s.ends_in_lane[(place - 1) / per_lane], 1u << (place - 1) % per_lane);
      return __popc(__ballot_sync(~0u, is_end));
    };
    int finished = 0;
    known = 0;
#pragma unroll
    for (int k = 0; k < ends_ahead; k++) {
      if (known >= min(a.ends_a_tile, most)) break;
      finished += take(lane_id() + k * warp_size, ends_[k]);
      known = (k + 1) * warp_size;
    }
    UPSWEEP_ROLLED
    while (finished == known && known < most) {
      const int number = lane_id() + known;
      finished += take(number, number < most ? static_cast<Offset>(a.path.ends[segment_ + number]) : Offset{0});
      known += warp_size;
    }
    known = min(known, most);
    __syncwarp();
    return finished;
  }

  //! Folds a full tile in which no segment ends.
  __device__ void fold_open(const vector (&own)[vectors]) {
    maybe<V> sum;
#pragma unroll
    for (int k = 0; k < per_lane; k++) {
      const V x = detail::as_value<V>(own[k / of_vector].at[k % of_vector].value);
      sum.value = k == 0 ? x : a.m(sum.value, x);
    }
    sum.value = from_lane(warp_scan(sum.value, warp_size, a.m), warp_size - 1);
    if (has_carry_) carry_.value = a.m(carry_.value, sum.value);
    else carry_ = sum;
    has_carry_ = true;
  }
  //! Folds the items of the places [from, to), and makes the carry that of the next tile.
  template <bool Full>
  __device__ void fold_lanes(const vector (&own)[vectors], int from, int to) {
    const int lane = lane_id(), first = lane * per_lane, lanes = Full ? warp_size : (to + per_lane - 1) / per_lane;
    const std::uint32_t ends = s.ends_in_lane[lane];
    maybe<V> sum;
    bool open = false;
#pragma unroll
    for (int k = 0; k < per_lane; k++) {
      if (!Full && (first + k < from || first + k >= to)) continue;
      const V x = detail::as_value<V>(own[k / of_vector].at[k % of_vector].value);
      sum.value = open ? a.m(sum.value, x) : x;
      open = (ends >> k & 1) == 0;
      if (!open) fold_at(first + k) = sum.value;
    }
    // Open folds of neighbouring lanes, up to where a segment ended.
    const std::uint32_t enders = __ballot_sync(~0u, ends != 0), opens = __ballot_sync(~0u, open);
    const int ender = last_lane(enders & ((2u << lane) - 1));
    const int run = ender < 0 ? 0 : ender + (opens >> ender & 1 ? 0 : 1);
#pragma unroll
    for (int distance = 1; distance < warp_size; distance *= 2) {
      const V earlier = from_below(sum.value, distance);
      if (lane - distance >= run && lane < lanes) sum.value = a.m(earlier, sum.value);
    }
    const V before = from_below(sum.value, 1);
    if (ends != 0) {  // what stands before the lane's first end
      V& head = fold_at(first + __ffs(static_cast<int>(ends)) - 1);
      const bool carries = has_carry_ && (enders & ((1u << lane) - 1)) == 0;
      if (lane > 0 && (opens >> (lane - 1) & 1)) head = a.m(carries ? a.m(carry_.value, before) : before, head);
      else if (carries) head = a.m(carry_.value, head);
    }
    const maybe<V> last(from_lane(sum.value, lanes - 1));
    if (enders == 0 && has_carry_) carry_.value = a.m(carry_.value, last.value);
    else carry_ = last;
    has_carry_ = opens >> (lanes - 1) & 1;
  }
};

}  // namespace UPSWEEP_NAMESPACE::gpu

namespace UPSWEEP_NAMESPACE::detail {

//! out[s] = the fold of in[offsets[s]…offsets[s + 1]).
template <class T, class Offset, class Out, class M>
void reduce_segments(device& executor, const named_range<T>& in, const named_range<Offset>& offsets,
                     const named_range<Out>& out, const M& m) {
  using V = typename M::value_type;
  using Item = std::remove_const_t<T>;
  using Args = gpu::segment_fold_args<Item, std::remove_const_t<Offset>, M, gpu::store_fold<Out>>;
  using Walker = gpu::segment_walker<Args>;
  if (out.size == 0) return;
  const gpu::current_device here(executor.ordinal());
  if constexpr (gpu::folds_few_segments<Item, V>) {
    if (gpu::are_few_segments<Item>(out.size, in.size)) {
      const gpu::few_segments_args<Item, std::remove_const_t<Offset>, std::remove_const_t<Out>, M> args{
          in.data, in.size, offsets.data, out.data, out.size, m};
      return gpu::reduce_few_segments(executor, args);
    }
  }
  const gpu::segment_path<std::remove_const_t<Offset>> path{offsets.data, offsets.size, in.size};
  const int part_steps = gpu::tuning::steps_of_segment_part(path.steps(), Walker::warps * Walker::ctas);
  const index_t warps = (path.steps() + part_steps - 1) / part_steps,
                ctas = (warps + Walker::warps - 1) / Walker::warps;
  const Args args{
      .path = path,
      .items = in.data,
      .m = m,
      .store = {out.data},
      .aligned = reinterpret_cast<std::uintptr_t>(in.data) % 16 == 0,
      .part_steps = part_steps,
      .ends_a_tile = Walker::ends_of_tile(path),
      .workspace = ctas > 1 ? executor.workspace(gpu::workspace_bytes<gpu::walk_rest<V>>(ctas)) : gpu::memory_piece{}};
  gpu::launch<&gpu::walk_kernel<Walker>>(executor, ctas, Walker::warps * gpu::warp_size,
                                         sizeof(gpu::walk_memory<Walker>), args);
}

}  // namespace UPSWEEP_NAMESPACE::detail

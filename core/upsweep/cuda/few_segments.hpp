// Reductions of few segments between offsets: a warp each, or a CTA each where they are longer. Two reads that wait for
// each other are all there is, of offsets and of items, where a walk (segment_walk.hpp) first looks for where it begins
// and later for what others left. Giants would keep one CTA long: some CTAs, seekers, do nothing but look for them in
// all offsets. They take the giants' pieces in turn, and the last one out joins the pieces. Nobody waits.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>

#include <upsweep/config.hpp>
#include <upsweep/cuda/device.hpp>
#include <upsweep/cuda/fold_alone.hpp>
#include <upsweep/cuda/launch.hpp>
#include <upsweep/cuda/protocol.hpp>
#include <upsweep/cuda/warp.hpp>
#include <upsweep/lifts.hpp>

namespace UPSWEEP_NAMESPACE::gpu {

// H100, 2026-11-26, sums of int32, a call of a chain of calls in microseconds, of 2^18, 2^20, 2^22 items:
//                                    here             a walk           the best of CUB's ways
//   100 a segment                    5.1  -    -      7.3  8.1 13.3      5.3  9.3 19.8
//   300 a segment                    4.9  6.4  -      -    -   13.2      4.5  6.4 17.6
//   1000 a segment                   5.3  5.6  7.9    7.3  9.4 12.9      5.6  5.6  9.3
//   3000 a segment                   5.3  5.3  7.1    -    -   12.8      5.4  5.5  6.3
//   as many, one has nearly all      6.7  9.6 15.0    -   13.4 23.7     10.3 10.6 19.6
// (The last three with CUB's on a machine that needs 1 us more for a launch.) Before lanes took items in turn (sums and
// the like: 50 instructions for a row of 256, not 260), on six CTAs a multiprocessor, these took 9.5, 9.6 and 21.2 for
// 2^22. With twelve items a lane, not eight, 3 % less, and no less of shorter segments.
// A warp of a CTA that took a segment of 300 had one row of 37 items, and 260 instructions for it: 3,500 such CTAs
// were bound by issue slots (3.3 a cycle; 10.3 us for the 6.4 by warps). So warps take segments of up to 1024 on
// average where there are enough for the GPU; a thousand warps are not. By four warps a CTA 2^22 of 3000 take 0.3 less,
// all shorter ones more; full rows read without conditions cost more than they save; 264 seekers cost 2^22 of 1000 2.4.
// Where every CTA looked for giants, 2^16 by 100 took 0.8 more; by warps that fold four rows of four items a lane at
// once 0.4 more, as more code is to be fetched.
inline constexpr index_t most_few_segments = 8192, items_of_few_segments = 1 << 24, bytes_of_few_segments = 1 << 26;
// Mean lengths up to which warps and CTAs take a segment each; warps take longer ones where segments are many. A
// segment that is long for a warp is its CTA's; what is long for a CTA is a giant.
inline constexpr index_t mean_of_warps = 256, mean_of_many_warps = 1024, many_segments = 1536, mean_of_ctas = 4096;
inline constexpr int few_segments_warps = 8, items_of_warp = 2048, items_of_cta = 8192, most_seekers = 128;
//! Of a giant: short pieces where there are few for each seeker.
inline int items_of_piece(index_t items) { return items <= 1 << 20 ? 2048 : 8192; }

template <class T, class V>
inline constexpr bool folds_few_segments = sizeof(T) <= 16 && sizeof(V) <= 16;
//! A function of the lengths of ranges: folds are the same wherever they are computed.
template <class T>
bool are_few_segments(index_t segments, index_t items) {
  return segments <= most_few_segments && items <= segments * mean_of_ctas && items <= items_of_few_segments &&
         items * static_cast<index_t>(sizeof(T)) <= bytes_of_few_segments;
}

//! A segment, or a piece of one.
template <class V, class T>
struct few_items {
  const T* items;
  int count;
  __device__ V operator()(int k) const { return detail::as_value<V>(items[k]); }
};
template <class T, class Offset, class Out, class M>
struct few_segments_args {
  using monoid_type = M;
  using value_type = typename M::value_type;
  const T* items;
  index_t count;
  const Offset* offsets;
  Out* out;
  index_t segments;
  M m;
  int seekers = 0, piece = 0;  // items of a giant's piece
  memory_piece workspace{};

  //! Wrong offsets are brought into bounds.
  __device__ few_items<value_type, T> at(index_t s) const {
    const index_t begin = min(max(static_cast<index_t>(offsets[s]), index_t{0}), count),
                  end = min(max(static_cast<index_t>(offsets[s + 1]), begin), count);
    return {items + begin, static_cast<int>(end - begin)};
  }
  __device__ void store(index_t s, const value_type& folded) const { out[s] = static_cast<Out>(folded); }
};

//! Pieces of giants, and where their folds are published: a piece begins in one of these spans of all items, and
//! another giant's first one may begin in the same.
struct giant_pieces {
  index_t first_span;
  int count;
  __device__ index_t slot(int piece) const { return 2 * (first_span + piece) + (piece == 0 ? 1 : 0); }
};
UPSWEEP_HD inline index_t giant_slots(index_t items, int piece) { return 2 * (items / piece + 1); }

//! Looks for giants and folds them, all seekers together.
template <class Args, class V = typename Args::value_type>
__device__ void fold_giants(const Args& a, int seeker, maybe<V> (&totals)[few_segments_warps]) {
  constexpr int most = items_of_few_segments / items_of_cta;
  const bool fits = a.piece <= few_segments_warps * items_of_row<V>;
  __shared__ int giants[most], found;
  __shared__ bool is_last;
  if (threadIdx.x == 0) found = 0;
  __syncthreads();
#pragma unroll 8
  for (auto s = static_cast<int>(threadIdx.x); s < a.segments; s += few_segments_warps * warp_size)
    if (a.at(s).count > items_of_cta) giants[atomicAdd(&found, 1) % most] = s;
  __syncthreads();
  const int count = found;                 // the same giants for all seekers, in any order
  if (count == 0 || count > most) return;  // more there are only if offsets are wrong
  board<V> slots(a.workspace, giant_slots(a.count, a.piece));
  const std::uint32_t tag = slots.tag();
  const auto pieces_of = [&](const auto& giant) {
    return giant_pieces{(giant.items - a.items) / a.piece, (giant.count - 1) / a.piece + 1};
  };
  for (int g = 0; g < count; g++) {
    const auto giant = a.at(giants[g]);
    const giant_pieces pieces = pieces_of(giant);
    const int turn = static_cast<int>(pieces.first_span % a.seekers);
    for (int piece = (seeker + a.seekers - turn) % a.seekers; piece < pieces.count; piece += a.seekers) {
      auto own = giant;
      own.items += piece * a.piece;
      own.count = min(giant.count - piece * a.piece, a.piece);
      const V folded =
          fits ? fold_by_cta<V, true>(own.count, own, a.m, totals) : fold_by_cta<V, false>(own.count, own, a.m, totals);
      if (threadIdx.x == 0) slots.publish(pieces.slot(piece), folded, tag);
      __syncthreads();  // the totals have been read
    }
  }
  if (threadIdx.x == 0) {
    __threadfence();
    is_last = slots.is_last_out(static_cast<unsigned int>(a.seekers));
    __threadfence();
  }
  __syncthreads();
  if (!is_last) return;
  for (int g = 0; g < count; g++) {
    const giant_pieces pieces = pieces_of(a.at(giants[g]));
    const auto published = [&](int piece) {
      tagged<V> t;
      slots.read_unless(false, t, pieces.slot(piece), tag);
      return t.value();
    };
    const V folded = fold_by_cta<V, false>(pieces.count, published, a.m, totals);
    if (threadIdx.x == 0) a.store(giants[g], folded);
    __syncthreads();
  }
  if (threadIdx.x == 0) slots.close(tag);
}

//! So many CTAs at a time hide what reads wait where lanes take items in turn, with no register spilled. Of others the
//! compiler is not asked for any: what a user's operator needs is not known here.
template <class M, int Bytes = sizeof(typename M::value_type)>
inline constexpr int few_segments_ctas = !is_commutative<M> ? 0
                                         : Bytes <= 4       ? 6
                                         : Bytes <= 8       ? 5
                                                            : 3;

//! A segment a CTA, or one a warp.
template <class Args, bool ByCta>
__global__ void __launch_bounds__(few_segments_warps* warp_size, few_segments_ctas<typename Args::monoid_type>)
    fold_few_segments(const __grid_constant__ Args a) {
  using V = typename Args::value_type;
  constexpr int at_once = ByCta ? 1 : few_segments_warps;
  __shared__ raw_memory<maybe<V>[few_segments_warps]> totals;
  const int number = static_cast<int>(blockIdx.x) - a.seekers;
  if (number < 0) return fold_giants(a, static_cast<int>(blockIdx.x), totals.get());
  const index_t first = index_t{number} * at_once;
  if constexpr (!ByCta) {
    const index_t segment = first + static_cast<int>(threadIdx.x) / warp_size;
    bool is_long = false;
    if (segment < a.segments) {
      const auto own = a.at(segment);
      is_long = own.count > items_of_warp;
      if (!is_long) {
        const V folded = own.count > 0 ? fold_by_warp<V, false>(own.count, own, a.m) : static_cast<V>(a.m.identity());
        if (lane_id() == 0) a.store(segment, folded);
      }
    }
    if (!__syncthreads_or(is_long)) return;
  }
  for (index_t s = first; s < min(first + at_once, a.segments); s++) {
    const auto own = a.at(s);
    if ((!ByCta && own.count <= items_of_warp) || own.count > items_of_cta) continue;
    const V folded =
        own.count > 0 ? fold_by_cta<V, false>(own.count, own, a.m, totals.get()) : static_cast<V>(a.m.identity());
    if (threadIdx.x == 0) a.store(s, folded);
    __syncthreads();
  }
}

template <class T, class Offset, class Out, class M>
void reduce_few_segments(device& executor, few_segments_args<T, Offset, Out, M> a) {
  using Args = few_segments_args<T, Offset, Out, M>;
  if (a.count > items_of_cta) {
    a.piece = items_of_piece(a.count);
    a.seekers = static_cast<int>(std::min<index_t>(a.count / a.piece, most_seekers));
    a.workspace = executor.workspace(workspace_bytes<typename M::value_type>(giant_slots(a.count, a.piece)));
  }
  constexpr int threads = few_segments_warps * warp_size;
  if (a.count <= a.segments * (a.segments < many_segments ? mean_of_warps : mean_of_many_warps))
    launch<&fold_few_segments<Args, false>>(executor, a.seekers + (a.segments - 1) / few_segments_warps + 1, threads, 0,
                                            a);
  else launch<&fold_few_segments<Args, true>>(executor, a.seekers + a.segments, threads, 0, a);
}

}  // namespace UPSWEEP_NAMESPACE::gpu

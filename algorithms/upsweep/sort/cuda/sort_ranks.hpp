// Sorts a few thousand items in one launch of a cluster, by any comparator: each CTA sorts its piece of the input in
// shared memory (merging.hpp); then every item looks in the other pieces for how many come before it, which tells its
// place in the result. Stable. Two meetings, where shares (sort_shares.hpp) take three and sort every item twice.
//
// A comparator that is no order may send two items to one place. So each place is claimed before anything is written,
// and if one is claimed twice the items are left as their pieces have them.
#pragma once
#include <cstdint>

#include <upsweep/config.hpp>
#include <upsweep/cuda/cluster.hpp>
#include <upsweep/cuda/launch.hpp>
#include <upsweep/scratch.hpp>
#include <upsweep/sort/cuda/item_words.hpp>
#include <upsweep/sort/cuda/merging.hpp>
#include <upsweep/sort/cuda/tuning.hpp>

namespace UPSWEEP_NAMESPACE::gpu {

template <class T, class Less>
struct rank_args {
  const T* in;
  T* out;
  int n;
  Less less;
  T* pieces;  // each sorted
};

template <class T, class Less, class Shape>
class rank_sorter {
  using Sorter = tile_sorter<Shape::warps, Shape::rows, T, Less>;
  static constexpr int threads = Sorter::threads, ctas = tuning::ranked_ctas;

 public:
  static constexpr int most_in_piece = tuning::most_ranked_in_piece, words = most_in_piece / warp_size;
  static_assert(most_in_piece <= threads && most_in_piece <= Sorter::tile);
  struct shared_memory {
    typename Sorter::shared_memory tile;
    int places[most_in_piece];     // of this piece's items in the result
    std::uint32_t claimed[words];  // of this CTA's share of all places, a bit each
    std::uint32_t clashes;
  };

  __device__ rank_sorter(const rank_args<T, Less>& args, shared_memory& memory) : a(args), m(memory) {}

  __device__ void sort() {
    const int begin = piece_begin(me_), length = piece_begin(me_ + 1) - begin;
    const bool has = thread_ < length;
    T& mine = m.tile.items[thread_];
    if (has) item_words<T>(a.in[begin + thread_]).store(mine);
    if (has) m.places[thread_] = thread_;
    if (thread_ < words) m.claimed[thread_] = 0;
    if (thread_ == 0) m.clashes = 0;
    __syncthreads();
    Sorter(m.tile, a.less).sort(length);
    __syncthreads();
    if (has) item_words<T>(mine).store(a.pieces[begin + thread_]);
    meet_cluster();
    find_places(length);
    __syncthreads();
    if (has) claim(m.places[thread_]);
    meet_cluster();
    if (has) item_words<T>(mine).store(a.out[m.clashes == 0 ? m.places[thread_] : begin + thread_]);
  }

 private:
  const rank_args<T, Less>& a;
  shared_memory& m;
  const int me_ = static_cast<int>(blockIdx.x), thread_ = static_cast<int>(threadIdx.x);

  __device__ int piece_begin(int cta) const { return a.n * cta / ctas; }

  //! Adds to each item's place how many items of other pieces come before it. Equivalent ones do if their piece does.
  __device__ void find_places(int length) {
    constexpr int together = 5, groups = (ctas - 1) / together;  // pieces that a thread searches at once
    static_assert(groups * together == ctas - 1);
    const int top = 1 << (31 - __clz(a.n / ctas + 1));
    for (int job = thread_; job < groups * length; job += threads) {
      const int item = job % length, first = me_ + 1 + job / length * together;
      const T& mine = m.tile.items[item];
      int before[together] = {};
      for (int step = top; step > 0; step /= 2)
#pragma unroll
        for (int k = 0; k < together; k++) {
          const int piece = (first + k) % ctas, end = piece_begin(piece + 1),
                    at = piece_begin(piece) + before[k] + step - 1;
          const T& other = a.pieces[min(at, end - 1)];
          const bool is_before = piece < me_ ? !a.less(mine, other) : static_cast<bool>(a.less(other, mine));
          before[k] += at < end && is_before ? step : 0;
        }
      int sum = 0;
#pragma unroll
      for (int k = 0; k < together; k++) sum += before[k];
      atomicAdd(&m.places[item], sum);
    }
  }
  //! Takes a place of the result for an item.
  __device__ void claim(int place) {
    const std::uint32_t bit = 1u << place % warp_size;
    const int word = place / warp_size;
    if (or_at_cta(&m.claimed[word % words], word / words, bit) & bit)
      for (int cta = 0; cta < ctas; cta++) store_to_cta(&m.clashes, cta, 1);
  }
};

template <class T, class Less, class Shape>
__global__ void __launch_bounds__(Shape::threads, 1) sort_ranks_kernel(const __grid_constant__ rank_args<T, Less> a) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
  using sorter = rank_sorter<T, Less, Shape>;
  extern __shared__ __align__(16) std::byte memory[];
  sorter(a, *reinterpret_cast<typename sorter::shared_memory*>(memory)).sort();
#endif
}

//! Sorts by ranks; false, and nothing done, where there are too many items or no clusters.
template <class Shape, class T, class Less>
bool sort_by_ranks(device& executor, const T* in, T* out, index_t n, const Less& less) {
  using Sorter = rank_sorter<T, Less, Shape>;
  constexpr auto kernel = &sort_ranks_kernel<T, Less, Shape>;
  constexpr int shared = sizeof(typename Sorter::shared_memory);
  static_assert(shared <= 1024 * tuning::shared_of_a_cta(), "a CTA has not so much shared memory");
  if (n > index_t{tuning::ranked_ctas} * Sorter::most_in_piece || !has_hopper_code(executor.compute_capability()) ||
      !has_clusters<kernel>(executor, tuning::ranked_ctas, Shape::threads, shared))
    return false;
  rank_args<T, Less> args{in, out, static_cast<int>(n), less, nullptr};
  detail::in_scratch(executor, [&](detail::scratch_cutter& scratch) { args.pieces = scratch.take<T>(n); });
  launch_cluster<kernel>(executor, tuning::ranked_ctas, Shape::threads, shared, args);
  return true;
}

}  // namespace UPSWEEP_NAMESPACE::gpu

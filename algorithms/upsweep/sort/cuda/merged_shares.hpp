// Items that a comparator sorts in shares (sort_shares.hpp): what a CTA does with its piece and its share, in shared
// memory (merging.hpp).
#pragma once
#include <cstddef>

#include <upsweep/config.hpp>
#include <upsweep/cuda/device.hpp>
#include <upsweep/scratch.hpp>
#include <upsweep/sort/cuda/item_words.hpp>
#include <upsweep/sort/cuda/merging.hpp>
#include <upsweep/sort/cuda/sort_shares.hpp>
#include <upsweep/sort/cuda/tuning.hpp>

namespace UPSWEEP_NAMESPACE::gpu {

//! Does the largest share of n items fit a tile, whatever the items are, and are samples few beside them?
constexpr bool shares_fit(index_t n, tuning::share_plan plan, int tile) {
  const index_t piece = n / plan.ctas + 1, samples = index_t{plan.ctas} << plan.sample_bits;
  return piece + ((plan.ctas * piece) >> plan.sample_bits) + 2 * plan.ctas <= tile && 4 * samples <= n;
}

template <class T, class Less, class Shape>
class merged_tile {
  using sorter = tile_sorter<Shape::warps, Shape::rows, T, Less>;

 public:
  using item_type = T;
  static constexpr int threads = Shape::threads, tile = Shape::tile, lists_at_once = 4;
  static constexpr bool is_order = false;  // it may be none
  struct args {
    const T* in;
    T* out;
    Less less;
  };
  using shared_memory = typename sorter::shared_memory;
  static constexpr bool fits(index_t n, tuning::share_plan plan) { return shares_fit(n, plan, tile); }

  __device__ merged_tile(const args& of, shared_memory& memory) : a(of), m(memory) {}

  __device__ void fetch_input(index_t first, int length) {
    fetch(a.in, length, [&](int i) { return first + i; });
  }
  template <class Places>
  __device__ void fetch(const T* items, int length, Places places) {
    const int of_warp = (length + threads - 1) / threads * warp_size;  // consecutive, as places are asked for
    const int begin = static_cast<int>(threadIdx.x) / warp_size * of_warp, end = min(begin + of_warp, length);
#pragma unroll 4
    for (int i = begin + lane_id(); i < end; i += warp_size) item_words<T>(items[places(i)]).store(m.items[i]);
  }
  __device__ void sort(int length) {
    __syncthreads();
    sorter(m, a.less).sort(length);
    __syncthreads();
  }
  __device__ const T& operator[](int i) const { return m.items[i]; }
  //! Does `other` come before `item`, or count as such where they are equivalent?
  __device__ bool is_before(const T& other, const T& item, bool equal_too) const {
    return equal_too ? !a.less(item, other) : static_cast<bool>(a.less(other, item));
  }
  __device__ void store(T* to, index_t first, int length) const {
#pragma unroll 4
    for (int i = static_cast<int>(threadIdx.x); i < length; i += threads)
      item_words<T>(m.items[i]).store(to[first + i]);
  }
  template <class Place>
  __device__ void write(index_t first, int length, const Place&) const {
    store(a.out, first, length);
  }
  __device__ void write_one(index_t at, const T& item, int) const { item_words<T>(item).store(a.out[at]); }

 private:
  const args& a;
  shared_memory& m;
};

//! Sorts in shares by the first of the plans that fits. False, and nothing done, if none does.
template <class Shape, bool InCluster, class T, class Less, std::size_t Plans>
bool sort_in_shares(device& executor, const T* in, T* out, index_t n, const Less& less,
                    const tuning::share_plan (&plans)[Plans]) {
  using Tile = merged_tile<T, Less, Shape>;
  share_args<Tile> args{{in, out, less}, n, plan_of_shares<Tile, InCluster>(executor, n, plans)};
  if (args.plan.ctas == 0) return false;
  detail::in_scratch(executor, [&](detail::scratch_cutter& scratch) { cut_shares(args, scratch); });
  sort_shares<InCluster>(executor, args);
  return true;
}

}  // namespace UPSWEEP_NAMESPACE::gpu

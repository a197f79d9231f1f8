// Splits by sampled pivots, in the order of any comparator: a rule for split.hpp. (Sample sort: Frazer and McKellar
// 1970; a search tree without branches, Sanders and Winkel 2004; on a GPU, Leischner, Osipov and Sanders 2010; buckets
// of items that are equal, Axtmann et al. 2017.)
//
// Each segment's pivots are every 12th to 32nd of a sorted sample. An item's digit is the number of its bucket, found
// once, when it is counted, and kept. When the sample shows that many items are equal, those equal to a pivot have a
// bucket of their own, which is finished. A bucket that holds more than half of its segment costs it a chance; then the
// next samples are drawn by the clock, so no input can foresee them. Without a chance left a segment stays as it is:
// its comparator orders nothing.
#pragma once
#include <cstdint>

#include <upsweep/config.hpp>
#include <upsweep/cuda/warp.hpp>
#include <upsweep/sort/cuda/item_words.hpp>
#include <upsweep/sort/cuda/merging.hpp>
#include <upsweep/sort/cuda/split.hpp>
#include <upsweep/sort/sampling.hpp>

namespace UPSWEEP_NAMESPACE::gpu {

template <class T, class Less, int UnitLength, int Tile>
struct pivot_rule {
  static constexpr bool ordered = true, prepares = true, finishes_children = true, fills = false, has_tables = false,
                        declines = false, takes_segments = false, counts = false;
  static_assert(Tile <= UnitLength, "a segment has as many items as a split takes samples");
  // Samples a bucket: those of random items differ by a factor of about 2.
  static constexpr int least_spacing = 12, most_spacing = 32;
  static constexpr int most_levels = [] {
    int levels = 0;
    while (levels < digit_bits && (2 * least_spacing << levels) <= Tile) levels++;
    return levels;
  }();
  UPSWEEP_HD static constexpr int spacing(int levels) {
    return Tile >> levels < most_spacing ? Tile >> levels : most_spacing;
  }
  static constexpr int most_chances = 4;

  const T* in;  // place 0
  T* moved[2];  // places 1 and 2, of which the second is where results go
  index_t n;
  std::uint8_t* kept;  // each item's bucket
  T* trees;            // a segment's pivots
  Less less;

  struct known {
    int chances;
    int levels;  // of the tree
    bool has_equal;
  };
  using segment_type = segment_to_split<known>;
  struct labels {};
  struct shared_state {
    alignas(16) std::byte tree[sizeof(T) << most_levels];
  };
  template <class Shape>
  struct preparation {
    typename tile_sorter<Shape::warps, Shape::rows, T, Less>::shared_memory tile;
    int sums[Shape::warps];
  };

  //! Of units that are neighbours two hold more than a unit's length: there are 2·s, one more for each of the q
  //! segments that are split and for each child that is larger, at most q + s. What is finished in one piece makes 2·s.
  //! As lengths halve but for the chances, q ≤ 6·s.
  index_t most_units(index_t most_queued) const { return 17 * most_queued + digit_values; }
  __device__ index_t size() const { return n; }
  __device__ known known_of_all() const { return {most_chances, 0, false}; }
  __device__ const T* items(int place) const { return place == 0 ? in : moved[place - 1]; }
  __device__ T* target(int place) const { return moved[place - 1]; }
  __device__ bool at_home(int place) const { return items(place) == moved[1]; }
  __device__ labels labels_of(const segment_type&) const { return {}; }
  __device__ bool splits(const segment_type&) const { return true; }
  __device__ bool goes_on(const segment_type&) const { return false; }
  __device__ known next(const segment_type& g) const { return g.known; }
  __device__ bool leaves_units(const segment_type&) const { return true; }
  __device__ child_to_split<known> child(const segment_type& g, int digit, index_t length) const {
    const int chances = g.known.chances - (length > g.length / 2);
    return {(g.known.has_equal && digit > 0 && digit % 2 == 0) || chances == 0, {chances, 0, false}};
  }

  // As few splits as leave units 0.78 full, which some are a good deal more or less; all of about as many buckets, down
  // to units 0.28 to 0.55 full where that takes no more splits.
  __device__ static int levels_for(index_t length) {
    constexpr int full = UnitLength * 78 / 100, half_full = UnitLength * 55 / 100;
    const int splits = (bits_of(length / full) + most_levels - 1) / most_levels;
    const int levels = (bits_of(length / half_full) + splits - 1) / splits;
    return min(max(levels, min(3, most_levels)), most_levels);
  }
  __device__ static int bits_of(index_t count) { return 64 - __clzll(count); }
  __device__ static std::uint64_t clock() {
    std::uint64_t now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    return now;
  }

  //! Finds a segment's pivots: its samples in order, every 12th to 32nd of them, each once, as a tree.
  template <class Shape>
  __device__ void prepare(segment_type& g, index_t in_round, preparation<Shape>& m) const {
    const int thread = static_cast<int>(threadIdx.x), sampled_levels = levels_for(g.length);
    const int sampled_spacing = spacing(sampled_levels), samples = sampled_spacing << sampled_levels;
    const std::uint64_t seed = g.known.chances == most_chances ? 0 : clock();
    T* const sorted = m.tile.items;
    __syncthreads();
    for (int k = thread; k < samples; k += Shape::threads)
      sorted[k] = items(g.place)[g.begin + detail::sampled_position(k, samples, g.length, seed)];
    __syncthreads();
    tile_sorter<Shape::warps, Shape::rows, T, Less>(m.tile, less).sort(samples);
    __syncthreads();
    const auto is_new = [&](int k, int apart) {  // is pivot k another than the one before?
      return k == 0 || less(sorted[k * apart], sorted[(k + 1) * apart]);
    };
    const int most = (1 << sampled_levels) - 1;
    const bool has_equal = __syncthreads_or(thread < most && !is_new(thread, sampled_spacing));
    const int levels = has_equal ? min(sampled_levels, digit_bits - 1) : sampled_levels;
    const int distance = samples >> levels, wanted = (1 << levels) - 1;
    const bool leads = thread < wanted && is_new(thread, distance);
    item_words<T> pivot;
    if (leads) pivot = item_words<T>(sorted[(thread + 1) * distance]);
    const int rank = sum_before<Shape::warps>(static_cast<int>(leads), m.sums);
    const int distinct = __syncthreads_count(leads);
    if (leads) pivot.store(sorted[rank]);
    __syncthreads();
    // Pivot k in order goes to its node: those of one level lie side by side, node i above nodes 2i and 2i + 1.
    const int tree_levels = 32 - __clz(distinct), nodes = 1 << tree_levels;
    if (thread + 1 < nodes) {
      const int node = (nodes + thread + 1) >> __ffs(thread + 1);
      trees[(in_round << most_levels) + node] = sorted[min(thread, distinct - 1)];
    }
    if (thread == 0) {
      g.known.levels = tree_levels;
      g.known.has_equal = has_equal;
    }
  }

  //! What a thread holds while a part is counted.
  struct counting {
    const T* tree;
    known state;
  };
  using counted_item = item_words<T>;
  __device__ counting begin_count(const segment_type& g, index_t in_round, shared_state& shared) const {
    T* const tree = reinterpret_cast<T*>(shared.tree);
    for (int k = 1 + static_cast<int>(threadIdx.x); k < 1 << g.known.levels; k += static_cast<int>(blockDim.x))
      item_words<T>(trees[(in_round << most_levels) + k]).store(tree[k]);
    return {tree, g.known};
  }
  template <int Step, int Rows>
  __device__ void fetch(item_words<T> (&to)[Rows], int place, index_t first, int rest) const {
    const T* const from = items(place) + first;
#pragma unroll
    for (int k = 0; k < Rows; k++)
      if (k * Step < rest) to[k] = item_words<T>(from[k * Step]);
  }
  template <int Rows>
  __device__ void settle(item_words<T> (&)[Rows], int) const {}
  template <int Step, int Rows, class F>
  __device__ void for_each_digit(const counting& c, const item_words<T> (&of)[Rows], index_t first, int rest,
                                 const F& f) const {
    const bool is_full = rest > (Rows - 1) * Step;
    if (c.state.has_equal) find_buckets<true, false, Step>(c, of, first, rest, f);
    else if (is_full) find_buckets<false, true, Step>(c, of, first, rest, f);
    else find_buckets<false, false, Step>(c, of, first, rest, f);
  }
  template <bool HasEqual, bool Full, int Step, int Rows, class F>
  __device__ void find_buckets(const counting& c, const item_words<T> (&of)[Rows], index_t first, int rest,
                               const F& f) const {
    int node[Rows], lower[HasEqual ? Rows : 1];  // lower: the pivot that the bucket begins with, if any
#pragma unroll
    for (int k = 0; k < Rows; k++) {
      node[k] = 1;
      if constexpr (HasEqual) lower[k] = 0;
    }
    for (int level = 0; level < c.state.levels; level++)
#pragma unroll
      for (int k = 0; k < Rows; k++)
        if (Full || k * Step < rest) {
          const bool right = !less(of[k].item(), c.tree[node[k]]);
          if constexpr (HasEqual) lower[k] = right ? node[k] : lower[k];
          node[k] = 2 * node[k] + right;
        }
#pragma unroll
    for (int k = 0; k < Rows; k++)
      if (Full || k * Step < rest) {
        int bucket = node[k] - (1 << c.state.levels);
        if constexpr (HasEqual) bucket = 2 * bucket + (lower[k] > 0 && less(c.tree[lower[k]], of[k].item()));
        kept[first + k * Step] = static_cast<std::uint8_t>(bucket);
        f(static_cast<std::uint32_t>(bucket));
      }
  }
  __device__ void end_count(const counting&, segment_type&, shared_state&) const {
    __syncthreads();  // the tree is read no more
  }

  template <int StagedTile>
  struct staged {
    T items[StagedTile];
    std::uint8_t digits[StagedTile];
    __device__ std::uint32_t digit(int at, labels) const { return digits[at]; }
    __device__ void write(int at, T* to) const { item_words<T>(items[at]).store(*to); }
  };
  template <int Rows>
  struct late {  // nothing
    __device__ void fetch(const pivot_rule&, int, index_t, int) {}
    template <int StagedTile>
    __device__ void stage(staged<StagedTile>&, int, int) const {}
  };
  template <int Rows>
  struct held {
    item_words<T> items[Rows];
    std::uint32_t digits[Rows];
    __device__ void fetch(const pivot_rule& rule, int place, index_t first, int rest) {
      const T* const from = rule.items(place) + first;
      const std::uint8_t* const kept = rule.kept + first;
#pragma unroll
      for (int k = 0; k < Rows; k++)
        if (k * warp_size < rest) {
          items[k] = item_words<T>(from[k * warp_size]);
          digits[k] = kept[k * warp_size];
        }
    }
    __device__ void settle(const pivot_rule&, int, labels) {}
    __device__ std::uint32_t digit(int k, labels) const { return digits[k]; }
    template <int StagedTile>
    __device__ void stage(staged<StagedTile>& to, int k, int place) const {
      items[k].store(to.items[place]);
      to.digits[place] = static_cast<std::uint8_t>(digits[k]);
    }
  };
};

}  // namespace UPSWEEP_NAMESPACE::gpu

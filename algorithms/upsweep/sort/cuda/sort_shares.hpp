// Sorts items that no CTA holds, but a cluster does, or a grid that runs at once, in one launch: each CTA sorts its
// piece of the input in shared memory, they agree by regular samples on what share of the result each makes, and each
// fetches its share of all pieces and sorts it. Stable. (Parallel sorting by regular sampling: Shi and Schaeffer 1992.)
// How a CTA sorts is told by its Tile: by a comparator (merged_shares.hpp), or by keys (key_shares.hpp).
//
//   Tile(args, memory)              memory: what it has of the CTA's shared memory
//   fetch_input(first, length)      takes items [first, first + length) of the input
//   fetch(pieces, length, places)   takes what stands at places(i) of the sorted pieces, for i < length; each thread
//                                   asks in ascending order
//   sort(length)                    puts them in order: tile[i], which a barrier stands behind
//   store(pieces, first, length)    to places of the sorted pieces from `first` on
//   write(first, length, places)    to those of the result; places as it was fetched by, copied for each that is
//                                   asked for in no order
//   is_before(other, item, equal_too)          does `other` come first, or count as such where they are equivalent?
//   is_order, write_one(at, item, place)       for shares that are longer than Tile::tile
//   lists_at_once                   that a thread searches for a sample's rank: a divisor of how many there are
//   fits(n, plan)                   is no share, or hardly one, longer?
//
// Samples that are keys are ranked among all others in shared memory, as many at a time as there is room for. Where a
// comparison is a caller's, samples are ranked among those of a group of pieces, then, if there are more groups, among
// the sorted samples of the others: of 128 pieces with 256 samples each in a fifth of the steps.
//
// Equivalent items differ by the piece that they stand in, and by their place there. So the shares are bounded whatever
// the items are: of C pieces of m items with s samples each, m + C·m/s items at most, and two more a piece for what
// rounding does. Those that a tile does not hold, as there may be fewer samples, are put in order item by item; those
// of a comparator that is no order are left as they are.
#pragma once
#include <cstddef>
#include <cstdint>

#include <upsweep/config.hpp>
#include <upsweep/cuda/cluster.hpp>
#include <upsweep/cuda/launch.hpp>
#include <upsweep/cuda/protocol.hpp>
#include <upsweep/cuda/warp.hpp>
#include <upsweep/scratch.hpp>
#include <upsweep/sort/cuda/digits.hpp>
#include <upsweep/sort/cuda/item_words.hpp>
#include <upsweep/sort/cuda/tuning.hpp>

namespace UPSWEEP_NAMESPACE::gpu {

template <class Tile>
struct share_args {
  using T = typename Tile::item_type;
  typename Tile::args tile;
  index_t n = 0;
  tuning::share_plan plan{};
  progress* head = nullptr;  // the grid meets here
  T* pieces = nullptr;       // each sorted
  T* samples = nullptr;      // of each piece
  T* in_groups = nullptr;    // those of each group, sorted
  T* splitters = nullptr;    // where shares begin: at a sample,
  int* numbers = nullptr;    // and its number among all samples
  int* bounds = nullptr;     // a row for each share: where it begins in each piece
};

//! Samples of keys that are ranked in shared memory at once, if there is room beside the tile. 0: as they lie in
//! memory, in groups.
template <class Tile>
constexpr int samples_at_once() {
  using T = typename Tile::item_type;
  if (!Tile::is_order) return 0;
  constexpr int room = 1024 * tuning::shared_of_a_cta() - static_cast<int>(sizeof(typename Tile::shared_memory)) - 3072;
  int samples = tuning::most_share_ctas << tuning::most_share_sample_bits;
  while (samples * static_cast<int>(sizeof(T)) > room) samples /= 2;
  return samples < Tile::lists_at_once << tuning::most_share_sample_bits ? 0 : samples;
}

template <class Tile, bool InCluster>
class share_sorter {
  using T = typename Tile::item_type;
  static constexpr int threads = Tile::threads, most_ctas = tuning::most_share_ctas,
                       most_samples = 1 << tuning::most_share_sample_bits, at_once = samples_at_once<Tile>();
  static_assert(most_ctas < threads);

 public:
  struct shared_memory {
    typename Tile::shared_memory tile;
    uint4 samples[at_once > 0 ? at_once * sizeof(T) / sizeof(uint4) : 1];
    union {
      int ranks[most_samples];  // of this piece's samples among all
      int bounds[most_ctas];    // where this piece is cut
      struct {
        int from[most_ctas];        // of each piece's part of the share: where it lies, less what stands before it
        int before[most_ctas + 1];  // in the share
      };
    };
    unsigned long long sums[threads / warp_size];
    int begin;  // of the share
  };

  __device__ share_sorter(const share_args<Tile>& args, shared_memory& memory)
      : a(args), m(memory), tile_(args.tile, memory.tile) {}

  //! Its piece, then its share: a loop, as sorting is nearly all of the code.
  __device__ void sort() {
    int length = length_of(me_);
    tile_.fetch_input(piece_begin(me_), length);
#pragma unroll 1
    for (bool is_share = false;; is_share = true) {
      tile_.sort(length);
      if (is_share) break;
      length = share_out(length);
      if (length > Tile::tile) return place_singly(length);
      tile_.fetch(a.pieces, length, places(*this));
    }
    tile_.write(m.begin, length, places(*this));
  }

 private:
  const share_args<Tile>& a;
  shared_memory& m;
  Tile tile_;
  const int me_ = static_cast<int>(blockIdx.x), thread_ = static_cast<int>(threadIdx.x);

  const int sample_bits_ = a.plan.sample_bits;

  __device__ void meet() const {
    if constexpr (InCluster) meet_cluster();
    else meet_grid(a.head);
  }
  __device__ int samples() const { return 1 << sample_bits_; }
  __device__ index_t piece_begin(int cta) const { return a.n * cta / a.plan.ctas; }
  __device__ int length_of(int cta) const { return static_cast<int>(piece_begin(cta + 1) - piece_begin(cta)); }
  //! Samples are at equal distances, each piece's shifted by a part of one, in turn so that the pieces' parts lie
  //! evenly (multiples of the golden ratio): else all might be cut far behind a sample, where runs of equal items end.
  __device__ int sample_at(int k, int length) const {
    const std::uint32_t shift = static_cast<std::uint32_t>(me_) * 0x9e37u & 0xffff;
    return static_cast<int>((static_cast<unsigned long long>(k) << 16 | shift) * static_cast<unsigned int>(length) >>
                            (16 + sample_bits_));
  }
  //! Gets this CTA's share of all items, out of the pieces; says how many they are.
  __device__ int share_out(int length) {
    tile_.store(a.pieces, piece_begin(me_), length);
    for (int k = thread_; k < samples(); k += threads) {
      const item_words<T> sample(tile_[sample_at(k, length)]);
      sample.store(a.samples[(me_ << sample_bits_) + k]);
      if (at_once == 0)  // for want of another, by a comparator that is no order
        sample.store(a.in_groups[(me_ << sample_bits_) + k]);
      m.ranks[k] = 0;
    }
    if (thread_ == 0) set_splitter(me_, 0, length);  // the same
    meet();
    rank_samples(length);
    meet();
    cut_piece(length);
    meet();
    return find_share();
  }
  //! A sample of this piece begins a share.
  __device__ void set_splitter(int share, int k, int length) const {
    item_words<T>(tile_[sample_at(k, length)]).store(a.splitters[share]);
    a.numbers[share] = (me_ << sample_bits_) + k;
  }

  //! Ranks this piece's samples among all. Every so-many-th of them begins a share.
  __device__ void rank_samples(int length) {
    if constexpr (at_once > 0) {
      const int lists = min(a.plan.ctas, at_once >> sample_bits_);
      for (int first = 0; first < a.plan.ctas; first += lists) {
        __syncthreads();
        copy_samples(first << sample_bits_, lists << sample_bits_);
        __syncthreads();
        rank_among<true>(reinterpret_cast<const T*>(m.samples), sample_bits_, lists, me_ - first, length);
      }
    } else {
      rank_in_groups(length);
    }
    for (int k = thread_; k < samples(); k += threads)
      if ((m.ranks[k] & (samples() - 1)) == 0) set_splitter(m.ranks[k] >> sample_bits_, k, length);
  }
  __device__ void copy_samples(int first, int count) {
    const auto* from = reinterpret_cast<const uint4*>(a.samples + first);
#pragma unroll 4
    for (int k = thread_; k < count * static_cast<int>(sizeof(T)) / 16; k += threads) m.samples[k] = from[k];
  }
  __device__ void rank_in_groups(int length) {
    const int in_group = 1 << a.plan.group_bits, group = me_ >> a.plan.group_bits, groups = a.plan.ctas / in_group;
    const int group_bits = sample_bits_ + a.plan.group_bits;
    rank_among<true>(a.samples + (group << group_bits), sample_bits_, in_group, me_ - group * in_group, length);
    if (groups > 1) {
      for (int k = thread_; k < samples(); k += threads)
        item_words<T>(tile_[sample_at(k, length)]).store(a.in_groups[(group << group_bits) + m.ranks[k]]);
      meet();
      rank_among<false>(a.in_groups, group_bits, groups, group, length);
    }
  }
  //! Adds to the ranks of this piece's samples those in `count` sorted lists of 2^bits items. In list `own`, which they
  //! are of, they are known.
  template <bool OwnCounts>
  __device__ void rank_among(const T* lists, int bits, int count, int own, int length) {
    constexpr int together = Tile::lists_at_once;
    for (int job = thread_; job < count / together << sample_bits_; job += threads) {
      const int k = job & (samples() - 1), first = (job >> sample_bits_) * together;
      const auto& mine = tile_[sample_at(k, length)];
      int before[together] = {};
      const auto step_over = [&](int list, int step) {
        const T& other = lists[((first + list) << bits) + before[list] + step - 1];
        before[list] += tile_.is_before(other, mine, first + list < own) ? step : 0;
      };
      for (int step = 1 << (bits - 1); step > 0; step /= 2)
#pragma unroll
        for (int list = 0; list < together; list++) step_over(list, step);
      int sum = 0;
#pragma unroll
      for (int list = 0; list < together; list++) {
        step_over(list, 1);
        sum += first + list != own ? before[list] : OwnCounts ? k : 0;
      }
      atomicAdd(&m.ranks[k], sum);
    }
    __syncthreads();
  }
  //! Where this piece is cut: between the items before a share and those from it on.
  __device__ void cut_piece(int length) {
    int bound = 0;
    if (thread_ > 0 && thread_ < a.plan.ctas) {
      const int number = a.numbers[thread_], piece = number >> sample_bits_;
      bound = piece == me_ ? sample_at(number & (samples() - 1), length)
                           : items_before(a.splitters[thread_], me_ < piece, length);
    }
    if (thread_ < a.plan.ctas) m.bounds[thread_] = bound;
    __syncthreads();
    const bool falls = thread_ > 0 && thread_ < a.plan.ctas && bound < m.bounds[thread_ - 1];
    if (__syncthreads_or(falls)) bound = thread_ <= me_ ? 0 : length;  // by no order: all stay together
    if (thread_ < a.plan.ctas) a.bounds[thread_ * a.plan.ctas + me_] = bound;
  }
  __device__ int items_before(const T& item, bool equal_too, int count) const {
    return lane_partition_point(count, [&](int i) { return tile_.is_before(tile_[i], item, equal_too); });
  }

  //! This CTA's share of the result: how many items; where they are.
  __device__ int find_share() {
    const bool has = thread_ < a.plan.ctas;
    const int cut = has ? a.bounds[me_ * a.plan.ctas + thread_] : 0;
    const int end = !has ? 0 : me_ + 1 < a.plan.ctas ? a.bounds[(me_ + 1) * a.plan.ctas + thread_] : length_of(thread_);
    const auto both = static_cast<unsigned long long>(end - cut) << 32 | static_cast<unsigned long long>(cut);
    const unsigned long long sum = sum_before<threads / warp_size>(both, m.sums);
    const int before = static_cast<int>(sum >> 32);
    if (has) m.from[thread_] = static_cast<int>(piece_begin(thread_)) + cut - before;
    if (thread_ <= a.plan.ctas) m.before[thread_] = before;
    if (thread_ == a.plan.ctas) m.begin = static_cast<int>(sum);
    __syncthreads();
    return m.before[a.plan.ctas];
  }
  //! The piece that the share's i-th item stands in.
  __device__ int piece_of(int i) const {
    int piece = 0;
    for (int step = a.plan.ctas / 2; step > 0; step /= 2)
      if (m.before[piece + step] <= i) piece += step;
    return piece;
  }
  //! Where the share's items stand, for a thread that asks in ascending order.
  class places {
   public:
    __device__ explicit places(const share_sorter& of) : of_(of) {}
    __device__ int operator()(int i) {
      if (of_.m.before[piece_ + 1] <= i) piece_++;
      if (of_.m.before[piece_ + 1] <= i) piece_ = of_.piece_of(i);
      return of_.m.from[piece_] + i;
    }

   private:
    const share_sorter& of_;
    int piece_ = 0;
  };
  //! A share that no tile holds: each item goes behind those that come before it in any piece.
  __device__ void place_singly(int share) {
    for (int i = thread_; i < share; i += threads) {
      const int piece = piece_of(i), from = m.from[piece] + i;
      const T item = item_words<T>(a.pieces[from]).item();
      int rank = i;  // by a comparator that is no order, which makes such shares, they stay as they are
      if constexpr (Tile::is_order) {
        rank = i - m.before[piece];
        for (int other = 0; other < a.plan.ctas; other++)
          if (other != piece)
            rank += lane_partition_point(m.before[other + 1] - m.before[other], [&](int k) {
              return tile_.is_before(a.pieces[m.from[other] + m.before[other] + k], item, other < piece);
            });
      }
      tile_.write_one(m.begin + rank, item, from);
    }
  }
};

template <class Tile, bool InCluster>
__global__ void __launch_bounds__(Tile::threads, 1) sort_shares_kernel(const __grid_constant__ share_args<Tile> a) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
  constexpr bool is_compiled = true;
#else
  constexpr bool is_compiled = !InCluster;
#endif
  if constexpr (is_compiled) {
    extern __shared__ __align__(16) std::byte memory[];
    using sorter = share_sorter<Tile, InCluster>;
    sorter(a, *reinterpret_cast<typename sorter::shared_memory*>(memory)).sort();
  }
}

//! A plan for n items that the device has room for at once: the first that fits. None: ctas = 0.
template <class Tile, bool InCluster, std::size_t Plans>
tuning::share_plan plan_of_shares(device& executor, index_t n, const tuning::share_plan (&plans)[Plans]) {
  constexpr auto kernel = &sort_shares_kernel<Tile, InCluster>;
  constexpr int shared = sizeof(typename share_sorter<Tile, InCluster>::shared_memory);
  static_assert(shared <= 1024 * tuning::shared_of_a_cta(), "a CTA has not so much shared memory");
  if (InCluster && !has_hopper_code(executor.compute_capability())) return {};
  for (const tuning::share_plan plan : plans)
    if (Tile::fits(n, plan) && (InCluster ? has_clusters<kernel>(executor, plan.ctas, Tile::threads, shared)
                                          : plan.ctas <= resident_ctas<kernel>(executor, Tile::threads, shared)))
      return plan;
  return {};
}
//! The memory that a sort in shares needs.
template <class Tile>
void cut_shares(share_args<Tile>& args, detail::scratch_cutter& scratch) {
  using T = typename Tile::item_type;
  const auto& plan = args.plan;
  args.pieces = scratch.take<T>(args.n);
  args.samples = scratch.take<T>(index_t{plan.ctas} << plan.sample_bits);
  if (samples_at_once<Tile>() == 0) args.in_groups = scratch.take<T>(index_t{plan.ctas} << plan.sample_bits);
  args.splitters = scratch.take<T>(plan.ctas);
  args.numbers = scratch.take<int>(plan.ctas);
  args.bounds = scratch.take<int>(index_t{plan.ctas} * plan.ctas);
}
template <bool InCluster, class Tile>
void sort_shares(device& executor, share_args<Tile> args) {
  constexpr auto kernel = &sort_shares_kernel<Tile, InCluster>;
  constexpr int shared = sizeof(typename share_sorter<Tile, InCluster>::shared_memory);
  args.head = reinterpret_cast<progress*>(executor.workspace(sizeof(progress)).data);
  if constexpr (InCluster) launch_cluster<kernel>(executor, args.plan.ctas, Tile::threads, shared, args);
  else launch_together<kernel>(executor, args.plan.ctas, Tile::threads, shared, args);
}

}  // namespace UPSWEEP_NAMESPACE::gpu

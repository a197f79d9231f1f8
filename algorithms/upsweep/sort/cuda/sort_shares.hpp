// Sorts items that no CTA holds, but a cluster does, or a grid that runs at once, in one launch, by any comparator:
// each CTA sorts its piece of the input in shared memory (merging.hpp), they agree by regular samples on what share of
// the result each makes, and each fetches its share of all pieces and sorts it. Stable. (Parallel sorting by regular
// sampling: Shi and Schaeffer 1992.)
//
// Samples are ranked among those of a group of pieces, then, if there are more groups, among the sorted samples of the
// others: of 128 pieces with 256 samples each in a fifth of the steps.
//
// Equivalent items differ by the piece that they stand in, and by their place there. So the shares are bounded whatever
// the items are: of C pieces of m items with s samples each, m + C·m/s items at most, and two more a piece for what
// rounding does. Only a comparator that is no order makes larger ones: they are left as they are.
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
#include <upsweep/sort/cuda/merging.hpp>
#include <upsweep/sort/cuda/tuning.hpp>

namespace UPSWEEP_NAMESPACE::gpu {

template <class T, class Less>
struct share_args {
  const T* in;
  T* out;
  index_t n;
  Less less;
  progress* head;  // the grid meets here
  T* pieces;       // each sorted
  T* samples;      // of each piece
  T* in_groups;    // those of each group, sorted
  T* splitters;    // where shares begin: at a sample,
  int* numbers;    // and its number among all samples
  int* bounds;     // a row for each share: where it begins in each piece
  tuning::share_plan plan;
};

//! Does the largest share of n items fit a tile, and are samples few beside the items?
constexpr bool shares_fit(index_t n, tuning::share_plan plan, int tile) {
  const index_t piece = n / plan.ctas + 1, samples = index_t{plan.ctas} << plan.sample_bits;
  return piece + ((plan.ctas * piece) >> plan.sample_bits) + 2 * plan.ctas <= tile && 4 * samples <= n;
}

template <class T, class Less, class Shape, bool InCluster>
class share_sorter {
  using Sorter = tile_sorter<Shape::warps, Shape::rows, T, Less>;
  static constexpr int threads = Sorter::threads, most_ctas = tuning::most_share_ctas,
                       most_samples = 1 << tuning::most_share_sample_bits;
  static_assert(most_ctas < threads);

 public:
  struct shared_memory {
    typename Sorter::shared_memory tile;
    union {
      int ranks[most_samples];  // of this piece's samples among all
      int bounds[most_ctas];    // where this piece is cut
      struct {
        int from[most_ctas];        // of each piece's part of the share: where it lies, less what stands before it
        int before[most_ctas + 1];  // in the share
      };
    };
    unsigned long long sums[Shape::warps];
    int begin;  // of the share
  };

  __device__ share_sorter(const share_args<T, Less>& args, shared_memory& memory) : a(args), m(memory) {}

  __device__ void sort() {
    const index_t begin = piece_begin(me_);
    const int length = length_of(me_);
    sort_tile(length, [&](int i) -> const T& { return a.in[begin + i]; });
    store(a.pieces + begin, length);
    for (int k = thread_; k < samples(); k += threads) {
      const item_words<T> sample(m.tile.items[sample_at(k, length)]);
      sample.store(a.samples[(me_ << sample_bits_) + k]);
      sample.store(a.in_groups[(me_ << sample_bits_) + k]);  // for want of another, by a comparator that is no order
      m.ranks[k] = 0;
    }
    if (thread_ == 0) set_splitter(me_, 0, length);  // the same
    meet();
    rank_samples(length);
    meet();
    cut_piece(length);
    meet();
    const int share = find_share();
    const auto item = [&](int i) -> const T& { return a.pieces[place_of(i)]; };
    T* const to = a.out + m.begin;
    if (share <= Sorter::tile) {
      sort_tile(share, item);
      store(to, share);
    } else {
      for (int i = thread_; i < share; i += threads) item_words<T>(item(i)).store(to[i]);
    }
  }

 private:
  const share_args<T, Less>& a;
  shared_memory& m;
  const int me_ = static_cast<int>(blockIdx.x), thread_ = static_cast<int>(threadIdx.x);

  const int sample_bits_ = a.plan.sample_bits;

  __device__ void meet() const {
    if constexpr (InCluster) meet_cluster();
    else meet_grid(a.head);
  }
  __device__ int samples() const { return 1 << sample_bits_; }
  __device__ index_t piece_begin(int cta) const { return a.n * cta / a.plan.ctas; }
  __device__ int length_of(int cta) const { return static_cast<int>(piece_begin(cta + 1) - piece_begin(cta)); }
  __device__ int sample_at(int k, int length) const { return (k * length) >> sample_bits_; }

  template <class Item>
  __device__ void sort_tile(int length, const Item& item) {
#pragma unroll 4
    for (int i = thread_; i < length; i += threads) item_words<T>(item(i)).store(m.tile.items[i]);
    __syncthreads();
    Sorter(m.tile, a.less).sort(length);
    __syncthreads();
  }
  __device__ void store(T* to, int length) const {
#pragma unroll 4
    for (int i = thread_; i < length; i += threads) item_words<T>(m.tile.items[i]).store(to[i]);
  }
  //! A sample of this piece begins a share.
  __device__ void set_splitter(int share, int k, int length) const {
    item_words<T>(m.tile.items[sample_at(k, length)]).store(a.splitters[share]);
    a.numbers[share] = (me_ << sample_bits_) + k;
  }

  //! Does `other` come before `item`, or count as such where they are equivalent?
  __device__ bool is_before(const T& other, const T& item, bool equal_too) const {
    return equal_too ? !a.less(item, other) : static_cast<bool>(a.less(other, item));
  }
  //! Ranks this piece's samples among all. Every so-many-th of them begins a share.
  __device__ void rank_samples(int length) {
    const int in_group = 1 << a.plan.group_bits, group = me_ >> a.plan.group_bits, groups = a.plan.ctas / in_group;
    const int group_bits = sample_bits_ + a.plan.group_bits;
    rank_among<true>(a.samples + (group << group_bits), sample_bits_, in_group, me_ - group * in_group, length);
    if (groups > 1) {
      for (int k = thread_; k < samples(); k += threads)
        item_words<T>(m.tile.items[sample_at(k, length)]).store(a.in_groups[(group << group_bits) + m.ranks[k]]);
      meet();
      rank_among<false>(a.in_groups, group_bits, groups, group, length);
    }
    for (int k = thread_; k < samples(); k += threads)
      if ((m.ranks[k] & (samples() - 1)) == 0) set_splitter(m.ranks[k] >> sample_bits_, k, length);
  }
  //! Adds to the ranks of this piece's samples those in `count` sorted lists of 2^bits items. In list `own`, which they
  //! are of, they are known.
  template <bool OwnCounts>
  __device__ void rank_among(const T* lists, int bits, int count, int own, int length) {
    constexpr int together = 4;  // lists that a thread searches at once
    for (int job = thread_; job < count / together << sample_bits_; job += threads) {
      const int k = job & (samples() - 1), first = (job >> sample_bits_) * together;
      const T& mine = m.tile.items[sample_at(k, length)];
      int before[together] = {};
      const auto step_over = [&](int list, int step) {
        const T& other = lists[((first + list) << bits) + before[list] + step - 1];
        before[list] += is_before(other, mine, first + list < own) ? step : 0;
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
    return lane_partition_point(count, [&](int i) { return is_before(m.tile.items[i], item, equal_too); });
  }

  //! This CTA's share of the result: how many items; where they are.
  __device__ int find_share() {
    const bool has = thread_ < a.plan.ctas;
    const int cut = has ? a.bounds[me_ * a.plan.ctas + thread_] : 0;
    const int end = !has ? 0 : me_ + 1 < a.plan.ctas ? a.bounds[(me_ + 1) * a.plan.ctas + thread_] : length_of(thread_);
    const auto both = static_cast<unsigned long long>(end - cut) << 32 | static_cast<unsigned long long>(cut);
    const unsigned long long sum = sum_before<Shape::warps>(both, m.sums);
    const int before = static_cast<int>(sum >> 32);
    if (has) m.from[thread_] = static_cast<int>(piece_begin(thread_)) + cut - before;
    if (thread_ <= a.plan.ctas) m.before[thread_] = before;
    if (thread_ == a.plan.ctas) m.begin = static_cast<int>(sum);
    __syncthreads();
    return m.before[a.plan.ctas];
  }
  __device__ int place_of(int i) const {
    int piece = 0;
    for (int step = a.plan.ctas / 2; step > 0; step /= 2)
      if (m.before[piece + step] <= i) piece += step;
    return m.from[piece] + i;
  }
};

template <class T, class Less, class Shape, bool InCluster>
__global__ void __launch_bounds__(Shape::threads, 1) sort_shares_kernel(const __grid_constant__ share_args<T, Less> a) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
  constexpr bool is_compiled = true;
#else
  constexpr bool is_compiled = !InCluster;
#endif
  if constexpr (is_compiled) {
    extern __shared__ __align__(16) std::byte memory[];
    using sorter = share_sorter<T, Less, Shape, InCluster>;
    sorter(a, *reinterpret_cast<typename sorter::shared_memory*>(memory)).sort();
  }
}

//! Sorts in shares by the first of the plans that fits. False, and nothing done, if none does.
template <class Shape, bool InCluster, class T, class Less, std::size_t Plans>
bool sort_in_shares(device& executor, const T* in, T* out, index_t n, const Less& less,
                    const tuning::share_plan (&plans)[Plans]) {
  constexpr auto kernel = &sort_shares_kernel<T, Less, Shape, InCluster>;
  constexpr int shared = sizeof(typename share_sorter<T, Less, Shape, InCluster>::shared_memory);
  static_assert(shared <= 1024 * tuning::shared_of_a_cta(), "a CTA has not so much shared memory");
  if (InCluster && !has_hopper_code(executor.compute_capability())) return false;
  for (const tuning::share_plan plan : plans) {
    if (!shares_fit(n, plan, Shape::tile)) continue;
    if (InCluster ? !has_clusters<kernel>(executor, plan.ctas, Shape::threads, shared)
                  : plan.ctas > resident_ctas<kernel>(executor, Shape::threads, shared))
      continue;
    auto* const head = reinterpret_cast<progress*>(executor.workspace(sizeof(progress)).data);
    share_args<T, Less> args{in, out, n, less, head, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, plan};
    detail::in_scratch(executor, [&](detail::scratch_cutter& scratch) {
      args.pieces = scratch.take<T>(n);
      args.samples = scratch.take<T>(index_t{plan.ctas} << plan.sample_bits);
      args.in_groups = scratch.take<T>(index_t{plan.ctas} << plan.sample_bits);
      args.splitters = scratch.take<T>(plan.ctas);
      args.numbers = scratch.take<int>(plan.ctas);
      args.bounds = scratch.take<int>(index_t{plan.ctas} * plan.ctas);
    });
    if constexpr (InCluster) launch_cluster<kernel>(executor, plan.ctas, Shape::threads, shared, args);
    else launch_together<kernel>(executor, plan.ctas, Shape::threads, shared, args);
    return true;
  }
  return false;
}

}  // namespace UPSWEEP_NAMESPACE::gpu

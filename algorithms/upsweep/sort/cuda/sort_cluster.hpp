// Sorts keys that no CTA holds, but the CTAs of one cluster do, in one launch: each sorts its piece of the input in
// shared memory (unit_order.hpp), they agree by regular samples on what share of the result each makes, fetch those
// keys from each other, and sort them. (Parallel sorting by regular sampling: Shi and Schaeffer 1992.)
//
// Equal keys differ by the piece that they stand in, and by their place there. So the shares are bounded whatever the
// keys are: of C pieces of m keys with s samples each, m + C·m/s keys at most, and two more a piece for what rounding
// does.
#pragma once
#include <cstddef>
#include <cstdint>

#include <upsweep/config.hpp>
#include <upsweep/cuda/cluster.hpp>
#include <upsweep/cuda/launch.hpp>
#include <upsweep/cuda/warp.hpp>
#include <upsweep/sort/cuda/sort_units.hpp>
#include <upsweep/sort/cuda/tuning.hpp>
#include <upsweep/sort/cuda/unit_order.hpp>

namespace UPSWEEP_NAMESPACE::gpu {

inline constexpr int cluster_ctas = tuning::sort_cluster.ctas, cluster_samples = tuning::sort_cluster.samples;

//! Keys that a cluster can sort in units of a shape.
template <class Unit>
constexpr index_t most_of_cluster() {
  constexpr int piece = (Unit::tile - 2 * cluster_ctas) * cluster_samples / (cluster_samples + cluster_ctas);
  return index_t{piece} * cluster_ctas;
}

template <class U>
struct cluster_state {
  static constexpr int all_samples = cluster_ctas * cluster_samples;
  U own[cluster_samples];      // samples of this piece, as they are ordered
  U samples[all_samples];      // those of all pieces
  int ranks[cluster_samples];  // of this piece's samples among all
  // Where shares begin: at a sample, by its key, and its number among all samples.
  unsigned long long keys[cluster_ctas];
  std::uint32_t numbers[cluster_ctas];
  std::uint32_t bounds[cluster_ctas + 1];  // where this piece is cut
  std::uint32_t cuts[cluster_ctas];        // where this share begins in each piece,
  std::uint32_t before[cluster_ctas + 1];  // how many keys of it stand before those of each piece
  std::uint32_t begin;                     // and where it begins in the result
};

template <class Job, class Shape, bool Ordered>
class cluster_sorter {
  using U = typename Job::key_type;
  using Sorter = unit_order<U, Shape, Ordered>;
  static constexpr int rows = Shape::rows, threads = Shape::threads, ctas = cluster_ctas, samples = cluster_samples;
  static_assert(samples <= threads && 2 * warp_size <= threads && ctas <= warp_size);

 public:
  __device__ cluster_sorter(const unit_args<Job>& args, typename Sorter::shared_memory& memory,
                            typename Sorter::shared_state& state, cluster_state<U>& shared)
      : a(args), m(memory), s(shared), sorter_(memory, state, args.counted) {}

  //! Its piece, then its share: a loop, as sorting is nearly all of the code.
  __device__ void sort() {
    int length = static_cast<int>(piece_begin(me_ + 1) - piece_begin(me_));
    U keys[rows];
    a.job.template fetch<rows, threads>(keys, 0, piece_begin(me_) + thread_, length - thread_);
    a.job.encode(keys, 0);
#pragma unroll 1
    for (bool shared = false;; shared = true) {
      sorter_.arrange(keys, length);
      __syncthreads();
      if (shared) break;
      length = share_out(keys, length);
    }
    sorter_.store_keys(a.job.key_out, static_cast<index_t>(s.begin));
  }

 private:
  const unit_args<Job>& a;
  typename Sorter::shared_memory& m;
  cluster_state<U>& s;
  Sorter sorter_;
  const int me_ = static_cast<int>(blockIdx.x), thread_ = static_cast<int>(threadIdx.x);

  __device__ index_t piece_begin(int cta) const { return a.job.n * cta / ctas; }
  __device__ static int sample_at(int k, int length) { return k * length / samples; }

  //! Gets this CTA's share of all keys, out of the pieces; says how many they are.
  __device__ int share_out(U (&keys)[rows], int length) {
    if (thread_ < samples) {
      s.own[thread_] = sorter_.counted(m.in_buckets.sorted.keys[sample_at(thread_, length)]);
      s.ranks[thread_] = 0;
    }
    meet_cluster();
    choose_shares();
    meet_cluster();
    cut_piece(length);
    meet_cluster();
    const int share = find_share();
#pragma unroll
    for (int k = 0; k < rows; k++)
      if (thread_ + k * threads < share) keys[k] = key_of_share(thread_ + k * threads);
    meet_cluster();  // all have what they fetch
    return share;
  }
  //! Every `samples`-th of all samples in order begins a share: its CTA tells all the others.
  __device__ void choose_shares() {
    for (int k = thread_; k < ctas * samples; k += threads)
      s.samples[k] = load_of_cta(s.own + k % samples, k / samples);
    __syncthreads();
    for (int k = thread_; k < ctas * samples; k += threads) {
      const int piece = k / samples, mine = k % samples;
      const int before =
          piece == me_ ? mine : keys_before(s.samples + piece * samples, samples, s.own[mine], piece < me_);
      atomicAdd(&s.ranks[mine], before);
    }
    __syncthreads();
    if (thread_ >= samples) return;
    const int rank = s.ranks[thread_];
    if (rank % samples != 0) return;
    for (int cta = 0; cta < ctas; cta++) {
      store_to_cta(s.keys + rank / samples, cta, static_cast<unsigned long long>(s.own[thread_]));
      store_to_cta(s.numbers + rank / samples, cta, static_cast<std::uint32_t>(me_ * samples + thread_));
    }
  }
  //! Where this piece is cut: between the keys before a share and those from it on.
  __device__ void cut_piece(int length) {
    if (thread_ == ctas) s.bounds[ctas] = static_cast<std::uint32_t>(length);
    if (thread_ >= ctas) return;
    const int piece = static_cast<int>(s.numbers[thread_]) / samples;
    int bound = 0;
    if (thread_ > 0) {
      bound = piece == me_
                  ? sample_at(static_cast<int>(s.numbers[thread_]) % samples, length)
                  : keys_before(m.in_buckets.sorted.keys, length, static_cast<U>(s.keys[thread_]), me_ < piece);
    }
    s.bounds[thread_] = static_cast<std::uint32_t>(bound);
  }
  //! Keys of a sorted piece that come before `key`, or are equal and count as such.
  __device__ int keys_before(const U* keys, int count, U key, bool equal_too) const {
    return lane_partition_point(count, [&](int i) {
      const U other = sorter_.counted(keys[i]);
      return other < key || (equal_too && other == key);
    });
  }
  //! This CTA's share of the result: how many keys; where they are.
  __device__ int find_share() {
    if (thread_ < warp_size) {
      const bool has = thread_ < ctas;
      const std::uint32_t cut = has ? load_of_cta(s.bounds + me_, thread_) : 0;
      const std::uint32_t count = has ? load_of_cta(s.bounds + me_ + 1, thread_) - cut : 0;
      const auto plus = [](std::uint32_t x, std::uint32_t y) { return x + y; };
      const std::uint32_t before = warp_scan(count, warp_size, plus), begin = warp_scan(cut, warp_size, plus);
      if (has) {
        s.cuts[thread_] = cut;
        s.before[thread_ + 1] = before;
      }
      if (thread_ == 0) s.before[0] = 0;
      if (thread_ == warp_size - 1) s.begin = begin;
    }
    __syncthreads();
    return static_cast<int>(s.before[ctas]);
  }
  __device__ U key_of_share(int i) const {
    int piece = 0;
#pragma unroll
    for (int step = ctas / 2; step > 0; step /= 2)
      if (s.before[piece + step] <= static_cast<std::uint32_t>(i)) piece += step;
    return load_of_cta(m.in_buckets.sorted.keys + s.cuts[piece] + (static_cast<std::uint32_t>(i) - s.before[piece]),
                       piece);
  }
};

template <class Job, class Shape, bool Ordered>
__global__ void __launch_bounds__(Shape::threads, 1) sort_cluster_kernel(const __grid_constant__ unit_args<Job> a) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
  using S = unit_order<typename Job::key_type, Shape, Ordered>;
  extern __shared__ __align__(16) std::byte memory[];
  __shared__ typename S::shared_state state;
  __shared__ cluster_state<typename Job::key_type> shared;
  cluster_sorter<Job, Shape, Ordered>(a, *reinterpret_cast<typename S::shared_memory*>(memory), state, shared).sort();
#endif
}

//! The sort of a job's keys by a cluster: a sorter as digit_sorter is one, which needs no memory.
template <class Unit, bool Ordered, class Job>
struct cluster_sort {
  static_assert(!Job::has_payload);
  Job job;

  //! Are they more than a unit, and as many as a cluster sorts, and has the device such clusters?
  bool fits(device& executor) const {
    return job.n > Unit::tile && job.n <= most_of_cluster<Unit>() && has_hopper_code(executor.compute_capability()) &&
           has_clusters<kernel>(executor, cluster_ctas, Unit::threads, shared);
  }
  template <class... Memory>
  void cut(const Memory&...) const {}
  void sort(device& executor) const {
    launch_cluster<kernel>(executor, cluster_ctas, Unit::threads, shared,
                           unit_args<Job>{job, job.counted(job.end_bit), nullptr, nullptr, false});
  }

 private:
  static constexpr auto kernel = &sort_cluster_kernel<Job, Unit, Ordered>;
  static constexpr int shared = sizeof(typename unit_order<typename Job::key_type, Unit, Ordered>::shared_memory);
};

}  // namespace UPSWEEP_NAMESPACE::gpu

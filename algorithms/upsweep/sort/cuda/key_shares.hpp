// Keys that a grid which runs at once sorts in shares, in one launch (sort_shares.hpp): what a CTA does with its piece
// and its share, in buckets of shared memory (unit_order.hpp). However keys crowd, shares are alike: two or three
// rounds of a split by digits (split.hpp) take longer.
#pragma once
#include <cstddef>

#include <upsweep/config.hpp>
#include <upsweep/cuda/device.hpp>
#include <upsweep/scratch.hpp>
#include <upsweep/sort/cuda/by_digits.hpp>
#include <upsweep/sort/cuda/digits.hpp>
#include <upsweep/sort/cuda/sort_shares.hpp>
#include <upsweep/sort/cuda/tuning.hpp>
#include <upsweep/sort/cuda/unit_order.hpp>

namespace UPSWEEP_NAMESPACE::gpu {

template <class U, bool Ordered, tuning::sort_shape S = tuning::key_shares(sizeof(U), Ordered)>
struct share_shape : tile_shape<S.warps, S.rows, S.ctas> {
  static constexpr int bucket_bits = tuning::share_bucket_bits(share_shape::tile);
};

template <class Job, class Shape, bool Ordered>
class key_tile {
  using U = typename Job::key_type;
  using order = unit_order<U, Shape, Ordered>;
  static constexpr int rows = Shape::rows;

 public:
  using item_type = U;
  static constexpr int threads = Shape::threads, tile = Shape::tile, lists_at_once = 8;
  static constexpr bool is_order = true;
  struct args {
    Job job;
    U counted;  // the bits that the order depends on
  };
  struct shared_memory {
    typename order::shared_memory order;
    typename order::shared_state state;
  };
  //! Of C pieces with s samples each a share differs from a piece of m keys by m/s · √(C/6) or so, as each of them is
  //! cut anywhere between two samples, at both of its ends. Here seven times that fits. What does not is slow.
  static constexpr bool fits(index_t n, tuning::share_plan plan) {
    const index_t piece = n / plan.ctas + 1, samples = index_t{plan.ctas} << plan.sample_bits;
    return piece + ((32 * piece) >> plan.sample_bits) + plan.ctas <= tile && 4 * samples <= n;
  }

  __device__ key_tile(const args& of, shared_memory& memory)
      : a(of), m(memory), order_(memory.order, memory.state, of.counted) {}

  __device__ void fetch_input(index_t first, int length) {
    a.job.template fetch<rows, threads>(keys_, 0, first + threadIdx.x, length - static_cast<int>(threadIdx.x));
    a.job.encode(keys_, 0);
  }
  template <class Item>
  __device__ void fetch(int length, const Item& item) {
    forget(keys_);
#pragma unroll
    for (int k = 0; k < rows; k++)
      if (place(k) < length) keys_[k] = item(place(k));
  }
  __device__ void sort(int length) {
    __syncthreads();
    order_.arrange(keys_, length);
    __syncthreads();
  }
  __device__ U operator[](int i) const { return m.order.in_buckets.sorted.keys[i]; }
  //! Does `other` come before `key`, or count as such where they are equal?
  __device__ bool is_before(U other, U key, bool equal_too) const {
    const U its = order_.counted(other), counted = order_.counted(key);
    return its < counted || (equal_too && its == counted);
  }
  __device__ void store(U* to, int length) const {
#pragma unroll
    for (int k = 0; k < rows; k++)
      if (place(k) < length) to[place(k)] = (*this)[place(k)];
  }
  __device__ void write(index_t first, int) const { order_.store_keys(a.job.key_out, first); }
  __device__ void write_one(index_t at, U key) const { a.job.key_out(at, key); }

 private:
  const args& a;
  shared_memory& m;
  order order_;
  U keys_[rows];

  __device__ static int place(int k) { return static_cast<int>(threadIdx.x) + k * threads; }
};

//! The sort of a job's keys in shares: a sorter as digit_sorter is one.
template <bool Ordered, class Job>
class sort_by_shares {
  static_assert(!Job::has_payload);
  using Tile = key_tile<Job, share_shape<typename Job::key_type, Ordered>, Ordered>;

 public:
  sort_by_shares(device& executor, const Job& of)
      : job(of),
        args_{
            {},      of.n,    nullptr, nullptr, nullptr,
            nullptr, nullptr, nullptr, nullptr, plan_of_shares<Tile, false>(executor, of.n, tuning::key_share_plans)} {}
  //! Does a grid that runs at once hold the keys?
  bool fits() const { return args_.plan.ctas > 0; }
  template <class... Memory>
  void cut(detail::scratch_cutter& scratch, const Memory&...) {
    cut_shares(args_, scratch);
  }
  void sort(device& executor) const {
    auto args = args_;
    args.tile = {job, job.counted(job.end_bit)};
    sort_shares<false>(executor, args);
  }
  Job job;

 private:
  share_args<Tile> args_;
};

}  // namespace UPSWEEP_NAMESPACE::gpu

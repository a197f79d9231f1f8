// Keys that a grid which runs at once sorts in shares, in one launch (sort_shares.hpp): what a CTA does with its piece
// and its share, in buckets of shared memory (unit_order.hpp). However keys crowd, shares are alike: two or three
// rounds of a split by digits (split.hpp) take longer. Payloads go with their keys.
#pragma once
#include <cstddef>
#include <type_traits>

#include <cuda_pipeline_primitives.h>

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
  static constexpr bool cuts_in_order = tuning::shared_of_a_cta() > 99;
};

template <class Job, class Shape, bool Ordered>
class key_tile {
  using U = typename Job::key_type;
  using Payload = typename Job::payload_type;
  using order = unit_order<U, Shape, Ordered>;
  static constexpr int rows = Shape::rows;

 public:
  using item_type = U;
  static constexpr int threads = Shape::threads, tile = Shape::tile, lists_at_once = 8;
  static constexpr bool is_order = true;
  struct args {
    Job job;
    U counted = 0;                // the bits that the order depends on
    Payload* payloads = nullptr;  // of the sorted pieces
  };
  struct memory_of_keys {
    typename order::shared_memory order;
    typename order::shared_state state;
  };
  struct memory_of_all : memory_of_keys {
    maybe<Payload> payloads[tile];
  };
  // Payloads change places in shared memory, if there is room for them beside what shares need; else they are fetched
  // by where their keys stood, of which a line has few (900,001 pairs of 4 bytes each: 65 µs).
  static constexpr bool holds_payloads =
      Job::has_payload && sizeof(memory_of_all) + 4096 <= 1024 * tuning::shared_of_a_cta();
  using shared_memory = std::conditional_t<holds_payloads, memory_of_all, memory_of_keys>;
  //! Of C pieces with s samples each a share differs from a piece of m keys by m/s · √(C/6) or so, as each of them is
  //! cut anywhere between two samples, at both of its ends. Here five times that fits, which one of ten million shares
  //! exceeds where n is largest. What does not fit is slow.
  static constexpr bool fits(index_t n, tuning::share_plan plan) {
    const index_t piece = n / plan.ctas + (n % plan.ctas > 0), samples = index_t{plan.ctas} << plan.sample_bits;
    return piece + ((24 * piece) >> plan.sample_bits) <= tile && 4 * samples <= n;
  }

  __device__ key_tile(const args& of, shared_memory& memory)
      : a(of), m(memory), order_(memory.order, memory.state, of.counted) {}

  __device__ void fetch_input(index_t first, int length) {
    a.job.template fetch<rows, threads>(keys_, 0, first + threadIdx.x, length - static_cast<int>(threadIdx.x));
    a.job.encode(keys_, 0);
    if constexpr (holds_payloads) {
      for_each_place(length, [&](int i) { a.job.copy_payload(m.payloads[i], 0, first + i); });
      __pipeline_commit();
    }
  }
  template <class Places>
  __device__ void fetch(const U* pieces, int length, Places places) {
    // A warp has consecutive rows, so that the piece of one is that of the next or follows it.
    const int used = (length + threads - 1) / threads, thread = static_cast<int>(threadIdx.x);
    const int first = thread / warp_size * (used * warp_size) + lane_id();
    const auto has = [&](int k) { return k < used && first + k * warp_size < length; };
    U keys[rows];
    maybe<Payload> payloads[holds_payloads ? rows : 1];
    forget(keys);
    forget(payloads);
    for_rows<rows>(has, [&](int k) {
      const int from = places(first + k * warp_size);
      keys[k] = pieces[from];
      if constexpr (holds_payloads) payloads[k].value = a.payloads[from];
    });
    U* const all = m.order.in_buckets.sorted.keys;
    for_rows<rows>(has, [&](int k) {
      all[first + k * warp_size] = keys[k];
      if constexpr (holds_payloads) m.payloads[first + k * warp_size].value = payloads[k].value;
    });
    __syncthreads();
    forget(keys_);
    for_rows<rows>([&](int k) { return thread + k * threads < length; },
                   [&](int k) { keys_[k] = all[thread + k * threads]; });
  }
  __device__ void sort(int length) {
    __syncthreads();
    order_.arrange(keys_, length);
    __pipeline_wait_prior(0);
    __syncthreads();
  }
  __device__ U operator[](int i) const { return m.order.in_buckets.sorted.keys[i]; }
  //! Does `other` come before `key`, or count as such where they are equal?
  __device__ bool is_before(U other, U key, bool equal_too) const {
    const U its = order_.counted(other), counted = order_.counted(key);
    return its < counted || (equal_too && its == counted);
  }
  __device__ void store(U* to, index_t first, int length) const {
    for_each_place(length, [&](int i) { to[first + i] = (*this)[i]; });
    if constexpr (Job::has_payload)
      store_payloads(a.payloads + first, length, [&](int i) { return a.job.payload(0, first + i); });
  }
  template <class Places>
  __device__ void write(index_t first, int length, const Places& places) const {
    order_.store_keys(a.job.key_out, first);
    if constexpr (Job::has_payload)
      store_payloads(a.job.payload_out + first, length, [&](int i) { return a.payloads[Places(places)(i)]; });
  }
  __device__ void write_one(index_t at, U key, int from) const {
    a.job.key_out(at, key);
    if constexpr (Job::has_payload) a.job.payload_out[at] = a.payloads[from];
  }

 private:
  const args& a;
  shared_memory& m;
  order order_;
  U keys_[rows];

  //! Calls f(i) for this thread's places.
  template <class F>
  __device__ static void for_each_place(int length, const F& f) {
#pragma unroll 4
    for (int i = static_cast<int>(threadIdx.x); i < length; i += threads) f(i);
  }
  //! In the order of their keys; payload(i) is the i-th as they came.
  template <class PayloadAt>
  __device__ void store_payloads(Payload* to, int length, const PayloadAt& payload) const {
    for_each_place(length, [&](int i) {
      const int source = m.order.sources[i];
      if constexpr (holds_payloads) to[i] = m.payloads[source].value;
      else to[i] = payload(source);
    });
  }
};

//! The sort of a job in shares: a sorter as digit_sorter is one.
template <bool Ordered, class Job>
class sort_by_shares {
  static_assert(Ordered || !Job::has_payload);
  using Tile = key_tile<Job, share_shape<typename Job::key_type, Ordered>, Ordered>;

 public:
  Job job;
  sort_by_shares(device& executor, const Job& of) : job(of) {
    args_.n = of.n;
    args_.plan = plan_of_shares<Tile, false>(executor, of.n, tuning::key_share_plans);
  }
  //! Does a grid that runs at once hold the keys?
  bool fits() const { return args_.plan.ctas > 0; }
  template <class... Memory>
  void cut(detail::scratch_cutter& scratch, const Memory&...) {
    cut_shares(args_, scratch);
    if constexpr (Job::has_payload) args_.tile.payloads = scratch.take<typename Job::payload_type>(job.n);
  }
  void sort(device& executor) const {
    auto args = args_;
    args.tile.job = job;
    args.tile.counted = job.counted(job.end_bit);
    sort_shares<false>(executor, args);
  }

 private:
  share_args<Tile> args_{};
};

}  // namespace UPSWEEP_NAMESPACE::gpu

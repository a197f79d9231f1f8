// Sorts what fits a CTA: the units that splitting leaves, and whole inputs of up to a tile.
//
// The range of a unit's keys is cut into equal buckets, more than there are keys. Keys are put into their buckets in
// any order; then threads sort windows of a few keys in registers, twice, so that every bucket lies in some window.
// Between equal keys the place in the unit decides, which makes it stable. Where keys crowd, each is compared with all
// of its bucket instead; where they crowd in few buckets, the unit is sorted least significant digit first, and only by
// the bits that vary.
#pragma once
#include <cstddef>
#include <cstdint>

#include <upsweep/config.hpp>
#include <upsweep/cuda/warp.hpp>
#include <upsweep/sort/cuda/by_digits.hpp>
#include <upsweep/sort/cuda/digits.hpp>

namespace UPSWEEP_NAMESPACE::gpu {

template <class Job>
struct unit_args {
  Job job;
  typename Job::key_type counted;  // the bits that the order depends on
  const split_state* state;        // null: the whole input is one unit
  const unit_to_sort* units;
};

template <class Job, class Shape, bool Ordered>
class unit_sorter {
  using U = typename Job::key_type;
  using Payload = typename Job::payload_type;
  static constexpr int rows = Shape::rows, threads = Shape::threads;
  static constexpr int bucket_bits = 13, buckets = 1 << bucket_bits;
  static constexpr int most_in_bucket = rows / 2 + 1;  // these lie in one of the windows
  static constexpr int most_ranked = 256;              // what is compared with all of its bucket

 public:
  struct sorted_keys {
    U keys[Shape::tile];
    std::uint16_t sources[Ordered ? Shape::tile : 1];  // where a key stood in the unit
  };
  struct shared_memory {
    union {
      ordered_ranks<Shape::warps> ranks;
      sorted_keys sorted;
    };
    std::uint32_t starts[buckets / 2 + 1];  // 16 bits a bucket: first how many keys it has, then where they start
  };
  struct shared_state {
    U lowest[Shape::warps], highest[Shape::warps];
    std::uint32_t sums[Shape::warps];
    unsigned long long varying;
  };

  __device__ unit_sorter(const unit_args<Job>& args, shared_memory& memory, shared_state& shared)
      : a(args), m(memory), s(shared) {}

  __device__ void sort(const unit_to_sort& unit) {
    rest_ = unit.length - static_cast<int>(threadIdx.x);
    U keys[rows];
    const index_t first = unit.begin + threadIdx.x;
    a.job.template fetch<rows, threads>(keys, unit.place, first, rest_);
    a.job.encode(keys, unit.place);
    find_range(keys);
    if (lowest_ == highest_) {
      if (a.job.at_home[unit.place]) return;
#pragma unroll
      for (int k = 0; k < rows; k++)
        if (live(k)) put(place(k), keys[k], place(k));
    } else if (to_buckets(keys)) {
      if (Ordered || !exact_) {
        if (crowded_) {
          rank_in_buckets();
        } else {
          sort_windows(unit.length, 0);
          sort_windows(unit.length, rows / 2);
        }
      }
    } else {
      by_digits(unit);
    }
    __syncthreads();
    store(unit);
  }

 private:
  const unit_args<Job>& a;
  shared_memory& m;
  shared_state& s;
  int rest_;  // keys of the unit from this thread's first on
  U lowest_, highest_;
  int shift_;  // a bucket's number: the key less the lowest, without its last bits, times a factor
  std::uint32_t factor_;
  bool exact_;    // all in a bucket are equal
  bool crowded_;  // some bucket lies in no window

  // A thread's k-th place in the unit.
  __device__ static int place(int k) { return static_cast<int>(threadIdx.x) + k * threads; }
  __device__ bool live(int k) const { return k * threads < rest_; }
  //! What the order depends on.
  __device__ U counted(U key) const { return Ordered ? static_cast<U>(key & a.counted) : key; }
  __device__ int bucket(U key) const {
    return static_cast<int>(static_cast<std::uint32_t>(static_cast<U>(counted(key) - lowest_) >> shift_) * factor_ >>
                            (31 - bucket_bits));
  }
  __device__ int start_of(int bucket) const { return reinterpret_cast<const std::uint16_t*>(m.starts)[bucket]; }
  __device__ void put(int at, U key, int source) {
    m.sorted.keys[at] = key;
    if constexpr (Ordered) m.sorted.sources[at] = static_cast<std::uint16_t>(source);
  }

  __device__ void find_range(const U (&keys)[rows]) {
    U lowest = static_cast<U>(~U{0}), highest = 0;
#pragma unroll
    for (int k = 0; k < rows; k++)
      if (live(k)) {
        lowest = min(lowest, counted(keys[k]));
        highest = max(highest, counted(keys[k]));
      }
#pragma unroll
    for (int distance = warp_size / 2; distance > 0; distance /= 2) {
      lowest = min(lowest, static_cast<U>(__shfl_xor_sync(~0u, lowest, distance)));
      highest = max(highest, static_cast<U>(__shfl_xor_sync(~0u, highest, distance)));
    }
    if (lane_id() == 0) {
      s.lowest[threadIdx.x / warp_size] = lowest;
      s.highest[threadIdx.x / warp_size] = highest;
    }
    for (int k = static_cast<int>(threadIdx.x); k < buckets / 2; k += threads) m.starts[k] = 0;
    if (threadIdx.x == 0) s.varying = 0;
    __syncthreads();
    lowest_ = s.lowest[0];
    highest_ = s.highest[0];
#pragma unroll 6
    for (int w = 1; w < Shape::warps; w++) {
      lowest_ = min(lowest_, s.lowest[w]);
      highest_ = max(highest_, s.highest[w]);
    }
  }

  //! Puts the keys into their buckets, unless they crowd.
  __device__ bool to_buckets(const U (&keys)[rows]) {
    const auto range = static_cast<unsigned long long>(static_cast<U>(highest_ - lowest_));
    shift_ = max(0, 64 - __clzll(static_cast<long long>(range)) - 18);
    factor_ = (1u << 31) / static_cast<std::uint32_t>((range >> shift_) + 1);
    exact_ = range < buckets;
    std::uint32_t at[rows];  // the bucket, and behind it the rank there
#pragma unroll
    for (int k = 0; k < rows; k++)
      if (live(k)) {
        const int b = bucket(keys[k]), half = 16 * (b & 1);
        at[k] = (atomicAdd(&m.starts[b / 2], 1u << half) >> half & 0xffff) | static_cast<std::uint32_t>(b) << 16;
      }
    __syncthreads();
    constexpr int own = (buckets / 2 + threads - 1) / threads;  // pairs of buckets of a thread
    const int first = min(static_cast<int>(threadIdx.x) * own, buckets / 2), end = min(first + own, buckets / 2);
    std::uint32_t sum = 0, most = 0;
#pragma unroll 4
    for (int k = first; k < end; k++) {
      const std::uint32_t even = m.starts[k] & 0xffff, odd = m.starts[k] >> 16;
      sum += even + odd;
      most = max(most, max(even, odd));
    }
    if (__syncthreads_or((Ordered || !exact_) && most > most_ranked)) return false;
    sum = sum_before<Shape::warps>(sum, s.sums);
#pragma unroll 4
    for (int k = first; k < end; k++) {
      const std::uint32_t pair = m.starts[k], odd = sum + (pair & 0xffff);
      m.starts[k] = sum | odd << 16;
      sum = odd + (pair >> 16);
    }
    if (threadIdx.x == threads - 1) m.starts[buckets / 2] = sum;
    crowded_ = __syncthreads_or(most > most_in_bucket);
#pragma unroll
    for (int k = 0; k < rows; k++)
      if (live(k)) put(start_of(static_cast<int>(at[k] >> 16)) + static_cast<int>(at[k] & 0xffff), keys[k], place(k));
    return true;
  }

  //! Each thread sorts a window, as far as buckets reach (odd-even transposition). Behind the end all is highest.
  __device__ void sort_windows(int length, int offset) {
    __syncthreads();
    const int first = static_cast<int>(threadIdx.x) * rows + offset, count = length - first;
    if (count < 2) return;
    U keys[rows];
    std::uint32_t sources[rows];
#pragma unroll
    for (int k = 0; k < rows; k++) {
      keys[k] = k < count ? m.sorted.keys[first + k] : static_cast<U>(~U{0});
      if constexpr (Ordered) sources[k] = k < count ? m.sorted.sources[first + k] : 0xffff;
    }
#pragma unroll 1
    for (int pass = 0; pass < most_in_bucket; pass += 2) {
#pragma unroll
      for (int odd = 0; odd < 2; odd++) {
#pragma unroll
        for (int k = odd; k + 1 < rows; k += 2) {
          if constexpr (Ordered) order(keys[k], keys[k + 1], sources[k], sources[k + 1]);
          else order(keys[k], keys[k + 1]);
        }
      }
    }
#pragma unroll
    for (int k = 0; k < rows; k++)
      if (k < count) put(first + k, keys[k], Ordered ? static_cast<int>(sources[k]) : 0);
  }
  //! Every key goes behind those of its bucket that come before it.
  __device__ void rank_in_buckets() {
    __syncthreads();
    U keys[rows];
    std::uint32_t to[rows];  // its new place, and above that its source
#pragma unroll
    for (int k = 0; k < rows; k++)
      if (live(k)) {
        const int mine = place(k);
        keys[k] = m.sorted.keys[mine];
        const U key = counted(keys[k]);
        const int source = Ordered ? m.sorted.sources[mine] : mine;
        const int b = bucket(keys[k]), first = start_of(b), end = start_of(b + 1);
        int at = first;
#pragma unroll 4
        for (int other = first; other < end; other++) {
          const U its_key = counted(m.sorted.keys[other]);
          at += its_key < key || (its_key == key && (Ordered ? m.sorted.sources[other] : other) < source);
        }
        to[k] = static_cast<std::uint32_t>(at) | static_cast<std::uint32_t>(source) << 16;
      }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < rows; k++)
      if (live(k)) put(static_cast<int>(to[k] & 0xffff), keys[k], static_cast<int>(to[k] >> 16));
  }
  __device__ static void order(U& left, U& right) {
    const U lower = min(left, right);
    right = max(left, right);
    left = lower;
  }
  __device__ void order(U& left, U& right, std::uint32_t& left_source, std::uint32_t& right_source) const {
    const U l = counted(left), r = counted(right);
    const bool swaps = r < l || (r == l && right_source < left_source);
    const U key = swaps ? right : left;
    right = swaps ? left : right;
    left = key;
    const std::uint32_t source = swaps ? right_source : left_source;
    right_source = swaps ? left_source : right_source;
    left_source = source;
  }

  __device__ void by_digits(const unit_to_sort& unit) {
    // Rows of 32, consecutive ones to a warp: what the ranks want.
    const int used = (unit.length + threads - 1) / threads;
    const int mine = static_cast<int>(threadIdx.x) / warp_size * (used * warp_size) + lane_id();
    const auto in_rows = [&](int k) { return k < used && mine + k * warp_size < unit.length; };
    U keys[rows], differ = 0;
    int at[rows];
    std::uint32_t sources[Ordered ? (rows + 1) / 2 : 1] = {};  // two in a register
    const auto source = [&](int k) { return static_cast<int>(sources[Ordered ? k / 2 : 0] >> 16 * (k % 2) & 0xffff); };
    const auto set_source = [&](int k, std::uint32_t to) {
      std::uint32_t& pair = sources[Ordered ? k / 2 : 0];
      pair = k % 2 ? (pair & 0xffff) | to << 16 : (pair & 0xffff0000) | to;
    };
#pragma unroll
    for (int k = 0; k < rows; k++)
      if (in_rows(k)) {
        keys[k] = a.job.key(unit.place, unit.begin + mine + k * warp_size);
        differ |= counted(keys[k]) ^ lowest_;
        if constexpr (Ordered) set_source(k, static_cast<std::uint32_t>(mine + k * warp_size));
      }
    const unsigned long long of_warp = any_lanes_bits(differ);
    if (lane_id() == 0) atomicOr(&s.varying, of_warp);
    __syncthreads();
    U varying = static_cast<U>(s.varying);
    for (;;) {
      const digit_field digit{__ffsll(static_cast<long long>(varying)) - 1, digit_bits};
      varying = static_cast<U>(varying >> digit.shift >> digit_bits << digit_bits << digit.shift);
      m.ranks.clear();
      __syncthreads();
      m.ranks.rank(
          at, used, [&](int k) { return digit(counted(keys[k])); }, in_rows);
      __syncthreads();
      m.ranks.place();
      __syncthreads();
#pragma unroll
      for (int k = 0; k < rows; k++)
        if (in_rows(k)) at[k] = m.ranks.position(digit(counted(keys[k])), at[k]);
      __syncthreads();
#pragma unroll
      for (int k = 0; k < rows; k++)
        if (in_rows(k)) put(at[k], keys[k], Ordered ? source(k) : 0);
      if (varying == 0) return;
      __syncthreads();
#pragma unroll
      for (int k = 0; k < rows; k++)
        if (in_rows(k)) {
          keys[k] = m.sorted.keys[mine + k * warp_size];
          if constexpr (Ordered) set_source(k, m.sorted.sources[mine + k * warp_size]);
        }
      __syncthreads();
    }
  }

  __device__ void store(const unit_to_sort& unit) const {
    const index_t first = unit.begin + threadIdx.x;
    if constexpr (Job::has_payload) {
      maybe<Payload> payloads[rows];
#pragma unroll
      for (int k = 0; k < rows; k++)
        if (live(k)) payloads[k].value = a.job.payload(unit.place, unit.begin + m.sorted.sources[place(k)]);
      __syncthreads();  // all have read what may be overwritten
#pragma unroll
      for (int k = 0; k < rows; k++)
        if (live(k) && a.job.key_out.takes(first + k * threads))
          a.job.payload_out[first + k * threads] = payloads[k].value;
    }
#pragma unroll
    for (int k = 0; k < rows; k++)
      if (live(k)) a.job.key_out(first + k * threads, m.sorted.keys[place(k)]);
  }
};

// For older GPUs the compiler spills what fits two CTAs' registers on newer ones (nvcc 13.0, sm_75).
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 900
template <class Shape>
inline constexpr int resident_units = 1;
#else
template <class Shape>
inline constexpr int resident_units = Shape::ctas;
#endif

template <class Job, class Shape, bool Ordered>
__global__ void __launch_bounds__(Shape::threads, resident_units<Shape>)
    sort_units_kernel(const __grid_constant__ unit_args<Job> a) {
  using S = unit_sorter<Job, Shape, Ordered>;
  extern __shared__ __align__(16) std::byte memory[];
  __shared__ typename S::shared_state state;
  S sorter(a, *reinterpret_cast<typename S::shared_memory*>(memory), state);
  if (!a.state) return sorter.sort({0, static_cast<int>(a.job.n), 0});
  for (unsigned int k = blockIdx.x; k < a.state->units; k += gridDim.x) {
    sorter.sort(a.units[k]);
    __syncthreads();
  }
}

}  // namespace UPSWEEP_NAMESPACE::gpu

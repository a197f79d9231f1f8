// Ranks of 8-bit digits in a tile, in order or in any order: what multi-way splits and sorts in shared memory stand on.
#pragma once
#include <cstdint>
#include <type_traits>

#include <upsweep/config.hpp>
#include <upsweep/cuda/warp.hpp>

namespace UPSWEEP_NAMESPACE::gpu {

inline constexpr int digit_bits = 8, digit_values = 1 << digit_bits;

//! The bits of a key that one pass sorts by.
struct digit_field {
  int shift, width;
  template <class U>
  __device__ std::uint32_t operator()(U bits) const {
    return static_cast<std::uint32_t>(bits >> shift) & ((1u << width) - 1);
  }
};

//! The fold of the values of the threads before this one, by threads; `start` for the first. All of the CTA call;
//! `folds` has an entry a warp, and a barrier must stand before its next use.
template <int Warps, class T, class M>
__device__ T fold_before(T value, T start, T* folds, const M& m) {
  const int warp = static_cast<int>(threadIdx.x) / warp_size;
  const T inclusive = warp_scan(value, warp_size, m);
  if (lane_id() == warp_size - 1) folds[warp] = inclusive;
  const T before_lane = from_below(inclusive, 1);
  __syncthreads();
  T before = start;
#pragma unroll
  for (int w = 0; w < Warps; w++)
    if (w < warp) before = m(before, folds[w]);
  return lane_id() == 0 ? before : m(before, before_lane);
}
template <int Warps, class T>
__device__ T sum_before(T value, T* sums) {
  return fold_before<Warps>(value, T{0}, sums, [](T a, T b) { return a + b; });
}

//! All bits that are set in the value of any lane. Called by a whole warp.
__device__ inline unsigned long long any_lanes_bits(unsigned long long bits) {
#pragma unroll
  for (int distance = warp_size / 2; distance > 0; distance /= 2) bits |= __shfl_xor_sync(~0u, bits, distance);
  return bits;
}

//! Fills registers that are loaded in every turn of a loop, some perhaps not: what such a load may leave as it was
//! would be kept all through the turn before.
template <class T, int Count>
__device__ void forget(T (&values)[Count]) {
#pragma unroll
  for (int k = 0; k < Count; k++) values[k] = 0;
}
template <class V, int Count>
__device__ void forget(maybe<V> (&values)[Count]) {
  if constexpr (std::is_default_constructible_v<V>) {
#pragma unroll
    for (int k = 0; k < Count; k++) values[k].value = V{};
  }
}

//! Calls f(k) for k < Rows as long as has(k), four at a time: of the rows of a tile that is not full no more are asked.
template <int Rows, class Has, class F>
__device__ void for_rows(const Has& has, const F& f) {
  constexpr int batch = 4;
#pragma unroll
  for (int first = 0; first < Rows; first += batch) {
    if (!has(first)) break;
#pragma unroll
    for (int k = first; k < Rows && k < first + batch; k++)
      if (has(k)) f(k);
  }
}

//! Numbers below 2^16, two in a register.
template <int Count>
class half_words {
 public:
  __device__ int operator[](int k) const { return static_cast<int>(pairs_[k / 2] >> 16 * (k % 2) & 0xffff); }
  //! The first time, one after the other.
  __device__ void set(int k, std::uint32_t to) { pairs_[k / 2] = k % 2 ? pairs_[k / 2] | to << 16 : to; }
  __device__ void replace(int k, std::uint32_t to) {
    pairs_[k / 2] = __byte_perm(pairs_[k / 2], to, k % 2 ? 0x5410 : 0x3254);
  }

 private:
  std::uint32_t pairs_[(Count + 1) / 2];
};

//! Where a digit's items stand in the sorted tile.
struct digit_span {
  int start, count;
};

//! The lanes of `among` whose digit is this lane's. Called by a whole warp.
__device__ inline std::uint32_t lanes_alike(std::uint32_t digit, std::uint32_t among) {
#pragma unroll
  for (int b = 0; b < digit_bits; b++) {
    std::uint32_t differ;  // lanes whose bit b is not this lane's
    asm("{ .reg .pred p; .reg .b32 ones, mine; and.b32 mine, %1, %2; setp.ne.u32 p, mine, 0;\n"
        "vote.sync.ballot.b32 ones, p, 0xffffffff; selp.b32 mine, -1, 0, p; xor.b32 %0, ones, mine; }"
        : "=r"(differ)
        : "r"(digit), "r"(1 << b));
    among &= ~differ;
  }
  return among;
}

//! `before` becomes a counter in shared memory, which is added to; or if not `adds`, nothing is done. Without the
//! branch of an `if`, at which warps waited (tuning.hpp).
__device__ inline void add_if(bool adds, std::uint32_t& counter, std::uint32_t count, std::uint32_t& before) {
  asm volatile("{ .reg .pred p; setp.ne.u32 p, %1, 0; @p atom.shared.add.u32 %0, [%2], %3; }"
               : "+r"(before)
               : "r"(static_cast<std::uint32_t>(adds)),
                 "r"(static_cast<std::uint32_t>(__cvta_generic_to_shared(&counter))), "r"(count)
               : "memory");
}

//! Ranks that keep the order: a tile is rows of 32 items, the same number of consecutive rows to each warp, and a lane
//! has an item of each. Threads 0…255 speak for a digit each.
//!   clear(); barrier; rank(); barrier; place(); barrier; position()
template <int Warps>
class ordered_ranks {
 public:
  static constexpr int threads = Warps * warp_size;
  static_assert(threads >= digit_values);

  __device__ void clear() {
    for (int k = static_cast<int>(threadIdx.x); k < Warps * digit_values; k += threads) (&counts_[0][0])[k] = 0;
  }
  template <int Rows>
  using places = half_words<Rows>;
  //! at[k] = the rank of this lane's k-th item among its warp's of the same digit, for the first `used` rows.
  template <int Rows, class Digit, class Live>
  __device__ void rank(half_words<Rows>& at, int used, const Digit& digit, const Live& live) {
    std::uint32_t* counts = counts_[threadIdx.x / warp_size];
    const std::uint32_t lower = (1u << lane_id()) - 1;
    constexpr int batch = Rows % 4 == 0 ? 4 : Rows % 3 == 0 ? 3 : 1;  // rows whose latencies overlap
#pragma unroll
    for (int first = 0; first < Rows; first += batch) {
      if (first >= used) break;
      std::uint32_t alike[batch], before[batch];
#pragma unroll
      for (int k = 0; k < batch; k++) {
        const bool is_live = live(first + k);
        const std::uint32_t d = is_live ? digit(first + k) : 0;
        alike[k] = lanes_alike(d, __ballot_sync(~0u, is_live));
        before[k] = 0;
        add_if(is_live && (alike[k] & lower) == 0, counts[d], static_cast<std::uint32_t>(__popc(alike[k])), before[k]);
        __syncwarp();
      }
#pragma unroll
      for (int k = 0; k < batch; k++)
        at.set(first + k, __shfl_sync(~0u, before[k], __ffs(alike[k]) - 1) + __popc(alike[k] & lower));
    }
  }
  __device__ digit_span place() {
    const int digit = static_cast<int>(threadIdx.x);
    int total = 0;
    if (digit < digit_values) {
#pragma unroll 4
      for (int w = 0; w < Warps; w++) total += static_cast<int>(counts_[w][digit]);
    }
    const int start = sum_before<Warps>(total, sums_);
    if (digit < digit_values) {
      std::uint32_t sum = static_cast<std::uint32_t>(start);
#pragma unroll 4
      for (int w = 0; w < Warps; w++) {
        const std::uint32_t count = counts_[w][digit];
        counts_[w][digit] = sum;
        sum += count;
      }
    }
    return {start, total};
  }
  __device__ int position(std::uint32_t digit, int rank) const {
    return static_cast<int>(counts_[threadIdx.x / warp_size][digit]) + rank;
  }

 private:
  std::uint32_t counts_[Warps][digit_values];
  int sums_[Warps];
};

//! Ranks in any order, by one atomic addition an item. The same calls. Packed: two ranks in a register.
template <int Warps, bool Packed = false>
class unordered_ranks {
 public:
  __device__ void clear() {
    if (threadIdx.x < digit_values) counts_[threadIdx.x] = 0;
  }
  template <int Rows>
  using places = std::conditional_t<Packed, half_words<Rows>, int[Rows]>;
  template <int Rows, class Digit, class Live>
  __device__ void rank(int (&at)[Rows], int, const Digit& digit, const Live& live) {
    rank<Rows>(digit, live, [&](int k, std::uint32_t rank) { at[k] = static_cast<int>(rank); });
  }
  template <int Rows, class Digit, class Live>
  __device__ void rank(half_words<Rows>& at, int, const Digit& digit, const Live& live) {
    rank<Rows>(digit, live, [&](int k, std::uint32_t rank) {  // the last time it is called for k counts
      if (k % 2) at.replace(k, rank);
      else at.set(k, rank);
    });
  }
  __device__ digit_span place() {
    const int digit = static_cast<int>(threadIdx.x);
    const int total = digit < digit_values ? static_cast<int>(counts_[digit]) : 0;
    const int start = sum_before<Warps>(total, sums_);
    if (digit < digit_values) counts_[digit] = static_cast<std::uint32_t>(start);
    return {start, total};
  }
  __device__ int position(std::uint32_t digit, int rank) const { return static_cast<int>(counts_[digit]) + rank; }

 private:
  template <int Rows, class Digit, class Live, class Note>
  __device__ void rank(const Digit& digit, const Live& live, const Note& note) {
    constexpr int few = 5;
    const std::uint32_t lower = (1u << lane_id()) - 1;
#pragma unroll
    for (int k = 0; k < Rows; k++) {
      const bool is_live = live(k);
      const std::uint32_t d = is_live ? digit(k) : 0;
      // Additions to one counter are made one after another: where more than a few lanes have the first one's digit, as
      // in sorted and in skewed input, it adds for all of them.
      const std::uint32_t of_first = __shfl_sync(~0u, d, 0), alike = __ballot_sync(~0u, is_live && d == of_first);
      if (__popc(alike) > few) {
        std::uint32_t before = 0;
        if (lane_id() == 0) before = atomicAdd(&counts_[d], static_cast<std::uint32_t>(__popc(alike)));
        note(k, __shfl_sync(~0u, before, 0) + static_cast<std::uint32_t>(__popc(alike & lower)));
        if (!is_live || (alike >> lane_id() & 1)) continue;
      }
      if (is_live) note(k, atomicAdd(&counts_[d], 1u));
    }
  }
  std::uint32_t counts_[digit_values];
  int sums_[Warps];
};

}  // namespace UPSWEEP_NAMESPACE::gpu

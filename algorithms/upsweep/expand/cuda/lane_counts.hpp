// What a lane knows of its runs: how long they are, in full, or in four bits each where that is enough.
#pragma once
#include <cstdint>
#include <type_traits>

#include <upsweep/config.hpp>
#include <upsweep/cuda/warp.hpp>
#include <upsweep/monoid.hpp>

namespace UPSWEEP_NAMESPACE::gpu {

//! A lane's counts, consecutive ones.
template <class Count>
struct alignas(8 * sizeof(Count) < 16 ? 8 * sizeof(Count) : 16) lane_counts {
  static constexpr int count = 8;
  Count at[count];

  //! From counts[first] on, with zeros behind the last of n.
  __device__ static lane_counts read(const Count* counts, index_t first, index_t n) {
    const Count* const from = counts + first;
    if (first + count <= n && reinterpret_cast<std::uintptr_t>(from) % alignof(lane_counts) == 0)
      return *reinterpret_cast<const lane_counts*>(from);
    lane_counts all;
#pragma unroll
    for (int k = 0; k < count; k++) all.at[k] = first + k < n ? from[k] : Count{};
    return all;
  }
  __device__ std::uint64_t bits() const {
    std::make_unsigned_t<Count> any = 0;
#pragma unroll
    for (int k = 0; k < count; k++) any |= static_cast<std::make_unsigned_t<Count>>(at[k]);
    return any;
  }
  template <class Sum, class Add>
  __device__ Sum folded(const Add& add) const {
    Sum sum = 0;
#pragma unroll
    for (int k = 0; k < count; k++) sum = add(sum, static_cast<Sum>(at[k]));
    return sum;
  }
};

//! Inclusive sums over a warp. (A shuffle says by itself whether there is a lane so far below.)
__device__ inline int sums_over_warp(int value) {
#pragma unroll
  for (int distance = 1; distance < warp_size; distance *= 2)
    asm volatile(
        "{ .reg .s32 earlier; .reg .pred is_there; shfl.sync.up.b32 earlier|is_there, %0, %1, 0, -1;\n"
        "@is_there add.s32 %0, %0, earlier; }"
        : "+r"(value)
        : "r"(distance));
  return value;
}

//! The same in four bits each; 15 says that the count is larger, or negative.
class lane_codes {
 public:
  lane_codes() = default;
  template <class Count>
  __device__ explicit lane_codes(const lane_counts<Count>& counts) : bits_(0) {
    constexpr std::make_unsigned_t<Count> large = 15;
#pragma unroll
    for (int k = 0; k < lane_counts<Count>::count; k++)
      bits_ |= static_cast<std::uint32_t>(min(static_cast<std::make_unsigned_t<Count>>(counts.at[k]), large)) << 4 * k;
  }
  __device__ bool are_all() const { return (bits_ & bits_ >> 1 & bits_ >> 2 & bits_ >> 3 & 0x11111111u) == 0; }
  __device__ int at(int k) const { return static_cast<int>(bits_ >> 4 * k & 15); }

  static constexpr int longest = 14, longest_of_lane = 8 * longest;  // what a lane's runs have together, if are_all()
  //! Calls f(has_items, k, place) for the lane's runs; a warp's lie one behind another from `at` on. Those of lanes
  //! that have none in [0, end) are left out. Four sums at a time, in bytes, of even runs and of odd ones. Lanes begin
  //! at different ones of their runs: where runs are all of one item, their places are in different banks.
  template <class F>
  __device__ void place(int at, int end, const F& f) const {
    const std::uint32_t even = bits_ & 0x0f0f0f0fu, odd = bits_ >> 4 & 0x0f0f0f0fu, pairs = even + odd,
                        sums = pairs * 0x01010101u, evens_at = sums - pairs, odds_at = evens_at + even;
    const auto sum = static_cast<int>(sums >> 24);
    const int behind = at + sums_over_warp(sum);
    at = behind - sum;
    if (behind <= 0 || at >= end) return;
    const int turn = lane_id() / 4;
    const std::uint32_t in_turn = __funnelshift_r(0x76543210u, 0x76543210u, 4 * turn);
#pragma unroll
    for (int half = 0; half < 2; half++) {
      const std::uint32_t which = in_turn >> 16 * half, lengths = __byte_perm(even, odd, which),
                          places = __byte_perm(evens_at, odds_at, which),
                          runs = __byte_perm(0x06040200u, 0x07050301u, which);
#pragma unroll
      for (int k = 0; k < 4; k++) f((lengths & 255u << 8 * k) != 0, byte_of(runs, k), at + byte_of(places, k));
    }
  }

 private:
  __device__ static int byte_of(std::uint32_t bytes, int k) {
    return static_cast<int>(__byte_perm(bytes, 0, 0x4440u + static_cast<unsigned>(k)));
  }
  std::uint32_t bits_;
};

}  // namespace UPSWEEP_NAMESPACE::gpu

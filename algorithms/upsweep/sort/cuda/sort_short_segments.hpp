// Segments of few keys in shared memory, sorted in registers: each by a lane, by a sorting network, or by two
// neighbouring lanes, by a network each, an exchange between the two, and a merging network each.
#pragma once
#include <cstdint>

#include <upsweep/config.hpp>
#include <upsweep/cuda/warp.hpp>
#include <upsweep/sort/cuda/sorting_network.hpp>
#include <upsweep/sort/cuda/tuning.hpp>
#include <upsweep/sort/cuda/unit_buckets.hpp>

namespace UPSWEEP_NAMESPACE::gpu {

//! The lower of two neighbouring lanes is left with the lesser half of their numbers, in rising order, the upper one
//! with the greater half. Until then the lower one has complements: so both keep the greater ones, by the same
//! instructions.
template <int Count>
__device__ void sort_by_two_lanes(std::uint32_t (&numbers)[Count], bool is_upper) {
  const std::uint32_t upper = is_upper ? ~0u : 0;
#pragma unroll
  for (int k = 0; k < Count; k++) numbers[k] ^= ~upper;
  apply_network<odd_even_merge_sort>(numbers);
#pragma unroll
  for (int k = 0; k < Count; k++) numbers[k] = max(numbers[k], ~__shfl_xor_sync(~0u, numbers[k], 1));
  apply_network<bitonic_merge>(numbers);
#pragma unroll
  for (int k = 0; k < Count / 2; k++) {  // which rise when they are read backwards
    const std::uint32_t low = numbers[k], high = numbers[Count - 1 - k];
    numbers[k] = (low & upper) | (~high & ~upper);
    numbers[Count - 1 - k] = (high & upper) | (~low & ~upper);
  }
}

//! FindsSources: keys stay where they are, and `sources` says in which order they come; else they are put in order.
template <class U, bool FindsSources>
class short_segments {
 public:
  __device__ short_segments(U* keys, std::uint16_t* sources, U counted)
      : keys_(keys), sources_(sources), counted_(counted) {}

  //! Sorts all segments, each by one lane or two, those of a CTA's warps in turn; segment(s) has the places of one's
  //! keys.
  template <int Lanes, int Threads, class Segment>
  __device__ void sort(int segments, const Segment& segment) const {
    constexpr int of_warp = warp_size / Lanes;
    constexpr int least = Lanes == 1 ? 8 : 12, most = (Lanes == 1 ? tuning::of_one_lane : tuning::of_two_lanes) / Lanes;
#pragma unroll 1
    for (int s = static_cast<int>(threadIdx.x) / warp_size * of_warp; s < segments; s += Threads / Lanes) {
      const int mine = s + lane_id() / Lanes;
      const place_range places = mine < segments ? segment(mine) : place_range{0, 0};
      bool crowd = sort_up_to<Lanes, least, most>(places.first, places.end - places.first);
      if constexpr (FindsSources) {
        if constexpr (Lanes == 2) {
          crowd = __ballot_sync(~0u, crowd) >> lane_id() & 3 && !is_upper();
          __syncwarp();  // both have written
        }
        if (crowd) insert_sources(places.first, places.end);
      }
    }
  }

 private:
  static constexpr int network_step = 4, source_bits = 5;
  static_assert(tuning::of_two_lanes <= 1 << source_bits);
  U* keys_;
  std::uint16_t* sources_;
  U counted_;

  __device__ static bool is_upper() { return lane_id() % 2 != 0; }
  __device__ U counted(U key) const { return key & counted_; }

  //! By the least networks that are enough for all segments of a warp. True: some are still out of order.
  template <int Lanes, int Count, int Most>
  __device__ bool sort_up_to(int first, int length) const {
    if constexpr (Count < Most) {
      if (__any_sync(~0u, length > Lanes * Count)) return sort_up_to<Lanes, Count + network_step, Most>(first, length);
    }
    const lane_part<Lanes, Count> own(first, length);
    std::uint32_t numbers[Count];
    if constexpr (FindsSources) {
      const int shift = number(own, numbers);
      sort_numbers<Lanes>(numbers);
      return put_sources(own, numbers, first) && shift > 0;
    } else {
      static_assert(sizeof(U) <= 4);
#pragma unroll
      for (int k = 0; k < Count; k++) numbers[k] = k < own.reads ? keys_[own.from + Lanes * k] : ~0u;
      if constexpr (Lanes == 2) __syncwarp();  // all are read
      sort_numbers<Lanes>(numbers);
#pragma unroll
      for (int k = 0; k < Count; k++)
        if (k < own.writes) keys_[own.to + k] = static_cast<U>(numbers[k]);
      return false;
    }
  }
  //! What a lane reads of its segment, every key or every other, and what it writes of all in order: all, or a half.
  template <int Lanes, int Count>
  struct lane_part {
    int from, reads, to, writes;
    __device__ lane_part(int first, int length) : from(first), reads(length), to(first), writes(length) {
      if constexpr (Lanes == 2) {
        reads = (length + !is_upper()) / 2;
        from += is_upper();
        to += is_upper() ? Count : 0;
        writes -= is_upper() ? Count : 0;
      }
    }
  };
  template <int Lanes, int Count>
  __device__ static void sort_numbers(std::uint32_t (&numbers)[Count]) {
    if constexpr (Lanes == 2) sort_by_two_lanes(numbers, is_upper());
    else apply_network<odd_even_merge_sort>(numbers);
  }

  //! Numbers of a key's highest bits in which keys of the segment differ, and its source behind them. Returns how many
  //! bits are left out.
  template <int Lanes, int Count>
  __device__ int number(const lane_part<Lanes, Count>& own, std::uint32_t (&numbers)[Count]) const {
    const U* const keys = keys_ + own.from;
    U lowest = static_cast<U>(~U{0}), highest = 0;
#pragma unroll
    for (int k = 0; k < Count; k++)
      if (k < own.reads) {
        lowest = min(lowest, counted(keys[Lanes * k]));
        highest = max(highest, counted(keys[Lanes * k]));
      }
    if constexpr (Lanes == 2) {
      lowest = min(lowest, static_cast<U>(__shfl_xor_sync(~0u, lowest, 1)));
      highest = max(highest, static_cast<U>(__shfl_xor_sync(~0u, highest, 1)));
    }
    if constexpr (sizeof(U) > 4) __syncwarp();  // keys are read once more: kept from above they would spill
    const auto range = static_cast<unsigned long long>(static_cast<U>(highest - lowest));
    const int shift = highest > lowest ? max(0, 64 - __clzll(static_cast<long long>(range)) - (32 - source_bits)) : 0;
#pragma unroll
    for (int k = 0; k < Count; k++) {
      numbers[k] = ~0u;
      if (k < own.reads)
        numbers[k] = static_cast<std::uint32_t>(static_cast<U>(counted(keys[Lanes * k]) - lowest) >> shift)
                         << source_bits |
                     static_cast<std::uint32_t>(Lanes * k + (Lanes == 2 && is_upper()));
    }
    return shift;
  }
  //! Says whether some keys are so near each other that numbers may not tell their order.
  template <int Lanes, int Count>
  __device__ bool put_sources(const lane_part<Lanes, Count>& own, const std::uint32_t (&numbers)[Count],
                              int first) const {
    std::uint32_t before = ~numbers[0];
    if constexpr (Lanes == 2) {  // the one before the upper lane's first is the lower lane's last
      const std::uint32_t last = __shfl_xor_sync(~0u, numbers[Count - 1], 1);
      if (is_upper()) before = last;
    }
    bool crowd = false;
#pragma unroll
    for (int k = 0; k < Count; k++)
      if (k < own.writes) {
        sources_[own.to + k] = static_cast<std::uint16_t>(first + static_cast<int>(numbers[k] % (1u << source_bits)));
        crowd |= (before ^ numbers[k]) < 1u << source_bits;
        before = numbers[k];
      }
    return crowd;
  }
  //! Brings sources in the order of their keys. Those of equal ones are in order.
  __device__ void insert_sources(int first, int end) const {
    for (int k = first + 1; k < end; k++) {
      const std::uint16_t source = sources_[k];
      const U key = counted(keys_[source]);
      int to = k;
      for (; to > first && key < counted(keys_[sources_[to - 1]]); to--) sources_[to] = sources_[to - 1];
      sources_[to] = source;
    }
  }
};

}  // namespace UPSWEEP_NAMESPACE::gpu

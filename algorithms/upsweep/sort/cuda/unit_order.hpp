// Puts the keys of a unit in order, in shared memory.
//
// Keys are put into buckets (unit_buckets.hpp); then threads sort windows of a few keys in registers, twice, so that
// every bucket lies in some window. Between equal keys the place in the unit decides, which makes it stable. Where keys
// crowd, each is compared with all of its bucket instead, unless all of these are equal and none has a payload, and so
// are keys in order in windows of many rows; where too many crowd in one, the unit is sorted least significant digit
// first, and only by the bits that vary.
#pragma once
#include <cstddef>
#include <cstdint>

#include <upsweep/config.hpp>
#include <upsweep/cuda/warp.hpp>
#include <upsweep/sort/cuda/digits.hpp>
#include <upsweep/sort/cuda/unit_buckets.hpp>

namespace UPSWEEP_NAMESPACE::gpu {

template <class U, class Shape, bool Ordered, bool Distinct = false>
class unit_order : public unit_buckets<U, Shape, Ordered, Distinct> {
  using buckets_of_unit = unit_buckets<U, Shape, Ordered, Distinct>;

 protected:
  using buckets_of_unit::bucket_at, buckets_of_unit::places_of_bucket, buckets_of_unit::to_buckets;
  using buckets_of_unit::exact_, buckets_of_unit::crowded_;
  using buckets_of_unit::find_range, buckets_of_unit::lowest_, buckets_of_unit::highest_;
  using buckets_of_unit::for_each_live, buckets_of_unit::place, buckets_of_unit::live, buckets_of_unit::put,
      buckets_of_unit::put_as_they_stand;
  using buckets_of_unit::memory, buckets_of_unit::m, buckets_of_unit::s, buckets_of_unit::rest_;
  using buckets_of_unit::most_ranked, buckets_of_unit::marks_mixed;
  using buckets_of_unit::rows, buckets_of_unit::threads, buckets_of_unit::most_in_bucket;

 public:
  using buckets_of_unit::counted, buckets_of_unit::buckets_of_unit;

  //! Puts keys into m.sorted in order; a thread has every threads-th of them. A barrier must stand behind.
  __device__ void arrange(const U (&keys)[rows], int length) {
    rest_ = length - static_cast<int>(threadIdx.x);
    find_range(keys);
    arrange_in_range(keys, length);
  }
  //! The same, once their range is found.
  __device__ void arrange_in_range(const U (&keys)[rows], int length) {
    if (lowest_ == highest_) put_as_they_stand(keys);
    else arrange_by_buckets<false>(keys, length);
  }
  //! The same of keys in [lowest, highest], when the counts of buckets are 0. False: they crowd in few, and
  //! m.sorted holds nothing.
  __device__ bool arrange_between(U lowest, U highest, const U (&keys)[rows], int length) {
    rest_ = length - static_cast<int>(threadIdx.x);
    lowest_ = lowest;
    highest_ = highest;
    return arrange_by_buckets<true>(keys, length);
  }

  //! What tells equal keys apart: where one stood in the unit; else where it stands now.
  __device__ int source_at(int at) const { return Ordered ? memory.sources[at] : at; }
  //! Writes the keys of m.sorted out, from `begin` on.
  template <class KeyOut>
  __device__ void store_keys(const KeyOut& key_out, index_t begin) const {
    for_each_live([&](int k) { key_out(begin + place(k), m.sorted.keys[place(k)]); });
  }

 protected:
  //! A key that is being ranked: it goes behind those of its range that are less, and equal ones of lower sources.
  struct ranked_key {
    U key = 0;
    int own = 0, source = 0, other = 0, end = 0, at = 0;

    __device__ void look_at(const unit_order& of, int place) {
      const U its_key = of.counted(of.m.sorted.keys[place]);
      // No jumps, at which a warp would wait.
      at += (its_key < key) | (!Distinct & (its_key == key) & (of.source_at(place) < source));
    }
  };
  //! Every key goes behind those that come before it in its range, range_of(place, key): the places of its bucket.
  template <class Range>
  __device__ void rank_among(const Range& range_of) {
    __syncthreads();
    std::uint32_t to[rows];  // a key's new place, and above that its source
    forget(to);
    constexpr int together = Ordered ? 2 : 1;  // in order ranges are short
#pragma unroll
    for (int begin = 0; begin < rows; begin += together) {
      if (!live(begin)) break;
      ranked_key keys[together];
#pragma unroll
      for (int k = 0; k < together; k++)
        if (begin + k < rows && live(begin + k)) {
          const int mine = place(begin + k);
          const U key = m.sorted.keys[mine];
          const auto [first, end] = range_of(mine, key);
          keys[k] = {counted(key), mine, source_at(mine), first, end, first};
        }
      if constexpr (together == 1) {
#pragma unroll 4
        for (int other = keys[0].other; other < keys[0].end; other++) keys[0].look_at(*this, other);
      } else {
        for (bool goes_on = true; goes_on;) {
          goes_on = false;
#pragma unroll
          for (int k = 0; k < together; k++) {
            const bool has = keys[k].other < keys[k].end;  // else it looks at itself
            keys[k].look_at(*this, has ? keys[k].other++ : keys[k].own);
            goes_on |= has;
          }
        }
      }
#pragma unroll
      for (int k = 0; k < together; k++)
        if (begin + k < rows)
          to[begin + k] = static_cast<std::uint32_t>(keys[k].at) | static_cast<std::uint32_t>(keys[k].source) << 16;
    }
    U keys[rows];  // read once more: kept from above they would spill
    forget(keys);
    for_each_live([&](int k) { keys[k] = m.sorted.keys[place(k)]; });
    __syncthreads();
    for_each_live([&](int k) { put(static_cast<int>(to[k] & 0xffff), keys[k], static_cast<int>(to[k] >> 16)); });
  }

 private:
  static constexpr bool always_ranks = Ordered && rows > 13;
  template <bool GivesUp>
  __device__ bool arrange_by_buckets(const U (&keys)[rows], int length) {
    if (threadIdx.x == 0) s.varying = 0;
    if (to_buckets(keys)) {
      if (!Ordered && exact_) return true;
      if (!crowded_ && !always_ranks) {
#pragma unroll 1
        for (int half = 0; half < 2; half++) sort_windows(length, half * (rows / 2));
        return true;
      }
      if (rank_in_buckets()) return true;
    } else {
      if (GivesUp) return false;
      put_as_they_stand(keys);
    }
    by_digits(length);
    return true;
  }
  //! Ranks keys in their buckets, but in those where all are equal. False: in one too many crowd that are not.
  __device__ bool rank_in_buckets() {
    const auto its_range = [&](int at, U key) { return places_of_bucket(bucket_at(at, key)); };
    if constexpr (marks_mixed) {
      // A mark for each bucket that lies in no window: no two of these begin among as many places.
      const auto mark_of = [&](int first) -> std::uint8_t& { return m.sorted.mixed[first / (most_in_bucket + 1)]; };
      for (std::size_t k = threadIdx.x; k < sizeof m.sorted.mixed; k += threads) m.sorted.mixed[k] = 0;
      __syncthreads();
      bool too_many = false;
      for_each_live([&](int k) {
        const U key = m.sorted.keys[place(k)];
        const auto [first, end] = its_range(place(k), key);
        if (end - first <= most_in_bucket || key == m.sorted.keys[first]) return;
        mark_of(first) = 1;
        too_many |= end - first > most_ranked;
      });
      if (__syncthreads_or(too_many)) return false;
      rank_among([&](int at, U key) {
        const place_range range = its_range(at, key);
        const bool differ = range.end - range.first <= most_in_bucket || mark_of(range.first);
        return differ ? range : place_range{at, at};
      });
    } else {
      rank_among(its_range);
    }
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
      if constexpr (Ordered) sources[k] = k < count ? memory.sources[first + k] : 0xffff;
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

  __device__ void by_digits(int length) {
    // Rows of 32, consecutive ones to a warp: what the ranks want.
    const int used = (length + threads - 1) / threads;
    const int mine = static_cast<int>(threadIdx.x) / warp_size * (used * warp_size) + lane_id();
    const auto in_rows = [&](int k) { return k < used && mine + k * warp_size < length; };
    U keys[rows], differ = 0;
    half_words<rows> at;
    std::uint32_t sources[Ordered ? (rows + 1) / 2 : 1] = {};  // two in a register
    const auto source = [&](int k) { return static_cast<int>(sources[Ordered ? k / 2 : 0] >> 16 * (k % 2) & 0xffff); };
    const auto set_source = [&](int k, std::uint32_t to) {
      std::uint32_t& pair = sources[Ordered ? k / 2 : 0];
      pair = k % 2 ? (pair & 0xffff) | to << 16 : (pair & 0xffff0000) | to;
    };
    __syncthreads();
    const auto fetch = [&](int k) {
      keys[k] = m.sorted.keys[mine + k * warp_size];
      if constexpr (Ordered) set_source(k, memory.sources[mine + k * warp_size]);
    };
    for_rows<rows>(in_rows, [&](int k) {
      fetch(k);
      differ |= counted(keys[k]) ^ lowest_;
    });
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
      for_rows<rows>(in_rows, [&](int k) {
        at.replace(k, static_cast<std::uint32_t>(m.ranks.position(digit(counted(keys[k])), at[k])));
      });
      __syncthreads();
      for_rows<rows>(in_rows, [&](int k) { put(at[k], keys[k], Ordered ? source(k) : 0); });
      if (varying == 0) return;
      __syncthreads();
      for_rows<rows>(in_rows, fetch);
      __syncthreads();
    }
  }
};

}  // namespace UPSWEEP_NAMESPACE::gpu

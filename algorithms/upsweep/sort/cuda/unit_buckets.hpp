// The keys of a unit in buckets, in shared memory: the first step of putting them in order (unit_order.hpp).
//
// The range of the keys is cut into equal buckets, more than there are keys. Keys are put into their buckets in any
// order. Where they crowd, as floats do in some exponents, every bucket is cut again, into as many as it has keys; keys
// with their places however they crowd, since equal ones are spread by these.
#pragma once
#include <cstdint>

#include <upsweep/config.hpp>
#include <upsweep/cuda/warp.hpp>
#include <upsweep/sort/cuda/digits.hpp>
#include <upsweep/sort/cuda/tuning.hpp>

namespace UPSWEEP_NAMESPACE::gpu {

//! Places of keys that lie together in shared memory.
struct place_range {
  int first, end;
};

//! Distinct: no two keys are equal.
template <class U, class Shape, bool Ordered, bool Distinct = false>
class unit_buckets {
  static constexpr int bucket_bits = Shape::bucket_bits, buckets = 1 << bucket_bits;
  // It takes a number a key in shared memory, and registers that sources seldom leave.
  static constexpr bool cuts_again = sizeof(U) <= 4 && Shape::tile <= buckets && (!Ordered || Shape::cuts_in_order);

 protected:
  static constexpr int rows = Shape::rows, threads = Shape::threads;
  static constexpr int most_in_bucket = rows / 2 + 1;  // these lie in one of the windows
  // What is compared with all of its bucket. In order equal keys are compared too; of distinct ones, 256 took longer
  // than to begin anew (2^26 bitwise ands of 3 words, pairs: 3.79 for 3.40 ms).
  static constexpr int most_ranked = Distinct && cuts_again          ? tuning::most_numbers_ranked
                                     : Distinct || Ordered           ? tuning::most_ranked_in_order
                                     : cuts_again && Shape::ctas > 1 ? tuning::most_ranked_when_cut
                                                                     : tuning::most_ranked;
  // What is put into buckets at all: it is to be cut again, where it is.
  static constexpr int most_in_first = cuts_again ? tuning::most_cut(Ordered) : most_ranked;
  // Where equal keys need not be told apart, buckets of them alone need no ranks. (Units of 2 bytes would spill.)
  static constexpr bool marks_mixed = sizeof(U) >= 4 && !Ordered && !Distinct;

 public:
  struct sorted_keys {
    U keys[Shape::tile];
    std::uint16_t buckets[cuts_again ? Shape::tile : 1];  // whose it is, when they were cut again
    std::uint8_t mixed[marks_mixed ? Shape::tile / (most_in_bucket + 1) + 1 : 1];  // do keys of a large bucket differ?
  };
  struct keys_in_buckets {
    // 16 bits a bucket: first how many keys it has, then where they start. First of all here, so that they are zeroed
    // whatever stands behind them (unit_sorter), and of an even number for keys of 8 bytes.
    std::uint32_t starts[buckets / 2 + 2];
    union {
      ordered_ranks<Shape::warps> ranks;
      sorted_keys sorted;
    };
  };
  struct shared_memory {
    keys_in_buckets in_buckets;
    std::uint16_t sources[Ordered ? Shape::tile : 1];  // where a key stood in the unit
  };
  struct shared_state {
    U lowest[Shape::warps], highest[Shape::warps];
    std::uint32_t sums[Shape::warps];
    unsigned long long varying;
  };

  //! counted: the bits that the order depends on; must outlive this.
  __device__ unit_buckets(shared_memory& shared, shared_state& state, const U& counted)
      : m(shared.in_buckets), memory(shared), s(state), counted_(counted) {}

  //! What the order depends on.
  __device__ U counted(U key) const { return Ordered ? static_cast<U>(key & counted_) : key; }

 protected:
  keys_in_buckets& m;
  shared_memory& memory;
  shared_state& s;
  int rest_;  // keys of the unit from this thread's first on
  U lowest_, highest_;
  bool exact_;    // all in a bucket are equal
  bool crowded_;  // some bucket lies in no window, and is not of equal keys

  // A thread's k-th place in the unit.
  __device__ static int place(int k) { return static_cast<int>(threadIdx.x) + k * threads; }
  __device__ bool live(int k) const { return k * threads < rest_; }
  //! Calls f(k) for this thread's places.
  template <class F>
  __device__ void for_each_live(const F& f) const {
    for_rows<rows>([&](int k) { return live(k); }, f);
  }
  __device__ int length() const { return rest_ + static_cast<int>(threadIdx.x); }
  __device__ int start_of(int bucket) const { return reinterpret_cast<const std::uint16_t*>(m.starts)[bucket]; }
  __device__ place_range places_of_bucket(int b) const { return {start_of(b), start_of(b + 1)}; }
  __device__ void put(int at, U key, int source) {
    m.sorted.keys[at] = key;
    if constexpr (Ordered) memory.sources[at] = static_cast<std::uint16_t>(source);
  }

  __device__ void put_as_they_stand(const U (&keys)[rows]) {
    for_each_live([&](int k) { put(place(k), keys[k], place(k)); });
  }

  __device__ void find_range(const U (&keys)[rows]) {
    U lowest = static_cast<U>(~U{0}), highest = 0;
    for_each_live([&](int k) {
      lowest = min(lowest, counted(keys[k]));
      highest = max(highest, counted(keys[k]));
    });
#pragma unroll
    for (int distance = warp_size / 2; distance > 0; distance /= 2) {
      lowest = min(lowest, static_cast<U>(__shfl_xor_sync(~0u, lowest, distance)));
      highest = max(highest, static_cast<U>(__shfl_xor_sync(~0u, highest, distance)));
    }
    if (lane_id() == 0) {
      s.lowest[threadIdx.x / warp_size] = lowest;
      s.highest[threadIdx.x / warp_size] = highest;
    }
    clear_buckets(buckets / 2);
    __syncthreads();
    lowest_ = s.lowest[0];
    highest_ = s.highest[0];
#pragma unroll 6
    for (int w = 1; w < Shape::warps; w++) {
      lowest_ = min(lowest_, s.lowest[w]);
      highest_ = max(highest_, s.highest[w]);
    }
  }

  //! How keys are told their buckets, from their range.
  __device__ void find_scale() {
    const auto range = static_cast<unsigned long long>(static_cast<U>(highest_ - lowest_));
    shift_ = max(0, 64 - __clzll(static_cast<long long>(range)) - 18);
    factor_ = (1u << 31) / static_cast<std::uint32_t>((range >> shift_) + 1);
    exact_ = range < buckets;
  }
  //! Where a key lies in the range, in parts of 2^31.
  __device__ std::uint32_t fraction(U key) const {
    return static_cast<std::uint32_t>(static_cast<U>(counted(key) - lowest_) >> shift_) * factor_;
  }
  //! Counts the keys of each bucket. at[k]: the k-th key's, and behind it the key's rank there. A barrier ends it.
  template <class Bucket>
  __device__ void count(std::uint32_t (&at)[rows], const Bucket& bucket_of) {
    for_each_live([&](int k) {
      const int b = bucket_of(k), half = 16 * (b & 1);
      at[k] = (atomicAdd(&m.starts[b / 2], 1u << half) >> half & 0xffff) | static_cast<std::uint32_t>(b) << 16;
    });
    __syncthreads();
  }
  //! A thread's share of the buckets, in pairs; how many keys they have, and how many one of them has.
  struct own_buckets {
    int first, end;
    std::uint32_t sum, most;
  };
  __device__ own_buckets look_at_own(int pairs = buckets / 2) const {
    const int share = (pairs + threads - 1) / threads | 1;  // odd: no two lanes in one bank
    own_buckets own{min(static_cast<int>(threadIdx.x) * share, pairs), 0, 0, 0};
    own.end = min(own.first + share, pairs);
#pragma unroll 4
    for (int k = own.first; k < own.end; k++) {
      const std::uint32_t even = m.starts[k] & 0xffff, odd = m.starts[k] >> 16;
      own.sum += even + odd;
      own.most = max(own.most, max(even, odd));
    }
    return own;
  }
  //! Turns counts into starts. A barrier must stand behind.
  __device__ void find_starts(const own_buckets& own) {
    std::uint32_t sum = sum_before<Shape::warps>(own.sum, s.sums);
#pragma unroll 4
    for (int k = own.first; k < own.end; k++) {
      const std::uint32_t pair = m.starts[k], odd = sum + (pair & 0xffff);
      m.starts[k] = sum | odd << 16;
      sum = odd + (pair >> 16);
    }
    if (threadIdx.x == threads - 1) m.starts[own.end] = sum;
  }
  //! Are two of this thread's keys in a bucket of too many, and differ? Which is likely where there is such a bucket.
  __device__ bool sees_too_many(const U (&keys)[rows], const std::uint32_t (&at)[rows], std::uint32_t most) const {
    bool sees = false;
#pragma unroll
    for (int k = 1; k < rows; k++)
      sees |= live(k) && at[k] >> 16 == at[k - 1] >> 16 && (at[k] & 0xffff) >= most && keys[k] != keys[k - 1];
    return sees;
  }
  //! Do keys of a bucket differ that lies in no window? Its first key leaves a note of what it is, and all others look.
  //! (Two buckets may share a note, and seem to differ then.) Once starts are found, and while no key is put.
  __device__ bool crowd_differs(const U (&keys)[rows], const std::uint32_t (&at)[rows]) {
    const auto note_of = [&](std::uint32_t where) -> U& { return m.sorted.keys[(where >> 16) % Shape::tile]; };
    for_each_live([&](int k) {
      if ((at[k] & 0xffff) == 0) note_of(at[k]) = keys[k];
    });
    __syncthreads();
    bool differs = false;
    for_each_live([&](int k) {
      const auto [first, end] = places_of_bucket(static_cast<int>(at[k] >> 16));
      differs |= end - first > most_in_bucket && note_of(at[k]) != keys[k];
    });
    return __syncthreads_or(differs);
  }
  //! Puts the keys into their buckets. False: too many crowd in one to be compared with all of it, and none is there.
  __device__ bool to_buckets(const U (&keys)[rows]) {
    find_scale();
    std::uint32_t at[rows];
    count(at, [&](int k) { return bucket(keys[k]); });
    const own_buckets own = look_at_own();
    const std::uint32_t most = exact_ ? most_ranked : most_in_first;
    const bool too_many = __syncthreads_or((Ordered || !exact_) && own.most > most);
    constexpr bool cuts_all = cuts_again && Distinct;
    if (too_many && !cuts_all && (!marks_mixed || __syncthreads_or(sees_too_many(keys, at, most)))) return false;
    find_starts(own);
    crowded_ = __syncthreads_or(own.most > most_in_bucket);
    if (marks_mixed && cuts_again && too_many) crowded_ = crowd_differs(keys, at);
    cut_ = cuts_again && crowded_ && !exact_;
    if (cut_) return cut_again(keys, at);
    put_into_buckets<false>(keys, at);
    return true;
  }
  template <bool Noted>
  __device__ void put_into_buckets(const U (&keys)[rows], const std::uint32_t (&at)[rows]) {
    for_each_live([&](int k) {
      const int b = static_cast<int>(at[k] >> 16), to = start_of(b) + static_cast<int>(at[k] & 0xffff);
      put(to, keys[k], place(k));
      if constexpr (Noted) m.sorted.buckets[to] = static_cast<std::uint16_t>(b);
    });
  }
  //! The bucket of the key that was put there.
  __device__ int bucket_at(int at, U key) const {
    if constexpr (cuts_again) {
      if (cut_) return m.sorted.buckets[at];
    }
    return bucket(key);
  }

 private:
  const U& counted_;
  int shift_;  // a bucket's number: the key less the lowest, without its last bits, times a factor
  std::uint32_t factor_;
  bool cut_;  // buckets were cut again

  static constexpr int inside_bits = 31 - bucket_bits;
  __device__ int bucket(U key) const { return static_cast<int>(fraction(key) >> inside_bits); }
  //! How far into its bucket a key lies, told by all of its bits.
  __device__ std::uint32_t inside(U key, int bucket) const {
    const unsigned long long above = static_cast<U>(counted(key) - lowest_),
                             at =
                                 (above * factor_ >> shift_) - (static_cast<unsigned long long>(bucket) << inside_bits);
    return static_cast<std::uint32_t>(min(at, (1ull << inside_bits) - 1));
  }
  //! Cuts every bucket into as many as it has keys, and puts the keys into these. False: distinct ones crowd even
  //! there, and none is there.
  __device__ bool cut_again(const U (&keys)[rows], std::uint32_t (&at)[rows]) {
    for_each_live([&](int k) {
      const int b = static_cast<int>(at[k] >> 16), start = start_of(b);
      const auto inner = static_cast<std::uint32_t>(start_of(b + 1) - start);
      at[k] = static_cast<std::uint32_t>(start) + (inside(keys[k], b) * inner >> inside_bits);
    });
    __syncthreads();
    const int pairs = (length() + 1) / 2;
    clear_buckets(pairs);
    __syncthreads();
    count(at, [&](int k) { return static_cast<int>(at[k]); });
    const own_buckets own = look_at_own(pairs);
    if ((Distinct || Ordered) && __syncthreads_or(own.most > most_ranked)) return false;
    find_starts(own);
    crowded_ = __syncthreads_or(own.most > most_in_bucket);
    if (marks_mixed && crowded_) crowded_ = crowd_differs(keys, at);
    put_into_buckets<cuts_again>(keys, at);
    return true;
  }

  __device__ void clear_buckets(int pairs) {
    for (int k = static_cast<int>(threadIdx.x); k < pairs; k += threads) m.starts[k] = 0;
  }
};

}  // namespace UPSWEEP_NAMESPACE::gpu

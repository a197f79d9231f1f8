// Sums in 64 bytes of lanes: 16 floats, 8 doubles, 8 complex numbers of floats, … Item k goes to lane k modulo their
// number, each lane sums up from 0, left to right, and lanes join as a tree of halves: 0 with 8, 1 with 9, …, then 0
// with 4, … The same sum with vectors of 16, 32 or 64 bytes and with none.
#pragma once
#include <cstddef>
#include <type_traits>
#include <utility>

#include <upsweep/config.hpp>
#include <upsweep/host/vectors.hpp>
#include <upsweep/sparse/spmv_task.hpp>

namespace UPSWEEP_NAMESPACE::detail {

inline constexpr std::size_t lane_bytes = 64;
// Of vectors of 64 bytes a matrix in the cache made nothing, and one from memory took 14 ms instead of 9.5 (one thread,
// 14 million non-zeros in float, AMD EPYC, family 26, 2026-11-21).
inline constexpr int most_vector_bytes = 32;

//! Sums in lanes of any type of number, without vectors of its own.
template <class S>
class plain_lanes {
 public:
  static constexpr int together = 1;
  //! Adds `count` items, the first of which goes to lane 0.
  UPSWEEP_INLINE void add(const S* items, index_t count) {
    for (index_t k = 0; k < count; k++) lane_[k % lanes] = sum_of(lane_[k % lanes], items[k]);
  }
  UPSWEEP_INLINE S total() {
    for (int half = lanes / 2; half > 0; half /= 2)
      for (int l = 0; l < half; l++) lane_[l] = sum_of(lane_[l], lane_[l + half]);
    return lane_[0];
  }
  template <class Add>
  UPSWEEP_INLINE static void totals(const Add& add, S* sums) {
    plain_lanes one;
    add(one, 0);
    sums[0] = one.total();
  }

 private:
  static constexpr int lanes = sizeof(S) < lane_bytes ? lane_bytes / sizeof(S) : 1;
  S lane_[lanes] = {};
};

// The parts of a number that vectors add: integers without their signs, so that they wrap.
template <class S>
struct lane_part {
  using type = S;
};
template <class S>
  requires(std::is_integral_v<S> && !std::is_same_v<S, bool>)
struct lane_part<S> {
  using type = std::make_unsigned_t<S>;
};
template <class S>
  requires is_complex_v<S>
struct lane_part<S> {
  using type = typename S::value_type;
};
template <class S>
using lane_part_t = typename lane_part<S>::type;

#if UPSWEEP_VECTORS
template <class S>
inline constexpr bool has_vector_lanes = is_lane<lane_part_t<S>>;

template <class T, int Bytes>
struct wide_vector {
  typedef T type __attribute__((vector_size(Bytes)));  // the attribute is lost in an alias template
};
template <class T, int Bytes>
using wide_vector_t = typename wide_vector<T, Bytes>::type;

//! The same in vectors of `Bytes` bytes. Reads up to 64 bytes behind the items.
template <class S, int Bytes>
class vector_lanes {
  using T = lane_part_t<S>;
  using bits = std::make_signed_t<lane_bits<T>>;
  using vector = wide_vector_t<T, Bytes>;
  using mask = wide_vector_t<bits, Bytes>;
  static constexpr int width = Bytes / sizeof(T), lanes = lane_bytes / sizeof(T), parts = is_complex_v<S> ? 2 : 1;
  static constexpr int vectors = lanes / width;

 public:
  UPSWEEP_INLINE void add(const S* items, index_t count) {
    const T* from = reinterpret_cast<const T*>(items);
    add_vectors<false>(count * parts, [&](index_t k, vector& some)
                                          UPSWEEP_LAMBDA_INLINE { __builtin_memcpy(&some, from + k, Bytes); });
  }
  //! The same of `count` numbers: read(k, vector) gives those from the k-th on, and what comes behind the last. Asks:
  //! not for a vector without any, which takes a branch.
  template <bool Asks, class F>
  UPSWEEP_INLINE void add_vectors(index_t count, const F& read) {
    index_t k = 0;
    vector some;
    for (; count - k >= lanes; k += lanes)
      for (int v = 0; v < vectors; v++) {
        read(k + index_t{v} * width, some);
        lane_[v] += some;
      }
    const mask end = mask{} + static_cast<bits>(count - k);
    for (int v = 0; v < vectors; v++) {
      if (Asks && count - k <= index_t{v} * width) break;
      mask number{};
      for (bits l = 0; l < width; l++) number[l] = v * width + l;
      read(k + index_t{v} * width, some);
      lane_[v] += reinterpret_cast<vector>(reinterpret_cast<mask>(some) & (number < end));
    }
  }
  UPSWEEP_INLINE S total() {
    S sums[together];
    vector_t<T> last[together] = {};
    join<Bytes>(lane_, last[0]);
    sum_across(last, sums);
    return sums[0];
  }

  static constexpr int together = sizeof(S) < 16 ? 16 / sizeof(S) : 1;
  //! The totals of so many sums, to the k-th of which add(lanes, k) adds its items.
  template <class Add>
  UPSWEEP_INLINE static void totals(const Add& add, S* sums) {
    vector_t<T> last[together];
#pragma GCC unroll 4
    for (int k = 0; k < together; k++) {
      vector_lanes one;
      add(one, k);
      join<Bytes>(one.lane_, last[k]);
    }
    sum_across(last, sums);
  }

 private:
  // Joins lanes until 16 bytes are left.
  template <int Size, int Count>
  UPSWEEP_INLINE static void join(const wide_vector_t<T, Size> (&from)[Count], vector_t<T>& last) {
    if constexpr (Count > 1) {
      wide_vector_t<T, Size> halves[Count / 2];
      for (int v = 0; v < Count / 2; v++) halves[v] = from[v] + from[v + Count / 2];
      join<Size>(halves, last);
    } else if constexpr (Size > 16) {
      wide_vector_t<T, Size / 2> halves[2];
      halve<Size>(from[0], halves, std::make_index_sequence<Size / sizeof(T) / 2>{});
      join<Size / 2>(halves, last);
    } else {
      last = from[0];
    }
  }
  // The last lanes of several sums, joined side by side.
  UPSWEEP_INLINE static void sum_across(vector_t<T> (&last)[together], S* sums) {
    vector_t<T> sum = last[0];
    if constexpr (together > 1) {
      using whole = std::conditional_t<sizeof(S) == 4, float, double>;  // moved as one
      vector_t<whole> rows[together];
      for (int k = 0; k < together; k++) rows[k] = reinterpret_cast<vector_t<whole>>(last[k]);
      transpose<whole>(rows);
      for (int k = 0; k < together; k++) last[k] = reinterpret_cast<vector_t<T>>(rows[k]);
      if constexpr (together == 4) {
        sum = (last[0] + last[2]) + (last[1] + last[3]);
      } else {
        sum = last[0] + last[1];
      }
    }
    __builtin_memcpy(static_cast<void*>(sums), &sum, 16);
  }
  template <int Size, std::size_t... L>
  UPSWEEP_INLINE static void halve(const wide_vector_t<T, Size>& whole, wide_vector_t<T, Size / 2> (&halves)[2],
                                   std::index_sequence<L...>) {
    halves[0] = __builtin_shufflevector(whole, whole, static_cast<int>(L)...);
    halves[1] = __builtin_shufflevector(whole, whole, static_cast<int>(L + sizeof...(L))...);
  }
  vector lane_[vectors] = {};
};

template <class S, int Bytes, bool = has_vector_lanes<S>>
struct lanes_of {
  using type = vector_lanes<S, Bytes>;
};
template <class S, int Bytes>
struct lanes_of<S, Bytes, false> {
  using type = plain_lanes<S>;
};
#else
template <class S>
inline constexpr bool has_vector_lanes = false;
template <class S, int Bytes>
struct lanes_of {
  using type = plain_lanes<S>;
};
#endif
//! The lanes of this type in a function that may use vectors of so many bytes.
template <class S, int Bytes>
using lanes_of_t = typename lanes_of<S, Bytes>::type;

}  // namespace UPSWEEP_NAMESPACE::detail

// A sorting network across vector registers, which vector_sort is made of. Written with the compilers' vector
// extensions: always inlined into functions that may use vectors of so many bytes, which is why no function takes or
// returns one by value.
#pragma once
#include <cstring>
#include <type_traits>
#include <utility>

#include <upsweep/config.hpp>
#include <upsweep/host/versions.hpp>

#if UPSWEEP_X86_VERSIONS
namespace UPSWEEP_NAMESPACE::detail {

//! Registers of signed words of 4 or 8 bytes.
template <class Word, int Bytes>
class vector_network {
 public:
  typedef Word words __attribute__((vector_size(Bytes)));  // the attribute is lost in an alias template
  static constexpr int lanes = Bytes / static_cast<int>(sizeof(Word));

  static UPSWEEP_INLINE void load(words& w, const Word* from) { std::memcpy(&w, from, sizeof(w)); }
  static UPSWEEP_INLINE void store(const words& w, Word* to) { std::memcpy(to, &w, sizeof(w)); }

  //! Sorts Rows registers down the first lane, then down the second, and so on: Batcher's bitonic sort (1968). Lanes
  //! are sorted first, then two of them are made one sequence, then four.
  template <int Rows>
  static UPSWEEP_INLINE void sort(words* w) {
    sort_lanes<Rows>(w);
    join_lanes<Rows, 2>(w);
  }

  //! Stores Rows registers down the first lane, then down the second. Squares of them are transposed first.
  template <int Rows>
  static UPSWEEP_INLINE void store_columns(words* w, Word* to) {
    if constexpr (Rows == 1) return store(*w, to);
    constexpr int side = Rows < lanes ? Rows : lanes;
    Word row[lanes];
#pragma GCC unroll 4
    for (int first = 0; first < Rows; first += side) {
      transpose<side, side / 2>(w + first);
#pragma GCC unroll 16
      for (int r = 0; r < side; r++) {
        store(w[first + r], row);
#pragma GCC unroll 4
        for (int square = 0; square < lanes; square += side)
          std::memcpy(to + (square + r) * Rows + first, row + square, side * sizeof(Word));
      }
    }
  }

  //! b becomes the median of all three.
  static UPSWEEP_INLINE void find_median(words& a, words& b, words& c) {
    exchange(a, b);
    exchange(b, c);
    exchange(a, b);
  }

 private:
  using numbers = std::make_integer_sequence<int, lanes>;

  static UPSWEEP_INLINE void exchange(words& a, words& b) {
    const words low = a < b ? a : b;
    // Wide ones have one port for the least and the most, and two for bits: a network takes a tenth less time so.
    if constexpr (Bytes == 64) b ^= a ^ low;
    else b = a < b ? b : a;
    a = low;
  }

  // Lane j of `to` is lane j ^ X.
  template <int X, int... J>
  static UPSWEEP_INLINE void across(const words& w, words& to, std::integer_sequence<int, J...>) {
    to = __builtin_shufflevector(w, w, (J ^ X)...);
  }
  // Lanes whose number has bit D come from b, the others from a.
  template <int D, int... J>
  static UPSWEEP_INLINE void alternate(const words& a, const words& b, words& to, std::integer_sequence<int, J...>) {
    to = __builtin_shufflevector(a, b, (J & D ? lanes + J : J)...);
  }

  template <int Rows>
  static UPSWEEP_INLINE void sort_lanes(words* w) {
    if constexpr (Rows > 1) {
      sort_lanes<Rows / 2>(w);
      sort_lanes<Rows / 2>(w + Rows / 2);
#pragma GCC unroll 8
      for (int r = 0; r < Rows / 2; r++) exchange(w[r], w[Rows - 1 - r]);
      merge_lanes<Rows / 2>(w);
      merge_lanes<Rows / 2>(w + Rows / 2);
    }
  }
  // Each lane rises and falls (or falls and rises); now it rises.
  template <int Rows>
  static UPSWEEP_INLINE void merge_lanes(words* w) {
    if constexpr (Rows > 1) {
#pragma GCC unroll 8
      for (int r = 0; r < Rows / 2; r++) exchange(w[r], w[r + Rows / 2]);
      merge_lanes<Rows / 2>(w);
      merge_lanes<Rows / 2>(w + Rows / 2);
    }
  }
  // Halves of a group of lanes are sequences; the group becomes one.
  template <int Rows, int Group>
  static UPSWEEP_INLINE void join_lanes(words* w) {
    if constexpr (Rows == 1) {
      exchange_across<Group - 1, Group / 2>(*w);
    } else {
#pragma GCC unroll 8
      for (int r = 0; r < Rows / 2; r++) exchange_reversed<Group>(w[r], w[Rows - 1 - r]);
    }
    if constexpr (Group > 2) approach<Rows, Group / 4>(w);
    merge_lanes<Rows>(w);
    if constexpr (Group < lanes) join_lanes<Rows, 2 * Group>(w);
  }
  template <int Rows, int Distance>
  static UPSWEEP_INLINE void approach(words* w) {
#pragma GCC unroll 16
    for (int r = 0; r < Rows; r++) exchange_across<Distance, Distance>(w[r]);
    if constexpr (Distance > 1) approach<Rows, Distance / 2>(w);
  }
  // Lanes j and j ^ X: the lesser goes to the one whose number lacks bit D.
  template <int X, int D>
  static UPSWEEP_INLINE void exchange_across(words& w) {
    words other;
    across<X>(w, other, numbers{});
    exchange(w, other);
    alternate<D>(w, other, w, numbers{});
  }
  // Lane j of a and the lane opposite in its group of b, and the other way round.
  template <int Group>
  static UPSWEEP_INLINE void exchange_reversed(words& a, words& b) {
    words low = a, high;
    across<Group - 1>(b, high, numbers{});
    exchange(low, high);
    alternate<Group / 2>(low, high, a, numbers{});
    alternate<Group / 2>(high, low, high, numbers{});
    across<Group - 1>(high, b, numbers{});
  }

  template <int Side, int D>
  static UPSWEEP_INLINE void transpose(words* w) {
#pragma GCC unroll 16
    for (int r = 0; r < Side; r++)
      if ((r & D) == 0) swap_corners<D>(w[r], w[r + D], numbers{});
    if constexpr (D > 1) transpose<Side, D / 2>(w);
  }
  // Of a's and b's squares of D lanes: a's second goes to b, b's first to a.
  template <int D, int... J>
  static UPSWEEP_INLINE void swap_corners(words& a, words& b, std::integer_sequence<int, J...>) {
    const words first = __builtin_shufflevector(a, b, (J & D ? lanes + J - D : J)...);
    b = __builtin_shufflevector(a, b, (J & D ? lanes + J : J + D)...);
    a = first;
  }
};

}  // namespace UPSWEEP_NAMESPACE::detail
#endif

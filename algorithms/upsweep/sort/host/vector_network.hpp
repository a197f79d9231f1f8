// A sorting network across vector registers (AVX2), which vector_sort is made of. Written with the compilers' vector
// extensions.
#pragma once
#include <cstring>
#include <type_traits>
#include <utility>

#include <upsweep/config.hpp>
#include <upsweep/host/versions.hpp>

#if UPSWEEP_X86_VERSIONS
namespace UPSWEEP_NAMESPACE::detail {

//! Registers of signed words of 4 or 8 bytes.
template <class Word>
class vector_network {
 public:
  typedef Word words __attribute__((vector_size(32)));  // the attribute is lost in an alias template
  static constexpr int lanes = 32 / static_cast<int>(sizeof(Word));

  UPSWEEP_AVX2 static UPSWEEP_INLINE words load(const Word* from) {
    words w;
    std::memcpy(&w, from, sizeof(w));
    return w;
  }
  UPSWEEP_AVX2 static UPSWEEP_INLINE void store(const words& w, Word* to) { std::memcpy(to, &w, sizeof(w)); }

  //! Sorts Rows registers down the first lane, then down the second, and so on: Batcher's bitonic sort (1968). Lanes
  //! are sorted first, then two of them are made one sequence, then four.
  template <int Rows>
  UPSWEEP_AVX2 static UPSWEEP_INLINE void sort(words* w) {
    sort_lanes<Rows>(w);
    join_lanes<Rows, 2>(w);
  }

  //! Rows of `lanes` registers become their columns.
  UPSWEEP_AVX2 static UPSWEEP_INLINE void transpose(words* w) { transpose_from<lanes / 2>(w); }

  UPSWEEP_AVX2 static UPSWEEP_INLINE words median(const words& a, const words& b, const words& c) {
    return larger(smaller(a, b), smaller(larger(a, b), c));
  }

  //! Which lanes are set: what a comparison says.
  UPSWEEP_AVX2 static UPSWEEP_INLINE unsigned mask_of(const words& set) {
    if constexpr (lanes == 8) {
      typedef float floats __attribute__((vector_size(32)));
      return static_cast<unsigned>(__builtin_ia32_movmskps256(reinterpret_cast<floats>(set)));
    } else {
      typedef double doubles __attribute__((vector_size(32)));
      return static_cast<unsigned>(__builtin_ia32_movmskpd256(reinterpret_cast<doubles>(set)));
    }
  }

 private:
  using numbers = std::make_integer_sequence<int, lanes>;

  UPSWEEP_AVX2 static UPSWEEP_INLINE words smaller(const words& a, const words& b) { return a < b ? a : b; }
  UPSWEEP_AVX2 static UPSWEEP_INLINE words larger(const words& a, const words& b) { return a < b ? b : a; }
  UPSWEEP_AVX2 static UPSWEEP_INLINE void exchange(words& a, words& b) {
    const words low = smaller(a, b);
    b = larger(a, b);
    a = low;
  }

  // Lane j of the result is lane j ^ X.
  template <int X, int... J>
  UPSWEEP_AVX2 static UPSWEEP_INLINE words across(const words& w, std::integer_sequence<int, J...>) {
    return __builtin_shufflevector(w, w, (J ^ X)...);
  }
  // Lanes whose number has bit D come from b, the others from a.
  template <int D, int... J>
  UPSWEEP_AVX2 static UPSWEEP_INLINE words alternating(const words& a, const words& b,
                                                       std::integer_sequence<int, J...>) {
    return __builtin_shufflevector(a, b, (J & D ? lanes + J : J)...);
  }

  template <int Rows>
  UPSWEEP_AVX2 static UPSWEEP_INLINE void sort_lanes(words* w) {
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
  UPSWEEP_AVX2 static UPSWEEP_INLINE void merge_lanes(words* w) {
    if constexpr (Rows > 1) {
#pragma GCC unroll 8
      for (int r = 0; r < Rows / 2; r++) exchange(w[r], w[r + Rows / 2]);
      merge_lanes<Rows / 2>(w);
      merge_lanes<Rows / 2>(w + Rows / 2);
    }
  }
  // Halves of a group of lanes are sequences; the group becomes one.
  template <int Rows, int Group>
  UPSWEEP_AVX2 static UPSWEEP_INLINE void join_lanes(words* w) {
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
  UPSWEEP_AVX2 static UPSWEEP_INLINE void approach(words* w) {
#pragma GCC unroll 16
    for (int r = 0; r < Rows; r++) exchange_across<Distance, Distance>(w[r]);
    if constexpr (Distance > 1) approach<Rows, Distance / 2>(w);
  }
  // Lanes j and j ^ X: the lesser goes to the one whose number lacks bit D.
  template <int X, int D>
  UPSWEEP_AVX2 static UPSWEEP_INLINE void exchange_across(words& w) {
    const words other = across<X>(w, numbers{});
    w = alternating<D>(smaller(w, other), larger(w, other), numbers{});
  }
  // Lane j of a and the lane opposite in its group of b, and the other way round.
  template <int Group>
  UPSWEEP_AVX2 static UPSWEEP_INLINE void exchange_reversed(words& a, words& b) {
    const words opposite = across<Group - 1>(b, numbers{});
    const words low = smaller(a, opposite), high = larger(a, opposite);
    a = alternating<Group / 2>(low, high, numbers{});
    b = across<Group - 1>(alternating<Group / 2>(high, low, numbers{}), numbers{});
  }

  template <int D>
  UPSWEEP_AVX2 static UPSWEEP_INLINE void transpose_from(words* w) {
#pragma GCC unroll 8
    for (int r = 0; r < lanes; r++)
      if ((r & D) == 0) swap_corners<D>(w[r], w[r + D], numbers{});
    if constexpr (D > 1) transpose_from<D / 2>(w);
  }
  // Of a's and b's squares of D lanes: a's second goes to b, b's first to a.
  template <int D, int... J>
  UPSWEEP_AVX2 static UPSWEEP_INLINE void swap_corners(words& a, words& b, std::integer_sequence<int, J...>) {
    const words first = __builtin_shufflevector(a, b, (J & D ? lanes + J - D : J)...);
    b = __builtin_shufflevector(a, b, (J & D ? lanes + J : J + D)...);
    a = first;
  }
};

}  // namespace UPSWEEP_NAMESPACE::detail
#endif

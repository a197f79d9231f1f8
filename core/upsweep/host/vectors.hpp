// Vectors of 16 bytes for the sums, minima and maxima of built-in types: one lane a chunk, so that each lane folds its
// chunk left to right and the association is that of the plain loop. Written with the compilers' vector extensions; no
// header, any processor.
#pragma once
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include <upsweep/config.hpp>
#include <upsweep/host/versions.hpp>
#include <upsweep/monoid.hpp>

#if defined(__has_builtin) && defined(__BYTE_ORDER__)
#if __has_builtin(__builtin_shufflevector) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ && !defined(__CUDACC__)
#define UPSWEEP_VECTORS 1
#endif
#endif
#ifndef UPSWEEP_VECTORS
#define UPSWEEP_VECTORS 0
#endif

namespace UPSWEEP_NAMESPACE::detail {

template <class M>
struct vector_operator {
  static constexpr bool exists = false;
};
template <class M>
inline constexpr bool has_vectors = vector_operator<M>::exists;

#if UPSWEEP_VECTORS
template <class T>
struct vector {
  typedef T type __attribute__((vector_size(16)));  // the attribute is lost in an alias template
};
template <class T>
using vector_t = typename vector<T>::type;
template <class T>
inline constexpr bool is_lane = std::is_arithmetic_v<T> && (sizeof(T) == 4 || sizeof(T) == 8);
template <class T>
using lane_bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;

// The operators, lane by lane, as monoid.hpp defines them.
#define UPSWEEP_VECTOR_OPERATOR(monoid_name, expression)                                     \
  template <class T>                                                                         \
    requires(is_lane<T>)                                                                     \
  struct vector_operator<monoid_name<T>> {                                                   \
    static constexpr bool exists = true;                                                     \
    UPSWEEP_INLINE static vector_t<T> combine(vector_t<T> earlier, vector_t<T> later) {      \
      using wrapping = vector_t<std::conditional_t<std::is_integral_v<T>, lane_bits<T>, T>>; \
      [[maybe_unused]] const wrapping e = reinterpret_cast<wrapping>(earlier);               \
      [[maybe_unused]] const wrapping l = reinterpret_cast<wrapping>(later);                 \
      return reinterpret_cast<vector_t<T>>(expression);                                      \
    }                                                                                        \
  }
UPSWEEP_VECTOR_OPERATOR(plus, e + l);
UPSWEEP_VECTOR_OPERATOR(multiplies, e* l);
UPSWEEP_VECTOR_OPERATOR(minimum, ((later < earlier) | (later != later)) ? later : earlier);
UPSWEEP_VECTOR_OPERATOR(maximum, ((earlier < later) | (later != later)) ? later : earlier);
#undef UPSWEEP_VECTOR_OPERATOR

// Rows to columns, and back.
template <class T>
UPSWEEP_INLINE void transpose(vector_t<T> (&r)[16 / sizeof(T)]) {
  if constexpr (sizeof(T) == 8) {
    const auto a = __builtin_shufflevector(r[0], r[1], 0, 2);
    r[1] = __builtin_shufflevector(r[0], r[1], 1, 3);
    r[0] = a;
  } else {
    const auto a = __builtin_shufflevector(r[0], r[1], 0, 4, 1, 5), b = __builtin_shufflevector(r[2], r[3], 0, 4, 1, 5);
    const auto c = __builtin_shufflevector(r[0], r[1], 2, 6, 3, 7), d = __builtin_shufflevector(r[2], r[3], 2, 6, 3, 7);
    r[0] = __builtin_shufflevector(a, b, 0, 1, 4, 5);
    r[1] = __builtin_shufflevector(a, b, 2, 3, 6, 7);
    r[2] = __builtin_shufflevector(c, d, 0, 1, 4, 5);
    r[3] = __builtin_shufflevector(c, d, 2, 3, 6, 7);
  }
}

//! Folds `Lanes` neighbouring chunks of `Chunk` values, the first of which starts at `from` and runs backwards when
//! Reversed; with `heads`, anew at every byte that is not zero. `Keeps`: to `values` (may be `from`), otherwise only
//! for the totals. Calls meanwhile(step, steps).
template <class M, bool Reversed, index_t Chunk, int Lanes, bool Heads, bool Keeps, class T, class Meanwhile>
UPSWEEP_INLINE void fold_vectors(const T* from, T* values, const std::uint8_t* heads, T* totals,
                                 const Meanwhile& meanwhile) {
  constexpr int W = 16 / sizeof(T), vectors = Lanes / W;
  using bits = lane_bits<T>;
  const auto low = [](int lane) { return Reversed ? -lane * Chunk - (Chunk - 1) : lane * Chunk; };
  vector_t<T> sum[vectors];
  const auto step = [&](index_t quad, auto is_first) UPSWEEP_LAMBDA_INLINE {
    for (int v = 0; v < vectors; v++) {
      vector_t<T> row[W];
      for (int j = 0; j < W; j++) __builtin_memcpy(&row[j], from + low(v * W + j) + quad * W, 16);
      vector_t<bits> head{};
      if constexpr (Heads) {
        // (Read as what they are: into a part of a larger word, and the vector is made in memory, which waits for it.)
        std::conditional_t<W == 4, std::uint32_t, std::uint16_t> word[W];
        for (int j = 0; j < W; j++) __builtin_memcpy(&word[j], heads + low(v * W + j) + quad * W, W);
        if constexpr (W == 4) {
          head = vector_t<bits>{word[0], word[1], word[2], word[3]};
        } else {
          head = vector_t<bits>{word[0], word[1]};
        }
      }
      transpose<T>(row);  // now a vector holds the same item of W chunks
      for (int j = 0; j < W; j++) {
        const int k = Reversed ? W - 1 - j : j;
        if (!is_first.value || j > 0) {
          const vector_t<T> combined = vector_operator<M>::combine(sum[v], row[k]);
          if constexpr (Heads) {
            const vector_t<bits> byte = (head >> static_cast<bits>(8 * k)) & 255;
            row[k] = byte != 0 ? row[k] : combined;
          } else {
            row[k] = combined;
          }
        }
        sum[v] = row[k];
      }
      if constexpr (Keeps) {
        transpose<T>(row);
        for (int j = 0; j < W; j++) __builtin_memcpy(values + low(v * W + j) + quad * W, &row[j], 16);
      }
    }
  };
  constexpr index_t quads = Chunk / W;
  step(Reversed ? quads - 1 : 0, std::true_type{});
  for (index_t q = 1; q < quads; q++) {
    meanwhile(q - 1, quads - 1);
    step(Reversed ? quads - 1 - q : q, std::false_type{});
  }
  for (int v = 0; v < vectors; v++)
    for (int j = 0; j < W; j++) totals[v * W + j] = sum[v][j];
}

//! The running sums of `Chunk` integers of 1 or 2 bytes, which wrap, so that their order is nobody's: within words of 8
//! bytes by shifts, then over two words. `from` and `to` are the lowest of either. Returns the total.
template <bool Reversed, index_t Chunk, class T>
UPSWEEP_INLINE T running_sums(const T* from, T* to) {
  using lanes = vector_t<std::conditional_t<sizeof(T) == 1, std::uint8_t, std::uint16_t>>;
  using words = vector_t<std::uint64_t>;
  constexpr int N = 16 / sizeof(T);
  // Of a word's sum, its last lane, for the other word, and of both words' sum.
  const auto for_second_word = []<std::size_t... I>(const lanes& x, std::index_sequence<I...>) UPSWEEP_LAMBDA_INLINE {
    return __builtin_shufflevector(x, lanes{}, ((I < N / 2) == Reversed ? (Reversed ? N / 2 : N / 2 - 1) : N)...);
  };
  const auto for_all = []<std::size_t... I>(const lanes& x, std::index_sequence<I...>) UPSWEEP_LAMBDA_INLINE {
    return __builtin_shufflevector(x, x, (Reversed ? 0 * I : N - 1 + 0 * I)...);
  };
  lanes before{};
  for (index_t k = 0; k < Chunk; k += N) {
    const index_t at = Reversed ? Chunk - N - k : k;
    lanes sums;
    __builtin_memcpy(&sums, from + at, sizeof sums);
    for (int shift = 8 * sizeof(T); shift < 64; shift *= 2) {
      const auto here = reinterpret_cast<words>(sums);
      sums += reinterpret_cast<lanes>(Reversed ? here >> shift : here << shift);
    }
    sums += for_second_word(sums, std::make_index_sequence<N>{});
    const lanes all = for_all(sums, std::make_index_sequence<N>{});
    sums += before;
    before += all;
    __builtin_memcpy(to + at, &sums, sizeof sums);
  }
  return static_cast<T>(before[0]);
}
#endif

}  // namespace UPSWEEP_NAMESPACE::detail

// How segments are folded on a host: one by chunks of 128 of its own items, left to right; or short ones side by side,
// a lane each, with the same results. (One thread of a Xeon, segments of about 100 doubles: 0.31 ns an item, by a loop
// from left to right 0.33, by std::reduce, which adds four at a time, 0.21; 2026-11-26.)
#pragma once
#include <algorithm>
#include <cstdint>
#include <type_traits>

#include <upsweep/config.hpp>
#include <upsweep/host/chunk_values.hpp>
#include <upsweep/host/vectors.hpp>
#include <upsweep/lifts.hpp>
#include <upsweep/monoid.hpp>

namespace UPSWEEP_NAMESPACE::detail {

//! Are items as they stand folded by vectors?
template <class T, class M>
inline constexpr bool folds_lanes = has_vectors<M> && std::is_same_v<T, typename M::value_type>;

template <class T, class M>
struct segment_fold {
  using V = typename M::value_type;
  const M& m;

  //! Of `count` > 0 items.
  UPSWEEP_INLINE V operator()(const T* from, index_t count) const {
    index_t at = std::min(count, chunk);
    V sum = fold_chunk(from, at);
    // Chunks side by side for floats; the compiler makes vectors of integers' chunks itself, and reads on in one go.
    if constexpr (folds_lanes<T, M> && std::is_floating_point_v<T>) {
      const auto several = [&](auto lanes) UPSWEEP_LAMBDA_INLINE {
        constexpr index_t width = lanes.value * chunk, line = 64 / sizeof(T);
        for (; count - at >= width; at += width) {
          const T* const next = from + std::min(at + width, count - width);  // never what may be no memory
          V totals[lanes.value];
          fold_vectors<M, false, chunk, lanes.value, false, false>(
              from + at, totals, nullptr, totals, [&](index_t step, index_t steps) UPSWEEP_LAMBDA_INLINE {
                for (index_t k = step * width / steps; k < (step + 1) * width / steps; k += line)
                  __builtin_prefetch(next + k, 0, 2);
              });
          for (const V& total : totals) sum = m(sum, total);
        }
      };
      several(std::integral_constant<int, side_by_side<M>>{});
      several(std::integral_constant<int, side_by_side<M> / 4>{});
    }
    for (; at < count; at += chunk) sum = m(sum, fold_chunk(from + at, std::min(count - at, chunk)));
    return sum;
  }

 private:
  UPSWEEP_INLINE V fold_chunk(const T* from, index_t length) const {
    V sum = as_value<V>(from[0]);
    for (index_t k = 1; k < length; k++) sum = m(sum, as_value<V>(from[k]));
    return sum;
  }
};

inline constexpr int crowd = 8;  // short segments that are folded together
template <class T, class M>
struct crowd_fold;
#if UPSWEEP_VECTORS
//! Short segments side by side, the same item of several in a vector: how long the next one is cannot be guessed, and
//! a loop over each would cost a wrong guess or two. (One thread of a Xeon, ns an item where a segment has 10 on
//! average: ints 0.42, by loops 1.45; doubles 0.56 and 1.65; at 32 ints 0.27 and 0.34; at 50 loops are as fast, and
//! faster for ints. 2^16 items, 2026-11-26. Vectors that are put together, not read where their items were just
//! written: ints of one item each 2.9 to 1.9, doubles of two 1.36 to 1.27; 2^20 items, a Zen 4, 2026-11-28.)
template <class T, class M>
struct crowd_fold {
  static constexpr index_t longest = 64, all = index_t{crowd} * 40;  // items of one, and of all, that are worth it
  static constexpr int W = 16 / sizeof(T), vectors = crowd / W, beyond = W;
  using bits = std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>;
  const T* items;
  index_t begins[crowd];
  bits counts[crowd];

  template <class X>
  UPSWEEP_INLINE static vector_t<X> vector_of(const X* from) {
    if constexpr (W == 4) return vector_t<X>{from[0], from[1], from[2], from[3]};
    else return vector_t<X>{from[0], from[1]};
  }
  //! Of all items of each, the identity where there are none. Reads `most` items, the longest one's, and up to `beyond`
  //! more from where each begins.
  UPSWEEP_INLINE void operator()(const M& m, index_t most, T* totals) const {
    for (int k = 0; k < crowd; k++) totals[k] = counts[k] > 0 ? items[begins[k]] : m.identity();
    if (most <= 1) return;
    vector_t<bits> count[vectors];
    vector_t<T> sum[vectors];
    for (int v = 0; v < vectors; v++) {
      count[v] = vector_of(counts + v * W);
      sum[v] = vector_of(totals + v * W);
    }
    for (index_t at = 1; at < most; at += W)
      for (int v = 0; v < vectors; v++) {
        vector_t<T> row[W];
        for (int j = 0; j < W; j++) __builtin_memcpy(&row[j], items + begins[v * W + j] + at, 16);
        transpose<T>(row);
        for (int j = 0; j < W; j++)
          sum[v] = count[v] > static_cast<bits>(at + j) ? vector_operator<M>::combine(sum[v], row[j]) : sum[v];
      }
    __builtin_memcpy(totals, sum, sizeof sum);
  }
};
#endif

}  // namespace UPSWEEP_NAMESPACE::detail

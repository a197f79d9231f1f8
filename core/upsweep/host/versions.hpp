// Hot loops in several versions, for users who compile with ordinary flags: the processor's vectors are picked at run
// time.
//   with_vectors(loop)      calls loop(bytes) inlined into a function that may use vectors of that many bytes
//   with_vectors_of(loop)   the same with vectors of so many
// All versions round alike: none contracts a product and a sum, so results are the same with any of them. (With clang
// where bodies begin with UPSWEEP_ROUND_EACH, or have products and sums in statements of their own.)
// With UPSWEEP_FEW_VERSIONS, in all files of a program or in none, most loops have no version for 32 bytes, which is a
// third of the time that they take to compile.
#pragma once
#include <type_traits>

#include <upsweep/config.hpp>

#if defined(__GNUC__) && !defined(__clang__)
#define UPSWEEP_HOT __attribute__((optimize("O3", "fp-contract=off"), noinline))
#else
#define UPSWEEP_HOT
#endif
#if defined(__GNUC__)
#define UPSWEEP_LAMBDA_INLINE __attribute__((always_inline))
#else
#define UPSWEEP_LAMBDA_INLINE
#endif
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__CUDACC__)
#define UPSWEEP_X86_VERSIONS 1
#else
#define UPSWEEP_X86_VERSIONS 0
#endif

namespace UPSWEEP_NAMESPACE::detail {

template <class Loop>
UPSWEEP_HOT void with_16_bytes(const Loop& loop) {
  loop(std::integral_constant<int, 16>{});
}

#if UPSWEEP_X86_VERSIONS
#define UPSWEEP_AVX2 __attribute__((target("avx2,popcnt")))
template <class Loop>
UPSWEEP_HOT UPSWEEP_AVX2 void with_32_bytes(const Loop& loop) {
  loop(std::integral_constant<int, 32>{});
}
#if defined(__clang__)
#define UPSWEEP_AVX512 __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl"), min_vector_width(512)))
#else
#define UPSWEEP_AVX512 __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,prefer-vector-width=512")))
#endif
template <class Loop>
UPSWEEP_HOT UPSWEEP_AVX512 void with_64_bytes(const Loop& loop) {
  loop(std::integral_constant<int, 64>{});
}
//! The bytes of the widest vectors that this processor has. Tests set it to less.
inline int& widest_vectors() {
  static int bytes = [] {
    __builtin_cpu_init();
    const bool avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                        __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
    return avx512 ? 64 : __builtin_cpu_supports("avx2") ? 32 : 16;
  }();
  return bytes;
}
#endif
//! Has this processor vectors of 32 bytes, or of 64, and are there functions compiled for them?
inline bool has_vectors_of([[maybe_unused]] int bytes) {
#if UPSWEEP_X86_VERSIONS
  return widest_vectors() >= bytes;
#else
  return false;
#endif
}

#ifdef UPSWEEP_FEW_VERSIONS
inline constexpr bool few_versions = true;
#else
inline constexpr bool few_versions = false;
#endif

//! Calls loop(bytes) with vectors of so many bytes, which this processor must have.
template <int Bytes, class Loop>
UPSWEEP_INLINE void with_vectors_of(const Loop& loop) {
#if UPSWEEP_X86_VERSIONS
  if constexpr (Bytes == 64) return with_64_bytes(loop);
  if constexpr (Bytes == 32) return with_32_bytes(loop);
#endif
  with_16_bytes(loop);
}

//! The same with the widest vectors that this processor has, of at most `Most` bytes, if `Several` versions are worth
//! compiling.
template <bool Several, int Most = 64, class Loop>
UPSWEEP_INLINE void with_vectors(const Loop& loop) {
#if UPSWEEP_X86_VERSIONS
  if constexpr (Several) {
    const int bytes = widest_vectors() < Most ? widest_vectors() : Most;
    if constexpr (Most >= 64)
      if (bytes == 64) return with_64_bytes(loop);
    if constexpr (Most < 64 || !few_versions)
      if (bytes == 32) return with_32_bytes(loop);
  }
#endif
  with_16_bytes(loop);
}

}  // namespace UPSWEEP_NAMESPACE::detail

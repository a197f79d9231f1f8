// Which of many counts ask for anything, and which for several: two bits of each.
#pragma once
#include <cstddef>
#include <cstdint>

#include <upsweep/config.hpp>
#include <upsweep/host/versions.hpp>

namespace UPSWEEP_NAMESPACE::detail {

//! Of 64 runs: which of them have items, and which have several.
struct run_bits {
  std::uint64_t some, several;
};

//! How many bytes ahead items are asked for, while those up to `end` of n are read: 0 if none are so far ahead, as what
//! is no memory would be looked for each time.
template <class T>
constexpr index_t bytes_ahead(index_t end, index_t n) {
  constexpr index_t further = 8192;
  return end + further / index_t{sizeof(T)} <= n ? further : 0;
}
//! Asks for them: the memory would be idle meanwhile.
UPSWEEP_INLINE void ask_for([[maybe_unused]] const void* from, [[maybe_unused]] std::size_t bytes,
                            [[maybe_unused]] index_t ahead) {
#if defined(__GNUC__)
  for (std::size_t k = 0; k < bytes; k += 64) __builtin_prefetch(static_cast<const char*>(from) + ahead + k, 0, 2);
#endif
}

//! Bit k: is byte k of 64, each 0 or 255, not 0?
UPSWEEP_INLINE std::uint64_t bits_of_bytes(const std::uint8_t* bytes) {
  std::uint64_t bits = 0;
#if UPSWEEP_X86_VERSIONS
  typedef char bytes16 __attribute__((vector_size(16)));
  for (int k = 0; k < 64; k += 16) {
    bytes16 here;
    __builtin_memcpy(&here, bytes + k, sizeof here);
    bits |= std::uint64_t{static_cast<std::uint16_t>(__builtin_ia32_pmovmskb128(here))} << k;
  }
#else
  for (int k = 0; k < 64; k++) bits |= std::uint64_t{bytes[k] != 0} << k;
#endif
  return bits;
}
//! Of so many words of 64 counts. (A negative one has any: then nothing is written.)
template <class Count>
UPSWEEP_INLINE void find_bits(const Count* counts, index_t words, index_t ahead, run_bits* to) {
  for (; words > 0; words--, counts += 64) {
    ask_for(counts, 64 * sizeof(Count), ahead);
    std::uint8_t some[64], several[64];
    for (int k = 0; k < 64; k++) some[k] = counts[k] > 0 ? 255 : 0;
    for (int k = 0; k < 64; k++) several[k] = counts[k] > 1 ? 255 : 0;
    *to++ = {bits_of_bytes(some), bits_of_bytes(several)};
  }
}
#if UPSWEEP_X86_VERSIONS
UPSWEEP_AVX2 inline void find_bits_avx2(const void* counts, index_t words, index_t ahead, run_bits* to) {
  typedef std::uint32_t lanes __attribute__((vector_size(32)));
  typedef float floats __attribute__((vector_size(32)));
  const auto zeros = [](const lanes& x) UPSWEEP_AVX2 {
    return static_cast<std::uint64_t>(__builtin_ia32_movmskps256(reinterpret_cast<floats>(x == 0)));
  };
  const auto* from = static_cast<const unsigned char*>(counts);
  for (; words > 0; words--, to++) {
    ask_for(from, 256, ahead);
    run_bits none{0, 0};
    for (int k = 0; k < 64; k += 8, from += sizeof(lanes)) {
      lanes x;
      __builtin_memcpy(&x, from, sizeof x);
      none.some |= zeros(x) << k;
      none.several |= zeros(x >> 1) << k;
    }
    *to = {~none.some, ~none.several};
  }
}
UPSWEEP_AVX512 inline void find_bits_avx512(const void* counts, index_t words, index_t ahead, run_bits* to) {
  typedef int lanes __attribute__((vector_size(64)));
  const auto* from = static_cast<const unsigned char*>(counts);
  for (; words > 0; words--, to++) {
    ask_for(from, 256, ahead);
    run_bits found{0, 0};
    for (int k = 0; k < 64; k += 16, from += sizeof(lanes)) {
      constexpr int is_greater = 6;
      lanes x;
      __builtin_memcpy(&x, from, sizeof x);
      const auto greater = [&x](int than) UPSWEEP_AVX512 {
        return std::uint64_t{__builtin_ia32_ucmpd512_mask(x, lanes{} + than, is_greater, 0xffff)};
      };
      found.some |= greater(0) << k;
      found.several |= greater(1) << k;
    }
    *to = found;
  }
}
#endif

}  // namespace UPSWEEP_NAMESPACE::detail

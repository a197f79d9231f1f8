// Eight bytes at a time: a word's bytes chosen, counted and searched for by instructions of the word. The first byte is
// the lowest.
#pragma once
#include <bit>
#include <cstdint>

#include <upsweep/config.hpp>

namespace UPSWEEP_NAMESPACE::detail {

//! The bytes of x (0 to 3) and y (4 to 7) that the lowest four nibbles of `choice` name. A nibble from 8 on gives zero,
//! of bytes below 128. (The instruction gives their sign; __byte_perm would clear the nibbles' highest bits first.)
UPSWEEP_HD inline std::uint32_t chosen_bytes(std::uint32_t x, std::uint32_t y, std::uint32_t choice) {
#if defined(__CUDA_ARCH__)
  std::uint32_t chosen;
  asm("prmt.b32 %0, %1, %2, %3;" : "=r"(chosen) : "r"(x), "r"(y), "r"(choice));
  return chosen;
#else
  const std::uint64_t both = x | std::uint64_t{y} << 32;
  std::uint32_t chosen = 0;
  for (int k = 0; k < 4; k++) {
    const std::uint32_t nibble = choice >> 4 * k & 15, byte = both >> 8 * (nibble & 7) & 255;
    chosen |= (nibble < 8 ? byte : (byte >> 7) * 255) << 8 * k;
  }
  return chosen;
#endif
}
//! Turned until nibble `place`, of which the lowest three bits count, is the lowest: one instruction of a GPU.
UPSWEEP_HD inline std::uint32_t from_nibble(std::uint32_t nibbles, std::uint32_t place) {
  const std::uint32_t bits = 4 * place;
#if defined(__CUDA_ARCH__)
  return __funnelshift_r(nibbles, nibbles, bits);  // the compiler would clear the highest bits of `bits` first
#else
  return nibbles >> (bits & 31) | nibbles << (-bits & 31);
#endif
}
//! The lowest bytes of four numbers.
UPSWEEP_HD inline std::uint32_t four_bytes(std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t d) {
  return chosen_bytes(chosen_bytes(a, b, 0x40), chosen_bytes(c, d, 0x40), 0x5410);
}
//! Byte k, which is 0 to 7.
UPSWEEP_HD inline std::uint32_t byte_of(std::uint64_t word, int k) {
#if defined(__CUDA_ARCH__)
  return chosen_bytes(static_cast<std::uint32_t>(word), static_cast<std::uint32_t>(word >> 32),
                      static_cast<std::uint32_t>(k)) &
         255;
#else
  return static_cast<std::uint32_t>(word >> 8 * k & 255);
#endif
}
//! The same of a half of a word, where k is a constant.
UPSWEEP_HD inline std::uint32_t byte_of(std::uint32_t half, int k) {
#if defined(__CUDA_ARCH__)
  return __byte_perm(half, 0, 0x4440u | static_cast<std::uint32_t>(k));
#else
  return half >> 8 * k & 255;
#endif
}
UPSWEEP_HD constexpr std::uint64_t joined(std::uint32_t low, std::uint32_t high) {
  return low | std::uint64_t{high} << 32;
}

//! A word of eight times the same byte.
UPSWEEP_HD constexpr std::uint64_t eight_times(std::uint8_t byte) { return byte * 0x0101010101010101u; }
//! The highest bit of every byte that is not zero.
template <class Word>
UPSWEEP_HD constexpr Word nonzero_bytes(Word word) {
  constexpr auto ones = static_cast<Word>(eight_times(1));
  return (((word & 127 * ones) + 127 * ones) | word) & 128 * ones;
}
//! The highest bits of four bytes, side by side, with `bits` above them.
UPSWEEP_HD inline std::uint32_t before_highest_bits(std::uint32_t bits, std::uint32_t four) {
  const std::uint32_t side_by_side = (four & 0x80808080u) * 0x00204081u;  // in the highest bits
#if defined(__CUDA_ARCH__)
  return __funnelshift_l(side_by_side, bits, 4);
#else
  return bits << 4 | side_by_side >> 28;
#endif
}
//! A number of which the compiler of a device shall not know how it was made, and compute it anew.
UPSWEEP_HD inline std::uint32_t opaque(std::uint32_t number) {
#if defined(__CUDA_ARCH__)
  asm volatile("" : "+r"(number));
#endif
  return number;
}
UPSWEEP_HD constexpr index_t max_of(index_t a, index_t b) { return a > b ? a : b; }
UPSWEEP_HD inline int count_bits(std::uint32_t bits) {
#if defined(__CUDA_ARCH__)
  return __popc(bits);
#else
  return std::popcount(bits);
#endif
}
//! The lowest bit that is set, or the highest one; of a number that is not zero.
UPSWEEP_HD inline int lowest_bit(std::uint32_t bits) {
#if defined(__CUDA_ARCH__)
  return __ffs(static_cast<int>(bits)) - 1;
#else
  return std::countr_zero(bits);
#endif
}
UPSWEEP_HD inline int highest_bit(std::uint32_t bits) {
#if defined(__CUDA_ARCH__)
  return 31 - __clz(static_cast<int>(bits));
#else
  return 31 - std::countl_zero(bits);
#endif
}

}  // namespace UPSWEEP_NAMESPACE::detail

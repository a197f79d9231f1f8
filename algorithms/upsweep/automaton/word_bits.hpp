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
UPSWEEP_HD constexpr std::uint32_t from_nibble(std::uint32_t nibbles, std::uint32_t place) {
  const std::uint32_t bits = 4 * place;
  return nibbles >> (bits & 31) | nibbles << (-bits & 31);
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
UPSWEEP_HD constexpr std::uint64_t nonzero_bytes(std::uint64_t word) {
  return (((word & eight_times(127)) + eight_times(127)) | word) & eight_times(128);
}
//! The highest bits of the bytes, side by side: from there on numbers of 32 bits will do.
UPSWEEP_HD constexpr std::uint32_t highest_bits(std::uint64_t word) {
  constexpr std::uint32_t ones = 0x01010101u, side_by_side = 0x10204080u;
  const std::uint32_t low = static_cast<std::uint32_t>(word >> 7) & ones,
                      high = static_cast<std::uint32_t>(word >> 39) & ones;
  return (low * side_by_side) >> 28 | (high * side_by_side) >> 28 << 4;
}
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

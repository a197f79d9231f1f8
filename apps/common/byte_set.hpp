// Text eight bytes at a time: a word's bytes, and sets of them. A set is a word with the lowest bit of each byte that
// is in it (Warren, Hacker's Delight, 6-1; the test for zero bytes is the exact one, without carries from byte to
// byte).
#pragma once
#include <bit>
#include <cstdint>

#include <upsweep/config.hpp>

namespace app::byte_set {

using word = std::uint64_t;  // the first byte is in the lowest bits
static_assert(std::endian::native == std::endian::little);
constexpr word ones = 0x0101010101010101;

//! The bytes of `text` that are `c`.
UPSWEEP_HD constexpr word equal(word text, char c) {
  constexpr word low = 0x7f * ones;
  const word differ = text ^ ones * static_cast<unsigned char>(c);
  return ~(((differ & low) + low) | differ | low) >> 7;
}
//! The bytes of `text` in [from, to], both of them ASCII.
UPSWEEP_HD constexpr word between(word text, char from, char to) {
  constexpr word high = 0x80 * ones;
  const word low = text & ~high;  // sums of bytes below 0x80 do not carry over
  const word at_least = low + ones * static_cast<unsigned>(0x80 - from);
  const word above = low + ones * static_cast<unsigned>(0x7f - to);
  return (at_least & ~above & ~text & high) >> 7;
}
//! The bytes of `text` outside of ASCII.
UPSWEEP_HD constexpr word beyond_ascii(word text) { return text >> 7 & ones; }
//! All bits of the bytes of a set.
UPSWEEP_HD constexpr word filled(word set) { return set * 0xff; }
UPSWEEP_HD constexpr int count(word set) { return static_cast<int>(set * ones >> 56); }
UPSWEEP_HD constexpr word first(word set) { return set & (0 - set); }
UPSWEEP_HD constexpr word without_first(word set) { return set & (set - 1); }

// Of a set of one byte: its number in the word; all bits up to it; all bits of the bytes behind it.
UPSWEEP_HD constexpr int number(word byte) { return count((byte - 1) & ones); }
UPSWEEP_HD constexpr word up_to(word byte) { return byte | (byte - 1); }
UPSWEEP_HD constexpr word behind(word byte) { return 0 - (byte << 8); }

//! The bytes up to the last one of a set.
UPSWEEP_HD constexpr word up_to_last(word set) {
  set |= set >> 8;
  set |= set >> 16;
  return set | set >> 32;
}

}  // namespace app::byte_set

// A key with a radix_key of its own, of whose image only the lowest bits count that its width says.
#pragma once
#include <cstdint>

#include <upsweep/radix_sort.hpp>

namespace test {
struct twelve_bits {
  std::int16_t value;
  friend bool operator<(const twelve_bits& a, const twelve_bits& b) { return a.value < b.value; }
  friend bool operator==(const twelve_bits& a, const twelve_bits& b) { return a.value == b.value; }
};
}  // namespace test

template <>
struct upsweep::radix_key<test::twelve_bits> {
  using bits_type = std::uint16_t;
  static constexpr int width = 12;
  static bits_type image(test::twelve_bits key) { return static_cast<bits_type>(key.value ^ 0x800); }
  static test::twelve_bits key(bits_type image) {
    return {static_cast<std::int16_t>(static_cast<std::int16_t>(image & 0xfff) - 0x800)};
  }
};

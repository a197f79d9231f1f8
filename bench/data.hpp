// What benchmarks run on: random items that are a function of a seed and their index, so that both sides fill in
// parallel.
#pragma once
#include <cstdint>
#include <type_traits>

#include <upsweep/affine.hpp>
#include <upsweep/config.hpp>

namespace bench {

using upsweep::index_t;

//! 64 random bits of item i (splitmix64's finalizer, Steele et al. 2014).
UPSWEEP_HD inline std::uint64_t random_bits(std::uint64_t seed, index_t i) {
  std::uint64_t z = seed + (static_cast<std::uint64_t>(i) + 1) * 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}
//! Integers of all values. Floats are odd multiples of 1/128 in (−1, 1), of mean 0: sums of 2^28 of them are exact in
//! any order, so that results can be compared to the bit.
template <class T>
struct uniform {
  std::uint64_t seed;
  UPSWEEP_HD T operator()(index_t i) const {
    const std::uint64_t bits = random_bits(seed, i) >> 32;
    if constexpr (std::is_floating_point_v<T>) {
      return static_cast<T>(2 * static_cast<int>(bits % 128) - 127) / 128;
    } else {
      return static_cast<T>(bits);
    }
  }
};

//! Floats of all values in [0, 1) that are multiples of 2^−24.
struct unit_floats {
  std::uint64_t seed;
  UPSWEEP_HD float operator()(index_t i) const { return static_cast<float>(random_bits(seed, i) >> 40) * 0x1p-24f; }
};

//! Integers that are the bitwise and of 1 + `further` random words: the more, the lower the entropy (Thearling and
//! Smith 1992).
template <class T>
struct anded {
  std::uint64_t seed;
  int further;
  UPSWEEP_HD T operator()(index_t i) const {
    T bits = uniform<T>{seed}(i);
    for (int k = 1; k <= further; k++) bits &= uniform<T>{seed + static_cast<std::uint64_t>(k) * 0x9e37}(i);
    return bits;
  }
};

//! Levels like a photograph's, of few levels: patches of smooth noise of 256 to 4 pixels, and a grain.
template <class T>
struct natural_levels {
  std::uint64_t seed;
  index_t width;
  UPSWEEP_HD std::uint32_t at(index_t x, index_t y, int octave) const {
    return static_cast<std::uint32_t>(random_bits(seed + static_cast<std::uint64_t>(octave), (y << 32) + x) & 0xff);
  }
  UPSWEEP_HD T operator()(index_t i) const {
    std::uint32_t sum = static_cast<std::uint32_t>(random_bits(~seed, i) & 0x7f) << 4;
    for (int k = 0; k < 4; k++) {  // blends of whole numbers, alike on both sides
      const int shift = 8 - 2 * k;
      const index_t x = i % width >> shift, y = i / width >> shift;
      const auto scale = std::uint32_t{1} << shift;
      const auto right = static_cast<std::uint32_t>(i % width) & (scale - 1);
      const auto down = static_cast<std::uint32_t>(i / width) & (scale - 1);
      const std::uint32_t upper = at(x, y, k) * (scale - right) + at(x + 1, y, k) * right;
      const std::uint32_t lower = at(x, y + 1, k) * (scale - right) + at(x + 1, y + 1, k) * right;
      sum += ((upper * (scale - down) + lower * down) >> (2 * shift)) << (7 - k);
    }
    const std::uint32_t level = sum >> 1;  // below 32,000, and seldom far from 16,000
    return static_cast<T>(sizeof(T) == 1 ? 64 + level / 256 : 16384 + level);
  }
};

//! The same value for every item.
template <class T>
struct constant {
  T value{};
  UPSWEEP_HD T operator()(index_t) const { return value; }
};

//! ±1: long recurrences neither vanish nor overflow, and stay exact.
template <class T>
struct random_sign {
  std::uint64_t seed;
  UPSWEEP_HD T operator()(index_t i) const { return static_cast<T>(random_bits(seed, i) & 1 ? 1 : -1); }
};

//! Maps x ↦ ±x + b.
template <class T>
struct random_maps {
  std::uint64_t seed;
  UPSWEEP_HD upsweep::affine_map<T> operator()(index_t i) const {
    return {random_sign<T>{seed}(i), uniform<T>{~seed}(i)};
  }
};

//! Rotations by random angles up to ±90° (the half-angle formula): the norm of their products is one.
template <class T>
struct random_rotations {
  std::uint64_t seed;
  UPSWEEP_HD upsweep::square<T, 2> operator()(index_t i) const {
    const double t = static_cast<double>(random_bits(seed, i) >> 11) * 0x1p-52 - 1, scale = 1 / (1 + t * t);
    const T cosine = static_cast<T>((1 - t * t) * scale), sine = static_cast<T>(2 * t * scale);
    return {{{cosine, -sine}, {sine, cosine}}};
  }
};

//! One byte an item: 1 for one item in `one_in` on average.
struct random_flags {
  std::uint64_t seed;
  int one_in;
  UPSWEEP_HD std::uint8_t operator()(index_t i) const {
    return random_bits(seed, i) % static_cast<std::uint64_t>(one_in) == 0;
  }
};

//! Segments of random lengths, 1 to 2·mean − 1: one starts in every `mean` items, so that all about them can be
//! computed.
struct random_segments {
  std::uint64_t seed;
  int mean;
  UPSWEEP_HD index_t count(index_t n) const { return (n + mean - 1) / mean; }
  UPSWEEP_HD index_t start(index_t s) const {
    return s == 0 ? 0 : s * mean + static_cast<index_t>(random_bits(seed, s) % static_cast<std::uint64_t>(mean));
  }
};
//! Their heads, one byte an item.
struct heads_of {
  random_segments segments;
  UPSWEEP_HD std::uint8_t operator()(index_t i) const { return segments.start(i / segments.mean) == i; }
};
//! Keys that differ from a segment to the next.
struct keys_of {
  random_segments segments;
  UPSWEEP_HD int operator()(index_t i) const {
    const index_t s = i / segments.mean;  // this segment, or the one before if it starts later
    return static_cast<int>(static_cast<std::uint32_t>(segments.start(s) <= i ? s : s - 1) * 0x9e3779b1u);
  }
};
//! Where they start, and n: count(n) + 1 offsets.
struct offsets_of {
  random_segments segments;
  index_t n;
  UPSWEEP_HD int operator()(index_t s) const {
    const index_t start = segments.start(s);
    return static_cast<int>(start < n ? start : n);
  }
};

}  // namespace bench

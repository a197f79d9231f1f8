// What benchmarks run on: random items that are a function of a seed and their index, so that both sides fill in
// parallel.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>

#include <upsweep/affine.hpp>
#include <upsweep/config.hpp>

#include "../apps/common/random_bits.hpp"

namespace bench {

using upsweep::index_t;

using app::random_bits;
//! In (0, 1).
UPSWEEP_HD inline double unit(std::uint64_t seed, index_t i) {
  return (static_cast<double>(random_bits(seed, i) >> 12) + 0.5) * 0x1p-52;
}
//! The 8 bytes from i on, as many as there are.
inline std::uint64_t word_at(std::span<const std::byte> bytes, index_t i) {
  std::uint64_t word = 0;
  std::memcpy(&word, bytes.data() + i, std::min<std::size_t>(8, bytes.size() - static_cast<std::size_t>(i)));
  return word;
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

//! An item of 16 bytes: a number that decides, and what belongs to it.
struct numbered {
  std::uint64_t number, further;
  numbered() = default;
  UPSWEEP_HD explicit numbered(std::uint64_t of) : number(of), further(~of) {}
  UPSWEEP_HD bool operator<(const numbered& other) const { return number < other.number; }
  UPSWEEP_HD bool operator==(const numbered& other) const { return number == other.number && further == other.further; }
};
template <class T>
inline constexpr int bits_of_number = 8 * sizeof(T);
template <>
inline constexpr int bits_of_number<numbered> = 64;
//! Unsigned integers of all values, of 64 bits too, and `numbered`.
template <class T>
struct all_numbers {
  std::uint64_t seed;
  UPSWEEP_HD T operator()(index_t i) const { return static_cast<T>(random_bits(seed, i) >> (64 - bits_of_number<T>)); }
};
//! Keeps such a share of those, less than all.
template <class T>
struct less_than {
  T limit;
  explicit less_than(double share)
      : limit(static_cast<T>(static_cast<std::uint64_t>(std::ldexp(share, bits_of_number<T>)))) {}
  UPSWEEP_HD bool operator()(const T& x) const { return x < limit; }
};

//! Numbers of all values in [0, 1) that are multiples of 2^−24 (float) or odd ones of 2^−53 (double). Their sums round.
template <class T>
struct unit_numbers {
  std::uint64_t seed;
  UPSWEEP_HD T operator()(index_t i) const {
    if constexpr (std::is_same_v<T, float>) return static_cast<float>(random_bits(seed, i) >> 40) * 0x1p-24f;
    else return unit(seed, i);
  }
};
//! The same where T is one of them; others are never rounded.
template <class T>
auto rounding_numbers(std::uint64_t seed) {
  if constexpr (std::is_floating_point_v<T>) return unit_numbers<T>{seed};
  else return uniform<T>{seed};
}

//! What keys may look like. Each is a function of its index, as all data here are.
enum class keys_like { random, ascending, descending, equal, few, nearly_sorted, zipf, hashed, normal, stamps, anded };
struct kind_of_keys {
  const char* name;
  keys_like like;
  int further = 0;  // of and-ed words: how many words more than one
};
template <class T>
struct keys_that_are {
  kind_of_keys kind;
  std::uint64_t seed;
  index_t n;

  //! By Zipf's law: rank r of a million, exponent 1.
  UPSWEEP_HD double rank(index_t i) const { return exp(unit(seed, i) * 13.815510557964274); }
  UPSWEEP_HD T operator()(index_t i) const {
    const std::uint64_t bits = random_bits(seed, i);
    switch (kind.like) {
      case keys_like::ascending:
        return static_cast<T>(i);
      case keys_like::descending:
        return static_cast<T>(n - i);
      case keys_like::equal:
        return static_cast<T>(77);
      case keys_like::few:
        return static_cast<T>(bits % 16 * 1000003);
      case keys_like::nearly_sorted:  // one of a hundred stands anywhere
        return static_cast<T>(bits % 100 == 0 ? (bits >> 16) % static_cast<std::uint64_t>(n) : i);
      case keys_like::zipf:  // what is frequent is small
        return static_cast<T>(rank(i));
      case keys_like::hashed:  // what is frequent lies anywhere, as words' numbers do, or hashes
        return static_cast<T>(random_bits(~seed, static_cast<index_t>(rank(i))));
      case keys_like::normal:  // Box and Muller 1958
        return static_cast<T>(sqrt(-2 * log(unit(seed, i))) * cos(6.283185307179586 * unit(seed, i + n)) *
                              (std::is_integral_v<T> ? 0x1p24 : 1.));
      case keys_like::stamps:  // microseconds of a day's events, as they arrive: a second late at most
        return static_cast<T>(1790000000000000 + static_cast<std::int64_t>(i) * 86400000000 / n +
                              static_cast<std::int64_t>(bits % 1000000));
      case keys_like::anded: {
        std::uint64_t all = bits;
        for (int k = 1; k <= kind.further; k++) all &= random_bits(seed + static_cast<std::uint64_t>(k) * 0x9e37, i);
        return static_cast<T>(all);
      }
      default:
        return static_cast<T>(bits);
    }
  }
};
inline constexpr kind_of_keys random_kind{"", keys_like::random};
//! All but random ones, for integers of 32 bits.
inline constexpr kind_of_keys kinds_of_words[] = {
    {"_sorted", keys_like::ascending},
    {"_reversed", keys_like::descending},
    {"_equal", keys_like::equal},
    {"_few_distinct", keys_like::few},
    {"_nearly_sorted", keys_like::nearly_sorted},
    {"_zipf", keys_like::zipf},
    {"_scattered_zipf", keys_like::hashed},
    {"_and_of_2", keys_like::anded, 1},
    {"_and_of_3", keys_like::anded, 2},
    {"_and_of_4", keys_like::anded, 3},
    {"_and_of_5", keys_like::anded, 4},
};

//! `Words` words of 64 bits, compared by the first.
template <int Words>
struct record {
  std::uint64_t key, rest[Words - 1];
  friend bool operator==(const record&, const record&) = default;
};
template <int Words>
struct make_record {
  std::uint64_t seed, distinct;  // how many keys; 0: random ones of 64 bits
  UPSWEEP_HD record<Words> operator()(index_t i) const {
    const std::uint64_t bits = random_bits(seed, i);
    return {distinct ? bits % distinct : bits, {static_cast<std::uint64_t>(i)}};
  }
};
struct by_key_of_record {
  template <class T>
  UPSWEEP_HD bool operator()(const T& a, const T& b) const {
    return a.key < b.key;
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

template <class T>
struct item_of {
  const T* items;
  UPSWEEP_HD T operator()(index_t i) const { return items[i]; }
};

//! ±1: long recurrences neither vanish nor overflow, and stay exact.
template <class T>
struct random_sign {
  std::uint64_t seed;
  UPSWEEP_HD T operator()(index_t i) const { return static_cast<T>(random_bits(seed, i) & 1 ? 1 : -1); }
};

//! Maps x ↦ ±x + b, of terms whose sums are exact or of such as round.
template <class T, template <class> class Terms = uniform>
struct random_maps {
  std::uint64_t seed;
  UPSWEEP_HD upsweep::affine_map<T> operator()(index_t i) const {
    return {random_sign<T>{seed}(i), Terms<T>{~seed}(i)};
  }
};

//! The eight symmetries of a square: products of them are exact, and depend on their order.
template <class T>
struct random_symmetries {
  std::uint64_t seed;
  UPSWEEP_HD upsweep::square<T, 2> operator()(index_t i) const {
    const auto bits = static_cast<int>(random_bits(seed, i) & 7), quarters = bits & 3;
    const T cosine = static_cast<T>((quarters == 0) - (quarters == 2));
    const T sine = static_cast<T>((quarters == 1) - (quarters == 3)), flip = static_cast<T>(bits & 4 ? -1 : 1);
    return {{{cosine, -sine * flip}, {sine, cosine * flip}}};
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
//! The numbers of their items' segments.
struct numbers_of {
  random_segments segments;
  UPSWEEP_HD int operator()(index_t i) const {
    const index_t s = i / segments.mean;  // this segment, or the one before if it starts later
    return static_cast<int>(segments.start(s) <= i ? s : s - 1);
  }
};
//! Keys that differ from a segment to the next.
template <class T>
struct keys_of {
  random_segments segments;
  UPSWEEP_HD T operator()(index_t i) const {
    return static_cast<T>(static_cast<std::uint32_t>(numbers_of{segments}(i)) * 0x9e3779b1u);
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

// Values that tests scan: of every size, none of them commutative, and some that notice when a monoid meets what it was
// not given.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include <upsweep/affine.hpp>
#include <upsweep/config.hpp>
#include <upsweep/monoid.hpp>

#include "support.hpp"

namespace test {

// ---------------------------------------------------------------- traps
//! Counts in memory of the executor's, from any thread.
UPSWEEP_HD inline void count_up(std::uint32_t* counter) {
#if defined(__CUDA_ARCH__)
  atomicAdd(counter, 1u);
#else
  __atomic_fetch_add(counter, 1u, __ATOMIC_RELAXED);
#endif
}

//! A counter that user functions count up when something is wrong. Lives where the executor works.
class trap {
 public:
  template <class Executor>
  explicit trap(Executor& executor) : counter_(executor, std::vector<std::uint32_t>{0}) {}
  std::uint32_t* counter() { return counter_.data(); }
  template <class Executor>
  bool sprung(Executor& executor) const {
    return counter_.to_vector(executor)[0] != 0;
  }

 private:
  upsweep::buffer<std::uint32_t> counter_;
};

//! The positions [begin, end) that a value stands for, and seals in every other word: memory that was not given is no
//! interval.
template <int Bytes, int Alignment = 4>
struct alignas(Alignment) interval {
  static_assert(Bytes % 4 == 0 && Bytes >= 8);
  std::uint32_t word[Bytes / 4];

  UPSWEEP_HD static std::uint32_t seal(std::uint32_t begin, std::uint32_t end, int k) {
    return (begin * 0x9E3779B1u ^ end * 0x85EBCA77u) + static_cast<std::uint32_t>(k) * 0xC2B2AE3Du;
  }
  UPSWEEP_HD static interval of(std::uint32_t begin, std::uint32_t end) {
    interval result;
    result.word[0] = begin;
    result.word[1] = end;
    for (int k = 2; k < Bytes / 4; k++) result.word[k] = seal(begin, end, k);
    return result;
  }
  UPSWEEP_HD bool is_genuine() const {
    bool genuine = word[0] < word[1];
    for (int k = 2; k < Bytes / 4; k++) genuine &= word[k] == seal(word[0], word[1], k);
    return genuine;
  }
  friend bool operator==(const interval&, const interval&) = default;
};

//! Joins neighbouring intervals; springs the trap on anything else: garbage, the identity, a wrong order, a gap.
template <class Interval>
struct join {
  using value_type = Interval;
  std::uint32_t* trap;
  bool reversed = false;
  UPSWEEP_HD Interval identity() const { return Interval::of(~0u, ~0u); }
  UPSWEEP_HD Interval operator()(const Interval& earlier, const Interval& later) const {
    const std::uint32_t gap = reversed ? earlier.word[0] ^ later.word[1] : earlier.word[1] ^ later.word[0];
    if (gap != 0 || !earlier.is_genuine() || !later.is_genuine()) count_up(trap);
    return reversed ? Interval::of(later.word[0], earlier.word[1]) : Interval::of(earlier.word[0], later.word[1]);
  }
};

//! Item i stands for [i, i + 1).
template <class Interval>
std::vector<Interval> unit_intervals(index_t n) {
  std::vector<Interval> items(static_cast<std::size_t>(n));
  for (std::size_t i = 0; i < items.size(); i++)
    items[i] = Interval::of(static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(i + 1));
  return items;
}

// ---------------------------------------------------------------- small values
//! 1 byte: a map of four states to four states, two bits each; composition, the earlier one first.
struct compose_states {
  using value_type = std::uint8_t;
  UPSWEEP_HD std::uint8_t identity() const { return 0b11'10'01'00; }
  UPSWEEP_HD std::uint8_t operator()(std::uint8_t earlier, std::uint8_t later) const {
    int result = 0;
    for (int state = 0; state < 4; state++) {
      const int between = earlier >> 2 * state & 3;
      result |= (later >> 2 * between & 3) << 2 * state;
    }
    return static_cast<std::uint8_t>(result);
  }
};

//! 3 bytes: upper triangular matrices [[a, b], [0, c]] mod 256.
struct triangle {
  std::uint8_t a, b, c;
  friend bool operator==(const triangle&, const triangle&) = default;
};
struct multiply_triangles {
  using value_type = triangle;
  UPSWEEP_HD triangle identity() const { return {1, 0, 1}; }
  UPSWEEP_HD triangle operator()(const triangle& earlier, const triangle& later) const {
    return {static_cast<std::uint8_t>(earlier.a * later.a),
            static_cast<std::uint8_t>(earlier.a * later.b + earlier.b * later.c),
            static_cast<std::uint8_t>(earlier.c * later.c)};
  }
};

// ---------------------------------------------------------------- strings
//! A string's first and last characters and its length: concatenation, bounded.
struct bounded_string {
  static constexpr int kept = 10;
  std::uint32_t length;
  char first[kept], last[kept];  // the last ones end at last[kept − 1]; unused characters are 0
  friend bool operator==(const bounded_string&, const bounded_string&) = default;
};
struct concatenate {
  using value_type = bounded_string;
  UPSWEEP_HD bounded_string identity() const { return {}; }
  UPSWEEP_HD bounded_string operator()(const bounded_string& earlier, const bounded_string& later) const {
    constexpr int kept = bounded_string::kept;
    bounded_string result;
    result.length = earlier.length + later.length;
    for (int k = 0; k < kept; k++) {
      const bool in_earlier = static_cast<std::uint32_t>(k) < earlier.length;
      const int in_later = in_earlier ? 0 : k - static_cast<int>(earlier.length);
      result.first[k] = in_earlier ? earlier.first[k] : later.first[in_later];
    }
    for (int k = 0; k < kept; k++) {  // the k-th from the right
      const bool in_later = static_cast<std::uint32_t>(k) < later.length;
      const int in_earlier = in_later ? 0 : k - static_cast<int>(later.length);
      result.last[kept - 1 - k] = in_later ? later.last[kept - 1 - k] : earlier.last[kept - 1 - in_earlier];
    }
    return result;
  }
};
inline bounded_string character(char c) {
  bounded_string result{1, {}, {}};
  result.first[0] = result.last[bounded_string::kept - 1] = c;
  return result;
}

//! A polynomial hash of a string, and the base's power to its length, mod 2^64: tells all orders of concatenation
//! apart.
struct string_hash {
  std::uint64_t hash, power;
  friend bool operator==(const string_hash&, const string_hash&) = default;
};
struct concatenate_hashes {
  using value_type = string_hash;
  UPSWEEP_HD string_hash identity() const { return {0, 1}; }
  UPSWEEP_HD string_hash operator()(const string_hash& earlier, const string_hash& later) const {
    return {earlier.hash * later.power + later.hash, earlier.power * later.power};
  }
};

// ---------------------------------------------------------------- affine maps
using map32 = upsweep::affine_map<std::uint32_t>;
using compose32 = upsweep::affine<std::uint32_t>;

//! Random affine maps mod 2^32: the non-commutative values of most tests.
inline std::vector<map32> random_maps(index_t n, std::uint64_t stream = 0) {
  return generate(
      n,
      [](generator& random) {
        return map32{static_cast<std::uint32_t>(random()) | 1, static_cast<std::uint32_t>(random())};
      },
      stream);
}

}  // namespace test

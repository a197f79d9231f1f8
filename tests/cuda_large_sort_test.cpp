// Sorts of more than 2^31 and 2^32 keys, checked on the device: every key is the one that a sorted sequence has there.
#include <cstdint>

#include <cuda_runtime.h>

#include <upsweep/quicksort.hpp>
#include <upsweep/radix_sort.hpp>

#include "cuda_support.hpp"
#include "support.hpp"

using upsweep::buffer;
using upsweep::index_t;

namespace {
// The lowest 11 bits of i times an odd number take each value once in 2048 items.
struct scattered_byte {
  UPSWEEP_HD std::uint8_t operator()(index_t i) const {
    return static_cast<std::uint8_t>((static_cast<std::uint64_t>(i) * 0x9e3779b97f4a7c15u) >> 3);
  }
};
// n scattered bytes in order.
struct sorted_byte {
  index_t ends[256];  // where the run of each value ends
  UPSWEEP_HD std::uint8_t operator()(index_t i) const {
    int value = 0;
    for (int half = 128; half > 0; half /= 2)
      if (ends[value + half - 1] <= i) value += half;
    return static_cast<std::uint8_t>(value);
  }
};
sorted_byte sorted_bytes(index_t n) {
  constexpr index_t period = 2048;
  sorted_byte result{};
  for (index_t i = 0; i < period; i++) result.ends[scattered_byte{}(i)] += n / period + (i < n % period ? 1 : 0);
  for (int value = 1; value < 256; value++) result.ends[value] += result.ends[value - 1];
  return result;
}

constexpr index_t words = (index_t{1} << 31) + 5;
struct scattered_word {  // 0, 1, … words − 1 in another order
  UPSWEEP_HD std::uint32_t operator()(index_t i) const {
    constexpr std::uint64_t factor = 1'299'709;  // a prime that does not divide `words`
    return static_cast<std::uint32_t>(static_cast<std::uint64_t>(i) * factor % static_cast<std::uint64_t>(words));
  }
};
static_assert(words % 1'299'709 != 0);
struct own_position {
  UPSWEEP_HD std::uint32_t operator()(index_t i) const { return static_cast<std::uint32_t>(i); }
};
// n numbers all over 32 bits, in a scattered order and in order.
struct spread_in_order {
  index_t n;
  UPSWEEP_HD std::uint32_t operator()(index_t i) const {
    return static_cast<std::uint32_t>((static_cast<std::uint64_t>(i) << 32) / static_cast<std::uint64_t>(n));
  }
};
struct spread_word {
  index_t n;
  UPSWEEP_HD std::uint32_t operator()(index_t i) const {
    constexpr std::uint64_t factor = 1'299'709;  // a prime that does not divide n
    return spread_in_order{n}(
        static_cast<index_t>(static_cast<std::uint64_t>(i) * factor % static_cast<std::uint64_t>(n)));
  }
};
// The same with a run of one value, then keys of which units have a few values, then some more, in the same order.
UPSWEEP_HD std::uint32_t crowded(std::uint32_t key) {
  if (key < 0x1000'0000) return 7;
  return key < 0x8000'0000 ? key & ~0xfffu : key & ~0x1ffu;
}
struct crowded_in_order {
  index_t n;
  UPSWEEP_HD std::uint32_t operator()(index_t i) const { return crowded(spread_in_order{n}(i)); }
};
struct crowded_word {
  index_t n;
  UPSWEEP_HD std::uint32_t operator()(index_t i) const { return crowded(spread_word{n}(i)); }
};
}  // namespace

TEST_CASE("2^32 + 17 bytes are sorted") {
  constexpr index_t n = (index_t{1} << 32) + 17;
  if (test::without_device()) return;
  if (test::without_memory_of(14)) return;
  upsweep::device executor;
  buffer<std::uint8_t> keys(executor, n);
  test::fill(executor.stream(), keys.data(), n, scattered_byte{});
  upsweep::radix_sort(executor, keys);
  test::check_on_device(executor, keys.data(), n, sorted_bytes(n));
}

TEST_CASE("2^31 + 5 keys of 32 bits are sorted") {
  if (test::without_device()) return;
  if (test::without_memory_of(26)) return;
  upsweep::device executor;
  buffer<std::uint32_t> keys(executor, words), sorted(executor, words);
  test::fill(executor.stream(), keys.data(), words, scattered_word{});
  upsweep::radix_sort(executor, keys, sorted);
  test::check_on_device(executor, sorted.data(), words, own_position{});
}

// Two rounds leave them in units of their own size, a third where they are too many.
TEST_CASE("keys that are too many for the usual units are sorted") {
  if (test::without_device()) return;
  if (test::without_memory_of(8)) return;
  upsweep::device executor;
  for (const index_t n : {(index_t{1} << 28) + 1, index_t{290'805'078}, index_t{5} << 26, index_t{1} << 29}) {
    buffer<std::uint32_t> keys(executor, n);
    test::fill(executor.stream(), keys.data(), n, spread_word{n});
    upsweep::radix_sort(executor, keys);
    test::check_on_device(executor, keys.data(), n, spread_in_order{n});
    test::fill(executor.stream(), keys.data(), n, crowded_word{n});
    upsweep::radix_sort(executor, keys);
    test::check_on_device(executor, keys.data(), n, crowded_in_order{n});
  }
}

TEST_CASE("2^31 + 5 words are sorted by a comparator") {
  if (test::without_device()) return;
  if (test::without_memory_of(24)) return;
  upsweep::device executor;
  buffer<std::uint32_t> items(executor, words);
  test::fill(executor.stream(), items.data(), words, scattered_word{});
  upsweep::quicksort(executor, items);
  test::check_on_device(executor, items.data(), words, own_position{});
}

// Keys alone that agree in all but their last 16 bits where a split leaves them, and are sorted by counting
// (counting_sort.hpp): segments of every size, parts of them, counters that come to 2^15 and are lifted. What is
// checked against is the same keys sorted with values, which are never counted.
#include <cstdint>

#include <upsweep/buffer.hpp>
#include <upsweep/radix_sort.hpp>

#include "../apps/common/random_bits.hpp"
#include "cuda_support.hpp"
#include "support.hpp"

using upsweep::buffer;
using upsweep::index_t;

namespace {
enum class keys_like {
  five_segments,
  exact,
  exact_of_one_value,
  halving,
  heavy,
  extremes,
  whole,
  few,
  full_counters,
  ands_of_two,
  ands_of_four
};
constexpr int kinds = 11;

UPSWEEP_HD std::uint32_t bits_of(index_t i) { return static_cast<std::uint32_t>(app::random_bits(0, i) >> 32); }
//! Which of segments of n/2, n/4, n/8 … keys.
UPSWEEP_HD std::uint32_t halving_segment(std::uint32_t bits) {
  std::uint32_t segment = 0;
  while (segment < 20 && (bits >> segment & 1)) segment++;
  return segment;
}
//! Segments of just so many keys, in no order, the first ten of one first digit; the other keys are elsewhere.
UPSWEEP_HD std::uint32_t exact_segment(index_t i, std::uint32_t value, std::uint32_t others) {
  constexpr std::uint32_t lengths[] = {4992, 4993, 8191, 8192, 8193, 32767, 32768, 65535, 65536, 65537};
  auto place = static_cast<std::uint32_t>(i) * 0x9e37'79b1u & 0xff'ffffu;  // each below 2^24 once
  for (std::uint32_t segment = 0; segment < 20 && i < 1 << 24; segment++) {
    if (place < lengths[segment % 10]) return (segment < 10 ? 0x100 + segment : segment << 8) << 16 | value;
    place -= lengths[segment % 10];
  }
  return others | 0x8000'0000u;
}
UPSWEEP_HD std::uint32_t key_like(keys_like kind, index_t i, index_t n) {
  const std::uint32_t bits = bits_of(i), more = bits_of(i + n), value = more & 0xffff;
  const std::uint32_t segment = halving_segment(bits) * 0x0761'0000;
  switch (kind) {
    case keys_like::five_segments:
      return bits % 5 << 20 | value;
    case keys_like::exact:
      return exact_segment(i, value, bits);
    case keys_like::exact_of_one_value:
      return exact_segment(i, 0xffff, bits);
    case keys_like::halving:
      return segment | value;
    case keys_like::heavy:  // 15 of 16 are one value
      return segment | (more >> 28 ? 0xffffu - bits_of(segment) % 77 : value);
    case keys_like::extremes:
      return segment | (more & 1 ? 0xffffu : 0);
    case keys_like::whole:
      return value;
    case keys_like::few:  // of less than a row of counters, too
      return bits >> 31 ? 0x1234'5678u + more % 3 : 0xfeed'0000u + more % 300;
    case keys_like::full_counters: {  // 2^15 of each value, four values a segment, in no order
      const auto place = static_cast<std::uint32_t>(i) * 0x9e37'79b1u & 0x3f'ffffu;
      return i < 1 << 22 ? place >> 17 << 16 | (place >> 15 & 3) * 0x5555u : bits;
    }
    case keys_like::ands_of_two:
      return bits & more;
    default:
      return bits & more & bits_of(i + 2 * n) & bits_of(i + 3 * n);
  }
}
//! Keys of other types whose last 16 bits are those of a key_like: in 64 bits the others lie far above them.
template <class T>
struct keys_of {
  keys_like kind;
  index_t n;
  UPSWEEP_HD T operator()(index_t i) const {
    const std::uint32_t key = key_like(kind, i, n);
    if constexpr (sizeof(T) == 8) {
      return static_cast<T>(static_cast<std::uint64_t>(key >> 16) << 40 | (key & 0xffff));
    } else {
      return static_cast<T>(key);
    }
  }
};
struct as_written {
  UPSWEEP_HD std::uint32_t operator()(index_t i) const { return static_cast<std::uint32_t>(i); }
};

template <class T>
void check_kinds(index_t n) {
  upsweep::device executor;
  buffer<T> in(executor, n), expected(executor, n), out(executor, n);
  buffer<std::uint32_t> values(executor, n), moved(executor, n);
  test::fill(executor.stream(), values.data(), n, as_written{});
  for (int number = 0; number < kinds; number += test::sanitized_step(4))
    for (const auto order : {upsweep::sort_order::ascending, upsweep::sort_order::descending}) {
      INFO("n = " << n << ", keys like " << number << ", order " << static_cast<int>(order));
      const upsweep::radix_options options{.order = order};
      test::fill(executor.stream(), in.data(), n, keys_of<T>{static_cast<keys_like>(number), n});
      upsweep::radix_sort_by_key(executor, in, values, expected, moved, options);
      upsweep::radix_sort(executor, in, out, options);
      test::check_on_device(executor, out.data(), n, test::items_of<T>{expected.data()});
      upsweep::radix_sort(executor, in, options);
      test::check_on_device(executor, in.data(), n, test::items_of<T>{expected.data()});
    }
}
}  // namespace

TEST_CASE("keys that differ in their last bits alone are sorted by their counts") {
  if (test::without_device()) return;
  if (test::without_memory_of(2)) return;
  for (const index_t n : {(index_t{1} << 24) - 1, index_t{1} << 24, (index_t{1} << 24) + 3})
    check_kinds<std::uint32_t>(n);
  check_kinds<std::uint64_t>((index_t{1} << 24) + 2);
}
TEST_CASE("segments of all sizes are sorted by their counts, long ones in parts") {
  if (test::without_device()) return;
  if (test::without_memory_of(6)) return;
  check_kinds<std::uint32_t>((index_t{1} << 25) + 12'345);
  check_kinds<std::uint32_t>((index_t{1} << (test::sanitized_step(2) == 1 ? 27 : 25)) + 7);
}
TEST_CASE("a captured sort counts what each replay finds") {
  if (test::without_device()) return;
  if (test::without_memory_of(2)) return;
  const index_t n = (index_t{1} << 24) + 9;
  const test::stream stream;
  upsweep::device executor(stream);
  buffer<std::uint32_t> in(executor, n), out(executor, n), expected(executor, n), values(executor, n),
      moved(executor, n);
  test::fill(stream, values.data(), n, as_written{});
  upsweep::radix_sort(executor, in, out);  // takes the memory
  test::graph captured(stream);
  upsweep::radix_sort(executor, in, out);
  captured.finish();
  int most_shared = 0;
  MUST(cudaDeviceGetAttribute(&most_shared, cudaDevAttrMaxSharedMemoryPerBlockOptin, executor.ordinal()));
  // A split, counts set to zero, a counting sort, units; without room for counters the first and the last.
  CHECK(captured.nodes().size() == (most_shared >= 160 << 10 ? 4 : 2));
  for (const auto kind : {keys_like::heavy, keys_like::ands_of_four, keys_like::exact}) {
    INFO("keys like " << static_cast<int>(kind));
    test::fill(stream, in.data(), n, keys_of<std::uint32_t>{kind, n});
    upsweep::radix_sort_by_key(executor, in, values, expected, moved);
    captured.replay();
    test::check_on_device(executor, out.data(), n, test::items_of<std::uint32_t>{expected.data()});
  }
}

// Keys that are many enough for samples to say how they are split (by_samples.hpp): crowded, few, far apart. What is
// checked needs no other sort: pairs are in order, equal keys by where they stood, and each key is the one that stood
// there.
#include <cmath>
#include <cstdint>
#include <span>
#include <type_traits>

#include <upsweep/buffer.hpp>
#include <upsweep/radix_sort.hpp>

#include "../apps/common/random_bits.hpp"
#include "cuda_support.hpp"
#include "support.hpp"

using upsweep::buffer;
using upsweep::index_t;

namespace {
enum class keys_like {
  random,
  ascending,
  descending,
  zipf,
  powers,
  few,
  far_apart,
  mostly_equal,
  sparse_bits,
  floats,
  normal,
  borders
};
constexpr int kinds = 12;

UPSWEEP_HD std::uint64_t bits_of(index_t i) { return app::random_bits(0, i); }
UPSWEEP_HD double unit(std::uint64_t bits) { return (static_cast<double>(bits >> 12) + 0.5) * 0x1p-52; }
template <class T>
struct key_like {
  keys_like kind;
  index_t n;
  UPSWEEP_HD T operator()(index_t i) const {
    constexpr int width = 8 * static_cast<int>(sizeof(T));
    const std::uint64_t bits = bits_of(i), more = bits_of(i + n);
    constexpr std::uint64_t most = ~std::uint64_t{0} >> (64 - width);
    std::uint64_t key = bits;
    switch (kind) {
      case keys_like::random:
        break;
      case keys_like::ascending:
        key = static_cast<std::uint64_t>(i);
        break;
      case keys_like::descending:
        key = static_cast<std::uint64_t>(n - i);
        break;
      case keys_like::zipf:
        key = (1u << 20) / (1 + (bits & 0xfffff));
        break;
      case keys_like::powers:
        key = std::uint64_t{1} << bits % static_cast<unsigned>(width);
        break;
      case keys_like::few:
        key = bits % 16 * 1'000'003;
        break;
      case keys_like::far_apart:
        key = i == n / 2 ? most : i == n / 3 ? 0 : 1000 + bits % 300;
        break;
      case keys_like::mostly_equal:
        key = more % 1000 ? most - 12 : bits;
        break;
      case keys_like::sparse_bits:
        key = bits & more & bits_of(i + 2 * n);
        break;
      case keys_like::floats: {  // exponents that grow rarer downwards
        const int exponent = 127 - static_cast<int>(more % 64 < 32 ? 1 : more % 64 < 48 ? 2 : 3 + more % 8);
        key = (static_cast<std::uint64_t>(exponent) << 23 | (bits >> 41)) << (width - 32);
        break;
      }
      case keys_like::normal: {  // floats as they are ordered (Box and Muller 1958)
        using F = std::conditional_t<width == 64, double, float>;
        const double radius = sqrt(-2 * log(unit(bits)));
        return static_cast<T>(
            upsweep::detail::float_key<F>::image(static_cast<F>(radius * cos(6.283185307179586 * unit(more)))));
      }
      case keys_like::borders: {  // at borders of 2^13 cells, fewer and fewer, counted from a lowest key that many are
        const std::uint64_t cell = (bits & 0x7fff) * (more & 0x7fff) >> 17, lowest = std::uint64_t{1} << (width - 2);
        key = lowest + (cell == 0 || more >> 60 == 0 ? 0 : (cell << (width - 15)) + (bits >> 40) % 3 - 1);
        break;
      }
    }
    return static_cast<T>(key);
  }
};

//! Is place i of a stable sort's pairs, of keys and where they stood, as it should be?
template <class T>
struct is_right {
  const T *in, *keys;
  const std::uint32_t* from;
  index_t n;
  bool descends;
  UPSWEEP_HD bool operator()(index_t i) const {
    if (from[i] >= n || keys[i] != in[from[i]]) return false;
    if (i == 0) return true;
    if (keys[i - 1] == keys[i]) return from[i - 1] < from[i];
    return descends ? keys[i] < keys[i - 1] : keys[i - 1] < keys[i];
  }
};
struct as_written {
  UPSWEEP_HD std::uint32_t operator()(index_t i) const { return static_cast<std::uint32_t>(i); }
};
//! Moved by its index, not with its key.
struct wide {
  std::uint64_t from, others;
};
struct as_written_wide {
  UPSWEEP_HD wide operator()(index_t i) const {
    return {static_cast<std::uint64_t>(i), ~static_cast<std::uint64_t>(i)};
  }
};
struct is_right_wide {
  const std::uint32_t *in, *keys;
  const wide* values;
  index_t n;
  UPSWEEP_HD bool operator()(index_t i) const {
    const std::uint64_t from = values[i].from;
    if (from >= static_cast<std::uint64_t>(n) || values[i].others != ~from || keys[i] != in[from]) return false;
    return i == 0 || keys[i - 1] < keys[i] || (keys[i - 1] == keys[i] && values[i - 1].from < from);
  }
};
struct yes {
  UPSWEEP_HD bool operator()(index_t) const { return true; }
};
template <class T>
struct item_of {
  const T* items;
  UPSWEEP_HD T operator()(index_t i) const { return items[i]; }
};

template <class T>
void check_kinds(index_t n) {
  upsweep::device executor;
  buffer<T> in(executor, n), keys(executor, n), alone(executor, n);
  buffer<std::uint32_t> stood(executor, n), from(executor, n);
  buffer<bool> right(executor, n);
  test::fill(executor.stream(), stood.data(), n, as_written{});
  for (int number = 0; number < kinds; number += test::sanitized_step(5))
    for (const bool descends : {false, true}) {
      const auto kind = static_cast<keys_like>(number);
      INFO("n = " << n << ", keys like " << number << ", descending " << descends);
      const upsweep::radix_options options{.order = descends ? upsweep::sort_order::descending
                                                             : upsweep::sort_order::ascending};
      test::fill(executor.stream(), in.data(), n, key_like<T>{kind, n});
      upsweep::radix_sort_by_key(executor, in, stood, keys, from, options);
      test::fill(executor.stream(), right.data(), n, is_right<T>{in.data(), keys.data(), from.data(), n, descends});
      test::check_on_device(executor, right.data(), n, yes{});
      upsweep::radix_sort(executor, in, alone, options);
      test::check_on_device(executor, alone.data(), n, item_of<T>{keys.data()});
      upsweep::radix_sort(executor, in, options);
      test::check_on_device(executor, in.data(), n, item_of<T>{keys.data()});
    }
}
}  // namespace

TEST_CASE("many keys are sorted however they crowd, equal ones in order") {
  if (test::without_device()) return;
  if (test::without_memory_of(4)) return;
  for (const index_t n : {(index_t{1} << 25) - 1, (index_t{1} << 25) + 77'777}) {
    check_kinds<std::uint32_t>(n);
    check_kinds<std::int32_t>(n);
  }
  check_kinds<std::int64_t>((index_t{1} << 25) + 1);
}
TEST_CASE("crowded keys are sorted that need units of the large size") {
  if (test::without_device()) return;
  if (test::without_memory_of(12)) return;
  check_kinds<std::uint32_t>((index_t{1} << 28) - 5);
}
TEST_CASE("values that are fetched by their index go with crowded keys") {
  if (test::without_device()) return;
  if (test::without_memory_of(4)) return;
  const index_t n = (index_t{1} << 25) + 3;
  upsweep::device executor;
  buffer<std::uint32_t> in(executor, n), keys(executor, n);
  buffer<wide> values(executor, n), sorted(executor, n);
  buffer<bool> right(executor, n);
  test::fill(executor.stream(), values.data(), n, as_written_wide{});
  for (const keys_like kind : {keys_like::random, keys_like::zipf, keys_like::normal}) {
    INFO("keys like " << static_cast<int>(kind));
    test::fill(executor.stream(), in.data(), n, key_like<std::uint32_t>{kind, n});
    upsweep::radix_sort_by_key(executor, in, values, keys, sorted);
    test::fill(executor.stream(), right.data(), n, is_right_wide{in.data(), keys.data(), sorted.data(), n});
    test::check_on_device(executor, right.data(), n, yes{});
  }
}

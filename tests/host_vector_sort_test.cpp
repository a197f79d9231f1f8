// Keys that a host sorts by vector instructions: every size around its networks, inputs that are hard for a quicksort,
// the same bits where the processor has no such instructions; and quicksort's numbers, which are sorted as keys.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <vector>

#include <upsweep/quicksort.hpp>
#include <upsweep/radix_sort.hpp>

#include "narrow_key.hpp"
#include "oracle.hpp"
#include "support.hpp"
#include "vector_widths.hpp"

using oracle::is_less;
using test::any_bits;
using test::check_same_bits;
using test::guarded;
using test::shift_of;
using test::with_any_vectors;
using upsweep::index_t;

namespace {
constexpr upsweep::radix_options descending{.order = upsweep::sort_order::descending};

template <class T>
void check_in_place(const std::vector<T>& keys, const std::vector<T>& expected) {
  upsweep::host executor(1);
  guarded<T> memory(executor, keys, shift_of(oracle::size(keys)));
  upsweep::radix_sort(executor, memory.range());
  check_same_bits(memory.items(executor), expected);
}
template <class T>
void check_every_size() {
  for (index_t n = 0; n < 600; n++) {
    INFO("n = " << n);
    const auto keys = any_bits<T>(n, static_cast<std::uint64_t>(n));
    const auto expected = oracle::stable_sort(keys, is_less{});
    with_any_vectors([&] { check_in_place(keys, expected); });
  }
}

template <class T>
std::vector<T> each(index_t n, const std::function<double(index_t)>& f) {
  std::vector<T> keys(oracle::at(n));
  for (index_t i = 0; i < n; i++) keys[oracle::at(i)] = static_cast<T>(f(i));
  return keys;
}
template <class T>
std::vector<std::vector<T>> hard_inputs(index_t n) {
  constexpr T least = std::numeric_limits<T>::lowest(), most = std::numeric_limits<T>::max();
  const auto size = static_cast<double>(n);
  std::vector<std::vector<T>> all = {
      each<T>(n, [=](index_t i) { return size - static_cast<double>(i); }),
      each<T>(n, [=](index_t i) { return std::min(static_cast<double>(i), size - static_cast<double>(i)); }),
      each<T>(n, [](index_t i) { return i % 2; }),
      each<T>(n, [](index_t i) { return i * 7919 % 16; }),
      each<T>(n, [=](index_t i) { return i == n - 1 ? 0 : 1; }),
      each<T>(n, [](index_t i) { return std::exp2(static_cast<double>(i * 7919 % 31)); }),
      // what is sampled, in eighths, is less than all else
      each<T>(n, [=](index_t i) { return i % std::max<index_t>(n / 8, 1) < 32 ? i % 5 : 1000 + i * 7919 % n; }),
  };
  std::vector<T> extremes(oracle::at(n), most);
  for (std::size_t i = 0; i < extremes.size(); i += 3) extremes[i] = least;
  all.push_back(extremes);
  return all;
}
template <class T>
void check_hard_inputs() {
  for (const index_t n : {100, 1000, 70'001})
    for (const auto& keys : hard_inputs<T>(n)) {
      INFO("n = " << n);
      const auto expected = oracle::stable_sort(keys, is_less{});
      with_any_vectors([&] { check_in_place(keys, expected); });
    }
}
// Four MiB and more are split into eight streams whose bounds are sampled, eight keys at a time.
template <class T>
std::vector<std::vector<T>> many_keys(index_t n) {
  const index_t samples = 8192, step = (n - 8) / samples;
  const auto random = any_bits<T>(n);
  const auto mixed = [&](const std::function<T(index_t, T)>& f) {
    auto keys = random;
    for (index_t i = 0; i < n; i++) keys[oracle::at(i)] = f(i * 7919 % 100, keys[oracle::at(i)]);
    return keys;
  };
  auto unlike_samples = random;
  for (index_t i = 0; i < n; i++)
    if (i % (8 * step) >= 8) unlike_samples[oracle::at(i)] = static_cast<T>(1'000'000'000 + i * 7919 % 1000);
  auto many_equal_samples = unlike_samples;
  for (index_t i = 0; i < n; i++)
    if (i % (8 * step) < 8 && i * 7919 % 100 < 40) many_equal_samples[oracle::at(i)] = T{42};
  return {random,
          unlike_samples,
          many_equal_samples,
          each<T>(n, [](index_t i) { return i * 7919 % 3; }),
          mixed([](index_t percent, T key) { return percent < 40 ? T{42} : key; }),
          mixed([](index_t percent, T key) { return percent < 60 ? std::numeric_limits<T>::max() : key; }),
          mixed([](index_t percent, T key) {
            using limits = std::numeric_limits<T>;
            return percent < 30 ? limits::lowest() : percent < 50 ? T{7} : percent < 70 ? limits::max() : key;
          }),
          each<T>(n, [](index_t i) { return i * 7919 % 100 < 95 ? 1000 : i * 7919 % 997; }),
          each<T>(n, [](index_t i) { return i * 7919 % 100 < 90 ? 0 : i * 7919 % 9973; })};
}
//! Sanitized, by one in so many inputs: of other types nothing but the translation to words is other code.
template <class T>
void check_streams(index_t n, int one_in) {
  for (const auto& keys : test::some_if_sanitized(one_in, many_keys<T>(n))) {
    const auto expected = oracle::stable_sort(keys, is_less{});
    with_any_vectors([&] {
      check_in_place(keys, expected);  // by one thread
      for (const int threads : {3, 1}) {
        if (threads == 1 && test::takes_fewer_cases()) continue;
        std::vector<T> out(keys.size());
        upsweep::radix_sort(upsweep::host(threads), keys, out);
        check_same_bits(out, expected);
      }
    });
  }
}
}  // namespace

TEST_CASE("keys of every size from 0 to 600 are sorted, with vectors and without") {
  check_every_size<std::uint32_t>();
  check_every_size<std::int32_t>();
  check_every_size<float>();
  check_every_size<std::uint64_t>();
  check_every_size<std::int64_t>();
  check_every_size<double>();
  check_every_size<std::int8_t>();
  check_every_size<std::uint16_t>();
}

TEST_CASE("keys are sorted whatever they are, with vectors and without") {
  check_hard_inputs<std::uint32_t>();
  check_hard_inputs<std::int32_t>();
  check_hard_inputs<std::int64_t>();
  check_hard_inputs<float>();
  check_hard_inputs<double>();
}

namespace {
template <class T>
void check_small_keys(const std::vector<T>& keys) {
  const auto up = oracle::stable_sort(keys, is_less{}), down = oracle::stable_sort(keys, oracle::is_greater{});
  with_any_vectors([&] {
    for (const auto order : {upsweep::sort_order::ascending, upsweep::sort_order::descending}) {
      const auto& expected = order == descending.order ? down : up;
      for (const int threads : {1, 3}) {
        upsweep::host executor(threads);
        std::vector<T> out(keys.size());
        upsweep::radix_sort(executor, keys, out, {.order = order});
        check_same_bits(out, expected);
        guarded<T> memory(executor, keys, shift_of(oracle::size(keys)));
        upsweep::radix_sort(executor, memory.range(), {.order = order});
        check_same_bits(memory.items(executor), expected);
      }
    }
  });
}
template <class T>
void check_small_keys() {
  // Two bytes are counted from 131,072 on.
  for (const index_t n : {129, 1000, 131'071, 131'072, 600'011}) {
    INFO("n = " << n << ", " << sizeof(T) << " bytes");
    check_small_keys(any_bits<T>(n));
    check_small_keys(each<T>(n, [=](index_t i) { return i == n / 2 ? 7 : i % 3 * 40; }));
  }
}
}  // namespace

TEST_CASE("keys of one and two bytes are sorted by counting, or as words") {
  check_small_keys<std::uint8_t>();
  check_small_keys<std::int8_t>();
  check_small_keys<std::uint16_t>();
  check_small_keys<std::int16_t>();
}

TEST_CASE("many keys are split into streams, whether they are like their samples or not") {
  check_streams<std::uint32_t>((index_t{1} << 20) + 12'345, 1);
  check_streams<std::int64_t>((index_t{1} << 19) + 12'345, 2);
  check_streams<double>((index_t{1} << 19) + 12'345, 3);
}

TEST_CASE("a stream of many keys is split into streams") {
  const auto keys = any_bits<std::uint32_t>((index_t{9} << 20) / test::sanitized_step(9));
  check_in_place(keys, oracle::stable_sort(keys, is_less{}));
}

namespace {
template <class T>
void check_both_orders(const std::vector<T>& keys) {
  const auto up = oracle::stable_sort(keys, is_less{}), down = oracle::stable_sort(keys, oracle::is_greater{});
  with_any_vectors([&] {
    for (const int threads : {1, 3}) {
      upsweep::host executor(threads);
      std::vector<T> out(keys.size());
      upsweep::radix_sort(executor, keys, out);
      check_same_bits(out, up);
      upsweep::radix_sort(executor, keys, out, descending);
      check_same_bits(out, down);
      out = keys;
      upsweep::radix_sort(executor, out);
      check_same_bits(out, up);
      out = keys;
      upsweep::radix_sort(executor, out, descending);
      check_same_bits(out, down);
    }
  });
}
// Up to 16 or 32 values are counted, from 16,384 keys on. 64 of the keys are looked at first.
template <class T>
void check_few_values() {
  for (const index_t n : {16'384, 50'007}) {
    INFO("n = " << n << ", " << sizeof(T) << " bytes");
    check_both_orders(each<T>(n, [](index_t) { return 7; }));
    for (const int values : {2, 5, 16, 17, 32, 33}) {
      auto keys = each<T>(n, [=](index_t i) { return i * 7919 % values; });
      for (T& key : keys) key -= 2;
      check_both_orders(keys);
    }
    for (const index_t last : {n - 1, n - 100, n / 3})  // seen by nobody before
      check_both_orders(each<T>(n, [=](index_t i) { return i == last ? 50 : i % 3; }));
    for (const int more : {5, 40})  // one after another, each soon forgotten
      check_both_orders(each<T>(n, [=](index_t i) { return i % 2 == 0 ? 0 : i % 1000 == 1 ? i * more / n : 3; }));
  }
}
}  // namespace

TEST_CASE("keys of a few values are counted, wherever a value is first seen") {
  check_few_values<std::uint32_t>();
  check_few_values<std::int64_t>();
  check_few_values<float>();
  check_few_values<double>();
}

TEST_CASE("keys in order are left so by any number of threads, and one that is not is noticed") {
  for (const index_t n : {8192, 8193, 100'007})
    for (const index_t wrong : {index_t{-1}, index_t{8191}, n / 3, 8192 + (n - 8192) * 2 / 3, n - 1})
      for (const bool up : {true, false}) {
        INFO("n = " << n << ", wrong = " << wrong << ", up = " << up);
        check_both_orders(each<std::uint64_t>(n, [=](index_t i) {
          return i == wrong ? (up ? 0 : n) : up ? i + 1 : n - i;
        }));
      }
}

// From 512 to 2^18 keys of 32 bits with values are sorted by their places.
TEST_CASE("values follow their keys, equal ones in order, with vectors and without") {
  for (const index_t n : {511, 512, 5000, 200'003}) {
    INFO("n = " << n);
    const auto keys = each<std::uint32_t>(n, [](index_t i) { return i * 7919 % 1009 * 4'000'000; });
    const auto values = each<double>(n, [](index_t i) { return i; });
    const auto order = oracle::argsort(keys, oracle::is_greater{});
    const auto sorted = oracle::gather(keys, order);
    const auto followed = oracle::gather(values, order);
    with_any_vectors([&] {
      for (const int threads : {1, 3}) {
        upsweep::host executor(threads);
        std::vector<std::uint32_t> keys_out(keys.size());
        std::vector<double> values_out(values.size());
        upsweep::radix_sort_by_key(executor, keys, values, keys_out, values_out, descending);
        CHECK(keys_out == sorted);
        CHECK(values_out == followed);
        keys_out = keys, values_out = values;
        upsweep::radix_sort_by_key(executor, keys_out, values_out, descending);
        CHECK(keys_out == sorted);
        CHECK(values_out == followed);
        std::vector<std::int64_t> places(keys.size());
        upsweep::radix_argsort(executor, keys, places, descending);
        CHECK(places == std::vector<std::int64_t>(order.begin(), order.end()));
        auto by_function = keys;
        upsweep::radix_sort(executor, by_function, [](std::uint32_t key) { return ~key; });
        CHECK(by_function == sorted);
      }
    });
  }
}

TEST_CASE("keys of a width of their own are sorted by it") {
  for (const index_t n : {20, 3000, 600'011}) {
    std::vector<test::twelve_bits> keys(oracle::at(n));
    for (index_t i = 0; i < n; i++) keys[oracle::at(i)].value = static_cast<std::int16_t>(i * 7919 % 4096 - 2048);
    const auto expected = oracle::stable_sort(keys, std::less<>{});
    upsweep::radix_sort(upsweep::host(1), keys);
    CHECK(keys == expected);
  }
}

TEST_CASE("keys of segments are sorted within them, with vectors and without") {
  std::vector<index_t> offsets = {0};
  for (index_t size = 0; size < 400; size++) offsets.push_back(offsets.back() + size);
  const auto keys = any_bits<double>(offsets.back());
  const auto down = oracle::gather(keys, oracle::segmented_argsort(keys, offsets, oracle::is_greater{}));
  with_any_vectors([&] {
    for (const int threads : {1, 3}) {
      upsweep::host executor(threads);
      auto sorted = keys;
      upsweep::segmented_radix_sort(executor, sorted, offsets, descending);
      check_same_bits(sorted, down);
    }
  });
}

// ---------------------------------------------------------------- quicksort of numbers
namespace {
template <class T, class Less>
void check_numbers(const std::vector<T>& items, const Less& less) {
  const auto expected = oracle::stable_sort(items, less);
  test::on_hosts([&](auto& executor) {
    auto sorted = items;
    upsweep::quicksort(executor, sorted, less);
    check_same_bits(sorted, expected);
  });
}
template <class T>
void check_standard_orders() {
  for (const index_t n : {2, 100, 5000, 300'007 / test::sanitized_step(4)}) {
    auto items = any_bits<T>(n);
    if constexpr (std::is_floating_point_v<T>) std::erase_if(items, [](T x) { return std::isnan(x); });
    INFO("n = " << n);
    check_numbers(items, std::less<>{});
    check_numbers(items, std::less<T>{});
    check_numbers(items, std::ranges::less{});
    check_numbers(items, std::greater<>{});
    check_numbers(items, std::greater<T>{});
    check_numbers(items, std::ranges::greater{});
  }
}
}  // namespace

TEST_CASE("quicksort sorts numbers by the standard's comparators") {
  check_standard_orders<char>();
  check_standard_orders<std::uint16_t>();
  check_standard_orders<std::int32_t>();
  check_standard_orders<std::uint64_t>();
  check_standard_orders<float>();
  check_standard_orders<double>();
}

TEST_CASE("quicksort keeps zeros of either sign in order") {
  for (const index_t n : {5, 100, 5000, 300'007}) {
    INFO("n = " << n);
    const auto items = test::generate(n, [](test::generator& random) {
      const double x = static_cast<double>(random.below(3)) - 1;
      return random.below(2) ? x : -x;
    });
    const std::vector<float> floats(items.begin(), items.end());
    check_numbers(items, std::less<>{});
    check_numbers(items, std::greater<>{});
    check_numbers(floats, upsweep::less_than{});
    check_numbers(floats, std::greater<>{});
  }
}

// Radix sort of keys against std::stable_sort: all key types, bit ranges, skew; bad input. (Keys with values:
// radix_sort_pairs_test.cpp.)
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <stdexcept>
#include <vector>

#include <upsweep/radix_sort.hpp>

#include "oracle.hpp"
#include "support.hpp"

using oracle::is_greater;
using oracle::is_less;
using test::any_bits;
using test::check_same_bits;
using test::guarded;
using test::shift_of;
using upsweep::index_t;
using upsweep::radix_options;
using upsweep::sort_order;

namespace {
constexpr radix_options descending{.order = sort_order::descending};

template <class Executor, class T>
void check_keys(Executor& executor, const std::vector<T>& keys) {
  const index_t n = oracle::size(keys);
  const auto up = oracle::stable_sort(keys, is_less{}), down = oracle::stable_sort(keys, is_greater{});
  guarded<T> in(executor, keys, shift_of(n)), out(executor, n, shift_of(n, 1));
  upsweep::radix_sort(executor, in.range(), out.range());
  check_same_bits(out.items(executor), up);
  check_same_bits(in.items(executor), keys);
  upsweep::radix_sort(executor, in.range(), out.range(), descending);
  check_same_bits(out.items(executor), down);
  upsweep::radix_sort(executor, in.range());
  check_same_bits(in.items(executor), up);
  upsweep::radix_sort(executor, out.range(), out.range());
  check_same_bits(out.items(executor), up);
}
}  // namespace

// ---------------------------------------------------------------- keys
TEST_CASE("radix_sort sorts keys of 32 bits, for sizes around every boundary") {
  for (const index_t n : test::sizes()) {
    const auto keys = test::random_integers<std::uint32_t>(n);
    const auto expected = oracle::stable_sort(keys, is_less{});
    test::on_executors(n, [&](auto& executor) {
      guarded<std::uint32_t> in(executor, keys, shift_of(n)), out(executor, n, shift_of(n, 1));
      upsweep::radix_sort(executor, in.range(), out.range());
      check_same_bits(out.items(executor), expected);
      check_same_bits(in.items(executor), keys);
      upsweep::radix_sort(executor, in.range());
      check_same_bits(in.items(executor), expected);
    });
  }
}

TEST_CASE("radix_sort sorts keys of every type, ascending and descending") {
  for (const index_t n : {0, 1, 2, 65, 1025, 4097, 70'001}) {
    test::on_executors(n, [&](auto& executor) {
      check_keys(executor, any_bits<std::uint32_t>(n));
      check_keys(executor, any_bits<std::uint8_t>(n));
      check_keys(executor, any_bits<std::int64_t>(n));
      check_keys(executor, any_bits<float>(n));
      check_keys(executor, any_bits<double>(n));
    });
    test::on_hosts([&](auto& executor) {
      check_keys(executor, any_bits<std::int8_t>(n));
      check_keys(executor, any_bits<std::int16_t>(n));
      check_keys(executor, any_bits<std::uint16_t>(n));
      check_keys(executor, any_bits<std::int32_t>(n));
      check_keys(executor, any_bits<std::uint64_t>(n));
      check_keys(executor, any_bits<long long>(n));
      check_keys(executor, any_bits<char16_t>(n));
    });
  }
}

TEST_CASE("radix_sort sorts bools") {
  for (const index_t n : {1, 100, 5000}) {
    const auto bytes = test::random_integers<std::uint8_t>(n, 2);  // there is no range in a std::vector<bool>
    const auto expected = oracle::stable_sort(bytes, is_greater{});
    test::on_executors(n, [&](auto& executor) {
      guarded<std::uint8_t> memory(executor, bytes);
      const std::span<bool> keys{reinterpret_cast<bool*>(memory.data()), bytes.size()};
      upsweep::radix_sort(executor, keys, descending);
      check_same_bits(memory.items(executor), expected);
    });
  }
}

#if UPSWEEP_HAS_CUDA
namespace {
struct is_less_half {  // by sign and magnitude
  template <class T>
  bool operator()(const T& a, const T& b) const {
    return place(a) < place(b);
  }
  template <class T>
  static int place(const T& key) {
    const auto bits = std::bit_cast<std::uint16_t>(key);
    return bits & 0x8000 ? -1 - (bits & 0x7fff) : bits;
  }
};
template <class T>
void check_half() {
  for (const index_t n : {1, 1025, 70'001}) {
    const auto keys = any_bits<T>(n);
    const auto expected = oracle::stable_sort(keys, is_less_half{});
    test::on_device([&](auto& executor) {
      guarded<T> in(executor, keys);
      upsweep::radix_sort(executor, in.range());
      check_same_bits(in.items(executor), expected);
    });
  }
}
}  // namespace

TEST_CASE("radix_sort sorts half and bfloat16 on the device") {
  check_half<__half>();
  check_half<__nv_bfloat16>();
}
#endif

TEST_CASE("floats are sorted in IEEE's total order: zeros and NaNs by their sign") {
  constexpr float inf = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();
  constexpr float tiny = std::numeric_limits<float>::denorm_min();
  const std::vector<float> sorted = {-nan, -inf, -1e30f, -1.f, -tiny, -0.f, 0.f, tiny, 1.f, 1e30f, inf, nan};
  std::vector<float> shuffled;
  for (std::size_t i = 0; i < sorted.size(); i++) shuffled.push_back(sorted[i * 5 % sorted.size()]);
  test::on_executors([&](auto& executor) {
    guarded<float> keys(executor, shuffled);
    upsweep::radix_sort(executor, keys.range());
    check_same_bits(keys.items(executor), sorted);
    upsweep::radix_sort(executor, keys.range(), descending);
    check_same_bits(keys.items(executor), std::vector<float>(sorted.rbegin(), sorted.rend()));
    guarded<float> with_values(executor, shuffled), values(executor, shuffled);  // by other code on hosts with vectors
    upsweep::radix_sort_by_key(executor, with_values.range(), values.range());
    check_same_bits(with_values.items(executor), sorted);
    check_same_bits(values.items(executor), sorted);
  });
}

TEST_CASE("radix_sort sorts by a range of bits, and keeps the order of all else") {
  constexpr std::array<std::array<int, 2>, 7> ranges = {{{0, 8}, {0, 1}, {3, 14}, {8, 32}, {24, 32}, {31, 32}, {7, 7}}};
  for (const index_t n : {50, 3000, 100'003}) {
    const auto keys = test::random_integers<std::uint32_t>(n);
    for (const auto& range : ranges) {
      const int begin = range[0], end = range[1];
      const auto bits = [=](std::uint32_t key) { return (std::uint64_t{key} >> begin) % (1ull << (end - begin)); };
      const auto up = oracle::stable_sort(keys, [&](auto a, auto b) { return bits(a) < bits(b); });
      const auto down = oracle::stable_sort(keys, [&](auto a, auto b) { return bits(a) > bits(b); });
      INFO("bits " << begin << " to " << end);
      test::on_executors(n, [&](auto& executor) {
        guarded<std::uint32_t> in(executor, keys), out(executor, n);
        radix_options options{.begin_bit = begin, .end_bit = end};
        upsweep::radix_sort(executor, in.range(), out.range(), options);
        check_same_bits(out.items(executor), up);
        options.order = sort_order::descending;
        upsweep::radix_sort(executor, in.range(), options);
        check_same_bits(in.items(executor), down);
      });
    }
  }
}

// ---------------------------------------------------------------- distributions
namespace {
using make_keys = std::function<std::uint32_t(test::generator&, index_t i, index_t n)>;
struct distribution {
  const char* name;
  make_keys make;
};
const std::vector<distribution> distributions = {
    {"sorted", [](auto&, index_t i, index_t) { return static_cast<std::uint32_t>(i * 251); }},
    {"reversed", [](auto&, index_t i, index_t n) { return static_cast<std::uint32_t>((n - i) * 251); }},
    {"all equal", [](auto&, index_t, index_t) { return 0x12345678u; }},
    {"five distinct", [](auto& r, index_t, index_t) { return static_cast<std::uint32_t>(r.below(5) * 0x9e3779b1u); }},
    {"eight distinct, and one more",
     [](auto& r, index_t i, index_t n) {
       return i == n / 2 + 1 ? 77u : static_cast<std::uint32_t>(r.below(8) * 0x9e3779b1u);
     }},
    {"lowest digit only",
     [](auto& r, index_t, index_t) { return static_cast<std::uint32_t>(r.below(256)) | 0xabcd00u; }},
    {"highest digit only", [](auto& r, index_t, index_t) { return static_cast<std::uint32_t>(r.below(256) << 24); }},
    {"geometric", [](auto& r, index_t, index_t) { return static_cast<std::uint32_t>(r()) >> r.below(32); }},
    {"Zipf", [](auto& r, index_t, index_t n) { return static_cast<std::uint32_t>(std::pow(n, r.unit())); }},
    {"Zipf, scattered",
     [](auto& r, index_t, index_t n) { return static_cast<std::uint32_t>(std::pow(n, r.unit())) * 0x9e3779b1u; }},
    {"a frequent value here and there, others near it",
     [](auto& r, index_t, index_t) {
       return static_cast<std::uint32_t>(r.below(20) * 0x9e3779b1u + (r.below(8) == 0 ? r.below(4000) : 0));
     }},
    {"few bits set",
     [](auto& r, index_t, index_t) {
       const std::uint64_t a = r() & r(), b = r() & r();
       return static_cast<std::uint32_t>(a & b & r());
     }},
    {"one outlier",
     [](auto& r, index_t i, index_t n) { return i == n / 3 ? ~0u : static_cast<std::uint32_t>(r() % 4096); }},
};
std::vector<std::uint32_t> keys_of(const distribution& d, index_t n) {
  index_t i = 0;
  return test::generate(n, [&](test::generator& random) { return d.make(random, i++, n); });
}
}  // namespace

TEST_CASE("radix_sort sorts whatever the distribution of keys") {
  if (test::without_executors()) return;
  int number = 0;
  for (const auto& d : distributions) {
    const bool is_large_too = number++ % test::sanitized_step(8) == 0;
    for (const index_t n : {65, 3000, 100'003, 4'198'403}) {
      if (n > test::largest_on_hosts && !is_large_too) continue;
      INFO(d.name);
      const auto keys = keys_of(d, n);
      const auto expected = oracle::stable_sort(keys, is_less{});
      const auto check = [&](auto& executor) {
        guarded<std::uint32_t> in(executor, keys), out(executor, n, 3);
        upsweep::radix_sort(executor, in.range(), out.range());
        check_same_bits(out.items(executor), expected);
        upsweep::radix_sort(executor, in.range());
        check_same_bits(in.items(executor), expected);
      };
      test::on_executors(n, check);
      if (n <= test::largest_on_hosts) continue;
      for (const int threads : {1, 3}) test::on_host(threads, check);  // more than a cache holds
    }
  }
}

#if !UPSWEEP_HAS_CUDA  // hosts are tested by the other program, as test::on_host says
TEST_CASE("a host sorts more than its caches hold when all but one key share their highest digit") {
  const index_t n = (index_t{1} << 24) / test::sanitized_step(4);
  std::vector<std::uint32_t> keys(static_cast<std::size_t>(n) + 1), expected(keys.size());
  for (std::size_t i = 0; i < keys.size(); i++) {
    keys[i] = static_cast<std::uint32_t>(i * 0x9e3779b1u % n);
    expected[i] = static_cast<std::uint32_t>(i);
  }
  keys[n] = keys[5];
  keys[5] = expected[n] = 0xffff0000u;
  for (const int threads : {1, 2}) {
    upsweep::host executor(threads);
    std::vector<std::uint32_t> out(keys.size());
    upsweep::radix_sort(executor, keys, out);
    check_same_bits(out, expected);
  }
}
#endif

// ---------------------------------------------------------------- executors
TEST_CASE("an executor chosen at run time sorts") {
  upsweep::any_executor executor{upsweep::host(2)};
  std::vector<std::uint32_t> keys = {3, 1, 2}, values = {30, 10, 20};
  upsweep::radix_sort_by_key(executor, keys, values);
  CHECK(values == std::vector<std::uint32_t>{10, 20, 30});
}

#if UPSWEEP_HAS_CUDA
TEST_CASE("a GPU chosen at run time sorts") {
  if (test::without_device()) return;
  upsweep::any_executor executor{upsweep::device()};
  using words = std::vector<std::uint32_t>;
  upsweep::buffer<std::uint32_t> keys(executor, words{3, 1, 2}), values(executor, words{30, 10, 20});
  upsweep::radix_sort_by_key(executor, keys, values);
  CHECK(keys.to_vector(executor) == words{1, 2, 3});
  CHECK(values.to_vector(executor) == words{10, 20, 30});
}
#endif

// ---------------------------------------------------------------- bad input
namespace {
struct low_half {
  UPSWEEP_HD std::uint16_t operator()(std::uint32_t key) const { return static_cast<std::uint16_t>(key); }
};
}  // namespace

TEST_CASE("bad input is refused by name, before anything is written") {
  test::on_executors([](auto& executor) {
    using keys_type = std::span<std::uint32_t>;
    guarded<std::uint32_t> memory(executor, 100), other(executor, 100);
    const keys_type keys = memory.range(), rest = other.range();
    const auto message = [](const auto& f) { return test::message_of<std::invalid_argument>(f); };

    for (const auto [begin, end] : {std::array{-1, 8}, std::array{9, 8}, std::array{0, 33}, std::array{3, -2}}) {
      const radix_options options{.begin_bit = begin, .end_bit = end};
      CHECK(test::starts_with(message([&] { upsweep::radix_sort(executor, keys, options); }), "options: bits "));
    }
    CHECK(test::starts_with(message([&] { upsweep::radix_sort(executor, keys, rest.first(99)); }), "keys_out has 99"));
    CHECK(test::starts_with(message([&] { upsweep::radix_sort(executor, keys.first(90), keys.subspan(1)); }),
                            "keys_out overlaps keys_in"));
    CHECK(test::starts_with(
        message([&] { upsweep::radix_sort(executor, keys_type(static_cast<std::uint32_t*>(nullptr), 5)); }),
        "keys is a null"));
    CHECK(test::starts_with(message([&] { upsweep::radix_sort_by_key(executor, keys, rest.first(99)); }),
                            "keys has 100"));
    CHECK(
        test::starts_with(message([&] { upsweep::radix_sort_by_key(executor, keys.first(50), keys.subspan(20, 50)); }),
                          "values overlaps keys"));
    CHECK(test::starts_with(message([&] {
                              upsweep::radix_sort_by_key(executor, keys.first(40), keys.subspan(60), rest.first(40),
                                                         rest.subspan(30));
                            }),
                            "values_out overlaps keys_out"));
    const std::span<int> indices{reinterpret_cast<int*>(rest.data()), 100};
    CHECK(test::starts_with(message([&] { upsweep::radix_argsort(executor, keys, indices.first(10)); }),
                            "indices has 10"));
    CHECK(
        test::starts_with(message([&] { upsweep::radix_argsort(executor, rest, indices); }), "indices overlaps keys"));
    CHECK(test::starts_with(message([&] { upsweep::radix_argsort(executor, keys, indices.first(10), low_half{}); }),
                            "indices has 10"));
    CHECK(test::starts_with(message([&] { upsweep::radix_argsort(executor, rest, indices, low_half{}); }),
                            "indices overlaps items"));
    CHECK(test::starts_with(
        message([&] { upsweep::radix_argsort(executor, keys, indices, low_half{}, {.end_bit = 17}); }),
        "options: bits 0 to 17 of a key of 16 bits"));
    CHECK(memory.untouched_from(executor));
    CHECK(other.untouched_from(executor));
  });
}

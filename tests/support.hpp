// What every test needs: the executors under test, sizes around every tile boundary, guarded memory, random items, and
// comparisons that name the first difference. Assertions stay on the test's own thread: Catch2 is not thread-safe.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <span>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <upsweep/buffer.hpp>
#include <upsweep/executor.hpp>
#if UPSWEEP_HAS_CUDA
#include <upsweep/cuda/tuning.hpp>
#endif

#include "catch.hpp"

namespace test {
using upsweep::index_t;

// ---------------------------------------------------------------- executors
#ifdef __SANITIZE_ADDRESS__  // all takes fifty times as long: fewer threads, two tiles of a host's and a bit at most
inline constexpr bool sanitized = true;
inline constexpr int thread_counts[] = {1, 3};
inline constexpr index_t largest_on_hosts = 131'079;  // 2^17 + 7
#else
inline constexpr bool sanitized = false;
inline constexpr int thread_counts[] = {1, 2, 3, 5, 16};
inline constexpr index_t largest_on_hosts = 1'048'583;  // 2^20 + 7
#endif

//! Is the program sanitized, or does it run in compute-sanitizer, which tests are told by UPSWEEP_SANITIZED=1?
inline bool takes_fewer_cases() {
  static const bool is_told = std::getenv("UPSWEEP_SANITIZED") != nullptr;
  return sanitized || is_told;
}
//! What a loop over all cases goes on by then; else 1.
inline int sanitized_step(int step) { return takes_fewer_cases() ? step : 1; }
//! One in so many of all cases then.
template <class T>
std::vector<T> some_if_sanitized(int one_in, const std::vector<T>& all) {
  std::vector<T> some;
  for (std::size_t i = 0; i < all.size(); i += static_cast<std::size_t>(sanitized_step(one_in))) some.push_back(all[i]);
  return some;
}

inline bool has_device() {
#if UPSWEEP_HAS_CUDA
  static const bool available = upsweep::device::available();
  return available;
#else
  return false;
#endif
}

#if UPSWEEP_HAS_CUDA
//! Skips the rest of a test without a GPU:  if (without_device()) return;
inline bool without_device() {
  if (!has_device()) skip_check("a GPU (" + upsweep::gpu::why_not_usable() + ')');
  return !has_device();
}
#endif

//! Seeds every random choice of the tests; failures print it.
inline std::uint64_t seed() {
  static const char* chosen = std::getenv("UPSWEEP_TEST_SEED");
  return chosen ? std::strtoull(chosen, nullptr, 10) : 20261120;
}

//! Calls f(executor) for a host of so many threads. Not in the program that nvcc compiles: a host is tested by the
//! other one, and each test would take twice as long to build. (Hosts that nvcc compiles are in mixed_test.cpp,
//! executor_test.cpp and the apps, whose tests run them.)
template <class F>
void on_host([[maybe_unused]] int threads, [[maybe_unused]] const F& f) {
#if !UPSWEEP_HAS_CUDA
  INFO("host with " << threads << " threads, UPSWEEP_TEST_SEED=" << seed());
  upsweep::host executor(threads);
  f(executor);
#endif
}

//! The same for hosts of different numbers of threads.
template <class F>
void on_hosts(const F& f) {
  for (const int threads : thread_counts) on_host(threads, f);
}

//! Calls f(executor) for the GPU, when there is one and nvcc compiles this.
template <class F>
void on_device([[maybe_unused]] const F& f) {
#if UPSWEEP_HAS_CUDA
  if (without_device()) return;
  INFO("device, UPSWEEP_TEST_SEED=" << seed());
  upsweep::device executor;
  f(executor);
#endif
}

//! Skips the rest of a test whose on_executors would call nothing, before it makes inputs for nobody:
//!   if (without_executors()) return;
inline bool without_executors() {
#if UPSWEEP_HAS_CUDA
  return without_device();
#else
  return false;
#endif
}

template <class F>
void on_executors(const F& f) {
  on_hosts(f);
  on_device(f);
}

// ---------------------------------------------------------------- sizes
//! The same for n items: hosts leave the sizes out that only the GPU's large-input pipeline needs.
template <class F>
void on_executors(index_t n, const F& f) {
  INFO("n = " << n);
  if (n <= largest_on_hosts) on_hosts(f);
  on_device(f);
}

namespace detail {
// Sizes are left out when their items would take too much memory.
inline std::vector<index_t> limited(std::vector<index_t> sizes, index_t item_bytes) {
#if UPSWEEP_HAS_CUDA
  if (!has_device()) return {sizes.front()};  // enough to say that nothing ran
#endif
  std::erase_if(sizes, [&](index_t n) {
    const bool on_hosts = n <= largest_on_hosts;
    return (!on_hosts && !has_device()) || n * item_bytes > (on_hosts ? index_t{1} << 25 : index_t{1} << 30);
  });
  return sizes;
}
// From where on the GPU takes its way for large inputs: the pipeline, by runs, by scans of two columns, by reductions,
// by scans of one, and in code for older GPUs larger tiles, by scans of two columns and of one. That of most bytes is
// last.
inline std::vector<index_t> large_from() {
#if UPSWEEP_HAS_CUDA
  namespace tuning = upsweep::gpu::tuning;
  std::vector<index_t> all = {tuning::runs().from_bytes, tuning::pipeline_from_bytes({.item_bytes = 8, .columns = 2}),
                              tuning::pipeline_from_bytes({.stores = false}), tuning::pipeline_from_bytes({})};
  if (!tuning::is_for(900)) {
    all.push_back(tuning::large_tiles_from(2, 4));
    all.push_back(tuning::large_tiles_from(1, 4));
  }
  return all;
#else
  return {64 << 20};  // sizes that a host leaves out
#endif
}
// Its tiles are combined by blocks of 32: the first end of a block that is large enough for it.
inline index_t end_of_block(index_t item_bytes) {
  index_t tile_bytes = 36'864;  // of the GPU's pipeline
#if UPSWEEP_HAS_CUDA
  constexpr auto large = upsweep::gpu::tuning::large_tiles(false);
  if (!upsweep::gpu::tuning::is_for(900)) tile_bytes = large.warps * 32 * large.lane_bytes;
#endif
  const index_t block_bytes = 32 * tile_bytes;
  return (large_from().back() / block_bytes + 1) * block_bytes / item_bytes;
}
}  // namespace detail

//! Sizes around every boundary: of warps, of tiles on either side, of the GPU's three sizes of problem and of its
//! blocks of tiles.
inline std::vector<index_t> sizes(index_t item_bytes = 4) {
  static constexpr int around_tiles[] = {0,     1,     2,     3,     31,    32,    33,     63,     64,     65,
                                         255,   256,   257,   511,   512,   513,   767,    1023,   1024,   1025,
                                         1535,  1536,  1537,  2047,  2048,  2049,  4095,   4096,   4097,   5119,
                                         5120,  5121,  8191,  8192,  8193,  9215,  9216,   9217,   16383,  16385,
                                         32767, 32769, 36863, 36865, 65535, 65537, 131071, 131073, 196609, 4198403};
  std::vector<index_t> all(std::begin(around_tiles), std::end(around_tiles));
  const index_t block = detail::end_of_block(item_bytes);
  for (const index_t n : {largest_on_hosts, block - 1, block, block + 12345}) all.push_back(n);
  for (const index_t bytes : detail::large_from()) all.insert(all.end(), {bytes / item_bytes - 1, bytes / item_bytes});
  return detail::limited(std::move(all), item_bytes);
}

//! A handful of them, for what a sweep over all of them has tested already in another type.
inline std::vector<index_t> few_sizes(index_t item_bytes = 4) {
  std::vector<index_t> all = {0, 1, 2, 33, 257, 1025, 4097, 9217, 36865, 65537, 300'007, 4'198'403};
  if (!sanitized) all.push_back(131'073);
  all.push_back(detail::end_of_block(item_bytes) + 4099);
  return detail::limited(std::move(all), item_bytes);
}

// ---------------------------------------------------------------- random items
//! A small, fast generator (splitmix64): the same items on every platform.
class generator {
 public:
  explicit generator(std::uint64_t stream = 0) : state_(seed() + stream * 0x9E3779B97F4A7C15u) {}
  std::uint64_t operator()() {
    std::uint64_t z = state_ += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
  }
  std::uint64_t below(std::uint64_t bound) { return (*this)() % bound; }
  double unit() { return static_cast<double>((*this)() >> 11) * 0x1p-53; }  // in [0, 1)

 private:
  std::uint64_t state_;
};

//! n items make(random).
template <class Make>
auto generate(index_t n, Make make, std::uint64_t stream = 0) {
  generator random(stream);
  std::vector<std::decay_t<decltype(make(random))>> items(static_cast<std::size_t>(n));
  for (auto& item : items) item = make(random);
  return items;
}
//! n random integers of all values, or below a bound.
template <class T>
std::vector<T> random_integers(index_t n, std::uint64_t bound = 0, std::uint64_t stream = 0) {
  return generate(
      n, [=](generator& random) { return static_cast<T>(bound ? random.below(bound) : random()); }, stream);
}
//! n items of any bits: floats are NaNs, infinities and denormals too.
template <class T>
std::vector<T> any_bits(index_t n, std::uint64_t stream = 0) {
  return generate(
      n,
      [](generator& random) {
        std::uint64_t bits[(sizeof(T) + 7) / 8];
        for (auto& word : bits) word = random();
        T item;
        std::memcpy(static_cast<void*>(&item), bits, sizeof item);
        return item;
      },
      stream);
}
//! n random numbers in [0, 1).
template <class T>
std::vector<T> random_floats(index_t n, std::uint64_t stream = 0) {
  return generate(
      n, [](generator& random) { return static_cast<T>(random.unit()); }, stream);
}

// ---------------------------------------------------------------- guarded memory
//! n items in an executor's memory between two bands of poison, `shift` items off the start of an allocation. An output
//! starts as poison itself: what a call does not write stays so.
template <class T>
class guarded {
 public:
  template <class Executor>
  guarded(Executor& executor, index_t n, index_t shift = 0)
      : begin_(band + shift), n_(n), memory_(executor, n + shift + 2 * band) {
    const std::vector<unsigned char> image(static_cast<std::size_t>(memory_.size()) * sizeof(T), poison);
    executor.copy(memory_.data(), image.data(), image.size());
  }
  template <class Executor>
  guarded(Executor& executor, const std::vector<T>& items, index_t shift = 0)
      : guarded(executor, static_cast<index_t>(items.size()), shift) {
    executor.copy(data(), items.data(), items.size() * sizeof(T));
  }

  T* data() { return memory_.data() + begin_; }
  index_t size() const { return n_; }
  std::span<T> range() { return {data(), static_cast<std::size_t>(n_)}; }
  std::span<T> first(index_t n) { return {data(), static_cast<std::size_t>(n)}; }

  //! The items; fails when a guard was written to.
  template <class Executor>
  std::vector<T> items(Executor& executor) const {
    const std::vector<unsigned char> image = bytes(executor);
    REQUIRE(is_poison(image, 0, begin_));
    REQUIRE(is_poison(image, begin_ + n_, memory_.size()));
    std::vector<T> result(static_cast<std::size_t>(n_));
    if (n_)
      std::memcpy(result.data(), image.data() + static_cast<std::size_t>(begin_) * sizeof(T),
                  result.size() * sizeof(T));
    return result;
  }
  //! The first n items; fails unless everything behind them is as it was before.
  template <class Executor>
  std::vector<T> items(Executor& executor, index_t n) const {
    REQUIRE((0 <= n && n <= n_));
    REQUIRE(untouched_from(executor, n));
    std::vector<T> result = items(executor);
    result.resize(static_cast<std::size_t>(n));
    return result;
  }
  //! Is everything from item n on still poison?
  template <class Executor>
  bool untouched_from(Executor& executor, index_t n = 0) const {
    return is_poison(bytes(executor), begin_ + n, memory_.size());
  }

 private:
  static constexpr index_t band = 64;
  static constexpr unsigned char poison = 0xA5;

  template <class Executor>
  std::vector<unsigned char> bytes(Executor& executor) const {
    std::vector<unsigned char> image(static_cast<std::size_t>(memory_.size()) * sizeof(T));
    executor.copy(image.data(), memory_.data(), image.size());
    return image;
  }
  static bool is_poison(const std::vector<unsigned char>& image, index_t from, index_t to) {
    const auto at = [&](index_t item) { return image.begin() + item * static_cast<index_t>(sizeof(T)); };
    return std::all_of(at(from), at(to), [](unsigned char byte) { return byte == poison; });
  }

  index_t begin_, n_;
  upsweep::buffer<T> memory_;
};

//! Offsets of 0 … 15 items, different from size to size and from argument to argument.
inline index_t shift_of(index_t n, int argument = 0) { return (n + index_t{5} * argument) % 16; }

// ---------------------------------------------------------------- comparisons
namespace detail {
template <class T>
std::string shown(const T& value) {
  std::ostringstream text;
  if constexpr (std::is_arithmetic_v<T>) {
    text.precision(17);
    text << +value;
  } else {
    text << "bytes";
    for (std::size_t i = 0; i < std::min<std::size_t>(sizeof(T), 40); i++)
      text << ' ' << std::hex << int{reinterpret_cast<const unsigned char*>(&value)[i]};
  }
  return text.str();
}
// In a tenth of the time that items take one by one, in a hundredth of it where they are sanitized.
template <class T>
bool are_same_bytes(const std::vector<T>& a, const std::vector<T>& b) {
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0);
}
}  // namespace detail

//! One assertion for all items: Catch2 takes a microsecond for each.
template <class T, class Same>
void check_items(const std::vector<T>& actual, const std::vector<T>& expected, const Same& same) {
  REQUIRE(actual.size() == expected.size());
  std::size_t at = 0;
  while (at < actual.size() && same(actual[at], expected[at])) at++;
  if (at < actual.size()) {
    INFO("item " << at << " of " << actual.size() << " is " << detail::shown(actual[at]) << ", not "
                 << detail::shown(expected[at]));
    REQUIRE(at == actual.size());
  }
}
template <class T>
void check_equal(const std::vector<T>& actual, const std::vector<T>& expected) {
  if constexpr (std::is_integral_v<T>) {  // others may differ from themselves, as NaNs do
    REQUIRE(actual.size() == expected.size());
    if (detail::are_same_bytes(actual, expected)) return;
  }
  check_items(actual, expected, [](const T& a, const T& b) { return a == b; });
}
//! Equal to the bit: tells −0 from +0, and NaNs are equal to themselves.
template <class T>
void check_same_bits(const std::vector<T>& actual, const std::vector<T>& expected) {
  REQUIRE(actual.size() == expected.size());
  if (detail::are_same_bytes(actual, expected)) return;
  check_items(actual, expected, [](const T& a, const T& b) { return std::memcmp(&a, &b, sizeof(T)) == 0; });
}

// ---------------------------------------------------------------- exceptions
//! The text of the exception that f throws, which must be an E.
template <class E, class F>
std::string message_of(const F& f) {
  try {
    f();
  } catch (const E& e) {
    return e.what();
  } catch (const std::exception& e) {
    return std::string("(an exception of another type) ") + e.what();
  }
  return "(no exception)";
}

inline bool starts_with(std::string_view text, std::string_view start) { return text.starts_with(start); }
inline bool contains(std::string_view text, std::string_view part) { return text.find(part) != text.npos; }

//! The call throws std::invalid_argument, whose text starts so and has such a part.
template <class F>
void check_refused(const F& call, std::string_view start, std::string_view part) {
  const std::string message = message_of<std::invalid_argument>(call);
  INFO("\"" << message << "\" should start with \"" << start << "\" and contain \"" << part << '"');
  CHECK(starts_with(message, start));
  CHECK(contains(message, part));
}

}  // namespace test

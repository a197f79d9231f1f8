// What the checks of all families have in common. Each family has a file, and a function here.
#pragma once
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

#include <upsweep/buffer.hpp>
#include <upsweep/executor.hpp>
#include <upsweep/ranges.hpp>

//! What is held to the loops. With COMBINATIONS_ON_HOST it is a host, for who doubts the loops and waits for the
//! compiler.
#ifdef COMBINATIONS_ON_HOST
using tested = upsweep::host;
#else
using tested = upsweep::device;
#endif

//! Every combination of a family's table, on n items.
void check_scans(tested& exec, upsweep::index_t n);
void check_compactions(tested& exec, upsweep::index_t n);
void check_partitions(tested& exec, upsweep::index_t n);
void check_sorts(tested& exec, upsweep::index_t n);
void check_products(tested& exec, upsweep::index_t n);
void check_segments(tested& exec, upsweep::index_t n);
void check_filters(tested& exec, upsweep::index_t n);
void check_recurrences(tested& exec, upsweep::index_t n);
void check_images(tested& exec, upsweep::index_t n);
void check_statistics(tested& exec, upsweep::index_t n);
void check_big_numbers(tested& exec, upsweep::index_t n);
void check_sight(tested& exec, upsweep::index_t n);
void check_automata(tested& exec, upsweep::index_t n);

//! Numbers of a type at its ends and near 0, NaNs too.
template <class T>
std::vector<T> special_numbers() {
  using limits = std::numeric_limits<T>;
  if constexpr (std::is_integral_v<T>)
    return {limits::min(), static_cast<T>(limits::min() + 1), 0, 1, 2, 3, static_cast<T>(limits::max() - 1),
            limits::max()};
  else
    return {-limits::infinity(), limits::lowest(),   -1, -0.f, 0, limits::denorm_min(), 1, 2.5f, limits::max(),
            limits::infinity(),  limits::quiet_NaN()};
}
//! Of these, in runs.
template <class T>
std::vector<T> special_items(upsweep::index_t n) {
  const std::vector<T> numbers = special_numbers<T>();
  std::vector<T> x(static_cast<std::size_t>(n));
  std::uint64_t state = 1;
  for (std::size_t i = 0; i < x.size(); i++) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    x[i] = i > 0 && state >> 63 ? x[i - 1] : numbers[(state >> 33) % numbers.size()];
  }
  return x;
}

//! Counts a result, and says of one that is wrong what it is.
void check(bool right, const std::string& what);

//! The length of rows, which all numbers of items are multiples of.
inline constexpr upsweep::index_t row = 9;

inline std::string counted(const std::string& of, upsweep::index_t n) {
  return of + ", " + std::to_string(n) + " items";
}

template <class T>
bool same_bits(const std::vector<T>& a, const std::vector<T>& b) {
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0);
}
template <class T>
bool same_bits(T a, T b) {
  return std::memcmp(&a, &b, sizeof a) == 0;
}

//! Integers of all sizes, floats that are small integers; of a product −1 and 1, with a 2 here and there.
template <class T>
std::vector<T> items(upsweep::index_t n, bool factors) {
  std::vector<T> x(static_cast<std::size_t>(n));
  std::uint64_t state = 1;
  for (std::size_t i = 0; i < x.size(); i++) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    const auto high = static_cast<std::int64_t>(state >> 32);
    if constexpr (std::is_integral_v<T>) x[i] = static_cast<T>(state ^ state >> 32);
    else if (factors) x[i] = static_cast<T>((i % 1'000'000 == 7 ? 2 : 1) * (high % 2 ? -1 : 1));
    else x[i] = static_cast<T>(high % 5 - 2);
  }
  return x;
}

//! Bytes of which most are 0, or most are not.
inline std::vector<std::uint8_t> bytes_as_flags(upsweep::index_t n, bool sparse) {
  std::vector<std::uint8_t> x;
  for (const std::uint32_t random : items<std::uint32_t>(n, false))
    x.push_back(sparse == (random % 37 == 0) ? static_cast<std::uint8_t>(random | 1) : std::uint8_t{0});
  return x;
}

//! call(in, out) on buffers.
template <class Executor, class T, class Call>
void compare(Executor& exec, const std::vector<T>& in, const std::vector<T>& expected, const std::string& what,
             const Call& call) {
  const upsweep::buffer<T> from(exec, in);
  upsweep::buffer<T> to(exec, from.size());
  call(from, to);
  check(same_bits(to.to_vector(exec), expected), what);
}

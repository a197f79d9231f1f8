// Every comparison of core/upsweep/library/intervals.hpp with numbers of every kind.
#pragma once
#include <upsweep/comparisons.hpp>
#include <upsweep/library/intervals.hpp>

#include "check.hpp"

//! f(comparison, its name) for all that items of type T are compared with; for few when there are many items.
template <class T, class F>
void for_each_comparison(upsweep::index_t n, const F& f) {
  const std::vector<T> numbers = special_numbers<T>();
  const auto with = [&](const auto& v, const auto& a, const auto& b) {
    using upsweep::less_than, upsweep::less_equal, upsweep::greater_than, upsweep::greater_equal, upsweep::between;
    using upsweep::equal_to, upsweep::not_equal_to, upsweep::not_nan;
#define UPSWEEP_ROW(comparison) f(comparison, #comparison " with v = " + std::to_string(v));
    UPSWEEP_LIBRARY_COMPARISONS(UPSWEEP_ROW)
#undef UPSWEEP_ROW
  };
  for (std::size_t k = n > 10'000 ? numbers.size() / 2 : 0; k<numbers.size(); k += n> 10'000 ? 3 : 1)
    with(numbers[k], numbers[numbers.size() - 1 - k], numbers[numbers.size() * 2 / 3]);
  if (n > 10'000) return;
  // Numbers of other types than the items.
  with(-1, -1, 2);
  with(2u, 1u, 3u);
  with(std::int64_t{1} << 40, -(std::int64_t{1} << 40), std::int64_t{1});
  if constexpr (std::is_floating_point_v<T>) {
    with(0.1, -1e300, 2.5);
    with(1e300, -1e-320, 1e-320);
    with(0.1f, -0.f, 2.5f);
  }
}

//! Those of items of which f is true.
template <class T, class F>
std::vector<T> items_where(const std::vector<T>& in, const F& f) {
  std::vector<T> some;
  for (const T& x : in)
    if (f(x)) some.push_back(x);
  return some;
}
//! The first `count` items of a buffer are these.
template <class Executor, class T>
void check_front(Executor& exec, const upsweep::buffer<T>& to, upsweep::index_t count, const std::vector<T>& expected,
                 const std::string& what) {
  std::vector<T> front = to.to_vector(exec);
  front.resize(static_cast<std::size_t>(count));
  check(same_bits(front, expected), what);
}
//! Flags of items: of each third and each seventh.
inline bool is_flagged(std::size_t i) { return i % 3 == 0 || i % 7 == 0; }
inline std::vector<unsigned char> flags(upsweep::index_t n) {
  std::vector<unsigned char> set(static_cast<std::size_t>(n));
  for (std::size_t i = 0; i < set.size(); i++) set[i] = static_cast<unsigned char>(is_flagged(i) ? i % 5 + 1 : 0);
  return set;
}
//! Values of any type, of which all bytes differ.
template <class V>
std::vector<V> any_values(upsweep::index_t n) {
  std::vector<V> values(static_cast<std::size_t>(n));
  for (std::size_t i = 0; i < values.size(); i++) {
    std::uint64_t words[2] = {i * 0x9E3779B97F4A7C15u, ~i * 0xC2B2AE3D27D4EB4Fu};
    static_assert(sizeof(V) <= sizeof words);
    std::memcpy(&values[i], words, sizeof(V));
  }
  return values;
}

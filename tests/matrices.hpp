// Sparse matrices that tests multiply, in host memory: rows of given lengths, and shapes that are hard for somebody.
#pragma once
#include <algorithm>
#include <complex>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <upsweep/csr.hpp>

#include "support.hpp"

namespace test {

template <class Value, class Column = std::int32_t, class Offset = std::int32_t>
struct matrix {
  index_t rows = 0, columns = 0;
  std::vector<Offset> offsets{0};
  std::vector<Column> column_indices{};
  std::vector<Value> values{};

  upsweep::csr_view<Value, Column, Offset> view() const { return {rows, columns, offsets, column_indices, values}; }
  index_t length(index_t r) const {
    const auto at = static_cast<std::size_t>(r);
    return static_cast<index_t>(offsets[at + 1] - offsets[at]);
  }
};

//! The same matrix in other types.
template <class Value, class Column, class Offset, class V, class C, class O>
matrix<Value, Column, Offset> converted(const matrix<V, C, O>& a) {
  const auto all = [](const auto& from, auto example) {
    std::vector<decltype(example)> to(from.size());
    std::transform(from.begin(), from.end(), to.begin(),
                   [](auto item) { return static_cast<decltype(example)>(item); });
    return to;
  };
  return {a.rows, a.columns, all(a.offsets, Offset{}), all(a.column_indices, Column{}), all(a.values, Value{})};
}

//! A number in (−1, 1), or any integer.
template <class T>
T random_number(generator& random) {
  if constexpr (std::is_integral_v<T>) {
    return static_cast<T>(random());
  } else if constexpr (std::is_floating_point_v<T>) {
    return static_cast<T>(2 * random.unit() - 1);
  } else {
    const auto real = random_number<typename T::value_type>(random);
    return {real, random_number<typename T::value_type>(random)};
  }
}
template <class T>
std::vector<T> random_vector(index_t n, std::uint64_t stream = 0) {
  return generate(n, random_number<T>, stream);
}

//! Rows of these lengths, of random columns in any order, some of them repeated.
template <class Value>
matrix<Value> rows_of(const std::vector<index_t>& lengths, index_t columns, std::uint64_t stream = 0) {
  generator random(stream);
  matrix<Value> a{static_cast<index_t>(lengths.size()), columns};
  for (const index_t length : lengths) {
    for (index_t k = 0; k < length; k++) {
      a.column_indices.push_back(static_cast<std::int32_t>(random.below(static_cast<std::uint64_t>(columns))));
      a.values.push_back(random_number<Value>(random));
    }
    a.offsets.push_back(static_cast<std::int32_t>(a.values.size()));
  }
  return a;
}
//! `per_row` neighbouring columns around the diagonal.
template <class Value>
matrix<Value> banded(index_t rows, index_t per_row) {
  auto a = rows_of<Value>(std::vector<index_t>(static_cast<std::size_t>(rows), per_row), rows);
  for (index_t r = 0; r < rows; r++)
    for (index_t k = 0; k < per_row; k++)
      a.column_indices[static_cast<std::size_t>(r * per_row + k)] =
          static_cast<std::int32_t>(std::clamp<index_t>(r - per_row / 2, 0, rows - per_row) + k);
  return a;
}

namespace detail {
inline std::vector<index_t> lengths(index_t rows, index_t (*length)(generator&, index_t row)) {
  index_t row = 0;
  return generate(
      rows, [&](generator& random) { return length(random, row++); }, 5);
}
inline std::vector<index_t> joined(std::vector<index_t> a, const std::vector<index_t>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}
}  // namespace detail

//! Lengths around every boundary: of lanes, of tiles of products, of the blocks of a long row.
inline std::vector<index_t> boundary_lengths() {
  return {0,    1,    2,    3,    4,    5,    7,    8,    9,    15,    16,    17,    31, 32,    33,  0,
          0,    63,   64,   65,   127,  128,  129,  159,  161,  255,   256,   257,   0,  511,   513, 1023,
          1024, 1025, 2047, 2048, 2049, 4097, 8191, 8192, 8193, 16383, 16384, 16385, 0,  24581, 1,   2};
}

//! Lengths of rows, by name.
inline std::vector<std::pair<std::string, std::vector<index_t>>> named_lengths() {
  using detail::lengths;
  const std::vector<index_t> boundaries = boundary_lengths();
  return {{"no row", {}},
          {"no non-zero", std::vector<index_t>(100, 0)},
          {"one row", {1000}},
          {"one giant row", {200'003}},
          {"rows of one", std::vector<index_t>(50'000, 1)},
          {"around boundaries", boundaries},
          {"the same backwards", {boundaries.rbegin(), boundaries.rend()}},
          {"99 % empty", lengths(200'000, [](generator& r, index_t) -> index_t { return r.below(100) == 0 ? 30 : 0; })},
          {"a giant among rows of four",
           detail::joined(std::vector<index_t>(9000, 4), detail::joined({70'001}, std::vector<index_t>(9000, 4)))},
          {"giants side by side", {20'000, 20'000, 8192, 8193, 0, 30'000}},
          {"empty rows and a giant at the end", detail::joined(std::vector<index_t>(60'000, 0), {50'000})},
          {"an arrow", detail::joined({30'000}, std::vector<index_t>(29'999, 2))},
          {"a power law", lengths(20'000,
                                  [](generator& r, index_t) -> index_t {
                                    return static_cast<index_t>(0.7 / (1e-4 + r.unit() * r.unit()));
                                  })},
          {"dense", std::vector<index_t>(300, 300)}};
}

}  // namespace test

// Matrices in compressed rows: views and owners, validate, from coordinates, transposed; against plain loops.
#include <algorithm>
#include <complex>
#include <cstdint>
#include <limits>
#include <numeric>
#include <span>
#include <stdexcept>
#include <type_traits>
#include <vector>

#include <upsweep/csr.hpp>
#include <upsweep/csr_build.hpp>

#include "../oracles/products.hpp"
#include "matrices.hpp"
#include "oracle.hpp"
#include "support.hpp"

using test::check_same_bits;
using test::matrix;
using upsweep::index_t;

namespace {
template <class Executor, class Value, class Column, class Offset>
void check_matrix(Executor& executor, const upsweep::csr_matrix<Value, Column, Offset>& a,
                  const matrix<Value, Column, Offset>& expected) {
  CHECK(a.rows == expected.rows);
  CHECK(a.columns == expected.columns);
  test::check_equal(a.offsets.to_vector(executor), expected.offsets);
  test::check_equal(a.column_indices.to_vector(executor), expected.column_indices);
  test::check_equal(a.values.to_vector(executor), expected.values);
}

template <class Value, class Column>
struct entries {
  std::vector<std::int32_t> rows;
  std::vector<Column> columns;
  std::vector<Value> values;
};
// Sums integers; floats that are small integers are exact in any order.
template <class Value>
Value small_value(test::generator& random) {
  return static_cast<Value>(static_cast<int>(random.below(21)) - 10);
}
template <class Value, class Column>
entries<Value, Column> random_entries(index_t n, index_t rows, index_t columns, std::uint64_t stream) {
  test::generator random(stream);
  entries<Value, Column> e;
  for (index_t i = 0; i < n; i++) {
    e.rows.push_back(static_cast<std::int32_t>(random.below(static_cast<std::uint64_t>(rows))));
    e.columns.push_back(static_cast<Column>(random.below(static_cast<std::uint64_t>(columns))));
    e.values.push_back(small_value<Value>(random));
  }
  return e;
}
template <class Value, class Column, class Offset = std::int32_t>
matrix<Value, Column, Offset> matrix_of(const entries<Value, Column>& e, index_t rows, index_t columns) {
  std::vector<std::size_t> order(e.values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto place = [&](std::size_t i) { return std::pair(e.rows[i], e.columns[i]); };
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return place(a) < place(b); });
  matrix<Value, Column, Offset> a{rows, columns, {}, {}, {}};
  a.offsets.assign(oracle::at(rows + 1), 0);
  for (std::size_t k = 0; k < order.size(); k++) {
    if (k > 0 && place(order[k]) == place(order[k - 1])) {
      a.values.back() = static_cast<Value>(a.values.back() + e.values[order[k]]);
      continue;
    }
    a.column_indices.push_back(e.columns[order[k]]);
    a.values.push_back(e.values[order[k]]);
    a.offsets[oracle::at(e.rows[order[k]] + 1)]++;
  }
  std::partial_sum(a.offsets.begin(), a.offsets.end(), a.offsets.begin());
  return a;
}
template <class Value, class Column, class Offset>
void check_coo(index_t n, index_t rows, index_t columns) {
  const auto e = random_entries<Value, Column>(n, rows, columns, 3);
  const auto expected = matrix_of<Value, Column, Offset>(e, rows, columns);
  INFO(n << " entries in " << rows << " × " << columns);
  test::on_executors([&](auto& executor) {
    const upsweep::buffer<std::int32_t> at_rows(executor, e.rows);
    const upsweep::buffer<Column> at_columns(executor, e.columns);
    const upsweep::buffer<Value> values(executor, e.values);
    const auto a = upsweep::coo_to_csr<Offset>(executor, rows, columns, at_rows, at_columns, values);
    check_matrix(executor, a, expected);
    upsweep::validate(executor, a.view());
  });
}

template <class Value, class Column, class Offset>
matrix<Value, Column, Offset> transposed(const matrix<Value, Column, Offset>& a) {
  matrix<Value, Column, Offset> t{a.columns, a.rows, {}, {}, {}};
  t.offsets.assign(oracle::at(a.columns + 1), 0);
  for (const Column column : a.column_indices) t.offsets[oracle::at(static_cast<index_t>(column) + 1)]++;
  std::partial_sum(t.offsets.begin(), t.offsets.end(), t.offsets.begin());
  t.column_indices.resize(a.values.size());
  t.values.resize(a.values.size());
  auto next = t.offsets;
  for (index_t r = 0; r < a.rows; r++)
    for (auto k = oracle::at(a.offsets[oracle::at(r)]); k < oracle::at(a.offsets[oracle::at(r + 1)]); k++) {
      const auto to = oracle::at(next[oracle::at(a.column_indices[k])]++);
      t.column_indices[to] = static_cast<Column>(r);
      t.values[to] = a.values[k];
    }
  return t;
}
}  // namespace

TEST_CASE("a matrix owns a copy of a view, wherever the executor works") {
  const auto a = test::rows_of<std::complex<float>>({3, 0, 2}, 9);
  test::on_executors([&](auto& executor) {
    upsweep::csr_matrix<std::complex<float>> memory(executor, a.view());
    auto moved = std::move(memory);
    CHECK(moved.view().nonzeros() == 5);
    check_matrix(executor, moved, a);
    upsweep::validate(executor, moved);
  });
}

TEST_CASE("a view of const items is a view, and a matrix copies whatever is like one") {
  using items = upsweep::csr_view<float, std::int32_t, std::int32_t>;
  const auto a = test::rows_of<float>({3, 0, 2}, 9);
  const upsweep::csr_view<const float, const std::int32_t, const std::int32_t> by_hand{
      a.rows, a.columns, std::span<const std::int32_t>(a.offsets), a.column_indices, a.values};
  const upsweep::csr_view<const float> in_part = a.view();
  const upsweep::csr_view deduced{a.rows, a.columns, std::span<const std::int32_t>(a.offsets),
                                  std::span<const std::int32_t>(a.column_indices), std::span<const float>(a.values)};
  static_assert(std::is_same_v<decltype(by_hand)::value_type, float>);
  static_assert(std::is_same_v<upsweep::csr_view_of<upsweep::csr_view<const float>>, items>);
  static_assert(std::is_same_v<std::remove_const_t<decltype(deduced)>, items>);
  static_assert(!upsweep::csr_like<std::vector<float>> && !upsweep::csr_like<int>);
  const items as_argument = by_hand;
  CHECK(as_argument.values.data() == a.values.data());
  test::on_executors([&](auto& executor) {
    const upsweep::csr_matrix first(executor, by_hand);
    static_assert(std::is_same_v<std::remove_const_t<decltype(first)>, upsweep::csr_matrix<float>>);
    check_matrix(executor, first, a);
    check_matrix(executor, upsweep::csr_matrix(executor, in_part), a);
    upsweep::validate(executor, first);
    check_matrix(executor, upsweep::csr_transpose(executor, upsweep::csr_transpose(executor, first)),
                 transposed(transposed(a)));
  });
  test::on_hosts([&](auto& executor) {
    upsweep::validate(executor, by_hand);
    check_matrix(executor, upsweep::csr_transpose(executor, by_hand), transposed(a));
    check_matrix(executor, upsweep::csr_matrix(executor, upsweep::csr_matrix(executor, deduced)), a);
  });
}

namespace {
struct named_matrix : upsweep::csr_view<float> {
  using csr_view::csr_view;
  std::string name;
};
}  // namespace

TEST_CASE("a type derived from csr_view is a matrix") {
  const auto a = test::rows_of<float>({3, 0, 2}, 9);
  const named_matrix derived(a.rows, a.columns, a.offsets, a.column_indices, a.values);
  static_assert(std::is_same_v<upsweep::csr_view_of<named_matrix>, upsweep::csr_view<float>>);
  test::on_executors([&](auto& executor) { check_matrix(executor, upsweep::csr_matrix(executor, derived), a); });
  test::on_host(2, [&](auto& executor) { upsweep::validate(executor, derived); });
}

// ---------------------------------------------------------------- validate
namespace {
// What validate says of a matrix with something wrong in it.
template <class Executor, class Spoil>
std::string complaint(Executor& executor, const Spoil& spoil, index_t rows = 100'000) {
  auto a = test::banded<float>(rows, 3);
  spoil(a);
  const upsweep::csr_matrix<float> memory(executor, a.view());
  return test::message_of<std::invalid_argument>([&] { upsweep::validate(executor, memory.view()); });
}
}  // namespace

TEST_CASE("validate names the first wrong row and what is wrong") {
  test::on_executors([](auto& executor) {
    const auto told = [&](const auto& spoil, index_t rows = 100'000) { return complaint(executor, spoil, rows); };
    CHECK(told([](auto&) {}) == "(no exception)");
    CHECK(told([](auto& a) { a.offsets[0] = 1; }) == "row 0: offsets begin with 1, must begin with 0");
    CHECK(told([](auto& a) { a.offsets[70'000] = 5; }) == "row 69999: offsets decrease from 209997 to 5");
    CHECK(told([](auto& a) { a.offsets[70'000] = -1; }) == "row 69999: offsets decrease from 209997 to -1");
    CHECK(told([](auto& a) { a.offsets[500] = 300'001; }) ==
          "row 499: offsets reach 300001, the matrix has 300000 non-zeros");
    CHECK(told([](auto& a) { a.offsets.back() = 299'999; }) ==
          "row 99999: offsets end with 299999, the matrix has 300000 non-zeros");
    CHECK(told([](auto& a) { a.column_indices[250'001] = 100'000; }) ==
          "row 83333: column 100000 of non-zero 250001 is not below 100000");
    CHECK(told([](auto& a) { a.column_indices[7] = -3; }) == "row 2: column -3 of non-zero 7 is negative");
    CHECK(told([](auto& a) { a.column_indices[7] = a.column_indices[4] = 200'000; }) ==
          "row 1: column 200000 of non-zero 4 is not below 100000");
    CHECK(told([](auto& a) { a.columns = 0; }, 3) == "row 0: column 0 of non-zero 0 is not below 0");
    CHECK(told([](auto& a) { a.offsets.pop_back(); }, 3) == "offsets has 3 items, needs 4, one more than rows");
    CHECK(told([](auto& a) { a.values.pop_back(); }, 3) == "column_indices has 9 items, values has 8");
  });
}

TEST_CASE("validate looks through empty rows for the one that has a wrong column") {
  test::on_executors([](auto& executor) {
    auto a = test::rows_of<float>({0, 0, 5, 0, 0, 0, 2, 0}, 10);
    a.column_indices[5] = 10;
    const upsweep::csr_matrix<float> memory(executor, a.view());
    CHECK(test::message_of<std::invalid_argument>([&] { upsweep::validate(executor, memory.view()); }) ==
          "row 6: column 10 of non-zero 5 is not below 10");
  });
}

TEST_CASE("validate knows matrices of no rows, of no columns and of nothing") {
  test::on_executors([](auto& executor) {
    for (const auto& [rows, columns] : {std::pair<index_t, index_t>{0, 0}, {0, 5}, {5, 0}}) {
      const matrix<float> a{rows, columns, std::vector<std::int32_t>(oracle::at(rows + 1), 0)};
      const upsweep::csr_matrix<float> memory(executor, a.view());
      upsweep::validate(executor, memory.view());
    }
    const matrix<float> a{0, 5, {3}};
    const upsweep::csr_matrix<float> memory(executor, a.view());
    CHECK(test::message_of<std::invalid_argument>([&] { upsweep::validate(executor, memory.view()); }) ==
          "offsets begin with 3, must begin with 0");
  });
}

// ---------------------------------------------------------------- from coordinates
TEST_CASE("coo_to_csr sorts entries and sums those of one place") {
  check_coo<float, std::int32_t, std::int32_t>(0, 0, 0);
  check_coo<float, std::int32_t, std::int32_t>(0, 7, 3);
  check_coo<float, std::int32_t, std::int32_t>(1, 1, 1);
  check_coo<float, std::int32_t, std::int32_t>(50, 1, 1);
  check_coo<double, std::int32_t, std::int64_t>(1000, 1, 40);
  check_coo<double, std::int64_t, std::int32_t>(1000, 40, 1);
  check_coo<std::int32_t, std::int32_t, std::int32_t>(5000, 37, 41);
  check_coo<float, std::int32_t, std::int32_t>(100'003, 300, 65'536);
  check_coo<double, std::int32_t, std::int32_t>(100'003, 65'536, 65'537);
  check_coo<std::complex<double>, std::int32_t, std::int64_t>(20'000, 100, 100);
  check_coo<float, std::int64_t, std::int64_t>(3000, 1000, index_t{1} << 45);
}

TEST_CASE("coo_to_csr sums entries of one place in the order of the input, in the same bits for any threads") {
  const index_t n = 50'000;
  const auto values = test::random_vector<float>(n);
  const std::vector<int> rows(oracle::at(n), 2), columns(oracle::at(n), 1);
  std::vector<float> first;
  test::on_hosts([&](auto& executor) {
    const auto a = upsweep::coo_to_csr(executor, 3, 4, rows, columns, values);
    const auto sum = a.values.to_vector(executor);
    REQUIRE(sum.size() == 1);
    if (first.empty()) first = sum;
    check_same_bits(sum, first);
  });
  upsweep::host one(1);
  const std::vector<float> cancels = {1e30f, -1e30f, 1.f};  // in another order 1 is lost
  const auto a = upsweep::coo_to_csr(one, 3, 4, std::vector<int>(3, 2), std::vector<int>(3, 1), cancels);
  CHECK(a.values.to_vector(one) == std::vector<float>{1.f});
}

TEST_CASE("coo_to_csr refuses bad input by name") {
  test::on_hosts([](auto& executor) {
    std::vector<int> rows = {0, 1, 2}, columns = {0, 1, 2};
    const std::vector<float> values(3, 1.f);
    const auto message = [&](index_t r, index_t c) {
      return test::message_of<std::invalid_argument>(
          [&] { upsweep::coo_to_csr(executor, r, c, rows, columns, values); });
    };
    CHECK(message(-1, 3) == "rows is -1, must not be negative");
    CHECK(message(3, -1) == "columns is -1, must not be negative");
    CHECK(message(2, 3) == "row_indices: item 2 is 2, must be in [0, 2)");
    CHECK(message(3, 1) == "column_indices: item 1 is 1, must be in [0, 1)");
    columns[0] = -7;
    CHECK(message(3, 3) == "column_indices: item 0 is -7, must be in [0, 3)");
    CHECK(message(index_t{1} << 40, index_t{1} << 30) == "rows and columns: places of 70 bits, at most 64 are sorted");
    rows.pop_back();
    CHECK(message(3, 3) == "row_indices has 2 items, values has 3");
  });
}

// ---------------------------------------------------------------- transposed
TEST_CASE("csr_transpose transposes, and keeps the order of what stands in one place") {
  for (const auto& [name, lengths] : test::named_lengths()) {
    INFO(name);
    const auto a = test::rows_of<float>(lengths, 700);
    const auto expected = transposed(a);
    test::on_executors([&](auto& executor) {
      const upsweep::csr_matrix<float> memory(executor, a.view());
      check_matrix(executor, upsweep::csr_transpose(executor, memory.view()), expected);
    });
  }
  const auto mixed = test::converted<double, std::int64_t, std::int32_t>(test::rows_of<float>({3, 0, 500, 20}, 50));
  const auto other = test::converted<std::complex<double>, std::int32_t, std::int64_t>(test::rows_of<float>({9}, 1));
  test::on_hosts([&](auto& executor) {
    check_matrix(executor, upsweep::csr_transpose(executor, mixed.view()), transposed(mixed));
    check_matrix(executor, upsweep::csr_transpose(executor, other.view()), transposed(other));
  });
}

TEST_CASE("spmv_transposed multiplies by the transposed matrix") {
  const auto a = test::rows_of<std::int32_t>(test::boundary_lengths(), 300);
  const auto x = test::random_vector<std::int32_t>(a.rows), before = test::random_vector<std::int32_t>(300, 3);
  const auto product = oracle::spmv<std::uint32_t>(transposed(a), x);
  std::vector<std::int32_t> expected;
  for (std::size_t i = 0; i < 300; i++)
    expected.push_back(static_cast<std::int32_t>(3 * product[i].sum + 2 * static_cast<std::uint32_t>(before[i])));
  test::on_executors([&](auto& executor) {
    const upsweep::csr_matrix<std::int32_t> memory(executor, a.view());
    const upsweep::buffer<std::int32_t> in(executor, x);
    upsweep::buffer<std::int32_t> out(executor, before);
    upsweep::spmv_transposed(executor, memory, in, out, 3, 2);
    check_same_bits(out.to_vector(executor), expected);
  });
  test::on_hosts([&](auto& executor) {
    auto y = before;
    const auto message = [&](const auto& f) { return test::message_of<std::invalid_argument>(f); };
    std::vector<std::int32_t> small(7);
    CHECK(message([&] { upsweep::spmv_transposed(executor, a.view(), small, y); }) ==
          "x has 7 items, needs 48, as many as the matrix has rows");
    CHECK(message([&] { upsweep::spmv_transposed(executor, a.view(), x, small); }) ==
          "y has 7 items, needs 300, as many as the matrix has columns");
  });
}

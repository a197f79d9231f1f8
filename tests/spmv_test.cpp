// Sparse products against serial ones in long double: rows of all lengths, all types, bad input. Errors are held
// to the bound of a serial sum of the row.
#include <algorithm>
#include <complex>
#include <cstdint>
#include <limits>
#include <span>
#include <stdexcept>
#include <type_traits>
#include <vector>

#include "spmv_support.hpp"
#include "vector_widths.hpp"

using test::check_close;
using test::check_same_bits;
using test::guarded;
using test::matrix;
using test::wide_t;
using upsweep::index_t;

namespace {
// On all executors: close to the oracle. The same bits on all hosts, which are returned.
template <class Y, class Value, class Column, class Offset, class X>
std::vector<Y> check_spmv(const matrix<Value, Column, Offset>& a, const std::vector<X>& x) {
  const auto expected = oracle::spmv<wide_t<Y>>(a, x);
  test::same_bits_for_each_kind<Y> same;
  const auto check = [&](auto& executor) {
    const upsweep::csr_matrix<Value, Column, Offset> memory(executor, a.view());
    guarded<X> in(executor, x, 3);
    guarded<Y> out(executor, a.rows, 5);
    upsweep::spmv(executor, memory, in.range(), out.range());
    const auto y = out.items(executor);
    check_close(y, a, expected);
    same.check(executor, y);
  };
  test::on_hosts(check);
  if constexpr (!std::is_same_v<Y, long double>) test::on_device(check);  // GPUs have none
  return same.of_hosts();
}
template <class T>
void check_type(const std::vector<index_t>& lengths, index_t columns) {
  const auto a = test::rows_of<T>(lengths, columns);
  check_spmv<T>(a, test::random_vector<T>(columns, 1));
}
}  // namespace

// ---------------------------------------------------------------- numbers
TEST_CASE("spmv multiplies rows of all lengths, in the same bits on any number of threads") {
  for (const auto& [name, lengths] : test::named_lengths()) {
    INFO(name);
    check_type<float>(lengths, 30'000);
    check_type<double>(lengths, 1000);
  }
}

TEST_CASE("spmv multiplies rows of random lengths around boundaries") {
  for (std::uint64_t stream = 0; stream < 20; stream++) {
    test::generator random(stream);
    const auto choices = test::boundary_lengths();
    std::vector<index_t> lengths;
    while (lengths.size() < 40) {
      lengths.push_back(choices[random.below(choices.size())]);
      const auto times = random.below(6) == 0 ? random.below(300) : 0;
      for (std::uint64_t k = 0; k < times; k++) lengths.push_back(static_cast<index_t>(random.below(20)));
    }
    INFO("stream " << stream);
    check_type<float>(lengths, 777);
  }
}

TEST_CASE("spmv knows complex numbers and integers, which wrap") {
  const auto lengths = test::boundary_lengths();
  check_type<std::complex<float>>(lengths, 500);
  check_type<std::complex<double>>(lengths, 500);
  check_type<std::int32_t>(lengths, 500);
  check_type<std::uint32_t>(lengths, 500);
  check_type<std::int64_t>(lengths, 500);
  check_type<std::uint8_t>(lengths, 500);
  check_type<long double>({0, 5, 100}, 10);
}

TEST_CASE("spmv sums in y's type, whatever the types of the values and of x") {
  const auto a = test::rows_of<float>(test::boundary_lengths(), 300);
  const auto x = test::random_vector<double>(300);
  check_spmv<double>(a, x);
  check_spmv<float>(a, x);
  check_spmv<std::complex<double>>(a, test::random_vector<std::complex<double>>(300));
  const auto small =
      test::converted<std::int8_t, std::int32_t, std::int32_t>(test::rows_of<std::int32_t>({3, 9000, 0, 40}, 50));
  check_spmv<std::int64_t>(small, test::random_vector<std::int8_t>(50));
}

TEST_CASE("columns and offsets of 4 and 8 bytes, in any mix, give the same bits on hosts") {
  const auto a = test::rows_of<float>(test::boundary_lengths(), 300);
  const auto x = test::random_vector<float>(300);
  const auto y = check_spmv<float>(a, x);
  check_same_bits(check_spmv<float>(test::converted<float, std::int64_t, std::int32_t>(a), x), y);
  check_same_bits(check_spmv<float>(test::converted<float, std::int32_t, std::int64_t>(a), x), y);
  check_same_bits(check_spmv<float>(test::converted<float, std::int64_t, std::int64_t>(a), x), y);
}

TEST_CASE("alpha and beta scale; y is not read when beta is 0") {
  const auto a = test::rows_of<double>(test::boundary_lengths(), 300);
  const auto x = test::random_vector<double>(300), before = test::random_vector<double>(a.rows, 2);
  auto expected = oracle::spmv<long double>(a, x);
  for (std::size_t r = 0; r < expected.size(); r++) {
    expected[r].sum = -2.5L * expected[r].sum + 3.0L * before[r];
    expected[r].magnitude = 2.5L * expected[r].magnitude + 3.0L * std::abs(before[r]);
  }
  test::on_executors([&](auto& executor) {
    const upsweep::csr_matrix<double> memory(executor, a.view());
    guarded<double> in(executor, x), out(executor, before);
    upsweep::spmv(executor, memory, in.range(), out.range(), -2.5, 3.0);
    check_close(out.items(executor), a, expected);
    guarded<double> nans(executor, std::vector<double>(before.size(), std::numeric_limits<double>::quiet_NaN()));
    upsweep::spmv(executor, memory, in.range(), nans.range(), 2.0, 0.0);
    upsweep::spmv(executor, memory, in.range(), out.range(), 2.0);
    check_same_bits(nans.items(executor), out.items(executor));
  });
}

TEST_CASE("a row knows only its own numbers: infinities and NaNs stay where they belong") {
  constexpr float inf = std::numeric_limits<float>::infinity();
  const auto a = test::rows_of<float>(std::vector<index_t>(50, 3), 50);
  auto b = a;
  b.values[30] = inf;
  b.values[100] = std::numeric_limits<float>::quiet_NaN();
  const auto x = test::random_vector<float>(50);
  test::on_executors([&](auto& executor) {
    const upsweep::csr_matrix<float> good(executor, a.view()), bad(executor, b.view());
    guarded<float> in(executor, x), out(executor, 50);
    upsweep::spmv(executor, good.view(), in.range(), out.range());
    const auto clean = out.items(executor);
    upsweep::spmv(executor, bad.view(), in.range(), out.range());
    auto other = out.items(executor);
    CHECK(std::isinf(other[10]));
    CHECK(std::isnan(other[33]));
    other[10] = clean[10];
    other[33] = clean[33];
    check_same_bits(other, clean);
  });
}

#if UPSWEEP_X86_VERSIONS
TEST_CASE("sparse products are the same bits with vectors of any width") {
  int& widest = upsweep::detail::widest_vectors();
  const int before = widest;
  const auto compare = [&]<class T>(T) {
    const auto a = test::rows_of<T>(test::boundary_lengths(), 300);
    const auto x = test::random_vector<T>(300 * 7);
    upsweep::host executor(2);
    std::vector<T> first(oracle::at(a.rows * 7)), y(first.size());
    for (const int bytes : {16, 32, 64}) {
      if (bytes > before) continue;
      widest = bytes;
      const auto product = std::span(y).first(oracle::at(a.rows));
      upsweep::spmv(executor, a.view(), std::span(x).first(300), product);
      const std::vector<T> once(product.begin(), product.end());
      upsweep::spmm(executor, a.view(), x, y, 7);
      y.insert(y.end(), once.begin(), once.end());
      if (bytes == 16) first = y;
      check_same_bits(y, first);
      y.resize(oracle::at(a.rows * 7));
    }
    widest = before;
  };
  compare(float{});
  compare(double{});
  compare(std::complex<float>{});
  compare(std::int64_t{});
}
#endif

TEST_CASE("the sum of a row on a host does not depend on where the row stands") {
  const auto alone = test::rows_of<float>({12'345}, 300);
  auto a = test::rows_of<float>({7, 9000, 12'345, 3}, 300, 9);
  std::copy(alone.values.begin(), alone.values.end(), a.values.begin() + 9007);
  std::copy(alone.column_indices.begin(), alone.column_indices.end(), a.column_indices.begin() + 9007);
  const auto x = test::random_vector<float>(300);
  test::on_hosts([&](auto& executor) {
    std::vector<float> one(1), y(4);
    upsweep::spmv(executor, alone.view(), x, one);
    upsweep::spmv(executor, a.view(), x, y);
    CHECK(y[2] == one[0]);
  });
}

TEST_CASE("the sum of a row on a host does not depend on the length of its neighbours") {
  const auto compare = [&]<class T>(T) {
    std::vector<index_t> lengths;
    for (index_t length = 60; length < 140; length++) lengths.insert(lengths.end(), {length, 1000 + length});
    const auto a = test::rows_of<T>(lengths, 300);
    const auto x = test::random_vector<T>(300);
    test::on_hosts([&](auto& executor) {
      std::vector<T> y(oracle::at(a.rows)), each(y.size());
      test::with_any_vectors([&] {
        upsweep::spmv(executor, a.view(), x, y);
        for (std::size_t r = 0; r < each.size(); r++) {
          const auto begin = oracle::at(a.offsets[r]), count = oracle::at(a.offsets[r + 1]) - begin;
          const std::vector<std::int32_t> offsets{0, static_cast<std::int32_t>(count)};
          const upsweep::csr_view<T> alone{1, 300, offsets, std::span(a.column_indices).subspan(begin, count),
                                           std::span(a.values).subspan(begin, count)};
          upsweep::spmv(executor, alone, x, std::span(each).subspan(r, 1));
        }
        check_same_bits(y, each);
      });
    });
  };
  compare(float{});
  compare(double{});
}

TEST_CASE("spmv walks along many tiles, and gives the same bits every time") {
  std::vector<index_t> lengths = test::boundary_lengths();
  while (lengths.size() < 120'000) lengths.push_back(static_cast<index_t>(lengths.size() % 23));
  lengths.push_back(1'000'000);
  lengths.resize(500'000, 0);
  for (std::size_t r = 480'000; r < lengths.size(); r += 7) lengths[r] = static_cast<index_t>(r % 300);
  test::on_device([&](auto& executor) {
    const auto a = test::rows_of<float>(lengths, 1000);
    const auto x = test::random_vector<float>(1000);
    const auto expected = oracle::spmv<long double>(a, x);
    const upsweep::csr_matrix<float> memory(executor, a.view());
    guarded<float> in(executor, x), out(executor, a.rows);
    std::vector<float> first;
    for (int repeat = 0; repeat < 100; repeat++) {
      upsweep::spmv(executor, memory, in.range(), out.range());
      const auto y = out.items(executor);
      if (first.empty()) {
        first = y;
        check_close(y, a, expected);
      }
      check_same_bits(y, first);
    }
  });
}

#if UPSWEEP_HAS_CUDA
TEST_CASE("spmv takes floats of 16 bits and sums in float") {
  const auto check = [&]<class H, class Y>(H, Y) {
    const auto a = test::rows_of<float>(test::boundary_lengths(), 300);
    const auto x = test::random_vector<float>(300);
    const auto halves = test::converted<H, std::int32_t, std::int32_t>(a);
    std::vector<H> x_halves;
    for (const float v : x) x_halves.push_back(static_cast<H>(v));
    // What the 16 bits hold, exactly.
    auto rounded = a;
    for (std::size_t k = 0; k < a.values.size(); k++) rounded.values[k] = static_cast<float>(halves.values[k]);
    std::vector<float> x_rounded;
    for (const H v : x_halves) x_rounded.push_back(static_cast<float>(v));
    const auto expected = oracle::spmv<long double>(rounded, x_rounded);
    test::on_executors([&](auto& executor) {
      const upsweep::csr_matrix<H> memory(executor, halves.view());
      guarded<H> in(executor, x_halves, 3);
      guarded<Y> out(executor, a.rows, 1);
      upsweep::spmv(executor, memory, in.range(), out.range());
      const auto y = out.items(executor);
      std::vector<float> sums;
      for (const Y v : y) sums.push_back(static_cast<float>(v));
      if constexpr (sizeof(Y) == 4) {
        check_close(sums, rounded, expected);
      } else {  // rounded once, to 8 bits at least
        for (std::size_t r = 0; r < sums.size(); r++) {
          const auto& e = expected[r];
          const long double in_float = test::bound<float>(a.length(static_cast<index_t>(r)), e.magnitude);
          REQUIRE(std::abs(static_cast<long double>(sums[r]) - e.sum) <= std::abs(e.sum) / 256 + 2 * in_float + 1e-7L);
        }
      }
    });
  };
  check(__half{}, float{});
  check(__half{}, __half{});
  check(__nv_bfloat16{}, float{});
  check(__nv_bfloat16{}, __nv_bfloat16{});
}
#endif

// ---------------------------------------------------------------- bad input
TEST_CASE("wrong contents stay in bounds") {
  constexpr std::int32_t most = std::numeric_limits<std::int32_t>::max(),
                         least = std::numeric_limits<std::int32_t>::min();
  std::vector<index_t> lengths(100, 400);
  lengths[30] = 20'000;
  const auto right = test::rows_of<float>(lengths, 300);
  std::vector<matrix<float>> wrong(8, right);
  for (auto& column : wrong[0].column_indices) column = 300;
  for (auto& column : wrong[1].column_indices) column = least;
  wrong[2].column_indices[5000] = most;
  for (auto& offset : wrong[3].offsets) offset = most;
  for (auto& offset : wrong[4].offsets) offset = least;
  std::reverse(wrong[5].offsets.begin(), wrong[5].offsets.end());
  test::generator random;
  for (auto& offset : wrong[6].offsets) offset = static_cast<std::int32_t>(random());
  for (auto& column : wrong[7].column_indices) column = static_cast<std::int32_t>(random());
  const auto x = test::random_vector<float>(300 * 3);
  for (const auto& a : wrong) {
    test::on_executors([&](auto& executor) {
      const upsweep::csr_matrix<float> memory(executor, a.view());
      guarded<float> in(executor, x), one(executor, std::vector<float>(x.begin(), x.begin() + 300)),
          y(executor, a.rows), dense(executor, a.rows * 3);
      upsweep::spmv(executor, memory, one.range(), y.range());
      static_cast<void>(y.items(executor));
      upsweep::semiring_spmv(executor, memory, one.range(), y.range(), upsweep::plus<float>{},
                             upsweep::minimum<float>{});
      static_cast<void>(y.items(executor));
      upsweep::spmm(executor, memory.view(), in.range(), dense.range(), 3);
      static_cast<void>(dense.items(executor));
    });
  }
  // No column at all: no non-zero can be right.
  auto none = right;
  none.columns = 0;
  test::on_executors([&](auto& executor) {
    const upsweep::csr_matrix<float> memory(executor, none.view());
    guarded<float> nothing(executor, 0), y(executor, none.rows);
    upsweep::spmv(executor, memory, nothing.range(), y.range());
    CHECK(y.items(executor).size() == oracle::at(none.rows));
  });
}

// A host reads each row that they tell of, which takes it long.
TEST_CASE("searches among wrong offsets stay in bounds") {
  test::generator random;
  auto a = test::rows_of<float>({60'000}, 300);
  a.rows = 70'000;
  a.offsets.resize(70'001);
  for (auto& offset : a.offsets) offset = static_cast<std::int32_t>(random.below(90'000));
  const auto x = test::random_vector<float>(300);
  test::on_device([&](auto& executor) {
    const upsweep::csr_matrix<float> memory(executor, a.view());
    guarded<float> in(executor, x), y(executor, a.rows);
    upsweep::spmv(executor, memory, in.range(), y.range());
    CHECK(y.items(executor).size() == oracle::at(a.rows));
  });
}

TEST_CASE("a matrix of no column gives zeros") {
  const matrix<float> none{300, 0, std::vector<std::int32_t>(301, 0)};
  test::on_executors([&](auto& executor) {
    const upsweep::csr_matrix<float> memory(executor, none.view());
    guarded<float> nothing(executor, 0), y(executor, none.rows);
    upsweep::spmv(executor, memory, nothing.range(), y.range());
    CHECK(y.items(executor) == std::vector<float>(300, 0.f));
  });
}

TEST_CASE("wrong arguments of a product are refused by name, before anything is written") {
  test::on_hosts([](auto& executor) {
    auto a = test::rows_of<float>({2, 0, 3}, 4);
    std::vector<float> x(4, 1.f), y(3, 9.f), small(2);
    const auto refused = [&](const auto& f) {
      auto message = test::message_of<std::invalid_argument>(f);
      CHECK(y == std::vector<float>(3, 9.f));
      return message;
    };
    const auto product = [&](const auto& of) { return refused([&] { upsweep::spmv(executor, of, x, y); }); };
    CHECK(refused([&] { upsweep::spmv(executor, a.view(), small, y); }) ==
          "x has 2 items, needs 4, as many as the matrix has columns");
    CHECK(refused([&] { upsweep::spmv(executor, a.view(), x, small); }) ==
          "y has 2 items, needs 3, as many as the matrix has rows");
    CHECK(refused([&] { upsweep::spmv(executor, a.view(), x, std::span(x).first(3)); }) ==
          "y overlaps x: it must be a disjoint range");
    CHECK(refused([&] { upsweep::spmv(executor, a.view(), x, std::span(a.values).first(3)); }) ==
          "y overlaps values: it must be a disjoint range");
    CHECK(refused([&] { upsweep::spmv(executor, a.view(), x, std::span<float>(static_cast<float*>(nullptr), 3)); }) ==
          "y is a null pointer with a size");
    auto b = a;
    b.offsets.pop_back();
    CHECK(product(b.view()) == "offsets has 3 items, needs 4, one more than rows");
    b = a;
    b.column_indices.pop_back();
    CHECK(product(b.view()) == "column_indices has 4 items, values has 5");
    b = a;
    b.rows = -1;
    CHECK(product(b.view()) == "rows is -1, must not be negative");
    CHECK(refused([&] { upsweep::spmm(executor, a.view(), x, y, 0); }) == "width is 0, must be 1 to 32");
    CHECK(refused([&] { upsweep::spmm(executor, a.view(), x, y, 33); }) == "width is 33, must be 1 to 32");
    CHECK(refused([&] { upsweep::spmm(executor, a.view(), x, y, 2); }) ==
          "x has 4 items, needs 8, width for each column of the matrix");
    a.column_indices[3] = 4;
    CHECK(refused([&] { upsweep::spmv_plan(executor, a.view()); }) == "row 2: column 4 of non-zero 3 is not below 4");
  });
}

TEST_CASE("a type that is too small for the sizes is refused by name") {
  upsweep::host executor(1);
  const std::vector<std::int32_t> offsets = {0, 0};
  const upsweep::csr_view<float> a{1, (index_t{1} << 31) + 1, offsets, std::span<const std::int32_t>(),
                                   std::span<const float>()};
  const std::span<const float> x(reinterpret_cast<const float*>(64), (std::size_t{1} << 31) + 1);  // not read
  std::vector<float> y(1);
  CHECK(test::message_of<std::invalid_argument>([&] { upsweep::spmv(executor, a, x, y); }) ==
        "column_indices: its type cannot hold the column 2147483648");
}

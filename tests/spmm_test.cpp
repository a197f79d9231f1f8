// spmm against serial products in long double, for 1 to 32 dense columns.
#include <complex>
#include <cstdint>
#include <vector>

#include "spmv_support.hpp"

using test::check_close;
using test::check_same_bits;
using test::guarded;
using test::wide_t;
using upsweep::index_t;

namespace {
template <class T>
void check_spmm(const std::vector<index_t>& lengths, index_t columns, index_t width) {
  const auto a = test::rows_of<T>(lengths, columns);
  const auto x = test::random_vector<T>(columns * width, 1);
  std::vector<std::vector<oracle::row_sum<wide_t<T>>>> expected;
  for (index_t j = 0; j < width; j++) expected.push_back(oracle::spmv<wide_t<T>>(a, x, width, j));
  test::same_bits_for_each_kind<T> same;
  test::on_executors([&](auto& executor) {
    const upsweep::csr_matrix<T> memory(executor, a.view());
    guarded<T> in(executor, x, 3), out(executor, a.rows * width, 1);
    upsweep::spmm(executor, memory, in.range(), out.range(), width);
    const auto y = out.items(executor);
    for (index_t j = 0; j < width; j++) check_close(y, a, expected[oracle::at(j)], width, j);
    same.check(executor, y);
    if (width == 1) {
      upsweep::spmv(executor, memory, in.range(), out.range());
      check_same_bits(out.items(executor), y);
    }
  });
}
}  // namespace

TEST_CASE("spmm multiplies 1 to 32 dense columns") {
  if (test::without_executors()) return;
  std::vector<index_t> lengths = {0, 1, 2, 3, 16, 17, 0, 300, 8193, 5};
  for (index_t width = 1; width <= 32; width++) {
    INFO("width " << width);
    check_spmm<float>(lengths, 100, width);
  }
  lengths = test::boundary_lengths();
  for (const index_t width : {2, 3, 8, 31}) {
    check_spmm<double>(lengths, 100, width);
    check_spmm<std::complex<float>>(lengths, 100, width);
    check_spmm<std::int32_t>(lengths, 100, width);
  }
}

TEST_CASE("spmm scales by alpha and beta") {
  const auto a = test::rows_of<std::int32_t>({3, 0, 20'000, 5}, 100);
  const auto x = test::random_vector<std::int32_t>(300), before = test::random_vector<std::int32_t>(12, 4);
  test::on_executors([&](auto& executor) {
    const upsweep::csr_matrix<std::int32_t> memory(executor, a.view());
    guarded<std::int32_t> in(executor, x), once(executor, 12), out(executor, before);
    upsweep::spmm(executor, memory, in.range(), once.range(), 3);
    upsweep::spmm(executor, memory, in.range(), out.range(), 3, 7, -2);
    const auto product = once.items(executor), y = out.items(executor);
    for (std::size_t i = 0; i < 12; i++) {
      const auto u = [](std::int32_t v) { return static_cast<std::uint32_t>(v); };
      CHECK(u(y[i]) == 7u * u(product[i]) - 2u * u(before[i]));
    }
  });
}

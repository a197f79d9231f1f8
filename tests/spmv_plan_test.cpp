// Plans of sparse products: the same bits as without one, wherever made; and executors chosen at run time.
#include <algorithm>
#include <complex>
#include <cstdint>
#include <limits>
#include <vector>

#include "spmv_support.hpp"

using test::check_same_bits;
using test::guarded;
using test::matrix;
using upsweep::index_t;

TEST_CASE("a plan gives the same bits, also when values change and on other executors") {
  for (const auto& named : test::named_lengths()) {
    INFO(named.first);
    const std::vector<index_t>& lengths = named.second;
    auto a = test::rows_of<float>(lengths, 5000);
    const auto x = test::random_vector<float>(5000);
    upsweep::host planner(3);
    const upsweep::spmv_plan plan(planner, a.view());
    for (float& value : a.values) value += 1;
    test::on_hosts([&](auto& executor) {
      std::vector<float> y(lengths.size(), 1.f), expected = y;
      upsweep::spmv(executor, a.view(), x, expected, 2.f, 0.5f);
      upsweep::spmv(executor, plan, x, y, 2.f, 0.5f);
      check_same_bits(y, expected);
    });
  }
}

TEST_CASE("a plan gives the same bits wherever it is made") {
  const auto a = test::rows_of<double>(test::boundary_lengths(), 700);
  const auto x = test::random_vector<double>(700);
  test::on_executors([&](auto& executor) {
    const upsweep::csr_matrix<double> memory(executor, a.view());
    const upsweep::spmv_plan plan(executor, memory);
    guarded<double> in(executor, x), without(executor, a.rows), with(executor, a.rows);
    upsweep::spmv(executor, memory, in.range(), without.range());
    upsweep::spmv(executor, plan, in.range(), with.range());
    check_same_bits(with.items(executor), without.items(executor));
  });
}

#if UPSWEEP_HAS_CUDA
namespace {
//! By a plan made on the same device, into a y of type Y: the same bits.
template <class Y, class Value, class Column, class Offset, class X>
void check_plan_of_device(upsweep::device& executor, const matrix<Value, Column, Offset>& a, const std::vector<X>& x) {
  const upsweep::csr_matrix<Value, Column, Offset> memory(executor, a.view());
  const upsweep::spmv_plan plan(executor, memory);
  guarded<X> in(executor, x);
  guarded<Y> without(executor, a.rows), with(executor, a.rows);
  upsweep::spmv(executor, memory, in.range(), without.range());
  upsweep::spmv(executor, plan, in.range(), with.range());
  check_same_bits(with.items(executor), without.items(executor));
}
}  // namespace

TEST_CASE("a plan of a GPU gives the same bits for rows of all lengths and sums of all types") {
  test::on_device([](auto& executor) {
    const auto x = test::random_vector<float>(5000);
    const auto check = [&](const std::vector<index_t>& lengths) {
      const auto a = test::rows_of<float>(lengths, 5000);
      check_plan_of_device<float>(executor, a, x);
      check_plan_of_device<double>(executor, a, x);  // whose parts may be other ones
      check_plan_of_device<std::complex<double>>(executor, a, x);
      check_plan_of_device<double>(executor, test::converted<double, std::int64_t, std::int64_t>(a), x);
    };
    for (const auto& [name, lengths] : test::named_lengths()) {
      INFO(name);
      check(lengths);
    }
    std::vector<index_t> lengths(60'000, 0);  // parts are longer than tiles
    for (std::size_t r = 0; r < lengths.size(); r += 3) lengths[r] = static_cast<index_t>(r % 400);
    lengths[20'000] = 500'000;
    check(lengths);
    check({});
  });
}

TEST_CASE("offsets that change after a plan of a GPU was made stay in bounds") {
  test::on_device([](auto& executor) {
    std::vector<index_t> lengths(20'000, 40);
    lengths[3000] = 200'000;
    const auto right = test::rows_of<float>(lengths, 300);
    const auto x = test::random_vector<float>(300);
    upsweep::csr_matrix<float> memory(executor, right.view());
    const upsweep::spmv_plan plan(executor, memory);
    guarded<float> in(executor, x), y(executor, right.rows);
    const auto product = [&](const std::vector<std::int32_t>& offsets) {
      memory.offsets.copy_from(executor, offsets);
      upsweep::spmv(executor, plan, in.range(), y.range());
      return y.items(executor);
    };
    const auto expected = product(right.offsets);
    std::vector<std::int32_t> wrong(right.offsets.size(), std::numeric_limits<std::int32_t>::max());
    product(wrong);
    std::fill(wrong.begin(), wrong.end(), std::numeric_limits<std::int32_t>::min());
    product(wrong);
    std::fill(wrong.begin(), wrong.end(), 0);
    product(wrong);
    std::copy(right.offsets.rbegin(), right.offsets.rend(), wrong.begin());
    product(wrong);
    test::generator random;
    for (auto& offset : wrong) offset = static_cast<std::int32_t>(random());
    product(wrong);
    check_same_bits(product(right.offsets), expected);
  });
}
#endif

// ---------------------------------------------------------------- executors chosen at run time
TEST_CASE("an executor chosen at run time multiplies") {
  upsweep::any_executor executor{upsweep::host(2)};
  const auto a = test::banded<float>(100, 3);
  const std::vector<float> x(100, 1.f);
  std::vector<float> y(100), z(100);
  upsweep::spmv(executor, a.view(), x, y);
  const upsweep::spmv_plan plan(executor, a.view());
  upsweep::spmv(executor, plan, x, z);
  check_same_bits(y, z);
}

#if UPSWEEP_HAS_CUDA
TEST_CASE("a GPU chosen at run time multiplies") {
  if (test::without_device()) return;
  upsweep::device device;
  upsweep::any_executor executor{upsweep::device()};
  const auto a = test::banded<float>(3000, 9);
  const auto numbers = test::random_vector<float>(3000);
  const upsweep::csr_matrix<float> memory(executor, a.view());
  const upsweep::buffer<float> x(executor, numbers);
  upsweep::buffer<float> expected(executor, a.rows), y(executor, a.rows), planned(executor, a.rows);
  upsweep::spmv(device, memory.view(), x, expected);
  device.synchronize();
  upsweep::spmv(executor, memory, x, y);
  const upsweep::spmv_plan plan(executor, memory);
  upsweep::spmv(executor, plan, x, planned);
  check_same_bits(y.to_vector(executor), expected.to_vector(device));
  check_same_bits(planned.to_vector(executor), expected.to_vector(device));
}
#endif

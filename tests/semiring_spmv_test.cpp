// semiring_spmv against a serial fold: monoids that do not commute, that allow neighbours only, shortest paths.
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "spmv_support.hpp"
#include "values.hpp"

using test::guarded;
using test::matrix;
using upsweep::index_t;

namespace {
struct hash_of_both {
  UPSWEEP_HD test::string_hash operator()(std::uint32_t value, std::uint32_t x) const {
    return {value * 31ull + x, 0x9E3779B97F4A7C15u};
  }
};
// Non-zero k, of value k, stands for [k, k + 1): x is 0.
struct unit_interval {
  UPSWEEP_HD test::interval<16> operator()(std::uint32_t value, std::uint32_t x) const {
    return test::interval<16>::of(value + x, value + x + 1);
  }
};
template <class Y, class Value, class X, class Multiply, class M>
void check_semiring(const matrix<Value>& a, const std::vector<X>& x, const Multiply& multiply, const M& m) {
  const auto expected = oracle::semiring_spmv(a, x, multiply, m);
  test::on_executors([&](auto& executor) {
    const upsweep::csr_matrix<Value> memory(executor, a.view());
    guarded<X> in(executor, x, 2);
    guarded<Y> out(executor, a.rows, 1);
    upsweep::semiring_spmv(executor, memory, in.range(), out.range(), multiply, m);
    test::check_equal(out.items(executor), std::vector<Y>(expected.begin(), expected.end()));
  });
}
}  // namespace

TEST_CASE("semiring_spmv keeps the order of a row's non-zeros") {
  for (const auto& [name, lengths] : test::named_lengths()) {
    INFO(name);
    const auto a = test::rows_of<std::uint32_t>(lengths, 2000);
    check_semiring<test::string_hash>(a, test::random_vector<std::uint32_t>(2000), hash_of_both{},
                                      test::concatenate_hashes{});
  }
}

TEST_CASE("semiring_spmv keeps the order of the non-zeros of rows that threads of a host share") {
  const auto a = test::rows_of<std::uint32_t>(std::vector<index_t>{3, 300'000, 0, 70'000, 5}, 2000);  // 3 MB
  check_semiring<test::string_hash>(a, test::random_vector<std::uint32_t>(2000), hash_of_both{},
                                    test::concatenate_hashes{});
}

TEST_CASE("semiring_spmv combines neighbouring products of one row, and nothing else") {
  for (const auto& [name, lengths] : test::named_lengths()) {
    INFO(name);
    auto a = test::rows_of<std::uint32_t>(lengths, 100);
    for (std::size_t k = 0; k < a.values.size(); k++) a.values[k] = static_cast<std::uint32_t>(k);
    test::on_executors([&](auto& executor) {
      test::trap trap(executor);
      const upsweep::csr_matrix<std::uint32_t> memory(executor, a.view());
      guarded<std::uint32_t> x(executor, std::vector<std::uint32_t>(100, 0));
      guarded<test::interval<16>> y(executor, a.rows);
      const test::join<test::interval<16>> join{trap.counter()};
      upsweep::semiring_spmv(executor, memory, x.range(), y.range(), unit_interval{}, join);
      std::vector<test::interval<16>> expected;
      for (index_t r = 0; r < a.rows; r++)
        expected.push_back(a.length(r) == 0
                               ? join.identity()
                               : test::interval<16>::of(static_cast<std::uint32_t>(a.offsets[oracle::at(r)]),
                                                        static_cast<std::uint32_t>(a.offsets[oracle::at(r + 1)])));
      test::check_equal(y.items(executor), expected);
      CHECK(!trap.sprung(executor));
    });
  }
}

TEST_CASE("semiring_spmv finds shortest paths and what can be reached") {
  const auto a = test::rows_of<float>(test::boundary_lengths(), 3000);
  check_semiring<float>(a, test::random_vector<float>(3000), upsweep::plus<float>{}, upsweep::minimum<float>{});
  check_semiring<double>(a, test::random_vector<float>(3000), upsweep::multiplies<float>{}, upsweep::maximum<float>{});
  const auto flags = test::rows_of<std::uint8_t>(test::boundary_lengths(), 3000);
  check_semiring<std::uint8_t>(flags, test::random_integers<std::uint8_t>(3000, 2), upsweep::logical_and{},
                               upsweep::logical_or{});
}

TEST_CASE("semiring_spmv takes values of bool") {
  auto flags = test::rows_of<std::uint8_t>(test::boundary_lengths(), 3000);
  for (auto& value : flags.values) value &= 1;
  const auto x = test::random_integers<std::uint8_t>(3000, 2);
  const auto expected = oracle::semiring_spmv(flags, x, upsweep::logical_and{}, upsweep::logical_or{});
  test::on_executors([&](auto& executor) {
    const auto copy = [&](auto& to, const auto& from) {
      executor.copy(to.data(), from.data(), from.size() * sizeof(from[0]));
    };
    upsweep::csr_matrix<bool> edges(executor, flags.rows, flags.columns, std::ssize(flags.values));
    copy(edges.offsets, flags.offsets);
    copy(edges.column_indices, flags.column_indices);
    copy(edges.values, flags.values);
    guarded<std::uint8_t> in(executor, x), out(executor, flags.rows);
    upsweep::semiring_spmv(executor, edges, in.range(), out.range(), upsweep::logical_and{}, upsweep::logical_or{});
    test::check_equal(out.items(executor), std::vector<std::uint8_t>(expected.begin(), expected.end()));
  });
}

TEST_CASE("what a user's function throws on the host reaches the caller, and the executor works on") {
  const auto a = test::rows_of<float>(std::vector<index_t>(40'000, 3), 100);
  const auto x = test::random_vector<float>(100);
  test::on_hosts([&](auto& executor) {
    std::vector<float> y(40'000);
    const auto refuse = [&](float value, float) {
      if (value == a.values[60'000]) throw std::runtime_error("refused");
      return value;
    };
    const auto call = [&] { upsweep::semiring_spmv(executor, a.view(), x, y, refuse, upsweep::plus<float>{}); };
    CHECK(test::message_of<std::runtime_error>(call) == "refused");
    upsweep::spmv(executor, a.view(), x, y);
  });
}

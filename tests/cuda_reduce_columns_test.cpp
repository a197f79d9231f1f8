// Reductions of columns that are large, many times. A tile's copies may arrive later than those of the tile after it,
// and with two columns of one size a slot of the pipeline's ring changes hands from round to round: who took the older
// tile there for its own was wrong, or waited for ever (H200, 2026-11-24: at the fourth call of 2^28 + 2^26 items).
#include <chrono>
#include <concepts>
#include <cstdint>
#include <vector>

#include <upsweep/buffer.hpp>
#include <upsweep/scan.hpp>

#include "cuda_support.hpp"
#include "support.hpp"

using upsweep::index_t;

namespace {
//! Tiles that are taken for one another show in the sum.
template <class T>
struct low_bits {
  UPSWEEP_HD T operator()(index_t i) const { return static_cast<T>(i & 0x7FFF); }
};
struct sum_of_both {
  template <std::integral T>
  UPSWEEP_HD index_t operator()(T a, T b) const {
    return index_t{a} + b;
  }
};

template <class T>
void check_two_columns() {
  if (test::without_device() || test::without_memory_of(1 + 2 * sizeof(T) / 4)) return;
  constexpr index_t n = index_t{1} << 28, calls = 300;
  upsweep::device executor;
  upsweep::buffer<T> a(executor, n), b(executor, n);
  test::fill(executor.stream(), a.data(), n, low_bits<T>{});
  test::fill(executor.stream(), b.data(), n, low_bits<T>{});
  upsweep::buffer<index_t> totals(executor, calls);
  for (index_t k = 0; k < calls; k++)
    upsweep::scan(executor, n, upsweep::contiguous(a, b), sum_of_both{}, upsweep::plus<index_t>{}, upsweep::discard,
                  totals.data() + k);
  test::wait_at_most(executor.stream(), std::chrono::seconds(20), "reductions of two columns");
  test::check_equal(totals.to_vector(executor), std::vector<index_t>(calls, n * 0x7FFF));
}
}  // namespace

TEST_CASE("reductions of two columns of 2^28 numbers of 2 bytes, many times") { check_two_columns<std::int16_t>(); }
TEST_CASE("reductions of two columns of 2^28 numbers of 4 bytes, many times") { check_two_columns<std::int32_t>(); }
TEST_CASE("reductions of two columns of 2^28 numbers of 8 bytes, many times") { check_two_columns<std::int64_t>(); }

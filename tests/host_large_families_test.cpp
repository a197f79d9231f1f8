// Keys, segments, pairs and samples of more than 2^32 items, and a matrix of more than 2^31 non-zeros, on a host,
// against closed forms. What host_large_test.cpp has besides; these take minutes: UPSWEEP_LARGE=1.
#include <cstdint>
#include <vector>

#include <upsweep/csr.hpp>
#include <upsweep/iir.hpp>
#include <upsweep/radix_sort.hpp>
#include <upsweep/reduce.hpp>
#include <upsweep/scan.hpp>
#include <upsweep/spmv.hpp>

#include "host_memory.hpp"
#include "large_values.hpp"
#include "support.hpp"

using namespace large;
using test::check_on_host;
using test::made_on_host;
using upsweep::buffer;

TEST_CASE("2^32 + 5 bytes are scanned and reduced by keys and by offsets on a host") {
  if (test::without_time() || test::without_host_memory_of(14)) return;
  upsweep::host executor;
  auto in = made_on_host<std::uint8_t>(executor, n, low_byte{});
  const auto keys = made_on_host<std::uint8_t>(executor, n, number_of_run{});
  const auto offsets = made_on_host<index_t>(executor, runs + 1, start_of_run{});
  buffer<std::uint8_t> out(executor, n);

  upsweep::inclusive_scan_by_key(executor, keys, in, out);
  check_on_host(out.data(), n, sum_within_run{});
  test::fill_on_host(out.data(), n, low_byte{});
  upsweep::inclusive_segmented_scan(executor, in, upsweep::offsets(offsets), out);
  check_on_host(out.data(), n, sum_within_run{});

  buffer<std::uint8_t> sums(executor, runs);
  upsweep::segmented_reduce(executor, in, offsets, sums);
  check_on_host(sums.data(), runs, sum_of_run{});
  // The keys are their own values, so that no fourth range is needed.
  REQUIRE(upsweep::reduce_by_key(executor, keys, keys, in, out) == runs);
  check_on_host(in.data(), runs, low_byte{});
  check_on_host(out.data(), runs, [](index_t run) {
    return static_cast<std::uint8_t>((start_of_run{}(run + 1) - start_of_run{}(run)) * run);
  });
}

TEST_CASE("2^32 + 5 bytes are sorted with values on a host") {
  if (test::without_time() || test::without_host_memory_of(19)) return;  // ranges of 4 GiB: two, and as many in between
  upsweep::host executor;
  auto keys = made_on_host<std::uint8_t>(executor, n, low_byte{});
  auto values = made_on_host<std::uint8_t>(executor, n, byte_above{});
  upsweep::radix_sort_by_key(executor, keys, values);
  check_on_host(keys.data(), n, sorted_pair{true});
  check_on_host(values.data(), n, sorted_pair{false});
}

TEST_CASE("2^32 + 5 samples are filtered on a host") {
  if (test::without_time() || test::without_host_memory_of(10)) return;
  upsweep::host executor;
  auto samples = made_on_host<std::int16_t>(executor, n, click{});
  const std::vector<upsweep::section> decay{{.a1 = -0.5}};
  upsweep::sosfilt(executor, decay, samples, samples);
  constexpr index_t settled = 64;  // the beginning differs by less than a sample's step then
  check_on_host(samples.data() + settled, n - settled, decayed_clicks{});
}

TEST_CASE("a matrix of 9 * (2^28 + 3) non-zeros is multiplied on a host") {
  if (test::without_time() || test::without_host_memory_of(17)) return;
  static_assert(rows * per_row > index_t{1} << 31);
  upsweep::host executor;
  const auto offsets = made_on_host<index_t>(executor, rows + 1, row_start{});
  const auto columns = made_on_host<std::int32_t>(executor, rows * per_row, column_of{});
  const auto values = made_on_host<std::int8_t>(executor, rows * per_row, [](index_t) { return std::int8_t{1}; });
  const auto x = made_on_host<float>(executor, rows, small_number{});
  buffer<float> y(executor, rows);
  upsweep::spmv(executor, upsweep::csr_view<std::int8_t, std::int32_t, index_t>(rows, rows, offsets, columns, values),
                x, y);
  check_on_host(y.data(), rows, product{});
}

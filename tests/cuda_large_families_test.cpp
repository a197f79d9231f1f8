// Keys, segments, partitions, pairs and samples of more than 2^32 items, and a matrix of more than 2^31 non-zeros,
// checked on the device against closed forms. Needs up to 40 GiB of device memory.
#include <algorithm>
#include <cstdint>
#include <vector>

#include <upsweep/csr.hpp>
#include <upsweep/iir.hpp>
#include <upsweep/partition.hpp>
#include <upsweep/radix_sort.hpp>
#include <upsweep/reduce.hpp>
#include <upsweep/scan.hpp>
#include <upsweep/spmv.hpp>

#include "cuda_support.hpp"
#include "large_values.hpp"
#include "support.hpp"

using namespace large;
using upsweep::buffer;

namespace {
template <class T, class Make>
buffer<T> made(upsweep::device& executor, index_t size, const Make& make) {
  buffer<T> items(executor, size);
  test::fill(executor.stream(), items.data(), size, make);
  return items;
}
}  // namespace

TEST_CASE("2^32 + 5 bytes are scanned and reduced by keys and by offsets") {
  if (test::without_device()) return;
  if (test::without_memory_of(19)) return;
  upsweep::device executor;
  const auto in = made<std::uint8_t>(executor, n, low_byte{}), keys = made<std::uint8_t>(executor, n, number_of_run{});
  const auto offsets = made<index_t>(executor, runs + 1, start_of_run{});
  buffer<std::uint8_t> out(executor, n);

  upsweep::inclusive_scan_by_key(executor, keys, in, out);
  test::check_on_device(executor, out.data(), n, sum_within_run{});
  test::fill(executor.stream(), out.data(), n, low_byte{});
  upsweep::inclusive_segmented_scan(executor, in, upsweep::offsets(offsets), out);
  test::check_on_device(executor, out.data(), n, sum_within_run{});

  buffer<std::uint8_t> sums(executor, runs), keys_out(executor, n);
  upsweep::segmented_reduce(executor, in, offsets, sums);
  test::check_on_device(executor, sums.data(), runs, sum_of_run{});
  REQUIRE(upsweep::reduce_by_key(executor, keys, in, keys_out, out) == runs);
  test::check_on_device(executor, out.data(), runs, sum_of_run{});
  test::check_on_device(executor, keys_out.data(), runs, low_byte{});
}

TEST_CASE("2^32 + 5 bytes are partitioned, and sorted with values") {
  if (test::without_device()) return;
  if (test::without_memory_of(40)) return;
  upsweep::device executor;
  const auto in = made<std::uint8_t>(executor, n, low_byte{}), values = made<std::uint8_t>(executor, n, byte_above{});
  buffer<std::uint8_t> first(executor, n), second(executor, n);

  const index_t selected = upsweep::partition_copy(executor, in, first, second, is_small{});
  REQUIRE(selected == n / 256 * 100 + n % 256);
  test::check_on_device(executor, first.data(), selected, small_one{});
  test::check_on_device(executor, second.data(), n - selected, large_one{});

  upsweep::radix_sort_by_key(executor, in, values, first, second);
  test::check_on_device(executor, first.data(), n, sorted_pair{true});
  test::check_on_device(executor, second.data(), n, sorted_pair{false});
}

TEST_CASE("2^32 + 5 samples are filtered") {
  if (test::without_device()) return;
  if (test::without_memory_of(10)) return;
  upsweep::device executor;
  auto samples = made<std::int16_t>(executor, n, click{});
  const std::vector<upsweep::section> decay{{.a1 = -0.5}};
  upsweep::sosfilt(executor, decay, samples, samples);
  constexpr index_t settled = 64;  // the beginning differs by less than a sample's step then
  test::check_on_device(executor, samples.data() + settled, n - settled, decayed_clicks{});
}

TEST_CASE("a matrix of 9 * (2^28 + 3) non-zeros is multiplied") {
  if (test::without_device()) return;
  if (test::without_memory_of(26)) return;
  static_assert(rows * per_row > index_t{1} << 31);
  upsweep::device executor;
  const auto offsets = made<index_t>(executor, rows + 1, row_start{});
  const auto columns = made<std::int32_t>(executor, rows * per_row, column_of{});
  const auto values = made<float>(executor, rows * per_row, one{}), x = made<float>(executor, rows, small_number{});
  buffer<float> y(executor, rows);
  upsweep::spmv(executor, upsweep::csr_view<float, std::int32_t, index_t>(rows, rows, offsets, columns, values), x, y);
  test::check_on_device(executor, y.data(), rows, product{});
}

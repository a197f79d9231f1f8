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
#include "support.hpp"

using upsweep::buffer;
using upsweep::index_t;

namespace {
constexpr index_t n = (index_t{1} << 32) + 5, length = 1000, runs = (n + length - 1) / length;

struct low_byte {
  UPSWEEP_HD std::uint8_t operator()(index_t i) const { return static_cast<std::uint8_t>(i); }
};
// Of the low bytes of 0 … end − 1, modulo 256: 0 + 1 + … + 255 is 128.
UPSWEEP_HD std::uint8_t sum_of_low_bytes(index_t end) {
  const index_t r = end % 256;
  return static_cast<std::uint8_t>(end / 256 * 128 + r * (r - 1) / 2);
}
// Runs of `length` items, the last one shorter.
struct number_of_run {
  UPSWEEP_HD std::uint8_t operator()(index_t i) const { return static_cast<std::uint8_t>(i / length); }
};
struct start_of_run {
  UPSWEEP_HD index_t operator()(index_t run) const { return run * length < n ? run * length : n; }
};
struct sum_within_run {
  UPSWEEP_HD std::uint8_t operator()(index_t i) const {
    return static_cast<std::uint8_t>(sum_of_low_bytes(i + 1) - sum_of_low_bytes(i / length * length));
  }
};
struct sum_of_run {
  UPSWEEP_HD std::uint8_t operator()(index_t run) const {
    return static_cast<std::uint8_t>(sum_of_low_bytes(start_of_run{}(run + 1)) - sum_of_low_bytes(start_of_run{}(run)));
  }
};

struct is_small {
  UPSWEEP_HD bool operator()(std::uint8_t x) const { return x < 100; }
};
struct small_one {  // the j-th
  UPSWEEP_HD std::uint8_t operator()(index_t j) const { return static_cast<std::uint8_t>(j % 100); }
};
struct large_one {
  UPSWEEP_HD std::uint8_t operator()(index_t j) const { return static_cast<std::uint8_t>(100 + j % 156); }
};

// Pairs of i's low byte and the byte above it: among equal keys the values count on.
struct byte_above {
  UPSWEEP_HD std::uint8_t operator()(index_t i) const { return static_cast<std::uint8_t>(i / 256); }
};
constexpr index_t of_first_keys = n / 256 + 1, first_keys = n % 256;
struct sorted_pair {
  bool is_key;
  UPSWEEP_HD std::uint8_t operator()(index_t i) const {
    const index_t behind = i - first_keys * of_first_keys;  // of the keys that are one fewer each
    const index_t key = behind < 0 ? i / of_first_keys : first_keys + behind / (of_first_keys - 1);
    const index_t place = behind < 0 ? i % of_first_keys : behind % (of_first_keys - 1);
    return static_cast<std::uint8_t>(is_key ? key : place);
  }
};

struct click {  // one sample of four
  UPSWEEP_HD std::int16_t operator()(index_t i) const { return static_cast<std::int16_t>(i % 4 == 0 ? 1000 : 0); }
};
struct decayed_clicks {  // 16000 / 15 and its halves, which no rounding inside brings near the next integer
  UPSWEEP_HD std::int16_t operator()(index_t i) const {
    const int samples[] = {1067, 533, 267, 133};
    return static_cast<std::int16_t>(samples[i % 4]);
  }
};

constexpr index_t rows = (index_t{1} << 28) + 3, per_row = 9, apart = 12345;
struct row_start {
  UPSWEEP_HD index_t operator()(index_t row) const { return row * per_row; }
};
UPSWEEP_HD index_t column(index_t row, index_t k) { return (row + k * apart) % rows; }
struct column_of {
  UPSWEEP_HD std::int32_t operator()(index_t i) const {
    return static_cast<std::int32_t>(column(i / per_row, i % per_row));
  }
};
struct one {
  UPSWEEP_HD float operator()(index_t) const { return 1; }
};
struct small_number {
  UPSWEEP_HD float operator()(index_t i) const { return static_cast<float>(i % 7); }
};
struct product {
  UPSWEEP_HD float operator()(index_t row) const {
    float sum = 0;
    for (index_t k = 0; k < per_row; k++) sum += small_number{}(column(row, k));
    return sum;
  }
};

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

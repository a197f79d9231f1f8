// Inputs of more than 2^32 items, and of more than 2^31 non-zeros, each a function of its index, and closed forms of
// what the calls give: for hosts and the GPU.
#pragma once
#include <cstdint>

#include <upsweep/config.hpp>

namespace large {
using upsweep::index_t;

inline constexpr index_t n = (index_t{1} << 32) + 5, length = 1000, runs = (n + length - 1) / length;

struct low_byte {
  UPSWEEP_HD std::uint8_t operator()(index_t i) const { return static_cast<std::uint8_t>(i); }
};
// Of the low bytes of 0 … end − 1, modulo 256: 0 + 1 + … + 255 is 128.
UPSWEEP_HD inline std::uint8_t sum_of_low_bytes(index_t end) {
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
inline constexpr index_t of_first_keys = n / 256 + 1, first_keys = n % 256;
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

inline constexpr index_t rows = (index_t{1} << 28) + 3, per_row = 9, apart = 12345;
struct row_start {
  UPSWEEP_HD index_t operator()(index_t row) const { return row * per_row; }
};
UPSWEEP_HD inline index_t column(index_t row, index_t k) { return (row + k * apart) % rows; }
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

}  // namespace large

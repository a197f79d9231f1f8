// Calls on all threads while other programs use all cores, against the same call on one thread then. Small and large
// ones: a scan, a reduction, a selection, a partition, a sort, a product, a filter, a histogram, equalizations.
#include <algorithm>

#include <upsweep/clahe.hpp>
#include <upsweep/compaction.hpp>
#include <upsweep/equalize.hpp>
#include <upsweep/filter_design.hpp>
#include <upsweep/histogram.hpp>
#include <upsweep/iir.hpp>
#include <upsweep/partition.hpp>
#include <upsweep/radix_sort.hpp>
#include <upsweep/reduce.hpp>
#include <upsweep/scan.hpp>
#include <upsweep/spmv.hpp>

#include "images.hpp"
#include "matrices.hpp"

namespace bench {
namespace {

//! call(executor, output) on all threads and on one.
template <class T, class Call>
trial both(bed& b, index_t items_out, double bytes, const Call& call) {
  const auto out = b.room<T>(items_out), expected = b.room<T>(items_out);
  const auto alone = std::make_shared<upsweep::host>(1);
  return {.ours = [=, &b] { call(b.exec, out); },
          .peers = {{"a single thread of ours", [=] { call(*alone, expected); }}},
          .bytes = [=] { return bytes; },
          .check = [=, &b] { return compare(b, out, expected, items_out); }};
}

trial scan(bed& b, index_t n, std::uint64_t seed) {
  const auto in = b.filled<int>(n, uniform<int>{seed});
  return both<int>(b, n, 8. * static_cast<double>(n),
                   [=](auto& on, auto out) { upsweep::inclusive_scan(on, in, out); });
}
trial sum(bed& b, index_t n, std::uint64_t seed) {
  const auto in = b.filled<int>(n, uniform<int>{seed});
  return both<int>(b, 1, 4. * static_cast<double>(n),
                   [=](auto& on, auto out) { upsweep::reduce(on, in, upsweep::plus<int>{}, out.data()); });
}
trial select(bed& b, index_t n, std::uint64_t seed) {
  const auto in = b.filled<int>(n, uniform<int>{seed});
  const auto counts = b.scratch<index_t>(2);
  return both<int>(b, n / 4, 6. * static_cast<double>(n), [=, kept = b.scratch<int>(n)](auto& on, auto out) {
    upsweep::copy_if(
        on, in, kept, [](int x) { return x > 0; }, counts.data());
    std::copy_n(kept.begin(), out.size(), out.begin());  // about half is kept, surely a quarter
  });
}
trial partition(bed& b, index_t n, std::uint64_t seed) {
  const auto in = b.filled<std::uint32_t>(n, uniform<std::uint32_t>{seed});
  const auto counts = b.scratch<index_t>(2);
  return both<std::uint32_t>(b, 2 * n, 8. * static_cast<double>(n), [=](auto& on, auto out) {
    const auto side = static_cast<std::size_t>(n);
    upsweep::partition_copy(
        on, in, out.first(side), out.last(side), [](std::uint32_t x) { return x < 0x80000000u; }, counts.data());
  });
}
trial filter(bed& b, index_t n, std::uint64_t seed) {
  const auto in = b.filled<float>(n, uniform<float>{seed});
  const auto sections = upsweep::butterworth_lowpass(2, 0.1, 1);
  return both<float>(b, n, 8. * static_cast<double>(n),
                     [=](auto& on, auto out) { upsweep::sosfilt(on, sections, in, out); });
}
trial count_levels(bed& b, index_t n, std::uint64_t seed) {
  const auto in = b.filled<std::uint8_t>(n, uniform<std::uint8_t>{seed});
  return both<index_t>(b, 256, static_cast<double>(n), [=](auto& on, auto out) { upsweep::histogram(on, in, out); });
}
trial equalize(bed& b, index_t n, std::uint64_t seed) {
  const auto in = b.filled<std::uint8_t>(n, uniform<std::uint8_t>{seed});
  const upsweep::image_layout layout{.width = side_of(n), .height = side_of(n)};
  return both<std::uint8_t>(b, n, 3. * static_cast<double>(n), [=](auto& on, auto out) {
    upsweep::equalize_histogram(on, upsweep::image(in, layout), out);
  });
}
trial adapt(bed& b, index_t n, std::uint64_t seed) {
  const auto in = b.filled<std::uint8_t>(n, natural_levels<std::uint8_t>{seed, side_of(n)});
  const upsweep::image_layout layout{.width = side_of(n), .height = side_of(n)};
  return both<std::uint8_t>(b, n, 3. * static_cast<double>(n),
                            [=](auto& on, auto out) { upsweep::clahe(on, upsweep::image(in, layout), out); });
}
trial sort(bed& b, index_t n, std::uint64_t seed) {
  const auto in = b.filled<std::uint32_t>(n, uniform<std::uint32_t>{seed});
  return both<std::uint32_t>(b, n, 8. * static_cast<double>(n),
                             [=](auto& on, auto out) { upsweep::radix_sort(on, in, out); });
}
trial product(bed& b, index_t n, std::uint64_t seed) {
  const index_t rows = n / 16;
  const auto a = filled_matrix<float>(b, even(rows, rows, 16, 64), seed, seed);
  const std::span<const float> x = b.filled<float>(rows, uniform<float>{seed + 1});
  return both<float>(b, rows, 8. * static_cast<double>(n), [=](auto& on, auto out) { upsweep::spmv(on, a, x, out); });
}

const bool rows =
    busy("inclusive_sum/int32_busy", scan, 16) && busy("inclusive_sum/int32_busy", scan, 24) &&
    busy("reduce/int32_busy", sum, 20) && busy("reduce/int32_busy", sum, 24) &&
    busy("copy_if/int32_50_percent_busy", select, 24) && busy("partition_copy/uint32_50_percent_busy", partition, 24) &&
    busy("radix_sort/uint32_busy", sort, 22) && busy("spmv/float32_16_a_row_busy", product, 20) &&
    busy("spmv/float32_16_a_row_busy", product, 24) && busy("sosfilt/float32_1_section_busy", filter, 18) &&
    busy("sosfilt/float32_1_section_busy", filter, 24) && busy("histogram/uint8_random_busy", count_levels, 20) &&
    busy("histogram/uint8_random_busy", count_levels, 26) && busy("equalize/uint8_512x512_busy", equalize, 18) &&
    busy("equalize/uint8_4096x4096_busy", equalize, 24) && busy("clahe/uint8_4096x4096_busy", adapt, 24);

}  // namespace
}  // namespace bench

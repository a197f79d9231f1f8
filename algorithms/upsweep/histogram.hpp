// Histograms: how many items are in each bin, of ranges, images with a pitch, regions of interest and batches.
// Not a scan but privatized counters, laid out so that no input is slow (images/host/histogram.hpp,
// images/cuda/histogram.hpp).
#pragma once
#include <cstdint>
#include <limits>
#include <type_traits>

#include <upsweep/checks.hpp>
#include <upsweep/config.hpp>
#include <upsweep/executor.hpp>
#include <upsweep/explain.hpp>
#include <upsweep/image.hpp>
#include <upsweep/images/bins.hpp>
#include <upsweep/images/host/histogram.hpp>
#include <upsweep/require.hpp>
#include <upsweep/stages.hpp>
#if UPSWEEP_HAS_CUDA
#include <upsweep/images/cuda/histogram.hpp>
#elif UPSWEEP_HAS_LIBRARY
#include <upsweep/images/library/histogram.hpp>
#endif

namespace UPSWEEP_NAMESPACE {

namespace detail {
// Bins of an image: as many as the counts have room for, exactly.
template <class Count, class T>
index_t bins_of(const named_range<Count>& counts, const pixels<T>& in, index_t most, const char* why) {
  require(counts.size >= in.count && counts.size % in.count == 0, counts.name, "has ", counts.size,
          " items, needs a multiple of ", in.count, ": at least one bin for each image");
  const index_t bins = counts.size / in.count;
  require(bins <= most, counts.name, "has ", bins, " bins for each image, at most ", most, why);
  return bins;
}
inline constexpr index_t most_bins = std::numeric_limits<std::int32_t>::max();

//! A mask as bytes, in the shape of an image.
template <class Executor, class T, class Mask>
pixels<const std::uint8_t> mask_like(const Executor& executor, const pixels<const T>& in, const Mask& mask) {
  return pixels_in_like(executor, in, "mask", mask).template as<const std::uint8_t>();
}

//! Calls f with the mask of `argument`, checked, or with null.
template <class Executor, class T, class A, class U, class F>
void with_mask(const Executor& executor, const pixels<const T>& in, [[maybe_unused]] const A& argument,
               [[maybe_unused]] const named_range<U>& written, const F& f) {
  if constexpr (is_masked<A>::value) {
    const pixels<const std::uint8_t> flags = mask_like(executor, in, argument.mask);
    check_disjoint(named_range<const std::uint8_t>{flags.data, flags.size, flags.name}, flags.extent(), written,
                   written.size);
    f(&flags);
  } else {
    f(static_cast<const pixels<const std::uint8_t>*>(nullptr));
  }
}

template <class Executor, class T, class Bin, class Count, class A>
void count_on(Executor& executor, const pixels<const T>& in, const A& argument, const Bin& bin,
              const named_range<Count>& counts) {
  static_assert(std::is_integral_v<Count> && sizeof(Count) == 8, "counts are integers of 64 bits");
  check_range(executor, counts, counts.size);
  const named_range<const T> read{in.data, in.size, in.name};
  check_disjoint(read, in.extent(), counts, counts.size);
  with_mask(executor, in, argument, counts, [&](const pixels<const std::uint8_t>* mask) {
    run_on_backend(executor, [&](auto& chosen) { count_pixels(chosen, in, mask, bin, counts.data); });
  });
}
}  // namespace detail

//! counts[v] = how many items are v, for unsigned items of 8 or 16 bits. `in` is a range or an image(range, layout), or
//! masked(in, mask) of either; `counts` has one integer of 64 bits for each bin, at most 256 or 65,536; of a batch the
//! bins of the first image, then those of the next. Values beyond the last bin are not counted, nor are items whose
//! byte in the mask is zero. Costs one read of the input, with a mask more slowly.
//! No input is slow, however its items repeat. Counts are exact. Throws std::invalid_argument, std::bad_alloc,
//! cuda_error. Device work is enqueued: one launch for a small image or a batch of them. Method: private counters, one
//! for each lane and bin, on the GPU in shared memory banks of their own.
//!   upsweep::histogram(exec, in, counts);                            // std::vector<upsweep::index_t> counts(256)
//!   upsweep::histogram(exec, upsweep::masked(in, mask), counts);
template <executor Executor, countable_pixels In, contiguous_range Counts>
void histogram(Executor&& executor, const In& in, Counts&& counts) {
  using T = detail::pixel_t<In>;
  static_assert(std::is_unsigned_v<T> && sizeof(T) <= 2 && !std::is_same_v<T, bool>,
                "histogram counts unsigned items of 8 or 16 bits; for all else there is histogram_even");
  const auto from = detail::pixels_in(executor, "in", detail::pixels_of(in));
  const auto to = UPSWEEP_OUTPUT(counts);
  const index_t bins = detail::bins_of(to, from, index_t{1} << (8 * sizeof(T)), ", as the items have values");
  detail::count_on(executor, from, in, detail::level_bins{static_cast<std::uint32_t>(bins)}, to);
}

//! Bins of one width over [low, high), as many as `counts` has for each image: bin k counts items from
//! low + k·(high - low)/bins on. Items outside are not counted, nor are NaNs, nor is `high` itself (as in OpenCV and
//! CUB; NumPy counts it in the last bin). Items are of any arithmetic type but long double, and so are low and high,
//! which are host values. Of integers the bins are exact, whatever the bounds: -0.5 and 3.5 make four bins of one value
//! each. (Where bounds that are no integers do not make the same bins as some that are, items are searched for among
//! the bins' edges, as in histogram_range, which takes 8 bytes a bin. `high` may be one more than the items' largest
//! value; of 64-bit ones it is at most that. Refused are bounds whose bins cannot be told in 128 bits: of less than
//! about 2^-40, for instance, beside others of 1.) Of floats low and high are rounded to the items' type first, and
//! bin = (x - low)·(bins / (high - low)) in that type, rounded down. Throws std::invalid_argument for bounds that are
//! not finite, and unless low < high. Otherwise as histogram.
//!   upsweep::histogram_even(exec, in, counts, 0.f, 1.f);
template <executor Executor, countable_pixels In, contiguous_range Counts, class Low, class High>
void histogram_even(Executor&& executor, const In& in, Counts&& counts, Low low, High high) {
  using T = detail::pixel_t<In>;
  static_assert(detail::countable<T>, "histogram_even counts numbers, not long double");
  static_assert(detail::countable<Low> && detail::countable<High>, "low and high are numbers, not long double");
  const auto from = detail::pixels_in(executor, "in", detail::pixels_of(in));
  const auto to = UPSWEEP_OUTPUT(counts);
  const index_t bins = detail::bins_of(to, from, detail::most_bins, "");
  const auto count = [&](const auto& bin) { detail::count_on(executor, from, in, bin, to); };
  const auto number = static_cast<std::uint32_t>(bins);
  if constexpr (std::is_floating_point_v<T>) {
    const T begin = static_cast<T>(low), end = static_cast<T>(high);
    detail::check_bounds<T>(begin, end, bins);
    count(detail::even_bins<T>(number, begin, end));
  } else {
    const detail::integer_bounds<T> bounds(low, high, bins);
    if (bounds.edges.empty()) count(detail::even_bins<T>(number, bounds.low, bounds.high));
    else count(detail::edge_bins<T>{number, bounds.edges.data()});
  }
}

//! Bins between edges, which increase: bin k counts items in [edges[k], edges[k + 1]). Items outside are not counted,
//! nor are NaNs, nor is the last edge itself (NumPy counts it in the last bin). `edges` is host memory and has one item
//! more than there are bins, of any arithmetic type; it has been copied when the call returns. Otherwise as
//! histogram_even.
//!   upsweep::histogram_range(exec, in, counts, std::vector{0.0, 0.5, 0.9, 1.0});
template <executor Executor, countable_pixels In, contiguous_range Counts, contiguous_range Edges>
void histogram_range(Executor&& executor, const In& in, Counts&& counts, const Edges& edges) {
  using T = detail::pixel_t<In>;
  static_assert(detail::countable<T> && std::is_arithmetic_v<element_t<const Edges>>,
                "histogram_range counts numbers, not long double");
  const auto from = detail::pixels_in(executor, "in", detail::pixels_of(in));
  const auto to = UPSWEEP_OUTPUT(counts);
  const index_t bins = detail::bins_of(to, from, detail::most_bins, "");
  const auto bounds = detail::bounds_of_edges<T>(detail::input("edges", edges));
  detail::require(static_cast<index_t>(bounds.size()) == bins + 1, "edges", "has ", bounds.size(), " items, needs ",
                  bins + 1, ": one more than there are bins");
  detail::count_on(executor, from, in, detail::edge_bins<T>{static_cast<std::uint32_t>(bins), bounds.data()}, to);
}
UPSWEEP_EXPLAIN(histogram, "histogram(executor, in, counts), of which in may be masked(in, mask)")
UPSWEEP_EXPLAIN(histogram_even, "histogram_even(executor, in, counts, low, high), of which in may be masked(in, mask)")
UPSWEEP_EXPLAIN(histogram_range, "histogram_range(executor, in, counts, edges), of which in may be masked(in, mask)")

}  // namespace UPSWEEP_NAMESPACE

// Histograms: how many items are in each bin, of ranges, images with a pitch, regions of interest and batches.
// Not a scan but privatized counters, laid out so that no input is slow (host/histogram.hpp, cuda/histogram.hpp).
#pragma once
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>
#include <type_traits>

#include <upsweep/bins.hpp>
#include <upsweep/checks.hpp>
#include <upsweep/config.hpp>
#include <upsweep/executor.hpp>
#include <upsweep/host/histogram.hpp>
#include <upsweep/image.hpp>
#include <upsweep/stages.hpp>
#if UPSWEEP_HAS_CUDA
#include <upsweep/cuda/histogram.hpp>
#endif

namespace upsweep::inline UPSWEEP_ABI {

//! No mask: every pixel counts.
struct no_mask {};

namespace detail {
template <class M>
concept mask_range = std::is_same_v<M, no_mask> || (pixel_range<M> && sizeof(pixel_t<M>) == 1);

// Bins of an image: as many as the counts have room for, exactly.
template <class Count, class T>
index_t bins_of(const named_range<Count>& counts, const pixels<T>& in, index_t most, const char* why) {
  if (counts.size < in.count || counts.size % in.count != 0)
    throw std::invalid_argument(std::string(counts.name) + " has " + std::to_string(counts.size) +
                                " items, needs a multiple of " + std::to_string(in.count) +
                                ": at least one bin for each image");
  const index_t bins = counts.size / in.count;
  if (bins > most)
    throw std::invalid_argument(std::string(counts.name) + " has " + std::to_string(bins) +
                                " bins for each image, at most " + std::to_string(most) + why);
  return bins;
}
inline constexpr index_t most_bins = std::numeric_limits<std::int32_t>::max();

//! A mask as bytes, in the shape of an image.
template <class Executor, class T, class Mask>
pixels<const std::uint8_t> mask_like(const Executor& executor, const pixels<const T>& in, const Mask& mask) {
  const auto p = pixels_in_like(executor, in, "mask", mask);
  return {reinterpret_cast<const std::uint8_t*>(p.data),
          p.size,
          p.name,
          p.width,
          p.height,
          p.pitch,
          p.count,
          p.image_pitch};
}

template <class Executor, class T, class Bin, class Count, class Mask>
void count_on(Executor& executor, const pixels<const T>& in, const Bin& bin, const named_range<Count>& counts,
              const Mask& mask) {
  static_assert(std::is_integral_v<Count> && sizeof(Count) == 8, "counts are integers of 64 bits");
  check_range(executor, counts, counts.size);
  const named_range<const T> read{in.data, in.size, in.name};
  check_disjoint(read, in.extent(), counts, counts.size);
  if constexpr (std::is_same_v<Mask, no_mask>) {
    run_on_backend(executor, [&](auto& chosen) { count_pixels(chosen, in, nullptr, bin, counts.data); });
  } else {
    const auto flags = mask_like(executor, in, mask);
    check_disjoint(named_range<const std::uint8_t>{flags.data, flags.size, flags.name}, flags.extent(), counts,
                   counts.size);
    run_on_backend(executor, [&](auto& chosen) { count_pixels(chosen, in, &flags, bin, counts.data); });
  }
}
}  // namespace detail

//! counts[v] = how many items are v, for unsigned items of 8 or 16 bits. `in` is a range or an image(range, layout);
//! `counts` has one integer of 64 bits for each bin, at most 256 or 65,536; of a batch the bins of the first image,
//! then those of the next. Values beyond the last bin are not counted. With a `mask`, bytes in the shape of `in` (or a
//! plain range of as many), only items whose byte is not zero are. Costs one read of the input, the mask more slowly.
//! No input is slow, however its items repeat. Counts are exact. Throws std::invalid_argument, std::bad_alloc,
//! cuda_error. Device work is enqueued: one launch for a small image or a batch of them. Method: private counters, one
//! for each lane and bin, on the GPU in shared memory banks of their own.
//!   upsweep::histogram(exec, in, counts);                            // std::vector<upsweep::index_t> counts(256)
template <class Executor, pixel_range In, contiguous_range Counts, detail::mask_range Mask = no_mask>
void histogram(Executor& executor, const In& in, Counts&& counts, const Mask& mask = {}) {
  using T = detail::pixel_t<In>;
  static_assert(std::is_unsigned_v<T> && sizeof(T) <= 2 && !std::is_same_v<T, bool>,
                "histogram counts unsigned items of 8 or 16 bits; for all else there is histogram_even");
  const auto from = detail::pixels_in(executor, "in", in);
  const auto to = output("counts", counts);
  const index_t bins = detail::bins_of(to, from, index_t{1} << (8 * sizeof(T)), ", as the items have values");
  detail::count_on(executor, from, detail::level_bins{static_cast<std::uint32_t>(bins)}, to, mask);
}

//! Bins of one width over [low, high), as many as `counts` has for each image: bin k counts items from
//! low + k·(high - low)/bins on. Items outside are not counted, nor are NaNs, nor is `high` itself (as in OpenCV and
//! CUB; NumPy counts it in the last bin). Items are of any arithmetic type but long double. Of integers the bins are
//! exact, and high may be one more than their largest value (not of 64-bit ones); of floats bin = (x - low)·(bins /
//! (high - low)) in the items' type, rounded down. low and high are host values. Otherwise as histogram.
//!   upsweep::histogram_even(exec, in, counts, 0.f, 1.f);
template <class Executor, pixel_range In, contiguous_range Counts, detail::mask_range Mask = no_mask>
void histogram_even(Executor& executor, const In& in, Counts&& counts, detail::bound_t<detail::pixel_t<In>> low,
                    detail::bound_t<detail::pixel_t<In>> high, const Mask& mask = {}) {
  using T = detail::pixel_t<In>;
  static_assert(detail::countable<T>, "histogram_even counts numbers, not long double");
  const auto from = detail::pixels_in(executor, "in", in);
  const auto to = output("counts", counts);
  const index_t bins = detail::bins_of(to, from, detail::most_bins, "");
  detail::check_bounds<T>(low, high, bins);
  detail::count_on(executor, from, detail::even_bins<T>(static_cast<std::uint32_t>(bins), low, high), to, mask);
}

//! Bins between edges, which increase: bin k counts items in [edges[k], edges[k + 1]). Items outside are not counted,
//! nor are NaNs, nor is the last edge itself (NumPy counts it in the last bin). `edges` is host memory and has one item
//! more than there are bins, of any arithmetic type; it has been copied when the call returns. Otherwise as
//! histogram_even.
//!   upsweep::histogram_range(exec, in, counts, std::vector{0.0, 0.5, 0.9, 1.0});
template <class Executor, pixel_range In, contiguous_range Counts, contiguous_range Edges,
          detail::mask_range Mask = no_mask>
void histogram_range(Executor& executor, const In& in, Counts&& counts, const Edges& edges, const Mask& mask = {}) {
  using T = detail::pixel_t<In>;
  static_assert(detail::countable<T> && std::is_arithmetic_v<element_t<const Edges>>,
                "histogram_range counts numbers, not long double");
  const auto from = detail::pixels_in(executor, "in", in);
  const auto to = output("counts", counts);
  const index_t bins = detail::bins_of(to, from, detail::most_bins, "");
  const auto bounds = detail::bounds_of_edges<T>(input("edges", edges));
  if (static_cast<index_t>(bounds.size()) != bins + 1)
    throw std::invalid_argument("edges has " + std::to_string(bounds.size()) + " items, needs " +
                                std::to_string(bins + 1) + ": one more than there are bins");
  detail::count_on(executor, from, detail::edge_bins<T>{static_cast<std::uint32_t>(bins), bounds.data()}, to, mask);
}

}  // namespace upsweep::inline UPSWEEP_ABI

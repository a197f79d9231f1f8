// The histograms that are compiled into upsweep::cuda: a backend beside those of host/ and cuda/.
#pragma once
#include <cstdint>
#include <type_traits>

#include <upsweep/config.hpp>
#include <upsweep/images/bins.hpp>
#include <upsweep/images/library/pixels.hpp>

//! What the error of a histogram says that is not compiled in.
#define UPSWEEP_LIBRARY_HAS_HISTOGRAMS                                                                        \
  "It has histogram, of items of type uint8 and uint16, and histogram_even and histogram_range, of items of " \
  "type" UPSWEEP_LIBRARY_ITEM_NAMES

namespace UPSWEEP_NAMESPACE::library {

//! The C interface's call of a histogram by such bins.
template <class T>
struct histogram_call {
  device& executor;
  upsweep_image_input in;
  const upsweep_image_input* mask;
  upsweep_output counts;

  int operator()(const detail::level_bins&) const { return upsweep_histogram(executor.handle(), in, mask, counts); }
  int operator()(const detail::even_bins<T>& bin) const {
    using bound = detail::bound_t<T>;
    const auto low = static_cast<bound>(bin.low), high = end_of<bound>(bin);
    return upsweep_histogram_even(executor.handle(), in, mask, counts, &low, &high);
  }
  int operator()(const detail::edge_bins<T>& bin) const {
    return upsweep_histogram_range(executor.handle(), in, mask, counts, bin.edges);
  }

 private:
  template <class B>
  static B end_of(const detail::even_bins<T>& bin) {
    if constexpr (std::is_floating_point_v<T>) return bin.high;
    else return static_cast<B>(bin.low + bin.width);
  }
};

}  // namespace UPSWEEP_NAMESPACE::library

namespace UPSWEEP_NAMESPACE::detail {

template <class T, class Bin, class Count>
  requires(library::item_code<T> != 0)
void count_pixels(device& executor, const pixels<const T>& in, const pixels<const std::uint8_t>* mask, const Bin& bin,
                  Count* counts) {
  const library::mask_image flags(mask);
  const library::histogram_call<T> call{.executor = executor,
                                        .in = library::image_of(in),
                                        .mask = flags.pointer,
                                        .counts = library::output_of(counts, in.count * bin.bins)};
  library::check(call(bin));
}
UPSWEEP_NOT_IN_LIBRARY(count_pixels, UPSWEEP_LIBRARY_HAS_HISTOGRAMS)

}  // namespace UPSWEEP_NAMESPACE::detail

// The instances of histograms of items of one type.
#pragma once
#include <cstdint>
#include <cstring>
#include <span>

#include <upsweep/config.hpp>
#include <upsweep/histogram.hpp>
#include <upsweep/images/bins.hpp>
#include <upsweep/require.hpp>

#include "images.hpp"

namespace UPSWEEP_NAMESPACE::compiled {

template <class T>
void count_levels(const histogram_request& request) {
  with_mask<T>(request.in, request.mask,
               [&](const auto& in) { histogram(request.executor, in, items_of<std::int64_t>(request.counts)); });
}

template <class T>
void count_even(const histogram_request& request, const void* low, const void* high) {
  detail::bound_t<T> from, to;
  std::memcpy(&from, low, sizeof from);
  std::memcpy(&to, high, sizeof to);
  with_mask<T>(request.in, request.mask, [&](const auto& in) {
    histogram_even(request.executor, in, items_of<std::int64_t>(request.counts), from, to);
  });
}

//! As histogram_range, but bins may be empty: those of real bounds are, where there is no integer between them.
template <class T>
void count_between(const histogram_request& request, const void* edges) {
  with_mask<T>(request.in, request.mask, [&](const auto& in) {
    const auto from = detail::pixels_in(request.executor, "in", detail::pixels_of(in));
    const auto counts = detail::output("counts", items_of<std::int64_t>(request.counts));
    const index_t bins = detail::bins_of(counts, from, detail::most_bins, "");
    const auto* const bounds = static_cast<const detail::bound_t<T>*>(edges);
    for (index_t k = 0; k < bins; k++)
      detail::require(bounds[k] <= bounds[k + 1], "edges", ": item ", k + 1, " is less than the one before");
    detail::count_on(request.executor, from, in, detail::edge_bins<T>{static_cast<std::uint32_t>(bins), bounds},
                     counts);
  });
}

}  // namespace UPSWEEP_NAMESPACE::compiled

// Filters as the C interface takes them, in front of the choice of types.
#pragma once
#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include <upsweep/c/filter.h>
#include <upsweep/config.hpp>
#include <upsweep/cuda/device.hpp>
#include <upsweep/filter/filter_task.hpp>
#include <upsweep/filter/library/signals.hpp>
#include <upsweep/require.hpp>
#include <upsweep/sections.hpp>
#include <upsweep/signal.hpp>

#include "scan.hpp"

namespace UPSWEEP_NAMESPACE::compiled {

struct filter_request {
  device& executor;
  upsweep_input in;
  upsweep_output out;
  double* state;  // or null
};

//! Numbers that C gave as a pointer and how many there are.
inline std::span<const double> numbers_of(const double* numbers, std::int64_t count, const char* name) {
  detail::require(count >= 0, name, "has ", count, " entries");
  detail::require(numbers != nullptr || count == 0, name, "is a null pointer with a size");
  return {numbers, static_cast<std::size_t>(count)};
}
inline std::vector<section> sections_of(const upsweep_sections& given) {
  detail::require(given.count >= 0 && given.filters >= 1, "sections", "are ", given.count, " each of ", given.filters,
                  " filters");
  return to_sections(numbers_of(given.coefficients, 6 * given.count * given.filters, "sections"));
}
//! Of a call that takes one filter.
inline std::vector<section> sections_of_one(const upsweep_sections& given) {
  detail::require(given.filters == 1, "sections", "are of ", given.filters, " filters, must be of one");
  return sections_of(given);
}
inline std::span<const double> numerator_of(const upsweep_polynomials& by) { return numbers_of(by.b, by.b_size, "b"); }
inline std::span<const double> denominator_of(const upsweep_polynomials& by) {
  return numbers_of(by.a, by.a_size, "a");
}
//! Entries of a channel's state.
inline std::int64_t order_of(const upsweep_polynomials& by) { return std::max(by.b_size, by.a_size) - 1; }

//! f(in, out), spans of the types that were asked for.
template <class F>
void with_samples(const upsweep_input& in, const upsweep_output& out, const F& f) {
#define UPSWEEP_ROW(In, Out, name)                                              \
  if (in.type == library::item_code<In> && out.type == library::item_code<Out>) \
    return f(items_of<In>(in), items_of<Out>(out));
  UPSWEEP_LIBRARY_SIGNALS(UPSWEEP_ROW)
#undef UPSWEEP_ROW
  throw not_compiled("in, out: filters of samples of these types are not in the library");
}
//! f(state), a span of so many entries, or no_state.
template <class F>
void with_state(double* state, std::int64_t entries, const F& f) {
  if (state) return f(std::span<double>(state, static_cast<std::size_t>(entries)));
  f(no_state);
}
//! f(layout)
template <class F>
void with_layout(const upsweep_channels* channels, const F& f) {
  if (!channels) return f(planar{});
  if (channels->interleaved) return f(interleaved{channels->channels});
  f(planar{channels->channels, channels->length, channels->pitch});
}

}  // namespace UPSWEEP_NAMESPACE::compiled

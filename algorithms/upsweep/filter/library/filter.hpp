// The filters that are compiled into upsweep::cuda: a backend beside those of host/ and cuda/.
#pragma once
#include <cstddef>
#include <span>
#include <type_traits>
#include <vector>

#include <upsweep/c/filter.h>
#include <upsweep/config.hpp>
#include <upsweep/executor.hpp>
#include <upsweep/filter/filter_task.hpp>
#include <upsweep/filter/library/signals.hpp>
#include <upsweep/filter/segment_filter.hpp>
#include <upsweep/filter/serial_filter.hpp>
#include <upsweep/library/errors.hpp>
#include <upsweep/library/scan.hpp>
#include <upsweep/sections.hpp>
#include <upsweep/signal.hpp>

namespace UPSWEEP_NAMESPACE::library {

template <class T, bool Interleaved>
upsweep_input input_of(const detail::signal<const T, Interleaved>& s) {
  return input_of(s.data, s.extent());
}
template <class T, bool Interleaved>
upsweep_output output_of(const detail::signal<T, Interleaved>& s) {
  return output_of(s.data, s.extent());
}
template <class T, bool Interleaved>
upsweep_channels channels_of(const detail::signal<T, Interleaved>& s) {
  return {.channels = s.channels, .length = s.length, .pitch = s.pitch, .interleaved = Interleaved};
}

//! Sections as C has them, six numbers each.
inline upsweep_sections sections_of(const section* first, std::size_t count, std::size_t filters) {
  static_assert(sizeof(section) == 6 * sizeof(double) && std::is_standard_layout_v<section>);
  return {.coefficients = &first->b0,
          .count = static_cast<std::int64_t>(count),
          .filters = static_cast<std::int64_t>(filters)};
}
inline upsweep_polynomials polynomials_of(std::span<const double> b, std::span<const double> a) {
  return {.b = b.data(), .b_size = std::ssize(b), .a = a.data(), .a_size = std::ssize(a)};
}
//! Of polynomials divided by a[0], which is put in front again as 1.
struct divided_polynomials {
  std::vector<double> a{1};
  upsweep_polynomials as_c;
  explicit divided_polynomials(const detail::polynomials& by) {
    a.insert(a.end(), by.a.begin(), by.a.end());
    as_c = polynomials_of(by.b, a);
  }
};

template <class Offset>
constexpr bool has_filter_offsets() {
#define UPSWEEP_ROW(offset, name) \
  if (is_same_number<Offset, offset>) return true;
  UPSWEEP_LIBRARY_FILTER_OFFSETS(UPSWEEP_ROW)
#undef UPSWEEP_ROW
  return false;
}

}  // namespace UPSWEEP_NAMESPACE::library

namespace UPSWEEP_NAMESPACE::detail {

template <std::size_t Filters, class In, class Out, bool Interleaved>
void filter_sections(device& executor, const filter_bank<Filters>& bank, const signal<const In, Interleaved>& in,
                     const signal<Out, Interleaved>& out, const kept_state& state) {
  const upsweep_channels channels = library::channels_of(in);
  library::check(upsweep_sosfilt(executor.handle(), library::sections_of(bank.data, bank.count, bank.filters),
                                 library::input_of(in), library::output_of(out), state.data, &channels));
}
template <class In, class Out, bool Interleaved>
void filter_polynomials(device& executor, const polynomials& by, const signal<const In, Interleaved>& in,
                        const signal<Out, Interleaved>& out, double* state) {
  const upsweep_channels channels = library::channels_of(in);
  library::check(upsweep_lfilter(executor.handle(), library::divided_polynomials(by).as_c, library::input_of(in),
                                 library::output_of(out), state, &channels));
}

template <class In, class Out, class Offset>
  requires(library::has_filter_offsets<Offset>())
void filter_segments(device& executor, std::span<const section> sections, const segmented_signal<In, Out, Offset>& s) {
  library::check(upsweep_sosfilt_segmented(executor.handle(), library::sections_of(sections.data(), sections.size(), 1),
                                           library::input_of(s.in, s.length), library::output_of(s.out, s.length),
                                           s.state, library::input_of(s.offsets, s.count)));
}
template <class In, class Out, class Offset>
  requires(library::has_filter_offsets<Offset>())
void filter_segments(device& executor, const polynomials& by, const segmented_signal<In, Out, Offset>& s) {
  library::check(upsweep_lfilter_segmented(executor.handle(), library::divided_polynomials(by).as_c,
                                           library::input_of(s.in, s.length), library::output_of(s.out, s.length),
                                           s.state, library::input_of(s.offsets, s.count)));
}
UPSWEEP_NOT_IN_LIBRARY(filter_segments, "It has filters of segments by offsets of type int32 and int64")

template <class In, class Out, bool Interleaved>
void filter_both_ways(device& executor, std::span<const section> rows, const signal<const In, Interleaved>& in,
                      const signal<Out, Interleaved>& out) {
  const upsweep_channels channels = library::channels_of(in);
  library::check(upsweep_sosfiltfilt(executor.handle(), library::sections_of(rows.data(), rows.size(), 1),
                                     library::input_of(in), library::output_of(out), &channels));
}
template <class In, class Out, bool Interleaved>
void filter_both_ways(device& executor, std::span<const double> b, std::span<const double> a,
                      const signal<const In, Interleaved>& in, const signal<Out, Interleaved>& out) {
  const upsweep_channels channels = library::channels_of(in);
  library::check(upsweep_filtfilt(executor.handle(), library::polynomials_of(b, a), library::input_of(in),
                                  library::output_of(out), &channels));
}

}  // namespace UPSWEEP_NAMESPACE::detail

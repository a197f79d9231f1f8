// Recursive (IIR) filters with SciPy's conventions, in one pass: a signal is read once and written once.
//   sosfilt(exec, sections, in, out, state, layout)   a cascade of second-order sections
//   lfilter(exec, b, a, in, out, state, layout)       polynomials in z⁻¹
// With offsets(positions) for a layout every segment is filtered on its own (filter/segment_filter.hpp).
// States are computed in double whatever the samples are, and only states are scanned (filter/rule.hpp). Filters are
// designed in filter_design.hpp; both ways at once: filtfilt.hpp.
#pragma once
#include <array>
#include <cstddef>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include <upsweep/checks.hpp>
#include <upsweep/config.hpp>
#include <upsweep/explain.hpp>
#include <upsweep/filter/cascade.hpp>
#include <upsweep/filter/cut.hpp>
#include <upsweep/filter/filter_task.hpp>
#include <upsweep/filter/host/filter.hpp>
#include <upsweep/filter/segment_filter.hpp>
#include <upsweep/require.hpp>
#include <upsweep/sections.hpp>
#include <upsweep/segments.hpp>
#include <upsweep/signal.hpp>
#if UPSWEEP_HAS_CUDA
#include <upsweep/filter/cuda/filter.hpp>
#elif UPSWEEP_HAS_LIBRARY
#include <upsweep/filter/library/filter.hpp>
#endif

namespace UPSWEEP_NAMESPACE {

//! A signal of samples of type T that is filtered in pieces of multiples of so many samples is filtered to the same
//! bits as in one piece, on the same backend: the states between blocks are computed left to right, whatever the sizes.
//! Pieces of other lengths give the same to rounding, in double. (A host's pieces need be multiples of 128 samples
//! only. Of int16_t through more than eight sections a device's must be nine times as long: all passes but the first
//! are over samples in double.)
template <class T>
inline constexpr index_t filter_block = filter_block_items<static_cast<int>(sizeof(T))>;

namespace detail {
template <class L>
concept channel_layout = std::is_same_v<L, planar> || std::is_same_v<L, interleaved>;
template <class S>
concept filter_state = std::is_same_v<std::remove_cvref_t<S>, no_state_t> || contiguous_range<S>;

//! The sections of a call: as they stand where they are such.
template <contiguous_range Sections>
auto sections_of(const Sections& sections) {
  using T = element_t<const Sections>;
  static_assert(std::is_same_v<T, section> || std::is_same_v<T, std::array<double, 6>> || std::is_same_v<T, double>,
                "sections are a range of upsweep::section, of std::array<double, 6>, or of double, six a section");
  const std::span<const T> rows(std::data(sections), std::size(sections));
  if constexpr (std::is_same_v<T, section>) return rows;
  else return to_sections(rows);
}
template <contiguous_range Coefficients>
auto coefficients_of(const Coefficients& given) {
  static_assert(std::is_arithmetic_v<element_t<const Coefficients>>, "upsweep: coefficients of a filter are numbers");
  return std::vector<double>(std::data(given), std::data(given) + std::size(given));
}
inline section section_of_average(double weight) {
  require(weight > 0 && weight <= 1, "weight", "is ", weight, ", must be above 0 and at most 1");
  return {.b0 = weight, .a1 = weight - 1};
}
inline section section_of_sum(double leak) {
  require(leak >= 0 && leak <= 1, "leak", "is ", leak, ", must be from 0 to 1");
  return {.b0 = 1, .a1 = -leak};
}

//! By one filter, or by one for each channel: Filters is std::dynamic_extent then.
template <std::size_t Filters, class Executor, class In, class Out, class State, class Layout>
void filter_by_rows(Executor& executor, std::span<const section> rows, const In& in, Out& out, State& state,
                    const Layout& layout) {
  check_sections(rows);
  const filter_bank<Filters> bank(rows, Filters == 1 ? 1 : static_cast<std::size_t>(layout.channels));
  const filter_ranges<element_t<const In>, element_t<Out>, Layout> ranges(executor, in, out, state, layout,
                                                                          2 * static_cast<index_t>(bank.count));
  if (ranges.in.length == 0) return;
  run_on_backend(executor, [&](auto& chosen) {
    const kept_state kept{
        .data = ranges.state, .section_stride = 2 * ranges.in.channels, .channel_stride = 2, .sections = 0, .order = 2};
    filter_sections(chosen, bank, ranges.in, ranges.out, kept);
  });
}
}  // namespace detail

//! Sections of a filter of its own for each channel: equal shares of a range, one behind another.
template <contiguous_range Sections>
struct per_channel {
  std::span<const element_t<const Sections>> sections;
  template <class Range>
    requires(std::is_same_v<std::remove_cvref_t<Range>, Sections>)
  explicit per_channel(Range&& all)  // NOLINT(bugprone-forwarding-reference-overload): it is no range itself
      : sections(std::data(all), std::size(all)) {
    UPSWEEP_CHECK_SHOWN(Range, "per_channel()");
  }
};
template <class Sections>
per_channel(Sections&&) -> per_channel<std::remove_cvref_t<Sections>>;

//! y = the signal filtered by a cascade of second-order sections, SciPy's sosfilt: each is direct form II transposed.
//! - `sections`: a range in host memory of `section`, of std::array<double, 6> (b0 b1 b2 a0 a1 a2, where a0 = 1), or of
//!   double, six a section.
//! - `in`, `out`: float, double or int16_t, also in a mix (int16_t with float). `out` may be exactly `in`, and has at
//!   least as many items. Integers are rounded and held to their range.
//! - `state`: none, or a range of double where the executor works, SciPy's zi: [section][channel][2]. It is read before
//!   the first sample and written behind the last one, so that the next piece of the signal can follow.
//! - `layout`: planar{channels, length, pitch}, by default one channel, or interleaved{channels}.
//!
//! Results. States and sums are double: samples are off by rounding to their own type, also for filters of very low
//! frequencies. Results are the same bits for any number of threads and from run to run; for pieces see filter_block.
//! What is in double may differ by rounding with the layout: interleaved channels are filtered another way. On a device
//! it may with the number of channels, too: from 768 on (with filters of their own 64, on a host 16) they are filtered
//! another way.
//!
//! Cost. One read and one write a sample for each 8 sections; more than 8 pass through 8 bytes a sample of scratch
//! memory. On the host one thread filters interleaved channels; several do from about 1000 (one section) or 130 (eight)
//! on. A device turns interleaved channels into planes and back for more than two sections and for filters of their
//! own: a read and a write a sample more on either side, with scratch memory for in and, if it is of another type, out.
//! A thread's first call with a filter computes its powers on the host, 1 µs for one section to 46 for eight (a Zen 4),
//! but for fewer than 128 samples there; the next calls with one of its last 16 filters, as of a signal in blocks, do
//! not.
//! Does not wait on a device, which takes one launch for all channels; or, for more than two sections and up to 767
//! channels so long that each is enough for the whole device, one for each.
//!
//! Limits. Filters that do not decay are right as long as states stay within 1e300. Throws std::invalid_argument
//! (sections that are not finite or whose a0 is not 1, ranges too short, a state of the wrong size), cuda_error.
//!
//! Method: states of runs by powers of the companion matrix (Burrus 1972), scanned in a single pass
//! (cuda/protocol.hpp); of three sections and more by the GPU's units for matrices (filter/cuda/run_matrix.hpp).
//!   auto low = upsweep::butterworth_lowpass(4, 1000., 48000.);   upsweep::sosfilt(exec, low, in, out);
template <executor Executor, contiguous_range Sections, contiguous_range In, contiguous_range Out,
          detail::filter_state State = no_state_t, detail::channel_layout Layout = planar>
void sosfilt(Executor&& executor, const Sections& sections, const In& in, Out&& out, State&& state = {},
             const Layout& layout = {}) {
  const auto rows = detail::sections_of(sections);
  UPSWEEP_CHECK_OUTPUT(out);
  detail::filter_by_rows<1>(executor, rows, in, out, state, layout);
}
//! The same for segments of any lengths, each filtered on its own: segment s is in[positions[s]] to
//! in[positions[s + 1] − 1]. What lies before the first position and from the last one on is filtered from silence.
//! Nothing of a segment comes into another, infinite or not a number.
//! - `positions` lie where the executor works. Wrong ones give wrong results, but nothing out of bounds.
//! - `state`: [section][segment][2]; those of empty segments stay.
//!
//! Cost. On the host a thread goes along each segment from sample to sample; all threads go along one of 65,536 samples
//! and more. A device makes a sweep of each section over maps of six doubles a sample: several times as long as without
//! segments, and 8 bytes a sample of scratch memory where there are several sections.
//!
//! Limits. Errors are as without segments, measured with poles down to 4e-5 from the unit circle: 2e-8 of the largest
//! result there, 1e-10 ten times as far from it.
//!   upsweep::sosfilt(exec, low, in, out, upsweep::no_state, upsweep::offsets(positions));
template <executor Executor, contiguous_range Sections, contiguous_range In, contiguous_range Out,
          detail::filter_state State, class Offset>
void sosfilt(Executor&& executor, const Sections& sections, const In& in, Out&& out, State&& state,
             const offsets_range<Offset>& segments) {
  const auto rows = detail::sections_of(sections);
  UPSWEEP_CHECK_OUTPUT(out);
  check_sections(rows);
  const auto signal = detail::segments_of(executor, in, out, state, segments, 2 * static_cast<index_t>(rows.size()));
  if (signal.length == 0) return;
  detail::run_on_backend(executor, [&](auto& chosen) { detail::filter_segments(chosen, rows, signal); });
}
//! The same with a filter of its own for each channel, all of as many sections. Throws std::invalid_argument, too, for
//! sections that cannot be shared out among the channels.
//!
//! Cost. From 16 channels on a host filters eight side by side and computes no powers; each eight then have one thread.
//! On a device each channel takes a launch. From 64 channels on all take one, which computes the filters' powers
//! too, in twice double's precision, and one more for each 3,840 bytes of the filters (40 a section, of which there are
//! 1, 2, 4 or 8 a pass).
//!   upsweep::sosfilt(exec, upsweep::per_channel(both_filters), in, out, upsweep::no_state, upsweep::planar{2});
template <executor Executor, class Sections, contiguous_range In, contiguous_range Out,
          detail::filter_state State = no_state_t, detail::channel_layout Layout = planar>
void sosfilt(Executor&& executor, const per_channel<Sections>& filters, const In& in, Out&& out, State&& state = {},
             const Layout& layout = {}) {
  const auto rows = detail::sections_of(filters.sections);
  UPSWEEP_CHECK_OUTPUT(out);
  detail::check_count("channels", layout.channels, 1);
  detail::require(static_cast<index_t>(rows.size()) % layout.channels == 0, "sections", "are ", rows.size(),
                  ", which is no multiple of the ", layout.channels, " channels");
  detail::filter_by_rows<std::dynamic_extent>(executor, rows, in, out, state, layout);
}

//! y = the signal filtered by b(z⁻¹)/a(z⁻¹), SciPy's lfilter: direct form II transposed. `b`, `a`: numbers, in host
//! memory; a[0] need not be 1. `state`: max(sizes) − 1 entries a channel, [channel][entry], SciPy's zi. Of order up to
//! 8 as sosfilt, which is the more accurate for high orders; of order up to 64 one thread a channel goes from sample to
//! sample, which is slow; higher ones are refused. Otherwise as sosfilt.
//!   upsweep::lfilter(exec, std::array{1.}, std::array{1., -0.9}, in, out);
template <executor Executor, contiguous_range B, contiguous_range A, contiguous_range In, contiguous_range Out,
          detail::filter_state State = no_state_t, detail::channel_layout Layout = planar>
void lfilter(Executor&& executor, const B& b, const A& a, const In& in, Out&& out, State&& state = {},
             const Layout& layout = {}) {
  UPSWEEP_CHECK_OUTPUT(out);
  const detail::polynomials by(detail::coefficients_of(b), detail::coefficients_of(a));
  const detail::filter_ranges<element_t<const In>, element_t<Out>, Layout> ranges(executor, in, out, state, layout,
                                                                                  by.order);
  if (ranges.in.length == 0) return;
  detail::run_on_backend(
      executor, [&](auto& chosen) { detail::filter_polynomials(chosen, by, ranges.in, ranges.out, ranges.state); });
}

//! The same for segments, as sosfilt's; the state is [segment][entry]. On a device one thread goes along each segment:
//! fast for thousands of segments of like lengths, slow for a long one.
template <executor Executor, contiguous_range B, contiguous_range A, contiguous_range In, contiguous_range Out,
          detail::filter_state State, class Offset>
void lfilter(Executor&& executor, const B& b, const A& a, const In& in, Out&& out, State&& state,
             const offsets_range<Offset>& segments) {
  UPSWEEP_CHECK_OUTPUT(out);
  const detail::polynomials by(detail::coefficients_of(b), detail::coefficients_of(a));
  const auto signal = detail::segments_of(executor, in, out, state, segments, by.order);
  if (signal.length == 0) return;
  detail::run_on_backend(executor, [&](auto& chosen) { detail::filter_segments(chosen, by, signal); });
}

//! y[i] = weight·x[i] + (1 − weight)·y[i−1], from y[−1] = 0 (or the state / (1 − weight)): exponential smoothing.
//! 0 < weight <= 1. Otherwise as sosfilt of one section, with a state of 2 entries a channel.
//!   upsweep::exponential_moving_average(exec, in, out, 0.1);
template <executor Executor, contiguous_range In, contiguous_range Out, detail::filter_state State = no_state_t,
          detail::channel_layout Layout = planar>
void exponential_moving_average(Executor&& executor, const In& in, Out&& out, double weight, State&& state = {},
                                const Layout& layout = {}) {
  sosfilt(executor, std::array{detail::section_of_average(weight)}, in, std::forward<Out>(out), state, layout);
}
//! The same for segments, each from 0; as sosfilt's. With a state: sosfilt.
//!   upsweep::exponential_moving_average(exec, in, out, 0.1, upsweep::offsets(positions));
template <executor Executor, contiguous_range In, contiguous_range Out, class Offset>
void exponential_moving_average(Executor&& executor, const In& in, Out&& out, double weight,
                                const offsets_range<Offset>& segments) {
  sosfilt(executor, std::array{detail::section_of_average(weight)}, in, std::forward<Out>(out), no_state, segments);
}
//! y[i] = x[i] + leak·y[i−1]: a sum that forgets. 0 <= leak <= 1; a running sum for 1. Otherwise as sosfilt of one
//! section, with a state of 2 entries a channel.
//!   upsweep::leaky_integrator(exec, in, out, 0.9);
template <executor Executor, contiguous_range In, contiguous_range Out, detail::filter_state State = no_state_t,
          detail::channel_layout Layout = planar>
void leaky_integrator(Executor&& executor, const In& in, Out&& out, double leak, State&& state = {},
                      const Layout& layout = {}) {
  sosfilt(executor, std::array{detail::section_of_sum(leak)}, in, std::forward<Out>(out), state, layout);
}
//! The same for segments, each from 0; as sosfilt's. With a state: sosfilt.
//!   upsweep::leaky_integrator(exec, in, out, 0.9, upsweep::offsets(positions));
template <executor Executor, contiguous_range In, contiguous_range Out, class Offset>
void leaky_integrator(Executor&& executor, const In& in, Out&& out, double leak,
                      const offsets_range<Offset>& segments) {
  sosfilt(executor, std::array{detail::section_of_sum(leak)}, in, std::forward<Out>(out), no_state, segments);
}
UPSWEEP_EXPLAIN(sosfilt,
                "sosfilt(executor, sections, in, out, state, layout), of which layout is planar{...}, "
                "interleaved{channels} or offsets(positions)")
UPSWEEP_EXPLAIN(lfilter,
                "lfilter(executor, b, a, in, out, state, layout), of which layout is planar{...}, "
                "interleaved{channels} or offsets(positions)")
UPSWEEP_EXPLAIN(exponential_moving_average, "exponential_moving_average(executor, in, out, weight, state, layout)")
UPSWEEP_EXPLAIN(leaky_integrator, "leaky_integrator(executor, in, out, leak, state, layout)")

}  // namespace UPSWEEP_NAMESPACE

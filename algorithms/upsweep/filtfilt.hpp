// Filters run forth and back, so that nothing is delayed (zero phase), with SciPy's conventions.
//   sosfiltfilt(exec, sections, in, out, layout)    filtfilt(exec, b, a, in, out, layout)
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include <upsweep/checks.hpp>
#include <upsweep/config.hpp>
#include <upsweep/explain.hpp>
#include <upsweep/filter/filter_task.hpp>
#include <upsweep/for_each_index.hpp>
#include <upsweep/iir.hpp>
#include <upsweep/require.hpp>
#include <upsweep/scan.hpp>
#include <upsweep/scratch.hpp>
#include <upsweep/signal.hpp>
#include <upsweep/stages.hpp>
#include <upsweep/transform.hpp>

namespace UPSWEEP_NAMESPACE {

namespace detail {
//! Sample t of channel c, where all channels' samples are counted one channel after another.
struct place_of_sample {
  index_t channels, length;
  struct place {
    index_t c, t;
  };
  UPSWEEP_HD place operator()(index_t i) const {
    if (channels == 1) return {0, i};
    constexpr index_t most = 0xffff'ffff;  // a GPU takes a fifth of the time to divide these
    const index_t c =
        i <= most && length <= most ? static_cast<std::uint32_t>(i) / static_cast<std::uint32_t>(length) : i / length;
    return {c, i - c * length};
  }
};
//! Writes a signal with `padding` samples more at each end, turned about its first and its last one (SciPy's odd
//! padding).
template <class T, bool Interleaved>
struct with_padding {
  signal<const T, Interleaved> in;
  double* padded;
  index_t padding;
  place_of_sample places;
  UPSWEEP_HD void operator()(index_t i) const {
    const auto [c, at] = places(i);
    const samples_of<const T> samples = in.samples(c, false);
    const auto x = [&](index_t t) { return static_cast<double>(samples[t]); };
    const index_t t = at - padding, last = in.length - 1;
    if (t < 0) padded[i] = 2 * x(0) - x(-t);
    else if (t > last) padded[i] = 2 * x(last) - x(2 * last - t);
    else padded[i] = x(t);
  }
};
template <class T, bool Interleaved>
struct without_padding {
  signal<T, Interleaved> out;
  const double* padded;
  index_t padding;
  place_of_sample places;
  UPSWEEP_HD void operator()(index_t i) const {
    const auto [c, t] = places(i);
    out.samples(c, false)[t] = to_sample<T>(padded[c * (out.length + 2 * padding) + padding + t]);
  }
};
struct first_of_channel {
  signal<const double, false> of;
  bool from_behind;
  UPSWEEP_HD double operator()(index_t c) const { return of.samples(c, from_behind)[0]; }
};
struct as_it_is {
  UPSWEEP_HD double operator()(double y) const { return y; }
};

//! Filters in place, as if the sample that a channel begins with had always been there. `first` is memory for those, as
//! they will be overwritten.
template <class Executor, class R, class Direction>
void filter_settled(Executor& executor, std::span<const R, 1> rules, const signal<double, false>& samples,
                    double* first, std::span<const double> zi, Direction direction) {
  const signal<const double, false> from{samples.data, samples.channels, samples.length, samples.pitch};
  transform(executor, computed<double>(first_of_channel{from, Direction::reversed}),
            std::span<double>(first, static_cast<std::size_t>(samples.channels)), as_it_is{});
  settled_start<R, double> start{{}, first};
  std::copy(zi.begin(), zi.end(), start.zi);
  filter_channels(executor, rules, from, samples, start, nullptr, direction);
}

//! Pads `in`, calls filter(samples, first, direction) forth and back, and takes the padding away.
template <class Executor, class In, class Out, bool Interleaved, class Filter>
void forth_and_back(Executor& executor, const signal<const In, Interleaved>& in, const signal<Out, Interleaved>& out,
                    index_t padding, const Filter& filter) {
  require(in.length > padding, "in", "has ", in.length, in.channels > 1 ? " samples a channel" : " samples",
          ", needs more than the padding of ", padding);
  const index_t channels = in.channels, length = in.length + 2 * padding;
  auto planes = planes_of(executor, in, out);
  double *padded = nullptr, *first = nullptr;
  in_scratch(executor, [&](scratch_cutter& scratch) {
    planes.cut(scratch);
    padded = scratch.take<double>(channels * length);
    first = scratch.take<double>(channels);
  });
  const signal<double, false> samples{padded, channels, length, length};
  constexpr bool interleaved = std::remove_cvref_t<decltype(planes.from)>::is_interleaved;
  planes.fill(executor);
  for_each_index(executor, channels * length,
                 with_padding<In, interleaved>{planes.from, padded, padding, {channels, length}});
  filter(samples, first, forward);
  filter(samples, first, reversed);
  for_each_index(executor, channels * in.length,
                 without_padding<Out, interleaved>{planes.to, padded, padding, {channels, in.length}});
  planes.empty(executor);
}

//! By sections, with SciPy's default padding. (Backends that have all of it compiled take its place.)
template <class Executor, class In, class Out, bool Interleaved>
void filter_both_ways(Executor& executor, std::span<const section> rows, const signal<const In, Interleaved>& in,
                      const signal<Out, Interleaved>& out) {
  const auto zeros = [&](double section::*entry) {
    return std::count_if(rows.begin(), rows.end(), [&](const section& s) { return s.*entry == 0; });
  };
  const auto count = static_cast<index_t>(rows.size());
  const index_t padding = 3 * (2 * count + 1 - std::min<index_t>(zeros(&section::b2), zeros(&section::a2)));
  forth_and_back(executor, in, out, padding, [&](const signal<double, false>& samples, double* first, auto direction) {
    // In passes of eight sections: what one gives begins settled, too.
    for (std::span<const section> rest = rows; !rest.empty();) {
      const auto some = rest.first(std::min(most_sections, rest.size()));
      rest = rest.subspan(some.size());
      with_cascades(filter_bank<1>(some), [&](const auto& rules) {
        filter_settled(executor, rules, samples, first, sosfilt_zi(some), direction);
      });
    }
  });
}
//! By polynomials.
template <class Executor, class In, class Out, bool Interleaved>
void filter_both_ways(Executor& executor, std::span<const double> b, std::span<const double> a,
                      const signal<const In, Interleaved>& in, const signal<Out, Interleaved>& out) {
  const polynomials by(b, a);
  const std::vector<double> zi = lfilter_zi(b, a);
  const auto padding = 3 * static_cast<index_t>(std::max(b.size(), a.size()));
  forth_and_back(executor, in, out, padding, [&](const signal<double, false>& samples, double* first, auto direction) {
    with_polynomials(by, [&](const auto& rules) { filter_settled(executor, rules, samples, first, zi, direction); });
  });
}

template <class Executor, class In, class Out, class Layout>
auto ranges_without_state(const Executor& executor, const In& in, Out& out, const Layout& layout) {
  no_state_t stateless;
  return filter_ranges<element_t<const In>, element_t<Out>, Layout>(executor, in, out, stateless, layout, 0);
}
}  // namespace detail

//! The signal filtered forth and back by second-order sections: SciPy's sosfiltfilt with its default padding, 3·(2·S +
//! 1 − min(zeros among b2, zeros among a2)) samples, turned about the ends. Every section's gain works twice, and no
//! frequency is delayed. `layout`: planar{channels, length, pitch} (by default one channel) or interleaved{channels};
//! channels must be longer than the padding; `out` may be exactly `in`. In double between; reads and writes 56 bytes a
//! float, and takes 8 bytes a sample of scratch memory (interleaved on a device 16 and 4 more). Does not wait on a
//! device; launches as sosfilt. Throws as sosfilt, and for sections with a pole at z = 1.
//!   upsweep::sosfiltfilt(exec, upsweep::butterworth_lowpass(4, 1000., 48000.), in, out);
template <executor Executor, contiguous_range Sections, contiguous_range In, contiguous_range Out,
          class Layout = planar>
void sosfiltfilt(Executor&& executor, const Sections& sections, const In& in, Out&& out, const Layout& layout = {}) {
  const auto rows = detail::sections_of(sections);
  UPSWEEP_CHECK_OUTPUT(out);
  static_cast<void>(sosfilt_zi(rows));  // throws for a pole at z = 1, before anything is written
  const auto ranges = detail::ranges_without_state(executor, in, out, layout);
  detail::run_on_backend(executor, [&](auto& chosen) {
    detail::filter_both_ways(chosen, std::span<const section>(rows), ranges.in, ranges.out);
  });
}

//! The same by polynomials, of order up to 8: SciPy's filtfilt with its default padding, 3·max(size of a, size of b).
template <executor Executor, contiguous_range B, contiguous_range A, contiguous_range In, contiguous_range Out,
          class Layout = planar>
void filtfilt(Executor&& executor, const B& b, const A& a, const In& in, Out&& out, const Layout& layout = {}) {
  UPSWEEP_CHECK_OUTPUT(out);
  const std::vector<double> over = detail::coefficients_of(b), under = detail::coefficients_of(a);
  const detail::polynomials by(over, under);
  detail::require(by.order <= 8, "b and a", "make a filter of order ", by.order, ", at most 8 here");
  static_cast<void>(lfilter_zi(over, under));  // throws for a pole at z = 1, before anything is written
  const auto ranges = detail::ranges_without_state(executor, in, out, layout);
  detail::run_on_backend(executor, [&](auto& chosen) {
    detail::filter_both_ways(chosen, std::span<const double>(over), std::span<const double>(under), ranges.in,
                             ranges.out);
  });
}
UPSWEEP_EXPLAIN(sosfiltfilt, "sosfiltfilt(executor, sections, in, out, layout)")
UPSWEEP_EXPLAIN(filtfilt, "filtfilt(executor, b, a, in, out, layout)")

}  // namespace UPSWEEP_NAMESPACE

// Filters run forth and back, so that nothing is delayed (zero phase), with SciPy's conventions.
//   sosfiltfilt(exec, sections, in, out)    filtfilt(exec, b, a, in, out)
#pragma once
#include <algorithm>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include <upsweep/checks.hpp>
#include <upsweep/config.hpp>
#include <upsweep/iir.hpp>
#include <upsweep/transform.hpp>

namespace upsweep::inline UPSWEEP_ABI {

namespace detail {
//! A signal with `padding` samples more at each end, turned about its first and its last one (SciPy's odd padding).
template <class T>
struct oddly_padded {
  const T* data;
  index_t length, padding;
  UPSWEEP_HD double at(index_t t) const { return static_cast<double>(data[t]); }
  UPSWEEP_HD double operator()(index_t i) const {
    const index_t t = i - padding, last = length - 1;
    if (t < 0) return 2 * at(0) - at(-t);
    if (t > last) return 2 * at(last) - at(2 * last - t);
    return at(t);
  }
};
template <class T>
struct sample_of {
  UPSWEEP_HD T operator()(double y) const { return to_sample<T>(y); }
};

//! Filters in place, as if the sample that the signal begins with had always been there. `first` is memory for it, as
//! it will be overwritten.
template <class Executor, class R, class Direction>
void filter_settled(Executor& executor, std::span<const R> rules, std::span<double> samples, double* first,
                    std::span<const double> zi, Direction direction) {
  const auto n = static_cast<index_t>(samples.size());
  const double* begin = samples.data() + (Direction::reversed ? n - 1 : 0);
  transform(executor, contiguous(std::span<const double>(begin, 1)), std::span<double>(first, 1), sample_of<double>{});
  settled_start<R, double> start{{}, first};
  std::copy(zi.begin(), zi.end(), start.zi);
  filter_channels(executor, rules, signal<const double, false>{samples.data(), 1, n, n},
                  signal<double, false>{samples.data(), 1, n, n}, start, direction);
}

//! Pads `in`, calls filter(samples, first, direction) forth and back, and takes the padding away.
template <class Executor, class In, class Out, class Filter>
void forth_and_back(Executor& executor, const named_range<const In>& in, const named_range<Out>& out, index_t padding,
                    const Filter& filter) {
  if (in.size <= padding)
    throw std::invalid_argument("in has " + std::to_string(in.size) + " samples, needs more than the padding of " +
                                std::to_string(padding));
  check_range(executor, in, in.size);
  check_range(executor, out, in.size);
  check_in_place(extent_of(in, in.size), extent_of(out, in.size), true);
  const auto length = static_cast<std::size_t>(in.size + 2 * padding), n = static_cast<std::size_t>(in.size);
  auto* memory = reinterpret_cast<double*>(executor.scratch((length + 1) * sizeof(double)));
  const std::span<double> padded(memory, length);
  transform(executor, computed<double>(oddly_padded<In>{in.data, in.size, padding}), padded, sample_of<double>{});
  filter(padded, memory + length, forward);
  filter(padded, memory + length, reversed);
  transform(executor, contiguous(std::span<const double>(memory + padding, n)), std::span<Out>(out.data, n),
            sample_of<Out>{});
}
}  // namespace detail

//! The signal filtered forth and back by second-order sections: SciPy's sosfiltfilt with its default padding, 3·(2·S +
//! 1 − min(zeros among b2, zeros among a2)) samples, turned about the ends. Every section's gain works twice, and no
//! frequency is delayed. One channel; `in` must be longer than the padding; `out` may be exactly `in`. In double
//! between; reads and writes 56 bytes a float, and takes 8 bytes a sample of scratch memory. Does not wait on a device.
//! Throws as sosfilt, and for sections with a pole at z = 1.
//!   upsweep::sosfiltfilt(exec, upsweep::butterworth_lowpass(4, 1000., 48000.), in, out);
template <class Executor, contiguous_range Sections, contiguous_range In, contiguous_range Out>
void sosfiltfilt(Executor& executor, const Sections& sections, const In& in, Out&& out) {
  const std::vector<section> rows = detail::sections_of(sections);
  static_cast<void>(sosfilt_zi(rows));  // throws for a pole at z = 1, before anything is written
  const auto zeros = [&](double section::*entry) {
    return std::count_if(rows.begin(), rows.end(), [&](const section& s) { return s.*entry == 0; });
  };
  const auto count = static_cast<index_t>(rows.size());
  const index_t padding = 3 * (2 * count + 1 - std::min<index_t>(zeros(&section::b2), zeros(&section::a2)));
  detail::run_on_backend(executor, [&](auto& chosen) {
    const auto filter = [&](std::span<double> samples, double* first, auto direction) {
      // In passes of eight sections: what one gives begins settled, too.
      for (std::span<const section> rest = rows; !rest.empty();) {
        const auto some = rest.first(std::min(detail::most_sections, rest.size()));
        rest = rest.subspan(some.size());
        detail::with_cascades({some, 1}, [&](const auto& rules) {
          detail::filter_settled(chosen, rules, samples, first, sosfilt_zi(some), direction);
        });
      }
    };
    detail::forth_and_back(chosen, input("in", in), output("out", out), padding, filter);
  });
}

//! The same by polynomials, of order up to 8: SciPy's filtfilt with its default padding, 3·max(size of a, size of b).
template <class Executor, contiguous_range B, contiguous_range A, contiguous_range In, contiguous_range Out>
void filtfilt(Executor& executor, const B& b, const A& a, const In& in, Out&& out) {
  const std::span<const double> over(std::data(b), std::size(b)), under(std::data(a), std::size(a));
  const detail::polynomials by(over, under);
  if (by.order > 8)
    throw std::invalid_argument("the filter is of order " + std::to_string(by.order) + ", the most here is 8");
  const std::vector<double> zi = lfilter_zi(over, under);
  const auto padding = 3 * static_cast<index_t>(std::max(over.size(), under.size()));
  detail::run_on_backend(executor, [&](auto& chosen) {
    const auto filter = [&](std::span<double> samples, double* first, auto direction) {
      detail::with_polynomials(
          by, [&](const auto& rules) { detail::filter_settled(chosen, rules, samples, first, zi, direction); });
    };
    detail::forth_and_back(chosen, input("in", in), output("out", out), padding, filter);
  });
}

}  // namespace upsweep::inline UPSWEEP_ABI

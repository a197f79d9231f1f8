// Designs of recursive filters as second-order sections: Butterworth filters, equal to SciPy's, and the shelves, peaks
// and notches of audio. Host code in double. Frequencies are in the unit of the sample rate, Hz say.
#pragma once
#include <cmath>
#include <complex>
#include <cstddef>
#include <limits>
#include <numbers>
#include <vector>

#include <upsweep/config.hpp>
#include <upsweep/filter/zeros_poles.hpp>
#include <upsweep/filter_response.hpp>
#include <upsweep/require.hpp>
#include <upsweep/sections.hpp>

namespace UPSWEEP_NAMESPACE {

// ---------------------------------------------------------------- Butterworth
namespace detail {
inline void check_frequency(const char* name, double frequency, double sample_rate) {
  check_positive("sample_rate", sample_rate);
  require(frequency > 0 && frequency < sample_rate / 2, name, "is ", frequency, ", must be above 0 and below ",
          sample_rate / 2, ", half of sample_rate");
}
// Far above what filters have, and where the pairing, which is quadratic, still takes milliseconds.
inline void check_order(int order) {
  require(1 <= order && order <= 1000, "order", "is ", order, ", must be in [1, 1000]");
}
[[noreturn]] inline void refuse_rounded() {
  refuse("frequencies", "are too low, too high or too close: a pole reaches the unit circle when rounded to double");
}

// A Butterworth filter on its way from the analog prototype, which has cut-off 1 and its poles on the left half of the
// unit circle, to its sections. Frequencies are angles: f·π/sample_rate.
class butterworth {
 public:
  explicit butterworth(int order) {
    check_order(order);
    const double step = std::numbers::pi / 2 / order;
    for (int m = order - 1; m >= 0; m -= 2) prototype_.emplace_back(-std::sin(step * (order - m)), std::sin(step * m));
  }

  // The bilinear transform s = (z − 1)/(z + 1) takes the prototype, its poles p times tan(angle), to
  // (cos + sin·p)/(cos − sin·p). High-pass and low-pass have the same poles.
  std::vector<section> low_or_high(double angle, bool high) {
    const double cosine = std::cos(angle), sine = std::sin(angle);
    for (const auto& p : prototype_) {
      add_zeros(p, high ? 1. : -1.);
      add_pole(p, (cosine + sine * p) / (cosine - sine * p));
    }
    if (poles_.back().imag() == 0) {  // an odd order; a section takes two
      zeros_.emplace_back(0);
      poles_.emplace_back(0);
    }
    return sections(high ? cosine : sine, cosine, sine);
  }

  // Both transforms of a band, of the low-pass to it and of s to z, are one: p·tan(d)·(z² − 1) = z² − 2·z·cos(s)/cos(d)
  // + 1, where s and d are the sum and the difference of the edges. A band-stop has 1/p for p, and so the same poles.
  std::vector<section> band(double low, double high, bool stop) {
    const double middle = std::cos(low + high), cosine = std::cos(high - low), sine = std::sin(high - low);
    const double product = std::sin(2 * low) * std::sin(2 * high);  // cosine² − middle², without the cancellation
    if (product == 0) refuse_rounded();
    for (const auto& p : prototype_) {
      const auto root = std::sqrt(sine * sine * p * p - product), below = cosine - sine * p;
      for (const auto& pole : {(middle + root) / below, (middle - root) / below}) add_pole(p, pole);
      if (stop) {
        add_zeros(p, std::complex<double>(middle, std::sqrt(product)) / cosine);
      } else {
        add_zeros(p, -1);
        add_zeros(p, 1);
      }
    }
    return sections(stop ? cosine : sine, cosine, sine);
  }

 private:
  // Of roots: one of every conjugate pair, the one above the real axis, and all that are real.
  std::vector<std::complex<double>> prototype_, zeros_, poles_;

  // A pole of the prototype stands for two when it is not real.
  static std::size_t count(const std::complex<double>& p) { return p.imag() == 0 ? 1 : 2; }
  void add_zeros(const std::complex<double>& p, const std::complex<double>& zero) {
    zeros_.insert(zeros_.end(), count(p), zero);
  }
  void add_pole(const std::complex<double>& p, const std::complex<double>& pole) {
    if (count(p) == 2) {
      if (pole.imag() == 0) refuse_rounded();
      poles_.emplace_back(pole.real(), std::abs(pole.imag()));
    } else if (pole.imag() >= 0) {  // of a real one's two in a band: both, or one for the pair
      poles_.push_back(pole);
    }
  }

  // The gain is the product of share/(cosine − sine·p) over the prototype. Share is the sine or the cosine, so no
  // factor is above 1: nothing overflows, and nothing underflows unless the gain does.
  std::vector<section> sections(double share, double cosine, double sine) const {
    double gain = 1;
    for (const auto& p : prototype_) {
      const double factor = share / std::abs(cosine - sine * p);
      gain *= count(p) == 2 ? factor * factor : factor;
    }
    require(!(gain < std::numeric_limits<double>::min()), "order",
            "is too high for such frequencies: the gain of the first section underflows");
    auto made = paired_sections(zeros_, poles_, gain);
    if (largest_pole(made) >= 1) refuse_rounded();
    return made;
  }
};

inline std::vector<section> butterworth_pass(int order, double cutoff, double sample_rate, bool high) {
  butterworth design(order);
  check_frequency("cutoff", cutoff, sample_rate);
  return design.low_or_high(std::numbers::pi * (cutoff / sample_rate), high);
}
inline std::vector<section> butterworth_band(int order, double low, double high, double sample_rate, bool stop) {
  butterworth design(order);
  check_frequency("low", low, sample_rate);
  check_frequency("high", high, sample_rate);
  require(low < high, "low", "is ", low, ", must be below high, ", high);
  return design.band(std::numbers::pi * (low / sample_rate), std::numbers::pi * (high / sample_rate), stop);
}
}  // namespace detail

//! Butterworth filters, maximally flat: below (above) `cutoff`, between `low` and `high`, or outside of them. At these
//! frequencies the gain is 1/√2. A low-pass and a high-pass have (order + 1)/2 sections, a band-pass and a band-stop
//! `order`. They are those of scipy.signal.butter(order, …, output='sos', fs=sample_rate) in SciPy 1.10, in the same
//! order, with the gain in the first; where two pairs of poles are equally far from the unit circle, in a band around
//! sample_rate/4, SciPy's order falls by rounding, and in ours the one of lower frequency comes before the other. The
//! poles are found in closed form and are accurate for any order. Throws std::invalid_argument when order is not in [1,
//! 1000], for a frequency that is not in (0, sample_rate/2), unless low < high, and for what double cannot hold: a gain
//! below 2.2e-308, and a filter that rounding makes unstable (from about 1e-8 of the sample rate down), which SciPy
//! gives without a word. From S. Butterworth 1930; A. G. Constantinides 1970 for the bands.
//!   const auto filter = upsweep::butterworth_lowpass(4, 1000., 48000.);
inline std::vector<section> butterworth_lowpass(int order, double cutoff, double sample_rate) {
  return detail::butterworth_pass(order, cutoff, sample_rate, false);
}
//! What is above cutoff; all else as butterworth_lowpass.
inline std::vector<section> butterworth_highpass(int order, double cutoff, double sample_rate) {
  return detail::butterworth_pass(order, cutoff, sample_rate, true);
}
//! What is between low and high; all else as butterworth_lowpass.
inline std::vector<section> butterworth_bandpass(int order, double low, double high, double sample_rate) {
  return detail::butterworth_band(order, low, high, sample_rate, false);
}
//! What is outside of low and high; all else as butterworth_lowpass.
inline std::vector<section> butterworth_bandstop(int order, double low, double high, double sample_rate) {
  return detail::butterworth_band(order, low, high, sample_rate, true);
}

// ---------------------------------------------------------------- audio
namespace detail {
// The terms that the cookbook's formulas share.
struct audio_terms {
  double amplitude, cosine, alpha;
  audio_terms(double frequency, double gain_db, double q, double sample_rate) {
    check_frequency("frequency", frequency, sample_rate);
    // At 300 dB the sums of coefficients, of which the quiet part's gain is made, have seven digits left.
    require(std::abs(gain_db) <= 300, "gain_db", "is ", gain_db, ", must be in [-300, 300]");
    check_positive("q", q);
    const double angle = 2 * std::numbers::pi * (frequency / sample_rate);
    amplitude = std::pow(10., gain_db / 40);
    cosine = std::cos(angle);
    alpha = std::sin(angle) / (2 * q);
  }
};
inline section normalized(const section& s) {
  const section one{.b0 = s.b0 / s.a0, .b1 = s.b1 / s.a0, .b2 = s.b2 / s.a0, .a1 = s.a1 / s.a0, .a2 = s.a2 / s.a0};
  for (const double coefficient : {one.b0, one.b1, one.b2, one.a1, one.a2})
    require(std::isfinite(coefficient), "q", "is too low: the coefficients overflow");
  require(largest_pole({&one, 1}) < 1, "q",
          "is too high, or frequency too low: a pole reaches the unit circle when rounded");
  return one;
}
// A high shelf is a low shelf turned round: z for −z, so that the cosine and the odd coefficients change their signs.
inline section shelf(const audio_terms& terms, double sign) {
  const double a = terms.amplitude, up = a + 1, down = a - 1, cosine = sign * terms.cosine;
  const double slope = 2 * std::sqrt(a) * terms.alpha;
  return normalized({.b0 = a * (up - down * cosine + slope),
                     .b1 = sign * 2 * a * (down - up * cosine),
                     .b2 = a * (up - down * cosine - slope),
                     .a0 = up + down * cosine + slope,
                     .a1 = sign * -2 * (down + up * cosine),
                     .a2 = up + down * cosine - slope});
}
}  // namespace detail

//! Filters of one section, from R. Bristow-Johnson's "Cookbook formulae for audio EQ biquad filter coefficients". A
//! shelf changes all below (above) `frequency` by gain_db decibels, by half of them at the frequency itself; of the
//! steepest shelves that do not overshoot, q is 1/√2. A peak changes what is around `frequency` by gain_db, and q is
//! the frequency over the bandwidth (in the analog prototype, between the points of half gain_db). Throws
//! std::invalid_argument for a frequency that is not in (0, sample_rate/2), a gain that is not in [-300, 300], a q that
//! is not positive, and for what double cannot hold: coefficients that overflow, poles that rounding puts on the unit
//! circle.
//!   const upsweep::section warm = upsweep::low_shelf(200., 6., 0.7, 48000.);
inline section low_shelf(double frequency, double gain_db, double q, double sample_rate) {
  return detail::shelf({frequency, gain_db, q, sample_rate}, 1);
}
//! A shelf above frequency; see low_shelf.
inline section high_shelf(double frequency, double gain_db, double q, double sample_rate) {
  return detail::shelf({frequency, gain_db, q, sample_rate}, -1);
}
//! A peak, or with a negative gain a dip, around frequency; see low_shelf.
inline section peak(double frequency, double gain_db, double q, double sample_rate) {
  const detail::audio_terms t(frequency, gain_db, q, sample_rate);
  const double up = t.alpha * t.amplitude, down = t.alpha / t.amplitude;
  return detail::normalized(
      {.b0 = 1 + up, .b1 = -2 * t.cosine, .b2 = 1 - up, .a0 = 1 + down, .a1 = -2 * t.cosine, .a2 = 1 - down});
}

//! Removes one frequency, and passes what is farther from it: the band between gains of 1/√2 is frequency/q wide,
//! whatever the sample rate. This is scipy.signal.iirnotch (S. J. Orfanidis, "Introduction to Signal Processing", 1996,
//! §11.3); the cookbook's notch is narrower near sample_rate/2. Throws std::invalid_argument for a frequency that is
//! not in (0, sample_rate/2), and for a q at which the band would be as wide as half of the sample rate.
inline section notch(double frequency, double q, double sample_rate) {
  detail::check_frequency("frequency", frequency, sample_rate);
  const double least = frequency / (sample_rate / 2);
  detail::require(q > least && std::isfinite(q), "q", "is ", q, ", must be finite and above ", least,
                  ", twice frequency over sample_rate");
  const double gain = 1 / (1 + std::tan(std::numbers::pi * (frequency / sample_rate) / q));
  const double cosine = std::cos(2 * std::numbers::pi * (frequency / sample_rate));
  return detail::normalized(
      {.b0 = gain, .b1 = -2 * gain * cosine, .b2 = gain, .a1 = -2 * gain * cosine, .a2 = 2 * gain - 1});
}

}  // namespace UPSWEEP_NAMESPACE

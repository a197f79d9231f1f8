// What second-order sections do to a signal: their frequency response, and how long they remember. Host code in double.
// (A header of its own, as that of complex numbers takes g++ 0.1 s to read.)
#pragma once
#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>
#include <span>

#include <upsweep/config.hpp>
#include <upsweep/sections.hpp>

namespace UPSWEEP_NAMESPACE {

namespace detail {
// c0 + c1·z⁻¹ + c2·z⁻² on the unit circle, at `turn` of it. Around the nearer of z = 1 and z = −1, where the terms of a
// narrow filter cancel to a small rest: as a Taylor series nothing is left to cancel.
inline std::complex<double> on_circle(double c0, double c1, double c2, double turn) {
  const double half = std::numbers::pi * turn, sine = std::sin(half), cosine = std::cos(half);
  const bool right = std::abs(cosine) >= std::abs(sine);
  const double end = right ? 1 : -1;
  const std::complex<double> direction(cosine, -sine);
  const auto away = right ? std::complex<double>(0, -2 * sine) * direction : 2 * cosine * direction;  // z⁻¹ − end
  return c0 + end * c1 + c2 + away * (c1 + 2 * end * c2 + away * c2);
}
}  // namespace detail

//! What a filter makes of a sine of this frequency: the gain is the magnitude, the phase the argument. Both frequencies
//! are in the same unit, Hz say. Throws std::invalid_argument for what check_sections refuses, a frequency that is not
//! finite, and a sample_rate that is not positive. As sosfreqz of SciPy, which loses digits at low frequencies.
//!   const double gain = std::abs(upsweep::frequency_response(filter, 440., 48000.));
inline std::complex<double> frequency_response(std::span<const section> sections, double frequency,
                                               double sample_rate) {
  check_sections(sections);
  detail::check_finite("frequency", frequency);
  detail::check_positive("sample_rate", sample_rate);
  const double turn = std::fmod(frequency / sample_rate, 1.);
  std::complex<double> response = 1;
  for (const section& s : sections)
    response *= detail::on_circle(s.b0, s.b1, s.b2, turn) / detail::on_circle(1, s.a1, s.a2, turn);
  return response;
}

//! The magnitude of the largest pole: below 1 a filter is stable, and forgets its past by this factor a sample. Throws
//! std::invalid_argument for what check_sections refuses.
inline double largest_pole(std::span<const section> sections) {
  check_sections(sections);
  double largest = 0;
  for (const section& s : sections) {
    const double half = -s.a1 / 2;
    const double square = std::fma(half, half, -s.a2);  // rounded once: poles that nearly meet would move far
    const double pole = square < 0 ? std::sqrt(s.a2) : std::abs(half) + std::sqrt(square);
    largest = std::max(largest, pole);
  }
  return largest;
}

}  // namespace UPSWEEP_NAMESPACE

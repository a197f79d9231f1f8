// From the zeros and poles of a filter to its second-order sections. Host code in double.
#pragma once
#include <algorithm>
#include <cmath>
#include <complex>
#include <vector>

#include <upsweep/config.hpp>
#include <upsweep/sections.hpp>

namespace UPSWEEP_NAMESPACE {
namespace detail {

// Takes the root of least distance(root), real ones only if told so. Of roots that differ by rounding alone it takes
// the first, so that a symmetric filter has the same sections on every machine.
template <class Distance>
std::complex<double> take_nearest(std::vector<std::complex<double>>& roots, bool real_only, const Distance& distance) {
  constexpr double rounding = 1e-14;
  auto nearest = roots.end();
  for (auto root = roots.begin(); root != roots.end(); ++root) {
    if (real_only && root->imag() != 0) continue;
    if (nearest == roots.end() || distance(*root) < distance(*nearest) - rounding) nearest = root;
  }
  const std::complex<double> taken = *nearest;
  roots.erase(nearest);
  return taken;
}

// Sections of the zeros and poles of a filter: one of every conjugate pair, and all that are real. There must be as
// many zeros as poles when pairs count twice, and the real ones of each must be even in number. This is zpk2sos of
// SciPy 1.10 with pairing='nearest': from the pole nearest to the unit circle on, each pole gets the zeros nearest to
// it, and the last section is the first that was made. The gain is in the first section.
inline std::vector<section> paired_sections(std::vector<std::complex<double>> zeros,
                                            std::vector<std::complex<double>> poles, double gain) {
  const auto to_left = [](const auto& a, const auto& b) { return a.real() < b.real(); };
  std::stable_sort(poles.begin(), poles.end(), to_left);
  std::stable_sort(zeros.begin(), zeros.end(), to_left);
  const auto to_circle = [](const auto& pole) { return std::abs(1 - std::abs(pole)); };
  std::vector<section> sections;
  while (!poles.empty()) {
    const auto p = take_nearest(poles, false, to_circle);
    const auto to_pole = [p](const auto& zero) { return std::abs(zero - p); };
    const auto p2 = p.imag() == 0 ? take_nearest(poles, true, to_circle) : std::conj(p);
    const auto z = take_nearest(zeros, false, to_pole);
    const auto z2 = z.imag() == 0 ? take_nearest(zeros, true, to_pole) : std::conj(z);
    sections.push_back(
        {.b1 = 0 - (z + z2).real(), .b2 = (z * z2).real(), .a1 = 0 - (p + p2).real(), .a2 = (p * p2).real()});
  }
  std::reverse(sections.begin(), sections.end());
  section& first = sections.front();
  first.b0 *= gain;
  first.b1 *= gain;
  first.b2 *= gain;
  return sections;
}

}  // namespace detail
}  // namespace UPSWEEP_NAMESPACE
